"""The page of a metrics task: self-contained, safe whatever the names are, the same bytes for the same report."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import html.parser
import importlib.resources
import json
import math
import re
from typing import Any

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from tercet.agreeing.places import placed
from tercet.data.meta import Calibration, MetaEvaluation, MetricAgreement, MetricTests, Scatter, TopCurve
from tercet.data.table import Table
from tercet.errors import InputError
from tercet.plots.layout import scatter_layout, ticks
from tercet.report.html import (
    CalibrationBlock,
    Cell,
    FoldBlock,
    MatrixBlock,
    Report,
    ScatterBlock,
    Section,
    TableBlock,
    TopCurveBlock,
    agreement_block,
    axes,
    calibration_block,
    direction_section,
    fold_block,
    matrix_block,
    page,
    scatter,
    scatter_block,
    table_block,
    top_curve_block,
)
from tercet.report.html.blocks import Block
from tercet.report.html.sheet import sheet
from tests.browser import example, hostile
from tests.conftest import at_most

NAN = float("nan")


class Outline(html.parser.HTMLParser):
    """Tags with their attributes, and the text, of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def shown(*blocks: Block) -> str:
    """The page of one section with some blocks."""
    return page(Report("title", sections=(Section("section", "section", blocks=blocks),)))


def data_of(text: str) -> dict[str, Any]:
    """What the script reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.fixture(scope="module")
def whole() -> str:
    """The page of a task of ordinary size."""
    return page(example.report())


@pytest.mark.thorough
def test_the_same_report_gives_the_same_bytes(whole: str) -> None:
    assert page(example.report()) == whole


def test_a_page_of_ordinary_size_is_well_under_a_megabyte(whole: str) -> None:
    assert len(whole.encode()) < 500_000


def test_nothing_is_loaded_and_nothing_else_may_run(whole: str) -> None:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', whole)
    assert found
    policy = dict(part.strip().split(" ", 1) for part in html.unescape(found[1]).split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        body = re.search(rf"<{tag}>(.*?)</{tag}>", whole, re.DOTALL)
        assert body
        digest = base64.b64encode(hashlib.sha256(body[1].encode()).digest()).decode()
        assert policy[directive] == f"'sha256-{digest}'"
    outline = Outline(whole)
    assert not {tag for tag, _ in outline.tags} & {"link", "img", "iframe", "object", "embed", "base", "form", "image"}
    for _, given in outline.tags:
        assert not {"style", "src", "srcset", "xlink:href", "action"} & set(given)
        assert not [name for name in given if name.startswith("on")]
        assert (given.get("href") or "#").startswith("#")
    assert re.findall(r"https?://[^\"' ]*", whole) == ["http://www.w3.org/2000/svg"]  # the name of SVG, in the script


def test_style_script_and_template_are_files_of_the_package() -> None:
    for name in ("colours.css", "page.css", "page.js", "page.html"):
        assert (importlib.resources.files("tercet.report.html") / name).read_text(encoding="utf-8").strip()


def test_hostile_names_change_nothing_but_text() -> None:
    free = {"id", "href", "aria-labelledby", "data-v", "x", "y", "text-anchor", "class"}

    def shape(report: Report) -> list[tuple[str, tuple[str, ...]]]:
        outline = Outline(page(report))
        return [(tag, tuple(sorted(set(given) - free))) for tag, given in outline.tags if tag != "path"]

    assert shape(hostile.report()) == shape(hostile.plain())


def test_hostile_names_are_there_as_text() -> None:
    text = "\n".join(Outline(page(hostile.report())).texts)
    for name in hostile.NAMES[:8]:
        assert name in text
    assert "abc\ufffddef\ufffd\ufffd" in text
    assert not re.search("[\x00-\x08\u202a-\u202e\ud800-\udfff]", text)
    assert "x" * 99 + "…" in text
    assert "x" * 101 not in text


def test_long_names_are_cut_and_counted() -> None:
    text = page(hostile.report())
    assert len(text) < 200_000
    assert "Names of more than 100 characters are cut short on this page: 2 of them." in text
    assert "cut short" not in page(hostile.report(hostile.NAMES[:9]))


@hypothesis.given(st.text(max_size=30))
@at_most(60)
def test_any_name_stays_inside_its_element(name: str) -> None:
    report = hostile.report((name, "a", "b", "c", "d", "e", "f", "g", "h"))
    text = page(report)
    outline = Outline(text)
    assert [tag for tag, _ in outline.tags].count("script") == 2
    assert data_of(text)["charts"]
    text.encode("utf-8")


def test_data_cannot_end_their_element() -> None:
    data = data_of(page(hostile.report()))
    assert set(hostile.NAMES[:8]) <= set(data["names"])
    body = page(hostile.report()).split('id="data">')[1].split("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(body)


def test_what_is_not_defined_is_null_and_never_zero() -> None:
    block = ScatterBlock("s", (Scatter("", "m", ("a", "b", "c"), (1.0, NAN, 2.0), (NAN, 1.0, 3.0), (False,) * 3),))
    view = data_of(shown(block))["charts"][0]["views"][0]
    assert view["points"][:2] == [None, None]
    assert view["points"][2][:2] == [3.0, 2.0]
    assert view["told"] == "1 system; without a score: \u2068a\u2069, \u2068b\u2069"
    curve = TopCurveBlock("c", (TopCurve("", "pearson", "m", (4, 5), (NAN, 0.5)),))
    assert data_of(shown(curve))["charts"][0]["lines"][0]["v"] == [None, 0.5]
    assert "Gaps: 1 value not defined." in shown(curve)


def test_anchors_are_unique_and_safe() -> None:
    sections = tuple(
        Section(t, i) for t, i in (("a", "de-en"), ("b", "de-en"), ("c", "data"), ("d", '"><b>'), ("e", ""))
    )
    outline = Outline(page(Report("t", sections=sections)))
    ids = [given["id"] for tag, given in outline.tags if tag == "section" and "id" in given]
    assert ids == ["de-en", "de-en-2", "data-2", "b", "part"]
    everywhere = [given["id"] for _, given in outline.tags if "id" in given]
    assert len(everywhere) == len(set(everywhere))
    assert [given["href"] for tag, given in outline.tags if tag == "a"][1:] == [f"#{i}" for i in ids]


def test_the_answers_come_first() -> None:
    section = Section("s", "s", "intro", (FoldBlock("study", "a < b"),))
    text = page(Report("t", ("Use A & B.",), (section,), "sig|1", ("n",))).split("<body>")[1]
    places = [text.index(t) for t in ("<h1>t<", "Use A &amp; B.", '<h2 id="s-', "intro", "a &lt; b", "<li>n", "sig|1")]
    assert places == sorted(places)


def test_cells_carry_what_rows_are_sorted_by() -> None:
    block = TableBlock(
        "t",
        ("metric", "r", "word"),
        (
            (Cell("b", "b"), Cell(".5", 0.5, bold=True, mark="≀"), Cell("x", "z")),
            (Cell("a"), Cell("n/a", NAN), Cell("")),
        ),
        frozenset({0}),
        sorted_by=1,
    )
    text = shown(block)
    assert '<th scope="col" class="n" aria-sort="descending"><bdi>r</bdi></th>' in text
    assert (
        '<td class="n" data-v="0.5"><b>.5</b><span class="mark">≀</span></td><td data-v="z"><bdi>x</bdi></td>' in text
    )
    assert '<tr class="rule"><th scope="row"><bdi>b</bdi></th>' in text
    assert '<td class="n">n/a</td>' in text


def test_a_table_with_holes_is_refused() -> None:
    with pytest.raises(InputError, match=r"Row 2 of the table 't' has 1 cells"):
        TableBlock("t", ("a", "b"), ((Cell("1"), Cell("2")), (Cell("1"),)))
    with pytest.raises(InputError, match="second line of headings of the table 't' has 1 cells"):
        TableBlock("t", ("a", "b"), (), subheader=("c",))
    with pytest.raises(InputError, match="no column 2"):
        TableBlock("t", ("a", "b"), (), sorted_by=2)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ScatterBlock("t", ()),
        lambda: TopCurveBlock("t", ()),
        lambda: CalibrationBlock("t", ()),
        lambda: MatrixBlock("t", MetricTests("", "system", "m", "t", (), np.zeros((0, 0)))),
        lambda: MatrixBlock("t", MetricTests("", "system", "m", "t", ("a", "b"), np.zeros((1, 2)))),
    ],
)
def test_a_block_without_content_is_refused(make: Any) -> None:
    with pytest.raises(InputError):
        make()


def test_a_table_of_text_gets_numbers_to_sort_by() -> None:
    table = Table(
        ("metric", "de-en", "average", "note"),
        (("a", ".977 ± .009", ".9", "3rd"), ("b", "n/a", ".95", "1"), ("c", "−.1", "n/a", "")),
        ("note",),
        frozenset({(0, 1)}),
        frozenset({0}),
        ("", "17 systems", "", ""),
    )
    block = table_block(table, "caption", sorted_by=2, apart={2})
    assert [[cell.sort for cell in row] for row in block.rows] == [
        ["a", 0.977, 0.9, "3rd"],
        ["b", None, None, "1"],
        ["c", -0.1, None, ""],
    ]
    assert [cell.bold for cell in block.rows[0]] == [False, True, False, False]
    assert (block.rules, block.notes, block.sorted_by) == (table.rules, ("note",), 2)
    assert "<span><bdi>de-en</bdi><small><bdi>17 systems</bdi></small></span>" in shown(block)


def test_the_table_of_agreement_is_sorted_by_its_first_measure() -> None:
    records = [
        MetricAgreement("a", "system", "pearson", "de-en", 0.9, low=0.8, high=0.95, n=10, in_words="Pearson's r"),
        MetricAgreement("b", "system", "pearson", "de-en", 0.95, n=9, in_words="Pearson's r"),
        MetricAgreement("c", "system", "pearson", "de-en", NAN, n=10, in_words="Pearson's r"),
        MetricAgreement("a", "segment", "kendall", "de-en", 0.4, n=100, in_words="Kendall's tau"),
    ]
    block = agreement_block(placed(records), "caption")
    assert block.header == ("metric", "system, Pearson's r", "segment, Kendall's tau")
    assert [[c.text for c in row] for row in block.rows] == [
        ["b", ".950", "n/a"],
        ["a", ".900 [.800, .950]", ".400"],
        ["c", "n/a", "n/a"],
    ]
    assert [[c.bold for c in row] for row in block.rows] == [[False, True, False], [False] * 3, [False] * 3]
    assert block.notes == ("system, Pearson's r: n = 9 to 10; segment, Kendall's tau: n = 100.",)


def test_winners_are_bold_where_there_were_tests() -> None:
    values = {"a": (0.9, True), "b": (0.8, True), "c": (0.7, False)}
    records = [MetricAgreement(m, "system", "r", "", v, winner=w) for m, (v, w) in values.items()]
    block = agreement_block(placed(records), "caption")
    assert [row[1].bold for row in block.rows] == [True, True, False]
    assert block.notes[-1] == "Bold: no other metric is significantly better."


def test_shades_follow_the_levels_of_significance() -> None:
    p = np.array([[NAN, 0.0496, 0.004, 0.0009], [0.9504, NAN, NAN, 0.5], [0.0504, 0.01, NAN, 0.2], [1, 1, 1, NAN]])
    tests = MetricTests("", "system", "pearson", "williams", ("a", "b", "c", "d"), p)
    text = shown(matrix_block(tests))
    assert '<td class="p1" data-p=".0496">.0496</td>' in text
    assert '<td class="p2" data-p=".004">.004</td>' in text
    assert '<td class="p3" data-p="&lt;.001">&lt;.001</td>' in text
    assert '<td class="p2" data-p=".010">.010</td>' in text  # a level itself counts
    assert '<td data-p=".0504" title="p = .0504">·</td>' in text  # .050 would look significant
    assert '<td class="hatched" data-p="n/a" title="p is not defined">n/a</td>' in text
    assert text.count('<td class="self"></td>') == 4
    strict = shown(matrix_block(dataclasses.replace(tests, alpha=0.01)))
    assert '<td class="p1" data-p=".050"' not in strict
    assert '<td class="p2" data-p=".004">' in strict
    assert "p ≤ .05<" not in strict


def test_labels_of_a_scatter_plot_cover_nothing() -> None:
    random = np.random.default_rng(3)
    gold, scores = random.normal(size=(2, 25)).tolist()
    plot = Scatter("", "m", tuple(f"system-{i}" for i in range(25)), tuple(gold), tuple(scores), (False,) * 25)
    layout = scatter_layout(plot)
    centres = [(scatter.BOX.x(layout.x.span, p.x), scatter.BOX.y(layout.y.span, p.y)) for p in layout.points]
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in centres]
    places = scatter._label_places(layout)
    for (x, y), place, point in zip(centres, places, layout.points, strict=True):
        if place:
            width = 0.58 * axes.FONT * len(point.system)
            left, base = x + place[0] - (1 - place[2]) / 2 * width, y + place[1]
            taken.append((left, base - 0.9 * axes.FONT, left + width, base + 0.25 * axes.FONT))
            assert left >= scatter.BOX.left
            assert left + width <= scatter.BOX.right
    assert sum(place is not None for place in places) >= 20
    for i, one in enumerate(taken):
        for other in taken[max(i + 1, 25) :]:
            assert one[2] <= other[0] or one[0] >= other[2] or one[3] <= other[1] or one[1] >= other[3]


def test_names_without_room_are_left_out_and_counted() -> None:
    many = tuple(f"a system with a long name {i}" for i in range(90))
    values = tuple(i / 900 for i in range(90))
    text = shown(ScatterBlock("s", (Scatter("", "m", many, values, values, (False,) * 90),)))
    assert re.search(r"no room for \d+ of the names", text)


def test_an_axis_runs_backwards_where_lower_is_better() -> None:
    plot = Scatter("", "TER", ("a", "b"), (1.0, 2.0), (0.6, 0.4), (False, False), higher_is_better=False)
    view = data_of(shown(ScatterBlock("s", (plot,))))["charts"][0]["views"][0]
    assert view["x"][0] > view["x"][1]
    assert "axis reversed" in view["name"]


@hypothesis.given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=6))
def test_any_scores_can_be_drawn(values: list[float]) -> None:
    n = len(values)
    names = tuple(map(str, range(n)))
    plot = Scatter("", "m", names, tuple(values), tuple(reversed(values)), (False,) * n)
    curve = TopCurve("", "r", "m", tuple(range(4, 4 + n)), tuple(values))
    tie = Calibration("", "m", np.array(sorted(map(abs, values))), np.array(values), 0.0)
    text = shown(scatter_block([plot]), top_curve_block([curve]), calibration_block([tie]))
    drawn = text.split("<main")[1].split("</main>")[0]
    assert not re.search(r'"[^"]*\b(nan|inf)\b[^"]*"', drawn)


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-0.2, 0.1), (12.0, 12.5), (1e-7, 3e-7), (5e8, 9e8), (30.0, 10.0)])
def test_ticks_are_few_round_and_inside(ends: tuple[float, float]) -> None:
    found = ticks(ends)
    assert 3 <= len(found) <= 8
    assert all(min(ends) <= value <= max(ends) for value, _ in found)
    assert len({label for _, label in found}) == len(found)


def test_a_long_calibration_is_thinned_and_says_so() -> None:
    epsilon = np.linspace(0, 2, 50_001)
    accuracy = 1 - (epsilon - 0.30001) ** 2
    best = float(epsilon[np.argmax(accuracy)])
    view = data_of(shown(calibration_block([Calibration("", "m", epsilon, accuracy, best)])))["charts"][0]["views"][0]
    assert len(view["e"]) <= 101
    assert (view["e"][0], view["e"][-1]) == (0.0, 2.0)
    assert math.isclose(view["e"][view["best"]], best, abs_tol=1e-3)
    assert view["told"] == f"Best: 1.000 at ε = 0.3, drawn at {len(view['e'])} of 50001 differences"


def test_a_section_of_a_direction_has_all_that_was_found() -> None:
    section = direction_section(example.evaluation(), "de-en", extra=[fold_block("x", ["a", "b"])])
    assert [type(block).__name__ for block in section.blocks] == [
        "TableBlock", "FoldBlock", "ScatterBlock", "TopCurveBlock", "MatrixBlock", "MatrixBlock", "CalibrationBlock",
    ]  # fmt: skip
    assert section.blocks[1] == FoldBlock("x", "a\nb")
    scatters = next(b for b in section.blocks if isinstance(b, ScatterBlock)).scatters
    assert [s.agreement for s in scatters] == sorted((s.agreement for s in scatters), reverse=True)
    assert {s.direction for s in scatters} == {"de-en"}
    assert direction_section(MetaEvaluation((), ""), "xx").blocks == ()


def test_sentences_in_a_table_wrap_and_are_whole() -> None:
    reasons = "; ".join(f"token-ratio(unit=characters) +0.{i}" for i in range(9))
    text = sheet("qe-predict|x", [Table(("segment", "interval", "why"), (("1", "[-0.1, 0.2]", reasons),))])
    assert "<h1>tercet qe predict</h1>" in text
    assert f'<td class="sentence"><bdi>{reasons}</bdi></td>' in text
    assert "<td><bdi>[-0.1, 0.2]</bdi></td>" in text
    assert "are cut short" not in text


def test_a_lone_table_has_one_heading_and_no_contents() -> None:
    text = sheet("rank|method:x", [Table(("system", "score"), (("a", "1"),), ("A note.", "rank|method:x"))])
    assert text.count("<h1>tercet rank</h1>") == 1
    assert "<h2" not in text
    assert "<nav" not in text
    assert '<li>A note.</li><li class="signature">rank|method:x</li>' in text
