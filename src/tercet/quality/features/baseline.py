"""The seventeen features of the baseline system of WMT12 to WMT14 (Specia et al. 2013), as QuEst++ computes them."""

from __future__ import annotations

import dataclasses
import os
from typing import Literal

import numpy as np

from tercet.data import Array, Ints, Texts
from tercet.formats import frequencies as frequency_files
from tercet.formats import models
from tercet.metric_base import Card
from tercet.quality.features.base import Feature, SideTokens, Translations, quotients
from tercet.spec import option
from tercet.text.packing import packed

PAPER = "Specia et al. 2013, *QuEst: a translation quality estimation framework*"
REFERENCE = "QuEst++ (commit c2e404d)"
Side = Literal["source", "target"]

_ASCII = np.frombuffer(b".,!?:;", np.uint8)
_PAIRS = ("¿", "¡", "،", "؛", "؟")  # two bytes each
_MARKS = (",", "!", ":", ";", "؟", "¿", "،", "؛", "¡")  # what the program counts, in its way


def _card(title: str, definition: str, scale: str, *differences: str) -> Card:
    return Card(
        title=title, definition=definition, paper=PAPER, scale=scale, reference=REFERENCE, differences=differences
    )


def column_of(pairs: Translations, side: Side) -> SideTokens:
    """The tokens of a side."""
    return pairs.source if side == "source" else pairs.target


@dataclasses.dataclass(frozen=True)
class TokenCount(Feature):
    """How many tokens a side has: features 1001 and 1002 of QuEst++."""

    side: Side = option("source", "which text")
    unit: Literal["tokens", "characters"] = option("tokens", "what is counted")

    name = "tokens"
    quest = "1001 and 1002"
    card = _card("Number of tokens", "Tokens of the source or of the translation, or their characters.", "0 and up")

    def values(self, pairs: Translations) -> Array:
        column = column_of(pairs, self.side)
        return column.lengths.astype(np.float64) if self.unit == "tokens" else column.sums(column.characters)


@dataclasses.dataclass(frozen=True)
class TokenLength(Feature):
    """How long source tokens are on average: feature 1006 of QuEst++."""

    side: Side = option("source", "which text")

    name = "token-length"
    quest = "1006"
    card = _card(
        "Mean length of tokens",
        "Characters (UTF-16 units) a token; 0 for a text without tokens.",
        "0 and up",
    )

    def values(self, pairs: Translations) -> Array:
        column = column_of(pairs, self.side)
        return quotients(column.sums(column.characters), column.lengths)


@dataclasses.dataclass(frozen=True)
class LanguageModelFeature(Feature):
    """What a language model says of a side: features 1009 and 1012 of QuEst++."""

    model: str = option("", "ARPA file, perhaps .gz, of `tercet train lm`, KenLM or SRILM")
    side: Side = option("target", "which text")
    form: Literal["sentence", "word"] = option("sentence", "log10 probability of the sentence, or a word of it")

    name = "lm-probability"
    files = ("model",)
    quest = "1009 and 1012"
    card = _card(
        "Language model",
        "log10 of the probability of a text by a back-off n-gram model, the end of the sentence included.",
        "0 and below",
        "QuEst++ reads what SRILM prints, whose sum leaves out words that the model does not know; here they are the "
        "model's <unk>.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(os.path.isfile(self.model), "model", "a file that is there")

    def values(self, pairs: Translations) -> Array:
        column = column_of(pairs, self.side)
        logs: Array = models.language_model(self.model).score(column.tokens, True, pairs.threads)[:, 0]
        return logs if self.form == "sentence" else logs / (column.lengths + 1)


@dataclasses.dataclass(frozen=True)
class Repetition(Feature):
    """How often a target word occurs in the target: feature 1015 of QuEst++."""

    side: Side = option("target", "which text")
    form: Literal["tokens", "types"] = option(
        "tokens", "tokens a different token, as the program has it; or different tokens a token"
    )

    name = "repetition"
    quest = "1015"
    card = _card(
        "Tokens a type",
        "Tokens of a text divided by its different tokens, lower-cased: how often a word is repeated; 0 for no token.",
        "1 and up",
        "The lists of WMT call it type/token ratio; what the program computes is its inverse.",
    )

    def values(self, pairs: Translations) -> Array:
        column = column_of(pairs, self.side)
        rows, _ = column.distinct(lowered=True)
        types = np.bincount(rows, minlength=len(pairs))
        return quotients(column.lengths, types) if self.form == "tokens" else quotients(types, column.lengths)


@dataclasses.dataclass(frozen=True)
class TranslationsOfWords(Feature):
    """1022 and, weighted by frequency, 1036."""

    table: str = option("", "table p(target word | source word), of `tercet train ibm1` or GIZA++")
    above: float = option(0.2, "count translations that are more probable than this")
    frequencies: str | None = option(
        None, "table of `tercet train frequencies`: divide by how often the word occurs; none: count each word alike"
    )
    lowercase: bool | None = option(None, "look words up lower-cased; none: only where there are no frequencies")

    words: Literal["table", "sources"] = option(
        "table", "words that count; table: all of the table; sources: those that also stand in the sources as they are"
    )

    name = "word-translations"
    files = ("table", "frequencies")
    quest = "1022 and 1036"
    card = _card(
        "Translations a source word",
        "The mean over source tokens of the number of words that each translates to with a probability above a "
        "threshold, perhaps divided by its frequency in a corpus; unknown words count 0. Probabilities and threshold "
        "are compared in 32 bits.",
        "0 and up",
        "QuEst++ looks words of 1022 up lower-cased and those of 1036 as they are, and so does this.",
        "QuEst++ keeps only those words of the table that stand in the file of sources, so that a number depends on "
        "other segments; `words=sources` does that.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(0 <= self.above < 1, "above", "from 0 to below 1")
        self.require(os.path.isfile(self.table), "table", "a file that is there")
        if self.frequencies is not None:
            self.require(os.path.isfile(self.frequencies), "frequencies", "a file that is there")

    def values(self, pairs: Translations) -> Array:
        source = pairs.source
        lowered = self.frequencies is None if self.lowercase is None else self.lowercase
        table = models.lexicon(self.table)
        numbers = table.sources((source.lowered if lowered else source.tokens)[:2])
        if self.words == "sources":
            numbers = np.where(np.isin(numbers, table.sources(source.words)), numbers, -1)
        counts = np.append(table.translations(self.above), 0)[numbers].astype(np.float64)  # -1 is unknown: the last
        if self.frequencies is not None:
            table_of_counts = frequency_files.read(self.frequencies).table
            counts = quotients(counts, table_of_counts.look_up(source.tokens, 1, pairs.threads)[0])
        return quotients(source.sums(counts), source.lengths)


def looked_up(path: str, pairs: Translations, n: int) -> tuple[Ints, Ints]:
    """Frequencies of n-grams of the sources, end to end, and where those of each row begin; rare ones are unseen."""
    frequencies = frequency_files.read(path)
    counts, starts = frequencies.table.look_up(pairs.source.tokens, n, pairs.threads)
    return np.where(counts > frequencies.minimum, counts, 0), starts


@dataclasses.dataclass(frozen=True)
class FrequencyQuartile(Feature):
    """1046, 1049, 1050, 1053, 1054, 1057."""

    frequencies: str = option("", "table of `tercet train frequencies`")
    n: int = option(1, "words of an n-gram")
    quartile: int = option(1, "1: the rare n-grams of the corpus, to 4: the frequent ones")
    form: Literal["share", "count"] = option("share", "share of all n-grams of the source, or their number")

    name = "frequency-quartile"
    files = ("frequencies",)
    quest = "1046, 1049, 1050, 1053, 1054 and 1057"
    card = _card(
        "n-grams of a quartile of frequency",
        "The share of the n-grams of the source whose frequency in a corpus is in a quartile: above the cut-off "
        "before it (of the first, above 0) and no higher than its own. Unseen n-grams are in none; 0 without n-grams.",
        "0 to 1",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.quartile <= 4, "quartile", "from 1 to 4")
        self.require(1 <= self.n <= 6, "n", "from 1 to 6")
        self.require(os.path.isfile(self.frequencies), "frequencies", "a file that is there")

    def values(self, pairs: Translations) -> Array:
        orders = frequency_files.read(self.frequencies).quartiles
        self.require(self.n <= len(orders), "n", f"{len(orders)} at most, as the table has it")
        cuts = (0, *orders[self.n - 1])
        frequencies, starts = looked_up(self.frequencies, pairs, self.n)
        inside = (frequencies > cuts[0 if self.quartile == 1 else self.quartile - 1]) & (
            frequencies <= cuts[self.quartile]
        )
        before = np.concatenate([[0], np.cumsum(inside)])
        counts = before[starts[1:]] - before[starts[:-1]]
        return quotients(counts, np.diff(starts)) if self.form == "share" else counts.astype(np.float64)


@dataclasses.dataclass(frozen=True)
class KnownWords(Feature):
    """The share of source words that a corpus has: feature 1058 of QuEst++."""

    frequencies: str = option("", "table of `tercet train frequencies`")

    name = "known-words"
    files = ("frequencies",)
    quest = "1058"
    card = _card(
        "Known source words",
        "The share of the different tokens of the source that a corpus has; 0 for no token.",
        "0 to 1",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(os.path.isfile(self.frequencies), "frequencies", "a file that is there")

    def values(self, pairs: Translations) -> Array:
        frequencies, _ = looked_up(self.frequencies, pairs, 1)
        rows, places = pairs.source.distinct(lowered=False)
        known = np.bincount(rows, weights=frequencies[places] > 0, minlength=len(pairs))
        return quotients(known, np.bincount(rows, minlength=len(pairs)))


@dataclasses.dataclass(frozen=True)
class Punctuation(Feature):
    """How many marks of punctuation a side has: features 1074 and 1075 of QuEst++."""

    side: Side = option("source", "which text")
    form: Literal["count", "ratio", "program"] = option(
        "count", "marks; marks a token; or what the program computes, which is not their number"
    )

    name = "punctuation"
    quest = "1074 and 1075"
    card = _card(
        "Punctuation marks",
        "How many of the marks . , ! ? : ; ¿ ¡ ، ؛ ؟ a text has.",
        "0 and up",
        "QuEst++ means to count, but splits the text at each mark as at a regular expression: full stops and question "
        "marks count 0, any other mark of which there are k counts k + 1, or k where it ends the text. "
        "`form=program` does that; the feature files of WMT12 hold plain counts.",
    )

    def values(self, pairs: Translations) -> Array:
        texts = pairs.sources if self.side == "source" else pairs.targets
        if self.form == "program":
            return np.array([_pieces(line) for line in texts.strings], dtype=np.float64)
        counts = _marks(texts)
        return counts if self.form == "count" else quotients(counts, column_of(pairs, self.side).lengths)


def _marks(texts: Texts) -> Array:
    data, offsets = packed(texts)
    marks = np.isin(data, _ASCII).astype(np.int64)
    for mark in _PAIRS:
        first, second = mark.encode()
        marks[:-1] += (data[:-1] == first) & (data[1:] == second)
    before = np.concatenate([[0], np.cumsum(marks)])
    return np.asarray(before[offsets[1:]] - before[offsets[:-1]], dtype=np.float64)


def _pieces(line: str) -> int:
    """Pieces between marks, those at the end that are empty left out, of each mark that the line has."""
    total = 0
    for mark in _MARKS:
        if mark in line:
            rest = line.rstrip(mark)
            total += rest.count(mark) + 1 if rest else 0
    return total
