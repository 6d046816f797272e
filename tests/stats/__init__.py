"""Resampling and tests on bare arrays."""
