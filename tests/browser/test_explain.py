"""The page of an explanation in a browser, in five languages: alone, within its window, and readable by all."""

from __future__ import annotations

import importlib.resources
from typing import TYPE_CHECKING

import pytest

import tercet
from tercet.data import Explanation, Explanations, Match
from tercet.report.html.explanations import explanation_page
from tercet.report.html.pictures import picture
from tests.browser.conftest import Open
from tests.browser.test_report import box, colours, overflow
from tests.conftest import absent
from tests.report.test_explanation_pages import ATTACK
from tests.report.test_explanations import TEXTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

METRICS = {"bleu": "bleu(tokenize=intl)", "chrf": "chrf++", "ter": "ter(normalized=true, asian_support=true)"}


def both(metric: str, language: str) -> Explanations:
    """Two hypotheses of a language."""
    one, other, reference = TEXTS[language]
    return tercet.explain(METRICS.get(metric, metric), [one, other], reference)


def xray(language: str) -> Explanations:
    """An alignment as METEOR's, of words of a language."""
    reference = tuple(TEXTS[language][2].split() if language != "zh" else TEXTS[language][2])
    kinds = ("exact", "stem", "synonym", "paraphrase")
    found = []
    for system, words in (("one", reference[::-1]), ("two", reference[1:])):
        pairs = [(i, reference.index(word)) for i, word in enumerate(words)]
        matches = tuple(Match((i, i + 1), (j, j + 1), kinds[i % 4]) for i, j in pairs)
        found.append(Explanation("meteor", 0.5, (), None, words, reference, matches, system=system))
    return Explanations(tuple(found), "explain|meteor")


def page_of(kind: str, language: str) -> str:
    return explanation_page(xray(language) if kind == "xray" else both(kind, language))


def words_on(page: Page, selector: str) -> list[str]:
    """The texts of the marked words, joined to those of the explanation."""
    return [text.replace("\n", " ") for text in page.locator(selector).all_inner_texts()]


@pytest.mark.parametrize("width", [320, 400, 1400])
@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("kind", [*METRICS, "xray"])
def test_the_page_is_quiet_and_within_its_window(visit: Open, kind: str, language: str, width: int) -> None:
    seen = visit(page_of(kind, language), width, color_scheme="dark" if width == 400 else "light")
    assert seen.complaints == []
    assert len(seen.requests) == 1
    assert overflow(seen.page) == 0


@pytest.mark.parametrize("language", TEXTS)
def test_texts_read_as_they_were_given(visit: Open, language: str) -> None:
    one, other, reference = TEXTS[language]
    page = visit(page_of("chrf", language)).page
    assert words_on(page, ".text dd") == [one, reference, other, reference]
    assert page.locator(".text dd .l0").count() > 0


@pytest.mark.parametrize("language", TEXTS)
def test_edits_read_as_the_script_says(visit: Open, language: str) -> None:
    found = both("ter", language)
    page = visit(explanation_page(found)).page
    for number, each in enumerate(found):
        assert each.edits is not None
        steps = page.locator(".steps").nth(number).locator("> span")
        assert steps.count() == len(each.edits.edits)
        kinds = [str(step.get_attribute("class")) for step in steps.all()]
        assert kinds == [edit.kind for edit in each.edits.edits]


def test_arabic_runs_from_right_to_left(visit: Open) -> None:
    page = visit(page_of("ter", "ar")).page
    first, second = (box(page.locator(".steps").first.locator("> span").nth(n)) for n in (0, 1))
    assert second["x"] < first["x"]
    words = page.locator(".text dd").first.locator("span")
    assert box(words.nth(1))["x"] < box(words.nth(0))["x"]
    english = visit(page_of("ter", "en")).page.locator(".steps").first.locator("> span")
    assert box(english.nth(1))["x"] > box(english.nth(0))["x"]


def test_letters_join_although_they_are_marked(visit: Open) -> None:
    """A word whose letters fare differently is as wide as the word in one piece."""
    page = visit(page_of("chrf", "ar")).page
    script = """cell => {
        const whole = document.createElement('dd');
        whole.dir = cell.dir; whole.textContent = cell.textContent;
        cell.parentNode.append(whole);
        const width = node => { const r = document.createRange(); r.selectNodeContents(node);
                                return r.getBoundingClientRect().width; };
        return [width(cell), width(whole)];
    }"""
    assert page.locator(".text dd").first.locator("span").count() > len(TEXTS["ar"][0].split())
    marked, whole = page.locator(".text dd").first.evaluate(script)
    assert marked == pytest.approx(whole, abs=1.0)


@pytest.mark.parametrize("width", [400, 1400])
def test_two_hypotheses_stand_side_by_side_where_there_is_room(visit: Open, width: int) -> None:
    page = visit(page_of("bleu", "en"), width).page
    one, other = (box(page.locator("#texts .why").nth(n)) for n in (0, 1))
    if width == 1400:
        assert other["y"] == one["y"]
        assert other["x"] > one["x"] + one["width"]
    else:
        assert other["x"] == one["x"]
        assert other["y"] > one["y"] + one["height"] / 2


def test_the_x_ray_scrolls_under_its_first_column(visit: Open) -> None:
    words = tuple(f"word{i}" for i in range(40))
    matches = tuple(Match((i, i + 1), (i, i + 1), "exact") for i in range(40))
    one = Explanation("meteor", 1.0, (), None, words, words, matches)
    seen = visit(explanation_page(Explanations((one,), "s")), 400)
    table = seen.page.locator(".xray")
    cells = table.locator("tbody td")
    assert cells.count() == 1600
    assert table.locator("td.k2").count() == 40
    first, last = table.locator("tbody th").first, cells.nth(39)
    before = box(first)
    assert box(last)["x"] > 400
    seen.page.locator(".scroll").evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    assert box(first)["x"] == before["x"]
    assert box(last)["x"] + box(last)["width"] <= 400
    assert overflow(seen.page) == 0


@pytest.mark.parametrize("language", TEXTS)
def test_the_x_ray_says_which_word_matches_which(visit: Open, language: str) -> None:
    found = xray(language)
    page = visit(explanation_page(found)).page
    heads = page.locator(".xray thead tr").last.locator("th").all_text_contents()
    assert heads == [word for each in found for word in each.hypothesis]
    assert page.locator(".xray tbody th").all_text_contents() == list(found.records[0].reference)
    for match in found.records[0].matches:
        row = page.locator(".xray tbody tr").nth(match.reference[0])
        cell = row.locator("td").nth(match.hypothesis[0])
        assert (cell.get_attribute("title") or "").startswith(f"{match.kind}: ")


def test_n_grams_open_on_demand(visit: Open) -> None:
    page = visit(page_of("chrf", "en")).page
    fold = page.locator("#ngrams details").first
    assert not fold.locator("li").first.is_visible()
    fold.locator("summary").click()
    assert fold.locator("li").first.is_visible()


def test_the_theme_can_be_changed(visit: Open) -> None:
    light, dark = (visit(page_of("ter", "en"), color_scheme=scheme).page for scheme in ("light", "dark"))
    assert colours(light) != colours(dark)
    dark.locator("#theme").click()
    assert colours(light) == colours(dark)


def test_hostile_words_stay_words(visit: Open) -> None:
    attack = ATTACK.replace("hacked()", "window.hacked=1")
    for metric in ("bleu", "chrf", "ter", "per"):
        seen = visit(explanation_page(tercet.explain(metric, [attack, "x" * 500], attack + " a")), 400)
        assert seen.complaints == []
        assert seen.page.evaluate("window.hacked") is None
        assert overflow(seen.page) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", [*METRICS, "xray"])
def test_axe_finds_no_barrier(visit: Open, kind: str, scheme: str) -> None:
    try:
        axe = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    except ModuleNotFoundError:
        absent("the extra test (axe-playwright-python) is not installed")
    page = visit(page_of(kind, "en"), 1400, color_scheme=scheme, bypass_csp=True).page
    page.add_style_tag(content=".scroll { background: none !important; }")  # axe cannot judge contrast over gradients
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    page.evaluate(axe)
    found = page.evaluate("axe.run()")
    assert [f"{v['impact']}: {v['id']}: {v['nodes'][0]['html'][:200]}" for v in found["violations"]] == []
    assert {rule["id"]: len(rule["nodes"]) for rule in found["passes"]}["color-contrast"] > 20


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("kind", [*METRICS, "xray"])
def test_a_picture_holds_what_it_draws(visit: Open, kind: str, language: str) -> None:
    """No text of the SVG reaches out of the picture."""
    drawn = picture(xray(language) if kind == "xray" else both(kind, language))
    page = visit(f"<!doctype html><body style='margin:0'>{drawn}").page
    frame = box(page.locator("svg"))
    for text in page.locator("svg text").all():
        inside = box(text)
        assert inside["x"] >= frame["x"] - 1
        assert inside["x"] + inside["width"] <= frame["x"] + frame["width"] + 1
        assert inside["y"] >= frame["y"] - 1
        assert inside["y"] + inside["height"] <= frame["y"] + frame["height"] + 1
