"""Parameters: what a metric declares, what a command asks for, and metrics at a point."""

from __future__ import annotations

import dataclasses

import pytest

from tercet.errors import InputError, SpecError
from tercet.learning.parameters import Parameter, chosen, moved
from tercet.metric_base import Metric
from tercet.metrics import METRICS, metric
from tercet.spec import options, tunable
from tests.learning.build import Small


def test_everything_that_is_declared_is_tuned_unless_told_otherwise() -> None:
    assert [str(p) for p in chosen(Small())] == [
        "alpha=0:1:0.125",
        "beta=0:2:0.5",
        "gamma=0:1:0.125",
        "weights.1=0:1:0.25",
        "weights.2=0:1:0.25",
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("alpha", ["alpha=0:1:0.125"]),
        ("alpha=0.2:0.4", ["alpha=0.2:0.4:0.125"]),
        ("alpha=0.2:0.4:0.1", ["alpha=0.2:0.4:0.1"]),
        ("alpha=.5:.5:1", ["alpha=0.5:0.5:1"]),
        ("weights", ["weights.1=0:1:0.25", "weights.2=0:1:0.25"]),
        ("weights.2=0:1:.5", ["weights.2=0:1:0.5"]),
    ],
)
def test_a_parameter_is_read(text: str, wanted: list[str]) -> None:
    assert [str(p) for p in chosen(Small(), [text])] == wanted


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("case", "cannot tune 'case'"),
        ("nothing", "cannot tune 'nothing'"),
        ("alpha=", "does not say where to look"),
        ("alpha=1", "does not say where to look"),
        ("alpha=a:b", "does not say where to look"),
        ("alpha=0:1:2:3", "does not say where to look"),
        ("alpha=1:0", "is no range"),
        ("alpha=0:1:0", "is no range"),
        ("alpha=0:1:-1", "is no range"),
        ("alpha=0:inf", "is no range"),
        ("alpha=nan:1", "is no range"),
        ("alpha=0:1:0.000001", "too many steps"),
        ("alpha.1", "is one number"),
        ("weights.0", "which has 2"),
        ("weights.3", "which has 2"),
        ("weights.x", "which has 2"),
        ("weights.²", "which has 2"),
    ],
)
def test_a_wrong_parameter_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as error:
        chosen(Small(), [text])
    assert error.value.hint


def test_a_parameter_is_named_once() -> None:
    with pytest.raises(InputError, match=r"weights\.1 is named twice"):
        chosen(Small(), ["weights", "weights.1=0:1"])


def test_a_range_that_the_metric_refuses_is_refused_before_the_work() -> None:
    with pytest.raises(SpecError, match="beta must be above 0"):
        chosen(metric("chrf"), ["beta=0:2:1"])


def test_a_metric_without_parameters_says_so() -> None:
    with pytest.raises(InputError, match="ter has nothing to tune"):
        chosen(metric("ter"))


def test_the_grid_has_clean_numbers() -> None:
    values = Parameter("a", None, 0.0, 1.0, 0.05).values().tolist()
    assert len(values) == 21
    assert values[7] == 0.35
    assert values[-1] == 1.0
    assert Parameter("a", None, 0.0, 1.0, 0.3).values().tolist() == [0.0, 0.3, 0.6, 0.9]
    assert Parameter("a", None, 2.0, 2.0, 0.3).values().tolist() == [2.0]


@pytest.mark.parametrize(("step", "digits"), [(0.05, 3), (0.1, 2), (0.25, 2), (1.0, 1), (0.001, 4), (5.0, 1)])
def test_digits_follow_the_step(step: float, digits: int) -> None:
    assert Parameter("a", None, 0.0, 10.0, step).digits == digits


def test_a_metric_at_a_point_is_its_string() -> None:
    parameters = chosen(Small(case=False), ["weights.2", "alpha"])
    there = moved(Small(case=False), parameters, [0.75, 0.25])
    assert str(there) == "small(alpha=0.25, weights=1+0.75, case=false)"
    assert [p.of(there) for p in parameters] == [0.75, 0.25]


@pytest.mark.parametrize("name", [n for n in METRICS if tunable(METRICS.load(n))])
def test_a_declared_range_holds_for_the_metric_itself(name: str) -> None:
    own: Metric = METRICS.make(name)
    for parameter in chosen(own):
        assert parameter.low <= parameter.of(own) <= parameter.high
        assert parameter.option in options(type(own))
        assert 0 < parameter.step <= parameter.high - parameter.low
        for value in parameter.values():
            there = moved(own, [parameter], [value])
            assert METRICS.make(str(there)) == there
            assert parameter.of(there) == value


def test_chrf_can_be_tuned() -> None:
    assert list(tunable(METRICS.load("chrf"))) == ["beta"]


def test_what_an_option_amounts_to_is_its_value() -> None:
    assert Small().effective("alpha") == 0.5
    assert dataclasses.replace(Small(), weights=(0.0, 1.0)).effective("weights") == (0.0, 1.0)
