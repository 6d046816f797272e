"""The subtree kernel over trees of discourse (Guzmán et al. 2014, Joty et al. 2014), from which DiscoTK was made.

A tree is that of Rhetorical Structure Theory, in brackets: `(Root:Joint (Nucleus:Span (EDU cats sleep)) ...)`. What two
trees have in common is the number of pieces that are in both, where a piece has all that hangs on a node or nothing.
"""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from tercet.data import Array, Batch, Texts
from tercet.errors import InputError
from tercet.formats import brackets
from tercet.formats.brackets import PhraseNode
from tercet.formats.parses import looked_up
from tercet.metric_base import Card
from tercet.metrics.parsed.overlap import BEST_REFERENCE, OverlapMetric
from tercet.spec import option

MOST_NODES = 5000  # of a tree, words among them

Form = Literal["lexical", "plain", "nuclearity", "relation", "shape"]
Production = tuple[str, ...]  # a label, and those below it


class KernelNode(NamedTuple):
    """What a node is made of, and the places of what is below it."""

    production: Production
    below: tuple[int, ...]


KernelTree = tuple[KernelNode, ...]  # those below before those above


@dataclasses.dataclass(frozen=True)
class RstKernel(OverlapMetric):
    """Pieces of trees of discourse that are in common."""

    parses: str | None = option(
        None, "file with trees of discourse in brackets, or a folder of such files; none: a text is one unit"
    )
    form: Form = option(
        "lexical",
        "lexical: labels and words; plain: labels; nuclearity, relation: of labels what is before or behind the colon; "
        "shape: neither",
    )
    decay: float = option(1.0, "what a node counts in a piece; the less, the less large pieces count")

    name = "rst"
    card = Card(
        title="Subtree kernel over RST",
        year=2014,
        group="QCRI",
        kind="discourse",
        resources="parses",
        definition=(
            "The number of pieces that the trees of discourse of translation and reference have in common, over the "
            "geometric mean of the numbers that each has with itself (the kernel of Collins and Duffy, normalised). A "
            "piece is a node with all that hangs on it or nothing, and so on down; each counts `decay` to the number "
            "of its nodes. With words (`lexical`), each hangs on a node of its own."
        ),
        paper="Guzmán et al. 2014, *Using discourse structure improves machine translation evaluation* (DR, DR-LEX); "
        "Joty et al. 2014, *DiscoTK: using discourse structure for machine translation evaluation*",
        scale="0 to 1",
        reference="the papers' idea",
        differences=(
            "DiscoTK-light is a mean of five kernels, and DiscoTK-party of these and measures of Asiya. Which five "
            "forms of a tree these are is not known here: the ones of this metric are ours, so that no mean of them "
            "(`combine`) is DiscoTK. DiscoTK's parser of discourse is not here either.",
            "A label is `NUCLEARITY:RELATION`; one without a colon is kept in all forms but `shape`.",
            "A node without anything below it counts as a piece, so that two texts of one unit are alike.",
            "Without `parses` a text is one unit of discourse, so that words in common and equal lengths count.",
            BEST_REFERENCE,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(0 < self.decay <= 1, "decay", "above 0, at most 1")

    @property
    def is_mean(self) -> bool:
        """The score of a system is the mean of its segments."""
        return True

    def statistics(self, batch: Batch) -> Array:
        """Of the reference that is most alike, one row a segment."""
        references = batch.required_references()
        hyps, refs = (self.flat_trees(texts, batch.threads) for texts in (batch.hypotheses, references.texts))
        alone = [self.kernel(tree, tree) for tree in refs]
        rows = np.ones((len(batch), 2))
        ends = references.groups.tolist()
        for i, hyp in enumerate(hyps):
            itself = self.kernel(hyp, hyp)
            rows[i, 0] = max(
                math.exp(common - (itself + alone[k]) / 2) if (common := self.kernel(hyp, refs[k])) > -math.inf else 0.0
                for k in range(ends[i], ends[i + 1])
            )
        return rows

    def flat_trees(self, texts: Texts, threads: int) -> list[KernelTree]:
        """The tree of each text, in the form that is asked for."""
        if self.parses is None:
            units = [
                PhraseNode("EDU", tuple(PhraseNode(word.form) for word in tree)) for tree in self.linked(texts, threads)
            ]
            return [self.flattened(unit if unit.children else None) for unit in units]
        known = brackets.parses(self.parses)
        trees = [looked_up(known, text, self.parses) for text in texts]
        return [self.flattened(None if tree is None else tree.root) for tree in trees]

    def flattened(self, root: PhraseNode | None) -> KernelTree:
        """A tree with the labels that count, from below; a word hangs on a node of its own."""
        nodes: list[KernelNode] = []
        places: dict[int, int] = {}
        for node in [] if root is None else reversed(list(above_first(root))):
            if len(nodes) == MOST_NODES:
                raise InputError(
                    f"A segment has a tree of more than {MOST_NODES} nodes: too many for {self}.",
                    hint="Split it into sentences.",
                )
            if node.is_word:
                production: Production = ("", node.label.lower() if self.lowercase else node.label)
                children: list[PhraseNode] = []
            else:
                children = [child for child in node.children if self.form == "lexical" or not child.is_word]
                labels = ("" if child.is_word else self.label(child) for child in children)
                production = (self.label(node), *labels)
            if not node.is_word or self.form == "lexical":
                places[id(node)] = len(nodes)
                nodes.append(KernelNode(production, tuple(places[id(child)] for child in children)))
        return tuple(nodes)

    def label(self, node: PhraseNode) -> str:
        """Of a label what counts in this form."""
        before, colon, behind = node.label.partition(":")
        if self.form in ("nuclearity", "relation") and colon:
            return before if self.form == "nuclearity" else behind
        return "*" if self.form == "shape" else node.label

    def kernel(self, one: KernelTree, other: KernelTree) -> float:
        """The logarithm of what the pieces in common count together; -inf for none."""
        alike: dict[Production, list[int]] = defaultdict(list)
        for place, node in enumerate(other):
            alike[node.production].append(place)
        pieces: dict[tuple[int, int], float] = {}  # that begin at two nodes with something below, as logarithms
        ends = 0  # pairs of nodes with nothing below
        node_counts = math.log(self.decay)
        for i, node in enumerate(one):
            if not node.below:
                ends += len(alike.get(node.production, ()))
                continue
            for k in alike.get(node.production, ()):
                total = node_counts
                for pair in zip(node.below, other[k].below, strict=True):
                    if not one[pair[0]].below and one[pair[0]].production == other[pair[1]].production:
                        total += math.log1p(self.decay)
                    elif pair in pieces:
                        total += log_of_more(pieces[pair])
                pieces[i, k] = total
        logs = [*pieces.values(), *([math.log(ends) + node_counts] if ends else [])]
        most = max(logs, default=-math.inf)
        return most + math.log(math.fsum(math.exp(x - most) for x in logs)) if logs else most


def log_of_more(logarithm: float) -> float:
    """The logarithm of a number and 1, from that of the number.

    >>> log_of_more(0.0) == math.log(2), log_of_more(1000.0)
    (True, 1000.0)
    """
    return math.log1p(math.exp(logarithm)) if logarithm < 100 else logarithm


def above_first(root: PhraseNode) -> Iterator[PhraseNode]:
    """All nodes, each before what is below it."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children
