"""The arithmetic of docs/guide/scale.md follows from the costs of a line that stand there."""

from __future__ import annotations

import re

import pytest
from benchmarks.scale import BLOCK, Model

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "guide" / "scale.md").read_text(encoding="utf-8")
LINES = 100_000_000
COSTS = {name: float(cost) for name, cost in re.findall(r"^\| \*([ardwkb])\* \| ([\d.]+) (?:µs|bytes) \|", PAGE, re.M)}
STARTS = re.search(r"^\| \*s\* \| ([\d.]+) s, ([\d.]+) s \|", PAGE, re.M)
TABLE = re.findall(r"^\| (\d+) \| (?:(\d+) s)? ?\| (\d+) s \| (\d+) s \|$", PAGE, re.M)


@pytest.fixture(scope="module")
def model() -> Model:
    assert STARTS is not None
    a, r, d, w, k = (COSTS[name] / 1e6 for name in "ardwk")
    return Model((float(STARTS[1]), float(STARTS[2])), a, r, d, w, k)


def test_the_table_of_machines(model: Model) -> None:
    assert [int(machines) for machines, *_ in TABLE] == [1, 2, 4, 10, 100]
    for machines, alone, dask, shards in TABLE:
        n = int(machines)
        assert (int(dask), int(shards)) == (round(model.time(LINES, n)), round(model.sharded(LINES, n))), machines
        assert alone == (f"{model.alone(LINES):.0f}" if n == 1 else "")


def test_what_is_moved_and_what_all_take(model: Model) -> None:
    assert f"are {-(-LINES // BLOCK)} blocks, and {LINES * COSTS['b'] / 1e9:.0f} GB that go" in PAGE
    assert f"a block of 65 536 lines is {BLOCK * COSTS['b'] / 1e6:.1f} MB" in PAGE
    work = (model.sender + model.scheduler + model.worker) / model.one
    assert f"{work:.2f} times the work of one" in PAGE


def test_points_that_were_measured(model: Model) -> None:
    """What was reckoned follows from the costs, and how far it is off from both, to what their digits allow."""
    points = re.findall(
        r"^\| ([\d ]+) \| (one process|cluster) \| ([\d.]+) s \| ([\d.]+) s \| ([\d.]+) % \|$", PAGE, re.M
    )
    assert points
    for lines, who, reckoned, measured, off in points:
        n = int(lines.replace(" ", ""))
        assert reckoned == f"{model.alone(n) if who == 'one process' else model.cluster(n):.1f}"
        low, high = ((float(reckoned) + x) / (float(measured) - x) - 1 for x in (-0.05, 0.05))
        assert any(low <= share <= high for share in (float(off) / 100, -float(off) / 100))
