"""ROUGE-1, ROUGE-2 and ROUGE-L (Lin 2004), as the package rouge_score computes their F."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch
from tercet.data.explanation import Explanation, Factor, Match
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.spec import option
from tercet.text.base import Lines, Tokenizer, Tokens

_CELLS = 1_000_000  # of a table of subsequences that is written out
_PAPER = "Lin 2004, *ROUGE: a package for automatic evaluation of summaries*"
_DIFFERENCES = (
    "Reproduced: words are runs of a to z and digits in lower case, so that all other letters are dropped; text in "
    "Czech or Hindi needs `unicode=true`, which takes letters, digits and combining marks of any script.",
    "A text without words scores 0, also against another without.",
    "A system's score is the mean of its segments; rouge_score gives one score at a time.",
    "Several references: the best F counts, the first of equals, as `score_multi` has it.",
)


@dataclasses.dataclass(frozen=True)
class _Words(Tokenizer):
    """rouge_score's words, of text in lower case."""

    stem: bool = False
    unicode: bool = False

    name = "rouge"
    summary = "runs of letters and digits, perhaps stemmed by Porter's rules"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_rouge(lines, self.stem, self.unicode, threads)


@dataclasses.dataclass(frozen=True)
class RougeMetric(Metric):
    """Statistics: [matches, hypothesis units, reference units, F of the segment, 1]."""

    stem: bool = option(False, "stem words of more than three letters, by Porter's rules with NLTK's changes")
    unicode: bool = option(False, "words of any script, not only a to z and digits")

    digits = 4
    order: ClassVar[int] = 1  # 0: the longest common subsequence

    def tokens(self, batch: Batch) -> tuple[Tokens, Tokens]:
        """The words of both sides."""
        how = _Words(self.stem, self.unicode)
        hyps = text.tokens(batch.hypotheses, how, batch.threads, lower="python")
        return hyps, text.tokens(batch.required_references().texts, how, batch.threads, lower="python")

    def statistics(self, batch: Batch) -> Array:
        """Matches and F against the best reference."""
        rows = kernels.rouge(*self.tokens(batch), batch.required_references().groups, self.order, batch.threads)
        return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)

    def score(self, stats: Array) -> Array:
        """The mean F of the segments."""
        with np.errstate(invalid="ignore"):
            mean: Array = stats[..., 3] / stats[..., 4]
        return mean

    def statistic_names(self) -> tuple[str, ...]:
        """Counts, and the F of the segment."""
        units = "words" if self.order < 2 else f"{self.order}-grams"
        return "matches", f"hypothesis {units}", f"reference {units}", "F", "segments"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Precision and recall, and what matches."""
        number = explained.chosen(self, batch, row)
        hyps, refs = self.tokens(batch)
        hyp, ref = explained.words(hyps)[0], explained.words(refs)[number]
        names = self.statistic_names()
        precision = explained.fraction("precision", row[0], row[1], ("matches", names[1]))
        recall = explained.fraction("recall", row[0], row[2], ("matches", names[2]))
        table = explained.word_table(hyp, [ref], self.order) if self.order else None
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, "harmonic mean", (precision, recall)),
            hypothesis=hyp,
            reference=ref,
            matches=() if self.order else subsequence(hyp, ref),
            ngrams=() if table is None else (table,),
            notes=(
                *explained.references_note(batch.required_references()[0], number),
                *(() if table is None else explained.unlisted_note([table], self.order)),
            ),
        )


def subsequence(hyp: tuple[str, ...], ref: tuple[str, ...]) -> tuple[Match, ...]:
    """The words of a longest common subsequence; none for texts too long to be written out.

    >>> [m.hypothesis for m in subsequence(("a", "b", "c"), ("a", "c"))]
    [(0, 1), (2, 3)]
    """
    if len(hyp) * len(ref) > _CELLS:
        return ()
    longest = [[0] * (len(ref) + 1) for _ in range(len(hyp) + 1)]  # of what begins at two words
    for i in reversed(range(len(hyp))):
        for j in reversed(range(len(ref))):
            same = hyp[i] == ref[j]
            longest[i][j] = longest[i + 1][j + 1] + 1 if same else max(longest[i + 1][j], longest[i][j + 1])
    common: list[Match] = []
    i = j = 0
    while i < len(hyp) and j < len(ref):
        if hyp[i] == ref[j]:
            common.append(Match((i, i + 1), (j, j + 1), "exact"))
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return tuple(common)


@dataclasses.dataclass(frozen=True)
class Rouge1(RougeMetric):
    """How many words output and reference share."""

    name = "rouge-1"
    card = Card(
        title="ROUGE-1",
        year=2004,
        group="ISI",
        kind="words in common",
        definition="The harmonic mean of precision and recall of words, each counted as often as both texts have it.",
        paper=_PAPER,
        scale="0 to 1",
        reference="rouge_score 0.1.2, `rouge1`, F",
        differences=_DIFFERENCES,
    )


@dataclasses.dataclass(frozen=True)
class Rouge2(RougeMetric):
    """How many pairs of neighbouring words output and reference share."""

    name = "rouge-2"
    order = 2
    card = Card(
        title="ROUGE-2",
        year=2004,
        group="ISI",
        kind="n-grams of words",
        definition="The harmonic mean of precision and recall of bigrams, each counted as often as both texts have it.",
        paper=_PAPER,
        scale="0 to 1",
        reference="rouge_score 0.1.2, `rouge2`, F",
        differences=_DIFFERENCES,
    )


@dataclasses.dataclass(frozen=True)
class RougeL(RougeMetric):
    """The longest common subsequence."""

    name = "rouge-l"
    order = 0
    card = Card(
        title="ROUGE-L",
        year=2004,
        group="ISI",
        kind="common subsequence",
        definition="The harmonic mean of precision and recall of words: those of the longest common subsequence match.",
        paper=_PAPER,
        scale="0 to 1",
        reference="rouge_score 0.1.2, `rougeL`, F",
        differences=_DIFFERENCES,
    )
