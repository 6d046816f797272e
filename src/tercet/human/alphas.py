"""Krippendorff's interval alpha of scores: of all judges, of every two, inside and between groups of them."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tercet.data import UNKNOWN, Array, Ints
from tercet.data.agreement import AgreementRecord
from tercet.human.draws import Coefficient
from tercet.human.kappas import group_of
from tercet.options.judging import AgreementOptions
from tercet.stats.agreement import count_pairs, groups, krippendorff_alpha
from tercet.stats.agreement_sums import interval_alpha


@dataclasses.dataclass(frozen=True, eq=False)
class JudgedOutputs:
    """A row an output and a judge: the mean of the scores that the judge gave to it."""

    segment: Ints
    output: Ints
    judge: Ints
    score: Array

    def part(self, keep: npt.NDArray[np.bool_]) -> JudgedOutputs:
        """Some of the rows."""
        return JudgedOutputs(self.segment[keep], self.output[keep], self.judge[keep], self.score[keep])

    def together(self, group: Ints) -> JudgedOutputs:
        """The judges of a group as one, whose score is the mean of theirs."""
        rows, number = np.unique(groups(self.output, group[self.judge]), return_index=True, return_inverse=True)[1:]
        score = np.bincount(number, self.score) / np.bincount(number)
        return JudgedOutputs(self.segment[rows], self.output[rows], group[self.judge[rows]], score)


def alphas(given: JudgedOutputs, judges: tuple[str, ...], asked: AgreementOptions) -> list[Coefficient]:
    """Alpha of all judges first, and then of every two, or inside and between groups."""
    parts: Iterable[Coefficient] = ()
    if asked.by == "judges":
        parts = _every_two(given, judges)
    elif asked.by == "groups":
        parts = _by_group(given, group_of(judges, asked.groups), list(asked.groups or ()))
    return [alpha(given), *parts]


def alpha(given: JudgedOutputs) -> Coefficient:
    """Alpha of all these scores."""
    output, score = given.output, given.score
    record = alpha_record("alpha", output, given.judge, krippendorff_alpha(output, score, "interval"))
    return Coefficient(record, functools.partial(interval_alpha, given.segment, output, score))


def alpha_record(kind: str, unit: Ints, judge: Ints, value: float) -> AgreementRecord:
    """The record of an alpha: what was compared, and who said it."""
    _, comparable = count_pairs(unit, unit)
    n_judges = len(np.unique(judge[judge != UNKNOWN]))
    return AgreementRecord(kind, value, None, None, comparable, total=len(unit), judges=n_judges)


def _every_two(given: JudgedOutputs, judges: tuple[str, ...]) -> Iterable[Coefficient]:
    judged_by = {j: np.unique(given.output[given.judge == j]) for j in np.unique(given.judge).tolist() if j != UNKNOWN}
    for (a, of_a), (b, of_b) in itertools.combinations(judged_by.items(), 2):
        both = np.intersect1d(of_a, of_b, assume_unique=True)
        if len(both):
            mine = given.part(np.isin(given.judge, (a, b)) & np.isin(given.output, both))
            yield alpha(mine).replace(first=judges[a], second=judges[b])


def _by_group(given: JudgedOutputs, group: Ints, names: list[str]) -> Iterable[Coefficient]:
    known = given.part(given.judge != UNKNOWN)
    member = group[known.judge]
    for g, name in enumerate(names):
        yield alpha(known.part(member == g)).replace(first=name, second=name)
        for h in range(g + 1, len(names)):
            both = known.part((member == g) | (member == h)).together(group)
            yield alpha(both).replace(first=name, second=names[h])
