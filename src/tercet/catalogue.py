"""Everything registered, and one card each: what `tercet list` and `tercet show` say, and the docs' pages."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any

from tercet import spec as specs
from tercet.agreeing import MEASURES, Measure
from tercet.agreeing.gold import GOLDS, Comparing
from tercet.data import Pairs
from tercet.data.catalogue import Catalogue, Record
from tercet.errors import PluginError
from tercet.formats import JUDGEMENT_FORMATS, SCORE_FORMATS, broken_formats, formats
from tercet.medical import TABLES, Medical
from tercet.metric_base import Card, Metric
from tercet.metrics import METRICS, growth
from tercet.options import verb
from tercet.options.studies import Listed, ListOptions, ShowOptions
from tercet.parses import PARSERS, Parser
from tercet.quality.features import FEATURES
from tercet.ranking import RANKERS, Ranker
from tercet.text import TOKENIZERS, Tokenizer


@verb(ListOptions)
def list(asked: ListOptions) -> Catalogue:  # noqa: A001
    """One record for every metric, alias, ranker, measure, gold, feature, tokenizer, parser, table and format."""
    asked_for = [_LISTS[asked.kind]] if asked.kind is not None else _LISTS.values()
    return Catalogue(record for records in asked_for for record in records())


def names() -> builtins.list[str]:
    """What `show` has a card of."""
    kinds = (METRICS, METRICS.aliases, RANKERS, MEASURES, GOLDS, FEATURES, TOKENIZERS, PARSERS, TABLES)
    return builtins.list(dict.fromkeys(name for kind in kinds for name in kind))


@verb(ShowOptions)
def show(asked: ShowOptions) -> Catalogue:
    """The card of a metric, ranker, measure, gold, feature, tokenizer, parser, table or format, a record a line."""
    return Catalogue(_card(asked.spec))


def _card(spec: str) -> builtins.list[Record]:
    name, _ = specs.read(spec)
    if name in TOKENIZERS and name not in METRICS:
        return _summary_card(TOKENIZERS.make(spec))
    if name in PARSERS and name not in METRICS:
        return _summary_card(PARSERS.make(spec))
    if name in TABLES and name not in METRICS:
        return _summary_card(TABLES.make(spec))
    if name in RANKERS and name not in METRICS:
        return _ranker_card(RANKERS.make(spec))
    if name in MEASURES and name not in METRICS:
        return _measure_card(MEASURES.make(spec))
    if name in GOLDS and name not in METRICS:
        return _gold_card(GOLDS.make(spec))
    if name in FEATURES and name not in METRICS:
        return _feature_card(spec)
    if name in formats() and name not in METRICS:
        return _format_card(name)
    for kind in (JUDGEMENT_FORMATS, SCORE_FORMATS):
        if name in kind and name not in METRICS:
            lines = [("format", name), ("summary", kind[name].summary)]
            return [{"field": field, "value": value} for field, value in lines]
    return _metric_card(METRICS.make(spec))


def _cards(kind: str, registry: specs.Registry[Any]) -> builtins.list[Record]:
    working = [_entry(kind, name, owner.card.title) for name, owner in registry.working().items()]
    return [*working, *_broken(kind, registry.broken())]


def _summaries(kind: str, registry: specs.Registry[Any]) -> builtins.list[Record]:
    working = [_entry(kind, name, owner.summary) for name, owner in registry.working().items()]
    return [*working, *_broken(kind, registry.broken())]


def _metrics() -> builtins.list[Record]:
    aliases = [_entry("alias", name, f"means {spec}") for name, spec in METRICS.aliases.items()]
    return [*_cards("metric", METRICS), *aliases]


def _formats() -> builtins.list[Record]:
    working = [_entry("format", name, form.summary) for name, form in formats().items()]
    return [*working, *_broken("format", broken_formats())]


_LISTS: Mapping[Listed, Callable[[], builtins.list[Record]]] = {
    "metrics": _metrics,
    "rankers": lambda: _cards("ranker", RANKERS),
    "measures": lambda: _cards("measure", MEASURES),
    "golds": lambda: _cards("gold", GOLDS),
    "features": lambda: _cards("feature", FEATURES),
    "tokenizers": lambda: _summaries("tokenizer", TOKENIZERS),
    "parsers": lambda: _summaries("parser", PARSERS),
    "tables": lambda: _summaries("table", TABLES),
    "formats": _formats,
    "judgements": lambda: [_entry("judgements", name, form.summary) for name, form in JUDGEMENT_FORMATS.items()],
    "scores": lambda: [_entry("scores", name, form.summary) for name, form in SCORE_FORMATS.items()],
}


def _broken(kind: str, errors: Mapping[str, PluginError]) -> builtins.list[Record]:
    return [_entry(f"broken {kind}", name, error.message) for name, error in errors.items()]


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
        *([("long segments", long_segments)] if (long_segments := growth.told(metric.name)) else []),
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


def _feature_card(spec: str) -> builtins.list[Record]:
    """By name only: most features cannot be made without the files that they read."""
    name, _ = specs.read(spec)
    owner = FEATURES.load(name)
    docs = specs.option_docs(owner)
    lines = [
        ("spec", name),
        *_about(owner.card),
        *([("QuEst++", owner.quest)] if owner.quest else []),
        *((f"option {option}", sentence) for option, sentence in docs.items()),
    ]
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


def _summary_card(owner: Tokenizer | Parser | Medical) -> builtins.list[Record]:
    lines = [("spec", str(owner)), ("summary", owner.summary), *_options(owner)]
    return [{"field": field, "value": value} for field, value in lines]


def _format_card(name: str) -> builtins.list[Record]:
    form = formats()[name]
    lines = [("format", name), ("summary", form.summary), ("files", ", ".join(form.suffixes) or "a directory")]
    return [{"field": field, "value": value} for field, value in lines]


def _options(owner: specs.Spec) -> builtins.list[tuple[str, str]]:
    docs = specs.option_docs(type(owner))
    return [(f"option {name}", f"{specs.show(value)}: {docs[name]}") for name, value in owner.parameters().items()]


def _entry(kind: str, name: str, what: str) -> Record:
    return {"kind": kind, "name": name, "what": what}
