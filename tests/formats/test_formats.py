"""The contents page: formats found by name, by content and in other packages."""

from __future__ import annotations

import gzip
import importlib
import importlib.metadata
import pathlib
import sys
import types

import pytest

from tercet import formats
from tercet.data import TestSet
from tercet.errors import InputError, PluginError
from tercet.formats import table

SGML = '<tstset setid="s"><doc docid="d" sysid="X"><seg id="1">x</seg></doc></tstset>'
XML = '<dataset id="s"><doc id="d"><hyp system="X"><p><seg id="1">x</seg></p></hyp></doc></dataset>'
NIST = f'<?xml version="1.0"?>\n<!DOCTYPE mteval SYSTEM "mteval.dtd">\n<mteval>{SGML}</mteval>'
TSV = "segment\tX\nd:1\tx\n"


def put(folder: pathlib.Path, name: str, content: str) -> pathlib.Path:
    path = folder / name
    path.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.sgm", SGML, "sgml"),
        ("a.SGML.gz", SGML, "sgml"),
        ("a.xml", XML, "xml"),
        ("a.xml.gz", XML, "xml"),
        ("nist.xml", NIST, "sgml"),
        ("late.sgm", f"<?xml version='1.0'?>{' ' * 5000}{SGML}", "sgml"),
        ("a.tsv", TSV, "tsv"),
        ("a.tsv.gz", TSV, "tsv"),
        ("table.dat", TSV, "tsv"),
        ("markup", SGML, "sgml"),
        ("markup.gz", XML, "xml"),
    ],
)
def test_by_name_and_content(tmp_path: pathlib.Path, name: str, content: str, expected: str) -> None:
    path = put(tmp_path, name, content)
    assert formats.detect(path) == expected
    for found in (
        formats.read_testset(path),
        formats.read_testset(path, expected),
        *formats.testset_parts(path),
    ):
        assert found.segments == ("d:1",)
        assert found.systems["X"].strings == ("x",)


@pytest.mark.parametrize("name", ["a.parquet", "unnamed"])
def test_parquet(tmp_path: pathlib.Path, name: str) -> None:
    table.write(TestSet.of({"X": ["x", "y"]}), tmp_path / "a.parquet")
    path = (tmp_path / "a.parquet").rename(tmp_path / name)
    assert formats.read_testset(path).systems["X"].strings == ("x", "y")
    assert [part.segments for part in formats.testset_parts(path, 1)] == [("1",), ("2",)]


def test_directory(tmp_path: pathlib.Path) -> None:
    (tmp_path / "sources").mkdir()
    put(tmp_path, "sources/en-de.txt", "one\ntwo\n")
    assert formats.detect(tmp_path) == "directory"
    assert [len(part) for part in formats.testset_parts(tmp_path, 1)] == [1, 1]


def test_one_text_is_not_a_test_set(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "hyp.txt", "x\n")
    for read in (formats.read_testset, formats.testset_parts):
        with pytest.raises(InputError, match=r"hyp\.txt is text, of which one file") as caught:
            read(path)
        assert "files of their own" in caught.value.hint


def test_unknown_content_lists_the_formats(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "notes.doc", "some words\n")
    with pytest.raises(InputError, match=r"format of \S*notes\.doc is not known") as caught:
        formats.read_testset(path)
    assert ", ".join(formats.FORMATS) in caught.value.hint


def test_unknown_name_lists_the_formats(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="no format called 'docx'") as caught:
        formats.read_testset(tmp_path, "docx")
    assert ", ".join(formats.FORMATS) in caught.value.hint


def test_standard_input_needs_a_format() -> None:
    with pytest.raises(InputError, match="format of standard input") as caught:
        formats.read_testset("-")
    assert "tsv" in caught.value.hint


def test_missing_file(tmp_path: pathlib.Path) -> None:
    for name in ("missing.tsv", "missing.parquet", "missing.sgm", "missing.xml", "missing"):
        with pytest.raises(InputError, match=f"no file .*{name}"):
            formats.read_testset(tmp_path / name)


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    module = types.ModuleType("other_package", "Columns with bars.\n\nAnd more.")
    module.suffixes = (".bars",)  # type: ignore[attr-defined]
    module.read = lambda path: TestSet.of({"X": path.read_text().split("|")})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "other_package", module)
    offer(monkeypatch, "other_package")
    return module


def offer(monkeypatch: pytest.MonkeyPatch, module: str, name: str = "bars") -> None:
    entry = importlib.metadata.EntryPoint(name, module, "tercet.formats")
    monkeypatch.setattr("tercet.plugins._installed", lambda group: (entry,) if entry.group == group else ())


@pytest.mark.usefixtures("plugin")
def test_another_package_adds_a_format(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "a.bars", "x|y")
    assert formats.read_testset(path).systems["X"].strings == ("x", "y")
    assert [len(part) for part in formats.testset_parts(path, 1, format="bars")] == [1, 1]
    assert formats.formats()["bars"].summary == "Columns with bars."
    with pytest.raises(InputError) as caught:
        formats.read_testset(path, "docx")
    assert "bars" in caught.value.hint


def test_another_package_that_is_broken(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "not_installed_anywhere")
    assert formats.read_testset(put(tmp_path, "a.tsv", TSV)).segments == ("d:1",)
    assert formats.read_testset(put(tmp_path, "table", TSV)).segments == ("d:1",), "known by how it begins"
    with pytest.raises(PluginError, match="The format 'bars' of not_installed_anywhere cannot be imported") as caught:
        formats.read_testset(tmp_path / "a.tsv", "bars")
    assert "pip uninstall not_installed_anywhere" in caught.value.hint
    with pytest.raises(InputError, match=r"format of .* is not known") as unknown:
        formats.read_testset(put(tmp_path, "a.bars", "x"))
    assert "The format 'bars' of not_installed_anywhere cannot be imported" in unknown.value.hint
    assert list(formats.broken_formats()) == ["bars"]


def test_another_package_that_takes_our_name(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "other_package", "tsv")
    with pytest.raises(PluginError, match="other_package offers a format called 'tsv', which is the name of"):
        formats.read_testset(put(tmp_path, "a.tsv", TSV))


@pytest.mark.parametrize("lacking", ["suffixes", "read"])
def test_another_package_without(lacking: str, tmp_path: pathlib.Path, plugin: types.ModuleType) -> None:
    delattr(plugin, lacking)
    with pytest.raises(PluginError, match=f"The format 'bars' of other_package .*has no {lacking}"):
        formats.read_testset(put(tmp_path, "a", "x"), "bars")


@pytest.mark.parametrize("name", formats.FORMATS)
def test_the_table_names_what_exists(name: str) -> None:
    each = formats.FORMATS[name]
    module = importlib.import_module(each.module)
    assert all(hasattr(module, function) for function in (each.read, each.parts) if function)
    assert each.summary
