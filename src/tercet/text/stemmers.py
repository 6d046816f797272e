"""Snowball stemmers as METEOR 1.5 carries them, Snowball's state of 2010 (Porter 2001, snowballstem.org).

Later versions of Snowball, and NLTK's, give other stems for some words. Case is left alone: the algorithms expect
lower case, but METEOR stems words as they are. Two quirks of METEOR's Java are part of it: Finnish -siin, -seen, -den
and -tten are taken for -n, and Hungarian is read with õ and û in the place of ő and ű. A word of over 1000 letters is
its own stem.
"""

from __future__ import annotations

from collections.abc import Sequence

from tercet import kernels
from tercet.errors import InputError
from tercet.text.base import pack

LANGUAGES = ("en", "fr", "es", "de", "ru", "pt", "da", "ro", "hu", "tr", "fi", "nl", "it", "no", "se")
"""The languages that have a stemmer, by METEOR's codes: `se` is Swedish."""


def stem(words: Sequence[str], language: str) -> list[str]:
    """The stems of words, each different word stemmed once.

    >>> stem(["translations", "translated", "translator"], "en")
    ['translat', 'translat', 'translat']
    """
    if language not in LANGUAGES:
        raise InputError(f"There is no stemmer for {language!r}.", hint=f"There is one for {', '.join(LANGUAGES)}.")
    different = list(dict.fromkeys(words))
    stems = dict(zip(different, kernels.unpack(kernels.stem(pack(different), language, 1)), strict=True))
    return [stems[word] for word in words]
