"""No lower bound of a package stands in pyproject.toml that was not tried, and make installs all that stands there."""

from __future__ import annotations

import doctest
import runpy
import subprocess
import sys
import tomllib

from tests.conftest import ROOT

SCRIPT = ROOT / "scripts" / "lowest.py"
PACKAGES = ROOT / "scripts" / "requirements.py"


def test_what_pyproject_allows_was_tried() -> None:
    tried = (ROOT / "scripts" / "lowest.txt").read_text(encoding="utf-8").strip()
    assert runpy.run_path(str(SCRIPT))["stamp"]() == tried, "bounds have changed: run make lowest, and commit its stamp"


def test_every_bound_is_among_what_is_tried() -> None:
    told = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True).stdout.split()
    assert {"numpy==1.26", "click==8.1.8", "fastapi==0.115", "onnxruntime==1.20"} <= set(told)
    assert all("==" in requirement and ">" not in requirement for requirement in told)


def test_packages_are_those_of_the_extra_and_of_what_it_names() -> None:
    printed = subprocess.run([sys.executable, PACKAGES, "test"], capture_output=True, text=True, check=True).stdout
    told = printed.splitlines()  # one a line: some have blanks
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert not any(requirement.startswith("tercet") for requirement in told)
    for wanted in (project["dependencies"], extras["campaign"], extras["storage"], extras["ja"]):  # ja by docs
        assert set(wanted) <= set(told)
    assert not set(extras["bench"]) <= set(told)
    script = runpy.run_path(str(PACKAGES))
    for example in doctest.DocTestFinder().find(script["needed"], "needed", globs=script):
        assert doctest.DocTestRunner().run(example).failed == 0
