"""The metrics task of WMT14 (Macháček and Bojar 2014), into English, from texts and released preferences.

SENTBLEU is sentence-bleu of Moses on its tokens, lower-cased.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import tercet
from replication.metrics import last_digit, published
from replication.rows import DATA, Row
from tercet.data import Judgements, MetricAgreement
from tercet.options.agreeing import Interval

FOLDER = DATA / "wmt14-news"
PREFERENCES = FOLDER / "rr-pairs.into-english.tsv.gz"
VARIANTS = ("wmt14", "wmt12", "wmt13")
# What the reference programs give, by variant.
TAUS = {
    "cs-en": (".2116", ".1779", ".2190"),
    "de-en": (".2712", ".2368", ".2808"),
    "fr-en": (".3775", ".3411", ".3918"),
    "hi-en": (".3011", ".2875", ".3052"),
    "ru-en": (".2634", ".2452", ".2683"),
}
# A metric without ties, DISCOTK-PARTY-TUNED, has .386, .386 and .306 there; without ties all variants are the same.
HTIES = "the column that our copy of the paper heads WMT13 holds another variant, by all signs HTIES"
NO_TIES = "the truth of the paper knew ties, which the released preferences lack"


def agreement(pair: str, preferences: Judgements) -> dict[str, MetricAgreement]:
    """Tau of SENTBLEU in every variant; the one of the year has an interval."""
    texts = tercet.read_testset(FOLDER / f"newstest2014.{pair}.tsv.gz")
    kinds: dict[str, Interval] = {"wmt14": "judgements", "wmt12": "none", "wmt13": "none"}
    return {
        variant: tercet.meta(
            testset=texts,
            metrics={"SENTBLEU": "sentbleu(lowercase=unicode)"},
            judgements=preferences,
            level="segment",
            measures=f"kendall(variant={variant})",
            interval=interval,
        ).records[0]
        for variant, interval in kinds.items()
    }


def rows() -> Iterator[Row]:
    """Taus as the reference programs give them and as printed, their averages, and r of BLEU with TrueSkill."""
    cells = published(2014)
    taus = dict.fromkeys(VARIANTS, 0.0)
    for pair, wanted in TAUS.items():
        preferences = tercet.read_judgements(PREFERENCES, pair=pair)
        found = agreement(pair, preferences)
        campaign = f"WMT14 {pair} SENTBLEU"
        for variant, tau in zip(VARIANTS, wanted, strict=True):
            yield last_digit(campaign, f"tau {variant}, reference programs", tau, found[variant].value)
            taus[variant] += found[variant].value / len(TAUS)
        tau14, cell = found["wmt14"], cells["segment", "SENTBLEU", pair, "kendall-wmt14"]
        yield Row(campaign, "tau wmt14, printed", float(cell.value), tau14.value, 0.002)
        yield Row(campaign, "± of tau wmt14, printed", float(cell.half_width), tau14.half_width or math.nan, 0.002)
        yield Row(
            f"WMT14 {pair} BLEU",
            "r, printed",
            float(cells["system", "BLEU", pair, "pearson"].value),
            pearson(pair, preferences),
            0.001,
            stated=NO_TIES,
        )
    for variant, mean in taus.items():
        cell = cells["segment", "SENTBLEU", "into-en", f"kendall-{variant}"]
        stated = HTIES if variant == "wmt13" else ""
        what = f"tau {variant}, average, printed"
        yield Row("WMT14 into English SENTBLEU", what, float(cell.value), mean, 0.001, stated=stated)


def pearson(pair: str, preferences: Judgements) -> float:
    """r of BLEU with TrueSkill."""
    texts = FOLDER / f"newstest2014.{pair}.tsv.gz"
    metrics = {"BLEU": "mteval-bleu(international=true)"}
    return tercet.meta(
        testset=texts, judgements=preferences, metrics=metrics, gold="trueskill", samples=200, unit="pair"
    ).value("BLEU")
