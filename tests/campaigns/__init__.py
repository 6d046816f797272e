"""Tests of the room that collects judgements."""
