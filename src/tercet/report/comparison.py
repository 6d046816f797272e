"""What `tercet compare` prints: the answer, the table, what stands out; and all in Markdown for a merge request."""

from __future__ import annotations

from collections.abc import Sequence

from tercet import escaping, numbers
from tercet.data import Bucket, Bucketing, ComparedMetric, Comparison, Score, Scores
from tercet.data.table import Table
from tercet.report.scores import scores_table
from tercet.report.tables import render

FINDINGS = 10
_CLUSTERS = "the best first; all before > are significantly better than all after"
SHOWN = 10  # n-grams or words of a table
MOST_BUCKETS = 12
MOST_SYSTEMS = 6  # side by side


def comparison_scores(comparison: Comparison) -> Scores:
    """The scores as `score` returns them with intervals and a paired test."""
    records = []
    signatures = {m.metric: m.signature for m in comparison.metrics}
    for score in sorted(comparison.scores, key=lambda s: comparison.systems.index(s.system)):
        p = None if score.system == comparison.baseline else comparison.difference(score.metric, score.system).p_value
        sign = signatures[score.metric]
        records.append(Score(score.system, score.metric, "corpus", None, score.score, score.low, score.high, p, sign))
    # the baseline first, so that the note below the table names it
    records.sort(key=lambda r: r.system != comparison.baseline)
    return Scores(
        tuple(records), comparison.signature, {m.metric: (m.higher_is_better, m.digits) for m in comparison.metrics}
    )


def difference_table(comparison: Comparison) -> Table:
    """Every system against the baseline: difference with interval, and segments won, tied and lost."""
    header = ("system", *(f"{m.metric} {'↑' if m.higher_is_better else '↓'}" for m in comparison.metrics))
    rows = [(name, *(_difference(comparison, m, name) for m in comparison.metrics)) for name in _best_first(comparison)]
    notes = (
        f"Differences from {comparison.baseline} with 95 % intervals; segments that score better / the same / worse.",
        comparison.assumptions,
    )
    return Table(header, tuple(rows), notes)


def _best_first(comparison: Comparison) -> list[str]:
    """The systems but the baseline, the best by the first metric first."""
    clusters = comparison.clusters(comparison.metrics[0].metric)
    return [name for cluster in clusters for name in cluster if name in comparison.others]


def _difference(comparison: Comparison, metric: ComparedMetric, system: str) -> str:
    d, digits = comparison.difference(metric.metric, system), metric.digits
    bounds = numbers.interval(d.low, d.high, digits, signed=True)
    return f"{numbers.difference(d.difference, digits)} {bounds} {d.wins}/{d.ties}/{d.losses}"


def cluster_lines(comparison: Comparison) -> list[str]:
    """Clusters by metric, the best first: all before a `>` are significantly better than all after it."""
    return [
        f"{m.metric}: {' > '.join(', '.join(cluster) for cluster in comparison.clusters(m.metric))}"
        for m in comparison.metrics
    ]


def finding_lines(comparison: Comparison, most: int = FINDINGS) -> list[str]:
    """The first findings, numbered by nothing but their order."""
    lines = [f.sentence for f in comparison.findings[:most]]
    rest = len(comparison.findings) - len(lines)
    return [*lines, *([f"{rest} more: see -f json, or the page of -o page.html."] if rest else [])]


def terminal(comparison: Comparison) -> list[str | Table]:
    """Paragraphs and tables in the order in which a person wants them."""
    parts: list[str | Table] = ["\n".join(comparison.answers), scores_table(comparison_scores(comparison))]
    parts.append(difference_table(comparison))
    if len(comparison.systems) > 2:
        parts.append("\n".join([f"Clusters, {_CLUSTERS}:", *(f"  {line}" for line in cluster_lines(comparison))]))
    if comparison.tracks:
        parts.append(
            "\n".join(["Segments with the largest changes:", *(f"  {line}" for line in track_lines(comparison))])
        )
    if comparison.findings:
        parts.append("\n".join(["What stands out:", *(f"  {line}" for line in finding_lines(comparison))]))
    return [*parts, "\n".join([*comparison.notes, comparison.signature])]


def check_table(comparison: Comparison) -> Table:
    """Lengths and faults, a column a system."""
    ratios = {r.system: r.ratio for r in comparison.lengths}
    rows = [("Words for 100 of the reference", *(numbers.score(100 * ratios[name], 1) for name in comparison.systems))]
    rows += [(check.title, *map(str, check.totals())) for check in comparison.checks]
    return Table(("", *comparison.systems), tuple(rows))


def bucket_table(comparison: Comparison, cut: Bucketing) -> Table:
    """Scores of the first measure in each part, and the difference of each system from the baseline."""
    base = comparison.systems.index(comparison.baseline)
    digits = next((m.digits for m in comparison.metrics if m.metric == cut.measures[0]), 2)
    shown = [i for i in range(len(comparison.systems)) if i != base][:MOST_SYSTEMS]
    header = (cut.title, cut.unit + "s", comparison.baseline, *(comparison.systems[i] for i in shown))
    largest = sorted(cut.buckets, key=lambda b: -b.n)[:MOST_BUCKETS]

    def beside(bucket: Bucket, i: int) -> str:
        score, less = float(bucket.scores[0, i]), float(bucket.difference[0, i])
        return f"{numbers.score(score, digits)} ({numbers.difference(less, digits)})"

    rows = [
        (
            bucket.label,
            str(bucket.n),
            numbers.score(float(bucket.scores[0, base]), digits),
            *(beside(bucket, i) for i in shown),
        )
        for bucket in cut.buckets
        if bucket in largest
    ]
    left = len(cut.buckets) - len(rows)
    notes = [f"{cut.measures[0]}; in brackets the difference from {comparison.baseline}."]
    notes += [f"The {len(rows)} largest of {len(cut.buckets)}."] if left else []
    return Table(header, tuple(rows), tuple(notes))


def ngram_table(comparison: Comparison, system: str) -> Table | None:
    """The n-grams that a system gets and the baseline misses, then the other way round."""
    matched = [n for n in comparison.ngrams if n.system == system and n.kind == "matched"]
    won = [n for n in matched if n.segments_for > n.segments_against][:SHOWN]
    lost = [n for n in matched if n.segments_for < n.segments_against][:SHOWN]
    rows = [
        (n.ngram, str(n.system_count), str(n.baseline_count), str(n.reference_count), numbers.p_value(n.p_value))
        for n in (*won, *lost)
    ]
    if not rows:
        return None
    rules = frozenset({len(won) - 1}) if won and lost else frozenset()
    return Table(("n-gram", system, comparison.baseline, "reference", "p"), tuple(rows), rules=rules)


def track_lines(comparison: Comparison, most: int = SHOWN) -> list[str]:
    """Which sentences got better or worse since the earlier run."""
    names = comparison.testset.segments
    lines = []
    for track in comparison.tracks:
        for word, rows in (("better", track.better), ("worse", track.worse)):
            more = f" and {len(rows) - most} more" if len(rows) > most else ""
            listed = ", ".join(names[i] for i in rows[:most])
            lines.append(f"{track.system}, {word}: {listed + more if rows else 'none'}.")
    return lines


def markdown(comparison: Comparison) -> str:
    """The comparison for a merge request: the answer, the tables, the details folded."""
    parts = [
        "\n\n".join(map(escaping.markdown, comparison.answers)),
        render(scores_table(comparison_scores(comparison)), "markdown"),
    ]
    parts.append(render(difference_table(comparison), "markdown"))
    if len(comparison.systems) > 2:
        parts.append(f"**Clusters**, {_CLUSTERS}\n\n" + _items(cluster_lines(comparison)))
    if comparison.tracks:
        parts.append("**Segments** with the largest changes\n\n" + _items(track_lines(comparison)))
    if comparison.findings:
        parts.append("**What stands out**\n\n" + _items(finding_lines(comparison)))
    parts.append(_folded("Lengths and faults", check_table(comparison)))
    parts += [_folded(cut.title, bucket_table(comparison, cut)) for cut in comparison.bucketings]
    for name in comparison.others[:MOST_SYSTEMS]:
        table = ngram_table(comparison, name)
        parts += [_folded(f"n-grams of {name}", table)] if table else []
    parts.append(_items([*comparison.notes, comparison.signature]))
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _items(lines: Sequence[str]) -> str:
    return "".join(f"- {line}\n" for line in map(escaping.markdown, lines))


def _folded(title: str, table: Table) -> str:
    return f"<details><summary>{escaping.markdown(title)}</summary>\n\n{render(table, 'markdown')}\n</details>"
