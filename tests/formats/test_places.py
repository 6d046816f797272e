"""Files at addresses, by patterns, and packed by zstd are read as one file of this machine is."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import fsspec
import polars as pl
import pytest
from backports import zstd

import tercet
from tercet import formats
from tercet.errors import InputError, MissingExtraError
from tercet.formats import lines, places

HEADER = "segment\treference\tA"
ROWS = [f"s{i}\tthe cat {i} sat on the mat\ta cat {i} sat on a mat" for i in range(30)]
CUTS = ((1, 0, 7), (2, 7, 7), (9, 7, 19), (10, 19, 30))  # one shard has no segments


@pytest.fixture(autouse=True)
def _memory() -> Iterator[None]:
    yield
    fsspec.filesystem("memory").store.clear()


def _shards(folder: str, suffix: str) -> str:
    """A table in shards, whose last line lacks its end; the pattern for them."""
    for number, start, stop in CUTS:
        lines.write(f"{folder}/c-{number}.tsv{suffix}", ["\n".join([HEADER, *ROWS[start:stop]])])
    return f"{folder}/c-*.tsv{suffix}"


def _scores(testset: str | pathlib.Path) -> tercet.Scores:
    return tercet.score(testset=testset, metrics=["bleu", "nist"], ci=True, samples=40)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("where", ["here", "memory"])
def test_shards_of_a_table_are_one_table(tmp_path: pathlib.Path, where: str, suffix: str) -> None:
    whole = tmp_path / "whole.tsv"
    whole.write_text("\n".join([HEADER, *ROWS]) + "\n")
    pattern = _shards(str(tmp_path) if where == "here" else "memory://corpus", suffix)
    assert _scores(pattern) == _scores(pathlib.Path(pattern)) == _scores(whole)
    assert formats.testset_size(pattern) == 30
    names = [name for part in formats.testset_parts(pattern, 8) for name in part.segments]
    assert names == [f"s{i}" for i in range(30)]


@pytest.mark.parametrize("where", ["here", "memory"])
def test_shards_of_parquet_are_one_table(tmp_path: pathlib.Path, where: str) -> None:
    table = dict(zip(HEADER.split("\t"), map(list, zip(*(row.split("\t") for row in ROWS), strict=True)), strict=True))
    whole = tmp_path / "whole.parquet"
    pl.DataFrame(table).write_parquet(whole)
    folder = str(tmp_path) if where == "here" else "memory://corpus"
    for number, start, stop in CUTS:
        with lines.replacing(f"{folder}/p-{number}.parquet") as file:
            pl.DataFrame(table)[start:stop].write_parquet(file, row_group_size=2)
    pattern = f"{folder}/p-*.parquet"
    assert _scores(pattern) == _scores(whole)
    assert formats.testset_size(pattern) == 30
    sizes = [len(part) for part in formats.testset_parts(pattern, 8)]
    assert sum(sizes) == 30
    assert max(sizes) <= 8


def test_only_the_row_groups_that_are_wanted_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    text = [f"{i} " * 400 for i in range(2000)]
    with lines.replacing("memory://big.parquet") as file:
        pl.DataFrame({"reference": text, "A": text}).write_parquet(file, row_group_size=100, compression="uncompressed")
    n_bytes = len(fsspec.filesystem("memory").store["/big.parquet"].getvalue())
    monkeypatch.setattr(places, "_BUFFER", 1 << 12)
    read = 0
    readinto = places._Stored.readinto

    def counted(self: places._Stored, buffer: bytearray) -> int:
        nonlocal read
        read += (n := readinto(self, buffer))
        return n

    monkeypatch.setattr(places._Stored, "readinto", counted)
    next(iter(formats.testset_parts("memory://big.parquet", 100)))
    assert 0 < read < n_bytes / 5
    list(formats.testset_parts("memory://big.parquet", 100))
    assert read > n_bytes


def test_shards_of_text_are_one_text_and_parts_travel(tmp_path: pathlib.Path) -> None:
    for name, column in (("ref", 1), ("hyp", 2)):
        texts = [row.split("\t")[column] for row in ROWS]
        (tmp_path / f"{name}.txt").write_text("\n".join(texts))
        for number, start, stop in CUTS:
            lines.write(f"memory://{name}-{number}.txt.zst", ["\n".join(texts[start:stop])])
    whole = tercet.score({"hyp": tmp_path / "hyp.txt"}, [tmp_path / "ref.txt"], metrics="nist")
    stored = [pathlib.Path(f"memory://{name}-*.txt.zst") for name in ("hyp", "ref")]
    assert tercet.score({"hyp": stored[0]}, stored[1:], metrics="nist") == whole
    parts = [
        tercet.score_shard({"hyp": stored[0]}, stored[1:], metrics="nist", shard=f"{i}/2", part=f"memory://{i}.part")
        for i in (1, 2)
    ]
    assert tercet.merge(parts) == whole


def test_what_is_wrong_is_said(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = _shards(str(tmp_path), "")
    (tmp_path / "c-9.tsv").write_text("segment\treference\tB\nx\ty\tz\n")
    with pytest.raises(InputError, match=r"c-9\.tsv, line 1: the columns are other ones than those of .*c-1\.tsv"):
        _scores(pattern)
    with pytest.raises(InputError, match="No file is called like"):
        _scores(str(tmp_path / "d-*.tsv"))
    with pytest.raises(InputError, match=r"4 files are called like .* one is needed here"):
        lines.whole(pattern)
    with pytest.raises(InputError, match=r"There is no file memory://nowhere.tsv"):
        _scores("memory://nowhere.tsv")
    with pytest.raises(InputError, match="chain of addresses"):
        _scores("memory://a::s3://b.tsv")
    with pytest.raises(InputError, match=r"s3://bucket is an address, and a folder of this machine is needed"):
        tercet.score({"A": ["a"]}, ["a"], resume=pathlib.Path("s3://bucket"))
    with pytest.raises(MissingExtraError, match=r"s3://bucket/a.tsv needs the package s3fs"):
        _scores("s3://bucket/a.tsv")

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("no credentials")

    monkeypatch.setattr(fsspec.filesystem("memory"), "_open", refuse)
    monkeypatch.setattr(fsspec.filesystem("memory"), "isfile", lambda _: True)
    with pytest.raises(InputError, match=r"memory://a\.tsv cannot be read: RuntimeError: no credentials"):
        _scores("memory://a.tsv")


def test_zstd_is_unpacked_within_limits(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "a.txt.zst"
    lines.write(file, ["one\ntwo\n"])
    packed = file.read_bytes()
    assert packed.startswith(b"\x28\xb5\x2f\xfd")
    assert lines.whole(file) == "one\ntwo\n"
    file.write_bytes(packed + packed)  # frames follow each other
    assert lines.count(file) == 4
    file.write_bytes(packed[:-3])
    with pytest.raises(InputError, match="breaks off inside its zstd data"):
        lines.whole(file)
    file.write_bytes(b"plain text")
    with pytest.raises(InputError, match=r"is not sound zstd data .* take .zst off its name"):
        lines.whole(file)
    (tmp_path / "a.txt").write_bytes(packed)
    with pytest.raises(InputError, match=r"compressed by zstd, not text. Give it a name that ends in .zst"):
        lines.whole(tmp_path / "a.txt")
    bomb = zstd.compress(b"a" * (lines.LINE_LIMIT + (1 << 20)))
    assert len(bomb) < 1 << 14
    file.write_bytes(bomb)
    with pytest.raises(InputError, match="a line of more than 64 MiB"):
        list(lines.blocks(file))
    with pytest.raises(InputError, match="larger than 1 MiB"):
        lines.whole(file, 1 << 20)


def test_a_file_of_that_name_is_no_pattern(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a[1].txt").write_text("x\n")
    (tmp_path / "a1.txt").write_text("y\n")
    assert list(lines.blocks(tmp_path / "a[1].txt")) == [["x"]]
    assert list(lines.blocks(tmp_path / "a?.txt")) == [["y"]]
