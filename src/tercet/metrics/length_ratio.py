"""How long the translation is, for its source: the simplest feature of quality estimation, as a metric."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from tercet import numbers, text
from tercet.data import Array, Batch, Explanation, Texts
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.metrics.elementary import log
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class LengthRatio(Metric):
    """Statistics: [length of the translation, length of the source]."""

    unit: Literal["words", "characters"] = option("words", "what is counted; characters: without spaces")
    tokenize: str = option("13a", "tokenizer spec, for words")
    scale: Literal["balance", "log", "plain"] = option(
        "balance",
        "what becomes of the ratio r, where e is expected: balance: 100 min(r/e, e/r), log: -|log(r/e)|, plain: r",
    )
    expected: float = option(1.0, "the ratio of a good translation, as 0.9", tunable=(0.5, 2.0, 0.01))

    name = "length-ratio"
    needs = frozenset({"sources"})
    card = Card(
        title="Length ratio",
        kind="no reference",
        definition=(
            "Length of the translation over that of the source, all segments together, and how near this ratio is to "
            "the expected one. It needs no reference."
        ),
        paper="features 1001 and 1002 of QuEst (Specia et al. 2013, *QuEst: a translation quality estimation "
        "framework*) are the two lengths",
        scale="0 to 100, the expected ratio; log: 0 and below; plain: the ratio itself, of which neither end is good",
        reference="none: the definition",
        differences=(
            "Without source words there is no score; without words of the translation `log` has none either.",
            "The ratio of a corpus is that of its sums, not the mean of its segments.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        text.tokenizer(self.tokenize)
        self.require(0 < self.expected <= 1000, "expected", "above 0, and 1000 at most")

    def statistics(self, batch: Batch) -> Array:
        columns = [self.lengths(texts, batch.threads) for texts in (batch.hypotheses, batch.required_sources())]
        return np.stack(columns, axis=-1)

    def lengths(self, texts: Texts, threads: int) -> Array:
        """Words or characters of each text."""
        if self.unit == "words":
            return np.diff(text.tokens(texts, text.tokenizer(self.tokenize), threads)[2]).astype(np.float64)
        return np.array([sum(map(len, line.split())) for line in texts], dtype=np.float64)

    def statistic_names(self) -> tuple[str, ...]:
        return f"{self.unit} of the translation", f"{self.unit} of the source"

    def score(self, stats: Array) -> Array:
        """How near the ratio is to the expected one."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(stats[..., 1] > 0, stats[..., 0] / stats[..., 1], np.nan)
            if self.scale == "plain":
                return ratio
            share = ratio / self.expected
            if self.scale == "balance":
                return 100 * np.minimum(share, 1 / share)
            return -np.abs(np.where(share > 0, log(share), np.nan))

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        if not np.isfinite(plain.score):
            return plain
        names = self.statistic_names()
        lengths = [explained.given(name, value) for name, value in zip(names, row.tolist(), strict=True)]
        ratio = explained.made("ratio", "quotient", lengths)
        if self.scale == "plain":
            return dataclasses.replace(plain, formula=dataclasses.replace(ratio, name="score"))
        how = {"balance": "100 min(r/e, e/r)", "log": "-|log(r/e)|"}[self.scale]
        formula = dataclasses.replace(
            explained.given("score", plain.score, f"{how}, e = {numbers.plain(self.expected)}"),
            operation="rule",
            parts=(ratio,),
        )
        return dataclasses.replace(plain, formula=formula)
