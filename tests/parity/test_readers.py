"""The tables of metrics that read: mixtures from the parts' scores, and what was printed beside them."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from replication import readers

import tercet
from tercet.data import TestSet

OUTPUTS = {
    "good": ["The cat sat on the mat.", "It rains today.", "We went home."],
    "bad": ["Dog a sits mat.", "", "They go house to."],
}
REFERENCES = [["A cat was sitting on the mat."], ["It is raining today."], ["We went home."]]


@pytest.fixture(scope="module")
def levels() -> dict[Any, readers.Scored]:
    return readers.scored(TestSet.of(OUTPUTS, REFERENCES), readers.PARTS, "cs-en")


def test_a_mixture_of_kept_scores_is_the_metric_itself(levels: dict[Any, readers.Scored]) -> None:
    neural = tercet.metric("neural")
    found = readers.mixed(levels["segment"], cast(Any, neural).mixture, "neural")
    for row, outputs in enumerate(OUTPUTS.values()):
        np.testing.assert_allclose(found["segment"].values[row], neural.segments(outputs, REFERENCES), rtol=1e-12)
        assert found["system"].values[row, 0] == pytest.approx(neural.corpus(outputs, REFERENCES), rel=1e-12)


def test_scores_that_are_kept_are_those_of_the_metrics(levels: dict[Any, readers.Scored]) -> None:
    for name, spec in readers.PARTS.items():
        metric = tercet.metric(spec)
        for row, outputs in enumerate(OUTPUTS.values()):
            assert levels["system"][name].values[row, 0] == metric.corpus(outputs, REFERENCES)
            np.testing.assert_array_equal(levels["segment"][name].values[row], metric.segments(outputs, REFERENCES))
        assert levels["segment"][name].higher_is_better == metric.higher_is_better


@pytest.mark.shared
@pytest.mark.replication
def test_the_best_in_print() -> None:
    assert readers.best_printed("WMT14", "cs-en", "segment") == ".328 ± .015 DISCOTK-PARTY-TUNED"
    assert readers.best_printed("WMT15", "de-en", "segment") == ".482 ± .009 DPMFCOMB"
    assert readers.best_submitted("lt-en")[0] == "ESIM"
