"""What was found as sentences, the surest first.

Every finding is a sign test over segments against the baseline (or, of buckets, the permutation test of `parts`), whose
p-value is corrected for all that is looked for (`kinds`), and its strength the z of that test, so that kinds can be
ordered among each other. Faults that anyone can see come
before n-grams and words, which often are the same thing told by its parts; then what needs no test to be worth a look.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tercet.comparing.kinds import among_kinds
from tercet.comparing.parts import unlike_parts
from tercet.comparing.scores import Scored
from tercet.comparing.words import Words
from tercet.data import (
    Array,
    Bucketing,
    Check,
    Finding,
    Ints,
    NgramDifference,
    SystemLength,
    TestSet,
    WordDifference,
)
from tercet.numbers import ALPHA, difference, p_told, score
from tercet.stats.classical import sign_test
from tercet.stats.correction import holm

MOST_ROWS = 200
NAMED = 5  # n-grams or words in a sentence
_LOST = ("empty", "copy", "language")  # nothing is left of such an output
_LOUD = (*_LOST, "script")  # worth a look even if the baseline does the same

_SAID: Mapping[str, str] = {
    "empty": "{s} has {a} empty {outputs}, {b} {n}",
    "numbers": "{s} loses {a} of {of} numbers, {b} {n}",
    "names": "{s} loses {a} of {of} names, {b} {n}",
    "case": "{s} writes {a} of {of} names in another case, {b} {n}",
    "ending": "{a} {outputs} of {s} end without the mark that ends the sentence, {n} of {b}",
    "script": "{s} has {a} {words} in a script that the references do not use, {b} {n}",
    "short": "{a} {outputs} of {s} are much shorter than the reference, {n} of {b}",
    "long": "{a} {outputs} of {s} are much longer than the reference, {n} of {b}",
    "repetition": "{s} repeats {a} {words} right away, {b} {n}",
    "copy": "{a} {outputs} of {s} are copies of the source, {n} of {b}",
    "untranslated": "{s} leaves {a} {words} of the source as they are, {b} {n}",
    "language": "{a} {outputs} of {s} look like the source's language, {n} of {b}",
}


def findings(
    testset: TestSet,
    baseline: str,
    first: Scored,
    words: Words,
    lengths: Sequence[SystemLength],
    bucketings: Sequence[Bucketing],
    checks: Sequence[Check],
    ngrams: Sequence[NgramDifference],
    said: Sequence[WordDifference],
    seed: int,
) -> tuple[Finding, ...]:
    """All findings: of faults, lengths and parts, then of n-grams and words, then faults that need no comparison."""
    systems = list(testset.systems)
    seen = [
        *_of_checks(checks, systems, baseline, words),
        *_of_lengths(lengths, words, systems, baseline),
        *_of_buckets(bucketings, first, systems, baseline, seed, words.unit),
    ]
    parts = [*_of_ngrams(ngrams), *_of_words(said, baseline, systems)]
    loud = _loud(checks, systems, baseline, {(f.kind, f.system) for f in seen})
    return tuple(_shortened(finding) for part in (seen, parts, loud) for finding in _ordered(list(part)))


def _shortened(finding: Finding) -> Finding:
    """With the first rows and the count of all, which n-grams and words do not know: theirs are first rows already."""
    n_rows = None if finding.kind in ("ngrams", "words") else len(finding.rows)
    return dataclasses.replace(finding, rows=finding.rows[:MOST_ROWS], n_rows=n_rows)


def _ordered(findings: list[Finding]) -> list[Finding]:
    """The surest of each kind first, then the next of each, so that many systems do not say one thing many times.

    An output of which nothing is left counts twice what is lost in a part of one.
    """

    def weight(finding: Finding) -> tuple[float, str, str]:
        return (-finding.strength * (2 if finding.kind in _LOST else 1), finding.kind, finding.system)

    findings.sort(key=weight)
    kinds: Counter[str] = Counter()
    places = []
    for finding in findings:
        places.append(kinds[finding.kind])
        kinds[finding.kind] += 1
    return [findings[i] for i in sorted(range(len(findings)), key=places.__getitem__)]


def z_of(more: float, fewer: float) -> float:
    """The normal score of a sign test.

    >>> z_of(9, 0)
    3.0
    """
    return abs(more - fewer) / math.sqrt(more + fewer) if more + fewer else 0.0


def _of_checks(checks: Sequence[Check], systems: list[str], baseline: str, words: Words) -> Iterator[Finding]:
    base = systems.index(baseline)
    for check in checks:
        for i, system in enumerate(systems):
            if i == base or not check.p[i] < ALPHA:
                continue
            gains = check.counts[i] - check.counts[base]
            more, fewer = int((gains > 0).sum()), int((gains < 0).sum())
            worse = more > fewer
            rows = _largest(gains if worse else -gains)
            mine, theirs = int(check.counts[i].sum()), int(check.counts[base].sum())
            sentence = _said(check, system, baseline, mine, theirs) + _where(check.kind, rows, words)
            yield Finding(
                kind=check.kind,
                system=system,
                baseline=baseline,
                sentence=f"{sentence} ({p_told(float(check.p[i]))}).",
                good=not worse,
                p_value=float(check.p[i]),
                strength=z_of(more, fewer),
                numbers={
                    "system": mine,
                    "baseline": theirs,
                    "possible": check.most()[i],
                    "segments_more": more,
                    "segments_fewer": fewer,
                },
                rows=rows,
            )


def _said(check: Check, system: str, baseline: str, mine: int, theirs: int) -> str:
    return _SAID[check.kind].format(
        s=system,
        b=baseline,
        a=mine,
        n=theirs,
        of=check.most()[0],  # said only of what is the same for all systems
        outputs="output" if mine == 1 else "outputs",
        words=check.unit if mine == 1 else f"{check.unit}s",
    )


def _where(kind: str, rows: Sequence[int], words: Words) -> str:
    """Whether it is long sentences that are concerned."""
    lengths = words.reference.lengths
    if kind not in ("short", "ending") or not rows or np.median(lengths[list(rows)]) < 1.5 * np.median(lengths):
        return ""
    return ", mostly in long sentences"


def _largest(gains: Array | Ints) -> tuple[int, ...]:
    order = np.argsort(-gains, kind="stable")
    return tuple(int(i) for i in order if gains[i] > 0)


def _of_lengths(lengths: Sequence[SystemLength], words: Words, systems: list[str], baseline: str) -> Iterator[Finding]:
    """Whose outputs are nearer to the reference's length."""
    base = systems.index(baseline)
    off = np.abs(np.stack([words.systems[name].lengths for name in systems]) - words.reference.lengths)
    nearer, further = (off < off[base]).sum(axis=1), (off > off[base]).sum(axis=1)
    others = [i for i in range(len(systems)) if i != base]
    corrected = among_kinds(holm(sign_test(nearer[others], further[others])))
    for i, p in zip(others, corrected.tolist(), strict=True):
        if p < ALPHA:
            system, mine, theirs = systems[i], lengths[i].ratio, lengths[base].ratio
            good = bool(nearer[i] > further[i])
            counts = (nearer[i], further[i]) if good else (further[i], nearer[i])
            ways = ("nearer to", "further from") if good else ("further from", "nearer to")
            yield Finding(
                kind="length",
                system=system,
                baseline=baseline,
                sentence=f"{counts[0]} outputs of {system} are {ways[0]} the reference's length than {baseline}'s, "
                f"{counts[1]} {ways[1]} it: {score(100 * mine, 1)} {words.unit}s for 100 of the reference, against "
                f"{score(100 * theirs, 1)} ({p_told(p)}).",
                good=good,
                p_value=p,
                strength=z_of(int(nearer[i]), int(further[i])),
                numbers={"system": mine, "baseline": theirs, "nearer": int(nearer[i]), "further": int(further[i])},
                rows=_largest(off[base] - off[i] if good else off[i] - off[base]),
            )


def _of_buckets(
    bucketings: Sequence[Bucketing], first: Scored, systems: list[str], baseline: str, seed: int, counted: str
) -> Iterator[Finding]:
    """Parts in which a system is worse than over all, or better, by the first metric."""
    base, digits = systems.index(baseline), first.metric.digits
    sign = 1 if first.metric.higher_is_better else -1
    for part in unlike_parts(bucketings, first, base, seed):
        bucket, system = part.cut.buckets[part.place], systems[part.system]
        here, whole = sign * part.gain, float(first.tests.difference[part.system, base])
        what = {
            "length": f"where the reference has {bucket.label} {counted}s",
            "document": f"in document {bucket.label}",
        }
        where = what.get(part.cut.kind, f"where {part.cut.title} is {bucket.label}")
        good = part.gain > 0
        rows = np.flatnonzero(part.cut.members == part.place)
        gains = sign * (first.segments[part.system] - first.segments[base])[rows]
        yield Finding(
            kind="bucket",
            system=system,
            baseline=baseline,
            sentence=f"{system} is {'better' if good else 'worse'} than {baseline} {where}, more than elsewhere: "
            f"{difference(here, digits)} {first.metric}, and {difference(whole, digits)} over all ({p_told(part.p)}).",
            good=good,
            p_value=part.p,
            strength=abs(part.z),
            numbers={"difference": here, "overall": whole, "segments": bucket.n},
            rows=tuple(rows[np.argsort(-gains if good else gains, kind="stable")].tolist()),
        )


def _of_ngrams(ngrams: Sequence[NgramDifference]) -> Iterator[Finding]:
    groups: dict[tuple[str, str, bool], list[NgramDifference]] = {}
    for candidate in ngrams:
        if candidate.p_value < ALPHA:
            groups.setdefault(
                (candidate.system, candidate.kind, candidate.segments_for > candidate.segments_against), []
            ).append(candidate)
    for (system, kind, more), differences in groups.items():
        baseline = differences[0].baseline
        listed = ", ".join(f"“{n.ngram}” ({n.system_count} : {n.baseline_count})" for n in differences[:NAMED])
        verb = {
            ("matched", True): f"{system} gets what {baseline} misses",
            ("matched", False): f"{system} misses what {baseline} gets",
            ("spurious", True): f"{system} says what no reference has, and {baseline} less often",
            ("spurious", False): f"{baseline} says what no reference has, and {system} less often",
        }[kind, more]
        yield Finding(
            kind="ngrams",
            system=system,
            baseline=baseline,
            sentence=f"{verb}: {listed} ({p_told(differences[0].p_value)}).",
            good=(kind == "matched") == more,
            p_value=differences[0].p_value,
            strength=z_of(differences[0].segments_for, differences[0].segments_against),
            numbers={"ngrams": len(differences)},
            rows=_of_any(differences[:NAMED]),
            words=tuple(n.ngram for n in differences[:NAMED]),
        )


def _of_any(differences: Sequence[NgramDifference | WordDifference]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(row for entry in differences for row in entry.rows))


def _of_words(said: Sequence[WordDifference], baseline: str, systems: list[str]) -> Iterator[Finding]:
    """Words that a system says unlike the baseline and unlike the reference, which the baseline is nearer to."""
    for system in systems:
        for kind in ("over", "under"):
            differences = [
                w
                for w in said
                if w.system == system != baseline
                and w.kind == kind
                and max(w.p_value, w.p_baseline) < ALPHA
                and _further(w)
            ]
            if not differences:
                continue
            differences.sort(key=lambda w: w.p_baseline)
            listed = ", ".join(
                f"“{w.word}” ({w.system_count} for {w.reference_count}, {baseline} {w.baseline_count})"
                for w in differences[:NAMED]
            )
            yield Finding(
                kind="words",
                system=system,
                baseline=baseline,
                sentence=f"{system} says too {'often' if kind == 'over' else 'rarely'}, by the reference: {listed} "
                f"({p_told(differences[0].p_baseline)} against {baseline}).",
                good=False,
                p_value=differences[0].p_baseline,
                strength=z_of(differences[0].system_count, differences[0].baseline_count),
                numbers={"words": len(differences)},
                rows=_of_any(differences[:NAMED]),
                words=tuple(w.word for w in differences[:NAMED]),
            )


def _further(word: WordDifference) -> bool:
    """Whether it is half as far again from the reference as the baseline, to the side that was told."""
    gap, sign = word.system_count - word.reference_count, 1 if word.kind == "over" else -1
    beyond = sign * (word.system_count - word.baseline_count) > 0
    return beyond and sign * gap > 1.5 * abs(word.baseline_count - word.reference_count)


def _loud(checks: Sequence[Check], systems: list[str], baseline: str, told: set[tuple[str, str]]) -> Iterator[Finding]:
    """Faults that need no comparison."""
    for check in checks:
        for i, system in enumerate(systems):
            mine = int(check.counts[i].sum())
            if check.kind in _LOUD and mine and (check.kind, system) not in told:
                n = int((check.counts[i] > 0).sum())
                where = f"{n} {'segment' if n == 1 else 'segments'}" + (f", {mine} in all" if mine != n else "")
                noun = {"empty": "empty outputs", "copy": "copies of the source"}.get(check.kind, check.title.lower())
                yield Finding(
                    kind=check.kind,
                    system=system,
                    baseline=baseline,
                    sentence=f"{system}: {noun} ({where}).",
                    good=None,
                    p_value=float("nan"),
                    strength=0.0,
                    numbers={"system": mine},
                    rows=check.rows(i),
                )
