"""Which Tercet this is: a release, or a build of some commit on the way to one.

    0.2.0                  a release: the commit that is tagged so has no "dev" below
    0.2.0.dev0+g1a2b3c4    run from a checkout of that commit
    0.2.0.dev0             built on the way to 0.2.0, elsewhere

Signatures end in it. `pyproject.toml` reads the line below.
"""

from __future__ import annotations

import functools
import pathlib

VERSION = "0.2.0.dev0"


@functools.cache
def version() -> str:
    """The version, with the commit where a build on the way to a release runs from a checkout."""
    commit = _commit(pathlib.Path(__file__).parents[2] / ".git") if "dev" in VERSION else ""
    return f"{VERSION}+g{commit}" if commit else VERSION


def _commit(git: pathlib.Path) -> str:
    """The first digits of the commit that is checked out, or nothing."""
    try:
        if git.is_file():  # of a second working tree: it names the folder
            git = git.parent / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        name = head.removeprefix("ref: ")
        return (head if name == head else _resolved(git, name))[:7]
    except OSError:
        return ""


def _resolved(git: pathlib.Path, name: str) -> str:
    """The commit that a branch is at; a second working tree shares the branches of the first."""
    common = git / "commondir"
    shared = git / common.read_text(encoding="utf-8").strip() if common.exists() else git
    for folder in (git, shared):
        if (folder / name).exists():
            return (folder / name).read_text(encoding="utf-8").strip()
    packed = (shared / "packed-refs").read_text(encoding="utf-8").splitlines()
    return next((line.partition(" ")[0] for line in packed if line.endswith(f" {name}")), "")
