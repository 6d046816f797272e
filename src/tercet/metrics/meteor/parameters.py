"""METEOR's parameters and matchers for each language and task (Denkowski and Lavie 2011, 2014).

The weights of a row belong to places, not to matchers: with matchers of one's own the first is weighted by the first.
"""

from __future__ import annotations

import dataclasses
from typing import Literal, get_args

Language = Literal[
    "en", "cs", "fr", "es", "de", "ru", "pt", "da", "ro", "hu", "tr", "fi", "nl", "it", "no", "sv", "other"
]
Task = Literal["rank", "adq", "hter", "util", "li", "tune", "universal"]
Module = Literal["exact", "stem", "synonym", "paraphrase"]

LANGUAGES: tuple[str, ...] = get_args(Language)
STEMMERS = {language: {"sv": "se"}.get(language, language) for language in LANGUAGES if language not in ("cs", "other")}


@dataclasses.dataclass(frozen=True)
class Parameters:
    """alpha weighs recall, beta and gamma shape the penalty, delta weighs content words; weights of matchers."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


INDEPENDENT = Parameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5))
TUNING = Parameters(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5))
UNIVERSAL = Parameters(0.7, 1.4, 0.3, 0.7, (1.0, 0.6, 0.0, 0.0))
TABLE: dict[tuple[Task, str], Parameters] = {
    ("rank", "en"): Parameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
    ("rank", "cs"): Parameters(0.95, 0.2, 0.6, 0.8, (1.0, 0.4, 0.0, 0.0)),
    ("rank", "fr"): Parameters(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4, 0.0)),
    ("rank", "es"): Parameters(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6, 0.0)),
    ("rank", "de"): Parameters(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2, 0.0)),
    ("rank", "ru"): Parameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.0)),
    ("adq", "en"): Parameters(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
    ("hter", "en"): Parameters(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
    ("util", "en"): Parameters(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8)),
}


def parameters(language: str, task: Task) -> Parameters | None:
    """The row of the table; `rank` is `li` where a language was never tuned, and None is a task without parameters.

    >>> parameters("fi", "rank") == INDEPENDENT
    True
    """
    if task == "universal":
        return UNIVERSAL
    if task == "li" or language == "other":
        return INDEPENDENT
    if task == "tune":
        return TUNING
    return TABLE.get((task, language), INDEPENDENT if task == "rank" else None)


def early_modules(language: str) -> tuple[Module, ...]:
    """The matchers that METEOR had before there were paraphrases.

    >>> early_modules("de")
    ('exact', 'stem')
    """
    if language == "en":
        return "exact", "stem", "synonym"
    return ("exact", "stem") if language in STEMMERS else ("exact",)


def modules(language: str, task: Task) -> tuple[Module, ...]:
    """The matchers that METEOR runs unless told otherwise.

    >>> modules("de", "rank")
    ('exact', 'stem', 'paraphrase')
    """
    if task == "universal" or language == "cs":
        return "exact", "paraphrase"
    if language == "en":
        return "exact", "stem", "synonym", "paraphrase"
    if language in ("fr", "es", "de", "ru"):
        return "exact", "stem", "paraphrase"
    return ("exact",) if language == "other" else ("exact", "stem")
