"""Options of `parse`."""

from __future__ import annotations

import dataclasses

from tercet.options import about, setting
from tercet.options.groups import Files, Heard


@dataclasses.dataclass(frozen=True)
class ParseOptions(Heard):
    """What `parse` takes."""

    texts: Files = dataclasses.field(
        metadata=about("Texts, a segment a line: translations and references, several files.", argument="TEXT...")
    )
    _: dataclasses.KW_ONLY
    parser: str = setting("spacy", "Parser: spacy, spacy(model=NAME), or chain, in which each word hangs on the last.")
