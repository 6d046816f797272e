"""Whatever writes a file, found by walking over the package, and what each is given here."""

from __future__ import annotations

import dataclasses
import inspect
import json
import pathlib
import types
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any
from unittest import mock

import numpy as np
from fuzz.targets import modules

import tercet
from tercet.data import Assessments, MetricScores, Rankings, TestSet
from tercet.formats import (
    appraise_rr,
    conllu,
    lines,
    mqm,
    ratings,
    read_scores,
    read_testset,
    records,
    table,
    write_scores,
)
from tercet.formats import models as model_files
from tercet.formats.rankings import write_two_way
from tercet.learning.esim import EsimRecipe
from tercet.metrics import models
from tercet.metrics.meteor.learn import Paraphrase, write_paraphrases
from tercet.quality.model import write_arrays
from tercet.study.cache import _store
from tests.human.build import Row, Task, build_assessments, build_rankings

PLACES = ("path", "folder", "root", "model")
Names = Sequence[str]


@dataclasses.dataclass(frozen=True)
class Written:
    """A writer: the name of its file, what it does with some names, and the names that are read back."""

    file: str
    write: Callable[[pathlib.Path, Names], object]
    read: Callable[[pathlib.Path], Collection[str]] | None = None


def testset(names: Names) -> TestSet:
    return TestSet.of({name: ["the cat", "sat"] for name in names}, ["the cat", "sat"])


def rankings(names: Names) -> Rankings:
    """Everybody is a system, and a judge."""
    tasks = [Task(f"j{i}", "1", [(f"s{k}", k + 1) for k in range(len(names))]) for i in range(len(names))]
    return dataclasses.replace(build_rankings(tasks), pair="de-en", systems=tuple(names), judges=tuple(names))


def assessments(names: Names) -> Assessments:
    rows = [Row(f"j{i}", f"s{i}", str(k), 50.0 + k) for i in range(len(names)) for k in (1, 2)]
    made = build_assessments(rows)
    return dataclasses.replace(made, pair="de-en", systems=tuple(names), judges=tuple(names))


def scores(names: Names) -> list[MetricScores]:
    values = np.arange(float(len(names)))[:, None]
    return [MetricScores(metric, "de-en", "system", tuple(names), ("",), values) for metric in ("bleu", names[-1])]


def system_names(path: pathlib.Path) -> Collection[str]:
    return tercet.read_judgements(path).systems


def score_names(path: pathlib.Path) -> Collection[str]:
    read = read_scores(path)
    return [*read[0].systems, *(entry.metric for entry in read)]


def _scores(form: str | None = None, **more: str) -> Callable[[pathlib.Path, Names], None]:
    return lambda path, names: write_scores(scores(names), path, form, **more)


def _ratings(path: pathlib.Path, names: Names) -> None:
    (path / "human-scores").mkdir(parents=True, exist_ok=True)
    ratings.write(assessments(names), path, "de-en", "mqm", ["1", "2"])


def _arrays(path: pathlib.Path, names: Names) -> None:
    path.mkdir(exist_ok=True)
    write_arrays(path, {name: np.ones(2) for name in names})


def _esim(path: pathlib.Path, names: Names) -> None:
    EsimRecipe.write(mock.Mock(), path, {"kind": "esim", "of": [*names], "weights": {"w": np.ones(2)}})


def _lexicon(path: pathlib.Path, names: Names) -> None:
    entries = np.zeros(len(names), np.int32), np.arange(len(names), dtype=np.int32), np.ones(len(names), np.float32)
    model_files.write_lexicon(path, "x", (["a"], list(names)), entries)


def _trees(path: pathlib.Path, names: Names) -> None:
    """Words of texts, which hold no white space, as parsers give them."""
    words = tuple(conllu.Word(form, "_", "_", "_", -1, "root") for name in names for form in name.split())
    conllu.write(path, [conllu.Sentence(" ".join(" ".join(names).split()), words, 1)])


WRITERS: dict[str, list[Written]] = {
    "formats.table.write": [
        Written("x.tsv", lambda path, names: table.write(testset(names), path), lambda p: read_testset(p).systems),
        Written("x.tsv.gz", lambda path, names: table.write(testset(names), path), lambda p: read_testset(p).systems),
        Written("x.parquet", lambda path, names: table.write(testset(names), path), lambda p: read_testset(p).systems),
    ],
    "formats.records.write": [
        Written("x.jsonl", lambda path, names: records.write(rankings(names), path), system_names),
        Written("y.jsonl", lambda path, names: records.write(assessments(names), path), system_names),
    ],
    "formats.appraise_rr.write": [
        Written("x.xml", lambda path, names: appraise_rr.write(rankings(names), path), system_names)
    ],
    "formats.rankings.write_two_way": [
        Written("x.csv", lambda path, names: write_two_way(rankings(names), path, include_ref=True))
    ],
    "formats.mqm.write": [
        Written("x.tsv", lambda path, names: mqm.write(assessments(names), path, lambda *_: ("a", names[0])))
    ],
    "formats.ratings.write": [Written("folder", _ratings)],
    "formats.scores.write_scores": [Written("x.csv.gz", _scores(), score_names)],
    "formats.score_tables.write": [
        Written("x.csv", _scores(), score_names),
        Written("x.tsv", _scores(), score_names),
    ],
    "formats.score_tables.write_parquet": [Written("x.parquet", _scores(), score_names)],
    "formats.submissions.write": [Written("x.sys.score", _scores(testset="news"), score_names)],
    "formats.score_directory.write": [Written("folder", _scores("directory", reference="refA"))],
    "formats.lines.write": [Written("x.txt", lambda path, names: lines.write(path, ["text\n"] * 10_000))],
    "formats.conllu.write": [Written("x.conllu", _trees)],
    "formats.models.write_lexicon": [Written("x.tsv", _lexicon)],
    "metrics.meteor.learn.write_paraphrases": [
        Written("x.gz", lambda path, names: write_paraphrases(path, [Paraphrase(0.5, "a", "b")]))
    ],
    "metrics.models.write": [Written("x.json", lambda path, names: models.write(path, {"kind": "x", "of": [*names]}))],
    "learning.esim.EsimRecipe.write": [Written("folder", _esim)],
    "quality.model.write_arrays": [Written("folder", _arrays)],
    "study.cache._store": [Written("x.npz", lambda path, names: _store(path, np.ones((2, 3, 4))))],
    "sharding.score_shard": [
        Written(
            "x.part",
            lambda path, names: tercet.score_shard(testset(names), metrics=["bleu"], part=path),
            lambda path: json.loads(zipfile.ZipFile(path).read("part.json"))["systems"],
        )
    ],
}
ELSEWHERE = {  # held by tests of their own rooms, or with nothing of a stranger's in it
    "encoders.tiny.write_tiny_encoder": "made for tests",
    "formats.table.write_frame": "formats.table.write",
    "parses.parse.Parsing.write": "formats.conllu.write",
    "part_files.write_part": "sharding.score_shard",
    "plots.canvas.save": "test_writers: every picture of a verb",
    "quality.model.QualityModel.save": "test_faults: qe train",
    "quality.tagging.model.save": "test_faults: qe train",
    "sample.write_exercise": "what ships",
    "sample.write_quality": "what ships",
    "sample.write_retrieval": "what ships",
    "learning.ibm1.Ibm1Training.write": "test_faults: train",
    "learning.ngrams.FrequenciesTraining.write": "test_faults: train",
    "learning.ngrams.LmTraining.write": "test_faults: train",
    "learning.recipes.Recipe.write": "metrics.models.write",
    "learning.training.Training.write": "metrics.models.write",
    "learning.training.Training.writer": "metrics.models.write",
}


def walked() -> set[str]:
    """Functions and methods of the package that are called write or save, and take the place to write to."""
    return {name for module in modules() for name, function in _callables(module) if _writes(name, function)}


def _callables(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    room = module.__name__.removeprefix("tercet.")
    for name, thing in vars(module).items():
        if getattr(thing, "__module__", "") != module.__name__:
            continue
        if inspect.isfunction(thing):
            yield f"{room}.{name}", thing
        elif inspect.isclass(thing):
            yield from ((f"{room}.{name}.{key}", value) for key, value in vars(thing).items())


def _writes(name: str, function: Any) -> bool:
    called = name.rpartition(".")[2].startswith(("write", "save"))
    return called and inspect.isfunction(function) and bool({*inspect.signature(function).parameters} & {*PLACES})
