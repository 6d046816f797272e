"""Tests of the campaign server."""
