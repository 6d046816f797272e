"""One table of ratios, from one run on real text: newstest2014 de-en of ../shared."""

from __future__ import annotations

import dataclasses
import datetime
import json
import platform
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

import tercet
from benchmarks import meta, meteor, participants, peers, people, quality
from benchmarks.rows import ROOT, SYSTEM, TEXTS, Row, best_of, machine, require_equal
from tercet import stats, text
from tercet.data import Batch, TestSet
from tercet.options.groups import Resampling
from tercet.report import Table, render

WANTED = {"bleu": 25, "chrf": 60, "chrf++": 60, "ter": 100}
WANTED_OVER_SYSTEMS = {"bleu": 60, "chrf": 120, "chrf++": 100}
ALL = (
    "bleu", "mteval-bleu(international=true)", "nist(international=true)", "moses-bleu", "sentbleu", "chrf", "chrf+",
    "chrf++", "chrf3", "chrf-original", "ter", "moses-ter", "wer", "per", "cder",
)  # fmt: skip


def against_sacrebleu(testset: TestSet, references: list[str]) -> list[Row]:
    """Corpus and segment scores of one system, on one thread, CPU seconds; the scores must agree."""
    cpu = partial(best_of, clock=time.process_time)
    rows = []
    hypotheses = list(testset.systems[SYSTEM])
    for name, wanted in WANTED.items():
        metric = tercet.metric(name)
        by_segment = tercet.metric("bleu(effective_order=true)") if name == "bleu" else metric
        runs = 1 if name == "ter" else 3
        ours, a = cpu(3, partial(metric.corpus, hypotheses, references, threads=1))
        theirs, b = cpu(runs, partial(peers.corpus, name, hypotheses, references))
        require_equal(name, [a], [b])
        rows.append(Row(f"{name}, corpus", ours, theirs, wanted))
        ours, a = cpu(3, partial(by_segment.segments, hypotheses, references, threads=1))
        theirs, b = cpu(runs, partial(peers.segments, name, hypotheses, references))
        require_equal(name, a, b)
        rows.append(Row(f"{name}, segments", ours, theirs, wanted))
    return rows


def over_systems(testset: TestSet, references: list[str]) -> list[Row]:
    """Corpus scores of ten systems, on one thread, CPU seconds; sacreBLEU's anew for each, and of one object."""
    ten = dataclasses.replace(testset, systems=dict(list(testset.systems.items())[:10]))
    systems = [list(texts) for texts in ten.systems.values()]
    rows = []
    for name, wanted in WANTED_OVER_SYSTEMS.items():

        def ours(texts: TestSet, name: str = name) -> list[float | None]:
            return [record.score for record in tercet.score(testset=texts, metrics=[name], threads=1)]

        mine, a = best_of(5, ours, partial(forgetful, ten), clock=time.process_time)
        for what, peer in (("", peers.anew), (", its references counted once", peers.corpora)):
            theirs, b = best_of(1, partial(peer, name, systems, references), clock=time.process_time)
            require_equal(name, a, b)
            rows.append(Row(f"{name}, corpus, 10 systems{what}", mine, theirs, wanted))
    return rows


def paired_tests(testset: TestSet, references: list[str]) -> list[Row]:
    """Ten systems against the first, from texts to p-values, on one thread."""
    systems: dict[str, Sequence[str]] = {n: list(texts) for n, texts in list(testset.systems.items())[:10]}
    rows = []
    for test, kind in (("bs", "bootstrap"), ("ar", "randomization")):
        for name in ("bleu", "chrf"):

            def ours(name: str = name, kind: str = kind) -> list[float | None]:
                often = "samples" if kind == "bootstrap" else "trials"
                options: dict[str, Any] = {"paired": kind, often: 1000, "compat": True}
                found = tercet.score(systems, references, metrics=[name], threads=1, **options)
                return [r.p_value for r in found][1:]

            mine, a = best_of(3, ours)
            theirs, b = best_of(1, partial(peers.paired, name, systems, references, test, 1000))
            require_equal(f"{name} {kind}", a, b)
            rows.append(Row(f"paired {kind}, {name}, 10 systems, 1000 samples", mine, theirs, 30))
    return rows


def threads(testset: TestSet) -> list[Row]:
    """Two threads against one, over all systems."""
    rows = []
    for metrics in (("chrf++",), ("ter",), ALL):
        fresh = partial(forgetful, testset)
        one, _ = best_of(5, lambda t, m=metrics: tercet.score(testset=t, metrics=m, threads=1), fresh)
        two, _ = best_of(5, lambda t, m=metrics: tercet.score(testset=t, metrics=m, threads=2), fresh)
        what = metrics[0] if len(metrics) == 1 else f"all {len(metrics)} metrics"
        rows.append(Row(f"two threads against one, 13 systems, {what}", two, one, 1.7))
    return rows


def forgetful(testset: TestSet) -> TestSet:
    """The same test set with nothing tokenised yet."""
    references = [testset.references[i] for i in range(len(testset))] if testset.references else None
    return TestSet.of({name: t.strings for name, t in testset.systems.items()}, references)


def promise(testset: TestSet, references: list[str]) -> Row:
    """Ten systems, all metrics, intervals and paired tests on all threads, against one chrF of one system."""
    first = dict(list(testset.systems.items())[:10])
    ten = dataclasses.replace(testset, systems=first)
    ours, _ = best_of(
        3, lambda t: tercet.score(testset=t, metrics=ALL, ci=True, paired="bootstrap"), partial(forgetful, ten)
    )
    theirs, _ = best_of(3, partial(peers.corpus, "chrf", list(first.popitem()[1]), references))
    return Row(f"10 systems × {len(ALL)} metrics, intervals, paired tests, against one chrF", ours, theirs, 1)


def everything(testset: TestSet) -> tuple[dict[str, float], dict[str, float]]:
    """13 systems × all metrics × intervals, and where the time goes: by stage, and the counting by metric."""
    total, _ = best_of(
        2, lambda t: tercet.score(testset=t, metrics=ALL, threads=2, ci=True), partial(forgetful, testset)
    )
    cold = forgetful(testset)
    metrics = [tercet.metric(m) for m in ALL]

    by_metric: dict[str, float] = {}

    def rows() -> dict[str, Any]:
        out = {}
        for m in metrics:
            start, tokenised = time.perf_counter(), spent["tokenisation"]
            learnt = m.learn([cold.references], 2) if m.learns and cold.references else None
            batches = [Batch(t, cold.references, None, learnt, 2) for t in cold.systems.values()]
            out[str(m)] = np.stack([m.statistics(b) for b in batches])
            by_metric[str(m)] = time.perf_counter() - start - (spent["tokenisation"] - tokenised)
        return out

    spent = {"tokenisation": 0.0}
    original = text.packing.tokens

    def timed(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        try:
            return original(*args, **kwargs)
        finally:
            spent["tokenisation"] += time.perf_counter() - start

    text.tokens = timed
    counted, found = best_of(1, rows)
    text.tokens = original
    how = Resampling(threads=2)
    resampled, _ = best_of(
        1,
        lambda: [
            stats.significance(
                {s: found[str(m)][i][None] for i, s in enumerate(cold.systems)}, m.score, SYSTEM, how, ci=True
            )
            for m in metrics
        ],
    )
    return {
        "seconds": total,
        "tokenisation": spent["tokenisation"],
        "counting": counted - spent["tokenisation"],
        "resampling": resampled,
    }, by_metric


def main() -> None:
    """Measure and print."""
    if not TEXTS.exists():
        sys.exit(f"The benchmark needs {TEXTS.relative_to(ROOT.parent)} beside the project.")
    testset = tercet.read_testset(TEXTS)
    references = [testset.references[i][0] for i in range(len(testset))] if testset.references else []
    rows = [*against_sacrebleu(testset, references), *over_systems(testset, references)]
    rows += [*paired_tests(testset, references), *threads(testset)]
    rows.append(promise(testset, references))
    rows.append(people.trueskill_row())
    rows += meta.rows()
    meteors, said = meteor.rows(list(testset.systems[SYSTEM]), references)
    rows += meteors
    others, told = participants.rows(list(testset.systems[SYSTEM]), references)
    rows += others
    trained, measured = quality.rows(testset)
    rows += trained
    shares, by_metric = everything(testset)
    bootstraps = people.bootstrap_seconds()
    costly = sorted(by_metric.items(), key=lambda each: -each[1])[:5]
    cells = tuple(
        (
            r.what,
            f"{r.ratio:.2f}×" if r.ratio < 10 else f"{r.ratio:.0f}×",
            f"{r.wanted:g}×",
            "yes" if r.ratio >= r.wanted else "MISSED",
        )
        for r in rows
    )
    where = f"{machine()}, Python {platform.python_version()}, {datetime.date.today().isoformat()}"
    notes = (
        f"newstest2014 de-en, 3003 segments; sacreBLEU 2.6.0; one thread each but where said; the best of three "
        f"runs, sacreBLEU's TER and paired tests once; `trueskill`'s time is that of {people.PEER_UPDATES} updates, "
        f"times their number. {where}.",
        f"13 systems × {len(ALL)} metrics × 95 % intervals, two threads: {shares['seconds']:.2f} s, of which "
        + ", ".join(
            f"{name} {100 * shares[name] / sum(shares[k] for k in ('tokenisation', 'counting', 'resampling')):.0f} %"
            for name in ("tokenisation", "counting", "resampling")
        )
        + ".",
        "1000 bootstrap samples of expected wins, one thread, seconds a direction of WMT15: "
        + ", ".join(f"{pair} {seconds:.3f}" for pair, seconds in bootstraps.items())
        + " (wanted: less than 0.1).",
        people.million(),
        meta.hybrids(),
        *said,
        *told,
        *measured,
        "Most of the counting: "
        + ", ".join(f"{name} {100 * seconds / sum(by_metric.values()):.0f} %" for name, seconds in costly)
        + ".",
    )
    print(render(Table(("what", "ratio", "wanted", "met"), cells, notes), "table"))
    out = ROOT / "build" / "bench.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(
        json.dumps({"rows": [dataclasses.asdict(r) for r in rows], "stages": shares, "metrics": by_metric}, indent=1)
    )


if __name__ == "__main__":
    main()
