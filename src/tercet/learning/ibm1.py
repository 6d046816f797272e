"""Tables of word translations from parallel text: IBM model 1 by EM (Brown et al. 1993), for the metric `ibm1`.

two files, line by line ──> words as numbers, in parts ──> rounds of EM, compiled ──> a table, likely pairs only
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet import kernels, label_inputs, text
from tercet.data import Texts
from tercet.errors import InputError
from tercet.formats import models
from tercet.formats.lines import File
from tercet.numbers import plain
from tercet.options import verb
from tercet.options.groups import Progress
from tercet.options.training import Ibm1Options
from tercet.signing import Seen, signature

MOST_PAIRS = 1 << 28  # of words that meet: at 12 bytes each
PART = 65_536  # pairs of sentences

Entries = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float32]]


@dataclasses.dataclass(frozen=True)
class Round:
    """A round of EM, and how well the table before it explained the target words."""

    iteration: int
    log_likelihood: float  # natural, a target word
    perplexity: float


@dataclasses.dataclass(frozen=True, eq=False)
class Ibm1Training:
    """A trained table: words by number, entries that name them, and how it came about."""

    sources: list[str]  # the first is the empty word
    targets: list[str]
    entries: Entries
    rounds: tuple[Round, ...]
    pairs: int
    left_out: int
    signature: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read, kept and left out."""
        kept = f"{len(self.entries[0])} pairs of words from {self.pairs} pairs of sentences."
        left = f"{self.left_out} pairs of sentences were left out, as empty on a side or too long."
        return (kept, left) if self.left_out else (kept,)

    def as_records(self) -> list[dict[str, Any]]:
        """One record a round."""
        return [dataclasses.asdict(entry) for entry in self.rounds]

    def write(self, path: File) -> None:
        """The table as a file, which `ibm1(table=...)` reads."""
        models.write_lexicon(path, self.signature, (self.sources, self.targets), self.entries)


@verb(Ibm1Options)
def train_ibm1(asked: Ibm1Options) -> Ibm1Training:
    """p(target word | source word) from two files, a sentence a line.

    The metric `ibm1` has `tokenize` and `lowercase` of the same defaults. Pairs with an empty side are left out.
    """
    threads, progress = asked.workers, asked.progress
    how = text.tokenizer(asked.tokenize)
    case: text.Case = "python" if asked.lowercase else None
    trainer, left_out, seen = kernels.Ibm1Trainer(asked.empty_word, asked.max_length), 0, Seen()
    for _, blocks in label_inputs.lines_together([asked.source, asked.target], PART):
        both = [Texts.of(block) for block in blocks]
        sources, targets = (text.tokens(texts, how, threads, lower=case) for texts in both)
        left_out += trainer.add(sources, targets)
        for kind, texts in zip(("source", "target"), both, strict=True):
            seen.texts(kind, "", texts)
        if progress:
            progress("sentences", len(blocks[0]))
    _require_pairs(trainer, threads, asked.max_length)
    rounds = list(_rounds(trainer, asked.iterations, threads, progress))
    names = ("iterations", "empty_word", "tokenize", "lowercase", "max_length", "prune")
    facts = {**{name: _shown(getattr(asked, name)) for name in names}, "pairs": trainer.pairs}
    return Ibm1Training(
        kernels.unpack(trainer.sources),
        kernels.unpack(trainer.targets),
        trainer.entries(asked.prune, threads),
        tuple(rounds),
        trainer.pairs,
        left_out,
        signature("ibm1", facts, seen.fingerprints()),
    )


def _rounds(trainer: kernels.Ibm1Trainer, iterations: int, threads: int, progress: Progress | None) -> Iterable[Round]:
    for number in range(1, iterations + 1):
        mean = trainer.iterate(threads) / trainer.target_words
        yield Round(number, mean, math.exp(-mean))
        if progress:
            progress("rounds of EM", 1)


def _require_pairs(trainer: kernels.Ibm1Trainer, threads: int, max_length: int) -> None:
    if not trainer.pairs:
        raise InputError(
            f"There is no pair of sentences of 1 to {max_length} words a side to learn from.",
            hint="Check the files, or allow longer sentences with --max-length.",
        )
    met = trainer.prepare(threads)
    if met > MOST_PAIRS:
        raise InputError(
            f"{met} different pairs of words meet in the text, and no more than {MOST_PAIRS} are kept.",
            hint="Take fewer sentences, or shorter ones with --max-length.",
        )


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else plain(value) if isinstance(value, float) else str(value)
