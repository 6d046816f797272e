"""The normalisation of NIST's mteval script, western or international."""

from __future__ import annotations

import dataclasses

from tercet import kernels
from tercet.spec import option
from tercet.text.base import Lines, Tokenizer, Tokens


@dataclasses.dataclass(frozen=True)
class Mteval(Tokenizer):
    """mteval-v13a.pl and v14: lower-cases unless told otherwise; western lower-casing knows A to Z only."""

    international: bool = option(False, "Unicode rules instead of western ones")
    case_sensitive: bool = option(False, "keep the case")
    enclose_non_ascii: bool = option(False, "spaces around every non-ASCII character (international only)")

    name = "mteval"
    summary = "mteval-v13a's own normalisation, western or international"

    def tokenize(self, lines: Lines, threads: int) -> Tokens:
        """Packed lines to packed tokens."""
        return kernels.tokenize_mteval(
            lines,
            self.international,
            self.case_sensitive,
            self.enclose_non_ascii,
            threads,
        )
