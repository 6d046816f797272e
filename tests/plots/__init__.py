"""Figures: what is drawn, and what is written."""
