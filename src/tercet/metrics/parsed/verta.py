"""A relative of VERTa (Comelles and Atserias 2014): words, their classes, dependencies, n-grams in common, weighed."""

from __future__ import annotations

import dataclasses
import itertools
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from tercet.data import Array, Batch, Explanation, Ints
from tercet.formats.conllu import Tree
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.meteor import resources
from tercet.metrics.parsed.base import CHAINS, SEVERAL, ParsedMetric, averaged, f_of
from tercet.spec import option

MODULES = ("lexical", "morphological", "dependency", "ngrams")
_WEIGHT = (0.0, 3.0, 0.05)

Keys = Callable[["Item"], Sequence[Hashable]]
Level = tuple[Keys, float]  # of what one thing must be the same, and what that counts
Pair = tuple[int, int]  # places in hypothesis and reference


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
    ngrams: float = option(0.0, "weight of n-grams over the words that lexical matches pair", tunable=_WEIGHT)
    order: int = option(2, "words of the longest n-grams, which begin with two")
    synonym: float = option(
        0.0, "what a synonym counts; 0: none are looked up", tunable=(0.0, 1.0, 0.05), recounts=True
    )
    wordnet: str | None = option(None, "folder with WordNet's files, for synonyms; none: METEOR's own")
    resources: str | None = option(None, "folder or jar with METEOR's files; none: those of the extra `meteor`")

    name = "verta"
    files: ClassVar[tuple[str, ...]] = ("parses", "wordnet", "resources")
    card = Card(
        title="VERTa-like",
        year=2014,
        group="Barcelona",
        kind="dependencies",
        resources="parses",
        definition=(
            "The weighted mean of up to four F-scores: of words, of words with their parts of speech, of dependencies "
            "(relation, head and dependent, by lemma) and of n-grams over the words that the first has matched. Words "
            "with the same lemma, synonyms and dependencies that agree in all but one part count in part; what agrees "
            "best is matched first, and each word once in a module."
        ),
        paper="Comelles and Atserias 2014, *VERTa participation in the WMT14 metrics task*; 2015, *VERTa: a linguistic "
        "approach to automatic machine translation evaluation*",
        scale="0 to 100",
        reference="the papers' description",
        differences=(
            "VERTa's hypernyms, parts of lemmas, named entities, times and language model are not here; `combine` adds "
            "other metrics to it.",
            "The weights are equal, as in VERTa-EQ, which has n-grams and synonyms, too (`ngrams=1, synonym=0.8`). "
            "Those of VERTa-W and of VERTa-70Adeq30Flu's two settings are not in the papers of the task; `tercet tune` "
            "finds some.",
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
        for name in ("lemma", "partial", "alpha", "synonym"):
            self.require(0 <= getattr(self, name) <= 1, name, "from 0 to 1")
        self.require(2 <= self.order <= 9, "order", "from 2 to 9")
        for name in ("wordnet", "resources"):
            path = getattr(self, name)
            self.require(path is None or os.path.exists(path), name, "a file or folder that is there")

    @property
    def weights(self) -> tuple[float, ...]:
        return self.lexical, self.morphological, self.dependency, self.ngrams

    def all_compared(self, hyps: Sequence[Tree], refs: Sequence[Tree], groups: Ints, threads: int) -> Array:
        """The statistics of every reference; synonyms are read before the first."""
        if self.synonym:
            resources.synonyms(self.wordnet, self.resources)
        return super().all_compared(hyps, refs, groups, threads)

    def levels(self) -> dict[str, Sequence[Level]]:
        """What the modules match, best first."""

        def marks(item: Item) -> Hashable:
            return (item.pos, item.features) if self.features else item.pos

        lexical: list[Level] = [(lambda i: [i.form], 1.0), (lambda i: [i.lemma], self.lemma)]
        marked: list[Level] = [(lambda i: [(i.form, marks(i))], 1.0), (lambda i: [(i.lemma, marks(i))], self.lemma)]
        if self.synonym:
            senses = resources.synonyms(self.wordnet, self.resources).ids
            lexical.append((lambda i: senses(i.form), self.synonym))
            marked.append((lambda i: [(sense, marks(i)) for sense in senses(i.form)], self.synonym))
        return {
            "lexical": lexical,
            "morphological": marked,
            "dependency": [
                (lambda i: [(i.lemma, i.head, i.relation)], 1.0),
                (lambda i: [(i.lemma, i.head)], self.partial),
                (lambda i: [(i.lemma, i.relation)], self.partial),
                (lambda i: [(i.head, i.relation)], self.partial),
            ],
        }

    def compared(self, hypothesis: Tree, reference: Tree) -> list[float]:
        """Weight in common and lengths, of each module."""
        hyp, ref = items(hypothesis), items(reference)
        levels = self.levels()
        matches = {module: matched(hyp, ref, levels[module]) for module in levels}
        row: list[float] = []
        for module, pairs in matches.items():
            common = sum(weight * len(some) for some, (_, weight) in zip(pairs, levels[module], strict=True))
            row += [common, float(len(hypothesis)), float(len(reference))]
        readings = [f"\0{place}" for place in range(len(hyp))]  # what matches no word matches no n-gram
        for place, other in itertools.chain(*matches["lexical"]):
            readings[place] = ref[other].form
        grams = [self.grams(words) for words in (readings, [item.form for item in ref])]
        return [*row, *map(float, ((grams[0] & grams[1]).total(), grams[0].total(), grams[1].total()))]

    def grams(self, words: Sequence[str]) -> Counter[tuple[str, ...]]:
        """All n-grams of a text, of two words or more."""
        return Counter(tuple(words[i : i + n]) for n in range(2, self.order + 1) for i in range(len(words) - n + 1))

    def statistic_names(self) -> tuple[str, ...]:
        columns = ("in common", "words of the hypothesis", "words of the reference")
        return tuple(f"{module}: {what}" for module in MODULES for what in columns)

    def score(self, stats: Array) -> Array:
        """The weighted mean of the modules."""
        return self.weighed(stats, self.alpha, self.weights)

    def even(self, stats: Array) -> Array:
        return self.weighed(stats, 0.5, (1.0, 1.0, 1.0, float(self.ngrams > 0)))

    def weighed(self, stats: Array, alpha: float, weights: Sequence[float]) -> Array:
        """The mean of F-scores with these weights; NaN where both texts are empty."""
        starts = range(0, 3 * len(MODULES), 3)
        fs = [f_of(stats[..., i : i + 3], alpha) for i in starts]
        return 100 * averaged(fs, weights, [stats[..., i + 1] + stats[..., i + 2] for i in starts])

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The F-scores of the modules, in percent, and their mean."""
        if not np.isfinite(plain.score):
            return plain
        parts = []
        for (module, weight), counts in zip(zip(MODULES, self.weights, strict=True), row.reshape(-1, 3), strict=True):
            f = explained.given(module, 100 * float(f_of(counts, self.alpha)))
            if weight and counts[1:].any():
                parts.append(explained.weighted(f, weight))
        mean = explained.made("score", "mean", parts)
        return dataclasses.replace(plain, formula=dataclasses.replace(mean, value=plain.score))


def items(tree: Tree) -> list[Item]:
    """The words of a tree with what modules ask for."""
    return [
        Item(w.form, w.lemma, w.pos, w.features, w.relation, tree[w.head].lemma if w.head >= 0 else "") for w in tree
    ]


def matched(hypothesis: Sequence[Item], reference: Sequence[Item], levels: Sequence[Level]) -> list[list[Pair]]:
    """Pairs of words, level by level: what is matched on one is not matched on the next; the first ones first."""
    left = set(range(len(hypothesis)))
    free = set(range(len(reference)))
    out: list[list[Pair]] = []
    for keys, _ in levels:
        places: dict[Hashable, list[int]] = defaultdict(list)
        for place in sorted(free, reverse=True):
            for key in keys(reference[place]):
                places[key].append(place)
        pairs: list[Pair] = []
        for place in sorted(left):
            choices = [_first(places[key], free) for key in keys(hypothesis[place]) if key in places]
            best = min(choices, default=len(reference))
            if best < len(reference):
                free.discard(best)
                pairs.append((place, best))
        left.difference_update(place for place, _ in pairs)
        out.append(pairs)
    return out


def _first(places: list[int], free: set[int]) -> int:
    """The first place that is still free, those that are not being dropped; beyond all where none is."""
    while places and places[-1] not in free:
        places.pop()
    return places[-1] if places else sys.maxsize
