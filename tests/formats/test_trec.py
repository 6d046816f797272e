"""Runs, relevance judgements and texts by id: what is read, and what is refused with its line."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from tercet.errors import InputError
from tercet.formats.trec import read_qrels, read_run, read_texts
from tests.formats.files import put

Reader = Callable[[pathlib.Path], Any]


def test_a_run(tmp_path: pathlib.Path) -> None:
    text = "q1 Q0 d2 1 3.5 tag\nq1\tQ0\td1  9 -1e-3 tag\n\n  q2 Q0 d\u00a01 1 .5 x\r\n"
    expected = {"q1": {"d2": 3.5, "d1": -0.001}, "q2": {"d\u00a01": 0.5}}
    assert read_run(put(tmp_path, "a.run", text)) == expected
    assert read_run(put(tmp_path, "a.run.gz", text)) == expected


def test_the_order_of_a_run_is_not_looked_at(tmp_path: pathlib.Path) -> None:
    found = read_run(put(tmp_path, "a.run", "q Q0 b 1 1 t\nq Q0 a 2 2 t\n"))
    assert found == {"q": {"a": 2.0, "b": 1.0}}


def test_judgements(tmp_path: pathlib.Path) -> None:
    found = read_qrels(put(tmp_path, "qrels.txt", "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 -1\n"))
    assert found == {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": -1}}


def test_texts(tmp_path: pathlib.Path) -> None:
    found = read_texts(put(tmp_path, "a.tsv", "q1\tone two\nq2\ttitle\tbody\nq3\t\n"))
    assert found == {"q1": "one two", "q2": "title\tbody", "q3": ""}


WRONG: dict[str, tuple[Reader, str, int, str]] = {
    "too few columns": (read_run, "q Q0 d 1 1 t\nq Q0 d2 1 1\n", 2, "5 columns where a run of 6"),
    "judgements for a run": (read_run, "q 0 d 1\n", 1, "columns of relevance judgements"),
    "a run for judgements": (read_qrels, "q Q0 d 1 1 t\n", 1, "columns of a run"),
    "a score in words": (read_run, "\nq Q0 d 1 high t\n", 2, "the score is 'high'"),
    "a score that is none": (read_run, "q Q0 d 1 nan t\n", 1, "the score is 'nan'"),
    "an infinite score": (read_run, "q Q0 d 1 1e999 t\n", 1, "the score is '1e999'"),
    "a score of Python": (read_run, "q Q0 d 1 1_0 t\n", 1, "the score is '1_0'"),
    "a document twice": (read_run, "q Q0 d 1 2 t\nq Q0 d 2 1 t\n", 2, "'d' is there twice for query 'q'"),
    "a level in words": (read_qrels, "q 0 d yes\n", 1, "the level is 'yes'"),
    "half a level": (read_qrels, "q 0 d 0.5\n", 1, "the level is '0.5'"),
    "a huge level": (read_qrels, "q 0 d 1000\n", 1, "the level is"),
    "a NUL in an id": (read_run, "q Q0 d\0x 1 1 t\n", 1, "there is a NUL"),
    "judged twice": (read_qrels, "q 0 d 1\nq 0 d 0\n", 2, "judged twice"),
    "a text without an id": (read_texts, "q1\ta\njust a text\n", 2, "no id before a tab"),
    "a text with an empty id": (read_texts, "\ta\n", 1, "no id before a tab"),
    "an id with a blank": (read_texts, "q 1\ta\n", 1, "no id before a tab"),
    "a text twice": (read_texts, "q1\ta\nq1\tb\n", 2, "the id 'q1' is there twice"),
}


@pytest.mark.parametrize(("read", "text", "line", "words"), WRONG.values(), ids=WRONG)
def test_a_defect_is_named_with_its_line(
    read: Reader, text: str, line: int, words: str, tmp_path: pathlib.Path
) -> None:
    path = put(tmp_path, "file.txt", text)
    with pytest.raises(InputError) as caught:
        read(path)
    assert f"{path}, line {line}: " in str(caught.value)
    assert words in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("read", [read_run, read_qrels, read_texts])
def test_an_empty_file_is_refused(read: Reader, tmp_path: pathlib.Path) -> None:
    for text in ("", "\n \n"):
        with pytest.raises(InputError, match="holds no"):
            read(put(tmp_path, "file.txt", text))
    with pytest.raises(InputError, match="There is no file"):
        read(tmp_path / "nothing.txt")
