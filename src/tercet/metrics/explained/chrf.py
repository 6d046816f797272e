"""What every chrF says of a segment: n-grams of characters and words by order, precision and recall."""

from __future__ import annotations

import string
from collections.abc import Iterator

from tercet.data.explanation import Factor, NgramTable
from tercet.data.statistics import Array
from tercet.metrics.explained.formulas import fraction
from tercet.metrics.explained.ngrams import Words, character_table, word_table


def chrf_statistic_names(char_order: int, word_order: int) -> tuple[str, ...]:
    """Three counts of each order."""
    names = _names(char_order, word_order)
    return tuple(f"{name}, {of}" for name in names for of in ("hypothesis", "reference", "matches"))


def precisions_and_recalls(row: Array, char_order: int, word_order: int) -> Iterator[tuple[Factor, Factor]]:
    """The two of each order, from the counts."""
    for name, (hyp, ref, matched) in zip(_names(char_order, word_order), row.reshape(-1, 3).tolist(), strict=True):
        yield fraction(name, matched, hyp, ("found", "n-grams")), fraction(name, matched, ref, ("found", "n-grams"))


def chrf_tables(
    hyp: str, ref: str, char_order: int, word_order: int, *, whitespace: bool = False, original: bool = False
) -> tuple[NgramTable, ...]:
    """n-grams of characters, and of words where they count."""
    tables = [character_table(_pieces(hyp, whitespace, original), _pieces(ref, whitespace, original), char_order)]
    if word_order:
        tables.append(word_table(_words(hyp), [_words(ref)], word_order))
    return tuple(tables)


def _names(char_order: int, word_order: int) -> list[str]:
    return [f"{n} character{'s' if n > 1 else ''}" for n in range(1, char_order + 1)] + [
        f"{n} word{'s' if n > 1 else ''}" for n in range(1, word_order + 1)
    ]


def _pieces(text: str, whitespace: bool, original: bool) -> Words:
    """The text between white space that is no character: all of it, none, or the ASCII space (chrF++.py)."""
    if whitespace:
        return (text,)
    return tuple(piece for piece in text.strip().split(" ") if piece) if original else tuple(text.split())


def _words(text: str) -> Words:
    """One mark is taken off a word: the last character, or else the first."""
    out: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            out += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            out += [word[0], word[1:]]
        else:
            out.append(word)
    return tuple(out)
