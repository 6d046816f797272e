"""Lines against the obvious oracle, and every way in which a file can be unreadable or unwritable."""

from __future__ import annotations

import gzip
import io
import os
import pathlib
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.errors import InputError
from tercet.formats import lines

PIECES = st.sampled_from(["\n", "\r", "\r\n", "\ufeff", "a", "é", "\u2028", "\x85", "\x0b", "\x1c", "字", "😀", ""])


def naive(text: str) -> list[str]:
    """The definition, slow and obvious."""
    split = text.removeprefix("\ufeff").split("\n")
    if split[-1] == "":
        split.pop()
    return [line.removesuffix("\r") for line in split]


def flat(path: pathlib.Path, size: int = lines.BLOCK) -> list[str]:
    return [line for block in lines.blocks(path, size) for line in block]


@given(pieces=st.lists(PIECES), size=st.integers(1, 5), chunk=st.integers(1, 7), packed=st.booleans())
def test_blocks_equal_the_oracle(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], size: int, chunk: int, packed: bool
) -> None:
    text = "".join(pieces)
    path = tmp_path_factory.getbasetemp() / ("lines.txt.gz" if packed else "lines.txt")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", chunk)
        blocks = list(lines.blocks(path, size))
    assert [line for block in blocks for line in block] == naive(text)
    assert all(len(block) == size for block in blocks[:-1])
    assert all(blocks)


@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_equals_the_oracle(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(text.encode())
    assert flat(path) == naive(text)


def test_an_empty_file_has_no_lines(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_bytes(b"")
    assert flat(path) == []
    assert lines.whole(path) == ""


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"one\ntwo")))
    assert list(lines.blocks("-")) == [["one", "two"]]


def test_bad_utf8_in_standard_input_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    with pytest.raises(InputError, match="standard input, line 1, byte 1"):
        list(lines.blocks("-"))


@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (b"caf\xe9\n", 1, 4),
        (b"one\r\ntwo\nth\xffree\n", 3, 3),
        ("\ufeff".encode() + b"\xff", 1, 4),
        (b"x\n" * 1000 + "é".encode() + b"\xed\xa0\x80", 1001, 3),  # a surrogate half
        (b"one\n\xc3", 2, 1),  # breaks off inside a character
    ],
)
@pytest.mark.parametrize("chunk", [5, 1 << 18])
def test_bad_utf8(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, data: bytes, line: int, byte: int, chunk: int
) -> None:
    monkeypatch.setattr(lines, "CHUNK", chunk)
    path = tmp_path / "latin1.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=rf"latin1\.txt, line {line}, byte {byte}: 0x.. is not UTF-8") as caught:
        flat(path)
    assert "iconv" in caught.value.hint


@pytest.mark.parametrize(
    ("data", "hint"),
    [("text".encode("utf-16"), "UTF-16"), (gzip.compress(b"text", mtime=0), "ends in .gz")],
)
def test_other_encodings_are_recognised(tmp_path: pathlib.Path, data: bytes, hint: str) -> None:
    path = tmp_path / "misnamed.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"misnamed\.txt(, line 1, byte| is compressed by gzip, not text)") as caught:
        flat(path)
    assert hint in caught.value.hint


def test_missing_file(tmp_path: pathlib.Path) -> None:
    for path in (tmp_path / "nowhere.txt", tmp_path / "nowhere.txt.gz", tmp_path / "nowhere.txt\0"):
        with pytest.raises(InputError, match=r"no file .*nowhere\.txt") as caught:
            flat(path)
        assert str(pathlib.Path.cwd()) in caught.value.hint


def test_directory_where_a_file_is_needed(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="is a directory") as caught:
        flat(tmp_path)
    assert "Name a file" in caught.value.hint


@pytest.mark.parametrize(
    ("error", "message", "hint"),
    [
        (PermissionError(13, "denied"), "may not be read", "chmod"),
        (OSError(5, "I/O error"), "I/O error", "disk"),
    ],
)
def test_unreadable_file(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, error: OSError, message: str, hint: str
) -> None:
    def refuse(*_: object) -> None:
        raise error  # root may read everything, so the refusal is made up

    monkeypatch.setattr(pathlib.Path, "open", refuse)
    with pytest.raises(InputError, match=rf"secret\.txt .*{message}") as caught:
        flat(tmp_path / "secret.txt")
    assert hint in caught.value.hint


def test_truncated_gzip(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "truncated.txt.gz"
    path.write_bytes(gzip.compress(os.urandom(1000).hex().encode())[:-20])
    with pytest.raises(InputError, match=r"truncated\.txt\.gz breaks off") as caught:
        flat(path)
    assert "download it again" in caught.value.hint


def test_corrupt_gzip(tmp_path: pathlib.Path) -> None:
    sound = gzip.compress(os.urandom(1000).hex().encode())
    faults = {
        "plain": b"not compressed\n",
        "checksum": sound[:-8] + bytes(4) + sound[-4:],
        "deflate": sound[:10] + b"\xff" * 50,
    }
    for name, data in faults.items():
        path = tmp_path / f"{name}.gz"
        path.write_bytes(data)
        with pytest.raises(InputError, match=rf"{name}\.gz is not sound gzip") as caught:
            flat(path)
        assert "take .gz off" in caught.value.hint


def test_endless_line_is_refused(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_LIMIT", 1000)
    monkeypatch.setattr(lines, "CHUNK", 100)
    path = tmp_path / "bomb.txt.gz"
    path.write_bytes(gzip.compress(b"x" * 2000))
    with pytest.raises(InputError, match=r"bomb\.txt\.gz has a line of more than 1000 bytes"):
        flat(path)


def test_whole_is_bounded(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "bomb.sgm.gz"
    path.write_bytes(gzip.compress(b"x" * 2000))
    with pytest.raises(InputError, match=r"bomb\.sgm\.gz is larger than 1000 bytes") as caught:
        lines.whole(path, limit=1000)
    assert "Split it" in caught.value.hint


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_what_is_written_can_be_read(tmp_path: pathlib.Path, name: str) -> None:
    path = tmp_path / name
    lines.write(path, ["one\n", "zwölf\nthree\n"])
    assert flat(path) == ["one", "zwölf", "three"]
    first = path.read_bytes()
    lines.write(path, ["one\nzwölf\n", "three\n"])
    assert path.read_bytes() == first or name.endswith(".gz")
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_packed_bytes_do_not_depend_on_name_or_time(tmp_path: pathlib.Path) -> None:
    lines.write(tmp_path / "a.gz", ["text\n"])
    lines.write(tmp_path / "b.gz", ["text\n"])
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert (tmp_path / "a.gz").read_bytes()[4:8] == bytes(4)


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError, InputError])
@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_nothing_half_written_is_left(tmp_path: pathlib.Path, fault: type[BaseException], name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")

    def broken() -> Iterator[str]:
        yield "new\n" * 100_000
        raise fault("stop")

    with pytest.raises(fault):
        lines.write(path, broken())
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_lone_surrogate_cannot_be_written(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"out\.txt cannot hold '\\ud800'") as caught:
        lines.write(tmp_path / "out.txt", ["\ud800"])
    assert "surrogate" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_unwritable_targets(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "missing" / "out.txt", tmp_path / "file" / "out.txt"):
        with pytest.raises(InputError, match=r"out\.txt cannot be written") as caught:
            lines.write(path, ["text\n"])
        assert "directory exists" in caught.value.hint
    with pytest.raises(InputError, match="is a directory"):
        lines.write(tmp_path, ["text\n"])


def test_a_full_disk_leaves_nothing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pathlib.Path, "replace", full)
    with pytest.raises(InputError, match=r"out\.txt cannot be written: No space left"):
        lines.write(tmp_path / "out.txt", ["text\n"])
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: pathlib.Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    lines.write(tmp_path / "link", ["text\n"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "text\n"
    lines.write("/dev/null", ["text\n"])
    assert pathlib.Path("/dev/null").is_char_device()
