"""`score`: metrics × test set, read in parts, at any level, with intervals and paired tests.

files, lists or a TestSet ──> parts of at most 65 536 segments
    part × system × metric ──> rows of statistics
        corpus               the running sum is enough, whatever the size of the files
        document             one sum a document
        segment              one score a row
        intervals, tests     the rows themselves (or one row a document), resampled
"""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Literal

import numpy as np

from tercet import stats
from tercet.data import Array, Batch, Score, Scores, Statistics, TestSet
from tercet.errors import InputError
from tercet.formats import directory, sgml, testset_parts, text
from tercet.formats.columns import EVERYTHING
from tercet.metric import Metric, default_threads, require_threads
from tercet.metrics import METRICS
from tercet.spec import show

Level = Literal["corpus", "document", "segment"]
Paired = Literal["bootstrap", "randomization"]
Unit = Literal["segment", "document"]
Correction = Literal["none", "holm"]
File = str | pathlib.Path
Progress = Callable[[str, int], None]

PART = 65_536
DEFAULT_METRICS = ("bleu", "chrf", "ter")


def score(
    hypotheses: Mapping[str, Sequence[str] | pathlib.Path] | None = None,
    references: Sequence[str | Sequence[str | None]] | Sequence[pathlib.Path] | None = None,
    *,
    testset: TestSet | File | None = None,
    testset_format: str | None = None,
    pair: str | None = None,
    sources: Sequence[str] | pathlib.Path | None = None,
    documents: Sequence[str] | pathlib.Path | None = None,
    num_refs: int = 1,
    metrics: str | Sequence[str | Metric] = DEFAULT_METRICS,
    level: Level = "corpus",
    ci: bool = False,
    paired: Paired | None = None,
    baseline: str | None = None,
    samples: int = 1000,
    trials: int = 10_000,
    seed: int = 12345,
    unit: Unit = "segment",
    correction: Correction = "none",
    compat: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Score systems with metrics, from lists, files (`pathlib.Path`) or a test set.

    Parameters
    ----------
    hypotheses
        System name to its outputs. Names that differ only after a `#` (`base#1`, `base#2`) are runs of one
        system with several optimiser seeds: they are averaged, and tested together, as MultEval does.
    references
        For each segment its reference or the list of its references; or reference files, one segment a line.
    testset
        Instead of the two: a `TestSet`, or the file or folder of one.
    testset_format, pair
        The format of that file, where its name does not tell; the language pair, where a folder has several.
    num_refs
        How many references a line of a reference file holds, separated by tabs.
    ci, samples, seed
        95 % intervals from so many bootstrap resamples.
    paired, baseline, trials
        Test every system against the baseline (the first, if none is named): paired `bootstrap`, or
        `randomization` with so many trials.
    unit
        What is drawn or exchanged: a segment, or a whole document.
    correction
        `holm` adjusts the p-values of each metric for the number of systems tested.
    compat
        sacreBLEU's numbers to the last digit: its 32-bit sums, and its strict comparisons, by which a system
        tested against itself comes out significant.

    >>> scores = score({"A": ["the cat sat down"]}, ["the cat sat down"], metrics=["chrf"])
    >>> scores.value("A", "chrf")
    100.0
    """
    wanted = [METRICS.make(m) for m in ([metrics] if isinstance(metrics, str) else metrics)]
    chosen = list(dict.fromkeys(wanted))  # a metric that is asked for twice is scored once
    options = Options(level, ci, paired, baseline, samples, trials, seed, unit, correction, compat, threads)
    if testset is None:
        parts = _given_parts(hypotheses, references, sources, documents, num_refs)
    else:
        others = {"hypotheses": hypotheses, "references": references, "sources": sources, "documents": documents}
        parts = _testset_parts(testset, testset_format, pair, [name for name, o in others.items() if o is not None])
    tallies, nrefs = _tally(parts, chosen, options, progress)
    options.check_systems(tallies[0].systems)
    facts = options.signature(nrefs, len(runs_of(tallies[0].systems)) < len(tallies[0].systems))
    records = [r for tally in tallies for r in _records(tally, facts, options, progress)]
    order = {name: i for i, name in enumerate(dict.fromkeys(r.system for r in records))}
    records.sort(key=lambda r: order[r.system])
    scales = {str(m): (m.higher_is_better, m.digits) for m in chosen}
    return Scores(tuple(records), f"score|level:{level}|{facts}", scales)


def gathered(
    hypotheses: Mapping[str, Sequence[str] | pathlib.Path] | None = None,
    references: Sequence[Any] | None = None,
    *,
    testset: TestSet | File | None = None,
    testset_format: str | None = None,
    pair: str | None = None,
    sources: Sequence[str] | pathlib.Path | None = None,
    documents: Sequence[str] | pathlib.Path | None = None,
    num_refs: int = 1,
) -> TestSet:
    """One whole test set from what `score` takes: lists, files or a test set."""
    if testset is None:
        parts = _given_parts(hypotheses, references, sources, documents, num_refs, EVERYTHING)
    else:
        others = {"hypotheses": hypotheses, "references": references, "sources": sources, "documents": documents}
        given = [name for name, o in others.items() if o is not None]
        parts = _testset_parts(testset, testset_format, pair, given, EVERYTHING)
    return next(iter(parts.read()))


@dataclasses.dataclass(frozen=True)
class Options:
    """How scores are made, at which level, with which intervals and tests; checked when made."""

    level: Level
    ci: bool
    paired: Paired | None
    baseline: str | None
    samples: int
    trials: int
    seed: int
    unit: Unit
    correction: Correction
    compat: bool
    given_threads: int | None

    def __post_init__(self) -> None:
        for name, allowed in (
            ("level", ("corpus", "document", "segment")),
            ("paired", (None, "bootstrap", "randomization")),
            ("unit", ("segment", "document")),
            ("correction", ("none", "holm")),
        ):
            if getattr(self, name) not in allowed:
                raise InputError(
                    f"{name} must be one of {', '.join(a for a in allowed if a)}, not {getattr(self, name)!r}.",
                    hint="Leave it out for the usual.",
                )
        if self.resamples and self.level != "corpus":
            raise InputError(
                f"Intervals and tests are made for the whole test set, not for each {self.level}.",
                hint="Leave out --level, or leave out --ci and --paired.",
            )
        for name, least in (("samples", 40), ("trials", 1), ("seed", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise InputError(
                    f"{name} must be a whole number of {least} or more, not {value!r}.",
                    hint="Leave it out for the usual.",
                )
        require_threads(self.given_threads)

    @property
    def threads(self) -> int:
        return self.given_threads or default_threads()

    @property
    def resamples(self) -> bool:
        return self.ci or self.paired is not None

    @property
    def resampling(self) -> stats.Resampling:
        return stats.Resampling(
            self.ci,
            self.paired,
            self.samples,
            self.trials,
            self.seed,
            self.correction,
            self.compat,
            self.threads,
        )

    def check_systems(self, systems: Sequence[str]) -> None:
        names = list(runs_of(systems))
        if self.paired and len(names) < 2:
            raise InputError(
                f"A paired test needs two systems or more; there is only {names[0]!r}.",
                hint="Name the baseline's file first, then the others.",
            )
        if self.baseline is not None and self.baseline not in names:
            raise InputError(
                f"There is no system {self.baseline!r} to be the baseline.",
                hint=f"There are {', '.join(names)}.",
            )

    def signature(self, nrefs: str, several_runs: bool) -> str:
        facts: dict[str, Any] = {"nrefs": nrefs}
        if self.ci or self.paired == "bootstrap" or (self.paired and several_runs):
            facts["bs"] = self.samples
        if self.paired == "randomization":
            facts["ar"] = self.trials
        if self.resamples:
            facts |= {"seed": self.seed, "unit": self.unit}
        if self.paired and self.correction != "none":
            facts["correction"] = self.correction
        if self.resamples and self.compat:
            facts["compat"] = "sacrebleu-2.6"
        facts["tercet"] = version("tercet")
        return "|".join(f"{key}:{value}" for key, value in facts.items())


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


def signature(metric: Metric, options: str) -> str:
    """Every choice that moves the number: the metric, its options, the references, the resampling, the version."""
    facts = [f"{key}:{show(metric.effective(key))}" for key in metric.parameters()]
    facts += [f"{key}:{value}" for key, value in metric.facts().items()]
    kind = [] if metric.card.exact else ["reconstruction"]
    return "|".join([metric.name, *kind, *facts, options])


@dataclasses.dataclass(frozen=True)
class _Parts:
    """The test set in parts; `again` says whether they can be read more than once."""

    read: Callable[[], Iterable[TestSet]]
    again: bool = True

    @classmethod
    def of(cls, parts: Sequence[TestSet]) -> _Parts:
        return cls(lambda: parts)


def _testset_parts(
    testset: TestSet | File, form: str | None, pair: str | None, others: Sequence[str], size: int = PART
) -> _Parts:
    if others:
        raise InputError(
            f"Give a test set or {' and '.join(others)}, not both.", hint="A test set has all of them in it."
        )
    if isinstance(testset, TestSet):
        return _Parts.of([testset])
    if pair is not None:
        return _Parts.of([directory.read(testset, pair)])
    path = pathlib.Path(testset)
    if form is None and path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{path} is a pipe, and looking at it would use it up.", hint="Name its --testset-format.")
    return _Parts(lambda: testset_parts(testset, size, form), again=path.is_file() or path.is_dir())


def _given_parts(
    hypotheses: Mapping[str, Sequence[str] | pathlib.Path] | None,
    references: Sequence[Any] | None,
    sources: Sequence[str] | pathlib.Path | None,
    documents: Sequence[str] | pathlib.Path | None,
    num_refs: int,
    size: int = PART,
) -> _Parts:
    if hypotheses is None:
        raise InputError(
            "Give either hypotheses with references, or a test set.",
            hint="For example: tercet score hyp.txt -r ref.txt",
        )
    if not isinstance(hypotheses, Mapping):
        raise InputError(
            f"The hypotheses are {type(hypotheses).__name__}, not systems by name.",
            hint='Pass a dict of a name to its outputs, {"mine": [...]}.',
        )
    if not hypotheses:
        raise InputError("There is no system to score.", hint="Name one or more files of translations.")
    files = {name: h for name, h in hypotheses.items() if isinstance(h, pathlib.Path)}
    if len(files) == len(hypotheses):
        reference_files = [pathlib.Path(r) for r in references or ()]
        source_file, document_file = (None if f is None else pathlib.Path(f) for f in (sources, documents))  # type: ignore[arg-type]
        all_files = [f for f in (*files.values(), *reference_files, source_file, document_file) if f is not None]
        if all(is_sgml(f) for f in all_files):
            return _Parts.of([sgml.assemble(list(files.values()), reference_files, source_file)])
        _require_plain_text(all_files)
        again = all(f.is_file() for f in all_files)
        return _Parts(
            lambda: text.read_parts(files, reference_files, source_file, document_file, size, num_refs=num_refs), again
        )
    if files:
        raise InputError(f"Some systems are files ({', '.join(files)}) and others lists.", hint="Make them all alike.")
    whole = TestSet.of(dict(hypotheses), references, sources=sources, documents=documents)  # type: ignore[arg-type]
    return _Parts.of([whole])


def is_sgml(file: pathlib.Path) -> bool:
    """Whether a file's name says that it is SGML: segments are then matched by their ids, not by their lines."""
    return file.name.removesuffix(".gz").endswith((".sgm", ".sgml"))


def _require_plain_text(files: Sequence[pathlib.Path]) -> None:
    """Markup and tables have lines, too, but their lines are no segments."""
    for file in files:
        name = file.name.removesuffix(".gz")
        if is_sgml(file):
            raise InputError(
                f"{file} is SGML and not every other file is.", hint="Give all of them as SGML, or all as plain text."
            )
        if name.endswith((".xml", ".tsv", ".parquet")):
            raise InputError(
                f"{file} is no plain text with a segment a line.", hint="Give it as a test set: --testset FILE."
            )


class _Tally:
    """What one metric has counted so far, no more than the level and the tests need."""

    def __init__(self, metric: Metric, systems: Sequence[str], options: Options) -> None:
        self.metric = metric
        self.systems = tuple(systems)
        self.by_document = options.level == "document" or (options.resamples and options.unit == "document")
        self.keeps_rows = options.resamples and not self.by_document
        self.keeps_segments = options.level == "segment"
        self.sums: Array | None = None  # (systems, k)
        self.documents: dict[str, Array] = {}  # (systems, k) each
        self.rows: list[Array] = []  # (systems, segments, k)
        self.segments: list[Array] = []  # (systems, segments)
        self.names: list[str] = []

    def add(self, part: TestSet, statistics: Statistics) -> None:
        self.sums = statistics.total(self.sums)
        if self.by_document:
            for document in part.document_rows():
                earlier = self.documents.get(document.name)
                self.documents[document.name] = statistics.part(document.rows).total(earlier)
        if self.keeps_rows:
            self.rows.append(statistics.rows)
        if self.keeps_segments:
            self.segments.append(statistics.segments())
            self.names += part.segments

    def corpus(self) -> Array:
        """One score a system."""
        return self.metric.score(np.zeros(0) if self.sums is None else self.sums)

    def units(self) -> Array:
        """(systems, units, k): what is resampled."""
        if self.by_document:
            return np.stack(list(self.documents.values()), axis=1)
        return np.concatenate(self.rows, axis=1)


def _tally(
    parts: _Parts, metrics: Sequence[Metric], options: Options, progress: Progress | None
) -> tuple[list[_Tally], str]:
    if not metrics:
        raise InputError("There is no metric to score with.", hint="For example: -m bleu -m chrf")
    learnt: dict[Metric, Any] = {}
    learners = [m for m in metrics if m.learns]
    if learners and not parts.again:
        parts = _Parts.of(list(parts.read()))
    for m in learners:  # NIST and its like see all references before the first segment
        references = (part.references for part in parts.read())
        learnt[m] = m.learn((r for r in references if r is not None), options.threads)
    tallies: list[_Tally] = []
    fewest, most, seen = None, 0, 0
    for part in parts.read():
        seen += len(part)
        tallies = tallies or [_Tally(m, list(part.systems), options) for m in metrics]
        _check_part(part, metrics, options)
        for tally in tallies:
            tally.add(part, _statistics(part, tally.metric, learnt.get(tally.metric), options.threads))
            if progress:
                progress(f"{tally.metric}", len(part) * len(part.systems))
        if part.references is not None and len(part):
            low, high = part.references.counts
            fewest, most = low if fewest is None else min(fewest, low), max(most, high)
    if seen == 0:
        raise InputError("There is not one segment to score.", hint="Check that the files are not empty.")
    return tallies, "0" if fewest is None else f"{most}" if fewest == most else f"{fewest}-{most}"


def statistics(testset: TestSet, metric: Metric, *, threads: int | None = None) -> Statistics:
    """The statistics of every system of a test set, from which all levels and resamples are scored."""
    require_threads(threads)
    threads = threads or default_threads()
    if not len(testset):
        raise InputError("There is not one segment to score.", hint="Check that the files are not empty.")
    _check_needs(testset, metric)
    learnt = metric.learn([testset.references], threads) if metric.learns and testset.references is not None else None
    return _statistics(testset, metric, learnt, threads)


def _statistics(part: TestSet, metric: Metric, learnt: Any, threads: int) -> Statistics:
    rows = [
        metric.statistics(Batch(texts, part.references, part.sources, learnt, threads))
        for texts in part.systems.values()
    ]
    return Statistics(tuple(part.systems), np.stack(rows), metric.score)


def _check_part(part: TestSet, metrics: Sequence[Metric], options: Options) -> None:
    for metric in metrics:
        _check_needs(part, metric)
    if part.documents is None and (options.level == "document" or options.unit == "document"):
        raise InputError(
            "There are no documents to score or to draw by.",
            hint="Name their file with --documents, or a test set with a document column.",
        )


def _check_needs(part: TestSet, metric: Metric) -> None:
    for need, there, how in (
        ("references", part.references, "Name them with -r, or a test set with a reference column."),
        ("sources", part.sources, "Name them with -s, or a test set with a source column."),
    ):
        if need in metric.needs and there is None:
            raise InputError(f"{metric} needs {need}, and there are none.", hint=how)


def _records(tally: _Tally, facts: str, options: Options, progress: Progress | None) -> list[Score]:
    metric = tally.metric
    sign = signature(metric, facts)

    def record(system: str, segment: str | None, value: float, **more: Any) -> Score:
        return Score(system, str(metric), options.level, segment, value, signature=sign, **more)

    if options.level == "corpus":
        return [record(name, None, **found) for name, found in _corpus_facts(tally, options, progress).items()]
    if options.level == "document":
        names, table = list(tally.documents), metric.score(tally.units())
    else:
        names, table = tally.names, np.concatenate(tally.segments, axis=1)
    return [
        record(system, name, float(v))
        for system, row in zip(tally.systems, table, strict=True)
        for name, v in zip(names, row, strict=True)
    ]


def _corpus_facts(tally: _Tally, options: Options, progress: Progress | None) -> dict[str, dict[str, Any]]:
    """Score, interval, p-value and spreads of every system, its runs taken together."""
    values = tally.corpus()
    runs = runs_of(tally.systems)
    facts: dict[str, dict[str, Any]] = {name: {"value": float(np.mean(values[own]))} for name, own in runs.items()}
    if len(runs) < len(tally.systems):
        for name, own in runs.items():
            facts[name] |= {
                "runs": len(own),
                "s_opt": float(np.std(values[own], ddof=1)) if len(own) > 1 else None,
            }
    if options.resamples:
        if options.paired == "randomization" and len(set(map(len, runs.values()))) > 1:
            raise InputError(
                "Randomisation needs the same number of runs of every system; there are "
                + ", ".join(f"{len(own)} of {name}" for name, own in runs.items())
                + ".",
                hint="Leave some runs out, or use --paired bootstrap.",
            )
        units = tally.units()
        note = None if progress is None else (lambda n: progress(f"{tally.metric} resampling", n))
        found = stats.significance(
            {name: units[own] for name, own in runs.items()},
            tally.metric.score,
            options.baseline or next(iter(runs)),
            options.resampling,
            note,
            higher_is_better=tally.metric.higher_is_better,
        )
        for name, more in found.items():
            facts[name] |= more
    return facts
