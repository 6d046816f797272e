"""The answer of a comparison: scores with intervals, differences with tests, who beats whom, on how many segments."""

from __future__ import annotations

import itertools
import math

from tercet.data import ComparedMetric, Comparison, Difference, PairTests
from tercet.data.comparison import ALPHA
from tercet.report.html import tables
from tercet.report.html.compare_data import link
from tercet.report.html.compare_tables import Cells, linked_table
from tercet.report.html.context import Context
from tercet.report.html.tables import LEVELS, boxed, shade
from tercet.report.html.text import attributes, escape, figure, name, prose

MINUS = "\u2212"


def answer(comparison: Comparison, context: Context) -> str:
    """All blocks of the section."""
    ranked = by_rank(comparison)
    first, *others = (_matrix(t, _ordered(comparison, t.metric), context) for t in comparison.tests)
    more = ", ".join(t.metric for t in comparison.tests[1:])
    folded = f"<details><summary>Who is better, by {prose(more)}</summary>{''.join(others)}</details>" if others else ""
    return "".join(
        [
            _scores(comparison, ranked, context),
            _duels(comparison, ranked, context),
            first,
            folded,
            _clusters(comparison) if len(comparison.systems) > 2 else "",
            _tracks(comparison),
        ]
    )


def by_rank(comparison: Comparison) -> list[str]:
    """The systems, the best by the first metric first."""
    return _ordered(comparison, comparison.metrics[0].metric)


def _ordered(comparison: Comparison, metric: str) -> list[str]:
    return [name for cluster in comparison.clusters(metric) for name in cluster]


def number(value: float, digits: int) -> str:
    """A score as `tercet score` prints it."""
    return "n/a" if math.isnan(value) else f"{value:.{digits}f}"


def signed(value: float, digits: int) -> str:
    """A difference.

    >>> signed(1.234, 2), signed(-0.5, 1), signed(0.001, 2), signed(math.nan, 2)
    ('+1.23', '−0.5', '±0.00', 'n/a')
    """
    if math.isnan(value):
        return "n/a"
    text = f"{abs(value):.{digits}f}"
    if text.strip("0.") == "":
        return f"±{text}"
    return f"{'+' if value > 0 else MINUS}{text}"


def p_text(p: float) -> str:
    """A p-value in a sentence or a cell.

    >>> p_text(0.0312), p_text(0.00002), p_text(math.nan)
    ('p = .031', 'p < .001', 'p is not defined')
    """
    if math.isnan(p):
        return "p is not defined"
    if p < 0.001:
        return "p < .001"
    # A fourth digit where the third would round p to the other side of the level.
    return f"p = {figure(p, 3 if (round(p, 3) < ALPHA) == (p < ALPHA) else 4)}"


# -- scores --------------------------------------------------------------------------------------------------


def _scores(comparison: Comparison, ranked: list[str], context: Context) -> str:
    header = []
    for m in comparison.metrics:
        header += [(f"{m.metric} {'↑' if m.higher_is_better else '↓'}", "95 % interval"), ("difference", m.metric)]
    first = comparison.metrics[0].metric
    clusters = {s: comparison.score(first, s).cluster for s in ranked}
    ends = {i for i, (a, b) in enumerate(itertools.pairwise(ranked)) if clusters[a] != clusters[b]}
    lines = (
        f"Lines part clusters by {first}: each system above is significantly better than each below." if ends else ""
    )
    notes = [
        f"Differences from the baseline {comparison.baseline}, with their 95 % intervals; * p < {ALPHA:g}.",
        lines,
        comparison.assumptions,
    ]
    rows = [(_named(comparison, system), _row(comparison, system)) for system in ranked]
    return linked_table("Scores, best first", header, rows, [n for n in notes if n], context, "system", ends, 0)


def _named(comparison: Comparison, system: str) -> str:
    mark = "<small>baseline</small>" if system == comparison.baseline else ""
    return f"<span>{name(system)}{mark}</span>"


def _row(comparison: Comparison, system: str) -> Cells:
    cells: list[tuple[str, float | None]] = []
    for m in comparison.metrics:
        own = comparison.score(m.metric, system)
        text = number(own.score, m.digits)
        score = f"<b>{text}</b>" if own.rank == 1 else text
        between = f"[{number(own.low, m.digits)}, {number(own.high, m.digits)}]"
        cells.append((f"{score}<small>{between}</small>", None if math.isnan(own.score) else own.score))
        if system == comparison.baseline:
            cells.append(("–", None))
        else:
            cells.append(_difference(comparison.difference(m.metric, system), m))
    return cells


def _difference(found: Difference, metric: ComparedMetric) -> tuple[str, float | None]:
    low, high = (signed(v, metric.digits) for v in (found.low, found.high))
    star = "*" if found.verdict != "undecided" else ""
    kind = {"better": "up", "worse": "down", "undecided": "same"}[found.verdict]
    text = f'<span class="{kind}">{signed(found.difference, metric.digits)}</span>'
    more = f"<small>[{low}, {high}]</small><small>{escape(p_text(found.p_value))}{star}</small>"
    return text + more, None if math.isnan(found.difference) else found.difference


# -- who beats whom ------------------------------------------------------------------------------------------


def _matrix(tests: PairTests, order: list[str], context: Context) -> str:
    """Systems against systems, the best first; the p-value stands in each shaded cell."""
    levels = (ALPHA, *(level for level in LEVELS if level < ALPHA))
    places = [tests.systems.index(system) for system in order]
    better = tests.better()
    head = "".join(f'<th scope="col"><span>{name(system)}</span></th>' for system in order)
    rows = "".join(
        f'<tr><th scope="row">{name(tests.systems[i])}</th>'
        + "".join(_p_cell(float(tests.p[i, j]), i == j, bool(better[i, j]), bool(better[j, i]), levels) for j in places)
        + "</tr>"
        for i in places
    )
    body = f'<table class="matrix"><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>'
    keys = "".join(
        f'<span class="key p{shade(0.999 * level, levels)}">p ≤ {f"{level:g}".removeprefix("0")}</span>'
        for level in levels
    )
    half = " half" if len(order) <= tables.FEW else ""
    caption = f"Who is better, by {tests.metric}"
    return (
        f'<figure class="table{half}">{boxed(caption, body, context)}'
        f'<p class="told">Shaded: the row’s system is significantly better than the column’s. '
        f'<span class="keys">{keys}</span></p></figure>'
    )


def _p_cell(p: float, diagonal: bool, better: bool, worse: bool, levels: tuple[float, ...]) -> str:
    if diagonal:
        return '<td class="self"></td>'
    if worse:  # what is to be said stands in the mirrored cell
        return "<td></td>"
    if math.isnan(p):
        return '<td data-p="nan" title="p is not defined">nan</td>'
    text = p_text(p).removeprefix("p ").removeprefix("= ").replace("< ", "<")
    if not better:
        return f'<td data-p="{escape(text)}" title="p = {escape(text)}">·</td>'
    return f'<td class="p{max(1, shade(p, levels))}" data-p="{escape(text)}">{escape(text)}</td>'


# -- segments won and lost -----------------------------------------------------------------------------------


def _duels(comparison: Comparison, ranked: list[str], context: Context) -> str:
    """For each system and metric a bar: segments won against the baseline, ties, segments lost."""
    head = "".join(f'<th scope="col">{name(m.metric)}</th>' for m in comparison.metrics)
    rows = "".join(
        f'<tr><th scope="row">{name(system)}</th>'
        + "".join(f"<td>{_bar(comparison.difference(m.metric, system))}</td>" for m in comparison.metrics)
        + "</tr>"
        for system in ranked
        if system != comparison.baseline
    )
    body = (
        f'<table class="duels"><thead><tr><th scope="col">system</th>{head}</tr></thead><tbody>{rows}</tbody></table>'
    )
    caption = f"Segments won, tied and lost against {comparison.baseline}"
    keys = "".join(f'<span class="key {kind}">{kind}</span>' for kind in ("won", "tied", "lost"))
    return f'<figure class="table">{boxed(caption, body, context)}<p class="told">{keys}</p></figure>'


def _bar(found: Difference) -> str:
    parts = (("won", found.wins), ("tied", found.ties), ("lost", found.losses))
    total = max(1, sum(n for _, n in parts))
    at, drawn = 0.0, ""
    for kind, n in parts:
        width = 100 * n / total
        drawn += f'<rect class="{kind}" x="{at:.2f}" width="{width:.2f}" height="10"/>'
        at += width
    told = " / ".join(f"{n}" for _, n in parts)
    label = ", ".join(f"{n} {kind}" for kind, n in parts)
    svg = f'<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>'
    return f'{svg}<span aria-hidden="true">{told}</span><span class="heard">{label}</span>'


# -- clusters and earlier runs -------------------------------------------------------------------------------


def _clusters(comparison: Comparison) -> str:
    lists = ""
    for m in comparison.metrics:
        items = "".join(
            f"<li>{' '.join(f'<span>{name(system)}</span>' for system in cluster)}</li>"
            for cluster in comparison.clusters(m.metric)
        )
        lists += f"<div><h3>{name(m.metric)}</h3><ol>{items}</ol></div>"
    return (
        '<figure class="clusters wide"><figcaption>Clusters: systems that a metric does not tell apart</figcaption>'
        f'<div class="columns">{lists}</div></figure>'
    )


def _tracks(comparison: Comparison) -> str:
    if not comparison.tracks:
        return ""
    items = ""
    for i, track in enumerate(comparison.tracks):
        parts = ", ".join(
            f"<a{attributes(href=link(f't{i}.{kind}', track.system, track.earlier))}>{len(rows)} {kind}</a>"
            if rows
            else f"none {kind}"
            for kind, rows in (("changed", track.changed), ("better", track.better), ("worse", track.worse))
        )
        items += f"<li>{name(track.system)} beside {name(track.earlier)}: {parts}</li>"
    told = "Segments with another output, and those whose score by the first metric rose or fell."
    return (
        f'<figure class="wide"><figcaption>Since the earlier run</figcaption><ul class="plain">{items}</ul>'
        f'<p class="told">{told}</p></figure>'
    )
