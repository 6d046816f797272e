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
import functools
from collections.abc import Iterable, Mapping

import numpy as np

from tercet import inputs
from tercet.data import UNKNOWN, Array, Assessments, Ints, Judgements, Kind, Rankings
from tercet.data.agreement import Agreement, AgreementRecord
from tercet.errors import InputError
from tercet.human.alphas import JudgedOutputs, alpha, alpha_record, alphas
from tercet.human.comparisons import (
    Comparisons,
    compare,
    inter_counts,
    inter_sums,
    intra,
    intra_sums,
    ranks,
    require_no_weights,
)
from tercet.human.draws import Coefficient, judged_segments, with_intervals
from tercet.human.kappas import MIRROR, ItemLabels, kappas, notes_on_judges
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
from tercet.numbers import counted as counted_noun
from tercet.options import verb
from tercet.options.judging import AgreementOptions
from tercet.signing import fingerprint, signature
from tercet.stats.agreement import PairCounts, band, groups, kappa_from_counts, krippendorff_alpha
from tercet.stats.agreement_sums import ordinal_alpha
from tercet.stats.control import bad_reference_test, paired_t

LEVEL = 0.05  # of the paired test between scores and their repeats


@verb(AgreementOptions)
def agreement(asked: AgreementOptions) -> Agreement:
    """Agreement between judges and of judges with themselves, from judgements or the file of some.

    Rankings give kappa (`inter`, `intra`) and Krippendorff's ordinal alpha, of the ranks of an output (`alpha`) and
    of better, tie and worse of two outputs (`alpha-pairs`). Assessments give his interval alpha of the scores of an
    output, with `by` also of every two judges or of groups, and how far scores differ from their repeats (`repeats`).
    `compat` has the pairs in the order of display, and pairs of labels by one judge in the inter-annotator figure;
    alpha does not change.
    """
    given = inputs.judged(asked)
    counted = _counted(given, asked)
    records = tuple(coefficient.record for coefficient in counted.coefficients)
    if asked.ci:
        segments = judged_segments(_known(given))
        records = with_intervals(counted.coefficients, segments, asked.samples, asked.seed)
    signed = signature("agreement", counted.facts, {"judgements": fingerprint(given)})
    notes, alone = counted.notes, counted.alone
    if alone and len(given.judges) > 1:
        told = f"{counted_noun(alone, 'judge')} of {len(given.judges)} judged nothing that another one judged as well."
        notes = (*notes, told)
    return Agreement(records, signed, notes, alone)


def _alone(n_judges: int, item: Ints, judge: Ints) -> int:
    """How many judges share no item with another one."""
    known = np.flatnonzero(judge != UNKNOWN)
    rows = known[_single(item[known], judge[known])]
    _, place, n_shared = np.unique(item[rows], return_inverse=True, return_counts=True)
    return n_judges - _n(judge[rows[n_shared[place] > 1]])


@dataclasses.dataclass(frozen=True, eq=False)
class CountedAgreement:
    """Coefficients, what a signature says of them, and notes on what was left out."""

    coefficients: tuple[Coefficient, ...]
    facts: Mapping[str, object]
    notes: tuple[str, ...]
    alone: int


def _counted(given: Judgements, asked: AgreementOptions) -> CountedAgreement:
    if isinstance(given, Rankings):
        require_no_weights(given, asked.weights)
        if asked.compat and len(given) and (given.judge == UNKNOWN).all():
            raise InputError(
                f"{given.file} does not say who judged, and compat counts on the order in which outputs were shown.",
                hint="Pairs that only say which is better have neither; give the rankings that they come from.",
            )
        return _of_rankings(given, asked)
    if asked.compat or asked.expand or asked.asked_for("on_skip") or not asked.references:
        raise InputError(
            f"{given.file} has no rankings, and compat, expand, on_skip and references are options for those.",
            hint="Leave them out.",
        )
    return _of_assessments(require_assessments(given), asked)


def _known(judgements: Judgements) -> Rankings | Assessments:
    return judgements if isinstance(judgements, Rankings) else require_assessments(judgements)


def _of_rankings(rankings: Rankings, asked: AgreementOptions) -> CountedAgreement:
    compat, expand, on_skip, references = asked.compat, asked.expand, asked.on_skip, asked.references
    strict = ranks(rankings, expand=expand, on_skip=on_skip, references=references)
    pairs = compare(strict)
    counted = pairs
    if compat:
        written = ranks(rankings, as_written=True, expand=expand, on_skip=on_skip, references=references)
        counted = compare(written, as_displayed=True)
    once = _single(strict.segment, strict.unit, strict.judge)
    first = _single(pairs.item, pairs.judge)
    mirrored = np.concatenate([pairs.item[first], pairs.item[first] + pairs.item.max(initial=0) + 1])
    labels = np.concatenate([pairs.label[first], MIRROR - pairs.label[first]])
    unit = groups(strict.segment[once], strict.unit[once])
    inter_intra = (
        (
            Coefficient(
                _kappa_record("inter", inter_counts(counted, same_judge=compat), counted),
                functools.partial(inter_sums, counted, same_judge=compat),
            ),
            Coefficient(_kappa_record("intra", *intra(counted)), functools.partial(intra_sums, counted)),
        )
        if asked.plain
        else kappas(
            ItemLabels(pairs.segment, pairs.item, pairs.judge, pairs.label, mirrored=True), rankings.judges, asked
        )
    )
    of_ranks, of_pairs = strict.rank[once], np.tile(pairs.segment[first], 2)
    coefficients = (
        *inter_intra,
        Coefficient(
            alpha_record("alpha", unit, strict.judge[once], krippendorff_alpha(unit, of_ranks, "ordinal")),
            functools.partial(ordinal_alpha, strict.segment[once], unit, of_ranks),
        ),
        # both directions of a pair, so that it does not matter which output is on the left
        Coefficient(
            alpha_record(
                "alpha-pairs", pairs.item[first], pairs.judge[first], krippendorff_alpha(mirrored, labels, "ordinal")
            ),
            functools.partial(ordinal_alpha, of_pairs, mirrored, labels),
        ),
    )
    notes = [*rankings.notes, *strict.notes, *pairs.notes, *notes_on_judges(rankings.judges, asked)]
    again = len(strict.unit) - len(once), len(pairs) - len(first)
    if any(again):
        notes.append(
            f"Alpha takes a judge's first judgement; {again[0]} later ranks and {again[1]} pairs were left out."
        )
    facts = {
        "recipe": "wmt15" if compat else "strict",
        "outputs": "expanded" if expand else "collapsed",
        "skipped": on_skip,
        "references": "kept" if references else "out",
        **_kappa_facts(asked),
    }
    alone = _alone(len(rankings.judges), pairs.item, pairs.judge)
    return CountedAgreement(coefficients, facts, tuple(notes), alone)


def _single(*columns: Ints) -> Ints:
    """The first of all rows that have the same columns."""
    return np.unique(groups(*columns), return_index=True)[1]


def _kappa_record(kind: str, counted: PairCounts, pairs: Comparisons) -> AgreementRecord:
    ties, total = pairs.counts()
    p_agree, p_expected, kappa = kappa_from_counts(*counted, ties, total)
    return AgreementRecord(
        kind, kappa, p_agree, p_expected, counted.comparable, counted.agree, ties, total, _n(pairs.judge), band(kappa)
    )


def _n(judge: Ints) -> int:
    return len(np.unique(judge[judge != UNKNOWN]))


def _kappa_facts(asked: AgreementOptions, by_alpha: bool = False) -> dict[str, object]:
    """What a signature says of kappa, or of alpha in its place, where it is not the usual one, and of its interval."""
    drawn: dict[str, object] = {"bs": asked.samples, "seed": asked.seed, "unit": "segment"} if asked.ci else {}
    if asked.plain:
        return drawn
    patterns = ",".join(f"{name}={pattern}" for name, pattern in (asked.groups or {}).items())
    kind = {"alpha": "interval"} if by_alpha else {"kappa": asked.kappa, "weighting": asked.weighting}
    facts = {**kind, "by": asked.by}
    return {**facts, **({"groups": patterns} if patterns else {}), **drawn}


def _labels(given: ScoredOutputs) -> ItemLabels:
    """Scores as labels: a judge's first score of each output."""
    mine = np.flatnonzero(given.kind == Kind.SYSTEM)
    first = mine[_single(given.output[mine], given.judge[mine])]
    return ItemLabels(given.segment[first], given.output[first], given.judge[first], given.score[first], mirrored=False)


def _of_assessments(assessments: Assessments, asked: AgreementOptions) -> CountedAgreement:
    if assessments.scales is not None:
        return _of_scales(assessments, asked)
    weights, by_alpha = asked.weights, asked.kappa == "wmt"  # which is of better, tie and worse; scores have alpha
    given = scored(assessments, weights)
    rows, mean = own_means(given)
    judged = JudgedOutputs(given.segment[rows], given.output[rows], given.judge[rows], mean)
    alone = _alone(len(assessments.judges), judged.output, judged.judge)
    passing, failed = (given, [CHECKED]) if checked(assessments) else _passing(given)
    repeats = control_pairs(passing, Kind.REPEAT)
    n_repeats = int((passing.kind == Kind.REPEAT).sum())
    same_again = Coefficient(_repeats_record(n_repeats, *repeats))
    notes = [*assessments.notes, *given.notes, *failed, *_repeat_notes(n_repeats, repeats[0])]
    notes += notes_on_judges(assessments.judges, asked, "alpha" if by_alpha else "kappa")
    if assessments.n is not None and (n_means := int((assessments.n > 1).sum())):
        notes.append(f"{n_means} rows are means of several judgements and count as one.")
    facts = {**scores_used(assessments, weights), **_kappa_facts(asked, by_alpha)}
    if by_alpha:
        return CountedAgreement((*alphas(judged, assessments.judges, asked), same_again), facts, tuple(notes), alone)
    # repeats have a record of their own
    inter = (c for c in kappas(_labels(given), assessments.judges, asked) if c.record.kind == "inter")
    return CountedAgreement((*inter, alpha(judged), same_again), facts, tuple(notes), alone)


def _of_scales(assessments: Assessments, asked: AgreementOptions) -> CountedAgreement:
    """Agreement on each scale by itself, such as adequacy and fluency."""
    parts = {scale: _of_assessments(assessments.on_scale(scale), asked) for scale in assessments.scales or ()}
    coefficients = tuple(c.replace(scale=scale) for scale, part in parts.items() for c in part.coefficients)
    notes = dict.fromkeys(note for part in parts.values() for note in part.notes)
    first = next(iter(parts.values()))
    return CountedAgreement(coefficients, first.facts, tuple(notes), min(part.alone for part in parts.values()))


def _passing(given: ScoredOutputs) -> tuple[ScoredOutputs, list[str]]:
    """The scores of judges who rate degraded outputs lower, if there are some, and a note on the repeats of others."""
    whose, original, bad = control_pairs(given, Kind.BAD_REFERENCE)
    failed = [
        j
        for j in np.unique(whose).tolist()
        if not bad_reference_test(original[whose == j], bad[whose == j]).p_ranksum < LEVEL
    ]
    keep = ~np.isin(given.judge, failed)
    columns = ("judge", "kind", "segment", "output", "sitting", "score", "row")
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
