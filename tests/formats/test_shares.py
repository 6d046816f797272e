"""Shares of files: the same segments as of the whole, in every form; what is another's is counted and not read."""

from __future__ import annotations

import gzip
import pathlib
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import formats
from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import lines, places, shares, table, text
from tercet.formats.shares import Share, Unread

LINES = [f"line {i} of ü" for i in range(23)]


def flat(pieces: Iterable[shares.Lines]) -> Iterator[str | int]:
    for piece in pieces:
        yield from piece


@given(
    st.lists(st.text(st.sampled_from("aé\r\u2028"), max_size=3), max_size=30),
    st.integers(1, 4),
    st.integers(1, 5),
    st.integers(1, 40),
    st.sampled_from([b"", lines.MARK]),
    st.booleans(),
)
def test_a_share_is_what_the_whole_has_there(
    texts: list[str], size: int, of: int, chunk: int, mark: bytes, ended: bool
) -> None:
    data = mark + "\n".join(texts).encode() + (b"\n" if ended and texts else b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", chunk)
        patch.setattr(places, "files", lambda _: ["one", "two"])
        patch.setattr(lines, "opened", lambda _: __import__("io").BytesIO(data))
        whole = [line for block in lines.blocks("both") for line in block]
        for first in range(of):
            share = Share(size, first, of)
            got = list(flat(shares.blocks("both", 3, share)))
            mine = [i for i in range(len(whole)) if share.has(i // size)]
            assert got == [whole[i] if i in mine else i for i in range(len(whole))]
            assert share.count(len(whole)) == len(mine)


def test_bytes_of_others_are_not_looked_at(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "texts"
    file.write_bytes(b"one\ntwo\n\xff\xff\nfour\n")
    assert list(shares.blocks(file, 9, Share(2, 0, 2))) == [["one", "two"], range(2, 4)]
    with pytest.raises(InputError, match="texts, line 3, byte 1: 0xff is not UTF-8"):
        list(shares.blocks(file, 9, Share(2, 1, 2)))


@pytest.fixture(params=["set.tsv", "set.tsv.gz", "set.parquet", "named.tsv", "named.parquet", "set-*.tsv", "stored"])
def file(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> pathlib.Path | str:
    """A table of 23 segments, in every form, one with names of segments."""
    named = request.param.startswith("named")
    names = tuple(f"s{i}" if named else f"{i + 1}" for i in range(23))
    whole = TestSet.of({"a": LINES, "b": LINES[::-1]}, LINES, segments=names)
    if request.param == "stored":
        pytest.importorskip("fsspec")
        pytest.importorskip("pyarrow")
        import polars as pl

        frame = pl.DataFrame({"reference": LINES, "a": LINES, "b": LINES[::-1]})
        table.write_frame(frame, "memory://shares.parquet", row_group_size=4)
        return "memory://shares.parquet"
    table.write(whole, tmp_path / request.param.replace("set-*", "set-1"))
    if "*" in request.param:
        rows = (tmp_path / "set-1.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / "set-1.tsv").write_text("".join(rows[:8]), encoding="utf-8")
        (tmp_path / "set-2.tsv").write_text("".join([rows[0], *rows[8:]]), encoding="utf-8")
    return pathlib.Path(tmp_path, request.param)


def test_shares_of_tables_are_the_whole(file: pathlib.Path | str) -> None:
    def rows(part: TestSet) -> list[tuple[str, ...]]:
        return list(zip(part.segments, *part.systems.values(), part.sources or part.segments, strict=True))

    wanted = [row for part in formats.testset_parts(file, 5) for row in rows(part)]
    got: dict[int, tuple[str, ...]] = {}
    unread = 0
    for first in range(3):
        at = 0
        for part in formats.testset_share(file, 5, None, Share(4, first, 3)):
            if isinstance(part, Unread):
                assert part.systems == ("a", "b")
                unread += len(part)
            else:
                got |= dict(enumerate(rows(part), at))
            at += len(part)
        assert at == 23
    assert [got[i] for i in range(23)] == wanted
    assert unread == 2 * 23


def test_a_header_that_is_another_is_refused(tmp_path: pathlib.Path) -> None:
    for i, name in ((1, "a"), (2, "b")):
        (tmp_path / f"x-{i}.tsv").write_text(f"reference\t{name}\nx\ty\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"x-2.tsv, line 1: the columns are other ones"):
        list(formats.testset_share(tmp_path / "x-*.tsv", 5, None, Share(1, 0, 2)))


def test_files_of_unequal_length_are_refused(tmp_path: pathlib.Path) -> None:
    for name, n in (("hyp", 9), ("ref", 7)):
        with gzip.open(tmp_path / f"{name}.gz", "wt", encoding="utf-8") as packed:
            packed.write("x\n" * n)
    for first in (0, 1):
        with pytest.raises(InputError, match=r"hyp.gz has 9 lines, .*ref.gz 7"):
            list(text.read_share({"a": tmp_path / "hyp.gz"}, [tmp_path / "ref.gz"], share=Share(2, first, 2)))


@pytest.mark.parametrize("form", ["tsv", "parquet"])
def test_a_name_that_another_share_has_is_refused(form: str, tmp_path: pathlib.Path) -> None:
    import polars as pl

    frame = pl.DataFrame({"a": ["x"] * 9, "segment": [*"12345678", "2"], "reference": ["x"] * 9})
    file = tmp_path / f"set.{form}"
    _ = frame.write_parquet(file) if form == "parquet" else frame.write_csv(file, separator="\t")
    for first in range(3):
        with pytest.raises(InputError, match="segment '2' is there twice"):
            list(formats.testset_share(file, 5, None, Share(2, first, 3)))
