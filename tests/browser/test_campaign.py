"""An annotator's path from link to thanks, generated from the files of the protocols."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import pathlib
import re
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.protocol import protocol_names
from tests.browser.campaigns import SYSTEMS, Keys, Mouse, Person, lose_a_reply, made, material, served, stored
from tests.browser.conftest import Windows, seen_by_axe

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

STATIC = pathlib.Path(__file__).resolve().parents[2] / "src" / "tercet" / "server" / "static"
BYTES = 40_000
HANDS = ("mouse", "keyboard")
WIDTHS = (1400, 400)
WAYS = list(itertools.product(HANDS, WIDTHS))  # an annotator each

BLOCKED = "Service Worker registration blocked by Playwright"

Enter = Callable[..., "Page"]


class Collected(NamedTuple):
    """A campaign that is served, and the links that nobody has opened yet."""

    protocol: str
    path: str
    url: str
    links: Iterator[tuple[str, str]]


def paths() -> Iterator[Any]:
    """Every protocol by every way; two of each, one by mouse and one by keyboard, are in every run."""
    for n, (protocol, right_to_left) in enumerate(itertools.product(protocol_names(), (False, True))):
        name = f"{protocol}-{'rtl' if right_to_left else 'ltr'}"
        for i, (hand, width) in enumerate(WAYS):
            marks = () if i == (n + n // 4) % 4 else (pytest.mark.thorough,)
            yield pytest.param((protocol, right_to_left), hand, width, id=f"{name}-{hand}-{width}", marks=marks)


@pytest.fixture(scope="module")
def collecting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str, bool], Collected]]:
    """Serves a campaign of a protocol in which all annotators get the same, until another one is asked for.

    No parameter: pytest 9.2 makes what has one anew for every test.
    """
    with contextlib.ExitStack() as serving:

        @functools.lru_cache(maxsize=1)
        def collecting(protocol: str, right_to_left: bool) -> Collected:
            serving.close()
            n = 2 * len(WAYS)  # for a second try, too
            campaign = made(tmp_path_factory.mktemp("campaign"), protocol, right_to_left, annotators=n, overlap=n)
            url = serving.enter_context(served(campaign.campaign))
            return Collected(protocol, campaign.campaign, url, iter(campaign.links.items()))

        yield collecting


@pytest.fixture
def complaints() -> list[str]:
    """What pages complain about."""
    return []


@pytest.fixture
def enter(windows: Windows, complaints: list[str]) -> Iterator[Enter]:
    """Opens an address in a window of its own: enter(url, width=400, color_scheme="dark", ...)."""
    with windows.lent() as lend:

        def enter(address: str, width: int = 1400, read: bool = True, **options: Any) -> Page:
            options.setdefault("service_workers", "block")  # what it answers, a test cannot stop
            hears: dict[str, Callable[[Any], None]] = {
                "console": lambda message: complaints.extend({message.text} - {BLOCKED}),
                "pageerror": lambda error: complaints.append(str(error)),
            }
            page = lend(width, hears, has_touch=width < 500, **options)
            page.context.set_default_timeout(20_000)
            page.goto(address)
            if read:  # the instructions, which stand before the first item
                page.locator("#help-screen .main").click()
            return page

        yield enter


def person(page: Page, protocol: str, hand: str, width: int = 1400) -> Person:
    """Someone in front of a page."""
    return Keys(page, protocol) if hand == "keyboard" else Mouse(page, protocol, touch=width < 500)


def work(someone: Person, least: int = 1) -> list[dict[str, Any]]:
    """Answer until the thanks."""
    page = someone.page
    said: list[dict[str, Any]] = []
    while True:
        page.locator(".item:not(.seen), .screen").wait_for()
        if page.locator(".screen").count():
            break
        said.append(someone.answer(len(said)))
        page.evaluate("document.querySelector('.item').classList.add('seen')")
        someone.next()
    assert len(said) >= least
    return said


def answer_one(someone: Person, number: int = 0) -> dict[str, Any]:
    """Answer the item that is shown, and go on to the next."""
    someone.page.locator(".item:not(.seen)").wait_for()
    said = someone.answer(number)
    someone.page.evaluate("document.querySelector('.item').classList.add('seen')")
    someone.next()
    return said


@pytest.mark.parametrize(("collection", "hand", "width"), [*paths()])
def test_what_was_clicked_is_what_is_stored(
    collecting: Callable[[str, bool], Collected],
    collection: tuple[str, bool],
    hand: str,
    width: int,
    enter: Enter,
    complaints: list[str],
) -> None:
    """From link to thanks; on the way a reply is lost after the commit, then there is no line for a while."""
    collected = collecting(*collection)
    name, link = next(collected.links)
    page = enter(collected.url + link, width)
    someone, sent = person(page, collected.protocol, hand, width), lose_a_reply(page)
    with page.expect_event("requestfailed"):
        said = [answer_one(someone)]
    page.locator("#kept.kept", has_text="1").wait_for()
    assert stored(collected.path, name) == said
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.set_offline(True)
    said += work(someone)
    page.locator("#kept.kept", has_text=str(len(said))).wait_for()
    assert len(stored(collected.path, name)) == 1
    page.context.set_offline(False)
    page.locator(".screen", has_text=f"{len(said)} answers are stored").wait_for()
    assert page.locator("#kept.stored").count() == 1
    assert sent[1][0] == sent[0][0]  # asked once more
    assert stored(collected.path, name) == said
    assert [told for told in complaints if "ERR_" not in told] == []  # that a line is lost is told


def test_the_script_is_small_and_nothing_comes_from_elsewhere(enter: Enter, tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "esa")  # which has the largest widgets
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        loaded = page.evaluate("performance.getEntriesByType('resource').map(e => e.name)")
    assert loaded
    assert all(name.startswith(url) for name in loaded)
    modules = {name.rpartition("/")[2] for name in loaded if name.endswith(".js")}
    assert {"annotate.js", "outbox.js", "spans.js", "score.js"} <= modules
    assert "edit.js" not in modules  # which nobody needs here
    assert modules <= {file.name for file in STATIC.glob("*.js")}
    assert sum(file.stat().st_size for file in STATIC.glob("*.js")) < BYTES  # all of them, the organiser's too


def test_offline_and_back(enter: Enter, tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "sqm", items=4)
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        someone = Mouse(page, "sqm")
        said = [answer_one(someone)]
        page.locator("#kept.stored").wait_for()
        page.wait_for_load_state("networkidle")
        page.context.set_offline(True)
        said += [answer_one(someone, 1), answer_one(someone, 2)]
        page.locator("#kept", has_text="kept here (2)").wait_for()
        assert len(stored(campaign.campaign)) == 1
        page.locator(".item:not(.seen)").wait_for()
        page.locator("#undo").click()  # what was never sent can be taken back without a line
        page.locator("#kept", has_text="kept here (1)").wait_for()
        said[2] = answer_one(someone, 3)
        page.locator("#kept", has_text="kept here (2)").wait_for()
        page.context.set_offline(False)
        page.locator("#kept.stored").wait_for()
        said += work(someone)
        page.locator("#kept.stored").wait_for()
    assert stored(campaign.campaign) == said


def test_unsent_answers_outlive_the_page(enter: Enter, tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "pairs", items=3)
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        someone = Mouse(page, "pairs")
        page.locator(".item").wait_for()
        page.context.route("**/api/answers", lambda route: route.abort())
        said = [answer_one(someone)]
        page.locator("#kept", has_text="kept here (1)").wait_for()
        assert stored(campaign.campaign) == []
        page.context.unroute("**/api/answers")
        page.reload()
        page.locator("#kept.stored, #kept:empty").wait_for(state="attached")
        said += work(someone)
        page.locator("#kept.stored").wait_for()
    assert stored(campaign.campaign) == said


def test_an_item_that_is_shown_stays(enter: Enter, tmp_path: pathlib.Path) -> None:
    """A receipt for what was kept asks for items, too, while the page that was loaded again waits for its own."""
    campaign = made(tmp_path, "adequacy-fluency", items=4)
    held: list[Route] = []
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        someone = Keys(page, "adequacy-fluency")
        page.context.route("**/api/answers", lambda route: route.abort())
        said = [answer_one(someone)]
        page.locator("#kept", has_text="kept here (1)").wait_for()
        page.context.unroute("**/api/answers")
        page.route("**/api/items*", lambda route: held.append(route) if len(held) < 2 else route.continue_())
        page.reload()
        while len(held) < 2:  # one by the page, one by the receipt
            page.wait_for_timeout(20)
        held[0].continue_()
        page.locator(".item").wait_for()
        page.evaluate("document.querySelector('.item').classList.add('first')")
        with page.expect_response("**/api/items*"):
            held[1].continue_()
        page.wait_for_timeout(300)
        assert page.locator(".item.first").count() == 1
        said += work(someone)
        page.locator("#kept.stored").wait_for()
    assert stored(campaign.campaign) == said


def test_undo_takes_back_steps_and_then_answers(enter: Enter, complaints: list[str], tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "ranking", items=2)
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        someone = Keys(page, "ranking")
        first = answer_one(someone)
        page.locator(".item:not(.seen)").wait_for()
        page.keyboard.type("12")
        ranked = "[...document.querySelectorAll('.output')].map(o => o.querySelector('input:checked')?.value ?? null)"
        assert page.evaluate(ranked)[:3] == ["1", "2", None]
        page.keyboard.press("u")
        assert page.evaluate(ranked)[:3] == ["1", None, None]
        page.keyboard.press("u")
        assert page.evaluate(ranked)[:3] == [None, None, None]
        page.locator("#kept.stored").wait_for()
        page.keyboard.press("u")
        page.locator("#notice", has_text="open again").wait_for()
        assert page.evaluate(ranked) == [str(output["rank"]) for output in first["outputs"]]
        page.keyboard.press("5")  # another rank for the first output
        changed = {"outputs": [{"rank": 5}, *first["outputs"][1:]]}
        page.evaluate("document.querySelector('.item').classList.add('seen')")
        someone.next()
        work(someone)
    assert stored(campaign.campaign)[0] == changed
    assert complaints == []


def test_a_page_that_is_loaded_again_while_nobody_is_there(enter: Enter, tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "adequacy-fluency", items=6)
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"], service_workers="allow")
        someone = Keys(page, "adequacy-fluency")
        said = [answer_one(someone)]
        page.locator("#kept.stored").wait_for()
        page.wait_for_function("navigator.serviceWorker.controller")
        page.wait_for_function("caches.match('/api/items')")
    assert page.evaluate("fetch('/api/progress').then(() => 1, () => 0)") == 0  # the server is gone
    page.reload()
    said.append(answer_one(someone))  # not the one that is stored
    page.locator("#kept.kept", has_text="1").wait_for()
    page.reload()
    page.locator("#kept.kept", has_text="1").wait_for()
    said.append(answer_one(someone))
    page.locator("#kept.kept", has_text="2").wait_for()  # until then it is not on disk
    with served(campaign.campaign, int(url.rpartition(":")[2])):
        page.reload()
        said += work(someone, 0)
        page.locator("#kept.stored").wait_for()
        page.context.clear_cookies()
        page.evaluate("fetch('/api/items').then(() => 1)")  # nobody knows who this is any more
        page.wait_for_function("caches.has('tercet').then((there) => !there)")
    assert stored(campaign.campaign) == said
    assert len(said) == campaign.n_items == 6


def test_spans_are_changed_and_removed(enter: Enter, complaints: list[str], tmp_path: pathlib.Path) -> None:
    marked = [{"start": 0, "end": 3, "severity": "minor"}]
    lines = [{"system": name, "segment": s, "spans": marked} for name in SYSTEMS for s in ("1", "2")]
    prefilled = tmp_path / "spans.jsonl"
    prefilled.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    campaign = made(tmp_path, "esa(sides=both)", prefilled=prefilled, items=1)
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        page.locator(".errors li[data-severity=minor]").wait_for()  # what was there before
        units = page.locator("[data-side=target] [data-i]")
        units.nth(1).click()  # inside the error: it is opened
        page.locator(".panel .severity[data-severity=major]").click()
        page.locator(".errors li[data-severity=major]").wait_for()
        source = page.locator("[data-side=source] [data-i]")
        start, end = source.nth(4).bounding_box(), source.nth(8).bounding_box()
        assert start is not None
        assert end is not None
        page.mouse.move(start["x"] + 2, start["y"] + 5)
        page.mouse.down()
        page.mouse.move(end["x"] + 2, end["y"] + 5, steps=4)
        page.mouse.up()
        page.get_by_label("End earlier").click()
        page.keyboard.press("1")
        units.nth(6).click()
        page.keyboard.press("Escape")
        assert page.locator(".panel").is_hidden()
        page.locator(".missing").click()
        page.locator(".panel .severity").first.click()
        page.locator(".errors .drop").last.click()
        page.locator(".marks button").last.click()
        page.locator("#next").click()
        page.locator("#kept.stored").wait_for()
    spans = stored(campaign.campaign)[0]["outputs"][0]["spans"]
    assert spans == [
        {"side": "target", "start": 0, "end": 3, "severity": "major", "category": None},
        {"side": "source", "start": 4, "end": 8, "severity": "minor", "category": None},
    ]
    assert complaints == []


def test_post_editing_counts_keys_and_time(enter: Enter, tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "postedit", items=1)
    with served(campaign.campaign) as url:
        start = time.monotonic()
        page = enter(url + campaign.links["annotator1"])
        area = page.locator("textarea")
        area.press("Control+End")
        page.keyboard.type("abc")
        page.locator("#pause").click()  # a pause does not count
        page.wait_for_timeout(700)
        page.locator("#pause-screen .main").click()
        page.locator("#next").click()
        page.locator("#kept.stored").wait_for()
        most = time.monotonic() - start - 0.7
    with Campaign.open(campaign.campaign) as opened:
        (event,) = opened.state.annotators["a1"].answers.values()
    assert event.body["keystrokes"] == 4  # with the one that went to the end
    assert 0 < event.body["seconds"] < most
    assert event.body["edits"][0]["hter"] > 0


def test_the_tutorial_tells_what_was_expected(enter: Enter, complaints: list[str], tmp_path: pathlib.Path) -> None:
    lines = [
        {"source": "Good day", "outputs": ["Guten Tag"], "expected": {"outputs": [{"score": [90, 100]}]}, "feedback": f}
        for f in ("Nothing is wrong here.", "Nor here.")
    ]
    tutorial = tmp_path / "tutorial.jsonl"
    tutorial.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    campaign = made(tmp_path, "sqm", tutorial=tutorial, items=1)
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        for mark, verdict, told in ((0, "Not quite.", "Nothing is wrong here."), (3, "Right.", "Nor here.")):
            page.locator(".badge", has_text="Tutorial").wait_for()
            page.locator(".marks button").nth(mark).click()
            page.locator("#next").click()
            page.locator(".screen h2", has_text=verdict).wait_for()
            assert told in page.locator(".screen").inner_text()
            page.locator(".screen .main").click()
        page.locator(".item .question:not(:has(.badge))").wait_for()
        assert page.locator("#done").inner_text() == "0 of 2"
    assert complaints == []


def test_what_is_missing_is_told_and_rules_hold(enter: Enter, tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "cesa", items=1)
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        page.locator("#next").click()
        page.locator("#notice.bad", has_text="Overall quality").wait_for()
        for box in page.locator("tercet-score").all():
            box.locator("input[type=number]").fill("40")
        page.locator("#next").click()
        page.locator("#notice.bad", has_text="below 85").wait_for()
        assert stored(campaign.campaign) == []


def test_texts_of_the_page_in_another_language(enter: Enter, complaints: list[str], tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "ranking")
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        page.keyboard.press("?")
        assert page.evaluate("document.activeElement.textContent") == page.locator("#help-screen .main").inner_text()
        page.get_by_role("link", name="Deutsch").click()
        page.locator("#next", has_text="Weiter").wait_for()
        assert page.locator("h1").inner_text() == "Übersetzungen ordnen"
        assert page.evaluate("document.documentElement.lang") == "de"
        page.goto(f"{url}/annotate")
        page.locator("#next", has_text="Weiter").wait_for()  # it is remembered
    assert complaints == []


def test_a_protocol_of_ones_own_needs_no_script(enter: Enter, complaints: list[str], tmp_path: pathlib.Path) -> None:
    file = tmp_path / "clarity.toml"
    file.write_text(
        """
judgements = "assessments"
shows = []
outputs = 1
batch = 2
score = "clarity"
[[fields]]
name = "clarity"
widget = "score"
least = 0
most = 6
[[fields]]
name = "why"
widget = "choose"
of = "item"
choices = ["style", "sense"]
[texts.en]
title = "Clarity"
question = "Is it clear?"
clarity = "Clarity"
why = "What counted?"
style = "Style"
sense = "Sense"
[texts.ar]
title = "الوضوح"
question = "هل هو واضح؟"
[texts.ar.page]
next = "التالي"
""",
        encoding="utf-8",
    )
    campaign = made(tmp_path, str(file), language="ar")
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"])
        assert page.evaluate("document.documentElement.dir") == "rtl"
        assert page.locator("#next").inner_text() == "التالي"
        said = [answer_one(Keys(page, str(file)))]
        page.locator("#kept.stored").wait_for()
    assert stored(campaign.campaign) == said == [{"outputs": [{"clarity": 0}], "why": "style"}]
    assert complaints == []


HOSTILE = (
    "<script>window.hacked=1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "</script><script>window.hacked=1</script> ]]> &lt;b&gt; {{ 7 * 7 }} ${x}",
    "abc \u202edef\u2066 \u200fمرحبا 12 (x)",
    "x" * 3000,
)


@pytest.mark.parametrize("protocol", ["ranking", "mqm", "postedit"])
def test_hostile_texts_are_shown_as_text(
    protocol: str, enter: Enter, complaints: list[str], tmp_path: pathlib.Path
) -> None:
    campaign = made(tmp_path, protocol, testset=material(outputs=HOSTILE), items=5)
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"], 400)
        seen: list[str] = []
        someone = Mouse(page, protocol, touch=True)
        while True:
            page.locator(".item:not(.seen), .screen").wait_for()
            if page.locator(".screen").count():
                break
            seen += someone.texts()
            assert page.evaluate("document.documentElement.scrollWidth") <= 400
            answer_one(someone)
        assert page.evaluate("window.hacked") is None
    shown = " ".join(seen)
    assert sum(text in shown for text in HOSTILE) >= 3
    assert complaints == []


@pytest.mark.parametrize("protocol", protocol_names())
def test_no_serious_barrier(protocol: str, enter: Enter, tmp_path: pathlib.Path) -> None:
    n = protocol_names().index(protocol)
    campaign = made(tmp_path, protocol, right_to_left=n % 2 == 0)
    with served(campaign.campaign) as url:
        page = enter(url + campaign.links["annotator1"], WIDTHS[n % 2], read=False, bypass_csp=True)
        page.locator(".item").wait_for()
        if not n:
            assert barriers(page) == []  # with the instructions open
        page.keyboard.press("Escape")
        if page.locator(".marking").count():
            page.locator("[data-side=target] [data-i]").first.click()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert barriers(page) == []


def barriers(page: Page) -> list[str]:
    """What axe calls serious or worse."""
    seen = seen_by_axe(page)
    assert seen.passed
    return [told for told in seen.barriers if re.match("serious|critical", told)]
