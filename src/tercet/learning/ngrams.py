"""What is trained from text of one language: a language model, and how often n-grams occur.

files, line by line ──> words as numbers ──> n-grams of every order, counted ──> ARPA file, or table of frequencies

The model is that of interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998), as lmplz of KenLM makes it.
Memory: 14 bytes a word of the corpus, and about 40 bytes a different n-gram.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from tercet import inputs, kernels, text
from tercet.data import Texts
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.frequencies import Quartiles, header
from tercet.formats.lines import File
from tercet.options import verb
from tercet.options.training import FrequenciesOptions, LmOptions
from tercet.signing import Seen, signature

PART = 1 << 16  # n-grams that are written at once
QUARTILES = 4


@dataclasses.dataclass(frozen=True)
class OrderOfModel:
    """The n-grams of an order, and what Kneser-Ney takes from counts of 1, 2, and 3 or more."""

    order: int
    ngrams: int
    discount_1: float
    discount_2: float
    discount_3: float
    estimated: bool  # whether the text told the discounts; else they are the usual ones


@dataclasses.dataclass(frozen=True, eq=False)
class LmTraining:
    """A trained language model, which `write` makes an ARPA file of."""

    model: kernels.KneserNey
    orders: tuple[OrderOfModel, ...]
    sentences: int
    words: int
    left_out: int
    signature: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read and left out, and which discounts are only the usual ones."""
        notes = [f"{self.words} words in {self.sentences} sentences."]
        if self.left_out:
            notes.append(f"{self.left_out} words were left out: <s>, </s>, <unk>, or with white space inside.")
        few = [str(entry.order) for entry in self.orders if not entry.estimated]
        if few:
            notes.append(f"Too few n-grams of order {', '.join(few)} to estimate discounts: the usual ones were taken.")
        return tuple(notes)

    def as_records(self) -> list[dict[str, Any]]:
        """One record an order."""
        return [dataclasses.asdict(entry) for entry in self.orders]

    def write(self, path: File) -> None:
        """The model as an ARPA file; packed if its name ends in .gz."""
        lines.write(path, self._rendered())

    def _rendered(self) -> Iterator[str]:
        yield "\\data\\\n" + "".join(f"ngram {entry.order}={entry.ngrams}\n" for entry in self.orders)
        for entry in self.orders:
            yield f"\n\\{entry.order}-grams:\n"
            for at in range(0, entry.ngrams, PART):
                yield self.model.lines(entry.order, at, min(at + PART, entry.ngrams)).decode()
        yield "\n\\end\\\n"


@dataclasses.dataclass(frozen=True, eq=False)
class FrequenciesTraining:
    """Counted n-grams, those that are frequent enough, with the cut-offs between quartiles of each order."""

    counter: kernels.NgramCounter
    quartiles: Quartiles
    minimum: int
    left_out: int
    signature: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read and left out."""
        notes = [f"{self.counter.words} words in {self.counter.lines} lines."]
        if self.left_out:
            notes.append(f"{self.left_out} words were left out, which hold white space.")
        return tuple(notes)

    def as_records(self) -> list[dict[str, Any]]:
        """One record an order."""
        kept = [int((self.counter.counts(n) > self.minimum).sum()) for n in range(1, self.counter.order + 1)]
        return [
            {"order": n, "ngrams": size, **{f"cutoff_{k}": cut for k, cut in enumerate(cuts, 1)}}
            for n, (size, cuts) in enumerate(zip(kept, self.quartiles, strict=True), 1)
        ]

    def write(self, path: File) -> None:
        """The table as a file; packed if its name ends in .gz."""
        lines.write(path, self._rendered())

    def _rendered(self) -> Iterator[str]:
        yield header(self.signature, self.minimum, self.quartiles)
        for n in range(1, self.counter.order + 1):
            size, minimum = self.counter.size(n), self.minimum if n > 1 else 0
            for at in range(0, size, PART):
                yield self.counter.counted_lines(n, at, min(at + PART, size), minimum).decode()


@verb(LmOptions)
def train_lm(asked: LmOptions) -> LmTraining:
    """A language model from text, a sentence a line: n-grams with interpolated modified Kneser-Ney smoothing.

    The metric `lm` has `tokenize` and `lowercase` of the same defaults. Lines without a word are left out.
    """
    counter, left_out, seen = _counted(asked, sentences=True)
    model = kernels.KneserNey(counter, asked.workers)
    orders = []
    for n in range(1, asked.order + 1):
        (one, two, more), estimated = model.discounts(n)
        orders.append(OrderOfModel(n, counter.size(n), one, two, more, estimated))
    return LmTraining(
        model,
        tuple(orders),
        counter.lines,
        counter.words,
        left_out,
        signature("lm", _facts(asked), seen.fingerprints()),
    )


@verb(FrequenciesOptions)
def train_frequencies(asked: FrequenciesOptions) -> FrequenciesTraining:
    """How often n-grams occur in a text, and the cut-offs between quartiles of their frequencies.

    Cut-off j of an order is element floor(j (n - 1) / 4) of the n sorted frequencies, as in QuEst++.
    """
    counter, left_out, seen = _counted(asked, sentences=False)
    quartiles = tuple(cut_offs(counter.counts(n), asked.minimum) for n in range(1, asked.order + 1))
    facts = {**_facts(asked), "minimum": asked.minimum}
    return FrequenciesTraining(
        counter, quartiles, asked.minimum, left_out, signature("frequencies", facts, seen.fingerprints())
    )


def cut_offs(counts: np.ndarray[Any, Any], minimum: int) -> tuple[int, ...]:
    """The four cut-offs of an order; 0 where there is no n-gram.

    >>> cut_offs(np.array([1, 3, 9, 4, 4, 5]), 2)
    (4, 4, 5, 9)
    """
    kept = np.sort(counts[counts > minimum])
    if not len(kept):
        return (0,) * QUARTILES
    return tuple(int(kept[j * (len(kept) - 1) // QUARTILES]) for j in range(1, QUARTILES + 1))


def _counted(asked: LmOptions | FrequenciesOptions, *, sentences: bool) -> tuple[kernels.NgramCounter, int, Seen]:
    how = text.tokenizer(asked.tokenize)
    case: text.Case = "python" if asked.lowercase else None
    counter, left_out, seen = kernels.NgramCounter(asked.order, sentences), 0, Seen()
    for block in inputs.corpus(asked.corpus):
        texts = Texts.of(block)
        left_out += counter.add(text.tokens(texts, how, asked.workers, lower=case), asked.workers)
        seen.texts("corpus", "", texts)
        if asked.progress:
            asked.progress("sentences", len(block))
    if not counter.lines:
        raise InputError("There is no word to learn from.", hint="Check the files: one sentence a line.")
    counter.count(asked.workers)
    return counter, left_out, seen


def _facts(asked: LmOptions | FrequenciesOptions) -> dict[str, object]:
    return {"order": asked.order, "tokenize": asked.tokenize, "lowercase": str(asked.lowercase).lower()}
