"""The page of an explanation in a browser, in five languages: alone, within its window, and readable by all."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

import pytest

import tercet
from tercet.data import Explanation, Explanations, Match
from tercet.report.html.explanations import explanation_page
from tercet.report.html.pictures import picture
from tests.browser.conftest import Open, seen_by_axe
from tests.browser.test_report import box, boxes, colours, overflow
from tests.meteor.files import installed
from tests.report.test_explanation_pages import ATTACK
from tests.report.test_explanations import TEXTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

METRICS = {"bleu": "bleu(tokenize=intl)", "chrf": "chrf++", "ter": "ter(normalized=true, asian_support=true)"}


@functools.cache
def both(metric: str, language: str) -> Explanations:
    """Two hypotheses of a language."""
    one, other, reference = TEXTS[language]
    return tercet.explain(METRICS.get(metric, metric), [one, other], reference)


METEORS = {
    "en": "meteor",
    "cs": "meteor(language=cs, modules=exact)",
    "hi": "meteor(language=other, normalize=lower)",
    "zh": "meteor(language=other, normalize=lower)",
    "ar": "meteor(language=other, normalize=lower)",
}
ALIGNED = {
    "en": ("The ferries leave the small harbour at approximately nine.",
           "At around nine the ship is leaving in accordance with the plan.",
           "The ferry leaves the little harbour at about nine, according to plan."),
    "hi": ("यह एक नई परीक्षा है ।", "एक परीक्षण यह है ।", "यह एक परीक्षण है ।"),
    "zh": tuple(" ".join(text) for text in TEXTS["zh"]),
}  # fmt: skip


@functools.cache
def xray(language: str) -> Explanations:
    """METEOR's alignments of two hypotheses."""
    installed()
    one, other, reference = ALIGNED.get(language, TEXTS[language])
    return tercet.explain(METEORS[language], [one, other], reference)


@functools.cache
def related() -> Explanations:
    """TERp's edits, with words that stand for others."""
    installed()
    one, other, reference = ALIGNED["en"]
    return tercet.explain("terp", [one, other], reference)


def explanations_of(kind: str, language: str) -> Explanations:
    """Two hypotheses explained by a metric."""
    if kind == "terp":
        return related()
    return xray(language) if kind == "xray" else both(kind, language)


def page_of(kind: str, language: str) -> str:
    return explanation_page(explanations_of(kind, language))


def words_on(page: Page, selector: str) -> list[str]:
    """The texts of the marked words, joined to those of the explanation."""
    return [text.replace("\n", " ") for text in page.locator(selector).all_inner_texts()]


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("kind", [*METRICS, "xray"])
def test_the_page_is_quiet_and_within_its_window(visit: Open, kind: str, language: str) -> None:
    text = page_of(kind, language)
    for width, scheme in ((400, "dark"), (320, "light")):
        seen = visit(text, width, color_scheme=scheme)
        assert seen.complaints == []
        assert len(seen.requests) == 1
        assert overflow(seen.page) == 0
    seen.page.set_viewport_size({"width": 1400, "height": 900})
    assert overflow(seen.page) == 0
    assert seen.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_matches_exactly_has_one_green(visit: Open, scheme: str) -> None:
    page = visit(page_of("ter", "en"), color_scheme=scheme).page
    grounds = {
        selector: page.locator(selector).first.evaluate("(e) => getComputedStyle(e).backgroundColor")
        for selector in (".text dd .l4", ".steps > .match", ".xray td.k2", ".key.k2")
    }
    assert len(set(grounds.values())) == 1


@pytest.mark.parametrize("language", TEXTS)
def test_texts_read_as_they_were_given(visit: Open, language: str) -> None:
    one, other, reference = TEXTS[language]
    page = visit(page_of("chrf", language)).page
    assert words_on(page, ".text dd") == [one, reference, other, reference]
    assert page.locator(".text dd .l0").count() > 0


@pytest.mark.parametrize(("kind", "language"), [*(("ter", language) for language in TEXTS), ("terp", "en")])
def test_edits_read_as_the_script_says(visit: Open, kind: str, language: str) -> None:
    found = explanations_of(kind, language)
    page = visit(explanation_page(found)).page
    for number, each in enumerate(found):
        assert each.edits is not None
        steps = page.locator(".steps").nth(number).locator("> span")
        assert steps.count() == len(each.edits.edits)
        kinds = steps.evaluate_all("steps => steps.map(step => step.className)")
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


def test_the_x_ray_shows_every_stage_and_the_formula(visit: Open) -> None:
    found = xray("en")
    kinds = {match.kind for each in found for match in each.matches}
    assert kinds == {"exact", "stem", "synonym", "paraphrase"}
    blocks = [m for each in found for m in each.matches if m.kind == "paraphrase" and spans(m) != (1, 1)]
    assert blocks
    page = visit(explanation_page(found)).page
    keys = page.locator(".key").all_inner_texts()
    assert keys == ["x exact", "s stem", "y synonym", "p paraphrase"]
    wanted = sum(spans(m)[0] * spans(m)[1] for each in found for m in each.matches if m.kind == "paraphrase")
    assert page.locator(".xray td.k1").count() == wanted
    assert page.locator("#formula table").count() == 2
    assert "0.25" in page.locator("#formula").inner_text()


def spans(match: Match) -> tuple[int, int]:
    """How many words of either side."""
    return match.hypothesis[1] - match.hypothesis[0], match.reference[1] - match.reference[0]


@pytest.mark.parametrize(("language", "turned"), [("ar", True), ("en", False)])
def test_columns_run_as_the_text_does(visit: Open, language: str, turned: bool) -> None:
    found = xray(language)
    page = visit(explanation_page(found)).page
    first, second = (box(page.locator(".xray thead tr").last.locator("th").nth(n)) for n in (0, 1))
    row = box(page.locator(".xray tbody th").first)
    assert (second["x"] < first["x"]) == turned
    assert (row["x"] > first["x"]) == turned
    drawn = visit(f"<!doctype html><body style='margin:0'>{picture(found)}").page
    places = [head["x"] for head in boxes(drawn.locator("svg text[transform]"))]
    assert places == sorted(places, reverse=turned)
    rows = [
        text for text in drawn.locator("svg text:not([transform])").all() if text.inner_html() == reference_of(found)
    ]
    assert (box(rows[0])["x"] > max(places)) == turned


def reference_of(found: Explanations) -> str:
    """A word that stands nowhere but in its row."""
    return next(word for word in found.records[0].reference if len(word) > 1)


def test_a_mirrored_x_ray_scrolls_under_its_first_column(visit: Open) -> None:
    words = tuple(f"كلمة{i}" for i in range(40))
    matches = tuple(Match((i, i + 1), (i, i + 1), "exact") for i in range(40))
    one = Explanation("meteor", 1.0, (), None, words, words, matches)
    seen = visit(explanation_page(Explanations((one,), "s")), 400)
    first, last = seen.page.locator(".xray tbody th").first, seen.page.locator(".xray tbody td").nth(39)
    before = box(first)
    assert 200 < before["x"] < 400
    assert box(last)["x"] < 0
    seen.page.locator(".scroll").evaluate("box => { box.scrollLeft = -box.scrollWidth; }")
    assert box(first)["x"] == before["x"]
    assert box(last)["x"] >= 0
    assert overflow(seen.page) == 0


def grid(n_words: int, systems: int = 1, n_reference: int | None = None) -> Explanations:
    """Words that all match, in as many hypotheses."""
    words = tuple(f"word{i}" for i in range(n_words))
    reference = words[:n_reference]
    matches = tuple(Match((i, i + 1), (i, i + 1), "exact") for i in range(len(reference)))
    found = [Explanation("meteor", 1.0, (), None, words, reference, matches, system=f"S{i}") for i in range(systems)]
    return Explanations(tuple(found), "s")


def test_a_grid_fits_the_window_and_keeps_its_words_in_sight(visit: Open) -> None:
    page = visit(explanation_page(grid(55))).page
    scroll = page.locator("#alignment .scroll")
    assert scroll.evaluate("box => box.scrollWidth <= box.clientWidth")  # 55 columns fit where there is room
    assert box(scroll)["height"] <= 900
    head, corner = page.locator(".xray thead th").first, page.locator(".xray tbody th").first
    before = box(head)
    scroll.evaluate("box => { box.scrollTop = box.scrollHeight; }")
    after = box(head)
    assert abs(after["y"] - box(scroll)["y"]) < 40 + before["height"]
    assert page.locator(".xray tbody tr").last.locator("th").is_visible()
    assert box(corner)["y"] < box(scroll)["y"]  # the first row has gone, its column's word has not
    assert after["y"] > box(corner)["y"]


@pytest.mark.parametrize(("n_words", "tables"), [(12, 1), (20, 2)])
def test_long_hypotheses_stand_below_each_other(visit: Open, n_words: int, tables: int) -> None:
    page = visit(explanation_page(grid(n_words, systems=2))).page
    grids = page.locator(".xray")
    assert grids.count() == tables
    assert page.locator(".xray td.k2").count() == 2 * n_words
    if tables == 2:
        one, other = box(grids.nth(0)), box(grids.nth(1))
        assert other["x"] == one["x"]
        assert other["y"] > one["y"] + one["height"]
        assert "S1" in page.locator(".xray caption").nth(1).inner_text()


def test_nothing_of_a_grid_is_lost_on_paper(visit: Open) -> None:
    page = visit(explanation_page(grid(130, n_reference=50)), 703).page  # a sheet of A4 between its margins
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".xray").count() == 3
    heads = page.locator(".xray thead tr:last-child th").all_text_contents()
    assert heads == [f"word{i}" for i in range(130)]
    for place in boxes(page.locator(".xray")):
        assert place["x"] + place["width"] <= 704
    hidden = page.locator(".scroll, .xray thead span").evaluate_all(
        "nodes => nodes.filter(node => getComputedStyle(node).overflow !== 'visible' "
        "&& (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1)).length"
    )
    assert hidden == 0
    assert page.locator("details:not([open])").count() == 0


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
@pytest.mark.parametrize("kind", [*METRICS, "xray", "terp"])
def test_axe_finds_no_barrier(visit: Open, kind: str, scheme: str) -> None:
    page = visit(page_of(kind, "en"), 1400, color_scheme=scheme, bypass_csp=True).page
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    barriers, passed = seen_by_axe(page)
    assert barriers == []
    assert passed["color-contrast"] > 20


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("kind", [*METRICS, "xray"])
def test_a_picture_holds_what_it_draws(visit: Open, kind: str, language: str) -> None:
    """No text of the SVG reaches out of the picture."""
    drawn = picture(explanations_of(kind, language))
    page = visit(f"<!doctype html><body style='margin:0'>{drawn}").page
    frame = box(page.locator("svg"))
    texts = boxes(page.locator("svg text"))
    assert len(texts) > 5
    for inside in texts:
        assert inside["x"] >= frame["x"] - 1
        assert inside["x"] + inside["width"] <= frame["x"] + frame["width"] + 1
        assert inside["y"] >= frame["y"] - 1
        assert inside["y"] + inside["height"] <= frame["y"] + frame["height"] + 1


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("kind", [*METRICS, "xray"])
def test_no_two_texts_of_a_picture_lie_on_each_other(visit: Open, kind: str, language: str) -> None:
    drawn = picture(explanations_of(kind, language))
    page = visit(f"<!doctype html><body style='margin:0'>{drawn}").page
    found = page.locator("svg text")
    words = found.evaluate_all("nodes => nodes.map(node => node.innerHTML)")
    texts = [(word, place) for word, place in zip(words, boxes(found), strict=True) if word]
    assert len(texts) > 5
    for (one, a), (other, b) in itertools.combinations(texts, 2):
        beside = a["x"] + a["width"] <= b["x"] + 1 or b["x"] + b["width"] <= a["x"] + 1
        below = a["y"] + a["height"] <= b["y"] + 1 or b["y"] + b["height"] <= a["y"] + 1
        assert beside or below, (one, other)
