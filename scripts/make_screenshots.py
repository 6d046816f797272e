"""Take the pictures of the docs: report.png and report-direction.png of a study, compare.png of a comparison.

    python scripts/make_screenshots.py

It runs the demo, opens the pages of its study and of a comparison of its systems in a Chromium, 1400 pixels wide and
light, and cuts out what the docs show, into docs/images. The browser is the one that TERCET_BROWSER names, or one on
the PATH.
"""

from __future__ import annotations

import io
import os
import pathlib
import shutil
import tempfile
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import tercet
from tercet.report.html.compare import page as comparison_page
from tercet.sample import campaign, demo

WIDTH, HEIGHT = 1400, 1000
MARGIN = 24  # around what is cut out
COLOURS = 64  # a page has few; a palette takes a third of the space
IMAGES = pathlib.Path(__file__).resolve().parents[1] / "docs" / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Run study and comparison, open their pages, and write the pictures."""
    browser = os.environ.get("TERCET_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise SystemExit("There is no Chromium. Name one with TERCET_BROWSER.")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        report = demo(pathlib.Path(name)).files[0]
        started = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = started.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(report.as_uri())
        page.wait_for_load_state()
        whole = Image.open(io.BytesIO(page.screenshot(full_page=True)))
        save(whole, (0, 0, WIDTH, edges(page, "#system figure.table").bottom), "report.png")
        start, end = edges(page, "#en-de h2"), edges(page, "#en-de figure.chart")
        save(whole, (start.left, start.top, WIDTH, end.bottom), "report-direction.png")
        comparison = pathlib.Path(name) / "compare.html"
        comparison.write_text(comparison_page(tercet.compare(campaign("de-en"), baseline="delta")), encoding="utf-8")
        page.goto(comparison.as_uri())
        page.wait_for_load_state()
        save(Image.open(io.BytesIO(page.screenshot())), (0, 0, WIDTH, HEIGHT - MARGIN), "compare.png")
        started.close()


class Edges(NamedTuple):
    """Where elements of a page are."""

    left: int
    top: int
    bottom: int


def edges(page: Page, selector: str) -> Edges:
    """The edges of all elements that are meant, together."""
    boxes = page.locator(selector).evaluate_all("all => all.map(e => e.getBoundingClientRect().toJSON())")
    return Edges(
        int(min(b["left"] for b in boxes)), int(min(b["top"] for b in boxes)), int(max(b["bottom"] for b in boxes))
    )


def save(whole: Image.Image, box: tuple[int, int, int, int], name: str) -> None:
    """Cut a picture out of the page, and write it in few colours."""
    left, top, right, bottom = box
    part = whole.crop((max(0, left - MARGIN), max(0, top - MARGIN), right, bottom + MARGIN))
    few = part.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(IMAGES / name, optimize=True)
    print(f"{IMAGES / name}: {part.width} × {part.height}, {(IMAGES / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
