"""`qe_train`: from texts and labels to a model.

texts and labels ──> features, with resources trained on a corpus ──> source sentences held out for intervals
  ──> learners and settings compared by cross-validation ──> the best one, as numbers ──> what it gets wrong on the rest
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import pathlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from tercet import contents, label_inputs, numbers
from tercet.data import Array, Ints, Texts
from tercet.data.quality_answers import TrainedQuality
from tercet.errors import InputError
from tercet.formats import lines, packing
from tercet.learning.ibm1 import train_ibm1
from tercet.learning.ngrams import train_frequencies, train_lm
from tercet.numbers import plain
from tercet.options import verb
from tercet.options.quality_training import QeTrainOptions, TextsGiven
from tercet.quality.collected import collected
from tercet.quality.features import Feature, Translations
from tercet.quality.features.sets import FeatureFiles, feature_name, made_features
from tercet.quality.learners import selection
from tercet.quality.learners.training import GRIDS
from tercet.quality.model import HeldOutLabels, QualityModel, feature_rows, new_folder, usual_where_undefined, versions
from tercet.quality.outside import Familiar
from tercet.signing import fingerprint, signature

LEAST_LABELS = 40
RANGES = {  # of labels, by their kind
    "hter": (0.0, 1.0),
    "effort": (1.0, math.inf),
    "time": (0.0, math.inf),
    "score": (0.0, 100.0),
    "mqm": (0.0, math.inf),
    "error-free": (0.0, 1.0),
}


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class QeTraining(TrainedQuality):
    """A trained model of sentences, and how it came about."""

    model: QualityModel
    selected: tuple[tuple[str, float], ...]  # features in the order of their selection, with the error reached
    mae: float  # on what was held out
    mean_mae: float  # of predicting the mean
    folder: str


def other_texts(given: Mapping[str, TextsGiven] | None, n: int) -> dict[str, Texts]:
    """Other systems' translations, as many as there are segments."""
    others = {name: label_inputs.lines_of(texts, f"translation of {name}") for name, texts in (given or {}).items()}
    for name, rows in others.items():
        if len(rows) != n:
            raise InputError(f"{name} has {len(rows)} translations of {n} segments.", hint="Give one a segment.")
    return {name: Texts.of(rows) for name, rows in others.items()}


@verb(QeTrainOptions)
def qe_train(asked: QeTrainOptions) -> Any:
    """Train a model of quality on translations with labels: of sentences, or of words.

    Resources are trained on the corpus that is given, or taken from files; without any, only what is seen of the texts
    themselves counts. A model is a folder; `qe_predict`, `qe_decide` and the metric `qe(model=FOLDER)` read it.
    """
    asked, notes = _with_campaign(asked)
    sources, targets = _texts_of(asked, "source"), _texts_of(asked, "target")
    if len(sources) != len(targets):
        raise InputError(
            f"There are {len(sources)} sources and {len(targets)} translations.",
            hint="Files are aligned by line number: find the line that is missing, or that was broken in two.",
        )
    for learner in asked.learners:
        if learner not in GRIDS:
            raise InputError(f"There is no learner {learner!r}.", hint=f"There are {', '.join(GRIDS)}.")
    if asked.level == "word":
        from tercet.quality.tagging.model import train_words

        asked.refuse_idle({"tokenize": "with level word"})
        words = dataclasses.replace(asked, tokenize="none")  # tags are of words as they stand
        with _training_folder(asked) as folder:
            tags = (
                asked.labels
                if not isinstance(asked.labels, str | pathlib.Path)
                else label_inputs.lines_of(asked.labels, "tags")
            )
            files, seen = resource_files(words, folder), seen_inputs(asked, list(tags))
            return train_words(words, sources, targets, files, folder, seen, (*overlap(asked), *notes))
    training = _train_sentences(asked, sources, targets)
    return dataclasses.replace(training, notes=(*training.notes, *notes))


def _with_campaign(asked: QeTrainOptions) -> tuple[QeTrainOptions, tuple[str, ...]]:
    """What was asked, with texts and labels of a campaign in their places."""
    if not label_inputs.is_campaign(asked.labels):
        if asked.system is not None:
            raise InputError("system belongs to a campaign, and the labels are none.", hint="Leave it out.")
        if asked.source is None and isinstance(asked.labels, str | pathlib.Path):
            with lines.opened(asked.labels):  # or there is no such file
                pass
        return asked, ()
    if asked.source is not None or asked.target is not None:
        raise InputError(
            f"{lines.shown(asked.labels)} is a campaign, which has the texts of its labels.",
            hint="Leave source and target out.",
        )
    people = collected(asked.labels, asked.level, asked.kind, asked.system, gaps=asked.gaps, pooled=True)
    if any(text.source is None for text in people.texts):
        raise InputError(f"{people.file} has no sources to learn from.", hint="Its test set had none.")
    sources, targets = [str(text.source) for text in people.texts], [text.text for text in people.texts]
    if asked.level == "word":
        return dataclasses.replace(asked, source=sources, target=targets, labels=people.labels.lines()), people.notes
    labels = people.labels.numbers()
    there = np.flatnonzero(~np.isnan(labels)).tolist()
    kind, low, high = people.kind, *RANGES[str(people.kind)]
    if asked.kind is None and not (low <= labels[there].min() and labels[there].max() <= high):
        low, high = -math.inf, math.inf  # a scale of a protocol of its own
    return dataclasses.replace(
        asked,
        source=[sources[i] for i in there],
        target=[targets[i] for i in there],
        labels=labels[there].tolist(),
        higher=people.higher,
        kind=None,
        least=low if asked.least is None else asked.least,
        most=high if asked.most is None else asked.most,
    ), (f"Labels: {kind} of {len(there)} translations that people judged.", *people.notes)


def _texts_of(asked: QeTrainOptions, side: Literal["source", "target"]) -> list[str]:
    given = asked.source if side == "source" else asked.target
    if given is None:
        raise InputError(
            f"There is no {side} that the labels are of.", hint=f"Give --{side} FILE; only a campaign has it with them."
        )
    return label_inputs.lines_of(given, {"source": "source", "target": "translation"}[side])


def label_range(asked: QeTrainOptions, labels: Array) -> tuple[float, float]:
    """The lowest and highest label that there can be, by their kind or as it is said; infinite where nothing is known.

    Labels that were seen do not tell: a time may be longer than any so far.
    """
    low, high = RANGES[asked.kind] if asked.kind is not None else (-math.inf, math.inf)
    low, high = low if asked.least is None else asked.least, high if asked.most is None else asked.most
    beyond = labels[(labels < low) | (labels > high)]
    if len(beyond):
        what = asked.kind if asked.kind is not None else "a label"
        least, most = plain(low), plain(high)
        can_be = f"{what} is from {least} to {most}" if math.isfinite(high) else f"{what} is {least} or more"
        raise InputError(
            f"A label is {plain(beyond[0])}, and {can_be if math.isfinite(low) else f'there is none above {most}'}.",
            hint="Say what the labels are with --kind, or their range with --least and --most.",
        )
    return low, high


def _train_sentences(asked: QeTrainOptions, sources: list[str], targets: list[str]) -> QeTraining:
    labels, others = _labels(asked.labels, len(sources)), other_texts(asked.others, len(sources))
    if lacking := int(np.isnan(labels).sum()):
        there = np.flatnonzero(~np.isnan(labels)).tolist()
        sources, targets, labels = [sources[i] for i in there], [targets[i] for i in there], labels[there]
        others = {name: Texts.of([texts.strings[i] for i in there]) for name, texts in others.items()}
    groups = selection.numbered(sources)
    held = selection.split(groups, asked.calibration, asked.seed)
    _require_enough(labels, held, groups, asked)
    label_range(asked, labels)  # refused before anything is made
    with _training_folder(asked) as folder:
        files = FeatureFiles(
            encoder=asked.encoder, tokenize=asked.tokenize, lowercase=asked.lowercase, **resource_files(asked, folder)
        )
        features = made_features(asked.features, files)
        pairs = Translations(
            Texts.of(sources), Texts.of(targets), asked.tokenize, asked.lowercase, others, asked.workers
        )
        rows = feature_rows(features, pairs)
        _tell(asked, "features", 1)
        training = _learn(asked, features, rows, labels, groups, held, pairs.source.lengths.astype(np.float64))
        columns = [features.index(feature) for feature in training.model.features]
        model = dataclasses.replace(training.model, familiar=Familiar.of(rows[:, columns], targets))
        model.save(folder)
    told = (f"{lacking} of {lacking + len(labels)} segments have no label (nan) and are left out.",) if lacking else ()
    return dataclasses.replace(training, model=model, notes=(*training.notes, *told))


def _learn(
    asked: QeTrainOptions,
    features: tuple[Feature, ...],
    rows: Array,
    labels: Array,
    groups: Ints,
    held: np.ndarray[Any, np.dtype[np.bool_]],
    lengths: Array,
) -> QeTraining:
    shifts, scales, undefined = _usual(features, rows[~held])
    unit = float(labels[~held].std())
    scaled, truth = usual_where_undefined((rows - shifts) / scales), labels / unit
    inside, numbers = ~held, selection.numbered(groups[~held].tolist())
    candidates = selection.select(
        asked.learners, scaled[inside], truth[inside], numbers, asked.folds, asked.seed, lambda: _tell(asked, "fits", 1)
    )
    best, chosen = candidates[0], list(range(len(features)))
    steps: list[tuple[int, float]] = []
    if asked.selection == "forward":
        steps = list(selection.chosen_features(best, scaled[inside], truth[inside], numbers, asked.folds, asked.seed))
        chosen = [column for column, _ in steps]
    kept = scaled[:, chosen]
    fitted, n_rows = selection.final(best, kept[inside], truth[inside], numbers, asked.seed)
    importances = selection.importances(fitted, kept[held], truth[held], asked.seed) * unit
    predicted = fitted.predict(kept[held], asked.workers) * unit
    mae = float(np.abs(predicted - labels[held]).mean())
    usual = float(np.abs(labels[inside].mean() - labels[held]).mean())
    signed = _signed(asked, features, labels)
    facts = {
        "learner": best.learner,
        "settings": dict(best.setting),
        "cross_validated_mae": best.error * unit,
        "rows": n_rows,
        "held_out": int(held.sum()),
        "held_out_mae": mae,
        "mean_mae": usual,
        "label_low": float(labels[inside].min()),
        "label_high": float(labels[inside].max()),
        "training": signed,
        "versions": versions("scikit-learn", "numpy"),
    }
    model = QualityModel(
        tuple(features[i] for i in chosen),
        shifts[chosen],
        scales[chosen],
        importances,
        fitted,
        unit,
        asked.higher,
        asked.tokenize,
        asked.lowercase,
        HeldOutLabels(predicted, labels[held].copy(), lengths[held], groups[held]),
        facts,
        *label_range(asked, labels),
    )
    selected = tuple((str(features[column]), error * unit) for column, error in steps)
    scaled_back = tuple(dataclasses.replace(entry, error=entry.error * unit) for entry in candidates)
    notes = (*_notes(asked, model, n_rows, int(inside.sum())), *undefined, *overlap(asked))
    order = np.argsort(-importances, kind="stable").tolist()
    specs = [str(model.features[i]) for i in order]
    records = tuple({"feature": f, "importance": float(importances[i])} for f, i in zip(specs, order, strict=True))
    told = (records, tuple(map(feature_name, specs)), scaled_back, signed, notes)
    return QeTraining(*told, model, selected, mae, usual, str(asked.model))


def _usual(features: tuple[Feature, ...], rows: Array) -> tuple[Array, Array, tuple[str, ...]]:
    """Means and deviations of features where they are defined, and what must be said of those that are not always."""
    there = ~np.isnan(rows)
    counts = np.maximum(there.sum(axis=0), 1)
    shifts = np.where(there, rows, 0).sum(axis=0) / counts if not there.all() else rows.mean(axis=0)
    scales = np.sqrt((np.where(there, rows - shifts, 0) ** 2).sum(axis=0) / counts) if not there.all() else rows.std(0)
    scales[scales < 1e-12] = 1.0  # a feature that is always the same
    notes = [
        f"{feature_name(str(feature))} is not defined for {lacking} of {len(rows)} segments, where it counts as usual."
        for feature, lacking in zip(features, (~there).sum(axis=0).tolist(), strict=True)
        if lacking
    ]
    return shifts, scales, tuple(notes)


def _notes(asked: QeTrainOptions, model: QualityModel, n_rows: int, n_inside: int) -> tuple[str, ...]:
    facts = model.facts
    ours, mean = (numbers.score(facts[name], 4) for name in ("held_out_mae", "mean_mae"))
    notes = [
        f"{facts['learner']} on {len(model.features)} features, {n_rows} segments; {facts['held_out']} held out: mean "
        f"absolute error {ours}, {mean} by always predicting the mean."
    ]
    if n_rows < n_inside:
        notes.append(f"{facts['learner']} learnt from {n_rows} of {n_inside} segments: more would take too long.")
    if facts["held_out_mae"] >= facts["mean_mae"]:
        notes.append("The model is no better than predicting the mean: do not use it.")
    if math.isinf(model.least) and math.isinf(model.most) and facts["label_low"] >= 0 and facts["label_high"] <= 1:
        notes.append(
            "All labels are from 0 to 1: if there are no others, say so (--kind hter), and intervals end there."
        )
    if not any(feature.files for feature in model.features):
        notes.append("No resources: give a parallel corpus with --source-corpus and --target-corpus for more.")
    return tuple(notes)


def seen_inputs(asked: QeTrainOptions, labels: object) -> dict[str, str]:
    """Fingerprints of what a model was trained on, by kind."""
    seen = {"source": fingerprint(_texts_of(asked, "source")), "target": fingerprint(_texts_of(asked, "target"))}
    seen["labels"] = fingerprint(labels)
    for name, texts in (asked.others or {}).items():
        seen[f"other-{name}"] = fingerprint(label_inputs.lines_of(texts, name))
    for kind in ("source_corpus", "target_corpus", "source_lm", "target_lm", "lexicon", "frequencies"):
        if (path := getattr(asked, kind)) is not None:
            seen[kind.replace("_", "-")] = contents.checksum(str(path))[:8]
    if asked.encoder is not None:  # a folder or file, or one that a package has
        seen["encoder"] = contents.checksum(asked.encoder)[:8] if os.path.exists(asked.encoder) else asked.encoder
    return seen


def overlap(asked: QeTrainOptions) -> tuple[str, ...]:
    """A warning where the corpus holds sentences that are labelled."""
    if asked.source_corpus is None:
        return ()
    labelled = _texts_of(asked, "source")
    known = set(labelled)
    inside = {line for block in lines.blocks(asked.source_corpus) for line in block if line in known}
    share = sum(line in inside and bool(line.strip()) for line in labelled) / len(labelled)
    if share < 0.01:
        return ()
    return (
        f"{numbers.percent(share)} of the labelled sources stand in the corpus, too: the model has seen their "
        "translations, and looks better than it is. Take them out of the corpus.",
    )


def _labels(given: Any, n: int) -> Array:
    columns = list(label_inputs.sentence_labels(given, "labels", gold=True).values())
    if len(columns) != 1 or columns[0].scores is None:
        raise InputError(f"{given} must have one label a segment.", hint="Give a number a line.")
    labels = np.asarray(columns[0].scores, dtype=np.float64)
    if len(labels) != n:
        raise InputError(f"There are {len(labels)} labels of {n} segments.", hint="Give one a segment.")
    if np.isnan(labels).all():
        raise InputError("There is no label, but nan.", hint="Check the file of labels.")
    if np.isinf(labels).any():
        raise InputError("A label is infinite.", hint="Say nan for segments without a label.")
    return labels


def _require_enough(
    labels: Array, held: np.ndarray[Any, np.dtype[np.bool_]], groups: Ints, asked: QeTrainOptions
) -> None:
    n_groups = len(np.unique(groups[~held]))
    if len(labels) < LEAST_LABELS or n_groups < asked.folds:
        raise InputError(
            f"There are {len(labels)} labelled segments of {len(np.unique(groups))} source sentences, too few to learn "
            "from.",
            hint=f"Bring {LEAST_LABELS} at least, and some hundreds for intervals that mean something.",
        )
    if labels[~held].std() < 1e-12:
        raise InputError("All labels are the same: there is nothing to learn.", hint="Check the file of labels.")


def resource_files(asked: QeTrainOptions, folder: pathlib.Path) -> dict[str, str]:
    """Files of the model's folder: those that were given, and what is trained on the corpus."""
    files: dict[str, str] = {}
    for name, path, copy in _given_resources(asked, folder):
        files[name] = str(copy)
        shutil.copyfile(path, copy)
    _train_resources(asked, folder, files)
    return files


def _given_resources(asked: QeTrainOptions, folder: pathlib.Path) -> Iterator[tuple[str, str, pathlib.Path]]:
    """Resources that were given: their names, their files, and the copies that are part of the model."""
    for name in ("source_lm", "target_lm", "lexicon", "frequencies"):
        if (path := getattr(asked, name)) is not None:
            with lines.opened(path):
                pass
            yield name, str(path), folder / f"{name}{pathlib.Path(path).suffix if packing.is_packed(path) else ''}"


@contextlib.contextmanager
def _training_folder(asked: QeTrainOptions) -> Iterator[pathlib.Path]:
    """The folder of the model; what is wrong with a copied file is told of that which was given."""
    with new_folder(pathlib.Path(asked.model)) as folder:
        try:
            yield folder
        except InputError as error:
            for _, path, copy in _given_resources(asked, folder) if str(folder) in error.message else ():
                if str(copy) in error.message:
                    told = error.message.replace(str(copy), lines.shown(path))
                    raise InputError(told, hint=error.hint) from error
            raise


def _train_resources(asked: QeTrainOptions, folder: pathlib.Path, files: dict[str, str]) -> None:
    how: dict[str, Any] = {"tokenize": asked.tokenize, "lowercase": asked.lowercase}
    how |= {"threads": asked.threads, "progress": asked.progress}
    source, target = asked.source_corpus, asked.target_corpus

    def place(name: str) -> str:
        files[name] = str(folder / f"{name}.gz")
        return files[name]

    if source is not None and "source_lm" not in files:
        train_lm([source], **how).write(place("source_lm"))
    if source is not None and "frequencies" not in files:
        train_frequencies([source], minimum=asked.minimum, **how).write(place("frequencies"))
    if target is not None and "target_lm" not in files:
        train_lm([target], **how).write(place("target_lm"))
    if source is not None and target is not None and "lexicon" not in files:
        train_ibm1(source, target, **how).write(place("lexicon"))


def _tell(asked: QeTrainOptions, what: str, n: int) -> None:
    if asked.progress:
        asked.progress(what, n)


def _signed(asked: QeTrainOptions, features: Sequence[Feature], labels: Array) -> str:
    facts = {
        "features": len(features),
        "learners": "+".join(asked.learners),
        "folds": asked.folds,
        "calibration": plain(asked.calibration),
        "selection": asked.selection,
        "tokenize": asked.tokenize,
        "lowercase": str(asked.lowercase).lower(),
        "seed": asked.seed,
    }
    return signature("qe-train", facts, seen_inputs(asked, labels))
