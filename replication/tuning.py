"""METEOR tuned on the judgements of WMT14 into English, tested on those of WMT15: `python -m replication.tuning`.

The parameters that METEOR 1.5 comes with for English were tuned on earlier years. The grid is that of its trainer with
larger steps; the weight of exact matches stays 1, as all weights together only scale precision and recall. What is
tuned is Kendall's tau of WMT14 over segments, averaged over five directions; what is tested are three directions of
another year, whose texts, systems and judges are all different.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import tercet
from replication.metrics_wmt14 import FOLDER as WMT14
from replication.metrics_wmt14 import PREFERENCES
from replication.metrics_wmt14 import TAUS as TUNED_ON
from replication.metrics_wmt15 import FOLDER as WMT15
from replication.metrics_wmt15 import PAIRS
from replication.rows import DATA
from tercet.data import MetaEvaluation, MetaLevel, MetricAgreement
from tercet.numbers import coefficient
from tercet.report import Table, render
from tercet.report.tuning import tuning_table

METRIC = "meteor(language=en)"
GRID = (
    "alpha=0.5:1:0.05",
    "beta=0:2:0.2",
    "gamma=0:1:0.1",
    "delta=0.5:0.9:0.1",
    "weights.2=0.2:1:0.2",
    "weights.3=0.2:1:0.2",
    "weights.4=0.2:1:0.2",
)
TESTED_ON = ("de-en", "fi-en", "ru-en")


def tuned(metric: str, parameters: Sequence[str]) -> tercet.Tuning:
    """On WMT14."""
    return tercet.tune(
        metric,
        testset=[WMT14 / f"newstest2014.{pair}.tsv.gz" for pair in TUNED_ON],
        judgements=PREFERENCES,
        pair=list(TUNED_ON),
        objective="kendall(variant=wmt14)",
        parameters=parameters,
        search="grid",
    )


def tested(specs: dict[str, str], level: MetaLevel) -> list[MetaEvaluation]:
    """On WMT15: taus of segments, or correlations of systems with expected wins."""
    segments = level == "segment"
    return [
        tercet.meta(
            testset=WMT15 / f"newstest2015.{pair}.tsv.gz",
            judgements=WMT15 / f"wmt15.rankings.{PAIRS[pair]}.csv.gz",
            pair=pair,
            metrics=specs,
            level=level,
            measures="kendall(variant=wmt14)" if segments else "pearson",
            gold=None if segments else "expected-wins",
        )
        for pair in TESTED_ON
    ]


def signed(gain: float) -> str:
    """A difference as the tables have it."""
    return f"{gain:+.4f}".replace("0.", ".", 1)


def table(found: Sequence[MetaEvaluation], level: MetaLevel) -> Table:
    """Before and after, and p of the difference, whichever way it goes."""

    def record(each: MetaEvaluation, metric: str) -> MetricAgreement:
        return next(r for r in each if r.metric == metric)

    rows = []
    for pair, each in zip(TESTED_ON, found, strict=True):
        before, after = record(each, "before"), record(each, "after")
        tests = each.tests[0]
        p = tests.p[0, 1]  # the better one stands first
        gain = signed(after.value - before.value)
        cells = (coefficient(r.value, 4, r.half_width) for r in (before, after))
        rows.append((f"WMT15 {pair}, {level}", *cells, gain, f"{p:.3f}", str(after.n)))
    values = [[record(each, m).value for each in found] for m in ("before", "after")]
    means = [sum(v) / len(v) for v in values]
    rows.append(("average", *(coefficient(m, 4) for m in means), signed(means[1] - means[0]), "", ""))
    return Table(
        ("tested on", "before", "after", "gain", "p", "n"), tuple(rows), (f"p, one-sided: {found[0].tests[0].test}",)
    )


def main() -> None:
    """Tune, test, print."""
    parser = argparse.ArgumentParser(prog="python -m replication.tuning", description=__doc__)
    parser.add_argument("metric", nargs="?", default=METRIC, help=f"the metric to tune ({METRIC})")
    parser.add_argument("-p", "--parameter", action="append", help="as for tercet tune")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit("This needs ../shared/data beside the project.")
    found = tuned(options.metric, options.parameter or GRID)
    print(render(tuning_table(found), "table"))
    levels: tuple[MetaLevel, ...] = ("segment", "system")
    for level in levels:
        print(render(table(tested({"before": found.default, "after": found.spec}, level), level), "table"))


if __name__ == "__main__":
    main()
