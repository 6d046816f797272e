"""Write the published results of metrics tasks: src/tercet/agreeing/published.tsv.

    python scripts/make_published.py

The figures are facts, printed in Macháček and Bojar (2014), Tables 2 to 5, and Stanojević et al. (2015), Tables 2 to
5; ../shared/published has them as a list, a figure a row. A line of ours is a row of a table: the campaign, the level,
the group of directions, the statistic, the metric, and the figures as `direction=value±half`, or `direction=n/a` and
`direction=nan` as printed, with blanks between. Lines are sorted. The output is committed; a test holds program and
file equal.

One column is called by its right name: what the list has as kendall-wmt13 of WMT14, but for the metric that has hties,
too, is the column HTIES. Tau of WMT13 cannot be below that of WMT14 where both are positive, as it is there, and that
of SENTBLEU comes out as .293 from the judgements, where .264 is printed.
"""

from __future__ import annotations

import csv
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT.parent / "shared" / "published" / "metric-task-results.csv"
TARGET = ROOT / "src" / "tercet" / "agreeing" / "published.tsv"
HEADER = ("campaign", "level", "group", "statistic", "metric", "figures")


def text(source: pathlib.Path) -> str:
    """The table, from the list of figures."""
    rows: dict[tuple[str, ...], list[str]] = {}
    with source.open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    all_three = {(r["group"], r["metric"]) for r in records if r["statistic"] == "kendall-hties"}
    for record in records:
        if record["statistic"] == "kendall-wmt13" and (record["group"], record["metric"]) not in all_three:
            record["statistic"] = "kendall-hties"
        key = (f"wmt{record['year'][2:]}", *(record[name] for name in HEADER[1:-1]))
        half = f"±{record['ci95']}" if record["ci95"] else ""
        rows.setdefault(key, []).append(f"{record['direction']}={record['value']}{half}")
    lines = ["\t".join(HEADER), *("\t".join((*key, " ".join(sorted(rows[key])))) for key in sorted(rows))]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(SOURCE), encoding="utf-8")
