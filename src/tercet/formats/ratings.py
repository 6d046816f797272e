"""What people said of segments, in a directory of mt-metrics-eval: ratings, or scores where there are none.

    human-scores/en-de.NAME.seg.rating     SYSTEM<tab>{"errors": [...]} or None[<tab>RATER]
    human-scores/en-de.NAME.seg.score      SYSTEM<tab>SCORE or None

A block of lines for each system, in the order of the segments, which are called by their numbers. An error has `start`,
`end`, `category`, `severity`, `score` and `is_source_error`; where start and end are the same, it has no place in the
translation. A rating has one rater: those of several stand in files NAME.rater1, NAME.rater2 and so on, and are read
together. Here a rating may have a `score` beside its errors, which others pass over.

There may be several names in a directory: then the file, or one of the files, is given in its place.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tercet.data import UNKNOWN, Assessments, Kind
from tercet.errors import InputError
from tercet.escaping import json_text
from tercet.formats import columns, languages, lines, text
from tercet.formats.cells import shortened
from tercet.formats.directory import HumanName, parse_human_name
from tercet.formats.lines import File
from tercet.formats.names import Names
from tercet.formats.score_directory import parsed_score
from tercet.formats.scores import require_plain
from tercet.formats.spans import NOWHERE, ErrorList, Span, from_json
from tercet.numbers import plain

_RATER = re.compile(r"\.rater[0-9]+$")
_RATING = 'A line is a system, {"errors": [...]} or None, and perhaps a rater, with tabs between them.'


class _Said(NamedTuple):
    """What one line says: nothing, a score, errors, or both."""

    system: str
    rater: str = ""
    score: float = math.nan
    spans: list[Span] | None = None


def is_ratings(path: Path) -> bool:
    """Whether this is a directory with judgements of segments, or one of its files of ratings."""
    return any(path.glob("human-scores/*.seg.*")) if os.path.isdir(path) else path.name.endswith(".seg.rating")


def read(path: File, pair: str | None = None) -> Assessments:
    """The assessments of one language pair, which may be left out if there is only one."""
    root, files = _chosen(Path(path), pair)
    first = files[0][1]
    systems, judges, errors = Names[str](), Names[str](), ErrorList()
    rows: list[tuple[int, int, int]] = []  # judge, system, segment
    scores: list[float] = []
    n = 0
    for file, name in files:
        blocks: dict[str, int] = {}
        for said in _lines(file, name):
            segment = blocks.get(said.system, 0)
            blocks[said.system] = segment + 1
            system = systems[said.system]
            if said.spans is None and math.isnan(said.score):
                continue
            for span in said.spans or ():
                errors.add(len(rows), span)
            rows.append((judges[said.rater] if said.rater else UNKNOWN, system, segment))
            scores.append(said.score)
        n = _length(file, blocks, n or _n_segments(root, first.pair))
    if not rows:
        raise InputError(f"{os.fspath(path)} holds no ratings and no scores of segments.", hint="Is it the right one?")
    judge, system, segment = np.array(rows, dtype=np.int64).T
    documents = root / "documents" / f"{first.pair}.docs"
    return Assessments(
        _direction(first.pair),
        tuple(systems),
        columns.numbers(1, n),
        tuple(judges),
        judge,
        system,
        segment,
        np.full(len(rows), Kind.SYSTEM, dtype=np.int64),
        np.array(scores, dtype=np.float64),
        errors=errors.errors() if any(name.kind == "rating" for _, name in files) else None,
        documents=text.read({}, documents=documents).documents if documents.exists() else None,
        file=os.fspath(path),
    )


def pairs(path: File) -> list[str]:
    """The language pairs that have judgements of segments."""
    return list(dict.fromkeys(_direction(name.pair) for _, name in _named(Path(path))))


def write(judged: Assessments, root: Path, pair: str, name: str, segments: Sequence[str]) -> None:
    """A file a judge: what they said first of each output; controls have no place, nor have times and batches."""
    require_plain(f"{root}, ratings of {name}", *judged.systems, *filter(None, judged.judges))
    row_of: dict[tuple[int, int, str], int] = {}
    for row in range(len(judged)):
        if judged.kind[row] == Kind.SYSTEM:
            key = (int(judged.judge[row]), int(judged.system[row]), judged.segments[judged.segment[row]])
            row_of.setdefault(key, row)
    spans = _errors_of(judged)
    for number, judge in enumerate(sorted({judge for judge, _, _ in row_of}), 1):
        rater = "" if judge == UNKNOWN else f"\t{judged.judges[judge]}"

        def said(system: int, segment: str, judge: int = judge) -> str:
            row = row_of.get((judge, system, segment))
            if row is None:
                return "None"
            score = {} if math.isnan(judged.score[row]) else {"score": float(judged.score[row])}
            return json_text({"errors": spans.get(row, []), **score})

        pieces = (
            f"{system}\t{said(s, segment)}{rater}\n" for s, system in enumerate(judged.systems) for segment in segments
        )
        lines.write(root / "human-scores" / f"{pair}.{name}.rater{number}.seg.rating", pieces)


def _errors_of(judged: Assessments) -> dict[int, list[dict[str, Any]]]:
    """The errors of each row that has some."""
    spans: dict[int, list[dict[str, Any]]] = {}
    errors = judged.errors
    if errors is None:
        return spans
    nowhere = np.full(len(errors.row), NOWHERE)
    starts, ends = (nowhere if column is None else column for column in (errors.start, errors.end))
    for e, row in enumerate(errors.row.tolist()):
        category = int(errors.category[e])
        placed = starts[e] != NOWHERE
        spans.setdefault(row, []).append(
            {
                "start": int(starts[e]) if placed else 0,
                "end": int(ends[e]) if placed else 0,
                "category": errors.categories[category] if category >= 0 else "",
                "severity": errors.severities[int(errors.severity[e])],
                "score": None,
                "is_source_error": False,
            }
        )
    return spans


def _direction(pair: str) -> str:
    return languages.pair(pair) or pair


def _named(path: Path) -> list[tuple[Path, HumanName]]:
    files = sorted(path.glob("human-scores/*.seg.*")) if os.path.isdir(path) else [path]
    return [(file, parse_human_name(file.name.removesuffix(".gz"))) for file in files]


def _stem(name: HumanName) -> str:
    return _RATER.sub("", name.name)


def _chosen(path: Path, pair: str | None) -> tuple[Path, list[tuple[Path, HumanName]]]:
    """The directory, and the files of one language pair and one name; ratings go before scores."""
    root = path if os.path.isdir(path) else path.absolute().parent.parent
    files = _named(path)
    known = sorted({_direction(name.pair) for _, name in files})
    wanted = languages.wanted_pair(pair) if pair else known[0] if len(known) == 1 else None
    if wanted not in known:
        raise InputError(
            f"{os.fspath(path)} has judgements of {', '.join(known) or 'no language pair'}.",
            hint="Name one of them." if known else "Name a directory with human-scores/en-de.NAME.seg.score.",
        )
    files = [(file, name) for file, name in files if _direction(name.pair) == wanted]
    rated = [(file, name) for file, name in files if name.kind == "rating"]
    files = rated or files
    stems = sorted({_stem(name) for _, name in files})
    if len(stems) > 1:
        raise InputError(
            f"{os.fspath(path)} has judgements called {', '.join(stems)}.",
            hint=f"Name the file of one of them: {os.fspath(files[0][0])}.",
        )
    if not os.path.isdir(path):  # the other raters of the same name stand beside it
        beside = [
            entry for entry in _named(root) if entry[1].kind == files[0][1].kind and entry[1].pair == files[0][1].pair
        ]
        files = [entry for entry in beside if _stem(entry[1]) == stems[0]] or files
    return root, files


def _n_segments(root: Path, pair: str) -> int:
    for source in (root / "sources" / f"{pair}.txt", root / "sources" / f"{pair}.txt.gz"):
        if source.exists():
            return sum(map(len, lines.blocks(source)))
    return 0


def _length(file: Path, blocks: dict[str, int], n: int) -> int:
    """How many segments each system has, which must be the same; 0 for n is any number."""
    wanted = n or next(iter(blocks.values()), 0)
    odd = next((system for system, there in blocks.items() if there != wanted), None)
    if odd is not None:
        raise InputError(
            f"{os.fspath(file)}: system {odd!r} has {blocks[odd]} lines, and there are {wanted} segments.",
            hint="Each system has a line for every segment, None where nothing was said.",
        )
    return wanted


def _lines(file: Path, name: HumanName) -> Iterator[_Said]:
    for number, line in enumerate(itertools.chain.from_iterable(lines.kept(file)), 1):
        where = f"{os.fspath(file)}, line {number}"
        if name.kind == "score":
            system, score = parsed_score(line, where)
            if not math.isnan(score) and not 0 <= score <= 100:
                raise InputError(f"{where}: the score {plain(score)} is outside 0 to 100.", hint="Rescale it.")
            yield _Said(system, score=score)
            continue
        system, *rest = line.split("\t")
        if not system or len(rest) not in (1, 2):
            raise InputError(f"{where}: {shortened(line, 80)!r} is no rating.", hint=_RATING)
        rater = rest[1].strip() if len(rest) == 2 else ""
        yield _Said(system, rater) if rest[0] == "None" else _rated(system, rater, rest[0], where)


def _rated(system: str, rater: str, said: str, where: str) -> _Said:
    try:
        rating = json.loads(said)
    except (ValueError, RecursionError):
        rating = None
    errors = rating.get("errors") if isinstance(rating, dict) else None
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        raise InputError(f"{where}: {shortened(said, 80)!r} is no rating.", hint=_RATING)
    score = rating.get("score")
    if score is not None and (isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 100):
        raise InputError(f"{where}: the score is {score!r}.", hint="It must be a number from 0 to 100.")
    nowhere = {"start": None, "end": None}
    placed = [
        {**error, "category": error.get("category") or None}
        | (nowhere if error.get("start") == error.get("end") or error.get("is_source_error") else {})
        for error in errors
    ]
    return _Said(system, rater, math.nan if score is None else float(score), from_json(placed, where))
