"""A Chromium for the tests of pages: the one that TERCET_BROWSER names, or one on the PATH."""

from __future__ import annotations

import contextlib
import importlib.resources
import json
import os
import pathlib
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.conftest import absent

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

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
Lend = Callable[..., "Page"]


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

    def __init__(self, lend: Lend, address: str, width: int = 1400, **options: Any) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.refused: list[tuple[str, str | None]] = []
        hears: dict[str, Callable[[Any], None]] = {
            "console": lambda message: self.complaints.append(message.text),
            "pageerror": lambda error: self.complaints.append(str(error)),
            "request": lambda request: self.requests.append(request.url),
            "requestfailed": lambda request: self.refused.append((request.url, request.failure)),
        }
        self.page = lend(width, hears, **options)
        self.page.goto(address)


class Windows:
    """Windows of a browser, lent to one test after the other: to open one takes more than to show most pages in it.

    What a test did to a window is undone when it comes back. A window in which more was opened than one page, or that
    has a worker of its own, is closed.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}

    @contextlib.contextmanager
    def lent(self) -> Iterator[Lend]:
        """Lends windows: lend(400, {"console": hear}, color_scheme="dark", ...), with options of a context."""
        taken: list[tuple[str, Page, dict[str, Any]]] = []

        def lend(width: int, hears: dict[str, Any], color_scheme: Any = "light", **options: Any) -> Page:
            kind = json.dumps(options, sort_keys=True)
            free = self._free.setdefault(kind, [])
            page = free.pop() if free else self._browser.new_context(**options).new_page()
            taken.append((kind, page, hears))
            page.set_viewport_size({"width": width, "height": 900})
            # Without motion nothing must be waited for.
            page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion="reduce")
            for event, hear in hears.items():
                page.on(event, hear)  # type: ignore[call-overload]
            return page

        yield lend
        for kind, page, hears in taken:
            for event, hear in hears.items():
                page.remove_listener(event, hear)
            if cleaned(page):
                self._free[kind].append(page)
            else:
                page.context.close()


def cleaned(page: Page) -> bool:
    """Leave nothing in a window of what was done there; whether that can be."""
    context: BrowserContext = page.context
    if context.pages != [page] or context.service_workers:
        return False
    page.unroute_all()
    context.unroute_all()
    context.set_offline(False)
    if page.url.startswith("http"):  # a page of a file keeps nothing and asks nobody
        origin = "/".join(page.url.split("/")[:3])
        page.route("**/*", lambda route: route.fulfill(content_type="text/html", body=""))
        page.goto(f"{origin}/nothing")  # about:blank would have another process
        page.unroute_all()
        context.clear_cookies()
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        session.detach()
    page.mouse.move(-1, -1)
    return True


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


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Windows:
    """The windows of the browser."""
    return Windows(browser)


@pytest.fixture
def visit(windows: Windows, tmp_path: pathlib.Path) -> Iterator[Open]:
    """Opens a text as a page: visit(html, width=400, at="seg=1", color_scheme="dark", ...)."""
    with windows.lent() as lend:

        def visit(text: str, width: int = 1400, at: str = "", **options: Any) -> Visit:
            file = tmp_path / "report.html"
            file.write_text(text, encoding="utf-8")
            return Visit(lend, f"{file.as_uri()}#{at}" if at else file.as_uri(), width, **options)

        yield visit
