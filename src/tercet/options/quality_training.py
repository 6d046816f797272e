"""Options of `qe train`, `qe predict` and `qe decide`."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from tercet.errors import InputError
from tercet.numbers import plain
from tercet.options import Options, about, setting
from tercet.options.groups import Engined, Seeded, Workers, name_systems, require_folder_name
from tercet.options.needs import ANY, Needs
from tercet.options.quality import Granularity, LabelDirection, NumberKind
from tercet.options.training import TokensOfBothSides

LearnerName: TypeAlias = Literal["svr", "ridge", "pls", "extra-trees", "gradient-boosting", "gaussian-process"]
WordLearner: TypeAlias = Literal["crf", "forest"]
Selection: TypeAlias = Literal["none", "forward"]
Among: TypeAlias = Literal["all", "published"]

if TYPE_CHECKING:
    from collections.abc import Sequence

    File: TypeAlias = str | pathlib.Path
    TextsGiven: TypeAlias = File | Sequence[str]
    LabelsOfText: TypeAlias = File | Sequence[float] | Sequence[str]
    Names: TypeAlias = Sequence[str]
    Learners: TypeAlias = Sequence[LearnerName]
    OtherSystems: TypeAlias = Mapping[str, TextsGiven]
else:  # what a shell gives
    File = TextsGiven = LabelsOfText = pathlib.Path
    Names = OtherSystems = Learners = list[str]


@dataclasses.dataclass(frozen=True)
class SourceAndTarget(Options):
    """What was translated, and its translation."""

    source: TextsGiven = dataclasses.field(metadata=about("Source file, a segment a line.", "-s", "--source"))
    target: TextsGiven = dataclasses.field(metadata=about("Its translation, line by line.", "-t", "--target"))


@dataclasses.dataclass(frozen=True)
class ModelNamed(Options):
    """A model that was trained, and what it wants beside the texts."""

    model: File = dataclasses.field(metadata=about("Folder of a trained model.", argument="MODEL"))
    _: dataclasses.KW_ONLY
    others: OtherSystems | None = setting(
        None, "Other systems' translations, as in training, NAME=FILE; several times.", "--other", read=name_systems
    )


@dataclasses.dataclass(frozen=True)
class QeTrainOptions(LabelDirection, TokensOfBothSides, Seeded, Workers):
    """What `qe_train` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {
        **dict.fromkeys(("word_learner", "gaps"), Needs({"level": ("word",)})),
        **dict.fromkeys(
            ("higher", "features", "others", "learners", "selection", "folds", "encoder"),
            Needs({"level": ("sentence",)}),
        ),
        "minimum": Needs({"source_corpus": ANY}, beside={"frequencies": ANY}),
    }
    source: TextsGiven | None = setting(None, "Source file, a segment a line; a campaign has it.", "-s", "--source")
    target: TextsGiven | None = setting(None, "Its translation, line by line.", "-t", "--target")
    _: dataclasses.KW_ONLY
    labels: LabelsOfText = dataclasses.field(
        metadata=about(
            "True labels: a number a line, or tags of the words of each line; or a campaign with the texts, its file "
            "or URL.",
            "-l",
            "--labels",
        )
    )
    model: File = dataclasses.field(metadata=about("Folder for the model.", "-o", "--output"))
    level: Literal["sentence", "word"] = setting("sentence", "What the labels are of.")
    kind: NumberKind | None = setting(
        None, "What the labels are, so that no interval leaves their range; of a campaign, which of them to learn."
    )
    least: float | None = setting(None, "Lowest label that there can be, for labels of no such kind.")
    most: float | None = setting(None, "Highest label that there can be.")
    system: str | None = setting(None, "System of a campaign to learn from; all otherwise.")
    features: Names = setting(
        ("full",),
        "Features: baseline17, quest17, surface, full, or specs; several times.",
        "-F",
        "--features",
        read=tuple,
    )
    others: OtherSystems | None = setting(
        None, "Other systems' translations for consensus, NAME=FILE; several times.", "--other", read=name_systems
    )
    source_corpus: File | None = setting(None, "Source side of a parallel corpus, to train resources on.")
    target_corpus: File | None = setting(None, "Its target side.")
    source_lm: File | None = setting(None, "ARPA file of the source language, in place of training one.")
    target_lm: File | None = setting(None, "ARPA file of the target language.")
    lexicon: File | None = setting(None, "Table of word translations, source to target, of tercet train ibm1.")
    frequencies: File | None = setting(None, "Frequencies of source n-grams, of tercet train frequencies.")
    encoder: str | None = setting(
        None, "Encoder of both languages, its folder: how near it finds source and translation counts, too."
    )
    minimum: int = setting(2, "Source n-grams that occur no more often than this count as unseen.", least=0)
    learners: Learners = setting(
        ("ridge", "svr", "extra-trees"), "Learner to try; several times, and the best is kept.", "--learner", read=tuple
    )
    word_learner: WordLearner = setting("crf", "Learner of tags: a linear chain, or a forest with a tuned threshold.")
    gaps: bool = setting(False, "Tags are gap, word, gap, ..., gap: learn where words are missing, too.", "--gaps")
    selection: Selection = setting("none", "Choose among the features, one after the other, by cross-validation.")
    folds: int = setting(5, "Parts of the cross-validation; a source sentence is in one of them.", least=2, most=100)
    calibration: float = setting(
        0.25, "Share of the source sentences that are held out for intervals and decisions.", above=0, below=1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.least is not None and self.most is not None and not self.least < self.most:
            raise InputError(
                f"Labels from {plain(self.least)} to {plain(self.most)} are none.", hint="Exchange least and most."
            )
        require_folder_name(self.model, "a model")


@dataclasses.dataclass(frozen=True)
class QePredictOptions(SourceAndTarget, ModelNamed, Workers, Engined):
    """What `qe_predict` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {"typology": Needs({"granularity": ("level1",)})}
    _: dataclasses.KW_ONLY
    coverage: float = setting(0.9, "Probability with which an interval holds the true label.", above=0, below=1)
    why: int = setting(3, "How many of the features that moved a score are named; 0 is faster.", least=0, most=100)
    words: File | None = setting(None, "Folder of a model of words, beside one of sentences: its tags are given, too.")
    granularity: Granularity = setting("given", "Tags as they were learnt, or coarser ones derived from them.")
    typology: File | None = setting(None, "Tree of error types as JSON, to derive tags by; the one of WMT14 otherwise.")


@dataclasses.dataclass(frozen=True)
class QeDecideOptions(ModelNamed, Workers):
    """What `qe_decide` takes."""

    needs: ClassVar[Mapping[str, Needs]] = {
        "delta": Needs({"among": ("published",)}),
        "others": Needs({"target": ANY}),
    }
    _: dataclasses.KW_ONLY
    risk: float = setting(0.05, "Share of segments that may wrongly be published, or edited lightly.", above=0, below=1)
    among: Among = setting("all", "The share is of all segments, or of those that are published.")
    delta: float = setting(0.1, "With published: probability that the promise fails for bad luck.", above=0, below=1)
    good: float | None = setting(None, "Label up to which a translation may be published; a third of them otherwise.")
    light: float | None = setting(None, "Label up to which a light edit will do; two thirds otherwise.")
    light_cost: float = setting(1.0, "Cost of a light edit.", least=0)
    full_cost: float = setting(3.0, "Cost of a full edit.", least=0)
    error_cost: float = setting(10.0, "Cost of publishing a translation that is not good.", least=0)
    source: TextsGiven | None = setting(None, "Sources of segments to decide on.", "-s", "--source")
    target: TextsGiven | None = setting(None, "Their translations.", "-t", "--target")
