"""The alignment behind a score of METEOR: which words were matched by which stage, and what follows from it."""

from __future__ import annotations

import dataclasses

from tercet.data.explanation import Match


@dataclasses.dataclass(frozen=True)
class Alignment:
    """A hypothesis aligned with one reference, both as the words that METEOR sees.

    `number` is the reference that counts, from 0; matches are in the order of its words, and their kinds are the names
    of the stages. Precision and recall are weighted by stages, content and function words.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    number: int
    matches: tuple[Match, ...]
    precision: float
    recall: float
    fmean: float
    fragmentation: float
    penalty: float
    score: float

    @property
    def chunks(self) -> int:
        """Runs of matches that stand side by side, in the same order, in both texts.

        >>> [one, other] = [Match((i, i + 1), (j, j + 1), "exact") for i, j in ((0, 3), (1, 4))]
        >>> Alignment((), (), 0, (one, other), 0, 0, 0, 0, 0, 0).chunks
        1
        """
        ends = [(None, None), *((m.hypothesis[1], m.reference[1]) for m in self.matches)]
        return sum((m.hypothesis[0], m.reference[0]) != end for m, end in zip(self.matches, ends, strict=False))
