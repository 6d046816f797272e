"""Every registered metric, plugins and aliases among them, keeps the contract."""

from collections.abc import Callable

import pytest

from tercet.errors import MissingExtraError
from tercet.metric import Metric
from tercet.metrics import METRICS
from tests.conftest import absent
from tests.contract import metric_checks


@pytest.mark.parametrize("check", metric_checks.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", [*METRICS, *METRICS.aliases])
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
