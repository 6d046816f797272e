"""DPMF (Yu et al. 2015): a parser that was trained on the reference's tree, and how likely it finds the hypothesis."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.data import Array, Batch, Explanation, Ints
from tercet.errors import InputError
from tercet.formats.conllu import Tree
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.elementary import exp
from tercet.metrics.parsed.base import CHAINS, SEVERAL, ParsedMetric, clipped, f_of, tag_of
from tercet.spec import option

Short = npt.NDArray[np.int32]

MOST_WORDS = 500  # of a segment: the model looks at all pairs of them


@dataclasses.dataclass(frozen=True)
class Dpmf(ParsedMetric):
    """Statistics: log-probability and words of hypothesis and of reference; words in common."""

    penalty: float = option(0.1, "penalty on squared weights of the model: the less, the more it knows by heart")
    alpha: float = option(0.5, "weight of precision in the F-score of words", tunable=(0.05, 0.95, 0.05))

    name = "dpmf"
    card = Card(
        title="DPMF",
        year=2015,
        group="CAS",
        kind="dependencies",
        resources="parses",
        definition=(
            "A parser is trained on the tree of the reference alone: a maximum-entropy model that says of every two "
            "words whether one depends on the other, by their forms and tags, the tags around and between them and "
            "their distance. By this model the hypothesis, whose own tree does not count, gets its likeliest "
            "projective tree. The geometric mean of the probabilities of that tree's dependencies, over that of the "
            "reference itself, is the measure of its syntax; the score is that times the F-score of words."
        ),
        paper="Yu et al. 2015, *An automatic machine translation evaluation metric based on dependency parsing model*",
        scale="0 to 100",
        reference="the paper's idea, and the parser of Jiang and Liu 2010, *Dependency parsing and projection based "
        "on word-pair classification*",
        differences=(
            "Features of the pairs, the penalty of the training and how the probability is made independent of length "
            "are ours: the paper's own are not known here. They were chosen by judgements of WMT14 cs-en.",
            "Where a hypothesis is likelier than the reference itself, it counts as likely as that.",
            "The score of a system is made of sums over its segments, not the mean of theirs (`--aggregate mean`).",
            CHAINS,
            SEVERAL,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(0.001 <= self.penalty <= 1000, "penalty", "from 0.001 to 1000")
        self.require(0 <= self.alpha <= 1, "alpha", "from 0 to 1")

    def all_compared(self, hyps: Sequence[Tree], refs: Sequence[Tree], groups: Ints, threads: int) -> Array:
        """Probabilities of likeliest trees, by a model a reference, and words in common."""
        words: dict[str, int] = {}
        tags: dict[str, int] = {}
        hypotheses, references = (_numbered(side, words, tags) for side in (hyps, refs))
        heads = np.array([word.head for tree in refs for word in tree], dtype=np.int32)
        likely = kernels.tree_models(hypotheses, references, heads, groups, self.penalty, threads)
        segment = np.repeat(np.arange(len(hyps)), np.diff(groups))
        forms = [[[word.form for word in tree] for tree in side] for side in (hyps, refs)]
        common = [clipped(forms[0][i], ref) for i, ref in zip(segment, forms[1], strict=True)]
        lengths = [np.array([len(tree) for tree in side], dtype=np.float64) for side in (hyps, refs)]
        return np.column_stack([likely[:, 0], lengths[0][segment], likely[:, 1], lengths[1], common])

    def statistic_names(self) -> tuple[str, ...]:
        """Of both sides, and of both together."""
        sides = ("hypothesis", "reference")
        return (*(f"{what} of the {side}" for side in sides for what in ("log-probability", "words")), "in common")

    def score(self, stats: Array) -> Array:
        return self.combined(stats, self.alpha)

    def even(self, stats: Array) -> Array:
        """With precision and recall weighed equally."""
        return self.combined(stats, 0.5)

    def combined(self, stats: Array, alpha: float) -> Array:
        """Syntax times words; NaN where both texts are empty."""
        words = f_of(stats[..., [4, 1, 3]], alpha)
        return 100 * np.where(stats[..., 1] + stats[..., 3] > 0, syntax(stats) * words, np.nan)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        if not np.isfinite(plain.score):
            return plain
        parts = (
            explained.given("syntax", float(syntax(row)), "how likely its tree is, beside that of the reference"),
            explained.given("F of words", float(f_of(row[[4, 1, 3]], self.alpha))),
        )
        rule = explained.given("score", plain.score, "100 times their product")
        return dataclasses.replace(plain, formula=dataclasses.replace(rule, operation="rule", parts=parts))


def syntax(stats: Array) -> Array:
    """The mean probability of a dependency of the hypothesis over that of one of the reference, at most 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        hypothesis, reference = (
            np.where(stats[..., i + 1] > 0, stats[..., i] / stats[..., i + 1], 0.0) for i in (0, 2)
        )
    return exp(np.minimum(hypothesis - reference, 0.0))


def _numbered(trees: Sequence[Tree], words: dict[str, int], tags: dict[str, int]) -> tuple[Short, Short, Ints]:
    """Words, tags and where each text begins, by numbers that both sides share."""
    for tree in trees:
        if len(tree) > MOST_WORDS:
            raise InputError(
                f"A segment has {len(tree)} words: too many for DPMF, which takes {MOST_WORDS}.",
                hint="Split it into sentences, or leave it out.",
            )
    all_words = [word for tree in trees for word in tree]
    return (
        np.array([words.setdefault(word.form, len(words)) for word in all_words], dtype=np.int32),
        np.array([tags.setdefault(tag_of(word), len(tags)) for word in all_words], dtype=np.int32),
        np.cumsum([0, *(len(tree) for tree in trees)], dtype=np.int64),
    )
