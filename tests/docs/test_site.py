"""The site builds without a warning and asks nobody else for anything."""

from __future__ import annotations

import html.parser
import pathlib
import re
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click.testing
import pytest

from tests.browser.conftest import OPTIONS, chromium, seen_by_axe
from tests.conftest import ROOT, absent
from tests.docs.hooks import HOOKS

if TYPE_CHECKING:
    from playwright.sync_api import Page

ASSETS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "object": "data"}
REMOTE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
REMOTE_IN_STYLES = re.compile(r"(?:url\(\s*[\"']?|@import\s+[\"'])(?:https?:)?//", re.IGNORECASE)


class Assets(html.parser.HTMLParser):
    """Collects what a page makes a browser fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the address of an asset; hyperlinks are none."""
        self.found += [value or "" for name, value in attrs if name == ASSETS.get(tag)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The site, built."""
    target = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patched, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what mkdocs is built of may grumble about itself; it has its own warnings
        for variable in ("NO_MKDOCS_2_WARNING", "DISABLE_MKDOCS_2_WARNING"):
            patched.setenv(variable, "true")
        patched.chdir(ROOT)
        from mkdocs.__main__ import cli

        command = ["build", "--strict", "--clean", "--site-dir", str(target)]
        done = click.testing.CliRunner().invoke(cli, command)  # in this process, which has made pages already
    assert done.exit_code == 0, done.output
    assert "WARNING" not in done.output, done.output
    assert "Documentation built" in done.output
    return target


def test_every_page_is_built(site: pathlib.Path) -> None:
    written = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    for page in [*written, *map(pathlib.Path, HOOKS.every.makers())]:
        assert (site / page.with_suffix(".html")).is_file(), page


def test_every_figure_is_built(site: pathlib.Path) -> None:
    figures = HOOKS.figures.figures()
    assert figures
    for figure in figures:
        assert (site / figure).read_bytes().startswith(b"<?xml")
        assert any(figure in page.read_text(encoding="utf-8") for page in (site / "guide").glob("*.html")), figure


def test_no_page_fetches_from_elsewhere(site: pathlib.Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assets = Assets()
        assets.feed(text)
        assert assets.found
        assert [a for a in assets.found if REMOTE.match(a)] == [], page
        assert not REMOTE_IN_STYLES.search(text), page


def test_no_style_fetches_from_elsewhere(site: pathlib.Path) -> None:
    for style in site.rglob("*.css"):
        assert not REMOTE_IN_STYLES.search(style.read_text(encoding="utf-8")), style


def test_nothing_generated_is_kept() -> None:
    made = [*HOOKS.every.makers(), *HOOKS.figures.figures()]
    assert [path for path in made if (ROOT / "docs" / path).exists()] == []


@pytest.fixture(scope="module")
def opened_in(site: pathlib.Path) -> Iterator[Callable[..., Page]]:
    """Opens a page of the site in a window of a width and a colour scheme."""
    path = chromium()
    if path is None:
        absent("there is no Chromium (name one with TERCET_BROWSER)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=OPTIONS)

        def opened_in(page: str, width: int, scheme: str) -> Page:
            context = browser.new_context(
                viewport={"width": width, "height": 900},
                color_scheme=scheme,  # type: ignore[arg-type]
                permissions=["clipboard-read", "clipboard-write"],
            )
            opened = context.new_page()
            opened.goto((site / page).as_uri())
            return opened

        yield opened_in
        browser.close()


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
@pytest.mark.parametrize("page", ["index.html", "guide/compare.html", "metrics/bleu.html"])
def test_axe_finds_no_barrier(opened_in: Callable[..., Page], page: str, width: int, scheme: str) -> None:
    barriers, passed = seen_by_axe(opened_in(page, width, scheme))
    assert barriers == []
    assert passed["color-contrast"] > 20


@pytest.mark.browser
def test_a_console_block_is_copied_as_its_commands(opened_in: Callable[..., Page]) -> None:
    page = opened_in("guide/compare.html", 1400, "light")
    block = page.locator(".highlight", has_text="previous.json").first
    block.hover()
    block.locator("button").first.click()
    page.locator(".md-dialog--active").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()").split("\n")
    lines = (ROOT / "docs" / "guide" / "compare.md").read_text(encoding="utf-8").split("\n")
    start = lines.index("$ cut -f 4 demo/de-en.tsv | tail -n +2 > ref.txt")
    shown = lines[start : lines.index("```", start)]
    assert [line for line in copied if line] == [line.removeprefix("$ ") for line in shown if line.startswith("$ ")]
