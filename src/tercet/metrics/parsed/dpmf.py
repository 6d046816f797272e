"""A relative of DPMF (Yu et al. 2015): dependencies in common, times words in common."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Literal

import numpy as np

from tercet.data import Array, Batch, Explanation
from tercet.formats.conllu import Tree
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.parsed.base import CHAINS, SEVERAL, ParsedMetric, clipped, f_score, share
from tercet.spec import option

_COLUMNS = ("in common", "of the hypothesis", "of the reference")


@dataclasses.dataclass(frozen=True)
class Dpmf(ParsedMetric):
    """Statistics: [in common, of the hypothesis, of the reference], of dependencies and of words."""

    labels: bool = option(False, "whether dependencies in common must have the same relation")
    combine: Literal["product", "geometric", "mean"] = option("product", "what is made of the two F-scores")
    alpha: float = option(0.5, "weight of precision in both", tunable=(0.05, 0.95, 0.05))

    name = "dpmf"
    card = Card(
        title="DPMF-like",
        year=2015,
        group="CAS",
        kind="dependencies",
        resources="parses",
        definition=(
            "The F-score of dependencies, pairs of a word and its head, that the trees of hypothesis and reference "
            "have in common, times the F-score of their words."
        ),
        paper="Yu et al. 2015, *An automatic machine translation evaluation metric based on dependency parsing model*",
        scale="0 to 100",
        reference="the paper's idea",
        differences=(
            "DPMF trains a parser on the reference's tree, and takes the probability of the hypothesis by that parser "
            "for a measure of its syntax. Here there is no parser: dependencies in common stand for that probability.",
            "A root counts as a dependency of its word on nothing.",
            CHAINS,
            SEVERAL,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(0 <= self.alpha <= 1, "alpha", "from 0 to 1")

    def compared(self, hypothesis: Tree, reference: Tree) -> list[float]:
        """Dependencies and words in common."""
        sides = hypothesis, reference
        arcs = [list(dependencies(tree, self.labels)) for tree in sides]
        words = [[word.form for word in tree] for tree in sides]
        return [float(x) for one, other in (arcs, words) for x in (clipped(one, other), len(one), len(other))]

    def statistic_names(self) -> tuple[str, ...]:
        """Three of dependencies, three of words."""
        return tuple(f"{what} {column}" for what in ("dependencies", "words") for column in _COLUMNS)

    def score(self, stats: Array) -> Array:
        return self.combined(stats, self.alpha)

    def even(self, stats: Array) -> Array:
        """With precision and recall weighed equally."""
        return self.combined(stats, 0.5)

    def combined(self, stats: Array, alpha: float) -> Array:
        """What is made of the two F-scores; NaN where both texts are empty."""
        arcs, words = (f_of(stats[..., i : i + 3], alpha) for i in (0, 3))
        value = {"product": arcs * words, "geometric": np.sqrt(arcs * words), "mean": (arcs + words) / 2}[self.combine]
        return 100 * np.where(stats[..., 4] + stats[..., 5] > 0, value, np.nan)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        if not np.isfinite(plain.score):
            return plain
        parts = [
            explained.given(f"F of {what}", float(f_of(row[i : i + 3], self.alpha)))
            for i, what in ((0, "dependencies"), (3, "words"))
        ]
        rule = explained.given("score", plain.score, f"100 times their {self.combine}")
        return dataclasses.replace(plain, formula=dataclasses.replace(rule, operation="rule", parts=tuple(parts)))


def f_of(counts: Array, alpha: float) -> Array:
    """The F-score of [in common, of the hypothesis, of the reference]."""
    return f_score(share(counts[..., 0], counts[..., 1]), share(counts[..., 0], counts[..., 2]), alpha)


def dependencies(tree: Tree, labels: bool) -> Iterator[tuple[str, str, str]]:
    """Word, head and perhaps relation; the head of a root is nothing."""
    for word in tree:
        yield word.form, tree[word.head].form if word.head >= 0 else "", word.relation if labels else ""
