"""Which texts a model cannot judge, since it has learnt from none like them.

empty, no letter   the translation of a source that has something, or letters
script             most letters are of one to which fewer than a hundredth of letters of the training belong
feature            further from the values of the training than these are from each other
score              as far from the labels of the training

Only scores close to what was learnt mean anything: a line goes on for ever, and so does what it says of 10 000 words.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np

from tercet.data import Array
from tercet.numbers import plain

RARE = 0.01  # of the letters of training translations: a script that has fewer is none of theirs


@functools.lru_cache(maxsize=65536)
def script(letter: str) -> str:
    """What the name of a letter begins with; "" for what is no letter.

    >>> script("ß"), script("猫"), script("?")
    ('LATIN', 'CJK', '')
    """
    return unicodedata.name(letter, "").partition(" ")[0] if letter.isalpha() else ""


def scripts(texts: Iterable[str]) -> collections.Counter[str]:
    """How many letters there are of each script."""
    letters = collections.Counter[str]()
    for text in texts:
        letters.update(text)
    counts = collections.Counter[str]()
    for letter, n in letters.items():
        counts[script(letter)] += n
    del counts[""]
    return counts


@dataclasses.dataclass(frozen=True, eq=False)
class Familiar:
    """What a model has seen in training; models of earlier versions do not say it, and nothing is strange to them."""

    ranges: Array | None = None  # (features, 2): the least and the greatest value of each
    scripts: tuple[str, ...] = ()  # of the translations

    @classmethod
    def of(cls, rows: Array, targets: Sequence[str]) -> Familiar:
        """What is familiar after training on rows of features, each defined somewhere, and translations."""
        there = ~np.isnan(rows)
        ends = [np.where(there, rows, np.inf).min(axis=0), np.where(there, rows, -np.inf).max(axis=0)]
        counts = scripts(targets)
        known = sorted(name for name, n in counts.items() if n >= RARE * counts.total())
        return cls(np.where(there.any(axis=0), ends, 0.0).T, tuple(known))

    def strange_texts(self, sources: Sequence[str], targets: Sequence[str]) -> dict[int, str]:
        """Translations that cannot be judged, by their place, each with the reason."""
        reasons: dict[int, str] = {}
        harmless: set[str] = set()  # letters of known scripts, and what is no letter
        for i, (source, target) in enumerate(zip(sources, targets, strict=True)):
            if not target.strip():
                if source.strip():
                    reasons[i] = "the translation is empty"
            elif not any(map(str.isalpha, target)):
                if any(map(str.isalpha, source)):
                    reasons[i] = "the translation has no letter"
            elif self.scripts and not harmless.issuperset(target):
                harmless.update(letter for letter in target if script(letter) in ("", *self.scripts))
                counts = scripts([target])
                strange = {name: n for name, n in counts.items() if name not in self.scripts}
                if 2 * sum(strange.values()) > counts.total():
                    most = max(strange, key=strange.__getitem__)
                    reasons[i] = f"most letters are {most}, in training {', '.join(self.scripts)}"
        return reasons

    def strange_values(self, rows: Array, names: Sequence[str]) -> dict[int, str]:
        """Rows of features with a value far beyond those of the training; what was always the same says nothing."""
        if self.ranges is None:
            return {}
        low, high = self.ranges.T
        how_far = beyond(rows, low, high)
        reasons = {}
        for i in np.flatnonzero((how_far > 1).any(axis=1)).tolist():
            column = int(how_far[i].argmax())
            ends = " to ".join(plain(end, 4) for end in (low[column], high[column]))
            reasons[i] = f"{names[column]} is {plain(rows[i, column], 6)}, in training {ends}"
        return reasons


def beyond(values: Array, low: Array | float, high: Array | float) -> Array:
    """How far values lie outside a range, in widths of it; 0 within, for NaN, and for a range without any width.

    >>> beyond(np.array([0.5, 3.0, -1.0]), 0.0, 2.0).tolist()
    [0.0, 0.5, 0.5]
    """
    width = np.subtract(high, low)
    distance = np.fmax(np.fmax(np.subtract(low, values), np.subtract(values, high)), 0)
    return np.where(width > 0, distance / np.where(width > 0, width, 1), 0.0)
