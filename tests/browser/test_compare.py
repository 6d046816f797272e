"""The page of a comparison in a browser: sorting, filtering, opening and linking segments; alone, and for everybody."""

from __future__ import annotations

import random
import urllib.parse
from typing import TYPE_CHECKING, Any

import pytest
from rapidfuzz.distance import Levenshtein

import tercet
from tercet.comparing.marks import marking
from tercet.data.marks import marked_texts
from tercet.metrics import METRICS
from tercet.report.html.compare import page
from tercet.report.scores import scores_table
from tests.browser.conftest import Open, Visit, seen_by_axe
from tests.browser.test_report import box, colours, overflow
from tests.report.compared import SPECS, compared, made
from tests.report.test_explanations import TEXTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

WORDS = [*"the a small grey ferry harbour leaves at nine of in rain sea".split(), "7", "12", ","]  # noqa: SIM905
N = 400
ATTACKS = (
    "<script>window.hacked=1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "</script><script>window.hacked=1</script> ]]> &lt;b&gt; $data",
    "abc \u202edef\u2066 \u200fمرحبا عالم 12 (x)",
    "a\x00b\x07\u2028c",
    "x" * 1_000_000,
    " ".join(["word"] * 200_000),
    "",
)


def texts() -> tuple[dict[str, list[str]], list[str], list[str]]:
    """Made-up sentences, and what three systems of falling quality make of them."""
    chance = random.Random(5)  # noqa: S311 - for no secret
    references = [" ".join(chance.choices(WORDS, k=chance.randint(2, 30))) + " ." for _ in range(N)]

    def spoilt(text: str, share: float) -> str:
        return " ".join(w if chance.random() > share else chance.choice(WORDS) for w in text.split())

    systems = {f"S{i}": [spoilt(text, 0.15 * i) for text in references] for i in (3, 1, 2)}
    return systems, references, [text.upper() for text in references]


@pytest.fixture(scope="module")
def report() -> str:
    """Three systems, four hundred segments."""
    return page(made(*texts()))


def opened(visit: Open, text: str, *args: Any, **options: Any) -> Visit:
    """The page with its segments unpacked; `at` is what follows the # of its address."""
    seen = visit(text, *args, **options)
    seen.page.locator("#list li").first.wait_for()
    return seen


def differences(page: Page) -> list[float]:
    """Of the rows in the page, from top to bottom."""
    found = page.locator("#list li .figures b").all_inner_texts()
    return [float(text.replace("−", "-")) for text in found]


def names(page: Page) -> list[str]:
    """Of the segments in the page, from top to bottom."""
    return page.locator("#list li strong").all_inner_texts()


def count(page: Page) -> str:
    return page.locator("#count").inner_text()


def state(page: Page) -> dict[str, str]:
    """What the address says."""
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).fragment))


def shut(page: Page) -> None:
    """Wait until no segment is open: the page goes back in its history and moves the focus a moment later."""
    page.locator("dialog[open]").wait_for(state="detached")
    page.wait_for_url(lambda address: "seg=" not in address)


@pytest.mark.parametrize("width", [320, 400, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_quiet_and_stays_alone(report: str, visit: Open, width: int, scheme: str) -> None:
    seen = opened(visit, report, width, color_scheme=scheme)
    assert overflow(seen.page) == 0
    seen.page.locator("#list a").nth(1).click()
    seen.page.locator("dialog[open]").wait_for()
    assert seen.page.locator("dialog[open] .output").count() == 3
    assert overflow(seen.page) == 0
    where = box(seen.page.locator("dialog"))
    assert where["x"] >= 0
    assert where["x"] + where["width"] <= width
    assert seen.complaints == []
    assert len(seen.requests) == 1
    assert len(set(colours(seen.page))) == 2


@pytest.mark.parametrize("width", [400, 1400])
def test_segments_are_sorted_by_any_metric_and_difference(report: str, visit: Open, width: int) -> None:
    page_ = opened(visit, report, width).page
    found = differences(page_)
    assert found == sorted(found, key=abs, reverse=True)
    page_.locator("#sort").select_option("gain")
    found = differences(page_)
    assert found == sorted(found, reverse=True)
    page_.locator("#metric").select_option("ter")  # lower is better: gains are negative
    found = differences(page_)
    assert found == sorted(found)
    assert found[0] < 0
    page_.locator("#sort").select_option("order")
    assert names(page_)[:3] == ["1", "2", "3"]
    assert state(page_) == {"metric": "ter", "sort": "order"}


@pytest.mark.parametrize("sort", ["b-worst", "a-best", "spread", "long", "short", "loss"])
def test_every_order_is_one(report: str, visit: Open, sort: str) -> None:
    page_ = opened(visit, report).page
    page_.locator("#sort").select_option(sort)
    keys = page_.evaluate(
        """async ([sort]) => {
            const data = await comparison.inflated(document.getElementById("segments-data"));
            const view = new comparison.View(data, { sort });
            return view.rows().map((row) => comparison.SORTS[sort](view, row));
        }""",
        [sort],
    )
    assert len(keys) == N
    assert keys == sorted(keys, reverse=True)
    assert len(set(keys)) > 10


def test_only_rows_in_sight_are_in_the_page(report: str, visit: Open) -> None:
    page_ = opened(visit, report).page
    page_.locator("#sort").select_option("order")
    rows = page_.locator("#list li")
    assert rows.count() < 30
    page_.locator("#list").evaluate("box => { box.scrollTop = box.scrollHeight; }")
    page_.locator("#list li", has_text="sea").last.wait_for()
    page_.locator("#list li:last-child strong", has_text=str(N)).wait_for()
    assert rows.count() < 30
    assert rows.last.get_attribute("aria-posinset") == rows.last.get_attribute("aria-setsize") == str(N)
    last = box(rows.last)
    inside = box(page_.locator("#list"))
    assert last["y"] + last["height"] <= inside["y"] + inside["height"] + 1


@pytest.mark.parametrize("width", [400, 1400])
def test_segments_are_filtered(report: str, visit: Open, width: int) -> None:
    systems, references, _ = texts()
    page_ = opened(visit, report, width).page
    page_.locator("#q").fill("GREY ferry")
    everything = zip(references, *systems.values(), strict=True)
    held = sum(any("grey ferry" in text for text in row) for row in everything)
    assert count(page_) == f"{held} of {N} segments"
    assert page_.locator("#list mark").first.inner_text().lower() == "grey ferry"
    page_.locator("#clear").click()
    assert count(page_) == f"{N} segments"
    page_.locator("[id='f.0']").select_option("doc7")
    assert sorted(names(page_)) == ["15", "16"]
    page_.locator("#clear").click()
    page_.locator("#bucket").select_option(label="<10")
    short = [str(i) for i, text in enumerate(references, 1) if len(text.split()) < 10]
    assert count(page_) == f"{len(short)} of {N} segments"
    assert set(names(page_)) <= set(short)
    page_.locator("#win").select_option("b")
    assert all(value > 0 for value in differences(page_))
    page_.locator("#q").fill("no such text")
    assert count(page_) == f"0 of {N} segments"
    assert page_.locator("#list li").count() == 0


def test_a_finding_leads_to_its_segments_and_back_leads_back(report: str, visit: Open) -> None:
    page_ = opened(visit, report).page
    page_.locator(".findings a").first.click()
    assert count(page_) == f"2 of {N} segments"
    assert set(names(page_)) == {"1", "2"}
    assert state(page_)["set"] == "f0"
    assert page_.locator("#set").input_value() == "f0"
    assert page_.evaluate("document.activeElement.closest('li') !== null")
    page_.go_back()
    assert count(page_) == f"{N} segments"
    page_.locator("details.grams-of[open] tbody a").first.click()
    assert set(names(page_)) == {"1", str(N)}


@pytest.mark.parametrize("width", [400, 1400])
def test_a_segment_opens_by_a_link_that_can_be_copied(report: str, visit: Open, width: int) -> None:
    seen = opened(visit, report, width, permissions=["clipboard-read", "clipboard-write"])
    page_ = seen.page
    page_.locator("#metric").select_option("chrf")
    page_.locator("#list a").nth(2).click()
    title = page_.locator("#segment-title").inner_text()
    assert title == f"Segment {state(page_)['seg']}"
    page_.locator("#copy").click()
    page_.locator("#copied", has_text="Copied").wait_for()
    link = page_.evaluate("navigator.clipboard.readText()")
    assert link == page_.url
    page_.go_back()
    shut(page_)
    other = page_.context.new_page()
    other.goto(link)
    other.locator("dialog[open]").wait_for()
    assert other.locator("#segment-title").inner_text() == title
    assert other.locator("#metric").input_value() == "chrf"
    other.locator("#close").click()
    shut(other)
    assert "seg" not in state(other)
    page_.go_forward()
    assert page_.locator("dialog[open] #segment-title").inner_text() == title


def test_the_keyboard_goes_everywhere(report: str, visit: Open) -> None:
    page_ = opened(visit, report, at="sort=order").page
    assert page_.locator("#list [tabindex='0']").count() == 1
    page_.locator("#list [tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowDown", "End", "ArrowUp"):
        page_.keyboard.press(key)
    focused = "document.activeElement.querySelector('strong').textContent"
    assert page_.evaluate(focused) == str(N - 1)
    page_.keyboard.press("Enter")
    page_.locator("dialog[open]").wait_for()
    assert page_.locator("#segment-title").inner_text() == f"Segment {N - 1}"
    page_.keyboard.press("ArrowLeft")
    assert page_.locator("#segment-title").inner_text() == f"Segment {N - 2}"
    page_.keyboard.press("Escape")
    shut(page_)
    page_.locator(":focus strong", has_text=str(N - 2)).wait_for()


def test_the_keyboard_can_skip_to_the_segments(report: str, visit: Open) -> None:
    page_ = opened(visit, report).page
    for _ in range(2):
        page_.keyboard.press("Tab")
    assert page_.evaluate("document.activeElement.textContent") == "To the segments"
    page_.keyboard.press("Enter")
    page_.keyboard.press("Tab")
    assert page_.evaluate("document.activeElement.id") == "q"


def test_every_number_is_that_of_score(visit: Open) -> None:
    systems, references, sources = texts()
    page_ = opened(visit, page(made(systems, references, sources)), at="sort=order").page
    shown = page_.evaluate(
        """async () => {
            const data = await comparison.inflated(document.getElementById("segments-data"));
            return data.metrics.map((metric, m) => data.scores[m].map((row) => row.map(
              (score) => comparison.printed(score, metric.digits))));
        }"""
    )
    printed = scores_table(tercet.score(systems, references, metrics=SPECS, level="segment"))
    for s, system in enumerate(systems):
        rows = [row[2:] for row in printed.rows if row[0] == system]
        assert [[shown[m][s][i] for m in range(len(SPECS))] for i in range(N)] == [list(row) for row in rows]
    corpus = scores_table(tercet.score(systems, references, metrics=SPECS))
    page_.locator("#answer summary").first.click()
    table = page_.locator("#answer table").first
    for row in corpus.rows:
        line = table.locator("tbody tr", has_text=row[0]).locator("td.n")
        told = [line.nth(2 * m).inner_text().split()[0] for m in range(len(SPECS))]
        assert told == list(row[1:])
    page_.locator("#list a").first.click()
    for s, system in enumerate(systems):
        own = page_.locator("dialog .output", has=page_.locator("h3", has_text=system)).locator(".figures b")
        assert own.all_inner_texts() == [shown[m][s][0] for m in range(len(SPECS))]


def evaluated(page: Page, script: str, *args: Any) -> Any:
    return page.evaluate(f"(given) => {{ const [{', '.join('abcd'[: len(args)])}] = given; return {script}; }}", args)


@pytest.mark.parametrize("language", TEXTS)
def test_marks_are_those_of_the_explanations(report: str, visit: Open, language: str) -> None:
    page_ = visit(report).page
    *hypotheses, reference = TEXTS[language]
    spec = "bleu(tokenize=zh)" if language == "zh" else "bleu"
    for hypothesis in hypotheses:
        ours, theirs = marked_texts(tercet.explain(spec, hypothesis, reference).records[0])
        words = evaluated(
            page_, "[a, b].map((text) => marks.words(text).map((word) => word.key))", hypothesis, reference
        )
        assert words == [[m.text for m in ours.marks], [m.text for m in theirs.marks]]
        levels = evaluated(page_, "marks.wordLevels(marks.words(a), [marks.words(b)])", hypothesis, reference)
        assert levels["hypothesis"] == [m.level for m in ours.marks]
        assert levels["references"] == [[m.level for m in theirs.marks]]
        ours, theirs = marked_texts(tercet.explain("chrf", hypothesis, reference).records[0])
        found = evaluated(page_, "marks.characterLevels(a, [b])", hypothesis, reference)
        for text, shares, wanted in ((hypothesis, "hypothesis", ours), (reference, "reference", theirs)):
            runs = evaluated(page_, "marks.characterRuns(a, b).map((run) => [a.slice(run.start, run.end), run.level])",
                             text, found[shares])  # fmt: skip
            levelled = [level for piece, level in runs for _ in piece]
            assert levelled == [m.level for m in wanted.marks for char in m.text if not char.isspace()]


@pytest.mark.parametrize("language", TEXTS)
def test_edits_are_as_few_as_can_be(report: str, visit: Open, language: str) -> None:
    page_ = visit(report).page
    *hypotheses, reference = TEXTS[language]
    for hypothesis in hypotheses:
        steps = evaluated(page_, "marks.edits(marks.words(a), marks.words(b))", hypothesis, reference)
        ours, theirs = (
            evaluated(page_, "marks.words(a).map((word) => word.key)", text) for text in (hypothesis, reference)
        )
        assert sum(step["kind"] != "match" for step in steps) == Levenshtein.distance(ours, theirs)
        assert [ours[s["ours"]] for s in steps if s["ours"] is not None] == ours
        assert [theirs[s["theirs"]] for s in steps if s["theirs"] is not None] == theirs
        assert all(ours[s["ours"]] == theirs[s["theirs"]] for s in steps if s["kind"] == "match")


@pytest.mark.parametrize("language", TEXTS)
def test_words_are_those_that_the_metrics_compare(report: str, visit: Open, language: str) -> None:
    page_ = visit(report).page
    for text in TEXTS[language]:
        for spec in ("ter", "ter(case_sensitive=true)", "bleu(tokenize=none)"):
            found = tercet.explain(spec, text, text).records[0]
            wanted = found.ngrams[0].hypothesis if found.ngrams else found.hypothesis
            plain = marking(METRICS.make(spec))
            how = {"fold": plain.fold, "spaces": plain.spaces}
            assert tuple(evaluated(page_, "marks.words(a, b).map((word) => word.key)", text, how)) == wanted


@pytest.mark.parametrize(
    ("marks", "found"),
    [("bleu", ".l4"), ("chrf", ".l4"), ("ter", ".steps .substitution"), ("pair", ".sub"), ("none", "h3")],
)
def test_texts_are_marked_and_stay_whole(report: str, visit: Open, marks: str, found: str) -> None:
    systems, references, sources = texts()
    page_ = opened(visit, report, at="sort=spread").page
    page_.locator("#list a").first.click()
    row = int(state(page_)["seg"]) - 1
    page_.locator("#marks").select_option(marks)
    assert page_.locator(f"#segment-text .output {found}").count() > 0
    assert page_.locator("#segment-text > .text").all_inner_texts() == [sources[row], references[row]]
    if marks != "ter":
        outputs = page_.locator("#segment-text .output")
        for system, own in systems.items():
            shown = outputs.filter(has=page_.locator("h3", has_text=system)).locator(".text")
            assert shown.inner_text() == own[row]


def test_the_reference_says_who_finds_what(visit: Open) -> None:
    systems = {"A": ["the grey ferry left"], "B": ["the small ship leaves"]}
    page_ = opened(visit, page(made(systems, ["the grey ship sails"])), at="seg=1").page
    reference = page_.locator("#segment-text > .text")
    kinds = reference.locator("span").evaluate_all("nodes => nodes.map(node => [node.textContent, node.className])")
    assert kinds == [["the", "both"], ["grey", "in-a"], ["ship", "in-b"], ["sails", "l0"]]
    only = page_.locator(".output .only").all_inner_texts()
    assert only == ["grey", "ship"]


@pytest.mark.parametrize("width", [400, 1400])
def test_hostile_text_is_text(visit: Open, width: int) -> None:
    n = len(ATTACKS)
    systems = {ATTACKS[0]: list(ATTACKS), ATTACKS[3]: ["a b"] * n}
    seen = opened(
        visit, page(made(systems, [["a b", text] for text in ATTACKS], list(ATTACKS))), width, at="sort=order"
    )
    page_ = seen.page
    assert overflow(page_) == 0
    assert page_.locator("#list li").count() == n
    for row in range(n):
        page_.locator("#list li").nth(row).locator("a").focus()
        page_.keyboard.press("Enter")
        page_.locator("dialog[open]").wait_for()
        assert page_.locator("dialog[open] .output").count() == 2
        if row < 3:
            assert page_.locator("#segment-text > .text").first.inner_text() == ATTACKS[row]
            assert page_.locator(".output.chosen .text").first.inner_text() == ATTACKS[row]
        assert overflow(page_) == 0
        assert page_.locator("#segment-scroll").evaluate("box => box.scrollWidth - box.clientWidth") == 0
        page_.keyboard.press("Escape")
        shut(page_)
        page_.locator("#list li").nth(row).locator(":focus").wait_for()
    assert page_.evaluate("window.hacked") is None
    assert seen.complaints == []
    page_.locator("#list li").nth(5).locator("a").focus()
    page_.keyboard.press("Enter")
    page_.get_by_role("button", name="Show all 1000000 characters").first.click()
    assert page_.locator("#segment-text > .text").first.evaluate("node => node.textContent.length") == 1_000_000


def test_directions_are_those_of_the_texts(visit: Open) -> None:
    one, other, reference = TEXTS["ar"]
    page_ = opened(visit, page(made({"A": [one], "B": [other]}, [reference], ["Abc 12."])), at="seg=1").page
    ways = page_.locator("dialog .text").evaluate_all("nodes => nodes.map(node => getComputedStyle(node).direction)")
    assert ways == ["ltr", "rtl", "rtl", "rtl"]
    lines = page_.locator("#list p > span").evaluate_all("nodes => nodes.map(node => getComputedStyle(node).direction)")
    assert lines == ["rtl", "rtl", "rtl"]
    page_.locator("#marks").select_option("ter")
    first, second = (box(page_.locator(".output.chosen .steps > span").nth(i)) for i in (0, 1))
    assert first["x"] > second["x"]


def test_without_references_and_source_there_is_something_to_see(visit: Open) -> None:
    found = compared(tercet.data.TestSet.of({"A": ["a b c"], "B": ["a c d"]}, ["a b"]), ["chrf"])
    bare = tercet.data.TestSet.of({"A": ["a b c"], "B": ["a c d"]})
    object.__setattr__(found, "testset", bare)
    seen = opened(visit, page(found), at="seg=1&marks=pair")
    assert seen.page.locator(".output .sub").all_inner_texts() == ["b", "d"]
    seen.page.locator("#marks").select_option("chrf")
    assert seen.complaints == []


def test_all_but_the_segments_is_there_without_a_script(report: str, visit: Open) -> None:
    plain, living = visit(report, java_script_enabled=False).page, opened(visit, report).page
    assert plain.locator("table").count() == living.locator("table").count() >= 6
    assert plain.locator("#loading").is_visible()
    assert not plain.locator("#browser").is_visible()
    assert not living.locator("#loading").is_visible()


@pytest.mark.parametrize(("width", "scheme"), [(400, "light"), (1400, "dark"), (1400, "light"), (400, "dark")])
def test_axe_finds_no_barrier(report: str, visit: Open, width: int, scheme: str) -> None:
    page_ = opened(visit, report, width, color_scheme=scheme, bypass_csp=True).page
    page_.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    checked = 0
    for marks in (None, "bleu", "chrf", "ter"):
        if marks == "bleu":
            page_.locator("#list a").nth(1).click()
        if marks:
            page_.locator("#marks").select_option(marks)
        barriers, passed = seen_by_axe(page_, "document.querySelector('dialog[open]') ?? document")
        assert barriers == []
        checked += passed["color-contrast"]
    assert checked > 200  # it did look
