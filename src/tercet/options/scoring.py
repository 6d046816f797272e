"""Options of the verbs that score texts."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeAlias

from tercet.errors import InputError
from tercet.options import Options, about, setting
from tercet.options.groups import (
    DEFAULT_METRICS,
    METRIC_NAMES,
    Aggregating,
    Baseline,
    Engined,
    File,
    Files,
    Hypotheses,
    Lines,
    MetricGiven,
    Metrics,
    Names,
    Paired,
    Reading,
    Resampling,
    Testing,
    TestSetFiles,
    TextOptions,
    TextOrTexts,
    Workers,
    name_systems,
)
from tercet.options.needs import ANY, Needs

MOST_SHARDS = 1 << 20
Level: TypeAlias = Literal["corpus", "document", "segment"]
Drawing: TypeAlias = Literal["whole", "streamed"]


@dataclasses.dataclass(frozen=True)
class ScoreOptions(TextOptions, Resampling, Aggregating, Reading, Engined):
    """What `score` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {
        **dict.fromkeys(("samples", "seed", "unit", "compat"), Needs({"ci": (True,), "paired": ANY})),
        **dict.fromkeys(("baseline", "correction"), Needs({"paired": ANY})),
        "resampling": Needs(
            {"ci": (True,), "paired": ANY},
            beside={"unit": ("document",), "paired": ("wilcoxon", "t"), "compat": (True,), "aggregate": ANY},
        ),
        "aggregate": Needs({"level": ("corpus",)}, beside={"unit": ("document",), "paired": ("wilcoxon", "t")}),
    }
    _: dataclasses.KW_ONLY
    metrics: Metrics = setting(DEFAULT_METRICS, "Metric spec; several times.", "-m", "--metric", names=METRIC_NAMES)
    level: Level = setting("corpus", "What gets a score.")
    ci: bool = setting(False, "95 % bootstrap intervals.")
    resampling: Drawing = setting(
        "whole",
        "How segments are drawn: from all of them, which are held; or block by block as they are read, each by itself.",
    )
    resume: pathlib.Path | None = setting(
        None, "Folder in which blocks that are counted are kept; those that are there are not counted again."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resamples and self.level != "corpus":
            raise InputError(
                f"Intervals and tests are made for the whole test set, not for each {self.level}.",
                hint="Leave out --level, or leave out --ci and --paired.",
            )
        if self.aggregate == "median" and self.resamples:
            raise InputError(
                "A median is not made of sums, so that it has neither intervals nor paired tests.",
                hint="Leave out --ci and --paired, or aggregate by another mean.",
            )
        if self.aggregate is not None and self.compat:
            raise InputError("sacreBLEU has no aggregate to be like.", hint="Leave out --compat, or --aggregate.")
        if self.compat and self.paired in ("wilcoxon", "t"):
            raise InputError(
                f"sacreBLEU has no test {self.paired} to be like.", hint="Leave out --compat, or --paired."
            )

    def facts(self, nrefs: str, *, intervals: bool, tests: int, several_runs: bool = False) -> dict[str, Any]:
        """With what the scores of systems are made of, where that is not the metric's own way."""
        facts = super().facts(nrefs, intervals=intervals, tests=tests, several_runs=several_runs)
        facts |= {} if self.aggregate is None else {"aggregate": self.aggregate}
        return facts | ({} if self.resampling == "whole" else {"resampling": self.resampling})

    @property
    def resamples(self) -> bool:
        """Whether anything is drawn."""
        return self.ci or self.paired is not None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sharded(Options):
    """Which part of the work is done."""

    shard: str | None = setting(
        None, "Count this shard alone, say 3/64, into the file of -o; tercet merge makes the answer of all of them."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.checked(self.shard)

    @staticmethod
    def checked(shard: str | None) -> tuple[int, int]:
        """Which shard, from 1, of how many; the only one if none is named."""
        number, slash, shards = (shard or "1/1").partition("/")
        fine = slash and all(n.isascii() and n.isdecimal() and len(n) < 9 for n in (number, shards))
        if not fine or not 1 <= int(number) <= int(shards) <= MOST_SHARDS:
            raise InputError(
                f"shard must be its number and how many there are, not {shard!r}.",
                hint=f"The third of 64 is 3/64, the first 1/64; there may be {MOST_SHARDS}.",
            )
        return int(number), int(shards)


@dataclasses.dataclass(frozen=True)
class ShardOptions(ScoreOptions, Sharded):
    """What `score_shard` takes."""

    _: dataclasses.KW_ONLY
    part: File = dataclasses.field(metadata=about("File that the shard is written to.", shell=False))


@dataclasses.dataclass(frozen=True)
class MergeOptions(Workers):
    """What `merge` takes."""

    parts: Files = dataclasses.field(
        metadata=about("Shards of one score, all of them, in any order.", argument="PART...")
    )


@dataclasses.dataclass(frozen=True)
class CompareOptions(TextOptions, Testing, Reading, Engined):
    """What `compare` takes."""

    hypotheses: Hypotheses | None = setting(
        None,
        "Translations, a file a system: FILE or NAME=FILE, - for standard input. The first is the baseline.",
        argument="HYP...",
        read=name_systems,
    )
    _: dataclasses.KW_ONLY
    facets: Names = setting((), "Column of the test set that is no system but cuts it in parts; several.", "--facet")
    metrics: Metrics = setting(
        DEFAULT_METRICS,
        "Metric spec; several times. The first orders segments and cuts by difficulty.",
        "-m",
        "--metric",
        names=METRIC_NAMES,
    )
    baseline: Baseline | None = setting(None, "Name of the baseline, or an earlier run: the file of -f json.")
    paired: Paired = setting("bootstrap", "Test of every two systems.")
    corpus: Lines | None = setting(None, "Text in which frequencies of words are counted; the references otherwise.")
    tokenize: str | None = setting(None, "Tokenizer of what is counted in words. Default: intl, or zh without spaces.")


@dataclasses.dataclass(frozen=True)
class ExplainOptions(TestSetFiles):
    """What `explain` takes."""

    metric: MetricGiven = dataclasses.field(
        metadata=about("The metric, as in tercet list.", argument="SPEC", names=METRIC_NAMES)
    )
    hypotheses: TextOrTexts | None = setting(
        None, "The hypothesis itself, or its file; a second one stands beside the first.", "--hyp", "--hyp2"
    )
    references: TextOrTexts | None = setting(
        None, "The reference itself, or its file; several times for several references.", "--ref"
    )
    _: dataclasses.KW_ONLY
    source: str | None = setting(None, "The source, or its file.")
    segment: str | None = setting(None, "The segment of the test set, by its id; of files, the number of the line.")
    systems: TextOrTexts | None = setting(None, "A system of the test set; twice for two side by side.", "--system")
