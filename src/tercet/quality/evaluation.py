"""`qe_evaluate`: predictions of quality against true labels.

files ──> labels of sentences, words or spans, checked against each other
    sentences   MAE, RMSE, DeltaAvg, correlations; winners by bootstrap and Williams's test
    words       confusion matrices ──> F1, MCC, accuracy; winners by bootstrap over sentences
    spans       WMT25's weighted F1, and mpp; winners by bootstrap over segments
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from tercet import label_inputs
from tercet.data.quality import (
    LabelDistribution,
    QualityEvaluation,
    SentenceLabels,
    SpanLabels,
    WordTags,
)
from tercet.errors import InputError
from tercet.formats.lines import shown
from tercet.formats.qe_words import check_tokens, with_replaced
from tercet.numbers import plain
from tercet.options import verb
from tercet.options.quality import USED_AT, EvaluateOptions, NumberKind, QualityLevel
from tercet.quality import sentences, spans, words
from tercet.quality.collected import CollectedLabels, collected, cut_to
from tercet.quality.typologies import Typology, read_typology, wmt14
from tercet.signing import fingerprint, signature

L = TypeVar("L", SentenceLabels, WordTags, SpanLabels)


@verb(EvaluateOptions)
def qe_evaluate(asked: EvaluateOptions) -> QualityEvaluation:
    """Measure predictions of quality: of sentences, of words, or of error spans.

    Predictions and gold are files, or labels as they are; for sentences, lists of numbers will do.

    >>> answer = qe_evaluate({"A": [0.1, 0.2, 0.4, 0.9], "B": [0.5, 0.5, 0.5, 0.5]}, [0.0, 0.25, 0.5, 1.0], samples=40)
    >>> round(answer.value("A", "mae"), 4), answer.winners("mae")
    (0.0875, ['A'])
    """
    if not isinstance(asked.predictions, Mapping) or not asked.predictions:
        raise InputError("There are no predictions.", hint="For example: tercet qe evaluate system.tsv --gold gold.tsv")
    level = asked.level or label_inputs.quality_level(asked.gold)
    others = (name for names in USED_AT.values() for name in names if name not in USED_AT[level])
    asked.refuse_idle(dict.fromkeys(others, f"with labels of {level}s"))
    asked, notes = _with_campaign(asked, level)
    made: dict[str, Callable[[EvaluateOptions], QualityEvaluation]] = {
        "sentence": _sentences,
        "word": _words,
        "span": _spans,
    }
    answer = made[level](asked)
    return dataclasses.replace(answer, notes=(*notes, *answer.notes)) if notes else answer


def _with_campaign(asked: EvaluateOptions, level: QualityLevel) -> tuple[EvaluateOptions, tuple[str, ...]]:
    """What was asked, with true labels that were made of a campaign, and predictions of what was judged there."""
    notes: tuple[str, ...] = ()
    if label_inputs.is_campaign(asked.training):
        learnt = collected(asked.training, level, asked.kind, gaps=asked.gaps, pooled=True)
        asked = dataclasses.replace(asked, training=_nouns(learnt, level))
    if not label_inputs.is_campaign(asked.gold):
        if asked.kind is not None or asked.system is not None:
            name = "kind" if asked.kind is not None else "system"
            raise InputError(f"{name} belongs to a campaign, and the true labels are none.", hint="Leave it out.")
        return asked, notes
    gold = collected(asked.gold, level, asked.kind, asked.system, gaps=asked.gaps)
    predictions = {name: cut_to(mine, gold, name) for name, mine in _predicted(asked, _reader(asked, level)).items()}
    asked = dataclasses.replace(
        asked,
        gold=_nouns(gold, level),
        predictions=predictions,
        kind=cast(NumberKind, gold.kind) if level == "sentence" else None,
        system=gold.texts[0].system,
        higher=gold.higher if level == "sentence" else asked.higher,
    )
    return asked, gold.notes


def _nouns(labels: CollectedLabels, level: QualityLevel) -> Any:
    return {"sentence": labels.sentences, "word": labels.words, "span": labels.spans}[level]()


def _reader(asked: EvaluateOptions, level: QualityLevel) -> Callable[[Any, str], Mapping[str, Any]]:
    """How predictions are read."""
    if level == "sentence":
        return functools.partial(label_inputs.sentence_labels, pair=asked.pair)
    if level == "word":
        return functools.partial(label_inputs.word_tags, gaps=asked.gaps, pair=asked.pair)
    return functools.partial(label_inputs.span_labels, pair=asked.pair)


def _sentences(asked: EvaluateOptions) -> QualityEvaluation:
    true_labels = functools.partial(label_inputs.sentence_labels, gold=True)
    gold = _only(true_labels(asked.gold, "gold", pair=asked.pair), asked.gold)
    predictions = _predicted(asked, _reader(asked, "sentence"))
    if gold.scores is None or not len(gold):
        raise InputError(f"{gold.file or 'The gold file'} has no labels.", hint="Give one number a segment.")
    training = None if asked.training is None else _only(true_labels(asked.training, "training"), asked.training)
    signed = _signature(asked, _sentence_facts(asked), gold, predictions, {"training": training})
    for name, labels in predictions.items():
        sentences.check_alike(name, labels, gold)
    there = ~np.isnan(gold.scores)
    notes = []
    if not there.all():
        if not there.any():
            raise InputError(f"{gold.file or 'Gold'} has no labels but nan.", hint="Give one number a segment.")
        notes.append(f"{int((~there).sum())} of {len(gold)} segments have no true label (nan) and are left out.")
        gold = sentences.some(gold, there)
        predictions = {name: sentences.some(labels, there) for name, labels in predictions.items()}
    entries = sentences.sentence_entries(predictions, asked)
    baseline = _baseline([entry.name for entry in entries], asked.baseline)
    learnt = None if training is None or training.scores is None else training.scores * asked.scale
    truth = (gold.scores if gold.scores is not None else np.zeros(0)) * asked.scale
    return QualityEvaluation(
        tuple(sentences.sentence_records(entries, truth, asked, baseline, learnt)),
        signed,
        "sentence",
        baseline,
        distributions=sentences.distributions(entries, truth, learnt),
        notes=tuple(notes),
    )


def _sentence_facts(asked: EvaluateOptions) -> dict[str, str]:
    return {
        "level": "sentence",
        "better": "higher" if asked.higher else "lower",
        "scale": plain(asked.scale),
        "order": asked.order,
        "compat": str(asked.compat).lower(),
    }


def _words(asked: EvaluateOptions) -> QualityEvaluation:
    tags_of = _reader(asked, "word")
    gold, predictions = _only(tags_of(asked.gold, "gold"), asked.gold), _predicted(asked, tags_of)
    training = None if asked.training is None else _only(tags_of(asked.training, "training"), asked.training)
    if asked.target is not None:
        text = [line.split() for line in label_inputs.lines_of(asked.target, "target")]
        for tags in (gold, *predictions.values()):
            check_tokens(tags, text, shown(asked.target))
    if asked.replace:
        replaced = asked.replace
        gold = with_replaced(gold, replaced)
        predictions = {name: with_replaced(tags, replaced) for name, tags in predictions.items()}
        training = None if training is None else with_replaced(training, replaced)
    typology: Typology = wmt14() if asked.typology is None else read_typology(asked.typology)
    baseline = _baseline(list(predictions), asked.baseline)
    answer = words.word_answer(predictions, gold, training, typology, asked)
    facts = {"level": "word", "granularity": asked.granularity, "typology": typology.name}
    if asked.replace:
        facts["replace"] = "+".join(f"{old}={new}" for old, new in asked.replace.items())
    return QualityEvaluation(
        answer.records,
        _signature(asked, facts, gold, predictions, {"training": training, "typology": asked.typology and typology}),
        "word",
        baseline,
        answer.confusions,
        answer.distributions,
        answer.notes,
    )


def _spans(asked: EvaluateOptions) -> QualityEvaluation:
    spans_of = _reader(asked, "span")
    gold, predictions = _only(spans_of(asked.gold, "gold"), asked.gold), _predicted(asked, spans_of)
    baseline = _baseline(list(predictions), asked.baseline)
    severities = Counter(span.severity for marked in gold.spans for span in marked)
    return QualityEvaluation(
        tuple(spans.span_records(predictions, gold, asked)),
        _signature(asked, {"level": "span", "credit": spans.CREDIT}, gold, predictions),
        "span",
        baseline,
        distributions=(LabelDistribution.of_classes("gold, span", dict(sorted(severities.items()))),),
    )


def _signature(
    asked: EvaluateOptions,
    facts: Mapping[str, Any],
    gold: Any,
    predictions: Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
) -> str:
    tests: dict[str, Any] = {"test": "bootstrap", "samples": asked.samples, "seed": asked.seed, "alpha": asked.alpha}
    if asked.baseline is not None:
        tests["baseline"] = asked.baseline
    facts = {**facts, **{name: said for name in ("kind", "system") if (said := getattr(asked, name)) is not None}}
    data = {"predictions": fingerprint(predictions), "gold": fingerprint(gold)}
    data |= {kind: fingerprint(content) for kind, content in (more or {}).items() if content is not None}
    return signature("qe-evaluate", {**facts, **tests}, data)


def _baseline(names: Sequence[str], wanted: str | None) -> str | None:
    if wanted is not None and wanted not in names:
        raise InputError(f"There is no system {wanted!r} to be the baseline.", hint=f"There are {', '.join(names)}.")
    return wanted


def _only(labels: Mapping[str, L], given: Any) -> L:
    if len(labels) > 1:
        raise InputError(
            f"{shown(given)} has labels of {', '.join(list(labels)[:3])}.", hint="Give a file with those of one."
        )
    return next(iter(labels.values()))


def _predicted(asked: EvaluateOptions, labels_of: Callable[[Any, str], Mapping[str, L]]) -> dict[str, L]:
    """The predicted labels of each system, as they were given or from its file."""
    out: dict[str, L] = {}
    for name, given in asked.predictions.items():
        for system, mine in labels_of(given, name).items():
            if system in out:
                raise InputError(f"There are two submissions called {system}.", hint="Write NAME=FILE for one of them.")
            out[system] = mine
    return out
