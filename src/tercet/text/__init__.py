"""Tokenizers, and the only place where strings become bytes and tokens.

`packed` and `tokens` keep what they made with the text itself, so that a text is packed and tokenised once
however many metrics read it.
"""

import functools

from tercet.spec import Registry
from tercet.text.base import PythonTokenizer, Tokenizer
from tercet.text.packing import Case, packed, tokens
from tercet.text.punctuation import Normalize, both_sides

TOKENIZERS: Registry[Tokenizer] = Registry(
    kind="tokenizer",
    group="tercet.tokenizers",
    base=Tokenizer,
    table={
        "13a": "tercet.text.sacrebleu:Mteval13a",
        "intl": "tercet.text.sacrebleu:International",
        "zh": "tercet.text.sacrebleu:Chinese",
        "char": "tercet.text.sacrebleu:Characters",
        "none": "tercet.text.sacrebleu:Whitespace",
        "spaces": "tercet.text.sacrebleu:Spaces",
        "tercom": "tercet.text.sacrebleu:Tercom",
        "terp": "tercet.text.terp:TerpTokenizer",
        "mteval": "tercet.text.mteval:Mteval",
        "moses": "tercet.text.moses:Moses",
        "meteor": "tercet.text.meteor:MeteorTokenizer",
        "ja-mecab": "tercet.text.mecab:JapaneseMecab",
        "ko-mecab": "tercet.text.mecab:KoreanMecab",
        "spm": "tercet.text.spm:SentencePiece",
        "flores101": "tercet.text.spm:Flores101",
        "flores200": "tercet.text.spm:Flores200",
        "spBLEU-1K": "tercet.text.spm:Spbleu1k",
    },
)


def tokenizer(spec: str) -> Tokenizer:
    """A tokenizer from its spec string: a frozen value that turns a text into its tokens.

    >>> tokenizer("13a")("Hello, world!")
    ['Hello', ',', 'world', '!']
    """
    return _made(spec) if isinstance(spec, str) else TOKENIZERS.make(spec)


@functools.lru_cache(maxsize=64)  # every part of a test set asks for it again
def _made(spec: str) -> Tokenizer:
    return TOKENIZERS.make(spec)


__all__ = [
    "TOKENIZERS",
    "Case",
    "Normalize",
    "PythonTokenizer",
    "Tokenizer",
    "both_sides",
    "packed",
    "tokenizer",
    "tokens",
]
