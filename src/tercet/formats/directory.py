"""The directory of a test set as mt-metrics-eval lays it out, many language pairs in one.

    sources/en-de.txt                  one segment a line
    documents/en-de.docs               its domain and document a line
    references/en-de.refA.txt          several, told apart by their names
    system-outputs/en-de/NAME.txt      references that were judged like systems are here as well

Only the sources must be there. Systems and references come in the order of their names.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import text
from tercet.formats.lines import File

_ENDINGS = (".txt", ".txt.gz")


def read(path: File, pair: str | None = None) -> TestSet:
    """The test set of one language pair; the pair may be left out if there is only one."""
    root = Path(path)
    pair = _chosen(root, pair)
    outputs = _texts(root / "system-outputs" / pair)
    references = {
        name.removeprefix(f"{pair}."): file
        for name, file in _texts(root / "references").items()
        if name.startswith(f"{pair}.")
    }
    documents = root / "documents" / f"{pair}.docs"
    testset = text.read(
        outputs,
        list(references.values()),
        _texts(root / "sources")[pair],
        documents if documents.exists() else None,
    )
    return dataclasses.replace(testset, reference_names=tuple(references))


def pairs(path: File) -> list[str]:
    """The language pairs of a directory."""
    return [name for name in _texts(Path(path) / "sources") if "-" in name]


def _chosen(root: Path, pair: str | None) -> str:
    if not root.is_dir():
        raise InputError(f"There is no directory {os.fspath(root)}.", hint="Check the name.")
    known = pairs(root)
    if not known:
        raise InputError(
            f"{os.fspath(root)} is no test set: it has no sources/SRC-TGT.txt.",
            hint="Name the directory that holds sources/, references/ and system-outputs/.",
        )
    if pair in known:
        return str(pair)
    if pair is None and len(known) == 1:
        return known[0]
    wrong = f"has no language pair {pair!r}" if pair else f"has {len(known)} language pairs"
    raise InputError(f"{os.fspath(root)} {wrong}.", hint=f"Choose one of {', '.join(known)}.")


def _texts(folder: Path) -> dict[str, Path]:
    """The text files of a folder by name, without ending; none if there is no such folder."""
    if not folder.is_dir():
        return {}
    found = {}
    for file in sorted(folder.iterdir()):
        for ending in _ENDINGS:
            if file.name.endswith(ending):
                found[file.name.removesuffix(ending)] = file
    return dict(sorted(found.items()))
