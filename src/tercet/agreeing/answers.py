"""The answer in words: which metrics to trust for this language pair and this range of quality.

Rules, stated: metrics are told apart by the tests only. What is called *significantly better* is so after Holm's
correction of all tests; what only single tests say, by which ranks and winners go, is said to be that. A metric *fails
among the best* if its Pearson's r with people is .5 or more over all systems and below .5 over the better half of them
(four or more), and falls by .2 or more. An outlier *carries* a correlation if r falls by .1 or more without it. Lists
end after six names.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

from tercet.data import MetaEvaluation, MetricAgreement, MetricTests, Scatter, TopCurve
from tercet.data.meta import FEW, UNLIKE_RANKS
from tercet.numbers import bounded, coefficient, level
from tercet.stats.correction import holm

FAILS_BELOW, FALLS_BY, CARRIED_BY = 0.5, 0.2, 0.1
MOST = 6  # names in a list


def answers(evaluation: MetaEvaluation) -> tuple[str, ...]:
    """A few sentences for each direction and measure."""
    out: list[str] = []
    codes = tuple(
        f"{d}, " for d in (*(r.direction for r in evaluation), *(c.direction for c in evaluation.curves)) if d
    )
    for direction, measure in dict.fromkeys((r.direction, r.measure) for r in evaluation.records):
        records = [r for r in evaluation.records if (r.direction, r.measure) == (direction, measure)]
        tests = next((t for t in evaluation.tests if (t.direction, t.measure) == (direction, measure)), None)
        out += _best(records, direction, measure, tests)
    for direction in dict.fromkeys(c.direction for c in evaluation.curves):
        out += _among_the_best([c for c in evaluation.curves if c.direction == direction], direction)
        points = next((s for s in evaluation.scatters if s.direction == direction), None)
        pearson = [r for r in evaluation.records if r.direction == direction and r.measure.startswith("pearson")]
        out += _outliers(pearson, points, direction)
    return tuple(sentence if sentence.startswith(codes) else sentence[:1].upper() + sentence[1:] for sentence in out)


def _best(records: Sequence[MetricAgreement], direction: str, measure: str, tests: MetricTests | None) -> list[str]:
    known = sorted((r for r in records if not math.isnan(r.value)), key=lambda r: -r.value)
    where = f"{_where(direction)}{records[0].level} level, {records[0].measure_title}"
    if not known:
        return [f"{where}: not defined for any metric."]
    best = next((r for r in known if not r.scarce), known[0])
    figure = _figure(best)
    if best.over_hybrids is not None:  # the tests go by hybrids, and so does the answer
        best = max(known, key=lambda r: -math.inf if r.over_hybrids is None else r.over_hybrids)
        figure = f"{coefficient(best.over_hybrids)} over hybrid systems, {_figure(best)} over the real ones"
    equal = [r.metric for r in known if math.isclose(r.value, best.value, rel_tol=1e-12) and r.n == best.n]
    alike = len(equal) > 1 and best.over_hybrids is None
    how = "equally well" if alike and len(equal) == len(known) else "best" if len(known) > 1 else ""
    who = f"{listed(equal)} agree" if alike else f"{best.metric} agrees"
    said = [f"{where}: {who} {how} with people ({figure}, n = {best.n}).".replace("  ", " ")]
    if best.fewer:
        whole = next(r for r in known if not r.fewer) if any(not r.fewer for r in known) else None
        most = max(r.n for r in records)
        said.append(f"Others were held against more, up to {most}, which is not the same.")
        if whole is not None:
            said.append(f"Of those with {most}, {whole.metric} agrees best ({_figure(whole)}).")
    if best.n < FEW and records[0].level == "system":
        said.append("With so few systems that says next to nothing.")
    undefined = [r.metric for r in records if math.isnan(r.value)]
    if tests is not None and len(known) > 1:
        said.append(_told_apart(best.metric, tests, undefined, named=alike or bool(best.fewer)))
    if undefined:
        said.append(f"Not defined for {listed(undefined)}: scores that do not vary, or too few.")
    return [" ".join(said)]


def _told_apart(best: str, tests: MetricTests, undefined: Collection[str], *, named: bool) -> str:
    """What the tests say of the best metric, which is `named` where another one was spoken of since."""
    it, subject = (best, best) if named else ("it", "It")
    row = tests.p[tests.metrics.index(best)]
    others = [(m, float(p)) for m, p in zip(tests.metrics, row, strict=True) if m != best and m not in undefined]
    same = [m for m, p in others if not p <= tests.alpha]
    worse = [m for m, p in others if p <= tests.alpha]
    if not worse:
        others_named = listed(same) if len(same) == 1 else "The other metrics"
        return f"{others_named} cannot be told from {it} ({tests.decided_by})."
    sure = set(_surely_worse(best, tests))
    said, single = [m for m in worse if m in sure], [m for m in worse if m not in sure]
    told = [f"{subject} is significantly better than {listed(said)} ({tested_together(tests)})."] if said else []
    if single:
        by = (
            "by single tests, which are not corrected for their number"
            if said
            else f"by single tests ({tests.decided_by})"
        )
        told.append(f"{'It is also' if said else f'{subject} is'} better than {listed(single)} {by}.")
    if same:
        told.append(f"It cannot be told from {listed(same)}.")
    return " ".join(told)


def _surely_worse(best: str, tests: MetricTests) -> list[str]:
    """Metrics that the best one beats after Holm's correction of all tests, where nothing was corrected before."""
    p = tests.p
    if tests.test == "overlap" and tests.n_uncorrected:
        return []  # there is no p to correct
    if tests.n_uncorrected:
        p = p.copy()
        p[np.isfinite(p)] = holm(p[np.isfinite(p)])
    return [m for m, value in zip(tests.metrics, p[tests.metrics.index(best)], strict=True) if value <= tests.alpha]


def tested_together(tests: MetricTests) -> str:
    """The same where a metric is called significantly better: after Holm's correction, if none was asked for."""
    if n_tests := tests.n_uncorrected:
        corrected = f"corrected for {n_tests} tests by Holm{UNLIKE_RANKS}"
        return f"{tests.test_title}, one-sided p ≤ {level(tests.alpha)}, {corrected}"
    return tests.decided_by


def better_half(curve: TopCurve) -> int | None:
    """How many systems are the better half, if that is not all of them."""
    half = max(FEW, math.ceil(curve.sizes[-1] / 2))
    return half if half in curve.sizes and half < curve.sizes[-1] else None


def fails(curve: TopCurve) -> bool:
    """Whether a metric fails among the best."""
    half = better_half(curve)
    if half is None:
        return False
    there, whole = curve.values[curve.sizes.index(half)], curve.values[-1]
    return there < FAILS_BELOW <= whole and whole - there >= FALLS_BY


def is_carried(record: MetricAgreement) -> bool:
    """Whether outliers carry the correlation of a metric."""
    without = record.without_outliers
    return record.measure.startswith("pearson") and without is not None and record.value - without >= CARRIED_BY


def _among_the_best(curves: Sequence[TopCurve], direction: str) -> list[str]:
    whole, half = curves[0].sizes[-1], better_half(curves[0])
    falls = [
        f"{c.metric} ({coefficient(c.values[-1])} over all, {coefficient(c.values[c.sizes.index(half)])} there)"
        for c in curves
        if half is not None and fails(c)
    ]
    if not falls:
        return []
    verb = "fails" if len(falls) == 1 else "fail"
    return [f"{_where(direction)}among the best {half} of {whole} systems {listed(falls)} {verb}."]


def _outliers(records: Sequence[MetricAgreement], points: Scatter | None, direction: str) -> list[str]:
    if points is None or not any(points.outliers):
        return []
    names = [s for s, far in zip(points.systems, points.outliers, strict=True) if far]
    carried = [
        f"{r.metric} ({coefficient(r.value)} with, {coefficient(r.without_outliers)} without)"
        for r in records
        if is_carried(r)
    ]
    far = f"{_where(direction)}people put {listed(names)} far off the others"
    if not records:
        return [f"{far}."]
    if not carried:
        return [f"{far}; no metric owes much of its agreement to that."]
    return [f"{far}, and that carries the agreement of {listed(carried)}."]


def _where(direction: str) -> str:
    return f"{direction}, " if direction else ""


def _figure(record: MetricAgreement) -> str:
    return bounded(record.value, record.low, record.high)


def listed(names: Sequence[str]) -> str:
    """Names with commas and an "and"; what is too much is counted.

    >>> listed(["a", "b", "c"]), listed([*"abcdefgh"])
    ('a, b and c', 'a, b, c, d, e and 3 others')
    """
    shown = list(names) if len(names) <= MOST else [*names[: MOST - 1], f"{len(names) - MOST + 1} others"]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]
