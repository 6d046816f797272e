"""`score`: metrics × test set, read in parts, at any level, with intervals and paired tests.

files, lists or a TestSet ──> blocks of 65 536 segments, in parts of bounded size
    block × system × metric ──> rows of statistics (`counting`)
        corpus               the sums of blocks are enough, whatever the size of the files
        document             one sum a document
        segment              one score a row
        intervals, tests     the rows themselves (or one row a document), resampled
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tercet import numbers, stats
from tercet.counting import (
    CountedBlock,
    Kept,
    Tally,
    befallen,
    check_needs,
    counted,
    in_blocks,
    metric_choices,
    spanned,
)
from tercet.data import Array, References, Score, Scores, Statistics, TestSet, Texts
from tercet.encoders import while_reading
from tercet.encoders.surroundings import SURROUNDINGS
from tercet.engines import Engine, engine
from tercet.errors import InputError
from tercet.limits import Budget
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.numbers import ALPHA, percent
from tercet.options import verb
from tercet.options.groups import (
    AGGREGATE_NAMES,
    CORRECTION_NAMES,
    Aggregate,
    Engined,
    Testing,
    expect,
    worker_threads,
)
from tercet.options.scoring import ScoreOptions
from tercet.part_files import kept_blocks
from tercet.signing import Digests, signature

File = str | pathlib.Path


@verb(ScoreOptions)
def score(asked: ScoreOptions) -> Scores:
    """Score systems with metrics, from lists, files (`pathlib.Path`) or a test set.

    Names of systems that differ only after a `#` (`base#1`, `base#2`) are runs of one system with several optimiser
    seeds: they are averaged, and tested together, as MultEval does.

    >>> scores = score({"A": ["the cat sat down"]}, ["the cat sat down"], metrics=["chrf"])
    >>> scores.value("A", "chrf")
    100.0
    """
    metrics = required_metrics(asked.metrics)
    return answered(tally(kept_blocks(asked, metrics), metrics, asked), asked)


def answered(tallies: Tallies, asked: ScoreOptions) -> Scores:
    """What was counted as the answer: scores, intervals, tests, signatures, notes."""
    systems = tallies.of_metrics[0].systems
    check_systems(asked, systems)
    runs = len(runs_of(systems))
    if asked.resampling == "whole":  # otherwise all was drawn while texts were read
        asked = stats.with_enough_draws(asked, runs - 1)
    facts = asked.facts(tallies.nrefs, intervals=asked.ci, tests=runs - 1, several_runs=runs < len(systems))
    if asked.paired is not None:
        why = f"with paired {asked.paired}, without ci or several runs of a system"
        drawn = {"samples": "bs", "seed": "seed"}
        asked.refuse_idle({name: why for name, fact in drawn.items() if fact not in facts})
    records = [r for tally in tallies.of_metrics for r in _records(tally, tallies.names, facts, asked)]
    order = {name: i for i, name in enumerate(dict.fromkeys(r.system for r in records))}
    records.sort(key=lambda r: order[r.system])
    scales = {str(t.metric): _scale(t.metric, asked.aggregate) for t in tallies.of_metrics}
    signed = signature("score", {"level": asked.level, **facts}, tallies.fingerprints)
    assumed = asked.assumed(documents=tallies.long_documents) if asked.resamples else ()
    notes = (*_notes(tallies.of_metrics, asked), *_tested(records, asked), *assumed)
    return Scores(tuple(records), signed, scales, notes)


def _scale(metric: Metric, by: Aggregate | None) -> tuple[bool, int]:
    """Whether higher is better, and digits after the point: of shares of segments, whatever the metric, 4."""
    return (True, 4) if by == "best" else (metric.higher_is_better, metric.digits)


def made_metrics(metrics: str | Sequence[str | Metric]) -> list[Metric]:
    """Metrics from their specs; one that is asked for twice is there once."""
    specs: Sequence[str | Metric] = [metrics] if isinstance(metrics, str) else metrics
    return list(dict.fromkeys(METRICS.make(spec) for spec in specs))


def required_metrics(metrics: str | Sequence[str | Metric]) -> list[Metric]:
    """The same, of which there must be one."""
    made = made_metrics(metrics)
    if not made:
        raise InputError("There is no metric to score with.", hint="For example: -m bleu -m chrf")
    return made


def check_systems(how: Testing, systems: Sequence[str]) -> None:
    """Refuse a test of one system, or against one that is not there."""
    names = list(runs_of(systems))
    if how.paired and len(names) < 2:
        raise InputError(
            f"A paired test needs two systems or more; there is only {names[0]!r}.",
            hint="Name the baseline's file first, then the others.",
        )
    if how.baseline is not None and how.baseline not in names:
        raise InputError(
            f"There is no system {how.baseline!r} to be the baseline.", hint=f"There are {', '.join(names)}."
        )


def runs_of(systems: Sequence[str]) -> dict[str, list[int]]:
    """The rows of each system: `base#1` and `base#2` are runs of `base`, unless something else has that name.

    >>> runs_of(["base#1", "base#2", "new", "new#2"])
    {'base': [0, 1], 'new': [2], 'new#2': [3]}
    """
    out: dict[str, list[int]] = {}
    for i, name in enumerate(systems):
        base, _, run = name.rpartition("#")
        out.setdefault(base if base and run.isdigit() and base not in systems else name, []).append(i)
    return out


def metric_signature(metric: Metric, options: Mapping[str, object]) -> str:
    """Every choice that moves the number: the metric, its options, the references, the resampling, the version.

    It is the same for all systems and test sets, so that it says which scores may be compared.
    """
    return signature(metric_choices(metric), options, {})


@dataclasses.dataclass(frozen=True, eq=False)
class Tallies:
    """All blocks of a test set, put together: a tally of each metric, and what is known of the texts."""

    of_metrics: Sequence[Tally]
    names: Sequence[str]  # of the segments, where each gets a score
    nrefs: str  # references of a segment
    fingerprints: Mapping[str, str]
    long_documents: bool = False  # whether some document has several segments


def tally(blocks: Iterable[CountedBlock], metrics: Sequence[Metric], asked: ScoreOptions) -> Tallies:
    """Counted blocks, in their order, as one."""
    budget = Budget("What is kept of the segments", "Take fewer segments, systems or metrics at once.")
    kept = Kept.of(asked)
    tallies: list[Tally] = []
    names: list[str] = []
    digests: list[Digests] = []
    references, n_segments, long_documents = None, 0, False
    for block in blocks:
        tallies = tallies or [Tally(m, block.systems, kept, budget) for m in metrics]
        for of_metric, counts in zip(tallies, block.metrics, strict=True):
            of_metric.add(counts, block.n_segments)
        names += block.names
        digests.append(block.digests)
        references = spanned(references, block.references)
        n_segments += block.n_segments
        long_documents |= block.long_documents
    if n_segments == 0:
        raise InputError("There is not one segment to score.", hint="Check that the files are not empty.")
    few, most = references or (0, 0)
    nrefs = f"{most}" if few == most else f"{few}-{most}"
    return Tallies(tallies, names, nrefs, Digests.joined(digests).fingerprints(), long_documents)


def statistics(
    testset: TestSet, metric: Metric, *, threads: int | None = None, where: Engined | None = None
) -> Statistics:
    """The statistics of every system of a test set, from which all levels and resamples are scored.

    They are counted here, or by the engine that is asked for: each block of each system by itself.
    """
    threads = worker_threads(threads)
    if not len(testset):
        raise InputError("There is not one segment to score.", hint="Check that the files are not empty.")
    check_needs(testset, [metric])
    how = None if where is None else elsewhere(where)
    if how is not None:
        return _statistics_elsewhere(testset, metric, how, threads)
    learnt = metric.learn([testset.references], threads) if metric.learns and testset.references is not None else None
    return counted(testset, metric, learnt, threads)


def elsewhere(asked: Engined) -> Engine | None:
    """The engine that is asked for, if its work is done in other processes."""
    how = engine(asked.engine, trusted_network=asked.trusted_network)
    return how if how.elsewhere else None


def _statistics_elsewhere(testset: TestSet, metric: Metric, how: Engine, threads: int) -> Statistics:
    """The same, and the same bits: a row depends on its segment, and on what is learnt from all references."""
    folder = SURROUNDINGS.get().folder
    cache = None if folder is None else folder.path.parent.absolute()
    counter = _RowCounter(metric, how.threads(threads), testset.references if metric.learns else None, cache)
    pieces = [piece for _, some in in_blocks([testset]) for piece in some]
    parts = (
        dataclasses.replace(piece, systems={name: texts}) for piece in pieces for name, texts in piece.systems.items()
    )
    rows: dict[str, list[Array]] = {name: [] for name in testset.systems}
    names = [name for _ in pieces for name in rows]
    for i, (name, (counts, notes)) in enumerate(zip(names, how.map(counter, parts), strict=True)):
        rows[name].append(counts)
        for column, noted in zip(_columns(testset, name), notes, strict=True):
            column.memo.update({(*key, i // len(rows)): n for key, n in noted.items()})
    return Statistics(tuple(rows), np.stack([np.concatenate(some) for some in rows.values()]), metric.score)


@dataclasses.dataclass(eq=False)
class _RowCounter:
    """What a metric counts in a piece of a test set with one system; can be sent to another process."""

    metric: Metric
    threads: int
    references: References | None  # all of them, where the metric learns from them
    cache: pathlib.Path | None
    learnt: Any = None

    def __call__(self, piece: TestSet) -> tuple[Array, list[dict[tuple[Any, ...], int]]]:
        """Rows, and what is noted of texts that were cut."""
        (name,) = piece.systems
        with while_reading(self.cache):
            if self.references is not None and self.learnt is None:
                self.learnt = self.metric.learn([self.references], self.threads)
            rows = counted(piece, self.metric, self.learnt, self.threads).rows[0]
        return rows, [
            {key: n for key, n in column.memo.items() if isinstance(key, tuple) and key[0] == "cut"}
            for column in _columns(piece, name)
        ]


def _columns(testset: TestSet, system: str) -> list[Texts]:
    """The texts of a system, and what they are held against."""
    references = None if testset.references is None else testset.references.texts
    return [column for column in (testset.systems[system], references, testset.sources) if column is not None]


def remarks(testset: TestSet, metrics: Iterable[Metric]) -> tuple[str, ...]:
    """What befell the texts of a test set that metrics have scored, as sentences."""
    return tuple(note for metric in metrics for note in _told(metric, befallen(testset, metric)))


def _told(metric: Metric, counts: Mapping[str, int]) -> list[str]:
    return [
        f"{metric}: {numbers.counted(n, 'text')} {'was' if n == 1 else 'were'} {what}." for what, n in counts.items()
    ]


def _records(tally: Tally, segments: Sequence[str], facts: Mapping[str, object], options: ScoreOptions) -> list[Score]:
    metric = tally.metric
    sign = metric_signature(metric, facts)

    def record(system: str, segment: str | None, value: float, **more: Any) -> Score:
        return Score(system, str(metric), options.level, segment, value, signature=sign, **more)

    if options.level == "corpus":
        return [record(name, None, **figures) for name, figures in _corpus_facts(tally, options).items()]
    by_document = options.level == "document"
    names = list(tally.documents if by_document else segments)
    table = metric.score(tally.units()) if by_document else np.concatenate(tally.scores, axis=1)
    return [
        record(system, name, float(v))
        for system, row in zip(tally.systems, table, strict=True)
        for name, v in zip(names, row, strict=True)
    ]


def _tested(records: Sequence[Score], asked: ScoreOptions) -> Iterator[str]:
    """Whether p-values know how many systems were tested, where there are several."""
    n = len({record.system for record in records if record.p_value is not None})
    if n < 2:
        return
    if asked.adjusts != "none":
        apart = ", each metric by itself" if len({record.metric for record in records}) > 1 else ""
        yield f"p is corrected for {n} tested systems ({CORRECTION_NAMES[asked.adjusts]}){apart}."
    elif asked.compat:  # whose tests do not hold their level one by one
        yield f"p is not corrected for {n} tested systems."
    else:
        any_star, one = percent(min(1.0, n * ALPHA)), percent(ALPHA)
        yield (
            f"p is not corrected for {n} tested systems: if all were like the baseline, some star would come in up to "
            f"{any_star} of cases; with --correction holm, in {one}."
        )


def _notes(tallies: Sequence[Tally], asked: ScoreOptions) -> tuple[str, ...]:
    """What befell texts; and what was tested, where that is not the score that is shown."""
    befell = tuple(note for tally in tallies for note in _told(tally.metric, tally.remarks))
    if asked.aggregate is not None:
        befell += (f"Scores of systems are {AGGREGATE_NAMES[asked.aggregate]}.",)
    if asked.paired not in ("wilcoxon", "t"):
        return befell
    test = "Wilcoxon's signed-rank test" if asked.paired == "wilcoxon" else "Student's paired t-test"
    unlike = ", ".join(str(tally.metric) for tally in tallies if not tally.is_mean())
    told = f" Those of {unlike} do not average to the score shown." if unlike else ""
    return (
        *befell,
        f"p is of {test} of the scores of {asked.unit}s.{told}",
    )


def _corpus_facts(tally: Tally, options: ScoreOptions) -> dict[str, dict[str, Any]]:
    """Score, interval, p-value and spreads of every system, its runs taken together."""
    metric, by = tally.metric, options.aggregate
    counted = None if by is None else tally.aggregated(by)
    values = tally.corpus() if counted is None else counted.corpus()
    runs = runs_of(tally.systems)
    facts: dict[str, dict[str, Any]] = {
        name: {"value": float(np.mean(values[places]))} for name, places in runs.items()
    }
    if len(runs) < len(tally.systems):
        for name, places in runs.items():
            facts[name] |= {
                "runs": len(places),
                "s_opt": float(np.std(values[places], ddof=1)) if len(places) > 1 else None,
            }
    if options.resamples:
        if options.paired == "randomization" and len(set(map(len, runs.values()))) > 1:
            raise InputError(
                "Randomisation needs the same number of runs of every system; there are "
                + ", ".join(f"{len(places)} of {name}" for name, places in runs.items())
                + ".",
                hint="Leave some runs out, or use --paired bootstrap.",
            )
        streamed = None
        if tally.sampled is not None and tally.sums is not None:
            streamed = stats.Streamed(tally.segments, list(runs.values()), tally.sampled, tally.swapped)
            units = tally.sums[:, None]  # what was drawn is there already, and nothing else of the segments
        else:
            units = tally.units() if counted is None else counted.rows
        progress = options.progress
        note = None if progress is None else (lambda n: progress(f"{tally.metric} resampling", n))
        drawn = options.trials if options.paired == "randomization" and not options.ci else options.samples
        expect(progress, f"{tally.metric} resampling", drawn)
        tests = stats.significance(
            {name: units[places] for name, places in runs.items()},
            metric.score if counted is None else counted.score,
            str(options.baseline or next(iter(runs))),
            options,
            note,
            ci=options.ci,
            higher_is_better=metric.higher_is_better or by == "best",
            where=elsewhere(options),
            streamed=streamed,
        )
        for name, more in tests.items():
            facts[name] |= more
    return facts
