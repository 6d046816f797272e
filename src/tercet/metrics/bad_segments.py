"""BS and TOTAL-BS: runs of words that only one of the two texts has (Mark Fishel's metrics of WMT15)."""

from __future__ import annotations

import dataclasses
import math
from typing import Literal

import numpy as np

from tercet import kernels
from tercet.data import Array, Batch, Explanation
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained
from tercet.metrics.elementary import log
from tercet.metrics.moses import MosesMetric
from tercet.spec import option

Combination = Literal["sum", "log-sum", "sum-of-logs", "logs-and-count", "count"]
Side = Literal["both", "hypothesis", "reference"]
_SIDES: dict[Side, slice] = {"both": slice(0, 2), "hypothesis": slice(0, 1), "reference": slice(1, 2)}
_PAPER = "Stanojević et al. 2015, *Results of the WMT15 metrics shared task*, section 2.2.2; there is no other paper"
_DEFINITION = (
    "A third of each word's letters, rounded down, is cut off its end. Bad segments are runs of words of the "
    "translation that the reference does not have, and of the reference that the translation does not have. "
)
_OPEN = (
    "The description is a paragraph. Whether words are counted or only looked up (`counted`), on which side "
    "(`sides`), in which case (`lowercase`) and by which tokenizer are options.",
    "Of several references the one with the fewest bad words counts.",
)


@dataclasses.dataclass(frozen=True)
class BadSegments(MosesMetric, MeanMetric):
    """Statistics: [value, 1]."""

    lowercase: bool | Literal["ascii", "unicode"] = option(
        "unicode", "lower-case the tokens: true and ascii A to Z only, unicode all letters"
    )
    combine: Combination = option("sum", "how the lengths of bad segments are combined")
    sides: Side = option("both", "whose bad segments count")
    counted: bool = option(False, "a word is bad, too, if the other text does not have it as often")
    per_word: bool = option(False, "divide by the words of both texts")
    cut: int = option(3, "one letter in so many is cut off the end of a word; 0: none")

    higher_is_better = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.cut == 0 or self.cut >= 2, "cut", "0, or 2 and up")

    def values(self, batch: Batch) -> Array:
        """What the bad segments of each segment come to, for the reference with the fewest bad words."""
        return self.value(*self._lengths(batch))

    def _lengths(self, batch: Batch) -> tuple[list[list[list[int]]], list[int]]:
        """Of each segment, the lengths of its bad segments, on either side, and the words of both texts."""
        hyps, refs = self.tokens(batch)
        hyp_ids, ref_ids, lines = kernels.number_words(hyps, refs)
        stems: dict[str, int] = {}
        numbers = [stems.setdefault(self._stem(word), len(stems)) for word in kernels.unpack(lines)]
        hyp = [numbers[i] for i in hyp_ids]
        ref = [numbers[i] for i in ref_ids]
        groups = batch.required_references().groups
        lengths, words = [], []
        for i in range(len(batch)):
            said = hyp[hyps[2][i] : hyps[2][i + 1]]
            others = [ref[refs[2][r] : refs[2][r + 1]] for r in range(groups[i], groups[i + 1])]
            candidates = [self._bad(said, other) for other in others]
            best = min(range(len(candidates)), key=lambda k: sum(map(sum, candidates[k])))
            lengths.append(candidates[best])
            words.append(len(said) + len(others[best]))
        return lengths, words

    def _stem(self, word: str) -> str:
        return word[: len(word) - len(word) // self.cut] if self.cut else word

    def _bad(self, hyp: list[int], ref: list[int]) -> list[list[int]]:
        return [_runs(hyp, ref, self.counted), _runs(ref, hyp, self.counted)][_SIDES[self.sides]]

    def value(self, counts: list[list[list[int]]], words: list[int]) -> Array:
        """One number a segment, from the lengths of its bad segments."""
        flat = [np.array([n for side in sides for n in side], dtype=np.float64) for sides in counts]
        match self.combine:
            case "sum":
                values = [lengths.sum() for lengths in flat]
            case "log-sum":
                values = [math.log1p(lengths.sum()) for lengths in flat]
            case "sum-of-logs":
                values = [np.array(list(map(math.log1p, lengths.tolist()))).sum() for lengths in flat]
            case "logs-and-count":
                values = [(1 + log(lengths)).sum() for lengths in flat]
            case _:
                values = [float(len(lengths)) for lengths in flat]
        summed = np.array(values, dtype=np.float64)
        return summed / np.maximum(1, words) if self.per_word else summed

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """How long each bad segment is."""
        lengths = self._lengths(batch)[0][0]
        told = "; ".join(" and ".join(map(str, side)) or "none" for side in lengths)
        sides = "translation; reference" if self.sides == "both" else self.sides
        return dataclasses.replace(
            plain,
            formula=explained.given("score", plain.score, f"bad segments of {sides}: {told} words"),
        )


def _runs(words: list[int], others: list[int], counted: bool) -> list[int]:
    """Lengths of the runs of words that are not among the others.

    >>> _runs([1, 2, 3, 1, 9], [1], counted=False), _runs([1, 2, 3, 1, 9], [1], counted=True)
    ([2, 1], [4])
    """
    left: dict[int, int] = {}
    for word in others:
        left[word] = left.get(word, 0) + 1
    runs, length = [], 0
    for word in words:
        if left.get(word, 0):
            left[word] -= counted
            if length:
                runs.append(length)
            length = 0
        else:
            length += 1
    return [*runs, length] if length else runs


_COMBINE = (
    "sum: of the lengths; log-sum: log(1 + sum); sum-of-logs: of log(1 + length); logs-and-count: of 1 + log(length); "
    "count: of bad segments"
)


@dataclasses.dataclass(frozen=True)
class TotalBs(BadSegments):
    """The words of all bad segments."""

    combine: Combination = option("sum", _COMBINE)

    name = "total-bs"
    card = Card(
        title="TOTAL-BS",
        year=2015,
        group="Zurich",
        kind="bad segments",
        definition=_DEFINITION + "The score is the sum of their lengths, and of a corpus the mean of its segments.",
        paper=_PAPER,
        scale="0 and up, bad words a segment; lower is better",
        reference="none: a reconstruction from one paragraph",
        differences=(
            "Of the settings tried, Moses' tokens in lower case came nearest to the printed agreement with people on "
            "segments: within .008 in five directions of WMT15.",
            *_OPEN,
        ),
        exact=False,
    )


@dataclasses.dataclass(frozen=True)
class Bs(BadSegments):
    """Logarithms of the lengths of bad segments."""

    tokenize: str = option("none", "tokenizer spec; none: words are split at the space")
    lowercase: bool | Literal["ascii", "unicode"] = option(
        False, "lower-case the tokens: true and ascii A to Z only, unicode all letters"
    )
    combine: Combination = option("logs-and-count", _COMBINE)
    per_word: bool = option(True, "divide by the words of both texts")

    name = "bs"
    digits = 4
    card = Card(
        title="BS",
        year=2015,
        group="Zurich",
        kind="bad segments",
        definition=_DEFINITION
        + "The score is the sum of 1 + log(length) over them, divided by the words of both texts, and of a corpus the "
        "mean of its segments.",
        paper=_PAPER,
        scale="0 to 1; lower is better",
        reference="none: a reconstruction from one paragraph",
        differences=(
            "What a log-sum is, and whether it is divided by anything, is not stated: see `combine` and `per_word`. Of "
            "the settings that have a logarithm and count both sides this came nearest to the printed agreement with "
            "people on systems: within .06 of four directions of WMT15, and far from the -.34 of English-Finnish.",
            *_OPEN,
        ),
        exact=False,
    )
