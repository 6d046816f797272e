"""A combination of metrics learnt on WMT14 into English, tested on WMT15: `python -m replication.combination`.

The recipe of RATATOUILLE and its like with what is here: a support vector machine on differences of the parts' segment
scores, its strength chosen by cross-validation on WMT14. What is tested are three directions of another year, whose
texts, systems and judges are all different. BEER takes part with the model that its authors learnt on WMT14, as that of
Tercet has seen WMT15.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import tempfile

import tercet
from replication.beer import MEASURE, PUBLISHED, table, tested, texts
from replication.rows import DATA
from tercet.report import render
from tercet.report.training import training_table

PARTS = {
    "sentbleu": "sentbleu(lowercase=unicode)",
    "chrf3": "chrf3",
    "chrf++": "chrf++",
    "ter": "ter",
    "cder": "cder",
    "per": "per",
    "meteor": "meteor",
    "beer": f'beer(model="{PUBLISHED}")',
}
COMBINED = "combination"


def trained(parts: dict[str, str], model: pathlib.Path) -> tercet.Training:
    """On WMT14."""
    given = texts([2014])
    return tercet.train(
        "combine",
        metrics=parts,
        testset=given["testset"],
        judgements=given["judgements"],
        pair=given["pair"],
        objective=MEASURE,
        model=model,
    )


def main() -> None:
    """Train, test, print."""
    parser = argparse.ArgumentParser(prog="python -m replication.combination", description=__doc__)
    parser.add_argument("-m", "--metric", action="append", help="part, in place of all of the usual ones; several")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit("This needs ../shared/data beside the project.")
    parts = {spec: spec for spec in options.metric} if options.metric else PARTS
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "combination.json")
        found = trained(parts, model)
        print(render(training_table(found), "table"))
        metrics = {COMBINED: f'combine(model="{model}")', **parts}
        print(render(table(tested(metrics), list(metrics)), "table"))


if __name__ == "__main__":
    main()
