"""The word error rates of the Moses scorer: WER, CDER, PER, and the two TERs over several references."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.ngrams import Words
from tests.oracles.ter import ter_edits
from tests.oracles.tercpp import tercpp_edits


def distance(hyp: Words, ref: Words, jumps: bool) -> int:
    """Edits that turn the hypothesis into the reference; with jumps (CDER) it may be left and entered anywhere.

    A jump costs one, follows any reference word, and the last word of the hypothesis must be reached.
    """
    row = [min(i, 1) if jumps else i for i in range(len(hyp) + 1)]
    for word in ref:
        new = [row[0] + 1]
        for i, own in enumerate(hyp):
            new.append(min(new[i] + 1, row[i + 1] + 1, row[i] + (own != word)))
        row = [min(value, min(new) + 1) for value in new] if jumps else new
    return row[-1]


def edits(hyp: Words, refs: Sequence[Words], jumps: bool, best: bool) -> list[float]:
    """[edits, reference length]: of the reference with the lowest rate, or of the one that Moses takes."""
    pairs = [(distance(hyp, ref, jumps), len(ref)) for ref in refs]

    def score(pair: tuple[int, int]) -> Fraction | int:
        exact = 1 - Fraction(*pair) if pair[1] else Fraction(1)
        return exact if best else math.trunc(exact)  # Moses compares whole numbers

    return [float(value) for value in max(pairs, key=score)]


def per(hyp: Words, refs: Sequence[Words]) -> list[float]:
    """[words in common, hypothesis length, reference length] of the reference with the lowest error.

    Against an empty reference the error is 1.
    """
    rows = [((Counter(hyp) & Counter(ref)).total(), len(hyp), len(ref)) for ref in refs]

    def error(row: tuple[int, int, int]) -> Fraction:
        common, ours, theirs = row
        return Fraction(max(ours, theirs) - common, theirs) if theirs else Fraction(1)

    return [float(value) for value in min(rows, key=error)]


def ter(hyp: Words, refs: Sequence[Words]) -> list[float]:
    """[fewest edits, mean reference length], as sacreBLEU."""
    fewest = min(ter_edits(list(hyp), list(ref)) for ref in refs)
    return [fewest, sum(len(ref) for ref in refs) / len(refs)]


def moses_ter(hyp: Words, refs: Sequence[Words]) -> list[float]:
    """[fewest edits, mean reference length], both times 100 and cut to whole numbers, as Moses.

    An empty text is one empty word. Without any reference word the last reference counts as long as the one
    before had no edits.
    """
    words = sum(len(ref) for ref in refs)
    kept: int | None = None
    for ref in refs:
        found = tercpp_edits(list(ref) or [""], list(hyp) or [""])
        if kept is None or found < kept or (kept == 0 and words == 0):
            kept = found
    return [100.0 * (kept or 0), float(100 * words // len(refs))]
