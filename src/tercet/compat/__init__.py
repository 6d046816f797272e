"""Surfaces of other programs over Tercet's metrics, for code that was written for them."""
