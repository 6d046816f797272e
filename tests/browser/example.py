"""A made-up metrics task of the size of a real one: five directions, twelve metrics, sixteen systems, two levels.

`python -m tests.browser.example FILE` writes its page, to be looked at.
"""

from __future__ import annotations

import pathlib
import sys

import numpy as np

from tercet.agreeing.places import placed
from tercet.data import Array
from tercet.data.meta import Calibration, MetaEvaluation, MetricAgreement, MetricTests, Scatter, TopCurve
from tercet.data.table import Table
from tercet.report.html import (
    Block,
    Cell,
    Report,
    Section,
    TableBlock,
    direction_section,
    fold_block,
    page,
    table_block,
)

DIRECTIONS = ("cs-en", "de-en", "fi-en", "fr-en", "ru-en")
METRICS = (
    "DPMFcomb", "BEER_Treepel", "RATATOUILLE", "chrF3", "METEOR-WSD", "chrF", "LeBLEU-optimized",
    "NIST", "BLEU", "CDER", "TER", "WER",
)  # fmt: skip
SYSTEMS = (
    "online-B", "uedin-jhu", "uedin-syntax", "online-A", "montreal", "promt-rule", "cu-tecto", "kit-limsi", "neural-mt",
    "illinois", "jhu-smt", "dfki-experimental", "في-الترجمة", "在线翻译", "tt-usaar-mmt-danish", "macau",
)  # fmt: skip
LOWER = frozenset({"CDER", "TER", "WER"})
SYSTEM, SEGMENT = "pearson", "kendall(variant=wmt14)"


def evaluation() -> MetaEvaluation:
    """Every noun that `meta` gives, for every direction."""
    random = np.random.default_rng(15)
    records: list[MetricAgreement] = []
    tests: list[MetricTests] = []
    curves: list[TopCurve] = []
    scatters: list[Scatter] = []
    calibrations: list[Calibration] = []
    for direction in DIRECTIONS:
        gold = np.sort(random.normal(0, 0.35, len(SYSTEMS)))[::-1]
        gold[-1] -= 1.1  # one that stands far off
        for m, metric in enumerate(METRICS):
            noise = random.normal(0, 0.05 + 0.03 * m, len(SYSTEMS))
            scatters.append(_scatter(direction, metric, gold, gold + noise))
            curves.append(_curve(direction, metric, gold, gold + noise))
            calibrations.append(_calibration(random, direction, metric, m))
            for measure, level, value in (
                (SYSTEM, "system", scatters[-1].agreement),
                (SEGMENT, "segment", 0.46 - 0.02 * m + random.normal(0, 0.01)),
            ):
                half = float(random.uniform(0.006, 0.02))
                n = len(SYSTEMS) if level == "system" else 11_000
                record = MetricAgreement(metric, level, measure, direction, value, value - half, value + half, n, half)
                records.append(record)
        tests += [
            _tests(direction, level, measure, [r for r in records if r.direction == direction and r.level == level])
            for level, measure in (("system", SYSTEM), ("segment", SEGMENT))
        ]
    return MetaEvaluation(
        placed(records), "meta|gold=trueskill|bootstrap=1000|seed=12345|v=0.1.0", (), tuple(tests), tuple(curves),
        tuple(scatters), tuple(calibrations),
    )  # fmt: skip


def _scatter(direction: str, metric: str, gold: Array, oriented: Array) -> Scatter:
    higher = metric not in LOWER
    scores = 25 + 9 * oriented if higher else 0.6 - 0.1 * oriented
    width = 0.9 if higher else 0.01
    return Scatter(
        direction, metric, SYSTEMS, tuple(gold.tolist()), tuple(scores.tolist()),
        tuple(s == SYSTEMS[-1] for s in SYSTEMS),
        tuple((gold - 0.07).tolist()), tuple((gold + 0.07).tolist()),
        tuple((scores - width).tolist()), tuple((scores + width).tolist()),
        higher, float(np.corrcoef(gold, oriented)[0, 1]),
    )  # fmt: skip


def _curve(direction: str, metric: str, gold: Array, oriented: Array) -> TopCurve:
    sizes = tuple(range(4, len(gold) + 1))
    values = tuple(float(np.corrcoef(gold[:n], oriented[:n])[0, 1]) for n in sizes)
    low = tuple(v - 0.6 / n for n, v in zip(sizes, values, strict=True))
    high = tuple(min(1.0, v + 0.3 / n) for n, v in zip(sizes, values, strict=True))
    return TopCurve(direction, SYSTEM, metric, sizes, values, low, high)


def _calibration(random: np.random.Generator, direction: str, metric: str, m: int) -> Calibration:
    epsilon = np.sort(np.append(random.gamma(1.5, 0.08 * (m + 1), 4000), 0.0))
    hill = epsilon / (0.03 * (m + 1))
    accuracy = 0.44 + (0.13 - 0.006 * m) * hill * np.exp(1 - hill) - 0.04 * (1 - np.exp(-hill / 4))
    return Calibration(direction, metric, epsilon, accuracy, float(epsilon[np.argmax(accuracy)]))


def _tests(direction: str, level: str, measure: str, records: list[MetricAgreement]) -> MetricTests:
    ordered = sorted(records, key=lambda r: -r.value)
    values = np.array([r.value for r in ordered])
    p = 1 / (1 + np.exp((values[:, None] - values[None, :]) * (120 if level == "segment" else 70)))
    np.fill_diagonal(p, np.nan)
    return MetricTests(direction, level, measure, "williams", tuple(r.metric for r in ordered), p)


def overview(results: MetaEvaluation, level: str, caption: str) -> TableBlock:
    """The table of a metrics-task paper; two metrics did not take part everywhere."""
    found = {(r.metric, r.direction): r for r in results if r.level == level}
    gaps = {("LeBLEU-optimized", "fr-en"), ("NIST", "ru-en"), ("NIST", "cs-en")}

    def row(metric: str) -> tuple[str, ...]:
        there = [None if (metric, d) in gaps else found[metric, d] for d in DIRECTIONS]
        known = [r.value for r in there if r]
        cells = (f"{r.value:.3f} ± {r.half_width:.3f}".replace("0.", ".") if r else "n/a" for r in there)
        return (metric, *cells, f"{sum(known) / len(known):.3f}".removeprefix("0"))

    rows = sorted(map(row, METRICS), key=lambda r: ("n/a" in r, -float(r[-1])))
    best = {(max(range(len(rows)), key=lambda i: (rows[i][c] != "n/a", rows[i][c])), c) for c in range(1, 7)}
    rule = next(i for i, r in enumerate(rows) if "n/a" in r) - 1
    notes = ("Averages of metrics that lack a direction (n/a) cannot be compared with the others.",)
    counts = ("systems" if level == "system" else "pairs", *["16" if level == "system" else "11000"] * 5, "")
    header = ("metric", *DIRECTIONS, "average")
    table = Table(header, tuple(rows), notes, frozenset(best), frozenset({rule}), counts)
    return table_block(table, caption, sorted_by=6, apart={6})


def standing(results: MetaEvaluation, direction: str) -> TableBlock:
    """Systems by human score, beside what some metrics say."""
    chosen = [s for s in results.scatters if s.direction == direction][:4]
    rows = tuple(
        (
            Cell(system, system),
            Cell(f"{chosen[0].gold[i]:.3f}".replace("-", "−"), chosen[0].gold[i]),
            *(Cell(f"{s.scores[i]:.1f}", s.scores[i]) for s in chosen),
        )
        for i, system in enumerate(SYSTEMS)
    )
    header = ("system", "human score", *(s.metric for s in chosen))
    return TableBlock("Systems, best first", header, rows, frozenset({2, 7}), ("Lines: clusters of systems.",), 1)


def report() -> Report:
    """A whole metrics task."""
    results = evaluation()
    sections = [
        Section(
            "System level",
            "system",
            "Pearson’s correlation with human scores; ± is half of the 95 % interval over resampled judgements.",
            (overview(results, "system", "Pearson, into English"),),
        ),
        Section(
            "Segment level",
            "segment",
            "Kendall’s τ of the metrics with pairwise judgements.",
            (overview(results, "segment", "Kendall’s τ, WMT14 variant, into English"),),
        ),
    ]
    for direction in DIRECTIONS:
        extra: list[Block] = [standing(results, direction)]
        sections.append(direction_section(results, direction, extra=extra, intro="16 systems, 11 000 comparisons."))
    folds = (
        fold_block("Study file", '[study]\ntitle = "Metrics task"\ndirections = ["cs-en", "de-en"]\n'),
        fold_block("Signatures", [f"{m}|case:mixed|tok:13a|v=0.1.0" for m in METRICS]),
    )
    sections.append(Section("How it was made", "made", blocks=folds))
    summary = (
        "DPMFcomb agrees best with people on systems: .985 on average over five directions, and no other metric is "
        "significantly better in any of them.",
        "For de-en, BLEU, CDER and TER cannot be told apart.",
        "Among the best six systems of fi-en, WER fails: its correlation with people falls from .91 to −.12.",
    )
    return Report("Metrics task, into English", summary, tuple(sections), results.signature, ("Made-up data.",))


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(page(report()), encoding="utf-8")
