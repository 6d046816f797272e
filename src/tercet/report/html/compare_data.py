"""What the segment browser of a comparison knows: texts, scores, and sets of segments, as columns, deflated.

The texts of one segment stand together, as they are much alike: thirteen outputs of three thousand segments take one
megabyte. Scores are whole numbers of their last printed digit, so that the page shows what `tercet score` prints.
"""

from __future__ import annotations

import base64
import json
import math
import string
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from tercet.data import Array, Bucketing, Comparison, Finding, TestSet
from tercet.data.marks import letter
from tercet.data.segment_marks import CountedEdits, CountedMatches, Place, SegmentMarks
from tercet.escaping import clean
from tercet.numbers import score
from tercet.report.html.systems import Looks

Sets = dict[str, dict[str, Any]]
Words = Sequence[str]
RowWords = Mapping[int, Sequence[str]]  # of each row
DIGITS = string.digits + string.ascii_lowercase


def looks_of(comparison: Comparison) -> Looks:
    """Names and colours of the systems; the one to look at and the baseline have the first colours."""
    return Looks.of(comparison.systems, [comparison.focus, comparison.baseline])


def packed(comparison: Comparison) -> str:
    """The data as text that can stand in any element."""
    body = json.dumps(segment_data(comparison), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(body.encode())).decode()


def segment_data(comparison: Comparison) -> dict[str, Any]:
    """What the table of segments shows and sorts by, as JSON holds it."""
    names, looks = list(comparison.systems), looks_of(comparison)
    return {
        "systems": [clean(name) for name in names],
        "short": [clean(looks.short[name]) for name in names],
        "colours": [looks.colours[name] for name in names],
        "a": names.index(comparison.baseline),
        "b": names.index(comparison.focus),
        "metrics": _metrics(comparison),
        "references": [clean(name) for name in comparison.testset.reference_names],
        "segments": _unlike([clean(name) for name in comparison.testset.segments]),
        "facets": list(_facets(comparison)),
        "buckets": [
            {"name": clean(b.title), "labels": [clean(bucket.label) for bucket in b.buckets], "of": b.members.tolist()}
            for b in _cuts(comparison)
        ],
        "sets": sets(comparison),
        "scores": [
            [printed_column(row, metric.digits) for row in rows]
            for metric, rows in zip(comparison.metrics, comparison.segment_scores, strict=True)
        ],
        "texts": list(_texts(comparison)),
    }


def _cuts(comparison: Comparison) -> list[Bucketing]:
    """Ways of cutting that the reader can choose parts of; documents and facets have a choice of their own."""
    return [b for b in comparison.bucketings if b.unit == "segment" and b.kind not in ("document", "facet")]


def _metrics(comparison: Comparison) -> list[dict[str, Any]]:
    """What is known of each metric; without marks, the page shows words in common."""
    marks = {entry.metric: entry for entry in comparison.marks}
    places = {name: str(place) for place, name in enumerate(comparison.systems)}
    return [
        {
            "name": clean(m.metric),
            "up": m.higher_is_better,
            "digits": m.digits,
            **_marking(comparison.testset, marks.get(m.metric, SegmentMarks(m.metric)), places),
        }
        for m in comparison.metrics
    ]


def _marking(testset: TestSet, marks: SegmentMarks, places: Mapping[str, str]) -> dict[str, Any]:
    marking: dict[str, Any] = {"marks": marks.kind, "fold": marks.fold, "spaces": marks.spaces, "own": marks.own}
    if marks.kind == "edits":
        marking["scripts"] = {places[system]: list(map(_script, edits)) for system, edits in marks.edits.items()}
    if marks.kind == "matches":
        marking["matches"] = {
            places[system]: [_matched(testset, system, row, entry) for row, entry in enumerate(matches)]
            for system, matches in marks.matches.items()
        }
    return marking


def _matched(testset: TestSet, system: str, row: int, matches: CountedMatches | None) -> list[Any] | None:
    if matches is None or testset.references is None:
        return None
    texts = testset.systems[system][row], testset.references[row][matches.reference]
    ours, theirs = map(packed_places, texts, (matches.hypothesis, matches.references))
    return None if ours is None or theirs is None else [matches.reference, ours, theirs]


def packed_places(text: str, places: Sequence[Place]) -> str | None:
    """Three letters a word: what is between it and the one before, how long it is, and how it was matched.

    Lengths are those that a script counts, in units of UTF-16, and digits of base 36; None where one is longer.

    >>> packed_places("a 😀 bc", [(0, 1, "exact"), (4, 6, "")])
    '01x42-'
    """
    at, parts = 0, []
    for start, end, kind in places:
        gap, length = (len(text[i:j].encode("utf-16-le", "surrogatepass")) // 2 for i, j in ((at, start), (start, end)))
        if max(gap, length) >= len(DIGITS):
            return None
        parts.append(DIGITS[gap] + DIGITS[length] + (letter(kind) if kind else "-"))
        at = end
    return "".join(parts)


def _script(edits: CountedEdits | None) -> list[Any] | None:
    return None if edits is None else [edits.reference, list(map(list, edits.shifts)), edits.steps]


def printed_column(values: Array, digits: int) -> list[int | str | None]:
    """Scores as whole numbers of their last printed digit.

    None is a score that is not defined; a text is what is printed where no such number says it.

    >>> import numpy as np
    >>> printed_column(np.array([27.345, -0.001, math.nan, math.inf]), 2)
    [2734, 0, None, 'inf']
    """
    return [_printed(value, digits) for value in values.tolist()]


def _printed(value: float, digits: int) -> int | str | None:
    if math.isnan(value):
        return None
    text = score(value, digits)
    return text if math.isinf(value) else int(text.replace(".", ""))


def _unlike(names: Sequence[str]) -> list[str]:
    """Names that were cleaned may have become alike; addresses need them unlike."""
    seen: set[str] = set()
    unlike = []
    for row, name in enumerate(names):
        unique = name if name and name not in seen else f"{name}#{row + 1}"
        seen.add(unique)
        unlike.append(unique)
    return unlike


def _facets(comparison: Comparison) -> Iterator[dict[str, Any]]:
    testset = comparison.testset
    columns = {} if testset.documents is None else {"document": testset.documents}
    for name, column in {**columns, **testset.facets}.items():
        values = {value: place for place, value in enumerate(dict.fromkeys(map(clean, column)))}
        yield {"name": clean(name), "values": list(values), "of": [values[clean(value)] for value in column]}


def _texts(comparison: Comparison) -> Iterator[list[Any]]:
    testset = comparison.testset
    outputs = zip(*testset.systems.values(), strict=True)
    for row, strings in enumerate(outputs):
        source = None if testset.sources is None else clean(testset.sources[row])
        references = [] if testset.references is None else [clean(text) for text in testset.references[row]]
        yield [source, references, [clean(text) for text in strings]]


# -- sets of segments ----------------------------------------------------------------------------------------


def sets(comparison: Comparison) -> Sets:
    """Segments that a sentence or a figure of the page speaks of, by the name that its link uses."""
    listed: Sets = {}
    looks = looks_of(comparison)

    def add(
        key: str, group: str, title: str, rows: Iterable[int], words: Words = (), by_row: RowWords | None = None
    ) -> None:
        members = list(rows)
        if members:
            told = {row: list(map(clean, by_row[row])) for row in members if by_row and row in by_row}
            marks = {**({"words": list(map(clean, words))} if words else {}), **({"by_row": told} if told else {})}
            listed[key] = {"group": clean(group), "title": clean(title), "rows": members, **marks}

    for i, finding in enumerate(comparison.findings):
        told = _finding_words(comparison, finding)
        add(
            f"f{i}",
            f"Findings: {looks.short[finding.system]}",
            looks.plain(finding.sentence),
            finding.rows,
            finding.words,
            told,
        )
    for i, check in enumerate(comparison.checks):
        for j, system in enumerate(comparison.systems):
            add(
                f"c{i}.{j}", check.title, looks.short[system], check.rows(j), (), comparison.fault_words.get((i, j), {})
            )
    for i, ngram in enumerate(comparison.ngrams):
        title = f"n-grams, {ngram.kind}: {looks.short[ngram.system]}"
        add(f"n{i}", title, ngram.ngram, ngram.rows, (ngram.ngram,))
    for i, word in enumerate(comparison.words):
        add(f"w{i}", f"Words: {looks.short[word.system]}", f"{word.word} ({word.kind})", word.rows, (word.word,))
    for i, track in enumerate(comparison.tracks):
        for kind in ("changed", "better", "worse"):
            add(
                f"t{i}.{kind}",
                f"{looks.short[track.system]} beside {looks.short[track.earlier]}",
                kind,
                getattr(track, kind),
            )
    return listed


def _finding_words(comparison: Comparison, finding: Finding) -> RowWords:
    """The words of a fault in each segment: the system's own, or the baseline's where that has more of them."""
    kinds = [check.kind for check in comparison.checks]
    if finding.kind not in kinds:
        return {}
    whose = finding.baseline if finding.good else finding.system
    return comparison.fault_words.get((kinds.index(finding.kind), comparison.systems.index(whose)), {})


# -- addresses -----------------------------------------------------------------------------------------------


def link(key: str, system: str, baseline: str) -> str:
    """The address of a set of segments, seen as a system against a baseline, or against whom the page looks at."""
    other = {} if system == baseline else {"b": clean(system)}
    return "#" + urlencode({"a": clean(baseline), **other, "set": key})


def part_link(comparison: Comparison, cut: Bucketing, place: int) -> str:
    """The address of the segments of one part."""
    cuts = _cuts(comparison)
    if cut in cuts:
        return "#" + urlencode({"bucket": f"{cuts.index(cut)}.{place}"})
    facets = [*(["document"] if comparison.testset.documents is not None else []), *comparison.testset.facets]
    facet = facets.index("document" if cut.kind == "document" else cut.name)
    return "#" + urlencode({f"f.{facet}": clean(cut.buckets[place].label)})


def segment_link(comparison: Comparison, row: int) -> str:
    """The address of one segment."""
    return "#" + urlencode({"seg": _unlike([clean(name) for name in comparison.testset.segments])[row]})
