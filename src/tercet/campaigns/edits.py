"""What a post-edit changed: HTER, and whether each word was kept, computed when it is saved.

Both are what `qe labels` makes of the same texts unless it is told otherwise: edits of TER, which moves words, case
aside, no more than 1; words that match are OK.
"""

from __future__ import annotations

from typing import Any

MOST_CELLS = 4_000_000  # words times words: texts that are longer get no tags


def edited(translation: str, text: str) -> dict[str, Any]:
    """HTER of a translation against its post-edit, from 0 to 1, and a tag a word.

    >>> edited("das Haus ist klein", "das Haus ist nicht gross")
    {'hter': 0.4, 'tags': ['OK', 'OK', 'OK', 'BAD']}
    """
    from tercet.quality.labels import edit_scripts, hter, word_tags

    n_words = len(translation.split())
    rate = float(hter([translation], [text])[0])
    if n_words * len(text.split()) > MOST_CELLS:
        return {"hter": rate, "tags": None}
    tags, _ = word_tags(edit_scripts([translation], [text])[0], n_words)
    return {"hter": rate, "tags": list(tags)}
