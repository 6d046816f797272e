"""What all tests share: where the reference data lie, how hypothesis runs, and what was skipped."""

from __future__ import annotations

import os
import pathlib
from collections import Counter
from typing import NoReturn

import hypothesis
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The same examples everywhere and every day; a failure is a failure for everyone.
hypothesis.settings.register_profile(
    "tercet",
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
)
hypothesis.settings.load_profile("tercet")


def everything_required() -> bool:
    """Whether nothing may be skipped (continuous integration)."""
    return os.environ.get("TERCET_REQUIRE") == "all"


def absent(reason: str) -> NoReturn:
    """Skip the test for want of something, or fail it where everything is required."""
    if everything_required():
        pytest.fail(f"{reason}, and TERCET_REQUIRE=all")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> pathlib.Path:
    """The folder `../shared` beside the project: golden scores, specifications, data."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        absent("../shared is not there")
    return path


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line on what was skipped, and why."""
    skipped: list[pytest.TestReport] = terminalreporter.stats.get("skipped", [])
    reasons: Counter[str] = Counter()
    for report in skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    if reasons:
        told = "; ".join(f"{count} because {reason}" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"Skipped {len(skipped)} tests: {told}.")
