"""What may be tuned moves no statistics that do not follow from those counted before: they are counted once.

But for options that say what is counted."""

from __future__ import annotations

import numpy as np
import pytest

from tercet.errors import MissingExtraError
from tercet.learning.parameters import chosen, moved
from tercet.metrics import METRICS
from tercet.spec import recounted, tunable
from tests.conftest import absent
from tests.contract.metric_checks import OUTPUTS, REFERENCES, learn, statistics
from tests.learning.build import Small, texts

TUNABLE = [name for name in [*METRICS, *METRICS.aliases] if tunable(type(METRICS.make(name)))]


@pytest.mark.parametrize("name", TUNABLE)
def test_statistics_follow_whatever_is_tuned(name: str) -> None:
    metric = METRICS.make(name)
    learnt = learn(metric, REFERENCES)
    try:
        rows = statistics(metric, OUTPUTS, REFERENCES, learnt)
    except MissingExtraError as error:
        absent(f"{name} needs something that is not installed: {error}")
    moves = []
    for parameter in chosen(metric):
        own = []
        for value in (parameter.low, parameter.high):
            there = moved(metric, [parameter], [value])
            own_rows = there.retuned(rows)
            counted = statistics(there, OUTPUTS, REFERENCES, learnt)
            if parameter.option in recounted(type(metric)):
                own_rows = counted
            assert np.array_equal(counted, own_rows, equal_nan=True), str(there)
            own.append(there.score(own_rows))
        moves.append(not np.array_equal(own[0], own[1]))
    assert any(moves), "nothing that may be tuned changes a score"


def test_the_small_one_keeps_the_rule() -> None:
    testset = texts()
    assert testset.references is not None
    batch = Small().batch(list(testset.systems["two"]), [list(r) for r in testset.references])
    assert np.array_equal(Small(alpha=0.0, weights=(0.0, 1.0)).statistics(batch), Small().statistics(batch))
