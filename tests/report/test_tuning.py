"""The table of `tune`: before and after, with the spec to paste at its end."""

from __future__ import annotations

import dataclasses

from tercet.data.tuning import Tuning, TuningRecord
from tercet.report.tuning import tuning_table


def record(part: str, direction: str, value: float, default: float, settings: str | None = "beta=3") -> TuningRecord:
    spec = None if settings is None else f"chrf({settings})"
    return TuningRecord(part, direction, spec, settings, "segment", "kendall", value, default, value - default, 10)


def tuning(*records: TuningRecord) -> Tuning:
    return Tuning("chrf(beta=3)", "chrf", ("beta=1:3:1",), "kendall", 3, records, (), "Said.", "tune|x", ("Noted.",))


def test_one_direction() -> None:
    found = tuning(
        record("all", "de-en", 0.51234, 0.4),
        record("fold 1", "de-en", 0.3, 0.3),
        record("held-out", "de-en", 0.2, 0.25),
    )
    table = tuning_table(found)
    assert table.header == ("part", "default", "tuned", "gain", "n", "tuned to")
    assert table.rows == (
        ("all", ".4000", ".5123", "+.1123", "10", "beta=3"),
        ("fold 1", ".3000", ".3000", ".0000", "10", "beta=3"),
        ("held-out", ".2500", ".2000", "-.0500", "10", "beta=3"),
    )
    assert table.rules == {0, 1}
    assert table.notes == (
        "kendall; default: chrf.",
        "Said.",
        "Noted.",
        "tune|x",
        "",
        "tuned, not advised: chrf(beta=3)",
    )
    assert tuning_table(found, 2).rows[0][1:4] == (".40", ".51", "+.11")


def test_a_gain_and_no_change_can_be_pasted() -> None:
    parts = (
        record("all", "de-en", 0.5, 0.4),
        record("fold 1", "de-en", 0.5, 0.4),
        record("held-out", "de-en", 0.5, 0.4),
    )
    assert tuning_table(tuning(*parts)).notes[-1] == "chrf(beta=3)"
    same = dataclasses.replace(tuning(*(dataclasses.replace(r, gain=0.0) for r in parts)), spec="chrf")
    assert tuning_table(same).notes[-1] == "chrf"


def test_of_the_folds_of_several_directions_only_the_average_is_shown() -> None:
    directions = ("de-en", "ru-en", "average")
    parts = ("all", "fold 1", "fold 2", "held-out")
    table = tuning_table(tuning(*(record(p, d, 0.5, 0.4) for p in parts for d in directions)))
    assert [row[:2] for row in table.rows] == [
        *(("all", d) for d in directions),
        ("fold 1", "average"),
        ("fold 2", "average"),
        *(("held-out", d) for d in directions),
    ]
    assert [row[-1] for row in table.rows] == ["", "", *["beta=3"] * 3, "", "", "beta=3"]
    apart = tuning_table(tuning(*(record(p, d, 0.5, 0.4, None) for p in parts for d in directions)))
    assert {row[-1] for row in apart.rows} == {""}
    assert table.rules == {2, 4}
