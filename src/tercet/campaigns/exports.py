"""`export`, `import_answers`, `backup`: what a campaign holds as files, and files into a campaign.

records           judgements in our own interchange, JSON lines
wmt               rankings as the csv of WMT, assessments as a csv of direct assessment or adequacy and fluency, MQM as
                  Google's table
appraise          assessments as Appraise's csv, rankings as its XML
mt-metrics-eval   a folder: texts, the scores of systems and segments by people, and the ratings of each annotator
log               everything: material, batches and every event; a campaign is made anew from it
"""

from __future__ import annotations

import collections
import dataclasses
import json
import math
import os
import pathlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from tercet import inputs
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.judged import MISSING, SOURCE, judgements_of, standing
from tercet.campaigns.log import Event, Log, as_told, is_database, storing
from tercet.campaigns.material import as_record
from tercet.campaigns.protocol import Field
from tercet.campaigns.state import item_name, item_place
from tercet.data import UNKNOWN, Assessments, Judgements, Kind, Rankings
from tercet.errors import InputError
from tercet.escaping import json_text
from tercet.formats import appraise_rr, columns, lines, mqm, ratings, records
from tercet.formats.cells import clock, csv_lines
from tercet.formats.json_values import sound_json
from tercet.formats.judgements import SQLITE
from tercet.human.names import match_systems
from tercet.human.penalties import WEIGHTS, penalties, read_weights
from tercet.human.scored import require_assessments
from tercet.options import verb
from tercet.options.campaigns import BackupOptions, ExportOptions, ImportOptions
from tercet.ranking.rank import rank

_HEAD = {"tercet": "campaign", "version": 1}
_TYPES = {Kind.SYSTEM: "TGT", Kind.REPEAT: "CHK", Kind.REFERENCE: "REF", Kind.BAD_REFERENCE: "BAD"}
_WORDS = {Kind.SYSTEM: "SYSTEM", Kind.REPEAT: "REPEAT", Kind.REFERENCE: "REF", Kind.BAD_REFERENCE: "BAD_REF"}


@verb(ExportOptions)
def export_campaign(asked: ExportOptions) -> None:
    """Write what a campaign holds to a file, while it is served or not."""
    with Campaign(Log(asked.campaign)) as campaign, as_told(campaign.log.name):
        if asked.receipts:
            answers = (event for event in campaign.log.events() if event.kind == "answered")
            lines.write(asked.output, (f"{event.body['public']}\t{event.seq}\n" for event in answers))
        else:
            _WRITERS[asked.form](campaign, asked.output)


@verb(BackupOptions)
def backup_campaign(asked: BackupOptions) -> None:
    """Copy a whole campaign into one file, as it is at this moment; `serve` takes the copy as well."""
    with Log(asked.campaign) as log:
        log.copy(asked.target)


def _write_records(campaign: Campaign, path: pathlib.Path) -> None:
    records.write(judgements_of(campaign), path)


def _write_log(campaign: Campaign, path: pathlib.Path) -> None:
    def pieces() -> Iterator[str]:
        yield json.dumps(_HEAD) + "\n"
        for passage in campaign.material.passages:
            yield json.dumps({"passage": as_record(passage)}) + "\n"
        for batch in campaign.log.batches():
            yield json.dumps({"batch": batch}) + "\n"
        for event in campaign.log.events():
            yield json.dumps({"event": dataclasses.asdict(event)}) + "\n"

    lines.write(path, pieces())


def _write_wmt(campaign: Campaign, path: pathlib.Path) -> None:
    judged = judgements_of(campaign)
    if isinstance(judged, Rankings):
        lines.write(path, csv_lines(_ranking_rows(judged)))
    elif np.isnan(require_assessments(judged).score).all():
        passages = campaign.material.passages
        mqm.write(
            require_assessments(judged),
            path,
            lambda system, segment: (passages[segment].source or "", passages[segment].outputs[system]),
        )
    else:
        lines.write(path, csv_lines(_assessment_rows(require_assessments(judged))))


def _pair(judged: Judgements) -> tuple[str, str]:
    source, _, target = judged.pair.partition("-")
    return source, target


def _ranking_rows(x: Rankings) -> Iterator[list[Any]]:
    most = int(np.diff(x.starts).max(initial=0))
    places = range(1, most + 1)
    columns = ["srclang", "trglang", "segmentId", "judgeId", "rankingId", "duration"]
    yield [*columns, *(f"system{k}Id" for k in places), *(f"system{k}rank" for k in places)]
    for task in range(len(x)):
        items = range(x.starts[task], x.starts[task + 1])
        blank = [""] * (most - len(items))
        judge = "" if x.judge[task] == UNKNOWN else x.judges[x.judge[task]]
        seconds = math.nan if x.seconds is None else float(x.seconds[task])
        yield [
            *_pair(x),
            x.segments[x.segment[task]],
            judge,
            task + 1,
            clock(seconds),
            *(x.output_name(x.output[i]) for i in items),
            *blank,
            *(int(x.rank[i]) for i in items),
            *blank,
        ]


def _assessment_rows(judged: Assessments) -> Iterator[list[Any]]:
    scales = dict(judged.scales or {})
    spans = _spans(judged)
    first = ["worker", "hit", "system", "segment", "document", "srclang", "trglang"]
    if scales:
        yield [*first, *scales]
    else:
        yield [*first, "type", "raw", "seconds", *(["spans"] if judged.errors is not None else [])]
    for row in range(len(judged)):
        segment = int(judged.segment[row])
        start = [
            judged.judges[judged.judge[row]],
            "" if judged.task is None else int(judged.task[row]),
            judged.systems[judged.system[row]],
            judged.segments[segment],
            "" if judged.documents is None else judged.documents[segment],
            *_pair(judged),
        ]
        if scales:
            yield [*start, *(_number(values[row]) for values in scales.values())]
            continue
        seconds = "" if judged.seconds is None else _number(judged.seconds[row])
        rest = [_WORDS[Kind(int(judged.kind[row]))], _number(judged.score[row]), seconds]
        yield [*start, *rest, *([spans[row]] if judged.errors is not None else [])]


def _number(value: float) -> str:
    """A number as it was given, nothing where there is none."""
    return "" if math.isnan(value) else repr(int(value)) if float(value).is_integer() else repr(float(value))


def _spans(judged: Assessments) -> dict[int, str]:
    """The spans of each row as Appraise writes them."""
    marked: dict[int, list[dict[str, Any]]] = {row: [] for row in range(len(judged))}
    errors = judged.errors
    if errors is None:
        return {}
    for e, row in enumerate(errors.row.tolist()):
        start = -1 if errors.start is None else int(errors.start[e])
        end = -1 if errors.end is None else int(errors.end[e])
        category = int(errors.category[e])
        span: dict[str, Any] = {
            "start_i": start if start >= 0 else "missing",
            "end_i": end - 1 if start >= 0 else "missing",
            "severity": errors.severities[int(errors.severity[e])],
        }
        if category >= 0:
            span["error_type"] = errors.categories[category]
        marked[row].append(span)
    return {row: json_text(entries) for row, entries in marked.items()}


def _write_appraise(campaign: Campaign, path: pathlib.Path) -> None:
    judged = judgements_of(campaign)
    if isinstance(judged, Rankings):
        appraise_rr.write(judged, path)
        return
    if not isinstance(judged, Assessments) or judged.scales is not None or np.isnan(judged.score).all():
        raise InputError(
            f"{campaign.protocol.name} has no scores, which Appraise's csv is of.", hint="Export as wmt or records."
        )
    times = [
        event.server_time
        for _, event, item in standing(campaign)
        for output in item["outputs"]
        for _ in output["systems"] or [0]
    ]
    spans = _spans(judged)

    def rows() -> Iterator[list[Any]]:
        for row, ended in enumerate(times):
            segment = int(judged.segment[row])
            seconds = 0.0 if judged.seconds is None or math.isnan(judged.seconds[row]) else float(judged.seconds[row])
            document = judged.segments[segment] if judged.documents is None else judged.documents[segment]
            yield [
                judged.judges[judged.judge[row]],
                judged.systems[judged.system[row]],
                judged.segments[segment],
                _TYPES[Kind(int(judged.kind[row]))],
                *_pair(judged),
                _number(judged.score[row]),
                document,
                "False",
                *([spans[row]] if judged.errors is not None else []),
                f"{ended - seconds:.3f}",
                f"{ended:.3f}",
            ]

    lines.write(path, csv_lines(rows()))


def _line(text: str | None) -> str:
    return " ".join((text or "").split("\n")) + "\n"


def _write_folder(campaign: Campaign, path: pathlib.Path) -> None:
    """Texts and the scores of people in the layout of mt-metrics-eval."""
    material, judged = campaign.material, judgements_of(campaign)
    if not material.pair:
        raise InputError("The campaign does not say its language pair.", hint="Create it with --pair.")
    if path.exists():
        raise InputError(f"{path} is there already.", hint="Name a folder that is not.")
    passages, pair = material.passages, material.pair
    texts: dict[str, Iterable[str | None]] = {
        f"sources/{pair}.txt": [p.source for p in passages],
        f"references/{pair}.refA.txt": [p.reference for p in passages],
        **{f"system-outputs/{pair}/{s}.txt": [p.outputs[i] for p in passages] for i, s in enumerate(material.systems)},
    }
    files = {name: [_line(text) for text in column] for name, column in texts.items()}
    files[f"documents/{pair}.docs"] = [f"all\t{p.document}\n" for p in passages]
    name = campaign.protocol.name.upper()
    if isinstance(judged, Rankings):
        means = {r.system: r.score for r in rank(judged)}
    else:
        scored = require_assessments(judged)
        values = scored.score
        if np.isnan(values).all():  # errors alone: as mt-metrics-eval has MQM, less is worse
            values = -penalties(scored, read_weights(WEIGHTS))[0]
        kept = np.isin(scored.kind, (Kind.SYSTEM, Kind.REPEAT)) & ~np.isnan(values)
        shape = (len(material.systems), len(passages))
        sums, n = np.zeros(shape), np.zeros(shape)
        np.add.at(sums, (scored.system[kept], scored.segment[kept]), values[kept])
        np.add.at(n, (scored.system[kept], scored.segment[kept]), 1)
        cells = np.divide(sums, n, out=np.full(shape, np.nan), where=n > 0)
        files[f"human-scores/{pair}.{name}.seg.score"] = [
            f"{system}\t{'None' if math.isnan(x) else repr(float(x))}\n"
            for system, row in zip(material.systems, cells, strict=True)
            for x in row
        ]
        means = {
            s: float(np.nanmean(row)) for s, row in zip(material.systems, cells, strict=True) if (row == row).any()
        }
    files[f"human-scores/{pair}.{name}.sys.score"] = [f"{s}\t{means.get(s)}\n" for s in material.systems]
    for place, pieces in files.items():
        file = path / place
        if not file.resolve().is_relative_to(path.resolve()):
            raise InputError(f"{place} is no name of a file.", hint="Rename the system.")
        file.parent.mkdir(parents=True, exist_ok=True)
        lines.write(file, pieces)
    if isinstance(judged, Assessments):
        ratings.write(judged, path, pair, name, [passage.name for passage in passages])


_WRITERS: dict[str, Callable[[Campaign, pathlib.Path], None]] = {
    "records": _write_records,
    "wmt": _write_wmt,
    "appraise": _write_appraise,
    "mt-metrics-eval": _write_folder,
    "log": _write_log,
}


@verb(ImportOptions)
def import_answers(asked: ImportOptions) -> int:
    """Take in the log or a copy of a campaign, or judgements of the same test set; how many events are new.

    A campaign that is not there is made from them. What is there already is not stored again.
    """
    given = asked.judgements
    if not isinstance(given, Judgements):
        if is_database(given) or (os.path.isfile(given) and lines.head(given, len(SQLITE)) == SQLITE):
            with Log(given) as log, as_told(log.name):
                told = _LogFile(log.name, log.passages(), log.batches(), list(log.events()))
                same = not Log.is_there(asked.campaign) or _is_same(asked.campaign, told)
            if same:
                return _import_told(asked.campaign, told)
        elif _is_log(pathlib.Path(given)):
            return _import_told(asked.campaign, _read_log(pathlib.Path(given)))
    with storing(asked.campaign, new=False), Campaign(Log(asked.campaign)) as campaign:
        judged = match_systems(
            inputs.judgements(given, None, campaign.material.pair or None), campaign.material.systems
        )
        stored = campaign.write(list(_events(campaign, judged)))
        return sum(entry.new for entry in stored)


def _is_log(path: pathlib.Path) -> bool:
    return path.is_file() and lines.head(path, 40).startswith(b'{"tercet": "campaign"')


def _is_same(target: str | pathlib.Path, told: _LogFile) -> bool:
    """Whether a campaign that is there is the one that is told."""
    with Log(target) as log, as_told(log.name):
        return bool(next(log.events(0, 1)).body["secret"] == told.secret)


def _read_log(path: pathlib.Path) -> _LogFile:
    passages, batches, events = [], [], []
    for number, line in enumerate(lines.whole(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = sound_json(line)
            if "passage" in record:
                passages.append(record["passage"])
            elif "batch" in record:
                batches.append(list(record["batch"]))
            elif "event" in record:
                events.append(_told_event(record["event"]))
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
            raise InputError(f"{path}, line {number} is no line of a campaign's log.", hint="Is it whole?") from None
    return _LogFile(str(path), passages, batches, events)


def _import_told(target: str | pathlib.Path, told: _LogFile) -> int:
    events = list(told.events())
    if not events or events[0].kind != "created":
        raise InputError(f"{told.name} does not begin with a campaign.", hint="Is it whole?")
    campaign = Campaign(told)  # checked before anything is stored
    if Log.is_there(target):
        with storing(target, new=False), Log(target) as log, as_told(log.name):
            before = list(log.events())
            if before[0].body["secret"] != told.secret:
                raise InputError(f"{told.name} is of another campaign.", hint="Import judgements instead of a log.")
            known = {event.key for event in before}
            both = [*before, *(event for event in events if event.key not in known)]
            Campaign(_LogFile(told.name, log.passages(), log.batches(), both))
            return sum(entry.new for entry in log.append(events))
    log = Log.create(target)
    with storing(target), log:
        log.fill(campaign.material.passages, told.batches(), events[0])
        log.append(events[1:])
    return len(events)


class _LogFile(Log):
    """A log that was read, and is in no database."""

    def __init__(self, name: str, passages: list[Any], batches: list[Any], events: list[Event]) -> None:
        self.name, self._passages, self._batches, self._events = name, passages, batches, events

    @property
    def secret(self) -> Any:
        """What no other campaign has."""
        return self._events[0].body.get("secret") if self._events else None

    def passages(self) -> list[Any]:
        """What is shown, as it is told."""
        return self._passages

    def batches(self) -> list[list[dict[str, Any]]]:
        """What is handed out together."""
        return self._batches

    def events(self, after: int = 0, most: int | None = None) -> Iterator[Event]:
        """Every event that was read, in its order."""
        return iter(self._events)

    def close(self) -> None:
        """There is no connection to close."""


def _told_event(record: Any) -> Event:
    """An event of a log, whose values are of the kinds that a database holds."""
    event = Event(**record)
    texts = (event.key, event.actor, event.kind, event.item or "")
    if not all(isinstance(text, str) for text in texts) or not isinstance(event.body, dict):
        raise TypeError("no event")
    client = None if event.client_time is None else float(event.client_time)
    return dataclasses.replace(event, client_time=client, server_time=float(event.server_time))


def _events(campaign: Campaign, judged: Judgements) -> Iterator[Event]:
    """Judgements as events: judges who have no link, batches that were theirs, and their answers."""
    passages = {passage.name: i for i, passage in enumerate(campaign.material.passages)}
    systems = [campaign.material.systems.index(s) if s in campaign.material.systems else -1 for s in judged.systems]
    if judged.segments == columns.numbers(1, len(passages)):  # called by their places in the test set
        passages = {name: i for i, name in enumerate(judged.segments)}
    unknown = [s for s in judged.segments if s not in passages]
    if unknown or -1 in systems:
        raise InputError(
            f"{judged.file} is of another test set: it has {', '.join(unknown[:3]) or 'other systems'}.",
            hint="Segments must have the names of the campaign's.",
        )
    wanted = "rankings" if isinstance(judged, Rankings) else "assessments"
    if campaign.protocol.judgements != wanted or campaign.protocol.role("edit"):
        raise InputError(f"{judged.file} holds {wanted}, which {campaign.protocol.name} does not collect.", hint="")
    names = dict.fromkeys(judged.judges)
    known = {a.name: a.id for a in campaign.state.annotators.values()}
    ids = {name: known.get(name, f"i-{name}") for name in [*names, "unknown"]}
    for name, identity in ids.items():
        if name not in known:
            body = {"id": identity, "name": name, "token": f"none/{name}", "quota": 0}
            yield Event(f"annotator/{identity}/0", "system", "annotator", body)
    answers = (
        _ranking_answers(judged, campaign)
        if isinstance(judged, Rankings)
        else _assessment_answers(require_assessments(judged), campaign)
    )
    there, n = _imported(campaign), campaign.state.newest
    for row, (judge, segment, outputs, kind, answer, seconds) in enumerate(answers):
        actor = ids["unknown" if judge == UNKNOWN else judged.judges[judge]]
        spoilt = {"degraded": True} if kind == "degraded" else {}
        item = {
            "kind": kind,
            "passage": passages[judged.segments[segment]],
            "outputs": [{"systems": [systems[s] for s in members], **spoilt} for members in outputs],
        }
        problems = campaign.protocol.problems(answer, {"outputs": [{"text": " " * 10**6}] * len(outputs), "source": ""})
        if problems:
            raise InputError(f"{judged.file}, row {row + 1}: {'; '.join(problems)}.", hint="It is of another protocol.")
        said = {"answer": answer, "seconds": None if math.isnan(seconds) else seconds}
        if there[_as_one(actor, item, said)] > 0:  # it was taken in before
            there[_as_one(actor, item, said)] -= 1
            continue
        n += 1
        name = item_name(n, 0)
        yield Event(f"lease/{actor}/{n}/0", actor, "leased", {"batch": n, "items": [item], "turn": 0})
        yield Event(f"answer/{actor}/{name}/0", actor, "answered", said | {"public": f"import/{name}.0"}, name)


def _as_one(actor: str, item: Mapping[str, Any], said: Mapping[str, Any]) -> str:
    """All that makes a judgement, as one text."""
    return json.dumps([actor, item, said["answer"], said["seconds"]], sort_keys=True)


def _imported(campaign: Campaign) -> collections.Counter[str]:
    """Judgements that were taken in before, each as often as it was."""
    return collections.Counter(
        _as_one(annotator.id, campaign.state.batches[item_place(name)[0]].items[0], event.body)
        for annotator in campaign.state.annotators.values()
        for name, event in annotator.answers.items()
        if event.body["public"].startswith("import/")
    )


def _ranking_answers(x: Rankings, campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    choice, field = campaign.protocol.role("choice"), campaign.protocol.role("rank")
    for task in range(len(x)):
        items = range(x.starts[task], x.starts[task + 1])
        ranks = [int(x.rank[i]) for i in items]
        if not ranks or min(ranks) < 1:
            continue  # a skipped task is no answer
        order = sorted(set(ranks)) if max(ranks) > len(ranks) else list(range(1, len(ranks) + 1))
        answer: dict[str, Any] = {"outputs": [{field: order.index(r) + 1} for r in ranks]}
        if choice is not None:
            choices = next(f.choices for f in campaign.protocol.fields if f.name == choice)
            answer = {choice: choices[1 + (ranks[0] > ranks[-1]) - (ranks[0] < ranks[-1])]}
        seconds = math.nan if x.seconds is None else float(x.seconds[task])
        yield x.judge[task], x.segment[task], [x.outputs[x.output[i]] for i in items], "output", answer, seconds


def _assessment_answers(x: Assessments, campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    kinds = {Kind.SYSTEM: "output", Kind.REPEAT: "repeat", Kind.REFERENCE: "reference", Kind.BAD_REFERENCE: "degraded"}
    score, marked = campaign.protocol.role("score"), campaign.protocol.role("spans")
    asked = next((field for field in campaign.protocol.fields if field.name == marked), None)
    spans = _spans(x)
    for row in range(len(x)):
        values: dict[str, Any] = {} if score is None else {score: float(x.score[row])}
        values |= {name: float(column[row]) for name, column in (x.scales or {}).items()}
        if asked is not None:
            values[asked.name] = [_span_back(span, asked) for span in json.loads(spans.get(row, "[]"))]
        seconds = math.nan if x.seconds is None else float(x.seconds[row])
        members = [(int(x.system[row]),)]
        yield x.judge[row], x.segment[row], members, kinds[Kind(int(x.kind[row]))], {"outputs": [values]}, seconds


def _span_back(span: dict[str, Any], asked: Field) -> dict[str, Any]:
    """A span as an answer has it; what has no place may be called after that (see `judged`), without a category."""
    lost, category = span["start_i"] == "missing", span.get("error_type")
    named = lost and category in (MISSING, SOURCE) and category not in asked.category_names
    return {
        "side": "source" if named and category == SOURCE and "source" in asked.sides else "target",
        "start": None if lost else span["start_i"],
        "end": None if lost else span["end_i"] + 1,
        "severity": span["severity"],
        "category": None if named else category,
    }
