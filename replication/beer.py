"""BEER's weights, learnt from the rankings of WMT14 and WMT15 into English: `python -m replication.beer`.

First an honest test: weights learnt on WMT14 alone, on WMT15, whose texts, systems and judges are all different, beside
the weights that BEER 2.0 came with (which its authors learnt on WMT14, too) and chrF. Then, with `--model FILE`, the
weights of both years together, measured on segments held out by cross-validation. The model that Tercet comes with is

    python -m replication.beer --model src/tercet/metrics/beer_model.json

and comes out the same, byte by byte, whenever it is made again with the same scikit-learn. That of BEER 1.1, which is
slower, is learnt from the 400 segments of each direction of which people said most:

    python -m replication.beer --kind beer-1.1 --segments 400 --model src/tercet/metrics/beer11_model.json
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import tempfile
from collections.abc import Sequence

import tercet
from replication.metrics_wmt14 import FOLDER as WMT14
from replication.metrics_wmt14 import PREFERENCES
from replication.metrics_wmt14 import TAUS as FROM_2014
from replication.metrics_wmt15 import FOLDER as WMT15
from replication.metrics_wmt15 import PAIRS
from replication.most_judged import judged, most_judged
from replication.rows import DATA
from tercet.data import MetaEvaluation, Rankings, TestSet
from tercet.numbers import coefficient
from tercet.options.learning import Kind
from tercet.report import Table, render
from tercet.report.training import training_table

FROM_2015 = ("de-en", "fi-en", "ru-en")
PUBLISHED = DATA.parent / "spec" / "metrics" / "data" / "beer_default_model.json"
PUBLISHED_11 = DATA.parent / "golden" / "programs" / "beer11" / "weights.json"
BESIDE: dict[Kind, dict[str, str]] = {
    "beer": {"beer with its own model": f'beer(model="{PUBLISHED}")', "chrf": "chrf"},
    "beer-1.1": {
        "beer-1.1 with its own model": f'beer-1.1(model="{PUBLISHED_11}", which=en_func_exact_para_stem_syn)',
        "meteor": "meteor(normalize=lower)",
    },
}
MEASURE = "kendall(variant=wmt14)"


# logistic regression takes long where mistakes count much
STRENGTHS: dict[Kind, Sequence[float]] = {"beer": (), "beer-1.1": [2.0**power for power in (-15, -11, -7, -3)]}


def texts(years: Sequence[int]) -> dict[str, list[str]]:
    """Test sets, judgements and language pairs of some years."""
    found: dict[str, list[str]] = {"testset": [], "judgements": [], "pair": []}
    for year, pairs in ((2014, tuple(FROM_2014)), (2015, FROM_2015)):
        for pair in pairs if year in years else ():
            folder = WMT14 if year == 2014 else WMT15
            people = PREFERENCES if year == 2014 else WMT15 / f"wmt15.rankings.{PAIRS[pair]}.csv.gz"
            found["testset"].append(str(folder / f"newstest{year}.{pair}.tsv.gz"))
            found["judgements"].append(str(people))
            found["pair"].append(pair)
    return found


def trained(kind: Kind, years: Sequence[int], model: pathlib.Path, number: int = 0) -> tercet.Training:
    """BEER of a kind on some years."""
    given = texts(years)
    testsets: Sequence[str | TestSet] = given["testset"]
    people: Sequence[str | Rankings] = given["judgements"]
    if number:
        of_year = [f"WMT{'14' if 'newstest2014' in path else '15'}" for path in given["testset"]]
        sides = [most_judged(*judged(year, pair), number) for year, pair in zip(of_year, given["pair"], strict=True)]
        testsets, people = [side for side, _ in sides], [said for _, said in sides]
    return tercet.train(
        kind,
        metrics=BESIDE[kind],
        testset=testsets,
        judgements=people,
        pair=given["pair"],
        objective=MEASURE,
        model=model,
        strengths=STRENGTHS[kind],
    )


def tested(metrics: dict[str, str]) -> list[MetaEvaluation]:
    """Taus of segments of WMT15."""
    given = texts([2015])
    return [
        tercet.meta(
            testset=testset,
            judgements=people,
            pair=pair,
            metrics=metrics,
            level="segment",
            measures=MEASURE,
            interval="items",
        )
        for testset, people, pair in zip(given["testset"], given["judgements"], given["pair"], strict=True)
    ]


def table(found: Sequence[MetaEvaluation], metrics: Sequence[str]) -> Table:
    """Metrics by directions, with intervals over segments, and their average."""
    rows = []
    for name in metrics:
        records = [next(r for r in each if r.metric == name) for each in found]
        cells = [coefficient(r.value, 4, r.half_width) for r in records]
        rows.append((name, *cells, coefficient(sum(r.value for r in records) / len(records), 4)))
    notes = [f"{MEASURE}; ± is half of a 95% interval over segments drawn anew"]
    for pair, each in zip(FROM_2015, found, strict=True):
        for tests in each.tests:
            first = tests.metrics.index(metrics[0])
            worse = [f"{m} {tests.p[first, i]:.3f}" for i, m in enumerate(tests.metrics) if i != first]
            notes.append(f"{pair}: p that {metrics[0]} is no better than {', '.join(worse)} ({tests.test})")
    return Table(("metric", *(f"WMT15 {pair}" for pair in FROM_2015), "average"), tuple(rows), tuple(notes))


def main() -> None:
    """Train, test, print."""
    parser = argparse.ArgumentParser(prog="python -m replication.beer", description=__doc__)
    parser.add_argument("--model", type=pathlib.Path, help="write the model of both years to this file")
    parser.add_argument("--kind", choices=tuple(BESIDE), default="beer", help="BEER 2.0 or BEER 1.1")
    parser.add_argument("--segments", type=int, default=0, help="segments of a direction to learn from, 0 for all")
    options = parser.parse_args()
    kind: Kind = options.kind
    if not DATA.is_dir():
        sys.exit("This needs ../shared/data beside the project.")
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "wmt14.json")
        print(render(training_table(trained(kind, [2014], model, options.segments)), "table"))
        metrics = {"trained on WMT14": f'{kind}(model="{model}")', **BESIDE[kind]}
        print(render(table(tested(metrics), list(metrics)), "table"))
    if options.model is not None:
        print(render(training_table(trained(kind, [2014, 2015], options.model, options.segments)), "table"))


if __name__ == "__main__":
    main()
