"""The marks in the segments of a comparison: what a metric counts, its own edits and its own matches, so that marks and
scores agree.

A reader of a page can be shown edits of words that the page finds by itself, but not the shifts that TER searched for.
Those of TER take a second for six systems of three thousand segments; what other metrics explain takes a millisecond a
segment, so that only the baseline and the best of the others have it where there is much.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from tercet.comparing.fault_words import fault_words
from tercet.data import Comparison
from tercet.data.explanation import EditScript, Explanation
from tercet.data.segment_marks import CountedEdits, CountedMatches, SegmentMarks
from tercet.metric_base import Metric
from tercet.metrics import METRICS

SEARCHED = 60_000  # segments of all systems, by a metric that finds the edits of many at once
EXPLAINED = 7_000  # by any other metric
LONGEST = 5_000  # characters of a text
T = TypeVar("T")
LETTERS = {"match": "m", "substitution": "s", "insertion": "i", "deletion": "d"}


def marked(comparison: Comparison) -> Comparison:
    """The comparison with the marks of its segments, which pages need and tables do not."""
    marks = []
    for compared in comparison.metrics:
        metric = METRICS.make(compared.metric)
        plain = marking(metric)
        edits = counted_edits(comparison, metric) if plain.kind == "edits" else {}
        matches = counted_matches(comparison, metric) if plain.kind == "matches" else {}
        marks.append(dataclasses.replace(plain, edits=edits, matches=matches))
    return dataclasses.replace(comparison, marks=tuple(marks), fault_words=fault_words(comparison))


def marking(metric: Metric) -> SegmentMarks:
    """What is marked for a metric, by what its own explanation of a small example is made of.

    >>> marking(METRICS.make("bleu"))
    SegmentMarks(metric='bleu', kind='words', fold=False, spaces=False, own=True, edits={}, matches={})
    >>> marking(METRICS.make("ter"))
    SegmentMarks(metric='ter', kind='edits', fold=True, spaces=True, own=True, edits={}, matches={})
    """
    plain = SegmentMarks(str(metric))
    if "references" not in metric.needs:
        return plain
    example = metric.explain("Small, large", ["small, Large"], "small" if "sources" in metric.needs else None)
    table = example.ngrams[0] if example.ngrams else None
    words = example.hypothesis if table is None else table.hypothesis
    spaces = "," not in words and bool(words)
    if example.edits is not None:
        fold = all(edit.kind == "match" for edit in example.edits.edits)
        return dataclasses.replace(plain, kind="edits", fold=fold, spaces=spaces, own=True)
    if table is None:
        fold = sum(match.kind == "exact" for match in example.matches) == len(words) > 0
        kind: Literal["matches", "words"] = "matches" if example.matches else "words"
        return dataclasses.replace(plain, kind=kind, fold=fold, spaces=spaces, own=bool(example.matches))
    if table.unit == "character":
        return dataclasses.replace(plain, kind="characters", own=True)
    fold = all(order.matched == order.hypothesis for order in table.orders[:1])
    return dataclasses.replace(plain, fold=fold, spaces=spaces, own=True)


def counted_edits(comparison: Comparison, metric: Metric) -> dict[str, tuple[CountedEdits | None, ...]]:
    """By system, the edits of every segment; None where a page must find edits by itself.

    Systems that would be too many are left out, the baseline and the one to look at last.
    """
    references = comparison.testset.references
    if references is None or metric.learns:
        return {}
    order = _looked_at_first(comparison)
    n = max(1, len(comparison.testset))
    if metric.edits_at_once and references.counts == (1, 1):
        return {name: at_once(comparison, metric, name) for name in order[: SEARCHED // n]}
    return {name: one_by_one(comparison, metric, name, _edits_of) for name in order[: _explained_systems(comparison)]}


def counted_matches(comparison: Comparison, metric: Metric) -> dict[str, tuple[CountedMatches | None, ...]]:
    """By system, the matches of every segment, as `counted_edits` has edits."""
    if comparison.testset.references is None or metric.learns:
        return {}
    order = _looked_at_first(comparison)[: _explained_systems(comparison)]
    return {name: one_by_one(comparison, metric, name, _matches_of) for name in order}


def _looked_at_first(comparison: Comparison) -> list[str]:
    return list(dict.fromkeys([comparison.baseline, comparison.focus, *comparison.systems]))


def _explained_systems(comparison: Comparison) -> int:
    """How many systems can have every segment explained."""
    references = comparison.testset.references
    most = 1 if references is None else max(1, references.counts[1])
    return EXPLAINED // (max(1, len(comparison.testset)) * (most + 1 if most > 1 else 1))


def at_once(comparison: Comparison, metric: Metric, system: str) -> tuple[CountedEdits | None, ...]:
    """As `one_by_one`, and quicker: texts are parted all at once, and there is one reference to choose from."""
    outputs = comparison.testset.systems[system].strings
    references = [texts[0] for texts in comparison.testset.references or ()]
    kept = [row for row, texts in enumerate(zip(outputs, references, strict=True)) if _is_short(*texts)]
    scripts = metric.edit_scripts([outputs[row] for row in kept], [references[row] for row in kept])
    edits = {row: packed_edits(0, script) for row, script in zip(kept, scripts, strict=True)}
    return tuple(edits.get(row) for row in range(len(outputs)))


def one_by_one(
    comparison: Comparison, metric: Metric, system: str, drawn: Callable[[Explained], T | None]
) -> tuple[T | None, ...]:
    """What is drawn of the explanation of each segment, against the reference that the metric chose for it."""
    testset = comparison.testset
    marks: list[T | None] = []
    for row, hypothesis in enumerate(testset.systems[system]):
        references = () if testset.references is None else testset.references[row]
        source = testset.sources[row] if testset.sources is not None and "sources" in metric.needs else None
        explained = _explained(metric, hypothesis, references, source)
        marks.append(None if explained is None else drawn(explained))
    return tuple(marks)


@dataclasses.dataclass(frozen=True)
class Explained:
    """An explanation with its texts, and the place of the reference that counted."""

    hypothesis: str
    reference: str
    place: int
    explanation: Explanation


def _explained(metric: Metric, hypothesis: str, references: Sequence[str], source: str | None) -> Explained | None:
    if not references or not _is_short(hypothesis, *references):
        return None
    explanation = metric.explain(hypothesis, references, source)
    for place, text in enumerate(references):
        if len(references) == 1 or metric.explain(hypothesis, [text], source).reference == explanation.reference:
            return Explained(hypothesis, text, place, explanation)
    return None


def _edits_of(explained: Explained) -> CountedEdits | None:
    edits = explained.explanation.edits
    return None if edits is None else packed_edits(explained.place, edits)


def _matches_of(explained: Explained) -> CountedMatches:
    explanation = explained.explanation
    sides = (explained.hypothesis, explanation.hypothesis), (explained.reference, explanation.reference)
    kinds = [[""] * len(words) for _, words in sides]
    for match in explanation.matches:
        for side, span in enumerate((match.hypothesis, match.reference)):
            for place in range(*span):
                kinds[side][place] = kinds[side][place] if kinds[side][place] == "exact" else match.kind
    ours, theirs = (
        tuple((*place, kind) for place, kind in zip(word_places(text, words), of, strict=True) if place is not None)
        for (text, words), of in zip(sides, kinds, strict=True)
    )
    return CountedMatches(explained.place, ours, theirs)


def word_places(text: str, words: Sequence[str]) -> list[tuple[int, int] | None]:
    """Where the words of a metric stand in a text, in their order; None for one that is not written so.

    Metrics fold case, part signs from words and take the points out of abbreviations; between two words that are found
    stands nothing that could be one.

    >>> word_places("Don’t go, U.S.!", ["don", "'", "t", "go", ",", "us", "!"])
    [(0, 3), None, (4, 5), (6, 8), (8, 9), (10, 14), (14, 15)]
    """
    folded, at, sure = _lower(text), 0, True
    places: list[tuple[int, int] | None] = []
    for word in map(_lower, words):
        place = _next_place(folded, word, at, sure) or _next_place(folded, word, at, sure, points=True)
        places.append(place)
        sure = place is not None
        at = at if place is None else place[1]
    return places


def _next_place(text: str, word: str, at: int, sure: bool, *, points: bool = False) -> tuple[int, int] | None:
    """Where a word stands next; it must be the next one, if the place is `sure`."""
    if points:
        match = re.compile("".join(f"{re.escape(char)}\\.?" for char in word)).search(text, at)
        place = None if match is None else match.span()
    else:
        start = text.find(word, at)
        place = None if start < 0 else (start, start + len(word))
    if place is None or (sure and any(map(str.isalnum, text[at : place[0]]))):
        return None
    return place


def _lower(text: str) -> str:
    """In lower case, letter by letter, so that places stay."""
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _is_short(*texts: str) -> bool:
    return max(map(len, texts)) <= LONGEST


def packed_edits(reference: int, script: EditScript) -> CountedEdits | None:
    """A script in few characters; None for what no page draws: jumps, related words, shifts of the reference.

    >>> script = METRICS.make("ter").explain("a b x", ["a b c d"]).edits
    >>> packed_edits(0, script)
    CountedEdits(reference=0, shifts=(), steps='m2is')
    """
    kinds = [edit.kind for edit in script.edits]
    if script.shifted != "hypothesis" or not set(kinds) <= set(LETTERS):
        return None
    runs = ((LETTERS[kind], len(list(same))) for kind, same in itertools.groupby(kinds))
    steps = "".join(letter if n == 1 else f"{letter}{n}" for letter, n in runs)
    return CountedEdits(reference, tuple((s.start, len(s.words), s.place) for s in script.shifts), steps)
