"""Options of the verbs that look at human judgements."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from tercet.errors import InputError
from tercet.options import Options, about, setting
from tercet.options.groups import RANKER_NAMES, OfPair, Samples, Seeded, TestSetGiven, TestSetRead, Workers
from tercet.options.needs import ANY, Needs

Unit: TypeAlias = Literal["pair", "task", "segment"]
OnSkip: TypeAlias = Literal["task", "pair"]
Weighting: TypeAlias = Literal["none", "linear", "quadratic"]
KappaKind: TypeAlias = Literal["wmt", "cohen", "fleiss"]

if TYPE_CHECKING:
    from tercet.data import Judgements
    from tercet.ranking.base import Ranker

    JudgementsGiven: TypeAlias = Judgements | str | pathlib.Path
    JudgementsOrBeliefs: TypeAlias = JudgementsGiven | Mapping[str, tuple[float, float]]
    RankerGiven: TypeAlias = str | Ranker
    Rankers: TypeAlias = Sequence[str | Ranker]
    OneOrMoreRankers: TypeAlias = RankerGiven | list[RankerGiven] | list[str] | tuple[RankerGiven, ...]
    NameMap: TypeAlias = Mapping[str, str]
    Order: TypeAlias = Sequence[str]
else:  # what a shell gives
    JudgementsGiven = JudgementsOrBeliefs = pathlib.Path
    RankerGiven = str
    Rankers = OneOrMoreRankers = NameMap = Order = list[str]

USUAL_RANKERS = ("expected-wins", "hopkins-may", "trueskill")
_FILE = "File of judgements, - for standard input."


def mapped(pairs: Sequence[str]) -> dict[str, str]:
    """NAME=OTHER, several times, as a map.

    >>> mapped(["a.1=a", "b=B"])
    {'a.1': 'a', 'b': 'B'}
    """
    names: dict[str, str] = {}
    for pair in pairs:
        old, equals, new = pair.partition("=")
        if not equals or not old or not new:
            raise InputError(f"{pair!r} is no map of names.", hint="Write --name JUDGED=SYSTEM.")
        if old in names:
            raise InputError(f"{old} is mapped twice.", hint="Leave one of them out.")
        names[old] = new
    return names


def one_or_all(words: Sequence[str]) -> str | list[str]:
    """A word that was given once, as it is; several as a list.

    >>> one_or_all(["da"]), one_or_all(["trueskill", "others"])
    ('da', ['trueskill', 'others'])
    """
    return words[0] if len(words) == 1 else list(words)


@dataclasses.dataclass(frozen=True, kw_only=True)
class JudgementsRead(OfPair):
    """How a file of judgements is read."""

    judgements_format: str | None = setting(None, "Format of the judgements, where it cannot be told: see tercet list.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Renamed(Options):
    """Names that systems shall have."""

    names: NameMap | None = setting(
        None, "JUDGED=SYSTEM: another name for a system; several times.", "--name", read=mapped
    )


@dataclasses.dataclass(frozen=True)
class Judged(JudgementsRead):
    """Judgements, or the file of them."""

    judgements: JudgementsGiven = dataclasses.field(metadata=about(_FILE, argument="JUDGEMENTS"))


@dataclasses.dataclass(frozen=True)
class Named(Judged, Renamed, TestSetRead):
    """Judgements of systems, under the names that they shall have."""

    needs: ClassVar[Mapping[str, Needs]] = {"testset_format": Needs({"testset": ANY})}
    _: dataclasses.KW_ONLY
    testset: TestSetGiven | None = setting(None, "Test set whose names the systems shall have.", "-t", "--testset")


@dataclasses.dataclass(frozen=True, kw_only=True)
class RankedOutputs(Options):
    on_skip: OnSkip = setting("task", "What an output without a rank takes with it.")
    references: bool = setting(False, "References among the systems take part, too.")


USUAL = RankedOutputs()


@dataclasses.dataclass(frozen=True, kw_only=True)
class JudgementSamples(Seeded):
    """How often judgements are drawn."""

    samples: int = setting(1000, "Resamples, or runs of TrueSkill.", least=1)


@dataclasses.dataclass(frozen=True, kw_only=True)
class JudgementDraws(JudgementSamples, Workers):
    """How often judgements are drawn, and by whom."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class RankRanges(Options):
    """How wide rank ranges are."""

    confidence: float = setting(0.95, "Share of the resamples that a rank range spans.", above=0, below=1)


@dataclasses.dataclass(frozen=True)
class RankOptions(Named, RankedOutputs, JudgementDraws, RankRanges):
    """What `rank` takes."""

    _: dataclasses.KW_ONLY
    method: OneOrMoreRankers | None = setting(
        None,
        "Ranker: trueskill for rankings, da, mqm or esa for others if none is named; several to see them side by side.",
        "-m",
        "--method",
        names=RANKER_NAMES,
        read=one_or_all,
    )
    unit: Unit | None = setting(
        None,
        "What is drawn: a segment with all its judgements, a task, or a pair of systems in it. Judgements of one "
        "segment hang together, so that ranges from pairs, as WMT13 to WMT16 drew them, are too narrow.",
    )
    compat: bool = setting(False, "Draw pairs, divide clusters and test as the scripts of WMT14 to WMT16 do.")


@dataclasses.dataclass(frozen=True)
class HeadToHeadOptions(Named, RankedOutputs):
    """What `head_to_head` takes."""

    _: dataclasses.KW_ONLY
    compat: bool = setting(False, "Sign tests of judgements, as WMT14 published them, not of segments.")
    order: Order | None = setting(None, "Systems in this order; otherwise that of their names.")


@dataclasses.dataclass(frozen=True)
class ChooseOptions(Judged, RankedOutputs, Seeded, Workers):
    """What `choose` takes."""

    _: dataclasses.KW_ONLY
    methods: Rankers = setting(USUAL_RANKERS, "Ranker; several times.", "-m", "--method", names=RANKER_NAMES)
    folds: int = setting(100, "Parts that are held out in turn.", least=2)


@dataclasses.dataclass(frozen=True)
class PlanOptions(JudgementsRead, RankRanges, Seeded, Workers):
    """What `plan` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {
        **dict.fromkeys(("systems", "gap", "ties"), Needs(beside={"judgements": ANY})),
        **dict.fromkeys(("judgements_format", "pair"), Needs({"judgements": ANY})),
    }
    judgements: JudgementsGiven | None = setting(
        None, "Judgements of a pilot, from which abilities and ties are estimated.", argument="JUDGEMENTS"
    )
    _: dataclasses.KW_ONLY
    systems: int = setting(2, "How many systems, if there is no pilot.", least=2, most=1000)
    gap: float = setting(0.05, "Each wins .5 + gap against the next; for da, deviations of a score.", above=0)
    method: RankerGiven = setting("expected-wins", "Ranker, with its clusters.", "-m", "--method", names=RANKER_NAMES)
    budget: int = setting(10_000, "The most judgements (pairs of systems, or scores) that there could be.", least=10)
    ties: float = setting(0.25, "Share of ties between equals.", least=0, below=1)
    size: int = setting(5, "Systems in a task.", least=2)
    campaigns: int = setting(100, "Campaigns that are simulated of each size.", least=1)
    samples: int = setting(200, "Resamples of each campaign.", least=1)
    power: float = setting(0.8, "Share of campaigns that must separate.", above=0, most=1)


@dataclasses.dataclass(frozen=True)
class ProposeOptions(JudgementsRead, Seeded):
    """What `propose_next` takes."""

    judgements: JudgementsOrBeliefs = dataclasses.field(
        metadata=about("Rankings, their file, or what is believed of each system: mean and variance.", argument="FILE")
    )
    n: int | None = setting(None, "How many systems; five, or all if there are fewer, otherwise.", least=2)


@dataclasses.dataclass(frozen=True)
class AnnotatorsOptions(Judged):
    """What `annotators` takes."""

    _: dataclasses.KW_ONLY
    weights: str | None = setting(None, "Weights of errors, as in mqm(weights=...); MQM's if none are given.")


@dataclasses.dataclass(frozen=True)
class AnnotatorPageOptions(AnnotatorsOptions):
    """What `annotator_page` takes."""

    judge: str = dataclasses.field(metadata=about("Name of the judge.", argument="JUDGE"))


@dataclasses.dataclass(frozen=True)
class AgreementOptions(AnnotatorsOptions, Samples):
    """What `agreement` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {
        **dict.fromkeys(("samples", "seed"), Needs({"ci": (True,)})),
        "groups": Needs({"by": ("groups",)}),
        "weighting": Needs({"kappa": ("cohen", "fleiss")}),
    }
    _: dataclasses.KW_ONLY
    compat: bool = setting(False, "The kappas of the WMT findings to the last digit, quirks included.")
    expand: bool = setting(False, "Every system by itself, also where several share an output: kappa is too high.")
    kappa: KappaKind = setting(
        "wmt", "What chance knows: the share of ties (WMT), or how often labels were given by each judge, or by all."
    )
    weighting: Weighting = setting("none", "Disagreement by how far labels lie apart, for cohen and fleiss.")
    by: Literal["all", "groups", "judges"] = setting(
        "all", "Kappa of all judges, inside and between groups, or of every two."
    )
    groups: NameMap | None = setting(
        None, "GROUP=PATTERN: the judges whose names fit, as in crowd='turker*'; several times.", "--group", read=mapped
    )
    on_skip: OnSkip = setting("pair", "What an output without a rank takes with it.")
    references: bool = setting(True, "Whether references among the systems count.", "--references/--no-references")
    ci: bool = setting(False, "95 % intervals: segments are drawn, each with all that was said of it.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.compat and not self.plain:
            raise InputError(
                "compat is the kappa of the WMT findings, over all judges.", hint="Leave out kappa, weighting and by."
            )

    @property
    def plain(self) -> bool:
        """Whether kappa is that of WMT, over all judges."""
        return self.kappa == "wmt" and self.by == "all"
