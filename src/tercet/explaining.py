"""`explain`: why one segment scores as it does, for one hypothesis or two side by side, from texts or a test set."""

from __future__ import annotations

import dataclasses
import difflib
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from tercet import inputs
from tercet.data import TestSet
from tercet.data.explanation import Explanations
from tercet.errors import InputError
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.numbers import counted
from tercet.options import verb
from tercet.options.groups import TextOptions, name_systems, worker_threads
from tercet.options.scoring import ExplainOptions
from tercet.scoring import metric_signature
from tercet.signing import data_text, fingerprints

MOST = 2  # hypotheses side by side
LONGEST_NAME = 256  # of a file; a longer text is none
File = str | pathlib.Path


@verb(ExplainOptions)
def explain(asked: ExplainOptions) -> Explanations:
    """Why a segment scores as it does: the numbers of the formula, matches, n-grams, edits.

    One hypothesis or two, with their references; or a segment of a test set or of files, a line each, from all
    references of which NIST then takes its weights, as `score` does.

    >>> found = explain("ter", "the cat sat", "the black cat sat")
    >>> [each.score for each in found], [edit.kind for edit in found.records[0].edits.edits]
    ([25.0], ['match', 'insertion', 'match', 'match'])
    """
    chosen = METRICS.make(asked.metric)
    learnt_from: dict[str, str] = {}
    segment = ""
    if asked.testset is None and asked.segment is None:
        _refuse(asked, "systems", "testset_format", "pair")
        named, given, learnt = _given(asked.hypotheses), _one_or_several(asked.references), None
        source = asked.source
    else:
        whole = _whole(asked)
        row = _row(whole, asked.segment)
        segment = whole.segments[row]
        named = {name: whole.systems[name][row] for name in _named_systems(whole, asked.systems)}
        given = None if whole.references is None else list(whole.references[row])
        source = None if whole.sources is None else whole.sources[row]
        learnt = _learnt(chosen, whole)
        if learnt is not None:
            learnt_from = {"learnt": fingerprints(whole)["references"]}
    _check_needs(chosen, given, source)
    explanations = [
        dataclasses.replace(chosen.explain(text, given, source, learnt=learnt), system=name)
        for name, text in named.items()
    ]
    signed = metric_signature(chosen, {"nrefs": len(given or ())})
    data = fingerprints(_as_testset(named, given, source)) | learnt_from
    return Explanations(tuple(explanations), f"explain|{signed}|{data_text(data)}", segment, source or "")


def _whole(asked: ExplainOptions) -> TestSet:
    """The test set that a segment is of: one file or folder, or files of lines."""
    if asked.testset is not None:
        inputs.require_alone(asked, "hypotheses", "references", "source")
        return inputs.whole_testset(asked.testset, asked.testset_format, asked.pair)
    _refuse(asked, "testset_format", "pair")
    files = _one_or_several(asked.hypotheses)
    if not files:
        raise InputError(
            f"There is no file that segment {asked.segment} could be of.",
            hint="Name files, --hyp FILE --ref FILE --segment NUMBER, or a test set with --testset.",
        )
    for name, path in name_systems(files).items():
        if not path.exists():
            raise InputError(
                f"There is no file {name[:LONGEST_NAME]!r} to take segment {asked.segment} of.",
                hint="Check the name, or leave out the segment to explain the text itself.",
            )
    references = [pathlib.Path(file) for file in _one_or_several(asked.references) or []]
    sources = None if asked.source is None else pathlib.Path(asked.source)
    return inputs.texts(TextOptions(name_systems(files), references or None, sources=sources))


def _as_testset(named: Mapping[str, str], references: list[str] | None, source: str | None) -> TestSet:
    """What is explained, as a test set of one segment."""
    outputs = {name: [text] for name, text in named.items()}
    sources = None if source is None else [source]
    return TestSet.of(outputs, [references] if references else None, sources=sources)


def _given(hypotheses: str | Sequence[str] | None) -> Mapping[str, str]:
    texts = _one_or_several(hypotheses) or []
    if any(len(text) < LONGEST_NAME and os.path.isfile(text) for text in texts):
        raise InputError("The hypothesis is the name of a file.", hint="Say which line: --segment 12, from 1.")
    if not texts:
        raise InputError(
            "There is no hypothesis to explain.",
            hint="Give one or two with --hyp, or files or a test set with --segment.",
        )
    _require_few(len(texts))
    return {"": texts[0]} if len(texts) == 1 else {f"hypothesis {i}": text for i, text in enumerate(texts, 1)}


def _one_or_several(texts: str | Sequence[str] | None) -> list[str] | None:
    return None if texts is None else [texts] if isinstance(texts, str) else list(texts)


def _require_few(number: int) -> None:
    if number > MOST:
        raise InputError(f"{number} hypotheses do not stand side by side.", hint=f"Choose one or {MOST}.")


def _refuse(asked: ExplainOptions, *names: str) -> None:
    wrong = [name for name in names if getattr(asked, name) is not None]
    if wrong:
        raise InputError(f"There is no test set for {' and '.join(wrong)}.", hint="Name one with --testset.")


def _row(testset: TestSet, segment: str | None) -> int:
    if segment is None:
        raise InputError("Which segment is to be explained?", hint="Name it with --segment, by its id in the test set.")
    if segment not in testset.segments:
        ids = testset.segments
        near = [] if segment.isdigit() else difflib.get_close_matches(segment, ids, n=3)
        known = f"{', '.join(near)} and others" if near else f"{counted(len(ids), 'segment')}, {ids[0]} to {ids[-1]}"
        raise InputError(f"The test set has no segment {segment!r}.", hint=f"It has {known}.")
    return testset.segments.index(segment)


def _named_systems(testset: TestSet, systems: str | Sequence[str] | None) -> list[str]:
    known = ", ".join(testset.systems)
    wanted = _one_or_several(systems) or list(testset.systems)
    for name in wanted:
        if name not in testset.systems:
            raise InputError(f"The test set has no system {name!r}.", hint=f"It has {known}.")
    if not systems and len(wanted) > MOST:
        raise InputError(
            f"The test set has {len(wanted)} systems.", hint=f"Name one or two of them with --system: {known}."
        )
    _require_few(len(wanted))
    return wanted


def _learnt(metric: Metric, testset: TestSet) -> Any:
    if not metric.learns or testset.references is None:
        return None
    return metric.learn([testset.references], worker_threads())


def _check_needs(metric: Metric, references: Sequence[str] | None, source: str | None) -> None:
    for need, there, how in (
        ("references", references, "Give one or more with --ref."),
        ("sources", source, "Give it with --source."),
    ):
        if need in metric.needs and there in (None, []):
            raise InputError(f"{metric} needs {need}, and there are none.", hint=how)
