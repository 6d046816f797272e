"""How the texts of a comparison's segments are marked for a metric, and the edits that the metric itself counted."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Literal


@dataclasses.dataclass(frozen=True)
class CountedEdits:
    """The edits of one segment against one of its references (by its place), as the metric counted them.

    `shifts` are blocks of the hypothesis that move: first word, number of words, and where to. `steps` are the edits
    after that by their first letters, with numbers where several are alike: `m2is` is two matches, an insertion and a
    substitution.
    """

    reference: int
    shifts: tuple[tuple[int, int, int], ...]
    steps: str


Place = tuple[int, int, str]  # from a character to another, the last not included, and how the word there was matched


@dataclasses.dataclass(frozen=True)
class CountedMatches:
    """The matches of one segment with one of its references (by its place), as the metric made them.

    Every word of the metric's that can be found in the text has its place, with the kind of its match ("exact", "stem",
    ...) or "" where it has none.
    """

    reference: int
    hypothesis: tuple[Place, ...]
    references: tuple[Place, ...]


@dataclasses.dataclass(frozen=True)
class SegmentMarks:
    """What is marked in a text for a metric: words, characters, edits or matches.

    `fold`: letters of either case are the same; `spaces`: words are what stands between spaces, signs and all; `own`:
    the metric counts such things itself, words in common are else all that can be shown. `edits` has a system's edits
    of every segment, None where a segment has none that can be drawn; systems may be left out where there is much.
    `matches` likewise.
    """

    metric: str
    kind: Literal["words", "characters", "edits", "matches"] = "words"
    fold: bool = False
    spaces: bool = False
    own: bool = False
    edits: Mapping[str, tuple[CountedEdits | None, ...]] = dataclasses.field(default_factory=dict)
    matches: Mapping[str, tuple[CountedMatches | None, ...]] = dataclasses.field(default_factory=dict)
