"""`tune`: the numbers of a metric with which it agrees best with people, checked on judgements that were held out.

spec string ──> parameters that the metric declares, and their ranges
test sets + judgements ──> statistics, counted once; people's gold
    search on everything               the answer: a spec string
    search on all but each fold        figures on the fold that was held out, beside the metric as it was given
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from tercet.data import Judgements, MetaLevel, MetricScores, TestSet
from tercet.errors import InputError
from tercet.formats.lines import File
from tercet.human.given import signature
from tercet.human.pairs import OnSkip
from tercet.learning.directions import Direction
from tercet.learning.given import Given
from tercet.learning.given import directions as read_directions
from tercet.learning.objectives import Objective, agreement_of, objective
from tercet.learning.parameters import Parameter, chosen, scaling
from tercet.learning.search import Space, evolution, grid, refine
from tercet.meta import Measure
from tercet.meta import gold as golds
from tercet.meta.gold import Comparing
from tercet.meta.people import People
from tercet.metric import Metric, default_threads, require_threads
from tercet.metrics import METRICS
from tercet.ranking import Ranker
from tercet.ranking.base import Unit, require_whole
from tercet.ranking.rank import Progress
from tercet.spec import show

Search = Literal["auto", "grid", "refine", "scipy"]
ALL, HELD_OUT = "all", "held-out"
FEW_POINTS = {True: 20_000_000, False: 20_000}  # of a grid that `auto` takes, with and without the kernel
MOST_OF_A_PROFILE = 61  # points


@dataclasses.dataclass(frozen=True)
class TuningRecord:
    """Agreement of the tuned metric, and of the metric as it was given, on one part of one direction.

    `part` is "all", on which the answer was tuned; "fold 1", ..., each held out while its spec was tuned on the others;
    or "held-out", the mean over folds.
    """

    part: str
    direction: str
    spec: str | None  # None where it differs from fold to fold
    settings: str | None  # what was tuned, as in the spec: "alpha=0.8, gamma=0.5"
    level: str
    measure: str
    value: float
    default: float
    gain: float
    n: int


@dataclasses.dataclass(frozen=True)
class Profile:
    """Agreement on everything as one parameter moves and the others stand where they were tuned to."""

    parameter: str
    points: tuple[float, ...]
    values: tuple[float, ...]
    tuned: float
    default: float


@dataclasses.dataclass(frozen=True)
class Tuning:
    """The answer of `tune`: a spec string, its agreement with people beside the default's, and what lies around it."""

    spec: str
    default: str
    parameters: tuple[str, ...]
    objective: str
    points: int  # that were looked at
    records: tuple[TuningRecord, ...]
    profiles: tuple[Profile, ...]
    answer: str
    signature: str
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[TuningRecord]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records for JSON, CSV and data frames."""
        return [dataclasses.asdict(r) for r in self.records]

    @property
    def advised(self) -> bool:
        """Whether the metric as it was tuned does better on held-out segments, and in most folds."""
        mean = self.record()
        folds = [r for r in self.records if r.part not in (ALL, HELD_OUT) and r.direction == mean.direction]
        return mean.gain > 0 and _clear(folds)

    def record(self, part: str = HELD_OUT, direction: str | None = None) -> TuningRecord:
        """One record by its labels: of the average over directions if none is named."""
        found = [r for r in self.records if r.part == part]
        own = [r for r in found if r.direction == direction] if direction is not None else found[-1:]
        if len(own) != 1:
            raise KeyError((part, direction))
        return own[0]


def tune(
    metric: str | Metric,
    *,
    testset: TestSet | File | Sequence[TestSet | File],
    judgements: Judgements | File | Sequence[Judgements | File] | None = None,
    human: MetricScores | File | Sequence[MetricScores | File] | None = None,
    lower: bool = False,
    objective: str | Measure | None = None,
    level: MetaLevel = "segment",
    gold: str | Ranker | Comparing | None = None,
    parameters: str | Sequence[str] | None = None,
    search: Search = "auto",
    folds: int = 5,
    testset_format: str | None = None,
    judgements_format: str | None = None,
    scores_format: str | None = None,
    pair: str | Sequence[str] | None = None,
    names: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
    references: bool = False,
    on_skip: OnSkip = "task",
    judged: float = 1.0,
    samples: int = 1000,
    unit: Unit | None = None,
    seed: int = 12345,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Tune a metric on judgements: the spec string that agrees best with people, and what that is worth elsewhere.

    Parameters
    ----------
    metric
        The metric, whose other options stay as they are.
    testset, judgements
        Texts and what people said of them; several of each are tuned on together, and their agreement is averaged.
        One file of judgements serves several test sets if it has several language pairs.
    human, lower
        Instead of judgements: scores of people, one file for each test set; `lower` where lower is better, as in HTER.
    objective, level, gold
        A measure of agreement, as for `meta`: `kendall(variant=wmt14)`, `pair-accuracy`, `pearson`, `segcor`, ...; of
        segments, documents or systems; and how judgements become scores or comparisons.
    parameters
        `alpha`, or `alpha=0:1:0.05` for another range; of a list, `weights.2` is its second number. All that the
        metric declares, if none is named; but of weights that only scale the score one stays as it is.
    search, seed
        Every point of the `grid`; a coarse one, to `refine` around the best; or differential evolution from `scipy`.
        `auto` takes the grid while it is small, and refines a coarse one otherwise.
    folds
        Parts of the segments, each held out once while the others are tuned on.
    pair, names, without, references, on_skip, judged, samples, unit
        As for `meta`; `pair` once for each test set.

    >>> from tercet.sample import campaign, judgements
    >>> found = tune("chrf", testset=campaign("en-de"), judgements=judgements("en-de"), parameters=["beta=1:3:1"])
    >>> found.spec.startswith("chrf"), found.record().part
    (True, 'held-out')
    """
    require_threads(threads)
    require_whole("folds", folds, 2, 5)
    require_whole("seed", seed, 0, 12345)
    require_whole("samples", samples, 1, 1000)
    for name, value, kind in (("level", level, MetaLevel), ("search", search, Search), ("on_skip", on_skip, OnSkip)):
        if value not in get_args(kind):
            raise InputError(f"{name} must be one of {', '.join(get_args(kind))}, not {value!r}.", hint="See --help.")
    made = METRICS.make(metric)
    wanted = [parameters] if isinstance(parameters, str) else parameters or ()
    all_of_them = chosen(made, wanted)
    base = People(
        how=None if gold is None else golds.make(gold),
        judged=judged,
        without=without,
        references=references,
        on_skip=on_skip,
        samples=samples,
        seed=seed,
        unit=unit,
        threads=threads,
        progress=progress,
    )
    directions = read_directions(
        Given(testset_format, judgements_format, scores_format, names, lower),
        (testset, judgements, human, pair),
        made,
        base,
        objective,
        level,
        folds,
        seed,
    )
    scale = None if wanted or not directions[0].measure.scale_free else scaling(made, all_of_them)
    space = Space(made, tuple(p for p in all_of_them if p != scale))
    found = _tuned(space, directions, search, seed, threads or default_threads(), progress)
    return found if scale is None else dataclasses.replace(found, notes=(_scaled(scale, directions[0]), *found.notes))


def _tuned(
    space: Space, directions: Sequence[Direction], search: Search, seed: int, threads: int, progress: Progress | None
) -> Tuning:
    goal = objective(directions, threads)
    if search == "auto":
        search = "grid" if space.points() <= FEW_POINTS[space.harmonic(goal)] else "refine"
    if search == "scipy":
        best, points = evolution(goal, space, seed, progress)
    else:
        best, points = (grid if search == "grid" else refine)(goal, space, progress)
    figures = _Figures(directions, space.parameters)
    answer, *others = (best.settled(p, functools.partial(figures.average, part=p, anew=False)) for p in goal.parts)
    records = figures.records(ALL, answer, space.metric, 0)
    held_out = [figures.records(f"fold {k}", tuned, space.metric, -k) for k, tuned in enumerate(others, 1)]
    means = [_mean(column) for column in zip(*held_out, strict=True)]
    first = directions[0]
    facts = {
        "metric": space.metric,
        "objective": first.measure,
        "level": first.level,
        "gold": first.gold(0).spec,
        "parameters": "+".join(map(str, space.parameters)),
        "search": search,
        "points": points,
        "folds": first.folds,
        "seed": seed,
    }
    return Tuning(
        str(answer),
        str(space.metric),
        tuple(map(str, space.parameters)),
        str(first.measure),
        points,
        (*records, *(r for fold in held_out for r in fold), *means),
        tuple(_profile(goal, Space(answer, space.parameters), p, space.metric) for p in space.parameters),
        _in_words(str(answer), str(space.metric), means[-1], [fold[-1] for fold in held_out]),
        signature("tune", facts),
        (*_ends(answer, space), *dict.fromkeys(n for d in directions for n in (*d.gold(0).notes, *_notes(d)))),
    )


@dataclasses.dataclass(frozen=True, eq=False)
class _Figures:
    """Agreement as `meta` has it, of each direction and of their average."""

    directions: Sequence[Direction]
    parameters: Sequence[Parameter]

    def found(self, metric: Metric, part: int, *, anew: bool = True) -> list[tuple[str, float, int]]:
        """Name, value and n of each direction, and of the average if there are several."""
        return agreement_of(self.directions, metric, part, anew=anew)

    def average(self, metric: Metric, part: int, *, anew: bool) -> float:
        """The one figure that is tuned."""
        return self.found(metric, part, anew=anew)[-1][1]

    def records(self, name: str, tuned: Metric, default: Metric, part: int) -> list[TuningRecord]:
        """Both metrics on one part."""
        first = self.directions[0]
        settings = ", ".join(f"{p.name}={show(p.of(tuned))}" for p in self.parameters)
        both = zip(self.found(tuned, part), self.found(default, part), strict=True)
        return [
            TuningRecord(
                part=name,
                direction=direction,
                spec=str(tuned),
                settings=settings,
                level=first.level,
                measure=str(first.measure),
                value=value,
                default=before,
                gain=value - before,
                n=n,
            )
            for (direction, value, n), (_, before, _) in both
        ]


def _mean(records: Sequence[TuningRecord]) -> TuningRecord:
    """Of the folds of one direction; it has a spec only if they all have the same."""
    first = records[0]
    same = len({r.spec for r in records}) == 1
    value, default = (float(np.mean([getattr(r, f) for r in records])) for f in ("value", "default"))
    return dataclasses.replace(
        first,
        part=HELD_OUT,
        spec=first.spec if same else None,
        settings=first.settings if same else None,
        value=value,
        default=default,
        gain=value - default,
        n=sum(r.n for r in records),
    )


def _profile(goal: Objective, space: Space, parameter: Parameter, default: Metric) -> Profile:
    place = space.parameters.index(parameter)
    values = parameter.values()
    if len(values) > MOST_OF_A_PROFILE:
        values = np.round(np.linspace(parameter.low, parameter.high, MOST_OF_A_PROFILE), parameter.digits)
    tuned, before = float(space.home[place]), parameter.of(default)
    points = np.unique(np.append(values, tuned))
    moved = np.tile(space.home, (len(points), 1))
    moved[:, place] = points
    found = goal.values(space.some(moved))[0]
    return Profile(parameter.name, tuple(points.tolist()), tuple(found.tolist()), tuned, before)


def _ends(metric: Metric, space: Space) -> list[str]:
    """Parameters that stopped at an end of their range, beyond which something better may lie."""
    stopped = [p.name for p in space.parameters if p.of(metric) in (p.low, p.high) and p.low < p.high]
    return [f"At the end of the range that was searched: {', '.join(stopped)}."] if stopped else []


def _scaled(scale: Parameter, direction: Direction) -> str:
    return (
        f"{scale.name} stays {show(scale.of(direction.metric))}: {scale.option} together only scale the score, which "
        f"{direction.measure} does not see."
    )


def _notes(direction: Direction) -> list[str]:
    if not direction.several_references:
        return []
    return [
        "Some segments have several references. The search keeps, of each, the one that the metric as it was given "
        "likes best; the figures do not."
    ]


def _better(folds: Sequence[TuningRecord]) -> int:
    return sum(fold.gain > 0 for fold in folds)


def _clear(folds: Sequence[TuningRecord]) -> bool:
    """Whether most folds gain."""
    return 2 * _better(folds) > len(folds)


def _in_words(spec: str, default: str, mean: TuningRecord, folds: Sequence[TuningRecord]) -> str:
    """What the tuning is worth, by the folds."""
    if spec == default:
        return f"Nothing agrees better with these judgements than {default} itself."
    better = _better(folds)
    figures = f"{mean.value:.4f} against {mean.default:.4f}"
    where = f"on held-out segments, better in {better} of {len(folds)} folds"
    if math.isnan(mean.gain):
        return f"Agreement is not defined on every fold, so that nothing tells whether {spec} is any better."
    if mean.gain <= 0:
        return f"Keep {default}: tuned, it is no better where it was not tuned ({figures} {where})."
    if not _clear(folds):
        return f"No clear gain over {default}: {figures} {where} only."
    return f"Tuned metrics agree better than {default}: {figures} {where}."
