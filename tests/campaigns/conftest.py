"""Fixtures of the tests of campaigns."""

from tests.databases import folder, new_campaign, postgresql, tmp_path

__all__ = ["folder", "new_campaign", "postgresql", "tmp_path"]
