"""`run`: a study answered and written: tables as the papers print them, figures, records, and one HTML page.

results.csv                        every figure of every level, measure and direction
tables/system.into-en.md .tex .csv the table of a level and a group of directions
figures/de-en.scatter.BLEU.svg .pdf, de-en.top-n, de-en.system.significance, de-en.segment.calibration.chrF
report.html                        all of it on one page
cache/                             statistics of metrics, for the next run
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import pathlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from tercet.data import MetaEvaluation, MetaLevel, MetricAgreement, Scatter
from tercet.errors import InputError
from tercet.formats.lines import File, write
from tercet.meta import MEASURES, Measure
from tercet.meta.answers import fails, is_carried, listed
from tercet.plots.results import draw_calibration, draw_scatter, draw_significance, draw_top_n
from tercet.ranking.rank import Progress
from tercet.report.html import Block, Report, Section, direction_section, fold_block, page, table_block
from tercet.report.meta import figure
from tercet.report.metrics_task import Cell, Column, average, metrics_table
from tercet.report.tables import Table, render, render_records, table_csv
from tercet.study import Study, StudyResult, answer, read_study
from tercet.study.cache import make_folder

BOLD: Mapping[str, Literal["best", "winners"]] = {"wmt14": "best", "wmt15": "best", "wmt19": "winners"}
KINDS = (".svg", ".pdf")


@dataclasses.dataclass(frozen=True, eq=False)
class Run:
    """What a study gave, its tables by level and group, and the files that were written, the page first."""

    result: StudyResult
    tables: Mapping[tuple[MetaLevel, str], Table]
    files: tuple[pathlib.Path, ...]


def run(
    study: File | Study,
    output: pathlib.Path = pathlib.Path("study"),
    *,
    cache: pathlib.Path | None = None,
    figures: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Run:
    """Answer a study, and write its tables, figures and report into a folder.

    Parameters
    ----------
    study
        A study file in TOML, or what `read_study` gives.
    output
        The folder to write to.
    cache
        The folder of statistics that are kept between runs; `cache` in the output folder if none is named.
    figures
        Whether to draw figures.
    """
    asked = study if isinstance(study, Study) else read_study(pathlib.Path(study))
    output = pathlib.Path(output)
    kept = output / "cache" if cache is None else pathlib.Path(cache)
    for folder, option in ((output, "-o"), (kept, "--cache")):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file.", hint=f"Name a folder with {option}.")
    result = answer(asked, kept, threads=threads, progress=progress)
    tables = {
        (level, group): task_table(result, level, directions)
        for level in result.main
        for group, directions in asked.groups.items()
    }
    make_folder(output)
    report = output / "report.html"
    write(report, [page(study_page(result, tables))])
    written = [report, *_records(result, output), *_tables(tables, output / "tables")]
    if figures:
        written += _figures(result, output / "figures", progress)
    return Run(result, tables, tuple(written))


def task_table(result: StudyResult, level: MetaLevel, directions: tuple[str, ...]) -> Table:
    """The table of one level and group of directions, with secondary columns as averages."""
    study, main = result.study, result.main[level]
    records = [r for r in main if r.direction in directions]
    cells = {(r.metric, r.direction): Cell(r.value, r.half_width, r.winner, _weight(r)) for r in records}
    counts = {d: max((r.n for r in records if r.direction == d), default=0) for d in directions}
    averaged = [d for d in directions if d not in study.exclude] or list(directions)
    secondary: dict[str, dict[str, Cell]] = {}
    for measure in dict.fromkeys(r.measure for r in result.secondary.get(level, ())):
        own = [r for r in result.secondary[level] if r.measure == measure]
        secondary[f"{measure} average"] = _averages(own, averaged)
    if level in result.other_gold:
        title = f"{study.levels[level].secondary_gold} average"
        secondary[title] = _averages(result.other_gold[level].records, averaged)
    table = metrics_table(
        cells,
        directions,
        counts=counts,
        counted=_counted(study.levels[level].measure, level),
        exclude=[d for d in study.exclude if d in directions and 1 < len(averaged) < len(directions)],
        secondary=secondary,
        bold=BOLD[study.layout],
    )
    return dataclasses.replace(table, notes=(*table.notes, *strength(study.levels[level].measure), main.signature))


def _counted(measure: Measure, level: MetaLevel) -> str:
    """What the second line of the header counts: at the system level a score is a system."""
    return "systems" if level == "system" and measure.counts == "scores" else measure.counts


def _weight(record: MetricAgreement) -> float:
    """Of a direction in the average; one that has nothing to pool has no value either."""
    return float(record.n or 1) if MEASURES.make(record.measure).pooled else 1.0


def _averages(records: tuple[MetricAgreement, ...] | list[MetricAgreement], directions: list[str]) -> dict[str, Cell]:
    found: dict[str, Cell] = {}
    for metric in dict.fromkeys(r.metric for r in records):
        own: Column = [
            Cell(r.value, weight=_weight(r)) for r in records if r.metric == metric and r.direction in directions
        ]
        mean = average(own)
        if mean is not None:
            found[metric] = mean
    return found


def study_page(result: StudyResult, tables: Mapping[tuple[MetaLevel, str], Table]) -> Report:
    """The page: answers first, then the tables of each level, then every direction."""
    study = result.study
    sections = [
        Section(
            f"{level.capitalize()} level",
            level,
            " ".join(
                [f"{study.levels[level].measure} with people, by direction.", *strength(study.levels[level].measure)]
            ),
            tuple(_table_blocks(level, tables)),
        )
        for level in result.main
    ]
    for direction in study.directions:
        sections += _direction_sections(result, direction.pair)
    about: list[Block] = [fold_block("Study file", study.text)]
    about += [fold_block(f"Signature, {level} level", m.signature) for level, m in result.main.items()]
    sections.append(Section("How this was made", "about", "", tuple(about)))
    summary = tuple(
        said
        for level in result.main
        for said in (*(overall(result, level, group) for group in study.groups), *holds(result, level))
    )
    notes = tuple(dict.fromkeys(n for m in result.main.values() for n in m.notes))
    return Report(study.title, summary, tuple(sections), next(iter(result.main.values())).signature, notes)


def _table_blocks(level: MetaLevel, tables: Mapping[tuple[MetaLevel, str], Table]) -> Iterator[Block]:
    for (own, group), table in tables.items():
        if own == level:
            column = table.header.index("average") if "average" in table.header else None
            shown = dataclasses.replace(table, notes=table.notes[:-1])  # the signature stands at the end of the page
            apart = frozenset() if column is None else frozenset({column})
            yield table_block(shown, f"{level.capitalize()} level, {group}", sorted_by=column, apart=apart)


def _direction_sections(result: StudyResult, pair: str) -> Iterator[Section]:
    """One section a direction, with what every level says of it."""
    everything = MetaEvaluation(
        tuple(r for m in result.main.values() for r in m.records if r.direction == pair),
        "",
        (),
        *(
            tuple(each for m in result.main.values() for each in getattr(m, part))
            for part in ("tests", "curves", "scatters", "calibrations")
        ),
    )
    said = [a for m in result.main.values() for a in m.answers if a.startswith(f"{pair}, ")]
    intro = " ".join(_capital(a.removeprefix(f"{pair}, ")) for a in said)
    yield direction_section(everything, pair, intro=intro, extra=_outlier_blocks(everything.records))


def _outlier_blocks(records: Sequence[MetricAgreement]) -> list[Block]:
    """Agreement with and without the systems that people put far off, if there are some."""
    changed = [r for r in records if r.without_outliers is not None and r.n_without_outliers != r.n]
    if not changed:
        return []
    rows = tuple(
        (r.metric, figure(r.value, r.half_width), str(r.n), figure(r.without_outliers), str(r.n_without_outliers))
        for r in sorted(changed, key=lambda r: (math.isnan(r.value), -r.value))
        if r.without_outliers is not None
    )
    table = Table(("metric", "all systems", "n", "without outliers", "n without"), rows)
    return [table_block(table, "With and without outliers", sorted_by=1)]


def overall(result: StudyResult, level: MetaLevel, group: str) -> str:
    """One sentence on a level and a group of directions: who agrees best on average, and where nobody is better."""
    study = result.study
    directions = [d for d in study.groups[group] if d not in study.exclude] or list(study.groups[group])
    records = [r for r in result.main[level] if r.direction in directions]
    means = _averages(records, directions)
    full = [m for m in means if sum(r.metric == m for r in records) == len(directions)]
    known = sorted((m for m in full if not math.isnan(means[m].value)), key=lambda m: -means[m].value)
    where = f"{_capital(level)} level, {group}"
    if not known:
        return f"{where}: no metric has a figure for every direction."
    best = known[0]
    said = f"{where}: {best} agrees best with people, {figure(means[best].value)} on average over {listed(directions)}."
    wins = {m: sum(bool(r.winner) for r in records if r.metric == m) for m in known}
    unbeaten = _often(wins, f" of {len(directions)}")
    if unbeaten:
        said += f" No other metric is significantly better than {unbeaten}."
    return said


def holds(result: StudyResult, level: MetaLevel) -> list[str]:
    """In how many directions metrics fail among the best systems, or owe their agreement to outliers, if in any."""
    found, n = result.main[level], len(result.study.directions)
    where = f"{_capital(level)} level"
    failing = Counter(c.metric for c in found.curves if fails(c))
    carried = Counter(r.metric for r in found if is_carried(r))
    said = []
    if failing:
        some = len({c.direction for c in found.curves if fails(c)})
        said.append(f"among the better half of the systems metrics fail in {some} of {n} directions: {_often(failing)}")
    if carried:
        some = len({r.direction for r in found if is_carried(r)})
        said.append(f"outliers carry the agreement of metrics in {some} of {n}: {_often(carried)}")
    return [f"{where}: {'; '.join(said)}."] if said else []


def strength(measure: Measure) -> list[str]:
    """What it means that only the strength of a correlation is looked at, if it is."""
    if not measure.strength:
        return []
    return ["Correlations are without their sign (abs), as in WMT19: a metric that is truly reversed looks as good."]


def _often(times: Mapping[str, int], of: str = "") -> str:
    """Metrics with the number of directions, those with most of them first.

    >>> _often({"a": 1, "b": 2, "c": 0}, " of 3")
    'b in 2 of 3 and a in 1 of 3'
    """
    most = sorted((m for m, count in times.items() if count), key=lambda m: -times[m])
    return listed([f"{m} in {times[m]}{of}" for m in most]) if most else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _records(result: StudyResult, output: pathlib.Path) -> Iterator[pathlib.Path]:
    path = output / "results.csv"
    rows = [
        {"gold": gold, **record}
        for gold, part in (("main", result.main), ("main", result.secondary), ("secondary", result.other_gold))
        for found in part.values()
        for record in _full(found)
    ]
    write(path, [render_records(rows, "run", "csv")])
    yield path


def _full(found: MetaEvaluation) -> list[dict[str, object]]:
    """Records with every field, so that all levels share their columns."""
    return [dataclasses.asdict(record) for record in found]


def _tables(tables: Mapping[tuple[MetaLevel, str], Table], folder: pathlib.Path) -> Iterator[pathlib.Path]:
    make_folder(folder)
    called = _file_names(group for _, group in tables)
    for (level, group), table in tables.items():
        stem = f"{level}.{called[group]}"
        for ending, text in (
            (".md", render(table, "markdown")),
            (".tex", render(table, "latex")),
            (".csv", table_csv(table)),
        ):
            path = folder / f"{stem}{ending}"
            write(path, [text])
            yield path


def _figures(result: StudyResult, folder: pathlib.Path, progress: Progress | None) -> Iterator[pathlib.Path]:
    """Scatters of the first metric and of the best one, curves, tests and calibrations of every direction."""
    make_folder(folder)
    called = _file_names(r.metric for found in result.main.values() for r in found)

    def drawn(name: str) -> Iterator[pathlib.Path]:
        for kind in KINDS:
            yield folder / f"{name}{kind}"
        if progress:
            progress("figures", len(KINDS))

    for level, found in result.main.items():
        for pair in dict.fromkeys(r.direction for r in found):
            for scatter in _shown_scatters(found, pair):
                for path in drawn(f"{pair}.scatter.{called[scatter.metric]}"):
                    draw_scatter(scatter, path)
                    yield path
            curves = [c for c in found.curves if c.direction == pair]
            if curves:
                for path in drawn(f"{pair}.top-n"):
                    draw_top_n(curves, path)
                    yield path
        for tests in found.tests:
            for path in drawn(f"{tests.direction}.{level}.significance"):
                draw_significance(tests, path)
                yield path
        for calibration in found.calibrations:
            for path in drawn(f"{calibration.direction}.{level}.calibration.{called[calibration.metric]}"):
                draw_calibration(calibration, path)
                yield path


def _shown_scatters(found: MetaEvaluation, pair: str) -> list[Scatter]:
    """The first metric and the one that agrees best, as in the appendix of WMT15."""
    own = [s for s in found.scatters if s.direction == pair]
    if not own:
        return []
    best = max(own, key=lambda s: -math.inf if math.isnan(s.agreement) else s.agreement)
    return [own[0]] if best is own[0] else [own[0], best]


def _file_names(names: Iterable[str]) -> dict[str, str]:
    """Names that every file system takes and tells apart; of those that would be the same, later ones get a number.

    >>> _file_names(["chrF", "a/b", "a b", "chrF", "CHRF"])
    {'chrF': 'chrF', 'a/b': 'a_b', 'a b': 'a_b-2', 'CHRF': 'CHRF-2'}
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        plain = re.sub(r"[^\w.+-]+", "_", name).strip("._")[:100] or "_"
        tries = itertools.chain([plain], (f"{plain}-{n}" for n in itertools.count(2)))
        found[name] = next(each for each in tries if each.lower() not in taken)
        taken.add(found[name].lower())
    return found
