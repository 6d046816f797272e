"""Tercet's tests; a package, so that rooms can share the oracles and the contract."""
