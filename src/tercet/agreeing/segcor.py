"""Pearson's r over segments that weigh as much as they are long: what METEOR was tuned with on HTER."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

import numpy as np

from tercet.agreeing.base import Flags, Found, Measure, lack_the_same
from tercet.agreeing.gold import Gold
from tercet.data import Array
from tercet.errors import InputError
from tercet.metric_base import Card
from tercet.spec import option
from tercet.text import TOKENIZERS, tokenizer


@dataclasses.dataclass(frozen=True)
class LengthWeightedPearson(Measure):
    """Pearson's r of segments, weighted by the length of the reference."""

    name = "segcor"
    levels = ("segment",)
    spoken = "length-weighted Pearson's r"
    card = Card(
        title="Length-weighted Pearson correlation",
        definition="Pearson's r of a metric's scores of segments and people's (HTER, adequacy), in which a segment "
        "counts as often as its first reference has words.",
        paper="Denkowski and Lavie (2014), Meteor Universal: language specific translation evaluation for any target "
        "language",
        scale="-1 to 1",
        reference="METEOR 1.5, `Trainer segcor`, with tokenize=meteor",
    )

    tokenize: str | None = option(None, "The tokenizer by which words are counted; none: split at white space.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokenize is not None:
            TOKENIZERS.make(self.tokenize)

    def found(self, gold: Gold, metric: Array) -> Found:
        """r, and the number of scores."""
        weights = np.broadcast_to(self._lengths(gold), metric.shape)
        both = np.isfinite(gold.scores) & np.isfinite(metric)
        return Found(weighted_pearson(gold.scores[both], metric[both], weights[both]), int(both.sum()))

    def of_parts(self, golds: Sequence[Gold], inside: Sequence[Flags], metrics: Array, threads: int) -> Array:
        """Moments over all metrics at once, if they lack the same scores."""
        if not lack_the_same(metrics):
            return super().of_parts(golds, inside, metrics, threads)
        return np.stack([self._values(g, metrics[:, :, part]) for g, part in zip(golds, inside, strict=True)])

    def _values(self, gold: Gold, metrics: Array) -> Array:
        weights = np.broadcast_to(self._lengths(gold), metrics.shape[1:])
        both = np.isfinite(gold.scores) & np.isfinite(metrics[0])
        return weighted_pearsons(gold.scores[both], np.ascontiguousarray(metrics[:, both]), weights[both])

    def _lengths(self, gold: Gold) -> Array:
        if gold.texts is None:
            raise InputError("segcor weighs segments by their references, and there are none.", hint="Give a test set.")
        return lengths(gold.texts, self.tokenize)


@functools.lru_cache(maxsize=32)  # a search asks for the same texts again and again
def lengths(texts: tuple[str, ...], tokenize: str | None) -> Array:
    """Words of each text.

    >>> lengths(("Hello, world!", ""), None).tolist(), lengths(("Hello, world!",), "13a").tolist()
    ([2.0, 0.0], [4.0])
    """
    split = str.split if tokenize is None else tokenizer(tokenize)
    return np.array([len(split(text)) for text in texts], dtype=np.float64)


def weighted_pearson(x: Array, y: Array, weights: Array) -> float:
    """r of two columns whose rows have weights; NaN where one of them does not vary.

    >>> weighted_pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 0.0]), np.array([1.0, 5.0, 0.0]))
    1.0
    """
    return float(weighted_pearsons(x, y[None], weights)[0])


def weighted_pearsons(x: Array, ys: Array, weights: Array) -> Array:
    """The same of one column with each row of `ys`."""
    total = weights.sum() if len(weights) else 0.0
    if not total:
        return np.full(len(ys), np.nan)
    # the first value goes first, so that a column that does not vary is exactly 0
    moved = [v - v[..., :1] for v in (x, ys)]
    a, b = (v - (weights * v).sum(axis=-1, keepdims=True) / total for v in moved)
    spread = (weights * a * a).sum() * (weights * b * b).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        coefficients = np.clip((weights * a * b).sum(axis=-1) / np.sqrt(spread), -1, 1)
    return np.where(spread > 0, coefficients, np.nan)
