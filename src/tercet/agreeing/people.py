"""People's side of a direction: judgements, scores of a file, or both, as gold of any level.

Where there are both, scores are those of the file at the levels that it has, official means for instance, and the
judgements give what it has not: scores of their resamples by a ranker, from which the intervals of systems are made,
and comparisons of systems on segments. Every gold is made once, however many measures ask for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from tercet.agreeing import gold as golds
from tercet.agreeing.base import sampled_gold
from tercet.agreeing.gold import Comparing, Gold
from tercet.data import Assessments, Judgements, MetricScores, Rankings, is_reference
from tercet.errors import InputError
from tercet.options.agreeing import GoldOptions, MetaLevel
from tercet.ranking import Ranker
from tercet.ranking.rank import chosen, sampled_by
from tercet.signing import fingerprint
from tercet.spec import show

Takes = Literal["scores", "pairs"]


@dataclasses.dataclass(frozen=True, eq=False)
class People:
    """Judgements, scores that stand in files, or both, and how gold is made of them."""

    direction: str = ""
    judgements: Judgements | None = None
    given: Sequence[MetricScores] = ()
    how: Ranker | Comparing | None = None
    documents: Mapping[str, str] | None = None  # of each segment
    texts: Mapping[str, str] | None = None  # of each segment: its first reference
    asked: GoldOptions = dataclasses.field(default_factory=GoldOptions)  # who takes part, and what is drawn
    made: dict[tuple[MetaLevel, Takes], Gold] = dataclasses.field(default_factory=dict)

    def facts(self, level: MetaLevel) -> dict[str, str]:
        """What a signature says of who takes part."""
        asked = self.asked
        return {
            **({"without": "+".join(asked.without)} if asked.without else {}),
            **({"references": "true"} if asked.references else {}),
            **({"on_skip": asked.on_skip} if asked.on_skip != GoldOptions.on_skip else {}),
            **({"judged": show(asked.judged)} if level == "document" else {}),
        }

    def fingerprints(self) -> dict[str, str]:
        """Of what people said, for signatures."""
        return {
            **({"judgements": fingerprint(self.judgements)} if self.judgements is not None else {}),
            **({"human": fingerprint(self.given)} if self.given else {}),
        }

    def gold(self, level: MetaLevel, takes: Takes) -> Gold:
        """The gold of a level, as scores or as comparisons."""
        key = level, takes
        if key not in self.made:
            made = _left_out(self._make(level, takes), self.asked.without)
            texts = None
            if level == "segment" and self.texts is not None:
                texts = tuple(self.texts.get(item, "") for item in made.items)
            self.made[key] = dataclasses.replace(made, direction=self.direction or made.direction, texts=texts)
        return self.made[key]

    def _make(self, level: MetaLevel, takes: Takes) -> Gold:
        if self.judgements is None:
            if isinstance(self.how, Ranker):
                raise InputError(
                    f"{self.how} makes scores of judgements, and people's scores are given.", hint="Leave out the gold."
                )
            return self._given(level, takes)
        if takes == "pairs":
            comparing = self._comparing(self.judgements)
            return golds.comparison_gold(self.judgements, comparing, self.asked)
        scored = {level, "segment"} & {s.level for s in self.given}
        if level == "system":
            fitted = self._fitted(self.judgements)
            return _resampled(self._given(level, takes), fitted, self.asked.without) if scored else fitted
        if scored:
            return self._given(level, takes)
        segments = golds.segment_gold(self.judgements, self._ranker(), self.asked.references)
        return segments if level == "segment" else golds.by_document(segments, self._documents(), self.asked.judged)

    def _fitted(self, data: Judgements) -> Gold:
        """Scores of systems by a ranker, and those of every resample."""
        how = chosen(self._ranker(), data)
        sampling = sampled_by(how, self.asked, self.asked.unit)
        return golds.system_gold(data, how, sampling, self.asked)

    def _given(self, level: MetaLevel, takes: Takes) -> Gold:
        by_level = {s.level: s for s in self.given}
        comparing = (self.how if isinstance(self.how, Comparing) else golds.DaRR()) if takes == "pairs" else None
        if level in by_level:
            return golds.given_gold(by_level[level], comparing, self.asked.references)
        if "segment" in by_level and level == "document":
            return golds.by_document(
                golds.given_gold(by_level["segment"], None, self.asked.references), self._documents(), self.asked.judged
            )
        if "segment" in by_level and level == "system":
            segments = golds.given_gold(by_level["segment"], None, self.asked.references)
            there = np.isfinite(segments.scores)
            with np.errstate(invalid="ignore"):  # a system that people gave no score has none
                means = np.where(there, segments.scores, 0.0).sum(axis=1) / there.sum(axis=1)
            return dataclasses.replace(segments, level="system", items=("",), values=means[:, None])
        raise InputError(
            f"People's scores are not there at the {level} level.",
            hint=f"They are there at the {' and '.join(by_level)} level. Name judgements, or --human.",
        )

    def _ranker(self) -> Ranker | None:
        return self.how if isinstance(self.how, Ranker) else None

    def _comparing(self, data: Judgements) -> Comparing:
        if isinstance(self.how, Comparing):
            return self.how
        return golds.RankedPairs() if isinstance(data, Rankings) else golds.DaRR()

    def known_documents(self) -> Mapping[str, str] | None:
        """The document of each segment, as the test set or the judgements say it."""
        data = self.judgements
        if self.documents is None and isinstance(data, Assessments) and data.documents is not None:
            return dict(zip(data.segments, data.documents, strict=True))
        return self.documents

    def _documents(self) -> Mapping[str, str]:
        documents = self.known_documents()
        if documents is None:
            raise InputError(
                "There are no documents to compare by.",
                hint="Name a test set or judgements with a document column, or people's scores of documents.",
            )
        return documents


def _resampled(given: Gold, fitted: Gold, without: Sequence[str]) -> Gold:
    """Scores that were given, with those of resampled judgements beside them; systems by name."""
    place = {s: i for i, s in enumerate(fitted.systems)}
    there = np.isfinite(given.scores[:, 0])
    scored = [s for s, known in zip(given.systems, there.tolist(), strict=True) if known]
    lacking = [s for s in scored if s not in place and s not in without]
    if lacking:
        raise InputError(
            f"People's scores have {', '.join(lacking)}, which nobody judged.",
            hint=f"The judgements have {', '.join(fitted.systems)}. Map names, or leave such systems out.",
        )
    drawn = sampled_gold(fitted)
    sampled = np.full((len(drawn), len(given.systems)), np.nan)
    for i, system in enumerate(given.systems):
        if there[i] and system in place:
            sampled[:, i] = drawn[:, place[system]]
    rest = [s for s in fitted.systems if s not in scored and s not in without]
    notes = (f"Systems that were judged, but have no score in the file, left out: {', '.join(rest)}.",) if rest else ()
    return dataclasses.replace(
        given,
        spec=f"{given.spec}, resampled by {fitted.spec}",
        sampled=sampled,
        unit=fitted.unit,
        notes=(*given.notes, *fitted.notes, *notes),
    )


def _left_out(gold: Gold, without: Sequence[str]) -> Gold:
    """Without some systems, every one of which must be there."""
    if not without:
        return gold
    unknown = [s for s in without if s not in gold.systems and not is_reference(s)]  # these are out already
    if unknown:
        raise InputError(
            f"There is no system {', '.join(unknown)} to leave out.", hint=f"There are {', '.join(gold.systems)}."
        )
    kept = [i for i, s in enumerate(gold.systems) if s not in without]
    if not kept:
        raise InputError("Every system is left out.", hint="Leave out fewer of them.")
    return chosen_systems(gold, kept)


def chosen_systems(gold: Gold, kept: Sequence[int]) -> Gold:
    """The gold of some of the systems."""
    systems = tuple(gold.systems[i] for i in kept)
    pairs = gold.pairs
    if pairs is not None:
        place = np.full(len(gold.systems), -1, dtype=np.int64)
        place[list(kept)] = np.arange(len(kept))
        both = (place[pairs.left] >= 0) & (place[pairs.right] >= 0)
        pairs = pairs.part(both)
        pairs = dataclasses.replace(pairs, systems=systems, left=place[pairs.left], right=place[pairs.right])
    return dataclasses.replace(
        gold,
        systems=systems,
        values=None if gold.values is None else gold.values[list(kept)],
        sampled=None if gold.sampled is None else gold.sampled[:, list(kept)],
        pairs=pairs,
    )
