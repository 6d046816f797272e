"""`rank`: judgements to scores, rank ranges and clusters, with the ranker that is asked for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ParamSpec, Protocol, cast, overload

import numpy as np

from tercet import inputs
from tercet.data import (
    Assessments,
    Judgements,
    Pairs,
    Ranked,
    RankerAgreement,
    Ranking,
    Rankings,
    RankingsByMethod,
)
from tercet.data.head_to_head import HeadToHead
from tercet.errors import InputError
from tercet.human.assessments import judged_systems
from tercet.human.names import match_systems
from tercet.human.pairs import pairwise
from tercet.human.scored import require_assessments as assessed
from tercet.options import verb
from tercet.options.groups import expect
from tercet.options.judging import (
    HeadToHeadOptions,
    JudgementDraws,
    JudgementsGiven,
    Named,
    RankedOutputs,
    RankOptions,
    Unit,
)
from tercet.ranking import RANKERS, Ranker
from tercet.ranking.base import Fitted, PairRanker, Sampling, checked_fit
from tercet.ranking.clusters import by_range, by_tests, name_order, rank_range, ranks
from tercet.ranking.head_to_head import pair_tests
from tercet.signing import fingerprint, signature
from tercet.spec import show
from tercet.stats.correlation import correlation
from tercet.stats.resampling import few_drawn

P = ParamSpec("P")


class Rank(Protocol[P]):
    """`rank` by its types: one method gives a ranking, a list of them several side by side."""

    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, judgements: JudgementsGiven, *, method: list[Any] | tuple[Any, ...], **options: Any
    ) -> RankingsByMethod: ...
    @overload
    def __call__(self, *args: P.args, **options: P.kwargs) -> Ranking: ...


def _one_or_several(function: Callable[P, Ranking | RankingsByMethod]) -> Rank[P]:
    return cast(Rank[P], function)


@_one_or_several
@verb(RankOptions)
def rank(asked: RankOptions) -> Ranking | RankingsByMethod:
    """Rank systems from human judgements: scores, rank ranges, clusters. Several methods are put side by side.

    >>> from tercet.sample import judgements
    >>> [r.system for r in rank(judgements("en-de"), method="expected-wins")]
    ['amber', 'birch', 'cedar', 'delta', 'ember']
    >>> both = rank(judgements("en-de"), method=["expected-wins", "bradley-terry"])
    >>> [(two.first, two.second, round(two.kendall, 9)) for two in both.agreement]
    [('expected-wins', 'bradley-terry', 1.0)]
    """
    data = prepared(asked)
    if not isinstance(data, Rankings) and (asked.compat or asked.references or asked.asked_for("on_skip")):
        raise InputError(
            f"{data.file} has no rankings, and compat, references and on_skip are options for those.",
            hint="Leave them out.",
        )
    if not isinstance(asked.method, list | tuple):
        return _by(chosen(asked.method, data), data, asked)
    rankers = [chosen(method, data) for method in asked.method]
    names = [str(ranker) for ranker in rankers]
    if not names or len(set(names)) < len(names):
        raise InputError(
            f"The methods are {', '.join(names) or 'none'}, and each must be another one.",
            hint="Name each ranker once.",
        )
    rankings = {name: _by(ranker, data, asked) for name, ranker in zip(names, rankers, strict=True)}
    units = dict.fromkeys(_unit(ranker, asked) for ranker in rankers)
    notes = dict.fromkeys(note for ranking in rankings.values() for note in ranking.notes)
    signed = _signed(asked, ", ".join(names), ", ".join(units), data)
    return RankingsByMethod(rankings, tuple(_every_two(rankings)), signed, tuple(notes))


def _by(ranker: Ranker, data: Judgements, asked: RankOptions) -> Ranking:
    """The ranking by one ranker."""
    sampling = sampled_by(ranker, asked, _unit(ranker, asked))
    systems, fitted, notes = fit(data, ranker, sampling, asked)
    records = ranked(systems, fitted, asked.confidence, compat=asked.compat)
    signed = _signed(asked, str(ranker), sampling.unit, data)
    return Ranking(records, signed, data.pair, ranker.digits, (*notes, *_few(data, sampling.unit)))


def _unit(ranker: Ranker, asked: RankOptions) -> Unit:
    """What is drawn for a ranker."""
    return asked.unit or ("pair" if asked.compat else ranker.units[0])


def _signed(asked: RankOptions, method: str, unit: str, data: Judgements) -> str:
    facts = {
        "method": method,
        "samples": asked.samples,
        "confidence": show(asked.confidence),
        "seed": asked.seed,
        "unit": unit,
        **({"on_skip": asked.on_skip, "references": show(asked.references)} if isinstance(data, Rankings) else {}),
        **({"compat": "true"} if asked.compat else {}),
    }
    return signature("rank", facts, {"judgements": fingerprint(data)})


def _every_two(rankings: Mapping[str, Ranking]) -> Iterator[RankerAgreement]:
    """How far every two rankers agree on the systems."""
    for first, second in itertools.combinations(rankings, 2):
        systems = [r.system for r in rankings[first]]
        one, other = (np.array([[rankings[name].value(s)] for s in systems]) for name in (first, second))
        kendall, spearman = (correlation(kind, one, other).value for kind in ("tau-b", "spearman"))
        yield RankerAgreement(first, second, kendall, spearman)


def fit(
    data: Judgements, ranker: Ranker, sampling: Sampling, asked: RankedOutputs
) -> tuple[tuple[str, ...], Fitted, tuple[str, ...]]:
    """Systems, their scores with those of every resample, and notes on what was left out."""
    fitted_on = pairs_of(data, asked) if isinstance(data, Rankings) else judged_systems(assessed(data))
    if len(fitted_on.systems) < 2:
        raise InputError(
            f"{data.file} judges {len(fitted_on.systems)} systems, and a ranking needs two or more.",
            hint="Check what was left out.",
        )
    fitted = checked_fit(ranker, fitted_on, sampling)
    return fitted_on.systems, fitted, fitted_on.notes if isinstance(fitted_on, Pairs) else fitted.notes


def _few(data: Judgements, unit: Unit) -> tuple[str, ...]:
    """A note where there are too few segments to know how far they vary."""
    if unit != "segment" or not isinstance(data, Rankings | Assessments):
        return ()
    return few_drawn("Ranges", len(np.unique(data.segment)), "segment")


@verb(HeadToHeadOptions)
def head_to_head(asked: HeadToHeadOptions) -> HeadToHead:
    """Every two systems against each other, with sign tests: a segment is won by who won more of its judgements."""
    data = prepared(asked)
    if not isinstance(data, Rankings):
        raise InputError(f"{data.file} has no rankings to compare systems by.", hint="Rank it with tercet rank.")
    table = pair_tests(pairs_of(data, asked), compat=asked.compat)
    wanted = tuple(asked.order or sorted(table.systems))
    unknown = [s for s in wanted if s not in table.systems]
    if len(set(wanted)) < len(wanted):
        raise InputError("The order names a system twice.", hint="Name each once.")
    if unknown:
        raise InputError(f"{data.file} has no system {', '.join(unknown)}.", hint=f"It has {', '.join(table.systems)}.")
    return table.reordered(np.array([table.systems.index(s) for s in wanted]))


def prepared(asked: Named) -> Judgements:
    """Judgements as nouns, under the names of the test set, if there is one."""
    names, testset, judged = asked.names, asked.testset, (asked.judgements, asked.judgements_format)
    pair = inputs.shared_pair(asked.pair, testset, asked.testset_format, *judged)
    data = inputs.judgements(*judged, pair)
    if testset is not None:
        return match_systems(data, inputs.whole_testset(testset, asked.testset_format, pair).systems, names)
    if names:
        unknown = [name for name in names if name not in data.systems]
        if unknown:
            raise InputError(
                f"{data.file} has no system {', '.join(unknown)}.", hint=f"It has {', '.join(data.systems)}."
            )
        return data.renamed(names)
    return data


def pairs_of(rankings: Rankings, asked: RankedOutputs) -> Pairs:
    """The pairwise outcomes, of which there must be some."""
    pairs = pairwise(rankings, on_skip=asked.on_skip, references=asked.references)
    if not len(pairs):
        raise InputError(f"{rankings.file} has no two outputs that were ranked.", hint=" ".join(pairs.notes))
    return pairs


def chosen(method: str | Ranker | None, data: Judgements) -> Ranker:
    """The ranker that was asked for, or the usual one; it must fit the judgements."""
    ranker = RANKERS.make(method) if method is not None else RANKERS.make(_usual(data))
    fits = issubclass(ranker.takes, Pairs) == isinstance(data, Rankings)
    if not fits:
        kind = "rankings" if isinstance(data, Rankings) else "assessments of single outputs"
        rankers = RANKERS.working().items()
        fitting = [name for name, owner in rankers if issubclass(owner.takes, Pairs) == isinstance(data, Rankings)]
        raise InputError(
            f"{ranker.name} cannot rank {data.file}, which holds {kind}.", hint=f"Use {' or '.join(fitting)}."
        )
    return ranker


def _usual(data: Judgements) -> str:
    if isinstance(data, Rankings):
        return "trueskill"
    scores = assessed(data)
    if scores.errors is None:
        return "da"
    return "mqm" if np.isnan(scores.score).all() else "esa"


def sampled_by(ranker: Ranker, asked: JudgementDraws, unit: Unit | None) -> Sampling:
    """How a ranker is to resample."""
    progress = asked.progress
    if unit is not None and unit not in ranker.units:
        raise InputError(f"{ranker.name} draws {' or '.join(ranker.units)}, not {unit!r}.", hint="Leave out the unit.")
    report = None if progress is None else lambda done: progress(f"ranking by {ranker.name}", done)
    expect(progress, f"ranking by {ranker.name}", asked.samples)
    return Sampling(
        samples=asked.samples,
        seed=asked.seed,
        unit=unit or ranker.units[0],
        threads=asked.workers,
        progress=report,
    )


def ranked(systems: tuple[str, ...], fitted: Fitted, confidence: float, *, compat: bool = False) -> tuple[Ranked, ...]:
    """Systems from best to worst, with rank ranges and clusters."""
    names = name_order(systems)
    order = np.argsort(ranks(fitted.scores, names))
    # by lot where a sample has equal scores: by name, two systems that are always equal would never change places
    lots = np.random.default_rng(0).permuted(np.tile(names, (len(fitted.sampled), 1)), axis=1)
    sampled = ranks(fitted.sampled, lots, fitted.variance)
    ranges = [rank_range(sampled[:, i], confidence) for i in order]
    if fitted.better is None:
        clusters = by_range([low for low, _ in ranges], [high for _, high in ranges], compat=compat)
    else:
        clusters = by_tests(fitted.better[np.ix_(order, order)])
    further: list[dict[str, Any]] = [{name: column[i] for name, column in fitted.columns.items()} for i in order]
    return tuple(
        Ranked(systems[i], float(fitted.scores[i]), low, high, cluster, facts)
        for i, (low, high), cluster, facts in zip(order, ranges, clusters, further, strict=True)
    )


def pair_ranker(spec: str | Ranker) -> PairRanker:
    """A ranker of pairwise outcomes."""
    ranker = RANKERS.make(spec)
    if not isinstance(ranker, PairRanker):
        raise InputError(f"{ranker.name} does not rank pairs of systems.", hint="Use expected-wins or trueskill.")
    return ranker
