"""A study answered: every direction, level and measure, one direction in memory at a time."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Collection, Iterator, Mapping, Sequence

from tercet import inputs, signing
from tercet.agreeing.evaluation import facts_of_files, summed_up
from tercet.agreeing.machines import Computed, Machines, Mixed
from tercet.agreeing.people import People
from tercet.agreeing.sides import Side, both_sides
from tercet.data import MetaEvaluation, MetricScores
from tercet.errors import InputError
from tercet.formats.scores import join
from tercet.options.agreeing import MetaLevel
from tercet.options.groups import Engined, Progress, expect, worker_threads
from tercet.ranking import Ranker
from tercet.scoring import statistics
from tercet.study.cache import Cache
from tercet.study.file import LevelPlan, Study, StudyDirection


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
    study: Study,
    cache: pathlib.Path | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    where: Engined | None = None,
) -> StudyResult:
    """Every direction of a study at every level that it asks for."""
    threads = worker_threads(threads)
    kept = Cache(cache, lambda testset, metric: statistics(testset, metric, threads=threads, where=where))
    answered: dict[tuple[str, MetaLevel], list[MetaEvaluation]] = {}
    expect(progress, "pairs × levels", len(study.directions) * len(study.levels))
    for direction in study.directions:
        try:
            sides = _Sides(study, direction, kept, threads, progress)
            for which, level, part in _parts(study, direction, sides, threads, progress):
                answered.setdefault((which, level), []).append(part)
        except InputError as error:
            raise InputError(f"{study.file}, {direction.pair}: {error.args[0]}", hint=error.hint) from error
    merged = {key: together(parts) for key, parts in answered.items()}
    _require_known(study, {r.metric for part in merged.values() for r in part})
    by = {
        which: {level: m for (w, level), m in merged.items() if w == which} for which in ("main", "secondary", "other")
    }
    return StudyResult(study, by["main"], by["secondary"], by["other"], tuple(kept.computed), tuple(kept.found))


def _parts(
    study: Study, direction: StudyDirection, sides: _Sides, threads: int, progress: Progress | None
) -> Iterator[tuple[str, MetaLevel, MetaEvaluation]]:
    """What is asked of one direction: the measure of each level, others, and the same by another gold."""
    for level, plan in study.levels.items():
        how = dataclasses.replace(study.asked, interval=plan.interval, test=plan.test, threads=threads)
        plain = dataclasses.replace(how, interval="none", test="none")
        side = sides.at(level, plan)
        read = facts_of_files(direction.lower, direction.names)
        table = {**read, **_facts_of_table(study, plan)}
        if progress:
            progress("pairs × levels", 1)
        yield (
            "main",
            level,
            summed_up([side], level, [plan.measure], how, score_intervals=True, notes=sides.notes, facts=table),
        )
        if plan.secondary:
            yield "secondary", level, summed_up([side], level, plan.secondary, plain, facts=read)
        if plan.secondary_gold is not None and direction.judgements is not None:
            other = sides.at(level, dataclasses.replace(plan, gold=plan.secondary_gold), judged=True)
            yield "other", level, summed_up([other], level, [plan.measure], plain, facts=read)


def _facts_of_table(study: Study, plan: LevelPlan) -> dict[str, str]:
    """What a table has besides its own measure and gold, for the signature."""
    return {
        **({"secondary": "+".join(map(str, plan.secondary))} if plan.secondary else {}),
        **({"secondary_gold": str(plan.secondary_gold)} if plan.secondary_gold is not None else {}),
        **({"exclude": "+".join(study.exclude)} if study.exclude else {}),
    }


def _require_known(study: Study, metrics: Collection[str]) -> None:
    """Refuse a name that no metric has: it would be a silent default."""
    unknown = [name for name in study.reference_free if name not in metrics]
    if unknown:
        raise InputError(
            f"{study.file}: reference_free names {', '.join(unknown)}, which is no metric here.",
            hint=f"There are {', '.join(sorted(metrics))}.",
        )


class _Sides:
    """People and metrics of one direction; texts are read, and metrics counted, once for all levels."""

    def __init__(
        self, study: Study, direction: StudyDirection, cache: Cache, threads: int, progress: Progress | None
    ) -> None:
        asked = dataclasses.replace(study.asked, without=direction.left_out(), threads=threads, progress=progress)
        self.base = People(asked=asked)
        self.study = study
        self.direction = direction
        self.people: dict[tuple[str, tuple[str, ...], bool], People] = {}  # each gold is made once
        self.machines: dict[MetaLevel, Machines] = {}
        self.notes: list[str] = []  # on what was read
        metrics = study.metrics_of(direction.pair)
        (self.side,) = both_sides(
            direction, self._read(), self.base, self.notes, lambda there: metrics, count=cache.statistics
        )

    def _read(self) -> list[MetricScores]:
        """The scores of the direction that stand in files."""
        given, free = self.direction, self.study.reference_free
        if not given.scores:
            return []
        scores = inputs.scores(given.scores, given.scores_format, None, given.lower, self.notes)
        here = [
            dataclasses.replace(s, direction=given.pair, reference_free=s.reference_free or s.metric in free)
            for s in scores
            if s.direction in ("", given.pair)
        ]
        if not here:
            there = ", ".join(dict.fromkeys(s.direction for s in scores))
            raise InputError("The files have no scores of this direction.", hint=f"They have {there}.")
        return join(here)

    def at(self, level: MetaLevel, plan: LevelPlan, *, judged: bool = False) -> Side:
        """Both sides with the gold and the metrics of a level; `judged` leaves out scores that are given."""
        people, machines = self.side
        if isinstance(machines, Computed | Mixed):
            machines = self.machines.setdefault(level, machines.chosen(self.study.metrics_at(level)))
        # people's scores are what they are: a ranker is for the directions that have judgements
        gold = None if people.judgements is None and isinstance(plan.gold, Ranker) else plan.gold
        without = self.direction.left_out(level)
        key = str(gold), without, judged
        if key not in self.people:
            given = () if judged else people.given
            self.people[key] = dataclasses.replace(
                people, how=gold, given=given, asked=dataclasses.replace(people.asked, without=without), made={}
            )
        return self.people[key], machines


def together(parts: Sequence[MetaEvaluation]) -> MetaEvaluation:
    """The answers of several directions as one."""
    return MetaEvaluation(
        tuple(r for part in parts for r in part.records),
        _signature(parts),
        tuple(_notes(parts)),
        tuple(t for part in parts for t in part.tests),
        tuple(c for part in parts for c in part.curves),
        tuple(s for part in parts for s in part.scatters),
        tuple(c for part in parts for c in part.calibrations),
        tuple(a for part in parts for a in part.answers),
        tuple(s for part in parts for s in part.scores),
        tuple(s for part in parts for s in part.segments),
    )


def _notes(parts: Sequence[MetaEvaluation]) -> Iterator[str]:
    """Notes, once each; what is not said of all directions names those that it is said of."""
    directions: dict[str, list[str]] = {}
    for part in parts:
        for note in part.notes:
            directions.setdefault(note, []).append(part.records[0].direction)
    for note, of in directions.items():
        plain = len(of) == len(parts) or of[0] in note
        yield note if plain else f"{', '.join(of)}: {note}"


def _signature(parts: Sequence[MetaEvaluation]) -> str:
    """The signature that all directions share, with the fingerprints of them together; or those of each."""
    split = [signing.apart(part.signature) for part in parts]
    if len({how for how, _ in split}) == 1:
        return f"{split[0][0]}|{signing.data_text(signing.together(data for _, data in split))}"
    return "; ".join(f"{part.records[0].direction}: {part.signature}" for part in parts)
