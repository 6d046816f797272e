"""The tokenizers of sacreBLEU (Post 2018) and plain splitting; each agrees with sacreBLEU 2.6 on every character."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from tercet import kernels
from tercet.spec import option
from tercet.text.base import Lines, Tokenizer, Tokens


class _Plain(Tokenizer):
    """A tokenizer without options: the kernel of that name does it all."""

    kernel: ClassVar[str]

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        cut: Tokens = getattr(kernels, self.kernel)(lines, threads)
        return cut


@dataclasses.dataclass(frozen=True)
class Mteval13a(_Plain):
    """The western rules of mteval-v13a: sacreBLEU's default."""

    name = "13a"
    summary = "western punctuation, as mteval-v13a and sacreBLEU's default"
    kernel = "tokenize_13a"


@dataclasses.dataclass(frozen=True)
class International(_Plain):
    """Splits at Unicode punctuation and symbols, unless a number is beside them."""

    name = "intl"
    summary = "Unicode punctuation and symbols, as sacreBLEU's intl"
    kernel = "tokenize_intl"


@dataclasses.dataclass(frozen=True)
class Chinese(_Plain):
    """Single Chinese characters, 13a for the rest."""

    name = "zh"
    summary = "single Chinese characters, 13a for the rest, as sacreBLEU's zh"
    kernel = "tokenize_zh"


@dataclasses.dataclass(frozen=True)
class Characters(_Plain):
    """Every character but white space."""

    name = "char"
    summary = "every character, as sacreBLEU's char"
    unit = "character"
    kernel = "tokenize_char"


@dataclasses.dataclass(frozen=True)
class Whitespace(_Plain):
    """Splits at white space: for text that is tokenised already."""

    name = "none"
    summary = "split at any white space: the text is tokenised already"
    kernel = "split_whitespace"


@dataclasses.dataclass(frozen=True)
class Spaces(_Plain):
    """Splits at the space and nothing else, as the Moses scorer reads tokenised text."""

    name = "spaces"
    summary = "split at the space U+0020 only, as the Moses scorer does"
    kernel = "split_spaces"


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
