"""METEOR's first matcher (Banerjee and Lavie 2005): stage by stage, and what an earlier stage has matched stays.

Within a stage the words of the hypothesis are taken from left to right. Each goes to a word of the reference that is
still free: the one whose match crosses the fewest others, and of those the one whose place is most alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tercet import kernels
from tercet.data import Ints
from tercet.metrics.meteor.gapped import rows
from tercet.metrics.meteor.matching import Given, Knowledge
from tercet.text.base import Tokens, pack

Keys = Mapping[str, frozenset[object]]  # what a word is known by in a stage: two that share one match


def matches(hyps: Tokens, refs: Tokens, groups: Ints, knowledge: Knowledge, threads: int) -> Given:
    """The matches of every reference, each of one word with one word."""
    hyp_rows, ref_rows = rows(hyps), rows(refs)
    words = list(dict.fromkeys(word for row in (*hyp_rows, *ref_rows) for word in row))
    stages = [_keys(stage, words, knowledge, threads) for stage in knowledge.stages]
    starts, places = [0], []
    for hyp, first, end in zip(hyp_rows, groups[:-1].tolist(), groups[1:].tolist(), strict=True):
        for ref in ref_rows[first:end]:
            places += [(there, 1, here, 1) for here, there in sorted(pairs(hyp, ref, stages), key=lambda p: p[1])]
            starts.append(len(places))
    return np.array(starts, dtype=np.int64), np.array(places, dtype=np.int32).reshape(-1, 4)


def pairs(hyp: Sequence[str], ref: Sequence[str], stages: Sequence[Keys]) -> list[tuple[int, int]]:
    """Places of words that are matched, in hypothesis and reference, in the order in which they were found.

    >>> same = {word: frozenset({word}) for word in "a b c".split()}
    >>> pairs("a b a".split(), "b a c a".split(), [same])
    [(0, 1), (1, 0), (2, 3)]
    """
    chosen: list[tuple[int, int]] = []
    free_hyp, free_ref = dict.fromkeys(range(len(hyp))), dict.fromkeys(range(len(ref)))
    for keys in stages:
        known: dict[object, list[int]] = defaultdict(list)
        for there in free_ref:
            for key in keys[ref[there]]:
                known[key].append(there)
        for here in list(free_hyp):
            likely = {there for key in keys[hyp[here]] for there in known.get(key, ()) if there in free_ref}
            if not likely:
                continue
            there = min(
                likely, key=lambda place: (_crossed(here, place, chosen), abs(_apart(here, place, hyp, ref)), place)
            )
            chosen.append((here, there))
            del free_hyp[here], free_ref[there]
    return chosen


def _crossed(here: int, there: int, chosen: Sequence[tuple[int, int]]) -> int:
    return sum((h - here) * (r - there) < 0 for h, r in chosen)


def _apart(here: int, there: int, hyp: Sequence[str], ref: Sequence[str]) -> int:
    """How far apart two places lie, relative to the lengths; without fractions."""
    return here * len(ref) - there * len(hyp)


def _keys(stage: str, words: Sequence[str], knowledge: Knowledge, threads: int) -> Keys:
    known = _known(stage, words, knowledge, threads)
    return {word: frozenset(keys) for word, keys in zip(words, known, strict=True)}


def _known(stage: str, words: Sequence[str], knowledge: Knowledge, threads: int) -> Iterator[tuple[object, ...]]:
    if stage == "synonym" and knowledge.synonyms is not None:
        yield from map(knowledge.synonyms.ids, words)
        return
    if stage == "stem" and knowledge.stemmer is not None:
        words = kernels.unpack(kernels.stem(pack(words), knowledge.stemmer, threads))
    for word in words:
        yield (word,)
