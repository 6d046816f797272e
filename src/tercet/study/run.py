"""A study answered: every direction, level and measure, one direction in memory at a time."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping, Sequence

from tercet.data import MetaEvaluation, MetaLevel
from tercet.formats import read_testset
from tercet.meta.evaluate import How
from tercet.meta.evaluation import Side, from_scores, from_texts, people_scores, read_all, summed_up, wanted_pair
from tercet.meta.machines import Computed
from tercet.meta.people import People
from tercet.metric import default_threads
from tercet.ranking.rank import Progress, prepared
from tercet.scoring import statistics
from tercet.study.cache import Cache
from tercet.study.file import Direction, LevelPlan, Study


@dataclasses.dataclass(frozen=True, eq=False)
class StudyResult:
    """What each level gave: by the measure of its table, by others, and by another gold; and what was counted anew."""

    study: Study
    main: Mapping[MetaLevel, MetaEvaluation]
    secondary: Mapping[MetaLevel, MetaEvaluation]
    other_gold: Mapping[MetaLevel, MetaEvaluation]
    computed: tuple[str, ...]
    from_cache: tuple[str, ...]


def answer(
    study: Study, cache: pathlib.Path | None = None, *, threads: int | None = None, progress: Progress | None = None
) -> StudyResult:
    """Every direction of a study at every level that it asks for."""
    threads = threads or default_threads()
    kept = Cache(cache, lambda testset, metric: statistics(testset, metric, threads=threads))
    found: dict[tuple[str, MetaLevel], list[MetaEvaluation]] = {}
    for direction in study.directions:
        sides = _Sides(study, direction, kept, threads, progress)
        for level, plan in study.levels.items():
            how = How(
                plan.interval, study.samples, study.seed, plan.test, study.draws, study.alpha, study.correction, threads
            )
            plain = dataclasses.replace(how, interval="none", test="none")
            side = sides.at(level, plan)
            if progress:
                progress(f"{direction.pair}, {level} level", 1)
            found.setdefault(("main", level), []).append(
                summed_up([side], level, [plan.measure], how, score_intervals=True)
            )
            if plan.secondary:
                found.setdefault(("secondary", level), []).append(summed_up([side], level, plan.secondary, plain))
            if plan.secondary_gold is not None:
                other = sides.at(level, dataclasses.replace(plan, gold=plan.secondary_gold))
                found.setdefault(("other", level), []).append(summed_up([other], level, [plan.measure], plain))
    merged = {key: together(parts) for key, parts in found.items()}
    by = {
        which: {level: m for (w, level), m in merged.items() if w == which} for which in ("main", "secondary", "other")
    }
    return StudyResult(study, by["main"], by["secondary"], by["other"], tuple(kept.computed), tuple(kept.found))


class _Sides:
    """People and metrics of one direction; texts are read, and metrics counted, once for all levels."""

    def __init__(
        self, study: Study, direction: Direction, cache: Cache, threads: int, progress: Progress | None
    ) -> None:
        self.base = People(
            judged=study.judged,
            without=direction.without,
            references=study.references,
            on_skip=study.on_skip,
            samples=study.samples,
            seed=study.seed,
            unit=study.unit,
            threads=threads,
            progress=progress,
        )
        self.study = study
        self.direction = direction
        self.people: dict[str, People] = {}  # by gold, each of which is made once
        given = direction
        if given.testset is not None:
            texts = read_testset(given.testset, given.testset_format)
            data = None
            if given.judgements is not None:
                wanted = wanted_pair(given.judgements, given.judgements_format, given.pair)
                data = prepared(given.judgements, given.judgements_format, wanted, texts, given.names or None)
            human = people_scores(given.human, (), given.scores_format, given.pair) if given.human else []
            self.side = from_texts(
                texts, study.metrics_of(given.pair), data, human, self.base, given.pair, cache.statistics
            )
        else:
            read = read_all(given.scores, given.scores_format, None, given.lower)
            read = [s for s in read if s.direction in ("", given.pair)]
            human = people_scores(given.human, read, given.scores_format, given.pair)
            self.side = from_scores(
                read, given.judgements, given.judgements_format, human, self.base, given.pair, given.names or None
            )[0]

    def at(self, level: MetaLevel, plan: LevelPlan) -> Side:
        """Both sides with the gold and the metrics of a level."""
        people, machines = self.side
        if isinstance(machines, Computed):
            machines = dataclasses.replace(machines, metrics=self.study.metrics_of(self.direction.pair, level))
        key = str(plan.gold)
        if key not in self.people:
            self.people[key] = dataclasses.replace(people, how=plan.gold, made={})
        return self.people[key], machines


def together(parts: Sequence[MetaEvaluation]) -> MetaEvaluation:
    """The answers of several directions as one."""
    return MetaEvaluation(
        tuple(r for part in parts for r in part.records),
        parts[0].signature,
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        tuple(t for part in parts for t in part.tests),
        tuple(c for part in parts for c in part.curves),
        tuple(s for part in parts for s in part.scatters),
        tuple(c for part in parts for c in part.calibrations),
        tuple(a for part in parts for a in part.answers),
        tuple(s for part in parts for s in part.scores),
    )
