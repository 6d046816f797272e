"""What else is known of segments: columns of tables, domains of documents, attributes in XML and SGML."""

from __future__ import annotations

import pathlib

import polars as pl
import pytest

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import columns, sgml, table, text, xml

FACETS = {"domain": ("news", "chat", "news"), "year": ("1", "2", "3")}
WHOLE = TestSet.of({"A": ["a", "b", "c"]}, ["a", "b", "c"], facets=FACETS)


@pytest.mark.parametrize("name", ["all.tsv", "all.parquet"])
def test_columns_of_a_table(tmp_path: pathlib.Path, name: str) -> None:
    table.write(WHOLE, tmp_path / name)
    found = table.read(tmp_path / name)
    assert found.facets == FACETS
    assert list(found.systems) == ["A"]
    parts = [part.facets["domain"] for part in table.read_parts(tmp_path / name, 2)]
    assert parts == [("news", "chat"), ("news",)]


def test_whole_numbers_in_parquet(tmp_path: pathlib.Path) -> None:
    pl.DataFrame({"facet:year": [1999, 2000], "reference": ["a", "b"], "A": ["a", "b"]}).write_parquet(
        tmp_path / "a.parquet"
    )
    assert table.read(tmp_path / "a.parquet").facets == {"year": ("1999", "2000")}


def test_a_facet_has_a_name(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.tsv").write_text("facet:\treference\tA\nx\ty\tz\n", encoding="utf-8")
    with pytest.raises(InputError, match="column 1 has no name"):
        table.read(tmp_path / "a.tsv")


def test_a_system_cannot_be_called_like_a_facet(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="cannot have a system called 'facet:x'"):
        table.write(TestSet.of({"facet:x": ["a"]}, ["a"]), tmp_path / "a.tsv")


def test_a_facet_has_one_entry_a_segment() -> None:
    with pytest.raises(InputError, match="facet 'domain' column has 1 entries for 2 segments"):
        TestSet.of({"A": ["a", "b"]}, ["a", "b"], facets={"domain": ["x"]})


def test_parts_are_cut() -> None:
    assert columns.sliced(WHOLE, 1, 3).facets == {"domain": ("chat", "news"), "year": ("2", "3")}


@pytest.mark.parametrize(
    ("lines", "facets"),
    [("news d1\nchat d2\n", {"domain": ("news", "chat")}), ("d1\nchat d2\n", {}), ("d1\nd2\n", {})],
)
def test_domains_of_documents(tmp_path: pathlib.Path, lines: str, facets: dict[str, tuple[str, ...]]) -> None:
    for name, content in (("a", "a\nb\n"), ("docs", lines)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = text.read({"A": tmp_path / "a"}, [tmp_path / "a"], documents=tmp_path / "docs")
    assert found.documents == ("d1", "d2")
    assert found.facets == facets


def test_attributes_in_xml(tmp_path: pathlib.Path) -> None:
    documents = "".join(
        f'<doc id="{name}" origlang="en"{more}><src><p><seg id="1">s</seg></p></src>'
        '<hyp system="A"><p><seg id="1">h</seg></p></hyp></doc>'
        for name, more in (("x", ' domain="news"'), ("y", ""))
    )
    (tmp_path / "a.xml").write_text(f"<dataset>{documents}</dataset>", encoding="utf-8")
    assert xml.read(tmp_path / "a.xml").facets == {"origlang": ("en", "en")}  # only one has a domain


def test_attributes_in_sgml(tmp_path: pathlib.Path) -> None:
    documents = "".join(
        f'<doc docid="{name}" genre="news" origlang="{language}"><seg id="1">s</seg><seg id="2">t</seg></doc>'
        for name, language in (("x", "de"), ("y", "en"))
    )
    (tmp_path / "a.sgm").write_text(
        f'<srcset setid="s" srclang="any">{documents}</srcset><tstset sysid="A">{documents}</tstset>', encoding="utf-8"
    )
    assert sgml.read_testset(tmp_path / "a.sgm").facets == {
        "genre": ("news",) * 4,
        "origlang": ("de", "de", "en", "en"),
    }
