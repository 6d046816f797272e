"""Models of words: trained on tags, kept in a folder as models of sentences are."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tercet import label_inputs
from tercet.contents import State, state
from tercet.data import Texts
from tercet.data.quality_answers import TrainedQuality
from tercet.errors import InputError
from tercet.formats.qe_words import tag
from tercet.metrics import models
from tercet.numbers import plain
from tercet.options.quality_training import QeTrainOptions
from tercet.quality.learners import selection
from tercet.quality.learners.fitted import LearntFunction
from tercet.quality.model import ARRAYS, MODEL, WORDS, contents, read_arrays, versions, write_arrays
from tercet.quality.tagging import chain, forest
from tercet.quality.tagging.features import NUMBERS, WordResources, WordRows, word_rows
from tercet.quality.tagging.gaps import GAP_NUMBERS, GapRows, gap_rows
from tercet.signing import signature

OK = forest.OK
_SHARED = ("roots", "features", "thresholds", "lefts", "rights")

Tagger = chain.Chain | forest.Forest
TaggedRow = list[tuple[str, float]]  # of each word or gap of a sentence its tag, and the probability that it is wrong


@dataclasses.dataclass(frozen=True, eq=False)
class TaggedSentences:
    """Tags of the words of each sentence, and of its gaps where the model has learnt these."""

    words: list[TaggedRow]
    gaps: list[TaggedRow]


@dataclasses.dataclass(frozen=True, eq=False)
class WordModel:
    """A chain or a forest of words, perhaps one of gaps, and the resources of their features."""

    words: Tagger
    gaps: Tagger | None
    files: WordResources
    facts: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # how it was trained: signature, versions, ...

    def tagged(self, sources: Texts, targets: Texts, threads: int) -> TaggedSentences:
        """Tags of words and gaps."""
        return self.tag_rows(word_rows(sources.strings, targets.strings, self.files, threads), threads)

    def tag_rows(self, rows: WordRows, threads: int) -> TaggedSentences:
        """The same of what was seen of the words."""
        gaps = [] if self.gaps is None else tag_sentences(self.gaps, gap_rows(rows), threads)
        return TaggedSentences(tag_sentences(self.words, rows, threads), gaps)


def tag_sentences(learner: Tagger, rows: WordRows | GapRows, threads: int) -> list[TaggedRow]:
    """Tags of all words, or of all gaps, sentence by sentence."""
    if isinstance(learner, forest.Forest):
        probabilities = learner.probabilities(rows.numbers, threads)
        tags, wrong = learner.best(probabilities), learner.wrong(probabilities).tolist()
        marked = list(zip(tags, wrong, strict=True))
        return [marked[one:other] for one, other in itertools.pairwise(rows.starts.tolist())]
    out = []
    fine = learner.tags.index(OK) if OK in learner.tags else None
    for sentence in range(len(rows.starts) - 1):
        attributes = rows.attributes(sentence)
        probabilities = learner.probabilities(attributes)
        wrong = [1.0] * len(attributes) if fine is None else (1 - probabilities[:, fine]).tolist()
        out.append(list(zip(learner.best(attributes), wrong, strict=True)))
    return out


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class WordTraining(TrainedQuality):
    """A trained model of words, and how well it tags what was held out."""

    model: WordModel


def train_words(
    asked: QeTrainOptions,
    sources: list[str],
    targets: list[str],
    files: dict[str, str],
    folder: pathlib.Path,
    seen: Mapping[str, str],
    warnings: tuple[str, ...],
) -> WordTraining:
    """A model of words in a folder that has its resources."""
    tags, gaps = _tags(asked, targets)
    groups = selection.numbered(sources)
    held = selection.split(groups, asked.calibration, asked.seed)
    if len(targets) < 20 or not {name for row in tags for name in row} - {OK}:
        raise InputError("There are too few sentences with errors to learn from.", hint="Bring more tagged sentences.")
    if gaps and not {name for row in gaps for name in row} - {OK}:
        raise InputError("No gap is tagged as BAD: there is nothing to learn.", hint="Leave --gaps out.")
    resources = WordResources(files.get("target_lm"), files.get("lexicon"), asked.lowercase)
    rows = word_rows(sources, targets, resources, asked.workers)
    of_gaps = _learnt(asked, gap_rows(rows), gaps, held) if gaps else None
    options = {
        "level": "word",
        "learner": asked.word_learner,
        **({"gaps": "true"} if gaps else {}),
        "calibration": plain(asked.calibration),
        "lowercase": str(asked.lowercase).lower(),
        "seed": asked.seed,
    }
    signed, n, n_held = signature("qe-train", options, seen), int((~held).sum()), int(held.sum())
    package = "python-crfsuite" if asked.word_learner == "crf" else "scikit-learn"
    facts = {"training": signed, "versions": versions(package, "numpy"), "sentences": n, "held_out": n_held}
    model = WordModel(_learnt(asked, rows, tags, held), of_gaps, resources, facts)
    save(model, folder)
    tagged = model.tag_rows(rows, asked.workers)
    records = [{"of": "words", **record} for record in _measured(tags, tagged.words, held)]
    records += [{"of": "gaps", **record} for record in _measured(gaps, tagged.gaps, held)] if gaps else []
    notes = (f"{asked.word_learner} on {n} sentences; measured on {n_held} that it has not seen.", *warnings)
    return WordTraining(tuple(records), (), (), signed, notes, model)


def _learnt(
    asked: QeTrainOptions, rows: WordRows | GapRows, tags: Sequence[Sequence[str]], held: np.ndarray[Any, Any]
) -> Tagger:
    inside = np.flatnonzero(~held).tolist()
    if asked.word_learner == "crf":
        return chain.train_chain([rows.attributes(i) for i in inside], [tags[i] for i in inside])
    seen = np.repeat(~held, np.diff(rows.starts))
    flat = np.array([name for row in tags for name in row])
    model = forest.train_classifier(rows.numbers[seen], flat[seen].tolist(), asked.seed)
    made = forest.exported(model)
    wrong = made.wrong(model.oob_decision_function_)  # by the trees that have not seen a word
    return dataclasses.replace(made, threshold=forest.tuned_threshold(wrong, flat[seen] != OK))


Tags = list[tuple[str, ...]]


def _tags(asked: QeTrainOptions, targets: Sequence[str]) -> tuple[Tags, Tags]:
    """Tags of words, and of gaps if there are some."""
    given = asked.labels
    gaps: Tags = []
    if isinstance(given, str | pathlib.Path):
        columns = list(
            label_inputs.word_tags(given, "labels", gaps=asked.gaps and not label_inputs.word_a_line(given)).values()
        )
        if len(columns) != 1 or "mt" not in columns[0].sides:
            raise InputError(f"{given} must have one tag a word of the translation.", hint="Give lines of tags.")
        rows = list(columns[0].sides["mt"].columns[0])
        if asked.gaps and "gap" in columns[0].sides:
            gaps = list(columns[0].sides["gap"].columns[0])
    else:
        rows = [tuple(tag(name) for name in str(row).split()) for row in given]
        if asked.gaps:
            gaps, rows = [row[::2] for row in rows], [row[1::2] for row in rows]
    if asked.gaps and not gaps:
        raise InputError("There are no tags of gaps.", hint="Leave --gaps out, or give lines of tags that have them.")
    if len(rows) != len(targets):
        raise InputError(f"There are tags of {len(rows)} sentences, and {len(targets)} sentences.", hint="Align them.")
    for number, (row, target) in enumerate(zip(rows, targets, strict=True), 1):
        if len(row) != len(target.split()):
            raise InputError(
                f"Line {number} has {len(row)} tags of {len(target.split())} words.",
                hint="Words are parted by white space: give the translation as it was tokenised for the tags.",
            )
        if gaps and len(gaps[number - 1]) != len(row) + 1:
            raise InputError(
                f"Line {number} has {len(gaps[number - 1])} tags of {len(row) + 1} gaps.",
                hint="Write gap, word, gap, ..., gap.",
            )
    return rows, gaps


def _measured(tags: Tags, tagged: list[TaggedRow], held: np.ndarray[Any, Any]) -> list[dict[str, Any]]:
    """Precision, recall and F1 of each tag on what was held out."""
    chosen = np.flatnonzero(held).tolist()
    truth = [name for i in chosen for name in tags[i]]
    guesses = [name for i in chosen for name, _ in tagged[i]]
    pairs = list(zip(truth, guesses, strict=True))
    records = []
    for name in sorted({*truth, *guesses}):
        hits = sum(one == other == name for one, other in pairs)
        guessed, gold = sum(other == name for _, other in pairs), sum(one == name for one, _ in pairs)
        f1 = 2 * hits / (guessed + gold) if guessed + gold else 0.0
        precision, recall = hits / guessed if guessed else 0.0, hits / gold if gold else 0.0
        records.append({"tag": name, "n": gold, "precision": precision, "recall": recall, "f1": f1})
    return records


def save(model: WordModel, folder: pathlib.Path) -> None:
    """Into a folder in which the resources are."""
    content: dict[str, Any] = {"kind": WORDS, "lowercase": model.files.lowercase, "facts": dict(model.facts)}
    content["features"] = {"words": NUMBERS, "gaps": GAP_NUMBERS} if model.gaps is not None else {"words": NUMBERS}
    content["files"] = {
        name: pathlib.Path(path).name
        for name in ("target_lm", "lexicon")
        if (path := getattr(model.files, name)) is not None
    }
    content["checksums"] = {file: models.file_checksum(folder / file) for file in content["files"].values()}
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for side, learner in (("words", model.words), ("gaps", model.gaps)):
        if learner is not None:
            content[side], kept = _as_numbers(learner)
            arrays |= {f"{side}.{name}": np.ascontiguousarray(array) for name, array in kept.items()}
    write_arrays(folder, arrays)
    content["arrays"] = models.file_checksum(folder / ARRAYS)
    models.write(folder / MODEL, content)


def _as_numbers(learner: Tagger) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """A chain or a forest as what JSON holds, and as arrays."""
    if isinstance(learner, chain.Chain):
        content = {"learner": "crf", "tags": list(learner.tags), "attributes": list(learner.attributes)}
        return content, {"states": learner.states, "transitions": learner.transitions}
    arrays = {name: learner.fitted[0].arrays[name] for name in _SHARED}
    arrays |= {f"leaves.{i}": one.arrays["leaves"] for i, one in enumerate(learner.fitted)}
    return {"learner": "forest", "tags": list(learner.tags), "threshold": learner.threshold}, arrays


def _from_numbers(fields: models.Fields, arrays: Mapping[str, np.ndarray[Any, Any]], width: int) -> Tagger:
    """A chain or a forest whose arrays fit to its tags, and to so many numbers a word or gap."""
    tags, crf = _texts(fields, "tags"), fields.text("learner") == "crf"
    attributes = _texts(fields, "attributes") if crf else ()
    wanted = {"states": (len(attributes), len(tags)), "transitions": (len(tags), len(tags))} if crf else {}
    lacking = {*(wanted or (*_SHARED, *(f"leaves.{i}" for i in range(len(tags)))))} - {*arrays}
    if not tags or lacking or any(arrays[name].shape != shape for name, shape in wanted.items()):
        raise InputError(f"{fields.path}: {ARRAYS} does not fit to its tags and attributes.", hint="Train it again.")
    if crf:
        return chain.Chain(tags, attributes, arrays["states"], arrays["transitions"])
    shared = {name: arrays[name] for name in _SHARED}
    numbers = {"start": 0.0, "rate": 1 / max(1, len(arrays["roots"]))}
    fitted = [LearntFunction("trees", numbers, {**shared, "leaves": arrays[f"leaves.{i}"]}) for i in range(len(tags))]
    for function in fitted:
        function.require_width(width, fields.path)
    return forest.Forest(tags, tuple(fitted), fields.number("threshold"))


def load_words(path: str | os.PathLike[str]) -> WordModel:
    """The model of a folder, kept for the process."""
    file = pathlib.Path(path) / MODEL
    if not file.is_file():
        raise InputError(f"{os.fspath(path)} is no folder of a model.", hint="Train one: tercet qe train --level word.")
    return _load(os.fspath(path), state(path))


@functools.lru_cache(maxsize=8)
def _load(path: str, _state: State) -> WordModel:
    folder = pathlib.Path(path)
    fields = contents(folder, WORDS)
    arrays = read_arrays(folder, fields)
    named = fields.inside("files").content
    checksums = dict.fromkeys(map(str, named.values()), "") | dict(fields.inside("checksums").content)
    for file, checksum in checksums.items():
        there = pathlib.Path(file).name == file and (folder / file).is_file()
        if not there or models.file_checksum(folder / file) != checksum:
            raise InputError(f"{folder / file} has changed.", hint="Train the model again.")
    places = {name: str(folder / str(file)) for name, file in named.items() if name in ("target_lm", "lexicon")}
    files = WordResources(**places, lowercase=bool(fields.content.get("lowercase")))
    widths = {"words": len(NUMBERS), "gaps": len(GAP_NUMBERS)}
    sides = {
        side: _from_numbers(fields.inside(side), _under(side, arrays), width)
        for side, width in widths.items()
        if side == "words" or side in fields.content
    }
    facts = fields.content.get("facts")  # models of earlier versions have none
    return WordModel(sides["words"], sides.get("gaps"), files, facts if isinstance(facts, dict) else {})


def _under(side: str, arrays: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, np.ndarray[Any, Any]]:
    start = f"{side}."
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}


def _texts(fields: models.Fields, name: str) -> tuple[str, ...]:
    """The texts of a list, each once."""
    values = fields.content.get(name)
    if not isinstance(values, list) or len(set(map(str, values))) < len(values):
        raise InputError(f"{fields.path}: {name} must be a list of texts, each once.", hint="Train the model again.")
    return tuple(map(str, values))
