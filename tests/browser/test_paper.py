"""Pages on paper: printed as PDF, nothing is lost, and everything stands in one column, nothing over another."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import tercet
from tercet.report.html import page as report_page
from tercet.report.html.compare import page as comparison_page
from tercet.report.html.explanations import explanation_page
from tests.browser.conftest import Open
from tests.browser.example import report
from tests.browser.test_compare_view import text as compared  # noqa: F401 - a fixture
from tests.browser.test_explain import both
from tests.conftest import absent

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAPER = 703  # pixels of a sheet of A4 between its margins
MARGIN = "1.2cm"
# What is read: titles, captions, cells, sentences and names in pictures, as far as paper shows them.
SHOWN = """() => [...document.querySelectorAll("h1, h2, h3, figcaption, caption, th, td, li, p, svg text")]
    .filter((element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
    .map((element) => element.textContent)"""
# Pictures, tables and headings that overlap, or of which two stand beside each other; one inside another is neither.
BESIDE = """() => {
    const all = [...document.querySelectorAll("main figure, main h2, main .part > h3")]
        .filter((element) => element.checkVisibility());
    const boxes = all.map((element) => element.getBoundingClientRect());
    const found = [];
    all.forEach((one, i) => all.forEach((other, j) => {
        const [a, b] = [boxes[i], boxes[j]];
        if (i < j && !one.contains(other) && !other.contains(one) && a.top < b.bottom - 1 && b.top < a.bottom - 1)
            found.push(`${one.textContent.slice(0, 60)} | ${other.textContent.slice(0, 60)}`);
    }));
    return found;
}"""

# Names and figures of a plot that lie on each other, or names on dots and bars.
OVER = """(all) => all.map((svg) => {
    const of = (selector) => [...svg.querySelectorAll(selector)].map((n) => [n.textContent, n.getBoundingClientRect()]);
    const names = of(".who"), others = [...of(".figure"), ...of("circle"), ...of(".share")];
    const over = ([, a], [, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom - 2 && b.top < a.bottom - 2;
    return names.filter((name, i) => [...others, ...names.slice(i + 1)].some((other) => over(name, other)))
        .map(([name]) => name);
})"""


def on_paper(page: Page) -> str:
    """The letters and digits of all sheets, without what breaks them."""
    try:
        import pypdfium2
    except ModuleNotFoundError:
        absent("the extra test (pypdfium2) is not installed")
    sheets = pypdfium2.PdfDocument(
        page.pdf(format="A4", margin={"top": MARGIN, "bottom": MARGIN, "left": MARGIN, "right": MARGIN})
    )
    assert len(sheets) >= 1
    return "".join(letters(sheet.get_textpage().get_text_range()) for sheet in sheets)


def letters(text: str) -> str:
    return re.sub(r"\W", "", text)


@pytest.mark.parametrize("kind", ["compare", "explain", "run"])
def test_nothing_is_lost_and_nothing_stands_beside_another(
    kind: str, visit: Open, request: pytest.FixtureRequest
) -> None:
    texts: dict[str, Callable[[], str]] = {
        "compare": lambda: request.getfixturevalue("compared"),
        "explain": lambda: explanation_page(both("chrf", "en")),
        "run": lambda: report_page(report()),
    }
    page = visit(texts[kind](), width=PAPER).page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown = {letters(text) for text in page.evaluate(SHOWN)}
    assert len(shown) > 20
    assert page.evaluate(BESIDE) == []
    printed = on_paper(page)
    # long lines break, a PDF holds what runs from right to left in the order of its shapes, and nothing without a font
    sought = [text for text in shown if len(text) < 40 and not re.search("[\u0590-\u08ff\u3000-\u9fff]", text)]
    assert [text for text in sought if text not in printed] == []


def test_long_names_intervals_and_heads_are_whole_on_paper(visit: Open) -> None:
    names = ("DCU-ICTCAS-TSINGHUA-L.3444", "LIMSI-KIT-Submission.3359", "W" * 30, "eubridge")
    systems = {name: ["the ferry left at ten" + " x" * i, "a b c d e f"] * 8 for i, name in enumerate(names)}
    found = tercet.compare(
        systems, ["the ferry left at ten", "a b c d e f"] * 8, metrics=["bleu", "chrf", "ter"], samples=200, threads=1
    )
    page = visit(comparison_page(found), width=PAPER).page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    # in units of the plot, which is 420 wide
    reach = page.evaluate(
        """() => [...document.querySelectorAll("svg .who")].map((n) => [n.textContent, n.getBBox()])
            .map(([name, box]) => [name, box.x, box.x + box.width])"""
    )
    assert {name for name, *_ in reach} == {*names}
    assert [name for name, start, end in reach if start < 0 or end > 420] == []
    pictures = page.locator("#answer svg")
    assert pictures.count() == 6
    assert pictures.evaluate_all(OVER) == [[]] * 6
    lines = page.evaluate(
        """() => [...document.querySelectorAll(".sortable td small")].filter((n) => n.checkVisibility())
            .map((n) => n.getBoundingClientRect().height / parseFloat(getComputedStyle(n).lineHeight))"""
    )
    assert len(lines) > 8
    assert max(lines) < 1.5
