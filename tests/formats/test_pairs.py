"""Pairs of a better and a worse system."""

from __future__ import annotations

import pathlib

import pytest

from tercet.data import UNKNOWN, Rankings
from tercet.formats import judgement_pairs, read_judgements
from tests.formats.files import put, refused

FULL = "lp\tsegment\tbetter\tworse\ncs-en\t7\tb\ta\ncs-en\t9\ta\tc\ncs-en\t7\tb\ta\n"


def read(folder: pathlib.Path, content: str, pair: str | None = None, name: str = "p.tsv") -> Rankings:
    found = read_judgements(put(folder, name, content), pair=pair)
    assert isinstance(found, Rankings)
    return found


@pytest.mark.parametrize("name", ["p.tsv", "p.tsv.gz", "p.csv"])
def test_a_full_file(tmp_path: pathlib.Path, name: str) -> None:
    found = read(tmp_path, FULL.replace("\t", ",") if name == "p.csv" else FULL, name=name)
    assert found.pair == "cs-en"
    assert found.systems == ("b", "a", "c")
    assert found.segments == ("7", "9")
    assert found.judges == ()
    assert found.judge.tolist() == [UNKNOWN] * 3
    assert found.starts.tolist() == [0, 2, 4, 6]
    assert [found.systems[s] for (s,) in (found.outputs[o] for o in found.output)] == ["b", "a", "a", "c", "b", "a"]
    assert found.rank.tolist() == [1, 2] * 3
    assert found.line is not None
    assert found.line.tolist() == [2, 3, 4]
    assert found.seconds is None
    assert found.notes == ()


def test_judges_and_ties(tmp_path: pathlib.Path) -> None:
    content = "better,worse,segment,tie,judge\na,b,7,True,ann\na,b,7,0,\na,b,7,,bob\nb+c,a,8,1,ann\n"
    found = read(tmp_path, content)
    assert found.pair == ""
    assert found.rank.tolist() == [1, 1, 1, 2, 1, 2, 1, 1]
    assert found.judges == ("ann", "bob")
    assert found.judge.tolist() == [0, UNKNOWN, 1, 0]
    assert found.outputs == ((0,), (1,), (1, 2))


def test_files_of_darr(tmp_path: pathlib.Path) -> None:
    content = "SID BETTER WORSE chrF  TER \ndoc::1 A B 1 0\n  doc::2\tB A 0 0 \n\n"
    found = read(tmp_path, content, "km-en", name="daRR-agree.ssv")
    assert found.pair == "km-en"
    assert found.segments == ("doc::1", "doc::2")
    assert found.systems == ("A", "B")
    assert found.notes == ("Columns left out: 2 (chrF, TER).",)


def test_only_a_header(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, "lp\tsegment\tbetter\tworse\n", "cs-en")
    assert len(found) == 0
    assert found.pair == "cs-en"


def test_several_pairs(tmp_path: pathlib.Path) -> None:
    content = FULL.replace("cs-en\t9", "Hindi-English\t9")
    path = put(tmp_path, "p.tsv", content)
    assert judgement_pairs(path) == ["cs-en", "hi-en"]
    refused(path, 3, "hi-en after cs-en", "--pair")
    found = read(tmp_path, content, "hin-eng")
    assert found.systems == ("a", "c")
    assert found.notes == ("Rows of other language pairs than hi-en, left out: 2.",)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("cs-en\t7\ta\ta", ("system 'a' is there twice",)),
        ("cs-en\t7\ta+b\tb", ("system 'b' is there twice",)),
        ("cs-en\t7\ta\t", ("the cell worse is empty",)),
        ("cs-en\t7\t\tb", ("the cell better is empty",)),
        ("cs-en\t\ta\tb", ("the cell segment is empty",)),
        ("cs-en\t7\ta", ("3 cells where line 1 has 4", "tabs")),
        ("cs-en\t7\ta\tb\tc", ("5 cells where line 1 has 4",)),
        ("csen\t7\ta\tb", ("'csen' is no language pair",)),
    ],
)
def test_faults(tmp_path: pathlib.Path, row: str, words: tuple[str, ...]) -> None:
    refused(put(tmp_path, "p.tsv", f"{FULL}{row}\n"), 5, *words)


def test_a_tie_that_is_neither(tmp_path: pathlib.Path) -> None:
    refused(put(tmp_path, "p.csv", "segment,better,worse,tie\n7,a,b,0\n7,a,b,maybe\n"), 3, "tie is 'maybe'", "true")


def test_no_segment(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "p.csv", "lp,where,better,worse\n")
    refused(path, 1, "no column segment", "lp, where, better, worse")


def test_a_message_stays_short(tmp_path: pathlib.Path) -> None:
    long = "x" * 100_000
    for content in (f"segment,better,where{long}\n1,a,b\n", f"segment,better,worse,tie\n1,a,b,{long}\n"):
        assert len(str(refused(put(tmp_path, "p.csv", content), None, "xxx", format="pairs"))) < 1000
    path = put(tmp_path, "p.csv", f"lp,segment,better,worse\n{long},1,a,b\n")
    assert len(str(refused(path, 2, "is no language pair"))) < 1000
