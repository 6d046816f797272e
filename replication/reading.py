"""Metrics that read beside those that count, on WMT14 and WMT15 into English: `python -m replication.reading`.

BERTr, BERTScore and YiSi-1 over the small English encoder of the extra `neural-en`, beside METEOR, chrF and SENTBLEU:
Kendall's tau of segments, with intervals over segments, and tests of BERTr against each. An encoder reads some hundred
sentences a second, so by default only the segments are taken of which people said most; `--segments 0` takes all.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import cast

import numpy as np

import tercet
from replication.beer import FROM_2015, MEASURE
from replication.metrics_wmt14 import FOLDER as WMT14
from replication.metrics_wmt14 import PREFERENCES
from replication.metrics_wmt15 import FOLDER as WMT15
from replication.metrics_wmt15 import PAIRS
from replication.rows import DATA
from tercet.data import MetaEvaluation, Rankings, References, TestSet, Texts
from tercet.numbers import coefficient
from tercet.report import Table, render

METRICS = {
    "bertr": "bertr",
    "bertscore": "bertscore",
    "yisi-1": "yisi-1(model=minilm)",
    "cosine": "cosine",
    "meteor": "meteor",
    "chrf": "chrf",
    "sentbleu": "sentbleu(lowercase=unicode)",
}
FROM_2014 = ("cs-en", "de-en")
DIRECTIONS = [*(("WMT14", pair) for pair in FROM_2014), *(("WMT15", pair) for pair in FROM_2015)]


def judged(year: str, pair: str) -> tuple[TestSet, Rankings]:
    """Texts and judgements of a direction."""
    if year == "WMT14":
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


def agreement(year: str, pair: str, metrics: dict[str, str], number: int) -> MetaEvaluation:
    """Taus of one direction."""
    texts, people = most_judged(*judged(year, pair), number)
    return tercet.meta(
        testset=texts,
        judgements=people,
        metrics=metrics,
        level="segment",
        measures=MEASURE,
        interval="items",
    )


def table(answers: dict[str, MetaEvaluation], metrics: list[str]) -> Table:
    """Metrics by directions, with intervals; below, how sure the first is better than each."""
    rows = []
    for name in metrics:
        records = [next(r for r in answer if r.metric == name) for answer in answers.values()]
        rows.append((name, *(coefficient(r.value, 3, r.half_width) for r in records)))
    notes = [f"{MEASURE}; ± is half of a 95% interval over segments drawn anew"]
    for direction, answer in answers.items():
        n = answer.records[0].n
        for tests in answer.tests:
            first = tests.metrics.index(metrics[0])
            told = [f"{m} {tests.p[first, i]:.3f}" for i, m in enumerate(tests.metrics) if i != first]
            notes.append(f"{direction} ({n} comparisons): p that {metrics[0]} is no better than {', '.join(told)}")
    return Table(("metric", *answers), tuple(rows), tuple(notes))


def main() -> None:
    """Score, hold against people, print."""
    parser = argparse.ArgumentParser(prog="python -m replication.reading", description=__doc__)
    parser.add_argument("-m", "--metric", action="append", help="metric, in place of the usual ones; several")
    parser.add_argument("-d", "--direction", action="append", help="as WMT14:cs-en; several")
    parser.add_argument("--segments", type=int, default=700, help="segments of a direction, 0 for all")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit("This needs ../shared/data beside the project.")
    metrics = {spec: spec for spec in options.metric} if options.metric else METRICS
    wanted = [tuple(d.split(":")) for d in options.direction] if options.direction else DIRECTIONS
    answers = {f"{year} {pair}": agreement(year, pair, metrics, options.segments) for year, pair in wanted}
    print(render(table(answers, list(metrics)), "table"))


if __name__ == "__main__":
    main()
