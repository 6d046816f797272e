"""What is seen of the gaps before, between and after the words of a translation: is something missing there?

Words on either side and how well they are known after each other; source words between their partners that no word of
the translation comes from.
"""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np

from tercet.data import Array
from tercet.quality.tagging.features import BINS, WordRows

GAP_NUMBERS = (
    "alignment probability of the word before",
    "alignment probability of the word after",
    "language model of the word after",
    "n-gram known across the gap",
    "source words skipped",
    "share of source words without a partner",
    "jump in the source",
    "first",
    "last",
    "punctuation before",
    "punctuation after",
)
_EDGE = 1.0  # probability of what stands beside a text
_MOST_SKIPPED = 3


@dataclasses.dataclass(frozen=True, eq=False)
class GapRows:
    """Gaps of all sentences, end to end: one more than words of each."""

    rows: WordRows
    numbers: Array  # (gaps, len(GAP_NUMBERS))
    starts: np.ndarray[tuple[int], np.dtype[np.int64]]
    skipped: list[list[tuple[str, ...]]]  # of each gap of each sentence, source words that nothing comes from

    def attributes(self, sentence: int) -> list[list[str]]:
        """Of each gap of a sentence, what a chain sees of it."""
        words = ["<s>", *(word.lower() for word in self.rows.words[sentence]), "</s>"]
        first = int(self.starts[sentence])
        out = []
        for i, skipped in enumerate(self.skipped[sentence]):
            row = self.numbers[first + i]
            known, likely = int(row[3]), int(np.searchsorted(BINS[3], row[2]))
            out.append(
                [
                    "bias",
                    f"l={words[i]}",
                    f"r={words[i + 1]}",
                    f"lr={words[i]}|{words[i + 1]}",
                    f"known={known}",
                    f"lm={likely}",
                    f"known={known}|lm={likely}",
                    f"skipped={min(len(skipped), _MOST_SKIPPED)}",
                    f"jump={int(np.clip(row[6], -3, 3))}",
                    *(f"x={word}" for word in skipped),
                ]
            )
        return out


def gap_rows(rows: WordRows) -> GapRows:
    """What is seen of all gaps, from what was seen of the words."""
    lengths = np.diff(rows.starts)
    starts = rows.starts + np.arange(len(rows.starts))
    numbers = np.zeros((int(starts[-1]), len(GAP_NUMBERS)))
    skipped = []
    for sentence, n in enumerate(lengths.tolist()):
        first = int(rows.starts[sentence])
        links = rows.links[first : first + n].tolist()
        places, share = _without_partner(links, len(rows.sources[sentence]))
        source = [word.lower() for word in rows.sources[sentence]]
        skipped.append([tuple(source[j] for j in gap) for gap in places])
        at = int(starts[sentence])
        block = numbers[at : at + n + 1]
        seen = rows.numbers[first : first + n]
        block[:, 0] = np.append(_EDGE, seen[:, 0])
        block[:, 1] = np.append(seen[:, 0], _EDGE)
        block[:, 2] = np.append(seen[:, 3], 0)
        block[:, 3] = np.append(seen[:1, 4], seen[:, 5]) if n else 0
        block[:, 4] = [len(gap) for gap in places]
        block[:, 5] = share
        block[:, 6] = _jumps(links, len(source))
        block[0, 7], block[-1, 8] = 1, 1
        block[:, 9] = np.append(0, seen[:, 9])
        block[:, 10] = np.append(seen[:, 9], 0)
    return GapRows(rows, numbers, starts, skipped)


def _partners(links: list[int], size: int) -> list[int]:
    """Source places before the text, of its words and after it; a word without one has that of the word before."""
    known = [-1]
    for link in links:
        known.append(link if link >= 0 else known[-1])
    return [*known, size]


def _jumps(links: list[int], size: int) -> list[float]:
    """How many source words lie between the partners of two neighbours: 0 if none, below where they go back."""
    places = _partners(links, size)
    return [float(right - left - 1) for left, right in itertools.pairwise(places)]


def _without_partner(links: list[int], size: int) -> tuple[list[list[int]], float]:
    """Of each gap the source places in it that no word comes from, and the share of such places.

    >>> _without_partner([0, 2], 4)
    ([[], [1], [3]], 0.5)
    """
    taken = set(links)
    places = _partners(links, size)
    gaps = [[j for j in range(left + 1, right) if j not in taken] for left, right in itertools.pairwise(places)]
    return gaps, 1 - len(taken - {-1}) / size if size else 0.0
