"""Commands for fingers that know sacreBLEU: its spellings work, or get a sentence with the spelling here.

Without this a parser would read `-tok intl` as `-t ok intl`.
"""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Collection, Sequence

from tercet.errors import InputError

_VALUE = "{value}"
_OF_METRICS = {  # options of metrics, and how they are said here: of a value, or of none
    "-tok": ("bleu", "tokenize", _VALUE),
    "--tokenize": ("bleu", "tokenize", _VALUE),
    "-lc": ("bleu", "lowercase", "true"),
    "--lowercase": ("bleu", "lowercase", "true"),
    "--smooth-method": ("bleu", "smooth", _VALUE),
    "-sv": ("bleu", "smooth_value", _VALUE),
    "--smooth-value": ("bleu", "smooth_value", _VALUE),
    "-cc": ("chrf", "char_order", _VALUE),
    "--chrf-char-order": ("chrf", "char_order", _VALUE),
    "-cw": ("chrf", "word_order", _VALUE),
    "--chrf-word-order": ("chrf", "word_order", _VALUE),
    "--chrf-beta": ("chrf", "beta", _VALUE),
    "--chrf-whitespace": ("chrf", "whitespace", "true"),
    "--chrf-lowercase": ("chrf", "lowercase", "true"),
    "--chrf-eps-smoothing": ("chrf", "eps_smoothing", "true"),
    "--ter-normalized": ("ter", "normalized", "true"),
    "--ter-no-punct": ("ter", "no_punct", "true"),
    "--ter-asian-support": ("ter", "asian_support", "true"),
    "--ter-case-sensitive": ("ter", "case_sensitive", "true"),
}
_SWITCHES_OF_METRICS = {flag for flag, (*_, value) in _OF_METRICS.items() if value != _VALUE}
_VALUED = {  # the rest of `score`
    "-l": 'Nothing is downloaded for a language pair; its tokenizer is -m "bleu(language={target})".',
    "--language-pair": "The pair of a test set with several is --pair {value}.",
    "-nr": "Write --num-refs {value}.",
    **dict.fromkeys(("-cin", "--confidence-n"), "Write --ci --compat --samples {value}."),
    **dict.fromkeys(("-pbsn", "--paired-bs-n"), "Write --paired bootstrap --compat --samples {value}."),
    **dict.fromkeys(("-parn", "--paired-ar-n"), "Write --paired randomization --compat --trials {value}."),
    **dict.fromkeys(("-j", "--paired-jobs"), "Write --threads {value}."),
    **dict.fromkeys(
        ("-ol", "--origlang", "--subset"),
        "Cut the files first; tercet compare --facet COLUMN shows parts of a test set.",
    ),
    "-e": "Texts are UTF-8 here: leave it out, or convert the files with iconv.",
    "--encoding": "Texts are UTF-8 here: leave it out, or convert the files with iconv.",
}
_PLAIN = {
    "-sl": 'Write --level segment -m "bleu(effective_order=true)".',
    "--sentence-level": 'Write --level segment -m "bleu(effective_order=true)".',
    "-ci": "Write --ci, and --compat for sacreBLEU's mean and half width.",
    "--confidence": "Write --ci, and --compat for sacreBLEU's mean and half width.",
    **dict.fromkeys(("-pbs", "--paired-bs"), "Write --paired bootstrap, and --compat for sacreBLEU's p-values."),
    **dict.fromkeys(("-par", "--paired-ar"), "Write --paired randomization, and --compat for sacreBLEU's p-values."),
    **dict.fromkeys(("--download", "--echo", "--list"), "Nothing is downloaded: give the files."),
    **dict.fromkeys(("--citation", "--cite"), "tercet show bleu names the paper of BLEU, and so of every metric."),
    **dict.fromkeys(("-V", "--version"), "Write tercet --version."),
}
_IDLE = ("--force", "--quiet", "-q", "--short", "-sh", "--detail", "-d", "-nc", "--no-color")  # nothing to do here
_SMOOTHINGS = ("none", "floor", "add-k", "exp")
_METRIC, _REFERENCE, _INPUT = ("-m", "--metric", "--metrics"), ("-r", "--reference"), ("-i", "--input")
_SAME = {"--width": "--digits", "--test-set": "--testset"}  # long names of what is here, too

Groups = list[tuple[str, list[str]]]  # flags, each with the words behind it; those that stand alone behind ""


def translated(words: Sequence[str], alone: Collection[str] = ()) -> list[str]:
    """The words of a command line as `tercet score` takes them; flags that are `alone` take no word.

    >>> translated(["ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu", "chrf"])
    ['a.txt', 'b.txt', '-r', 'ref.txt', '-m', 'bleu', '-m', 'chrf']
    >>> translated(["a.txt", "-r", "ref.txt", "ref2.txt"])
    ['a.txt', '-r', 'ref.txt', '-r', 'ref2.txt']
    >>> translated(["a.txt", "-r", "ref.txt", "-m", "bleu", "-lc", "-tok", "intl", "-q"])
    ['a.txt', '-r', 'ref.txt', '-m', 'bleu(lowercase=true, tokenize=intl)']
    """
    groups = _groups(words, {*alone, *_PLAIN, *_IDLE, *_SWITCHES_OF_METRICS})
    groups = _with_options_of_metrics([(flag, values) for flag, values in groups if flag not in _IDLE])
    _refuse(groups)
    inputs = [word for flag, values in groups if flag in _INPUT for word in values]
    if inputs:  # then files that stand alone are references
        alone_words = [word for flag, values in groups if not flag for word in values]
        others = [group for group in groups if group[0] not in ("", *_INPUT)]
        if alone_words and any(flag in _REFERENCE for flag, _ in others):
            raise InputError(
                f"{alone_words[0]} stands alone beside -i and -r: is it a translation or a reference?",
                hint="Put translations behind -i, and references behind -r.",
            )
        groups = [("", inputs), *([("-r", alone_words)] if alone_words else []), *others]
    return _words(groups)


def several(words: Sequence[str], alone: Collection[str] = ()) -> list[str]:
    """The words of any command that takes metrics and references: several may stand behind one flag.

    >>> several(["a.txt", "b.txt", "-r", "ref.txt", "-m", "bleu", "chrf"])
    ['a.txt', 'b.txt', '-r', 'ref.txt', '-m', 'bleu', '-m', 'chrf']
    """
    return _words(_with_options_of_metrics(_groups(words, {*alone, *_SWITCHES_OF_METRICS})))


def _groups(words: Sequence[str], alone: Collection[str]) -> Groups:
    groups: Groups = []
    for i, word in enumerate(words):
        if word == "--":  # what follows is files, whatever it looks like
            return [*groups, ("", list(words[i:]))]
        if word.startswith("-") and word != "-" and not word[1:2].isdigit():
            flag, equals, value = word.partition("=")
            groups.append((word, []) if equals and flag in alone else (flag, [value] if equals else []))
        elif groups and _takes_more(*groups[-1], alone):
            groups[-1][1].append(word)
        else:
            groups.append(("", [word]))
    return groups


def _takes_more(flag: str, values: list[str], alone: Collection[str]) -> bool:
    return flag in ("", *_METRIC, *_REFERENCE, *_INPUT) or (not values and flag.partition("=")[0] not in alone)


def _with_options_of_metrics(groups: Groups) -> Groups:
    """Options that belong to a metric here in the spec of that metric; where it is not asked for, they are refused."""
    specs: dict[str, dict[str, str]] = {}
    flags, others = [], []
    for flag, values in groups:
        name, value = flag.partition("=")[0], values[0] if values else "..."
        if name in _OF_METRICS:
            metric, option, form = _OF_METRICS[name]
        elif flag == "-s" and _is_smoothing(values):
            metric, option, form = _OF_METRICS["--smooth-method"]
            name = f"-s {value}"
        else:
            others.append((flag, values))
            continue
        flags.append(name)
        specs.setdefault(metric, {})[option] = form.format(value=value)
    if "smooth_value" in specs.get("bleu", {}) and "smooth" not in specs["bleu"]:
        specs["bleu"] = {"smooth": "floor"} | specs["bleu"]  # one of the two ways that have a value
    written = {m: f"{m}({', '.join(f'{o}={v}' for o, v in options.items())})" for m, options in specs.items()}
    asked = {word for flag, values in others if flag in _METRIC for word in values}
    if written.keys() <= asked and not any("=..." in spec for spec in written.values()):
        return [(f, [written.get(w, w) for w in words] if f in _METRIC else words) for f, words in others]
    what = "It is an option" if len(flags) == 1 else "They are options"
    of = "the metric" if len(specs) == 1 else "metrics"
    source = " -s is the source file." if any(flag.startswith("-s ") for flag in flags) else ""
    missing = [metric for metric in written if metric not in asked]
    unasked = f" {' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not asked for." if asked else ""
    specs_said = " ".join(f'-m "{spec}"' for spec in written.values())
    raise _refused(" and ".join(flags), f"{what} of {of} here: {specs_said}.{unasked}{source}", len(flags))


def _is_smoothing(values: Sequence[str]) -> bool:
    return bool(values) and values[0] in _SMOOTHINGS and not pathlib.Path(values[0]).exists()


def _refuse(groups: Groups) -> None:
    for flag, values in groups:
        value = values[0] if values else "..."
        if flag in _VALUED:
            raise _refused(flag, _VALUED[flag].format(value=value, target=value.rpartition("-")[2]))
        if flag.partition("=")[0] in _PLAIN:
            raise _refused(flag, _PLAIN[flag.partition("=")[0]])
        _look_at_short(flag, values)


def _words(groups: Groups) -> list[str]:
    """Flags with one word each, as the parser takes them."""
    stray = [word for flag, values in groups if flag in _METRIC for word in values[1:] if not _is_metric(word)]
    placed = bool(stray) or any(not flag for flag, _ in groups)
    out: list[str] = []
    for flag, values in groups:
        name = _SAME.get(flag, flag)
        if flag in _METRIC:
            out += [*_each("-m", [word for i, word in enumerate(values) if i == 0 or _is_metric(word)])]
        elif flag in _REFERENCE and len(values) > 1:
            out += _each(name, values) if placed or _piped() else [name, *values]  # translations are somewhere
        else:
            out += [*([name] if name else []), *(["table"] if (flag, values) == ("-f", ["text"]) else values)]
    return [*out, *stray]


def _each(flag: str, values: Sequence[str]) -> list[str]:
    return [word for value in values for word in (flag, value)] if values else [flag]


def _look_at_short(flag: str, values: Sequence[str]) -> None:
    """Refuse what sacreBLEU means by a short flag that means something else here."""
    if not values or pathlib.Path(values[0]).exists():
        return
    if flag in ("-t", "--testset") and "." not in values[0]:
        raise _refused(
            f"{flag} {values[0]}", "Nothing is downloaded: -t is a file or folder of yours. See tercet score -h."
        )


def _piped() -> bool:
    """Whether something comes by a pipe; where nothing is written to it yet, this waits for it as reading would."""
    peek = None if sys.stdin is None or sys.stdin.isatty() else getattr(sys.stdin.buffer, "peek", None)
    return peek is not None and bool(peek(1))


def _is_metric(word: str) -> bool:
    """Whether a word behind a metric is another one, be it misspelt, and no file."""
    from tercet.metrics import METRICS

    name, bracket, _ = word.partition("(")
    registered = name.rpartition("=")[2] in {*METRICS, *METRICS.aliases}  # be it named, as in bleu-13a=bleu
    known = bool(bracket) or registered or not {".", "/", "="} & {*name}
    return known and word != "-" and not os.path.exists(word)


def _refused(flags: str, spelling: str, count: int = 1) -> InputError:
    spelt = "is sacreBLEU's spelling" if count == 1 else "are sacreBLEU's spellings"
    return InputError(f"{flags} {spelt}.", hint=spelling)
