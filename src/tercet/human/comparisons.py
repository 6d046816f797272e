"""Rankings to comparisons: every two outputs that a judge ranked, as items that judges can agree on.

An item is a segment and two outputs, a label is better, tie or worse. The strict form knows two outputs in whichever
order they were shown; the form as displayed, behind the published figures of WMT12 to WMT16, never compares (a, b) with
(b, a), nor `a+b` with `b+a`.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from tercet.data import UNKNOWN, Array, Ints, Outcome, Rankings, is_reference
from tercet.errors import InputError
from tercet.human.pairs import expand as expanded
from tercet.human.pairs import judged, task_of_items
from tercet.options.judging import AgreementOptions, OnSkip
from tercet.stats.agreement import PairCounts, count_pairs, groups, pairs_within, sizes
from tercet.stats.agreement_sums import AgreementSums, of_rows, pairs_of_rows, wmt_kappa


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


def require_no_weights(rankings: Rankings, weights: str | None) -> None:
    """Rankings have no errors that could be weighed."""
    if weights is not None:
        raise InputError(f"{rankings.file} has rankings, and weights are of errors.", hint="Leave out weights.")


def ranks(
    rankings: Rankings,
    *,
    as_written: bool = False,
    expand: bool = False,
    on_skip: OnSkip = AgreementOptions.on_skip,
    references: bool,
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


def inter_counts(pairs: Comparisons, *, same_judge: bool = False) -> PairCounts:
    """Pairs of labels of the same item, by different judges unless those by one judge are asked for, too."""
    every = count_pairs(pairs.item, pairs.label)
    if same_judge:
        return every
    of_one = count_pairs(groups(pairs.item, pairs.judge), pairs.label)
    return PairCounts(every.agree - of_one.agree, every.comparable - of_one.comparable)


def intra(pairs: Comparisons) -> tuple[PairCounts, Comparisons]:
    """Pairs of labels of the same item by the same judge, and all labels of that judge and segment."""
    known = pairs.part(pairs.judge != UNKNOWN)
    repeats = groups(known.item, known.judge)
    place = groups(known.segment, known.judge)
    repeated = np.isin(place, place[sizes(repeats) > 1])
    return count_pairs(repeats, known.label), known.part(repeated)


def inter_sums(pairs: Comparisons, *, same_judge: bool) -> AgreementSums:
    """What `inter_counts`, ties and labels are made of, segment by segment."""

    def n_pairs(*columns: Ints) -> Array:
        every = pairs_of_rows(groups(*columns))
        return every if same_judge else every - pairs_of_rows(groups(*columns, pairs.judge))

    agree, comparable = n_pairs(pairs.item, pairs.label), n_pairs(pairs.item)
    rows = np.stack([agree, comparable, pairs.label == Outcome.TIE, np.ones(len(pairs))], axis=1)
    return of_rows(pairs.segment, rows, wmt_kappa)


def intra_sums(pairs: Comparisons) -> AgreementSums:
    """What `intra` is made of, segment by segment."""
    _, repeated = intra(pairs)
    again = groups(repeated.item, repeated.judge)
    agree, comparable = pairs_of_rows(groups(again, repeated.label)), pairs_of_rows(again)
    rows = np.stack([agree, comparable, repeated.label == Outcome.TIE, np.ones(len(repeated))], axis=1)
    return of_rows(repeated.segment, rows, wmt_kappa)
