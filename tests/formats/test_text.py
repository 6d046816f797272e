"""Plain text: alignment, references and documents."""

from __future__ import annotations

import concurrent.futures
import gzip
import io
import os
import pathlib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import text


def put(folder: pathlib.Path, name: str, content: str) -> pathlib.Path:
    path = folder / name
    path.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())
    return path


def references(testset: TestSet) -> list[tuple[str, ...]]:
    assert testset.references is not None
    return [testset.references[i] for i in range(len(testset))]


def test_everything_is_aligned(tmp_path: pathlib.Path) -> None:
    testset = text.read(
        {"A": put(tmp_path, "a.txt", "a1\na2\n"), "B": put(tmp_path, "b.txt.gz", "b1\r\nb2")},
        [put(tmp_path, "ref.txt", "r1\nr2\n")],
        put(tmp_path, "src.txt", "s1\ns2\n"),
        put(tmp_path, "docs.txt", "news d1\nd2\n"),
    )
    assert testset.segments == ("1", "2")
    assert {name: tuple(own) for name, own in testset.systems.items()} == {
        "A": ("a1", "a2"),
        "B": ("b1", "b2"),
    }
    assert references(testset) == [("r1",), ("r2",)]
    assert testset.sources is not None
    assert tuple(testset.sources) == ("s1", "s2")
    assert testset.documents == ("d1", "d2")


@given(n=st.integers(0, 12), size=st.integers(1, 13))
def test_parts_continue_the_numbers(tmp_path_factory: pytest.TempPathFactory, n: int, size: int) -> None:
    path = put(tmp_path_factory.getbasetemp(), "parts.txt", "".join(f"line {i}\n" for i in range(1, n + 1)))
    parts = list(text.read_parts({"A": path}, [path], None, None, size))
    assert [s for part in parts for s in part.segments] == [str(i) for i in range(1, n + 1)]
    assert [s for part in parts for s in part.systems["A"]] == [f"line {i}" for i in range(1, n + 1)]
    assert [len(part) for part in parts[:-1]] == [size] * (len(parts) - 1)
    assert len(parts) == max(1, -(-n // size))


def test_an_empty_reference_is_missing_where_another_is_there(tmp_path: pathlib.Path) -> None:
    hyp = put(tmp_path, "hyp.txt", "a\nb\nc\n")
    files = [put(tmp_path, "ref1.txt", "x\n\n\n"), put(tmp_path, "ref2.txt", "X\nY\n\n")]
    assert references(text.read({"A": hyp}, files)) == [("x", "X"), ("Y",), ("",)]


def test_one_empty_reference_stays(tmp_path: pathlib.Path) -> None:
    hyp, ref = put(tmp_path, "hyp.txt", "a\nb\n"), put(tmp_path, "ref.txt", "\nx\n")
    assert references(text.read({"A": hyp}, [ref])) == [("",), ("x",)]


def test_references_separated_by_tabs(tmp_path: pathlib.Path) -> None:
    hyp, ref = put(tmp_path, "hyp.txt", "a\nb\nc\n"), put(tmp_path, "ref.txt", "1\t2\t3\n4\n\t5\n")
    assert references(text.read({"A": hyp}, [ref], num_refs=3)) == [("1", "2", "3"), ("4",), ("5",)]
    assert references(text.read({"A": hyp}, [ref], num_refs=2))[0] == ("1", "2\t3")  # as sacreBLEU cuts
    assert references(text.read({"A": hyp}, [ref]))[0] == ("1\t2\t3",)


@pytest.mark.parametrize("size", [1, 1000, 1_000_000])
def test_missing_line_is_counted_to_the_end(tmp_path: pathlib.Path, size: int) -> None:
    hyp = put(tmp_path, "hyp.txt", "a\n" * 2999)
    ref = put(tmp_path, "ref.txt", "a\n" * 3000)
    with pytest.raises(InputError, match=r"hyp\.txt has 2999 lines, \S*ref\.txt 3000\.") as caught:
        list(text.read_parts({"A": hyp}, [ref], None, None, size))
    assert "find the line that is missing" in caught.value.hint


def test_many_misaligned_files_are_summed_up(tmp_path: pathlib.Path) -> None:
    systems = {str(i): put(tmp_path, f"{i}.txt", "a\n" * i) for i in range(1, 9)}
    with pytest.raises(InputError, match=r"1\.txt has 1 lines, \S*2\.txt 2, .*6\.txt 6, and 2 more files differ"):
        text.read(systems)


def test_standard_input_once(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"piped\n")))
    assert text.read({"A": "-"}, [put(tmp_path, "ref.txt", "x\n")]).systems["A"][0] == "piped"


def test_standard_input_twice() -> None:
    with pytest.raises(InputError, match="more than once") as caught:
        text.read_parts({"A": "-"}, ["-"], None, None, 10)
    assert "one file only" in caught.value.hint


@pytest.mark.parametrize(("num_refs", "n_files"), [(0, 1), (2, 2), (2, 0)])
def test_num_refs_needs_one_reference_file(num_refs: int, n_files: int) -> None:
    with pytest.raises(InputError, match=f"num_refs={num_refs} does not go with {n_files}") as caught:
        text.read({"A": "a.txt"}, ["ref.txt"] * n_files, num_refs=num_refs)
    assert "separated by tabs" in caught.value.hint


@pytest.mark.parametrize("line", ["", "news d1 extra"])
def test_bad_document_line(tmp_path: pathlib.Path, line: str) -> None:
    hyp = put(tmp_path, "hyp.txt", "a\nb\nc\n")
    documents = put(tmp_path, "bad.docs", f"d1\nd1\n{line}\n")
    with pytest.raises(InputError, match=r"bad\.docs, line 3: ") as caught:
        list(text.read_parts({"A": hyp}, [], None, documents, 2))
    assert "domain and its name" in caught.value.hint


def test_bad_utf8_names_the_right_file(tmp_path: pathlib.Path) -> None:
    hyp = put(tmp_path, "hyp.txt", "a\n")
    (tmp_path / "latin1.txt").write_bytes(b"\xe9\n")
    with pytest.raises(InputError, match=r"latin1\.txt, line 1, byte 1"):
        text.read({"A": hyp}, [tmp_path / "latin1.txt"])


def test_nothing_to_read() -> None:
    with pytest.raises(InputError, match="no file to read") as caught:
        text.read({})
    assert "system's output" in caught.value.hint


def test_references_as_one_name() -> None:
    with pytest.raises(InputError, match=r"one name, 'ref\.txt'") as caught:
        text.read({"A": "hyp.txt"}, "ref.txt")
    assert "list" in caught.value.hint


def test_parts_of_nothing() -> None:
    with pytest.raises(InputError, match="Parts of 0 segments"):
        text.read_parts({"A": "hyp.txt"}, [], None, None, 0)


def test_lines_of_a_pipe_come_as_they_are_written(tmp_path: pathlib.Path) -> None:
    """Nothing more is in the pipe when each of them is asked for: who waited for more would wait for ever."""
    whole = tmp_path / "whole"
    whole.write_text("one\ntwo\nthree\nfour\n", encoding="utf-8")
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb", buffering=0) as pipe, concurrent.futures.ThreadPoolExecutor(1) as pool:
        parts = text.aligned([whole, f"/dev/fd/{reading}"], 2048, live=True)
        got = []
        for piece in (b"eins\n", "zw\u00f6".encode()[:-1], "\u00f6".encode()[-1:] + b"\ndrei\nvi", b"er\n"):
            pipe.write(piece)
            if piece.count(b"\n"):
                got.append(pool.submit(next, parts).result(timeout=60))
        pipe.close()
        assert list(parts) == []
    os.close(reading)
    assert got == [
        (1, [["one"], ["eins"]]),
        (2, [["two", "three"], ["zwö", "drei"]]),
        (4, [["four"], ["vier"]]),
    ]


def test_a_pipe_that_ends_early_is_misaligned(tmp_path: pathlib.Path) -> None:
    whole = tmp_path / "whole"
    whole.write_text("one\ntwo\nthree\n", encoding="utf-8")
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(b"eins\n")
    parts = text.aligned([whole, f"/dev/fd/{reading}"], 2048, live=True)
    assert next(parts) == (1, [["one"], ["eins"]])
    with pytest.raises(InputError, match=r"has 3 lines, .* 1"):
        next(parts)
    os.close(reading)
