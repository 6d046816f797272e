"""The tables of `train`."""

from __future__ import annotations

import dataclasses

import pytest

import tercet
from tercet.data.tuning import TrainingRecord
from tercet.report.training import training_table

MEASURE = "kendall(variant=wmt14)"


def training(directions: list[str]) -> tercet.Training:
    """Two metrics in some directions."""
    records = tuple(
        TrainingRecord(part, direction, metric, MEASURE, value + 0.01 * i, 10)
        for part, value in (("all", 0.5), ("fold 1", 0.1), ("held-out", 0.4))
        for metric in ("combination", "chrf")
        for i, direction in enumerate(directions)
    )
    return tercet.Training(
        kind="combine",
        metric="combination",
        learner="svm",
        strength=0.125,
        examples=30,
        weights=(("chrf", 0.75), ("ter", -0.25)),
        records=records,
        content={},
        answer="It is so.",
        signature="train|...",
        notes=("A note.",),
    )


def test_one_direction() -> None:
    found = training_table(training(["de-en"]))
    assert found.header == ("metric", "all", "held-out")
    assert found.rows == (("combination", ".5000", ".4000"), ("chrf", ".5000", ".4000"))
    assert found.rules == {0}
    assert found.notes == (
        f"{MEASURE}; learnt from 30 examples by svm, strength 0.125.",
        "It is so.",
        "Weights: chrf +0.7500, ter -0.2500.",
        "A note.",
        "train|...",
    )


def test_several_directions_and_their_average() -> None:
    found = training_table(training(["de-en", "ru-en", "average"]), 2)
    assert found.header == ("metric", "all", "held-out", "de-en", "ru-en")
    assert found.rows[0] == ("combination", ".52", ".42", ".40", ".41")


def test_two_test_sets_of_one_language_pair() -> None:
    found = training_table(training(["de-en", "de-en", "average"]), 2)
    assert found.header == ("metric", "all", "held-out", "de-en", "de-en")
    assert found.rows[1] == ("chrf", ".52", ".42", ".40", ".41")


def test_the_weights_of_features_are_left_to_the_file() -> None:
    found = dataclasses.replace(training(["de-en"]), kind="beer")
    assert not any("Weights" in note for note in training_table(found).notes)


def test_a_record_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        training(["de-en"]).record("fold 2")
