"""The version says which commit a build on the way to a release is of, and nothing where there is no checkout."""

from __future__ import annotations

import pathlib
import re
import tomllib

import pytest

import tercet
from tercet import version as module
from tests.conftest import ROOT

COMMIT = "1a2b3c4d5e6f"


def folder(path: pathlib.Path, files: dict[str, str]) -> pathlib.Path:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(f"{text}\n")
    return path


LAYOUTS = {
    "a branch": {".git/HEAD": "ref: refs/heads/main", ".git/refs/heads/main": COMMIT},
    "no branch": {".git/HEAD": COMMIT},
    "packed": {".git/HEAD": "ref: refs/heads/main", ".git/packed-refs": f"# pack\n{COMMIT} refs/heads/main"},
    "a second working tree": {
        ".git": "gitdir: first/.git/worktrees/second",
        "first/.git/worktrees/second/HEAD": "ref: refs/heads/topic",
        "first/.git/worktrees/second/commondir": "../..",
        "first/.git/refs/heads/topic": COMMIT,
    },
}


@pytest.mark.parametrize("files", LAYOUTS.values(), ids=LAYOUTS)
def test_the_commit_is_found(files: dict[str, str], tmp_path: pathlib.Path) -> None:
    assert module._commit(folder(tmp_path, files) / ".git") == COMMIT[:7]


@pytest.mark.parametrize("files", [{}, {".git/HEAD": "ref: refs/heads/none"}], ids=["no checkout", "no commit"])
def test_without_a_commit_there_is_none(files: dict[str, str], tmp_path: pathlib.Path) -> None:
    assert module._commit(folder(tmp_path, files) / ".git") == ""


def test_a_release_names_no_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "VERSION", "0.2.0")
    module.version.cache_clear()
    assert module.version() == "0.2.0"
    module.version.cache_clear()


def test_everything_has_the_same_version() -> None:
    assert tercet.__version__ == module.version()
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+(\+g[0-9a-f]{7})?)?", module.version())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (reader,) = project["tool"]["dynamic-metadata"]
    assert (reader["field"], reader["input"]) == ("version", "src/tercet/version.py")
    assert tercet.score({"a": ["b"]}, ["b"], metrics="bleu").signature.split("|")[-2] == f"tercet:{module.version()}"
