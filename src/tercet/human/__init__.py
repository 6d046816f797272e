"""Judgements to numbers: pairwise outcomes, standardised scores, penalties, agreement."""
