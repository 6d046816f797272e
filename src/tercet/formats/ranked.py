"""People's scores of systems as rankers write them: official results of WMT, and what `tercet rank` writes.

    newstest2015.online-B.0.de-en.txt 0.567 (1.0, 1.0)      system, score, and the ranks between which it falls;
    ++++++++++                                              a line of + divides clusters

    system,score,rank_low,rank_high,cluster                 csv and tsv of tercet rank; json and jsonl have the same

Only systems and their scores are taken, under the name HUMAN: ranks, clusters and the rest follow from judgements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from tercet.data import MetricScores
from tercet.errors import InputError
from tercet.formats import cells, lines
from tercet.formats.lines import File
from tercet.formats.scores import HUMAN, Wanted, is_score, json_records

COLUMNS = frozenset({"system", "score", "rank_low"})  # by which a table of a ranking is known
_NUMBER = r"[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
_LINE = re.compile(rf"(\S+)\s+({_NUMBER})\s+\({_NUMBER},\s*{_NUMBER}\)")
_RULE = re.compile(r"\++")


def is_ranking(first: str) -> bool:
    """Whether a line is one of an official result.

    >>> is_ranking("online-B.0 0.567 (1.0, 1.0)"), is_ranking("online-B.0 0.567")
    (True, False)
    """
    return _LINE.fullmatch(first.strip()) is not None


def read(path: File, wanted: Wanted) -> list[MetricScores]:
    """The score of each system."""
    file = lines.shown(path)
    wanted.require_level(file, "system")
    wanted.require_said(file, ())
    scores: dict[str, float] = {}
    seen: dict[str, str] = {}
    for where, system, score in _systems(path, file):
        if not system:
            raise InputError(f"{file}, {where}: the system is not named.", hint="Fill it in.")
        if (first := seen.setdefault(system, where)) != where:
            raise InputError(f"{file}, {where}: system {system!r} is on {first} already.", hint="Keep one of the two.")
        scores[system] = score
    values = np.array([[score] for score in scores.values()], dtype=np.float64).reshape(-1, 1)
    return wanted.kept(file, [MetricScores(HUMAN, wanted.pair or "", "system", tuple(scores), ("",), values)])


def _systems(path: File, file: str) -> Iterator[tuple[str, str, float]]:
    """Where each system stands, its name and its score."""
    if lines.is_stdin(path):
        raise InputError("A ranking is not read from standard input.", hint="Save it to a file, and name that.")
    text = lines.whole(path)
    start = text.lstrip()
    if start.startswith("{"):
        yield from _from_json(text, file)
    elif is_ranking(start.partition("\n")[0]):
        yield from _from_lines(text, file)
    else:
        yield from _from_table(path)


def _from_lines(text: str, file: str) -> Iterator[tuple[str, str, float]]:
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if not content or _RULE.fullmatch(content):
            continue
        match = _LINE.fullmatch(content)
        score = float(match[2]) if match else np.inf
        if match is None or not np.isfinite(score):
            raise InputError(
                f"{file}, line {number}: {cells.shortened(content, 80)!r} is no line of a ranking.",
                hint="It is a system, its score and (best rank, worst rank), or a line of + between clusters.",
            )
        yield f"line {number}", match[1], score


def _from_table(path: File) -> Iterator[tuple[str, str, float]]:
    table = cells.TableFile(path)
    columns = [table.need("system"), table.need("score")]
    table.need("rank_low")
    for rows in table.rows(columns):
        scores = cells.reals(table, rows, 1, "score", missing=True).tolist()
        where = (f"line {line}" for line in rows.lines.tolist())
        yield from zip(where, rows.columns[0], scores, strict=True)


def _from_json(text: str, file: str) -> Iterator[tuple[str, str, float]]:
    for where, record, shown in json_records(text):
        given: dict[str, Any] = record if isinstance(record, dict) else {}
        system, score = given.get("system"), given.get("score")
        if not isinstance(system, str) or "score" not in given or not is_score(score):
            raise InputError(
                f"{file}, {where}: {cells.shortened(shown, 80)!r} is no record of a ranking.",
                hint="It is a JSON object with system and score, a number or null.",
            )
        yield where, system, float("nan") if score is None else float(score)
