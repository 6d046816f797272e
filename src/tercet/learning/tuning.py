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
from collections.abc import Sequence
from typing import cast

import numpy as np

from tercet.agreeing import gold as golds
from tercet.agreeing.gold import Comparing
from tercet.agreeing.people import People
from tercet.data.tuning import ALL, HELD_OUT, Profile, Tuning, TuningRecord, clear, gaining
from tercet.learning.directions import LearningDirection
from tercet.learning.given import directions as read_directions
from tercet.learning.given import facts as learnt_from
from tercet.learning.objectives import Objective, agreement_of, objective
from tercet.learning.parameters import Parameter, chosen, scaling
from tercet.learning.search import Space, evolution, grid, refine
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.numbers import coefficient
from tercet.options import verb
from tercet.options.learning import TuneOptions
from tercet.ranking import Ranker
from tercet.signing import signature, together
from tercet.spec import recounted, show

FEW_POINTS = {True: 20_000_000, False: 20_000}  # of a grid that `auto` takes, with and without the kernel
FEW_ANEW = 100  # the same where texts are counted anew at every point
MOST_OF_A_PROFILE = 61  # points


@verb(TuneOptions)
def tune(asked: TuneOptions) -> Tuning:
    """Tune a metric on judgements: the spec string that agrees best with people, and what that is worth elsewhere.

    Several test sets are tuned on together, and their agreement is averaged. One file of judgements serves several test
    sets if it has several language pairs. Each part of the segments is held out once while the others are tuned on.

    >>> from tercet.sample import campaign, judgements
    >>> found = tune("chrf", testset=campaign("en-de"), judgements=judgements("en-de"), parameters=["beta=1:3:1"])
    >>> found.spec.startswith("chrf"), found.record().part
    (True, 'held-out')
    """
    metric = METRICS.make(asked.metric)
    wanted = [asked.parameters] if isinstance(asked.parameters, str) else asked.parameters or ()
    all_of_them = chosen(metric, wanted)
    gold = None if asked.gold is None else golds.make(cast(str | Ranker | Comparing, asked.gold))
    directions = read_directions(asked, metric, People(how=gold, asked=asked), asked.level)
    scale = None if wanted or not directions[0].measure.scale_free else scaling(metric, all_of_them)
    space = Space(metric, tuple(p for p in all_of_them if p != scale))
    answer = _tuned(space, directions, asked)
    return (
        answer if scale is None else dataclasses.replace(answer, notes=(_scaled(scale, directions[0]), *answer.notes))
    )


def _tuned(space: Space, directions: Sequence[LearningDirection], asked: TuneOptions) -> Tuning:
    search, seed, progress = asked.search, asked.seed, asked.progress
    goal = objective(directions, asked.workers)
    if search == "auto":
        few = FEW_ANEW if space.recounts else FEW_POINTS[space.harmonic(goal)]
        search = "grid" if space.points() <= few else "refine"
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
        **learnt_from(asked, first),
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
        signature("tune", facts, together(d.fingerprints() for d in directions)),
        (*_ends(answer, space), *dict.fromkeys(n for d in directions for n in (*d.gold(0).notes, *_notes(d)))),
    )


@dataclasses.dataclass(frozen=True, eq=False)
class _Figures:
    """Agreement as `meta` has it, of each direction and of their average."""

    directions: Sequence[LearningDirection]
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
    agreements = goal.values(space.some(moved))[0]
    return Profile(parameter.name, tuple(points.tolist()), tuple(agreements.tolist()), tuned, before)


def _ends(metric: Metric, space: Space) -> list[str]:
    """Parameters that stopped at an end of their range, beyond which something better may lie."""
    stopped = [p.name for p in space.parameters if p.of(metric) in (p.low, p.high) and p.low < p.high]
    return [f"At the end of the range that was searched: {', '.join(stopped)}."] if stopped else []


def _scaled(scale: Parameter, direction: LearningDirection) -> str:
    return (
        f"{scale.name} stays {show(scale.of(direction.metric))}: {scale.option} together only scale the score, which "
        f"{direction.measure} does not see."
    )


def _notes(direction: LearningDirection) -> list[str]:
    if not direction.several_references or recounted(type(direction.metric)):
        return []
    return [
        "Some segments have several references. The search keeps, of each, the one that the metric as it was given "
        "likes best; the figures do not."
    ]


def _in_words(spec: str, default: str, mean: TuningRecord, folds: Sequence[TuningRecord]) -> str:
    """What the tuning is worth, by the folds."""
    if spec == default:
        return f"Nothing agrees better with these judgements than {default} itself."
    better = gaining(folds)
    figures = f"{coefficient(mean.value, 4)} against {coefficient(mean.default, 4)}"
    where = f"on held-out segments, better in {better} of {len(folds)} folds"
    if math.isnan(mean.gain):
        return f"Agreement is not defined on every fold, so that nothing tells whether {spec} is any better."
    if mean.gain <= 0:
        return f"Keep {default}: tuned, it is no better where it was not tuned ({figures} {where})."
    if not clear(folds):
        return f"No clear gain over {default}: {figures} {where} only."
    return f"Tuned metrics agree better than {default}: {figures} {where}."
