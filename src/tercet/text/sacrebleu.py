"""The tokenizers of sacreBLEU (Post 2018) and plain splitting; each agrees with sacreBLEU 2.6 on every character."""

from __future__ import annotations

import dataclasses

from tercet import kernels
from tercet.spec import option
from tercet.text.base import Lines, Tokenizer, Tokens


@dataclasses.dataclass(frozen=True)
class Mteval13a(Tokenizer):
    """The western rules of mteval-v13a: sacreBLEU's default."""

    name = "13a"
    summary = "western punctuation, as mteval-v13a and sacreBLEU's default"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_13a(lines, threads)


@dataclasses.dataclass(frozen=True)
class International(Tokenizer):
    """Splits at Unicode punctuation and symbols, unless a number is beside them."""

    name = "intl"
    summary = "Unicode punctuation and symbols, as sacreBLEU's intl"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_intl(lines, threads)


@dataclasses.dataclass(frozen=True)
class Chinese(Tokenizer):
    """Single Chinese characters, 13a for the rest."""

    name = "zh"
    summary = "single Chinese characters, 13a for the rest, as sacreBLEU's zh"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_zh(lines, threads)


@dataclasses.dataclass(frozen=True)
class Characters(Tokenizer):
    """Every character but white space."""

    name = "char"
    summary = "every character, as sacreBLEU's char"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_char(lines, threads)


@dataclasses.dataclass(frozen=True)
class Whitespace(Tokenizer):
    """Splits at white space: for text that is tokenised already."""

    name = "none"
    summary = "split at any white space: the text is tokenised already"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.split_whitespace(lines, threads)


@dataclasses.dataclass(frozen=True)
class Spaces(Tokenizer):
    """Splits at the space and nothing else, as the Moses scorer reads tokenised text."""

    name = "spaces"
    summary = "split at the space U+0020 only, as the Moses scorer does"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.split_spaces(lines, threads)


@dataclasses.dataclass(frozen=True)
class Tercom(Tokenizer):
    """What TER does to a text before it counts (Snover et al. 2006)."""

    normalized: bool = option(False, "split off punctuation and resolve entities")
    no_punct: bool = option(False, "delete punctuation")
    asian_support: bool = option(False, "treat Chinese and Japanese characters as words (with normalized)")
    case_sensitive: bool = option(False, "keep the case")

    twice: bool = option(False, "once more over its own output, as sacreBLEU does to references")

    name = "tercom"
    summary = "lower-cases, perhaps normalises: tercom's, as sacreBLEU's TER has it"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_tercom(
            lines,
            self.normalized,
            self.no_punct,
            self.asian_support,
            self.case_sensitive,
            self.twice,
            threads,
        )
