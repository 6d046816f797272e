"""`tercet demo`: the main job on a small campaign that ships with the package.

Five language pairs, five systems of graded quality, documents, a second reference for some segments; all of it
written for Tercet (see README.md beside this file).
"""

from __future__ import annotations

import dataclasses
import importlib.resources
import pathlib

from tercet.data import Scores, TestSet
from tercet.errors import InputError
from tercet.formats import read_testset
from tercet.formats.lines import write
from tercet.report import render, render_records, scores_table
from tercet.scoring import Progress, score

PAIRS = ("en-de", "de-en", "zh-en", "en-hi", "ar-en")
METRICS = ("bleu(tokenize=intl)", "chrf", "ter(normalized=true)")


@dataclasses.dataclass(frozen=True)
class Demo:
    """The scores of each language pair, and the files that were written."""

    scores: dict[str, Scores]
    files: tuple[pathlib.Path, ...]


def campaign(pair: str) -> TestSet:
    """One language pair of the campaign.

    >>> len(campaign("en-de")), list(campaign("en-de").systems)
    (48, ['amber', 'birch', 'cedar', 'delta', 'ember'])
    """
    if pair not in PAIRS:
        raise InputError(f"The demo has no language pair {pair!r}.", hint=f"It has {', '.join(PAIRS)}.")
    with importlib.resources.as_file(importlib.resources.files(__package__) / f"{pair}.tsv") as path:
        return read_testset(path)


def demo(output: pathlib.Path = pathlib.Path("tercet-demo"), *, progress: Progress | None = None) -> Demo:
    """Score the demo campaign and write the texts, the scores and a report into a folder."""
    if output.exists() and not output.is_dir():
        raise InputError(f"{output} is a file.", hint="Name a folder with -o.")
    scores = {
        pair: score(testset=campaign(pair), metrics=METRICS, ci=True, paired="bootstrap", progress=progress)
        for pair in PAIRS
    }
    output.mkdir(parents=True, exist_ok=True)
    texts = [output / f"{pair}.tsv" for pair in PAIRS]
    for path in texts:
        write(path, [(importlib.resources.files(__package__) / path.name).read_text(encoding="utf-8")])
    records = [{"testset": pair, **record} for pair, found in scores.items() for record in found.as_records()]
    table, report = output / "scores.csv", output / "report.md"
    write(table, [render_records(records, "demo", "csv")])
    sections = [f"## {pair}\n\n{render(scores_table(found), 'markdown')}" for pair, found in scores.items()]
    write(report, ["# Tercet demo\n\n", "\n".join(sections)])
    return Demo(scores, (report, table, *texts))
