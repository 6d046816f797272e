"""BLEU of the Moses scorer, and its sentence-level variant, the SENTBLEU of the WMT tables."""

from __future__ import annotations

import dataclasses
import math
from typing import Literal

import numpy as np

from tercet import kernels
from tercet.data import Array, Batch
from tercet.data.explanation import Explanation
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained
from tercet.metrics.elementary import exp, log
from tercet.metrics.explained.bleu import bleu_statistic_names, explain_bleu
from tercet.metrics.moses import MosesMetric
from tercet.spec import option

_ORDER = 4


@dataclasses.dataclass(frozen=True)
class MosesBleu(MosesMetric):
    """Statistics: [hypothesis length, reference length, matches of order 1 to 4, totals of order 1 to 4]."""

    reference_length: Literal["closest", "average", "shortest"] = option("closest", "which reference length counts")

    name = "moses-bleu"
    digits = 4
    card = Card(
        title="BLEU of the Moses scorer",
        year=2002,
        group="Edinburgh",
        kind="n-grams of words",
        definition="Unsmoothed BLEU: 0 as soon as one order has no match, at any level.",
        paper="Papineni et al. 2002; Bertoldi et al. 2009, *Improved minimum error rate training in Moses*",
        scale="0 to 1",
        reference="BleuScorer of Moses (`mert/`)",
        differences=(
            "Moses computes in 32 bits, Tercet in 64: they agree to six digits.",
            "`reference_length=average` cuts the mean length of a segment's references to a whole number, as in Moses.",
        ),
    )

    def statistics(self, batch: Batch) -> Array:
        """Matches and totals of each order, and the two lengths."""
        references = batch.required_references()
        hyps, refs = self.tokens(batch)
        return kernels.bleu(hyps, refs, references.groups, _ORDER, self.reference_length, batch.threads)

    def score(self, stats: Array) -> Array:
        """Geometric mean times brevity penalty."""
        hyp, ref, matches, totals = stats[..., 0], stats[..., 1], stats[..., 2:6], stats[..., 6:]
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = (log(matches) - log(totals)).mean(axis=-1)
            result = exp(logs + np.minimum(0, 1 - ref / hyp))
        return np.where((matches > 0).all(axis=-1), result, 0.0)

    def statistic_names(self) -> tuple[str, ...]:
        """Lengths, matches and totals."""
        return bleu_statistic_names(_ORDER)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """n-grams found and missed, precisions and penalty."""
        return _explain(self, plain, batch, row, added=0)


@dataclasses.dataclass(frozen=True)
class SentBleu(MosesMetric, MeanMetric):
    """Statistics: [value, 1]."""

    name = "sentbleu"
    digits = 4
    card = Card(
        title="SentBLEU",
        year=2008,
        group="Edinburgh",
        kind="n-grams of words",
        definition=(
            "BLEU of one segment with 1 added to matches and totals of every order, unigrams included. The corpus "
            "score is the mean over segments (Moses gives none)."
        ),
        paper="Lin and Och 2004, *ORANGE*; the baseline SENTBLEU of the WMT metrics tasks",
        scale="0 to 1",
        reference="sentence-bleu of Moses",
        differences=(
            "WMT14 and WMT15 lower-cased first, WMT15 in ASCII only: `lowercase=unicode` and `lowercase=ascii`.",
        ),
    )

    def values(self, batch: Batch) -> Array:
        """The score of each segment."""
        return _in_32_bits(self._counts(batch))

    def _counts(self, batch: Batch) -> Array:
        hyps, refs = self.tokens(batch)
        return kernels.bleu(hyps, refs, batch.required_references().groups, _ORDER, "closest", batch.threads)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """n-grams found and missed, precisions and penalty."""
        return _explain(self, plain, batch, self._counts(batch)[0], added=1)


def _explain(metric: MosesMetric, plain: Explanation, batch: Batch, counts: Array, added: int) -> Explanation:
    hyps, refs = metric.tokens(batch)
    hyp, ref = counts[:2].tolist()
    value = math.exp(min(0.0, 1 - ref / hyp)) if hyp else float(not ref)
    precisions = [
        explained.fraction(
            f"precision {n + 1}",
            counts[2 + n] + added,
            counts[2 + _ORDER + n] + added,
            ("found", "n-grams"),
            "1 added to both" if added else "",
        )
        for n in range(_ORDER)
    ]
    penalty = explained.brevity(value, hyp, ref)
    return explain_bleu(plain, explained.words(hyps)[0], explained.words(refs), _ORDER, penalty, precisions)


def _in_32_bits(stats: Array) -> Array:
    """The sentence score as Moses computes it: which segments are tied, and so Kendall's tau, hangs on its rounding."""
    single = np.float32
    hyp, ref = stats[:, 0].astype(single), stats[:, 1].astype(single)
    logs = log(stats[:, 2:] + 1).astype(single)
    total = np.zeros(len(stats), dtype=single)
    for n in range(_ORDER):
        total = total + (logs[:, n] - logs[:, _ORDER + n])
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.where(ref > hyp, single(1) - ref / hyp, single(0))
    value: Array = exp((total / single(_ORDER) + brevity).astype(np.float64)).astype(single).astype(np.float64)
    return value
