"""The answers of a campaign as `Judgements`: a format of judgements like any other, so that every verb reads it.

What was taken back is not there, nor are tutorials, annotators who were excluded, and rankings with a degraded output
among them; what was left out is counted in notes. Assessments of degraded outputs, repeats and references are there, by
their kind. Marks on the source and missing content have no place in the translation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tercet.campaigns.active import RANKER
from tercet.campaigns.campaign import Campaign, ranks_of
from tercet.campaigns.log import Event, Log, as_told
from tercet.campaigns.state import TUTORIAL, Annotator, item_place
from tercet.data import Assessments, Judgements, Kind, Rankings
from tercet.data.quality import JudgedText
from tercet.errors import InputError
from tercet.formats import languages
from tercet.formats.lines import File
from tercet.formats.names import Names
from tercet.formats.spans import ErrorList, Span

MISSING, SOURCE = "missing", "Source"  # categories of what has no place in the translation
KINDS = {
    "output": Kind.SYSTEM,
    "repeat": Kind.REPEAT,
    "reference": Kind.REFERENCE,
    "degraded": Kind.BAD_REFERENCE,
}


def read(path: File, pair: str | None = None) -> Judgements:
    """The judgements of a campaign, by its file or the URL of its database."""
    with Campaign(Log(path)) as campaign:
        there = campaign.material.pair
        if pair and there and languages.wanted_pair(pair) != there:
            raise InputError(
                f"{campaign.log.name} is of {there}, not of {pair}.", hint=f"Leave it out, or name {there}."
            )
        with as_told(campaign.log.name):
            return judgements_of(campaign)


def texts(path: File) -> list[JudgedText]:
    """The outputs that were judged, in the order of the test set; of post-editing, what they became."""
    with Campaign(Log(path)) as campaign, as_told(campaign.log.name):
        field, material = campaign.protocol.role("edit"), campaign.material
        judged = []
        for _, event, item in _answers(campaign):
            if item["kind"] not in ("output", "degraded"):
                continue
            shown = campaign.shown(str(event.item))["outputs"]
            for place, output in enumerate(item["outputs"]):
                if output.get("degraded"):
                    continue
                edited = None if field is None else event.body["answer"]["outputs"][place][field]
                seconds = _seconds(event) / len(item["outputs"])
                judged += [(item["passage"], s, shown[place]["text"], edited, seconds) for s in output["systems"]]
        judged.sort(key=lambda row: row[0])
        return [
            JudgedText(
                material.systems[s], material.passages[p].name, text, edited, seconds, material.passages[p].source
            )
            for p, s, text, edited, seconds in judged
        ]


def pairs(path: File) -> list[str]:
    """The language pair of a campaign, if it says so."""
    with Campaign(Log(path)) as campaign:
        return [campaign.material.pair] if campaign.material.pair else []


def judgements_of(campaign: Campaign) -> Judgements:
    """All that was answered and stands."""
    answers = _answers(campaign)
    if campaign.protocol.judgements == "rankings":
        return _rankings(campaign, answers)
    return _assessments(campaign, answers)


def _answers(campaign: Campaign) -> list[tuple[Annotator, Event, Mapping[str, Any]]]:
    answers = list(standing(campaign))
    if not answers:
        raise InputError(f"{campaign.log.name} has no answers yet.", hint="See tercet campaign status.")
    return answers


def standing(campaign: Campaign) -> Iterator[tuple[Annotator, Event, Mapping[str, Any]]]:
    """Answers that stand, with who gave them and to what, in the order in which they came."""
    answers = [
        (annotator, event)
        for annotator in campaign.state.annotators.values()
        if annotator.excluded is None
        for event in annotator.answers.values()
    ]
    for annotator, event in sorted(answers, key=lambda answer: answer[1].seq):
        n, place = item_place(str(event.item))
        if n != TUTORIAL:
            yield annotator, event, campaign.state.batches[n].items[place]


def _notes(campaign: Campaign, checks: int) -> tuple[str, ...]:
    excluded = [a for a in campaign.state.annotators.values() if a.excluded is not None]
    lost = sum(len(a.answers) for a in excluded)
    notes = [f"{lost} answers of {len(excluded)} annotators who were excluded are left out."] if lost else []
    if campaign.active is not None:
        notes.append(f"Systems were drawn by what is known of them: the ranker for such judgements is {RANKER}.")
    return (*notes, *([f"{checks} rankings with a degraded output among them are left out."] if checks else []))


def _names(campaign: Campaign) -> dict[str, Any]:
    material = campaign.material
    return {
        "pair": material.pair,
        "systems": material.systems,
        "segments": tuple(passage.name for passage in material.passages),
        "judges": tuple(annotator.name for annotator in campaign.state.annotators.values()),
        "file": campaign.log.name,
    }


def _rankings(campaign: Campaign, answers: Sequence[tuple[Annotator, Event, Mapping[str, Any]]]) -> Rankings:
    judges = {name: i for i, name in enumerate(campaign.state.annotators)}
    outputs: Names[tuple[int, ...]] = Names()
    tasks: list[tuple[int, int, float]] = []
    starts, shown, ranks = [0], [], []
    checks = 0
    for annotator, event, item in answers:
        if item["kind"] == "degraded":
            checks += 1
            continue
        tasks.append((item["passage"], judges[annotator.id], _seconds(event)))
        shown += [outputs[tuple(output["systems"])] for output in item["outputs"]]
        ranks += ranks_of(campaign.protocol, event.body["answer"])
        starts.append(len(shown))
    segment, judge, seconds = zip(*tasks, strict=True) if tasks else ((), (), ())
    return Rankings(
        **_names(campaign),
        notes=_notes(campaign, checks),
        outputs=tuple(outputs),
        segment=_ints(segment),
        judge=_ints(judge),
        starts=_ints(starts),
        output=_ints(shown),
        rank=_ints(ranks),
        seconds=np.array(seconds, dtype=np.float64),
    )


def _assessments(campaign: Campaign, answers: Sequence[tuple[Annotator, Event, Mapping[str, Any]]]) -> Assessments:
    judges = {name: i for i, name in enumerate(campaign.state.annotators)}
    protocol, errors = campaign.protocol, ErrorList()
    spans, scale_names = protocol.role("spans"), list(protocol.data.get("scales", []))
    rows: list[tuple[int, int, int, int, int]] = []
    numbers: list[tuple[float, ...]] = []
    sittings: Names[tuple[int, str]] = Names()
    for annotator, event, item in answers:
        n, _ = item_place(str(event.item))
        for place, output in enumerate(item["outputs"]):
            values = event.body["answer"]["outputs"][place]
            kind = Kind.SYSTEM if item["kind"] == "degraded" and not output.get("degraded") else KINDS[item["kind"]]
            scales = [float(values[name]) for name in scale_names]
            for system in output["systems"] or _originals(campaign, n, item):
                for span in (values.get(spans) or []) if spans else ():
                    errors.add(len(rows), _span(span))
                rows.append((judges[annotator.id], system, item["passage"], int(kind), sittings[n, annotator.id]))
                score = _score(campaign, event, place, scales)
                numbers.append((score, _seconds(event) / len(item["outputs"]), *scales))
    judge, system, segment, kinds, task = _ints(rows).reshape(-1, 5).T
    scores, seconds, *columns = np.array(numbers, dtype=np.float64).reshape(len(rows), -1).T
    passages = campaign.material.passages
    return Assessments(
        **_names(campaign),
        notes=_notes(campaign, 0),
        judge=judge,
        system=system,
        segment=segment,
        kind=kinds,
        score=scores,
        seconds=seconds,
        task=task,
        errors=errors.errors() if spans else None,
        documents=tuple(passage.document for passage in passages),
        scales=dict(zip(scale_names, columns, strict=True)) or None,
    )


def _originals(campaign: Campaign, n: int, item: Mapping[str, Any]) -> list[int]:
    """The systems of the item that a control was made from."""
    return list(campaign.state.batches[n].items[item["original"]]["outputs"][0]["systems"])


def _score(campaign: Campaign, event: Event, place: int, scales: Sequence[float]) -> float:
    """The score of an output: as given, the mean of its scales, or what of it was not edited; NaN without any."""
    if scales:
        return sum(scales) / len(scales)
    if campaign.protocol.role("edit") is not None:
        return 100.0 - 100.0 * float(event.body["edits"][place]["hter"])
    field = campaign.protocol.role("score")
    return math.nan if field is None else float(event.body["answer"]["outputs"][place][field])


def _span(span: Mapping[str, Any]) -> Span:
    category = span.get("category")
    if span.get("side", "target") != "target" or span.get("start") is None:
        lost = category or (SOURCE if span.get("side") == "source" else MISSING)
        return Span(lost, span["severity"])
    return Span(category, span["severity"], int(span["start"]), int(span["end"]))


def _seconds(event: Event) -> float:
    seconds = event.body.get("seconds")
    return math.nan if seconds is None else float(seconds)


def _ints(values: Sequence[Any]) -> Any:
    return np.array(values, dtype=np.int64)
