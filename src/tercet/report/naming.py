"""Short names of systems, for pages and for tables that are too wide."""

from __future__ import annotations

from collections.abc import Sequence

SEPARATORS = frozenset("._-/+:@ ")
SHORTEST = 2  # characters of a name that is left


def short_names(names: Sequence[str]) -> list[str]:
    """Names without what all of them begin or end with; a letter or a number alone would name nothing.

    >>> short_names(["newstest.model-base.de.txt", "newstest.model-large.de.txt"])
    ['base', 'large']
    >>> short_names(["online-A.0", "online-B.0"]), short_names(["run-10", "run-9"]), short_names(["same"])
    (['online-A', 'online-B'], ['run-10', 'run-9'], ['same'])
    """
    if len(names) < 2:
        return list(names)
    backwards = [text[::-1] for text in names]
    tailless = [text[_cut(backwards) :][::-1] for text in backwards]
    return [text[_cut(tailless) :] for text in tailless]


def _cut(names: Sequence[str]) -> int:
    """How many characters all names begin with, up to a separator that leaves enough of each."""
    first, last = min(names), max(names)  # what these two share, all do
    n_shared = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    ends = [i + 1 for i, char in enumerate(first[:n_shared]) if char in SEPARATORS]
    return next((end for end in reversed(ends) if all(_is_name(text[end:]) for text in names)), 0)


def _is_name(text: str) -> bool:
    return len(text) >= SHORTEST and any(map(str.isalpha, text))
