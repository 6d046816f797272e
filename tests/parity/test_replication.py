"""The published tables, again from raw judgements: nothing is off, and nothing has changed."""

from __future__ import annotations

import pathlib

from replication.__main__ import complaints, recorded, rows
from replication.rows import Row


def test_the_replication_stands(shared: pathlib.Path) -> None:
    found = rows()
    assert complaints(found) == []
    assert len(found) == len(recorded()) > 500


def test_a_change_is_seen() -> None:
    key, figure = next(iter(recorded().items()))
    campaign, _, what = key.partition(": ")
    moved = Row(campaign, what, figure, figure + "1")
    assert any(line.startswith(f"{key}: was {figure}, is {figure}1") for line in complaints([moved]))


def test_verdicts() -> None:
    assert Row("c", "w", 1.0, 1.01, tolerance=0.01).verdict == "yes"
    assert Row("c", "w", 1.0, 1.02, tolerance=0.01).verdict == "NO"
    assert Row("c", "w", 1.0, 1.02, tolerance=0.01, stated="why").verdict == "stated"
    assert Row("c", "w", "3-4", "3-5", near="one edge").verdict == "yes"
    assert Row("c", "w", "3-4", "3-5").verdict == "NO"
