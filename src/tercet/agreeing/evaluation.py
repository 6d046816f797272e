"""`meta`: how far do metrics agree with people, how sure is that, and does it hold among the best systems?

texts + metrics ──> scores ─┐
judgements + gold ──> gold ─┴─> measure ──> value ──> interval, tests, outliers, top N ──> records and an answer
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

from tercet import inputs
from tercet.agreeing import MEASURES, Measure
from tercet.agreeing import gold as golds
from tercet.agreeing.answers import answers
from tercet.agreeing.evaluate import Evaluated, curves, evaluate, scatters, segment_scores
from tercet.agreeing.gold import Comparing
from tercet.agreeing.machines import Machines
from tercet.agreeing.people import People
from tercet.agreeing.sides import Side, both_sides
from tercet.agreeing.significance import draws_of
from tercet.data import MetaEvaluation, MetricScores, Rankings, Scatter
from tercet.encoders import while_reading
from tercet.errors import InputError
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.options import verb
from tercet.options.agreeing import Certainty, Measures, MetaLevel, MetaOptions, NamedMetrics
from tercet.options.groups import AGGREGATE_NAMES, DEFAULT_METRICS
from tercet.ranking import Ranker
from tercet.signing import signature, together
from tercet.spec import Spec, show


@verb(MetaOptions)
def meta(asked: MetaOptions) -> MetaEvaluation:
    """Hold metrics against people: agreement, intervals, tests, and whether it holds among the best systems.

    Texts are scored by metrics, `{"BLEU": "bleu(tokenize=intl)"}` or `"BLEU=bleu(tokenize=intl)"` gives one a name;
    scores of files stand instead or beside. People's side are judgements, scores, or both: then agreement is with the
    scores, official means for instance, and the judgements give intervals and comparisons. If no measure is named, it
    is Pearson's r of systems and documents; of segments Kendall's tau as in WMT14 for rankings, and acc-eq for scores.

    >>> from tercet.sample import campaign, judgements
    >>> found = meta(testset=campaign("en-de"), judgements=judgements("en-de"), metrics=["chrf"], samples=100)
    >>> round(found.value("chrf"), 2)
    0.96
    """
    with while_reading(asked.cache, asked.progress):
        return _held_against_people(asked)


def _held_against_people(asked: MetaOptions) -> MetaEvaluation:
    made = None if asked.gold is None else golds.make(cast(str | Ranker | Comparing, asked.gold))
    base = People(how=made, asked=asked)
    notes: list[str] = []
    sides = _sides(asked, base, notes)
    wanted = _measures(asked.measures, asked.level, sides[0][0])
    require_gold(made, wanted)
    if asked.unit is not None and (asked.level != "system" or all(people.judgements is None for people, _ in sides)):
        raise InputError(
            f"unit says what one draw of judgements is for scores of systems, and these are {asked.level}s"
            f"{'' if asked.level != 'system' else ' without judgements'}.",
            hint="Leave it out; --interval items draws segments with all that was said of them.",
        )
    if not any(isinstance(people.judgements, Rankings) for people, _ in sides):
        asked.refuse_idle({"on_skip": "without rankings"})
    facts = facts_of_files(asked.lower, asked.names)
    if asked.aggregate is not None:
        facts["aggregate"] = asked.aggregate
        notes.append(f"Scores of systems are {AGGREGATE_NAMES[asked.aggregate]}.")
    evaluation = summed_up(sides, asked.level, wanted, asked, notes=notes, facts=facts)
    _refuse_unsigned(asked, evaluation.signature)
    if len({record.metric for record in evaluation.records}) == 1:
        asked.refuse_idle({"common": "with one metric"})
    return evaluation


def _refuse_unsigned(asked: MetaOptions, signed: str) -> None:
    """Refuse what was asked for of intervals and tests, and is not in the signature: it moved nothing."""
    facts = {key: value for key, _, value in (fact.partition(":") for fact in signed.split("|"))}
    test = "without a test" if facts["test"] == "none" else f"with the test {facts['test']}"
    drawn = f"with the interval {facts['interval']}, where no judgements are drawn"
    why = {"draws": test, "alpha": test, "correction": test, "samples": drawn, "seed": f"{drawn}, and {test}"}
    asked.refuse_idle({name: reason for name, reason in why.items() if name not in facts})


def facts_of_files(lower: Sequence[str], names: Mapping[str, str] | None) -> dict[str, str]:
    """What a signature says of how files were read.

    >>> facts_of_files(["TER"], {"a.1": "a"})
    {'lower': 'TER', 'names': 'a.1=a'}
    """
    return {
        **({"lower": "+".join(lower)} if lower else {}),
        **({"names": "+".join(f"{old}={new}" for old, new in names.items())} if names else {}),
    }


def _sides(asked: MetaOptions, base: People, notes: list[str]) -> list[Side]:
    """People and metrics of each direction: of texts, of files of scores, or of both."""
    if asked.testset is None and asked.scores is None:
        raise InputError(
            "Give a test set, whose texts are scored, or scores, or both.",
            hint="For example: tercet meta --testset texts.tsv --judgements rankings.csv -m bleu -m chrf",
        )
    if asked.testset is None:
        asked.refuse_idle({"aggregate": "without a test set"})
    if asked.testset is None and asked.metrics is not DEFAULT_METRICS:
        raise InputError("Metrics need texts, and there are only scores.", hint="Name the texts, or leave out -m.")
    read = (
        [] if asked.scores is None else inputs.scores(asked.scores, asked.scores_format, asked.pair, asked.lower, notes)
    )
    read = _marked(read, asked.reference_free)
    notes += inputs.missing_directions(read)

    def metrics(there: Collection[str]) -> Mapping[str, Metric]:
        """Those that were asked for; where nothing was, what the files have is not computed, too."""
        usual = asked.metrics is DEFAULT_METRICS
        return {name: metric for name, metric in named(asked.metrics).items() if not usual or name not in there}

    return both_sides(asked, read, base, notes, metrics, aggregate=asked.aggregate)


def _marked(scores: Sequence[MetricScores], reference_free: Sequence[str]) -> list[MetricScores]:
    """Scores of which is known which ones look at no reference."""
    metrics = dict.fromkeys(s.metric for s in scores)
    unknown = [name for name in reference_free if name not in metrics]
    if unknown:
        raise InputError(
            f"There are no scores of {', '.join(unknown)}, which is to look at no reference.",
            hint=f"There are scores of {', '.join(metrics)}.",
        )
    return [dataclasses.replace(s, reference_free=s.reference_free or s.metric in reference_free) for s in scores]


def summed_up(
    sides: Sequence[Side],
    level: MetaLevel,
    measures: Sequence[Measure],
    how: Certainty,
    *,
    score_intervals: bool = False,
    notes: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
) -> MetaEvaluation:
    """Every direction by every measure, with curves, scatters and the answer in words.

    `score_intervals` draws segments for the intervals of the metrics' own scores, which a scatter shows; `facts` are
    more for the signature.
    """
    parts: list[Evaluated] = []
    for people, machines in sides:
        parts += [evaluate(people, machines, level, measure, how) for measure in measures]
    systems = level == "system"
    strength = any(measure.strength for measure in measures)

    def _points(people: People, machines: Machines) -> tuple[Scatter, ...]:
        return scatters(people, machines, how, intervals=score_intervals)

    tops = [c for people, machines in sides for c in (curves(people, machines, absolute=strength) if systems else ())]
    points = [s for people, machines in sides for s in (_points(people, machines) if systems else ())]
    # a measure of comparisons has no scores of segments to show
    scored = level == "segment" and all(measure.takes == "scores" for measure in measures)
    beside = [s for people, machines in sides for s in (segment_scores(people, machines) if scored else ())]
    befell = [note for _, machines in sides for note in machines.remarks()]
    evaluation = MetaEvaluation(
        tuple(r for part in parts for r in part.records),
        _signature(sides, level, measures, how, parts, facts or {}),
        tuple(dict.fromkeys([*notes, *(note for part in parts for note in part.notes), *befell])),
        tuple(part.tests for part in parts if part.tests is not None),
        tuple(tops),
        tuple(points),
        tuple(c for part in parts for c in part.calibrations),
        scores=tuple(s for _, machines in sides for s in machines.scores(level)),
        segments=tuple(beside),
    )
    return dataclasses.replace(evaluation, answers=answers(evaluation))


def named(metrics: NamedMetrics) -> dict[str, Metric]:
    """Metrics by name; without a name, a metric is called by its spec string.

    >>> {name: str(metric) for name, metric in named(["chrF3=chrf(beta=3)", "bleu(tokenize=intl)"]).items()}
    {'chrF3': 'chrf(beta=3)', 'bleu(tokenize=intl)': 'bleu(tokenize=intl)'}
    """
    if isinstance(metrics, Mapping):
        return {name: METRICS.make(spec) for name, spec in metrics.items()}
    out: dict[str, Metric] = {}
    for given in [metrics] if isinstance(metrics, str) else metrics:
        name, spec = _name_and_spec(given) if isinstance(given, str) else ("", given)
        metric = METRICS.make(spec)
        name = name or str(metric)
        if name in out and (out[name] != metric or name != str(metric)):
            raise InputError(f"The metric {name} is named twice.", hint="Give one of them another name: NAME=SPEC.")
        out[name] = metric
    if not out:
        raise InputError("There is no metric to evaluate.", hint="For example: -m bleu -m chrf")
    return out


def _name_and_spec(text: str) -> tuple[str, str]:
    """NAME=SPEC, or SPEC alone; a "=" inside brackets belongs to the spec."""
    before, equals, after = text.partition("=")
    if not equals or "(" in before:
        return "", text
    if not before or not after:
        raise InputError(f"{text!r} names no metric.", hint="Write -m chrf, or -m NAME=SPEC.")
    return before, after


def _measures(wanted: Measures | None, level: MetaLevel, people: People) -> list[Measure]:
    if wanted is None:
        return [MEASURES.make(usual_measure(level, people))]
    specs = [wanted] if isinstance(wanted, str | Spec) else list(wanted)
    if not specs:
        raise InputError("There is no measure to evaluate by.", hint="For example: --measure pearson")
    return list(dict.fromkeys(MEASURES.make(cast(str | Measure, spec)) for spec in specs))


def usual_measure(level: MetaLevel, people: People) -> str:
    """The measure of a level, if none is named."""
    if level != "segment":
        return "pearson"
    if isinstance(people.judgements, Rankings):
        return "kendall(variant=wmt14)"
    return "kendall(variant=darr)" if isinstance(people.how, Comparing) else "acc-eq"


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


def _signature(
    sides: Sequence[Side],
    level: MetaLevel,
    measures: Sequence[Measure],
    how: Certainty,
    parts: Sequence[Evaluated],
    more: Mapping[str, str],
) -> str:
    """What made the numbers: of what is usual its name, and nothing that was not used."""
    people = sides[0][0]
    metrics = dict.fromkeys(
        f"{_one_name(name)}={metric}" if name != str(metric) else name
        for _, machines in sides
        for name, metric in machines.metrics.items()
    )
    submitted = dict.fromkeys(_one_name(name) for _, machines in sides for name in machines.submitted_names())
    used = [part.used for part in parts]
    resampled = any(u.unit or u.interval not in ("none", "fisher") for u in used)
    draws = {draws_of(u.test, how, sampled=bool(u.unit)) for u in used} - {None}
    units = dict.fromkeys(u.unit for u in used if u.unit)
    facts = {
        **({"metrics": "+".join(metrics)} if metrics else {}),
        **({"scores": "+".join(submitted)} if submitted else {}),
        **more,
        "level": level,
        "measures": "+".join(map(str, measures)),
        "gold": _of_all(u.gold for u in used),
        "interval": _of_all(u.interval for u in used),
        **({"samples": how.samples} if resampled else {}),
        **({"unit": "+".join(units)} if units else {}),
        **({"seed": how.seed} if resampled or draws else {}),
        "test": _of_all(u.test for u in used),
        **({"draws": "+".join(map(str, sorted(filter(None, draws))))} if draws else {}),
        **({"alpha": show(how.alpha)} if any(u.test != "none" for u in used) else {}),
        **({"correction": how.correction} if how.correction != "none" and any(u.test != "none" for u in used) else {}),
        **({"common": "true"} if how.common else {}),
        **people.facts(level),
    }
    data = together({**machines.fingerprints(), **people.fingerprints()} for people, machines in sides)
    return signature("meta", facts, data)


def _one_name(name: str) -> str:
    """A name as it stands among others, between which there is a `+`: chrF++ is one in quotes.

    >>> "+".join(map(_one_name, ["chrF++", "chrF"]))
    '"chrF++"+chrF'
    """
    return json.dumps(name, ensure_ascii=False) if set(name) & set('+=|"') else name


def _of_all(values: Iterable[str]) -> str:
    """One value if all parts share it, otherwise those of each, in their order."""
    listed = list(values)
    return listed[0] if len(set(listed)) == 1 else "+".join(listed)
