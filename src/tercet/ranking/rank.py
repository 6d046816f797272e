"""`rank`: judgements to scores, rank ranges and clusters, with the ranker that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

import numpy as np

from tercet.data import Judgements, Pairs, Ranked, Ranking, Rankings, TestSet
from tercet.errors import InputError
from tercet.formats import read_testset
from tercet.formats.lines import File
from tercet.human.agreement import require_assessments as assessed
from tercet.human.assessments import judged_systems
from tercet.human.given import load, signature
from tercet.human.names import match_systems
from tercet.human.pairs import OnSkip, pairwise
from tercet.metric import default_threads, require_threads
from tercet.ranking import RANKERS, Ranker
from tercet.ranking.base import Fitted, PairRanker, Sampling, Unit, require_between
from tercet.ranking.clusters import by_range, by_tests, name_order, rank_range, ranks
from tercet.ranking.head_to_head import HeadToHead
from tercet.spec import show

Progress = Callable[[str, int], None]


def rank(
    judgements: Judgements | File,
    *,
    judgements_format: str | None = None,
    pair: str | None = None,
    method: str | Ranker | None = None,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 12345,
    unit: Unit | None = None,
    on_skip: OnSkip = "task",
    references: bool = False,
    testset: TestSet | File | None = None,
    names: Mapping[str, str] | None = None,
    compat: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Ranking:
    """Rank systems from human judgements: scores, rank ranges, clusters.

    Parameters
    ----------
    judgements
        Judgements, or the file of them.
    judgements_format, pair
        The format of that file, where it cannot be told; the language pair, where it has several.
    method
        A ranker; for rankings `trueskill` if none is named, for scores `da`, for errors `mqm`, for both `esa`.
    samples, seed, confidence
        How many resamples (or runs of TrueSkill) rank ranges are made from, and the share of them that they span.
    unit
        What is drawn: a `pair` of systems in a task, a whole `task`, or a `segment` with all its tasks.
    on_skip
        An output that was not judged (rank -1) takes its whole `task` with it, or only the pairs that it is in.
    references
        Rank references, too, if there are some among the systems.
    testset, names
        A test set whose names the systems shall have, and a map for those that the rule does not match.
    compat
        Divide clusters as the script of WMT14 to WMT16 does.

    >>> from tercet.sample import judgements
    >>> [r.system for r in rank(judgements("en-de"), method="expected-wins")]
    ['amber', 'birch', 'cedar', 'delta', 'ember']
    """
    data = prepared(judgements, judgements_format, pair, testset, names)
    ranker = chosen(method, data)
    if not isinstance(data, Rankings) and (compat or references or on_skip != "task"):
        raise InputError(
            f"{data.file} has no rankings, and compat, references and on_skip are options for those.",
            hint="Leave them out.",
        )
    sampling = sampled_by(ranker, samples, confidence, seed, unit, threads, progress)
    systems, fitted, notes = fit(data, ranker, sampling, on_skip, references)
    facts = {
        "method": str(ranker),
        "samples": samples,
        "confidence": show(confidence),
        "seed": seed,
        "unit": sampling.unit,
        **({"on_skip": on_skip, "references": show(references)} if isinstance(data, Rankings) else {}),
        **({"compat": "true"} if compat else {}),
    }
    records = ranked(systems, fitted, confidence, compat=compat)
    return Ranking(records, signature("rank", facts), data.pair, ranker.digits, notes)


def fit(
    data: Judgements, ranker: Ranker, sampling: Sampling, on_skip: OnSkip = "task", references: bool = False
) -> tuple[tuple[str, ...], Fitted, tuple[str, ...]]:
    """Systems, their scores with those of every resample, and notes on what was left out."""
    fitted_on = pairs_of(data, on_skip, references) if isinstance(data, Rankings) else judged_systems(assessed(data))
    if len(fitted_on.systems) < 2:
        raise InputError(
            f"{data.file} judges {len(fitted_on.systems)} systems, and a ranking needs two or more.",
            hint="Check what was left out.",
        )
    fitted = ranker.fit(fitted_on, sampling)
    return fitted_on.systems, fitted, fitted_on.notes if isinstance(fitted_on, Pairs) else fitted.notes


def head_to_head(
    judgements: Judgements | File,
    *,
    judgements_format: str | None = None,
    pair: str | None = None,
    on_skip: OnSkip = "task",
    references: bool = False,
    testset: TestSet | File | None = None,
    names: Mapping[str, str] | None = None,
    order: tuple[str, ...] | None = None,
) -> HeadToHead:
    """Every two systems against each other, in the order of their names or in the one given."""
    data = prepared(judgements, judgements_format, pair, testset, names)
    if not isinstance(data, Rankings):
        raise InputError(f"{data.file} has no rankings to compare systems by.", hint="Rank it with tercet rank.")
    table = HeadToHead.of(pairs_of(data, on_skip, references))
    wanted = order or tuple(sorted(table.systems))
    unknown = [s for s in wanted if s not in table.systems]
    if len(set(wanted)) < len(wanted):
        raise InputError("The order names a system twice.", hint="Name each once.")
    if unknown:
        raise InputError(f"{data.file} has no system {', '.join(unknown)}.", hint=f"It has {', '.join(table.systems)}.")
    return table.reordered(np.array([table.systems.index(s) for s in wanted]))


def prepared(
    judgements: Judgements | File,
    judgements_format: str | None = None,
    pair: str | None = None,
    testset: TestSet | File | None = None,
    names: Mapping[str, str] | None = None,
) -> Judgements:
    """Judgements as nouns, under the names of the test set, if there is one."""
    data = load(judgements, judgements_format, pair)
    if testset is not None:
        systems = testset.systems if isinstance(testset, TestSet) else read_testset(testset).systems
        return match_systems(data, systems, names)
    if names:
        unknown = [name for name in names if name not in data.systems]
        if unknown:
            raise InputError(
                f"{data.file} has no system {', '.join(unknown)}.", hint=f"It has {', '.join(data.systems)}."
            )
        return data.renamed(names)
    return data


def pairs_of(rankings: Rankings, on_skip: OnSkip, references: bool) -> Pairs:
    """The pairwise outcomes, of which there must be some."""
    if on_skip not in get_args(OnSkip):
        raise InputError(f"on_skip must be task or pair, not {on_skip!r}.", hint="Leave it out for the usual.")
    pairs = pairwise(rankings, on_skip=on_skip, references=references)
    if not len(pairs):
        raise InputError(f"{rankings.file} has no two outputs that were ranked.", hint=" ".join(pairs.notes))
    return pairs


def chosen(method: str | Ranker | None, data: Judgements) -> Ranker:
    """The ranker that was asked for, or the usual one; it must fit the judgements."""
    ranker = RANKERS.make(method) if method is not None else RANKERS.make(_usual(data))
    fits = issubclass(ranker.takes, Pairs) == isinstance(data, Rankings)
    if not fits:
        kind = "rankings" if isinstance(data, Rankings) else "assessments of single outputs"
        fitting = [n for n in RANKERS if issubclass(RANKERS.load(n).takes, Pairs) == isinstance(data, Rankings)]
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


def sampled_by(
    ranker: Ranker,
    samples: int,
    confidence: float,
    seed: int,
    unit: Unit | None,
    threads: int | None,
    progress: Progress | None,
) -> Sampling:
    """How a ranker is to resample."""
    require_between("confidence", confidence, 0, 1, 0.95)
    if unit is not None and unit not in ranker.units:
        raise InputError(f"{ranker.name} draws {' or '.join(ranker.units)}, not {unit!r}.", hint="Leave out the unit.")
    require_threads(threads)
    report = None if progress is None else lambda done: progress(f"ranking by {ranker.name}", done)
    return Sampling(samples, seed, unit or ranker.units[0], threads or default_threads(), report)


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
    found = RANKERS.make(spec)
    if not isinstance(found, PairRanker):
        raise InputError(f"{found.name} does not rank pairs of systems.", hint="Use expected-wins or trueskill.")
    return found
