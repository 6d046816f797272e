"""`run`: a study answered, and its tables, figures and report written into a folder."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import math
import os
import pathlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

from tercet.data import MetaEvaluation, MetaLevel, Scatter
from tercet.data.answer import Answer
from tercet.data.meta import RECORDED
from tercet.data.table import Table
from tercet.errors import InputError
from tercet.formats.lines import whole, write
from tercet.numbers import counted
from tercet.options import verb
from tercet.options.groups import Progress, expect
from tercet.options.studies import RunOptions
from tercet.plots import calibration_curve, save, scatter, significance_matrix, top_n_curves
from tercet.plots.answers import picture
from tercet.plots.canvas import BAR
from tercet.plots.layout import highest_curves
from tercet.plots.top_n import colours_of
from tercet.report.answers import blocks
from tercet.report.html import page
from tercet.report.study import study_page
from tercet.report.tables import render, render_records, table_csv
from tercet.study import Study, StudyResult, answer, read_study
from tercet.study.answers import StudyAnswers, Tables, study_answers
from tercet.study.cache import make_folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = (".svg", ".pdf")
LIST = ".tercet-files"  # what a run has written, for the next one
MOST_LISTED = 1 << 20  # bytes
ASIDE = "earlier"  # the folder of what a run without a list has written
_OURS = re.compile(r"(tables/[^/]+\.(md|tex|csv)|figures/[^/]+\.(svg|pdf))")
_LEVELS = "|".join(get_args(MetaLevel))
_CALLED_LIKE_OURS = re.compile(
    rf"(tables/({_LEVELS})\.[^/]+\.(md|tex|csv)"
    rf"|figures/[^/]+\.(scatter\.[^/]+|top-n|({_LEVELS})\.(significance|calibration\.[^/]+))\.(svg|pdf))"
)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Run(Answer):
    """What a study gave, what is said of it, and the files that were written, the page first.

    `aside` is the folder to which tables and figures were moved of a run that had left no list of them.
    """

    result: StudyResult
    said: StudyAnswers
    files: tuple[pathlib.Path, ...]
    aside: pathlib.Path | None = None

    @property
    def tables(self) -> Tables:
        """The tables by level and group of directions."""
        return self.said.tables

    def as_records(self) -> list[dict[str, Any]]:
        """Flat records, those of results.csv: every metric by every measure and gold, at every level and direction."""
        return _recorded(self.result)


def _recorded(result: StudyResult) -> list[dict[str, Any]]:
    parts = (("main", result.main), ("main", result.secondary), ("secondary", result.other_gold))
    return [
        {"gold": gold, **{name: getattr(record, name) for name in RECORDED}}
        for gold, part in parts
        for evaluation in part.values()
        for record in evaluation
    ]


@blocks.register(Run)
def _blocks(answer: Run) -> list[str | Table]:
    """The tables, each under its level and group, and where the rest is."""
    tables = [part for (level, group), table in answer.tables.items() for part in (f"{level} level, {group}", table)]
    moved = [] if answer.aside is None else [f"Tables and figures of an earlier run were moved to {answer.aside}."]
    return [*tables, f"{answer.files[0]} and {counted(len(answer.files) - 1, 'other file')}.", *moved]


@picture.register(Run)
def _picture(answer: Run) -> Figure:
    return picture(next(iter(answer.result.main.values())))


@verb(RunOptions)
def run(asked: RunOptions) -> Run:
    """Answer a study, and write its tables, figures and report into a folder.

    The study is a file in TOML, or what `read_study` gives.
    """
    study = asked.study
    if not isinstance(study, Study):
        study = read_study(study, allow_commands=asked.allow_commands)
    output = pathlib.Path(asked.output)
    kept = output / "cache" if asked.cache is None else pathlib.Path(asked.cache)
    for folder, option in ((output, "-o"), (kept, "--cache")):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file.", hint=f"Name a folder with {option}.")
    result = answer(study, kept, threads=asked.threads, progress=asked.progress, where=asked)
    said = study_answers(result)
    make_folder(output)
    earlier = _earlier(output)
    report = output / "report.html"
    tables = _table_files(said.tables, output / "tables")
    drawings = _drawings(result) if asked.figures else []
    intended = [f"tables/{path.name}" for path in tables]
    intended += [f"figures/{name}{kind}" for name, _ in drawings for kind in KINDS]
    shown = page(study_page(result, said))
    aside = _set_aside(output)
    _list(output, dict.fromkeys([*earlier, *intended]))  # if this run is interrupted, the next one knows
    write(report, [shown])
    written = [report, *_records(result, output), *_tables(tables)]
    if asked.figures:
        written += _figures(drawings, output / "figures", asked.progress)
    names = [str(path.relative_to(output)) for path in written]
    _remove(output, {*earlier} - {*names})
    _list(output, names)
    return Run(result, said, tuple(written), aside)


def _earlier(output: pathlib.Path) -> list[str]:
    """What an earlier run wrote, or was about to write, by the list that it left."""
    kept = output / LIST
    return whole(kept, MOST_LISTED).splitlines() if kept.is_file() and not kept.is_symlink() else []


def _set_aside(output: pathlib.Path) -> pathlib.Path | None:
    """Move what is called like tables and figures of a run that left no list, as version 0.1 did, to a new folder.

    By names alone nothing is removed: it might be somebody's own.
    """
    if (output / LIST).exists() or not (output / "report.html").is_file():
        return None
    folders = [output / name for name in ("tables", "figures") if not (output / name).is_symlink()]
    files = [path for folder in folders if folder.is_dir() for path in folder.iterdir()]
    called = [path for path in files if _CALLED_LIKE_OURS.fullmatch(f"{path.parent.name}/{path.name}")]
    if not called:
        return None
    tries = itertools.chain([ASIDE], (f"{ASIDE}-{n}" for n in itertools.count(2)))
    aside = next(output / name for name in tries if not os.path.lexists(output / name))
    for path in called:
        make_folder(aside / path.parent.name)
        with contextlib.suppress(OSError):  # of a folder that nobody may write to; the next table says so
            path.rename(aside / path.parent.name / path.name)
    return aside


def _remove(output: pathlib.Path, names: Iterable[str]) -> None:
    """Tables and figures of an earlier run; nothing else is touched."""
    for name in names:
        path = output / name
        if _OURS.fullmatch(name) and not path.parent.is_symlink():  # the list may be anybody's
            with contextlib.suppress(OSError):
                path.unlink()


def _list(output: pathlib.Path, names: Iterable[str]) -> None:
    kept = output / LIST
    if kept.is_symlink():
        kept.unlink()
    write(kept, [f"{name}\n" for name in names])


def _records(result: StudyResult, output: pathlib.Path) -> Iterator[pathlib.Path]:
    path = output / "results.csv"
    write(path, [render_records(_recorded(result), "run", "csv")])
    yield path


def _table_files(tables: Tables, folder: pathlib.Path) -> dict[pathlib.Path, Callable[[], str]]:
    """Each table in three formats."""
    called = _file_names(group for _, group in tables)
    files: dict[pathlib.Path, Callable[[], str]] = {}
    for (level, group), table in tables.items():
        stem = folder / f"{level}.{called[group]}"
        files[stem.with_name(f"{stem.name}.md")] = functools.partial(render, table, "markdown")
        files[stem.with_name(f"{stem.name}.tex")] = functools.partial(render, table, "latex")
        files[stem.with_name(f"{stem.name}.csv")] = functools.partial(table_csv, table)
    return files


def _tables(files: dict[pathlib.Path, Callable[[], str]]) -> Iterator[pathlib.Path]:
    for path, text in files.items():
        make_folder(path.parent)
        write(path, [text()])
        yield path


def _drawings(result: StudyResult) -> list[tuple[str, Callable[[], Figure]]]:
    """Scatters of the first metric and of the best one, curves, tests and calibrations of every direction."""
    called = _file_names(r.metric for evaluation in result.main.values() for r in evaluation)

    palette = _palette(result)
    colours = colours_of(palette)
    drawings: list[tuple[str, Callable[[], Figure]]] = []
    for level, evaluation in result.main.items():
        for pair in dict.fromkeys(r.direction for r in evaluation):
            for shown in _shown_scatters(evaluation, pair):
                colour = colours.get(shown.metric, BAR)
                paint = functools.partial(scatter, shown, colour=colour)
                drawings.append((f"{pair}.scatter.{called[shown.metric]}", paint))
            curves = [c for c in evaluation.curves if c.direction == pair]
            if curves:
                drawings.append((f"{pair}.top-n", functools.partial(top_n_curves, curves, palette=palette)))
        for tests in evaluation.tests:
            name = f"{tests.direction}.{level}.significance"
            drawings.append((name, functools.partial(significance_matrix, tests)))
        for calibration in evaluation.calibrations:
            name = f"{calibration.direction}.{level}.calibration.{called[calibration.metric]}"
            drawings.append((name, functools.partial(calibration_curve, calibration)))
    return drawings


def _figures(
    drawings: Sequence[tuple[str, Callable[[], Figure]]], folder: pathlib.Path, progress: Progress | None
) -> Iterator[pathlib.Path]:
    make_folder(folder)
    expect(progress, "figures", len(drawings))
    for name, draw in drawings:
        figure = draw()  # once, for all kinds of file
        for kind in KINDS:
            path = folder / f"{name}{kind}"
            save(figure, path)
            yield path
        if progress:
            progress("figures", 1)


def _palette(result: StudyResult) -> list[str]:
    """The metrics that are in colour in some figure, in the order of the study: each has one colour in all of them."""
    curves = [c for evaluation in result.main.values() for c in evaluation.curves]
    by_pair = [[c for c in curves if c.direction == pair] for pair in {c.direction for c in curves}]
    coloured = {metric for of_pair in by_pair for metric in highest_curves(of_pair)}
    return [metric for metric in dict.fromkeys(c.metric for c in curves) if metric in coloured]


def _shown_scatters(evaluation: MetaEvaluation, pair: str) -> list[Scatter]:
    """The first metric and the one that agrees best, as in the appendix of WMT15."""
    scatters = [s for s in evaluation.scatters if s.direction == pair]
    if not scatters:
        return []
    best = max(scatters, key=lambda s: -math.inf if math.isnan(s.agreement) else s.agreement)
    return [scatters[0]] if best is scatters[0] else [scatters[0], best]


def _file_names(names: Iterable[str]) -> dict[str, str]:
    """Names that every file system takes and tells apart; of those that would be the same, later ones get a number.

    >>> _file_names(["chrF", "a/b", "a b", "chrF", "CHRF"])
    {'chrF': 'chrF', 'a/b': 'a_b', 'a b': 'a_b-2', 'CHRF': 'CHRF-2'}
    """
    unique: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        plain = re.sub(r"[^\w.+-]+", "_", name).strip("._")[:100] or "_"
        tries = itertools.chain([plain], (f"{plain}-{n}" for n in itertools.count(2)))
        unique[name] = next(attempt for attempt in tries if attempt.lower() not in taken)
        taken.add(unique[name].lower())
    return unique
