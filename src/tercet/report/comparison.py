"""What `tercet compare` prints: the answer, the table, what stands out; and all in Markdown for a merge request."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tercet.data import Bucketing, ComparedMetric, Comparison, Score, Scores
from tercet.report.scores import scores_table
from tercet.report.tables import Table, render

FINDINGS = 10
SHOWN = 10  # n-grams or words of a table
MOST_BUCKETS = 12
MOST_SYSTEMS = 6  # side by side


def comparison_scores(found: Comparison) -> Scores:
    """The scores as `score` returns them with intervals and a paired test."""
    records = []
    signatures = {m.metric: m.signature for m in found.metrics}
    for own in sorted(found.scores, key=lambda s: found.systems.index(s.system)):
        p = None if own.system == found.baseline else found.difference(own.metric, own.system).p_value
        sign = signatures[own.metric]
        records.append(Score(own.system, own.metric, "corpus", None, own.score, own.low, own.high, p, sign))
    # the baseline first, so that the note below the table names it
    records.sort(key=lambda r: r.system != found.baseline)
    return Scores(tuple(records), found.signature, {m.metric: (m.higher_is_better, m.digits) for m in found.metrics})


def difference_table(found: Comparison) -> Table:
    """Every system against the baseline: difference with interval, and segments won, tied and lost."""
    header = ("system", *(f"{m.metric} {'↑' if m.higher_is_better else '↓'}" for m in found.metrics))
    rows = [(name, *(_difference(found, m, name) for m in found.metrics)) for name in found.others]
    notes = (
        f"Differences from {found.baseline} with 95 % intervals; segments that score better / the same / worse.",
        found.assumptions,
    )
    return Table(header, tuple(rows), notes)


def _difference(found: Comparison, metric: ComparedMetric, system: str) -> str:
    d, digits = found.difference(metric.metric, system), metric.digits
    bounds = f"[{_signed(d.low, digits)}, {_signed(d.high, digits)}]"
    return f"{_signed(d.difference, digits)} {bounds} {d.wins}/{d.ties}/{d.losses}"


def _signed(value: float, digits: int) -> str:
    """A difference with its sign.

    >>> _signed(-0.004, 2), _signed(1.5, 1), _signed(float("nan"), 2)
    ('0.00', '+1.5', 'n/a')
    """
    if math.isnan(value):
        return "n/a"
    rounded = round(value, digits) + 0.0
    return f"{rounded:+.{digits}f}" if rounded else f"{0:.{digits}f}"


def cluster_lines(found: Comparison) -> list[str]:
    """Systems that are not told apart, by metric, the best first."""
    return [f"{m.metric}: {' > '.join(', '.join(own) for own in found.clusters(m.metric))}" for m in found.metrics]


def finding_lines(found: Comparison, most: int = FINDINGS) -> list[str]:
    """The first findings, numbered by nothing but their order."""
    lines = [f.sentence for f in found.findings[:most]]
    rest = len(found.findings) - len(lines)
    return [*lines, *([f"{rest} more: see -f json, or the page of -o page.html."] if rest else [])]


def terminal(found: Comparison) -> list[str | Table]:
    """Paragraphs and tables in the order in which a person wants them."""
    parts: list[str | Table] = ["\n".join(found.answers), scores_table(comparison_scores(found))]
    parts.append(difference_table(found))
    if len(found.systems) > 2:
        parts.append("\n".join(["Clusters, the best first:", *(f"  {line}" for line in cluster_lines(found))]))
    if found.tracks:
        parts.append("\n".join(["Segments with the largest changes:", *(f"  {line}" for line in track_lines(found))]))
    if found.findings:
        parts.append("\n".join(["What stands out:", *(f"  {line}" for line in finding_lines(found))]))
    parts += ["\n".join(found.notes)] if found.notes else []
    return parts


def check_table(found: Comparison) -> Table:
    """Lengths and faults, a column a system."""
    ratios = {r.system: r.ratio for r in found.lengths}
    rows = [("Words for 100 of the reference", *(_number(100 * ratios[name], 1) for name in found.systems))]
    rows += [(check.title, *map(str, check.totals())) for check in found.checks]
    return Table(("", *found.systems), tuple(rows))


def bucket_table(found: Comparison, cut: Bucketing) -> Table:
    """Scores of the first measure in each part, and the difference of each system from the baseline."""
    base = found.systems.index(found.baseline)
    digits = next((m.digits for m in found.metrics if m.metric == cut.measures[0]), 2)
    shown = [i for i in range(len(found.systems)) if i != base][:MOST_SYSTEMS]
    header = (cut.title, cut.unit + "s", found.baseline, *(found.systems[i] for i in shown))
    largest = sorted(cut.buckets, key=lambda b: -b.n)[:MOST_BUCKETS]
    rows = [
        (
            bucket.label,
            str(bucket.n),
            _number(float(bucket.scores[0, base]), digits),
            *(
                f"{_number(float(bucket.scores[0, i]), digits)} ({_signed(float(bucket.difference[0, i]), digits)})"
                for i in shown
            ),
        )
        for bucket in cut.buckets
        if bucket in largest
    ]
    left = len(cut.buckets) - len(rows)
    notes = [f"{cut.measures[0]}; in brackets the difference from {found.baseline}."]
    notes += [f"The {len(rows)} largest of {len(cut.buckets)}."] if left else []
    return Table(header, tuple(rows), tuple(notes))


def _number(value: float, digits: int) -> str:
    return "n/a" if math.isnan(value) else f"{value:.{digits}f}"


def ngram_table(found: Comparison, system: str) -> Table | None:
    """The n-grams that a system gets and the baseline misses, then the other way round."""
    own = [n for n in found.ngrams if n.system == system and n.kind == "matched"]
    won = [n for n in own if n.segments_for > n.segments_against][:SHOWN]
    lost = [n for n in own if n.segments_for < n.segments_against][:SHOWN]
    rows = [
        (n.ngram, str(n.system_count), str(n.baseline_count), str(n.reference_count), f"{n.p_value:.4f}")
        for n in (*won, *lost)
    ]
    if not rows:
        return None
    rules = frozenset({len(won) - 1}) if won and lost else frozenset()
    return Table(("n-gram", system, found.baseline, "reference", "p"), tuple(rows), rules=rules)


def track_lines(found: Comparison, most: int = SHOWN) -> list[str]:
    """Which sentences got better or worse since the earlier run."""
    names = found.testset.segments
    lines = []
    for track in found.tracks:
        for word, rows in (("better", track.better), ("worse", track.worse)):
            more = f" and {len(rows) - most} more" if len(rows) > most else ""
            listed = ", ".join(names[i] for i in rows[:most])
            lines.append(f"{track.system}, {word}: {listed + more if rows else 'none'}.")
    return lines


def markdown(found: Comparison) -> str:
    """The comparison for a merge request: the answer, the tables, the details folded."""
    parts = ["\n\n".join(_escaped(found.answers)), _table(scores_table(comparison_scores(found)))]
    parts.append(_table(difference_table(found)))
    if len(found.systems) > 2:
        parts.append("**Clusters**, the best first\n\n" + _items(cluster_lines(found)))
    if found.tracks:
        parts.append("**Segments** with the largest changes\n\n" + _items(track_lines(found)))
    if found.findings:
        parts.append("**What stands out**\n\n" + _items(finding_lines(found)))
    parts.append(_folded("Lengths and faults", check_table(found)))
    parts += [_folded(cut.title, bucket_table(found, cut)) for cut in found.bucketings]
    for name in found.others[:MOST_SYSTEMS]:
        table = ngram_table(found, name)
        parts += [_folded(f"n-grams of {name}", table)] if table else []
    parts += [_items(found.notes)] if found.notes else []
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _items(lines: Sequence[str]) -> str:
    return "".join(f"- {line}\n" for line in _escaped(lines))


def _escaped(lines: Sequence[str]) -> list[str]:
    """Text of systems and outputs as text: no markup, no mentions of people."""
    out = []
    for line in lines:
        plain = (
            " ".join(line.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
        )
        out.append("".join(f"\\{c}" if c in "\\`*_[]#" else c for c in plain))
    return out


def _table(table: Table) -> str:
    rows = tuple(tuple(cell.strip() for cell in _escaped(row)) for row in table.rows)
    safe = Table(tuple(_escaped(table.header)), rows, tuple(_escaped(table.notes)), table.best, table.rules)
    return render(safe, "markdown")


def _folded(title: str, table: Table) -> str:
    (name,) = _escaped([title])
    return f"<details><summary>{name}</summary>\n\n{_table(table)}\n</details>"
