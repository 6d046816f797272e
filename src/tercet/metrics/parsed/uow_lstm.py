"""UoW-LSTM (Gupta et al. 2015), published as ReVal: a Tree-LSTM over dependency trees, trained on judgements."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from tercet import numbers
from tercet.data import Array, Batch, Explanation, Ints
from tercet.data.explanation import Factor
from tercet.errors import InputError
from tercet.formats.conllu import Tree
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained, models
from tercet.metrics.neural.vectors import vector_file
from tercet.metrics.parsed.base import CHAINS, PARSES, SEVERAL, ParsedMetric
from tercet.metrics.parsed.tree_lstm import TreeNetwork, untrained
from tercet.spec import option

KIND = "uow-lstm"
_DIMENSION = 50  # of vectors, where neither a model nor a file says it
_REACH = 0.05  # of a number in the vector of a word that has none
MOST_WORDS = 2000  # of a segment


def word_vectors(words: Sequence[str], path: str | None, dimension: int) -> Array:
    """Vectors of words as they are written; one that the file lacks has numbers drawn from its letters alone."""
    table = np.zeros((len(words), dimension))
    known = None if path is None else vector_file(path).read(list(dict.fromkeys(words)))
    if known is not None and known.dimension != dimension:
        raise InputError(
            f"{path} has vectors of {known.dimension} numbers, and the model takes {dimension}.",
            hint="Name the file that it was trained with.",
        )
    for place, word in enumerate(words):
        vector = None if known is None else known.of(word)
        drawn = np.random.default_rng([ord(letter) for letter in word])
        table[place] = drawn.uniform(-_REACH, _REACH, dimension) if vector is None else vector
    return table


@dataclasses.dataclass(frozen=True)
class UowLstm(ParsedMetric, MeanMetric):
    """Statistics: [score, 1], of the best reference; [0, 0] where there is nothing to read."""

    parses: str | None = option(None, PARSES)
    lowercase: bool = option(False, "compare words without case")
    vectors: str | None = option(None, "file with word vectors, .vec or .vec.gz; none: drawn from each word's letters")
    model: str | None = option(None, "file that tercet train uow-lstm wrote; none: an untrained one, for trying out")

    name = KIND
    files: ClassVar[tuple[str, ...]] = ("parses", "vectors", "model")
    digits = 4
    card = Card(
        title="UoW-LSTM",
        year=2015,
        group="University of Wolverhampton",
        kind="trained",
        resources="parses, word vectors, model",
        definition=(
            "A child-sum Tree-LSTM reads the dependency trees of translation and reference, from the leaves to the "
            "root, over fixed vectors of words. Product and difference of the two states at the roots lead through a "
            "layer of 50 to the probability of each grade from 1 to 5, and the score is the expected grade, from 0 to "
            "1. `tercet train uow-lstm` learns the weights from people's scores. A system's score is the mean of its "
            "segments."
        ),
        paper="Gupta, Orăsan and van Genabith 2015, *ReVal: a simple and effective machine translation evaluation "
        "metric based on recurrent neural networks*; *Machine translation evaluation using recurrent neural networks*",
        scale="0 to 1",
        reference="the network and its training as the description of rohitguptacs/ReVal has them",
        differences=(
            "Its own weights, over GloVe's 840B vectors and Stanford's parser, are not here, and no printed figure was "
            "tried: a model is what you train.",
            "A word without a vector has one that is drawn from its letters, as there, by another generator. Vectors "
            "are scaled to length 1 when a file is read.",
            "Without a model the weights are random, and the last layers ask how far apart the roots are: good for "
            "nothing but trying it out.",
            "A segment without a word on one side has no score.",
            CHAINS,
            SEVERAL,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("vectors", "model"):
            path = getattr(self, name)
            self.require(path is None or os.path.exists(path), name, "a file that is there")

    @property
    def network(self) -> TreeNetwork:
        """The trained network, or an untrained one."""
        if self.model is None:
            return untrained(_DIMENSION if self.vectors is None else vector_file(self.vectors).read([]).dimension)
        content = models.read(self.model, signed=True)
        if content.get("kind") != KIND:
            raise InputError(f"{self.model} is no model of {KIND}.", hint=f"Train one with tercet train {KIND}.")
        return TreeNetwork.from_fields(models.Fields(self.model, content), self.model)

    def all_compared(self, hyps: Sequence[Tree], refs: Sequence[Tree], groups: Ints, threads: int) -> Array:
        """The score of every reference with the hypothesis of its segment; each different tree is read once."""
        network, roots = self.network, {}
        for tree in dict.fromkeys((*hyps, *refs)):
            if len(tree) > MOST_WORDS:
                raise InputError(
                    f"A segment has {len(tree)} words: too many for {self}, which takes {MOST_WORDS}.",
                    hint="Split it into sentences.",
                )
            if tree:
                vectors = word_vectors([word.form for word in tree], self.vectors, network.dimension)
                roots[tree] = network.read(vectors, [word.head for word in tree]).root
        rows = np.zeros((len(refs), 2))
        for i, (first, end) in enumerate(zip(groups[:-1].tolist(), groups[1:].tolist(), strict=True)):
            for k in range(first, end):
                if hyps[i] and refs[k]:
                    rows[k] = network.score(roots[hyps[i]], roots[refs[k]]), 1
        return rows

    def even(self, stats: Array) -> Array:
        return self.score(stats)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The expected grade; a trained network says no more of itself."""
        if not np.isfinite(plain.score):
            return plain
        grade: Factor = explained.given("score", plain.score, f"grade {numbers.score(1 + 4 * plain.score)} of 1 to 5")
        return dataclasses.replace(plain, formula=grade)
