"""Tables: what is written can be read, and every fault is named with its line."""

from __future__ import annotations

import pathlib
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import table

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\ufeff"), max_size=8)


def plain(testset: TestSet) -> tuple[Any, ...]:
    """A test set as values that compare."""
    refs = testset.references
    return (
        testset.segments,
        {name: own.strings for name, own in testset.systems.items()},
        None if refs is None else [refs[i] for i in range(len(refs))],
        None if testset.sources is None else testset.sources.strings,
        testset.documents,
        testset.reference_names,
    )


def reserved(name: str) -> bool:
    known = ("segment", "document", "source", "reference")
    return not name or name.lower().removesuffix("s") in known or name.startswith("reference:")


@st.composite
def made(draw: st.DrawFn, cell: st.SearchStrategy[str]) -> TestSet:
    n = draw(st.integers(0, 5))

    def column() -> list[str]:
        return draw(st.lists(cell, min_size=n, max_size=n))

    names = draw(st.lists(cell.filter(lambda s: not reserved(s)), min_size=1, max_size=3, unique=True))
    called = draw(st.none() | st.just([""]) | st.lists(cell, min_size=1, max_size=3, unique=True))
    refs: list[list[str]] | None = None
    if called is not None:
        some = st.lists(cell.filter(bool), min_size=1, max_size=len(called)) | st.just([""])
        refs = draw(st.lists(some, min_size=n, max_size=n))
    return TestSet.of(
        {name: column() for name in names},
        refs,
        sources=column() if draw(st.booleans()) else None,
        documents=column() if draw(st.booleans()) else None,
        segments=draw(st.lists(cell, min_size=n, max_size=n, unique=True)),
        reference_names=called if called not in (None, [""]) else (),
    )


@given(testset=made(CELL), name=st.sampled_from(["set.tsv", "set.tsv.gz"]))
def test_tsv_round_trip(tmp_path_factory: pytest.TempPathFactory, testset: TestSet, name: str) -> None:
    path = tmp_path_factory.getbasetemp() / name
    table.write(testset, path)
    assert plain(table.read(path)) == plain(testset)


@given(testset=made(ANY))
def test_parquet_round_trip(tmp_path_factory: pytest.TempPathFactory, testset: TestSet) -> None:
    path = tmp_path_factory.getbasetemp() / "set.parquet"
    table.write(testset, path)
    assert plain(table.read(path)) == plain(testset)


@given(n=st.integers(0, 9), size=st.integers(1, 10), name=st.sampled_from(["parts.tsv", "parts.parquet"]))
def test_parts_are_the_whole(tmp_path_factory: pytest.TempPathFactory, n: int, size: int, name: str) -> None:
    path = tmp_path_factory.getbasetemp() / name
    table.write(TestSet.of({"A": [f"text {i}" for i in range(n)]}), path)
    parts = list(table.read_parts(path, size))
    assert [s for part in parts for s in part.segments] == [str(i + 1) for i in range(n)]
    assert [s for part in parts for s in part.systems["A"]] == [f"text {i}" for i in range(n)]
    assert len(parts) == max(1, -(-n // size))


def test_columns_mean_what_they_are_called(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "set.tsv"
    path.write_text(
        'B\tsegment\treference:A\tdocument\tsource\treference\t"q"\n'
        'b1\ts-1\tx\td\tq1\ty\t"1\n'
        "b2\ts-2\t\td\tq2\ty\t\n"
        "b3\ts-3\t\td\tq3\t\t3\n"
    )
    assert plain(table.read(path)) == (
        ("s-1", "s-2", "s-3"),
        {"B": ("b1", "b2", "b3"), '"q"': ('"1', "", "3")},
        [("x", "y"), ("y",), ("",)],
        ("q1", "q2", "q3"),
        ("d", "d", "d"),
        ("A", ""),
    )


def test_a_byte_order_mark_is_no_text(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "pasted.tsv"
    path.write_text("\ufeffreference\tA\n\ufeffx\t\ufeffy\nz\t\ufeffz\n", encoding="utf-8")
    for read in (table.read(path), next(table.read_parts(path, 1))):
        assert read.references is not None
        assert (read.references[0], read.systems["A"][0]) == (("x",), "y")
    assert table.read(path).systems["A"][1] == "\ufeffz", "only where a file began"


def test_segments_are_numbered_where_they_have_no_names(tmp_path: pathlib.Path) -> None:
    (tmp_path / "one.tsv").write_text("A\nx\n\nz\n")
    assert plain(table.read(tmp_path / "one.tsv"))[:2] == (("1", "2", "3"), {"A": ("x", "", "z")})


def test_references_without_names_are_numbered(tmp_path: pathlib.Path) -> None:
    table.write(TestSet.of({"A": ["x", "y"]}, [["r", "R"], "s"]), tmp_path / "set.tsv")
    found = table.read(tmp_path / "set.tsv")
    assert plain(found)[2] == [("r", "R"), ("s",)]
    assert found.reference_names == ("", "2")


@pytest.mark.parametrize(
    ("fault", "content", "message", "hint"),
    [
        ("empty", "", r"empty\.tsv is empty", "column names"),
        ("blank_header", "\nx\n", r"line 1: column 1 has no name", "Give every column one"),
        ("nameless", "A\t\nx\ty\n", r"line 1: column 2 has no name", "Give every column one"),
        ("nameless_reference", "A\treference:\nx\ty\n", r"line 1: column 2 has no name", "reference"),
        ("twice", "A\tB\tA\nx\ty\tz\n", r"line 1: two columns are called 'A'", "another name"),
        ("nearly", "A\tReferences\nx\ty\n", r"line 1: column 'References' is nearly", "'reference'"),
        ("no_system", "segment\treference\n1\tx\n", r"line 1: there is no system", "add one"),
        ("too_few", "A\tB\nx\ty\nx\n", r"line 3: 1 fields where the header has 2", "stray tab"),
        ("too_many", "A\tB\nx\ty\nx\ty\tz\n", r"line 3: 3 fields where the header has 2", "stray tab"),
        ("shifted", "A\tB\nx\ny\tz\tw\n", r"line 2: 1 fields where the header has 2", "stray tab"),
        ("same", "segment\tA\n7\tx\n8\ty\n7\tz\n", r"line 4: segment '7' is there twice", "unique"),
        ("same_number", "segment\tA\n1\tx\n2\ty\n1\tz\n", r"line 4: segment '1' is there twice", "unique"),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 100])
def test_faults(tmp_path: pathlib.Path, fault: str, content: str, message: str, hint: str, size: int) -> None:
    path = tmp_path / f"{fault}.tsv"
    path.write_text(content)
    with pytest.raises(InputError, match=message) as caught:
        list(table.read_parts(path, size))
    assert f"{fault}.tsv" in str(caught.value)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("fault", "columns", "message", "hint"),
    [
        ("null", {"A": ["x", None]}, r"row 2: column 'A' is null", "empty string"),
        (
            "number",
            {"A": ["x", "y"], "length": [1, 2]},
            r"column 'length' is Int64, not text",
            "leave it out",
        ),
        ("same", {"segment": ["s", "s"], "A": ["x", "y"]}, r"row 2: segment 's' is there twice", "unique"),
        ("no_system", {"segment": ["s", "t"]}, r"there is no system", "add one"),
    ],
)
@pytest.mark.parametrize("size", [1, 100])
def test_parquet_faults(
    tmp_path: pathlib.Path, fault: str, columns: dict[str, list[Any]], message: str, hint: str, size: int
) -> None:
    path = tmp_path / f"{fault}.parquet"
    pl.DataFrame(columns).write_parquet(path)
    with pytest.raises(InputError, match=message) as caught:
        list(table.read_parts(path, size))
    assert f"{fault}.parquet" in str(caught.value)
    assert hint in caught.value.hint


def test_whole_numbers_may_name_segments_in_parquet(tmp_path: pathlib.Path) -> None:
    pl.DataFrame({"segment": [3, 1], "document": [7, 7], "A": ["x", "y"]}).write_parquet(tmp_path / "n.parquet")
    found = table.read(tmp_path / "n.parquet")
    assert (found.segments, found.documents) == (("3", "1"), ("7", "7"))


def test_broken_parquet(tmp_path: pathlib.Path) -> None:
    for name, data in {"text": b"A\nx\n", "cut": b"PAR1" + bytes(100)}.items():
        path = tmp_path / f"{name}.parquet"
        path.write_bytes(data)
        with pytest.raises(InputError, match=rf"{name}\.parquet (is not Parquet|cannot be read)") as caught:
            table.read(path)
        assert "rite it again" in caught.value.hint
    with pytest.raises(InputError, match="no file"):
        table.read(tmp_path / "missing.parquet")


@pytest.mark.parametrize("cell", ["a\tb", "a\nb", "a\r"])
def test_what_tsv_cannot_hold(tmp_path: pathlib.Path, cell: str) -> None:
    testset = TestSet.of({"A": ["fine", cell]})
    with pytest.raises(InputError, match=r"out\.tsv, line 3: the cell .* holds a tab or a line break") as caught:
        table.write(testset, tmp_path / "out.tsv")
    assert "Parquet" in caught.value.hint
    assert list(tmp_path.iterdir()) == []
    table.write(testset, tmp_path / "out.parquet")
    assert table.read(tmp_path / "out.parquet").systems["A"][1] == cell


@pytest.mark.parametrize(
    ("testset", "message", "hint"),
    [
        (TestSet.of({"source": ["x"]}), "a system called 'source'", "another name"),
        (TestSet.of({"reference:A": ["x"]}), "a system called 'reference:A'", "another name"),
        (TestSet.of({}, ["x"], segments=["1"]), "there is no system", "add one"),
        (
            TestSet.of({"A": ["x"]}, [["", "r"]]),
            "one of several references of segment '1' is empty",
            "Leave it out",
        ),
        (
            TestSet.of({"A": ["x"]}, [["a", "b"]], reference_names=["A"]),
            "2 references and 1 names",
            "reference_names",
        ),
        (TestSet.of({"A": ["x"]}, [["a", "b"]], reference_names=["A", "A"]), "share a name", "Rename"),
    ],
)
@pytest.mark.parametrize("name", ["out.tsv", "out.parquet"])
def test_what_no_table_can_hold(tmp_path: pathlib.Path, testset: TestSet, message: str, hint: str, name: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        table.write(testset, tmp_path / name)
    assert name in str(caught.value)
    assert hint in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_tables_of_wmt14(shared: pathlib.Path) -> None:
    found = table.read(shared / "data" / "wmt14-news" / "newstest2014.en-de.tsv.gz")
    assert (len(found), len(found.systems)) == (2737, 18)
    assert found.references is not None
    assert found.references.counts == (1, 1)


def test_parquet_may_be_packed_and_a_further_reference_null(tmp_path: pathlib.Path) -> None:
    import gzip

    import polars as pl

    plain = tmp_path / "set.parquet"
    columns = {"reference": ["a", "b"], "reference:B": [None, "c"], "mine": ["x", "y"]}
    pl.DataFrame(columns).write_parquet(plain)
    packed = tmp_path / "set.parquet.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    for path in (plain, packed):
        found = table.read(path)
        assert found.references is not None
        assert list(found.references) == [("a",), ("b", "c")]
