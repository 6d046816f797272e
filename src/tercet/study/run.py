"""A study answered: every direction, level and measure, one direction in memory at a time."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator, Mapping, Sequence

from tercet.data import MetaEvaluation, MetaLevel
from tercet.errors import InputError
from tercet.formats import read_testset
from tercet.formats.scores import join
from tercet.meta.evaluate import How
from tercet.meta.evaluation import (
    Side,
    by_name,
    from_scores,
    from_texts,
    metric_facts,
    people_scores,
    read_all,
    summed_up,
)
from tercet.meta.machines import Computed
from tercet.meta.people import People
from tercet.metric import default_threads, require_threads
from tercet.ranking import Ranker
from tercet.ranking.rank import Progress
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
    require_threads(threads)
    threads = threads or default_threads()
    kept = Cache(cache, lambda testset, metric: statistics(testset, metric, threads=threads))
    found: dict[tuple[str, MetaLevel], list[MetaEvaluation]] = {}
    for direction in study.directions:
        try:
            sides = _Sides(study, direction, kept, threads, progress)
            for which, level, part in _parts(study, direction, sides, threads, progress):
                found.setdefault((which, level), []).append(part)
        except InputError as error:
            raise InputError(f"{study.file}, {direction.pair}: {error.args[0]}", hint=error.hint) from error
    merged = {key: together(parts) for key, parts in found.items()}
    by = {
        which: {level: m for (w, level), m in merged.items() if w == which} for which in ("main", "secondary", "other")
    }
    return StudyResult(study, by["main"], by["secondary"], by["other"], tuple(kept.computed), tuple(kept.found))


def _parts(
    study: Study, direction: Direction, sides: _Sides, threads: int, progress: Progress | None
) -> Iterator[tuple[str, MetaLevel, MetaEvaluation]]:
    """What is asked of one direction: the measure of each level, others, and the same by another gold."""
    for level, plan in study.levels.items():
        how = How(
            plan.interval, study.samples, study.seed, plan.test, study.draws, study.alpha, study.correction, threads
        )
        plain = dataclasses.replace(how, interval="none", test="none")
        side = sides.at(level, plan)
        if progress:
            progress(f"{direction.pair}, {level} level", 1)
        facts = metric_facts(side[1])
        yield "main", level, summed_up([side], level, [plan.measure], how, score_intervals=True, facts=facts)
        if plan.secondary:
            yield "secondary", level, summed_up([side], level, plan.secondary, plain, facts=facts)
        if plan.secondary_gold is not None and direction.judgements is not None:
            other = sides.at(level, dataclasses.replace(plan, gold=plan.secondary_gold), judged=True)
            yield "other", level, summed_up([other], level, [plan.measure], plain, facts=facts)


class _Sides:
    """People and metrics of one direction; texts are read, and metrics counted, once for all levels."""

    def __init__(
        self, study: Study, direction: Direction, cache: Cache, threads: int, progress: Progress | None
    ) -> None:
        self.base = People(
            judged=study.judged,
            without=direction.left_out(),
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
        self.people: dict[tuple[str, tuple[str, ...], bool], People] = {}  # each gold is made once
        given = direction
        if given.testset is not None:
            texts = read_testset(given.testset, given.testset_format)
            human = people_scores(given.human, (), given.scores_format, given.pair) if given.human else []
            data, human = by_name(
                given.judgements, given.judgements_format, given.pair, human, texts.systems, self.base, given.names
            )
            self.side = from_texts(
                texts, study.metrics_of(given.pair), data, human, self.base, given.pair, cache.statistics
            )
        else:
            read = read_all(given.scores, given.scores_format, None, given.lower)
            own = [dataclasses.replace(s, direction=given.pair) for s in read if s.direction in ("", given.pair)]
            if not own:
                there = ", ".join(dict.fromkeys(s.direction for s in read))
                raise InputError("The files have no scores of this direction.", hint=f"They have {there}.")
            read = join(own)
            human = []
            if given.judgements is None or given.human is not None:
                human = people_scores(given.human, read, given.scores_format, given.pair)
            self.side = from_scores(
                read, given.judgements, given.judgements_format, human, self.base, given.pair, given.names
            )[0]

    def at(self, level: MetaLevel, plan: LevelPlan, *, judged: bool = False) -> Side:
        """Both sides with the gold and the metrics of a level; `judged` leaves out scores that are given."""
        people, machines = self.side
        if isinstance(machines, Computed):
            machines = dataclasses.replace(machines, metrics=self.study.metrics_of(self.direction.pair, level))
        # people's scores are what they are: a ranker is for the directions that have judgements
        gold = None if people.judgements is None and isinstance(plan.gold, Ranker) else plan.gold
        without = self.direction.left_out(level)
        key = str(gold), without, judged
        if key not in self.people:
            given = () if judged else people.given
            self.people[key] = dataclasses.replace(people, how=gold, given=given, without=without, made={})
        return self.people[key], machines


def together(parts: Sequence[MetaEvaluation]) -> MetaEvaluation:
    """The answers of several directions as one."""
    return MetaEvaluation(
        tuple(r for part in parts for r in part.records),
        _signature(parts),
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        tuple(t for part in parts for t in part.tests),
        tuple(c for part in parts for c in part.curves),
        tuple(s for part in parts for s in part.scatters),
        tuple(c for part in parts for c in part.calibrations),
        tuple(a for part in parts for a in part.answers),
        tuple(s for part in parts for s in part.scores),
    )


def _signature(parts: Sequence[MetaEvaluation]) -> str:
    """The signature that all directions share, or those of each."""
    if len({part.signature for part in parts}) == 1:
        return parts[0].signature
    return "; ".join(f"{part.records[0].direction}: {part.signature}" for part in parts)
