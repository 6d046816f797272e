"""`meta`: how far do metrics agree with people, how sure is that, and does it hold among the best systems?

texts + metrics ──> scores ─┐
judgements + gold ──> gold ─┴─> measure ──> value ──> interval, tests, outliers, top N ──> records and an answer
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from tercet.data import Judgements, MetaEvaluation, MetaLevel, MetricScores, Rankings, Scatter, TestSet
from tercet.errors import InputError
from tercet.formats import directory, languages, read_scores, read_testset
from tercet.formats.lines import File
from tercet.formats.scores import HUMAN, HUMAN_PREFIX, join
from tercet.human.given import load, signature
from tercet.human.names import match_systems
from tercet.human.names import matched as matched_names
from tercet.human.pairs import OnSkip
from tercet.meta import MEASURES, Measure
from tercet.meta import gold as golds
from tercet.meta.answers import answers
from tercet.meta.evaluate import DRAWS, How, Interval, Part, curves, evaluate, scatters
from tercet.meta.gold import Comparing
from tercet.meta.machines import Computed, Given, Machines, Statistician
from tercet.meta.people import People
from tercet.meta.significance import Correction, Test
from tercet.metric import Metric, default_threads, require_threads
from tercet.metrics import METRICS
from tercet.ranking import Ranker
from tercet.ranking.base import Unit, require_between, require_whole
from tercet.ranking.rank import Progress
from tercet.scoring import DEFAULT_METRICS, statistics
from tercet.spec import show
from tercet.stats.hybrids import HYBRIDS

Scored = MetricScores | Sequence[MetricScores] | File | Sequence[File]


def meta(
    *,
    testset: TestSet | File | None = None,
    judgements: Judgements | File | None = None,
    scores: Scored | None = None,
    human: Scored | str | None = None,
    metrics: str | Sequence[str | Metric] | Mapping[str, str | Metric] = DEFAULT_METRICS,
    level: MetaLevel = "system",
    measures: str | Measure | Sequence[str | Measure] | None = None,
    gold: str | Ranker | Comparing | None = None,
    testset_format: str | None = None,
    judgements_format: str | None = None,
    scores_format: str | None = None,
    pair: str | None = None,
    names: Mapping[str, str] | None = None,
    lower: Sequence[str] = (),
    without: Sequence[str] = (),
    references: bool = False,
    on_skip: OnSkip = "task",
    judged: float = 1.0,
    interval: Interval = "auto",
    samples: int = 1000,
    unit: Unit | None = None,
    test: Test = "auto",
    draws: int | None = None,
    alpha: float = 0.05,
    correction: Correction = "none",
    seed: int = 12345,
    threads: int | None = None,
    progress: Progress | None = None,
) -> MetaEvaluation:
    """Hold metrics against people: agreement, intervals, tests, and whether it holds among the best systems.

    Parameters
    ----------
    testset, metrics
        Texts, and the metrics to score them with; `{"BLEU": "bleu(tokenize=intl)"}` gives a metric a name.
    scores, scores_format, lower
        Instead: scores, or files of them, and the metrics there for which lower is better.
    judgements, gold
        What people said, and how it becomes scores (a ranker) or comparisons (`pairs`, `darr`).
    human
        Instead: people's scores, a file of them, or the name under which they stand among `scores`. Beside judgements,
        official means for instance: agreement is with these, and the judgements give intervals and comparisons.
    level, measures
        `system`, `document` or `segment`, and measures of agreement. If none is named: Pearson's r of systems and
        documents; of segments Kendall's tau as in WMT14 for rankings, and acc-eq for scores.
    pair, names
        The language pair, where a file has several; and other names for systems in the judgements.
    without, references
        Systems to leave out; whether references among the systems take part.
    judged
        The share of a document's segments that must have been judged.
    interval, samples, unit
        95 % intervals over resampled `judgements` (the metric stays as it is, as in WMT14 and WMT15), `systems`,
        `items` or `both`, or by `fisher`; what one draw of judgements is.
    test, draws, alpha, correction
        Test of every two metrics, which gives ranks and winners; 1000 draws, or 10 000 hybrid systems, if none is said.

    >>> from tercet.sample import campaign, judgements
    >>> found = meta(testset=campaign("en-de"), judgements=judgements("en-de"), metrics=["chrf"], samples=100)
    >>> round(found.value("chrf"), 2)
    0.96
    """
    require_threads(threads)
    require_between("alpha", alpha, 0, 1, 0.05)
    require_whole("samples", samples, 40, 1000)
    if draws is not None:
        require_whole("draws", draws, 1, 1000)
    require_whole("seed", seed, 0, 12345)
    _require_one_of(
        level=(level, MetaLevel),
        interval=(interval, Interval),
        test=(test, Test),
        correction=(correction, Correction),
        on_skip=(on_skip, OnSkip),
    )
    require_share(judged)
    how = How(interval, samples, seed, test, draws, alpha, correction, threads or default_threads())
    made = None if gold is None else golds.make(gold)
    base = People(
        how=made,
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
    notes: list[str] = []
    if testset is not None and scores is None:
        if lower:
            raise InputError("Metrics of texts know whether lower is better.", hint="Leave out --lower.")
        texts = _texts(testset, testset_format, pair)
        given = people_scores(human, (), scores_format, pair)
        data, given = by_name(judgements, judgements_format, pair, given, texts.systems, base, names)
        sides = [from_texts(texts, named(metrics), data, given, base, pair)]
    elif scores is not None and testset is None:
        if metrics is not DEFAULT_METRICS:
            raise InputError("Metrics to compute need texts, and scores are given.", hint="Leave out -m, or --scores.")
        read = read_all(scores, scores_format, pair, lower, notes)
        asked = judgements is None or human is not None
        given = people_scores(human, read, scores_format, pair) if asked else []
        sides = from_scores(read, judgements, judgements_format, given, base, pair, names)
    else:
        raise InputError(
            "Give either a test set, whose texts are scored, or scores.",
            hint="For example: tercet meta --testset texts.tsv --judgements rankings.csv -m bleu -m chrf",
        )
    wanted = _measures(measures, level, sides[0][0])
    require_gold(made, wanted)
    return summed_up(sides, level, wanted, how, notes=notes, facts=metric_facts(sides[0][1]))


Side = tuple[People, Machines]


def from_texts(
    texts: TestSet,
    metrics: Mapping[str, Metric],
    judgements: Judgements | None,
    human: Sequence[MetricScores],
    base: People,
    pair: str | None = None,
    count: Statistician | None = None,
) -> Side:
    """Both sides of one direction, whose metrics are scored on the way."""
    direction = pair or (judgements.pair if judgements is not None else "")
    documents = None if texts.documents is None else dict(zip(texts.segments, texts.documents, strict=True))
    first = None
    if texts.references is not None:
        first = {name: own[0] for name, own in zip(texts.segments, texts.references, strict=True)}
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
    tally = count or (lambda testset, metric: statistics(testset, metric, threads=base.threads))
    return people, Computed(texts, metrics, tally, direction)


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
    own = [s for s in scores if not is_human(s) and not any(s is h for h in human)]
    directions = list(dict.fromkeys(s.direction for s in own))
    if not own:
        raise InputError("There is no metric among the scores.", hint="Name more files with --scores.")
    sides: list[Side] = []
    for direction in directions:
        mine = [s for s in own if s.direction == direction]
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
        sides.append((people, Given(mine, people.known_documents())))
    return sides


def summed_up(
    sides: Sequence[Side],
    level: MetaLevel,
    measures: Sequence[Measure],
    how: How,
    *,
    score_intervals: bool = False,
    notes: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
) -> MetaEvaluation:
    """Every direction by every measure, with curves, scatters and the answer in words.

    `score_intervals` draws segments for the intervals of the metrics' own scores, which a scatter shows; `facts` are
    more for the signature.
    """
    parts: list[Part] = []
    for people, machines in sides:
        parts += [evaluate(people, machines, level, measure, how) for measure in measures]
    systems = level == "system"
    strength = any(measure.strength for measure in measures)

    def _points(people: People, machines: Machines) -> tuple[Scatter, ...]:
        return scatters(people, machines, how, intervals=score_intervals)

    tops = [c for people, machines in sides for c in (curves(people, machines, absolute=strength) if systems else ())]
    points = [s for people, machines in sides for s in (_points(people, machines) if systems else ())]
    found = MetaEvaluation(
        tuple(r for part in parts for r in part.records),
        _signature(sides, level, measures, how, facts or {}),
        tuple(dict.fromkeys([*notes, *(note for part in parts for note in part.notes)])),
        tuple(part.tests for part in parts if part.tests is not None),
        tuple(tops),
        tuple(points),
        tuple(c for part in parts for c in part.calibrations),
        scores=tuple(s for _, machines in sides for s in machines.scores(level)),
    )
    return dataclasses.replace(found, answers=answers(found))


def named(metrics: str | Sequence[str | Metric] | Mapping[str, str | Metric]) -> dict[str, Metric]:
    """Metrics by name; without a name, a metric is called by its spec string."""
    if isinstance(metrics, Mapping):
        found = {name: METRICS.make(spec) for name, spec in metrics.items()}
    else:
        made = [METRICS.make(m) for m in ([metrics] if isinstance(metrics, str) else metrics)]
        found = {str(m): m for m in made}
    if not found:
        raise InputError("There is no metric to evaluate.", hint="For example: -m bleu -m chrf")
    return found


def _measures(
    wanted: str | Measure | Sequence[str | Measure] | None, level: MetaLevel, people: People
) -> list[Measure]:
    if wanted is None:
        return [MEASURES.make(usual_measure(level, people))]
    found = [wanted] if isinstance(wanted, str | Measure) else list(wanted)
    if not found:
        raise InputError("There is no measure to evaluate by.", hint="For example: --measure pearson")
    return list(dict.fromkeys(MEASURES.make(m) for m in found))


def usual_measure(level: MetaLevel, people: People) -> str:
    """The measure of a level, if none is named."""
    if level != "segment":
        return "pearson"
    if isinstance(people.judgements, Rankings):
        return "kendall(variant=wmt14)"
    return "kendall(variant=darr)" if isinstance(people.how, Comparing) else "acc-eq"


def _texts(testset: TestSet | File, form: str | None, pair: str | None) -> TestSet:
    if isinstance(testset, TestSet):
        return testset
    return directory.read(testset, pair) if pathlib.Path(testset).is_dir() else read_testset(testset, form)


def read_all(
    scores: Scored, form: str | None, pair: str | None, lower: Sequence[str], notes: list[str] | None = None
) -> list[MetricScores]:
    """Scores as they are, or from their files, those of one metric and level joined."""
    given: Sequence[Any] = [scores] if isinstance(scores, MetricScores | str | os.PathLike) else scores
    found: list[MetricScores] = []
    for each in given:
        found += [each] if isinstance(each, MetricScores) else read_scores(each, form, pair=pair, notes=notes)
    unknown = [name for name in lower if name not in {s.metric for s in found}]
    if unknown:
        known = ", ".join(dict.fromkeys(s.metric for s in found))
        raise InputError(f"There are no scores of {', '.join(unknown)}.", hint=f"There are scores of {known}.")
    return join([dataclasses.replace(s, higher_is_better=False) if s.metric in lower else s for s in found])


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
    theirs = [*known, *(s for s in base.without if s not in known)]
    scored = dict.fromkeys(system for each in human for system in each.systems)
    given = names or {}
    own = {old: new for old, new in given.items() if old in scored}
    if judgements is None:
        unknown = [old for old in given if old not in own]
        if unknown and human:
            hint = f"They have {', '.join(scored)}."
            raise InputError(f"People's scores have no system {', '.join(unknown)}.", hint=hint)
        return None, _called(human, theirs, own)
    data = _loaded(judgements, form, pair)
    judged = {old: new for old, new in given.items() if old in data.systems or old not in own}
    return match_systems(data, theirs, judged), _called(human, theirs, own)


def _loaded(judgements: Judgements | File, form: str | None, pair: str | None) -> Judgements:
    """Judgements of a language pair."""
    if isinstance(judgements, Judgements):
        if pair and judgements.pair and languages.pair(pair) != judgements.pair:
            raise InputError(
                f"{judgements.file} has nothing of {pair}.", hint=f"Its language pair is {judgements.pair}."
            )
        return load(judgements, form, None)
    return load(judgements, form, pair)


def people_scores(
    human: Scored | str | None, read: Sequence[MetricScores], form: str | None, pair: str | None
) -> list[MetricScores]:
    """People's scores: by their name among those that were read, or from a file of their own."""
    if human is None or isinstance(human, str):
        names = list(dict.fromkeys(s.metric for s in read if is_human(s)))
        wanted = human or (HUMAN if HUMAN in names else names[0] if len(names) == 1 else None)
        found = [s for s in read if s.metric in (wanted, f"{HUMAN_PREFIX}{wanted}")]
        if found:
            return found
        if len(names) > 1:
            raise InputError(
                f"There are several scores of people: {', '.join(names)}.", hint="Choose one: --human NAME."
            )
        if human is None:
            return []
    given = read_all(human, form, pair, ())
    found = [s for s in given if is_human(s)] or given
    names = list(dict.fromkeys(s.metric for s in found))
    chosen = HUMAN if HUMAN in names else names[0]
    if chosen != HUMAN and len(names) > 1:
        raise InputError(
            f"{f'{human} has' if isinstance(human, str | os.PathLike) else 'There are'} several scores of people: "
            f"{', '.join(names)}.",
            hint="Give a file with one of them, or name them among --scores: --human NAME.",
        )
    return [s for s in found if s.metric == chosen]


def _called(scores: Sequence[MetricScores], theirs: Sequence[str], names: Mapping[str, str]) -> list[MetricScores]:
    """People's scores, whose systems are called as the metrics call them; those that no metric has keep their names."""
    found = []
    for each in scores:
        own = matched_names(each.systems, theirs, {old: new for old, new in names.items() if old in each.systems})
        found.append(dataclasses.replace(each, systems=tuple(own.get(s, s) for s in each.systems)))
    return found


def is_human(scores: MetricScores) -> bool:
    """Whether scores are people's, by their name."""
    return scores.metric in (HUMAN, f"{HUMAN}_RAW") or scores.metric.startswith(HUMAN_PREFIX)


def _require_segments(judgements: Judgements, texts: TestSet) -> None:
    known = set(texts.segments)
    unknown = [s for s in judgements.segments if s not in known]
    if unknown:
        raise InputError(
            f"{judgements.file} judges segment {unknown[0]!r}, which the test set does not have"
            + (f" (nor {len(unknown) - 1} others)." if len(unknown) > 1 else "."),
            hint="Segments must be called the same on both sides; a table without a column segment counts from 1.",
        )


def require_gold(gold: Ranker | Comparing | None, measures: Sequence[Measure]) -> None:
    """Refuse a gold that none of the measures looks at."""
    needed = {measure.takes for measure in measures}
    if isinstance(gold, Comparing) and "pairs" not in needed:
        raise InputError(
            f"The gold {gold} is comparisons of two systems, and {measures[0]} needs scores.",
            hint="Use kendall(variant=wmt14) of segments, or another gold.",
        )
    if isinstance(gold, Ranker) and "scores" not in needed:
        raise InputError(
            f"The gold {gold} gives scores, and {measures[0]} needs comparisons of two systems.",
            hint="Leave out the gold, or use pairs or darr.",
        )


def require_share(judged: float) -> None:
    """Refuse a share that is none."""
    if not 0 <= judged <= 1:
        raise InputError(f"judged must be a share from 0 to 1, not {judged!r}.", hint="Usual: 1.")


def metric_facts(machines: Machines) -> dict[str, str]:
    """What metrics are that were given a name of their own: the results show the name only."""
    if isinstance(machines, Given):
        return {}
    told = [f"{name}={metric}" for name, metric in machines.metrics.items() if name != str(metric)]
    return {"metrics": "+".join(told)} if told else {}


def _signature(
    sides: Sequence[Side], level: MetaLevel, measures: Sequence[Measure], how: How, more: Mapping[str, str]
) -> str:
    people = sides[0][0]
    made = next(iter(people.made.values()), None)
    facts = {
        **more,
        "level": level,
        "measures": "+".join(map(str, measures)),
        "gold": "" if made is None else made.spec,
        "interval": how.interval,
        "samples": how.samples,
        **({"unit": people.unit} if people.unit else {}),
        "seed": how.seed,
        "test": how.test,
        "draws": how.draws or (HYBRIDS if how.test == "hybrids" else DRAWS),
        "alpha": show(how.alpha),
        **({"correction": how.correction} if how.correction != "none" else {}),
        **({"without": "+".join(people.without)} if people.without else {}),
        **({"references": "true"} if people.references else {}),
        **({"on_skip": people.on_skip} if people.on_skip != "task" else {}),
        **({"judged": show(people.judged)} if level == "document" else {}),
    }
    return signature("meta", facts)


def _require_one_of(**given: tuple[str, Any]) -> None:
    for name, (value, kind) in given.items():
        if value not in get_args(kind):
            raise InputError(f"{name} must be one of {', '.join(get_args(kind))}, not {value!r}.", hint="See --help.")
