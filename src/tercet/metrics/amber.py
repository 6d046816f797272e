"""AMBER: precision, recall and F-measure of n-grams, averaged, times ten penalties (Chen and Kuhn 2011)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np

from tercet import kernels, numbers
from tercet.data import Array, Batch, Explanation, Ints, References, Texts
from tercet.data.explanation import Factor
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.elementary import exp, log, power
from tercet.metrics.moses import MosesMetric
from tercet.metrics.several import best_rows, lengths, require_bounded
from tercet.spec import option
from tercet.text.base import Tokens, pack

Form = Literal["words", "prefixes", "suffixes"]
PENALTIES = (
    *("brevity", "redundancy", "character_brevity", "character_redundancy", "chunks", "continuity"),
    *("short_words", "long_words", "spearman", "kendall"),
)
_ORDER = 4
_COUNTS = tuple(f"{what} {n}" for what in ("matches", "hypothesis", "reference") for n in range(1, _ORDER + 1))
_SIDES = (
    *("shorter words", "longer words", "reference words"),
    *("shorter characters", "longer characters", "reference characters"),
    *("matched words", "runs", "short words apart", "long words apart"),
    *("pairs in order", "pairs", "rank correlation", "segments"),
)
_WEIGHT = (0.0, 1.0, 0.1)
_SHARE = (0.0, 0.5, 0.1)  # of two that may not be more than 1 together


@dataclasses.dataclass(frozen=True)
class Amber(MosesMetric):
    """Statistics: for each form of the text n-gram counts, then lengths, runs and orders of the words."""

    forms: tuple[Form, ...] = option(
        ("words", "prefixes", "suffixes"), "the text as it is, and cut to the first or last letters of its words"
    )
    letters: int = option(4, "letters of a prefix or suffix")
    alpha: float = option(0.9, "share of recall in F-measures", tunable=(0.0, 1.0, 0.1))
    precision: float = option(0.0, "weight of the geometric mean of the precisions", tunable=_SHARE)
    mean_f: float = option(0.5, "weight of the F-measure of mean precision and recall", tunable=_SHARE)
    brevity: float = option(0.1, "weight of the penalty for shorter segments", tunable=_WEIGHT)
    redundancy: float = option(0.1, "weight of the penalty for longer segments", tunable=_WEIGHT)
    character_brevity: float = option(1.0, "the same by characters, for shorter", tunable=_WEIGHT)
    character_redundancy: float = option(0.1, "the same by characters, for longer", tunable=_WEIGHT)
    chunks: float = option(0.1, "weight of the penalty for matched words in many runs", tunable=_WEIGHT)
    continuity: float = option(0.1, "weight of the penalty for n-grams that do not go on", tunable=_WEIGHT)
    short_words: float = option(0.1, "weight of the penalty for another number of words of up to 3 letters")
    long_words: float = option(0.1, "weight of the penalty for another number of words of 7 letters and more")
    spearman: float = option(0.1, "weight of the penalty for order, by ranks", tunable=_WEIGHT)
    kendall: float = option(0.1, "weight of the penalty for order, by pairs", tunable=_WEIGHT)

    name = "amber"
    digits = 4
    card = Card(
        title="AMBER",
        year=2011,
        group="NRC",
        kind="n-grams of words",
        definition=(
            "For each form of the text (words, their prefixes, their suffixes), a weighted sum of three numbers: the "
            "geometric mean of the precisions of n-grams of order 1 to 4, the F-measure of mean precision and mean "
            "recall, and the mean F-measure of the orders. The mean over the forms is multiplied with ten penalties, "
            "each raised to its weight: for segments shorter or longer than the reference in words or characters, for "
            "matched words in many runs, for n-grams that do not go on, for another number of short or long words, and "
            "for another order by Spearman's and Kendall's correlation. Of several references the best counts."
        ),
        paper="Chen and Kuhn 2011, *AMBER: a modified BLEU, enhanced ranking metric*; Chen, Kuhn and Foster 2012, "
        "*Improving AMBER, an MT evaluation metric*; AMBER of the WMT14 metrics task",
        scale="0 to 1",
        reference="none: a reconstruction of AMBER's ideas",
        differences=(
            "The weights are guesses, chosen because they come near the agreement printed for WMT14: within .015 on "
            "segments in all five directions into English, and .04 on systems but for Czech (.06) and Hindi (.29). "
            "AMBER's were tuned on the judgements of earlier years: `tercet tune amber` does the same.",
            "AMBER averages over eight forms of the text; here there are three.",
            "Words are matched in runs, the longest first, as in `gtm`; AMBER's own way is not known here.",
            "The exact form of the penalties for runs (as METEOR's), continuity (the mean share of matched n-grams "
            "that go on) and order (correlations moved to 0 to 1) is ours.",
            "A segment of more than a million pairs of words is refused.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(0 < len(self.forms) == len(set(self.forms)), "forms", "one or more, all different")
        self.require(1 <= self.letters <= 100, "letters", "from 1 to 100")
        for name in ("alpha", "precision", "mean_f"):
            self.require(0 <= getattr(self, name) <= 1, name, "from 0 to 1")
        self.require(self.precision + self.mean_f <= 1, "mean_f", "no more than 1 less precision")
        for name in PENALTIES:
            self.require(0 <= getattr(self, name) <= 100, name, "from 0 to 100")

    def statistics(self, batch: Batch) -> Array:
        """Counts of the best reference of each segment."""
        references = batch.required_references()
        groups = references.groups
        if references.counts == (1, 1):
            return self._rows(batch)
        repeated = [text for text, n in zip(batch.hypotheses, np.diff(groups), strict=True) for _ in range(n)]
        single = Batch(Texts.of(repeated), References.of(list(references.texts)), threads=batch.threads)
        rows = self._rows(single)
        return best_rows(rows, type(self)(forms=self.forms, letters=self.letters).score(rows), groups)

    def _rows(self, batch: Batch) -> Array:
        """Counts of every segment, which has one reference."""
        hyps, refs = self.tokens(batch)
        groups = batch.required_references().groups
        require_bounded(self.name, hyps, refs, groups)
        hyp_ids, ref_ids, lines = kernels.number_words(hyps, refs)
        words = kernels.unpack(lines)
        columns = []
        for form in self.forms:
            cut = [self._cut(word, form) for word in words]
            one, other = (_tokens([cut[i] for i in ids], side[2]) for ids, side in ((hyp_ids, hyps), (ref_ids, refs)))
            counts = kernels.bleu(one, other, groups, _ORDER, "closest", batch.threads)
            totals = np.maximum(0, lengths(refs)[:, None] - np.arange(_ORDER))
            columns += [counts[:, 2:], totals]
        sizes = np.array([len(word) for word in words], dtype=np.float64)
        runs = kernels.word_runs(hyps, refs, groups, 1.0, batch.threads)
        sides = _sides((lengths(hyps), lengths(refs)), (sizes[hyp_ids], sizes[ref_ids]), (hyps[2], refs[2]), runs)
        return np.concatenate([*columns, sides], axis=1)

    def _cut(self, word: str, form: Form) -> str:
        return word if form == "words" else word[: self.letters] if form == "prefixes" else word[-self.letters :]

    def score(self, stats: Array) -> Array:
        """Mean of the forms times penalties."""
        score: Array = np.mean([self._form(stats, k) for k in range(len(self.forms))], axis=0)
        for name, value in self.penalties(stats).items():
            score = score * power(value, getattr(self, name))
        return score

    def _form(self, stats: Array, number: int) -> Array:
        """The weighted sum of the three averages, of one form."""
        at = 3 * _ORDER * number
        matches, hyp, ref = (stats[..., at + k * _ORDER : at + (k + 1) * _ORDER] for k in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            p, r = np.where(hyp > 0, matches / hyp, 0.0), np.where(ref > 0, matches / ref, 0.0)
            geometric = np.where((p > 0).all(axis=-1), exp(log(p).mean(axis=-1)), 0.0)
        means = self._f(p.mean(axis=-1), r.mean(axis=-1))
        rest = 1 - self.precision - self.mean_f
        mixed: Array = self.precision * geometric + self.mean_f * means + rest * self._f(p, r).mean(axis=-1)
        return mixed

    def _f(self, precision: Array, recall: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            f = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        return np.where((precision > 0) & (recall > 0), f, 0.0)

    def penalties(self, stats: Array) -> dict[str, Array]:
        """The ten penalties, 1 for none, before they are weighed."""
        sums = {name: stats[..., k - len(_SIDES)] for k, name in enumerate(_SIDES)}
        matches = stats[..., :_ORDER]
        words = sums["reference words"]
        going_on = matches[..., :-1] - np.minimum(sums["segments"][..., None], matches[..., :-1])
        with np.errstate(divide="ignore", invalid="ignore"):

            def share(top: Array, bottom: Array) -> Array:
                return np.where(bottom > 0, top / bottom, 1.0)

            def loss(top: Array, bottom: Array) -> Array:
                return np.where(bottom > 0, exp(1 - np.maximum(1, top / bottom)), np.where(top > 0, 0.0, 1.0))

            apart = [np.where(words > 0, exp(-sums[f"{n} words apart"] / words), 1.0) for n in ("short", "long")]
            many = np.where(sums["matched words"] > 0, sums["runs"] / sums["matched words"], 0.0)
            correlation = share(sums["rank correlation"], sums["matched words"])
            values = (
                loss(words, sums["shorter words"]),
                loss(sums["longer words"], words),
                loss(sums["reference characters"], sums["shorter characters"]),
                loss(sums["longer characters"], sums["reference characters"]),
                1 - 0.5 * many**3,
                np.minimum(share(matches[..., 1:], going_on), 1.0).mean(axis=-1),
                *apart,
                (1 + correlation) / 2,
                share(sums["pairs in order"], sums["pairs"]),
            )
        return dict(zip(PENALTIES, values, strict=True))

    def statistic_names(self) -> tuple[str, ...]:
        """Counts of each form, then sizes and orders."""
        return *(f"{form}, {count}" for form in self.forms for count in _COUNTS), *_SIDES

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The mean of each form, and each penalty with its weight."""
        forms = [explained.given(form, float(self._form(row, k))) for k, form in enumerate(self.forms)]
        penalties = [
            explained.given(
                name.replace("_", " "), float(value) ** getattr(self, name), f"{numbers.score(float(value), 4)} weighed"
            )
            for name, value in self.penalties(row).items()
        ]
        parts = (explained.made("n-grams", "mean", forms), *penalties)
        return dataclasses.replace(plain, formula=Factor("score", plain.score, "product", parts))


def _tokens(words: Sequence[str], rows: Ints) -> Tokens:
    return *pack(words), rows


def _sides(sizes: tuple[Array, Array], letters: tuple[Array, Array], rows: tuple[Ints, Ints], runs: Array) -> Array:
    """Columns of lengths, runs and order."""

    def summed(values: Array, ends: Ints) -> Array:
        total = np.concatenate([[0.0], np.cumsum(values)])
        part: Array = total[ends[1:]] - total[ends[:-1]]
        return part

    characters = [summed(side, ends) for side, ends in zip(letters, rows, strict=True)]
    short, long = (
        [
            summed(((low <= side) & (side <= high)).astype(np.float64), ends)
            for side, ends in zip(letters, rows, strict=True)
        ]
        for low, high in ((0, 3), (7, np.inf))
    )
    matched, n_runs, _, in_order, squares = runs.T
    with np.errstate(divide="ignore", invalid="ignore"):
        ranks = np.where(matched > 1, 1 - 6 * squares / (matched * (matched**2 - 1)), 1.0)
    columns = (
        *(np.minimum(*sizes), np.maximum(*sizes), sizes[1]),
        *(np.minimum(*characters), np.maximum(*characters), characters[1]),
        *(matched, n_runs, np.abs(short[0] - short[1]), np.abs(long[0] - long[1])),
        *(in_order, matched * (matched - 1) / 2, ranks * matched, np.ones_like(matched)),
    )
    return np.stack(columns, axis=-1)
