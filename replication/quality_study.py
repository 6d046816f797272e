"""What the studies of quality estimation share: texts, pseudo-labels, corpora, models."""

from __future__ import annotations

import gzip
import itertools
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

NEWS = {2015: "wmt15-news/newstest2015", 2019: "wmt19-metrics/newstest2019"}
CONSENSUS = tuple(
    f"consensus(metric={metric}, form={form})"
    for metric in ("chrf", "chrf++", "sentbleu", "ter")
    for form in ("mean", "best")
)

Pair = tuple[str, str]
Cell = tuple[str, int]  # a system, and a row of the test set


def columns(path: pathlib.Path) -> dict[str, list[str]]:
    """A table of texts by column."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        head, *rows = [line.rstrip("\n").split("\t") for line in file]
    return {name: [row[i] for row in rows] for i, name in enumerate(head)}


def drawn(systems: Sequence[str], rows: Sequence[int], most: int) -> list[Cell]:
    """Outputs of systems; some of them by lot, if there are too many."""
    cells = list(itertools.product(systems, rows))
    return [cells[k] for k in sorted(np.random.default_rng(SEED).permutation(len(cells))[:most].tolist())]


def texts_of(texts: Mapping[str, list[str]], cells: Sequence[Cell]) -> tuple[list[str], list[str], list[str]]:
    """Sources, outputs and references."""
    sources, references = ([texts[name][row] for _, row in cells] for name in ("source", "reference"))
    return sources, [texts[system][row] for system, row in cells], references


def others_of(
    texts: Mapping[str, list[str]], cells: Sequence[Cell], pool: Sequence[str], n: int
) -> dict[str, list[str]]:
    """What n others of a pool of systems made of each source, never the system itself."""
    beside = [[name for name in pool if name != system][:n] for system, _ in cells]
    return {
        f"other-{k}": [texts[names[k]][row] for names, (_, row) in zip(beside, cells, strict=True)] for k in range(n)
    }


def human(*years: int) -> list[Pair]:
    """English and German that people translated, either way."""
    pairs: list[Pair] = []
    for year in years:
        there, back = (columns(DATA / f"{NEWS[year]}.{pair}.tsv.gz") for pair in ("en-de", "de-en"))
        pairs += zip(there["source"], there["reference"], strict=True)
        pairs += zip(back["reference"], back["source"], strict=True)
    return pairs


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
    learners: tuple[LearnerName, ...] = LEARNERS,
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
        learners=learners,
        others=others,
        seed=SEED,
        least=0.0,
        most=1.0,
    )
    print(f"{name}: {training.notes[0]}", flush=True)
    return str(model)
