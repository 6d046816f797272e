"""NIST (Doddington 2002) as mteval computes it: n-gram matches weighted by how much they tell."""

from __future__ import annotations

import dataclasses
import math
import weakref
from collections.abc import Iterable

import numpy as np

from tercet import kernels, numbers
from tercet.data import Array, Batch, References, Texts
from tercet.data.explanation import Explanation, Factor, NgramTable
from tercet.errors import InputError
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.elementary import exp, log
from tercet.metrics.mteval_bleu import MtevalMetric
from tercet.text.base import Tokens, pack

_ORDER = 5
_BETA = -math.log(0.5) / math.log(1.5) ** 2  # a text of two thirds of the length loses half


class Information:
    """n-gram counts of all references, and the weights that follow for texts of them, once for all systems."""

    def __init__(self) -> None:
        self.table = kernels.InformationTable(_ORDER)
        self._weights = weakref.WeakKeyDictionary[Texts, Array]()  # as long as the texts are there

    def weights(self, texts: Texts, tokens: Tokens, threads: int) -> Array:
        """The information of the n-grams from each token on."""
        if texts not in self._weights:
            self._weights[texts] = self.table.weigh(tokens, threads)
        return self._weights[texts]


@dataclasses.dataclass(frozen=True)
class Nist(MtevalMetric):
    """Statistics: [words, mean reference words, then for each order: information, n-grams]."""

    name = "nist"
    learns = True
    digits = 3
    card = Card(
        title="NIST",
        year=2002,
        group="NIST",
        kind="n-grams of words",
        definition=(
            "For each order up to 5, the information of the matched n-grams over the number of n-grams of the "
            "translation, summed over the orders and times a penalty for length. The information of an n-gram is "
            "`-log2(count / count of all but its last word)`, counted over all references of the test set: score a "
            "test set as one, not in parts."
        ),
        paper="Doddington 2002, *Automatic evaluation of machine translation quality using n-gram co-occurrence "
        "statistics*",
        scale="0 and up; about 5 to 10 for a good system",
        reference="mteval-v13a.pl and mteval-v14.pl of Moses",
        differences=(
            "Reproduced: a bigram after the token `0` is weighted as if nothing stood before it, because Perl takes "
            "that word for false.",
            "`smoothing` and `brevity` have no effect here; they are taken so that one set of options serves both "
            "scores of mteval.",
            "mteval dies on a segment without a reference; here that is an error before anything is scored.",
            "The table of n-grams is held in memory and grows with the references.",
        ),
    )

    def learn(self, references: Iterable[References], threads: int) -> Information:
        """n-gram counts over all references."""
        learnt = Information()
        for part in references:
            learnt.table.add(self.tokens(part.texts, threads))
        return learnt

    def statistics(self, batch: Batch) -> Array:
        """Information and number of the n-grams of each order, and the two lengths."""
        references = batch.required_references()
        if batch.learnt is None:
            raise InputError("NIST has not learnt its weights.", hint="Put what `learn` returns into the batch.")
        tokens = self.tokens(references.texts, batch.threads)
        weights = batch.learnt.weights(references.texts, tokens, batch.threads)
        hypotheses = self.tokens(batch.hypotheses, batch.threads)
        return kernels.nist(hypotheses, tokens, references.groups, weights, batch.threads)

    def score(self, stats: Array) -> Array:
        """Information a word, summed over orders, times the length penalty."""
        information, counts = stats[..., 2::2], stats[..., 3::2]
        gain: Array = (information / np.maximum(counts, 1)).sum(axis=-1)
        return _penalty(stats) * gain

    def statistic_names(self) -> tuple[str, ...]:
        """Lengths, then information and number of the n-grams of each order."""
        orders = range(1, _ORDER + 1)
        pairs = (name for n in orders for name in (f"information {n}", f"n-grams {n}"))
        return "hypothesis words", "mean reference words", *pairs

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """n-grams found and missed with their information, and the penalty for length."""
        hypothesis = explained.words(self.tokens(batch.hypotheses, 1))[0]
        references = explained.words(self.tokens(batch.required_references().texts, 1))
        table = _weigh(explained.word_table(hypothesis, references, _ORDER), batch.learnt.table)
        gains = [
            explained.fraction(f"order {n + 1}", row[2 + 2 * n], max(1, row[3 + 2 * n]), ("information", "n-grams"))
            for n in range(_ORDER)
        ]
        note = f"{numbers.plain(row[0])} words, reference {numbers.plain(row[1])}"
        penalty = explained.given("length penalty", float(_penalty(row)), note)
        parts = (penalty, explained.made("information a word", "sum", gains))
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, "product", parts),
            hypothesis=hypothesis,
            reference=references[0],
            ngrams=(table,),
            notes=explained.unlisted_note([table], _ORDER),
        )


def _penalty(stats: Array) -> Array:
    hyp, ref = stats[..., 0], stats[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(ref > 0, hyp / ref, 1)
        penalty = exp(-_BETA * np.minimum(0, log(ratio)) ** 2)
    return np.where(hyp > 0, penalty, 0)


def _weigh(table: NgramTable, information: kernels.InformationTable) -> NgramTable:
    """The table with the information of each n-gram."""
    orders = []
    for order in table.orders:
        rows = [ngram.text.split(" ") for ngram in order.ngrams]
        data, offsets = pack([word for row in rows for word in row])
        packed = (data, offsets, np.arange(len(rows) + 1, dtype=np.int64) * order.order)
        weights = information.weigh(packed, 1)[:: order.order, order.order - 1].tolist()
        weighed = (dataclasses.replace(n, weight=w) for n, w in zip(order.ngrams, weights, strict=True))
        orders.append(dataclasses.replace(order, ngrams=tuple(weighed)))
    return dataclasses.replace(table, orders=tuple(orders))
