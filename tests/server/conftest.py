"""Fixtures of the server's tests."""

from tests.databases import folder, new_campaign, new_place, postgresql, tmp_path

__all__ = ["folder", "new_campaign", "new_place", "postgresql", "tmp_path"]
