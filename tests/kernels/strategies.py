"""Texts that make n-grams match, rules collide and Unicode matter.

Generated characters are those of Unicode 14, which the tables of the kernels and every supported Python know.
"""

import functools
import unicodedata
from typing import NamedTuple

from hypothesis import strategies as st

# Assigned by Unicode 15 to 18.
_LATER = """
    558-558 58B-58C 5C8-5C9 88F-88F 897-897 B53-B54 C5C-C5C CDC-CDC CF3-CF3 ECE-ECE 1ACF-1AF0 1B4E-1B4F
    1B7F-1B7F 1C89-1C8A 208F-208F 209D-209F 20C1-20C4 2427-2429 2B96-2B96 2E60-2E63 2FFC-2FFF 31E4-31E5
    31EF-31EF A7CB-A7CF A7D2-A7D2 A7D4-A7D4 A7DA-A7DD A7E2-A7E2 A7F1-A7F1 AB6C-AB6D FBC3-FBD2 FD90-FD91
    FDC8-FDCE 105C0-105F3 107BB-107BF 10940-10959 10D40-10D65 10D69-10D85 10D8E-10D8F 10EC2-10EC7
    10EC9-10EEE 10EF0-10EFF 1123F-11241 11380-11389 1138B-1138B 1138E-1138E 11390-113B5 113B7-113C0
    113C2-113C2 113C5-113C5 113C7-113CA 113CC-113D5 113D7-113D8 113E1-113E2 116D0-116E3 11B00-11B0A
    11B60-11B67 11BC0-11BE1 11BF0-11BF9 11DB0-11DDB 11DE0-11DE9 11DF0-11DF1 11F00-11F10 11F12-11F3A
    11F3E-11F5A 1246F-1246F 12475-1247F 12550-12686 1342F-1342F 13439-13455 13460-143FA 16100-16139
    16D40-16D79 16EA0-16EB8 16EBB-16ED3 16FF2-16FF6 187F8-187FF 18CD6-18CDA 18CFF-18CFF 18D09-18D20
    18D80-18DF2 18E00-19191 191A0-191D2 1B123-1B128 1B132-1B132 1B155-1B155 1B168-1B168 1CC00-1CCFC
    1CD00-1CEB3 1CEBA-1CED0 1CED2-1CED4 1CEDD-1CEFD 1D127-1D128 1D1EB-1D1FF 1D250-1D281 1D2C0-1D2D3
    1D6A6-1D6A6 1DB00-1DB1C 1DF1F-1DF81 1DF90-1DF96 1DFCD-1DFFF 1E030-1E06D 1E08F-1E08F 1E4D0-1E4F9
    1E5D0-1E5FA 1E5FF-1E5FF 1E6C0-1E6DE 1E6E0-1E6F5 1E6FE-1E6FF 1F1AE-1F1AE 1F6D8-1F6D9 1F6DC-1F6DC
    1F774-1F77F 1F7D9-1F7DB 1F7F1-1F7FF 1F8B2-1F8BB 1F8C0-1F8C1 1F8D0-1F8D8 1FA54-1FA57 1FA75-1FA77
    1FA87-1FA8F 1FAAD-1FAAF 1FABB-1FABF 1FAC6-1FAC6 1FAC8-1FAC8 1FACC-1FACF 1FADA-1FADD 1FADF-1FADF
    1FAE8-1FAEB 1FAEF-1FAEF 1FAF7-1FAFA 1FBCB-1FBEF 1FBFA-1FBFA 2B739-2B73F 2B81E-2B81E 2CEA2-2CEAD
    2EBF0-2EE5D 31350-33479 3D000-3FC3F
"""
# Letters, or lower-case letters, before or after Unicode 14 only: the kernel holds to Perl 5.36, which has 14.
_LATER_LETTERS = "295-295 363-36F C04-C04 F82-F83 10FC-10FC 1DD3-1DF4 A7F2-A7F4 AB69-AB69 11080-11081"

# fmt: off
PIECES = [
    "a", "b", "the", "cat", "Cat", "CAT", "sat", "0", "1", "12", "1990", "3.14", "1,000", "5-6", "x-y", "Mr.", "No.",
    "U.S.", "e.g.", "don't", "l'ami", "'s", "'s ", "it's\t", "1990's", "ha'u", "EU:n", "il·lusió", "...", "..", "....",
    ".", ",", "-", "--", "'", "''", '"', "`", ":", ";", "!", "?", "(", ")", "[", "]", "{", "}", "|", "<", ">", "&", "/",
    "\\", "_", "^", "~", "@", "#", "$", "%", "+", "=", "*", "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&amp;lt;",
    "&amp;amp;", "<skipped>", "-\n", "\n-", "\n", "\t", "\r", "\x0b", "\x0c", "\x1c", "\x1f", "\x00", "\x01",
    "\x7f", "\x85", "\xa0", "\u2028", "\u2029", "-\u2028", "\u200b", "\u200d", "\u3000", "\ufeff", "é",
    "e\u0301", "\u0301", "ß", "ǅ", "İ", "I", "ı", "Σ", "ΑΣ", "ΣΑΣ", "Σ'", "σ", "ς", "Привет", "мир", "שלום", "عربي",
    "٣", "،", "؟", "हिन्दी", "क़", "।", "한국어", "한", "ひらがな", "カタカナ", "ー", "・", "中文", "計", "。", "、",
    "（", "）", "，", "！", "：", "㈱", "㍻", "２", "½", "²", "Ⅻ", "€", "№", "—", "–", "‘", "’", "“", "”", "«", "»",
    "…", "·", "😀", "👩\u200d💻", "🇫🇮", "𝒜", "𠀀", "𐐀", "𐐨", "𞤀", "\U000e0001",
]
# fmt: on
SEPARATORS = [" ", " ", " ", "  ", "", "\t", "\xa0", "\u3000", "\n"]
VOCABULARY = ["a", "b", "c", "the", "0", "cat", "sat", ".", ",", "cat.", "(a", "é", "中", "😀", "a-b", "İ"]


class Segment(NamedTuple):
    """One hypothesis with one or more references."""

    hyp: str
    refs: list[str]


@functools.cache
def later() -> frozenset[str]:
    """Characters that came after Unicode 14."""
    return frozenset(map(chr, _points(_LATER)))


@functools.cache
def later_letters() -> frozenset[str]:
    """Characters whose being a letter, or a small one, changed after Unicode 14."""
    return frozenset(map(chr, _points(_LATER_LETTERS)))


def _points(ranges: str) -> list[int]:
    ends = [[int(end, 16) for end in piece.split("-")] for piece in ranges.split()]
    return [point for first, last in ends for point in range(first, last + 1)]


@functools.cache
def all_characters() -> tuple[str, ...]:
    """Every character of Unicode 14 but surrogates and private use; of the large blocks the ends and every 97th."""
    blocks = [
        (0x3400, 0x4DBF),
        (0x4E00, 0x9FFF),
        (0xA000, 0xA48C),
        (0xAC00, 0xD7A3),
        (0x12000, 0x18CFF),
        (0x1B000, 0x1B2FF),
    ]
    large = [*blocks, (0x20000, 0x3FFFF)]
    inner = {p for first, last in large for p in range(first + 4, last - 100) if p % 97}
    points = (chr(p) for p in range(0x110000) if p not in inner)
    return tuple(c for c in points if unicodedata.category(c) not in ("Cn", "Cs", "Co") and c not in later())


@functools.cache
def texts() -> st.SearchStrategy[str]:
    """One line of anything: pieces that trip rules, words that recur, characters of all kinds."""
    piece, separator = st.sampled_from(PIECES), st.sampled_from(SEPARATORS)
    character = st.characters(exclude_categories=("Cs", "Cn", "Co")).filter(lambda c: c not in later())
    anything = st.text(character, max_size=20)
    mixed = st.lists(st.one_of(piece, piece, separator, separator, character), max_size=14).map("".join)
    return st.one_of(mixed, mixed, sentences(), anything)


@functools.cache
def sentences() -> st.SearchStrategy[str]:
    """Words from a small list, so that n-grams recur."""
    return st.lists(st.sampled_from(VOCABULARY), max_size=14).map(" ".join)


@functools.cache
def segments() -> st.SearchStrategy[list[Segment]]:
    """A few segments, each with one to five references; often the texts, or the segments, have much in common."""
    alphabet = st.text("ab ", max_size=20)
    line = st.one_of(sentences(), sentences(), alphabet, texts())
    likely = st.tuples(line, st.lists(line, min_size=1, max_size=5)).map(lambda pair: Segment(*pair))
    rivals = st.tuples(few_symbols(), few_symbols()).map(lambda pair: Segment(pair[0], [pair[1]]))
    one = st.one_of(likely, line.map(lambda text: Segment(text, [text])))
    return st.one_of(st.lists(one, max_size=4), st.lists(rivals, min_size=2, max_size=6))


@functools.cache
def few_symbols() -> st.SearchStrategy[str]:
    """A text of so few words that the n-grams of one segment are those of another."""
    return st.lists(st.sampled_from("abcd"), max_size=16).map(" ".join)
