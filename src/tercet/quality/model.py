"""A trained model of quality: a folder that holds all it needs, and nothing that runs.

model.json            features, learner, how it was trained and chosen; signed
arrays.safetensors    what was learnt, and the labels that were held out for intervals
lm.arpa.gz, ...       the resources that its features read
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib.metadata
import math
import os
import pathlib
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tercet.contents import State, state
from tercet.data import Array, Ints, Texts
from tercet.errors import InputError, extra
from tercet.formats.lines import replacing, replacing_folder
from tercet.metrics import METRICS, models
from tercet.numbers import plain
from tercet.quality import conformal
from tercet.quality.features import FEATURES, Feature, Translations
from tercet.quality.features.sets import feature_name
from tercet.quality.learners.fitted import LearntFunction
from tercet.quality.outside import Familiar, beyond
from tercet.spec import from_file, read, write
from tercet.version import version

MODEL, ARRAYS = "model.json", "arrays.safetensors"
SENTENCES, WORDS = "qe-sentence", "qe-word"
_KINDS = {SENTENCES: "a model of sentences", WORDS: "a model of words"}
_HELD_OUT = ("predicted", "labels", "lengths", "sources")
LENGTH_GROUPS, LEAST_OF_GROUP = 4, 150
_AGAIN = "Train one with tercet qe train."


@dataclasses.dataclass(frozen=True, eq=False)
class HeldOutLabels:
    """Labels that the learner has not seen, its predictions for them, and lengths and numbers of their sources."""

    predicted: Array
    labels: Array
    lengths: Array
    sources: Ints

    def half_widths(self, lengths: Array, coverage: float) -> Array:
        """How far from a prediction its label may be, by length where there is enough to tell."""
        errors, alpha = np.abs(self.labels - self.predicted), 1 - coverage
        edges = conformal.length_edges(self.lengths, LENGTH_GROUPS, LEAST_OF_GROUP)
        groups = conformal.length_groups(self.lengths, edges)
        quantiles = conformal.group_quantiles(errors, groups, alpha, self.sources)
        return conformal.by_group(conformal.length_groups(lengths, edges), quantiles)


@dataclasses.dataclass(frozen=True, eq=False)
class QualityModel:
    """Features, a learner, and what it was held against."""

    features: tuple[Feature, ...]
    shifts: Array
    scales: Array
    importances: Array
    fitted: LearntFunction
    unit: float  # labels are divided by it before they are learnt
    higher: bool
    tokenize: str
    lowercase: bool
    calibration: HeldOutLabels
    facts: Mapping[str, Any]  # how it was trained: learner, settings, errors, versions, fingerprints
    least: float = -math.inf  # that a label can be; infinite where that is not known
    most: float = math.inf
    familiar: Familiar = dataclasses.field(default_factory=Familiar)
    signature: str = ""

    def pairs(self, sources: Texts, targets: Texts, others: Mapping[str, Texts], threads: int) -> Translations:
        """Texts as the features see them."""
        if any(feature.needs_others for feature in self.features) and not others:
            raise InputError(
                "The model compares with other systems' translations, and there are none.", hint="Name some: --other."
            )
        return Translations(sources, targets, self.tokenize, self.lowercase, others, threads)

    def rows(self, pairs: Translations) -> Array:
        """(segments, features), standardised as in training; NaN where one is not defined."""
        return (feature_rows(self.features, pairs) - self.shifts) / self.scales

    def predict(self, rows: Array, threads: int) -> Array:
        """(segments,), in units of the labels; what is not defined counts as usual."""
        return self.fitted.predict(usual_where_undefined(rows), threads) * self.unit

    def intervals(self, predicted: Array, lengths: Array, coverage: float) -> Array:
        """(segments, 2): ends between which labels lie, none of them beyond what a label can be."""
        return conformal.intervals(predicted, self.calibration.half_widths(lengths, coverage), self.least, self.most)

    def outside(self, pairs: Translations, rows: Array, predicted: Array) -> list[str]:
        """Why a segment cannot be judged, being unlike all of the training; "" for those that can."""
        ends = [self.facts.get(name) for name in ("label_low", "label_high")]
        low, high = (float(end) if isinstance(end, int | float) else math.nan for end in ends)
        far = np.flatnonzero(beyond(predicted, low, high) > 1).tolist()
        reasons = {i: f"the score is far from any label, {plain(low, 4)} to {plain(high, 4)} in training" for i in far}
        names = [feature_name(str(feature)) for feature in self.features]
        reasons |= self.familiar.strange_values(rows * self.scales + self.shifts, names)
        reasons |= self.familiar.strange_texts(pairs.sources.strings, pairs.targets.strings)
        return [reasons.get(i, "") for i in range(len(rows))]

    def moved(self, rows: Array, predicted: Array, threads: int) -> Array:
        """(segments, features): by how much a score would change back if a feature were as usual."""
        out = np.empty_like(rows)
        for column in range(rows.shape[1]):
            usual = rows.copy()
            usual[:, column] = 0
            out[:, column] = predicted - self.predict(usual, threads)
        return out

    def save(self, folder: pathlib.Path) -> None:
        """Into a folder in which the resources are."""
        arrays = {f"learnt.{name}": np.ascontiguousarray(array) for name, array in self.fitted.arrays.items()}
        for name in _HELD_OUT:
            arrays[f"calibration.{name}"] = np.ascontiguousarray(getattr(self.calibration, name))
        write_arrays(folder, arrays)
        entries = zip(self.features, self.shifts, self.scales, self.importances, strict=True)
        ranges = self.familiar.ranges
        here = gathered(self.features, folder)
        content = {
            "kind": SENTENCES,
            "tokenize": self.tokenize,
            "lowercase": self.lowercase,
            "higher": self.higher,
            "unit": self.unit,
            "range": [end if math.isfinite(end) else None for end in (self.least, self.most)],
            "learner": {"form": self.fitted.form, "numbers": dict(self.fitted.numbers)},
            "features": [
                {
                    "feature": relocated(str(feature), here),
                    "facts": feature.facts(),
                    "shift": float(shift),
                    "scale": float(scale),
                    "importance": float(importance),
                    **({} if ranges is None else {"least": float(ranges[i, 0]), "most": float(ranges[i, 1])}),
                }
                for i, (feature, shift, scale, importance) in enumerate(entries)
            ],
            "scripts": list(self.familiar.scripts),
            "arrays": models.file_checksum(folder / ARRAYS),
            "facts": dict(self.facts),
        }
        models.write(folder / MODEL, content)


def gathered(features: tuple[Feature, ...], folder: pathlib.Path) -> dict[str, str]:
    """The files and encoders that features read, each with its name in the folder; others are copied into it."""
    here = {str(path): path.name for path in folder.iterdir()}
    inner = [
        METRICS.make(getattr(f, option)) for f in features for option, kind in f.within.items() if kind == "metric"
    ]
    for path in dict.fromkeys(getattr(spec, option) for spec in (*features, *inner) for option in spec.files):
        if path and pathlib.Path(path).suffix == ".onnx":
            raise InputError(
                f"{path} is an ONNX file, whose tokenizer lies beside it: it cannot become part of a model.",
                hint="Name the folder of an encoder, with config.json, tokenizer.json and model.safetensors.",
            )
        if path and path not in here and os.path.exists(path):
            name = f"{len(here)}-{pathlib.Path(path).name}"
            (shutil.copytree if os.path.isdir(path) else shutil.copyfile)(path, folder / name)
            here[path] = name
    return here


def usual_where_undefined(rows: Array) -> Array:
    """Standardised rows in which a feature that is not defined is as it is on average, so that it says nothing."""
    return np.where(np.isnan(rows), 0.0, rows)


def feature_rows(features: tuple[Feature, ...], pairs: Translations) -> Array:
    """(segments, features), as they are; NaN where one is not defined."""
    rows = np.stack([feature.values(pairs) for feature in features], axis=1) if len(pairs) else None
    if rows is None:
        return np.zeros((0, len(features)))
    wrong = np.flatnonzero(np.isinf(rows).any(axis=0))
    if len(wrong):
        raise InputError(f"{features[wrong[0]]} is infinite for a segment.", hint="Leave the feature out.")
    return rows


def versions(*packages: str) -> dict[str, str]:
    """Which versions trained a model."""
    return {"tercet": version(), **{name: importlib.metadata.version(name) for name in packages}}


def tensors() -> Any:
    """The package that reads and writes arrays."""
    return extra("safetensors.numpy", "safetensors", "learn", "A model of quality estimation")


def relocated(spec: str, places: Mapping[str, str]) -> str:
    """A spec whose files are elsewhere, inner specs included."""
    name, given = read(spec)
    moved = {}
    for option, value in given.items():
        moved[option] = places.get(value, value)
        if isinstance(value, str) and value.endswith(")"):
            moved[option] = relocated(value, places)
    return write(name, moved)


def write_arrays(folder: pathlib.Path, arrays: Mapping[str, Any]) -> None:
    """The numbers of a model, in the folder that will be it."""
    with replacing(folder / ARRAYS) as file:
        file.write(tensors().save(dict(arrays)))


@contextlib.contextmanager
def new_folder(path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A folder beside the one that is meant, which takes its place when all is well."""
    if path.exists() and not (path.is_dir() and ((path / MODEL).exists() or not any(path.iterdir()))):
        raise InputError(f"{path} is there, and is no model.", hint="Name another folder with -o.")
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {path.parent}.", hint="Make it, or name another with -o.")
    with replacing_folder(path) as part:
        yield part


def is_of_words(path: str | os.PathLike[str]) -> bool:
    """Whether the model of a folder tags words, and says nothing of whole sentences."""
    return bool(_said(path).get("kind") == WORDS)


def model_signature(path: str | os.PathLike[str]) -> str:
    """The checksum of a model, as it is in its file."""
    return str(_said(path).get("signature"))


def _said(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What the file of a model says."""
    if not os.path.isfile(pathlib.Path(path) / MODEL):
        raise InputError(f"{os.fspath(path)} is no folder of a model.", hint=_AGAIN)
    return models.read(str(pathlib.Path(path) / MODEL), signed=True)


def load(path: str | os.PathLike[str]) -> QualityModel:
    """The model of a folder, kept for the process."""
    _said(path)
    return _load(os.fspath(path), state(path))


@functools.lru_cache(maxsize=8)
def _load(path: str, _state: State) -> QualityModel:
    folder = pathlib.Path(path)
    fields = contents(folder, SENTENCES)
    arrays = read_arrays(folder, fields)
    rows = fields.each("features")
    columns = {name: np.array([row.number(name) for row in rows]) for name in ("shift", "scale", "importance")}
    learner, numbers = fields.inside("learner"), fields.inside("learner").inside("numbers")
    learnt = {name.removeprefix("learnt."): array for name, array in arrays.items() if name.startswith("learnt.")}
    held = {name: arrays.get(f"calibration.{name}", np.zeros(0)) for name in _HELD_OUT}
    if len({held[name].shape for name in held}) > 1 or held["labels"].ndim != 1 or not columns["scale"].all():
        raise InputError(f"{folder}: labels that were held out, or scales of features, do not fit.", hint=_AGAIN)
    fitted = LearntFunction(learner.text("form"), {name: numbers.number(name) for name in numbers.content}, learnt)  # type: ignore[arg-type]
    fitted.require_width(len(rows), str(folder))
    return QualityModel(
        load_features(folder, rows),
        columns["shift"],
        columns["scale"],
        columns["importance"],
        fitted,
        fields.number("unit"),
        bool(fields.content.get("higher")),
        fields.text("tokenize"),
        bool(fields.content.get("lowercase")),
        HeldOutLabels(**held),
        dict(fields.inside("facts").content),
        *_range(fields.content.get("range"), folder),
        _familiar(fields, rows),
        str(fields.content.get("signature")),
    )


def _range(ends: Any, folder: pathlib.Path) -> tuple[float, float]:
    """What a label can be; models of earlier versions do not say it."""
    low, high = ends if isinstance(ends, list) and len(ends) == 2 else (None, None)
    if any(not isinstance(end, int | float | None) or abs(end or 0) > sys.float_info.max for end in (low, high)):
        raise InputError(f"{folder}: the range of labels is {ends!r}.", hint=_AGAIN)
    return -math.inf if low is None else float(low), math.inf if high is None else float(high)


def _familiar(fields: models.Fields, rows: Sequence[models.Fields]) -> Familiar:
    """What was seen in training; models of earlier versions do not say it."""
    said = all("least" in row.content and "most" in row.content for row in rows)
    ranges = np.array([[row.number("least"), row.number("most")] for row in rows]) if said else None
    scripts = fields.content.get("scripts")
    return Familiar(ranges, tuple(map(str, scripts)) if isinstance(scripts, list) else ())


def contents(folder: pathlib.Path, kind: str) -> models.Fields:
    """What model.json says, of the kind that is wanted."""
    content = models.read(str(folder / MODEL), signed=True)
    if content.get("kind") != kind:
        held = _KINDS.get(str(content.get("kind")), "something else")
        raise InputError(f"{folder} is {held}, and {_KINDS[kind]} is needed.", hint=_AGAIN)
    return models.Fields(str(folder / MODEL), content)


def read_arrays(folder: pathlib.Path, fields: models.Fields) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays beside it, which must be those that were written with it."""
    if models.file_checksum(folder / ARRAYS) != fields.text("arrays"):
        raise InputError(f"{folder / ARRAYS} is not as it was written.", hint=_AGAIN)
    try:
        arrays: dict[str, np.ndarray[Any, Any]] = tensors().load_file(folder / ARRAYS)
    except Exception as error:  # of classes that the library keeps to itself
        raise InputError(f"{folder / ARRAYS} cannot be read: {error}.", hint=_AGAIN) from None
    wrong = [name for name, array in arrays.items() if array.dtype.kind not in "fi" or not np.isfinite(array).all()]
    if wrong:
        raise InputError(f"{folder / ARRAYS}: {wrong[0]} is not of finite numbers.", hint=_AGAIN)
    return arrays


def load_features(folder: pathlib.Path, rows: Any) -> tuple[Feature, ...]:
    """The features, whose files must be what they were."""
    places = {path.name: str(path) for path in folder.iterdir()}
    features = []
    for row in rows:
        with from_file(str(folder / MODEL)):
            feature = FEATURES.make(relocated(row.text("feature"), places))
        if row.content.get("facts") != feature.facts():
            raise InputError(f"{folder}: a file of {feature} has changed.", hint=_AGAIN)
        features.append(feature)
    return tuple(features)
