"""Named lists of features, for the resources that there are.

baseline17   the seventeen of the shared tasks, in the order of the program's file; punctuation is counted, as in WMT12
quest17      the same with punctuation as QuEst++ computes it, which is not its number
surface      what needs no resource
full         both, and a language model, a table of words and frequencies in more forms

Similarities by an encoder join whatever is named, where one is given.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tercet.errors import InputError
from tercet.metrics import METRICS
from tercet.quality.features import FEATURES
from tercet.quality.features.base import Feature
from tercet.quality.features.surface import MetricFeature
from tercet.spec import read, write

SETS: tuple[str, ...] = ("baseline17", "quest17", "surface", "full")


@dataclasses.dataclass(frozen=True)
class FeatureFiles:
    """Files that features read; None: there is none."""

    source_lm: str | None = None
    target_lm: str | None = None
    lexicon: str | None = None  # p(target word | source word)
    frequencies: str | None = None  # of source n-grams
    encoder: str | None = None  # that knows both languages
    tokenize: str = "13a"
    lowercase: bool = True

    def require_all(self) -> None:
        """Refuse to make the baseline's features of some resources only."""
        names = ("source_lm", "target_lm", "lexicon", "frequencies")
        missing = [name for name in names if getattr(self, name) is None]
        if missing:
            flags = ", ".join(f"--{name.replace('_', '-')}" for name in missing)
            raise InputError(
                f"The seventeen features of the baseline need {flags}.",
                hint="Give a parallel corpus with --source-corpus and --target-corpus, or take --features surface.",
            )


def baseline17(resources: FeatureFiles, punctuation: str = "count") -> list[str]:
    """The seventeen, in the order of the program."""
    resources.require_all()
    table, frequencies = resources.lexicon, resources.frequencies
    return [
        "tokens(side=source)",
        "tokens(side=target)",
        "token-length",
        write("lm-probability", {"model": resources.source_lm, "side": "source"}),
        write("lm-probability", {"model": resources.target_lm}),
        "repetition",
        write("word-translations", {"table": table}),
        write("word-translations", {"table": table, "above": 0.01, "frequencies": frequencies}),
        *(
            write("frequency-quartile", {"frequencies": frequencies, "n": n, "quartile": quartile})
            for n in (1, 2, 3)
            for quartile in (1, 4)
        ),
        write("known-words", {"frequencies": frequencies}),
        *(write("punctuation", {"side": side, "form": punctuation}) for side in ("source", "target")),
    ]


SURFACE = (
    "tokens(side=source)",
    "tokens(side=target)",
    "token-length(side=source)",
    "token-length(side=target)",
    "token-ratio(form=log)",
    "token-ratio(unit=characters, form=log)",
    "repetition",
    "punctuation(side=source)",
    "punctuation(side=target)",
    "number-mismatch",
    "copied-words",
    "bracket-mismatch",
)


def full(resources: FeatureFiles) -> Iterator[str]:
    """What is seen without resources, and all that the given ones allow."""
    yield from SURFACE
    for side, model in (("source", resources.source_lm), ("target", resources.target_lm)):
        if model:
            for form in ("sentence", "word"):
                yield write("lm-probability", {"model": model, "side": side, "form": form})
    if resources.lexicon:
        yield write("word-translations", {"table": resources.lexicon})
        yield _ibm1(resources)
    if resources.frequencies:
        if resources.lexicon:
            given = {"table": resources.lexicon, "above": 0.01, "frequencies": resources.frequencies}
            yield write("word-translations", given)
        for n in (1, 2, 3):
            for quartile in (1, 4):
                yield write("frequency-quartile", {"frequencies": resources.frequencies, "n": n, "quartile": quartile})
        yield write("known-words", {"frequencies": resources.frequencies})


def similarities(resources: FeatureFiles) -> Iterator[str]:
    """How near an encoder of both languages finds source and translation: as texts, and token by token."""
    if resources.encoder is not None:
        for metric in ("cosine-source", "yisi-2"):
            yield write("metric", {"metric": write(metric, {"model": resources.encoder})})


def _ibm1(resources: FeatureFiles) -> str:
    given = {"table": resources.lexicon, "tokenize": resources.tokenize, "lowercase": resources.lowercase}
    return write("metric", {"metric": write("ibm1", given)})


def made_features(names: Sequence[str], resources: FeatureFiles) -> tuple[Feature, ...]:
    """Features by name: sets, or specs of features; each once."""
    specs: list[str] = []
    for name in names:
        if name == "baseline17":
            specs += baseline17(resources)
        elif name == "quest17":
            specs += baseline17(resources, "program")
        elif name == "surface":
            specs += SURFACE
        elif name == "full":
            specs += full(resources)
        else:
            specs.append(name)
    specs += similarities(resources)
    features = dict.fromkeys(FEATURES.make(spec) for spec in specs)
    if not features:
        raise InputError("There is no feature.", hint="Take --features surface, or name some: see tercet list.")
    return tuple(features)


def feature_name(spec: str) -> str:
    """A feature for a reader: without the files that it reads.

    >>> feature_name("frequency-quartile(frequencies=model/frequencies.gz, n=2, quartile=4)")
    'frequency-quartile(n=2, quartile=4)'
    >>> feature_name("metric(metric=ibm1(table=model/lexicon.gz, direction=inverse))"), feature_name("metric")
    ('ibm1(direction=inverse)', 'length-ratio')
    """
    name, given = read(spec)
    if name != MetricFeature.name:
        return _without_files(name, given, FEATURES.load(name).files)
    metric, options = read(given.get("metric", MetricFeature.metric))
    return _without_files(metric, options, METRICS.load(metric).files)


def _without_files(name: str, given: Mapping[str, Any], files: Sequence[str]) -> str:
    return write(name, {option: value for option, value in given.items() if option not in files})
