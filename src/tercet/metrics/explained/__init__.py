"""What metrics say of one segment: n-grams found and missed, edit scripts, and formulas as trees of numbers.

Nothing here computes a score. A metric's `details` puts these pieces around the numbers that its own `statistics` and
`score` gave.
"""

from __future__ import annotations

from tercet.metrics.explained.edits import (
    cder_script,
    common_words,
    cost_formula,
    edit_formula,
    matched_words,
    moses_ter_script,
    ter_script,
    terp_script,
    wer_script,
)
from tercet.metrics.explained.formulas import brevity, fraction, given, harmonic, made, weighted
from tercet.metrics.explained.ngrams import character_table, chosen, references_note, unlisted_note, word_table, words

__all__ = [
    "brevity",
    "cder_script",
    "character_table",
    "chosen",
    "common_words",
    "cost_formula",
    "edit_formula",
    "fraction",
    "given",
    "harmonic",
    "made",
    "matched_words",
    "moses_ter_script",
    "references_note",
    "ter_script",
    "terp_script",
    "unlisted_note",
    "weighted",
    "wer_script",
    "word_table",
    "words",
]
