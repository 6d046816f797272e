"""Where the systems of a comparison differ: findings, parts of the test set, faults, n-grams and words.

What speaks of segments links to them in the browser of segments.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence

import numpy as np

from tercet import numbers
from tercet.data import Bucket, Bucketing, Check, ComparedMetric, Comparison, Finding
from tercet.data.meta import TopCurve
from tercet.numbers import ALPHA, counted
from tercet.plots.layout import ticks
from tercet.report.html.compare_answer import by_rank
from tercet.report.html.compare_data import link, part_link, segment_link
from tercet.report.html.compare_tables import linked_table
from tercet.report.html.context import Context
from tercet.report.html.curves import draw_lines
from tercet.report.html.markup import Html, element, joined, name, prose
from tercet.report.html.systems import Looks
from tercet.report.html.text import clipped

FIRST = 12  # findings before one asks for more
PARTS = 12  # of the test set in a plot
ROOM = 46  # characters below the axis of a plot
LISTED = 25  # n-grams or words of a kind
EXAMPLES = 2  # of a part
EXAMPLE = 300  # characters of one
COLOURED = 6  # systems whose lines can be told apart at a glance


def where(comparison: Comparison, looks: Looks, context: Context) -> Html:
    """All blocks of the section."""
    cuts = [
        _bucketing(comparison, bucketing, looks, context) for bucketing in comparison.bucketings if bucketing.buckets
    ]
    return joined(_findings(comparison, looks), _spread(comparison, looks, context), *cuts)


def outputs(comparison: Comparison, looks: Looks, context: Context) -> Html:
    """All blocks of the section on what the outputs are like: faults, length, n-grams, words."""
    return joined(
        _checks(comparison, looks, context) if comparison.checks else "",
        _lengths(comparison, looks, context) if comparison.lengths else "",
        *(_differences(comparison, system, looks, context) for system in by_rank(comparison)),
    )


# -- findings ------------------------------------------------------------------------------------------------


def _findings(comparison: Comparison, looks: Looks) -> Html:
    """The findings of each system, those of the system to look at open."""
    lists = {system: _of_system(comparison, system, looks) for system in _focus_first(comparison)}
    known = {system: items for system, items in lists.items() if items}
    if not known:
        return element("p", "Nothing stands out.", class_="told wide")
    first, *others = known
    body = [_folded(known[first])] if not others else [_named_findings(looks.name(first), known[first], True)]
    body += [_named_findings(looks.name(system), known[system], False) for system in others]
    caption = element("figcaption", "Findings, the surest first")
    return element("figure", caption, *body, class_="findings wide")


def _focus_first(comparison: Comparison) -> list[str]:
    chosen = comparison.focus
    return [chosen, *(system for system in by_rank(comparison) if system != chosen)]


def _named_findings(system: Html, items: Sequence[Html], is_open: bool) -> Html:
    n = element("small", counted(len(items), "finding"))
    return element("details", element("summary", system, " ", n), _folded(items), open=is_open)


def _of_system(comparison: Comparison, system: str, looks: Looks) -> list[Html]:
    return [_finding(finding, i, looks) for i, finding in enumerate(comparison.findings) if finding.system == system]


def _folded(items: Sequence[Html]) -> Html:
    """The first findings of a list, and the others for who asks for more."""
    shown, rest = element("ol", *items[:FIRST]), items[FIRST:]
    if not rest:
        return shown
    return shown + element("details", element("summary", counted(len(rest), "further finding")), element("ol", *rest))


def _finding(finding: Finding, place: int, looks: Looks) -> Html:
    sign, told = {True: ("▲", "better"), False: ("▼", "worse"), None: ("•", "")}[finding.good]
    href = link(f"f{place}", finding.system, finding.baseline)
    return element(
        "li",
        element("span", sign, class_="sign", aria_hidden="true"),
        " ",
        element("span", f"{told}: ", class_="heard") if told else "",
        _sentence(finding.sentence, looks),
        joined(" ", element("a", _extent(finding, looks), href=href)) if finding.rows else "",
        class_={True: "up", False: "down", None: "same"}[finding.good],
    )


def _extent(finding: Finding, looks: Looks) -> Html:
    """How many segments a link leads to, and of how many where these are not all.

    Faults are counted one by one, over all outputs; a link leads to the segments in which there are more of them than
    in the baseline's output, or fewer.
    """
    shown, whole = len(finding.rows), finding.n_rows
    told = counted(shown, "segment") if whole is None or whole <= shown else f"first {shown} of {whole} segments"
    if "segments_more" not in finding.numbers:
        return prose(told)
    return joined(f"{told} with {'fewer' if finding.good else 'more'} than ", name(looks.short[finding.baseline]))


def _sentence(text: str, looks: Looks) -> Html:
    """What stands in quotation marks is text of any direction, and must not turn what stands around it.

    >>> _sentence("It says “a<b”.", Looks.of(["a", "b"]))
    Html('It says “<bdi>a&lt;b</bdi>”.')
    """
    parts = re.split("(?<=“)([^”]*)(?=”)", text)
    return joined(*(element("bdi", prose(p)) if i % 2 else looks.sentence(p) for i, p in enumerate(parts)))


# -- parts of the test set -----------------------------------------------------------------------------------


def _spread(comparison: Comparison, looks: Looks, context: Context) -> Html:
    """How the segment scores of each metric spread: the first is seen, the others are behind it."""
    plots = [_spread_plot(comparison, m, looks, context) for m in comparison.metrics]
    more = ", ".join(m.metric for m in comparison.metrics[1:])
    return element("div", element("h3", "Scores of segments"), _first_shown(plots, more), class_="part")


def _first_shown(plots: Sequence[Html], more: str) -> Html:
    first, *others = plots
    if not others:
        return first
    return first + element("details", element("summary", "By ", prose(more)), element("div", *others, class_="blocks"))


def _spread_plot(comparison: Comparison, metric: ComparedMetric, looks: Looks, context: Context) -> Html:
    spread = comparison.distribution(metric.metric)
    bins, systems = tuple(range(len(spread.edges) - 1)), list(comparison.systems)
    edges = [numbers.typeset(numbers.score(edge, metric.digits)) for edge in spread.edges.tolist()]
    labels = [f"{low} to {high}" for low, high in itertools.pairwise(edges)]
    labels[0], labels[-1] = f"up to {edges[1]}", f"from {edges[-2]}"

    def shares(system: str) -> tuple[float, ...]:
        return tuple(round(100 * share, 1) for share in spread.shares[systems.index(system)].tolist())

    curves = [TopCurve("", metric.metric, system, bins, shares(system)) for system in by_rank(comparison)]
    ends = float(spread.edges[0]), float(spread.edges[-1])
    across = [((at - ends[0]) / (ends[1] - ends[0]) * len(bins) - 0.5, shown) for at, shown in ticks(ends)]
    label = f"Line plot: share of segments by their {metric.metric}, {counted(len(curves), 'system')}"
    axis = ((across, f"{metric.metric} of a segment"), "% of segments", label)
    return _lines(comparison, curves, f"By {metric.metric}", axis, labels, looks, context)


def _lines(
    comparison: Comparison,
    curves: Sequence[TopCurve],
    caption: str,
    axis: tuple[tuple[Sequence[tuple[float, str]], str], str, str],
    labels: Sequence[str],
    looks: Looks,
    context: Context,
) -> Html:
    """Lines that are systems, each in its colour; of many, the baseline and the system to look at."""
    few = len(curves) <= COLOURED
    chosen = {c.metric for c in curves if few or c.metric in (comparison.baseline, comparison.focus)}
    return draw_lines(curves, chosen, context, caption, axis, labels, "Systems in colour", looks)


def _bucketing(comparison: Comparison, cut: Bucketing, looks: Looks, context: Context) -> Html:
    """A plot by the first measure, the others behind it, all figures, and examples."""
    plots = Html()
    if 1 < len(cut.buckets) <= PARTS:
        drawn = [_plot(comparison, cut, m, looks, context) for m in range(len(cut.measures))]
        plots = _first_shown(drawn, ", ".join(cut.measures[1:]))
    figures = [_figures(comparison, cut, m, looks, context) for m in range(len(cut.measures))]
    folded = element("details", element("summary", "Figures"), *figures)
    heading = element("h3", prose(_capital(cut.title)))
    return element("div", heading, plots, folded, _examples(comparison, cut, looks), class_="part")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _plot(comparison: Comparison, cut: Bucketing, measure: int, looks: Looks, context: Context) -> Html:
    systems = list(comparison.systems)
    digits = _digits(comparison, cut, measure)
    places = tuple(range(len(cut.buckets)))

    def values(system: str) -> tuple[float, ...]:
        return tuple(round(float(b.scores[measure, systems.index(system)]), digits) for b in cut.buckets)

    title = cut.measures[measure]
    curves = [TopCurve("", title, system, places, values(system)) for system in by_rank(comparison)]
    label = f"Line plot: {title} of {counted(len(curves), 'system')}, {cut.title}"
    labels = [f"{b.label} ({b.n} {cut.unit}s)" for b in cut.buckets]
    axis = ((_ticks([b.label for b in cut.buckets]), cut.title), title, label)
    return _lines(comparison, curves, f"By {title}", axis, labels, looks, context)


def _examples(comparison: Comparison, cut: Bucketing, looks: Looks) -> Html:
    """Of each part, the segments in which the baseline and the system to look at differ most."""
    if cut.unit != "segment" or len(cut.buckets) > PARTS:
        return Html()
    parts = [
        element(
            "li",
            element("p", element("a", prose(bucket.label), href=part_link(comparison, cut, place))),
            *(_example(comparison, row, looks) for row in comparison.examples(cut, place, EXAMPLES)),
        )
        for place, bucket in enumerate(cut.buckets)
        if bucket.n
    ]
    return element("details", element("summary", "Examples"), element("ol", *parts, class_="examples"))


def _example(comparison: Comparison, row: int, looks: Looks) -> Html:
    testset, metric = comparison.testset, comparison.metrics[0]
    pair = (comparison.baseline, comparison.focus)
    scores = comparison.segment_scores[0, :, row]
    shown = [
        (looks.name(system), testset.systems[system][row], numbers.score(float(scores[i]), metric.digits))
        for system in pair
        for i in (comparison.systems.index(system),)
    ]
    lines: list[tuple[str, str, str]] = list(shown)
    if testset.references is not None and testset.references[row]:
        lines.insert(0, ("reference", testset.references[row][0], ""))
    return element(
        "dl",
        *(
            element("dt", label, element("small", numbers.typeset(f" {figure}")) if figure else "")
            + element("dd", clipped(text, EXAMPLE), dir="auto")
            for label, text, figure in lines
        ),
        element("dd", element("a", "Segment ", name(testset.segments[row]), href=segment_link(comparison, row))),
    )


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
    digits = {m.metric: m.digits for m in comparison.metrics}
    return digits.get(cut.measures[measure], 3 if _largest(cut, measure) <= 1 else 1)


def _largest(cut: Bucketing, measure: int) -> float:
    return float(np.nanmax([np.nan_to_num(b.scores[measure]) for b in cut.buckets]))


def _figures(comparison: Comparison, cut: Bucketing, measure: int, looks: Looks, context: Context) -> Html:
    digits = _digits(comparison, cut, measure)
    systems = list(comparison.systems)
    ranked = by_rank(comparison)

    def cells(part: Bucket) -> list[tuple[str, float | None]]:
        sure = part.signs()[measure]
        row: list[tuple[str, float | None]] = [(str(part.n), float(part.n))]
        for system in ranked:
            i = systems.index(system)
            value = float(part.scores[measure, i])
            sign = {1: "▲", -1: "▼", 0: ""}[int(sure[i])]
            text = numbers.typeset(numbers.score(value, digits))
            shown = joined(text, element("span", sign, class_="mark")) if sign else text
            row.append((shown, None if math.isnan(value) else value))
        return row

    rows = [(name(part.label), cells(part)) for part in cut.buckets]
    header: list[tuple[str | Html, str]] = [(f"{cut.unit}s", ""), *((looks.name(system), "") for system in ranked)]
    note = (
        f"▲ above and ▼ below {looks.short[comparison.baseline]}: the interval, corrected for the parts, leaves out 0."
    )
    return linked_table(f"{cut.title}, {cut.measures[measure]}", header, rows, [note], context, cut.name or cut.kind)


# -- faults and length ---------------------------------------------------------------------------------------


def _checks(comparison: Comparison, looks: Looks, context: Context) -> Html:
    """Faults down, systems across; each figure leads to its segments."""
    ranked = by_rank(comparison)
    places = [comparison.systems.index(system) for system in ranked]
    rows = [
        (_fault(check), [_faults(comparison, check, i, place) for place in places])
        for i, check in enumerate(comparison.checks)
    ]
    level = numbers.level(ALPHA)
    notes = [
        f"* More or fewer than {looks.short[comparison.baseline]}: p < {level}, sign test over segments, "
        "corrected (Holm)."
    ]
    header = [(looks.name(system), "baseline" if system == comparison.baseline else "") for system in ranked]
    return linked_table("Faults that need no metric to be seen", header, rows, notes, context, "fault")


def _fault(check: Check) -> Html:
    fewest, most = min(check.most()), max(check.most())
    among = counted(most, check.unit) if fewest == most else f"{fewest} to {counted(most, check.unit)}"
    return element("span", name(check.title), element("small", f"of {among}"))


def _faults(comparison: Comparison, check: Check, place: int, system: int) -> tuple[str, float | None]:
    n = int(check.counts[system].sum())
    star = "*" if check.p[system] < ALPHA else ""
    if not n:
        return f"0{star}", 0.0
    href = link(f"c{place}.{system}", comparison.systems[system], comparison.baseline)
    return joined(element("a", n, href=href), star), float(n)


def _lengths(comparison: Comparison, looks: Looks, context: Context) -> Html:
    lengths = {length.system: length for length in comparison.lengths}
    rows = [
        (
            looks.name(system),
            [
                (str(lengths[system].words), float(lengths[system].words)),
                (numbers.score(lengths[system].ratio, 3), lengths[system].ratio),
            ],
        )
        for system in by_rank(comparison)
        if system in lengths
    ]
    caption = f"Length, by {comparison.lengths[0].reference} words of the reference"
    return linked_table(caption, [("words", ""), ("ratio", "")], rows, [], context)


# -- n-grams and words ---------------------------------------------------------------------------------------


def _differences(comparison: Comparison, system: str, looks: Looks, context: Context) -> Html:
    """The n-grams and words of one system beside the baseline, behind its name; the system to look at is open."""
    parts = [_ngrams(comparison, system, kind, looks, context) for kind in ("matched", "spurious")]
    parts.append(_words(comparison, system, looks, context))
    if not any(parts):
        return Html()
    title = element("summary", "n-grams and words of ", looks.name(system))
    return element("details", title, element("div", *parts), class_="grams-of", open=system == comparison.focus)


def _ngrams(comparison: Comparison, system: str, kind: str, looks: Looks, context: Context) -> Html:
    ngrams = [(i, n) for i, n in enumerate(comparison.ngrams) if n.system == system and n.kind == kind]
    if not ngrams:
        return Html()
    titles = {
        "matched": "n-grams of the reference that one gets and the other misses",
        "spurious": "n-grams that no reference has so often",
    }
    baseline = ngrams[0][1].baseline
    rows = [
        (
            element("a", clipped(n.ngram), href=link(f"n{i}", system, baseline), dir="auto"),
            [
                (str(n.system_count), float(n.system_count)),
                (str(n.baseline_count), float(n.baseline_count)),
                (str(n.reference_count), float(n.reference_count)),
                (f"{n.segments_for}:{n.segments_against}", float(n.segments_for - n.segments_against)),
                (numbers.p_value(n.p_value), n.p_value),
            ],
        )
        for i, n in ngrams[:LISTED]
    ]
    columns: list[tuple[str | Html, str]] = [(looks.name(system), ""), (looks.name(baseline), "")]
    header = [*columns, ("references", ""), ("segments", "for : against"), ("p", "")]
    notes = [f"The first {LISTED} of {len(ngrams)}."] if len(ngrams) > LISTED else []
    return linked_table(titles[kind], header, rows, notes, context, "n-gram")


def _words(comparison: Comparison, system: str, looks: Looks, context: Context) -> Html:
    words = [(i, w) for i, w in enumerate(comparison.words) if w.system == system]
    if not words:
        return Html()
    baseline = comparison.baseline
    rows = [
        (
            element("a", clipped(w.word), href=link(f"w{i}", system, baseline), dir="auto"),
            [
                ("more" if w.kind == "over" else "less", w.log_odds),
                (str(w.system_count), float(w.system_count)),
                (str(w.reference_count), float(w.reference_count)),
                (str(w.baseline_count), float(w.baseline_count)),
                (numbers.p_value(w.p_value), w.p_value),
            ],
        )
        for i, w in words[: 2 * LISTED]
    ]
    header: list[tuple[str | Html, str]] = [("than the reference", ""), (looks.name(system), ""), ("reference", "")]
    header += [(looks.name(baseline), ""), ("p", "against the reference")]
    notes = [f"The first {2 * LISTED} of {len(words)}."] if len(words) > 2 * LISTED else []
    return linked_table("Words said more or less often than in the reference", header, rows, notes, context, "word")
