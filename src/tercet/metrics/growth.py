"""What long segments take: CPU seconds of one thread, of every metric, as `python -m benchmarks.long` measures them.

A segment of so many words is held against one reference in which a tenth of the words are others and parts stand
elsewhere. Where there are fewer figures than lengths, the last one took more than a second, or the next was refused.
Metrics over encoders read no more words than their encoder takes, and those over parses had none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tercet.numbers import plain

LENGTHS = (1_000, 2_000, 4_000, 8_000, 16_000)  # words
SECONDS: Mapping[str, Sequence[float]] = {
    "bleu": (0.001, 0.001, 0.002, 0.003, 0.006),
    "mteval-bleu": (0.001, 0.001, 0.002, 0.003, 0.006),
    "nist": (0.001, 0.002, 0.005, 0.009, 0.024),
    "moses-bleu": (0.001, 0.001, 0.002, 0.004, 0.007),
    "sentbleu": (0.001, 0.001, 0.002, 0.003, 0.005),
    "chrf": (0.001, 0.002, 0.005, 0.016, 0.047),
    "chrf-original": (0.001, 0.002, 0.005, 0.012, 0.038),
    "ter": (0.0, 0.001, 0.001, 0.001, 0.002),
    "hter": (0.0, 0.0, 0.001, 0.001, 0.002),
    "moses-ter": (0.021, 0.131, 0.519, 1.619),
    "terp": (0.039, 0.02, 0.035, 5.979),
    "wer": (0.0, 0.001, 0.002, 0.006, 0.02),
    "cder": (0.003, 0.009, 0.033, 0.129, 0.509),
    "per": (0.001, 0.001, 0.001, 0.002, 0.004),
    "eed": (0.084, 0.332, 1.411),
    "character": (0.249, 1.95),
    "lebleu": (0.009, 0.01, 0.012, 0.017, 0.025),
    "meteor": (0.007, 0.018, 0.062, 0.228, 0.834),
    "meteor-lecture": (0.006, 0.016, 0.056, 0.209, 0.758),
    "m-bleu": (0.009, 0.02, 0.064, 0.238, 0.801),
    "m-ter": (0.007, 0.02, 0.081, 0.223, 0.789),
    "meteor++": (0.006, 0.017, 0.058, 0.211, 0.762),
    "bleu-nrc": (0.001, 0.001, 0.002, 0.003, 0.007),
    "tbleu": (0.001,),
    "amber": (0.005,),
    "apac": (0.049,),
    "gtm": (0.003,),
    "bs": (0.001, 0.002, 0.003, 0.005, 0.01),
    "total-bs": (0.001, 0.002, 0.004, 0.007, 0.013),
    "inv-wer": (0.5,),
    "prep": (0.001, 0.001, 0.002, 0.003, 0.007),
    "hlepor": (0.001, 0.002, 0.004, 0.011, 0.037),
    "lepor": (0.001, 0.002, 0.004, 0.012, 0.037),
    "nlepor": (0.001, 0.002, 0.004, 0.012, 0.038),
    "yisi-0": (0.016, 0.049, 0.214, 0.795, 2.916),
    "yisi-1": (0.008, 0.028, 0.109, 0.426, 1.708),
    "yisi-2": (0.188, 0.173, 0.18, 0.191, 0.235),
    "wmdo": (0.026, 0.176, 0.294),
    "bertscore": (0.188, 0.253, 0.23, 0.209, 0.239),
    "bertr": (0.013, 0.013, 0.013, 0.013, 0.013),
    "cosine": (0.334, 0.339, 0.337, 0.334, 0.34),
    "cosine-source": (0.002, 0.002, 0.002, 0.003, 0.002),
    "comet": (0.376, 0.352, 0.364, 0.388, 0.439),
    "esim": (0.07, 0.075, 0.086, 0.107, 0.162),
    "neural": (0.033, 0.042, 0.071, 0.179, 0.6),
    "rouge-1": (0.0, 0.0, 0.001, 0.001, 0.002),
    "rouge-2": (0.0, 0.0, 0.001, 0.001, 0.002),
    "rouge-l": (0.0, 0.001, 0.001, 0.004, 0.01),
    "red": (0.057, 0.151, 0.47, 1.076),
    "dpmf": (0.005, 0.009, 0.018, 0.102, 0.145),
    "verta": (0.013, 0.024, 0.054, 0.142, 0.287),
    "sp": (0.006, 0.011, 0.022, 0.045, 0.157),
    "dp": (0.018, 0.037, 0.141, 0.157, 0.457),
    "cp": (0.009, 0.019, 0.038, 0.142, 0.226),
    "sr": (0.007, 0.012, 0.027, 0.065, 0.109),
    "dr": (0.02, 0.018, 0.037, 0.091, 0.188),
    "rst": (0.009, 0.02, 0.041),
    "upf-cobalt": (),
    "length-ratio": (0.0, 0.0, 0.0, 0.001, 0.001),
    "ibm1": (0.0, 0.0, 0.0, 0.001, 0.001),
    "lm": (0.0, 0.0, 0.0, 0.001, 0.001),
    "lm-perplexity": (0.0, 0.0, 0.0, 0.001, 0.001),
    "beer": (0.003, 0.009, 0.025, 0.073, 0.231),
    "beer-1.1": (0.063,),
    "combine": (0.001, 0.002, 0.005, 0.014, 0.037),
    "qe": (0.0, 0.0, 0.0, 0.0, 0.0),
}


ENOUGH = 1.0  # seconds, after which nothing longer was tried


def told(name: str) -> str:
    """What a card says of long segments; nothing where it was not measured.

    >>> told("cder")
    '1000 words take 0.003 s of a core, 16000 words 0.5 s'
    >>> told("gtm")
    '1000 words take 0.003 s of a core, 2000 words are refused'
    """
    if name not in SECONDS:
        return ""
    seconds = SECONDS[name]
    pieces = [f"{n} words {_short(s)} s" for n, s in zip(LENGTHS, seconds, strict=False)]
    pieces = [pieces[0].replace("words", "words take") + " of a core", *pieces[1:][-1:]] if pieces else []
    if len(seconds) < len(LENGTHS) and max(seconds, default=0.0) <= ENOUGH:
        pieces.append(f"{LENGTHS[len(seconds)]} words are refused")
    return ", ".join(pieces)


def _short(seconds: float) -> str:
    return "less than 0.001" if seconds < 0.001 else plain(seconds, 1)
