"""Tables of scores: columns by name and place, the real ones of WMT19 and WMT20, Parquet."""

from __future__ import annotations

import dataclasses
import math
import pathlib
from typing import Any

import numpy as np
import polars as pl
import pytest

from tercet.data import MetricScores, Rankings
from tercet.errors import InputError
from tercet.formats import HUMAN, read_judgements, read_scores, write_scores
from tests.formats.files import put
from tests.formats.test_scores import NAN, made, plain, refused


def test_a_metric_may_be_called_as_a_label_is(tmp_path: pathlib.Path) -> None:
    path = put(
        tmp_path, "t.tsv", "LP\tSYSTEM\tHUMAN\tHUMAN_RAW\tLP\nde-en\tA\t1\t70\t0.5\nGerman-English\tB\t2\t80\t0.7\n"
    )
    found = read_scores(path)
    assert [(s.metric, s.direction, s.systems) for s in found] == [
        (name, "de-en", ("A", "B")) for name in (HUMAN, "HUMAN_RAW", "LP")
    ]
    assert found[2].values.tolist() == [[0.5], [0.7]]


def test_counts_and_further_names_are_no_metrics(tmp_path: pathlib.Path) -> None:
    """Tables of direct assessment of WMT20, of segments and of systems."""
    notes: list[str] = []
    path = put(tmp_path, "da.ssv", "SYS SEGID RAW.SCR Z.SCR N SID \nA d::1 92.0 0.59 3 656 \nB d::1 7 -1 1 656 \n")
    assert [(s.metric, s.level, s.items) for s in read_scores(path, notes=notes)] == [
        (name, "segment", ("d::1",)) for name in ("HUMAN_RAW", HUMAN)
    ]
    assert notes == [f"{path}: columns that are no scores, left out: N, SID."]
    of_systems = put(tmp_path, "sys.ssv", "RAW.SCR Z.SCR N SYS N.ALL \n73.5 0.25 627 A 877 \n")
    assert [(s.metric, s.values.tolist()) for s in read_scores(of_systems)] == [
        ("HUMAN_RAW", [[73.5]]),
        (HUMAN, [[0.25]]),
    ]
    plain = put(tmp_path, "plain.tsv", "system\tN\nA\t1\n")
    assert [s.metric for s in read_scores(plain)] == ["N"]


@pytest.mark.parametrize("missing", ["", "NA", "None", "nan", "n/a"])
def test_what_is_missing(tmp_path: pathlib.Path, missing: str) -> None:
    text = f"system,M,human,gone\nA,{missing},1,{missing}\nB,2,{missing},{missing}\n"
    notes: list[str] = []
    path = put(tmp_path, "t.csv", text)
    first, human = read_scores(path, notes=notes)
    assert [repr(s.values.tolist()) for s in (first, human)] == ["[[nan], [2.0]]", "[[1.0], [nan]]"]
    assert human.metric == HUMAN
    assert notes == [f"{path}: metrics without a score, left out: gone."]


def test_levels_and_any_order_of_columns(tmp_path: pathlib.Path) -> None:
    (segments,) = read_scores(put(tmp_path, "a.tsv", "M\tseg_id\tmodel\n1\tx\tA\n2\ty\tA\n3\tx\tB\n"), pair="de-en")
    assert (segments.level, segments.direction, segments.items) == ("segment", "de-en", ("x", "y"))
    assert repr(segments.values.tolist()) == "[[1.0, 2.0], [3.0, nan]]"
    (documents,) = read_scores(put(tmp_path, "b.tsv", "system\tdoc\tM\nA\td\t1\n"))
    assert (documents.level, documents.items) == ("document", ("d",))
    (systems,) = read_scores(put(tmp_path, "c", "system  M\n A 1 \n B\t2\n"))
    assert (systems.level, systems.values.tolist()) == ("system", [[1.0], [2.0]])


@pytest.mark.parametrize("end", ["", " "])
def test_cells_between_single_blanks_may_be_empty(tmp_path: pathlib.Path, end: str) -> None:
    rows = ["LP SYSTEM HUMAN BLEU TER", "cs-en A 0.5  -0.25", "cs-en B  26.5 ", "", "cs-en C   -0.5", "cs-en D 1 2 3"]
    found = read_scores(put(tmp_path, "sys-scores.tsv", "".join(f"{row}{end}\n" for row in rows)))
    assert [s.metric for s in found] == [HUMAN, "BLEU", "TER"]
    assert found[0].systems == ("A", "B", "C", "D")
    shown = [repr(s.values[:, 0].tolist()) for s in found]
    assert shown == ["[0.5, nan, nan, 1.0]", "[nan, 26.5, nan, 2.0]", "[-0.25, nan, -0.5, 3.0]"]


@pytest.mark.parametrize(
    ("text", "fault"),
    {
        "a header with padding": ("SYSTEM  M N\nA  1\n", "line 2: 2 cells where line 1 has 3"),
        "both ways": ("SYSTEM M N\nA  1\nB  1 2\n", "line 3: 4 cells where line 1 has 3"),
        "neither way": ("SYSTEM M N\nA  1\nB 1\n", "line 3: 2 cells where line 1 has 3"),
    }.values(),
)
def test_blanks_that_do_not_tell_which_cell_is_empty(tmp_path: pathlib.Path, text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault) as caught:
        read_scores(put(tmp_path, "t.txt", text))
    assert "An empty cell is seen only where one single blank stands between any two." in caught.value.hint


def test_segments_of_documents(tmp_path: pathlib.Path) -> None:
    alone, again = "system\tdocument\tsegment\tM\nA\td\t1\t1\nA\te\t2\t2\n", "A\te\t1\t3\n"
    notes: list[str] = []
    (found,) = read_scores(put(tmp_path, "a.tsv", alone), notes=notes)
    assert (found.items, notes) == (("1", "2"), [])
    (found,) = read_scores(put(tmp_path, "b.tsv", alone + again), notes=notes)
    assert found.items == ("d:1", "e:2", "e:1")
    assert "document:segment" in notes[0]
    (found,) = read_scores(put(tmp_path, "c.tsv", alone.replace("document\tsegment", "docid\tsegid")))
    assert found.items == ("d::1", "e::2")


def test_the_same_numbers_in_documents_of_two_pairs(tmp_path: pathlib.Path) -> None:
    text = "lp\tsystem\tdocument\tsegment\tM\nde-en\tA\td\t1\t1\nen-de\tA\te\t1\t2\n"
    assert [s.items for s in read_scores(put(tmp_path, "a.tsv", text))] == [("1",), ("1",)]


def test_choosing(tmp_path: pathlib.Path) -> None:
    text = "testset\trefset\tlp\tsystem\tM\nt\tr1\tde-en\tA\t1\nt\tr2\tde-en\tA\t2\nt\tr1\ten-de\tA\t3\n"
    path = put(tmp_path, "a.tsv", text)
    refused(path, "more than one reference: r1, r2", "reference='r1'")
    assert [s.values.item() for s in read_scores(path, reference="r1")] == [1.0, 3.0]
    assert [s.values.item() for s in read_scores(path, reference="r2", pair="de-en", testset="t")] == [2.0]
    refused(path, "no scores of what is wanted", reference="r2", pair="en-de")
    refused(path, "does not say the domain", domain="news")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("system\tM\tM\nA\t1\t2\n", [", line 1", "two columns are called 'M'"]),
        ("system\thuman\tHUMAN\nA\t1\t2\n", [", line 1", "two columns are called 'HUMAN'"]),
        ("system\t\tM\nA\t1\t2\n", [", line 1", "column 2 has no name"]),
        ("system\tsegment\nA\t1\n", [", line 1", "no metric among system, segment"]),
        ("system\tM\nA\tgood\n", [", line 2", "the M is 'good'"]),
        ("system\tM\nA\tinf\n", [", line 2", "the M is 'inf'"]),
        ("system\tM\nA\t1\n\nA\t2\n", [", line 4", "system 'A' is on line 2 already"]),
        ("system\tsegment\tM\nA\t1\t1\nA\t1\t2\n", [", line 3", "system 'A', segment '1', is on line 2"]),
        ("system\tM\n\t1\n", [", line 2", "the system is not named"]),
        ("system\tsegment\tM\nA\t\t1\n", [", line 2", "the segment is not named"]),
        ("system\tdocument\tM\nA\t\t1\n", [", line 2", "the document is not named"]),
        ("lp\tsystem\tM\nde\tA\t1\n", [", line 2", "'de' is no language pair"]),
        ("lp\tsystem\tM\n\tA\t1\n", [", line 2", "the pair is not named"]),
        ("system\tM\nA\n", [", line 2", "1 cells where line 1 has 2"]),
        ("system\tM\n", ["no scores"]),
        ("system\tM\nA\tNA\n", ["has no scores"]),
    ],
)
def test_faults(tmp_path: pathlib.Path, text: str, words: list[str]) -> None:
    refused(put(tmp_path, "t.tsv", text), *words)


def test_what_is_written(tmp_path: pathlib.Path) -> None:
    first = made("a,b", [[1.0, NAN], [0.1, 2.0]])
    other = dataclasses.replace(made("c", [[5.0]], "en-de"), systems=("Z",), items=("9",))
    path = tmp_path / "t.csv"
    write_scores([first, other], path)
    assert path.read_text() == (
        'lp,system,segment,"a,b",c\nde-en,A,1,1.0,\nde-en,A,2,,\nde-en,B,1,0.1,\nde-en,B,2,2.0,\nen-de,Z,9,,5.0\n'
    )
    notes: list[str] = []
    assert plain(read_scores(path, notes=notes)) == plain([first, other])
    assert notes == [f"{path}: metrics without a score, left out: c de-en, a,b en-de."]


def test_metrics_of_different_systems_share_a_table(tmp_path: pathlib.Path) -> None:
    first, second = made("M", [[1.0, 2.0]]), dataclasses.replace(made("N", [[3.0]]), systems=("B",), items=("2",))
    write_scores([first, second], tmp_path / "t.tsv")
    found = read_scores(tmp_path / "t.tsv")
    assert [(s.systems, s.items) for s in found] == [(("A", "B"), ("1", "2"))] * 2
    assert [repr(s.values.tolist()) for s in found] == ["[[1.0, 2.0], [nan, nan]]", "[[nan, nan], [nan, 3.0]]"]


@pytest.mark.parametrize("name", ["document", "human", " M", "a\tb", "a\n", "", "DocID"])
def test_metrics_that_would_be_read_as_something_else(tmp_path: pathlib.Path, name: str) -> None:
    with pytest.raises(InputError):
        write_scores([made(name, [[1.0]], level="system")], tmp_path / "t.tsv")
    assert not list(tmp_path.iterdir())


def test_a_metric_called_system(tmp_path: pathlib.Path) -> None:
    scores = [made("System", [[1.0]], level="system"), made("LP", [[1.0]], level="system")]
    write_scores(scores, tmp_path / "t.tsv")
    assert plain(read_scores(tmp_path / "t.tsv")) == plain(scores)
    with pytest.raises(InputError, match="metric called 'system', which is another column"):
        write_scores([made("system", [[1.0]], level="system")], tmp_path / "t.parquet")


def test_parquet_of_others(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"system": ["A", "A"], "sid": [7, 8], "M": [1, None], "none": [None, None]}).write_parquet(path)
    (found,) = read_scores(path)
    assert (found.metric, found.items, repr(found.values.tolist())) == ("M", ("7", "8"), "[[1.0, nan]]")


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"system": ["A"], "M": ["1"]}, ["column 'M' is String, not numbers"]),
        ({"system": ["A"], "M": [True]}, ["column 'M' is Boolean, not numbers"]),
        ({"system": [1.5], "M": [1.0]}, ["column 'system' is Float64, not text"]),
        ({"system": ["A"], "M": [math.inf]}, [", row 1", "the M is infinite"]),
        ({"system": ["A", None], "M": [1.0, 2.0]}, [", row 2", "the system is not named"]),
        ({"system": ["A", "A"], "M": [1.0, 2.0]}, [", row 2", "on row 1 already"]),
        ({"M": [1.0]}, ["no column system among M"]),
    ],
)
def test_parquet_with_faults(tmp_path: pathlib.Path, columns: dict[str, Any], words: list[str]) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame(columns).write_parquet(path)
    refused(path, *words)


def test_what_is_no_parquet(tmp_path: pathlib.Path) -> None:
    refused(put(tmp_path, "a.parquet", "system\tM\n"), "is not Parquet")
    refused(put(tmp_path, "b.parquet", b"PAR1 and nothing else"), "cannot be read as Parquet")


# What the README beside the data states: |r| with HUMAN.
WMT19 = {
    "de-en": {
        "BLEU": 0.849,
        "TER": 0.874,
        "chrF": 0.917,
        "CDER": 0.890,
        "EED": 0.903,
        "CharacTER": 0.898,
        "BEER": 0.906,
    },
    "en-de": {
        "UNI": 0.841,
        "LASIM": 0.871,
        "LP": 0.569,
        "ibm1-pos4gram": 0.393,
        "sacreBLEU-BLEU": 0.969,
        "NIST": 0.321,
    },
    "en-cs": {"UNI": 0.028, "BLEU": 0.897},
    "en-fi": {"UNI": 0.907, "BLEU": 0.969},
    "kk-en": {"BLEU": 0.946, "PER": 0.737},
    "fi-en": {"BLEU": 0.982},
    "lt-en": {"BLEU": 0.961},
    **{pair: {} for pair in ("de-cs", "de-fr", "en-gu", "en-lt", "en-zh")},
}
WMT20: dict[str, dict[str, float]] = {
    "km-en": {"BLEU": 0.969, "chrF": 0.978},
    "cs-en": {"BLEU": 0.851, "chrF": 0.872},
    "ta-en": {"BLEU": 0.916, "chrF": 0.951},
}


def correlations(path: pathlib.Path, pair: str, wanted: dict[str, float]) -> dict[str, float]:
    """|r| of metrics with HUMAN, the first column, in a table that must hold nothing but whole columns of one pair."""
    notes: list[str] = []
    human, *metrics = read_scores(path, notes=notes)
    header = path.read_text().partition("\n")[0].split()
    assert [s.metric for s in (human, *metrics)] == header[2:]
    assert {(s.direction, s.level, s.systems, bool(np.isnan(s.values).any())) for s in (human, *metrics)} == {
        (pair, "system", human.systems, False)
    }
    assert len(human.systems) == path.read_text().count("\n") - 1
    assert (human.metric, notes) == (HUMAN, [])
    by_name = {s.metric: s.values[:, 0] for s in metrics}
    return {name: round(abs(float(np.corrcoef(human.values[:, 0], by_name[name])[0, 1])), 3) for name in wanted}


def test_system_scores_of_wmt19(shared: pathlib.Path) -> None:
    folder = shared / "data" / "wmt19-metrics" / "system-scores"
    files = {path.name.split(".")[1]: path for path in folder.iterdir()}
    assert set(files) == set(WMT19)
    assert {pair: correlations(path, pair, WMT19[pair]) for pair, path in files.items()} == WMT19


@pytest.mark.parametrize("pair", WMT20)
def test_system_scores_of_wmt20(shared: pathlib.Path, pair: str) -> None:
    path = shared / "data" / "wmt20-metrics" / f"sys-scores.{pair}.tsv"
    assert correlations(path, pair, WMT20[pair]) == WMT20[pair]


@pytest.mark.parametrize(
    ("pair", "n", "taus"),
    [
        ("km-en", 3706, {"chrF": 0.2671, "TER": 0.1252, "YiSi-2": 0.2142}),
        ("cs-en", 14018, {"chrF": 0.0863, "TER": -0.0401, "YiSi-2": 0.0676}),
        ("ta-en", 12789, {"chrF": 0.1857, "TER": 0.0456, "YiSi-2": 0.1993}),
    ],
)
def test_segment_scores_of_wmt20_go_with_its_judgements(
    shared: pathlib.Path, pair: str, n: int, taus: dict[str, float]
) -> None:
    folder = shared / "data" / "wmt20-metrics"
    found = read_scores(folder / f"seg-metric-scores.{pair}.tsv.gz", pair=pair)
    assert {(s.level, s.direction) for s in found} == {("segment", pair)}
    judged = read_judgements(folder / f"daRR-agree.{pair}.ssv.gz")
    assert isinstance(judged, Rankings)
    assert {s.metric: round(tau(s, judged, n), 4) for s in found} == taus


def tau(scores: MetricScores, judged: Rankings, n: int) -> float:
    """Kendall's tau of WMT20 from pairs of a better and a worse system: ties of the metric are wrong."""
    items = {name: i for i, name in enumerate(scores.items)}
    systems = {name: i for i, name in enumerate(scores.systems)}
    better, worse = judged.output.reshape(-1, 2).T
    ranks = judged.rank.reshape(-1, 2)
    assert (ranks == [1, 2]).all()
    assert len(better) == n
    item = np.array([items[judged.segments[i]] for i in judged.segment])
    first, second = (
        np.array([systems[judged.systems[judged.outputs[o][0]]] for o in side]) for side in (better, worse)
    )
    agree = scores.values[first, item] > scores.values[second, item]
    return float(2 * agree.mean() - 1)
