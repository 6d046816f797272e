"""The organiser's pages in a browser: log in, watch, decide; and the page of a finished campaign."""

from __future__ import annotations

import importlib
import json
import pathlib
from typing import TYPE_CHECKING, Any

import pytest

import tercet
from tercet import numbers
from tercet.campaigns.exports import export_campaign
from tercet.data import TestSet
from tercet.server.publish import publish_campaign
from tercet.server.robots import simulate_campaign
from tests.browser.campaigns import LATIN, SOURCES, made, material, served
from tests.browser.test_campaign import HOSTILE, Enter, barriers, complaints, enter

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["complaints", "enter"]  # fixtures
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def log_in(page: Page, password: str, name: str = "organiser") -> None:
    """Fill in the form."""
    page.locator("#name").fill(name)
    page.locator("#password").fill(password)
    page.keyboard.press("Enter")


def shown_ranking(page: Page) -> list[list[str]]:
    """The table of the ranking, as it is read."""
    rows: list[list[str]] = page.locator("#ranking tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()))"
    )
    return [[system, score, ranks, cluster] for system, score, ranks, _, cluster in rows]


def expected_ranking(source: Any) -> list[list[str]]:
    """The same by `tercet rank`."""
    return [
        [r.system, numbers.score(r.score, 3), numbers.rank_range(r.rank_low, r.rank_high), str(r.cluster)]
        for r in tercet.rank(source)
    ]


@pytest.mark.parametrize("protocol", ["ranking", "esa"])
def test_the_dashboard_says_what_rank_says_of_the_export(
    protocol: str, enter: Enter, complaints: list[str], tmp_path: pathlib.Path
) -> None:
    campaign = made(tmp_path, protocol, items=10, overlap=2)
    with served(campaign.campaign) as url:
        simulate_campaign(campaign.campaign, url=url, annotators=2, seconds=20, noise=0.5)
        page = enter(f"{url}/dashboard", read=False)
        log_in(page, campaign.password)
        page.locator("#ranking").wait_for()
        shown = shown_ranking(page)
        with page.expect_download() as download:
            page.locator("footer a", has_text="records").click()
        download.value.save_as(tmp_path / "downloaded.jsonl")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1400
    export_campaign(campaign.campaign, output=tmp_path / "records.jsonl")
    assert len(shown) == 5
    for source in (tmp_path / "records.jsonl", tmp_path / "downloaded.jsonl", campaign.campaign):
        assert shown == expected_ranking(source)
    assert complaints == []


def test_pause_exclude_and_reopen(enter: Enter, tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "ranking", items=6)
    with served(campaign.campaign) as url:
        simulate_campaign(campaign.campaign, url=url, annotators=1, seconds=20)
        page = enter(f"{url}/login", read=False)
        log_in(page, "wrong")
        page.locator("#told", has_text="wrong").wait_for()
        log_in(page, campaign.password)
        page.locator("[data-action=pause]").click()
        page.locator(".badge.paused").wait_for()
        other = enter(url + campaign.links["annotator2"])
        other.locator(".screen", has_text="paused").wait_for()
        page.locator("[data-action=resume]").click()
        page.locator(".badge.open").wait_for()
        page.locator("[data-action=exclude]").first.click()
        page.locator("#sure").click()  # without a reason
        page.locator("#told", has_text="reason").wait_for()
        page.locator("[data-action=exclude]").first.click()
        page.locator("#reason").fill("<b>clicks</b> through")
        page.locator("#sure").click()
        page.locator("tr.excluded .flags", has_text="<b>clicks</b> through").wait_for()
        page.locator("[data-action=reopen][data-annotator]").click()
        page.locator("tr.excluded").wait_for(state="detached")
        page.locator("[data-action=close]").click()
        page.locator(".badge.closed").wait_for()
        page.locator("[data-action=reopen]:not([data-annotator])").click()
        page.locator(".badge.open").wait_for()
        page.locator("#names").fill("Eva\n<i>Ivo</i>")
        page.locator("#people button").click()
        page.locator("#links li", has_text="<i>Ivo</i>").wait_for()
        link = page.locator("#links code").first.inner_text()
        enter(link).locator(".item, .screen").wait_for()
        page.locator("#logout").click()
        page.wait_for_url("**/login")
        page.goto(f"{url}/dashboard")
        assert page.url.endswith("/login")


def test_no_serious_barrier_for_organisers(enter: Enter, tmp_path: pathlib.Path) -> None:
    campaign = made(tmp_path, "ranking", items=6, overlap=2)
    with served(campaign.campaign) as url:
        simulate_campaign(campaign.campaign, url=url, annotators=2, seconds=20)
        page = enter(f"{url}/login", 400, read=False, bypass_csp=True)
        assert barriers(page) == []
        log_in(page, campaign.password)
        page.locator("#ranking").wait_for()
        page.wait_for_load_state()  # its styles have come
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert barriers(page) == []
        page.locator("[data-action=exclude]").first.click()
        assert barriers(page) == []


def test_a_finished_campaign_is_a_page_with_its_data(
    enter: Enter, complaints: list[str], tmp_path: pathlib.Path
) -> None:
    base = material(outputs=HOSTILE)
    systems = dict(zip((*HOSTILE[:4], "echo"), (t.strings for t in base.systems.values()), strict=True))
    hostile = TestSet.of(systems, list(LATIN), sources=list(SOURCES), documents=["d", "d"], segments=["1", "<b>2"])
    campaign = made(tmp_path, "esa", items=10, testset=hostile)
    with served(campaign.campaign) as url:
        simulate_campaign(campaign.campaign, url=url, annotators=2, seconds=20)
    page_file, *data = publish_campaign(campaign.campaign, output=tmp_path / "published")
    for width in (1400, 400):
        page = enter(page_file.as_uri(), width, read=False)
        assert page.evaluate("window.hacked") is None
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#ranking tbody tr").count() == 5
        page.locator(".annotations summary").first.click()
        assert "<script>window.hacked=1</script>" in page.locator("#annotations").inner_text()
        links = page.locator("#files a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
        assert links == [file.name for file in data]
    published = [json.loads(line) for line in (tmp_path / "published" / "annotations.jsonl").read_text().splitlines()]
    assert len(published) == 10
    assert page.locator(".annotations .given").count() == 10
    judged = tmp_path / "published" / "judgements.jsonl"
    assert [r.system for r in tercet.rank(judged)] == [r.system for r in tercet.rank(campaign.campaign)]
    everything = "".join(file.read_text(encoding="utf-8") for file in data)
    assert str(tmp_path) not in everything
    assert complaints == []


def test_the_pictures_of_the_guide_can_be_taken(
    browser: Browser, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the script that made those of the docs; their sizes say whether the pages have changed since."""
    pillow = pytest.importorskip("PIL.Image")
    pictures = importlib.import_module("scripts.make_screenshots")
    monkeypatch.setattr(pictures, "IMAGES", tmp_path)
    pictures.ranking_picture(tmp_path, browser)
    pictures.spans_picture(tmp_path, browser)
    pictures.dashboard_picture(tmp_path, browser, think=0.0)
    for name in ("campaign-ranking", "campaign-spans", "campaign-dashboard"):
        with pillow.open(tmp_path / f"{name}.png") as taken, pillow.open(DOCS / "images" / f"{name}.png") as shown:
            assert taken.width == shown.width
            assert name == "campaign-dashboard" or taken.height == shown.height  # which tells what robots did
