"""No lower bound of a package stands in pyproject.toml that was not tried."""

from __future__ import annotations

import runpy
import subprocess
import sys

from tests.conftest import ROOT

SCRIPT = ROOT / "scripts" / "lowest.py"


def test_what_pyproject_allows_was_tried() -> None:
    tried = (ROOT / "scripts" / "lowest.txt").read_text(encoding="utf-8").strip()
    assert runpy.run_path(str(SCRIPT))["stamp"]() == tried, "bounds have changed: run make lowest, and commit its stamp"


def test_every_bound_is_among_what_is_tried() -> None:
    told = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True).stdout.split()
    assert {"numpy==1.26", "click==8.1.8", "fastapi==0.115", "onnxruntime==1.20"} <= set(told)
    assert all("==" in requirement and ">" not in requirement for requirement in told)
