"""The hook of mkdocs as a module: scripts/ is not a package."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import pytest

from tests.conftest import ROOT


def load() -> Any:
    """scripts/docs_hooks.py, loaded as mkdocs loads it."""
    spec = importlib.util.spec_from_file_location("docs_hooks", ROOT / "scripts" / "docs_hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(ROOT / "scripts")  # while a hook is loaded, it finds what lies beside it
        spec.loader.exec_module(module)
    return module


HOOKS = load()
