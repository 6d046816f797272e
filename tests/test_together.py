"""Tests that share what takes seconds to make go to one worker, and those that need something are marked."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import textwrap

import pytest

from tests.conftest import APART, NEEDS, ROOT, TOGETHER, needs_of, piece_of


@pytest.mark.parametrize("begin", TOGETHER)
def test_what_stays_together_is_there(begin: str) -> None:
    file, _, name = begin.partition("::")
    assert f"def {name}" in (ROOT / file).read_text(encoding="utf-8")
    assert piece_of(f"{begin}[x]") == TOGETHER[begin]


def test_a_file_is_a_piece_but_where_tests_share_nothing() -> None:
    assert piece_of("tests/test_spec.py::test_x[a::b]") == "tests/test_spec.py"
    for begin in APART:
        assert list(ROOT.glob(f"{begin}*"))
        assert piece_of(f"{begin}::test_x[1]") != piece_of(f"{begin}::test_x[2]")


@pytest.mark.parametrize("begin", NEEDS)
def test_what_needs_something_is_there(begin: str) -> None:
    path, _, name = begin.partition("::")
    assert (ROOT / path).is_dir() or f"def {name}" in (ROOT / path).read_text(encoding="utf-8")
    file = path if path.endswith(".py") else f"{path}/test_x.py"
    assert needs_of(file, f"{name}[x]") == [NEEDS[begin]]
    assert needs_of("tests/test_spec.py", name) == []


@pytest.mark.thorough
def test_one_worker_runs_what_stays_together(tmp_path: pathlib.Path) -> None:
    """As it is told to xdist: its own groups were lost with a new pytest, and nothing but time said so."""
    files = {
        "pytest.ini": "[pytest]",
        "conftest.py": """
            from tests import conftest
            from tests.conftest import pytest_xdist_make_scheduler
            conftest.TOGETHER |= {"test_shared.py": "something dear"}
            """,
        "test_shared.py": """
            import os, pathlib, pytest
            @pytest.mark.parametrize("n", range(12))
            def test_x(n):
                pathlib.Path(f"{os.environ['PYTEST_XDIST_WORKER']}-{n}").touch()
            """,
        "test_alone.py": "def test_y(): pass",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(textwrap.dedent(text), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", "-p", "no:schemathesis"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "13 passed" in done.stdout, done.stdout + done.stderr
    workers = {path.name.partition("-")[0] for path in tmp_path.glob("gw*")}
    assert len(workers) == 1
