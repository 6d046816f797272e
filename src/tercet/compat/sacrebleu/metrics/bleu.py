"""BLEU as sacreBLEU has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from tercet.compat.sacrebleu.metrics.base import LOG, Scorer, Signature, Streams
from tercet.compat.sacrebleu.scores import BLEUScore
from tercet.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from tercet.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from tercet.compat.sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from tercet.compat.sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from tercet.compat.sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from tercet.compat.sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from tercet.data import Array
from tercet.metrics.bleu import Bleu

_FINAL_PERIODS = 100  # lines that end in a token "." before anybody is warned
_TOKENIZERS: dict[str, type[BaseTokenizer]] = {
    kind.spec: kind for kind in (Tokenizer13a, TokenizerChar, TokenizerV14International, NoneTokenizer, TokenizerZh)
}
BLEUSignature = Signature
MAX_NGRAM_ORDER = 4  # unless another is asked for
__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature"]


class BLEU(Scorer[BLEUScore]):
    """BLEU as sacreBLEU computes it."""

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZER_DEFAULT: ClassVar[str] = "13a"
    TOKENIZERS: ClassVar[tuple[str, ...]] = (
        "none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200",
        "spBLEU-1K",
    )  # fmt: skip
    short: ClassVar[dict[str, str]] = {"smooth": "s"}

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Streams | None = None,
    ) -> None:
        self._force = force
        self.lowercase, self.effective_order, self.trg_lang = lowercase, effective_order, trg_lang
        self.smooth_method, self.smooth_value, self.max_ngram_order = smooth_method, smooth_value, max_ngram_order
        usual = Bleu(language=trg_lang).tokenize
        if tokenize not in (None, usual) and usual != self.TOKENIZER_DEFAULT:
            LOG.warning("Consider the tokenizer %r for this language.", usual)
        self.tokenizer_signature = tokenize or usual
        known = _TOKENIZERS.get(self.tokenizer_signature)
        self.tokenizer = BaseTokenizer(self.tokenizer_signature) if known is None else known()
        self.metric = self._bleu(
            smooth_method, smooth_value, max_ngram_order, effective_order, lowercase, self.tokenizer_signature
        )
        super().__init__(references)

    @staticmethod
    def _bleu(
        method: str, value: float | None, order: int, effective: bool, lowercase: bool = False, tokenize: str = "none"
    ) -> Bleu:
        needless = BLEU.SMOOTH_DEFAULTS.get(method, 0) is None  # sacreBLEU takes a value that it does not need
        return Bleu(lowercase, tokenize, method, None if needless else value, order, effective)  # type: ignore[arg-type]

    @staticmethod
    def compute_bleu(
        correct: Sequence[float],
        total: Sequence[float],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU of counts."""
        metric = BLEU._bleu(smooth_method, smooth_value, max_ngram_order, effective_order)
        return _bleu_score(metric, np.array([sys_len, ref_len, *correct, *total], dtype=np.float64))

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """BLEU of one sentence, which wants `effective_order`."""
        if not self.effective_order:
            LOG.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        return super().sentence_score(hypothesis, references)

    def statistics(self, hypotheses: Sequence[str], references: Streams | None) -> Array:
        """Lengths, matches and totals; says when the texts look tokenised."""
        rows = super().statistics(hypotheses, references)
        if not self._force and sum(text.endswith(" .") for text in hypotheses) >= _FINAL_PERIODS:
            LOG.warning(
                "%d or more lines end in a token '.', as if the texts were tokenised, which may hurt the score. "
                "Detokenise them, or pass `force=True`.",
                _FINAL_PERIODS,
            )
        return rows

    def from_statistics(self, row: Array) -> BLEUScore:
        """BLEU of summed counts."""
        return _bleu_score(self.metric, row)  # type: ignore[arg-type]

    def choices(self) -> dict[str, Any]:
        """Case, order, tokenizer, smoothing."""
        default = self.SMOOTH_DEFAULTS[self.smooth_method]
        value = default if self.smooth_value is None else self.smooth_value
        smooth = self.smooth_method if default is None else f"{self.smooth_method}[{value:.2f}]"
        case = "lc" if self.lowercase else "mixed"
        return {"case": case, "eff": self.effective_order, "tok": self.tokenizer_signature, "smooth": smooth}


def _bleu_score(metric: Bleu, row: Array) -> BLEUScore:
    order, (sys_len, ref_len) = metric.order, map(int, row[:2])
    matches, totals = row[2 : 2 + order], row[2 + order : 2 + 2 * order]
    penalty = 1.0 if sys_len >= ref_len else math.exp(1 - ref_len / sys_len) if sys_len else 0.0
    precisions = np.zeros(order)
    if matches.any():
        precisions, _ = metric.precisions(row)
        if metric.smooth == "add-k":  # what is added is reported
            added = 1 if metric.smooth_value is None else metric.smooth_value
            matches, totals = (np.concatenate([counts[:1], counts[1:] + added]) for counts in (matches, totals))
    correct, of = ([int(c) if c == int(c) else float(c) for c in counts] for counts in (matches, totals))
    return BLEUScore(float(metric.score(row)), correct, of, precisions.tolist(), penalty, sys_len, ref_len)
