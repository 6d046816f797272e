"""`tercet demo`: the main job on a small campaign that ships with the package.

Five language pairs, five systems of graded quality, documents, a second reference for some segments, and judgements;
all of it made for Tercet (see README.md beside this file).
"""

from __future__ import annotations

import dataclasses
import importlib.resources
import pathlib
from typing import TYPE_CHECKING, Any

from tercet.data import Agreement, Judgements, Ranking, Scores, TestSet
from tercet.data.answer import Answer
from tercet.errors import InputError
from tercet.formats import read_judgements, read_testset
from tercet.formats.lines import write
from tercet.human.agreement import agreement
from tercet.options import verb
from tercet.options.studies import DemoOptions
from tercet.plots.answers import picture
from tercet.ranking.rank import rank
from tercet.report import Table, render, render_records, scores_table
from tercet.report.agreement import agreement_table
from tercet.report.answers import blocks
from tercet.report.rankings import ranking_table
from tercet.running import Run, run
from tercet.scoring import score

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAIRS = ("en-de", "de-en", "zh-en", "en-hi", "ar-en")
PROTOCOLS = {"rankings": ".rankings.csv", "da": ".da.csv", "mqm": ".mqm.tsv", "esa": ".esa.csv"}
STUDY = "study.toml"
METRICS = ("bleu(tokenize=intl)", "chrf", "ter(normalized=true)")
EXERCISE = ("exercise.tsv", "exercise.pairs.tsv")


_FOLDER = importlib.resources.files(__package__)


@dataclasses.dataclass(frozen=True, repr=False)
class Demo(Answer):
    """Scores, rankings and agreement of each language pair, the study of the metrics, and what was written."""

    scores: dict[str, Scores]
    rankings: dict[str, Ranking]
    agreement: dict[str, Agreement]
    study: Run
    files: tuple[pathlib.Path, ...]

    @property
    def legend(self) -> tuple[str, ...]:
        """What marks and intervals of the scores mean, and whether p-values know how many systems were tested."""
        first = next(iter(self.scores.values()))
        return tuple(note for note in scores_table(first).notes if "|" not in note and not note.startswith("data:"))

    def as_records(self) -> list[dict[str, Any]]:
        """The scores of all language pairs, as in scores.csv."""
        return [{"testset": pair, **r} for pair, scores in self.scores.items() for r in scores.as_records()]


@blocks.register(Demo)
def _blocks(answer: Demo) -> list[str | Table]:
    """Scores and ranking of every language pair, then which metrics agree with people."""
    parts: list[str | Table] = []
    for pair, scores in answer.scores.items():
        parts += [f"{pair}, by metrics", dataclasses.replace(scores_table(scores), notes=())]
        parts += [f"{pair}, by people", dataclasses.replace(ranking_table(answer.rankings[pair]), notes=())]
    return [*parts, *answer.legend, *blocks(answer.study)]


@picture.register(Demo)
def _picture(answer: Demo) -> Figure:
    return picture(answer.study)


def campaign(pair: str) -> TestSet:
    """One language pair of the campaign.

    >>> len(campaign("en-de")), list(campaign("en-de").systems)
    (48, ['amber', 'birch', 'cedar', 'delta', 'ember'])
    """
    if pair not in PAIRS:
        raise InputError(f"The demo has no language pair {pair!r}.", hint=f"It has {', '.join(PAIRS)}.")
    with importlib.resources.as_file(_FOLDER / f"{pair}.tsv") as path:
        return read_testset(path)


def judgements(pair: str, protocol: str = "rankings") -> Judgements:
    """Judgements of one language pair: rankings of all, and of en-de also `da`, `mqm` and `esa`.

    >>> len(judgements("en-de").systems)
    5
    """
    name = f"{pair}{PROTOCOLS.get(protocol, '')}"
    if name not in judgement_files():
        raise InputError(f"The demo has no {protocol} of {pair}.", hint=f"It has {', '.join(judgement_files())}.")
    with importlib.resources.as_file(_FOLDER / name) as path:
        return read_judgements(path, pair=pair)


def exercise() -> tuple[TestSet, Judgements]:
    """The exercise: a reference and two translations, A and B, of each segment, and which of the two is better.

    >>> texts, better = exercise()
    >>> len(texts), list(texts.systems), better.systems
    (36, ['A', 'B'], ('A', 'B'))
    """
    texts, pairs = (_FOLDER / name for name in EXERCISE)
    with importlib.resources.as_file(texts) as one, importlib.resources.as_file(pairs) as other:
        return read_testset(one), read_judgements(other)


def write_exercise(folder: pathlib.Path | str = ".") -> None:
    """The two files of the exercise, to work on: exercise.tsv and exercise.pairs.tsv."""
    for name in EXERCISE:
        write(pathlib.Path(folder, name), [(_FOLDER / name).read_text(encoding="utf-8")])


def write_retrieval(folder: pathlib.Path | str = ".") -> None:
    """The files of the retrieval example: pages.tsv, qrels.txt, titles.tsv, and the queries of four systems."""
    _write_all("retrieval", folder)


def write_quality(folder: pathlib.Path | str = ".") -> None:
    """The files of the example of quality estimation: texts to train and test on, with post-edits, and predictions."""
    _write_all("quality", folder)


def _write_all(part: str, folder: pathlib.Path | str) -> None:
    for file in sorted((_FOLDER / part).iterdir(), key=lambda f: f.name):
        write(pathlib.Path(folder, file.name), [file.read_text(encoding="utf-8")])


def judgement_files() -> list[str]:
    """The names of the files of judgements."""
    endings = tuple(PROTOCOLS.values())
    return sorted(file.name for file in _FOLDER.iterdir() if file.name.endswith(endings))


@verb(DemoOptions)
def demo(asked: DemoOptions) -> Demo:
    """Score the demo campaign, rank it by its judgements, and hold the metrics against them; all of it in a folder."""
    output, progress = pathlib.Path(asked.output), asked.progress
    if output.exists() and not output.is_dir():
        raise InputError(f"{output} is a file.", hint="Name a folder with -o.")
    scores = {
        pair: score(testset=campaign(pair), metrics=METRICS, ci=True, paired="bootstrap", progress=progress)
        for pair in PAIRS
    }
    people = {pair: judgements(pair) for pair in PAIRS}
    rankings = {pair: rank(judged, progress=progress) for pair, judged in people.items()}
    agreed = {pair: agreement(judged) for pair, judged in people.items()}
    output.mkdir(parents=True, exist_ok=True)
    copies = [output / name for name in (STUDY, *(f"{pair}.tsv" for pair in PAIRS), *judgement_files())]
    for path in copies:
        write(path, [(_FOLDER / path.name).read_text(encoding="utf-8")])
    results = {
        "scores.csv": [{"testset": p, **r} for p, answer in scores.items() for r in answer.as_records()],
        "rankings.csv": [{"testset": p, **r} for p, answer in rankings.items() for r in answer.as_records()],
        "agreement.csv": [{"testset": p, **r} for p, answer in agreed.items() for r in answer.as_records()],
    }
    for name, records in results.items():
        write(output / name, [render_records(records, "demo", "csv")])
    summary = output / "summary.md"
    write(summary, ["# Tercet demo\n", *(_section(p, scores[p], rankings[p], agreed[p]) for p in PAIRS)])
    study = run(output / STUDY, output, figures=False, progress=progress)  # which take longer than all else
    written = (*study.files[:1], summary, *(output / name for name in results), *study.files[1:], *copies)
    return Demo(scores, rankings, agreed, study, written)


def _section(pair: str, scores: Scores, ranking: Ranking, agreed: Agreement) -> str:
    def shown(title: str, table: Table) -> str:
        return f"\n### {title}\n\n{render(table, 'markdown')}"

    return f"\n## {pair}\n" + "".join(
        [
            shown("By metrics", scores_table(scores)),
            shown("By people", ranking_table(ranking)),
            shown("Agreement of the judges", agreement_table(agreed)),
        ]
    )
