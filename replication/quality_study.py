"""What the studies of quality estimation share: texts, pseudo-labels, corpora, models."""

from __future__ import annotations

import gzip
import pathlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

import tercet
from replication.rows import DATA
from tercet.data import Array
from tercet.options.quality_training import LearnerName

SEED = 12345
LEARNERS: tuple[LearnerName, ...] = ("ridge", "extra-trees")
DATA_COLUMNS = ("segment", "document", "source", "reference")

Pair = tuple[str, str]


def columns(path: pathlib.Path) -> dict[str, list[str]]:
    """A table of texts by column."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        head, *rows = [line.rstrip("\n").split("\t") for line in file]
    return {name: [row[i] for row in rows] for i, name in enumerate(head)}


def human_2019() -> list[Pair]:
    """English and German that people translated in 2019, either way."""
    there = columns(DATA / "wmt19-metrics/newstest2019.en-de.tsv.gz")
    back = columns(DATA / "wmt19-metrics/newstest2019.de-en.tsv.gz")
    return [
        *zip(there["source"], there["reference"], strict=True),
        *zip(back["reference"], back["source"], strict=True),
    ]


def labels(outputs: list[str], references: list[str]) -> Array:
    """TER against the reference, capped at 1: pseudo-labels."""
    return np.minimum(tercet.metric("ter").segments(outputs, references) / 100, 1)


def parallel(folder: pathlib.Path, name: str, pairs: Iterable[Pair]) -> tuple[str, str]:
    """A parallel corpus as two files."""
    sides = list(zip(*pairs, strict=True))
    paths = [folder / f"{name}.{side}" for side in ("source", "target")]
    for path, texts in zip(paths, sides, strict=True):
        path.write_text("".join(text.replace("\r", " ") + "\n" for text in texts), encoding="utf-8")
    return str(paths[0]), str(paths[1])


def trained(
    folder: pathlib.Path,
    name: str,
    texts: tuple[list[str], list[str], list[str]],
    corpus: tuple[str, str] | None,
    features: Sequence[str],
    others: Mapping[str, list[str]] | None = None,
    said: Sequence[float] | None = None,
) -> str:
    """A model of sources, outputs and references, in a folder; learnt from TER, or from what people said."""
    model = folder / name
    sources, outputs, references = texts
    training = tercet.qe_train(
        sources,
        outputs,
        labels=labels(outputs, references).tolist() if said is None else said,
        model=model,
        source_corpus=corpus[0] if corpus else None,
        target_corpus=corpus[1] if corpus else None,
        features=features,
        learners=LEARNERS,
        others=others,
        seed=SEED,
        least=0.0,
        most=1.0,
    )
    print(f"{name}: {training.notes[0]}", flush=True)
    return str(model)
