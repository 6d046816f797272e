"""The directory of a test set as mt-metrics-eval lays it out, many language pairs in one.

    sources/en-de.txt                  one segment a line
    documents/en-de.docs               its domain and document a line
    references/en-de.refA.txt          several, told apart by their names
    system-outputs/en-de/NAME.txt      references that were judged like systems are here as well

Only the sources must be there. Systems and references come in the order of their names.

    human-scores/en-de.NAME.LEVEL.score     and .rating; the name may hold dots
    metric-scores/en-de/NAME-REF.LEVEL.score, where REF is refA, refA.refB, src or all, and the name may hold dashes

Of these, only the names of the files are read here. LEVEL is sys, domain, doc or seg.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Literal

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import languages, text
from tercet.formats.lines import File

_ENDINGS = (".txt", ".txt.gz")
_LEVELS = ("sys", "domain", "doc", "seg")


@dataclasses.dataclass(frozen=True)
class HumanName:
    """What the name of a file of human scores says."""

    pair: str
    name: str
    level: str
    kind: str  # score or rating


@dataclasses.dataclass(frozen=True)
class MetricName:
    """What the name of a file of a metric's scores says."""

    name: str
    references: tuple[str, ...] | Literal["all"]  # none: it goes by the source
    level: str


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


def parse_human_name(name: str) -> HumanName:
    """The parts of a name of human scores: the first dot ends the pair, the last two begin the level.

    >>> parse_human_name("en-de.round2.mqm.seg.rating")
    HumanName(pair='en-de', name='round2.mqm', level='seg', kind='rating')
    """
    pair, _, rest = name.partition(".")
    scale, _, ending = rest.rpartition(".")
    scale, _, level = scale.rpartition(".")
    if "-" not in pair or not scale or level not in _LEVELS or ending not in ("score", "rating"):
        raise InputError(f"{name!r} names no human scores.", hint="It must be like en-de.mqm.seg.score.")
    return HumanName(pair, scale, level, ending)


def parse_metric_name(name: str) -> MetricName:
    """The parts of a name of a metric's scores: the last dash begins the references, the last two dots the level.

    >>> parse_metric_name("my-metric-refA.refB.doc.score")
    MetricName(name='my-metric', references=('refA', 'refB'), level='doc')
    """
    rest, _, ending = name.rpartition(".")
    rest, _, level = rest.rpartition(".")
    metric, _, reference = rest.rpartition("-")
    references = tuple(reference.split("."))
    if ending != "score" or level not in _LEVELS or not metric or not all(references):
        raise InputError(f"{name!r} names no scores of a metric.", hint="It must be like BLEU-refA.sys.score.")
    if reference == "all":
        return MetricName(metric, "all", level)
    return MetricName(metric, () if reference == "src" else references, level)


def _chosen(root: Path, pair: str | None) -> str:
    if not os.path.isdir(root):
        raise InputError(f"There is no directory {os.fspath(root)}.", hint="Check the name.")
    known = pairs(root)
    if not known:
        raise InputError(
            f"{os.fspath(root)} is no test set: it has no sources/SRC-TGT.txt.",
            hint="Name the directory that holds sources/, references/ and system-outputs/.",
        )
    if pair in known:
        return str(pair)
    same = [name for name in known if pair and languages.pair(name) == languages.wanted_pair(pair)]
    if len(same) == 1:
        return same[0]
    if pair is None and len(known) == 1:
        return known[0]
    wrong = f"has no language pair {pair!r}" if pair else f"has {len(known)} language pairs"
    raise InputError(f"{os.fspath(root)} {wrong}.", hint=f"Choose one of {', '.join(known)}.")


def _texts(folder: Path) -> dict[str, Path]:
    """The text files of a folder by name, without ending; none if there is no such folder."""
    if not folder.is_dir():
        return {}
    files = {}
    for file in sorted(folder.iterdir()):
        for ending in _ENDINGS:
            if file.name.endswith(ending):
                files[file.name.removesuffix(ending)] = file
    return dict(sorted(files.items()))
