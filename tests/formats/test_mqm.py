"""MQM: errors of a rater, system and segment are one assessment."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from tercet.data import Assessments
from tercet.formats import judgement_pairs, read_judgements
from tests.formats.files import put, refused

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment"
ROWS = [
    'A\tt1\t1\t5\tr2\tsay "yes\tsag <v>"ja</v>!\tAccuracy/Mistranslation\tMajor\tx',
    "A\tt1\t1\t5\tr1\tsay\tsag\tNo-error\tNo-error\t",
    "B\tt1\t1\t5\tr2\tsay <v>it</v>\tsag\tAccuracy/Omission\tMinor\t",
    "A\tt1\t1\t5\tr2\tsay\tsag <v>ja!\tStyle/Awkward\tminor\t",
    "A\tt2\t1\t6\tr2\tso\t<v>so</v>\tNon-translation!\tMajor\t",
    "A\tt1\t1\t5\tr2\tsay\tsag\tno-error\tNeutral\t",
]


def read(folder: pathlib.Path, rows: list[str], header: str = HEADER, pair: str | None = None) -> Assessments:
    found = read_judgements(put(folder, "m.tsv", "\n".join([header, *rows, ""])), pair=pair)
    assert isinstance(found, Assessments)
    return found


def test_a_full_file(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, ROWS, pair="English-German")
    assert found.pair == "en-de"
    assert judgement_pairs(tmp_path / "m.tsv") == []
    assert found.systems == ("A", "B")
    assert found.segments == ("5", "6")
    assert found.documents == ("t1", "t2")
    assert found.judges == ("r2", "r1")
    assert list(zip(found.judge.tolist(), found.system.tolist(), found.segment.tolist(), strict=True)) == [
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
    ]
    assert np.isnan(found.score).all()
    assert found.line is not None
    assert found.line.tolist() == [2, 3, 4, 6]
    errors = found.errors
    assert errors is not None
    assert errors.row.tolist() == [0, 0, 2, 3]
    assert [errors.categories[c] for c in errors.category] == [
        "Accuracy/Mistranslation",
        "Style/Awkward",
        "Accuracy/Omission",
        "Non-translation!",
    ]
    assert [errors.severities[s] for s in errors.severity] == ["Major", "minor", "Minor", "Major"]
    assert errors.start is not None
    assert errors.start.tolist() == [4, -1, -1, 0]
    assert errors.end is not None
    assert errors.end.tolist() == [7, -1, -1, 2]
    assert found.notes == (
        "Columns left out: 1 (comment).",
        "Assessments with errors and a row that says No-error, errors kept: 1.",
    )


def test_no_errors_at_all(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, [ROWS[1]])
    assert found.errors is not None
    assert found.errors.categories == ()
    assert len(found.errors.row) == 0
    assert len(found) == 1
    assert len(read(tmp_path, [])) == 0


def test_other_columns(tmp_path: pathlib.Path) -> None:
    header = "system\tglobalSegId\trater\ttarget\tcategory\tseverity"
    found = read(tmp_path, ["A\t5\t\tx\tOther\tMajor"], header)
    assert found.documents is None
    assert found.judges == ()
    assert found.judge.tolist() == [-1]


def test_faults(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "m.tsv", HEADER.replace("rater", "who"))
    refused(path, 1, "no column rater", "who")
    refused(put(tmp_path, "m.tsv", f"{HEADER}\n{ROWS[0]}\tmore\n"), 2, "11 cells where line 1 has 10")
    refused(put(tmp_path, "m.tsv", f"{HEADER}\n{ROWS[0][1:]}\n"), 2, "the system is not named")


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_line_separators_inside_a_text(tmp_path: pathlib.Path, ending: str) -> None:
    content = ending.join([HEADER, ROWS[0].replace("say", "say\u2028\x85"), ""])
    found = read_judgements(put(tmp_path, "m.tsv.gz", content))
    assert len(found.segments) == 1
