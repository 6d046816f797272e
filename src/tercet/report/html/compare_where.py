"""Where the systems of a comparison differ: findings, parts of the test set, faults, n-grams and words.

What speaks of segments links to them in the browser of segments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from tercet.data import Bucketing, Check, Comparison, Finding
from tercet.data.comparison import ALPHA
from tercet.data.meta import TopCurve
from tercet.report.html import tables
from tercet.report.html.blocks import Cell, TableBlock
from tercet.report.html.compare_answer import by_rank, number, p_text
from tercet.report.html.compare_data import focus, is_significant, link
from tercet.report.html.compare_tables import linked_table
from tercet.report.html.context import Context
from tercet.report.html.curves import draw_lines
from tercet.report.html.text import attributes, clipped, counted, escape, name, prose

FIRST = 12  # findings before one asks for more
PARTS = 12  # of the test set in a plot
ROOM = 46  # characters below the axis of a plot
LISTED = 25  # n-grams or words of a kind


def where(comparison: Comparison, context: Context) -> str:
    """All blocks of the section."""
    parts = "".join(_bucketing(comparison, each, context) for each in comparison.bucketings)
    return _findings(comparison) + parts


def outputs(comparison: Comparison, context: Context) -> str:
    """All blocks of the section on what the outputs are like: faults, length, n-grams, words."""
    return "".join(
        [
            _checks(comparison, context),
            _lengths(comparison, context),
            *(_differences(comparison, system, context) for system in by_rank(comparison)),
        ]
    )


# -- findings ------------------------------------------------------------------------------------------------


def _findings(comparison: Comparison) -> str:
    """The findings of each system, those of the system to look at open."""
    own = {system: _found(comparison, system) for system in _focus_first(comparison)}
    known = {system: items for system, items in own.items() if items}
    if not known:
        return '<p class="told wide">Nothing stands out.</p>'
    first, *others = known
    body = known[first] if not others else _named_findings(first, known[first], True)
    body += "".join(_named_findings(system, known[system], False) for system in others)
    return f'<figure class="findings wide"><figcaption>Findings, the surest first</figcaption>{body}</figure>'


def _focus_first(comparison: Comparison) -> list[str]:
    chosen = focus(comparison)
    return [chosen, *(system for system in by_rank(comparison) if system != chosen)]


def _named_findings(system: str, items: str, is_open: bool) -> str:
    n = counted(items.count("<li "), "finding")
    return f"<details{' open' if is_open else ''}><summary>{name(system)} <small>{n}</small></summary>{items}</details>"


def _found(comparison: Comparison, system: str) -> str:
    """The findings of one system as a list, or nothing."""
    items = [_finding(each, i) for i, each in enumerate(comparison.findings) if each.system == system]
    rest = items[FIRST:]
    more = f"<details><summary>{counted(len(rest), 'further finding')}</summary><ol>{''.join(rest)}</ol></details>"
    return f"<ol>{''.join(items[:FIRST])}</ol>{more if rest else ''}" if items else ""


def _finding(found: Finding, place: int) -> str:
    sign, told = {True: ("▲", "better"), False: ("▼", "worse"), None: ("•", "")}[found.good]
    href = link(f"f{place}", found.system, found.baseline)
    shown = f" <a{attributes(href=href)}>{_extent(found)}</a>" if found.rows else ""
    heard = f'<span class="heard">{told}: </span>' if told else ""
    kind = {True: "up", False: "down", None: "same"}[found.good]
    return (
        f'<li class="{kind}"><span class="sign" aria-hidden="true">{sign}</span> {heard}{_sentence(found.sentence)}'
        f"{shown}</li>"
    )


def _extent(found: Finding) -> str:
    """How many segments a link leads to, and of how many where these are not all."""
    shown, whole = len(found.rows), found.n_rows
    return counted(shown, "segment") if whole is None or whole <= shown else f"first {shown} of {whole:,} segments"


def _sentence(text: str) -> str:
    """What stands in quotation marks is text of any direction, and must not turn what stands around it.

    >>> _sentence("It says “a<b”.")
    'It says “<bdi>a&lt;b</bdi>”.'
    """
    return re.sub("“([^”]*)”", r"“<bdi>\1</bdi>”", prose(text))


# -- parts of the test set -----------------------------------------------------------------------------------


def _bucketing(comparison: Comparison, cut: Bucketing, context: Context) -> str:
    """A plot by the first measure, the others behind it, and all figures."""
    if not cut.buckets:
        return ""
    plots = ""
    if 1 < len(cut.buckets) <= PARTS:
        first, *others = (_plot(comparison, cut, m, context) for m in range(len(cut.measures)))
        told = ", ".join(cut.measures[1:])
        folded = f'<details><summary>By {prose(told)}</summary><div class="blocks">{"".join(others)}</div></details>'
        plots = first + (folded if others else "")
    figures = "".join(_figures(comparison, cut, m, context) for m in range(len(cut.measures)))
    return (
        f'<div class="part"><h3>{prose(_capital(cut.title))}</h3>{plots}'
        f"<details><summary>Figures</summary>{figures}</details></div>"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _plot(comparison: Comparison, cut: Bucketing, measure: int, context: Context) -> str:
    ranked = by_rank(comparison)
    systems = list(comparison.systems)
    digits = _digits(comparison, cut, measure)
    places = tuple(range(len(cut.buckets)))

    def values(system: str) -> tuple[float, ...]:
        return tuple(round(float(b.scores[measure, systems.index(system)]), digits) for b in cut.buckets)

    title = cut.measures[measure]
    curves = [TopCurve("", title, system, places, values(system)) for system in ranked]
    chosen = {ranked.index(comparison.baseline), ranked.index(focus(comparison))}
    label = f"Line plot: {title} of {counted(len(ranked), 'system')}, {cut.title}"
    labels = [f"{b.label} ({b.n} {cut.unit}s)" for b in cut.buckets]
    axis = ((_ticks([b.label for b in cut.buckets]), cut.title), title, label)
    return draw_lines(curves, chosen, context, f"By {title}", axis, labels, "Systems in colour")


def _ticks(labels: Sequence[str]) -> list[tuple[float, str]]:
    """Labels below an axis: short ones, and every second or third where all do not fit.

    >>> _ticks(["hardest fifth", "easiest fifth"]), _ticks(["up to 10", "over 10"])
    ([(0.0, 'hardest'), (1.0, 'easiest')], [(0.0, '≤10'), (1.0, '>10')])
    """
    short = [label.replace("up to ", "≤").replace("over ", ">") for label in labels]
    lasts = {label.rpartition(" ")[1:] for label in short}
    if len(lasts) == 1 and all(" " in label for label in short):
        short = [label.rpartition(" ")[0] for label in short]
    room = ROOM / len(short)
    every = min(3, max(1, math.ceil(min(max(map(len, short)), 2 * room) / room)))
    return [(float(i), clipped(short[i], max(4, int(every * room)))) for i in range(0, len(short), every)]


def _digits(comparison: Comparison, cut: Bucketing, measure: int) -> int:
    """As many as the metric's scores have; parts by words are measured by shares."""
    found = {m.metric: m.digits for m in comparison.metrics}
    return found.get(cut.measures[measure], 3 if _largest(cut, measure) <= 1 else 1)


def _largest(cut: Bucketing, measure: int) -> float:
    return float(np.nanmax([np.nan_to_num(b.scores[measure]) for b in cut.buckets]))


def _figures(comparison: Comparison, cut: Bucketing, measure: int, context: Context) -> str:
    digits = _digits(comparison, cut, measure)
    systems = list(comparison.systems)
    ranked = by_rank(comparison)

    def cells(place: int) -> tuple[Cell, ...]:
        part = cut.buckets[place]
        sure = is_significant(part.low[measure], part.high[measure])
        own = [Cell(part.label, float(place)), Cell(str(part.n), float(part.n))]
        for system in ranked:
            i = systems.index(system)
            value = float(part.scores[measure, i])
            text = number(value, digits)
            sign = {1: "▲", -1: "▼", 0: ""}[int(sure[i])]
            own.append(Cell(text, None if math.isnan(value) else value, mark=sign))
        return tuple(own)

    rows = tuple(cells(place) for place in range(len(cut.buckets)))
    header = (cut.name or cut.kind, f"{cut.unit}s", *ranked)
    note = f"▲ above and ▼ below {comparison.baseline}: the 95 % interval of the difference leaves out 0."
    return tables.table(TableBlock(f"{cut.title}, {cut.measures[measure]}", header, rows, notes=(note,)), context, ())


# -- faults and length ---------------------------------------------------------------------------------------


def _checks(comparison: Comparison, context: Context) -> str:
    """Faults down, systems across; each figure leads to its segments."""
    if not comparison.checks:
        return ""
    ranked = by_rank(comparison)
    places = [comparison.systems.index(system) for system in ranked]
    rows = [
        (_fault(check), [_faults(comparison, check, i, place) for place in places])
        for i, check in enumerate(comparison.checks)
    ]
    notes = [f"* More or fewer than {comparison.baseline}: p < {ALPHA:g}, sign test over segments, corrected (Holm)."]
    header = [(system, "baseline" if system == comparison.baseline else "") for system in ranked]
    return linked_table("Faults that need no metric to be seen", header, rows, notes, context, "fault")


def _fault(check: Check) -> str:
    fewest, most = min(check.most()), max(check.most())
    among = counted(most, check.unit) if fewest == most else f"{fewest} to {counted(most, check.unit)}"
    return f"<span>{name(check.title)}<small>of {among}</small></span>"


def _faults(comparison: Comparison, check: Check, place: int, system: int) -> tuple[str, float | None]:
    n = int(check.counts[system].sum())
    star = "*" if check.p[system] < ALPHA else ""
    if not n:
        return f"0{star}", 0.0
    href = link(f"c{place}.{system}", comparison.systems[system], comparison.baseline)
    return f"<a{attributes(href=href)}>{n}</a>{star}", float(n)


def _lengths(comparison: Comparison, context: Context) -> str:
    if not comparison.lengths:
        return ""
    found = {each.system: each for each in comparison.lengths}
    rows = tuple(
        (
            Cell(system, system),
            Cell(str(found[system].words), float(found[system].words)),
            Cell(number(found[system].ratio, 3), found[system].ratio),
        )
        for system in by_rank(comparison)
        if system in found
    )
    words = comparison.lengths[0].reference
    return tables.table(
        TableBlock(f"Length, by {words} words of the reference", ("system", "words", "ratio"), rows), context, ()
    )


# -- n-grams and words ---------------------------------------------------------------------------------------


def _differences(comparison: Comparison, system: str, context: Context) -> str:
    """The n-grams and words of one system beside the baseline, behind its name; the system to look at is open."""
    tables_ = [_ngrams(comparison, system, kind, context) for kind in ("matched", "spurious")]
    tables_.append(_words(comparison, system, context))
    if not any(tables_):
        return ""
    return (
        f'<details class="grams-of"{" open" if system == focus(comparison) else ""}>'
        f"<summary>n-grams and words of {name(system)}</summary><div>{''.join(tables_)}</div></details>"
    )


def _ngrams(comparison: Comparison, system: str, kind: str, context: Context) -> str:
    found = [(i, n) for i, n in enumerate(comparison.ngrams) if n.system == system and n.kind == kind]
    if not found:
        return ""
    titles = {
        "matched": "n-grams of the reference that one gets and the other misses",
        "spurious": "n-grams that no reference has so often",
    }
    baseline = found[0][1].baseline
    rows = [
        (
            f'<a{attributes(href=link(f"n{i}", system, baseline))} dir="auto">{escape(clipped(n.ngram))}</a>',
            [
                (str(n.system_count), float(n.system_count)),
                (str(n.baseline_count), float(n.baseline_count)),
                (str(n.reference_count), float(n.reference_count)),
                (f"{n.segments_for}:{n.segments_against}", float(n.segments_for - n.segments_against)),
                (_p(n.p_value), n.p_value),
            ],
        )
        for i, n in found[:LISTED]
    ]
    header = [(system, ""), (baseline, ""), ("references", ""), ("segments", "for : against"), ("p", "")]
    notes = [f"The first {LISTED} of {len(found)}."] if len(found) > LISTED else []
    return linked_table(titles[kind], header, rows, notes, context, "n-gram")


def _words(comparison: Comparison, system: str, context: Context) -> str:
    found = [(i, w) for i, w in enumerate(comparison.words) if w.system == system]
    if not found:
        return ""
    baseline = comparison.baseline
    rows = [
        (
            f'<a{attributes(href=link(f"w{i}", system, baseline))} dir="auto">{escape(clipped(w.word))}</a>',
            [
                ("more" if w.kind == "over" else "less", w.log_odds),
                (str(w.system_count), float(w.system_count)),
                (str(w.reference_count), float(w.reference_count)),
                (str(w.baseline_count), float(w.baseline_count)),
                (_p(w.p_value), w.p_value),
            ],
        )
        for i, w in found[: 2 * LISTED]
    ]
    header = [("than the reference", ""), (system, ""), ("reference", ""), (baseline, ""), ("p", "")]
    notes = [f"The first {2 * LISTED} of {len(found)}."] if len(found) > 2 * LISTED else []
    return linked_table("Words said more or less often than in the reference", header, rows, notes, context, "word")


def _p(p: float) -> str:
    return escape(p_text(p).removeprefix("p ").removeprefix("= ").replace("is not defined", "n/a"))
