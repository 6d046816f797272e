"""How fluent the translation is: its probability by a language model that the user gives."""

from __future__ import annotations

import dataclasses
import math
import os

import numpy as np

from tercet import text
from tercet.data import Array, Batch, Explanation
from tercet.formats import models
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.metrics.elementary import power
from tercet.metrics.ibm1 import a_word, quotient
from tercet.spec import option

_BYTE = math.log10(256)
_PAPER = "features 1009 and 1012 of QuEst (Specia et al. 2013, *QuEst: a translation quality estimation framework*)"
_REFERENCE = "KenLM (`kenlm.Model.score`), with the same ARPA file"
_DIFFERENCES = (
    "Sums within a segment are in 32 bits, as KenLM's.",
    "A word that the model does not know is its <unk>; without an <unk> it has KenLM's log10 probability of -100.",
    "Without a model it counts bytes: each is as likely as any other, and so is the end of a word or sentence. That is "
    "good for nothing but trying the metric out.",
)


@dataclasses.dataclass(frozen=True)
class LanguageModel(Metric):
    """Statistics: [log10 probability, words and the ends of sentences]."""

    model: str | None = option(None, "ARPA file, perhaps .gz; none: all bytes are equally likely")
    tokenize: str = option("none", "tokenizer spec; that of the text of which the model was made")
    lowercase: bool = option(False, "lower-case the texts; as the model's text was")
    sentence: bool = option(True, "each segment is a sentence: <s> stands before it, and </s> after it is predicted")

    name = "lm"
    files = ("model",)
    needs = frozenset()
    digits = 3
    card = Card(
        title="Language model",
        kind="no reference",
        resources="ARPA file",
        definition=(
            "The log10 probability of the translation by a back-off n-gram model, a word; the end of a sentence counts "
            "as a word. It needs neither reference nor source."
        ),
        paper=_PAPER,
        scale="0 and below, log10 a word",
        reference=_REFERENCE,
        differences=_DIFFERENCES,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        text.tokenizer(self.tokenize)
        self.require(self.model is None or os.path.isfile(self.model), "model", "a file that is there")

    def statistics(self, batch: Batch) -> Array:
        """log10 probability and words."""
        lower: text.Case = "python" if self.lowercase else None
        tokens = text.tokens(batch.hypotheses, text.tokenizer(self.tokenize), batch.threads, lower=lower)
        words = np.diff(tokens[2]) + self.sentence
        if self.model is None:
            size = tokens[1][tokens[2]]
            logs = -_BYTE * (np.diff(size) + words).astype(np.float64)
        else:
            logs = models.language_model(self.model).score(tokens, self.sentence, batch.threads)[:, 0]
        return np.stack([logs, words.astype(np.float64)], axis=-1)

    def statistic_names(self) -> tuple[str, ...]:
        return "log10 probability", "words and ends" if self.sentence else "words"

    def score(self, stats: Array) -> Array:
        """log10 probability a word."""
        return a_word(stats)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        return quotient(plain, row, self.statistic_names())


@dataclasses.dataclass(frozen=True)
class Perplexity(LanguageModel):
    """Statistics are those of `lm`."""

    name = "lm-perplexity"
    higher_is_better = False
    digits = 1
    card = Card(
        title="Perplexity",
        kind="no reference",
        resources="ARPA file",
        definition=(
            "Perplexity of the translation by a back-off n-gram model: 10 to the power of minus its log10 probability "
            "a word, the ends of sentences among them. It needs neither reference nor source."
        ),
        paper=_PAPER,
        scale="1 and up; lower is better",
        reference=_REFERENCE.replace("score", "perplexity"),
        differences=_DIFFERENCES,
    )

    def score(self, stats: Array) -> Array:
        """10 to the power of minus the log10 probability a word."""
        with np.errstate(over="ignore"):
            return power(10.0, -a_word(stats))

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The power, and the quotient below it."""
        mean = quotient(plain, row, self.statistic_names()).formula
        if mean is None or not np.isfinite(plain.score):
            return plain
        below = dataclasses.replace(mean, name="log10 probability a word")
        raised = explained.given("score", plain.score, "10 to the power of minus that")
        return dataclasses.replace(plain, formula=dataclasses.replace(raised, operation="rule", parts=(below,)))
