"""What TERp's program makes of a text (Snover et al. 2009): neither tercom's normaliser nor sacreBLEU's."""

from __future__ import annotations

import dataclasses

from tercet import kernels
from tercet.spec import option
from tercet.text.base import Lines, Tokenizer, Tokens


@dataclasses.dataclass(frozen=True)
class TerpTokenizer(Tokenizer):
    """Lower-cases, then sets off ASCII punctuation; a final full stop or comma only of a word that has no other."""

    normalized: bool = option(True, "split off punctuation and resolve entities")
    case_sensitive: bool = option(False, "keep the case")

    name = "terp"
    summary = "lower-cases and normalises as TERp's program does"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_terp(lines, self.normalized, self.case_sensitive, threads)
