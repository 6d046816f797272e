"""Tokenizers, and the only place where strings become bytes and tokens.

`packed` and `tokens` keep what they made with the text itself, so that a text is packed and tokenised once
however many metrics read it.
"""

from tercet.spec import Registry
from tercet.text.base import PythonTokenizer, Tokenizer
from tercet.text.packing import Case, packed, tokens
from tercet.text.punctuation import Normalize, both_sides

TOKENIZERS: Registry[Tokenizer] = Registry(
    kind="tokenizer",
    group="tercet.tokenizers",
    table={
        "13a": "tercet.text.sacrebleu:Mteval13a",
        "intl": "tercet.text.sacrebleu:International",
        "zh": "tercet.text.sacrebleu:Chinese",
        "char": "tercet.text.sacrebleu:Characters",
        "none": "tercet.text.sacrebleu:Whitespace",
        "spaces": "tercet.text.sacrebleu:Spaces",
        "tercom": "tercet.text.sacrebleu:Tercom",
        "mteval": "tercet.text.mteval:Mteval",
        "moses": "tercet.text.moses:Moses",
        "meteor": "tercet.text.meteor:Meteor",
        "ja-mecab": "tercet.text.mecab:JapaneseMecab",
        "ko-mecab": "tercet.text.mecab:KoreanMecab",
    },
)


def tokenizer(spec: str) -> Tokenizer:
    """A tokenizer from its spec string: a frozen value that turns a text into its tokens.

    >>> tokenizer("13a")("Hello, world!")
    ['Hello', ',', 'world', '!']
    """
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
