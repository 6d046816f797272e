"""chrF as sacreBLEU has it."""

from __future__ import annotations

from typing import Any, ClassVar

from tercet.compat.sacrebleu.metrics.base import Scorer, Signature, Streams
from tercet.compat.sacrebleu.scores import CHRFScore
from tercet.data import Array
from tercet.metrics.chrf import Chrf

CHRFSignature = Signature
__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]


class CHRF(Scorer[CHRFScore]):
    """chrF and chrF++ as sacreBLEU computes them."""

    CHAR_ORDER: ClassVar[int] = 6
    WORD_ORDER: ClassVar[int] = 0
    BETA: ClassVar[int] = 2
    short: ClassVar[dict[str, str]] = {"space": "s"}

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: float = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Streams | None = None,
    ) -> None:
        self.char_order, self.word_order, self.beta = char_order, word_order, beta
        self.order = char_order + word_order
        self.lowercase, self.whitespace, self.eps_smoothing = lowercase, whitespace, eps_smoothing
        self.metric = Chrf(char_order, word_order, float(beta), lowercase, whitespace, eps_smoothing)
        super().__init__(references)

    def from_statistics(self, row: Array) -> CHRFScore:
        """chrF of summed counts."""
        return CHRFScore(float(self.metric.score(row)), self.char_order, self.word_order, self.beta)

    def choices(self) -> dict[str, Any]:
        """Case, order, orders of characters and words, white space."""
        orders = {"nc": self.char_order, "nw": self.word_order}
        case = "lc" if self.lowercase else "mixed"
        return {"case": case, "eff": not self.eps_smoothing, **orders, "space": self.whitespace}
