"""Weights of `neural`, learnt from the rankings of WMT14 and WMT15 into English: `python -m replication.neural`.

First an honest test: weights learnt on WMT14 alone, on WMT15 and WMT19, whose texts, systems and judges are all
different, beside the metrics that read, METEOR and chrF. Then, with `--model FILE`, the weights of both years, tested
on WMT19. Of every direction the segments are taken of which people said most, 80 unless `--segments` says otherwise.
The model that Tercet comes with is

    python -m replication.neural --model src/tercet/metrics/neural/mixture_model.json
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import tempfile
from collections.abc import Sequence

import tercet
from replication.beer import FROM_2015, MEASURE
from replication.metrics_wmt14 import TAUS as FROM_2014
from replication.most_judged import judged, most_judged
from replication.reading import FROM_2019, agreement, table
from replication.rows import DATA
from tercet.report import render
from tercet.report.training import training_table

YEARS = {"WMT14": tuple(FROM_2014), "WMT15": FROM_2015, "WMT19": FROM_2019}
BESIDE = {"bertr": "bertr", "bertscore": "bertscore", "meteor": "meteor", "chrf": "chrf"}


def trained(years: Sequence[str], number: int, model: pathlib.Path) -> tercet.Training:
    """A model of the most judged segments of some years."""
    directions = [(year, pair) for year in years for pair in YEARS[year]]
    sides = [most_judged(*judged(year, pair), number) for year, pair in directions]
    return tercet.train(
        "neural",
        testset=[texts for texts, _ in sides],
        judgements=[people for _, people in sides],
        pair=[pair for _, pair in directions],
        objective=MEASURE,
        model=model,
    )


def tested(name: str, model: pathlib.Path, years: Sequence[str], number: int) -> str:
    """The model beside others on years that it has not seen."""
    metrics = {name: f'neural(model="{model}")', **BESIDE}
    directions = [(year, pair) for year in years for pair in YEARS[year]]
    answers = {f"{year} {pair}": agreement(year, pair, metrics, number) for year, pair in directions}
    return render(table(answers, list(metrics)), "table")


def main() -> None:
    """Train, test, print."""
    parser = argparse.ArgumentParser(prog="python -m replication.neural", description=__doc__)
    parser.add_argument("--model", type=pathlib.Path, help="write the model of both years to this file")
    parser.add_argument("--segments", type=int, default=80, help="segments of a direction, 0 for all")
    options = parser.parse_args()
    if not DATA.is_dir():
        sys.exit("This needs ../shared/data beside the project.")
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "wmt14.json")
        print(render(training_table(trained(["WMT14"], options.segments, model)), "table"))
        print(tested("learnt on WMT14", model, ["WMT15", "WMT19"], options.segments), flush=True)
    if options.model is not None:
        print(render(training_table(trained(["WMT14", "WMT15"], options.segments, options.model)), "table"))
        print(tested("learnt on WMT14 and WMT15", options.model, ["WMT19"], options.segments))


if __name__ == "__main__":
    main()
