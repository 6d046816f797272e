"""Everything registered, and one card each: what `tercet list` and `tercet show` say, and the docs' pages."""

from __future__ import annotations

import builtins

from tercet import spec as specs
from tercet.data import Pairs
from tercet.formats import JUDGEMENT_FORMATS, SCORE_FORMATS, formats
from tercet.meta import MEASURES, Measure
from tercet.meta.gold import GOLDS, Comparing
from tercet.metric import Card, Metric
from tercet.metrics import METRICS
from tercet.ranking import RANKERS, Ranker
from tercet.report.medical import TABLES, Medical
from tercet.text import TOKENIZERS, Tokenizer

Record = dict[str, str]


def list() -> builtins.list[Record]:  # noqa: A001
    """One record for every metric, alias, ranker, measure, gold, tokenizer, table and format."""
    records = [_entry("metric", name, METRICS.load(name).card.title) for name in METRICS]
    records += [_entry("alias", name, f"means {spec}") for name, spec in METRICS.aliases.items()]
    records += [_entry("ranker", name, RANKERS.load(name).card.title) for name in RANKERS]
    records += [_entry("measure", name, MEASURES.load(name).card.title) for name in MEASURES]
    records += [_entry("gold", name, GOLDS.load(name).card.title) for name in GOLDS]
    records += [_entry("tokenizer", name, TOKENIZERS.load(name).summary) for name in TOKENIZERS]
    records += [_entry("table", name, TABLES.load(name).summary) for name in TABLES]
    records += [_entry("format", name, each.summary) for name, each in formats().items()]
    records += [_entry("judgements", name, each.summary) for name, each in JUDGEMENT_FORMATS.items()]
    records += [_entry("scores", name, each.summary) for name, each in SCORE_FORMATS.items()]
    return records


def show(spec: str) -> builtins.list[Record]:
    """The card of a metric, ranker, measure, gold, tokenizer, table or format, a record a line."""
    name, _ = specs.read(spec)
    if name in TOKENIZERS and name not in METRICS:
        return _summary_card(TOKENIZERS.make(spec))
    if name in TABLES and name not in METRICS:
        return _summary_card(TABLES.make(spec))
    if name in RANKERS and name not in METRICS:
        return _ranker_card(RANKERS.make(spec))
    if name in MEASURES and name not in METRICS:
        return _measure_card(MEASURES.make(spec))
    if name in GOLDS and name not in METRICS:
        return _gold_card(GOLDS.make(spec))
    if name in formats() and name not in METRICS:
        return _format_card(name)
    for kind in (JUDGEMENT_FORMATS, SCORE_FORMATS):
        if name in kind and name not in METRICS:
            lines = [("format", name), ("summary", kind[name].summary)]
            return [{"field": field, "value": value} for field, value in lines]
    return _metric_card(METRICS.make(spec))


def _metric_card(metric: Metric) -> builtins.list[Record]:
    about = metric.card
    lines = [
        ("spec", str(metric)),
        ("title", about.title),
        ("definition", about.definition),
        ("paper", about.paper),
        ("scale", about.scale),
        ("better", "higher" if metric.higher_is_better else "lower"),
        ("needs", ", ".join(sorted(metric.needs)) or "nothing but the translation"),
        ("reference", about.reference if about.exact else f"none: a reconstruction ({about.reference})"),
        *(("difference", text) for text in about.differences),
        *_options(metric),
    ]
    return [{"field": field, "value": value} for field, value in lines]


def _ranker_card(ranker: Ranker) -> builtins.list[Record]:
    about = ranker.card
    lines = [
        ("spec", str(ranker)),
        ("title", about.title),
        ("definition", about.definition),
        ("paper", about.paper),
        ("scale", about.scale),
        ("ranks", "rankings" if issubclass(ranker.takes, Pairs) else "assessments"),
        ("units", ", ".join(ranker.units)),
        ("reference", about.reference),
        *(("difference", text) for text in about.differences),
        *_options(ranker),
    ]
    return [{"field": field, "value": value} for field, value in lines]


def _measure_card(measure: Measure) -> builtins.list[Record]:
    lines = [
        ("spec", str(measure)),
        *_about(measure.card),
        ("levels", ", ".join(measure.levels)),
        ("takes", "comparisons" if measure.takes == "pairs" else "scores"),
        *_options(measure),
    ]
    return [{"field": field, "value": value} for field, value in lines]


def _gold_card(gold: Comparing) -> builtins.list[Record]:
    lines = [("spec", str(gold)), *_about(gold.card), *_options(gold)]
    return [{"field": field, "value": value} for field, value in lines]


def _about(card: Card) -> builtins.list[tuple[str, str]]:
    return [
        ("title", card.title),
        ("definition", card.definition),
        ("paper", card.paper),
        ("scale", card.scale),
        ("reference", card.reference),
        *(("difference", text) for text in card.differences),
    ]


def _summary_card(owner: Tokenizer | Medical) -> builtins.list[Record]:
    lines = [("spec", str(owner)), ("summary", owner.summary), *_options(owner)]
    return [{"field": field, "value": value} for field, value in lines]


def _format_card(name: str) -> builtins.list[Record]:
    each = formats()[name]
    lines = [("format", name), ("summary", each.summary), ("files", ", ".join(each.suffixes) or "a directory")]
    return [{"field": field, "value": value} for field, value in lines]


def _options(owner: specs.Spec) -> builtins.list[tuple[str, str]]:
    docs = specs.option_docs(type(owner))
    return [(f"option {name}", f"{specs.show(value)}: {docs[name]}") for name, value in owner.parameters().items()]


def _entry(kind: str, name: str, what: str) -> Record:
    return {"kind": kind, "name": name, "what": what}
