"""Every generated page, made when it is first asked for: their examples really run, and some take seconds."""

from __future__ import annotations

import functools

from docs_pages import commands, gallery, measures, metrics, python, rankers, tokenizers
from docs_pages.markdown import Pages


@functools.cache
def makers() -> Pages:
    """What makes each page, by its path under docs/."""
    kinds = (metrics, gallery, tokenizers, rankers, measures, commands, python)
    return {path: make for kind in kinds for path, make in kind.pages().items()}


@functools.cache
def page(path: str) -> str:
    """The Markdown of a page."""
    return makers()[path]()
