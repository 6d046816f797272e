"""A Chromium for the tests of pages: the one that TERCET_BROWSER names, or one on the PATH."""

from __future__ import annotations

import importlib.resources
import os
import pathlib
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.conftest import absent

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# The shell first: it draws the same pages without a window around each, for a quarter of the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# As root there is no sandbox; no process draws what nobody sees; the rest keeps the browser itself from the network.
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Open = Callable[..., "Visit"]


def chromium() -> str | None:
    """Where the browser is."""
    named = os.environ.get("TERCET_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Seen(NamedTuple):
    """What axe found in a page: its barriers as sentences, and how many elements passed each rule."""

    barriers: list[str]
    passed: dict[str, int]


def seen_by_axe(page: Page, where: str = "document") -> Seen:
    """What axe, run over a page or an element of it, finds; only what is read here leaves the browser.

    A page for it is opened with bypass_csp=True: the policy would stop axe, too.
    """
    try:
        axe = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    except ModuleNotFoundError:
        absent("the extra test (axe-playwright-python) is not installed")
    page.add_style_tag(content=".scroll { background: none !important; }")  # axe cannot judge contrast over gradients
    page.evaluate(axe)
    barriers, passed = page.evaluate(
        f"""axe.run({where}, {{ selectors: false }}).then((found) => [
            found.violations.map((rule) => `${{rule.impact}}: ${{rule.id}}: ${{rule.nodes[0].html.slice(0, 200)}}`),
            Object.fromEntries(found.passes.map((rule) => [rule.id, rule.nodes.length])),
        ])"""
    )
    return Seen(barriers, passed)


class Visit:
    """A page that was opened, with what it complained about and what it asked the network for."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.refused: list[tuple[str, str | None]] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.refused.append((request.url, request.failure)))
        page.goto(address)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser for all tests of this folder."""
    path = chromium()
    if path is None:
        absent("there is no Chromium (name one with TERCET_BROWSER)")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        absent("the extra test (playwright) is not installed")
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=OPTIONS)
        yield found
        found.close()


@pytest.fixture
def visit(browser: Browser, tmp_path: pathlib.Path) -> Iterator[Open]:
    """Opens a text as a page: visit(html, width=400, color_scheme="dark", ...)."""
    contexts = []

    def visit(text: str, width: int = 1400, **options: Any) -> Visit:
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": 900}, reduced_motion="reduce", **options
        )  # without motion nothing must be waited for
        contexts.append(context)
        return Visit(context.new_page(), file.as_uri())

    yield visit
    for context in contexts:
        context.close()
