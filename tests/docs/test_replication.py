"""What the page on published tables quotes is what the replication gave when it was last written down."""

from __future__ import annotations

import re

from replication.__main__ import HEADER, recorded

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "guide" / "replication.md").read_text(encoding="utf-8")


def quoted() -> list[list[str]]:
    """The rows of the table that the page shows some of."""
    blocks = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    shown = next(block for block in blocks if block.startswith(HEADER[0]))
    rows = [re.split(r" {2,}", line.strip()) for line in shown.splitlines()]
    assert tuple(rows[0]) == HEADER
    return rows[1:]


def test_quoted_rows_are_as_recorded() -> None:
    figures = recorded()
    for campaign, what, _, ours, *_ in quoted():
        assert figures[f"{campaign}: {what}"] == ours


def test_quoted_verdicts_fit_their_figures() -> None:
    verdicts = [row[-1] for row in quoted()]
    assert {"yes", "stated"} == set(verdicts)
    for _, _, published, ours, difference, _, met in quoted():
        assert (difference == "0") == (published == ours)
        assert difference != "0" or met == "yes"


def test_every_figure_is_in_the_table_of_campaigns() -> None:
    rows = re.findall(r"^\| .+? \| (\d+) \| .+? \| .+? \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    totals = [sum(map(int, column)) for column in zip(*rows, strict=True)]
    assert totals[0] == len(recorded())
    total, same, within, stated = totals
    assert total == same + within + stated
    assert f"{total} figures: {same} as published, {within} within what is allowed, {stated} outside" in PAGE


def test_stated_differences_add_up() -> None:
    reasons = [int(n) for n in re.findall(r"^(\d+) stated: ", PAGE, re.MULTILINE)]
    assert f" {sum(reasons)} outside for a reason" in PAGE
