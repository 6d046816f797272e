"""What one sees and takes along from the page of a comparison: pictures, findings, marks, files and paper."""

from __future__ import annotations

import csv
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import tercet
from tercet.comparing.marks import marked
from tercet.report.html.compare import page
from tests.browser.conftest import Open, Visit, Windows, seen_by_axe
from tests.browser.test_compare import count, opened, shut
from tests.browser.test_report import overflow

if TYPE_CHECKING:
    from playwright.sync_api import Page

HALF = 16
N = 2 * HALF
PAPER = 703  # pixels of a sheet of A4 between its margins
SYSTEMS = {
    "exp.base.de": ["the grey ferry left the harbour"] * HALF + ["it rained in 2013"] * (HALF - 1) + ["=SUM(1) , \tx"],
    "exp.large.de": ["the grey ferry leaves the port"] * HALF + ["it rained all day"] * (HALF - 1) + ["b"],
    "exp.other.de": ["a ship"] * N,
}
REFERENCES = ["the grey ferry leaves the harbour"] * HALF + ["it rained in 2013"] * (HALF - 1) + ["x y"]


@pytest.fixture(scope="module")
def text() -> str:
    """Three systems whose names share both ends; the second loses numbers."""
    documents = [f"doc{i // HALF}" for i in range(N)]
    found = tercet.compare(
        {name: list(texts) for name, texts in SYSTEMS.items()}, REFERENCES, sources=list(REFERENCES),
        documents=documents, metrics=["chrf", "per", "ter"], samples=60, threads=1,
    )  # fmt: skip
    return page(marked(found))


@pytest.fixture(scope="module")
def seen(text: str, windows: Windows, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """One page for all tests that leave it as they found it."""
    file = tmp_path_factory.mktemp("view") / "page.html"
    file.write_text(text, encoding="utf-8")
    with windows.lent() as lend:
        visit = Visit(lend, file.as_uri())
        visit.page.locator("#list li").first.wait_for()
        yield visit


@pytest.fixture
def page_(seen: Visit) -> Iterator[Page]:
    """The page as it is at the start."""
    yield seen.page
    seen.page.goto(seen.page.url.partition("#")[0] + "#sort=change")
    seen.page.reload()
    seen.page.locator("#list li").first.wait_for()
    assert seen.complaints == []


def colour(page_: Page, selector: str, of: str = "fill", pseudo: str | None = None) -> str:
    found: str = page_.locator(selector).first.evaluate(
        f"(node, pseudo) => getComputedStyle(node, pseudo).getPropertyValue('{of}')", pseudo
    )
    return found


def test_pictures_come_first_and_numbers_are_behind_them(page_: Page) -> None:
    plots = page_.locator("#answer .panels").first.locator("svg")
    assert plots.count() == 3
    names = plots.first.locator(".who").all_text_contents()
    assert names == ["base", "large", "other"]
    assert plots.first.locator(".dot").count() == 3
    numbers = page_.locator("#answer details").first
    assert not numbers.locator("table").is_visible()
    numbers.locator("summary").click()
    assert numbers.locator("table").is_visible()
    lower = (
        plots.nth(2)
        .locator(".dot circle")
        .evaluate_all("nodes => nodes.map((node) => Number(node.getAttribute('cx')))")
    )
    assert lower == sorted(lower, reverse=True)  # the best is at the right although lower is better
    shares = page_.locator("#answer .panels").nth(1).locator("svg").first
    widths = shares.locator(".share").evaluate_all("nodes => nodes.map((node) => Number(node.getAttribute('width')))")
    assert len(widths) == 6
    assert sum(widths[:3]) == pytest.approx(sum(widths[3:]), abs=0.3)
    assert page_.locator("#where h3", has_text="Scores of segments").is_visible()


def test_a_system_has_one_colour_everywhere(page_: Page) -> None:
    seen: dict[str, str] = {}
    for system, short in zip(SYSTEMS, ("base", "large", "other"), strict=True):
        dot = page_.locator(".panels .who", has_text=short).first.get_attribute("class") or ""
        seen[system] = dot.split()[1]
        assert colour(page_, f".dot.{seen[system]} circle", "stroke") == colour(
            page_, f"#answer .system.{seen[system]}", "background-color", "::before"
        )
        line = page_.locator(f"#where .line.{seen[system]} text").first
        assert line.text_content() == short
    assert len(set(seen.values())) == 3
    page_.locator("#b").select_option("exp.other.de")
    wanted = colour(page_, f".dot.{seen['exp.other.de']} circle", "stroke")
    assert colour(page_, "#list .of-b", "color") == wanted
    page_.locator("#list a").first.click()
    assert colour(page_, f"#segment .chosen .{seen['exp.other.de']}", "background-color", "::before") == wanted


def test_systems_after_the_twelfth_have_colours_of_their_own(visit: Open) -> None:
    systems = {f"run{i}": ["the ferry left" + " x" * i, "a b"] for i in range(15)}
    found = tercet.compare(
        systems, ["the ferry left", "a b"], metrics=["ter"], samples=50, correction="none", threads=1
    )
    page_ = visit(page(found), color_scheme="dark").page
    seen = page_.evaluate(
        """() => [...document.querySelectorAll("#answer .panels svg:first-of-type .who")]
            .map((node) => getComputedStyle(node).getPropertyValue("--c"))"""
    )
    assert len(seen) >= 15
    assert "" not in seen
    assert len(set(seen)) == 15
    # a hollow dot is a difference that is not significant, so no system's own mark is
    swatches = [colour(page_, f"#answer .system.{kind}", "background-color", "::before") for kind in ("d0", "d1")]
    assert "rgba(0, 0, 0, 0)" not in swatches


def test_rows_have_the_names_of_systems(page_: Page) -> None:
    row = page_.locator("#list li").first
    assert row.locator("p i").all_inner_texts()[1:] == ["base", "large"]
    assert row.locator(".figures i").all_inner_texts() == ["base", "large"]
    assert row.locator("p i").nth(1).get_attribute("title") == "exp.base.de"


def test_names_are_short_and_whole_on_hover(page_: Page) -> None:
    assert page_.locator("#a option").all_text_contents() == ["base", "large", "other"]
    assert page_.locator("#answer .system", has_text="large").first.get_attribute("title") == "exp.large.de"
    assert page_.locator(".chips label", has_text="other").first.get_attribute("title") == "exp.other.de"


def test_the_finding_stays_in_sight_with_its_words(page_: Page) -> None:
    finding = page_.locator(".findings li", has_text="large loses 15 of 15 numbers")
    finding.locator("a").click()
    assert count(page_) == f"{HALF - 1} of {N} segments"
    chip = page_.locator("#chosen li")
    assert chip.count() == 1
    assert "loses 15 of 15 numbers" in chip.inner_text()
    assert chip.is_visible()
    assert page_.locator("#list mark").first.inner_text() == "2013"
    page_.locator("#list a").first.click()
    page_.locator("dialog[open]").wait_for()
    assert "loses 15 of 15 numbers" in page_.locator("#segment-finding").inner_text()
    page_.keyboard.press("Escape")
    shut(page_)
    page_.locator("#win").select_option("a")
    assert chip.count() == 2
    chip.first.get_by_role("button").click()
    assert chip.count() == 1
    chip.first.get_by_role("button").click()
    assert count(page_) == f"{N} segments"
    assert not page_.locator("#chosen").is_visible()
    page_.locator(".findings li", has_text="“port”").first.locator("a").click()
    assert "port" in page_.locator("#list mark").all_inner_texts()


def test_words_of_a_finding_are_marked_in_its_case(page_: Page) -> None:
    where = "([text, words]) => segmentList.phrases(text, words).map(([start, end]) => text.slice(start, end))"
    assert page_.evaluate(where, ["He said he was there, HE, she", ["he"]]) == ["he"]
    assert page_.evaluate(where, ["He said he was there", ["He said", "there"]]) == ["He said", "there"]
    assert page_.evaluate(where, ["in berlin and Berlin", ["Berlin", "berlin"]]) == ["Berlin", "berlin"]


def test_differences_are_marked_in_the_list(page_: Page) -> None:
    page_.locator("#sort").select_option("order")
    row = page_.locator("#list li").first
    assert row.locator(".of-a").all_inner_texts() == ["left", "harbour"]
    assert row.locator(".of-b").all_inner_texts() == ["leaves", "port"]
    page_.locator("#b").select_option("exp.base.de")
    assert page_.locator("#list .of-a, #list .of-b").count() == 0


def test_the_line_begins_where_there_is_something_to_see(visit: Open) -> None:
    start = "one and the same words at the beginning of a sentence that is a long one " * 3
    found = tercet.compare({"A": [f"{start} red"] * 2, "B": [f"{start} blue"] * 2}, [start] * 2, metrics=["chrf"])
    row = opened(visit, page(found), 400).page.locator("#list li").first
    assert row.locator(".of-a, .of-b").all_inner_texts() == ["red", "blue"]
    lines = row.locator("p > span")
    assert lines.nth(1).inner_text().startswith("…")
    assert all(lines.nth(i).evaluate("node => node.scrollWidth <= node.clientWidth") for i in (1, 2))


def test_one_other_system_is_one(page_: Page) -> None:
    page_.locator("#list a").first.click()
    assert page_.locator("#segment-scroll summary").inner_text() == "1 other system, by chrf"


def test_the_legend_stands_in_the_head(page_: Page) -> None:
    page_.locator("#list a").first.click()
    legend, texts = (
        page_.locator(".bar #segment-legend").bounding_box(),
        page_.locator("#segment-scroll").bounding_box(),
    )
    assert legend is not None
    assert texts is not None
    assert legend["height"] > 0
    assert legend["y"] + legend["height"] <= texts["y"] + 1


def test_matches_are_those_of_the_metric(page_: Page) -> None:
    page_.locator("#sort").select_option("order")
    page_.locator("#list a").first.click()
    page_.locator("#marks").select_option("per")
    base = page_.locator(".output.chosen").first
    found = tercet.metric("per").explain(SYSTEMS["exp.base.de"][0], REFERENCES[0])
    matched = sum(m.hypothesis[1] - m.hypothesis[0] for m in found.matches)
    assert f"{matched} of {len(found.hypothesis)} words matched" in base.inner_text()
    assert base.locator(".text .l0").all_inner_texts() == ["left"]
    assert page_.locator("#segment-text > .text .in-b").all_inner_texts() == ["leaves"]
    assert page_.locator("#segment-text > .text .in-a").all_inner_texts() == ["harbour"]


def saved(page_: Page, button: str, folder: pathlib.Path) -> pathlib.Path:
    with page_.expect_download() as download:
        page_.locator(button).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_what_is_shown_can_be_saved(page_: Page, tmp_path: pathlib.Path) -> None:
    page_.locator("[id='f.0']").select_option("doc1")
    page_.locator("#sort").select_option("order")
    testset = tercet.read_testset(saved(page_, "#save-testset", tmp_path))
    assert testset.segments == tuple(str(i) for i in range(HALF + 1, N + 1))
    assert testset.documents == ("doc1",) * HALF
    assert list(testset.systems) == list(SYSTEMS)
    assert list(testset.systems["exp.large.de"]) == SYSTEMS["exp.large.de"][HALF:]
    assert [texts[0] for texts in testset.references or ()] == REFERENCES[HALF:]
    with saved(page_, "#save-scores", tmp_path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == HALF
    assert rows[-1]["exp.base.de"] == "'=SUM(1) , \tx"  # no spreadsheet computes it
    scores = tercet.score(SYSTEMS, REFERENCES, metrics=["chrf"], level="segment")
    wanted = [f"{s.score:.2f}" for s in scores if s.system == "exp.large.de"][HALF:]
    assert [row["chrf of exp.large.de"] for row in rows] == wanted


def test_every_part_has_examples(page_: Page) -> None:
    part = page_.locator("#where .part", has=page_.locator("h3", has_text="Document"))
    part.locator("summary", has_text="Examples").click()
    items = part.locator(".examples > li")
    assert items.count() == 2
    assert items.first.locator("dl").count() == 2
    assert "the grey ferry leaves the port" in items.first.inner_text()
    items.first.locator("p a").click()
    assert count(page_) == f"{HALF} of {N} segments"
    items.first.locator("dl a").first.click()
    page_.locator("dialog[open]").wait_for()


def test_paper_has_one_column_and_nothing_lies_on_anything(page_: Page) -> None:
    page_.set_viewport_size({"width": PAPER, "height": 990})
    page_.emulate_media(media="print")
    page_.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page_.locator("details.grams-of").count() > 0
    assert page_.locator("details.grams-of[open]").count() == 0
    assert page_.locator("details:not(.grams-of):not([open])").count() == 0
    assert overflow(page_) == 0
    assert not page_.locator("#browser").is_visible()
    boxes = page_.evaluate(
        """[...document.querySelectorAll("main figure")].filter((node) => node.checkVisibility()
             && !node.querySelector("figure")).map((node) => node.getBoundingClientRect().toJSON())"""
    )
    assert len(boxes) > 15
    for i, one in enumerate(boxes):
        assert one["right"] <= PAPER + 1
        for other in boxes[i + 1 :]:
            beside = one["right"] <= other["left"] + 1 or other["right"] <= one["left"] + 1
            assert beside or one["bottom"] <= other["top"] + 1 or other["bottom"] <= one["top"] + 1
    wide = page_.locator("main table").evaluate_all(
        f"nodes => nodes.filter((node) => node.offsetWidth > {PAPER}).length"
    )
    assert wide == 0
    page_.evaluate("dispatchEvent(new Event('afterprint'))")
    page_.emulate_media(media="screen")
    page_.set_viewport_size({"width": 1400, "height": 900})
    assert page_.locator("details.grams-of[open]").count() == 1
    assert page_.locator("#answer details[open]").count() == 0


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1400, "light")])
def test_axe_finds_no_barrier_in_a_finding(text: str, visit: Open, width: int, scheme: str) -> None:
    page_ = opened(visit, text, width, color_scheme=scheme, bypass_csp=True).page
    page_.locator(".findings a").first.click()
    page_.evaluate(
        "document.querySelectorAll('#answer details, #where details').forEach((fold) => { fold.open = true; })"
    )
    barriers, passed = seen_by_axe(page_)
    assert barriers == []
    page_.locator("#list a").first.click()
    page_.locator("#marks").select_option("per")
    barriers, more = seen_by_axe(page_, "document.querySelector('dialog[open]')")
    assert barriers == []
    assert passed["color-contrast"] + more["color-contrast"] > 100
