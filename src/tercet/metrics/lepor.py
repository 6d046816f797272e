"""LEPOR, hLEPOR and nLEPOR (Han et al. 2012, 2013): length, position and overlap of words, multiplied or averaged.

hLEPOR is the program hLepor 0.0.4 to the digit. The other two are made of the same factors.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Literal

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch
from tercet.data.explanation import Explanation, Factor, Match
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.metrics.meteor.metric import first_best
from tercet.spec import option
from tercet.text.base import Lines, Tokenizer, Tokens
from tercet.text.sacrebleu import Whitespace

_WEIGHTS = (0.5, 10.0, 0.5)
_EMPTY = "hLepor stops at an empty line; here a text without words scores 0."
_SEVERAL = "Of several references the one with the best score counts; the reference program takes one."
_POSITIONS = (
    "Reproduced: where a word occurs several times, the reference word that is nearest among those with a common "
    "neighbour is looked for, and its number among these is then counted among all that are left, so that another "
    "one may be taken; and the neighbours before a word at the start are none, or those at the end of a short text."
)
_TOKENS = "hLepor takes NLTK's `word_tokenize`, or splits at single spaces, which is `tokenize=none`."


@dataclasses.dataclass(frozen=True)
class _SingleSpaces(Tokenizer):
    """Python's `line.strip().split(" ")`."""

    name = "single-spaces"
    summary = "split at every space, so that two in a row have an empty word between them"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.split_single_spaces(lines, threads)


@dataclasses.dataclass(frozen=True)
class LeporMetric(Metric):
    """What the three have in common: words, penalties for length and position, and n-grams matched.

    Statistics: [length penalty, position penalty, words of both sides, n-grams matched of each order, overlap, score,
    1], summed over segments. The overlap and the score of a segment depend on the weights: see `retuned`.
    """

    system: Literal["a", "b"] = option("a", "score of a system; a: mean of its segments, b: formula over mean factors")
    tokenize: str = option("moses", "tokenizer spec, as moses(language=de); none: split at single spaces")
    alpha: float = option(9.0, "weight of recall", tunable=_WEIGHTS)
    beta: float = option(1.0, "weight of precision", tunable=_WEIGHTS)
    n: int = option(2, "words before and after that tell which of several like words is meant")

    digits = 4
    longest: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "tokenize", str(text.tokenizer(self.tokenize)))
        for name in ("alpha", "beta"):
            self.require_weight(name)
        self.require(0 <= self.n <= 100, "n", "from 0 to 100")

    def require_weight(self, name: str) -> None:
        """Refuse a weight that is none."""
        self.require(0 < getattr(self, name) <= 1e6, name, "above 0 and at most a million")

    @property
    def orders(self) -> int:
        """The longest n-gram that counts."""
        return self.longest

    def combined(self, length: Array, position: Array, overlap: Array) -> Array:
        """The score from its three factors; 0 where one of them is."""
        raise NotImplementedError

    def tokens(self, batch: Batch) -> tuple[Tokens, Tokens]:
        """The lower-cased words of both sides."""
        how = text.tokenizer(self.tokenize)
        if how == Whitespace():
            how = _SingleSpaces()
        hyps = text.tokens(batch.hypotheses, how, batch.threads, lower="python")
        return hyps, text.tokens(batch.required_references().texts, how, batch.threads, lower="python")

    def statistics(self, batch: Batch) -> Array:
        """Factors, overlap and score against the best reference."""
        references = batch.required_references()
        counts = kernels.lepor(*self.tokens(batch), references.groups, self.n, self.orders, batch.threads)
        rows = self.retuned(np.concatenate([counts, np.ones((len(counts), 3))], axis=1))
        return rows[first_best(rows[:, -2], references.groups)]

    def retuned(self, rows: Array) -> Array:
        """Overlap and score anew, from the counts that no weight moves."""
        overlap = self.overlap(rows)
        score = self.combined(rows[..., 0], rows[..., 1], overlap)
        return np.concatenate([rows[..., :-3], overlap[..., None], score[..., None], rows[..., -1:]], axis=-1)

    def shares(self, rows: Array) -> list[tuple[Array, Array]]:
        """Precision and recall of each order, NaN where a side has no n-grams."""
        pairs = []
        for n in range(1, self.orders + 1):
            matches = rows[..., 3 + n]
            with np.errstate(divide="ignore", invalid="ignore"):
                sides = [
                    np.where(length >= n, matches / (length - n + 1), np.nan) for length in (rows[..., 2], rows[..., 3])
                ]
            pairs.append((sides[0], sides[1]))
        return pairs

    def overlap(self, rows: Array) -> Array:
        """The weighted harmonic mean of precision and recall of single segments, 0 where nothing matches."""
        ((precision, recall),) = self.shares(rows)
        return self.harmonic(precision, recall)

    def harmonic(self, precision: Array, recall: Array) -> Array:
        """(alpha + beta) / (alpha / R + beta / P)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (self.beta + self.alpha) / (self.beta / precision + self.alpha / recall)
        return np.where((precision > 0) & (recall > 0), mean, 0.0)

    def score(self, stats: Array) -> Array:
        """The mean of the segments, or the formula over the means of the factors."""
        with np.errstate(invalid="ignore"):
            means = stats / stats[..., -1:]
        if self.system == "a":
            return means[..., -2]
        return np.where(stats[..., -1] > 0, self.combined(means[..., 0], means[..., 1], means[..., -3]), np.nan)

    def statistic_names(self) -> tuple[str, ...]:
        matches = (f"matches {n}" for n in range(1, self.orders + 1))
        return (
            *("length penalty", "position penalty", "hypothesis words", "reference words"),
            *matches,
            *("overlap", "score", "segments"),
        )

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The factors, and the words that are compared for position."""
        number = explained.chosen(self, batch, row)
        hyps, refs = self.tokens(batch)
        hyp, ref = explained.words(hyps)[0], explained.words(refs)[number]
        numbers = {word: i for i, word in enumerate(dict.fromkeys(ref))}
        ids = [np.array([numbers.get(word, -1) for word in side], dtype=np.int32) for side in (hyp, ref)]
        pairs = kernels.lepor_matches(ids[0], ids[1], self.n).tolist()
        length, position = (
            explained.given(name, row[i]) for i, name in enumerate(("length penalty", "position penalty"))
        )
        return dataclasses.replace(
            plain,
            formula=self.formula(plain.score, length, position, self.overlap_factor(row)),
            hypothesis=hyp,
            reference=ref,
            matches=tuple(Match((i, i + 1), (j, j + 1), "exact") for i, j in pairs),
            notes=explained.references_note(batch.required_references()[0], number),
        )

    def formula(self, score: float, length: Factor, position: Factor, overlap: Factor) -> Factor:
        """The score from its factors."""
        return Factor("score", score, "product", (length, position, overlap))

    def overlap_factor(self, row: Array) -> Factor:
        """The overlap from precision and recall."""
        return self.order_factor(row, 1, "overlap")

    def order_factor(self, row: Array, n: int, name: str) -> Factor:
        """The harmonic mean of one order."""
        kind = "words" if n == 1 else f"{n}-grams"
        precision, recall = (
            explained.fraction(side, row[3 + n], max(0.0, length - n + 1), ("matches", f"{what} {kind}"))
            for side, length, what in (("precision", row[2], "hypothesis"), ("recall", row[3], "reference"))
        )
        parts = [explained.weighted(recall, self.alpha), explained.weighted(precision, self.beta)]
        return explained.made(name, "harmonic mean", parts)


@dataclasses.dataclass(frozen=True)
class Hlepor(LeporMetric):
    """The harmonic mean of the three factors."""

    weight_length: float = option(2.0, "weight of the length penalty", tunable=_WEIGHTS)
    weight_position: float = option(1.0, "weight of the position penalty", tunable=_WEIGHTS)
    weight_overlap: float = option(7.0, "weight of precision and recall", tunable=_WEIGHTS)

    name = "hlepor"
    card = Card(
        title="hLEPOR",
        year=2013,
        group="Macau",
        kind="words and their places",
        definition=(
            "The weighted harmonic mean of three factors: a penalty for length, `exp(1 - longer / shorter)`; one for "
            "position, `exp(-d)`, where d is the sum of the differences between the relative places of matched words, "
            "over the length of the translation; and the harmonic mean of precision and recall of single words, in "
            "which recall weighs `alpha` and precision `beta`. A system's score is the mean of its segments (hLEPORa), "
            "or the formula over the means of the factors (`system=b`, hLEPORb)."
        ),
        paper="Han et al. 2013, *Language-independent model for machine translation evaluation with reinforced "
        "factors*; Han, Wong and Chao 2012, *LEPOR: a robust evaluation metric for machine translation with augmented "
        "factors*",
        scale="0 to 1",
        reference="hLepor 0.0.4 of PyPI, with `separate_punctuation=False` where `tokenize=none`",
        differences=(_TOKENS, _POSITIONS, _EMPTY, _SEVERAL),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("weight_length", "weight_position", "weight_overlap"):
            self.require_weight(name)

    def combined(self, length: Array, position: Array, overlap: Array) -> Array:
        """The weighted harmonic mean."""
        weights = self.weight_length + self.weight_position + self.weight_overlap
        with np.errstate(divide="ignore", invalid="ignore"):
            sum_ = self.weight_length / length + self.weight_position / position + self.weight_overlap / overlap
            return np.where((length > 0) & (position > 0) & (overlap > 0), weights / sum_, 0.0)

    def formula(self, score: float, length: Factor, position: Factor, overlap: Factor) -> Factor:
        """The weighted harmonic mean."""
        weights = (self.weight_length, self.weight_position, self.weight_overlap)
        parts = (explained.weighted(f, w) for f, w in zip((length, position, overlap), weights, strict=True))
        return Factor("score", score, "harmonic mean", tuple(parts))


@dataclasses.dataclass(frozen=True)
class Lepor(LeporMetric):
    """The product of the three factors."""

    name = "lepor"
    card = Card(
        title="LEPOR",
        year=2012,
        group="Macau",
        kind="words and their places",
        definition=(
            "The product of hLEPOR's three factors: the penalties for length and for position, and the harmonic mean "
            "of precision and recall. A system's score is the mean of its segments, or the product of the means of "
            "the factors (`system=b`)."
        ),
        paper="Han, Wong and Chao 2012, *LEPOR: a robust evaluation metric for machine translation with augmented "
        "factors*",
        scale="0 to 1",
        reference="none: a reconstruction from the paper, with the factors of hLepor 0.0.4",
        differences=(
            "The paper tunes `alpha` and `beta` for each language pair; the defaults are hLEPOR's.",
            _POSITIONS,
            _SEVERAL,
        ),
        exact=False,
    )

    def combined(self, length: Array, position: Array, overlap: Array) -> Array:
        return length * position * overlap


@dataclasses.dataclass(frozen=True)
class Nlepor(Lepor):
    """LEPOR with n-grams in place of words."""

    order: int = option(2, "longest n-gram that counts")

    name = "nlepor"
    card = Card(
        title="nLEPOR",
        year=2014,
        group="Macau",
        kind="n-grams of words and their places",
        definition=(
            "LEPOR in which the harmonic mean of precision and recall is taken for the n-grams of each order up to "
            "`order` that both texts have, and the geometric mean of these is the third factor."
        ),
        paper="Han et al. 2013, *A description of tunable machine translation evaluation systems in WMT13 metrics "
        "task*",
        scale="0 to 1",
        reference="none: a reconstruction from the paper, with the factors of hLepor 0.0.4",
        differences=(
            "The paper leaves the longest n-gram and the weight of each order open; here all orders weigh the same, "
            "and bigrams are the longest unless told otherwise.",
            "An order without a match makes the score of a segment 0: nothing is smoothed.",
            _POSITIONS,
            _SEVERAL,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.order <= 10, "order", "from 1 to 10")

    @property
    def orders(self) -> int:
        """The longest n-gram that counts."""
        return self.order

    def overlap(self, rows: Array) -> Array:
        """The geometric mean over the orders that both sides have."""
        product, orders = np.ones(rows.shape[:-1]), np.zeros(rows.shape[:-1])
        for precision, recall in self.shares(rows):
            there = np.isfinite(precision) & np.isfinite(recall)
            product = product * np.where(there, self.harmonic(precision, recall), 1.0)
            orders = orders + there
        return np.where(orders > 0, _root(product, orders), 0.0)

    def overlap_factor(self, row: Array) -> Factor:
        """The geometric mean from the orders that both sides have."""
        there = [n for n in range(1, self.order + 1) if min(row[2], row[3]) >= n]
        if not there:
            return explained.given("overlap", 0, "0, because a text has no words")
        return explained.made("overlap", "geometric mean", [self.order_factor(row, n, f"order {n}") for n in there])


def _root(values: Array, degrees: Array) -> Array:
    """The n-th root of each value, one by one, so that its bits do not depend on its neighbours."""
    flat = [
        v ** (1.0 / d) if d else 0.0 for v, d in zip(values.ravel().tolist(), degrees.ravel().tolist(), strict=True)
    ]
    return np.array(flat, dtype=np.float64).reshape(values.shape)
