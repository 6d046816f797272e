"""Options of what is trained from text alone."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from tercet.options import Options, about, setting
from tercet.options.groups import File, Workers

if TYPE_CHECKING:
    Files: TypeAlias = File | Sequence[File]
    Words: TypeAlias = frozenset[str] | File
else:  # what a shell gives
    Files = list[pathlib.Path]
    Words = pathlib.Path


@dataclasses.dataclass(frozen=True, kw_only=True)
class TokensOfBothSides(Options):
    """How source and target are cut into words."""

    tokenize: str = setting("13a", "Tokenizer of both sides: see tercet list.")
    lowercase: bool = setting(True, "Lower-case both sides.", "--lowercase/--no-lowercase")


@dataclasses.dataclass(frozen=True)
class CorpusOptions(Workers):
    """Text of one language, whose n-grams are counted."""

    corpus: Files = dataclasses.field(
        metadata=about("Text of the language, a sentence a line; several files are one corpus.", argument="CORPUS...")
    )
    _: dataclasses.KW_ONLY
    order: int = setting(3, "Words of the longest n-grams.", least=1, most=6)
    lowercase: bool = setting(False, "Lower-case the text.", "--lowercase/--no-lowercase")


@dataclasses.dataclass(frozen=True)
class Ibm1Options(TokensOfBothSides, Workers):
    """What `train_ibm1` takes."""

    source: File = dataclasses.field(
        metadata=about("Source side of parallel text, a sentence a line.", argument="SOURCE")
    )
    target: File = dataclasses.field(metadata=about("Its target side.", argument="TARGET"))
    _: dataclasses.KW_ONLY
    iterations: int = setting(
        5, "Rounds of EM, from a table in which all words are equally likely.", least=1, most=1000
    )
    empty_word: bool = setting(
        True,
        "Whether each source sentence has the empty word, which explains what no other word does.",
        "--empty-word/--no-empty-word",
    )
    max_length: int = setting(100, "Words of the longest sentence that counts.", least=1, most=1000)
    prune: float = setting(
        1e-4, "Leave out entries below this probability; the others then sum to less than 1.", least=0, below=1
    )


@dataclasses.dataclass(frozen=True)
class LmOptions(CorpusOptions):
    """What `train_lm` takes."""

    _: dataclasses.KW_ONLY
    tokenize: str = setting("none", "Tokenizer, as the metric `lm` has it: see tercet list.")


@dataclasses.dataclass(frozen=True)
class FrequenciesOptions(CorpusOptions):
    """What `train_frequencies` takes."""

    _: dataclasses.KW_ONLY
    minimum: int = setting(
        2, "Leave out n-grams that occur no more often than this, before quartiles are taken.", least=0
    )
    tokenize: str = setting("none", "Tokenizer: see tercet list.")


@dataclasses.dataclass(frozen=True)
class FunctionWordsOptions(Options):
    """What `train_function_words` takes."""

    corpus: Files = dataclasses.field(metadata=about("Text of the language, packed or not.", argument="CORPUS..."))
    threshold: float = setting(1e-3, "Share of the corpus above which a word is a function word.", above=0, below=1)
    tokenize: str = setting("meteor(language=other, normalize=lower)", "Tokenizer: see tercet list.")


@dataclasses.dataclass(frozen=True)
class ParaphrasesOptions(Options):
    """What `train_paraphrases` takes."""

    phrase_table: File = dataclasses.field(
        metadata=about("Phrase table of Moses: foreign ||| phrase ||| scores.", argument="TABLE")
    )
    _: dataclasses.KW_ONLY
    common: Words = setting(frozenset(), "Function words of the language, one a line.")
    common_foreign: Words = setting(frozenset(), "Function words of the foreign language.")
    least: float = setting(0.01, "Leave out paraphrases below this probability.", least=0)
    least_translation: float = setting(0.001, "Leave out translations below this probability.", least=0)
