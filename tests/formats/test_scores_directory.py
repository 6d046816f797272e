"""Scores in directories of mt-metrics-eval."""

from __future__ import annotations

import dataclasses
import pathlib

import pytest

from tercet.errors import InputError
from tercet.formats import HUMAN, read_scores, write_scores
from tests.formats.files import put
from tests.formats.test_scores import NAN, made, plain, refused


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    files = {
        "sources/en-de.txt": "one\ntwo\nthree\n",
        "documents/en-de.docs": "news d1\nnews d1\nnews d2\n",
        "human-scores/en-de.mqm.seg.score": "A\t-1\nA\tNone\nA\t-2.5\nB\t0\nB\t0\nB\t0\n",
        "human-scores/en-de.mqm.sys.score": "A -1.75\nB None\n",
        "human-scores/en-de.round2.mqm.doc.score": "B 1\nB 2\nA 3\nA None\n",
        "human-scores/en-de.mqm.domain.score": "news A -1\n",
        "human-scores/en-de.mqm.seg.rating": "A\t{}\n",
        "metric-scores/en-de/TER-refA.sys.score": "A 0.5\nB 0.25\n",
        "metric-scores/en-de/TER-refA.refB.sys.score": "A 0.4\n",
        "metric-scores/en-de/my-Kiwi-src.seg.score": "A 1\nB 4\nA 2\nB 5\nA 3\nB 6\n",
        "metric-scores/zh-en/X-all.seg.score": "A 1\nA 2\n",
        "metric-scores/README": "no scores\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        put(tmp_path, name, content)
    return tmp_path


def test_everything(root: pathlib.Path) -> None:
    notes: list[str] = []
    found = {(s.direction, s.metric, s.level): s for s in read_scores(root, lower=["TER"], notes=notes)}
    assert set(found) == {
        ("en-de", "human:mqm", "segment"),
        ("en-de", "human:mqm", "system"),
        ("en-de", "human:round2.mqm", "document"),
        ("en-de", "TER-refA", "system"),
        ("en-de", "TER-refA.refB", "system"),
        ("en-de", "my-Kiwi-src", "segment"),
        ("zh-en", "X-all", "segment"),
    }
    mqm = found["en-de", "human:mqm", "segment"]
    assert (mqm.systems, mqm.items) == (("A", "B"), ("1", "2", "3"))
    assert repr(mqm.values.tolist()) == "[[-1.0, nan, -2.5], [0.0, 0.0, 0.0]]"
    assert repr(found["en-de", "human:mqm", "system"].values.tolist()) == "[[-1.75], [nan]]"
    documents = found["en-de", "human:round2.mqm", "document"]
    assert (documents.systems, documents.items) == (("B", "A"), ("d1", "d2"))
    assert found["en-de", "my-Kiwi-src", "segment"].values.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert found["zh-en", "X-all", "segment"].items == ("1", "2")
    assert [name for (_, name, _), s in found.items() if not s.higher_is_better] == ["TER-refA.refB", "TER-refA"]
    assert notes == [
        f"{root}: files that are no scores (ratings and others), left out: 2.",
        f"{root}: files of scores of domains, left out: 1.",
    ]


def test_choosing(root: pathlib.Path) -> None:
    notes: list[str] = []
    found = read_scores(root, pair="en-de", level="system", reference="refA", lower=["TER"], notes=notes)
    assert [(s.metric, s.higher_is_better) for s in found] == [("human:mqm", True), ("TER", False)]
    assert notes[1:] == [
        f"{root}: files of scores against other references, left out: 2.",
        f"{root}: files of scores of domains, left out: 1.",
        f"{root}: files of scores of other levels, left out: 2.",
    ]
    assert [s.metric for s in read_scores(root, pair="en-de", reference="src", level="segment")] == [
        "human:mqm",
        "my-Kiwi",
    ]
    refused(root, "no scores of fi-en", "en-de, zh-en", pair="fi-en")
    refused(root, "no metric against 'refC'", "all, refA, refA.refB, src", reference="refC")
    refused(root, "no scores of the level", "seg", pair="zh-en", level="system")
    refused(root, "does not say the testset", testset="t")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("human-scores/en-de.mqm.seg.score", "A 1\nA 2\n", ["system 'A' has 2 scores", "the test set has 3"]),
        ("metric-scores/zh-en/X-all.seg.score", "A 1\nA 2\nB 1\n", ["'B' has 1 scores", "the first system 2"]),
        ("human-scores/en-de.mqm.sys.score", "A 1\nB 1\nA 1\n", [", line 3", "system 'A' is on line 1 already"]),
        ("human-scores/en-de.mqm.sys.score", "A 1\nB nan\n", [", line 2", "'B nan'"]),
        ("human-scores/en-de.mqm.sys.score", "A 1\n\n", [", line 2", "''"]),
        ("human-scores/en-de.mqm.sys.score", "A 1_0\n", [", line 1", "'A 1_0'"]),
        ("human-scores/en-de.mqm.sys.score", "A\n", [", line 1", "'A'"]),
        ("human-scores/en-de.mqm.sys.score", "", ["is empty"]),
    ],
)
def test_faults(root: pathlib.Path, name: str, content: str, words: list[str]) -> None:
    path = put(root, name, content)
    with pytest.raises(InputError) as caught:
        read_scores(root)
    for word in (str(path), *words):
        assert word in str(caught.value)
    assert caught.value.hint


def test_names_that_say_nothing(root: pathlib.Path) -> None:
    put(root, "metric-scores/en-de/BLEU.sys.score", "A 1\n")
    with pytest.raises(InputError, match=r"'BLEU\.sys\.score' names no scores of a metric"):
        read_scores(root)


def test_not_such_a_directory(tmp_path: pathlib.Path) -> None:
    refused(tmp_path, "no scores in human-scores or metric-scores")


def test_packed_files(root: pathlib.Path) -> None:
    (root / "sources" / "en-de.txt").unlink()
    put(root, "sources/en-de.txt.gz", "one\ntwo\n")
    with pytest.raises(InputError, match=r"has 3 scores, and the test set has 2"):
        read_scores(root)
    put(root, "human-scores/en-de.esa.sys.score.gz", "A 1\n")
    assert "human:esa" in [s.metric for s in read_scores(root, level="system")]
    put(root, "human-scores/en-de.esa.sys.score", "A 2\n")
    with pytest.raises(InputError, match=r"en-de\.esa\.sys\.score\.gz is there without \.gz, too"):
        read_scores(root)


def test_what_is_written(tmp_path: pathlib.Path) -> None:
    scores = [
        made("human:a.b", [[1.0, NAN]], "en-de"),
        made(HUMAN, [[0.5], [1.5]], "en-de", level="system"),
        made("M-x", [[2.0]], "en-de", level="document"),
    ]
    write_scores(scores, tmp_path / "new", "directory", reference="refA")
    written = {str(p.relative_to(tmp_path)): p.read_text() for p in tmp_path.rglob("*.*") if p.is_file()}
    assert written == {
        "new/human-scores/en-de.a.b.seg.score": "A\t1.0\nA\tNone\n",
        "new/human-scores/en-de.HUMAN.sys.score": "A\t0.5\nB\t1.5\n",
        "new/metric-scores/en-de/M-x-refA.doc.score": "A\t2.0\n",
    }
    back = read_scores(tmp_path / "new", reference="refA")
    assert sorted(plain(back)) == sorted(plain(scores))


def test_items_must_be_those_of_the_test_set(root: pathlib.Path) -> None:
    documents = dataclasses.replace(made("M-refA", [[1.0, 2.0]], "en-de", level="document"), items=("d1", "d2"))
    write_scores([documents], root)
    assert "M-refA" in [s.metric for s in read_scores(root, level="document")]
    for bad in (dataclasses.replace(documents, items=("d2", "d1")), made("M-refA", [[1.0, 2.0]], "en-de")):
        with pytest.raises(InputError, match="not those of the test set"):
            write_scores([bad], root)


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([made("YiSi-1", [[1.0]])], r"must know what YiSi-1 compares with.*reference='refA'"),
        ([made("M-refA", [[1.0]], "")], "must know the language pair of M-refA"),
        ([made("../M-refA", [[1.0]])], "cannot be the name of a file"),
        ([made("human:", [[1.0]])], "names no human scores"),
        ([made(HUMAN, [[1.0]]), made("human:HUMAN", [[1.0]])], "Two scores would go to"),
        ([dataclasses.replace(made("M-refA", [[1.0]]), systems=(" A",))], "cannot hold the system ' A'"),
        ([dataclasses.replace(made("M-refA", [[1.0]]), systems=("A\n",))], "a tab or a line break"),
    ],
)
def test_what_a_directory_cannot_hold(tmp_path: pathlib.Path, scores: list[object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        write_scores([made("first-refA", [[1.0]]), *scores], tmp_path / "new", "directory")  # type: ignore[list-item]
    assert not list(tmp_path.iterdir())


def test_a_directory_that_cannot_be_made(tmp_path: pathlib.Path) -> None:
    put(tmp_path, "file", "")
    with pytest.raises(InputError, match="cannot be made"):
        write_scores([made("M-refA", [[1.0]])], tmp_path / "file", "directory")
