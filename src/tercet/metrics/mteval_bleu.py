"""BLEU as NIST's mteval script computes it, smoothed at every level: the BLEU of the WMT tables."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from tercet import kernels, numbers, text
from tercet.data import Array, Batch, Texts
from tercet.data.explanation import Explanation
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.metrics.elementary import exp, log
from tercet.metrics.explained.bleu import bleu_statistic_names, explain_bleu
from tercet.spec import option
from tercet.text.base import Tokens
from tercet.text.mteval import Mteval


@dataclasses.dataclass(frozen=True)
class MtevalMetric(Metric):
    """The options of mteval's command line, the same for its BLEU and its NIST."""

    version: Literal["v13a", "v14"] = option("v13a", "which mteval script; the two give the same scores")
    international: bool = option(False, "tokenise by Unicode rules (--international-tokenization)")
    case_sensitive: bool = option(False, "keep the case (-c)")
    enclose_non_ascii: bool = option(False, "spaces around non-ASCII characters, with international (-e)")
    smoothing: bool = option(True, "smooth orders without a match (BLEU; false: --no-smoothing)")
    brevity: Literal["closest", "shortest"] = option("closest", "which reference length counts (BLEU)")

    def tokens(self, texts: Texts, threads: int) -> Tokens:
        """mteval's own normalisation of a text."""
        how = Mteval(self.international, self.case_sensitive, self.enclose_non_ascii)
        return text.tokens(texts, how, threads)


@dataclasses.dataclass(frozen=True)
class MtevalBleu(MtevalMetric):
    """Statistics: [hypothesis length, reference length, matches of order 1 to 4, totals of order 1 to 4]."""

    name = "mteval-bleu"
    digits = 4
    card = Card(
        title="BLEU of mteval",
        year=2002,
        group="NIST",
        kind="n-grams of words",
        definition=(
            "BLEU over mteval's own tokens, lower-cased. The k-th order without a match counts as "
            "`1 / (2^k * total)`; an order that the text is too short for counts as precision 1."
        ),
        paper="Papineni et al. 2002; NIST's `mteval-v13a.pl`, as used by the WMT metrics tasks "
        "(there with `international=true`)",
        scale="0 to 1",
        reference="mteval-v13a.pl and mteval-v14.pl of Moses",
        differences=(
            "Western lower-casing knows A to Z only; international lower-casing knows all of Unicode.",
            "A line is read as the text between `<seg>` tags: a space at its end stays and can split a final period.",
            "mteval divides by zero on an empty translation without smoothing; here that scores 0.",
        ),
    )
    order = 4

    def statistics(self, batch: Batch) -> Array:
        """Matches and totals of each order, and the two lengths."""
        references = batch.required_references()
        return kernels.bleu(
            self.tokens(batch.hypotheses, batch.threads),
            self.tokens(references.texts, batch.threads),
            references.groups,
            self.order,
            self.brevity,
            batch.threads,
        )

    def logs(self, stats: Array) -> Array:
        """Logarithms of the smoothed precisions (..., order); 0 where the text is too short."""
        matches, totals = stats[..., 2:6], stats[..., 6:]
        halving, logs = np.ones(stats.shape[:-1]), []
        with np.errstate(divide="ignore", invalid="ignore"):
            for n in range(self.order):
                match, total = matches[..., n], totals[..., n]
                halving = np.where((total > 0) & (match == 0), halving * 2, halving)
                smoothed = np.where(match > 0, log(match / total), -log(halving * total))
                logs.append(np.where(total > 0, smoothed, 0))
        return np.stack(logs, axis=-1)

    def score(self, stats: Array) -> Array:
        """Geometric mean times brevity penalty."""
        logs = self.logs(stats)
        result = exp((((logs[..., 0] + logs[..., 1]) + logs[..., 2]) + logs[..., 3]) / self.order) * _brevity(stats)
        return result if self.smoothing else np.where(stats[..., 5] > 0, result, 0)

    def statistic_names(self) -> tuple[str, ...]:
        """Lengths, matches and totals."""
        return bleu_statistic_names(self.order)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """n-grams found and missed, precisions and penalty."""
        values = exp(self.logs(row)).tolist()
        precisions = []
        for n, (match, total) in enumerate(zip(row[2:6].tolist(), row[6:].tolist(), strict=True)):
            note = f"{numbers.plain(match)}/{numbers.plain(total)}, smoothed" if total else "1, for want of n-grams"
            one = explained.fraction(f"precision {n + 1}", match, total, ("found", "n-grams"))
            precisions.append(one if match else explained.given(one.name, values[n], note))
        cut = not self.smoothing and not row[5]
        return explain_bleu(
            plain,
            explained.words(self.tokens(batch.hypotheses, 1))[0],
            explained.words(self.tokens(batch.required_references().texts, 1)),
            self.order,
            explained.brevity(float(_brevity(row)), row[0], row[1]),
            precisions,
            rule="0, because no n-gram of order 4 is found" if cut else "",
        )


def _brevity(stats: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(stats[..., 0] > 0, exp(np.minimum(0, 1 - stats[..., 1] / stats[..., 0])), 0)
