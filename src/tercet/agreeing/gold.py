"""Gold: what people said of systems, segments or documents, in the shape that metrics are held against.

    scores         a table (systems, items) from any ranker: TrueSkill, expected wins, DA, MQM, ...
    comparisons    "left is better", "tie", "right is better" of two systems on a segment: rankings, or daRR

At the system level a ranker also gives the scores of every resample of the judgements, from which the intervals of
WMT14 and WMT15 are made: the metric stays as it is, and the golden truth varies.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from tercet.data import (
    Array,
    Assessments,
    Ints,
    Judgements,
    MetricScores,
    Outcome,
    Pairs,
    Rankings,
    is_reference,
)
from tercet.errors import InputError
from tercet.human.assessments import better_worse, judged_systems, present, wide_gaps
from tercet.human.pairs import pairwise
from tercet.human.scored import require_assessments
from tercet.metric_base import Card
from tercet.numbers import plain
from tercet.options.agreeing import MetaLevel
from tercet.options.judging import USUAL, RankedOutputs
from tercet.plugins import blamed, require
from tercet.ranking import RANKERS, Ranker
from tercet.ranking.assessed import Means
from tercet.ranking.base import Bools, Sampling
from tercet.ranking.rank import chosen, fit
from tercet.spec import Registry, Spec, option, read
from tercet.stats.robust import mad_outliers


@dataclasses.dataclass(frozen=True, eq=False)
class Gold:
    """People's scores (systems, items), or their comparisons, whose segments are numbers of items."""

    spec: str
    direction: str
    level: MetaLevel
    systems: tuple[str, ...]
    items: tuple[str, ...]
    values: Array | None = None
    pairs: Pairs | None = None
    sampled: Array | None = None  # (samples, systems): scores of resampled judgements
    unit: str | None = None  # what was drawn for these
    notes: tuple[str, ...] = ()
    texts: tuple[str, ...] | None = None  # of each item: its first reference, where there are texts
    humans: Array | None = None  # scores of human translations that take no part, (humans,)

    def outliers(self) -> Bools:
        """Systems that people put far off; as at WMT20, human translations that were judged decide about it, too."""
        return mad_outliers(self.scores[:, 0], beside=self.humans).mask

    @property
    def scores(self) -> Array:
        """The table of scores, which there must be."""
        if self.values is None:
            raise InputError(
                f"{self.spec} gives comparisons of two systems, no scores.",
                hint="Use kendall(variant=wmt14), or another gold.",
            )
        return self.values

    @property
    def comparisons(self) -> Pairs:
        """The comparisons, which there must be."""
        if self.pairs is None:
            raise InputError(
                f"{self.spec} gives scores, no comparisons of two systems.",
                hint="Use a measure of scores such as pearson, or --gold darr.",
            )
        return self.pairs


class Comparing(Spec):
    """Base of golds that are comparisons of two systems on a segment."""

    card: ClassVar[Card]

    def pairs(self, judgements: Judgements, asked: RankedOutputs) -> Pairs:
        """The comparisons in judgements."""
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class RankedPairs(Comparing):
    """Every two systems of every ranking."""

    name = "pairs"
    card = Card(
        title="Pairs of systems in rankings",
        definition="Every two systems of every task are a comparison: one is better, or it is a tie. Repeated "
        "judgements count as often as they were made.",
        paper="Macháček and Bojar (2014), Results of the WMT14 metrics shared task, section 4",
        scale="comparisons",
        reference="the counts of extracted pairs in the papers",
    )

    def pairs(self, judgements: Judgements, asked: RankedOutputs) -> Pairs:
        """Every two outputs of a ranking, and which of them is better."""
        if not isinstance(judgements, Rankings):
            raise InputError(f"{judgements.file} has no rankings to take pairs from.", hint="Use --gold darr.")
        return pairwise(judgements, on_skip=asked.on_skip, references=asked.references)


@dataclasses.dataclass(frozen=True)
class DaRR(Comparing):
    """Relative rankings made of direct assessments."""

    name = "darr"
    card = Card(
        title="daRR: relative ranking from direct assessment",
        definition="Two systems whose mean raw scores of a segment differ by `least` points or more are a comparison.",
        paper="Bojar et al. (2017), Results of the WMT17 metrics shared task; Ma et al. (2019), WMT19",
        scale="comparisons",
        reference="the daRR pairs of WMT20",
        differences=("The papers say more than 25 points; the data have 25 or more. `strict` follows the papers.",),
    )

    least: float = option(25.0, "Points by which two scores must differ.")
    strict: bool = option(False, "More than that, not as much.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.least >= 0, "least", "0 or more")

    def pairs(self, judgements: Judgements, asked: RankedOutputs) -> Pairs:
        """Comparisons from mean raw scores."""
        if isinstance(judgements, Rankings):
            raise InputError(f"{judgements.file} has rankings, not scores, to compare by.", hint="Use --gold pairs.")
        assessments = judged_systems(require_assessments(judgements))
        if not asked.references:
            assessments = without_references(assessments)
        decided = _decided(assessments.systems, *better_worse(assessments, self.least, strict=self._more))
        return dataclasses.replace(decided, notes=assessments.notes)

    def of_scores(self, scores: MetricScores) -> Pairs:
        """The same from scores of a file."""
        return _decided(scores.systems, *wide_gaps(scores.oriented, self.least, strict=self._more))

    @property
    def _more(self) -> bool:
        """With `least` 0 equal scores would be better than each other, and every system better than itself."""
        return self.strict or self.least == 0


GOLDS: Registry[Comparing] = Registry(
    kind="gold",
    group="tercet.golds",
    base=Comparing,
    table={"pairs": "tercet.agreeing.gold:RankedPairs", "darr": "tercet.agreeing.gold:DaRR"},
)


def make(spec: str | Ranker | Comparing) -> Ranker | Comparing:
    """A ranker, or a way to compare, from its spec string."""
    if isinstance(spec, Spec):
        return spec
    name, _ = read(spec)
    return GOLDS.make(spec) if name in GOLDS else RANKERS.make(spec)


def system_gold(data: Judgements, ranker: Ranker, sampling: Sampling, asked: RankedOutputs = USUAL) -> Gold:
    """The scores of a ranker, and those of every resample."""
    systems, fitted, notes = fit(data, ranker, sampling, asked)
    kept = [i for i, s in enumerate(systems) if asked.references or not is_reference(s)]
    return Gold(
        str(ranker),
        data.pair,
        "system",
        tuple(systems[i] for i in kept),
        ("",),
        fitted.scores[kept, None],
        sampled=fitted.sampled[:, kept],
        humans=np.delete(fitted.scores, kept),
        unit=sampling.unit,
        notes=(*notes, *_left_out(systems, kept)),
    )


def segment_gold(data: Judgements, ranker: Ranker | None, references: bool = False) -> Gold:
    """The mean score of each system and segment, by the rules of the ranker of assessments."""
    how = chosen(ranker, data)
    if not isinstance(how, Means):
        raise InputError(
            f"{data.file} holds rankings, which give no scores of segments.",
            hint="Use a measure of comparisons: --measure 'kendall(variant=wmt14)'.",
        )
    prepared = how.prepared(judged_systems(require_assessments(data)))
    if not references:  # after judges' scores are standardised, so that they are those of the system level
        prepared = without_references(prepared)
    return Gold(
        str(how),
        data.pair,
        "segment",
        prepared.systems,
        prepared.segments,
        present(how.statistics(prepared)),
        notes=prepared.notes,
    )


def comparison_gold(data: Judgements, how: Comparing, asked: RankedOutputs = USUAL) -> Gold:
    """Comparisons of two systems on a segment."""
    with blamed(how, "pairs"):
        pairs = how.pairs(data, asked)
    require(how, "pairs", isinstance(pairs, Pairs), f"a {type(pairs).__name__}", "Pairs")
    if not len(pairs):
        hint = " ".join(pairs.notes) or f"{how} may ask for too much."
        raise InputError(f"{data.file} gives no comparison of two systems.", hint=hint)
    return Gold(str(how), data.pair, "segment", pairs.systems, data.segments, pairs=pairs, notes=pairs.notes)


def given_gold(scores: MetricScores, how: Comparing | None = None, references: bool = False) -> Gold:
    """Scores of people that stand in a file, as they are or as comparisons."""
    kept = [i for i, s in enumerate(scores.systems) if references or not is_reference(s)]
    outputs = dataclasses.replace(scores, systems=tuple(scores.systems[i] for i in kept), values=scores.values[kept])
    notes = _left_out(scores.systems, kept)
    if how is None:
        humans = np.delete(scores.oriented, kept, axis=0)[:, 0] if outputs.level == "system" else None
        return Gold(
            outputs.metric,
            outputs.direction,
            outputs.level,
            outputs.systems,
            outputs.items,
            outputs.oriented,
            notes=notes,
            humans=humans,
        )
    if not isinstance(how, DaRR):
        raise InputError(f"{outputs.metric} has scores, and {how.name} needs rankings.", hint="Use --gold darr.")
    pairs = how.of_scores(outputs)
    if not len(pairs):
        raise InputError(
            f"No two scores of {outputs.metric} differ enough for {how}.", hint="Ask for less, as in darr(least=10)."
        )
    return Gold(str(how), outputs.direction, outputs.level, outputs.systems, outputs.items, pairs=pairs, notes=notes)


def by_document(gold: Gold, documents: Mapping[str, str], share: float = 1.0) -> Gold:
    """Means over the segments of each document, of which the share must have been judged; NaN otherwise."""
    unknown = [s for s in gold.items if s not in documents]
    if unknown:
        raise InputError(
            f"Segment {unknown[0]!r} was judged, and no document is known for it.",
            hint="Name a test set with a document column, and check the names of the segments.",
        )
    names = list(dict.fromkeys(documents.values()))
    counted = Counter(documents.values())
    sizes = np.array([counted[name] for name in names])
    place = {name: i for i, name in enumerate(names)}
    which = np.array([place[documents[s]] for s in gold.items], dtype=np.int64)
    values = gold.scores
    there = np.isfinite(values)
    sums, counts = np.zeros((len(values), len(names))), np.zeros((len(values), len(names)))
    for s in range(len(values)):
        sums[s] = np.bincount(which[there[s]], values[s, there[s]], len(names))
        counts[s] = np.bincount(which[there[s]], minlength=len(names))
    with np.errstate(invalid="ignore"):
        means = np.where((counts > 0) & (counts >= share * sizes), sums / counts, np.nan)
    partly = int(((counts > 0) & np.isnan(means)).sum())
    note = f"Documents of a system of which less than a share of {plain(share)} was judged, left out: {partly}."
    notes = (*gold.notes, note) if partly else gold.notes
    return dataclasses.replace(gold, level="document", items=tuple(names), values=means, notes=notes)


def without_references(assessments: Assessments) -> Assessments:
    """Without references that were judged among the systems."""
    kept = [i for i, s in enumerate(assessments.systems) if not is_reference(s)]
    if len(kept) == len(assessments.systems):
        return assessments
    out = assessments.part(np.isin(assessments.system, kept))
    place = np.zeros(len(assessments.systems), dtype=np.int64)
    place[kept] = np.arange(len(kept))
    return dataclasses.replace(
        out,
        systems=tuple(assessments.systems[i] for i in kept),
        system=place[out.system],
        notes=(*assessments.notes, *_left_out(assessments.systems, kept)),
    )


def _left_out(systems: Sequence[str], kept: Sequence[int]) -> tuple[str, ...]:
    """A note on references, if some are not kept."""
    names = [s for i, s in enumerate(systems) if i not in kept]
    return (f"References among the systems, left out: {', '.join(names)}.",) if names else ()


def _decided(systems: Sequence[str], segment: Ints, better: Ints, worse: Ints) -> Pairs:
    return Pairs(
        tuple(systems),
        better,
        worse,
        np.full(len(better), Outcome.LEFT_BETTER, dtype=np.int64),
        segment,
        segment,
    )
