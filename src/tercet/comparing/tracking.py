"""A run beside an earlier one: the outputs of the earlier are read from its JSON and scored again with today's metrics.

So both runs are always compared by the same numbers, whatever metrics were asked for then.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import Any

import numpy as np

from tercet.comparing.scores import Scored
from tercet.data import TestSet, Texts, Track
from tercet.data.comparison import FORMAT
from tercet.errors import InputError
from tercet.formats import lines

File = str | pathlib.Path
_AGAIN = "Write it again with tercet compare -f json."


def is_earlier_run(baseline: str | pathlib.Path | None, testset: TestSet) -> bool:
    """Whether a baseline is the file of an earlier run and not the name of a system."""
    if baseline is None or (isinstance(baseline, str) and baseline in testset.systems):
        return False
    return isinstance(baseline, pathlib.Path) or baseline.endswith((".json", ".json.gz"))


def with_earlier(testset: TestSet, path: File) -> tuple[TestSet, list[tuple[str, str]]]:
    """The test set with the earlier outputs of its systems before them, and pairs of a system and its earlier self."""
    earlier = _read(path)
    name = lines.shown(path)
    _require_same(testset, earlier, name)
    outputs: dict[str, list[str]] = earlier["outputs"]
    pairs = {system: system for system in testset.systems if system in outputs}
    if not pairs and len(outputs) == len(testset.systems) == 1:
        pairs = {next(iter(testset.systems)): next(iter(outputs))}
    if not pairs:
        raise InputError(
            f"{name} has none of the systems {', '.join(testset.systems)}.",
            hint=f"It has {', '.join(outputs)}: give a system the same name, NAME=FILE.",
        )
    called = {system: f"{old} (earlier)" for system, old in pairs.items()}
    before = {called[system]: Texts.of(outputs[old], f"earlier output of {old!r}") for system, old in pairs.items()}
    systems = {**before, **testset.systems}
    return dataclasses.replace(testset, systems=systems), list(called.items())


def _read(path: File) -> dict[str, Any]:
    """The test set of an earlier run, without what was itself earlier in it."""
    name = lines.shown(path)
    text = lines.whole(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is no JSON: {error}.", hint=_AGAIN) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"{name} is no comparison that was written before.", hint=_AGAIN)
    texts, tracks = content.get("testset"), content.get("tracks")
    outputs = texts.get("outputs") if isinstance(texts, dict) else None
    if not isinstance(texts, dict) or not isinstance(outputs, dict) or not isinstance(tracks, list):
        raise InputError(f"{name} holds no outputs.", hint=_AGAIN)
    dropped = [track.get("earlier") for track in tracks if isinstance(track, dict)]
    return {**texts, "outputs": {system: strings for system, strings in outputs.items() if system not in dropped}}


def _require_same(testset: TestSet, earlier: dict[str, Any], name: str) -> None:
    if earlier.get("segments") != list(testset.segments):
        raise InputError(
            f"{name} is of another test set: its segments are not these.",
            hint="Compare with a run on the same segments, or write a new one to compare with.",
        )
    refs = testset.references
    references = None if refs is None else [list(group) for group in refs]
    if earlier.get("references") != references:
        raise InputError(
            f"{name} was scored against other references.",
            hint="Compare with a run on the same references, or write a new one to compare with.",
        )


def tracks(testset: TestSet, pairs: list[tuple[str, str]], first: Scored) -> tuple[Track, ...]:
    """Which sentences changed, and which got better or worse by the first metric."""
    systems = list(testset.systems)
    sign = 1 if first.metric.higher_is_better else -1
    tracked = []
    for now, before in pairs:
        gains = sign * (first.segments[systems.index(now)] - first.segments[systems.index(before)])
        both = zip(testset.systems[now], testset.systems[before], strict=True)
        changed = tuple(i for i, (a, b) in enumerate(both) if a != b)
        better, worse = (np.argsort(-s * gains, kind="stable")[: int((s * gains > 0).sum())] for s in (1, -1))
        tracked.append(Track(now, before, changed, tuple(better.tolist()), tuple(worse.tolist())))
    return tuple(tracked)
