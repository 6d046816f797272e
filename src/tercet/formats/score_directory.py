"""Scores in a directory of mt-metrics-eval, many language pairs in one; its texts are read by `directory`.

    human-scores/en-de.NAME.LEVEL.score          what people said: the metric "human:NAME" here
    metric-scores/en-de/NAME-REF.LEVEL.score     what a metric said: the metric "NAME-REF"

A line is a system and a score, None where there is none. Files of the levels seg and doc have a block of lines for each
system, in the order of the test set's segments or documents; where the directory has sources/en-de.txt and
documents/en-de.docs, they must be as many. Segments are called by their numbers, and so are documents without .docs.

With a reference that is chosen, only metrics against this one are taken (`src`: those that need none), and they are
called NAME; on the way out, it is put behind the name again. Scores called HUMAN are those of human-scores/en-de.HUMAN.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from tercet.data import Array, MetricScores
from tercet.errors import InputError
from tercet.formats import columns, languages, lines, text
from tercet.formats.cells import shortened
from tercet.formats.directory import parse_human_name, parse_metric_name
from tercet.formats.lines import File
from tercet.formats.scores import HUMAN, HUMAN_PREFIX, FileLabels, Wanted, require_plain
from tercet.options.agreeing import MetaLevel

_LEVELS: Mapping[str, MetaLevel] = {"sys": "system", "doc": "document", "seg": "segment"}
_REFERENCE = re.compile(r".-(?:src|all|ref[^-]*)$")


@dataclasses.dataclass(frozen=True)
class _File:
    """A file of scores, and what its place and name say."""

    path: Path
    pair: str
    level: str  # sys, domain, doc or seg
    name: str
    reference: str = ""  # of a metric

    @property
    def metric(self) -> str:
        """What the scores are called if no reference was chosen."""
        if self.reference:
            return f"{self.name}-{self.reference}"
        return HUMAN if self.name == HUMAN else f"{HUMAN_PREFIX}{self.name}"


def read(path: File, wanted: Wanted) -> list[MetricScores]:
    """The scores of people and of metrics, by language pair, name and level."""
    root = Path(path)
    wanted.require_said(os.fspath(root), ["reference"])
    items: dict[tuple[str, MetaLevel], tuple[str, ...] | None] = {}
    scores, lower = [], set(wanted.lower)
    for file in _chosen(root, wanted):
        level = _LEVELS[file.level]
        if (file.pair, level) not in items:
            items[file.pair, level] = _items(root, file.pair, level)
        metric = file.name if file.reference and wanted.labels.reference else file.metric
        lower |= {metric} if file.reference and file.name in lower else set()
        systems, names, values = _read(file, items[file.pair, level])
        free = file.reference == "src"
        scores.append(MetricScores(metric, _direction(file.pair), level, systems, names, values, reference_free=free))
    return dataclasses.replace(wanted, lower=lower).kept(os.fspath(root), scores)


def _chosen(root: Path, wanted: Wanted) -> list[_File]:
    """The files to read; what is left out is noted."""
    where = os.fspath(root)
    files = _files(root, wanted.notes)
    pairs = sorted({_direction(file.pair) for file in files})
    if wanted.pair is not None and wanted.pair not in pairs:
        raise InputError(f"{where} has no scores of {wanted.pair}.", hint=f"Its language pairs are {', '.join(pairs)}.")
    files = [file for file in files if wanted.pair in (None, _direction(file.pair))]
    reference = wanted.labels.reference
    against = [file for file in files if not file.reference or reference in (None, file.reference)]
    known = sorted({file.reference for file in files if file.reference})
    if reference is not None and reference not in known:
        raise InputError(f"{where} has no metric against {reference!r}.", hint=f"It has {', '.join(known)}.")
    chosen = [file for file in against if file.level in _LEVELS and wanted.level in (None, _LEVELS[file.level])]
    if not chosen:
        levels = ", ".join(sorted({file.level for file in against}))
        raise InputError(f"{where} has no scores of the level that is wanted.", hint=f"Its levels are {levels}.")
    for what, n in {
        "against other references": len(files) - len(against),
        "of domains": sum(file.level == "domain" for file in against),
        "of other levels": sum(file.level in _LEVELS for file in against) - len(chosen),
    }.items():
        if n:
            wanted.notes.append(f"{where}: files of scores {what}, left out: {n}.")
    return chosen


def _files(root: Path, notes: list[str]) -> list[_File]:
    """Every file of scores."""
    files, others = [], 0
    for path in sorted([*root.glob("human-scores/*"), *root.glob("metric-scores/*"), *root.glob("metric-scores/*/*")]):
        folder, name = path.parent, path.name.removesuffix(".gz")
        if path.is_dir():
            continue
        if not name.endswith(".score") or folder.name == "metric-scores":
            others += 1
        elif folder.parent == root:
            of_people = parse_human_name(name)
            files.append(_File(path, of_people.pair, of_people.level, of_people.name))
        else:
            of_metric = parse_metric_name(name)
            references = of_metric.references or ("src",)
            shown = references if isinstance(references, str) else ".".join(references)
            files.append(_File(path, folder.name, of_metric.level, of_metric.name, shown))
    if not files:
        raise InputError(
            f"{os.fspath(root)} has no scores in human-scores or metric-scores.",
            hint="Name the directory with human-scores/en-de.NAME.seg.score or metric-scores/en-de/NAME-REF.seg.score.",
        )
    for path in (file.path for file in files if file.path.name.endswith(".gz")):
        if path.with_suffix("") in {file.path for file in files}:
            raise InputError(f"{os.fspath(path)} is there without .gz, too.", hint="Keep one of the two.")
    if others:
        notes.append(f"{os.fspath(root)}: files that are no scores (ratings and others), left out: {others}.")
    return files


def _direction(pair: str) -> str:
    return languages.pair(pair) or pair


def _items(root: Path, pair: str, level: MetaLevel) -> tuple[str, ...] | None:
    """What the scores of a level are of, by the directory; None if it does not say."""
    if level == "system":
        return ("",)
    if level == "document":
        documents = root / "documents" / f"{pair}.docs"
        if not documents.exists():
            return None
        return tuple(dict.fromkeys(text.read({}, documents=documents).documents or ()))
    for source in (root / "sources" / f"{pair}.txt", root / "sources" / f"{pair}.txt.gz"):
        if source.exists():
            return columns.numbers(1, sum(map(len, lines.blocks(source))))
    return None


def _read(file: _File, items: tuple[str, ...] | None) -> tuple[tuple[str, ...], tuple[str, ...], Array]:
    """Systems, items and scores of a file."""
    where = os.fspath(file.path)
    by_system: dict[str, list[float]] = {}
    first: dict[str, int] = {}
    for number, line in enumerate(itertools.chain.from_iterable(lines.kept(file.path)), 1):
        system, score = parsed_score(line, f"{where}, line {number}")
        by_system.setdefault(system, []).append(score)
        if first.setdefault(system, number) != number and items == ("",):
            raise InputError(
                f"{where}, line {number}: system {system!r} is on line {first[system]} already.",
                hint="Keep one of the two.",
            )
    if not by_system:
        raise InputError(f"{where} is empty.", hint="Check that it is the right file, or remove it.")
    wanted = len(next(iter(by_system.values()))) if items is None else len(items)
    odd = next((system for system, scores in by_system.items() if len(scores) != wanted), None)
    if odd is not None:
        by = f"the first system {wanted}" if items is None else f"the test set has {wanted}"
        raise InputError(
            f"{where}: system {odd!r} has {len(by_system[odd])} scores, and {by}.",
            hint="Each system has a line for every segment or document, None where there is no score.",
        )
    return tuple(by_system), items or columns.numbers(1, wanted), np.array(list(by_system.values()), dtype=np.float64)


def parsed_score(line: str, where: str) -> tuple[str, float]:
    """A system and its score, NaN where there is none."""
    parts = line.rsplit(maxsplit=1)
    if len(parts) == 2 and parts[1] == "None":
        return parts[0], math.nan
    try:
        score = float(parts[-1]) if len(parts) == 2 and "_" not in parts[1] else math.nan
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(
            f"{where}: {shortened(line, 80)!r} is no system and score.",
            hint="A line is a system and a number, or None where there is no score.",
        )
    return parts[0], score


def write(scores: Sequence[MetricScores], path: File, labels: FileLabels) -> None:
    """A file for each; nothing is written unless everything can be."""
    root = Path(path)
    files: dict[Path, MetricScores] = {}
    for entry in scores:
        target = root / _target(entry, labels.reference, os.fspath(root))
        if target in files:
            raise InputError(f"Two scores would go to {os.fspath(target)}.", hint="Give one another name.")
        _require_items(entry, root)
        require_plain(os.fspath(target), *entry.systems)
        for system in entry.systems:
            if system != system.strip():
                raise InputError(f"{os.fspath(target)} cannot hold the system {system!r}.", hint="Take the blank away.")
        files[target] = entry
    for target, entry in files.items():
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"{os.fspath(target.parent)} cannot be made: {error.strerror}.", hint="Name another directory."
            ) from error
        lines.write(target, _lines(entry))


def _target(scores: MetricScores, reference: str | None, root: str) -> Path:
    """Where scores go, below the directory."""
    pair, metric = scores.direction, scores.metric
    level = next(short for short, level in _LEVELS.items() if level == scores.level)
    if not pair:
        raise InputError(f"{root} must know the language pair of {metric}.", hint="Give it: pair=...")
    if any(c in f"{metric}{reference}" for c in "/\0\n"):
        raise InputError(f"{metric!r} cannot be the name of a file.", hint="Take slashes and line breaks out of it.")
    if metric == HUMAN or metric.startswith(HUMAN_PREFIX):
        name = metric.removeprefix(HUMAN_PREFIX)
        file = f"{pair}.{name}.{level}.score"
        parse_human_name(file)
        return Path("human-scores", file)
    name = f"{metric}-{reference}" if reference else metric
    if not _REFERENCE.search(name):
        raise InputError(
            f"{root} must know what {metric} compares with.",
            hint="Give it: reference='refA', or 'src' if the metric needs none.",
        )
    file = f"{name}.{level}.score"
    parse_metric_name(file)
    return Path("metric-scores", pair, file)


def _require_items(scores: MetricScores, root: Path) -> None:
    """Refuse segments and documents that a reader would call otherwise."""
    known = _items(root, scores.direction, scores.level) or columns.numbers(1, len(scores.items))
    if scores.items != known:
        odd = next((item for item, name in zip(scores.items, known, strict=False) if item != name), "the end")
        raise InputError(
            f"{os.fspath(root)} cannot hold {scores.metric} {scores.direction}: from {odd!r} on, {scores.level}s are "
            "not those of the test set (without one: 1, 2, 3 and so on).",
            hint="Give all of them in the order of the test set, NaN where there is no score; or write a table.",
        )


def _lines(scores: MetricScores) -> Iterator[str]:
    for system, row in zip(scores.systems, scores.values.tolist(), strict=True):
        yield "".join(f"{system}\t{'None' if math.isnan(v) else repr(v)}\n" for v in row)
