"""What a feature of quality estimation is: a spec that gives each pair of source and translation a number."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tercet import kernels, text
from tercet.data import Array, Ints, Texts
from tercet.metric_base import Card
from tercet.spec import Spec
from tercet.text.base import Lines, PythonTokenizer, Tokens

_TRIMMED = "".join(map(chr, range(0x21)))  # what Java's trim takes off


@dataclasses.dataclass(frozen=True)
class QuestTokenizer(PythonTokenizer):
    """How QuEst++ reads tokenised text: two blanks make an empty token, and so does a text without any.

    It is not registered: tokenizers for everyone give no empty tokens.
    """

    name = "quest"
    summary = "split at every single space, as QuEst++"

    def split(self, text: str) -> list[str]:
        """The tokens of one text."""
        return text.strip(_TRIMMED).split(" ")


@dataclasses.dataclass(frozen=True, eq=False)
class SideTokens:
    """One side, cut into tokens: token i of row r is tokens[2][r] + i."""

    tokens: Tokens
    lowered: Tokens

    @property
    def words(self) -> Lines:
        """The tokens of all rows, end to end."""
        return self.tokens[:2]

    @property
    def starts(self) -> Ints:
        """(rows + 1,): where each row begins."""
        return self.tokens[2]

    @functools.cached_property
    def lengths(self) -> Ints:
        """(rows,): tokens of each row."""
        return np.diff(self.starts)

    @functools.cached_property
    def rows(self) -> Ints:
        """(tokens,): the row of each token."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @functools.cached_property
    def characters(self) -> Array:
        """(tokens,): UTF-16 units of each token, as Java counts them."""
        data, offsets = self.words
        units = (data & 0xC0 != 0x80).astype(np.int64) + (data >= 0xF0)
        before = np.concatenate([[0], np.cumsum(units)])
        return np.asarray(before[offsets[1:]] - before[offsets[:-1]], dtype=np.float64)

    def sums(self, values: npt.NDArray[Any]) -> Array:
        """(rows,): sums of a number a token."""
        return np.asarray(np.bincount(self.rows, weights=values, minlength=len(self.lengths)), dtype=np.float64)

    def distinct(self, *, lowered: bool) -> tuple[Ints, Ints]:
        """Of each different token of each row, its row and a place where it stands."""
        cut = self.lowered if lowered else self.tokens
        nothing = (np.zeros(0, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int64))
        numbers, _, vocabulary = kernels.number_words(cut, nothing)
        keys = self.rows * (len(vocabulary[1]) or 1) + numbers
        _, places = np.unique(keys, return_index=True)
        return self.rows[places], places


@dataclasses.dataclass(frozen=True, eq=False)
class Translations:
    """What features see: sources and their translations, cut alike, and what other systems made of the sources."""

    sources: Texts
    targets: Texts
    tokenize: str = "13a"
    lowercase: bool = False
    others: Mapping[str, Texts] = dataclasses.field(default_factory=dict)
    threads: int = 1

    def __len__(self) -> int:
        return len(self.targets)

    @functools.cached_property
    def source(self) -> SideTokens:
        """The sources as tokens."""
        return self._column(self.sources)

    @functools.cached_property
    def target(self) -> SideTokens:
        """The translations as tokens."""
        return self._column(self.targets)

    def _column(self, texts: Texts) -> SideTokens:
        how = QuestTokenizer() if self.tokenize == QuestTokenizer.name else text.tokenizer(self.tokenize)
        case: text.Case = "python" if self.lowercase else None
        plain = text.tokens(texts, how, self.threads, lower=case)
        return SideTokens(plain, text.tokens(texts, how, self.threads, lower=case, lower_tokens="python"))


def quotients(values: npt.NDArray[Any], by: npt.NDArray[Any], nothing: float = 0.0) -> Array:
    """values / by, and `nothing` where there is nothing to divide by."""
    out = np.full(len(values), nothing)
    return np.asarray(np.divide(values, by, out=out, where=np.asarray(by) != 0), dtype=np.float64)


class Feature(Spec):
    """Base of all features: frozen dataclasses whose fields are their options."""

    card: ClassVar[Card]
    quest: ClassVar[str] = ""  # its number in QuEst++
    needs_others: ClassVar[bool] = False  # whether it looks at other systems' translations

    def values(self, pairs: Translations) -> Array:
        """One finite number a segment, or NaN where it is not defined: it then counts as usual, and says nothing."""
        raise NotImplementedError
