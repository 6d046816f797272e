"""Nothing that decides about wheel and sdist has changed since both were tried."""

from __future__ import annotations

import pathlib
import runpy
from typing import Any

import pytest

from tests.conftest import ROOT


@pytest.fixture
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / "try_wheel.py"))


def test_what_would_be_built_was_tried(script: dict[str, Any]) -> None:
    tried = (ROOT / "scripts" / "wheel.txt").read_text(encoding="utf-8").strip()
    assert script["stamp"]() == tried, "what is built, packed or imported has changed: run make wheel, commit its stamp"


def test_what_is_decisive_is_seen(script: dict[str, Any], tmp_path: pathlib.Path) -> None:
    build, *_, recipe, _, files, packages = script["decisive"]()
    assert "nanobind_add_module" in build
    assert "auditwheel repair" in recipe
    assert {"native/bindings/module.cpp", "src/tercet/py.typed"} & set(files.split("\n"))
    assert {"numpy", "click", "polars"} <= set(packages.split("\n"))
    module = tmp_path / "one.py"
    module.write_text("import a.b\ndef f():\n    from c.d import e\n    from . import g\n", encoding="utf-8")
    assert list(script["imported"](module)) == ["a", "c"]
