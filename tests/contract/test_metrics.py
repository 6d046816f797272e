"""Every registered metric, plugins and aliases among them, keeps the contract."""

from collections.abc import Callable

import pytest

import tercet
from tercet.errors import InputError, MissingExtraError
from tercet.metric_base import Metric
from tercet.metrics import METRICS, growth
from tests.conftest import absent
from tests.contract import metric_checks

NAMES = [*METRICS]
PAIRS = [
    pytest.param(
        name,
        check,
        id=f"{name}-{check.__name__.removeprefix('check_')}",
        marks=[pytest.mark.thorough] if check in metric_checks.OF_EVERY_OPTION else [],
    )
    for name in [*NAMES, *METRICS.aliases]
    for check in metric_checks.CHECKS
    if name in NAMES or check not in metric_checks.OF_EVERY_OPTION
]


@pytest.mark.parametrize(("name", "check"), PAIRS)
def test_metric(name: str, check: Callable[[Metric], None]) -> None:
    try:
        check(METRICS.make(name))
    except MissingExtraError as error:
        absent(f"{name} needs something that is not installed: {error}")


def test_the_registry_is_not_empty() -> None:
    names = [*METRICS]
    assert {"bleu", "chrf", "ter", "nist", "wer"} <= set(names)
    assert len(set(names)) == len(names)
    assert not set(names) & set(METRICS.aliases)


@pytest.mark.parametrize("name", [*METRICS])
def test_the_name_is_the_registered_one(name: str) -> None:
    assert METRICS.load(name).name == name
    assert str(METRICS.make(name)) == name


def test_what_long_segments_take_is_said_on_the_card() -> None:
    """`python -m benchmarks.long NAME` measures one that is new."""
    assert set(growth.SECONDS) == set(METRICS)
    for name, seconds in growth.SECONDS.items():
        assert len(seconds) <= len(growth.LENGTHS)
        assert growth.told(name) in {record["value"] for record in tercet.show(name)}


@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_words_are_scored_or_refused_as_the_card_says(name: str) -> None:
    words = " ".join(f"word{i}" for i in range(growth.REFUSED.get(name, 1000)))
    try:
        metric = METRICS.make(name)
        if name in growth.REFUSED:
            with pytest.raises(InputError):
                metric.corpus([words], [words], [words], threads=1)
        else:
            metric.corpus([words], [words], [words], threads=1)
    except MissingExtraError as error:
        absent(f"{name} needs something that is not installed: {error}")
