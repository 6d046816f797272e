"""TER as sacreBLEU has it."""

from __future__ import annotations

from typing import Any, ClassVar

from tercet.compat.sacrebleu.metrics.base import Scorer, Signature, Streams
from tercet.compat.sacrebleu.scores import TERScore
from tercet.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from tercet.data import Array
from tercet.metrics.ter import Ter

TERSignature = Signature
__all__ = ["TER", "TERScore", "TERSignature"]


class TER(Scorer[TERScore]):
    """TER as sacreBLEU computes it."""

    short: ClassVar[dict[str, str]] = {"tok": "t"}

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Streams | None = None,
    ) -> None:
        self.normalized, self.no_punct = normalized, no_punct
        self.asian_support, self.case_sensitive = asian_support, case_sensitive
        self.metric = Ter(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)

    def from_statistics(self, row: Array) -> TERScore:
        """TER of summed edits and lengths."""
        return TERScore(float(self.metric.score(row)), int(row[0]), float(row[1]))

    def choices(self) -> dict[str, Any]:
        """Case, tokenizer and its options."""
        case = "mixed" if self.case_sensitive else "lc"
        options = {"norm": self.normalized, "punct": not self.no_punct, "asian": self.asian_support}
        return {"case": case, "tok": self.tokenizer_signature, **options}
