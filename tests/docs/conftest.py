"""The generated pages, for the tests of documentation."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.docs.hooks import HOOKS

PageAt = Callable[[str], str]


@pytest.fixture(scope="session")
def page_at() -> PageAt:
    """The Markdown of a generated page by its path; every page is made once, in the process of all that ask for one."""
    page: PageAt = HOOKS.every.page
    return page
