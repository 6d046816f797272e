"""The examples in the docstrings of every module run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import tercet

MODULES = [m.name for m in pkgutil.walk_packages(tercet.__path__, "tercet.") if not m.name.endswith("__main__")]


@pytest.mark.parametrize("name", ["tercet", *MODULES, "tests.docs.blocks"])
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    modules = (importlib.import_module(name) for name in MODULES)
    assert sum(len(t.examples) for m in modules for t in doctest.DocTestFinder().find(m)) > 20
