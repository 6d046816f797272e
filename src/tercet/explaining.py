"""`explain`: why one segment scores as it does, for one hypothesis or two side by side, from texts or a test set."""

from __future__ import annotations

import dataclasses
import difflib
import pathlib
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from tercet.data import TestSet
from tercet.data.explanation import Explanations
from tercet.errors import InputError
from tercet.formats import directory, read_testset
from tercet.metric import Metric, default_threads
from tercet.metrics import METRICS
from tercet.scoring import signature

MOST = 2  # hypotheses side by side
File = str | pathlib.Path


def explain(
    metric: str | Metric,
    hypotheses: str | Sequence[str] | None = None,
    references: str | Sequence[str] | None = None,
    *,
    source: str | None = None,
    testset: TestSet | File | None = None,
    testset_format: str | None = None,
    pair: str | None = None,
    segment: str | None = None,
    systems: str | Sequence[str] | None = None,
) -> Explanations:
    """Why a segment scores as it does: the numbers of the formula, matches, n-grams, edits.

    Parameters
    ----------
    metric
        The metric or its spec.
    hypotheses, references, source
        One hypothesis or two, and the reference or references of that one segment.
    testset, segment, systems
        Instead: a `TestSet`, or the file or folder of one; the name of a segment in it, and one system or two. NIST
        then takes its weights from all references of the test set, as `score` does.
    testset_format, pair
        The format of that file, where its name does not tell; the language pair, where a folder has several.

    >>> found = explain("ter", "the cat sat", "the black cat sat")
    >>> [each.score for each in found], [edit.kind for edit in found.records[0].edits.edits]
    ([25.0], ['match', 'insertion', 'match', 'match'])
    """
    chosen = METRICS.make(metric)
    if testset is None:
        _refuse({"segment": segment, "systems": systems, "testset_format": testset_format, "pair": pair})
        named, given, learnt = _given(hypotheses), _one_or_several(references), None
    else:
        _refuse_texts({"hypotheses": hypotheses, "references": references, "source": source})
        whole = _read(testset, testset_format, pair)
        row = _row(whole, segment)
        named = {name: whole.systems[name][row] for name in _named_systems(whole, systems)}
        given = None if whole.references is None else list(whole.references[row])
        source = None if whole.sources is None else whole.sources[row]
        learnt = _learnt(chosen, whole)
    _check_needs(chosen, given, source)
    found = [
        dataclasses.replace(chosen.explain(text, given, source, learnt=learnt), system=name)
        for name, text in named.items()
    ]
    facts = f"nrefs:{len(given or ())}|tercet:{version('tercet')}"
    return Explanations(tuple(found), f"explain|{signature(chosen, facts)}")


def _given(hypotheses: str | Sequence[str] | None) -> Mapping[str, str]:
    texts = _one_or_several(hypotheses) or []
    if not texts:
        raise InputError(
            "There is no hypothesis to explain.", hint="Give one or two with --hyp, or a test set with --segment."
        )
    _require_few(len(texts))
    return {"": texts[0]} if len(texts) == 1 else {f"hypothesis {i}": text for i, text in enumerate(texts, 1)}


def _one_or_several(texts: str | Sequence[str] | None) -> list[str] | None:
    return None if texts is None else [texts] if isinstance(texts, str) else list(texts)


def _require_few(number: int) -> None:
    if number > MOST:
        raise InputError(f"{number} hypotheses do not stand side by side.", hint=f"Choose one or {MOST}.")


def _refuse(given: Mapping[str, Any]) -> None:
    wrong = [name for name, value in given.items() if value is not None]
    if wrong:
        raise InputError(f"There is no test set for {' and '.join(wrong)}.", hint="Name one with --testset.")


def _refuse_texts(given: Mapping[str, Any]) -> None:
    wrong = [name for name, value in given.items() if value]
    if wrong:
        raise InputError(
            f"Give a test set or {' and '.join(wrong)}, not both.", hint="A test set has all of them in it."
        )


def _read(testset: TestSet | File, form: str | None, pair: str | None) -> TestSet:
    if isinstance(testset, TestSet):
        return testset
    return directory.read(testset, pair) if pair is not None else read_testset(testset, form)


def _row(testset: TestSet, segment: str | None) -> int:
    if segment is None:
        raise InputError("Which segment is to be explained?", hint="Name it with --segment, by its id in the test set.")
    if segment not in testset.segments:
        near = difflib.get_close_matches(segment, testset.segments, n=3) or list(testset.segments[:3])
        raise InputError(f"The test set has no segment {segment!r}.", hint=f"It has {', '.join(near)} and others.")
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
    return metric.learn([testset.references], default_threads())


def _check_needs(metric: Metric, references: Sequence[str] | None, source: str | None) -> None:
    for need, there, how in (
        ("references", references, "Give one or more with --ref."),
        ("sources", source, "Give it with --source."),
    ):
        if need in metric.needs and there in (None, []):
            raise InputError(f"{metric} needs {need}, and there are none.", hint=how)
