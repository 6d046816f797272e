"""Options of `qe evaluate` and `qe labels`; those of training and prediction are in `quality_training`."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from tercet.options import Options, about, setting
from tercet.options.groups import Samples, Workers, name_systems
from tercet.options.needs import Needs

QualityLevel: TypeAlias = Literal["sentence", "word", "span"]
Granularity: TypeAlias = Literal["given", "binary", "level1"]
Order: TypeAlias = Literal["submitted", "score"]

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tercet.data import Array, Judgements
    from tercet.data.quality import SentenceLabels, SpanLabels, WordTags

    File: TypeAlias = str | pathlib.Path
    LabelsGiven: TypeAlias = File | SentenceLabels | WordTags | SpanLabels
    Predictions: TypeAlias = Mapping[str, LabelsGiven | Sequence[float] | Array]
    Gold: TypeAlias = LabelsGiven | Sequence[float] | Array
    Replacements: TypeAlias = Mapping[str, str]
    Texts: TypeAlias = Sequence[str] | pathlib.Path
    Times: TypeAlias = Sequence[float] | pathlib.Path
    JudgedGiven: TypeAlias = Judgements | File
    Bounds: TypeAlias = Sequence[float]
else:  # what a shell gives
    Predictions = Replacements = list[str]
    Gold = File = Texts = Times = JudgedGiven = pathlib.Path
    Bounds = list[float]

LabelKind: TypeAlias = Literal["hter", "tags", "gap-tags", "effort", "time", "score", "mqm", "spans", "error-free"]
NumberKind: TypeAlias = Literal["hter", "effort", "time", "score", "mqm", "error-free"]
EFFORT_BOUNDS = (0.0, 0.3)
_SUFFIXES = (".gz", ".zst", ".txt", ".tsv", ".csv", ".tags", ".jsonl")
MOST_SAMPLES = 1_000_000
USED_AT: dict[QualityLevel, tuple[str, ...]] = {  # options that move what is measured at a level, and not at all levels
    "sentence": ("higher", "scale", "order", "compat", "training"),
    "word": ("gaps", "target", "granularity", "typology", "replace", "training"),
    "span": (),
}


def name_predictions(arguments: Sequence[str]) -> dict[str, pathlib.Path]:
    """Names of submissions from the command line: what stands before =, or the file's name without its suffix."""
    return name_systems(arguments, _SUFFIXES)


def read_replacements(words: Sequence[str]) -> dict[str, str]:
    """Tags and what they become, from OLD=NEW.

    >>> read_replacements(["GOOD=OK", "Terminology=Accuracy"])
    {'GOOD': 'OK', 'Terminology': 'Accuracy'}
    """
    from tercet.errors import InputError

    pairs = [word.partition("=") for word in words]
    for word, (old, equals, new) in zip(words, pairs, strict=True):
        if not (old and equals and new):
            raise InputError(f"{word!r} does not say which tag becomes which.", hint="Write OLD=NEW, as GOOD=OK.")
    return {old: new for old, _, new in pairs}


@dataclasses.dataclass(frozen=True, kw_only=True)
class LabelDirection(Options):
    """Which end of the labels is the good one."""

    higher: bool = setting(
        False, "Labels are better the higher they are; otherwise the lower, as HTER.", "--higher/--lower"
    )


@dataclasses.dataclass(frozen=True)
class EvaluateOptions(LabelDirection, Samples, Workers):
    """What `qe evaluate` takes."""

    predictions: Predictions = dataclasses.field(
        metadata=about(
            "Submissions or predictions, a file a system: FILE or NAME=FILE; a file may hold several systems.",
            argument="PREDICTIONS...",
            read=name_predictions,
        )
    )
    gold: Gold = dataclasses.field(
        metadata=about("File with the true labels; or a campaign, its file or URL.", "-g", "--gold")
    )
    _: dataclasses.KW_ONLY
    level: QualityLevel | None = setting(None, "What was predicted; the gold file tells otherwise.")
    kind: NumberKind | None = setting(
        None, "Which labels of sentences are made of a campaign: hter of post-edits, otherwise score, or mqm."
    )
    system: str | None = setting(None, "System whose labels are wanted, where several of a campaign were judged.")
    scale: float = setting(1.0, "Factor of all labels: 100 for HTER as a percentage, 0.001 for seconds.", above=0)
    order: Order = setting("submitted", "Rank by the submitted ranks where there are some, or always by the scores.")
    compat: bool = setting(
        False, "As the official script of WMT12 to WMT14: errors with two decimals, DeltaAvg without its sign."
    )
    gaps: bool = setting(False, "Lines of tags are gap, word, gap, word, ..., gap.")
    target: File | None = setting(None, "Tokenised translations, to check the numbers of tags against.")
    granularity: Granularity = setting("given", "Tags as they are, or derived from the finest ones.")
    typology: File | None = setting(None, "Tree of error types as JSON; the one of WMT14 otherwise.")
    replace: Replacements | None = setting(
        None, "Tag that counts as another one, OLD=NEW; several times.", "--replace", read=read_replacements
    )
    training: File | None = setting(
        None, "Labels of the training data, whose mean or commonest error is a trivial baseline."
    )
    pair: str | None = setting(None, "Language pair, where a file has several.")
    baseline: str | None = setting(None, "Name of the baseline, to mark what does not differ from it.")
    alpha: float = setting(0.05, "Level of significance.", above=0, below=1)
    samples: int = setting(10_000, "Bootstrap resamples, up to a million.", least=40, most=MOST_SAMPLES)


USED_FOR: dict[LabelKind, tuple[str, ...]] = {  # options that move the labels of a kind
    "hter": ("shifts", "case_sensitive", "capped"),
    "effort": ("shifts", "case_sensitive", "bounds"),
    "tags": ("shifts", "case_sensitive", "granularity", "typology", "system"),
    "gap-tags": ("shifts", "case_sensitive"),
    "time": ("cutoff", "scale"),
    "score": ("system",),
    "mqm": ("typology", "system"),
    "spans": ("system",),
    "error-free": ("threshold", "system"),
}
_MOVE_LABELS = dict.fromkeys(name for used in USED_FOR.values() for name in used if name != "system")


@dataclasses.dataclass(frozen=True)
class LabelsOptions(Options):
    """What `qe labels` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {
        name: Needs({"kind": tuple(kind for kind, used in USED_FOR.items() if name in used)}) for name in _MOVE_LABELS
    }
    kind: LabelKind = dataclasses.field(metadata=about("Which labels to make.", argument="KIND"))
    _: dataclasses.KW_ONLY
    target: Texts | None = setting(None, "Translations, tokenised, a segment a line.", "-t", "--target")
    post_edits: Texts | None = setting(
        None, "The same after post-editing: for hter, tags, gap-tags and effort.", "-p", "--post-edits"
    )
    times: Times | None = setting(None, "Post-editing times, a number a line: for time.")
    judgements: JudgedGiven | None = setting(
        None,
        "Judgements with scores or error spans: for score, mqm, spans, tags and error-free; a campaign has the texts "
        "as well, and of post-editing all that is needed.",
        "-j",
        "--judgements",
    )
    judgements_format: str | None = setting(None, "Their format, where the file does not tell: see tercet list.")
    pair: str | None = setting(None, "Language pair, where the judgements have several.")
    system: str | None = setting(None, "System whose labels are wanted, where several were judged.")
    shifts: bool = setting(
        True, "TER moves words, which then match; without, words out of their place are BAD.", "--shifts/--no-shifts"
    )
    case_sensitive: bool = setting(False, "A word in another case is another word.", "--case-sensitive")
    capped: bool = setting(True, "No HTER above 1.", "--capped/--no-capped")
    bounds: Bounds = setting(EFFORT_BOUNDS, "Highest HTER of each effort class but the last; several times.", "--bound")
    cutoff: float = setting(3.5, "Deviations of the time a word from which on it is an outlier; 0: none is.", least=0)
    scale: float = setting(1.0, "Factor of times: 0.001 makes seconds of milliseconds.", above=0)
    granularity: Granularity = setting("binary", "Tags of error spans: their categories, or coarser.")
    typology: File | None = setting(None, "Tree of error types and weights of severities; those of WMT14 otherwise.")
    threshold: float = setting(85.0, "Lowest score of a translation that is free of errors.", least=0, most=100)
