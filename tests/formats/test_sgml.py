"""SGML with all the quirks of real files, and test sets put together from several."""

from __future__ import annotations

import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import sgml

QUIRKS = """\
<!DOCTYPE whatever SYSTEM "x.dtd">
<TSTSET SetId=news srclang='any' TRGLANG="en">
<DOC sysid="X" sysid="ref" docid=a/b-1 genre="news">
<hl>
<seg id="1"> AT&T &amp; 1 < 2 &#233;&#xE9; &amp;lt; &unknown; </seg>
</hl>
<p><SEG ID=2>two
   lines\tand  spaces</SEG><seg id='3'></seg></p>
</DOC>
<doc docid="c" sysid="X"><seg id="1">ids\u00a0restart</seg></doc>
<doc docid="c" sysid="Y"><seg id="1">another <unk> system</seg></doc>
</TSTSET>
"""


def put(folder: pathlib.Path, name: str, content: str) -> pathlib.Path:
    path = folder / name
    path.write_text(content)
    return path


def simple(kind: str, segments: dict[str, list[str]], sysid: str = "") -> str:
    """A file of one set: the texts of each document."""
    documents = "".join(
        f'<doc sysid="{sysid}" docid="{name}">'
        + "".join(f'<seg id="{i}">{text}</seg>\n' for i, text in enumerate(texts, 1))
        + "</doc>\n"
        for name, texts in segments.items()
    )
    return f'<{kind} setid="s" srclang="de" trglang="en">\n{documents}</{kind}>\n'


def references(testset: TestSet) -> list[tuple[str, ...]]:
    assert testset.references is not None
    return [testset.references[i] for i in range(len(testset))]


def test_quirks(tmp_path: pathlib.Path) -> None:
    (found,) = sgml.read(put(tmp_path, "quirks.sgm", QUIRKS))
    assert (found.kind, found.setid, found.source_language, found.target_language) == (
        "system",
        "news",
        "any",
        "en",
    )
    assert found.systems == {
        "X": {
            ("a/b-1", "1"): " AT&T & 1 < 2 éé &lt; &unknown; ",
            ("a/b-1", "2"): "two lines and spaces",
            ("a/b-1", "3"): "",
            ("c", "1"): "ids\u00a0restart",
        },
        "Y": {("c", "1"): "another <unk> system"},
    }


def test_the_sysid_of_the_set_serves_documents_without(tmp_path: pathlib.Path) -> None:
    text = '<mteval><refset setid="s" refid="r"><doc docid="d"><seg id="1">x</seg></doc></refset></mteval>'
    (found,) = sgml.read(put(tmp_path, "nist.xml", text))
    assert found.systems == {"r": {("d", "1"): "x"}}


@given(text=st.text())
def test_entities_undo_escaping(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    assert sgml.resolve(escaped) == text


@pytest.mark.parametrize("entity", ["&#0;", "&#xD800;", "&#x110000;", "&#9999999;", "&;", "&amp"])
def test_what_is_no_entity_stays(entity: str) -> None:
    assert sgml.resolve(entity) == entity


@pytest.mark.parametrize(
    ("fault", "content", "line", "message", "hint"),
    [
        (
            "unclosed",
            '<tstset>\n<doc docid="d">\n<seg id="1">x\n<seg id="2">y</seg>',
            3,
            "'1' has no </seg>",
            "Close",
        ),
        ("cut", '<tstset>\n<doc docid="d">\n<seg id="1">x\n', 3, "segment '1' has no </seg>", "Close"),
        ("no_set", '\n<doc docid="d">', 2, "outside every set", "<tstset>"),
        ("no_docid", "<tstset>\n<doc>", 2, "<doc> has no docid", "matched by it"),
        ("no_doc", '<tstset>\n<seg id="1">x</seg>', 2, "outside every document", "<doc docid=...>"),
        ("no_id", "<tstset>\n<doc docid=d>\n<seg>x</seg>", 3, "<seg> has no id", "matched by it"),
        ("stray", "<tstset>\n<doc docid=d>\nx</seg>", 3, "</seg> closes nothing", "Drop it"),
        (
            "twice",
            "<tstset><doc docid=d><seg id=1>x</seg>\n<seg id=1>y</seg>",
            2,
            "'1' of document 'd' is there",
            "drop",
        ),
    ],
)
def test_faults(tmp_path: pathlib.Path, fault: str, content: str, line: int, message: str, hint: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        sgml.read(put(tmp_path, f"{fault}.sgm", content))
    assert f"{fault}.sgm, line {line}: " in str(caught.value)
    assert hint in caught.value.hint


def test_not_sgml(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"plain\.sgm has no <srcset>") as caught:
        sgml.read(put(tmp_path, "plain.sgm", "just text\n"))
    assert "SGML" in caught.value.hint


def test_assembled_in_the_order_of_the_source(tmp_path: pathlib.Path) -> None:
    source = put(tmp_path, "src.sgm", simple("srcset", {"b": ["s1", "s2"], "a": ["s3"]}))
    ref1 = put(tmp_path, "ref1.sgm", simple("refset", {"a": ["r3"], "b": ["r1", ""]}, "ref"))
    ref2 = put(tmp_path, "ref2.sgm", simple("refset", {"a": ["R3"], "b": ["R1", "R2"]}, "ref"))
    system = put(tmp_path, "sys.sgm", simple("tstset", {"a": ["t3"], "b": ["t1", "t2"]}, "X"))
    found = sgml.assemble([system], [ref1, ref2], source)
    assert found.segments == ("b:1", "b:2", "a:1")
    assert found.documents == ("b", "b", "a")
    assert found.systems["X"].strings == ("t1", "t2", "t3")
    assert references(found) == [("r1", "R1"), ("R2",), ("r3", "R3")]
    assert found.reference_names == ("ref", "ref.2")
    assert found.sources is not None
    assert found.sources.strings == ("s1", "s2", "s3")
    assert sgml.assemble([system], [ref1]).segments == ("a:1", "b:1", "b:2")
    assert sgml.assemble([system], []).references is None


def test_one_file_may_hold_everything(tmp_path: pathlib.Path) -> None:
    sets = [
        simple("srcset", {"d": ["s"]}),
        simple("refset", {"d": ["r"]}, "A"),
        simple("tstset", {"d": ["t"]}, "X"),
    ]
    found = sgml.read_testset(put(tmp_path, "all.sgm", "".join(sets)))
    assert (list(found.systems), references(found), found.reference_names) == (["X"], [("r",)], ("A",))


def test_missing_and_extra_segments_are_counted(tmp_path: pathlib.Path) -> None:
    ref = put(tmp_path, "ref.sgm", simple("refset", {"d": ["r"] * 5}, "ref"))
    system = put(tmp_path, "sys.sgm", simple("tstset", {"d": ["t"], "e": ["t", "t"]}, "X"))
    with pytest.raises(InputError, match=r"sys\.sgm: system 'X' lacks 4 of the 5 segments of \S*ref\.sgm") as caught:
        sgml.assemble([system], [ref])
    assert "(d:2, d:3, d:4, ...) and has 2 that" in str(caught.value)
    assert "(e:1, e:2)" in str(caught.value)
    assert "add what is missing" in caught.value.hint


def test_files_of_the_wrong_kind(tmp_path: pathlib.Path) -> None:
    ref = put(tmp_path, "ref.sgm", simple("refset", {"d": ["r"]}, "ref"))
    with pytest.raises(InputError, match=r"ref\.sgm holds a <refset> where a <tstset> is needed") as caught:
        sgml.assemble([ref], [])
    assert "which file is which" in caught.value.hint


def test_systems_of_the_same_name(tmp_path: pathlib.Path) -> None:
    system = put(tmp_path, "sys.sgm", simple("tstset", {"d": ["t"]}, "X"))
    with pytest.raises(InputError, match="System 'X' is there twice") as caught:
        sgml.assemble([system, system], [])
    assert "own sysid" in caught.value.hint


def test_several_sources(tmp_path: pathlib.Path) -> None:
    both = simple("srcset", {"d": ["s"]}, "A") + simple("srcset", {"d": ["s"]}, "B")
    with pytest.raises(InputError, match=r"src\.sgm holds 2 sources") as caught:
        sgml.assemble([], [], put(tmp_path, "src.sgm", both))
    assert "one sysid" in caught.value.hint


def test_no_segments(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="no SGML segment"):
        sgml.assemble([put(tmp_path, "none.sgm", "<tstset></tstset>")], [])


def test_the_example_of_meteor(shared: pathlib.Path) -> None:
    folder = shared / "data" / "meteor-example"
    found = sgml.assemble([folder / "test.sgm.gz"], [folder / "ref.sgm.gz"])
    assert (list(found.systems), found.reference_names, len(found)) == (["cmu-combo"], ("ref",), 2525)
    assert found.segments[0] == "ihned.cz/2008/09/30/36776:1"
    assert found.systems["cmu-combo"][0] == " Prague Stock Exchange to the end of trading, fell into the minus "
    assert len(found.document_rows()) == 111


def test_many_references_of_one_name_are_told_apart_in_as_many_steps() -> None:
    class Counted(str):
        spelt = 0

        def __format__(self, how: str) -> str:
            Counted.spelt += 1
            return super().__format__(how)

    names = [Counted("ref") for _ in range(2000)]
    assert sgml._distinct([*names, "ref.3"]) == ("ref", *(f"ref.{i}" for i in range(2, 2001)), "ref.3.2")
    assert Counted.spelt < 3 * len(names)
