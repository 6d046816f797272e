"""Word vectors from text files."""

from __future__ import annotations

import gzip
import pathlib

import pytest

from tercet.errors import InputError
from tercet.formats import vectors
from tercet.formats.vectors import VectorFile, read_vectors

PLAIN = "3 2\nthe 3 4\ncat 0 2\nThe 1 0\n"


def written(folder: pathlib.Path, text: str, name: str = "a.vec") -> pathlib.Path:
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


@pytest.mark.parametrize("name", ["a.vec", "a.vec.gz"])
def test_only_what_is_asked_for_is_kept(tmp_path: pathlib.Path, name: str) -> None:
    found = read_vectors(written(tmp_path, PLAIN, name), ["the", "dog"])
    assert found.dimension == 2
    assert {word: v.tolist() for word, v in found.vectors.items()} == {"the": [0.6, 0.8]}


def test_the_word_itself_comes_before_its_lower_case(tmp_path: pathlib.Path) -> None:
    found = read_vectors(written(tmp_path, PLAIN), ["The", "CAT", "ÉTÉ"])
    assert [v.tolist() for v in map(found.of, ["The", "CAT"]) if v is not None] == [[1, 0], [0, 1]]
    assert found.of("ÉTÉ") is None


def test_a_header_may_be_missing_and_spaces_may_end_a_line(tmp_path: pathlib.Path) -> None:
    found = read_vectors(written(tmp_path, "the 0.5 0 0 \ncat 0 1 0 \n"), ["cat"])
    assert found.dimension == 3
    assert found.vectors["cat"].tolist() == [0, 1, 0]


def test_a_number_may_be_a_word(tmp_path: pathlib.Path) -> None:
    assert read_vectors(written(tmp_path, "1995 0 2\na 1 0\n"), ["1995"]).vectors["1995"].tolist() == [0, 1]
    assert read_vectors(written(tmp_path, "1 1\n1995 2\n"), ["1995"]).vectors["1995"].tolist() == [1]


def test_the_last_of_two_counts_and_zeros_are_no_vector(tmp_path: pathlib.Path) -> None:
    found = read_vectors(written(tmp_path, "a 1 0\na 0 1\nb 1 1\nb 0 0\n"), ["a", "b"])
    assert {word: v.tolist() for word, v in found.vectors.items()} == {"a": [0, 1]}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "line 1"),
        ("word\n", "line 1"),
        ("1 0\n", "line 1"),
        ("1 99999999\n", "line 1"),
        ("-1 -1\na 1\n", "line 1: '-1 -1' is neither a number of words"),
        ("0 0\na 1\n", "line 1: '0 0' asks for vectors of 0 numbers"),
        ("3.5 2\na 1 2\n", "line 1: '3.5 2' is neither"),
        ("1 2.0\na 1 2\n", "line 1: '1 2.0' is neither"),
        ("+1 2\na 1 2\n", "line 1"),
        ("1e3 1\na 1\n", "line 1: '1e3 1' is neither"),
        ("nan 1\na 1\n", "line 1: 'nan 1' is neither"),
        ("\u0661 \u0662\na 1 2\n", "line 1.*is neither"),
        ("1  2\na 1 2\n", "line 1: '1  2' is neither"),
        ("1\t2\na 1 2\n", "line 1"),
        ("50000001 1\na 1\n", "line 1: '50000001 1' promises more than can be read"),
        ("2 2\na 1 2\nb 1\n", "line 3.*has 1 numbers where 2"),
        ("2 2\na 1 2\nb 1 2 3\n", "line 3"),
        ("1 2\na 1 x\n", "line 2.*no number"),
        ("1 2\na 1 inf\n", "line 2.*not finite"),
        ("1 2\na 1  2\n", "line 2"),
        ("3 2\na 1 2\nb 1 2\n", "has 2 words.*promises 3"),
        ("1 2\na 1 2\nb 1 2\n", "has 2 words.*promises 1"),
    ],
)
def test_a_defect_is_named(tmp_path: pathlib.Path, text: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong) as caught:
        read_vectors(written(tmp_path, text), ["a", "b"])
    assert caught.value.hint


def test_no_more_is_kept_than_there_is_room_for(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "MOST_NUMBERS", 3)
    path = written(tmp_path, PLAIN)
    assert len(read_vectors(path, ["cat"]).vectors) == 1
    with pytest.raises(InputError, match="more than 2 words"):
        read_vectors(path, ["cat", "the"])


def test_a_file_is_read_again_for_new_words_and_when_it_changes(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, PLAIN)
    file = VectorFile(path)
    assert set(file.read(["the"]).vectors) == {"the"}
    assert set(file.read(["cat"]).vectors) == {"the", "cat"}
    written(tmp_path, "2 2\nthe 0 9\nlonger 1 1\n")
    assert file.read(["the"]).vectors["the"].tolist() == [0, 1]
    path.unlink()
    with pytest.raises(InputError, match="no file"):
        file.read(["the"])
