"""IBM1 scores (Popović et al. 2011): how well source words explain the words of a translation."""

from __future__ import annotations

import dataclasses
import os
from typing import Literal

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch, Explanation
from tercet.errors import InputError
from tercet.formats import models
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.spec import option, show

_CASE: dict[bool, text.Case] = {True: "python", False: None}


@dataclasses.dataclass(frozen=True)
class Ibm1(Metric):
    """Statistics: [log10 probability of the words, their number]."""

    table: str | None = option(
        None, "file with p(word | given word), of `tercet train ibm1`; none: words translate only themselves"
    )
    direction: Literal["direct", "inverse"] = option(
        "direct",
        "direct: words of the translation given the source; inverse: words of the source given the translation",
    )
    floor: float = option(1e-7, "probability of two words that the table does not have")
    tokenize: str = option("13a", "tokenizer spec; that with which the table was trained")
    lowercase: bool = option(True, "lower-case the texts; as the table was trained")

    name = "ibm1"
    files = ("table",)
    needs = frozenset({"sources"})
    digits = 3
    card = Card(
        title="IBM1",
        year=2011,
        group="DFKI",
        kind="no reference",
        resources="table of words",
        definition=(
            "The log10 probability of the translation given its source by IBM model 1, a word: each word is explained "
            "by the mean of p(word | source word) over the source words, and the empty word if the table has it. It "
            "needs no reference."
        ),
        paper="Popović et al. 2011, *Evaluation without references: IBM1 scores as evaluation metrics*; Brown et al. "
        "1993, *The mathematics of statistical machine translation*",
        scale="0 and below, log10 a word",
        reference="none: the formula of the paper",
        differences=(
            "Divided by the number of words, so that long segments are not worse ones; the paper's is a product.",
            "The paper's variants over morphemes and tags are this metric over texts of morphemes or tags.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        text.tokenizer(self.tokenize)
        self.require(0 < self.floor <= 1, "floor", "above 0, and 1 at most")
        self.require(self.table is None or os.path.isfile(self.table), "table", "a file that is there")

    def statistics(self, batch: Batch) -> Array:
        """log10 probability and words."""
        how, lower = text.tokenizer(self.tokenize), _CASE[self.lowercase]
        source = text.tokens(batch.required_sources(), how, batch.threads, lower=lower)
        target = text.tokens(batch.hypotheses, how, batch.threads, lower=lower)
        given, words = (source, target) if self.direction == "direct" else (target, source)
        table = None if self.table is None else self._trained(self.table)
        return kernels.ibm1(given, words, table, self.floor, batch.threads)

    def _trained(self, path: str) -> kernels.Ibm1Table:
        """The table, which must have been trained on words that are cut alike."""
        trained = models.lexicon_options(path)
        for name in ("tokenize", "lowercase"):
            asked = show(getattr(self, name))
            if trained.get(name, asked) != asked:
                raise InputError(
                    f"{path} was trained with {name}={trained[name]}, and {self} has {asked}.",
                    hint=f"Give the metric {name}={trained[name]}.",
                )
        return models.lexicon(path)

    def statistic_names(self) -> tuple[str, ...]:
        return "log10 probability", "words"

    def score(self, stats: Array) -> Array:
        """log10 probability a word."""
        return a_word(stats)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        return quotient(plain, row, self.statistic_names())


def a_word(stats: Array) -> Array:
    """The first number a unit of the second; NaN for nothing."""
    with np.errstate(invalid="ignore"):
        return np.divide(stats[..., 0], stats[..., 1])


def quotient(plain: Explanation, row: Array, names: tuple[str, ...]) -> Explanation:
    """The explanation of a number a word."""
    if not row[1]:
        return plain
    parts = [explained.given(name, value) for name, value in zip(names, row.tolist(), strict=True)]
    return dataclasses.replace(plain, formula=explained.made("score", "quotient", parts))
