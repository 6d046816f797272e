"""LeBLEU: BLEU that forgives spelling and inflection, by letter edits (Virpioja and Grönroos 2015)."""

from __future__ import annotations

import dataclasses
import math
from typing import Literal

import numpy as np

from tercet import kernels, numbers, text
from tercet.data import Array, Batch, References
from tercet.data.explanation import Explanation, Factor, Operation
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.metrics.elementary import exp, log
from tercet.spec import option
from tercet.text.sacrebleu import Whitespace


@dataclasses.dataclass(frozen=True)
class Lebleu(Metric):
    """Statistics: [hits of each order, n-grams of each order, characters of hypothesis and reference]."""

    max_n: int = option(
        4,
        "longest n-gram of the translation; those of the reference may be twice as long",
        tunable=(1, 6, 1),
        recounts=True,
    )
    threshold: float = option(0.4, "similarity from which n-grams match", tunable=(0.2, 0.8, 0.05), recounts=True)
    mean: Literal["arithmetic", "geometric"] = option("arithmetic", "how the precisions of the orders are averaged")
    smoothing: bool = option(False, "an order without hits counts as 1/2, the next 1/4, and so on")
    sampling: int = option(2000, "about how many n-grams of a long text are looked at; 0: all")

    name = "lebleu"
    digits = 4
    card = Card(
        title="LeBLEU",
        year=2015,
        group="Lingsoft, Aalto",
        kind="n-grams of words, fuzzy",
        definition=(
            "Levenshtein BLEU: each n-gram of the translation counts by its similarity to the n-gram of the reference, "
            "of any order up to twice the longest, that is most like it: the share of letters that need no edit, or 0 "
            "below the threshold. The mean of the orders' precisions, times BLEU's brevity penalty in characters."
        ),
        paper="Virpioja and Grönroos 2015, *LeBLEU: n-gram-based translation evaluation score for morphologically "
        "complex languages*",
        scale="0 to 1; higher is better",
        reference="Waino/LeBLEU of 2015, with exhaustive distances in the place of its patched Levenshtein module",
        differences=(
            "The program leaves out an empty translation at the head of a corpus, and blank lines when it reads files; "
            "here an empty translation counts by the length of its reference, wherever it stands.",
            "Where a translation repeats an n-gram more often than there are n-grams to match, the program fails; here "
            "the rest gets nothing.",
            "Smoothing leaves orders out that the translation is too short for; in the program they make the score "
            "infinite.",
            "Of several references the one of the highest score counts; the program takes one.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.max_n <= 100, "max_n", "from 1 to 100")
        self.require(0 <= self.threshold <= 1, "threshold", "from 0 to 1")
        fine = self.sampling == 0 or 2 * self.max_n <= self.sampling <= 10**9
        self.require(fine, "sampling", "0, or from twice max_n to a milliard")

    def statistics(self, batch: Batch) -> Array:
        """Hits, totals and lengths, against the reference of the highest score."""
        references = batch.required_references()
        owners = np.repeat(np.arange(len(references)), np.diff(references.groups))
        hyps, refs = (text.tokens(t, Whitespace(), batch.threads) for t in (batch.hypotheses, references.texts))
        matches = kernels.lebleu(hyps, refs, owners, self.max_n, self.threshold, self.sampling, batch.threads)
        lengths = [
            np.array([len(t.strip()) for t in texts], dtype=np.float64)
            for texts in (batch.hypotheses, references.texts)
        ]
        rows = np.column_stack([matches, lengths[0][owners], lengths[1]])
        if references.counts[1] < 2:
            return rows
        order = np.lexsort((-self.score(rows), owners))  # stable, so that the first of equals counts
        best: Array = rows[order[references.groups[:-1]]]
        return best

    def score(self, stats: Array) -> Array:
        """The mean precision times the brevity penalty; 0 without characters."""
        n = self.max_n
        hits, totals, hyp, ref = stats[..., :n], stats[..., n : 2 * n], stats[..., -2], stats[..., -1]
        there = totals > 0
        if self.smoothing:
            none = np.cumsum((hits == 0) & there, axis=-1)
            since = np.cumsum(none > 0, axis=-1)  # orders from the first without hits on
            hits = np.where((hits == 0) & there, 0.5 ** since.astype(stats.dtype), hits)
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(there, hits / totals, 0)
            orders = there.sum(axis=-1)
            if self.mean == "geometric":
                logs = np.where(there, log(precisions), 0)
                mean = exp(logs.sum(axis=-1) / orders)
            else:
                mean = precisions.sum(axis=-1) / orders
            penalty = np.minimum(1, exp(1 - ref / hyp))
            score: Array = np.where((orders > 0) & (hyp > 0), penalty * mean, 0)
        return score

    def statistic_names(self) -> tuple[str, ...]:
        """Hits and n-grams of each order, and lengths."""
        orders = range(1, self.max_n + 1)
        counts = *(f"hits {n}" for n in orders), *(f"total {n}" for n in orders)
        return *counts, "hypothesis characters", "reference characters"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Precisions and penalty against the reference that counts, and the words that are the same."""
        references = batch.required_references()
        number = explained.chosen(self, batch, row)
        one = References.of([references[0][number]])
        hyp, ref = (explained.words(text.tokens(t, Whitespace(), 1))[0] for t in (batch.hypotheses, one.texts))
        return dataclasses.replace(
            plain,
            formula=self._formula(plain.score, row),
            hypothesis=hyp,
            reference=ref,
            matches=explained.common_words(hyp, ref),
            notes=explained.references_note(references[0], number),
        )

    def _formula(self, score: float, row: Array) -> Factor:
        n = self.max_n
        *_, length, other = row.tolist()
        precisions, zeros = [], 0
        for k, (hits, total) in enumerate(zip(row[:n].tolist(), row[n : 2 * n].tolist(), strict=True), 1):
            if not total:
                break
            zeros += bool(zeros or not hits)
            smoothed = self.smoothing and not hits
            name = f"{k} word{'s' if k > 1 else ''}"
            top = 0.5**zeros if smoothed else hits
            precisions.append(explained.fraction(name, top, total, ("hits", "n-grams"), "smoothed" if smoothed else ""))
        if not precisions:
            return explained.given("score", score, "0, for want of words")
        how: Operation = "geometric mean" if self.mean == "geometric" else "mean"
        penalty = min(1.0, math.exp(1 - other / length))
        note = f"{numbers.plain(length)} characters, reference {numbers.plain(other)}"
        parts = (explained.given("brevity penalty", penalty, note), explained.made("precision", how, precisions))
        return Factor("score", score, "product", parts)
