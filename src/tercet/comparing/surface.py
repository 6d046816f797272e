"""What can be seen in a text without a metric: its numbers, its names, how it ends, whether it is a copy."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"\d(?:[.,:'’\u00a0\u202f]?\d)*")
_WORD = re.compile(r"[^\W\d_](?:[^\W_]|[-'’.](?=[^\W_])|\u0301)*")
_STARTS = re.compile(r"(?:^|[.!?:;…»«\"“”„‘()\[\]–—-])\W*$")
_FINAL = frozenset(".!?…。！？।॥؟۔:;\"”“»')]」』")
_SPACES = re.compile(r"\s+")


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text by their digits alone, since languages set points and commas differently.

    >>> sorted(numbers("3.500 or 3,500 in १९९९, at 10:30"))
    ['1030', '1999', '3500']
    """
    return frozenset(_digits(number) for number in _NUMBER.findall(text))


def written_numbers(text: str) -> dict[str, str]:
    """By their digits, the numbers of a text as it writes them.

    >>> written_numbers("3,500 at 10:30")
    {'3500': '3,500', '1030': '10:30'}
    """
    return {_digits(number): number for number in _NUMBER.findall(text)}


@functools.lru_cache(maxsize=1 << 16)
def _digits(number: str) -> str:
    return "".join(str(unicodedata.digit(c)) for c in number if c.isdigit())


def words(text: str) -> list[str]:
    """Words as they are written, without marks and numbers.

    >>> words("Mr. O'Neill's 3 semi-finals, U.S. style")
    ['Mr', "O'Neill's", 'semi-finals', 'U.S', 'style']
    """
    return _WORD.findall(text)


def capitalised(text: str) -> list[str]:
    """Words with a capital letter that do not begin a sentence or a quotation.

    >>> capitalised("Yesterday Angela Merkel said: The EU is in London.")
    ['Angela', 'Merkel', 'EU', 'London']
    """
    names = []
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0].isupper() and len(word) > 1 and not _STARTS.search(text[max(0, match.start() - 8) : match.start()]):
            names.append(word)
    return names


def expected_names(references: Sequence[Sequence[str]], sources: Sequence[str] | None) -> list[frozenset[str]]:
    """The names of each segment: capitalised in every reference, and in the source where that shares names at all.

    A word that references also write in lower case is no name. Where the source is written in another script, or names
    are translated, capitalised words of the references have to do.
    """
    expected = [frozenset.intersection(*(frozenset(capitalised(text)) for text in group)) for group in references]
    small = {word for group in references for text in group for word in words(text) if word.islower()}
    expected = [frozenset(name for name in names if name.lower() not in small) for names in expected]
    if sources is None:
        return expected
    shared = [names & frozenset(words(source)) for names, source in zip(expected, sources, strict=True)]
    enough = sum(map(len, shared)) * 5 >= sum(map(len, expected))
    return shared if enough else expected


def lost_names(names: frozenset[str], text: str) -> tuple[int, int]:
    """How many names are not in a text, and how many are there in another case only.

    >>> lost_names(frozenset({"Merkel", "Obama"}), "obama met her")
    (1, 1)
    >>> lost_names(frozenset({"US"}), "business as usual"), lost_names(frozenset({"US"}), "美国US总统")
    ((1, 0), (0, 0))
    """
    missing = missing_names(names, text)
    small = sum(missing.values())
    return len(missing) - small, small


def missing_names(names: frozenset[str], text: str) -> dict[str, bool]:
    """The names that are not in a text, and whether they are there in another case."""
    missing = [name for name in names if not _has_word(text, name)]
    folded = text.casefold() if missing else ""
    return {name: _has_word(folded, name.casefold()) for name in missing}


def _has_word(text: str, word: str) -> bool:
    """Whether a word stands by itself in a text; letters of scripts that are written without spaces may touch it."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not _goes_on(text[start - 1 : start]) and not _goes_on(text[end : end + 1]):
            return True
        start = text.find(word, start + 1)
    return False


def _goes_on(c: str) -> bool:
    """Whether a character is part of a word beside it: names are of scripts with capital letters."""
    return c.lower() != c.upper() or c.isdigit() or (c != "" and unicodedata.category(c)[0] == "M")


def ends_a_sentence(text: str) -> bool:
    """Whether the last character is one that ends a sentence."""
    return bool(text) and text.rstrip()[-1:] in _FINAL


def is_empty(text: str) -> bool:
    """Whether there is no letter and no digit in it."""
    return not any(map(str.isalnum, text))


def folded(text: str) -> str:
    """A text without its case and spacing, for comparing it with another."""
    return _SPACES.sub(" ", text).strip().casefold()


def is_copy(text: str, source: str, references: Iterable[str]) -> bool:
    """Whether an output is the source itself, of three words or more, and no reference is.

    >>> is_copy("Das ist  gut", "das ist gut", ["That is good"])
    True
    """
    mine, given = folded(text), folded(source)
    if mine == given and len(words(source)) >= 3:
        return all(folded(reference) != given for reference in references)
    return False
