"""Metrics that read beside those that count and the best in print, both levels: `python -m replication.readers`.

BERTr and the mixture `neural` over the small English encoder, beside METEOR, BEER and chrF, on the whole test sets of
WMT14 (cs-en, de-en), WMT15 and WMT19 into English. A mixture is only fair on years that it has not seen, so one is
learnt on WMT15 for WMT14 and one on WMT14 for WMT15; the one that Tercet comes with, which has seen 80 segments of each
direction of both, is fair on WMT19. BEER takes part with the model of its authors.

Reading is what takes long, some nine milliseconds a text: `--scores FOLDER` keeps the scores of each direction, which a
second run takes as they are, and which `tercet meta --scores` reads.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

import tercet
from replication import metrics_wmt15
from replication.beer import FROM_2015, MEASURE, PUBLISHED
from replication.metrics import published
from replication.metrics_wmt19 import score_file
from replication.most_judged import judged
from replication.neural import trained
from replication.reading import FROM_2014, FROM_2019
from replication.reading import table as agreement_table
from replication.rows import DATA
from tercet.data import Array, MetaEvaluation, MetaLevel, MetricScores, Rankings, TestSet
from tercet.formats import read_scores, write_scores
from tercet.human.names import match_systems
from tercet.metrics.combine import Mixture
from tercet.numbers import coefficient
from tercet.report import Table, render
from tercet.scoring import statistics

PARTS = {
    "bertr": "bertr",
    "bertscore": "bertscore",
    "cosine": "cosine",
    "chrf3": "chrf3",
    "chrf++": "chrf++",
    "cder": "cder",
}
COUNTING = {"meteor": "meteor", "beer": f'beer(model="{PUBLISHED}")', "chrf": "chrf"}
UNSEEN, SHIPPED, BEST = "mixture, year unseen", "neural", "best in print"
SHOWN = ("bertr", UNSEEN, SHIPPED, "bertscore", *COUNTING)
YEARS = {"WMT14": FROM_2014, "WMT15": FROM_2015, "WMT19": ("de-en", "fi-en", *FROM_2019)}
MEASURES = {"WMT14": MEASURE, "WMT15": MEASURE, "WMT19": "kendall(variant=darr)"}
LEVELS: tuple[MetaLevel, ...] = ("segment", "system")
Scored = dict[str, MetricScores]


def texts_of(year: str, pair: str) -> tuple[TestSet, Rankings | None]:
    """Texts and what people said of them; of two directions of WMT19 there are no comparisons of segments."""
    if year == "WMT19" and pair not in FROM_2019:
        return tercet.read_testset(DATA / "wmt19-metrics" / f"newstest2019.{pair}.tsv.gz"), None
    texts, people = judged(year, pair)
    return texts, match_systems(people, texts.systems)


def scored(texts: TestSet, specs: Mapping[str, str], pair: str) -> dict[MetaLevel, Scored]:
    """Scores of both levels: system by system, so that what is read for one metric is at hand for the next."""
    made = {name: tercet.metric(spec) for name, spec in specs.items()}
    found: dict[str, list[tuple[Array, Array]]] = {name: [] for name in specs}
    for system, outputs in texts.systems.items():
        alone = dataclasses.replace(texts, systems={system: outputs})
        for name, metric in made.items():
            counted = statistics(alone, metric)
            found[name].append((counted.segments()[0], counted.corpus()))
    systems, levels = tuple(texts.systems), dict[MetaLevel, Scored]()
    for level in LEVELS:
        items = texts.segments if level == "segment" else ("",)
        for name, rows in found.items():
            values = np.stack([segments if level == "segment" else corpus for segments, corpus in rows])
            better = made[name].higher_is_better
            levels.setdefault(level, {})[name] = MetricScores(name, pair, level, systems, items, values, better)
    return levels


def kept(folder: pathlib.Path, year: str, pair: str) -> dict[MetaLevel, Scored]:
    """Scores of a direction, from the folder or to be kept there."""
    files = {level: folder / f"{year}.{pair}.{level}.tsv.gz" for level in LEVELS}
    if not all(file.exists() for file in files.values()):
        levels = scored(texts_of(year, pair)[0], PARTS | COUNTING, pair)
        for level, scores in levels.items():
            write_scores(list(scores.values()), files[level])
    return {level: {s.metric: s for s in read_scores(file, pair=pair)} for level, file in files.items()}


def mixed(segments: Mapping[str, MetricScores], model: Mixture, name: str) -> dict[MetaLevel, MetricScores]:
    """What a mixture gives to segments whose parts' scores are known; a system's score is the mean."""
    parts = [segments[part] for part in PARTS]
    values = model.intercept + model.linear(model.known(np.stack([part.values for part in parts], axis=-1)))
    of_segments = dataclasses.replace(parts[0], metric=name, values=values)
    means = values.mean(axis=1, keepdims=True)
    return {
        "segment": of_segments,
        "system": dataclasses.replace(of_segments, level="system", items=("",), values=means),
    }


def people_of(year: str, pair: str, level: MetaLevel) -> dict[str, Any]:
    """What is held against: comparisons of segments, or scores of systems as the task had them."""
    texts, rankings = texts_of(year, pair)
    if level == "segment":
        return {"judgements": rankings, "measures": MEASURES[year], "interval": "items"}
    if year == "WMT14":
        return {
            "judgements": rankings,
            "gold": "trueskill",
            "unit": "pair",
            "samples": 200,
            "interval": "judgements",
        }
    if year == "WMT15":
        human = metrics_wmt15.truth(pair, texts)
        return {"judgements": rankings, "human": human, "samples": 200, "interval": "judgements"}
    human = next(s for s in read_scores(score_file(pair)) if s.metric == "HUMAN")
    return {"human": human, "interval": "systems"}


def best_submitted(pair: str) -> tuple[str, MetricScores]:
    """The metric of WMT19 that agreed best with people on systems, and its scores."""
    found = tercet.meta(scores=score_file(pair), measures="pearson(abs=true)", interval="none", test="none")
    name = max((r.value, r.metric) for r in found)[1]
    scores = next(s for s in read_scores(score_file(pair)) if s.metric == name)
    return name, dataclasses.replace(scores, metric=BEST)


def best_printed(year: str, pair: str, level: MetaLevel) -> str:
    """The best figure of a table, with its interval and whose it is."""
    statistic = "pearson" if level == "system" else "kendall-wmt14"
    cells = published(2000 + int(year[3:]))
    value, half, name = max(
        (float(cell.value), float(cell.half_width), metric)
        for (of, metric, where, what), cell in cells.items()
        if (of, where, what) == (level, pair, statistic)
    )
    return f"{coefficient(value, 3, half)} {name}"


def held(year: str, pair: str, level: MetaLevel, scores: Sequence[MetricScores]) -> tuple[MetaEvaluation, str]:
    """Agreement of one direction and level, and what is said of the best in print."""
    beside, told = list(scores), "not known here"
    if year != "WMT19":
        told = best_printed(year, pair, level)
    elif level == "system":
        name, best = best_submitted(pair)
        beside.append(best)
    found = tercet.meta(scores=beside, level=level, **people_of(year, pair, level))
    if year == "WMT19" and level == "system":
        record = next(r for r in found if r.metric == BEST)
        told = f"{coefficient(record.value, 3, record.half_width)} {name}"
    return found, told


def table(answers: dict[str, tuple[MetaEvaluation, str]], metrics: Sequence[str], second: str) -> Table:
    """Metrics by directions, the best in print, and how sure the first two are better than each."""
    found = {direction: answer for direction, (answer, _) in answers.items()}
    plain = agreement_table(found, list(metrics))
    others = agreement_table(found, [second, *(m for m in metrics if m != second)]).notes[1:]
    rows = (*plain.rows, (BEST, *(told for _, told in answers.values())))
    return Table(plain.header, rows, (*plain.notes[1:], *others))


def learnt_without(year: str, folder: pathlib.Path) -> dict[str, Mixture]:
    """The mixture that Tercet comes with, and before it one that has not seen the year, where that is another."""
    shipped = {SHIPPED: cast(Any, tercet.metric("neural")).mixture}
    if year == "WMT19":
        return shipped
    other = "WMT15" if year == "WMT14" else "WMT14"
    learnt = folder / f"learnt-on-{other}.json"
    if not learnt.exists():
        trained([other], 80, learnt)
    return {UNSEEN: Mixture.read(str(learnt)), **shipped}


def print_year(year: str, pairs: Sequence[str], models: Mapping[str, Mixture], folder: pathlib.Path) -> None:
    """The tables of both levels."""
    answers: dict[MetaLevel, dict[str, tuple[MetaEvaluation, str]]] = {level: {} for level in LEVELS}
    shown = [name for name in SHOWN if name != UNSEEN or name in models]
    for pair in pairs:
        levels = kept(folder, year, pair)
        mixtures = {name: mixed(levels["segment"], model, name) for name, model in models.items()}
        for level in LEVELS:
            if level == "segment" and texts_of(year, pair)[1] is None:
                continue
            mine = levels[level] | {name: both[level] for name, both in mixtures.items()}
            answers[level][f"{year} {pair}"] = held(year, pair, level, [mine[name] for name in shown])
    for level in (level for level in LEVELS if answers[level]):
        print(f"{year}, {level}s, {MEASURES[year] if level == 'segment' else 'pearson'}")
        print(render(table(answers[level], shown, UNSEEN if UNSEEN in models else SHIPPED), "table"), flush=True)


def main() -> None:
    """Score, mix, hold against people, print."""
    parser = argparse.ArgumentParser(prog="python -m replication.readers", description=__doc__)
    parser.add_argument("--scores", type=pathlib.Path, help="folder in which scores are kept")
    parser.add_argument("-d", "--direction", action="append", help="as WMT14:cs-en; several")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit("This needs ../shared/data beside the project.")
    with tempfile.TemporaryDirectory() as made:
        folder = options.scores or pathlib.Path(made)
        folder.mkdir(exist_ok=True)
        for year, pairs in YEARS.items():
            asked = [pair for pair in pairs if not options.direction or f"{year}:{pair}" in options.direction]
            if asked:
                print_year(year, asked, learnt_without(year, folder), folder)


if __name__ == "__main__":
    main()
