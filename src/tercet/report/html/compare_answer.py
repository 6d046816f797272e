"""The answer of a comparison: scores with intervals, differences with tests, who beats whom, on how many segments."""

from __future__ import annotations

import itertools
import math

from tercet import numbers
from tercet.data import ComparedMetric, Comparison, Difference, PairTests
from tercet.numbers import ALPHA, level
from tercet.plots.layout import levels, shade
from tercet.report.html import tables
from tercet.report.html.compare_data import link
from tercet.report.html.compare_tables import Cells, linked_table
from tercet.report.html.context import Context
from tercet.report.html.dots import Dot, Shares, dot_plot, share_plot
from tercet.report.html.markup import Html, element, joined, name, prose
from tercet.report.html.systems import Looks
from tercet.report.html.text import clipped


def answer(comparison: Comparison, looks: Looks, context: Context) -> Html:
    """All blocks of the section: pictures first, the numbers behind them."""
    ranked = by_rank(comparison)
    dots = [_dots(comparison, m, looks, context) for m in comparison.metrics]
    shares = [_shares(comparison, m, looks, context) for m in comparison.metrics]
    first, *others = [_matrix(t, _ordered(comparison, t.metric), looks, context) for t in comparison.tests]
    more = ", ".join(t.metric for t in comparison.tests[1:])
    told = element("p", *_dots_told(comparison, looks), class_="told wide")
    table, duels = _scores(comparison, ranked, looks, context), _duels(comparison, ranked, looks, context)
    return joined(
        element("div", *dots, class_="panels wide"),
        told,
        element(
            "details",
            element("summary", "Scores and differences in numbers"),
            table,
        ),
        element("div", *shares, class_="panels wide"),
        _shares_told(comparison, looks),
        element("details", element("summary", "Segments won in numbers"), duels),
        first,
        element("details", element("summary", "Who is better, by ", prose(more)), *others) if others else "",
        _clusters(comparison, looks) if len(comparison.systems) > 2 else "",
        _tracks(comparison, looks) if comparison.tracks else "",
    )


def by_rank(comparison: Comparison) -> list[str]:
    """The systems, the best by the first metric first."""
    return _ordered(comparison, comparison.metrics[0].metric)


def _ordered(comparison: Comparison, metric: str) -> list[str]:
    return [name for cluster in comparison.clusters(metric) for name in cluster]


# -- pictures ------------------------------------------------------------------------------------------------


def _dots(comparison: Comparison, metric: ComparedMetric, looks: Looks, context: Context) -> Html:
    """The systems by one metric, best first."""
    order = sorted(comparison.systems, key=lambda system: comparison.score(metric.metric, system).rank)
    dots = [_dot(comparison, metric, system, looks) for system in order]
    caption = f"{metric.metric} {'↑' if metric.higher_is_better else '↓'}"
    base = order.index(comparison.baseline)
    return dot_plot(dots, caption, not metric.higher_is_better, base, context)


def _dot(comparison: Comparison, metric: ComparedMetric, system: str, looks: Looks) -> Dot:
    entry = comparison.score(metric.metric, system)
    text = numbers.typeset(numbers.score(entry.score, metric.digits))
    told = [clipped(system), f"{text} {numbers.typeset(numbers.interval(entry.low, entry.high, metric.digits))}"]
    undecided = False
    if system != comparison.baseline:
        other = comparison.difference(metric.metric, system)
        undecided = other.verdict == "undecided"
        gap = numbers.difference(other.difference, metric.digits)
        between = numbers.interval(other.low, other.high, metric.digits, signed=True)
        told.append(numbers.typeset(f"{gap} {between} from {clipped(comparison.baseline, 30)}"))
        told.append(numbers.p_told(other.p_value))
    return Dot(
        looks.short[system],
        looks.colours[system],
        text,
        tuple(told),
        entry.score,
        entry.low,
        entry.high,
        undecided,
    )


def _dots_told(comparison: Comparison, looks: Looks) -> list[Html | str]:
    return [
        "Dots are scores, lines their 95 % intervals, the band is that of ",
        looks.name(comparison.baseline),
        f", the baseline. A filled dot differs from it significantly (p < {level(ALPHA)}), a hollow one does not.",
    ]


def _shares(comparison: Comparison, metric: ComparedMetric, looks: Looks, context: Context) -> Html:
    """Who wins how many segments against the baseline."""
    ranked = [system for system in by_rank(comparison) if system != comparison.baseline]
    rows = []
    for system in ranked:
        other = comparison.difference(metric.metric, system)
        figure = f"{other.wins} / {other.ties} / {other.losses}"
        told = (
            clipped(system),
            f"{other.wins} won, {other.ties} tied, {other.losses} lost",
            f"ahead in {_percent(other.win_share)} of resamples",
        )
        parts = (
            (looks.colours[system], other.wins),
            ("tied", other.ties),
            (looks.colours[comparison.baseline], other.losses),
        )
        rows.append(Shares(looks.short[system], looks.colours[system], figure, told, parts))
    return share_plot(rows, f"Segments won by {metric.metric}", context)


def _percent(share: float) -> str:
    return f"{numbers.score(100 * share, 1)} %"


def _shares_told(comparison: Comparison, looks: Looks) -> Html:
    told = "Segments won, tied (grey) and lost against "
    return element("p", told, looks.name(comparison.baseline), ", each in the winner’s colour.", class_="told wide")


# -- scores --------------------------------------------------------------------------------------------------


def _scores(comparison: Comparison, ranked: list[str], looks: Looks, context: Context) -> Html:
    header = []
    for m in comparison.metrics:
        header += [(f"{m.metric} {'↑' if m.higher_is_better else '↓'}", "95 % interval"), ("difference", m.metric)]
    first = comparison.metrics[0].metric
    clusters = {s: comparison.score(first, s).cluster for s in ranked}
    ends = {i for i, (a, b) in enumerate(itertools.pairwise(ranked)) if clusters[a] != clusters[b]}
    lines = (
        f"Lines part clusters by {first}: each system above is significantly better than each below." if ends else ""
    )
    baseline = looks.short[comparison.baseline]
    notes = [
        f"Differences from the baseline {baseline}, with their 95 % intervals; * p < {level(ALPHA)}.",
        lines,
        comparison.assumptions,
    ]
    rows = [(_named(comparison, system, looks), _row(comparison, system)) for system in ranked]
    return linked_table("Scores, best first", header, rows, [n for n in notes if n], context, "system", ends, 0)


def _named(comparison: Comparison, system: str, looks: Looks) -> Html:
    return element("span", looks.name(system), element("small", "baseline") if system == comparison.baseline else "")


def _row(comparison: Comparison, system: str) -> Cells:
    cells: list[tuple[str, float | None]] = []
    for m in comparison.metrics:
        entry = comparison.score(m.metric, system)
        text = numbers.typeset(numbers.score(entry.score, m.digits))
        score = element("b", text) if entry.rank == 1 else text
        between = numbers.typeset(numbers.interval(entry.low, entry.high, m.digits))
        cells.append((joined(score, element("small", between)), None if math.isnan(entry.score) else entry.score))
        if system == comparison.baseline:
            cells.append((numbers.ABSENT, None))
        else:
            cells.append(_difference(comparison.difference(m.metric, system), m))
    return cells


def _difference(difference: Difference, metric: ComparedMetric) -> tuple[Html, float | None]:
    between = numbers.typeset(numbers.interval(difference.low, difference.high, metric.digits, signed=True))
    star = "*" if difference.verdict != "undecided" else ""
    kind = {"better": "up", "worse": "down", "undecided": "same"}[difference.verdict]
    shown = joined(
        element("span", numbers.typeset(numbers.difference(difference.difference, metric.digits)), class_=kind),
        element("small", between),
        element("small", numbers.p_told(difference.p_value), star),
    )
    return shown, None if math.isnan(difference.difference) else difference.difference


# -- who beats whom ------------------------------------------------------------------------------------------


def _matrix(tests: PairTests, order: list[str], looks: Looks, context: Context) -> Html:
    """Systems against systems, the best first; the p-value stands in each shaded cell."""
    steps = levels(ALPHA)
    places = [tests.systems.index(system) for system in order]
    better = tests.better()
    cells = [
        [_p_cell(float(tests.p[i, j]), i == j, bool(better[i, j]), bool(better[j, i]), steps) for j in places]
        for i in places
    ]
    told = "Shaded: the row’s system is significantly better than the column’s."
    return tables.square(f"Who is better, by {tests.metric}", order, cells, told, steps, context, looks.name)


def _p_cell(p: float, diagonal: bool, better: bool, worse: bool, steps: tuple[float, ...]) -> Html:
    if diagonal:
        return element("td", class_="self")
    if worse:  # what is to be said stands in the mirrored cell
        return element("td")
    return tables.p_cell(p, max(1, shade(p, steps)) if better else 0, numbers.p_value(p), numbers.p_told(p))


# -- segments won and lost -----------------------------------------------------------------------------------


def _duels(comparison: Comparison, ranked: list[str], looks: Looks, context: Context) -> Html:
    """For each system and metric: segments won against the baseline, ties, segments lost, and resamples won."""
    header = []
    for m in comparison.metrics:
        header += [(m.metric, "won / tied / lost"), (m.metric, "ahead in resamples")]
    rows = []
    for system in ranked:
        if system == comparison.baseline:
            continue
        cells: list[tuple[str, float | None]] = []
        for m in comparison.metrics:
            other = comparison.difference(m.metric, system)
            cells.append((f"{other.wins} / {other.ties} / {other.losses}", float(other.wins - other.losses)))
            cells.append((_percent(other.win_share), other.win_share))
        rows.append((looks.name(system), cells))
    caption = f"Segments won, tied and lost against {looks.short[comparison.baseline]}"
    return linked_table(caption, header, rows, [], context)


# -- clusters and earlier runs -------------------------------------------------------------------------------


def _clusters(comparison: Comparison, looks: Looks) -> Html:
    lists = []
    for m in comparison.metrics:
        items = (
            element("li", Html(" ").join(looks.name(system) for system in cluster))
            for cluster in comparison.clusters(m.metric)
        )
        lists.append(element("div", element("h3", name(m.metric)), element("ol", *items)))
    caption = element("figcaption", "Clusters: each system is significantly better than all in later ones")
    return element("figure", caption, element("div", *lists, class_="columns"), class_="clusters wide")


def _tracks(comparison: Comparison, looks: Looks) -> Html:
    items = []
    for i, track in enumerate(comparison.tracks):
        parts = Html(", ").join(
            element("a", f"{len(rows)} {kind}", href=link(f"t{i}.{kind}", track.system, track.earlier))
            if rows
            else f"none {kind}"
            for kind, rows in (("changed", track.changed), ("better", track.better), ("worse", track.worse))
        )
        items.append(element("li", looks.name(track.system), " beside ", looks.name(track.earlier), ": ", parts))
    told = "Segments with another output, and those whose score by the first metric rose or fell."
    return element(
        "figure",
        element("figcaption", "Since the earlier run"),
        element("ul", *items, class_="plain"),
        element("p", told, class_="told"),
        class_="wide",
    )
