"""The words of all texts of a test set as numbers, so that what follows is counting in arrays."""

from __future__ import annotations

import dataclasses
import functools
from typing import Literal

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.data import Ints, TestSet, Texts
from tercet.errors import InputError
from tercet.limits import Budget
from tercet.text import Tokenizer, tokens

Bools = npt.NDArray[np.bool_]
WORD = 192  # bytes of a word while n-grams are compared: 176 of full stops, 193 of one word again and again


@dataclasses.dataclass(frozen=True, eq=False)
class Column:
    """The words of one text a segment: `ids` end to end, and the segment of each."""

    ids: Ints  # (words,)
    segment: Ints  # (words,)
    n_segments: int

    @functools.cached_property
    def lengths(self) -> Ints:
        """(segments,): how many words each segment has."""
        return np.bincount(self.segment, minlength=self.n_segments).astype(np.int64)

    def keep(self, chosen: Bools) -> Column:
        """Some of the words."""
        return Column(self.ids[chosen], self.segment[chosen], self.n_segments)

    def counted(self, size: int) -> tuple[Ints, Ints]:
        """Keys segment * size + id in order, and how often each is there."""
        keys, counts = np.unique(self.segment * size + self.ids, return_counts=True)
        return keys, counts.astype(np.int64)


@dataclasses.dataclass(frozen=True, eq=False)
class Words:
    """All columns over one vocabulary. `references` has one column a reference, segments without it left empty."""

    vocabulary: tuple[str, ...]
    systems: dict[str, Column]
    references: tuple[Column, ...]
    source: Column | None
    unit: Literal["word", "character"] = "word"  # what sentences call one

    def __len__(self) -> int:
        return len(self.vocabulary)

    @property
    def reference(self) -> Column:
        """The first reference, of which every segment has one."""
        return self.references[0]

    @functools.cached_property
    def is_word(self) -> Bools:
        """(vocabulary,): whether it is a word, with a letter in it, and no number or mark."""
        return np.array([any(map(str.isalpha, w)) for w in self.vocabulary], dtype=bool)

    @property
    def columns(self) -> list[Column]:
        """The systems, then the references."""
        return [*self.systems.values(), *self.references]


def number(testset: TestSet, tokenizer: Tokenizer, threads: int) -> Words:
    """The words of systems, references and source."""
    refs = testset.references
    if refs is None:
        raise InputError("compare needs references, and there are none.", hint="Name them with -r.")
    packed = [tokens(texts, tokenizer, threads) for texts in testset.systems.values()]
    packed += [tokens(refs.texts, tokenizer, threads)]
    if testset.sources is not None:
        packed.append(tokens(testset.sources, tokenizer, threads))
    n_words = sum(len(offsets) - 1 for _, offsets, _ in packed)
    Budget("The words of all texts", "Compare fewer systems, or a part of the segments.").take(WORD * n_words)
    data = np.concatenate([d for d, _, _ in packed])
    ends = np.cumsum([0, *(len(d) for d, _, _ in packed)])
    offsets = np.concatenate([[0], *(o[1:] + end for (_, o, _), end in zip(packed, ends, strict=False))])
    counts = np.cumsum([0, *(len(o) - 1 for _, o, _ in packed)])
    rows = np.concatenate([[0], *(r[1:] + c for (_, _, r), c in zip(packed, counts, strict=False))])
    nothing = tokens(Texts(()), tokenizer, 1)
    ids, _, lines = kernels.number_words((data, offsets.astype(np.int64), rows.astype(np.int64)), nothing)
    columns = [
        (ids[a:b].astype(np.int64), np.repeat(np.arange(len(r) - 1), np.diff(r)))
        for a, b, (_, _, r) in zip(counts[:-1], counts[1:], packed, strict=True)
    ]
    n, systems = len(testset), len(testset.systems)
    vocabulary = tuple(kernels.unpack(lines))
    owner = np.repeat(np.arange(n), np.diff(refs.groups))
    place = np.arange(len(owner)) - refs.groups[owner]
    ref_ids, ref_text = columns[systems]
    references = tuple(
        Column(ref_ids[chosen], owner[ref_text[chosen]], n)
        for chosen in (place[ref_text] == k for k in range(max(1, refs.counts[1])))
    )
    return Words(
        vocabulary,
        {name: Column(*column, n) for name, column in zip(testset.systems, columns, strict=False)},
        references,
        Column(*columns[-1], n) if testset.sources is not None else None,
        tokenizer.unit,
    )


def usual_tokenizer(testset: TestSet) -> str:
    """`intl`; `zh` where references are written without spaces between words.

    >>> [usual_tokenizer(TestSet.of({"A": ["a"]}, [text])) for text in ("明天我们去东京", "so it is")]
    ['zh', 'intl']
    """
    refs = testset.references
    text = "".join(refs.texts.strings[:1000]) if refs is not None else ""
    dense = sum("\u2e80" <= c <= "\u9fff" or "\uf900" <= c <= "\ufaff" for c in text)  # kana among them
    return "zh" if dense > len(text) / 3 else "intl"
