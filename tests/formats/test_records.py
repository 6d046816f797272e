"""Records of judgements: nothing is lost on the way to a file and back."""

from __future__ import annotations

import json
import math
import pathlib
from typing import Any

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from tercet.data import SKIPPED, UNKNOWN, Assessments, Errors, Judgements, Kind, Rankings
from tercet.errors import InputError
from tercet.formats import judgement_pairs, read_judgements, records
from tests.formats.files import put, refused, same

text = st.text(st.characters(codec="utf-8"), max_size=5)
unique = st.lists(text, unique=True, max_size=4).map(tuple)
some = st.lists(text, unique=True, min_size=1, max_size=4).map(tuple)
pairs = st.sampled_from(["", "cs-en", "en-zh_tw"])
finite = st.floats(-1e6, 1e6)
maybe = finite | st.just(math.nan)


def ints(low: int, high: int, n: int) -> st.SearchStrategy[np.ndarray[Any, np.dtype[np.int64]]]:
    whole = st.lists(st.integers(low, high), min_size=n, max_size=n)
    return whole.map(lambda column: np.array(column, dtype=np.int64))


def reals(of: st.SearchStrategy[float], n: int) -> st.SearchStrategy[np.ndarray[Any, np.dtype[np.float64]]]:
    return st.lists(of, min_size=n, max_size=n).map(lambda column: np.array(column, dtype=np.float64))


@st.composite
def rankings(draw: st.DrawFn) -> Rankings:
    """Any rankings in which a task holds a system once; some names are of nobody."""
    systems, segments, judges = draw(some), draw(some), draw(unique)
    numbers = st.integers(0, len(systems) - 1)
    lists = st.lists(numbers, unique=True, min_size=1, max_size=3).map(tuple)
    outputs = draw(st.lists(lists, unique=True, min_size=1, max_size=5))
    n = draw(st.integers(0, 4))
    tasks: list[list[int]] = []
    for _ in range(n):
        task: list[int] = []
        for output in draw(st.lists(st.integers(0, len(outputs) - 1), max_size=4)):
            taken = {system for each in task for system in outputs[each]}
            if taken.isdisjoint(outputs[output]):
                task.append(output)
        tasks.append(task)
    flat = [output for task in tasks for output in task]
    ranks = draw(st.lists(st.sampled_from([SKIPPED, 1, 2, 7]), min_size=len(flat), max_size=len(flat)))
    return Rankings(
        draw(pairs),
        systems,
        segments,
        judges,
        tuple(outputs),
        draw(ints(0, len(segments) - 1, n)),
        draw(ints(UNKNOWN, len(judges) - 1, n)),
        np.cumsum([0, *map(len, tasks)], dtype=np.int64),
        np.array(flat, dtype=np.int64),
        np.array(ranks, dtype=np.int64),
        draw(st.none() | reals(maybe, n)),
        draw(st.none() | ints(1, 10**12, n)),
        notes=draw(unique),
        file=draw(text),
    )


@st.composite
def errors(draw: st.DrawFn, n_rows: int) -> Errors:
    categories, severities = draw(unique), draw(some)
    n = draw(st.integers(0, 4)) if n_rows else 0
    rows = draw(st.lists(st.integers(0, max(n_rows - 1, 0)), min_size=n, max_size=n))
    placed = draw(st.booleans())
    return Errors(
        np.array(sorted(rows), dtype=np.int64),
        categories,
        draw(ints(-1, len(categories) - 1, n)),
        severities,
        draw(ints(0, len(severities) - 1, n)),
        draw(ints(-1, 99, n)) if placed else None,
        draw(ints(-1, 99, n)) if placed else None,
    )


@st.composite
def assessments(draw: st.DrawFn) -> Assessments:
    """Any assessments, their errors in the order of rows."""
    systems, segments, judges = draw(some), draw(some), draw(unique)
    n = draw(st.integers(0, 4))
    documents = st.lists(text, min_size=len(segments), max_size=len(segments)).map(tuple)
    return Assessments(
        draw(pairs),
        systems,
        segments,
        judges,
        draw(ints(UNKNOWN, len(judges) - 1, n)),
        draw(ints(0, len(systems) - 1, n)),
        draw(ints(0, len(segments) - 1, n)),
        draw(ints(0, len(Kind) - 1, n)),
        draw(reals(st.floats(0, 100) | st.just(math.nan), n)),
        draw(st.none() | reals(maybe, n)),
        draw(st.none() | ints(1, 9, n)),
        draw(st.none() | reals(maybe, n)),
        draw(st.none() | ints(-5, 10**12, n)),
        draw(st.none() | ints(1, 10**12, n)),
        draw(st.none() | errors(n)),
        draw(st.none() | documents),
        notes=draw(unique),
        file=draw(text),
    )


@hypothesis.given(rankings() | assessments(), st.sampled_from(["x.jsonl", "x.jsonl.gz"]))
def test_there_and_back(tmp_path_factory: pytest.TempPathFactory, given: Judgements, name: str) -> None:
    path = tmp_path_factory.mktemp("records") / name
    records.write(given, path)
    same(given, read_judgements(path))
    wanted = [given.pair] if given.pair else []
    assert judgement_pairs(path) == wanted


def lines(*given: dict[str, Any]) -> str:
    return "".join(json.dumps(each) + "\n" for each in given)


RANKING: dict[str, Any] = {
    "lp": "ces-eng",
    "segment": 7,
    "judge": "ann",
    "protocol": "rr",
    "items": [{"systems": ["b", "a"], "rank": 2}, {"systems": ["c"], "rank": -1}],
    "time": {"start": 10, "end": 12.5},
}
ASSESSMENT: dict[str, Any] = {
    "lp": "cs-en",
    "segment": "7",
    "doc": "d",
    "judge": None,
    "protocol": "esa",
    "items": [{"systems": ["b", "a"], "score": 60, "spans": [{"start": 3, "end": 5, "severity": "minor"}]}],
    "control": "bad",
    "source": {"file": "log", "line": 3},
}


def test_rankings_without_header(tmp_path: pathlib.Path) -> None:
    skipped = {"lp": "cs-en", "segment": "8", "protocol": "pair", "items": [], "campaign": "x", "extra": {"y": 1}}
    found = read_judgements(put(tmp_path, "log", "\n" + lines(RANKING, skipped)))
    assert isinstance(found, Rankings)
    assert found.pair == "cs-en"
    assert found.systems == ("b", "a", "c")
    assert found.outputs == ((0, 1), (2,))
    assert found.segments == ("7", "8")
    assert found.judge.tolist() == [0, UNKNOWN]
    assert found.starts.tolist() == [0, 2, 2]
    assert found.rank.tolist() == [2, SKIPPED]
    assert found.seconds is not None
    np.testing.assert_array_equal(found.seconds, [2.5, np.nan])
    assert found.line is not None
    assert found.line.tolist() == [2, 3]
    assert found.file == str(tmp_path / "log")
    assert found.notes == ("Records with fields that are left out: 1 (campaign, extra).",)


def test_assessments_without_header(tmp_path: pathlib.Path) -> None:
    found = read_judgements(put(tmp_path, "log", lines(ASSESSMENT)))
    assert isinstance(found, Assessments)
    assert found.systems == ("b", "a")
    assert found.system.tolist() == [0, 1]  # a row each
    assert found.score.tolist() == [60, 60]
    assert found.kind.tolist() == [Kind.BAD_REFERENCE] * 2
    assert found.documents == ("d",)
    assert found.errors is not None
    assert found.errors.row.tolist() == [0, 1]
    assert found.errors.start is not None
    assert found.errors.start.tolist() == [3, 3]
    assert found.line is not None
    assert (found.file, found.line.tolist()) == ("log", [3, 3])
    assert (found.z, found.n, found.seconds, found.task) == (None, None, None, None)


def test_one_of_several_pairs(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "log", lines(RANKING, RANKING | {"lp": "de-en", "segment": "9"}))
    assert judgement_pairs(path) == ["cs-en", "de-en"]
    refused(path, 2, "de-en after cs-en", "--pair")
    found = read_judgements(path, pair="German-English")
    assert found.segments == ("9",)
    assert found.notes == ("Rows of other language pairs than de-en, left out: 1.",)


def changed(base: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**base, **fields}


def item(**fields: Any) -> list[dict[str, Any]]:
    return [{"systems": ["a"], **fields}]


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (ASSESSMENT, "the protocol 'esa' follows rankings"),
        (changed(RANKING, protocol="vote"), "the protocol 'vote' is not known"),
        (changed(RANKING, protocol=["rr"]), "is not known"),
        (changed(RANKING, segment=None), "segment is None"),
        (changed(RANKING, segment=True), "segment is True"),
        (changed(RANKING, judge=1.5), "judge is 1.5"),
        (changed(RANKING, lp=["cs", "en"]), "lp is ['cs', 'en']"),
        (changed(RANKING, lp="csen"), "'csen' is no language pair"),
        (changed(RANKING, items=None), "items is no list of objects"),
        (changed(RANKING, items=["a"]), "items is no list of objects"),
        (changed(RANKING, items=item()), "None is no rank"),
        (changed(RANKING, items=item(rank=0)), "0 is no rank"),
        (changed(RANKING, items=item(rank=1.5)), "rank is 1.5"),
        (changed(RANKING, items=item(rank=2**80)), "rank is 12089"),
        (changed(RANKING, items=[{"systems": [], "rank": 1}]), "an item names no system"),
        (changed(RANKING, items=[{"systems": "a", "rank": 1}]), "systems is no list of texts"),
        (changed(RANKING, items=item(rank=1) * 2), "system 'a' is there twice"),
        (changed(RANKING, time=3), "time is no object"),
        (changed(RANKING, time={"seconds": "3"}), "seconds is '3'"),
        (changed(RANKING, source="log"), "source is no object"),
        ({"tercet": "judgements", "version": 1, "kind": "rankings"}, "a header stands behind records"),
    ],
)
def test_faults_of_rankings(tmp_path: pathlib.Path, second: dict[str, Any], words: str) -> None:
    refused(put(tmp_path, "log", lines(RANKING, second)), 2, words)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (changed(ASSESSMENT, control="odd"), "the control 'odd' is not known"),
        (changed(ASSESSMENT, doc="e"), "the segment is in 'e' here and in 'd' before"),
        (changed(ASSESSMENT, items=item(score=101)), "the score 101.0 is outside 0 to 100"),
        (changed(ASSESSMENT, items=item(score="high")), "score is 'high'"),
        (changed(ASSESSMENT, items=item(score=1e308)), "score is 1e+308"),
        (changed(ASSESSMENT, items=item(n=1.5)), "n is 1.5"),
        (changed(ASSESSMENT, items=item(spans=3)), "no list of objects"),
        (changed(ASSESSMENT, items=item(spans=[{"start": 1}])), "the severity None"),
        (changed(ASSESSMENT, items=item(n=2)), "there is no n"),
        (changed(ASSESSMENT, task=2), "there is no task"),
    ],
)
def test_faults_of_assessments(tmp_path: pathlib.Path, second: dict[str, Any], words: str) -> None:
    line = 1 if "there is no" in words else 2
    refused(put(tmp_path, "log", lines(ASSESSMENT, second)), line, words)


def test_what_is_only_seen_at_the_end(tmp_path: pathlib.Path) -> None:
    without = {key: value for key, value in RANKING.items() if key != "lp"}
    refused(put(tmp_path, "log", lines(RANKING, without)), 2, "lp is not said, but elsewhere it is cs-en")
    undocumented = {key: value for key, value in ASSESSMENT.items() if key != "doc"} | {"segment": "8"}
    refused(put(tmp_path, "log", lines(ASSESSMENT, undocumented)), None, "segment '8' has no doc")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "not sound JSON"),
        ('{"a": NaN}', "not sound JSON"),
        ('{"a": ' + "1" * 5000 + "}", "not sound JSON"),
        ('{"a": ' + "[" * 100_000, "not sound JSON"),
        ("[1]", "no JSON object, but '[1]'"),
    ],
)
def test_lines_that_are_no_records(tmp_path: pathlib.Path, line: str, words: str) -> None:
    refused(put(tmp_path, "log", lines(RANKING) + line), 2, words)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"version": 2, "kind": "rankings"}, "version 2"),
        ({"version": 1, "kind": "votes"}, "kind 'votes'"),
        ({"version": 1, "kind": "rankings", "systems": "a"}, "systems is no list of texts"),
        ({"version": 1, "kind": "rankings", "outputs": 3}, "outputs is no list"),
        ({"version": 1, "kind": "rankings", "outputs": [[]]}, "names no system"),
        ({"version": 1, "kind": "rankings", "columns": [1]}, "columns is no list of texts"),
        ({"version": 1, "kind": "assessments", "segments": ["1"], "documents": ["a", "b"]}, "not every segment"),
    ],
)
def test_faults_of_the_header(tmp_path: pathlib.Path, header: dict[str, Any], words: str) -> None:
    refused(put(tmp_path, "log", lines({"tercet": "judgements", **header})), 1, words)


def test_nothing_to_read_or_write(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="holds no judgements"):
        read_judgements(put(tmp_path, "log", "\n"), "records")
    with pytest.raises(InputError, match="neither rankings nor assessments"):
        records.write(Judgements("", (), (), ()), tmp_path / "out")
    no, one = np.array([UNKNOWN]), np.array([0])
    endless = Assessments("", ("a",), ("1",), (), no, one, one, one, np.array([1.0]), z=np.array([np.inf]))
    with pytest.raises(InputError, match="infinite"):
        records.write(endless, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_header_may_say_little(tmp_path: pathlib.Path) -> None:
    header = {"tercet": "judgements", "version": 1, "kind": "rankings", "lp": "cs-en"}
    path = put(tmp_path, "log", lines(header))
    found = read_judgements(path)
    assert isinstance(found, Rankings)
    assert (len(found), found.pair, found.file, found.line) == (0, "cs-en", str(path), None)
    found = read_judgements(put(tmp_path, "log", lines(header, RANKING)))
    assert isinstance(found, Rankings)
    assert (len(found), found.seconds, found.line) == (1, None, None)


def test_records_may_be_added_behind_a_header(tmp_path: pathlib.Path) -> None:
    first = read_judgements(put(tmp_path, "log", lines(RANKING)))
    records.write(first, tmp_path / "out")
    more = RANKING | {"lp": "cs-en", "judge": "new", "items": [{"systems": ["d"], "rank": 1}], "source": {"line": 9}}
    with (tmp_path / "out").open("a") as file:
        file.write(lines(more))
    found = read_judgements(tmp_path / "out")
    assert found.systems == ("b", "a", "c", "d")
    assert found.judges == ("ann", "new")
