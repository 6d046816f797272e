"""Files of scores: told apart, chosen from, joined, and written so that the same can be read again."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tercet
from tercet.data import MetricScores, Score, Scores, TestSet
from tercet.errors import InputError
from tercet.formats import HUMAN, SCORE_FORMATS, detect_scores, join, read_scores, write_scores
from tercet.formats.scores import directions_lost, of_scores
from tercet.options.agreeing import MetaLevel
from tercet.options.scoring import Level
from tercet.report import render_records
from tests.formats.files import put

NAN = float("nan")
SMALL = TestSet.of(
    {"amber": ["the cat sat", "on a mat", "today"], "birch": ["a cat", "on the mat", "now"]},
    [["the cat sat"], ["on the mat"], ["today"]],
    documents=["d", "d", "e"],
)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), min_size=1, max_size=6)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
LABELS = ("lp", "langpair", "language_pair", "direction", "testset", "test_set", "domain", "reference", "refset")
RESERVED = {*LABELS, "system", "sys", "model", "systemid", "system_id", "human", "document", "doc", "docid", "doc_id"}
RESERVED |= {"documentid", "segment", "segmentid", "segment_id", "seg_id", "segid", "sid"}


def made(metric: str, values: Sequence[Sequence[float]], direction: str = "de-en", level: MetaLevel = "segment") -> Any:
    """Scores of systems A, B, ... and items 1, 2, ..."""
    array = np.array(values, dtype=np.float64)
    items = ("",) if level == "system" else tuple(map(str, range(1, array.shape[1] + 1)))
    return MetricScores(metric, direction, level, tuple("ABCDEFGH"[: len(array)]), items, array)


def plain(scores: Sequence[MetricScores]) -> list[tuple[Any, ...]]:
    """Scores as values that compare, NaN included."""
    return [
        (
            s.metric,
            s.direction,
            s.level,
            s.systems,
            s.items,
            s.higher_is_better,
            s.values.shape,
            repr(s.values.tolist()),
        )
        for s in scores
    ]


def refused(path: pathlib.Path, *words: str, **options: Any) -> None:
    """Reading must fail with a message that names the file and has these words and a hint."""
    with pytest.raises(InputError) as caught:
        read_scores(path, **options)
    for word in (str(path), *words):
        assert word in str(caught.value)
    assert caught.value.hint


@st.composite
def score_lists(draw: st.DrawFn, *, blank: bool = True, numbered: bool = False) -> list[MetricScores]:
    """Scores of one level: in each language pair, all metrics of the same systems and items, no metric empty."""
    level: MetaLevel = draw(st.sampled_from(["system", "segment", *([] if numbered else ["document"])]))
    sound = TEXT.filter(lambda s: s == s.strip() and s.lower() not in RESERVED)
    metrics = draw(st.lists(sound | st.just(HUMAN), min_size=1, max_size=3, unique=True))
    directions = draw(st.just([""]) | st.lists(st.sampled_from(["de-en", "en-zh", "xx-yy"]), min_size=1, unique=True))
    found = []
    for direction in directions:
        systems = draw(st.lists(TEXT if blank else sound, min_size=1, max_size=3, unique=True))
        n = draw(st.integers(1, 4))
        if level == "system":
            items = [""]
        elif numbered:
            items = [str(i) for i in sorted(draw(st.sets(st.integers(1, 10**9), min_size=n, max_size=n)))]
        else:
            items = draw(st.lists(TEXT, min_size=n, max_size=n, unique=True))
        for metric in metrics:
            cell = NUMBER | st.just(NAN)
            size = len(systems) * len(items)
            values = np.array(draw(st.lists(cell, min_size=size, max_size=size))).reshape(len(systems), -1)
            values[0, 0] = draw(NUMBER)
            found.append(MetricScores(metric, direction, level, tuple(systems), tuple(items), values))
    return found


@given(scores=score_lists(), name=st.sampled_from(["s.tsv", "s.csv", "s.tsv.gz", "s.csv.gz", "s.parquet"]))
def test_tables_round_trip(tmp_path_factory: pytest.TempPathFactory, scores: list[MetricScores], name: str) -> None:
    path = tmp_path_factory.getbasetemp() / name
    write_scores(scores, path)
    notes: list[str] = []
    assert plain(read_scores(path, notes=notes)) == plain(scores)
    assert notes == []


@given(scores=score_lists(numbered=True), year=st.sampled_from(["wmt14", "wmt23"]), end=st.sampled_from(["", ".gz"]))
@example(scores=[MetricScores(HUMAN, "", "system", ("1",), ("",), np.zeros((1, 1)))], year="wmt23", end="")
def test_submissions_round_trip(
    tmp_path_factory: pytest.TempPathFactory, scores: list[MetricScores], year: str, end: str
) -> None:
    short = scores[0].level[:3]
    path = tmp_path_factory.getbasetemp() / f"M.{short}.score{end}"
    full = [dataclasses.replace(s, values=np.nan_to_num(s.values), direction=s.direction or "de-en") for s in scores]
    write_scores(full, path, f"{year}-{short}", testset="t", reference="refA")
    assert plain(read_scores(path)) == plain(full)
    write_scores(scores, path, f"{year}-{short}", pair="de-en", testset="t", reference="refA")
    for own, back in zip(scores, read_scores(path), strict=True):  # what is missing has no line
        s, i = [own.systems.index(name) for name in back.systems], [own.items.index(name) for name in back.items]
        np.testing.assert_array_equal(own.values[np.ix_(s, i)], back.values)
        assert np.isfinite(own.values).sum() == np.isfinite(back.values).sum()


@given(scores=score_lists(blank=False, numbered=True), reference=st.sampled_from([None, "refA", "refA.refB", "src"]))
def test_directories_round_trip(
    tmp_path_factory: pytest.TempPathFactory, scores: list[MetricScores], reference: str | None
) -> None:
    root = tmp_path_factory.mktemp("eval")
    given_scores = []
    for s in scores:
        items = ("",) if s.level == "system" else tuple(str(i + 1) for i in range(len(s.items)))
        name = s.metric.replace("/", "").replace("\0", "")
        metric = s.metric if s.metric == HUMAN else f"human:m.{name}" if len(name) == 1 else f"m{name}"
        metric += "-refB" * (reference is None and metric.startswith("m"))
        given_scores.append(dataclasses.replace(s, metric=metric, direction=s.direction or "de-en", items=items))
    if len({(s.metric, s.direction) for s in given_scores}) < len(given_scores):
        return
    write_scores(given_scores, root, "directory", reference=reference)
    of_metrics = any(s.metric.startswith("m") for s in given_scores)
    back = read_scores(root, reference=reference if of_metrics else None)
    assert sorted(plain(back), key=lambda t: t[:2]) == sorted(plain(given_scores), key=lambda t: t[:2])


def test_formats_are_told_apart(tmp_path: pathlib.Path) -> None:
    files = {
        "M.sys.score": ("M\tde-en\tt\tA\t0.5\n", "submission"),
        "M.seg.score.gz": ("M\tde-en\tt\tA\t1\t0.5\n", "submission"),
        "anything": ("\ufeffM\tde-en\tt\tA\t1\t0.5\n", "submission"),
        "table.csv": ("\nmodel,BLEU\nA,1\n", "table"),
        "table.tsv": ("LP\tSYSTEM\tHUMAN\n", "table"),
        "blanks": ("LP SYSTEM HUMAN BLEU\nde-en A 1 2\n", "table"),
        "records.csv": ("system,metric,level,segment,score\nA,bleu,corpus,,1\n", "records"),
        "quoted.csv": ('"system","metric","level","score"\n', "records"),
        "records.json": ('{\n "signature": ""}', "records"),
        "official.txt": ("A 0.5 (1.0, 2.0)\n+++\n", "ranking"),
        "ranked.tsv": ("system\tscore\trank_low\trank_high\tcluster\n", "ranking"),
        "ranked.json": ('{"records": [{"system": "A", "score": 1, "rank_low": 1}]}', "ranking"),
    }
    for name, (content, expected) in files.items():
        assert detect_scores(put(tmp_path, name, content)) == expected
    assert detect_scores(tmp_path) == "directory"
    pl.DataFrame({"system": ["A"], "M": [1.0]}).write_parquet(tmp_path / "no-ending")
    assert detect_scores(tmp_path / "no-ending") == "parquet"
    assert {expected for _, expected in files.values()} | {"directory", "parquet"} == set(SCORE_FORMATS)


def test_formats_that_are_not_known(tmp_path: pathlib.Path) -> None:
    refused(put(tmp_path, "empty", ""), "is empty")
    refused(put(tmp_path, "text", "hello world\n"), "begins 'hello world'", "submission, table, records")
    refused(tmp_path / "missing", "There is no file")
    with pytest.raises(InputError, match="standard input is not known"):
        read_scores("-")
    with pytest.raises(InputError, match=r"no format of scores called 'xml'.*submission, .*wmt23-seg"):
        read_scores(tmp_path / "text", "xml")
    with pytest.raises(InputError, match=r"no level 'word'.*system, document, segment"):
        read_scores(tmp_path / "text", level="word")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'English' is no language pair"):
        read_scores(tmp_path / "text", pair="English")


@pytest.mark.parametrize("style", ["csv", "tsv", "json", "jsonl"])
@pytest.mark.parametrize("level", ["corpus", "segment", "document"])
def test_records_of_score(tmp_path: pathlib.Path, style: Any, level: Any) -> None:
    scores = tercet.score(testset=SMALL, metrics=["chrf", "ter"], level=level)
    path = put(tmp_path, "scores", render_records(scores.as_records(), scores.signature, style))
    found = read_scores(path, pair="de-en")
    assert plain(found) == plain(of_scores(scores, "de-en"))
    assert [s.higher_is_better for s in found] == [True, False]
    assert {s.level for s in found} == {"system" if level == "corpus" else level}


def test_records_of_several_levels(tmp_path: pathlib.Path) -> None:
    text = "system,metric,level,segment,score\nA,m,corpus,,1\nA,m,segment,s1,2\nA,m,segment,s2,\nA,n,segment,s1,\n"
    path = put(tmp_path, "scores.csv", text)
    notes: list[str] = []
    system, segment = read_scores(path, notes=notes)
    assert (system.level, system.items, segment.items) == ("system", ("",), ("s1", "s2"))
    assert repr(segment.values.tolist()) == "[[2.0, nan]]"
    assert notes == [f"{path}: metrics without a score, left out: n."]
    notes.clear()
    assert [s.level for s in read_scores(path, level="system", notes=notes)] == ["system"]
    assert notes == [f"{path}: scores of other levels, left out: 3."]
    refused(path, "no scores of the document level", level="document")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("system,metric,level,score\nA,m,corpus,1\nA,m,system,1\n", ["line 3", "on line 2 already"]),
        ("system,metric,level,score\nA,m,word,1\n", ["line 2", "level 'word'"]),
        ("system,metric,level,score\nA,m,segment,1\n", ["line 2", "segment ''"]),
        ("system,metric,level,score\n,m,corpus,1\n", ["line 2", "system ''"]),
        ("system,metric,level,score\nA,m,corpus,good\n", ["line 2", "'good'"]),
        ("system,metric,level,score\n", ["no scores in it"]),
        ('{"records": [{"system": "A", "metric": "m", "level": "corpus", "score": true}]}', ["record 1", "True"]),
        ('{"system": "A", "metric": "m", "level": "corpus"}\n', ["line 1", "no record of a score"]),
        ('{"system": "A", "metric": "m", "level": "corpus", "score": NaN}\n', ["line 1"]),
        ('{"system": "A", "metric": "m", "level": "corpus", "score": 1}\n{"syst\n', ["line 2", "'{\"syst'"]),
        ('{"records": 5}', ["line 1"]),
        ('{"records": []}', ["no scores in it"]),
        ('{"a":' * 100_000, ["line 1"]),
    ],
)
def test_records_with_faults(tmp_path: pathlib.Path, text: str, words: list[str]) -> None:
    refused(put(tmp_path, "scores", text), *words)


def test_joining_files() -> None:
    first = MetricScores("M", "de-en", "segment", ("A", "B"), ("1", "2"), np.array([[1.0, NAN], [3.0, 4.0]]))
    second = MetricScores("M", "de-en", "segment", ("B", "C"), ("2", "3"), np.array([[4.0, 5.0], [6.0, 7.0]]))
    other = dataclasses.replace(first, direction="en-de")
    both, alone = join([first, other, second])
    assert (both.systems, both.items) == (("A", "B", "C"), ("1", "2", "3"))
    assert repr(both.values.tolist()) == "[[1.0, nan, nan], [3.0, 4.0, 5.0], [nan, 6.0, 7.0]]"
    assert alone is other
    assert join(iter([])) == []


def test_files_that_contradict_each_other() -> None:
    first = made("M", [[1.0, 2.0]])
    with pytest.raises(
        InputError, match=r"M de-en of system 'A', segment '2', is 2\.0 in one file and 5\.0 in another"
    ):
        join([first, made("M", [[NAN, 5.0]])])
    with pytest.raises(InputError, match=r"M de-en of system 'A' is 1\.0 in one file and 2\.0"):
        join([made("M", [[1.0]], level="system"), made("M", [[2.0]], level="system")])
    with pytest.raises(InputError, match="higher score of M de-en is better in one file"):
        join([first, dataclasses.replace(first, higher_is_better=False)])


@given(
    parts=st.lists(
        st.dictionaries(st.tuples(st.sampled_from("AB"), st.sampled_from("123")), st.integers(0, 1), min_size=1),
        min_size=1,
        max_size=4,
    )
)
def test_joining_keeps_every_score(parts: list[dict[tuple[str, str], int]]) -> None:
    def scores(cells: dict[tuple[str, str], int]) -> MetricScores:
        systems, items = sorted({s for s, _ in cells}), sorted({i for _, i in cells})
        values = [[cells.get((s, i), NAN) for i in items] for s in systems]
        return MetricScores("M", "", "segment", tuple(systems), tuple(items), np.array(values, dtype=np.float64))

    merged: dict[tuple[str, str], int] = {}
    clash = False
    for cells in parts:
        clash |= any(merged.get(key, value) != value for key, value in cells.items())
        merged |= cells
    if clash:
        with pytest.raises(InputError, match="in one file and"):
            join(map(scores, parts))
        return
    (found,) = join(map(scores, parts))
    places = [(s, i) for s in range(len(found.systems)) for i in range(len(found.items))]
    back = {(found.systems[s], found.items[i]): found.values[s, i] for s, i in places}
    assert {key: value for key, value in back.items() if not np.isnan(value)} == merged


def test_the_answer_of_score_can_be_written(tmp_path: pathlib.Path) -> None:
    scores = tercet.score(testset=SMALL, metrics=["chrf", "ter"], level="segment")
    path = tmp_path / "all.seg.score"
    write_scores(scores, path, pair="de-en", testset="demo")
    found = read_scores(path, lower="ter")
    assert plain(found) == plain(of_scores(scores, "de-en"))
    assert path.read_text().startswith(f"chrf\tde-en\tdemo\tamber\t1\t{scores.records[0].score!r}\n")


@pytest.mark.parametrize("name", ["s.parquet", "s.csv", "s.tsv", "s.csv.gz"])
@pytest.mark.parametrize("level", ["corpus", "segment"])
def test_tables_keep_which_scores_are_better(name: str, level: Level, tmp_path: pathlib.Path) -> None:
    scores = of_scores(tercet.score(testset=SMALL, metrics=["chrf", "ter", "wer"], level=level), "de-en")
    write_scores(scores, tmp_path / name)
    found = read_scores(tmp_path / name)
    assert [(s.metric, s.higher_is_better) for s in found] == [("chrf", True), ("ter", False), ("wer", False)]
    assert plain(found) == plain(scores), "and the numbers as they were"


@pytest.mark.parametrize("cell", ["higher", "", "Lower"])
def test_a_column_of_what_is_better_says_lower(cell: str, tmp_path: pathlib.Path) -> None:
    text = f"system,ter,ter:better\nA,1,lower\nB,2,{cell}\n"
    with pytest.raises(InputError, match=rf"line 3: ter:better is {cell!r}"):
        read_scores(put(tmp_path, "s.csv", text))


def test_a_metric_called_better_is_a_metric(tmp_path: pathlib.Path) -> None:
    (found,) = read_scores(put(tmp_path, "s.csv", "system,ter:better\nA,1\nB,2\n"))
    assert (found.metric, found.higher_is_better) == ("ter:better", True)


@pytest.mark.parametrize(
    ("name", "lost"), [("s.csv", []), ("s.tsv", []), ("s.parquet", []), ("s.sys.score", ["ter"]), (".", ["ter"])]
)
def test_what_no_format_has_a_place_for_is_known(name: str, lost: list[str], tmp_path: pathlib.Path) -> None:
    scores = of_scores(tercet.score(testset=SMALL, metrics=["chrf", "ter"]), "de-en")
    assert directions_lost(scores, tmp_path / name) == lost


@pytest.mark.parametrize("better", ["up,up", "higher,lower"])
def test_records_that_do_not_agree_which_scores_are_better(better: str, tmp_path: pathlib.Path) -> None:
    one, two = better.split(",")
    text = f"system,metric,level,score,better\nA,m,corpus,1,{one}\nB,m,corpus,2,{two}\n"
    with pytest.raises(InputError, match=f"better is {(two if one == 'higher' else one)!r} for m"):
        read_scores(put(tmp_path, "s.csv", text))


def test_scores_of_one_record_a_cell() -> None:
    records = (Score("A", "m", "corpus", None, 1.0), Score("B", "m", "corpus", None, NAN))
    (found,) = of_scores(Scores(records, ""))
    assert (found.metric, found.direction, found.level, found.systems, found.items) == (
        "m",
        "",
        "system",
        ("A", "B"),
        ("",),
    )
    assert repr(found.values.tolist()) == "[[1.0], [nan]]"


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ([], {}, "no scores to write"),
        ([made("M", [[1.0]]), made("M", [[2.0]])], {}, "M de-en is there twice at the segment level"),
        ([made("M", [[float("inf")]])], {}, "infinite"),
        ([made("M", [[NAN]])], {}, "no score at all"),
        ([made("M", [[1.0]], "Czech")], {}, "'Czech' is no language pair"),
        ([made("M", [[1.0]]), made("M", [[2.0]], level="system")], {}, "several levels: segment, system"),
        ([made("M", [[1.0]]), made("N", [[2.0]], "")], {}, "with and without a language pair"),
        ([made("M", [[1.0]])], {"scores_format": "records"}, "not written as records"),
        ([made("M", [[1.0]])], {"scores_format": "xml"}, "no format of scores called 'xml'"),
    ],
)
def test_scores_that_cannot_be_written(
    tmp_path: pathlib.Path, scores: list[MetricScores], options: dict[str, str], words: str
) -> None:
    path = tmp_path / "scores.tsv"
    path.write_text("older\n")
    with pytest.raises(InputError, match=words) as caught:
        write_scores(scores, path, **options)
    assert caught.value.hint
    assert path.read_text() == "older\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_that_says_no_format(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"does not say in which format.*\.parquet, \.tsv, \.csv, \.score"):
        write_scores([made("M", [[1.0]])], tmp_path / "scores.txt")
    write_scores([made("M-refA", [[1.0]])], tmp_path)
    assert (tmp_path / "metric-scores" / "de-en" / "M-refA.seg.score").read_text() == "A\t1.0\n"
