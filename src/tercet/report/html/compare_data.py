"""What the segment browser of a comparison knows: texts, scores, and sets of segments, as columns, deflated.

The texts of one segment stand together, as they are much alike: thirteen outputs of three thousand segments take one
megabyte. Scores are whole numbers of their last printed digit, so that the page shows what `tercet score` prints.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

import numpy as np

from tercet.data import Array, Comparison
from tercet.metric import Metric
from tercet.metrics import METRICS
from tercet.report.html.compare_scripts import scripts
from tercet.report.html.text import clean

Sets = dict[str, dict[str, Any]]


def packed(comparison: Comparison) -> str:
    """The data as text that can stand in any element."""
    body = json.dumps(segment_data(comparison), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(body.encode())).decode()


def segment_data(comparison: Comparison) -> dict[str, Any]:
    """All columns."""
    names = list(comparison.systems)
    return {
        "systems": [clean(name) for name in names],
        "a": names.index(comparison.baseline),
        "b": names.index(focus(comparison)),
        "metrics": _metrics(comparison),
        "references": [clean(name) for name in comparison.testset.reference_names],
        "segments": _unlike([clean(name) for name in comparison.testset.segments]),
        "facets": list(_facets(comparison)),
        "buckets": [
            {"name": clean(b.title), "labels": [clean(each.label) for each in b.buckets], "of": b.members.tolist()}
            for b in comparison.bucketings
            if b.unit == "segment" and b.kind not in ("document", "facet")
        ],
        "sets": sets(comparison),
        "scores": [
            [printed_column(row, metric.digits) for row in rows]
            for metric, rows in zip(comparison.metrics, comparison.segment_scores, strict=True)
        ],
        "texts": list(_texts(comparison)),
    }


def _metrics(comparison: Comparison) -> list[dict[str, Any]]:
    found = []
    for m in comparison.metrics:
        metric = METRICS.make(m.metric)
        own: dict[str, Any] = {"name": clean(m.metric), "up": m.higher_is_better, "digits": m.digits, **marking(metric)}
        if own["marks"] == "edits":
            own["scripts"] = scripts(comparison, metric, (comparison.baseline, focus(comparison)))
        found.append(own)
    return found


def focus(comparison: Comparison) -> str:
    """The system to look at beside the baseline: the best of the others by the first metric, of equals the first."""
    metric = comparison.metrics[0].metric
    return min(comparison.others, key=lambda name: comparison.score(metric, name).rank, default=comparison.baseline)


def printed_column(values: Array, digits: int) -> list[int | str | None]:
    """Scores as whole numbers of their last printed digit.

    None is a score that is not defined; a text is what is printed where no such number says it.

    >>> printed_column(np.array([27.345, -0.001, math.nan, math.inf]), 2)
    [2734, '-0.00', None, 'inf']
    """
    return [_printed(value, digits) for value in values.tolist()]


def _printed(value: float, digits: int) -> int | str | None:
    if math.isnan(value):
        return None
    text = f"{value:.{digits}f}"
    if math.isinf(value) or (text.startswith("-") and not float(text)):
        return text
    return int(text.replace(".", ""))


def marking(metric: Metric) -> dict[str, Any]:
    """How the page marks texts for a metric, by what the metric's own explanation of a small example is made of.

    `fold`: letters of either case are the same; `spaces`: words are what stands between spaces, signs and all; `own`:
    the metric counts such things itself, words in common are else all that the page can show.

    >>> marking(METRICS.make("bleu"))
    {'marks': 'words', 'fold': False, 'spaces': False, 'own': True}
    >>> marking(METRICS.make("ter"))
    {'marks': 'edits', 'fold': True, 'spaces': True, 'own': True}
    """
    kind, fold, spaces, own = "words", False, False, False
    if "references" in metric.needs:
        found = metric.explain("Small, large", ["small, Large"], "small" if "sources" in metric.needs else None)
        table = found.ngrams[0] if found.ngrams else None
        words = found.hypothesis if table is None else table.hypothesis
        spaces = "," not in words and bool(words)
        own = found.edits is not None or table is not None
        if found.edits is not None:
            kind, fold = "edits", all(edit.kind == "match" for edit in found.edits.edits)
        elif table is not None and table.unit == "character":
            kind, spaces = "characters", False
        elif table is not None:
            fold = all(order.matched == order.hypothesis for order in table.orders[:1])
        else:
            fold = sum(match.kind == "exact" for match in found.matches) == len(words) > 0
    return {"marks": kind, "fold": fold, "spaces": spaces, "own": own}


def _unlike(names: Sequence[str]) -> list[str]:
    """Names that were cleaned may have become alike; addresses need them unlike."""
    seen: set[str] = set()
    found = []
    for row, name in enumerate(names):
        own = name if name and name not in seen else f"{name}#{row + 1}"
        seen.add(own)
        found.append(own)
    return found


def _facets(comparison: Comparison) -> Iterator[dict[str, Any]]:
    testset = comparison.testset
    columns = {} if testset.documents is None else {"document": testset.documents}
    for name, column in {**columns, **testset.facets}.items():
        values = {value: place for place, value in enumerate(dict.fromkeys(map(clean, column)))}
        yield {"name": clean(name), "values": list(values), "of": [values[clean(value)] for value in column]}


def _texts(comparison: Comparison) -> Iterator[list[Any]]:
    testset = comparison.testset
    outputs = zip(*testset.systems.values(), strict=True)
    for row, own in enumerate(outputs):
        source = None if testset.sources is None else clean(testset.sources[row])
        references = [] if testset.references is None else [clean(text) for text in testset.references[row]]
        yield [source, references, [clean(text) for text in own]]


# -- sets of segments ----------------------------------------------------------------------------------------


def sets(comparison: Comparison) -> Sets:
    """Segments that a sentence or a figure of the page speaks of, by the name that its link uses."""
    found: Sets = {}

    def add(key: str, group: str, title: str, rows: Iterable[int]) -> None:
        own = list(rows)
        if own:
            found[key] = {"group": clean(group), "title": clean(title), "rows": own}

    for i, finding in enumerate(comparison.findings):
        add(f"f{i}", f"Findings: {finding.system}", finding.sentence, finding.rows)
    for i, check in enumerate(comparison.checks):
        for j, system in enumerate(comparison.systems):
            add(f"c{i}.{j}", check.title, system, check.rows(j))
    for i, ngram in enumerate(comparison.ngrams):
        add(f"n{i}", f"n-grams, {ngram.kind}: {ngram.system}", ngram.ngram, ngram.rows)
    for i, word in enumerate(comparison.words):
        add(f"w{i}", f"Words: {word.system}", f"{word.word} ({word.kind})", word.rows)
    for i, track in enumerate(comparison.tracks):
        for kind in ("changed", "better", "worse"):
            add(f"t{i}.{kind}", f"{track.system} beside {track.earlier}", kind, getattr(track, kind))
    return found


def link(key: str, system: str, baseline: str) -> str:
    """The address of a set of segments, seen as a system against a baseline, or against whom the page looks at."""
    other = {} if system == baseline else {"b": clean(system)}
    return "#" + urlencode({"a": clean(baseline), **other, "set": key})


def is_significant(low: Array, high: Array) -> Array:
    """Where an interval leaves out 0: 1 above it, -1 below it, 0 elsewhere or where it is not defined.

    >>> is_significant(np.array([0.1, -2, -1, math.nan]), np.array([0.3, -1, 1, math.nan])).tolist()
    [1, -1, 0, 0]
    """
    return np.where(low > 0, 1, np.where(high < 0, -1, 0))
