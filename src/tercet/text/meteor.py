"""METEOR 1.5's own words: its normaliser for six languages, or lower-casing alone (Denkowski and Lavie 2014)."""

from __future__ import annotations

import dataclasses
import functools
import os
import re
from typing import Literal

from tercet import contents, kernels
from tercet.spec import option
from tercet.text import meteor_files
from tercet.text.base import Lines, Tokenizer, Tokens

NORMALIZED = ("en", "cs", "fr", "es", "de", "ru")  # languages that METEOR's normaliser knows
MeteorNormalize = Literal["none", "lower", "full", "nopunct"]
_APOSTROPHE = {"en": "right", "fr": "left"}


@dataclasses.dataclass(frozen=True)
class MeteorTokenizer(Tokenizer):
    """METEOR's -norm, -lower or neither; words are what Java's StringTokenizer makes of the line."""

    language: str = option("en", "language of the text: its abbreviations and apostrophes")
    normalize: MeteorNormalize = option(
        "full", "none, lower: lower-case, full: tokenise and lower-case (-norm), nopunct: without punctuation too"
    )
    resources: str | None = option(None, "folder or jar with METEOR's files; none: those of the extra `meteor`")

    name = "meteor"
    files = ("resources",)
    summary = "METEOR 1.5's own normaliser, with its lists of abbreviations (extra `meteor`)"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(
            bool(re.fullmatch("[a-z]{2,3}|other", self.language)), "language", "a code of two or three letters, as de"
        )
        self.require(
            self.normalize in ("none", "lower") or self.language in NORMALIZED,
            "normalize",
            f"none or lower for {self.language}, which METEOR cannot tokenise",
        )
        there = self.resources is None or os.path.exists(self.resources)
        self.require(there, "resources", "a file or folder that is there")

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_meteor(
            lines,
            self.normalize,
            _APOSTROPHE.get(self.language, "alone"),
            {}
            if self.normalize in ("none", "lower")
            else _prefixes(self.language, self.resources, contents.state(self.resources)),
            threads,
        )

    def _prefixes(self) -> dict[str, int]:
        return _prefixes(self.language, self.resources, contents.state(self.resources))


@functools.lru_cache(maxsize=16)
def _prefixes(language: str, resources: str | None, _state: contents.State) -> dict[str, int]:
    return meteor_files.locate(resources).prefixes(language)
