"""Tests of the room `comparing`."""
