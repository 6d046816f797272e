"""Groups of options that several verbs share."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from tercet.errors import InputError
from tercet.options import Options, setting
from tercet.options.needs import ANY, Needs

Progress: TypeAlias = Callable[[str, int], None]
Paired: TypeAlias = Literal["bootstrap", "randomization"]
PairedOrClassical: TypeAlias = Literal["bootstrap", "randomization", "wilcoxon", "t"]  # the latter of segment scores
Correction: TypeAlias = Literal["none", "holm", "bh"]
Drawn: TypeAlias = Literal["segment", "document"]
Aggregate: TypeAlias = Literal["mean", "median", "rms", "harmonic", "agm", "best"]  # of scores of segments
MetaLevel: TypeAlias = Literal["system", "document", "segment"]  # of agreement with people
Form: TypeAlias = Literal["table", "json", "jsonl", "csv", "tsv", "markdown", "latex", "html"]  # of an answer
BY_SUFFIX: dict[str, Form] = {
    "": "table",
    ".txt": "table",
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
}
PICTURES = (".svg", ".pdf", ".png")

if TYPE_CHECKING:
    from tercet.data import TestSet
    from tercet.metric_base import Metric

    File: TypeAlias = str | pathlib.Path
    Files: TypeAlias = Sequence[str | pathlib.Path]
    Baseline: TypeAlias = str | pathlib.Path
    Names: TypeAlias = Sequence[str]
    References: TypeAlias = Sequence[str | Sequence[str | None]] | Sequence[pathlib.Path]
    Lines: TypeAlias = Sequence[str] | pathlib.Path
    TestSetGiven: TypeAlias = TestSet | File
    Hypotheses: TypeAlias = Mapping[str, Sequence[str] | pathlib.Path] | TestSetGiven
    MetricGiven: TypeAlias = str | Metric
    Metrics: TypeAlias = str | Sequence[str | Metric]
    TextOrTexts: TypeAlias = str | Sequence[str]
else:  # what a shell gives
    Hypotheses = Names = Metrics = TextOrTexts = list[str]
    References = Files = list[pathlib.Path]
    Lines = TestSetGiven = File = pathlib.Path
    Baseline = MetricGiven = str

DEFAULT_METRICS = ("bleu", "chrf", "ter")
CORRECTION_NAMES = {"holm": "Holm", "bh": "Benjamini and Hochberg"}
AGGREGATE_NAMES: dict[Aggregate, str] = {
    "mean": "means of those of segments",
    "median": "medians of those of segments",
    "rms": "root mean squares of those of segments",
    "harmonic": "harmonic means of those of segments",
    "agm": "arithmetic-geometric means of those of segments",
    "best": "shares of segments on which no other system scores better",
}
# what a shell completes, where it is found
METRIC_NAMES, RANKER_NAMES, MEASURE_NAMES = (
    "tercet.metrics:METRICS",
    "tercet.ranking:RANKERS",
    "tercet.agreeing:MEASURES",
)
_PACKED = (".gz", ".zst")
_SUFFIXES = (*_PACKED, ".txt", ".sgm", ".sgml", ".xml")


def name_systems(arguments: Sequence[str], suffixes: Sequence[str] = _SUFFIXES) -> dict[str, pathlib.Path]:
    """Names of systems from the command line: what stands before =, or the file's name without its suffix.

    >>> name_systems(["base=a.txt", "base=b.txt", "out/new.txt"])
    {'base#1': PosixPath('a.txt'), 'base#2': PosixPath('b.txt'), 'new': PosixPath('out/new.txt')}
    """
    named: dict[str, list[pathlib.Path]] = {}
    for argument in arguments:
        name, equals, file = argument.partition("=")
        if not equals or not file or os.path.exists(argument):
            file, name = argument, _stem(argument, suffixes)
            if pathlib.Path(file) in named.get(name, []) or argument in named:
                raise InputError(f"{argument} is named twice.", hint="Leave it out, or write NAME=FILE for a run.")
            if name in named:
                name = argument  # two files of one name in two folders: their paths tell them apart
        named.setdefault(name, []).append(pathlib.Path(file))
    out = {}
    for name, files in named.items():
        for run, path in enumerate(files, 1):
            out[name if len(files) == 1 else f"{name}#{run}"] = path
    return out


def _stem(file: str, suffixes: Sequence[str]) -> str:
    name = pathlib.Path(file).name
    for suffix in suffixes:
        name = name.removesuffix(suffix)
    return "stdin" if file == "-" else name.replace("#", "_") or file  # a # would make it a run


def expect(progress: Progress | None, what: str, total: int) -> None:
    """Say how much of something there will be, to a listener that can show it: one with a method `expect`."""
    told = getattr(progress, "expect", None)
    if told is not None:
        told(what, total)


def say(progress: Progress | None, sentence: str) -> None:
    """Something that who waits may want to know, to a listener that can show it: one with a method `say`."""
    told = getattr(progress, "say", None)
    if told is not None and sentence:
        told(sentence)


def suffix_of(path: str | pathlib.Path | None) -> str:
    """What the name of a file ends in, packed or not.

    >>> suffix_of(pathlib.Path("scores.CSV.gz")), suffix_of(pathlib.Path("/dev/stdout"))
    ('.csv', '')
    """
    if path is None:
        return ""
    name = pathlib.Path(pathlib.Path(path).name.lower())
    return (name.with_suffix("") if name.suffix in _PACKED else name).suffix


def require_folder_name(path: str | pathlib.Path, what: str) -> None:
    """Refuse the name of a file where a folder is written."""
    suffix = suffix_of(path)
    file = str(path) == "-" or (suffix and suffix in (*BY_SUFFIX, *PICTURES))
    if file and not os.path.isdir(path):
        raise InputError(f"{path} names a file, and {what} is a folder of files.", hint="Name a folder with -o.")


def worker_threads(threads: int | None = None) -> int:
    """The threads that were asked for, or as many as this process may run on."""
    if threads is not None:
        if type(threads) is not int or threads < 1:
            raise InputError(f"threads must be 1 or more, not {threads!r}.", hint="Leave it out for all cores.")
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class OfPair(Options):
    """Which language pair is meant."""

    pair: str | None = setting(None, "Language pair, where a file or folder has several.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class TestSetRead(Options):
    """How a test set is read."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    testset_format: str | None = setting(None, "Format of the test set, where its name does not tell: see tercet list.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class TestSetFiles(TestSetRead, OfPair):
    """One test set, and how it is read."""

    __test__ = False  # not a test, whatever pytest thinks of the name
    needs: ClassVar[Mapping[str, Needs]] = {"testset_format": Needs({"testset": ANY})}

    testset: TestSetGiven | None = setting(
        None, "Instead: one table (TSV, Parquet), XML file or mt-metrics-eval folder.", "-t", "--testset"
    )


@dataclasses.dataclass(frozen=True)
class TextOptions(TestSetFiles):
    """Translations and what belongs to them: lists, files (`pathlib.Path`), or one test set."""

    needs: ClassVar[Mapping[str, Needs]] = {"num_refs": Needs({"references": ANY})}
    hypotheses: Hypotheses | None = setting(
        None,
        "Translations, a file a system: FILE or NAME=FILE, - for standard input. "
        "A name given again is another run of that system.",
        argument="HYP...",
        read=name_systems,
    )
    references: References | None = setting(
        None, "Reference file; several for several references.", "-r", "--reference"
    )
    _: dataclasses.KW_ONLY
    sources: Lines | None = setting(None, "Source file.", "-s", "--source")
    documents: Lines | None = setting(None, "File with the document of each segment.")
    num_refs: int = setting(1, "References a line of the file holds, separated by tabs.", least=1)
    max_tokens: int | None = setting(
        None, "Refuse a segment that has more words, between spaces, in any of its texts. Default: no limit.", least=1
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Seeded(Options):
    seed: int = setting(12345, "Seed of the draws.", least=0)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Samples(Seeded):
    """How often to draw, and from which seed."""

    samples: int = setting(1000, "Bootstrap resamples.", least=40)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Trials(Seeded):
    """How often to exchange, and from which seed."""

    trials: int = setting(10_000, "Trials of the randomisation test.", least=1)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Heard(Options):
    """Who hears of the work."""

    progress: Progress | None = setting(None, "Called with what is being done, and how much more.", shell=False)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Threads(Options):
    """Who does the work."""

    threads: int | None = setting(None, "Threads; all cores otherwise.", least=1, most=1_000_000)

    @property
    def workers(self) -> int:
        """The threads that were asked for, or as many as there are cores."""
        return worker_threads(self.threads)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Aggregating(Options):
    """How scores of segments become that of a system."""

    aggregate: Aggregate | None = setting(
        None, "Make the score of a system of those of its segments; best: the share on which none is better."
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Reading(Options):
    """What metrics that read with an encoder leave behind."""

    cache: pathlib.Path | None = setting(None, "Folder in which vectors of encoders are kept between runs.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Engined(Options):
    """Where the work is done."""

    engine: str = setting(
        "threads", "Where segments are counted: threads, processes:N, dask://HOST:PORT or dask+tls://HOST:PORT."
    )
    trusted_network: bool = setting(
        False, "Use Dask on other machines without TLS: who reaches its ports can run programs there."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.engine.startswith("dask://"):
            self.refuse_idle({"trusted_network": "without engine dask://"})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Workers(Threads, Heard):
    """Who does the work, and who hears of it."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Testing(Samples, Trials, Workers):
    """Tests of systems against each other."""

    __test__ = False  # not a test, whatever pytest thinks of the name
    needs: ClassVar[Mapping[str, Needs]] = {"trials": Needs({"paired": ("randomization",)})}

    paired: PairedOrClassical | None = setting(
        None, "Test every system against the baseline; wilcoxon and t are tests of segment scores."
    )
    baseline: Baseline | None = setting(None, "Name of the baseline; the first system otherwise.")
    unit: Drawn = setting("segment", "What is drawn or exchanged.")
    correction: Correction | None = setting(
        None, "Adjust p-values for the number of tests. Default: holm, where there are several."
    )

    @property
    def adjusts(self) -> Correction:
        """The correction that was asked for, or the usual one."""
        return self.correction or "holm"

    @property
    def drawn(self) -> tuple[int, str]:
        """How often the paired test draws, and the option that says so; resamples if none is named."""
        return (self.trials, "--trials") if self.paired == "randomization" else (self.samples, "--samples")

    def assumed(self, *, documents: bool) -> tuple[str, ...]:
        """What is said of tests and intervals by segments where documents have several of them."""
        if self.unit != "segment" or not documents:
            return ()
        return ("Segments are taken as independent; if those of a document are alike, use --unit document.",)

    def facts(self, nrefs: str, *, intervals: bool, tests: int, several_runs: bool = False) -> dict[str, Any]:
        """What a signature says of references, draws and so many tests."""
        facts: dict[str, Any] = {"nrefs": nrefs}
        if intervals or self.paired == "bootstrap" or (self.paired and several_runs):
            facts["bs"] = self.samples
        if self.paired == "randomization":
            facts["ar"] = self.trials
        if facts.keys() & {"bs", "ar"}:
            facts["seed"] = self.seed
        if intervals or self.paired:
            facts["unit"] = self.unit
        if self.paired in ("wilcoxon", "t"):
            facts["test"] = self.paired
        if self.paired and self.baseline is not None:
            facts["baseline"] = self.baseline
        if self.paired and tests > 1:
            facts["correction"] = self.adjusts
        return facts


@dataclasses.dataclass(frozen=True, kw_only=True)
class Resampling(Testing):
    """The same, as we do it or as sacreBLEU does."""

    compat: bool = setting(False, "sacreBLEU's intervals and p-values to the last digit, quirks included.")

    @property
    def adjusts(self) -> Correction:
        """sacreBLEU corrects nothing unless that was asked for."""
        return "none" if self.compat and self.correction is None else super().adjusts

    def facts(self, nrefs: str, *, intervals: bool, tests: int, several_runs: bool = False) -> dict[str, Any]:
        """With the program whose numbers these are."""
        facts = super().facts(nrefs, intervals=intervals, tests=tests, several_runs=several_runs)
        return facts | ({"compat": "sacrebleu-2.6"} if self.compat and (intervals or self.paired) else {})
