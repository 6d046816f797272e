"""Judgements to numbers."""
