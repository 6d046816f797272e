"""Labels straight from a campaign, with the texts that they are of: what `qe train` and `qe evaluate` take it for.

Which kind of labels, a campaign tells by what was asked of people: HTER of post-edits, scores, or weights of errors.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from tercet import inputs
from tercet.data import Assessments, Judgements
from tercet.data.quality import (
    JudgedText,
    QualityLabels,
    SentenceLabels,
    SpanLabels,
    TagColumns,
    TagLines,
    WordTags,
)
from tercet.errors import InputError
from tercet.formats.lines import File, shown
from tercet.formats.qe_words import with_gaps
from tercet.options.quality import LabelKind, NumberKind, QualityLevel
from tercet.quality.labels import OF_JUDGEMENTS, chosen_system, first_of_each, qe_labels

HIGHER_IS_BETTER = ("score", "error-free")


@dataclasses.dataclass(frozen=True, eq=False)
class CollectedLabels:
    """Labels of a campaign, one a text; `places` are those of their segments in the test set, of `n_segments`."""

    kind: LabelKind
    texts: tuple[JudgedText, ...]
    labels: QualityLabels
    places: tuple[int, ...]
    n_segments: int
    file: str
    notes: tuple[str, ...]

    @property
    def higher(self) -> bool:
        """Which end of the labels is the good one."""
        return self.kind in HIGHER_IS_BETTER

    def sentences(self) -> SentenceLabels:
        """Labels that are numbers; NaN where there is none."""
        return SentenceLabels(self.labels.segments, self.labels.numbers(), file=self.file)

    def words(self) -> WordTags:
        """Tags of words, and of gaps where they were asked for."""
        lines: TagLines = tuple(tuple(line.split()) for line in self.labels.lines())
        if self.kind == "gap-tags":
            return with_gaps(lines, self.file)
        words = tuple(tuple(text.text.split()) for text in self.texts)
        return WordTags({"mt": TagColumns((lines,), words)}, self.file)

    def spans(self) -> SpanLabels:
        """The error spans that annotators marked."""
        marked: Any = self.labels.values
        return SpanLabels(self.labels.segments, marked, tuple(len(text.text) for text in self.texts), self.file)


def collected(
    given: File,
    level: QualityLevel,
    kind: NumberKind | None = None,
    system: str | None = None,
    *,
    gaps: bool = False,
    pooled: bool = False,
) -> CollectedLabels:
    """The labels of a campaign: of one system, or, `pooled`, of all one after the other."""
    texts, judged = inputs.judged_texts(given), inputs.judgements(given)
    asked = _kind(level, kind, texts, judged, gaps)
    there = {text.system for text in texts}
    names = [name for name in judged.systems if name in there]
    wanted = names if pooled and system is None else [chosen_system(names, system, judged.file)]
    parts = [_of_system(asked, name, texts, judged) for name in wanted]
    places = {segment: i for i, segment in enumerate(judged.segments)}
    rows = tuple(text for part, _ in parts for text in part)
    labels = [part for _, part in parts]
    values: Any = tuple(value for part in labels for value in part.values)
    return CollectedLabels(
        asked,
        rows,
        dataclasses.replace(
            labels[0],
            segments=tuple(text.segment for text in rows),
            values=values,
        ),
        tuple(places[text.segment] for text in rows),
        len(judged.segments),
        judged.file,
        tuple(dict.fromkeys(note for part in labels for note in part.notes)),
    )


def _kind(
    level: QualityLevel, kind: NumberKind | None, texts: Sequence[JudgedText], judged: Judgements, gaps: bool
) -> LabelKind:
    edited = any(text.edited is not None for text in texts)
    if not edited and (gaps or kind in ("hter", "effort", "time")):
        raise InputError(
            f"{judged.file} has no post-edits, of which {'tags of gaps' if gaps else kind} would be made.",
            hint="Its labels are scores or errors: leave it out.",
        )
    if level == "word":
        return "gap-tags" if gaps else "tags"
    if level == "span":
        return "spans"
    if kind is not None:
        return kind
    if edited:
        return "hter"
    scored = isinstance(judged, Assessments) and bool(np.isfinite(judged.score).any())
    return "score" if scored or not isinstance(judged, Assessments) else "mqm"


def _of_system(
    kind: LabelKind, system: str, texts: Sequence[JudgedText], judged: Judgements
) -> tuple[list[JudgedText], QualityLabels]:
    """Labels of one system, each with its text."""
    mine = first_of_each([text for text in texts if text.system == system])
    before = [text.text for text in mine]
    if kind not in OF_JUDGEMENTS and mine[0].edited is not None:
        after, seconds = [str(text.edited) for text in mine], [text.seconds for text in mine]
        return mine, qe_labels(kind, target=before, post_edits=after, times=seconds)
    labels = qe_labels(kind, target=before, judgements=judged, system=system)
    by_segment = {text.segment: text for text in mine}
    return [by_segment[segment] for segment in labels.segments], labels


def cut_to(labels: Any, gold: CollectedLabels, name: str) -> Any:
    """Predictions of a whole test set, of which those are left that the campaign has labels of."""
    n = len(next(iter(labels.sides.values()))) if isinstance(labels, WordTags) else len(labels)
    if n not in (gold.n_segments, len(gold.places)):
        raise InputError(
            f"{labels.file or name} has {n} segments of {name}, and {shown(gold.file)} has {gold.n_segments}, of which "
            f"{len(gold.places)} were judged.",
            hint="Give one prediction a segment of the test set.",
        )
    places = list(gold.places) if n == gold.n_segments else list(range(n))
    if isinstance(labels, SentenceLabels):
        return _cut(labels, places, ("segments", "scores", "ranks", "low", "high"))
    if isinstance(labels, SpanLabels):
        known = {segment: i for i, segment in enumerate(labels.segments)}
        if all(segment in known for segment in gold.labels.segments):  # in whatever order
            places = [known[segment] for segment in gold.labels.segments]
        return dataclasses.replace(_cut(labels, places, ("spans", "lengths")), segments=gold.labels.segments)
    sides = {}
    for side, tags in labels.sides.items():
        columns = tuple(tuple(column[i] for i in places) for column in tags.columns)
        sides[side] = dataclasses.replace(_cut(tags, places, ("words", "line")), columns=columns)
    return dataclasses.replace(labels, sides=sides)


def _cut(labels: Any, places: Sequence[int], columns: Sequence[str]) -> Any:
    """The entries of some columns at these places."""
    old = {name: getattr(labels, name) for name in columns}
    new = {
        name: column[np.array(places, dtype=np.int64)] if isinstance(column, np.ndarray) else _at(column, places)
        for name, column in old.items()
        if column is not None
    }
    return dataclasses.replace(labels, **new)


def _at(column: Sequence[Any], places: Sequence[int]) -> tuple[Any, ...]:
    return tuple(column[i] for i in places)
