"""Small models of quality estimation for tests: the example that ships with the package."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np

import tercet
from tercet.sample import write_quality


def example(folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """The files of the example, and HTER and tags of its training part."""
    write_quality(folder)
    files = {name: folder / name for name in ("train.en", "train.mt", "train.pe", "test.en", "test.mt", "test.pe")}
    for part in ("train", "test"):
        outputs, edited = (lines(files[f"{part}.{end}"]) for end in ("mt", "pe"))
        values = np.minimum(tercet.metric("ter").segments(outputs, edited) / 100, 1)
        files[f"{part}.hter"] = folder / f"{part}.hter"
        files[f"{part}.hter"].write_text("".join(f"{value}\n" for value in values), encoding="utf-8")
        rows = [
            " ".join("OK" if word in right.split() else "BAD" for word in line.split())
            for line, right in zip(outputs, edited, strict=True)
        ]
        files[f"{part}.words"] = folder / f"{part}.words"
        files[f"{part}.words"].write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return files


def lines(path: pathlib.Path) -> list[str]:
    """The lines of a file."""
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def train(files: dict[str, pathlib.Path], model: pathlib.Path, **more: Any) -> Any:
    """A model of the example; quick unless told otherwise."""
    given: dict[str, Any] = {
        "source_corpus": files["train.en"],
        "target_corpus": files["train.pe"],
        **({"minimum": 0} if more.get("source_corpus", True) else {}),
        **({} if more.get("level") == "word" else {"learners": ("ridge",)}),
    }
    labels = files["train.words" if more.get("level") == "word" else "train.hter"]
    return tercet.qe_train(files["train.en"], files["train.mt"], labels=labels, model=model, **(given | more))


def dropped(n: int, seed: int) -> tuple[list[str], list[str], list[str]]:
    """Sentences of six words, translated word by word, one in three without one of its words; tags with gaps."""
    draw = np.random.default_rng(seed)
    sources, targets, tags = [], [], []
    for _ in range(n):
        words = draw.choice(40, 6, replace=False).tolist()
        lost = int(draw.integers(0, 18))
        kept = [word for i, word in enumerate(words) if i != lost]
        row = ["OK"] * (2 * len(kept) + 1)
        if lost < len(words):
            row[2 * lost] = "BAD"
        sources.append(" ".join(f"s{word}" for word in words))
        targets.append(" ".join(f"t{word}" for word in kept))
        tags.append(" ".join(row))
    tags[0] = " ".join(["OK", "BAD", *tags[0].split()[2:]])  # a word must be wrong somewhere
    return sources, targets, tags
