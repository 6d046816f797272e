"""What we write is data for another program: no name is markup, command, formula or escape sequence there."""

from __future__ import annotations

import csv
import io
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

import pytest
import rich.console

import tercet
from tercet import escaping
from tercet.cli import output
from tercet.data.meta import Scatter
from tercet.formats.cells import csv_lines
from tercet.plots import save, scatter
from tercet.report import Table, render, render_records
from tercet.report.comparison import markdown, terminal
from tercet.report.html.compare import page
from tercet.report.tables import table_csv
from tests.cli.test_judgements import here
from tests.hostile.names import HALF, NAMES

ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
PLAIN = "a name"
each_name = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


def table(name: str) -> Table:
    """A name in every place of a table."""
    return Table(
        (name, f"{name} ↑"), ((name, "-0.50"), ("b", name)), (f"note on {name}", name), frozenset({(0, 0)}), frozenset()
    )


def lines(text: str) -> list[str]:
    return text.split("\n")


@each_name
def test_plain_text(name: str) -> None:
    text = render(table(name), "table")
    assert not ACTS.search(text)
    assert len(lines(text)) == len(lines(render(table(PLAIN), "table")))


@each_name
def test_a_table_on_a_terminal(name: str) -> None:
    console = rich.console.Console(file=io.StringIO(), force_terminal=True, width=200, color_system=None)
    output.print_table(table(name), console)
    assert isinstance(console.file, io.StringIO)
    text = re.sub(r"\x1b\[[0-9;]*m", "", console.file.getvalue())  # rich's own
    assert not ACTS.search(text)
    assert "x[/] [/nope]" in text or name != NAMES["rich"]


@each_name
def test_markdown(name: str) -> None:
    text = render(table(name), "markdown")
    assert len(lines(text)) == len(lines(render(table(PLAIN), "markdown")))
    for line in lines(text)[:4]:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3
    safe_markdown(text)


def safe_markdown(text: str) -> None:
    """No markup but that of a table, and no link."""
    assert not ACTS.search(text)
    live = re.sub(r"\\[\\`*_\[\]#~|:.]", "", text).replace("**", "")
    assert not re.search(r"<(?!/?(details|summary)>)|\]\(|\]:|`|@[a-z]|\[|://|www\.", live)


LATEX = re.compile(r"\\(?:textbf|text\w+|begin|end|hline|\\|[&%$#_{}])|\$\\?\w*-?\$")


@each_name
def test_latex(name: str) -> None:
    text = render(table(name), "latex")
    assert len(lines(text)) == len(lines(render(table(PLAIN), "latex")))
    safe_latex(text)


def safe_latex(text: str) -> None:
    """No command but those of a table, and no line that leaves a comment."""
    assert not ACTS.search(text)
    body = [line for line in lines(text) if not line.startswith("%")]
    assert body[-1] == ""
    live = LATEX.sub("", "\n".join(body))
    assert not re.search(r"[\\$#_~^%]", live)
    assert not re.search(r"\\\\(\[|\*)|^(\[|\*)", "\n".join(body), re.MULTILINE)
    assert live.count("{") == live.count("}")


def computes(cell: str) -> bool:
    """Whether a spreadsheet would take a cell for something to compute."""
    return cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d")) and not re.fullmatch(r"[+-]?[\d.]+", cell)


@each_name
def test_csv(name: str) -> None:
    records = [{"system": name, name: -0.5, "whole": -3}, {"system": "b", name: float("-inf"), "whole": 4}]
    written = [list(csv.reader(io.StringIO(render_records(records, "s", "csv"), newline="")))]
    written.append(list(csv.reader(io.StringIO(table_csv(table(name)), newline=""))))
    assert written[0][1][1:] == ["-0.5", "-3"], "numbers stay numbers"
    assert written[1][1][1] == "-0.50"
    for rows in written:
        assert all(not computes(cell) or cell == "-inf" for row in rows for cell in row)
    assert written[0][1][0].removeprefix("'") == name.removeprefix("'")


@each_name
def test_an_export_of_a_campaign(name: str) -> None:
    text = "".join(csv_lines([[name, -1, "-0.5", f"[{name}]"]]))
    ((cell, *rest),) = csv.reader(io.StringIO(text, newline=""))
    assert not computes(cell)
    assert cell.removeprefix("'") == name.removeprefix("'")
    assert rest == ["-1", "-0.5", f"[{name}]"]


@each_name
def test_tsv(name: str) -> None:
    try:
        text = render_records([{"system": name, "score": -0.5}], "s", "tsv")
    except tercet.InputError as error:
        assert re.search(r"[\t\n\r]", name) and "cannot stand in a TSV" in str(error)  # noqa: PT017, PT018
        return
    (cell, number) = lines(text)[1].split("\t")
    assert number == "-0.5"
    assert not computes(cell)


@pytest.mark.parametrize("name", [*NAMES.values(), HALF], ids=[*NAMES, "half a character"])
def test_json(name: str) -> None:
    for style in ("json", "jsonl"):
        text = render_records([{"system": name, name: 1.0}], name, style)
        assert not ACTS.search(text)
        assert name in json.loads(text).get("records", [json.loads(text)])[0]


@each_name
def test_a_comparison(name: str) -> None:
    texts = {name: ["the cat sat", "on the mat"], "b": ["a cat sat", f"on {name}"]}
    comparison = tercet.compare(texts, ["the cat sat", "on the mat"], metrics=["bleu"], samples=40)
    assert not re.search(r"(?<!\\)\]\(|<(?!/?(details|summary)>)|(?<!\\)`", markdown(comparison))
    assert not ACTS.search(markdown(comparison).replace("\r", ""))
    for part in terminal(comparison):
        assert isinstance(part, Table) or not ACTS.search(escaping.terminal(part))
    assert "<img src=x" not in page(comparison)
    assert "<script>alert" not in page(comparison)


@each_name
def test_a_figure(name: str, tmp_path: pathlib.Path) -> None:
    systems = (name, "b", "c", "d")
    points = Scatter(name, name, systems, (1, 2, 3, 4), (1, 3, 2, 4), (False,) * 4, agreement=0.5)
    save(scatter(points), tmp_path / "x.svg")
    root = ET.parse(tmp_path / "x.svg").getroot()  # noqa: S314
    assert not any(element.tag.rpartition("}")[2] in ("script", "a", "img") for element in root.iter())
    assert not ACTS.search("".join(root.itertext()))


@pytest.mark.parametrize("style", ["table", "markdown", "latex", "csv", "json"])
@pytest.mark.parametrize("name", [n for n in NAMES.values() if not re.search("[\n\r\t\x00]", n)])
def test_names_of_systems_through_the_command_line(
    name: str, style: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "set.tsv"
    path.write_text(f"reference\t{name}\nthe cat\tthe cat\n", encoding="utf-8")
    code, out, err = here(capsys, "score", "-t", path, "-m", "bleu", "-f", style)
    assert code in (0, 2)
    assert not ACTS.search(err)
    if style not in ("csv", "tsv"):  # a pipe gets what stands in the file
        assert not ACTS.search(out)


ACTING = [name for name in NAMES.values() if ACTS.search(name) and not re.search("[\n\r\t\x00]", name)]


@pytest.mark.parametrize("name", ACTING)
def test_names_of_files_through_the_command_line(
    name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = name.replace("/", "_")
    for file in (f"{name}.txt", "ref.txt"):
        (tmp_path / file).write_text("a\n", encoding="utf-8")
    code, out, err = here(capsys, "score", tmp_path / f"{name}.txt", "-r", tmp_path / "ref.txt")
    assert (code, err) == (0, "")
    assert not ACTS.search(out)
    code, out, err = here(capsys, "score", tmp_path / f"{name}.none", "-r", tmp_path / "ref.txt")
    assert (code, out) == (2, "")
    assert "There is no file" in err or "No file is called like" in err  # with brackets it is a pattern
    assert not ACTS.search(err)


@pytest.mark.parametrize("name", ACTING)
def test_names_of_judges_and_documents_through_the_command_line(
    name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n"
    rows = "".join(f"de,en,{i},{name},{i},{judge},{name}A,1,B,2\n" for i in range(9) for judge in (name, "other"))
    path = tmp_path / "j.csv"
    path.write_text(head + rows, encoding="utf-8")
    for verb, *more in (["rank"], ["agreement"], ["agreement", "--annotators"]):
        code, out, err = here(capsys, verb, path, *more)
        assert (code, err) == (0, "")
        assert not ACTS.search(out)


WRONG = {
    "a judgement": (
        "rank",
        "j.csv",
        "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Id,system1rank,"
        "system2Id,system2rank\nde,en,1,d,1,{0},{0},{0},B,2\n",
    ),
    "a column": ("score", "t.tsv", "reference\t{0}\na\tb\tc\n"),
    "a study": ("run", "s.toml", 'title = "{0}"\n["{0}"]\n'),
    "a model": ("score", "m.json", '{{"kind": "{0}"}}'),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("name", [n for n in NAMES.values() if not re.search('[\n\r\t\x00,"\\\\]', n)])
def test_errors_that_quote_a_file(
    what: str, name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verb, file, text = WRONG[what]
    path = tmp_path / file
    path.write_text(text.format(name), encoding="utf-8")
    given: list[str | pathlib.Path] = [*(["-t"] if verb == "score" else []), path]
    if what == "a model":
        (tmp_path / "h").write_text("a\n", encoding="utf-8")
        given = [tmp_path / "h", "-r", tmp_path / "h", "-m", f'combine(model="{path}")']
    code, _, err = here(capsys, verb, *given)
    assert code == 2
    assert not ACTS.search(err)


def test_a_terminal_gets_no_escape_sequence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    output.emit(render_records([{"system": NAMES["colours"]}], "s", "csv"), None)
    assert capsys.readouterr().out == "system\n\ufffd[31mred\ufffd[0m\n"


def test_half_a_character_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    with pytest.raises(tercet.InputError, match="half a character"):
        output.emit(render_records([{"system": HALF}], "s", "csv"), None)
