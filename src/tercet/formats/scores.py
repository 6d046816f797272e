"""Files of scores, metrics' and people's: which formats there are, reading, joining, writing. This table is the
contents page. `Wanted` and what follows `write_scores` are shared by the formats.

People's scores are called HUMAN in a table, and "human:NAME" in a directory of mt-metrics-eval. Where a table of WMT
has HUMAN_RAW, too, the mean of what judges gave before it was standardised, that is a score like any other.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast, get_args

import numpy as np

from tercet.data import MetricScores, Score, Scores
from tercet.errors import InputError
from tercet.formats import cells, languages, lines, packing
from tercet.formats.lines import File
from tercet.formats.names import Names
from tercet.options.groups import MetaLevel

HUMAN = "HUMAN"
HUMAN_PREFIX = "human:"  # before the name of human scores in a directory
LEVELS: tuple[MetaLevel, ...] = get_args(MetaLevel)
_HEAD = 1 << 16  # bytes
_RECORD = ("system", "metric", "level", "score")
_TOLD = ("segment", "better")  # which a record may lack
_BETTER = {"higher": True, "lower": False, "": True}


class ScoreFormat(NamedTuple):
    """Where a format lives, what it is, and which functions of the module read and write it."""

    module: str
    summary: str
    read: str
    write: str = ""
    says_better: bool = True  # whether it has a place for which scores are better


SCORE_FORMATS: Mapping[str, ScoreFormat] = {
    "submission": ScoreFormat(
        "tercet.formats.submissions",
        "*.sys.score and *.seg.score of the metrics tasks, a line a score",
        "read",
        "write",
        says_better=False,
    ),
    "table": ScoreFormat(
        "tercet.formats.score_tables", "a row a system (and segment or document), a column a metric", "read", "write"
    ),
    "records": ScoreFormat(
        "tercet.formats.scores", "what tercet score writes for programs, a row a score", "read_records"
    ),
    "ranking": ScoreFormat("tercet.formats.ranked", "people's scores of systems as rankers write them", "read"),
    "directory": ScoreFormat(
        "tercet.formats.score_directory",
        "human-scores and metric-scores as mt-metrics-eval has them",
        "read",
        "write",
        says_better=False,
    ),
    "parquet": ScoreFormat("tercet.formats.score_tables", "the same table in Parquet", "read_parquet", "write_parquet"),
}


@dataclasses.dataclass(frozen=True)
class FileLabels:
    """What goes with all scores of a file: chosen from it when it is read, put into it when it is written."""

    testset: str | None = None
    domain: str | None = None
    reference: str | None = None


@dataclasses.dataclass(frozen=True)
class Wanted:
    """What is wanted of a file, and the notes to which readers add what they left out."""

    pair: str | None
    level: MetaLevel | None
    labels: FileLabels
    lower: Collection[str]
    notes: list[str]

    def kept(self, file: str, scores: Iterable[MetricScores]) -> list[MetricScores]:
        """Those that have a score at all, lower ones better if that was said."""
        kept, empty = [], []
        for entry in scores:
            if np.isnan(entry.values).all():
                empty.append(f"{entry.metric} {entry.direction}".strip())
            else:
                higher = entry.higher_is_better and entry.metric not in self.lower
                kept.append(dataclasses.replace(entry, higher_is_better=higher))
        if not kept:
            raise InputError(f"{file} has no scores.", hint="Check that it is the right file.")
        if empty:
            self.notes.append(f"{file}: metrics without a score, left out: {', '.join(empty)}.")
        return kept

    def require_level(self, file: str, level: MetaLevel) -> None:
        """Refuse a file of another level than the one that is wanted."""
        if self.level not in (None, level):
            raise InputError(
                f"{file} has scores of the {level} level, and the {self.level} level is wanted.",
                hint="Name another file, or another level.",
            )

    def require_said(self, file: str, says: Collection[str]) -> None:
        """Refuse a choice of something that the file does not tell apart."""
        for what, value in dataclasses.asdict(self.labels).items():
            if value is not None and what not in says:
                raise InputError(
                    f"{file} does not say the {what} of its scores, and {value!r} is wanted.",
                    hint=f"Leave {what} out.",
                )


def read_scores(
    path: File,
    scores_format: str | None = None,
    *,
    pair: str | None = None,
    level: MetaLevel | None = None,
    lower: Collection[str] = (),
    testset: str | None = None,
    domain: str | None = None,
    reference: str | None = None,
    notes: list[str] | None = None,
) -> list[MetricScores]:
    """The scores in a file or directory, of each metric, language pair and level; the format is known by its name and
    by how it begins, and may be one of `SCORE_FORMATS` or of the layouts of submissions.

    `pair`, `level`, `testset`, `domain` and `reference` choose; where a file does not say its language pair, `pair`
    names it. `lower` names the metrics of which a lower score is better. What was left out is added to `notes`.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "scores.tsv")
    ...     _ = file.write_text("LP\\tSYSTEM\\tHUMAN\\tTER\\nde-en\\tA\\t0.1\\t50\\nde-en\\tB\\t-0.2\\tNA\\n")
    ...     human, ter = read_scores(file, lower=["TER"])
    >>> human.metric, human.direction, human.systems, ter.oriented.tolist()
    ('HUMAN', 'de-en', ('A', 'B'), [[-50.0], [nan]])
    """
    if level not in (None, *LEVELS):
        raise InputError(f"There is no level {level!r}.", hint=f"The levels are {', '.join(LEVELS)}.")
    wanted = Wanted(
        languages.wanted_pair(pair) if pair else None,
        level,
        FileLabels(testset, domain, reference),
        frozenset([lower] if isinstance(lower, str) else lower),
        [] if notes is None else notes,
    )
    name = scores_format or detect_scores(path)
    chosen, layout = _format(name)
    read: Callable[..., list[MetricScores]] = getattr(importlib.import_module(chosen.module), chosen.read)
    return read(path, wanted, layout) if layout else read(path, wanted)


def detect_scores(path: File) -> str:
    """The name of the format of a file of scores."""
    if lines.is_stdin(path):
        raise InputError("The format of standard input is not known.", hint=f"Name it: {', '.join(SCORE_FORMATS)}.")
    if os.path.isdir(path):
        return "directory"
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(
            f"{lines.shown(path)} is a pipe, and looking at it would use it up.",
            hint=f"Name its format: {', '.join(SCORE_FORMATS)}.",
        )
    called = packing.unpacked_name(path)
    start = lines.head(path, _HEAD)
    if called.endswith(".parquet") or start.startswith(b"PAR1"):
        return "parquet"
    if called.endswith(".score"):
        return "submission"
    lines.require_text(path, start)
    return _by_content(path, start.decode("utf-8", "replace").removeprefix("\ufeff").lstrip("\r\n"))


def _by_content(path: File, start: str) -> str:
    from tercet.formats import ranked, score_tables, submissions

    if not start.strip():
        raise InputError(f"{lines.shown(path)} is empty.", hint="Check that it is the right file.")
    first = start.partition("\n")[0].rstrip("\r")
    if first.lstrip().startswith("{"):
        return "ranking" if '"rank_low"' in start and '"metric"' not in start else "records"
    if ranked.is_ranking(first):
        return "ranking"
    if submissions.is_submission(first):
        return "submission"
    separator = cells.separator(first)
    names = {name.strip(' "').lower() for name in (first.split() if separator == " " else first.split(separator))}
    if names.issuperset(_RECORD):
        return "records"
    if names.issuperset(ranked.COLUMNS):
        return "ranking"
    if not score_tables.is_header(names):
        raise InputError(
            f"The format of {lines.shown(path)}, which begins {first[:80]!r}, is not known.",
            hint="A table needs a header with system and the names of metrics, a submission 5 to 10 fields separated "
            f"by tabs. Or name the format: {', '.join(SCORE_FORMATS)}.",
        )
    return "table"


def _format(name: str) -> tuple[ScoreFormat, str]:
    """A format by its name or by that of a layout of submissions, and this layout."""
    from tercet.formats.submissions import LAYOUTS

    if name in LAYOUTS:
        return SCORE_FORMATS["submission"], name
    if name not in SCORE_FORMATS:
        known = ", ".join([*SCORE_FORMATS, *LAYOUTS])
        raise InputError(f"There is no format of scores called {name!r}.", hint=f"The formats are {known}.")
    return SCORE_FORMATS[name], ""


def read_records(path: File, wanted: Wanted) -> list[MetricScores]:
    """The scores that `tercet score` wrote as csv, tsv, json or jsonl; those of a corpus are of the system level."""
    file = lines.shown(path)
    wanted.require_said(file, ())
    records: list[Score] = []
    scales: dict[str, tuple[bool, int]] = {}
    seen: dict[tuple[str, ...], str] = {}
    n_others = 0
    for where, system, metric, level, segment, better, score in _records(path):
        if better not in _BETTER or scales.setdefault(metric, (_BETTER[better], 0)) != (_BETTER[better], 0):
            raise InputError(
                f"{file}, {where}: better is {better!r} for {metric}.",
                hint="It is higher or lower, the same for all scores of a metric.",
            )
        level = "system" if level == "corpus" else level
        item = "" if level == "system" else segment
        if level not in LEVELS or not system or not metric or (level != "system" and not item):
            raise InputError(
                f"{file}, {where}: a score of system {system!r}, metric {metric!r}, level {level!r}, segment {item!r}.",
                hint=f"Name all of them; levels are corpus, {', '.join(LEVELS)}.",
            )
        if (first := seen.setdefault((system, metric, level, item), where)) != where:
            raise InputError(
                f"{file}, {where}: {metric} of system {system!r}, {level} {item!r}, is on {first} already.",
                hint="Keep one of the two.",
            )
        if wanted.level in (None, level):
            records.append(Score(system, metric, level, item, score))
        else:
            n_others += 1
    if not records:
        what = f"of the {wanted.level} level" if n_others else "in it"
        raise InputError(f"{file} has no scores {what}.", hint="Check that it is the right file, or leave level out.")
    if n_others:
        wanted.notes.append(f"{file}: scores of other levels, left out: {n_others}.")
    return wanted.kept(file, of_scores(Scores(tuple(records), "", scales), wanted.pair or ""))


def _records(path: File) -> Iterator[tuple[str, str, str, str, str, str, float]]:
    """Where each record stands, its system, metric, level, segment, which scores are better, and its score."""
    if lines.is_stdin(path):
        raise InputError("Records are not read from standard input.", hint="Save them to a file, and name that.")
    if lines.head(path).decode("utf-8", "replace").removeprefix("\ufeff").lstrip().startswith("{"):
        yield from _json_records(lines.whole(path), lines.shown(path))
        return
    table = cells.TableFile(path)
    columns = [table.need(name) for name in _RECORD]
    others = [place for name in _TOLD if (place := table.find(name)) is not None]
    names = [table.names[place] for place in others]
    for rows in table.rows([*columns, *others]):
        scores = cells.reals(table, rows, 3, "score", missing=True).tolist()
        told = dict(zip(names, rows.columns[len(columns) :], strict=True))
        rest = [told.get(name, [""] * len(rows)) for name in _TOLD]
        where = (f"line {line}" for line in rows.lines.tolist())
        yield from zip(where, *rows.columns[:3], *rest, scores, strict=True)


def _json_records(text: str, file: str) -> Iterator[tuple[str, str, str, str, str, str, float]]:
    """The same from one JSON object that has records, or from lines that are a record each."""
    for where, record, shown in json_records(text):
        given: dict[str, Any] = record if isinstance(record, dict) else {}
        texts = [given.get(name) for name in ("system", "metric", "level")] + [given.get(name) or "" for name in _TOLD]
        score = given.get("score")
        if not all(isinstance(text, str) for text in texts) or "score" not in given or not is_score(score):
            raise InputError(
                f"{file}, {where}: {cells.shortened(shown, 80)!r} is no record of a score.",
                hint="It is a JSON object with system, metric, level and score, a number or null.",
            )
        system, metric, level, item, better = map(str, texts)
        yield where, system, metric, level, item, better, float("nan") if score is None else float(score)


def json_records(text: str) -> list[tuple[str, Any, str]]:
    """Where each record stands, what it says, None if that is not sound JSON, and the record as it is shown."""
    whole = _json(text)
    records = whole.get("records") if isinstance(whole, dict) else None
    if isinstance(records, list):
        return [(f"record {i}", record, str(record)) for i, record in enumerate(records, 1)]
    return [(f"line {i}", _json(line), line) for i, line in enumerate(text.split("\n"), 1) if line.strip()]


def _json(text: str) -> Any:
    """What a text says, None if it is not sound JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def is_score(given: object) -> bool:
    """Whether JSON gives a score: a finite number, or null where there is none."""
    number = isinstance(given, int | float) and not isinstance(given, bool) and abs(given) <= sys.float_info.max
    return given is None or number


def of_scores(scores: Scores, pair: str = "") -> list[MetricScores]:
    """The answer of `score` as scores of metrics, in a language pair if one is named.

    >>> from tercet.data import Score
    >>> records = (Score("A", "ter", "corpus", None, 52.5), Score("B", "ter", "corpus", None, 50.0))
    >>> found, = of_scores(Scores(records, "", {"ter": (False, 1)}), "de-en")
    >>> found.level, found.systems, found.higher_is_better
    ('system', ('A', 'B'), False)
    """
    groups: dict[tuple[str, str], list[Score]] = {}
    for record in scores:
        groups.setdefault((record.metric, record.level), []).append(record)
    entries = []
    for (metric, level), records in groups.items():
        systems: Names[str] = Names()
        items: Names[str] = Names()
        cells = (systems.numbers([r.system for r in records]), items.numbers([r.segment or "" for r in records]))
        values = np.full((len(systems), len(items)), np.nan)
        values[cells] = [r.score for r in records]
        higher = scores.scales.get(metric, (True, 0))[0]
        meta_level = cast(MetaLevel, "system" if level == "corpus" else level)
        entries.append(MetricScores(metric, pair, meta_level, tuple(systems), tuple(items), values, higher))
    return entries


def join(scores: Iterable[MetricScores]) -> list[MetricScores]:
    """Scores of several files put together: those of the same metric, language pair and level become one.

    A score that is there twice must be the same number; what is there once stays, the rest is missing.

    >>> parts = [MetricScores("M", "", "system", (name,), ("",), np.array([[0.5]])) for name in "AB"]
    >>> [(both.systems, both.values.tolist()) for both in join(parts)]
    [(('A', 'B'), [[0.5], [0.5]])]
    """
    groups: dict[tuple[str, str, MetaLevel], list[MetricScores]] = {}
    for entry in scores:
        groups.setdefault((entry.metric, entry.direction, entry.level), []).append(entry)
    return [parts[0] if len(parts) == 1 else _joined(parts) for parts in groups.values()]


def _joined(parts: Sequence[MetricScores]) -> MetricScores:
    first = parts[0]
    what = f"{first.metric} {first.direction}".strip()
    if any(part.higher_is_better != first.higher_is_better for part in parts):
        raise InputError(
            f"A higher score of {what} is better in one file, a lower one in another.",
            hint="Say the same of both: name the metric in lower for all files or for none.",
        )
    systems: Names[str] = Names()
    items: Names[str] = Names()
    places = [(systems.numbers(part.systems)[:, None], items.numbers(part.items)) for part in parts]
    values = np.full((len(systems), len(items)), np.nan)
    for place, part in zip(places, parts, strict=True):
        old = values[place]
        clash = ~np.isnan(old) & ~np.isnan(part.values) & (old != part.values)
        if clash.any():
            s, i = (int(at[0]) for at in np.nonzero(clash))
            of = f"system {part.systems[s]!r}" + f", {first.level} {part.items[i]!r}," * (first.level != "system")
            raise InputError(
                f"{what} of {of} is {old[s, i]} in one file and {part.values[s, i]} in another.",
                hint="Leave one of the files out, or give the metric another name in one of them.",
            )
        values[place] = np.where(np.isnan(part.values), old, part.values)
    return dataclasses.replace(first, systems=tuple(systems), items=tuple(items), values=values)


def write_scores(
    scores: Sequence[MetricScores] | Scores,
    path: File,
    scores_format: str | None = None,
    *,
    pair: str | None = None,
    testset: str | None = None,
    domain: str | None = None,
    reference: str | None = None,
) -> None:
    """Scores to a file or directory; `read_scores` gives the same back. Without a format, the name decides.

    `submission` is the layout of 2008 to 2016; wmt14-sys, wmt14-seg, wmt23-sys and wmt23-seg name one. `pair` is the
    language pair of scores that do not say theirs. The others go where the format has a place for them: `testset`
    into a submission, `domain` and `reference` into that of 2021 to 2024, and `reference` also behind the name of a
    metric in a directory. Tables of text and Parquet keep whether lower scores are better, as the records of
    `tercet score` do; submissions and directories, which are for other programs, have no place for it.
    """
    name = scores_format or _by_name(path)
    chosen, layout = _format(name)
    if not chosen.write:
        raise InputError(
            f"Scores are not written as {name}.", hint="Use tercet score -f csv, or another format of scores."
        )
    direction = languages.wanted_pair(pair) if pair else ""
    given = of_scores(scores) if isinstance(scores, Scores) else list(scores)
    given = [dataclasses.replace(entry, direction=entry.direction or direction) for entry in given]
    _require_sound(given, path)
    write: Callable[..., None] = getattr(importlib.import_module(chosen.module), chosen.write)
    labels = FileLabels(testset, domain, reference)
    write(given, path, labels, layout) if layout else write(given, path, labels)


def directions_lost(scores: Iterable[MetricScores], path: File) -> list[str]:
    """Metrics of which lower scores are better, where a file of that name has no place to say so."""
    if _format(_by_name(path))[0].says_better:
        return []
    return list(dict.fromkeys(s.metric for s in scores if not s.higher_is_better))


def _by_name(path: File) -> str:
    called = packing.unpacked_name(path)
    endings = {".parquet": "parquet", ".tsv": "table", ".csv": "table", ".score": "submission"}
    name = next((name for ending, name in endings.items() if called.endswith(ending)), "")
    if not name and not os.path.isdir(path):
        raise InputError(
            f"The name {os.fspath(path)} does not say in which format to write.",
            hint=f"Use one of the endings {', '.join(endings)}, or name the format.",
        )
    return name or "directory"


def _require_sound(scores: Sequence[MetricScores], path: File) -> None:
    """Refuse what no format holds."""
    if not scores:
        raise InputError(
            f"There are no scores to write to {os.fspath(path)}.", hint="Give those of one metric or more."
        )
    seen: set[tuple[str, ...]] = set()
    for entry in scores:
        what = f"{entry.metric} {entry.direction}".strip()
        if (entry.metric, entry.direction, entry.level) in seen:
            raise InputError(f"{what} is there twice at the {entry.level} level.", hint="Join them first.")
        seen.add((entry.metric, entry.direction, entry.level))
        if np.isinf(entry.values).any():
            raise InputError(f"{what} has a score that is infinite.", hint="Write NaN where there is no score.")
        if np.isnan(entry.values).all():
            raise InputError(f"{what} has no score at all.", hint="Leave this metric out.")
        if entry.direction and entry.direction != languages.pair(entry.direction):
            raise InputError(f"{entry.direction!r} is no language pair as files have it.", hint=languages.HINT)


def require_level(scores: Sequence[MetricScores], file: str) -> MetaLevel:
    """The one level of scores that are to go into one file."""
    levels = sorted({entry.level for entry in scores})
    if len(levels) > 1:
        raise InputError(
            f"{file} cannot hold scores of several levels: {', '.join(levels)}.",
            hint="Write a file for each level, or a directory.",
        )
    return scores[0].level


def require_plain(file: str, *names: str) -> None:
    """Refuse names that a line of text cannot hold between tabs."""
    for name in names:
        if not name or any(c in name for c in "\t\n\r"):
            raise InputError(
                f"{file} cannot hold the name {name[:60]!r}: it is empty, or has a tab or a line break.",
                hint="Give it another name, or write Parquet.",
            )
