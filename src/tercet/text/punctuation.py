"""Punctuation written one way, as the medical task of WMT14 wants it before it scores (Bojar et al. 2014, section 5).

Its references were inconsistent: the same sentence with straight or curly quotes, with a hyphen or a dash, with or
without a space before a colon. `punct` writes each of these in one way, on both sides, before anything is tokenised:

    quotes      “ ” „ ‟ « » and '' become ", ‘ ’ ‚ ‛ ‹ › ´ ` become '
    dashes      U+2010 to U+2015 and the minus sign become -
    ellipsis    … becomes ...
    spaces      no-break, thin, wide and other typographic spaces become a space; runs of spaces become one
    full width  U+FF01 to U+FF5E become ASCII
    zero width  U+200B to U+200F, U+2060 and U+FEFF are deleted
    spacing     no space before , . ; : ! ? ) % nor after (, nor inside French guillemets

A comma between digits stays. Text that has been through it comes out of it as it is.
"""

from __future__ import annotations

import re
from typing import Literal

from tercet.data import Batch, Texts

Normalize = Literal["none", "punct"]
SENTENCE = "none, or punct: write quotes, dashes and spaces around punctuation one way, on both sides"

_DOUBLE = "“”„‟"
_SINGLE = "‘’‚‛‹›´`"
_SPACES = "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_ZERO_WIDTH = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_SIMPLE = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, _DOUBLE), '"'),
    **dict.fromkeys(map(ord, _SINGLE + "\uff40"), "'"),  # a wide grave is a grave
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, _SPACES), " "),
    **dict.fromkeys(map(ord, _ZERO_WIDTH), None),
    ord("…"): "...",
}
_RUN = re.compile(" {2,}")
_BEFORE = re.compile(r" +(?=[,.;:!?)%])")
_AFTER = re.compile(r"(?<=\() +")
# French guillemets stand apart from what they enclose; German ones, »so«, stand apart from what is around them.
_OPENING = re.compile(r"(?<![^ (])« ")
_CLOSING = re.compile(r" »(?![^ ,.;:!?)%])")


def punct(text: str) -> str:
    """The text with its punctuation written one way.

    >>> punct("« Prenez 2,5 mg – pas plus ! »")
    '"Prenez 2,5 mg - pas plus!"'
    """
    text = _RUN.sub(" ", text.translate(_SIMPLE).replace("''", '"'))
    if "«" in text or "»" in text:
        text = _CLOSING.sub('"', _OPENING.sub('"', text)).replace("«", '"').replace("»", '"')
    return _AFTER.sub("", _BEFORE.sub("", text)).strip(" ")


def both_sides(batch: Batch, how: Normalize) -> tuple[Texts, Texts]:
    """Hypotheses and references after that pipeline."""
    return _normalized(batch.hypotheses, how), _normalized(batch.required_references().texts, how)


def _normalized(texts: Texts, how: Normalize) -> Texts:
    if how == "none":
        return texts
    key = ("normalized", how)
    if key not in texts.memo:  # kept with the text, so that all metrics share it and the tokens made of it
        texts.memo[key] = Texts(tuple(map(punct, texts.strings)))
    normalized: Texts = texts.memo[key]
    return normalized
