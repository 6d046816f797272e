"""Assessments: direct assessment of WMT20 and WMT21, MQM of TED talks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import tercet
from replication.rankings import cluster_sizes, shape
from replication.rows import DATA, Row, read_lines
from tercet.data import Assessments
from tercet.human.assessments import better_worse, segment_means
from tercet.ranking.assessed import DirectAssessment, Mqm

WMT21 = ("ha-en", "is-en", "cs-en")
WMT20 = ("km-en", "cs-en", "ta-en")
ONE_MISSING = "the released file lacks one judgement, which had no z-score"
STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


def table(path: str) -> list[dict[str, str]]:
    """A table with blanks between its cells."""
    header, *rest = [line.split() for line in read_lines(DATA / path) if line.strip()]
    return [dict(zip(header, cells, strict=True)) for cells in rest]


def assessments(path: str) -> Assessments:
    """Assessments of a file."""
    found = tercet.read_judgements(DATA / path)
    assert isinstance(found, Assessments)  # noqa: S101
    return found


def wmt21() -> Iterator[Row]:
    """Mean z and raw scores, significance marks, wins, clusters."""
    for pair in WMT21:
        campaign = f"WMT21 {pair} DA"
        data = assessments(f"wmt21-da/da-judgements.{pair}.tsv.gz")
        ranking = tercet.rank(data, method="da(compat=true)")
        found = {r.system: r for r in ranking}
        for line in table(f"wmt21-da/official-sys-scores.{pair}.ssv"):
            ours = found[line["SYS"]]
            yield Row(campaign, f"{line['SYS']} z", float(line["Z.SCR"]), ours.score, 1e-12, digits=6)
            raw, why = ours.further["raw"], ONE_MISSING if line["SYS"] == "Online-A.5" and pair == "is-en" else ""
            yield Row(campaign, f"{line['SYS']} raw", float(line["RAW.SCR"]), raw, 1e-9, digits=4, stated=why)
            counts = f"{ours.further['segments']}/{ours.further['judgements']}"
            wanted = f"{line['N']}/{line['N.ALL']}"
            yield Row(campaign, f"{line['SYS']} segments/judgements", wanted, counts, stated=why)
        for line in table(f"wmt21-da/official-clusters.{pair}.ssv"):
            yield Row(campaign, f"{line['SYSTEM']} wins", line["WINS"], str(found[line["SYSTEM"]].further["wins"]))
        ends = [line["END_OF_CLUSTER"] == "True" for line in table(f"wmt21-da/official-clusters.{pair}.ssv")]
        sizes = np.diff(np.flatnonzero([True, *ends])).tolist()
        yield Row(campaign, "clusters", shape(sizes), shape(cluster_sizes(ranking)))
        yield from marks(pair, data, campaign)


def marks(pair: str, data: Assessments, campaign: str) -> Iterator[Row]:
    """Stars of every ordered pair of systems; only the better one of two has some."""
    da = DirectAssessment()
    stats = da.statistics(da.prepared(data))
    p = da.p_values(stats)
    header, *lines = [line.split() for line in read_lines(DATA / f"wmt21-da/official-wilcoxon-rs.{pair}.ssv")]
    place = {s: i for i, s in enumerate(stats.systems)}
    equal = 0
    for line in lines:
        for column, cell in zip(header, line[1:], strict=True):
            if cell != "-":
                stars = next((s for level, s in STARS if p[place[line[0]], place[column]] < level), "")
                equal += stars == "*" * cell.count("*")
    n = len(header)
    yield Row(campaign, "marks equal", float(n * (n - 1)), float(equal), digits=0)


def wmt20() -> Iterator[Row]:
    """System means from segment means, and the number of daRR pairs."""
    published = {"km-en": (3706, 3578), "cs-en": (14018, 13504), "ta-en": (12789, 12243)}
    for pair in WMT20:
        data = assessments(f"wmt20-metrics/da-seg-scores.{pair}.ssv.gz")
        found = {r.system: r for r in tercet.rank(data, samples=40)}
        for line in table(f"wmt20-metrics/da-sys-scores.{pair}.ssv"):
            # a system is called X_Y in one of the files and X-Y in the other
            ours = found[next(s for s in found if s.replace("_", "-") == line["SYS"].replace("_", "-"))]
            yield Row(f"WMT20 {pair} DA", f"{line['SYS']} z", float(line["Z.SCR"]), ours.score, 1e-12, digits=6)
        metrics = assessments(f"wmt20-metrics/metrics-da-seg-scores.{pair}.ssv.gz")
        human = [i for i, s in enumerate(metrics.systems) if s.lower().startswith(("human", "ref"))]
        official = {
            tuple(line.split()[:3]) for line in read_lines(DATA / f"wmt20-metrics/daRR-agree.{pair}.ssv.gz")[1:]
        }
        for strict, wanted in zip((False, True), published[pair], strict=True):
            segment, better, worse = better_worse(metrics, strict=strict)
            keep = ~(np.isin(better, human) | np.isin(worse, human))
            ours_pairs = {
                (metrics.segments[s], metrics.systems[b], metrics.systems[w])
                for s, b, w in zip(segment[keep], better[keep], worse[keep], strict=True)
            }
            what = "daRR pairs, more than 25" if strict else "daRR pairs, 25 or more"
            yield Row(f"WMT20 {pair} DA", what, float(wanted), float(len(ours_pairs)), digits=0)
            if not strict:
                both = float(len({_plain(p) for p in ours_pairs} & {_plain(p) for p in official}))
                yield Row(f"WMT20 {pair} DA", "daRR pairs that are the official ones", float(wanted), both, digits=0)


def _plain(pair: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.replace("_", "-") for part in pair)


def mqm() -> Iterator[Row]:
    """Every published segment score."""
    data = assessments("mqm-ted-ende/mqm_ted_ende.tsv.gz")
    ranker = Mqm()
    own = ranker.prepared(data)
    stats = segment_means(own, own.score)
    scores = stats.segments()
    place = {s: i for i, s in enumerate(stats.systems)}
    segments = {s: i for i, s in enumerate(data.segments)}
    equal = total = 0
    for line in read_lines(DATA / "mqm-ted-ende/mqm_ted_ende.avg_seg_scores.tsv.gz")[1:]:
        system, score, segment = line.split()
        system = {"ref-A": "ref"}.get(system, system)
        if score != "None":
            total += 1
            equal += abs(float(score) - scores[place[system], segments[segment]]) < 1e-6  # printed with six digits
    yield Row("MQM TED en-de", "segment scores equal", float(total), float(equal), digits=0)


def rows() -> Iterator[Row]:
    """All of it."""
    yield from wmt20()
    yield from wmt21()
    yield from mqm()
