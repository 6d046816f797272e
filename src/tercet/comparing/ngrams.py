"""n-grams of words that one system gets and the other misses, and words said too often or too rarely.

Each n-gram is tested by the sign test over segments: in how many does the system have more of it than the baseline, in
how many fewer? So a phrase that is repeated in one odd segment does not count as many. p-values are corrected by
Benjamini and Hochberg over the n-grams of all systems that could have come out significant at all, and for the kinds of
findings. An n-gram whose longer neighbour tells the same is left out. Words are tested against the reference, and
against the baseline as n-grams are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from tercet.comparing.kinds import among_kinds
from tercet.comparing.words import Bools, Column, Words
from tercet.data import Array, Ints, NgramDifference, WordDifference
from tercet.stats.classical import sign_test
from tercet.stats.correction import benjamini_hochberg

ORDERS = (1, 2, 3, 4)
KEPT = 25  # of a kind, system and direction
MOST_ROWS = 50
TESTABLE = 8  # segments that differ, fewer of which cannot reach p < .05 beside the other kinds of findings


@dataclasses.dataclass(frozen=True, eq=False)
class _Orders:
    """The n-grams of one order in all columns: words of n-gram g are `first[g] .. first[g] + order` of `ids`."""

    order: int
    size: int
    systems: list[Column]
    references: list[Column]
    first: Ints  # (n-grams,): where one of them stands
    ids: Ints  # the words of all columns, end to end

    def text(self, ngram: int, words: Words) -> str:
        """An n-gram as it is shown."""
        start = int(self.first[ngram])
        return " ".join(words.vocabulary[i] for i in self.ids[start : start + self.order])


@dataclasses.dataclass(frozen=True, eq=False)
class _Tested:
    """What is known of each n-gram of one order, for one system against another column."""

    ngrams: Ints
    mine: Ints
    theirs: Ints
    more: Ints  # segments with more of it in the system
    fewer: Ints
    keys: Ints  # segment * size + n-gram, where the two differ
    gains: Ints

    def rows(self, ngram: int, size: int, sign: int) -> tuple[int, ...]:
        """Segments in which the system has more (or fewer) of an n-gram."""
        chosen = self.keys[(self.keys % size == ngram) & (self.gains * sign > 0)]
        return tuple((chosen // size)[:MOST_ROWS].tolist())


def orders(words: Words) -> Iterator[_Orders]:
    """The n-grams of every order, numbered over all columns."""
    columns = words.columns
    ids = np.concatenate([c.ids for c in columns])
    n = columns[0].n_segments
    segment = np.concatenate([c.segment + i * n for i, c in enumerate(columns)])
    owner = np.repeat(np.arange(len(columns)), [len(c.ids) for c in columns])
    current, places = ids, np.arange(len(ids))
    for order in ORDERS:
        if order > 1:
            # an n-gram is one of the order below and the word behind it, in the same text
            fits = places + order - 1 < len(ids)
            fits[fits] = segment[places[fits] + order - 1] == segment[places[fits]]
            places = places[fits]
            current = current[fits] * len(words) + ids[places + order - 1]
        _, first, current = np.unique(current, return_index=True, return_inverse=True)
        parts = [
            Column(current[mine], segment[places[mine]] - i * n, n)
            for i, mine in enumerate(owner[places] == i for i in range(len(columns)))
        ]
        split = len(words.systems)
        yield _Orders(order, max(1, len(first)), parts[:split], parts[split:], places[first], ids)


def ngram_differences(words: Words, baseline: str) -> list[NgramDifference]:
    """Of every system against the baseline the n-grams that differ most surely, of all orders together."""
    names = list(words.systems)
    base = names.index(baseline)
    differences: list[NgramDifference] = []
    every: list[Array] = []
    tables = [(ngrams, _matched_counts(ngrams)) for ngrams in orders(words)]
    kinds: tuple[Literal["matched", "spurious"], ...] = ("matched", "spurious")
    for system in names:
        if system == baseline:
            continue
        s = names.index(system)
        for kind in kinds:
            tested = [
                (ngrams, _compared(counts[kind][s], counts[kind][base], ngrams.size)) for ngrams, counts in tables
            ]
            totals = [counts["reference"] for _, counts in tables]
            p, odds = _p_and_odds([counts for _, counts in tested])
            every.append(p)
            differences += _chosen(kind, system, baseline, tested, p, odds, totals, words)
    corrected = _corrected([d.p_value for d in differences], every)
    return [dataclasses.replace(d, p_value=p) for d, p in zip(differences, corrected, strict=True)]


def _corrected(p: Sequence[float], every: Sequence[Array]) -> list[float]:
    """p-values, corrected for `every` test, theirs among them, and for the kinds of findings; 1 for what has none."""
    tested = np.sort(np.concatenate([*every, [np.nan]]))  # what has none stands last
    shared = np.nan_to_num(among_kinds(benjamini_hochberg(tested)), nan=1.0)
    corrected: list[float] = shared[np.searchsorted(tested, np.asarray(p, dtype=np.float64))].tolist()
    return corrected


def _matched_counts(ngrams: _Orders) -> dict[str, list[tuple[Ints, Ints]]]:
    """For every system keys and counts of what is matched in a reference, and of what is beyond all of them."""
    counted = [column.counted(ngrams.size) for column in ngrams.references]
    keys, counts = _most(counted)
    matched, spurious = [], []
    for column in ngrams.systems:
        said, n = column.counted(ngrams.size)
        hits = np.minimum(n, _lookup(said, keys, counts))
        matched.append((said[hits > 0], hits[hits > 0]))
        spurious.append((said[n > hits], (n - hits)[n > hits]))
    return {"matched": matched, "spurious": spurious, "reference": [(keys, counts)]}


def _most(counted: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    """The largest count of each key over several references, as BLEU clips."""
    if len(counted) == 1:
        return counted[0]
    keys, inverse = np.unique(np.concatenate([k for k, _ in counted]), return_inverse=True)
    most = np.zeros(len(keys), dtype=np.int64)
    np.maximum.at(most, inverse, np.concatenate([c for _, c in counted]))
    return keys, most


def _lookup(wanted: Ints, keys: Ints, values: Ints) -> Ints:
    """The values of keys, 0 where there is none."""
    if not len(keys):
        return np.zeros(len(wanted), dtype=np.int64)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    held: Ints = np.where(keys[at] == wanted, values[at], 0)
    return held


def _compared(mine: tuple[Ints, Ints], theirs: tuple[Ints, Ints], size: int) -> _Tested:
    keys, inverse = np.unique(np.concatenate([mine[0], theirs[0]]), return_inverse=True)
    signed = np.concatenate([mine[1], -theirs[1]])
    gains = np.bincount(inverse, signed, minlength=len(keys)).astype(np.int64)
    differs = gains != 0
    ngram, gain = keys[differs] % size, gains[differs]
    ngrams, places = np.unique(ngram, return_inverse=True)
    n = len(ngrams)
    return _Tested(
        ngrams,
        _totals(mine, size, ngrams),
        _totals(theirs, size, ngrams),
        np.bincount(places, gain > 0, minlength=n).astype(np.int64),
        np.bincount(places, gain < 0, minlength=n).astype(np.int64),
        keys[differs],
        gain,
    )


def _totals(counted: tuple[Ints, Ints], size: int, ngrams: Ints) -> Ints:
    whole = np.bincount(counted[0] % size, counted[1], minlength=size).astype(np.int64)
    totals: Ints = whole[ngrams]
    return totals


def _chosen(
    kind: Literal["matched", "spurious"],
    system: str,
    baseline: str,
    tested: list[tuple[_Orders, _Tested]],
    p: Array,
    odds: Array,
    references: list[list[tuple[Ints, Ints]]],
    words: Words,
) -> list[NgramDifference]:
    """The surest of all orders, each way; their p-values are not yet corrected."""
    order = np.concatenate([np.full(len(t.ngrams), i) for i, (_, t) in enumerate(tested)])
    place = np.concatenate([np.arange(len(t.ngrams)) for _, t in tested])
    more, fewer = (np.concatenate([getattr(t, f) for _, t in tested]) for f in ("more", "fewer"))
    differences: list[NgramDifference] = []
    for sign in (1, -1):
        candidates = np.flatnonzero((more - fewer) * sign > 0)
        # of equally sure ones the longer first, so that what it contains can be left out
        ranked = candidates[np.lexsort([-order[candidates], -np.abs(odds[candidates]), p[candidates]])]
        kept: list[NgramDifference] = []
        for i in ranked[: 4 * KEPT]:
            ngrams, counts = tested[order[i]]
            at = int(place[i])
            ngram = int(counts.ngrams[at])
            text = ngrams.text(ngram, words)
            if any(_same(other, text, int(more[i]), int(fewer[i])) for other in kept):
                continue
            total = _totals(references[order[i]][0], ngrams.size, counts.ngrams[at : at + 1])
            kept.append(
                NgramDifference(
                    kind=kind,
                    system=system,
                    baseline=baseline,
                    ngram=text,
                    order=ngrams.order,
                    system_count=int(counts.mine[at]),
                    baseline_count=int(counts.theirs[at]),
                    reference_count=int(total[0]),
                    segments_for=int(more[i]),
                    segments_against=int(fewer[i]),
                    log_odds=float(odds[i]),
                    p_value=float(p[i]),
                    rows=counts.rows(ngram, ngrams.size, sign),
                )
            )
            if len(kept) == KEPT:
                break
        differences += kept
    return differences


def _same(other: NgramDifference, text: str, more: int, fewer: int) -> bool:
    inside = f" {text} " in f" {other.ngram} " or f" {other.ngram} " in f" {text} "
    return inside and (other.segments_for, other.segments_against) == (more, fewer)


def _p_and_odds(tested: list[_Tested]) -> tuple[Array, Array]:
    """p-values of those that can be tested (NaN of others), and log odds with half a count added."""
    more, fewer, mine, theirs = (
        np.concatenate([getattr(t, f) for t in tested]) for f in ("more", "fewer", "mine", "theirs")
    )
    p = np.full(len(more), np.nan)
    testable: Bools = more + fewer >= TESTABLE
    if testable.any():
        p[testable] = sign_test(more[testable], fewer[testable])
    return p, np.log((mine + 0.5) / (theirs + 0.5))


def word_differences(words: Words, baseline: str) -> list[WordDifference]:
    """Words that each system says more or less often than the first reference, most surely so first.

    Whether it says them more or less often than the baseline is a test of its own.
    """
    size = len(words) or 1
    proper = words.is_word
    reference = words.reference.keep(proper[words.reference.ids]).counted(size)
    counted = {name: c.keep(proper[c.ids]).counted(size) for name, c in words.systems.items()}
    by_baseline = np.bincount(counted[baseline][0] % size, counted[baseline][1], minlength=size)
    differences: list[WordDifference] = []
    every: list[Array] = []
    for name, counts in counted.items():
        tested, beside = (_compared(counts, other, size) for other in (reference, counted[baseline]))
        raw, odds = _p_and_odds([tested])
        p = np.nan_to_num(benjamini_hochberg(raw), nan=1.0)
        unlike = np.full(size, np.nan)
        unlike[beside.ngrams] = _p_and_odds([beside])[0]
        every.append(unlike)
        for sign in (1, -1):
            candidates = np.flatnonzero((tested.more - tested.fewer) * sign > 0)
            ranked = candidates[np.lexsort([-np.abs(odds[candidates]), p[candidates]])]
            for i in ranked[:KEPT]:
                word = int(tested.ngrams[i])
                differences.append(
                    WordDifference(
                        kind="over" if sign > 0 else "under",
                        system=name,
                        word=words.vocabulary[word],
                        system_count=int(tested.mine[i]),
                        reference_count=int(tested.theirs[i]),
                        baseline_count=int(by_baseline[word]),
                        log_odds=float(odds[i]),
                        p_value=float(p[i]),
                        p_baseline=float(unlike[word]),
                        rows=tested.rows(word, size, sign),
                    )
                )
    corrected = _corrected([d.p_baseline for d in differences], every)
    return [dataclasses.replace(d, p_baseline=p) for d, p in zip(differences, corrected, strict=True)]
