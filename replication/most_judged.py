"""Texts and judgements of a direction into English, and the segments of it of which people said most."""

from __future__ import annotations

import dataclasses
from typing import cast

import numpy as np

import tercet
from replication.metrics_wmt14 import FOLDER as WMT14
from replication.metrics_wmt14 import PREFERENCES
from replication.metrics_wmt15 import FOLDER as WMT15
from replication.metrics_wmt15 import PAIRS
from replication.metrics_wmt19 import FOLDER as WMT19
from tercet.data import Rankings, References, TestSet, Texts


def judged(year: str, pair: str) -> tuple[TestSet, Rankings]:
    """Texts and judgements of a direction."""
    if year == "WMT19":
        people = tercet.read_judgements(WMT19 / f"daRR.{pair}.tsv.gz", pair=pair)
        texts = tercet.read_testset(WMT19 / f"newstest2019.{pair}.tsv.gz")
    elif year == "WMT14":
        people = tercet.read_judgements(PREFERENCES, pair=pair)
        texts = tercet.read_testset(WMT14 / f"newstest2014.{pair}.tsv.gz")
    else:
        people = tercet.read_judgements(WMT15 / f"wmt15.rankings.{PAIRS[pair]}.csv.gz", pair=pair)
        texts = tercet.read_testset(WMT15 / f"newstest2015.{pair}.tsv.gz")
    return texts, cast(Rankings, people)


def most_judged(texts: TestSet, people: Rankings, number: int) -> tuple[TestSet, Rankings]:
    """The segments with most comparisons, of equals the first, and what was said of them; all for 0."""
    known = {name: i for i, name in enumerate(texts.segments)}
    sizes = np.diff(people.starts)
    counts = np.bincount(people.segment, sizes * (sizes - 1) // 2, minlength=len(people.segments))
    order = sorted(range(len(counts)), key=lambda place: (-counts[place], known[people.segments[place]]))
    chosen = np.array(sorted(order[: number or None]))
    tasks = np.flatnonzero(np.isin(people.segment, chosen))
    items = np.concatenate([np.arange(people.starts[t], people.starts[t + 1]) for t in tasks])
    rows = [known[people.segments[place]] for place in chosen]
    references = texts.references or References.of([])
    some = TestSet(
        segments=tuple(texts.segments[i] for i in rows),
        systems={name: Texts.of([column[i] for i in rows]) for name, column in texts.systems.items()},
        references=References.of([list(references[i]) for i in rows]),
    )
    return some, dataclasses.replace(
        people,
        segments=tuple(people.segments[place] for place in chosen),
        segment=np.searchsorted(chosen, people.segment[tasks]),
        judge=people.judge[tasks],
        starts=np.concatenate([[0], np.cumsum(sizes[tasks])]),
        output=people.output[items],
        rank=people.rank[items],
        seconds=None,
        line=None,
    )
