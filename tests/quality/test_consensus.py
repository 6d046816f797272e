"""Every metric as a feature: against what other systems made of the source."""

from __future__ import annotations

import numpy as np
import pytest

from tercet.data import Texts
from tercet.metrics import METRICS
from tercet.quality.features import FEATURES, Translations

SOURCES = Texts.of(["Das ist ein Haus .", "", "Er ging nach Hause ."])
OUTPUTS = Texts.of(["This is a house .", "", "He went home ."])
OTHERS = {
    "one": Texts.of(["This is one house .", "", "He goes home ."]),
    "other": Texts.of(["That 's a house", "x", "He walked home ."]),
}


@pytest.mark.parametrize("name", [*METRICS])
def test_every_metric_may_ask_other_systems(name: str) -> None:
    feature = FEATURES.make(f"consensus(metric={name})")
    values = feature.values(Translations(SOURCES, OUTPUTS, "13a", True, OTHERS))
    assert values.shape == (3,)
    assert np.isfinite(values[[0, 2]]).all()
    assert not np.isinf(values[1])  # a number, or none that is said to be none
