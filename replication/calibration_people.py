"""Campaigns of known abilities: rank ranges and clusters of `rank`, and the tests of `agreement`.

Judgements of one segment share what each system did with that segment, and pairs of one task share what its judge saw
in each output: neither are independent, and a resample of single pairs takes them to be. A range should hold the true
rank of its system in 95 % of cases or more, and no more than 5 % of campaigns should put a system into a better
cluster than one that is truly better.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

import tercet
from replication.calibration_figures import LEVELS, Figure, Quantity, Role, Setting
from tercet.data import Array, Assessments, Errors, Ints, Kind, Ranking, Rankings
from tercet.data.agreement import AssessmentAnnotator

ASSESSED = ("da", "esa", "mqm")
SAMPLES = 200
FEW_SAMPLES = {"hopkins-may": 80}  # of rankers that are slow, where .05 is asked for
RECIPES = ("pair",)  # what WMT13 to WMT16 drew
PANEL = 1  # seed of judges whose own ways are not to be luck
AT_ONCE, TIMES = 6000, 40  # endless segments: so many times those of a campaign, so many of them at once
COEFFICIENTS = {
    "inter": "kappa between judges",
    "intra": "kappa of judges with themselves",
    "alpha": "alpha of ranks",
    "alpha-pairs": "alpha of pairs",
}
OF_SCORES = {"alpha": "alpha of scores"}


@dataclasses.dataclass(frozen=True)
class Campaign:
    """A campaign that never was: `gap` deviations of a judge's noise between a system's ability and the next one's."""

    segments: int = 200
    systems: int = 8
    gap: float = 0.12
    abilities: tuple[float, ...] = ()  # in place of the gap
    tasks: int = 3  # of each segment, or judges who score its outputs
    size: int = 5  # outputs in a task
    within_segment: float = 1.0  # deviation of a system's quality from segment to segment
    judges: int = 20
    step: float = 0.75  # what rounds to the same number of steps is a tie
    panel: int | None = None  # seed of judges who are the same in every campaign, in place of new ones

    @property
    def names(self) -> tuple[str, ...]:
        """Systems, numbered from the best to the worst."""
        return tuple(f"{i:03d}" for i in range(self.systems))

    def quality(self, rng: np.random.Generator) -> Array:
        """The quality of each system's output for each segment, (segments, systems)."""
        ability = np.array(self.abilities) if self.abilities else -self.gap * np.arange(self.systems)
        spread: Array = self.within_segment * rng.standard_normal((self.segments, self.systems))
        return ability + spread

    def rankings(self, rng: np.random.Generator) -> Rankings:
        """Tasks with some of the systems each."""
        segment = np.repeat(np.arange(self.segments), self.tasks)
        shown = np.argsort(rng.random((len(segment), self.systems)), axis=1)[:, : self.size]
        seen = self.quality(rng)[segment[:, None], shown] + rng.standard_normal(shown.shape)
        steps = np.round(seen / self.step)
        rank = 1 + (steps[:, None, :] > steps[:, :, None]).sum(axis=2)
        return Rankings(
            "",
            self.names,
            tuple(map(str, range(self.segments))),
            tuple(f"judge{j}" for j in range(self.judges)),
            outputs=tuple((i,) for i in range(self.systems)),
            segment=segment,
            judge=rng.integers(self.judges, size=len(segment)),
            starts=np.arange(len(segment) + 1) * shown.shape[1],
            output=shown.ravel(),
            rank=rank.ravel(),
        )

    def assessments(self, rng: np.random.Generator) -> Assessments:
        """Scores from 0 to 100 with errors, of judges who differ in how strict they are and how far they go."""
        difficulty = rng.standard_normal((self.segments, 1))
        quality = np.tile(self.quality(rng) + difficulty, (self.tasks, 1))  # one row a judge's look at a segment
        segment = np.tile(np.arange(self.segments), self.tasks)
        judge = rng.integers(self.judges, size=len(segment))
        drawn = rng if self.panel is None else np.random.default_rng(self.panel)
        mean, scale = (drawn.standard_normal(self.judges) for _ in range(2))
        mean, scale = 60 + 10 * mean, 10 * np.exp(0.3 * scale)
        seen = quality + rng.standard_normal(quality.shape)
        score = np.clip(mean[judge, None] + scale[judge, None] * seen, 0, 100).ravel()
        n_errors = rng.poisson(np.exp(np.clip(-0.5 * seen.ravel(), None, 3)))
        row = np.repeat(np.arange(len(score)), n_errors)
        severity = (rng.random(len(row)) > 0.25).astype(np.int64)
        return Assessments(
            "",
            self.names,
            tuple(map(str, range(self.segments))),
            tuple(f"judge{j}" for j in range(self.judges)),
            np.repeat(judge, self.systems),
            np.tile(np.arange(self.systems), len(segment)),
            np.repeat(segment, self.systems),
            np.full(len(score), int(Kind.SYSTEM)),
            score,
            errors=Errors(row, (), np.full(len(row), -1), ("Major", "Minor"), severity),
        )

    def judgements(self, rng: np.random.Generator, method: str) -> Rankings | Assessments:
        """What the ranker needs."""
        return self.assessments(rng) if method in ASSESSED else self.rankings(rng)


def units_of(method: str, units: tuple[str, ...], rng: np.random.Generator, defaults: bool) -> dict[str, Role]:
    """The unit that is drawn if nothing is said, and the others unless only defaults are wanted."""
    signature = tercet.rank(Campaign(30).judgements(rng, method), method=method, samples=2).signature
    usual = dict(fact.partition(":")[::2] for fact in signature.split("|"))["unit"]
    roles: dict[str, Role] = {usual: "default"}
    if not defaults:
        roles |= {unit: "recipe" if unit in RECIPES else "option" for unit in units if unit != usual}
    return roles


def ranking_options(method: str, level: float) -> dict[str, Any]:
    """Arguments of `rank`: nothing is said of the level if it is the usual one."""
    options: dict[str, Any] = {"method": method, "samples": SAMPLES, "threads": 1}
    if level == LEVELS[0]:
        return options | {"samples": FEW_SAMPLES.get(method, SAMPLES)}
    # ranges make the clusters of all rankers but da, which has tests with a level of their own
    return options | {"confidence": 1 - level} | ({"method": f"da(alpha={level})"} if method == "da" else {})


@dataclasses.dataclass(frozen=True)
class RankDesign:
    """A ranker on campaigns of so many segments: the units that it can draw, and the level of ranges and clusters."""

    method: str
    units: tuple[str, ...]
    n: int
    level: float = LEVELS[0]

    def ranked(
        self, campaign: Campaign, runs: int, rng: np.random.Generator, roles: Mapping[str, Role]
    ) -> Iterator[dict[str, Ranking]]:
        """Each run's ranking with every unit that has a role."""
        options = ranking_options(self.method, self.level)
        for _ in range(runs):
            judgements = campaign.judgements(rng, self.method)
            yield {unit: cast(Ranking, tercet.rank(judgements, unit=unit, **options)) for unit in roles}

    def ranges(self, runs: int, rng: np.random.Generator, defaults: bool) -> list[Figure]:
        """Systems of different ability: does the range of one of them, taken by lot, have its true rank in it?"""
        campaign = Campaign(self.n)
        setting = Setting("rank", f"8 systems apart, {self.method}", str(self.n))
        roles = units_of(self.method, self.units, rng, defaults)
        covered: dict[str, list[bool]] = {unit: [] for unit in roles}
        wrong: dict[str, list[bool]] = {unit: [] for unit in roles}
        first: dict[str, list[bool]] = {unit: [] for unit in roles}
        for rankings in self.ranked(campaign, runs, rng, roles):
            chosen = int(rng.integers(campaign.systems))
            for unit, ranking in rankings.items():
                place = {record.system: record for record in ranking}
                low, high = place[campaign.names[chosen]].rank_low, place[campaign.names[chosen]].rank_high
                covered[unit].append(low <= chosen + 1 <= high)
                clusters = [place[name].cluster for name in campaign.names]  # those of better systems are no lower
                wrong[unit].append(bool((np.diff(clusters) < 0).any()))
                first[unit].append(clusters[0] == 1 and min(clusters[1:]) > 1)
        level, figures = self.level, []
        for unit, role in roles.items():
            figures += [
                setting.figure(f"rank range, unit {unit}", role, "coverage", 1 - level, covered[unit]),
                setting.figure(f"a better system in a lower cluster, unit {unit}", role, "level", level, wrong[unit]),
                setting.figure(f"the best alone in its cluster, unit {unit}", role, "power", level, first[unit]),
            ]
        return figures

    def alike(self, runs: int, rng: np.random.Generator, defaults: bool) -> list[Figure]:
        """Systems of the same ability: clusters where there are none."""
        campaign = Campaign(self.n, systems=5, gap=0.0)
        setting = Setting("rank", f"5 systems alike, {self.method}", str(self.n))
        roles = units_of(self.method, self.units, rng, defaults)
        split: dict[str, list[bool]] = {unit: [] for unit in roles}
        for rankings in self.ranked(campaign, runs, rng, roles):
            for unit, ranking in rankings.items():
                split[unit].append(max(record.cluster for record in ranking) > 1)
        return [
            setting.figure(f"a second cluster, unit {unit}", role, "level", self.level, split[unit])
            for unit, role in roles.items()
        ]


def two_alike(runs: int, rng: np.random.Generator, defaults: bool, *, n: int) -> list[Figure]:
    """Two of some systems of the same ability: the sign test of the head-to-head table."""
    campaign = Campaign(n, systems=5, gap=0.0)
    setting = Setting("rank", "5 systems alike, head to head", str(n))
    roles: dict[str, Role] = {"segments": "default"} if defaults else {"segments": "default", "judgements": "recipe"}
    p: dict[str, list[float]] = {counted: [] for counted in roles}
    for _ in range(runs):
        rankings = campaign.rankings(rng)
        for counted, found in p.items():
            table = tercet.head_to_head(rankings, compat=counted == "judgements")
            found.append(float(table.p_values[0, 1]))
    return [f for counted, role in roles.items() for f in setting.tests(f"sign test of {counted}", role, p[counted])]


def judges(
    runs: int, rng: np.random.Generator, defaults: bool, *, n: int, lower: tuple[float, float] = (0.0, 0.0)
) -> list[Figure]:
    """The tests of `agreement`: judges who score outputs again, and degraded ones, `lower` than before or no lower."""
    campaign = Campaign(n, tasks=1)
    shift = f", {lower[0]:g} and {lower[1]:g} points lower" if any(lower) else ""
    setting = Setting("agreement", f"8 systems apart{shift}", str(n))
    repeated, degraded = [], []
    for _ in range(runs):
        given = campaign.assessments(rng)
        p = tercet.agreement(scored_again(given, rng, Kind.REPEAT, lower[0])).of("repeats").p_value
        repeated.append(float("nan") if p is None else p)
        again = scored_again(given, rng, Kind.BAD_REFERENCE, lower[1])
        first = again.part(again.judge == again.judge.min())  # a judge is tested by own scores alone
        degraded += [judge.p_ranksum for judge in tercet.annotators(first) if isinstance(judge, AssessmentAnnotator)]
    quantity: Quantity = "power" if any(lower) else "level"
    return [
        *setting.tests("repeats have another mean (paired t)", "default", repeated, quantity),
        *setting.tests("a judge rates bad references lower (rank sum)", "default", degraded, quantity),
    ]


def agreed(
    runs: int, rng: np.random.Generator, defaults: bool, *, n: int, kappa: Mapping[str, Any] | None = None
) -> list[Figure]:
    """`agreement --ci` of rankings: coverage of the coefficients that endless segments would have.

    With another `kappa` than the usual, of its two coefficients alone.
    """
    options = dict(kappa or {})
    truth = endless_agreement(n, rng, options)
    setting = Setting("agreement", "8 systems apart", str(n))
    covered: dict[str, list[bool]] = {}
    for _ in range(runs):
        for record in tercet.agreement(Campaign(n).rankings(rng), ci=True, **options):
            if record.low is not None and record.high is not None:
                covered.setdefault(record.kind, []).append(record.low <= truth[record.kind] <= record.high)
    told = "".join(f", --{name} {value}" for name, value in options.items())
    return [
        setting.figure(f"interval of {COEFFICIENTS[kind]} (--ci{told})", "default", "coverage", 0.95, hits)
        for kind, hits in covered.items()
        if not options or kind in ("inter", "intra")
    ]


def agreed_scores(runs: int, rng: np.random.Generator, defaults: bool, *, n: int) -> list[Figure]:
    """The same of scores, by judges who are the same in every campaign: others would differ by more than segments."""
    truth = endless_agreement(n, rng, {}, "da")
    setting = Setting("agreement", "8 systems apart, scored by the same judges", str(n))
    covered: dict[str, list[bool]] = {kind: [] for kind in OF_SCORES}
    for _ in range(runs):
        answer = tercet.agreement(Campaign(n, panel=PANEL).assessments(rng), ci=True)
        for kind, hits in covered.items():
            low, high = answer.of(kind).low, answer.of(kind).high
            hits.append(low is not None and high is not None and low <= truth[kind] <= high)
    return [
        setting.figure(f"interval of {OF_SCORES[kind]} (--ci)", "default", "coverage", 0.95, hits)
        for kind, hits in covered.items()
    ]


def endless_agreement(
    n: int, rng: np.random.Generator, options: Mapping[str, Any], method: str = ""
) -> dict[str, float]:
    """The coefficients of so many segments that their own error does not matter beside that of n."""
    found: dict[str, list[float]] = {}
    for _ in range(math.ceil(TIMES * n / AT_ONCE)):
        for record in tercet.agreement(Campaign(AT_ONCE, panel=PANEL).judgements(rng, method), **options):
            found.setdefault(record.kind, []).append(float("nan") if record.kappa is None else record.kappa)
    return {kind: float(np.mean(values)) for kind, values in found.items()}


def scored_again(
    assessments: Assessments, rng: np.random.Generator, kind: Kind, lower: float = 0.0, every: int = 5
) -> Assessments:
    """The same without errors, some of whose outputs were scored again by the same judge, a little differently."""
    again: Ints = np.arange(0, len(assessments), every)
    noise = rng.normal(0, 5, (2, len(again)))
    score = assessments.score.copy()
    score[again] = np.clip(score[again] + noise[0], 0, 100)
    repeat = np.clip(assessments.score[again] + noise[1] - lower, 0, 100)
    rows = np.concatenate([np.arange(len(assessments)), again])
    columns = {name: getattr(assessments, name)[rows] for name in ("judge", "system", "segment")}
    kinds = np.concatenate([assessments.kind, np.full(len(again), kind)])
    return dataclasses.replace(assessments, score=np.concatenate([score, repeat]), kind=kinds, errors=None, **columns)
