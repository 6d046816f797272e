"""The metrics task of WMT20 (Mathur et al. 2020), three directions: taus over daRR, and r, tau and winners of systems.

The organisers counted raw human scores among the metrics, which decides about winners of km-en.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

import numpy as np

import tercet
from replication.metrics import last_digit
from replication.rows import DATA, Row, read_lines
from tercet.data import MetricScores

FOLDER = DATA / "wmt20-metrics"
PAIRS = ("km-en", "cs-en", "ta-en")
# Found by trying: with any other two systems left out, correlations are not the official ones.
LEFT_OUT = {
    "km-en": (),
    "cs-en": ("CUNI-DocTransformer.1457", "zlabs-nlp.1149"),
    "ta-en": ("Online-G.1568", "TALP_UPC.192"),
}
# r of all systems, which others computed from the files.
ALL_SYSTEMS = {
    "BLEU": {"km-en": ".969", "cs-en": ".851", "ta-en": ".916"},
    "chrF": {"km-en": ".978", "cs-en": ".872", "ta-en": ".951"},
}
OTHER_RULE = "the rule of the paper, 2.5 deviations by MAD, does not leave out the systems that were"
NAMES = {"_DASH_": "-", "_PLUS_": "+"}  # what stands for these in official files
RAW = "HUMAN_RAW"


def systems(pair: str) -> list[MetricScores]:
    """Scores of all metrics, among them people's raw ones under a name of their own."""
    found = tercet.read_scores(FOLDER / f"sys-scores.{pair}.tsv")
    return [dataclasses.replace(s, metric="raw") if s.metric == RAW else s for s in found]


def official(pair: str, name: str) -> dict[str, list[str]]:
    """An official table of metrics."""
    lines = [line.split("\t") for line in read_lines(FOLDER / f"official-sys-cor-{name}.{pair}.tsv")[1:]]
    return {"raw" if metric == RAW else metric: cells for metric, *cells in lines}


def of_systems(pair: str) -> Iterator[Row]:
    """Tau of all systems; r, its n, and winners by Williams' test without some."""
    campaign = f"WMT20 {pair} system"
    scores = systems(pair)
    every = tercet.meta(scores=scores, measures="kendall(variant=b)", interval="none", test="none")
    for metric, (tau, _) in official(pair, "allsys").items():
        yield Row(campaign, f"tau of {metric}", float(tau), every.value(metric), 1e-12, digits=6)
    some = tercet.meta(scores=scores, without=LEFT_OUT[pair], interval="none", test="williams")
    wanted = official(pair, "excl-outliers")
    winners = set(some.tests[0].winners())
    for metric, (r, _, _) in wanted.items():
        yield Row(campaign, f"r of {metric}, without outliers", float(r), some.value(metric), 1e-12, digits=6)
    equal = sum((metric in winners) == (won == "True") for metric, (_, _, won) in wanted.items())
    yield Row(campaign, "winners and losers as published", float(len(wanted)), float(equal), digits=0)
    plain = tercet.meta(scores=scores, interval="none", test="none")
    for metric, figures in ALL_SYSTEMS.items():
        yield last_digit(campaign, f"r of {metric}, all systems, by others", figures[pair], plain.value(metric))
    ours = plain.records[0].n - (plain.records[0].n_without_outliers or 0)
    yield Row(campaign, "outliers", str(len(LEFT_OUT[pair])), str(ours), stated=OTHER_RULE)


def of_segments(pair: str) -> Iterator[Row]:
    """Tau over daRR: from scores where they were released, from the table of agreement for all."""
    campaign = f"WMT20 {pair} segment"
    judgements = tercet.read_judgements(FOLDER / f"metrics-da-seg-scores.{pair}.ssv.gz")
    found = tercet.meta(
        scores=FOLDER / f"seg-metric-scores.{pair}.tsv.gz",
        judgements=judgements,
        gold="darr",
        level="segment",
        measures="kendall(variant=darr)",
        interval="none",
        test="none",
    )
    wanted = {}
    for line in read_lines(FOLDER / f"official-seg-kendall.{pair}.txt"):
        metric, tau, pairs = line.split()
        for code, sign in NAMES.items():
            metric = metric.replace(code, sign)
        wanted[metric] = tau
    for record in found:
        yield last_digit(campaign, f"tau of {record.metric}", wanted[record.metric], record.value)
        yield Row(campaign, f"pairs of {record.metric}", float(pairs), float(record.n), digits=0)
    # its columns are not in the order of its header: they are compared as a whole
    cells = [line.split()[3:] for line in read_lines(FOLDER / f"daRR-agree.{pair}.ssv.gz")[1:]]
    taus = sorted((2 * np.array(cells, dtype=np.float64).mean(axis=0) - 1).tolist())
    equal = sum(
        math.isclose(a, b, abs_tol=5e-5) for a, b in zip(taus, sorted(map(float, wanted.values())), strict=True)
    )
    yield Row(campaign, "taus in the table of agreement", float(len(wanted)), float(equal), digits=0)


def rows() -> Iterator[Row]:
    """All of it."""
    for pair in PAIRS:
        yield from of_segments(pair)
        yield from of_systems(pair)
