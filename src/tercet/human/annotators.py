"""The judges, one by one: how they agree with the others and with themselves, how fast, and what looks odd.

Flags are advice for a person to look at, nothing is left out because of them. Those of direct assessment follow
the checks of its authors (Graham et al. 2017): degraded outputs rated as high as others, references rated low, long
runs of one score, and less than 300 s for 100 items. Judgements are compared as in the strict form of `agreement`.
A judge's kappa takes chance from the ties of the judge and those of the others: who always says tie has kappa 0.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tercet import inputs
from tercet.data import UNKNOWN, Array, Assessments, Ints, Judgements, Kind, Outcome, Rankings
from tercet.data.agreement import Annotators, AssessmentAnnotator, Fact, RankingAnnotator
from tercet.errors import InputError
from tercet.human.comparisons import Comparisons, Ranks, compare, inter_counts, intra, ranks, require_no_weights
from tercet.human.scored import (
    CHECKED,
    ScoredOutputs,
    checked,
    control_pairs,
    mean_or_nan,
    own_means,
    require_assessments,
    scored,
    scores_used,
)
from tercet.numbers import coefficient, p_told, percent, plain, score, seconds
from tercet.options import verb
from tercet.options.judging import AnnotatorPageOptions, AnnotatorsOptions
from tercet.signing import fingerprint, signature
from tercet.stats.agreement import expected_agreement, groups, kappa_from_counts, kappa_of, ratio, sizes
from tercet.stats.control import bad_reference_test, longest_run

ENOUGH = 30  # pairs of judgements, or outputs, below which a low agreement is no reason for a flag
LONG_RUN = 8  # equal answers one after the other
MOSTLY_TIES = 0.9
SLIGHT = 0.2  # an intra-annotator kappa up to which repeats agree only slightly
FAST_TASK = 10.0  # seconds for a whole ranking
FAST_ITEM = 3.0  # seconds: 300 for a sitting of 100 items
GOOD_REFERENCE = 90.0
LEVEL = 0.05
CONTESTED = 5  # items that a page shows

_WORDS = {Outcome.LEFT_BETTER: "better than", Outcome.TIE: "as good as", Outcome.RIGHT_BETTER: "worse than"}


@verb(AnnotatorsOptions)
def annotators(asked: AnnotatorsOptions) -> Annotators:
    """One record a judge, with flags in words."""
    given = inputs.judged(asked)
    table = _table(given, asked.weights)
    judges = np.unique(table.source.judge[table.source.judge != UNKNOWN]).tolist()
    facts = {"of": "rankings"} if isinstance(table, _Ranked) else {"of": "assessments", **table.facts(asked.weights)}
    records = tuple(table.record(j) for j in judges)
    signed = signature("annotators", facts, {"judgements": fingerprint(given)})
    overall = table.overall if isinstance(table, _Ranked) else None
    return Annotators(records, signed, (*given.notes, *table.notes, *_tested(records)), overall)


def _tested(records: Sequence[RankingAnnotator | AssessmentAnnotator]) -> Iterable[str]:
    """How many judges were tested, each at a level of its own."""
    p = [r.p_ranksum for r in records if isinstance(r, AssessmentAnnotator)]
    if n := sum(not math.isnan(value) for value in p):
        some = "1 judge is tested" if n == 1 else f"{n} judges are tested"
        yield f"{some} on degraded outputs, by rank sums and by paired t; p-values are not corrected for their number."


@verb(AnnotatorPageOptions)
def annotator_page(asked: AnnotatorPageOptions) -> list[Fact]:
    """What there is to say of one judge: their record, their answers beside the others', their pace."""
    given = inputs.judged(asked)
    if asked.judge not in given.judges:
        some = ", ".join(given.judges[:10]) + (", ..." if len(given.judges) > 10 else "")
        raise InputError(f"{given.file} has no judge {asked.judge!r}.", hint=f"There are: {some or 'none'}.")
    table = _table(given, asked.weights)
    j = given.judges.index(asked.judge)
    record = (Fact(*field) for field in dataclasses.asdict(table.record(j)).items())
    return [*record, *table.beside_others(j), *_pace(table.source, j)]


def page_signature(judgements: Judgements, judge: str, weights: str | None) -> str:
    """How the page of a judge was made."""
    facts = {"annotator": judge, **({"weights": weights} if weights else {})}
    return signature("annotators", facts, {"judgements": fingerprint(judgements)})


def _table(given: Judgements, weights: str | None) -> _Ranked | _Scored:
    if isinstance(given, Rankings):
        require_no_weights(given, weights)
        return _Ranked.of(given)
    return _Scored.of(require_assessments(given), weights)


def _pace(judgements: Rankings | Assessments, judge: int) -> Iterable[Fact]:
    """Median seconds in the first and in the second half of the judge's work, in the order of the file."""
    if judgements.seconds is not None:
        mine = judgements.seconds[judgements.judge == judge]
        for half, part in zip(("first", "second"), np.array_split(mine, 2), strict=True):
            yield Fact(f"median seconds, {half} half", _median(part))


def _median(values: Array) -> float | None:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else None


def _rows_by(judge: Ints, n: int) -> Sequence[Ints]:
    """The rows of each judge, in their order."""
    return np.split(np.argsort(judge, kind="stable"), np.cumsum(np.bincount(judge, minlength=n))[:-1])


def _by_judge(n: int, judge: Ints, *columns: Any) -> list[list[Any]]:
    """The columns of each judge."""
    return [[column[rows] for column in columns] for rows in _rows_by(judge, n)]


@dataclasses.dataclass(frozen=True, eq=False)
class _Ranked:
    """Rankings with what is needed of every judge: their pairs, those of others, and the patterns of their tasks."""

    source: Rankings
    ranks: Ranks
    pairs: Comparisons
    counts: tuple[int, int]  # of ties and of all pairs
    rows: Sequence[Ints]  # of the pairs of each judge
    others: Ints  # judgements of the same item by other judges, for each pair
    agreeing: Ints  # those of the same label
    tasks: Sequence[Ints]  # with something judged in them, of each judge
    pattern: Ints  # of each task: which ranks it got, from the best one on

    @classmethod
    def of(cls, rankings: Rankings) -> _Ranked:
        """Compare what every judge ranked with what others did, and with what they said before."""
        placed = ranks(rankings, references=True)
        pairs = compare(placed)
        of_one = groups(pairs.item, pairs.judge)
        n = len(rankings.judges)
        task = np.unique(placed.task)
        by_judge = [task[rows] for rows in _rows_by(rankings.judge[task], n)]
        return cls(
            rankings,
            placed,
            pairs,
            pairs.counts(),
            _rows_by(pairs.judge, n),
            sizes(groups(pairs.item)) - sizes(of_one),
            sizes(groups(pairs.item, pairs.label)) - sizes(groups(of_one, pairs.label)),
            by_judge,
            _patterns(placed, len(rankings)),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.ranks.notes, *self.pairs.notes)

    @property
    def overall(self) -> float:
        """Kappa between all judges, as `agreement` has it."""
        return kappa_from_counts(*inter_counts(self.pairs), *self.counts)[2]

    def record(self, judge: int) -> RankingAnnotator:
        """The record of a judge."""
        rows, tasks = self.rows[judge], self.tasks[judge]
        mine = self.pairs.part(rows)
        ties, n_pairs = mine.counts()
        all_ties, all_pairs = self.counts
        share, of_others = ratio(ties, n_pairs), ratio(all_ties - ties, all_pairs - n_pairs)
        comparable, agree = int(self.others[rows].sum()), int(self.agreeing[rows].sum())
        with_others = kappa_of(ratio(agree, comparable), expected_agreement(share, of_others))
        counted, repeated = intra(mine)
        alone = kappa_from_counts(*counted, *repeated.counts())
        seconds = self.source.seconds
        record = RankingAnnotator(
            judge=self.source.judges[judge],
            tasks=len(tasks),
            pairs=n_pairs,
            kappa=with_others.kappa,
            p_agree=with_others.p_agree,
            p_expected=with_others.p_expected,
            comparable=comparable,
            intra_kappa=alone.kappa,
            intra_p_agree=alone.p_agree,
            intra_comparable=counted.comparable,
            ties=share,
            median_seconds=None if seconds is None else _median(seconds[tasks]),
            longest_run=longest_run(self.pattern[tasks]),
        )
        return dataclasses.replace(record, flags="; ".join(_ranking_flags(record)))

    def beside_others(self, judge: int) -> Iterable[Fact]:
        yield from self.confusion(judge)
        yield from self.contested(judge)

    def confusion(self, judge: int) -> Iterable[Fact]:
        """How often the judge said what, where most of the others said what."""
        rows, pairs = self.rows[judge], self.pairs
        rows = rows[self.others[rows] > 0]
        rest = pairs.part(pairs.judge != judge)
        n = len(Outcome)
        size = int(pairs.item.max(initial=-1)) + 1
        votes = np.bincount(rest.item * n + rest.label, minlength=size * n).reshape(size, n)[pairs.item[rows]]
        clear = (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) == 1
        majority, label = votes.argmax(axis=1)[clear], pairs.label[rows][clear]
        prefer, tie = majority != Outcome.TIE, label == Outcome.TIE
        yield Fact("majority prefers one, judge agrees", int((prefer & (label == majority)).sum()))
        yield Fact("majority prefers one, judge ties", int((prefer & tie).sum()))
        yield Fact("majority prefers one, judge prefers the other", int((prefer & ~tie & (label != majority)).sum()))
        yield Fact("majority ties, judge ties", int((~prefer & tie).sum()))
        yield Fact("majority ties, judge prefers one", int((~prefer & ~tie).sum()))
        yield Fact("no majority", int((~clear).sum()))

    def contested(self, judge: int) -> Iterable[Fact]:
        """The items of which most others say something else."""
        rows = self.rows[judge]
        against = (self.others - self.agreeing)[rows]
        units, pairs = self.ranks.units, self.pairs
        for row in rows[np.argsort(-against, kind="stable")[:CONTESTED]].tolist():
            n_against, n_others = int(self.others[row] - self.agreeing[row]), int(self.others[row])
            if n_against:
                left, right = units[pairs.left[row]], units[pairs.right[row]]
                said = f"{left} {_WORDS[Outcome(int(pairs.label[row]))]} {right}"
                segment = self.source.segments[pairs.segment[row]]
                yield Fact(f"contested: segment {segment}", f"{said}; {n_against} of {n_others} say otherwise")


def _patterns(given: Ranks, n_tasks: int) -> Ints:
    """A number for each task, the same for tasks whose ranks are the same but for where they begin."""
    first = np.searchsorted(given.task, given.task)
    place = np.arange(len(given.task)) - first
    best = np.full(n_tasks, np.iinfo(np.int64).max)
    np.minimum.at(best, given.task, given.rank)
    table = np.full((n_tasks, int(place.max(initial=0)) + 1), -1, dtype=np.int64)
    table[given.task, place] = given.rank - best[given.task]
    return groups(*table.T)


def _ranking_flags(record: RankingAnnotator) -> Iterable[str]:
    if record.comparable >= ENOUGH and record.kappa <= 0:
        yield "agrees with the others no more than by chance"
    if record.intra_comparable >= ENOUGH and record.intra_kappa <= SLIGHT:
        yield f"repeats agree only slightly (kappa {coefficient(record.intra_kappa, 2)})"
    if record.pairs >= ENOUGH and record.ties >= MOSTLY_TIES:
        yield f"ties in {percent(record.ties)} of the pairs"
    if record.longest_run > LONG_RUN:
        yield f"{record.longest_run} tasks in a row got the same ranks"
    if record.median_seconds is not None and record.median_seconds < FAST_TASK:
        yield f"a task takes {seconds(record.median_seconds)}"


@dataclasses.dataclass(frozen=True, eq=False)
class _Scored:
    """Assessments with what is needed of every judge."""

    source: Assessments
    given: ScoredOutputs
    rows: Sequence[Ints]  # of the scores of each judge
    shared: Sequence[Sequence[Any]]  # of each judge: output, their mean, that of the other judges
    bad: Sequence[Sequence[Any]]  # of each judge: scores of outputs, of the same ones degraded
    repeats: Sequence[Sequence[Any]]  # of each judge: scores of outputs, of their repeats

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        return (*self.given.notes, *((CHECKED,) if checked(self.source) else ()))

    def facts(self, weights: str | None) -> dict[str, str]:
        """What a signature says of the scores."""
        return scores_used(self.source, weights)

    @classmethod
    def of(cls, assessments: Assessments, weights: str | None) -> _Scored:
        """Hold the scores of every judge against those of others of the same outputs."""
        given = scored(assessments, weights)
        rows, mean = own_means(given)
        output, judge = given.output[rows], given.judge[rows]
        several = sizes(groups(output)) > 1
        output, judge, mean = output[several], judge[several], mean[several]
        number = groups(output)
        others = (np.bincount(number, mean)[number] - mean) / (sizes(number) - 1) if len(mean) else mean
        n = len(assessments.judges)
        return cls(
            assessments,
            given,
            _rows_by(given.judge, n),
            _by_judge(n, judge, output, mean, others),
            _by_judge(n, *control_pairs(given, Kind.BAD_REFERENCE)),
            _by_judge(n, *control_pairs(given, Kind.REPEAT)),
        )

    def record(self, judge: int) -> AssessmentAnnotator:
        """The record of a judge."""
        rows = self.rows[judge]
        score, kind = self.given.score[rows], self.given.kind[rows]
        _, mine, others = self.shared[judge]
        original, bad = self.bad[judge]
        test = bad_reference_test(original, bad)
        first, again = self.repeats[judge]
        seconds = self.source.seconds
        record = AssessmentAnnotator(
            judge=self.source.judges[judge],
            items=len(rows),
            mean=mean_or_nan(score),
            sd=float(score.std(ddof=1)) if len(rows) > 1 else float("nan"),
            correlation=_pearson(mine, others),
            comparable=len(mine),
            mean_system=mean_or_nan(score[kind == Kind.SYSTEM]),
            mean_reference=mean_or_nan(score[kind == Kind.REFERENCE]),
            mean_bad=mean_or_nan(score[kind == Kind.BAD_REFERENCE]),
            bad_pairs=len(bad),
            p_ranksum=test.p_ranksum,
            p_paired_t=test.p_paired_t,
            repeats=len(again),
            mean_difference=mean_or_nan(np.abs(first - again)),
            median_seconds=None if seconds is None else _median(seconds[self.given.row[rows]]),
            longest_run=longest_run(score),
        )
        return dataclasses.replace(
            record, flags="; ".join(_score_flags(record, self._shortest(rows), checked(self.source)))
        )

    def _shortest(self, rows: Ints) -> float | None:
        """Seconds an item of the judge's fastest sitting."""
        task, seconds = self.source.task, self.source.seconds
        if task is None or seconds is None or not len(rows):
            return None
        sitting = groups(task[self.given.row[rows]])
        pace = np.bincount(sitting, seconds[self.given.row[rows]]) / np.bincount(sitting)
        return None if np.isnan(pace).all() else float(np.nanmin(pace))

    def beside_others(self, judge: int) -> Iterable[Fact]:
        """The outputs whose score is farthest from the mean of the others, and how far scores are off on average."""
        output, mine, others = self.shared[judge]
        gap = mine - others
        yield Fact("mean difference from the others", mean_or_nan(gap))
        a, given = self.source, self.given
        for i in np.argsort(-np.abs(gap), kind="stable")[:CONTESTED].tolist():
            row = int(given.row[np.argmax(given.output == output[i])])
            place = f"contested: segment {a.segments[a.segment[row]]}, {a.systems[a.system[row]]}"
            yield Fact(place, f"{plain(mine[i])}; the others' mean is {plain(others[i])}")


def _pearson(x: Array, y: Array) -> float:
    # a mean of equal scores may differ from another in its last bits
    if len(x) < 2 or np.allclose(x, x[0], rtol=1e-9) or np.allclose(y, y[0], rtol=1e-9):
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])


def _score_flags(record: AssessmentAnnotator, shortest: float | None, passed: bool) -> Iterable[str]:
    if record.longest_run == record.items > 1:
        yield "gives every item the same score"
    if record.bad_pairs and not passed and not record.p_ranksum < LEVEL:
        told = "" if math.isnan(record.p_ranksum) else f" ({p_told(record.p_ranksum)})"
        yield f"does not rate degraded outputs lower{told}"
    if record.mean_bad >= record.mean_system:
        yield "rates degraded outputs as high as those of systems"
    if record.mean_system >= record.mean_reference:
        yield "rates systems as high as references"
    if record.mean_reference < GOOD_REFERENCE:
        yield f"rates references {score(record.mean_reference, 0)} on average"
    if record.comparable >= ENOUGH and record.correlation <= 0:
        yield "does not correlate with the others"
    if record.longest_run > LONG_RUN:
        yield f"{record.longest_run} items in a row got the same score"
    if shortest is not None and shortest < FAST_ITEM:
        yield f"an item of the fastest sitting takes {seconds(shortest)}"
