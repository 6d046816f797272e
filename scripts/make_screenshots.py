"""Take the pictures of the docs: report.png and report-direction.png of a study, compare.png and compare-segment.png of
a comparison, explain.png of an explanation, and campaign-ranking.png, campaign-spans.png and campaign-dashboard.png of
campaigns.

    python scripts/make_screenshots.py [campaign | compare]

It runs the demo, opens the pages of its study and of a comparison of its systems in a Chromium, 1400 pixels wide and
light, and cuts out what the docs show, into docs/images. Campaigns of the demo are served on loopback; robots answer
before the dashboard is taken. With `campaign`, only they are; with `compare`, comparison and explanation. The browser
is the one that TERCET_BROWSER names, or one on the PATH.
"""

from __future__ import annotations

import io
import os
import pathlib
import shutil
import sys
import tempfile
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # for what the tests have

from tests.browser.campaigns import served

import tercet
from tercet.campaigns.create import create_campaign
from tercet.comparing.marks import marked
from tercet.report.html.compare import page as comparison_page
from tercet.report.html.explanations import explanation_page
from tercet.sample import campaign, demo
from tercet.server.robots import simulate_campaign

WIDTH, HEIGHT = 1400, 1000
MARGIN = 24  # around what is cut out
COLOURS = 224  # a page has few, but those of systems must stay unlike; a palette takes a third of the space
IMAGES = pathlib.Path(__file__).resolve().parents[1] / "docs" / "images"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Run study and comparison, open their pages, and write the pictures."""
    browser = os.environ.get("TERCET_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise SystemExit("There is no Chromium. Name one with TERCET_BROWSER.")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        if sys.argv[1:] == ["compare"]:
            comparison_pictures(pathlib.Path(name), started)
            explanation_picture(pathlib.Path(name), started)
            return
        ranking_picture(pathlib.Path(name), started)
        spans_picture(pathlib.Path(name), started)
        dashboard_picture(pathlib.Path(name), started)
        if sys.argv[1:] == ["campaign"]:
            return
        report = demo(pathlib.Path(name)).files[0]
        page = started.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(report.as_uri())
        page.wait_for_load_state()
        whole = Image.open(io.BytesIO(page.screenshot(full_page=True)))
        save(whole, (0, 0, WIDTH, edges(page, "#system figure.table").bottom), "report.png")
        start, end = edges(page, "#en-de h2"), edges(page, "#en-de figure.chart")
        save(whole, (start.left, start.top, WIDTH, end.bottom), "report-direction.png")
        comparison_pictures(pathlib.Path(name), started)
        explanation_picture(pathlib.Path(name), started)
        started.close()


def comparison_pictures(folder: pathlib.Path, started: Browser) -> None:
    """The beginning of a comparison, and a segment of it."""
    file = folder / "compare.html"
    compared = marked(tercet.compare(campaign("de-en"), baseline="birch", metrics=["chrf", "bleu", "meteor"]))
    file.write_text(comparison_page(compared), encoding="utf-8")
    page = started.new_page(
        viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
    )  # nothing scrolls behind the segment
    page.goto(file.as_uri())
    page.wait_for_load_state()
    whole = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    save(whole, (0, 0, WIDTH, edges(page, "#answer .panels:first-child figure").bottom), "compare.png", 0)
    page.goto(f"{file.as_uri()}#metric=meteor&seg=5")
    page.reload()
    page.locator("dialog[open]").wait_for()
    dialog, end = edges(page, "dialog"), edges(page, "dialog details")
    opened = Image.open(io.BytesIO(page.locator("dialog").screenshot()))
    save(opened, (0, 0, opened.width, end.top - dialog.top), "compare-segment.png", 0)
    page.close()


def explanation_picture(folder: pathlib.Path, started: Browser) -> None:
    """METEOR's alignments of two hypotheses."""
    file = folder / "explain.html"
    hypotheses = ["The ferries leave the small harbour at nine.", "At nine the ship leaves according to the plan."]
    reference = "The ferry leaves the little harbour at about nine, according to plan."
    file.write_text(explanation_page(tercet.explain("meteor", hypotheses, reference)), encoding="utf-8")
    page = started.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
    page.goto(file.as_uri())
    whole = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    start, end = edges(page, "#alignment h2"), edges(page, "#alignment figure")
    save(whole, (start.left, start.top, WIDTH, end.bottom), "explain.png")
    page.close()


def entered(started: Browser, address: str, width: int, height: int) -> Page:
    """An annotator's page, its instructions read."""
    page = started.new_page(viewport={"width": width, "height": height}, color_scheme="light", has_touch=width < 500)
    page.goto(address)
    page.locator("#help-screen .main").click()
    page.locator(".item").wait_for()
    return page


def ranking_picture(folder: pathlib.Path, started: Browser) -> None:
    """Five-way ranking, three outputs ranked."""
    made = create_campaign(folder / "ranking.db", testset=campaign("en-de"), pair="en-de", protocol="ranking")
    with served(made.campaign) as url:
        page = entered(started, url + made.links["annotator1"], WIDTH, 900)
        page.keyboard.type("132")
        whole = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
        save(whole, (MARGIN, MARGIN, WIDTH, 900 - MARGIN), "campaign-ranking.png")
        page.close()


def spans_picture(folder: pathlib.Path, started: Browser) -> None:
    """Error spans on a phone: two are marked, a third is chosen."""
    made = create_campaign(folder / "esa.db", testset=campaign("en-de"), pair="en-de", protocol="esa(select=word)")
    with served(made.campaign) as url:
        page = entered(started, url + made.links["annotator1"], 400, 760)
        units = page.locator("[data-side=target] [data-i]")
        for first, severity in ((4, 1), (10, 0), (16, None)):
            units.nth(first).tap()
            page.keyboard.press("Shift+ArrowRight")
            if severity is not None:
                page.locator(".severity").nth(severity).tap()
        whole = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
        save(whole, (MARGIN, MARGIN, 400, 760 - MARGIN), "campaign-spans.png")
        page.close()


def dashboard_picture(folder: pathlib.Path, started: Browser, think: float = 0.4) -> None:
    """The organiser's page while robots annotate, one of whom does not read."""
    path = folder / "dashboard.db"
    texts = campaign("en-de")
    made = create_campaign(path, testset=texts, pair="en-de", protocol="ranking", annotators=4, overlap=2, checks=20)
    with served(path) as url:
        abilities = ["amber=2", "birch=1.2", "cedar=0.9", "delta=-1", "ember=-2"]
        simulate_campaign(
            path, url=url, annotators=4, seconds=12, think=think, noise=1.6, careless=0.3, seed=7, abilities=abilities
        )
        page = started.new_page(viewport={"width": WIDTH, "height": 1500}, color_scheme="light")
        page.goto(f"{url}/login")
        page.fill("#name", made.organiser)
        page.fill("#password", made.password)
        page.keyboard.press("Enter")
        page.locator("#annotators").wait_for()
        bottom = edges(page, "#annotators figure:first-of-type").bottom
        whole = Image.open(io.BytesIO(page.screenshot(full_page=True)))
        save(whole, (MARGIN, MARGIN, WIDTH, bottom), "campaign-dashboard.png")
        page.close()


class Edges(NamedTuple):
    """Where elements of a page are."""

    left: int
    top: int
    right: int
    bottom: int


def edges(page: Page, selector: str) -> Edges:
    """The edges of all elements that are meant, together."""
    boxes = page.locator(selector).evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")
    first = (int(min(box[side] for box in boxes)) for side in ("left", "top"))
    last = (int(max(box[side] for box in boxes)) for side in ("right", "bottom"))
    return Edges(*first, *last)


def save(whole: Image.Image, box: tuple[int, int, int, int], name: str, margin: int = MARGIN) -> None:
    """Cut a picture out of the page, and write it in few colours."""
    left, top, right, bottom = box
    part = whole.crop((max(0, left - margin), max(0, top - margin), right, bottom + margin))
    few = part.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(IMAGES / name, optimize=True)
    print(f"{IMAGES / name}: {part.width} × {part.height}, {(IMAGES / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
