"""The page of a study: answers first, then the tables of each level, then every direction."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tercet.data import MetaEvaluation, MetricAgreement
from tercet.data.table import Table
from tercet.numbers import bounded, coefficient
from tercet.options.agreeing import MetaLevel
from tercet.report.html import Block, Report, Section, direction_section, fold_block, table_block

if TYPE_CHECKING:
    from tercet.study import StudyResult
    from tercet.study.answers import StudyAnswers, Tables


def study_page(result: StudyResult, said: StudyAnswers) -> Report:
    """The page: answers first, then the tables of each level, then every direction."""
    study = result.study
    sections = [
        Section(
            f"{level.capitalize()} level",
            level,
            said.intros[level],
            tuple(_table_blocks(level, said.tables)),
        )
        for level in result.main
    ]
    for direction in study.directions:
        sections += _direction_sections(result, direction.pair, said.told.get(direction.pair, ()))
    about: list[Block] = [fold_block("Study file", study.text)]
    about += [fold_block(f"Signature, {level} level", m.signature) for level, m in result.main.items()]
    sections.append(Section("How this was made", "about", "", tuple(about)))
    notes = tuple(dict.fromkeys(n for m in result.main.values() for n in m.notes))
    metrics = tuple(dict.fromkeys(r.metric for m in result.main.values() for r in m))
    return Report(
        study.title, said.summary, tuple(sections), next(iter(result.main.values())).signature, notes, metrics
    )


def _table_blocks(level: MetaLevel, tables: Tables) -> Iterator[Block]:
    for (table_level, group), table in tables.items():
        if table_level == level:
            column = table.header.index("average") if "average" in table.header else None
            shown = dataclasses.replace(table, notes=table.notes[:-1])  # the signature stands at the end of the page
            apart = frozenset() if column is None else frozenset({column})
            yield table_block(shown, f"{level.capitalize()} level, {group}", sorted_by=column, apart=apart)


def _direction_sections(result: StudyResult, pair: str, told: Sequence[str]) -> Iterator[Section]:
    """One section a direction, with what every level says of it."""
    everything = MetaEvaluation(
        tuple(r for m in result.main.values() for r in m.records if r.direction == pair),
        "",
        (),
        *(
            tuple(entry for m in result.main.values() for entry in getattr(m, part))
            for part in ("tests", "curves", "scatters", "calibrations")
        ),
    )
    intro = " ".join(_capital(a.removeprefix(f"{pair}, ")) for a in told)
    yield direction_section(everything, pair, intro=intro, extra=_outlier_blocks(everything.records))


def _outlier_blocks(records: Sequence[MetricAgreement]) -> list[Block]:
    """Agreement with and without the systems that people put far off, if there are some."""
    changed = [r for r in records if r.without_outliers is not None and r.n_without_outliers != r.n]
    if not changed:
        return []
    rows = tuple(
        (
            r.metric,
            bounded(r.value, r.low, r.high),
            str(r.n),
            coefficient(r.without_outliers),
            str(r.n_without_outliers),
        )
        for r in sorted(changed, key=lambda r: math.inf if r.place is None else r.place)
        if r.without_outliers is not None
    )
    table = Table(("metric", "all systems", "n", "without outliers", "n without"), rows)
    return [table_block(table, "With and without outliers", sorted_by=1)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
