"""The edits that a metric itself counted, so that marks and scores say the same.

The page can find edits of words by itself, but not the shifts that TER searched for. Those of TER take a second for six
systems of three thousand segments; what other metrics explain takes a millisecond a segment, so that only the baseline
and the best of the others have it where there is much.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from tercet.data import Comparison
from tercet.data.explanation import EditScript
from tercet.metric import Metric
from tercet.metrics import explained
from tercet.metrics.ter import Ter

SEARCHED = 60_000  # segments of all systems by TER
EXPLAINED = 7_000  # by any other metric
LONGEST = 5_000  # characters of a text
LETTERS = {"match": "m", "substitution": "s", "insertion": "i", "deletion": "d"}

Script = list[Any]  # the place of the reference, shifts as (start, words, place), steps


def scripts(comparison: Comparison, metric: Metric, first: Sequence[str]) -> dict[str, list[Script | None]]:
    """By the place of the system, a script for each segment; None where the page must find edits by itself.

    Systems that would be too many are left out, those named `first` last.
    """
    references = comparison.testset.references
    if references is None or metric.learns:
        return {}
    most = max(1, references.counts[1])
    places = {name: place for place, name in enumerate(comparison.systems)}
    order = list(dict.fromkeys([*first, *comparison.systems]))
    n = max(1, len(comparison.testset))
    if isinstance(metric, Ter) and references.counts == (1, 1):
        return {str(places[name]): _of_ter(comparison, metric, name) for name in order[: SEARCHED // n]}
    each = n * (most + 1 if most > 1 else 1)
    return {str(places[name]): _explained(comparison, metric, name) for name in order[: EXPLAINED // each]}


def _of_ter(comparison: Comparison, metric: Ter, system: str) -> list[Script | None]:
    """As `_explained`, and quicker: texts are parted all at once, and there is one reference to choose from."""
    outputs = comparison.testset.systems[system].strings
    references = [texts[0] for texts in comparison.testset.references or ()]
    hyps, refs = map(explained.words, metric.tokens(metric.batch(outputs, references)))
    return [
        None if max(len(output), len(reference)) > LONGEST else _packed(0, explained.ter_script(hyp, ref))
        for output, reference, hyp, ref in zip(outputs, references, hyps, refs, strict=True)
    ]


def _explained(comparison: Comparison, metric: Metric, system: str) -> list[Script | None]:
    return [_script(comparison, metric, system, row) for row in range(len(comparison.testset))]


def _script(comparison: Comparison, metric: Metric, system: str, row: int) -> Script | None:
    testset = comparison.testset
    hypothesis = testset.systems[system][row]
    references = () if testset.references is None else testset.references[row]
    if not references or max(map(len, (hypothesis, *references))) > LONGEST:
        return None
    source = testset.sources[row] if testset.sources is not None and "sources" in metric.needs else None
    found = metric.explain(hypothesis, references, source)
    if found.edits is None:
        return None
    alone = (r for r, text in enumerate(references) if _words(metric, hypothesis, text, source) == found.reference)
    chosen = 0 if len(references) == 1 else next(alone, None)
    return None if chosen is None else _packed(chosen, found.edits)


def _packed(reference: int, script: EditScript) -> Script | None:
    steps = packed_steps(script)
    return None if steps is None else [reference, _shifts(script), steps]


def _words(metric: Metric, hypothesis: str, reference: str, source: str | None) -> tuple[str, ...]:
    return metric.explain(hypothesis, [reference], source).reference


def _shifts(script: EditScript) -> list[list[int]]:
    return [[shift.start, len(shift.words), shift.place] for shift in script.shifts]


def packed_steps(script: EditScript) -> str | None:
    """Steps by their first letters, with numbers where several are alike; None for what the page does not draw.

    >>> from tercet.metrics import METRICS
    >>> packed_steps(METRICS.make("ter").explain("a b x", ["a b c d"]).edits)
    'm2is'
    """
    kinds = [edit.kind for edit in script.edits]
    if script.shifted != "hypothesis" or not set(kinds) <= set(LETTERS):
        return None
    runs = ((LETTERS[kind], len(list(same))) for kind, same in itertools.groupby(kinds))
    return "".join(letter if n == 1 else f"{letter}{n}" for letter, n in runs)
