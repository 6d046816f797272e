"""WMT XML: its quirks, its gaps, and what hostile files may not do."""

from __future__ import annotations

import gzip
import pathlib

import pytest

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import lines, xml

FULL = """\
<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest2021">
  <collection id="general">
  <doc id="d1" origlang="en" domain="news">
    <src lang="en">
      <p><seg id="1" type="title">One &amp; only</seg></p>
      <p></p>
      <p><seg id="2">two
         lines,  two spaces</seg></p>
    </src>
    <ref lang="de" translator="A"><p><seg id="1">Eins A</seg><seg id="2">Zwei A</seg></p></ref>
    <ref lang="de" translator="B"><p><seg id="2">Zwei B</seg><seg id="1">Eins B</seg></p></ref>
    <hyp lang="de" system="X"><p><seg id="1">Eins X</seg><seg id="2">Zwei X</seg></p></hyp>
    <hyp language="de" system="Y"><p><seg id="1">Eins Y</seg><seg id="2"/></p></hyp>
    <supplemental type="note"><p><seg id="1">ignored</seg></p></supplemental>
  </doc>
  </collection>
  <doc id="d2" origlang="en">
    <src lang="en"><p><seg id="1">Three</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Drei A</seg></p></ref>
    <hyp lang="de" system="X"><p><seg id="1">Drei X</seg></p></hyp>
    <hyp lang="de" system="Y"><p><seg id="1">Drei Y</seg></p></hyp>
  </doc>
</dataset>
"""


def put(folder: pathlib.Path, name: str, content: str) -> pathlib.Path:
    path = folder / name
    path.write_bytes(gzip.compress(content.encode()) if name.endswith(".gz") else content.encode())
    return path


def references(testset: TestSet) -> list[tuple[str, ...]]:
    assert testset.references is not None
    return [testset.references[i] for i in range(len(testset))]


@pytest.mark.parametrize("name", ["full.xml", "full.xml.gz"])
def test_a_full_file(tmp_path: pathlib.Path, name: str) -> None:
    found = xml.read(put(tmp_path, name, FULL))
    assert found.segments == ("d1:1", "d1:2", "d2:1")
    assert found.documents == ("d1", "d1", "d2")
    assert found.sources is not None
    assert found.sources.strings == ("One & only", "two lines,  two spaces", "Three")
    assert found.reference_names == ("A", "B")
    assert references(found) == [("Eins A", "Eins B"), ("Zwei A", "Zwei B"), ("Drei A",)]
    assert {n: own.strings for n, own in found.systems.items()} == {
        "X": ("Eins X", "Zwei X", "Drei X"),
        "Y": ("Eins Y", "", "Drei Y"),
    }


def test_documents_without_references(tmp_path: pathlib.Path) -> None:
    cut = FULL.replace('<ref lang="de" translator="A"><p><seg id="1">Drei A</seg></p></ref>', "")
    path = put(tmp_path, "gap.xml", cut)
    with pytest.raises(InputError, match=r"gap\.xml: 1 of 2 documents lack references: d2\.") as caught:
        xml.read(path)
    assert "without references" in caught.value.hint
    assert xml.read(path, references=False).references is None


def test_no_references_at_all(tmp_path: pathlib.Path) -> None:
    text = '<dataset id="x"><doc id="d"><src lang="en"><p><seg id="1">s</seg></p></src></doc></dataset>'
    found = xml.read(put(tmp_path, "source.xml", text))
    assert (found.references, dict(found.systems), len(found)) == (None, {}, 1)


def wrapped(inside: str) -> str:
    return f'<dataset id="x">\n<doc id="d">\n{inside}\n</doc>\n</dataset>'


@pytest.mark.parametrize(
    ("fault", "content", "message", "hint"),
    [
        (
            "unsound",
            "<dataset>\n<doc id='d'>\nAT&T</doc></dataset>",
            r"unsound\.xml, line 3, column \d+: not",
            "&amp;",
        ),
        ("cut", "<dataset>\n<doc id='d'>", r"cut\.xml, line 2, column \d+: not sound XML", "Repair"),
        ("latin1", "<dataset>\n\udce9</dataset>", r"latin1\.xml, line 2, column 1: not sound XML", "Repair"),
        ("empty", "", r"empty\.xml, line 1, column 1: not sound XML \(no element found\)", "Repair"),
        ("root", "<html/>", r"root\.xml, line 1: the outermost element is <html>", "WMT"),
        ("no_id", "<dataset>\n<doc>", r"no_id\.xml, line 2: a <doc> has no id", "of its own"),
        (
            "same",
            wrapped("</doc><doc id='d'>"),
            r"same\.xml, line 3: document 'd' is there twice",
            "of its own",
        ),
        ("outside", "<dataset>\n<src>", r"outside\.xml, line 2: a <src> stands outside", "<doc id=...>"),
        ("system", wrapped("<hyp lang='de'>"), r"system\.xml, line 3: a <hyp> does not say", "system="),
        ("seg", wrapped("<src>\n<seg>x</seg>"), r"seg\.xml, line 4: a <seg> has no id", "matched"),
        (
            "twice",
            wrapped("<ref><seg id='1'/></ref>\n<ref><seg id='1'/></ref>"),
            r"twice\.xml, line 4: segment '1' of document 'd' is twice in <ref>",
            "translator",
        ),
        ("nothing", wrapped(""), r"nothing\.xml has no segments", "<src>"),
        (
            "lacking",
            wrapped("<src><seg id='1'/><seg id='2'/></src><hyp system='X'><seg id='1'/></hyp>"),
            r"lacking\.xml: system 'X' lacks 1 of the 2 segments of its source \(d:2\)",
            "add what is missing",
        ),
        (
            "extra",
            wrapped("<src><seg id='1'/></src><ref translator='A'><seg id='1'/><seg id='2'/></ref>"),
            r"extra\.xml: reference 'A' has 1 that its source does not have \(d:2\)",
            "leave the rest out",
        ),
    ],
)
def test_faults(tmp_path: pathlib.Path, fault: str, content: str, message: str, hint: str) -> None:
    path = tmp_path / f"{fault}.xml"
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(InputError, match=message) as caught:
        xml.read(path)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("fault", "declaration"),
    [
        ("laughs", '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'),
        ("file", '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
        ("network", '<!DOCTYPE d SYSTEM "http://example.org/d.dtd">'),
        ("parameter", '<!DOCTYPE d [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>'),
    ],
)
def test_declarations_are_refused(tmp_path: pathlib.Path, fault: str, declaration: str) -> None:
    path = put(tmp_path, f"{fault}.xml", f"<?xml version='1.0'?>\n{declaration}\n<dataset>&a;</dataset>")
    with pytest.raises(InputError, match=rf"{fault}\.xml, line 2: it declares a document type") as caught:
        xml.read(path)
    assert "<!DOCTYPE" in caught.value.hint


def test_size_is_bounded(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines.bounded, "__defaults__", (100,))
    with pytest.raises(InputError, match=r"large\.xml is larger than 100 bytes"):
        xml.read(put(tmp_path, "large.xml", FULL))


def test_as_many_translators_as_documents(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is looked at for what it has, not for what all have: the work does not grow with documents times names."""
    source = '<src lang="en"><p><seg id="1">x</seg></p></src>'
    documents = "".join(
        f'<doc id="d{i}">{source}<ref lang="de" translator="t{i}"><p><seg id="1">{i}</seg></p></ref></doc>'
        for i in range(20)
    )
    (tmp_path / "x.xml").write_text(f'<dataset id="s">{documents}</dataset>', encoding="utf-8")
    walks: list[str] = []
    monkeypatch.setattr(xml, "_covered", lambda *_: walks.append(""))
    testset = xml.read(tmp_path / "x.xml")
    assert testset.references is not None
    assert [testset.references[i] for i in range(20)] == [(str(i),) for i in range(20)]
    assert walks == []
