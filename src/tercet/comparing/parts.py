"""Parts of the test set in which a system does worse, or better, than elsewhere.

The test asks whether segment differences inside a part rank like those outside it: their ranks are dealt to the
segments anew and at random, so that the test holds its level however differences are distributed, even if most are 0.
Ranks and not means, since one wrong word costs a short segment more than a long one. A part is measured by its own
spread where that is larger, so that the level also holds where systems differ more, to either side, in one part than in
another. All parts of one way of cutting, of all systems, are tested by the largest z among them (Westfall and Young
1993, max T), and p-values are multiplied by the number of ways of cutting (Bonferroni) and of kinds of findings. A part
is told of only if the system differs in it at all, by the interval of its bucket.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tercet.comparing.kinds import among_kinds
from tercet.comparing.scores import Scored
from tercet.data import Array, Bucket, Bucketing, Ints
from tercet.numbers import ALPHA
from tercet.stats.ranks import mean_ranks
from tercet.stats.rounding import ROUNDING, signs

ENOUGH = 10  # segments inside, and outside
CHANGED = 10  # segments inside that have a difference at all
DRAWS = 1999
_CELLS = 1 << 20  # ranks that are held at once


@dataclasses.dataclass(frozen=True, eq=False)
class Part:
    """A part that is not like the rest, by the places of its bucket and its system; a `gain` above 0 is good."""

    cut: Bucketing
    place: int
    system: int
    gain: float
    z: float
    p: float


def unlike_parts(bucketings: Sequence[Bucketing], first: Scored, base: int, seed: int) -> Iterator[Part]:
    """Of each way of cutting and each system the part where it is worst, and that where it is best, where sure."""
    sign = 1 if first.metric.higher_is_better else -1
    gaps, scale = first.segments - first.segments[base], np.abs(first.segments) + np.abs(first.segments[base])
    gains = np.where(np.abs(signs(gaps, scale)) > 0, sign * gaps, 0.0)  # what has no score wins and loses nothing
    overall = sign * first.tests.difference[:, base]
    others = [i for i in range(len(gains)) if i != base]
    cuts = [cut for cut in bucketings if cut.unit == "segment" and cut.kind != "score"]
    tested = part_tests([cut.members for cut in cuts], gains[others], seed)
    for cut, (places, z, p) in zip(cuts, tested, strict=True):
        p = among_kinds(p * len(cuts))
        for row, i in enumerate(others):
            parts = [
                Part(cut, int(place), i, sign * float(cut.buckets[place].difference[0, i]), *figures)
                for place, *figures in zip(places, z[row].tolist(), p[row].tolist(), strict=True)
                if (gains[i][cut.members == place] != 0).sum() >= CHANGED
            ]
            sure = [part for part in parts if part.p < ALPHA and _differs(cut.buckets[part.place], i)]
            worse = [part for part in sure if part.z < 0 and part.gain < min(0, overall[i])]
            better = [part for part in sure if part.z > 0 and part.gain > max(0, overall[i])]
            yield from sorted(worse, key=lambda part: part.gain)[:1]
            yield from sorted(better, key=lambda part: -part.gain)[:1]


def part_tests(cuts: Sequence[Ints], gains: Array, seed: int) -> list[tuple[Ints, Array, Array]]:
    """For each cut, given as the part of each segment, the parts that are large enough, and their z and p.

    z and p are (systems, parts); p is corrected for the parts of the cut and for the systems.
    """
    ranks = _ranks(gains)
    n = ranks.shape[1]
    layouts = [_PartLayout.of(members) for members in cuts]
    observed = [layout.z(ranks[:, layout.order]) for layout in layouts]
    above = [np.ones(z.shape) for z in observed]
    rng = np.random.default_rng(seed)
    step = max(1, _CELLS // max(1, ranks.size))
    for start in range(0, DRAWS if any(len(layout.places) for layout in layouts) else 0, step):
        draws = np.tile(np.arange(n), (min(step, DRAWS - start), 1))
        dealt = np.take(ranks, rng.permuted(draws, axis=1, out=draws), axis=1)  # (systems, draws, segments)
        for layout, z, count in zip(layouts, observed, above, strict=True):
            if len(layout.places):
                largest = np.sort(np.abs(layout.z(dealt)).max(axis=(0, 2)))  # (draws,)
                count += len(largest) - np.searchsorted(largest, np.abs(z) - ROUNDING)
    return [(layout.places, z, count / (DRAWS + 1)) for layout, z, count in zip(layouts, observed, above, strict=True)]


def _differs(bucket: Bucket, system: int) -> bool:
    """Whether the interval of the first measure leaves out 0, as the table of the part shows it."""
    return bool(bucket.low[0, system] > 0 or bucket.high[0, system] < 0)


def _ranks(gains: Array) -> Array:
    """(systems, segments): ranks from the middle one, of equals the mean."""
    ranks: Array = mean_ranks(gains) - (gains.shape[1] + 1) / 2
    return ranks


@dataclasses.dataclass(frozen=True, eq=False)
class _PartLayout:
    """Segments in the order of their parts, where the parts begin, and which of them are large enough."""

    order: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]
    sizes: Ints
    large: npt.NDArray[np.intp]
    places: Ints

    @classmethod
    def of(cls, members: Ints) -> _PartLayout:
        order = np.argsort(members, kind="stable")
        places, starts, sizes = np.unique(members[order], return_index=True, return_counts=True)
        large = np.flatnonzero((places >= 0) & (sizes >= ENOUGH) & (len(members) - sizes >= ENOUGH))
        return cls(order, starts, sizes[large], large, places[large])

    def z(self, ranks: Array) -> Array:
        """(..., parts): the mean rank inside less that outside, over the standard error of this."""
        n, inside = ranks.shape[-1], self.sizes
        outside = n - inside
        sums, squares = (np.add.reduceat(values, self.starts, axis=-1)[..., self.large] for values in (ranks, ranks**2))
        all_squares = (ranks**2).sum(axis=-1, keepdims=True)  # and their sum is 0
        pooled = all_squares / max(1, n - 1)
        error = np.maximum(pooled, _variance(sums, squares, inside)) / inside
        error += np.maximum(pooled, _variance(-sums, all_squares - squares, outside)) / outside
        gap: Array = sums / inside + sums / outside
        z: Array = np.divide(gap, np.sqrt(error), out=np.zeros_like(gap), where=error > 0)
        return z


def _variance(sums: Array, squares: Array, n: Ints) -> Array:
    variance: Array = (squares - sums**2 / n) / (n - 1)
    return variance
