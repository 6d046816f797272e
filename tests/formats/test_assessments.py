"""Direct assessments and error spans: tables by any column names, and Appraise's results."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from tercet.data import UNKNOWN, Assessments, Kind
from tercet.errors import InputError
from tercet.formats import judgement_pairs, read_judgements
from tests.formats.files import put, refused

TABLE = """\
hit\tworker\tsystem\ttype\tsid\tz\traw
h1\tw2\tB\tSYSTEM\t7\t0.5\t80
h1\tw2\tA\tREPEAT\t7\t\t-0
h1\tw1\tA\tREF\t9\t-1.25\t99.5
h2\tw1\tA\tBAD_REF\t9\tNA\t100
"""


def read(folder: pathlib.Path, content: str, pair: str | None = None, name: str = "da.tsv") -> Assessments:
    found = read_judgements(put(folder, name, content), pair=pair)
    assert isinstance(found, Assessments)
    return found


@pytest.mark.parametrize("name", ["da.tsv", "da.tsv.gz", "da.csv"])
def test_a_table(tmp_path: pathlib.Path, name: str) -> None:
    found = read(tmp_path, TABLE.replace("\t", ",") if name == "da.csv" else TABLE, name=name)
    assert found.pair == ""
    assert found.systems == ("B", "A")
    assert found.segments == ("7", "9")
    assert found.judges == ("w2", "w1")
    assert found.judge.tolist() == [0, 0, 1, 1]
    assert found.system.tolist() == [0, 1, 1, 1]
    assert found.segment.tolist() == [0, 0, 1, 1]
    assert found.kind.tolist() == [Kind.SYSTEM, Kind.REPEAT, Kind.REFERENCE, Kind.BAD_REFERENCE]
    assert found.score.tolist() == [80, 0, 99.5, 100]
    assert not np.signbit(found.score).any()
    assert found.z is not None
    np.testing.assert_array_equal(found.z, [0.5, np.nan, -1.25, np.nan])
    assert found.task is not None
    assert found.task.tolist() == [0, 0, 1, 2]  # a sitting is of one judge
    assert found.line is not None
    assert found.line.tolist() == [2, 3, 4, 5]
    assert (found.n, found.seconds, found.errors, found.documents, found.notes) == (None, None, None, None, ())


def test_means(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, "SYS SEGID RAW.SCR Z.SCR N SID \nA d::1 92.0 0.59 3 656 \nB d::1 7 -1 1 656\n", "cs-en")
    assert found.pair == "cs-en"
    assert found.segments == ("d::1",)
    assert found.n is not None
    assert found.n.tolist() == [3, 1]
    assert found.judges == ()
    assert found.judge.tolist() == [UNKNOWN, UNKNOWN]
    assert found.kind.tolist() == [Kind.SYSTEM, Kind.SYSTEM]
    assert found.notes == ("Columns left out: 1 (SID).",)


def test_other_names_times_documents_and_spans(tmp_path: pathlib.Path) -> None:
    content = (
        "Annotator,Model,SegmentId,Score,error_spans,doc,start_time,end_time,srclang,trglang\n"
        'ann,A,1,50,"[{""start_i"": 3, ""end_i"": 9, ""severity"": ""major""}]",d1,10,12.5,English,German\n'
        "ann,B,1,60,[],d1,,12.5,English,German\n"
        'bob,B,2,70,"[{""start"": 0, ""end"": 1, ""severity"": ""minor"", ""category"": ""Style""}, '
        '{""start_i"": ""missing"", ""end_i"": ""missing"", ""severity"": ""major""}]",d2,1,1,English,German\n'
    )
    found = read(tmp_path, content)
    assert found.pair == "en-de"
    assert found.documents == ("d1", "d2")
    assert found.seconds is not None
    np.testing.assert_array_equal(found.seconds, [2.5, np.nan, 0])
    errors = found.errors
    assert errors is not None
    assert errors.row.tolist() == [0, 2, 2]
    assert errors.severities == ("major", "minor")
    assert errors.severity.tolist() == [0, 1, 0]
    assert errors.categories == ("Style", "missing")
    assert errors.category.tolist() == [-1, 0, 1]
    assert errors.start is not None
    assert errors.start.tolist() == [3, 0, -1]
    assert errors.end is not None
    assert errors.end.tolist() == [10, 1, -1]  # end_i is the last character, end the one after it


def test_seconds_and_durations(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, "system,segment,score,duration\nA,1,50,00:01:00\nA,1,50,7.5\nA,1,50,\n")
    assert found.seconds is not None
    np.testing.assert_array_equal(found.seconds, [60, 7.5, np.nan])


def test_numbers_that_start_again_in_every_document(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, "system,document,segment,score\nA,d1,1,50\nA,d2,1,60\nB,d1,1,70\n")
    assert found.segments == ("d1:1", "d2:1")
    assert found.documents == ("d1", "d2")
    assert found.segment.tolist() == [0, 1, 0]
    assert found.notes == ("Segments are called document:segment, as their numbers start again in another document.",)


def test_the_same_judgement_twice(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, "judge,system,segment,score\nj,A,1,50\nj,A,1,60\n,A,1,60\n,A,1,60\nk,A,1,60\n")
    assert len(found) == 5
    assert found.notes == ("Rows of a judge, system, segment and type that came before, kept: 1.",)


def test_only_a_header(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, "judge,system,segment,score,spans,hit\n")
    assert len(found) == 0
    assert found.errors is not None
    assert found.task is not None


GOOD = ["h3", "w1", "A", "SYSTEM", "9", "0", "50"]


@pytest.mark.parametrize(
    ("column", "cell", "words"),
    [
        (6, "100.5", ("the score 100.5 is outside 0 to 100",)),
        (6, "-1", ("the score -1 is outside",)),
        (6, "", ("the score is ''", "number")),
        (6, "nan", ("the score is 'nan'",)),
        (6, "inf", ("the score is 'inf'",)),
        (6, "1_0", ("the score is '1_0'",)),
        (6, "good", ("the score is 'good'",)),
        (5, "high", ("the z is 'high'",)),
        (5, "inf", ("the z is 'inf'",)),
        (4, "", ("the segment is not named",)),
        (3, "OTHER", ("the type 'OTHER' is not known", "BAD_REF")),
        (2, "", ("the system is not named",)),
        (2, "A+", ("names no system",)),
        (2, "A+A", ("names a system twice",)),
    ],
)
def test_faults(tmp_path: pathlib.Path, column: int, cell: str, words: tuple[str, ...]) -> None:
    row = "\t".join([*GOOD[:column], cell, *GOOD[column + 1 :]])
    refused(put(tmp_path, "da.tsv", f"{TABLE}{row}\n"), 6, *words)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("system,score\nA,50\n", 1, ("no column segment", "system, score")),
        ("system,segment,score,start\n", 1, ("only one of the columns start and end",)),
        ("system,segment,score,start,end\nA,1,5,9,8\n", 2, ("it ends before it starts",)),
        ("system,segment,score,N\nA,1,5,0\n", 2, ("n is '0'",)),
        ("system,segment,score,N\nA,1,5,1.5\n", 2, ("n is '1.5'",)),
        ("system,segment,score,isCompleteDocument\nA,1,5,perhaps\n", 2, ("isCompleteDocument is 'perhaps'",)),
        ("system,segment,score,doc\nA,1,5,\n", 2, ("the document is not named",)),
        ("system,segment,score,spans\nA,1,5,[\n", 2, ("the error spans '[' are not JSON",)),
        ("system,segment,score,spans\nA,1,5,3\n", 2, ("no list of objects",)),
        ("system,segment,score,spans\nA,1,5,[{}]\n", 2, ("the severity None",)),
        ("system\tsegment\tscore\tspans\nA\t1\t5\t" + '[{"severity": "x", "start": -2}]', 2, ("-2 is no place",)),
        ("system\tsegment\tscore\tspans\nA\t1\t5\t" + '[{"severity": "x", "category": 1}]', 2, ("the category 1",)),
        ("system\tsegment\tscore\tspans\nA\t1\t5\t" + "[" * 100_000, 2, ("are not JSON",)),
    ],
)
def test_more_faults(tmp_path: pathlib.Path, content: str, line: int, words: tuple[str, ...]) -> None:
    refused(put(tmp_path, "da", content), line, *words)


def test_several_pairs(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "da.csv", "lp,system,segment,score\ncs-en,A,1,50\nde-en,B,1,60\nces-eng,C,2,70\n")
    refused(path, 3, "de-en after cs-en", "--pair")
    assert judgement_pairs(path) == ["cs-en", "de-en"]
    found = read_judgements(path, pair="cze-eng")
    assert found.systems == ("A", "C")
    assert found.notes == ("Rows of other language pairs than cs-en, left out: 1.",)


RESULTS = """\
ann,A,7,TGT,ces,eng,80,1500000000.5,1500000010.0
ann,B+C,7,chk,ces,eng,70,1500000010,1500000011
bob,A,9,REF,ces,eng,0,1500000020,1500000021
bob,A,9,BAD,ces,eng,100,1500000021,1500000022
"""


def test_results_of_appraise(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, RESULTS, name="results.csv")
    assert found.pair == "cs-en"
    assert found.systems == ("A", "B", "C")
    assert found.judges == ("ann", "bob")
    assert found.system.tolist() == [0, 1, 2, 0, 0]
    assert found.kind.tolist() == [Kind.SYSTEM, Kind.REPEAT, Kind.REPEAT, Kind.REFERENCE, Kind.BAD_REFERENCE]
    assert found.score.tolist() == [80, 70, 70, 0, 100]
    assert found.seconds is not None
    assert found.seconds.tolist() == [9.5, 1, 1, 1, 1]
    assert found.line is not None
    assert found.line.tolist() == [1, 2, 2, 3, 4]
    assert (found.errors, found.task, found.documents) == (None, None, None)
    assert found.notes == ("Rows, after those of outputs that systems share became one a system: 5 for 4.",)


SPANS = '"[{""start_i"": 1, ""end_i"": 4, ""severity"": ""major"", ""error_type"": ""Style""}]"'


@pytest.mark.parametrize("tail", ["", ",5,1001"])
def test_results_with_documents_and_spans(tmp_path: pathlib.Path, tail: str) -> None:
    content = (
        f"ann,A+B,1,TGT,eng,deu,80,d1,False,{SPANS},10,12{tail}\n"
        f"ann,A,2,TGT,eng,deu,70,d1,False,[],12,13{tail}\n"
        f"ann,A,2,TGT,eng,deu,60,d1,False,[],13,14{tail}\n"
        f"ann,A,2,TGT,eng,deu,75,d1,True,[],14,15{tail}\n"
    )
    path = put(tmp_path, "esa", content)
    assert judgement_pairs(path) == ["en-de"]
    found = read_judgements(path)
    assert isinstance(found, Assessments)
    assert found.segments == ("1", "2")
    assert found.documents == ("d1", "d1")
    assert found.score.tolist() == [80, 80, 70, 60]
    assert (found.task is None) == (not tail)
    errors = found.errors
    assert errors is not None
    assert errors.row.tolist() == [0, 1]
    assert errors.categories == ("Style",)
    assert errors.start is not None
    assert errors.start.tolist() == [1, 1]
    assert found.notes == (
        *(["Columns left out: 1 (item)."] if tail else []),
        "Rows that score a whole document, left out: 1.",
        "Rows, after those of outputs that systems share became one a system: 4 for 3.",
        "Rows of a judge, system, segment and type that came before, kept: 1.",
    )


def test_spans_without_documents(tmp_path: pathlib.Path) -> None:
    found = read(tmp_path, f"ann,A,1,TGT,eng,deu,80,{SPANS},10,12\n", name="esa.csv")
    assert found.errors is not None
    assert found.documents is None
    assert found.seconds is not None
    assert found.seconds.tolist() == [2]


def test_results_that_are_none(tmp_path: pathlib.Path) -> None:
    refused(put(tmp_path, "a.csv", "ann,A,7,TGT,ces,eng,80,1\n"), 1, "no row of Appraise's results", format="appraise")
    refused(put(tmp_path, "a.csv", RESULTS + "ann,A,7,TGT,ces,eng,80,1\n"), 5, "8 cells where line 1 has 9")
    refused(put(tmp_path, "a.csv", RESULTS + "ann,A,7,SRC,ces,eng,80,1,2\n"), 5, "'SRC' is not known")
    refused(put(tmp_path, "a.csv", RESULTS + "ann,A,7,TGT,ces,eng,101,1,2\n"), 5, "outside 0 to 100")
    refused(put(tmp_path, "a.csv", RESULTS + "ann,A,7,TGT,deu,eng,10,1,2\n"), 5, "de-en after cs-en")
    with pytest.raises(InputError, match="is empty"):
        read_judgements(put(tmp_path, "a.csv", ""), "appraise")
