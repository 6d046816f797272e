"""Lines of submissions to the metrics task, known by their fields."""

from __future__ import annotations

import pytest

from tercet.errors import InputError
from tercet.formats.submissions import LAYOUTS, Submission, parse_line

CELLS = {
    "metric": "BEER",
    "pair": "cs-en",
    "testset": "newstest",
    "system": "online-B.0",
    "segment": "17",
    "score": "-0.5",
    "document": "d.7",
    "domain": "news",
    "reference": "refA",
    "ensemble": "non-ensemble",
    "available": "https://example.org",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_format_with_and_without_its_name(name: str) -> None:
    line = "\t".join(CELLS[field] for field in LAYOUTS[name]) + "\r\n"
    known = {field: CELLS[field] for field in LAYOUTS[name]}
    expected = Submission(
        metric="BEER",
        pair="cs-en",
        testset="newstest",
        system="online-B.0",
        score=-0.5,
        segment=17 if "segment" in known else None,
        document=known.get("document"),
        domain=known.get("domain"),
        reference=known.get("reference"),
        ensemble=False if "ensemble" in known else None,
        available=known.get("available"),
    )
    assert parse_line(line) == expected
    assert parse_line(line, name) == expected


def test_a_number_is_a_segment_rather_than_a_system() -> None:
    line = "M\tcs-en\tt\trefA\t12\t0.5\tensemble\tno"
    found = parse_line(line)
    assert (found.system, found.segment, found.ensemble, found.available) == ("refA", 12, True, None)
    assert parse_line(line, "wmt19-seg") == found
    assert parse_line(line, "wmt20-sys").system == "12"
    assert parse_line("M\tcs-en\tt\t12\t0.5").system == "12"  # a hybrid


@pytest.mark.parametrize(
    ("line", "name", "words"),
    [
        ("M\tcs-en\tt\tX\tgood", None, r"there has the score 'good'.*number"),
        ("M\tcs-en\tt\tX\tnan", "wmt14-sys", r"there has the score 'nan'"),
        ("M\tcs-en\tt\tX\t0\t0.5", None, r"there has the segment '0'.*from 1"),
        ("M\tcsen\tt\tX\t0.5", None, r"there has the pair 'csen'"),
        ("M\tcs-en\tt\t\t0.5", None, r"there has the system ''"),
        ("M\tcs-en\tt\tX\t0.5\tperhaps\tno", "wmt19-sys", r"there has the ensemble 'perhaps'"),
        ("M\tcs-en\tt\tX\t0.5\tperhaps\tno", None, r"there is none of wmt19-sys, wmt23-sys"),
        ("M\tcs-en\tt\tX\t0.5", "wmt14-seg", r"there has 5 fields, wmt14-seg 6"),
        ("M cs-en t X 0.5", None, r"there has 1 fields.*5, 6, 7, 8, 9, 10, separated by tabs"),
        ("M\tcs-en\tt\tX\t0.5", "wmt99", r"no format of scores called 'wmt99'.*wmt14-sys"),
    ],
)
def test_faults(line: str, name: str | None, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_line(line, name, "there")
