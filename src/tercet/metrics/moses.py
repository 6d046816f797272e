"""What the metrics of the Moses scorer share: tokens of the Moses tokenizer, case, percentages of errors."""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

import numpy as np

from tercet import spec as specs
from tercet import text
from tercet.data import Array, Batch
from tercet.metric_base import Metric
from tercet.spec import option
from tercet.text.base import Tokens
from tercet.text.moses import Moses
from tercet.text.punctuation import SENTENCE
from tercet.text.sacrebleu import Spaces, Whitespace


@dataclasses.dataclass(frozen=True)
class MosesMetric(Metric):
    """Options of every metric of the Moses scorer."""

    tokenize: str = option("moses", "tokenizer spec; none: the text is tokenised, words are split at the space")
    language: str = option("en", "language of the text, for the Moses tokenizer")
    lowercase: bool | Literal["ascii", "unicode"] = option(
        False,
        "lower-case the tokens: true and ascii A to Z only, as Moses does (case:false), unicode all letters",
    )
    normalize: text.Normalize = option("none", SENTENCE)

    def __post_init__(self) -> None:
        super().__post_init__()
        tokenizer = text.tokenizer(self.tokenize)
        if isinstance(tokenizer, Moses):
            tokenizer = self._take_language(tokenizer)
        object.__setattr__(self, "tokenize", str(tokenizer))
        self.require(
            bool(re.fullmatch("[a-z]{2,3}", self.language)), "language", "a code of two or three letters, as de"
        )
        if self.lowercase == "ascii":
            object.__setattr__(self, "lowercase", True)

    def _take_language(self, tokenizer: Moses) -> Moses:
        """The language is written once, as the metric's, wherever it was given."""
        if "language" in specs.read(self.tokenize)[1] and tokenizer.language != self.language:
            self.require(self.language == "en", "language", f"the tokenizer's, {tokenizer.language}")
            object.__setattr__(self, "language", tokenizer.language)
        return dataclasses.replace(tokenizer, language="en")

    def tokens(self, batch: Batch) -> tuple[Tokens, Tokens]:
        """The tokens of hypotheses and references."""
        tokenizer = text.tokenizer(self.tokenize)
        if isinstance(tokenizer, Moses):
            tokenizer = dataclasses.replace(tokenizer, language=self.language)
        elif tokenizer == Whitespace():
            tokenizer = Spaces()
        lower: text.Case = "python" if self.lowercase == "unicode" else "ascii" if self.lowercase else None
        hyps, refs = text.both_sides(batch, self.normalize)
        return (
            text.tokens(hyps, tokenizer, batch.threads, lower_tokens=lower),
            text.tokens(refs, tokenizer, batch.threads, lower_tokens=lower),
        )


def percentage(errors: Array, length: Array, empty: float) -> Array:
    """Errors a reference word, times 100; `empty` where there is no reference word."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(length > 0, 100 * errors / length, empty)
