"""How far judges agree: kappa of pairwise judgements as the WMT findings have it, and Krippendorff's alpha.

An item is a segment and two outputs; a label is better, tie or worse. Inter-annotator agreement looks at all pairs
of labels of the same item by different judges, intra-annotator agreement at those by the same judge. Chance knows
the share of ties: of all labels, or, inside a judge, of those that the judge gave to segments with a repeated item.

`compat` is the script behind the published figures of WMT12 to WMT16: an item keeps the order of display, so that
(a, b) is never compared with (b, a), nor `a+b` with `b+a`, and labels by one judge count as inter-annotator pairs.
References among the systems are outputs like others unless `references=False`: the script does not know them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import get_args

import numpy as np
import numpy.typing as npt

from tercet.data import UNKNOWN, Array, Assessments, Ints, Judgements, Kind, Outcome, Rankings, is_reference
from tercet.data.agreement import Agreement, AgreementRecord
from tercet.errors import InputError
from tercet.formats.lines import File
from tercet.human.given import load, signature
from tercet.human.pairs import OnSkip, judged, task_of_items
from tercet.human.pairs import expand as expanded
from tercet.human.penalties import WEIGHTS, penalties, read_weights, unknown_severities
from tercet.stats.agreement import (
    PairCounts,
    band,
    count_pairs,
    groups,
    kappa_from_counts,
    krippendorff_alpha,
    pairs_within,
    sizes,
)
from tercet.stats.control import bad_reference_test, paired_t

LEVEL = 0.05  # of the paired test between scores and their repeats


def agreement(
    judgements: Judgements | File,
    *,
    judgements_format: str | None = None,
    pair: str | None = None,
    compat: bool = False,
    expand: bool = False,
    on_skip: OnSkip = "pair",
    references: bool = True,
    weights: str | None = None,
) -> Agreement:
    """Agreement between judges and of judges with themselves, from judgements or the file of some.

    Rankings give kappa (`inter`, `intra`) and Krippendorff's ordinal alpha, of the ranks of an output (`alpha`) and
    of better, tie and worse of two outputs (`alpha-pairs`). Assessments give his interval alpha of the scores of an
    output, and how far scores differ from their repeats (`repeats`).

    Parameters
    ----------
    judgements
        Rankings or assessments, or their file.
    judgements_format, pair
        The format of that file, where its name does not tell; the language pair, where it has several.
    compat
        The kappas of the WMT findings to the last digit: pairs in the order of display, and pairs of labels by one
        judge in the inter-annotator figure. Alpha does not change.
    expand
        Every system is an output of its own, also where several share one. Kappa becomes too high by that.
    on_skip
        What an output without a rank takes with it: the `pair`s that it is in, or its whole `task`.
    references
        Whether systems whose names begin with `ref` count.
    weights
        Weights of errors, as in `mqm(weights=...)`: penalties are compared instead of scores. Errors without scores
        have MQM's weights if none are given.
    """
    given = load(judgements, judgements_format, pair)
    if on_skip not in get_args(OnSkip):
        raise InputError(f"on_skip must be pair or task, not {on_skip!r}.", hint="Leave it out for the usual.")
    if isinstance(given, Rankings):
        require_no_weights(given, weights)
        if compat and len(given) and (given.judge == UNKNOWN).all():
            raise InputError(
                f"{given.file} does not say who judged, and compat counts on the order in which outputs were shown.",
                hint="Pairs that only say which is better have neither; give the rankings that they come from.",
            )
        return _of_rankings(given, compat, expand, on_skip, references)
    if compat or expand or on_skip != "pair" or not references:
        raise InputError(
            f"{given.file} has no rankings, and compat, expand, on_skip and references are options for those.",
            hint="Leave them out.",
        )
    return _of_assessments(require_assessments(given), weights)


def require_no_weights(rankings: Rankings, weights: str | None) -> None:
    """Rankings have no errors that could be weighed."""
    if weights is not None:
        raise InputError(f"{rankings.file} has rankings, and weights are of errors.", hint="Leave out weights.")


def require_assessments(judgements: Judgements) -> Assessments:
    """Judgements that are no rankings must be assessments."""
    if not isinstance(judgements, Assessments):
        raise InputError(f"{judgements.file} has neither rankings nor assessments.", hint="Give one of the two.")
    return judgements


@dataclasses.dataclass(frozen=True, eq=False)
class Ranks:
    """Ranks that were given, a row each, in the order of the file; a unit is an output, or a system if expanded."""

    units: tuple[str, ...]
    task: Ints
    segment: Ints
    judge: Ints
    unit: Ints
    rank: Ints
    notes: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, eq=False)
class Comparisons:
    """Pairwise judgements, a row each, in the order of the file; those of the same item can be compared."""

    item: Ints
    label: Ints  # values of `Outcome`
    left: Ints  # units
    right: Ints
    task: Ints
    segment: Ints
    judge: Ints
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.item)

    def part(self, keep: npt.NDArray[np.bool_] | Ints) -> Comparisons:
        """Some of the rows."""
        columns = ("item", "label", "left", "right", "task", "segment", "judge")
        return dataclasses.replace(self, **{name: getattr(self, name)[keep] for name in columns})

    def counts(self) -> tuple[int, int]:
        """How many ties there are, and how many judgements."""
        return int((self.label == Outcome.TIE).sum()), len(self)


def ranks(
    rankings: Rankings, *, as_written: bool = False, expand: bool = False, on_skip: OnSkip = "pair", references: bool
) -> Ranks:
    """The ranks that can be compared, with notes on those that cannot.

    `as_written` takes `a+b` and `b+a` for two outputs, and keeps ranks of which nobody knows who gave them.
    """
    source = expanded(rankings) if expand else rankings
    task = task_of_items(source)
    keep, left_out = judged(source, on_skip)
    notes = list(left_out)
    names, unit_of = _units(source, as_written, references)
    if n_references := int((unit_of[source.output] < 0).sum()):
        notes.append(f"Ranks of references that were left out: {n_references}.")
        keep &= unit_of[source.output] >= 0
    if not as_written and (n_unknown := int((rankings.judge == UNKNOWN).sum())):
        notes.append(f"Tasks that do not say who judged, left out (compat counts them as inter): {n_unknown}.")
        keep &= rankings.judge[task] != UNKNOWN
    task = task[keep]
    return Ranks(
        names,
        task,
        source.segment[task],
        source.judge[task],
        unit_of[source.output[keep]],
        source.rank[keep],
        tuple(notes),
    )


def _units(rankings: Rankings, as_written: bool, references: bool) -> tuple[tuple[str, ...], Ints]:
    """Names of the units, and the unit of each output, -1 if nothing but references is in it."""
    numbers: dict[tuple[str, ...], int] = {}
    unit = np.full(len(rankings.outputs), -1, dtype=np.int64)
    for i, output in enumerate(rankings.outputs):
        systems = [rankings.systems[s] for s in output]
        kept = [s for s in systems if references or not is_reference(s)]
        if kept:
            unit[i] = numbers.setdefault(tuple(kept if as_written else sorted(kept)), len(numbers))
    return tuple("+".join(key) for key in numbers), unit


def compare(given: Ranks, *, as_displayed: bool = False) -> Comparisons:
    """Every pair of ranks of a task; unless they stay as displayed, the unit of the smaller number is on the left."""
    first, second = pairs_within(given.task)
    left, right = given.unit[first], given.unit[second]
    # rank 1 is the best: the smaller rank wins
    label = Outcome.TIE + np.sign(given.rank[first] - given.rank[second]).astype(np.int64)
    notes: tuple[str, ...] = ()
    if not as_displayed:
        swap = left > right
        left, right = np.where(swap, right, left), np.where(swap, left, right)
        label = np.where(swap, 2 * Outcome.TIE - label, label)
    segment = given.segment[first]
    item = groups(segment, left, right)
    out = Comparisons(item, label, left, right, given.task[first], segment, given.judge[first])
    if not as_displayed and (n_same := int((left == right).sum())):
        notes = (f"{n_same} pairs of an output with itself were left out (compat counts them).",)
        out = out.part(left != right)
    return dataclasses.replace(out, notes=notes)


def _of_rankings(rankings: Rankings, compat: bool, expand: bool, on_skip: OnSkip, references: bool) -> Agreement:
    strict = ranks(rankings, expand=expand, on_skip=on_skip, references=references)
    pairs = compare(strict)
    found = pairs
    if compat:
        written = ranks(rankings, as_written=True, expand=expand, on_skip=on_skip, references=references)
        found = compare(written, as_displayed=True)
    alone = _single(strict.segment, strict.unit, strict.judge)
    first = _single(pairs.item, pairs.judge)
    mirrored = np.concatenate([pairs.item[first], pairs.item[first] + pairs.item.max(initial=0) + 1])
    labels = np.concatenate([pairs.label[first], 2 * Outcome.TIE - pairs.label[first]])
    unit = groups(strict.segment[alone], strict.unit[alone])
    records = (
        _kappa_record("inter", inter_counts(found, same_judge=compat), found),
        _kappa_record("intra", *intra(found)),
        _alpha_record("alpha", unit, strict.judge[alone], krippendorff_alpha(unit, strict.rank[alone], "ordinal")),
        # both directions of a pair, so that it does not matter which output is on the left
        _alpha_record(
            "alpha-pairs", pairs.item[first], pairs.judge[first], krippendorff_alpha(mirrored, labels, "ordinal")
        ),
    )
    notes = [*rankings.notes, *strict.notes, *pairs.notes]
    again = len(strict.unit) - len(alone), len(pairs) - len(first)
    if any(again):
        notes.append(
            f"Alpha takes a judge's first judgement; {again[0]} later ranks and {again[1]} pairs were left out."
        )
    facts = {
        "recipe": "wmt15" if compat else "strict",
        "outputs": "expanded" if expand else "collapsed",
        "skipped": on_skip,
        "references": "kept" if references else "out",
    }
    return Agreement(records, signature("agreement", facts), tuple(notes))


def _single(*columns: Ints) -> Ints:
    """The first of all rows that have the same columns."""
    return np.unique(groups(*columns), return_index=True)[1]


def inter_counts(pairs: Comparisons, *, same_judge: bool = False) -> PairCounts:
    """Pairs of labels of the same item, by different judges unless those by one judge are asked for, too."""
    every = count_pairs(pairs.item, pairs.label)
    if same_judge:
        return every
    own = count_pairs(groups(pairs.item, pairs.judge), pairs.label)
    return PairCounts(every.agree - own.agree, every.comparable - own.comparable)


def intra(pairs: Comparisons) -> tuple[PairCounts, Comparisons]:
    """Pairs of labels of the same item by the same judge, and all labels of that judge and segment."""
    known = pairs.part(pairs.judge != UNKNOWN)
    own = groups(known.item, known.judge)
    place = groups(known.segment, known.judge)
    repeated = np.isin(place, place[sizes(own) > 1])
    return count_pairs(own, known.label), known.part(repeated)


def _kappa_record(kind: str, counted: PairCounts, pairs: Comparisons) -> AgreementRecord:
    ties, total = pairs.counts()
    p_agree, p_expected, kappa = kappa_from_counts(*counted, ties, total)
    return AgreementRecord(
        kind, kappa, p_agree, p_expected, counted.comparable, counted.agree, ties, total, _n(pairs.judge), band(kappa)
    )


def _alpha_record(kind: str, unit: Ints, judge: Ints, alpha: float) -> AgreementRecord:
    _, comparable = count_pairs(unit, unit)
    return AgreementRecord(kind, alpha, None, None, comparable, total=len(unit), judges=_n(judge))


def _n(judge: Ints) -> int:
    return len(np.unique(judge[judge != UNKNOWN]))


@dataclasses.dataclass(frozen=True, eq=False)
class Scored:
    """Scores of assessments whose judge is known, a row each, in the order of the file."""

    judge: Ints
    kind: Ints
    output: Ints  # a number for each system and segment
    sitting: Ints  # a number for each judge, output and task: what was seen once, and again as a control item
    score: Array
    row: Ints  # of the assessments
    notes: tuple[str, ...]


def weighed(assessments: Assessments, weights: str | None) -> str | None:
    """The weights by which errors stand in for scores: those that are given, or MQM's if there is nothing else."""
    errors_only = assessments.errors is not None and bool(np.isnan(assessments.score).all())
    return WEIGHTS if weights is None and errors_only else weights


def scored(assessments: Assessments, weights: str | None = None) -> Scored:
    """The scores that can be compared, or minus the penalties, with notes on those that cannot."""
    notes = []
    score = assessments.score
    if (given := weighed(assessments, weights)) is not None:
        penalty, unknown = penalties(assessments, read_weights(given))
        score = -penalty
        if unknown:
            notes.append(unknown_severities(unknown))
    there, known = np.isfinite(score), assessments.judge != UNKNOWN
    if n_missing := int((~there).sum()):
        notes.append(f"{n_missing} of {len(score)} rows have no score and were left out.")
    if n_unknown := int((there & ~known).sum()):
        notes.append(f"{n_unknown} scores do not say who gave them and were left out.")
    row = np.flatnonzero(there & known)
    judge, task = assessments.judge[row], assessments.task
    output = groups(assessments.system[row], assessments.segment[row])
    sitting = groups(judge, output, *(() if task is None else (task[row],)))
    return Scored(judge, assessments.kind[row], output, sitting, score[row], row, tuple(notes))


def own_means(given: Scored) -> tuple[Ints, Ints, Array]:
    """Output, judge and the mean of the scores that the judge gave to it, repeats among them."""
    mine = np.isin(given.kind, (Kind.SYSTEM, Kind.REPEAT))
    output, judge = given.output[mine], given.judge[mine]
    number, mean = _means(groups(output, judge), given.score[mine])
    return output[number], judge[number], mean


def control_pairs(given: Scored, control: Kind) -> tuple[Ints, Array, Array]:
    """Judge, score of an output, and score of the control item that was made from it, for each such pair."""
    found = []
    for kind in (Kind.SYSTEM, control):
        rows = np.flatnonzero(given.kind == kind)
        first, mean = _means(given.sitting[rows], given.score[rows])
        found.append((rows[first], given.sitting[rows[first]], mean))
    (rows, here, original), (_, there, repeat) = found
    _, a, b = np.intersect1d(here, there, assume_unique=True, return_indices=True)
    return given.judge[rows[a]], original[a], repeat[b]


def _means(group: Ints, values: Array) -> tuple[Ints, Array]:
    """A row of each group, and the mean of the group."""
    _, first, number = np.unique(group, return_index=True, return_inverse=True)
    return first, np.bincount(number, values) / np.bincount(number)


def _of_assessments(assessments: Assessments, weights: str | None) -> Agreement:
    given = scored(assessments, weights)
    output, judge, mean = own_means(given)
    alpha = krippendorff_alpha(output, mean, "interval")
    passing, failed = _passing(given)
    repeats = control_pairs(passing, Kind.REPEAT)
    n_repeats = int((passing.kind == Kind.REPEAT).sum())
    records = (_alpha_record("alpha", output, judge, alpha), _repeats_record(n_repeats, *repeats))
    notes = [*assessments.notes, *given.notes, *failed, *_repeat_notes(n_repeats, repeats[0])]
    if assessments.n is not None and (n_means := int((assessments.n > 1).sum())):
        notes.append(f"{n_means} rows are means of several judgements and count as one.")
    by_weight = weighed(assessments, weights)
    facts = {"scores": "given" if by_weight is None else f"penalties ({by_weight})"}
    return Agreement(records, signature("agreement", facts), tuple(notes))


def _passing(given: Scored) -> tuple[Scored, list[str]]:
    """The scores of judges who rate degraded outputs lower, if there are some, and a note on the repeats of others."""
    whose, original, bad = control_pairs(given, Kind.BAD_REFERENCE)
    failed = [
        j
        for j in np.unique(whose).tolist()
        if not bad_reference_test(original[whose == j], bad[whose == j]).p_ranksum < LEVEL
    ]
    keep = ~np.isin(given.judge, failed)
    columns = ("judge", "kind", "output", "sitting", "score", "row")
    lost = int(((given.kind == Kind.REPEAT) & ~keep).sum())
    note = f"Repeats of judges who failed quality control, left out of `repeats`: {lost}."
    part = dataclasses.replace(given, **{name: getattr(given, name)[keep] for name in columns})
    return part, [note] if lost else []


def _repeats_record(n_repeats: int, judge: Ints, original: Array, repeat: Array) -> AgreementRecord:
    gap = repeat - original
    _, p = paired_t(gap, np.zeros(len(gap), dtype=np.int64), 1)
    judges, number = np.unique(judge, return_inverse=True)
    _, of_judge = paired_t(gap, number, len(judges))
    tested = np.bincount(number, minlength=len(judges)) > 1
    return AgreementRecord(
        "repeats",
        None,
        None,
        None,
        len(gap),
        total=n_repeats,
        judges=len(judges),
        mean_difference=mean_or_nan(np.abs(gap)),
        p_value=float(p[0]),
        # repeats that are all equal to their originals have no p, and nothing differs
        consistent=mean_or_nan(~(of_judge[tested] < LEVEL)),
    )


def _repeat_notes(n_repeats: int, judge: Ints) -> Iterable[str]:
    if lost := n_repeats - len(judge):
        yield f"{lost} repeats have no original, or share it with another repeat; those were averaged or left out."
    if once := int((np.bincount(judge) == 1).sum()):
        yield f"The share of consistent judges leaves out {once} with a single repeat."


def mean_or_nan(values: Array | npt.NDArray[np.bool_]) -> float:
    """The mean, NaN of nothing."""
    return float(np.mean(values)) if len(values) else float("nan")
