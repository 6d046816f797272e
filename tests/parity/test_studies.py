"""`tercet run` on the studies in replication/: the published cells come out of one file each."""

from __future__ import annotations

import dataclasses
import math
import pathlib
from collections.abc import Mapping

import pytest
from replication.metrics import Printed, printed, published
from replication.metrics_wmt14 import TAUS, VARIANTS
from replication.metrics_wmt15 import CHRF, MTEVAL, moses, of_segments
from replication.metrics_wmt19 import BY_OTHERS, IN_TEXT
from replication.metrics_wmt20 import LEFT_OUT, NAMES, RAW
from replication.rows import read_lines

from tercet.data import MetricAgreement
from tercet.options.agreeing import MetaLevel
from tercet.running import Run, run
from tercet.study import read_study
from tests.conftest import ROOT


def answered(year: str, folder: pathlib.Path, samples: int | None = None) -> Run:
    """A study as `tercet run` answers it, with fewer samples where only values are looked at."""
    study = read_study(ROOT / "replication" / f"{year}.toml")
    if samples is not None:
        study = dataclasses.replace(study, asked=dataclasses.replace(study.asked, samples=samples))
    return run(study, folder, figures=False)


def figures(found: Run, level: MetaLevel) -> dict[tuple[str, str], MetricAgreement]:
    return {(r.direction, r.metric): r for r in found.result.main[level]}


def off(values: Mapping[str, float], wanted: Mapping[str, Printed]) -> dict[str, tuple[float, float]]:
    """What is not the same to the last digit that was printed."""
    return {
        key: (values[key], figure.value)
        for key, figure in wanted.items()
        if abs(values[key] - figure.value) > figure.half + 1e-9
    }


def chance(half_width: float) -> float:
    """How far two half widths of 1000 draws each may lie apart: three standard errors, and the rounding of the print.

    A quantile at 2.5 % has a standard error of sqrt(.025 * .975 / 1000) / .0584 = .085 deviations.
    """
    error = 0.085 / math.sqrt(2) * half_width / 1.96
    return 3 * math.sqrt(2) * error + 0.0005


@pytest.fixture(scope="module")
def wmt15(shared: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """With all of its samples."""
    return answered("wmt15", tmp_path_factory.mktemp("wmt15"))


def test_wmt15_has_the_cells_of_the_paper(wmt15: Run) -> None:
    found = wmt15
    cells = published(2015)
    metrics: dict[MetaLevel, list[str]] = {
        "system": [*MTEVAL, *moses("en"), *CHRF],
        "segment": list(of_segments("en")),
    }
    for level, names in metrics.items():
        statistic = "pearson" if level == "system" else "kendall-wmt14"
        own = figures(found, level)
        assert len(own) == 5 * len(names)
        for (pair, metric), record in own.items():
            cell = cells[level, metric, pair, statistic]
            assert record.value == pytest.approx(float(cell.value), abs=0.001 + 1e-9), (level, pair, metric)
            if (level, pair) != ("segment", "ru-en"):  # the printed one is wider than judgements make it
                wanted = float(cell.half_width)
                assert record.half_width == pytest.approx(wanted, abs=chance(wanted)), (level, pair, metric)
    table = found.tables["system", "from-en"]
    assert table.rows[0][0] == "CHRF3", "the best of the baselines there, as in the paper"
    assert "gold:HUMAN, resampled by trueskill(compat=true)" in table.notes[-1]
    assert "metrics:BLEU=mteval-bleu(international=true)+" in table.notes[-1]
    assert "segment.into-en.tex" in {path.name for path in found.files}


def test_wmt15_by_expected_wins_is_another_truth(wmt15: Run) -> None:
    """What the paper calls Pre-TrueSkill looks at the judgements, not at the official means."""
    found = wmt15.result
    main = {(r.direction, r.metric): r.value for r in found.main["system"]}
    other = {(r.direction, r.metric): r.value for r in found.other_gold["system"]}
    assert main.keys() == other.keys()
    assert all(0 < abs(main[key] - other[key]) < 0.1 for key in main)
    assert "gold:expected-wins" in found.other_gold["system"].signature


def test_wmt14_has_the_taus_of_the_paper(shared: pathlib.Path, tmp_path: pathlib.Path) -> None:
    found = answered("wmt14", tmp_path, samples=200)
    cells = published(2014)
    taus = figures(found, "segment")
    secondary = {(r.direction, r.measure): r.value for r in found.result.secondary["segment"]}
    for pair, wanted in TAUS.items():
        value = taus[pair, "SENTBLEU"].value
        own = {"wmt14": value} | {v: secondary[pair, f"kendall(variant={v})"] for v in VARIANTS[1:]}
        assert off(own, dict(zip(VARIANTS, map(printed, wanted), strict=True))) == {}, pair
        cell = cells["segment", "SENTBLEU", pair, "kendall-wmt14"]
        assert value == pytest.approx(float(cell.value), abs=0.002), pair
    # the released preferences lack ties: r of systems is near, inside the printed interval, but not the same
    for (pair, metric), record in figures(found, "system").items():
        cell = cells["system", metric, pair, "pearson"]
        if (pair, metric) != ("cs-en", "CDER"):  # of five systems
            assert abs(record.value - float(cell.value)) < float(cell.half_width), (pair, metric)


def test_wmt19_has_the_figures_of_the_paper(shared: pathlib.Path, tmp_path: pathlib.Path) -> None:
    found = answered("wmt19", tmp_path, samples=40)
    own = {f"{pair} {metric}": r.value for (pair, metric), r in figures(found, "system").items()}
    for source in (IN_TEXT, BY_OTHERS):
        wanted = {f"{p} {m}": printed(figure) for p, metrics in source.items() for m, figure in metrics.items()}
        assert off(own, wanted) == {}
    assert {group for _, group in found.tables} == {"into-en", "from-en", "others"}
    assert all("wins" in table.header for table in found.tables.values())


def test_wmt20_has_the_official_figures(shared: pathlib.Path, tmp_path: pathlib.Path) -> None:
    found = answered("wmt20", tmp_path, samples=40)
    systems, segments = figures(found, "system"), figures(found, "segment")
    folder = shared / "data" / "wmt20-metrics"
    assert {d.pair: d.left_out("system") for d in found.result.study.directions} == LEFT_OUT
    for pair in LEFT_OUT:
        lines = [line.split("\t") for line in read_lines(folder / f"official-sys-cor-excl-outliers.{pair}.tsv")[1:]]
        assert len(lines) == sum(own == pair for own, _ in systems) + 1, "but for people's raw scores"
        for metric, r, n, _ in lines:
            if metric != RAW:
                assert systems[pair, metric].value == pytest.approx(float(r), abs=1e-12)
                assert systems[pair, metric].n == int(n)
        taus = {}
        for line in read_lines(folder / f"official-seg-kendall.{pair}.txt"):
            metric, tau, pairs = line.split()
            for code, sign in NAMES.items():
                metric = metric.replace(code, sign)
            taus[metric] = printed(tau)
        own = {metric: r.value for (p, metric), r in segments.items() if p == pair}
        assert set(own) == {"chrF", "TER", "YiSi-2"}
        assert off(own, {metric: taus[metric] for metric in own}) == {}
        assert {segments[pair, metric].n for metric in own} == {int(pairs)}, "no system is left out of the segments"
