"""Print the replication table; fail if a figure is off, or has changed since it was written down."""

from __future__ import annotations

import argparse
import pathlib
import sys

from replication import assessments, metrics, quality_wmt14, rankings
from replication.rows import DATA, Row
from tercet.report import Table, render

RECORDED = pathlib.Path(__file__).with_name("recorded.tsv")
HEADER = ("campaign", "what", "published", "ours", "difference", "allowed", "met")


def rows() -> list[Row]:
    """Every row: rankings, assessments, metrics, and quality estimation."""
    return [*rankings.rows(), *assessments.rows(), *metrics.rows(), *quality_wmt14.rows()]


def recorded() -> dict[str, str]:
    """What came out when it was last written down."""
    lines = RECORDED.read_text(encoding="utf-8").splitlines() if RECORDED.exists() else []
    return dict(line.split("\t", 1) for line in lines)


def current(found: list[Row]) -> dict[str, str]:
    """Key and our figure of each row, as it is written down."""
    return {row.key: row.cells()[3] for row in found}


def complaints(found: list[Row]) -> list[str]:
    """What is off, and what has changed."""
    out = [f"{row.key}: published {row.cells()[2]}, ours {row.cells()[3]}" for row in found if row.verdict == "NO"]
    before, now = recorded(), current(found)
    out += [
        f"{key}: was {before.get(key)}, is {now.get(key)}" for key in before | now if before.get(key) != now.get(key)
    ]
    return out


def main() -> None:
    """Compute, print, compare."""
    parser = argparse.ArgumentParser(prog="python -m replication", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write down what came out")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit("The replication needs ../shared/data beside the project.")
    found = rows()
    verdicts = [row.verdict for row in found]
    same = sum(row.difference == "0" for row in found)
    notes = [
        f"{len(found)} figures: {same} as published, {verdicts.count('yes') - same} within what is allowed, "
        f"{verdicts.count('stated')} outside for a reason that is stated, {verdicts.count('NO')} off.",
    ]
    reasons = dict.fromkeys(row.stated for row in found if row.verdict == "stated")
    notes += [f"{sum(r.stated == why and r.verdict == 'stated' for r in found)} stated: {why}." for why in reasons]
    print(render(Table(HEADER, tuple(row.cells() for row in found), tuple(notes)), "table"))
    if options.record:
        RECORDED.write_text("".join(f"{k}\t{v}\n" for k, v in current(found).items()), encoding="utf-8")
    wrong = complaints(found)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
