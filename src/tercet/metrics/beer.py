"""BEER 2.0 (Stanojević and Sima'an 2015): a linear model over what hypothesis and reference have in common.

features    62 numbers of a hypothesis and one reference: `kernels.beer`
Model       their weights, from a file: one that `tercet train beer` wrote, or that of the authors
Beer        the metric
"""

from __future__ import annotations

import dataclasses
import importlib.resources
import os

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch
from tercet.data.explanation import Explanation, Factor
from tercet.errors import InputError
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained, models
from tercet.spec import option

_PIECES = [*(f"char{n}" for n in range(1, 7)), *(f"ngram{n}" for n in range(1, 5))]
_PAIRS = [f"skip{n}" for n in (1, 1000000, 2, 3, 4)]
_LENGTHS = ("len_disbalance_char.d.1.0", "len_disbalance_word.d.1.0")


def _four(pieces: list[str]) -> tuple[str, ...]:
    return tuple(f"{piece}.{kind}" for piece in pieces for kind in ("a", "b", "f.1.0", "g.1.0"))


GROUPS = {
    "characters": _four(_PIECES[:6]),
    "lengths": _LENGTHS,
    "words": _four(_PIECES[6:]),
    "pairs of words": _four(_PAIRS),
}
FEATURES: tuple[str, ...] = tuple(name for names in GROUPS.values() for name in names)


@dataclasses.dataclass(frozen=True)
class Model:
    """Weights of the features, and the line that turns their sum into a score in percent."""

    linear: models.Linear
    intercept: float
    slope: float
    signature: str

    @classmethod
    def read(cls, path: str | None) -> Model:
        """The model of a file, or the one that Tercet comes with."""
        if path is not None:
            return cls._of(path)
        with importlib.resources.as_file(importlib.resources.files("tercet.metrics") / "beer_model.json") as packaged:
            return cls._of(str(packaged))

    @classmethod
    def _of(cls, path: str) -> Model:
        content = models.read(path, signed=False)
        if "features" not in content:
            raise InputError(f"{path} is no model of BEER.", hint="Train one with tercet train beer.")
        fields = models.Fields(path, content)
        by_name = {feature.text("name"): feature for feature in fields.each("features")}
        if set(by_name) != set(FEATURES):
            odd = ", ".join(sorted(set(by_name) ^ set(FEATURES))[:3])
            raise InputError(
                f"{path} is no model of BEER 2.0: its features are not the {len(FEATURES)} of it ({odd}).",
                hint="Train one with tercet train beer.",
            )
        rows = [by_name[name] for name in FEATURES]
        low = tuple(row.number("min") for row in rows)
        wide = tuple(row.number("max") - least for row, least in zip(rows, low, strict=True))
        if min(wide) <= 0:
            name = FEATURES[int(np.argmin(wide))]
            raise InputError(f"{path}: max of {name} must lie above its min.", hint="Train the model again.")
        line = fields.inside("output_scaling")
        return cls(
            models.Linear(tuple(row.number("weight") for row in rows), low, wide),
            line.number("intercept"),
            line.number("slope"),
            models.checksum(content),
        )

    def score(self, features: Array) -> Array:
        """From 0 to 1."""
        percent = self.intercept + self.slope * self.linear(features)
        return np.clip(percent / 100, 0.0, 1.0)

    def share(self, features: Array, group: str) -> float:
        """What the features of a group add to a score, in percent."""
        names = GROUPS[group]
        weights = tuple(w if f in names else 0.0 for f, w in zip(FEATURES, self.linear.weights, strict=True))
        return float(self.slope * dataclasses.replace(self.linear, weights=weights)(features))


def features(batch: Batch) -> Array:
    """The features of every reference, each with the hypothesis of its segment, (references, 62)."""
    references = batch.required_references()
    hyps, refs = text.packed(batch.hypotheses), text.packed(references.texts)
    return kernels.beer(hyps, refs, references.groups, batch.threads)


@dataclasses.dataclass(frozen=True)
class Beer(MeanMetric):
    """Statistics: [value, 1]."""

    model: str | None = option(None, "file with the weights, of tercet train beer or of BEER 2.0; none: Tercet's own")
    fixed: bool = option(False, "the score of several segments is their mean; false: their sum over one more than they")

    name = "beer"
    files = ("model",)
    digits = 4
    card = Card(
        title="BEER 2.0",
        year=2015,
        group="ILLC Amsterdam",
        kind="trained",
        definition=(
            "Hypothesis and reference are compared by character n-grams (1 to 6), word n-grams (1 to 4), pairs of "
            "words with up to 1, 2, 3, 4 and any number of words between them, and by their lengths in characters and "
            "words. Of each kind, lower and higher of precision and recall and their harmonic and geometric means are "
            "features. Their weighted sum, the weights learnt from comparisons that people made, is turned into a "
            "score by a line and cut off at 0 and 1. Words are what stands between spaces. Of several references the "
            "best counts. The score of a system is the sum of its segments' over one more than their number, as the "
            "program has it; `fixed=true` takes the mean."
        ),
        paper="Stanojević and Sima'an 2015, *BEER 1.1: ILLC UvA submission to metrics and tuning task*; 2014, *Fitting "
        "sentence level translation evaluation with many dense features*",
        scale="0 to 1",
        reference="BEER 2.0 (stanojevic/beer b54e7ed), with its model `default` given by `model=`",
        differences=(
            "Without `model=`, the weights are Tercet's own, learnt by `tercet train beer` from the rankings of WMT14 "
            "and WMT15 into English. Kendall's tau of segments that were held out is 0.370, with the program's model "
            "0.367; learnt from WMT14 alone it is 0.407 on WMT15, with the program's model 0.406.",
            "One segment alone scores as the segment; the program would halve it. The scores that were submitted to "
            "WMT19 are plain means: `fixed=true`.",
            "WMT15 ran BEER 1.1, which has other features: permutation trees, function and content words. That is "
            "`beer-1.1`.",
            "As in the program, order k of characters has k - 1 of them, and a text's last character never counts.",
            "The program joins words with seven hyphens and so takes a few different pairs of words that contain or "
            "border on hyphens for the same; Tercet does not.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        there = self.model is None or os.path.isfile(self.model)
        self.require(there, "model", "a file that is there")

    def facts(self) -> dict[str, str]:
        """Which model it is."""
        return {"model-signature": Model.read(self.model).signature}

    def values(self, batch: Batch) -> Array:
        """The score with the best reference."""
        if not len(batch):
            return np.zeros(0)
        groups = batch.required_references().groups
        best: Array = np.maximum.reduceat(Model.read(self.model).score(features(batch)), groups[:-1])
        return best

    def score(self, stats: Array) -> Array:
        """The sum over the number of segments, and one more where there are several."""
        number = stats[..., 1]
        with np.errstate(invalid="ignore"):
            scores: Array = stats[..., 0] / np.where((number > 1) & (not self.fixed), number + 1, number)
        return scores

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """What each group of features adds, with the reference that counts."""
        model, rows = Model.read(self.model), features(batch)
        number = int(np.argmax(model.score(rows)))
        shares = [explained.given(group, model.share(rows[number], group)) for group in GROUPS]
        percent = explained.made("percent", "sum", [explained.given("intercept", model.intercept), *shares])
        references = batch.required_references()
        inside = 0 <= percent.value <= 100
        parts = (percent, explained.given("hundred", 100)) if inside else (percent,)
        formula = Factor(
            "score", plain.score, "quotient" if inside else "rule", parts, note="" if inside else "cut off at 0 and 1"
        )
        return dataclasses.replace(
            plain,
            formula=formula,
            hypothesis=tuple(batch.hypotheses[0].split()),
            reference=tuple(references.texts[number].split()),
            notes=explained.references_note(references[0], number),
        )
