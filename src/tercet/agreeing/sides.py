"""People and metrics of each direction, from texts, files of scores, or both: what `meta` and studies hold together."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

from tercet import inputs
from tercet.agreeing.machines import Computed, Machines, Mixed, Statistician, Submitted
from tercet.agreeing.people import People
from tercet.data import Judgements, MetricScores, TestSet
from tercet.errors import InputError
from tercet.formats import languages
from tercet.formats.lines import File
from tercet.formats.scores import HUMAN
from tercet.human.names import match_systems
from tercet.human.names import matched as matched_names
from tercet.metric_base import Metric
from tercet.options.groups import Aggregate, Engined
from tercet.scoring import statistics

Side = tuple[People, Machines]


class SidesGiven(Protocol):
    """Where the two sides are: options of `meta`, or a direction of a study."""

    @property
    def testset(self) -> TestSet | File | None: ...
    @property
    def testset_format(self) -> str | None: ...
    @property
    def judgements(self) -> Judgements | File | None: ...
    @property
    def judgements_format(self) -> str | None: ...
    @property
    def human(self) -> inputs.Scored | str | None: ...
    @property
    def scores_format(self) -> str | None: ...
    @property
    def pair(self) -> str | None: ...
    @property
    def names(self) -> Mapping[str, str] | None: ...


def both_sides(
    given: SidesGiven,
    read: Sequence[MetricScores],
    base: People,
    notes: list[str],
    metrics: Callable[[Collection[str]], Mapping[str, Metric]],
    *,
    count: Statistician | None = None,
    aggregate: Aggregate | None = None,
) -> list[Side]:
    """Both sides of each direction. `read` are scores of files, `metrics` those to be counted beside them."""
    among = given.judgements is None or given.human is not None  # else the judgements are enough
    human = inputs.human_scores(given.human, read, given.scores_format, given.pair) if among else []
    read = read if given.human is None else inputs.of_one_direction(read, human)
    judged = given.judgements, given.judgements_format
    if given.testset is None:
        notes += inputs.missing_scores(read)
        return from_scores(read, *judged, human, base, given.pair, given.names)
    pair = inputs.shared_pair(given.pair, given.testset, given.testset_format, *judged, scores=[*read, *human])
    texts = inputs.whole_testset(given.testset, given.testset_format, pair)
    submitted = submitted_beside(read, human, list(texts.systems))
    human = [h for h in human if h.direction in ("", pair)] if pair and not given.pair else human
    data, human = by_name(*judged, pair, human, texts.systems, base, given.names)
    if not given.pair:
        inputs.require_pair_of_name(given.testset, data.pair if data is not None else pair or "")
    submitted = _of_direction(submitted, pair or (data.pair if data is not None else ""))
    notes += inputs.missing_scores(submitted, texts)
    counted = metrics({s.metric for s in submitted})
    return [from_texts(texts, counted, data, human, base, pair, count, submitted, aggregate)]


def from_texts(
    texts: TestSet,
    metrics: Mapping[str, Metric],
    judgements: Judgements | None,
    human: Sequence[MetricScores],
    base: People,
    pair: str | None = None,
    count: Statistician | None = None,
    submitted: Sequence[MetricScores] = (),
    aggregate: Aggregate | None = None,
) -> Side:
    """Both sides of one direction, whose metrics are scored on the way, with those of files beside them."""
    direction = pair or (judgements.pair if judgements is not None else "")
    direction = direction or next((s.direction for s in submitted), "")
    documents = None if texts.documents is None else dict(zip(texts.segments, texts.documents, strict=True))
    first = None
    if texts.references is not None:
        first = {name: references[0] for name, references in zip(texts.segments, texts.references, strict=True)}
    if judgements is None and not human:
        raise InputError(
            "Nothing says what people think of the systems.",
            hint="Name judgements: --judgements FILE, or --human FILE.",
        )
    if judgements is not None:
        _require_segments(judgements, texts)
    if len({h.direction for h in human}) > 1:
        raise InputError(
            f"People's scores are of {', '.join(dict.fromkeys(h.direction for h in human))}.",
            hint="Choose one language pair: --pair.",
        )
    people = dataclasses.replace(
        base,
        direction=direction,
        judgements=judgements,
        given=tuple(human),
        documents=documents,
        texts=first,
        made={},
    )
    where = base.asked if isinstance(base.asked, Engined) else None
    tally = count or (lambda testset, metric: statistics(testset, metric, threads=base.asked.threads, where=where))
    computed = Computed(texts, metrics, tally, direction, aggregate)
    return people, Mixed(computed, Submitted(submitted, people.known_documents())) if submitted else computed


def from_scores(
    scores: Sequence[MetricScores],
    judgements: Judgements | File | None,
    judgements_format: str | None,
    human: Sequence[MetricScores],
    base: People,
    pair: str | None,
    names: Mapping[str, str] | None = None,
) -> list[Side]:
    """Both sides of every direction that the files have."""
    of_metrics = _metrics_of(scores, human)
    directions = list(dict.fromkeys(s.direction for s in of_metrics))
    if not of_metrics:
        raise InputError("There is no metric among the scores.", hint="Name more files with --scores.")
    sides: list[Side] = []
    for direction in directions:
        mine = [s for s in of_metrics if s.direction == direction]
        theirs = [h for h in human if h.direction in (direction, "")]
        systems = dict.fromkeys(s for m in mine for s in m.systems)
        data, theirs = by_name(judgements, judgements_format, direction or pair, theirs, systems, base, names)
        if data is None and not theirs:
            raise InputError(
                f"Nothing says what people think of the systems{' of ' + direction if direction else ''}.",
                hint=f"Name judgements: --judgements FILE; or people's scores: --human FILE, or a column {HUMAN}.",
            )
        people = dataclasses.replace(
            base, direction=direction or pair or "", judgements=data, given=tuple(theirs), made={}
        )
        sides.append((people, Submitted(mine, people.known_documents())))
    return sides


def submitted_beside(
    scores: Sequence[MetricScores], human: Sequence[MetricScores], systems: Sequence[str]
) -> list[MetricScores]:
    """Scores of metrics, whose systems are called as the texts call them."""
    return _called(_metrics_of(scores, human), systems, {})


def _metrics_of(scores: Sequence[MetricScores], human: Sequence[MetricScores]) -> list[MetricScores]:
    """Scores that are not people's."""
    return [s for s in scores if not inputs.is_human(s) and not any(s is h for h in human)]


def _of_direction(scores: Sequence[MetricScores], pair: str) -> list[MetricScores]:
    """Those of a language pair, or of the only one that there is."""
    directions = list(dict.fromkeys(s.direction for s in scores if s.direction))
    if not pair and len(directions) > 1:
        raise InputError(
            f"The scores are of {', '.join(directions)}, and nothing says which of them the texts are of.",
            hint=f"Name it: --pair {directions[0]}.",
        )
    wanted = languages.pair(pair) or pair or "".join(directions)
    kept = [dataclasses.replace(s, direction=wanted) for s in scores if s.direction in ("", wanted, pair)]
    if scores and not kept:
        raise InputError(f"There are no scores of {wanted}.", hint=f"There are scores of {', '.join(directions)}.")
    return kept


def by_name(
    judgements: Judgements | File | None,
    form: str | None,
    pair: str | None,
    human: Sequence[MetricScores],
    systems: Iterable[str],
    base: People,
    names: Mapping[str, str] | None,
) -> tuple[Judgements | None, list[MetricScores]]:
    """Judgements of a language pair and people's scores, whose systems are called as the metrics call them.

    Both go by the rule of `tercet.human.names`; with both, a name of the map need be known to one of them only.
    """
    known = dict.fromkeys(systems)
    theirs = [*known, *(s for s in base.asked.without if s not in known)]
    scored = dict.fromkeys(system for entry in human for system in entry.systems)
    given = names or {}
    of_scores = {old: new for old, new in given.items() if old in scored}
    if judgements is None:
        unknown = [old for old in given if old not in of_scores]
        if unknown and human:
            hint = f"They have {', '.join(scored)}."
            raise InputError(f"People's scores have no system {', '.join(unknown)}.", hint=hint)
        return None, _called(human, theirs, of_scores)
    data = inputs.judgements(judgements, form, pair)
    judged = {old: new for old, new in given.items() if old in data.systems or old not in of_scores}
    return match_systems(data, theirs, judged), _called(human, theirs, of_scores)


def _called(scores: Sequence[MetricScores], theirs: Sequence[str], names: Mapping[str, str]) -> list[MetricScores]:
    """People's scores, whose systems are called as the metrics call them; those that no metric has keep their names."""
    renamed = []
    for entry in scores:
        partners = matched_names(
            entry.systems, theirs, {old: new for old, new in names.items() if old in entry.systems}
        )
        renamed.append(dataclasses.replace(entry, systems=tuple(partners.get(s, s) for s in entry.systems)))
    return renamed


def _require_segments(judgements: Judgements, texts: TestSet) -> None:
    known = set(texts.segments)
    unknown = [s for s in judgements.segments if s not in known]
    if unknown:
        raise InputError(
            f"{judgements.file} judges segment {unknown[0]!r}, which the test set does not have"
            + (f" (nor {len(unknown) - 1} others)." if len(unknown) > 1 else "."),
            hint="Segments must be called the same on both sides; a table without a column segment counts from 1.",
        )
