"""The site builds without a warning and asks nobody else for anything."""

from __future__ import annotations

import html.parser
import os
import pathlib
import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.docs.hooks import HOOKS

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
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "--site-dir", str(target)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    return target


def test_every_page_is_built(site: pathlib.Path) -> None:
    written = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    for page in [*written, *map(pathlib.Path, HOOKS.pages())]:
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
    made = [*HOOKS.pages(), *HOOKS.figures.figures()]
    assert [path for path in made if (ROOT / "docs" / path).exists()] == []
