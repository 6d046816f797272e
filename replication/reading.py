"""Metrics that read beside those that count, on WMT14, WMT15 and WMT19 into English: `python -m replication.reading`.

BERTr, BERTScore and YiSi-1 over the small English encoder of the extra `neural-en`, beside METEOR, chrF and SENTBLEU:
Kendall's tau of segments, with intervals over segments, and tests of BERTr against each. An encoder reads some hundred
sentences a second, so by default only the segments are taken of which people said most; `--segments 0` takes all.
"""

from __future__ import annotations

import argparse
import sys

import tercet
from replication.beer import FROM_2015, MEASURE
from replication.most_judged import judged, most_judged
from replication.rows import DATA
from tercet.data import MetaEvaluation
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
FROM_2019 = ("kk-en", "lt-en")
DIRECTIONS = [
    *(("WMT14", pair) for pair in FROM_2014),
    *(("WMT15", pair) for pair in FROM_2015),
    *(("WMT19", pair) for pair in FROM_2019),
]


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
        of = "systems" if answer.records[0].level == "system" else "comparisons"
        for tests in answer.tests:
            first = tests.metrics.index(metrics[0])
            told = [f"{m} {tests.p[first, i]:.3f}" for i, m in enumerate(tests.metrics) if i != first]
            notes.append(f"{direction} ({n} {of}): p that {metrics[0]} is no better than {', '.join(told)}")
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
