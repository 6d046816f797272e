"""Cohen's and Fleiss' kappa, and kappa inside and between groups of judges, or of every two judges.

A label is what a judge said of an item: better, tie or worse of two outputs, or a score of one. Which of two outputs is
on the left is an accident, so that every comparison counts in both directions. With several judges, Cohen's kappa takes
agreement and chance as means over every two judges, who weigh as many pairs of labels as they share.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import functools
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from tercet.data import Ints, Outcome
from tercet.data.agreement import AgreementRecord
from tercet.errors import InputError
from tercet.human.draws import Coefficient
from tercet.options.judging import AgreementOptions, KappaKind, Weighting
from tercet.stats.agreement import (
    Kappa,
    band,
    cohen_kappa,
    expected_agreement,
    fleiss_kappa,
    groups,
    kappa_of,
    pairs_within,
    ratio,
)
from tercet.stats.agreement_sums import AgreementSums, table_kappa, wmt_kappa_of_two

Numbers = npt.NDArray[np.number]
MIRROR = 2 * int(Outcome.TIE)  # less a label: what it is in the mirror


@dataclasses.dataclass(frozen=True, eq=False)
class ItemLabels:
    """What judges said of items, a row each; `mirrored` if every row stands for its mirror image, too."""

    segment: Ints
    item: Ints
    judge: Ints
    label: Numbers
    mirrored: bool

    def part(self, keep: npt.NDArray[np.bool_] | Ints) -> ItemLabels:
        """Some of the rows."""
        columns = ("segment", "item", "judge", "label")
        return dataclasses.replace(self, **{name: getattr(self, name)[keep] for name in columns})

    def both_ways(self, label: Numbers) -> Numbers:
        """Labels, and those of the mirror images after them."""
        return np.concatenate([label, MIRROR - label]) if self.mirrored else label

    def ties(self) -> float:
        """The share of ties."""
        return ratio(int((self.label == Outcome.TIE).sum()), len(self.label))

    def pairs(self, *, same_judge: bool = False) -> tuple[Ints, Ints]:
        """Rows of every two labels of the same item, by different judges or by the same one."""
        order = np.argsort(self.item, kind="stable")
        first, second = pairs_within(self.item[order])
        first, second = order[first], order[second]
        wanted = (self.judge[first] == self.judge[second]) == same_judge
        return first[wanted], second[wanted]


def kappas(labels: ItemLabels, judges: tuple[str, ...], asked: AgreementOptions) -> list[Coefficient]:
    """Kappa of all judges, inside and between groups, or of every two judges."""
    make = _maker(asked.kappa, asked.weighting)
    if asked.by == "all":
        return [make("inter", labels, *labels.pairs()), make("intra", labels, *labels.pairs(same_judge=True))]
    if asked.by == "judges":
        return list(_every_two(labels, judges, make))
    return list(_by_group(labels, group_of(judges, asked.groups), list(asked.groups or ()), make))


Maker = Callable[[str, ItemLabels, Ints, Ints], Coefficient]


def group_of(judges: tuple[str, ...], given: Mapping[str, str] | None) -> Ints:
    """The group of each judge, -1 without one: the first whose pattern fits.

    >>> group_of(("turker1", "ana", "turker2"), {"crowd": "turker*", "researchers": "*"}).tolist()
    [0, 1, 0]
    """
    patterns = list((given or {}).values())
    if not patterns:
        raise InputError("There are no groups of judges.", hint="Name some: --group crowd='turker*'.")
    number = [next((i for i, p in enumerate(patterns) if fnmatch.fnmatchcase(j, p)), -1) for j in judges]
    for i, (name, pattern) in enumerate((given or {}).items()):
        if i not in number:
            some = ", ".join(judges[:5]) + (", ..." if len(judges) > 5 else "")
            raise InputError(
                f"No judge is in the group {name}: nobody is called {pattern} who is not in a group before it.",
                hint=f"The judges are {some}.",
            )
    return np.array(number, dtype=np.int64)


def notes_on_judges(judges: tuple[str, ...], asked: AgreementOptions, coefficient: str = "kappa") -> list[str]:
    """Who takes no part in coefficients by groups, and what alpha is of."""
    if asked.by == "all":
        return []
    outside = [] if asked.by == "judges" else [judges[i] for i in np.flatnonzero(group_of(judges, asked.groups) < 0)]
    told = [f"Judges of no group, left out of {coefficient}: {', '.join(outside)}."] if outside else []
    if coefficient == "kappa":
        return [*told, "Alpha is of all judges."]
    return [*told, *(["Alpha between two groups is of the means of their scores."] if asked.by == "groups" else [])]


def _every_two(labels: ItemLabels, judges: tuple[str, ...], make: Maker) -> Iterable[Coefficient]:
    first, second = labels.pairs()
    low = np.minimum(labels.judge[first], labels.judge[second])
    high = np.maximum(labels.judge[first], labels.judge[second])
    for a, b in sorted(set(zip(low.tolist(), high.tolist(), strict=True))):
        mine = (low == a) & (high == b)
        yield make("inter", labels, first[mine], second[mine]).replace(first=judges[a], second=judges[b])


def _by_group(labels: ItemLabels, group: Ints, names: list[str], make: Maker) -> Iterable[Coefficient]:
    first, second = labels.pairs()
    again = labels.pairs(same_judge=True)
    of_first, of_second = group[labels.judge[first]], group[labels.judge[second]]
    for g, name in enumerate(names):
        for h in range(g, len(names)):
            here = ((of_first == g) & (of_second == h)) | ((of_first == h) & (of_second == g))
            yield make("inter", labels, first[here], second[here]).replace(first=name, second=names[h])
        mine = group[labels.judge[again[0]]] == g
        yield make("intra", labels, again[0][mine], again[1][mine]).replace(first=name, second=name)


def _maker(kind: KappaKind, weighting: Weighting) -> Maker:
    """The way from pairs of rows to a coefficient."""

    def made(what: str, labels: ItemLabels, first: Ints, second: Ints) -> Coefficient:
        one, other = labels.label[first], labels.label[second]
        if kind == "cohen":
            kappa = _cohen(labels, first, second, weighting)
        elif kind == "fleiss":
            unit = np.tile(np.arange(len(first) * (1 + labels.mirrored)), 2)
            both = np.concatenate([labels.both_ways(one), labels.both_ways(other)])
            kappa = fleiss_kappa(unit, both, weighting)
        else:
            kappa = _of_ties(labels, first, second)
        who = np.unique(labels.judge[np.concatenate([first, second])])
        record = AgreementRecord(
            what, kappa.kappa, kappa.p_agree, kappa.p_expected, len(first), int((one == other).sum()),
            judges=len(who), band=band(kappa.kappa),
        )  # fmt: skip
        return Coefficient(record, functools.partial(_sums, labels, first, second, kind, weighting))

    return made


def _sums(labels: ItemLabels, first: Ints, second: Ints, kind: KappaKind, weighting: Weighting) -> AgreementSums:
    """What the kappa is made of, segment by segment."""
    segment = labels.segment[first]
    if kind == "wmt":
        said = (labels.segment, labels.judge, labels.label == Outcome.TIE)
        agree = labels.label[first] == labels.label[second]
        return wmt_kappa_of_two(segment, agree, labels.judge[first], labels.judge[second], said)
    first, second, pair = _in_order(labels, first, second)
    cohen, mirror = kind == "cohen", MIRROR if labels.mirrored else None
    table = pair if cohen else np.zeros_like(pair)
    sides = labels.label[first], labels.label[second]
    return table_kappa(segment, table, sides, weighting, pooled=not cohen, mirror=mirror)


def _of_ties(labels: ItemLabels, first: Ints, second: Ints) -> Kappa:
    """The kappa of WMT, whose chance knows the ties of either side, in all that its judges said."""
    agree = ratio(int((labels.label[first] == labels.label[second]).sum()), len(first))
    sides = [labels.part(np.isin(labels.judge, labels.judge[rows])).ties() for rows in (first, second)]
    return kappa_of(agree, expected_agreement(*sides))


def _cohen(labels: ItemLabels, first: Ints, second: Ints, weighting: Weighting) -> Kappa:
    """Means over every two judges, weighted by the pairs of labels that they share."""
    first, second, pair = _in_order(labels, first, second)
    shared = np.bincount(pair)
    agree = expected = 0.0
    for rows in np.split(np.argsort(pair, kind="stable"), np.cumsum(shared)[:-1]):
        one, other = (labels.both_ways(labels.label[side[rows]]) for side in (first, second))
        of_two = cohen_kappa(one, other, weighting)
        agree += of_two.p_agree * len(rows) / len(pair) if len(rows) else float("nan")
        expected += of_two.p_expected * len(rows) / len(pair) if len(rows) else float("nan")
    return kappa_of(agree, expected)


def _in_order(labels: ItemLabels, first: Ints, second: Ints) -> tuple[Ints, Ints, Ints]:
    """Pairs of rows with a number for each two judges, who come in the same order in all their pairs."""
    swap = labels.judge[first] > labels.judge[second]
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    return first, second, groups(labels.judge[first], labels.judge[second])
