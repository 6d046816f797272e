"""The Moses tokenizer (tokenizer.perl), with the abbreviation lists that the package sacremoses carries."""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import pathlib
import re

from tercet import kernels
from tercet.errors import MissingExtraError
from tercet.spec import option
from tercet.text.base import Lines, Tokenizer, Tokens

_APOSTROPHE = {
    "en": "right",
    **dict.fromkeys(("fr", "it", "ga", "ca"), "left"),
    "so": "glottal",
    "tdt": "glottal",
}
_WORD_INTERNAL = {"fi": ":", "sv": ":", "tdt": "'", "ca": "·"}
_NUMERIC = "#NUMERIC_ONLY#"


@dataclasses.dataclass(frozen=True)
class Moses(Tokenizer):
    """tokenizer.perl of Moses, with escaping; a language without a list of abbreviations takes the English one."""

    language: str = option("en", "language of the text: its abbreviations and apostrophes")
    escape: bool = option(True, "write & | < > ' \" [ ] as entities")
    aggressive: bool = option(False, "split words at hyphens, as @-@")

    name = "moses"
    summary = "tokenizer.perl of Moses, with its lists of abbreviations"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(
            bool(re.fullmatch("[a-z]{2,3}", self.language)), "language", "a code of two or three letters, as de"
        )

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_moses(
            lines,
            _APOSTROPHE.get(self.language, "alone"),
            _WORD_INTERNAL.get(self.language, ""),
            self.escape,
            self.aggressive,
            abbreviations(self.language),
            threads,
        )


@functools.cache
def abbreviations(language: str) -> dict[str, int]:
    """Words whose period ends no sentence: 1 anywhere, 2 before a number."""
    lists = _lists()
    text = lists.get(f"nonbreaking_prefix.{language}", lists["nonbreaking_prefix.en"])
    out = {}
    for line in text.split("\n"):
        if not line or line.startswith("#"):
            continue
        word, numeric, _ = line.partition(_NUMERIC)
        out[word.rstrip() if numeric else line] = 2 if numeric else 1
    return out


@functools.cache
def _lists() -> dict[str, str]:
    """The file of lists inside sacremoses, read without importing sacremoses, which takes half a second."""
    package = importlib.util.find_spec("sacremoses")
    path = (
        pathlib.Path(package.origin).with_name("_data_nonbreaking_prefixes.py") if package and package.origin else None
    )
    spec = importlib.util.spec_from_file_location("_tercet_moses_lists", path) if path and path.exists() else None
    if spec is None or spec.loader is None:
        raise MissingExtraError(
            "The Moses tokenizer needs the abbreviation lists of the package sacremoses (0.2 or newer).",
            hint="Install it with `pip install 'sacremoses>=0.2'`.",
        )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    lists: dict[str, str] = module.NONBREAKING_PREFIXES
    return lists
