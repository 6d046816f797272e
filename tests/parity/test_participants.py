"""Scores that were submitted to WMT19, again from texts, to the last digit of the files."""

import pathlib

import numpy as np
import pytest
from replication.participants import SUBMITTED, columns

import tercet
from tercet.scoring import statistics


@pytest.mark.parametrize("pair", ["kk-en", "de-fr"])
@pytest.mark.parametrize("name", ["EED", "CharacTER", "BEER"])
def test_submitted_scores_come_out(shared: pathlib.Path, pair: str, name: str) -> None:
    texts = tercet.read_testset(shared / "data" / "wmt19-metrics" / f"newstest2019.{pair}.tsv.gz")
    systems, given = columns(pair)
    metric = tercet.metric(SUBMITTED[name])
    found = dict(zip(texts.systems, statistics(texts, metric).corpus(), strict=True))
    ours = np.array([found[system] for system in systems]) * (1 if metric.higher_is_better else -1)
    np.testing.assert_allclose(ours, given[name], atol=1e-12)
