"""A relative of VERTa (Comelles and Atserias 2014): words, word classes and dependencies in common, weighed."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np

from tercet.data import Array, Batch, Explanation
from tercet.formats.conllu import Tree
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.parsed.base import CHAINS, SEVERAL, ParsedMetric, averaged, f_of
from tercet.spec import option

MODULES = ("lexical", "morphological", "dependency")
_WEIGHT = (0.0, 3.0, 0.05)

Level = tuple[Callable[["Item"], Hashable], float]  # what must be the same, and what that counts


class Item(NamedTuple):
    """A word with all that a module may ask for."""

    form: str
    lemma: str
    pos: str
    features: str
    relation: str
    head: str  # its lemma; nothing for a root


@dataclasses.dataclass(frozen=True)
class Verta(ParsedMetric):
    """Statistics of each module: [weight in common, words of the hypothesis, words of the reference]."""

    lexical: float = option(1.0, "weight of words", tunable=_WEIGHT)
    morphological: float = option(1.0, "weight of words with their classes", tunable=_WEIGHT)
    dependency: float = option(1.0, "weight of dependencies", tunable=_WEIGHT)
    lemma: float = option(0.8, "what a word counts of which only the lemma, or the class and lemma, is the same")
    partial: float = option(0.7, "what a dependency counts of which all but head, word or relation is the same")
    features: bool = option(False, "whether the classes of words are their features, too, and not only parts of speech")
    alpha: float = option(0.5, "weight of precision in F", tunable=(0.05, 0.95, 0.05))

    name = "verta"
    card = Card(
        title="VERTa-like",
        year=2014,
        group="Barcelona",
        kind="dependencies",
        resources="parses",
        definition=(
            "The weighted mean of three F-scores: of words, of words with their parts of speech, and of dependencies "
            "(relation, head and dependent, by lemma). Words with the same lemma and dependencies that agree in all "
            "but one part count in part; what agrees best is matched first, and each word once in a module."
        ),
        paper="Comelles and Atserias 2014, *VERTa participation in the WMT14 metrics task*; 2015, *VERTa: a linguistic "
        "approach to automatic machine translation evaluation*",
        scale="0 to 100",
        reference="the papers' description",
        differences=(
            "VERTa's synonyms, hypernyms, word n-grams, named entities and language model are not here; `combine` adds "
            "others to it.",
            "The weights are equal, as in VERTa-EQ; those of VERTa-W are not in the papers of the task.",
            "What a partial match counts is ours.",
            CHAINS,
            SEVERAL,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for module in MODULES:
            self.require(0 <= getattr(self, module) <= 1000, module, "from 0 to 1000")
        self.require(sum(self.weights) > 0, "lexical", "above 0, unless another weight is")
        for name in ("lemma", "partial", "alpha"):
            self.require(0 <= getattr(self, name) <= 1, name, "from 0 to 1")

    @property
    def weights(self) -> tuple[float, ...]:
        return self.lexical, self.morphological, self.dependency

    def levels(self) -> dict[str, Sequence[Level]]:
        """What the modules match, best first."""

        def marks(item: Item) -> Hashable:
            return (item.pos, item.features) if self.features else item.pos

        return {
            "lexical": [(lambda i: i.form, 1.0), (lambda i: i.lemma, self.lemma)],
            "morphological": [(lambda i: (i.form, marks(i)), 1.0), (lambda i: (i.lemma, marks(i)), self.lemma)],
            "dependency": [
                (lambda i: (i.lemma, i.head, i.relation), 1.0),
                (lambda i: (i.lemma, i.head), self.partial),
                (lambda i: (i.lemma, i.relation), self.partial),
                (lambda i: (i.head, i.relation), self.partial),
            ],
        }

    def compared(self, hypothesis: Tree, reference: Tree) -> list[float]:
        """Weight in common and lengths, of each module."""
        hyp, ref = items(hypothesis), items(reference)
        row: list[float] = []
        for levels in self.levels().values():
            row += [in_common(hyp, ref, levels), float(len(hypothesis)), float(len(reference))]
        return row

    def statistic_names(self) -> tuple[str, ...]:
        columns = ("in common", "words of the hypothesis", "words of the reference")
        return tuple(f"{module}: {what}" for module in MODULES for what in columns)

    def score(self, stats: Array) -> Array:
        """The weighted mean of the modules."""
        return self.weighed(stats, self.alpha, self.weights)

    def even(self, stats: Array) -> Array:
        return self.weighed(stats, 0.5, (1.0, 1.0, 1.0))

    def weighed(self, stats: Array, alpha: float, weights: Sequence[float]) -> Array:
        """The mean of F-scores with these weights; NaN where both texts are empty."""
        fs = [f_of(stats[..., i : i + 3], alpha) for i in (0, 3, 6)]
        return 100 * averaged(fs, weights, [stats[..., 1] + stats[..., 2]] * 3)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The F-scores of the modules, in percent, and their mean."""
        if not np.isfinite(plain.score):
            return plain
        parts = [
            explained.weighted(explained.given(module, 100 * float(f_of(row[3 * i : 3 * i + 3], self.alpha))), weight)
            for i, (module, weight) in enumerate(zip(MODULES, self.weights, strict=True))
        ]
        mean = explained.made("score", "mean", parts)
        return dataclasses.replace(plain, formula=dataclasses.replace(mean, value=plain.score))


def items(tree: Tree) -> list[Item]:
    """The words of a tree with what modules ask for."""
    return [
        Item(w.form, w.lemma, w.pos, w.features, w.relation, tree[w.head].lemma if w.head >= 0 else "") for w in tree
    ]


def in_common(hypothesis: Sequence[Item], reference: Sequence[Item], levels: Sequence[Level]) -> float:
    """What two texts have in common, level by level: what is matched on one is not matched on the next."""
    hyps, refs = list(hypothesis), list(reference)
    total = 0.0
    for key, weight in levels:
        shared = Counter(map(key, hyps)) & Counter(map(key, refs))
        total += weight * shared.total()
        hyps, refs = (_rest(side, key, shared) for side in (hyps, refs))
    return total


def _rest(side: Sequence[Item], key: Callable[[Item], Hashable], taken: Counter[Hashable]) -> list[Item]:
    """The words that are left when so many of each key are taken, the first ones of each."""
    left = taken.copy()
    out = []
    for item in side:
        if left[key(item)] > 0:
            left[key(item)] -= 1
        else:
            out.append(item)
    return out
