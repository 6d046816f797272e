"""The report in a browser: what a reader can do with it by mouse, finger and keyboard, and that it keeps to itself."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pytest

from tercet.report.html import page
from tests.browser import example, hostile
from tests.browser.conftest import Open, seen_by_axe

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

FIRST = "#system table"
SECTION = "#de-en"


@pytest.fixture(scope="module")
def report() -> str:
    """A metrics task of ordinary size."""
    return page(example.report())


def column(table: Locator, number: int) -> list[str]:
    """What the cells of a column show, from top to bottom."""
    return table.locator(f"tbody tr > :nth-child({number + 1})").all_inner_texts()


def heading(table: Locator, number: int) -> Locator:
    return table.locator("thead th").nth(number)


def tip(page: Page) -> str:
    """What the tip says, or nothing if there is none."""
    found = page.locator("#tip.on")
    return found.inner_text() if found.count() else ""


def box(found: Locator) -> dict[str, float]:
    """Where something is on the screen."""
    where = found.bounding_box()
    assert where
    return {key: float(value) for key, value in where.items()}  # type: ignore[arg-type]


def boxes(found: Locator) -> list[dict[str, float]]:
    """Where all of something are on the screen, asked for at once."""
    corners: list[dict[str, float]] = found.evaluate_all(
        """nodes => nodes.map(node => {
            const { x, y, width, height } = node.getBoundingClientRect();
            return { x, y, width, height };
        })"""
    )
    return corners


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider


@pytest.mark.parametrize("width", [320, 400, 1120, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_quiet_and_stays_alone(report: str, visit: Open, width: int, scheme: str) -> None:
    seen = visit(report, width, color_scheme=scheme)
    assert seen.complaints == []
    assert len(seen.requests) == 1
    assert overflow(seen.page) == 0


def test_a_click_sorts_and_the_third_one_gives_the_order_back(report: str, visit: Open) -> None:
    table = visit(report).page.locator(FIRST)
    given = column(table, 0)
    button = heading(table, 2).locator("button")
    button.click()
    figures = [float(text.split()[0]) for text in column(table, 2)]
    assert figures == sorted(figures, reverse=True)
    assert heading(table, 2).get_attribute("aria-sort") == "descending"
    assert heading(table, 6).get_attribute("aria-sort") is None
    button.click()
    assert [float(text.split()[0]) for text in column(table, 2)] == sorted(figures)
    assert heading(table, 2).get_attribute("aria-sort") == "ascending"
    button.click()
    assert column(table, 0) == given
    assert heading(table, 6).get_attribute("aria-sort") == "descending"


def test_what_has_no_value_stays_last_both_ways(report: str, visit: Open) -> None:
    table = visit(report).page.locator(FIRST)
    button = heading(table, 4).locator("button")
    for _ in range(2):
        button.click()
        assert column(table, 4)[-1] == "n/a"
    average = heading(table, 6).locator("button")
    for _ in range(2):
        average.click()
        assert set(column(table, 0)[-2:]) == {"LeBLEU-optimized", "NIST"}  # whose averages cannot be compared


def test_the_keyboard_sorts(report: str, visit: Open) -> None:
    seen = visit(report)
    table = seen.page.locator(FIRST)
    heading(table, 0).locator("button").focus()
    seen.page.keyboard.press("Enter")
    assert column(table, 0) == sorted(example.METRICS, key=str.lower)
    seen.page.keyboard.press("Space")
    assert column(table, 0) == sorted(example.METRICS, key=str.lower, reverse=True)
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.querySelector('bdi').textContent") == "cs-en"
    assert seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_choosing_a_metric_moves_the_points(report: str, visit: Open) -> None:
    seen = visit(report)
    figure = seen.page.locator(f"{SECTION} figure.chart").first
    point = figure.locator(".pt circle").nth(2)
    before, said = box(point), figure.locator(".told").inner_text()
    figure.locator("select").select_option("TER")
    assert box(point)["x"] != before["x"]
    assert box(point)["y"] == pytest.approx(before["y"], abs=0.5)  # people have not changed their minds
    assert figure.locator(".told").inner_text() != said
    assert "TER, lower is better" in (figure.locator(".xname").text_content() or "")
    figure.locator("select").select_option(index=0)
    assert box(point) == pytest.approx(before, abs=0.1)
    assert seen.complaints == []


def test_a_pointer_gets_figures_and_a_click_follows_the_system(report: str, visit: Open) -> None:
    seen = visit(report)
    figure = seen.page.locator(f"{SECTION} figure.chart").first
    point = figure.locator(".pt").first
    point.locator("circle").hover()
    lines = tip(seen.page).splitlines()
    assert lines[0] == example.SYSTEMS[0]
    assert [line.split()[0] for line in lines[1:]] == ["metric", "people"]
    point.locator("circle").click()
    lit = seen.page.locator(f"{SECTION} tr.on")
    assert lit.count() == 1
    assert lit.locator("th").inner_text() == example.SYSTEMS[0]
    assert seen.page.locator("tr.on").count() == 1  # in this section only
    figure.locator("select").select_option("TER")
    assert "on" in (point.get_attribute("class") or "").split()
    point.locator("circle").click()
    assert seen.page.locator(".on[data-s]").count() == 0
    seen.page.mouse.move(5, 5)
    assert tip(seen.page) == ""


def test_arrow_keys_go_through_a_scatter_plot(report: str, visit: Open) -> None:
    seen = visit(report)
    seen.page.locator(f"{SECTION} .plot").first.focus()
    read = []
    for _ in range(20):
        seen.page.keyboard.press("ArrowRight")
        read.append(tip(seen.page).splitlines()[0])
    assert set(read) == set(example.SYSTEMS)
    seen.page.keyboard.press("Enter")
    assert seen.page.locator(f"{SECTION} tr.on th").inner_text() == read[-1]
    seen.page.keyboard.press("Escape")
    assert tip(seen.page) == ""


def test_lines_are_chosen_and_read(report: str, visit: Open) -> None:
    seen = visit(report)
    figure = seen.page.locator(f"{SECTION} figure.chart").nth(1)
    assert figure.locator(".line.on").count() == 5
    for name in figure.locator(".line.on text").all_text_contents():
        if name != "chrF3":
            figure.locator("label", has_text=name.rstrip("…")).locator("input").first.uncheck()
    assert figure.locator(".line.on text").all_text_contents() == ["chrF3"]
    assert figure.locator(".line.on .band").is_visible()
    figure.locator("input").nth(8).check()
    assert figure.locator(".line.on text").all_text_contents() == ["chrF3", "BLEU"]
    assert not figure.locator(".line.on .band").first.is_visible()
    figure.locator(".plot").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        seen.page.keyboard.press(key)
    name, value = tip(seen.page).splitlines()
    assert name == example.METRICS[1]
    assert value.startswith("best 5: ")


def test_the_matrix_is_read_by_keyboard_and_pointer(report: str, visit: Open) -> None:
    seen = visit(report, 400)
    table = seen.page.locator(f"{SECTION} table.matrix").first
    assert table.locator("td[tabindex='0']").count() == 1
    table.locator("td[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowDown", *["ArrowRight"] * 12):
        seen.page.keyboard.press(key)
    metrics = table.locator("tbody th").all_inner_texts()
    sentence, p = tip(seen.page).splitlines()
    assert sentence == f"\u2068{metrics[2]}\u2069 better than \u2068{metrics[-1]}\u2069"
    assert p == "p <.001"
    cell, shown = box(table.locator("td:focus")), box(seen.page.locator("#tip"))
    assert 0 <= shown["x"] <= shown["x"] + shown["width"] <= 400  # also after the table scrolled to the cell
    assert shown["x"] <= cell["x"] + cell["width"] / 2 <= shown["x"] + shown["width"]
    table.locator("tbody tr").nth(2).locator("td").nth(3).hover()
    assert tip(seen.page).splitlines()[1].startswith("p = ")


def test_tie_calibration_names_the_best(report: str, visit: Open) -> None:
    seen = visit(report)
    figure = seen.page.locator(f"{SECTION} figure.chart").nth(2)
    figure.locator("select").select_option("BLEU")
    figure.locator(".best circle").hover()
    assert "the best" in tip(seen.page)
    assert figure.locator(".told").inner_text().startswith("Best: .")


def colours(page: Page) -> tuple[str, str]:
    """Paper and ink."""
    style = "getComputedStyle(document.body)"
    return page.evaluate(f"{style}.backgroundColor"), page.evaluate(f"{style}.color")


def test_the_theme_follows_the_system_until_it_is_chosen(report: str, visit: Open) -> None:
    light, dark = (visit(report, color_scheme=scheme).page for scheme in ("light", "dark"))
    paper = colours(light)
    assert colours(dark) != paper
    button = dark.locator("#theme")
    assert button.inner_text() == "Light theme"
    button.click()
    assert colours(dark) == paper
    assert button.inner_text() == "Dark theme"
    button.click()
    assert colours(dark) != paper


@pytest.mark.parametrize("width", [400, 1400])
def test_hostile_names_are_text_and_keep_their_place(visit: Open, width: int) -> None:
    seen = visit(page(hostile.report()), width)
    assert seen.complaints == []
    assert len(seen.requests) == 1
    assert seen.page.evaluate("window.hacked") is None
    assert overflow(seen.page) == 0
    assert hostile.NAMES[:8] == tuple(seen.page.locator(".summary li").all_inner_texts()[:8])
    assert seen.page.title() == hostile.NAMES[0]
    figure = seen.page.locator("figure.chart").first
    figure.locator("select").select_option(index=3)
    figure.locator(".pt circle").nth(3).hover()
    assert tip(seen.page).splitlines()[0] == hostile.NAMES[3]
    assert seen.page.evaluate("window.hacked") is None


def test_the_policy_stops_what_escaping_would_let_through(report: str, visit: Open) -> None:
    """Were a name ever not escaped, its script would not run and its picture not load."""
    attack = '<script>window.hacked=1</script><img src="https://example.invalid/x.png" onerror="window.hacked=1">'
    seen = visit(report.replace("</h1>", f"</h1>{attack}", 1))
    assert seen.page.evaluate("window.hacked") is None
    assert len(seen.complaints) >= 2
    assert [why for url, why in seen.refused if url.startswith("https:")] == ["csp"]


def test_tables_scroll_in_their_own_box_under_their_first_column(report: str, visit: Open) -> None:
    seen = visit(report, 400)
    scroll = seen.page.locator("#system .scroll")
    first, last = scroll.locator("tbody th").first, scroll.locator("tbody td:last-child").first
    before, far = box(first), box(last)
    assert far["x"] > 400
    scroll.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    assert box(first)["x"] == before["x"]
    assert box(last)["x"] + box(last)["width"] <= 400
    assert overflow(seen.page) == 0


def test_all_there_is_to_read_is_there_without_a_script(report: str, visit: Open) -> None:
    plain, living = visit(report, java_script_enabled=False).page, visit(report).page
    assert plain.locator("table").count() == living.locator("table").count() > 10
    assert column(plain.locator(FIRST), 0) == column(living.locator(FIRST), 0)
    for control in ("#theme", "select", ".chips", ".hint"):
        assert not plain.locator(control).first.is_visible()
        assert living.locator(control).first.is_visible()
    assert plain.locator("button:visible").count() == 0
    plain.locator("details summary").first.click()
    assert plain.locator("details pre").first.is_visible()


def geometry(page: Page, selector: str) -> list[Any]:
    """Where things are inside their plot."""
    script = """nodes => nodes.map(node => {
        const plot = node.closest('svg').getBoundingClientRect(), own = node.getBoundingClientRect();
        return [own.left - plot.left, own.top - plot.top, own.width, own.height];
    })"""
    found: list[Any] = page.locator(selector).evaluate_all(script)
    return found


def test_the_script_draws_what_the_page_came_with(report: str, visit: Open) -> None:
    plain, living = visit(report, java_script_enabled=False).page, visit(report).page
    for part in (".pt circle", ".oval", ".pt text:not(.none)", ".stroke", ".grid text", ".best circle"):
        for selector in (f"{SECTION} {part}", f"#fi-en {part}"):
            drawn = geometry(plain, selector)
            assert drawn
            assert geometry(living, selector) == [pytest.approx(place, abs=0.25) for place in drawn]


def test_links_lead_to_sections(report: str, visit: Open) -> None:
    seen = visit(report, 400)
    seen.page.locator("nav a", has_text="fr-en").click()
    assert -5 <= box(seen.page.locator("#fr-en"))["y"] <= 60


def test_paper_gets_light_colours_and_no_controls(report: str, visit: Open) -> None:
    seen = visit(report, color_scheme="dark")
    seen.page.emulate_media(media="print", color_scheme="dark")
    assert colours(seen.page) == ("rgb(255, 255, 255)", colours(visit(report, color_scheme="light").page)[1])
    for control in ("nav", "#theme", "select", ".chips"):
        assert not seen.page.locator(control).first.is_visible()


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (1400, "dark")])
def test_axe_finds_no_barrier(visit: Open, width: int, scheme: str) -> None:
    whole = example.report()
    part = dataclasses.replace(whole, sections=(whole.sections[0], whole.sections[3], whole.sections[-1]))
    seen = visit(page(part), width, color_scheme=scheme, bypass_csp=True).page
    seen.locator(f"{SECTION} .pt circle").first.hover()
    barriers, passed = seen_by_axe(seen)
    assert barriers == []
    assert passed["color-contrast"] > 200  # it did look
