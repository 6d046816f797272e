"""Tables of word translations from parallel text: IBM model 1 by EM (Brown et al. 1993), for the metric `ibm1`.

two files, line by line ──> words as numbers, in parts ──> rounds of EM, compiled ──> a table, likely pairs only
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet import kernels, text
from tercet.data import Texts
from tercet.errors import InputError
from tercet.formats import models
from tercet.formats.lines import File, is_stdin
from tercet.formats.text import aligned
from tercet.metric import default_threads, require_threads

MOST_PAIRS = 1 << 28  # of words that meet: at 12 bytes each
PART = 65_536  # pairs of sentences

Progress = Callable[[str, int], None]
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
        return [dataclasses.asdict(each) for each in self.rounds]

    def write(self, path: File) -> None:
        """The table as a file, which `ibm1(table=...)` reads."""
        models.write_lexicon(path, self.signature, (self.sources, self.targets), self.entries)


def train_ibm1(
    source: File,
    target: File,
    *,
    iterations: int = 5,
    empty_word: bool = True,
    tokenize: str = "13a",
    lowercase: bool = True,
    max_length: int = 100,
    prune: float = 1e-4,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Ibm1Training:
    """p(target word | source word) from two files, a sentence a line.

    Parameters
    ----------
    iterations
        Rounds of EM, from a table in which all words are equally likely.
    empty_word
        Whether every source sentence has the empty word, which explains what no other word does.
    tokenize, lowercase
        What is done to both sides; the metric `ibm1` has options of the same names and defaults.
    max_length
        Pairs with a longer side are left out, as are pairs with an empty one.
    prune
        Entries below this probability are not kept. The others stay as they are: they then sum to less than 1.
    """
    _check(iterations, max_length, prune, threads)
    if is_stdin(source) and is_stdin(target):
        raise InputError("Standard input (-) is named twice.", hint="It can be read as one file only.")
    threads = threads or default_threads()
    how = text.tokenizer(tokenize)
    case: text.Case = "python" if lowercase else None
    trainer, left_out = kernels.Ibm1Trainer(empty_word, max_length), 0
    for _, blocks in aligned([source, target], PART):
        sources, targets = (text.tokens(Texts.of(block), how, threads, lower=case) for block in blocks)
        left_out += trainer.add(sources, targets)
        if progress:
            progress("sentences", len(blocks[0]))
    _require_pairs(trainer, threads, max_length)
    rounds = list(_rounds(trainer, iterations, threads, progress))
    options = {"iterations": iterations, "empty_word": empty_word, "tokenize": tokenize, "lowercase": lowercase}
    bounds = {"max_length": max_length, "prune": prune, "pairs": trainer.pairs, "tercet": version("tercet")}
    return Ibm1Training(
        kernels.unpack(trainer.sources),
        kernels.unpack(trainer.targets),
        trainer.entries(prune, threads),
        tuple(rounds),
        trainer.pairs,
        left_out,
        "|".join(["ibm1", *(f"{key}:{_shown(value)}" for key, value in (options | bounds).items())]),
    )


def _rounds(trainer: kernels.Ibm1Trainer, iterations: int, threads: int, progress: Progress | None) -> Iterable[Round]:
    for number in range(1, iterations + 1):
        mean = trainer.iterate(threads) / trainer.target_words
        yield Round(number, mean, math.exp(-mean))
        if progress:
            progress("rounds of EM", 1)


def _check(iterations: int, max_length: int, prune: float, threads: int | None) -> None:
    for name, value, most in (("iterations", iterations, 1000), ("max_length", max_length, 1000)):
        if not isinstance(value, int) or not 1 <= value <= most:
            raise InputError(
                f"{name} must be a whole number from 1 to {most}, not {value!r}.", hint="Leave it out for the usual."
            )
    if not 0 <= prune < 1:
        raise InputError(f"prune must be from 0 to below 1, not {prune!r}.", hint="Leave it out for the usual.")
    require_threads(threads)


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
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
