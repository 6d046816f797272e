"""What long segments take: CPU seconds of one thread, of every metric, as `python -m benchmarks.long` measures them.

A segment of so many words is held against one reference in which a tenth of the words are others and parts stand
elsewhere. Where there are fewer figures than lengths, the last one took more than a second, or the next was refused
even with all the patience that there is (`TERCET_PATIENCE`). Metrics over encoders read no more words than their
encoder takes, and those over parses had none.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from tercet.numbers import plain

LENGTHS = (1_000, 2_000, 4_000, 8_000, 16_000)  # words
SECONDS: Mapping[str, Sequence[float]] = {
    "bleu": (0.001, 0.001, 0.002, 0.003, 0.006),
    "mteval-bleu": (0.001, 0.001, 0.002, 0.003, 0.007),
    "nist": (0.001, 0.002, 0.004, 0.007, 0.014),
    "moses-bleu": (0.001, 0.001, 0.002, 0.004, 0.007),
    "sentbleu": (0.001, 0.001, 0.002, 0.004, 0.008),
    "chrf": (0.001, 0.002, 0.006, 0.013, 0.036),
    "chrf-original": (0.001, 0.003, 0.006, 0.016, 0.039),
    "ter": (0.0, 0.001, 0.001, 0.001, 0.002),
    "hter": (0.0, 0.001, 0.001, 0.001, 0.002),
    "moses-ter": (0.022, 0.118, 0.527, 1.622),
    "terp": (0.038, 0.035, 0.132, 5.476),
    "wer": (0.001, 0.001, 0.002, 0.006, 0.018),
    "cder": (0.003, 0.009, 0.032, 0.127, 0.51),
    "per": (0.001, 0.001, 0.001, 0.002, 0.003),
    "eed": (0.086, 0.346, 1.364),
    "character": (0.23, 1.947),
    "lebleu": (0.008, 0.01, 0.012, 0.015, 0.02),
    "meteor": (0.007, 0.018, 0.056, 0.21, 0.855),
    "meteor-lecture": (0.006, 0.016, 0.055, 0.205, 0.777),
    "m-bleu": (0.008, 0.02, 0.065, 0.232, 0.819),
    "m-ter": (0.008, 0.02, 0.064, 0.23, 0.808),
    "meteor++": (0.007, 0.018, 0.056, 0.208, 0.779),
    "meteor-wsd": (0.007, 0.017, 0.056, 0.207, 0.782),
    "bleu-nrc": (0.001, 0.001, 0.002, 0.004, 0.008),
    "tbleu": (0.002, 0.005, 0.031, 0.159),
    "amber": (0.005, 0.016, 0.069, 0.535),
    "apac": (0.04, 0.204, 0.979, 5.348),
    "gtm": (0.003, 0.012, 0.056, 0.408),
    "bs": (0.001, 0.002, 0.003, 0.005, 0.01),
    "total-bs": (0.001, 0.002, 0.004, 0.007, 0.013),
    "inv-wer": (0.482, 0.436, 0.022, 0.085),
    "prep": (0.001, 0.001, 0.002, 0.003, 0.007),
    "hlepor": (0.001, 0.002, 0.004, 0.012, 0.039),
    "lepor": (0.001, 0.002, 0.004, 0.012, 0.039),
    "nlepor": (0.001, 0.002, 0.004, 0.012, 0.04),
    "yisi-0": (0.012, 0.042, 0.209, 0.778, 2.9),
    "yisi-1": (0.008, 0.028, 0.111, 0.434, 1.693),
    "yisi-2": (0.169, 0.176, 0.182, 0.191, 0.217),
    "wmdo": (0.019, 0.158, 0.311),
    "bertscore": (0.183, 0.198, 0.213, 0.24, 0.295),
    "bertr": (0.023, 0.03, 0.044, 0.07, 0.126),
    "cosine": (0.012, 0.018, 0.031, 0.059, 0.114),
    "cosine-source": (0.006, 0.009, 0.015, 0.028, 0.057),
    "comet": (0.365, 0.346, 0.355, 0.381, 0.452),
    "esim": (0.071, 0.079, 0.09, 0.117, 0.174),
    "neural": (0.043, 0.056, 0.093, 0.219, 0.728),
    "rouge-1": (0.0, 0.0, 0.001, 0.001, 0.002),
    "rouge-2": (0.0, 0.001, 0.001, 0.002, 0.003),
    "rouge-l": (0.0, 0.001, 0.001, 0.003, 0.01),
    "red": (0.058, 0.166, 0.51, 1.156),
    "dpmf": (),
    "verta": (0.013, 0.027, 0.13, 0.193, 0.408),
    "sp": (0.006, 0.013, 0.026, 0.056, 0.18),
    "dp": (0.022, 0.045, 0.108, 0.256, 0.431),
    "cp": (0.011, 0.023, 0.052, 0.176, 0.268),
    "sr": (0.007, 0.013, 0.028, 0.057, 0.184),
    "dr": (0.009, 0.019, 0.042, 0.15, 0.317),
    "rst": (0.01, 0.022, 0.052),
    "upf-cobalt": (),
    "uow-lstm": (0.156, 0.245),
    "length-ratio": (0.0, 0.0, 0.0, 0.001, 0.001),
    "ibm1": (0.0, 0.0, 0.0, 0.001, 0.001),
    "lm": (0.0, 0.0, 0.0, 0.0, 0.001),
    "lm-perplexity": (0.0, 0.0, 0.0, 0.0, 0.001),
    "beer": (0.004, 0.01, 0.026, 0.075, 0.228),
    "beer-1.1": (0.068, 0.273, 1.149),
    "combine": (0.002, 0.003, 0.007, 0.018, 0.044),
    "qe": (0.0, 0.0, 0.0, 0.0, 0.0),
}
REFUSED: Mapping[str, int] = {  # the first of the lengths that is refused as a rule
    "tbleu": 2_000,
    "amber": 2_000,
    "apac": 2_000,
    "gtm": 2_000,
    "inv-wer": 2_000,
    "wmdo": 8_000,
    "dpmf": 1_000,
    "rst": 8_000,
    "upf-cobalt": 1_000,
    "uow-lstm": 4_000,
    "beer-1.1": 2_000,
}
ENOUGH = 1.0  # seconds, after which nothing longer was tried
LEAST = 0.01  # seconds below which a doubling tells nothing
SQUARE = 2.05  # the power from which on it is called faster than the square


def power(seconds: Sequence[float]) -> float | None:
    """With which power of the length the time grows, from the first that takes a hundredth of a second to the last.

    >>> power([0.001, 0.02, 0.04, 0.32]), power([0.001, 0.002])
    (2.0, None)
    """
    enough = list(itertools.dropwhile(lambda second: second < LEAST, seconds))
    return math.log2(enough[-1] / enough[0]) / (len(enough) - 1) if len(enough) > 1 else None


def told(name: str) -> str:
    """What a card says of long segments; nothing where it was not measured, as of metrics of others.

    >>> told("cder")
    '1000 words take 0.003 s of a core, 16000 words 0.5 s'
    >>> told("upf-cobalt")
    '1000 words are refused'
    >>> told("gtm").partition("; ")[2]
    'grows with power 2.5 of the length, faster than the square'
    """
    if name not in SECONDS:
        return ""
    seconds, refused = SECONDS[name], REFUSED.get(name)
    scored = [(n, s) for n, s in zip(LENGTHS, seconds, strict=False) if refused is None or n < refused]
    pieces = [f"{n} words {_short(s)} s" for n, s in scored]
    pieces = [pieces[0].replace("words", "words take") + " of a core", *pieces[1:][-1:]] if pieces else []
    if refused is not None:
        pieces.append(f"{refused} words are refused")
    steep = power(seconds) or 0.0
    faster = f"; grows with power {plain(steep, 2)} of the length, faster than the square" if steep >= SQUARE else ""
    return ", ".join(pieces) + faster


def _short(seconds: float) -> str:
    return "less than 0.001" if seconds < 0.001 else plain(seconds, 1)
