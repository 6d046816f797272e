"""A trained model as a metric: quality without references, beside all the others."""

from __future__ import annotations

import dataclasses
import os
import pathlib

import numpy as np

from tercet.data import Array, Batch, Explanation
from tercet.data.testset import Texts
from tercet.metric_base import Card, MeanMetric
from tercet.quality.features.sets import feature_name
from tercet.quality.model import MODEL, QualityModel, load
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class Qe(MeanMetric):
    """Statistics: [value, 1]."""

    model: str | None = option(None, "folder of `tercet qe train`; none: how far the lengths are from being the same")

    name = "qe"
    files = ("model",)
    needs = frozenset({"sources"})
    higher_is_better = False
    digits = 4
    card = Card(
        title="Quality estimation",
        kind="trained",
        resources="trained model",
        definition=(
            "The label that a model of `tercet qe train` predicts for a translation, given its source and no "
            "reference; the score of a system is the mean over its segments. Whether higher or lower is better is as "
            "the labels of the training were."
        ),
        paper="Bojar et al. 2014, *Findings of the 2014 workshop on statistical machine translation*, section 4; "
        "Fonseca et al. 2019, *Findings of the WMT 2019 shared tasks on quality estimation*",
        scale="that of the labels",
        reference="the model",
        differences=(
            "Without a model it is the absolute logarithm of the ratio of lengths, which is good for nothing but "
            "trying the metric out.",
            "Models that compare with other systems' translations cannot be metrics: a metric sees one system.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model is None:
            return
        self.require(os.path.isfile(pathlib.Path(self.model) / MODEL), "model", "a folder of tercet qe train")
        loaded = self._loaded()
        self.require(not any(feature.needs_others for feature in loaded.features), "model", "one without other systems")
        object.__setattr__(self, "higher_is_better", loaded.higher)

    def _loaded(self) -> QualityModel:
        return load(str(self.model))

    def values(self, batch: Batch) -> Array:
        sources = batch.required_sources()
        if self.model is None:
            lengths = [np.array([len(line) + 1.0 for line in side.strings]) for side in (sources, batch.hypotheses)]
            return np.asarray(np.abs(np.log(lengths[1] / lengths[0])))
        model = self._loaded()
        pairs = model.pairs(sources, batch.hypotheses, {}, batch.threads)
        return model.predict(model.rows(pairs), batch.threads)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Which features moved the score, and by how much."""
        if self.model is None:
            return plain
        model = self._loaded()
        pairs = model.pairs(Texts.of(batch.required_sources().strings), batch.hypotheses, {}, 1)
        rows = model.rows(pairs)
        moved = model.moved(rows, model.predict(rows, 1), 1)[0]
        names = [f"moved by {feature_name(str(feature))}" for feature in model.features]
        order = np.argsort(-np.abs(moved), kind="stable")
        added = tuple((names[i], float(moved[i])) for i in order.tolist())
        return dataclasses.replace(plain, statistics=(*plain.statistics, *added))
