"""Blocks of plain files by their bytes: the lines that reading them here gives, whatever the files are like."""

from __future__ import annotations

import os
import pathlib
import pickle
from typing import Any

import pytest

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import lines, text
from tercet.formats.stretches import is_plain, stamps, stretches

FILES = {
    "plain": b"one\ntwo\nthree\nfour\nfive\n",
    "no last end": b"one\ntwo\nthree",
    "carriage returns": b"one\r\ntwo\r\nthree\r\rx\r",
    "byte order mark": b"\xef\xbb\xbfone\ntwo\nthree\n",
    "mark in the middle": b"one\n\xef\xbb\xbftwo\nthree\n",
    "a mark alone": b"\xef\xbb\xbf",
    "nothing": b"",
    "empty lines": b"\n\n\n",
    "letters": "ä\u2028b\nc\x85d\n\u3042\n".encode(),
}


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("chunk", [1, 4, 1 << 18])
@pytest.mark.parametrize("name", FILES)
def test_stretches_have_the_lines_of_the_file(
    name: str, chunk: int, size: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "CHUNK", chunk)
    path = tmp_path / "file"
    path.write_bytes(FILES[name])
    cut = list(stretches(path, size))
    assert [stretch.read() for stretch in cut] == list(lines.blocks(path, size))
    assert [stretch.n_lines for stretch in cut] == [len(stretch.read()) for stretch in cut]
    assert [stretch.n_before for stretch in cut] == list(range(0, sum(s.n_lines for s in cut), size))


def content(part: TestSet) -> list[object]:
    """All that a test set has."""
    systems = {name: texts.strings for name, texts in part.systems.items()}
    references = None if part.references is None else list(part.references)
    sources = None if part.sources is None else part.sources.strings
    return [part.segments, systems, references, sources, part.documents, part.facets]


def test_blocks_are_those_that_are_read_here(tmp_path: pathlib.Path) -> None:
    a, b, documents = (tmp_path / name for name in ("a", "b", "documents"))
    a.write_text("".join(f"line {i}\n" for i in range(7)), encoding="utf-8")
    b.write_text("".join(f"other {i}\tand {i}\n" for i in range(7)), encoding="utf-8")
    documents.write_text("".join(f"news doc{i // 2}\n" for i in range(7)), encoding="utf-8")
    cases: list[tuple[Any, Any, Any, Any]] = [
        ({"a": a}, [b], a, documents),
        ({"a": a, "b": b}, [a, b], None, None),
        ({"a": a}, [], a, None),
    ]
    for given in cases:
        for num_refs in (1, 2) if len(given[1]) == 1 else (1,):
            there = [pickle.loads(pickle.dumps(one)) for one in text.unsent_blocks(*given, 3, num_refs=num_refs)]  # noqa: S301
            assert [len(one) for one in there] == [3, 3, 1]
            here = text.read_parts(*given, 3, num_refs=num_refs)
            assert [[content(part) for part in one] for one in there] == [[content(part)] for part in here]


def test_files_of_other_lengths_are_refused_as_ever(tmp_path: pathlib.Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    for n, m in ((7, 5), (5, 7), (6, 3), (3, 0)):
        a.write_text("x\n" * n, encoding="utf-8")
        b.write_text("x\n" * m, encoding="utf-8")
        said = []
        for read in (text.unsent_blocks, text.read_parts):
            with pytest.raises(InputError) as caught:
                list(read({"a": a}, [b], None, None, 3))
            said.append(f"{caught.value}")
        assert said[0] == said[1]


def test_a_line_that_is_no_text_is_named_by_its_number(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a\nb\nc\n\xff\n")
    with pytest.raises(InputError, match=r"file, line 4, byte 1: 0xff is not UTF-8 there"):
        [stretch.read() for stretch in stretches(path, 3)]


def test_a_file_that_has_changed_is_refused(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    path.write_text("a\nb\n", encoding="utf-8")
    (cut,) = stretches(path, 3)
    os.utime(path, ns=(1, 1))
    with pytest.raises(InputError, match="has changed, or is not the same everywhere"):
        cut.read()
    path.unlink()
    with pytest.raises(InputError, match="There is no file"):
        cut.read()
    assert stamps([f"{path}"]) == [None]


def test_what_is_plain(tmp_path: pathlib.Path) -> None:
    for name in ("a.txt", "b.gz", "c.zst"):
        (tmp_path / name).touch()
    os.mkfifo(tmp_path / "pipe")
    assert is_plain(tmp_path / "a.txt")
    for other in ("b.gz", "c.zst", "pipe", "*.txt", "nowhere"):
        assert not is_plain(tmp_path / other)
    assert not is_plain("-")
    assert not is_plain("memory://a.txt")
