"""What the metrics over dependency trees share: trees of texts, the reference that counts, F-scores.

A tree is found by the text of its segment, so that one file may hold the trees of every system and reference. Without
parses a text is a chain, in which each word depends on the one before it: the usual baseline of parsing.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import ClassVar

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch, Ints, Texts
from tercet.formats import conllu
from tercet.formats.conllu import Sentence, Tree, Word
from tercet.formats.parses import looked_up
from tercet.metric_base import Metric
from tercet.spec import option

PARSES = "CoNLL-U file with the trees, or a folder of such files; none: each word depends on the one before it"
CHAINS = "Without `parses` each word depends on the one before it, so that trees are no more than neighbourhoods."
SEVERAL = "Of several references the one counts that gives the segment the best score with everything weighed equally."


@dataclasses.dataclass(frozen=True)
class ParsedMetric(Metric):
    """Base of metrics over trees: give `compared`, the row of one segment and reference."""

    parses: str | None = option(None, PARSES)
    tokenize: str = option("13a", "tokenizer spec, for texts without parses")
    lowercase: bool = option(True, "compare words, lemmas among them, without case")

    files: ClassVar[tuple[str, ...]] = ("parses",)

    def __post_init__(self) -> None:
        super().__post_init__()
        text.tokenizer(self.tokenize)
        there = self.parses is None or os.path.exists(self.parses)
        self.require(there, "parses", "a file or folder that is there")

    def compared(self, hypothesis: Tree, reference: Tree) -> list[float]:
        """The statistics of a segment against one reference."""
        raise NotImplementedError

    def even(self, stats: Array) -> Array:
        """The score with everything weighed equally, by which the reference is chosen."""
        raise NotImplementedError

    def hypothesis_trees(self, batch: Batch) -> list[Tree]:
        """A tree a hypothesis."""
        return self.trees(batch.hypotheses, batch.threads)

    def statistics(self, batch: Batch) -> Array:
        """Of the reference that counts, one row a segment."""
        references = batch.required_references()
        refs, hyps = self.trees(references.texts, batch.threads), self.hypothesis_trees(batch)
        candidates = self.all_compared(hyps, refs, references.groups, batch.threads)
        worth = np.nan_to_num(self.even(candidates), nan=-1.0)
        best = [a + int(np.argmax(worth[a:b])) for a, b in itertools.pairwise(references.groups.tolist())]
        return candidates[best]

    def all_compared(self, hyps: Sequence[Tree], refs: Sequence[Tree], groups: Ints, threads: int) -> Array:
        """The statistics of every reference with the hypothesis of its segment."""
        ends = groups.tolist()
        rows = [self.compared(hyp, ref) for i, hyp in enumerate(hyps) for ref in refs[ends[i] : ends[i + 1]]]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.statistic_names()))

    def trees(self, texts: Texts, threads: int) -> list[Tree]:
        """A tree a text."""
        if self.parses is None:
            return self.linked(texts, threads)
        key = ("trees", self.parses, self.state(), self.lowercase)
        if key not in texts.memo:
            known = conllu.parses(self.parses)
            texts.memo[key] = [self.lowered(_tree(looked_up(known, line, self.parses))) for line in texts]
        trees: list[Tree] = texts.memo[key]
        return trees

    def linked(self, texts: Texts, threads: int) -> list[Tree]:
        """The words of each text, each the head of the next."""
        key = ("chains", self.tokenize, self.lowercase)
        if key not in texts.memo:
            data, offsets, rows = text.tokens(texts, text.tokenizer(self.tokenize), threads)
            words = kernels.unpack((data, offsets))
            if self.lowercase:
                words = [word.lower() for word in words]
            trees = [words[a:b] for a, b in itertools.pairwise(rows.tolist())]
            texts.memo[key] = [tuple(_link(word, i) for i, word in enumerate(tree)) for tree in trees]
        chains: list[Tree] = texts.memo[key]
        return chains

    def lowered(self, tree: Tree) -> Tree:
        """A tree without case, if case does not count."""
        if not self.lowercase:
            return tree
        return tuple(w._replace(form=w.form.lower(), lemma=w.lemma.lower()) for w in tree)


def _link(word: str, place: int) -> Word:
    return Word(word, word, "_", "_", place - 1, "dep" if place else "root")


def _tree(sentence: Sentence | None) -> Tree:
    return () if sentence is None else sentence.words


def clipped(one: Iterable[Hashable], other: Iterable[Hashable]) -> int:
    """How many things two collections have in common, each as often as both have it.

    >>> clipped("aab", "aaac")
    2
    """
    return (Counter(one) & Counter(other)).total()


def f_score(precision: Array, recall: Array, alpha: float) -> Array:
    """The harmonic mean of precision and recall, in which precision weighs alpha; 0 where one of them is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(
            (precision > 0) & (recall > 0), precision * recall / (alpha * recall + (1 - alpha) * precision), 0.0
        )


def share(part: Array, whole: Array) -> Array:
    """A quotient that is no more than 1, and 0 where there is nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.minimum(np.where(whole > 0, part / whole, 0.0), 1.0)


def averaged(values: Sequence[Array], weights: Sequence[float], there: Sequence[Array]) -> Array:
    """The weighted mean of what is there; NaN where nothing is."""
    shares = [weight * (present > 0) for weight, present in zip(weights, there, strict=True)]
    top = sum(value * part for value, part in zip(values, shares, strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean: Array = top / np.asarray(sum(shares), dtype=np.float64)
    return mean


def f_of(counts: Array, alpha: float) -> Array:
    """The F-score of [in common, of the hypothesis, of the reference]."""
    return f_score(share(counts[..., 0], counts[..., 1]), share(counts[..., 0], counts[..., 2]), alpha)


def tag_of(word: Word) -> str:
    """The tag of the language's own set, or the universal one."""
    return word.pos if word.tag in ("_", "") else word.tag
