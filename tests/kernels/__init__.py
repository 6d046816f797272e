"""Kernels against their oracles, and against input that nobody should pass."""
