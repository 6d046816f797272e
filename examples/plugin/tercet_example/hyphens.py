"""A tokenizer in Python: words, split at hyphens as well."""

import dataclasses
import re

from tercet.spec import option
from tercet.text.base import PythonTokenizer


@dataclasses.dataclass(frozen=True)
class Hyphens(PythonTokenizer):
    """Splits at white space and at hyphens."""

    keep: bool = option(False, "keep the hyphens as tokens")

    name = "hyphens"
    summary = "split at white space and at hyphens"

    def split(self, text: str) -> list[str]:
        """The tokens of one text."""
        return [piece for piece in re.split(r"(-)|\s+", text) if piece and (self.keep or piece != "-")]
