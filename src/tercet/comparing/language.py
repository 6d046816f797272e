"""Wrong script and wrong language, without a model: what the test set's own references and sources look like.

Scripts are known by the names that Unicode gives to letters. A language is known by its character trigrams: those of
all references on one side, those of all sources on the other (Cavnar and Trenkle 1994, as naive Bayes). An output that
is nearer to the sources than to the references was left in the source's language.
"""

from __future__ import annotations

import functools
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from tercet.comparing.surface import words
from tercet.data import Ints

Array = npt.NDArray[np.float64]
_RARE = 0.01  # share of letters below which a script is not one that references use
_SURE = 4.0  # log odds, over the whole text, from which it is the other language
_BITS = 20  # of a trigram's number
_SHORT = 20  # letters, fewer of which say too little


@functools.lru_cache(maxsize=1 << 14)
def script(letter: str) -> str:
    """The script of a letter by its Unicode name; "" for what is no letter.

    >>> [script(c) for c in "aжह漢1"]
    ['LATIN', 'CYRILLIC', 'DEVANAGARI', 'CJK', '']
    """
    if not letter.isalpha():
        return ""
    name = unicodedata.name(letter, "").partition(" ")[0]
    return "LATIN" if name in ("FULLWIDTH", "MODIFIER", "FEMININE", "MASCULINE", "MICRO") else name


def usual_scripts(references: Iterable[str]) -> frozenset[str]:
    """The scripts in which the references are written."""
    letters: Counter[str] = Counter()
    for text in references:
        letters.update(text)
    scripts: Counter[str] = Counter()
    for letter, n in letters.items():
        if kind := script(letter):
            scripts[kind] += n
    total = sum(scripts.values())
    return frozenset(name for name, n in scripts.items() if n >= _RARE * total)


def foreign_words(text: str, usual: frozenset[str], references: Sequence[str]) -> list[str]:
    """The words in a script that neither all references nor this segment's use.

    >>> foreign_words("это the house", frozenset({"LATIN"}), ["the house"])
    ['это']
    """
    strange = {c for c in set(text) if script(c) and script(c) not in usual}
    if not strange:
        return []
    expected = {script(c) for reference in references for c in set(reference)}
    strange = {c for c in strange if script(c) not in expected}
    return [word for word in words(text) if not strange.isdisjoint(word)] if strange else []


def wrong_language(outputs: Sequence[Sequence[str]], references: Sequence[str], sources: Sequence[str]) -> Ints:
    """(systems, segments): 1 where an output looks like the sources and not like the references."""
    n = len(sources)
    texts = [*references, *sources, *(text for strings in outputs for text in strings)]
    ids, owner = _trigrams(texts)
    size = 1 << _BITS
    side = np.searchsorted([len(references), len(references) + n], owner, side="right")
    target, source = (np.bincount(ids[side == k], minlength=size) + 0.5 for k in (0, 1))
    odds = np.log(source / source.sum()) - np.log(target / target.sum())
    mine = side == 2
    places = owner[mine] - len(references) - n
    total = np.bincount(places, odds[ids[mine]], minlength=n * len(outputs))
    letters = np.bincount(places, minlength=n * len(outputs))
    flags: Ints = ((total > _SURE) & (letters >= _SHORT)).astype(np.int64).reshape(len(outputs), n)
    return flags


def _trigrams(texts: Sequence[str]) -> tuple[Ints, Ints]:
    """The trigrams of letters and spaces of all texts as numbers of so many bits, and the text of each.

    Two trigrams that share a number do no harm: there are few thousands of them.
    """
    joined = "".join(f" {text.lower()} ".replace("\n", " ") + "\n" for text in texts)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
    plain = np.zeros(0x110000, dtype=np.int64)
    for code in np.flatnonzero(np.bincount(codes, minlength=1)).tolist():
        plain[code] = code if chr(code).isalpha() or code == 10 else 32
    codes = plain[codes]
    owner = np.cumsum(codes == 10) - (codes == 10)
    a, b, c = codes[:-2], codes[1:-1], codes[2:]
    kept = (a != 10) & (b != 10) & (c != 10) & ~((a == 32) & (b == 32)) & ~((b == 32) & (c == 32))
    mixed = (a[kept] * 0x9E3779B1 + b[kept]) * 0x85EBCA6B + c[kept]
    return ((mixed * 0xC2B2AE35) >> 16) & ((1 << _BITS) - 1), owner[:-2][kept]
