"""Bootstrap (Koehn 2004) and approximate randomisation (Riezler and Maxwell 2005) over additive statistics.

Rows of statistics are drawn or exchanged, summed and scored; no text is looked at again. The draws are those
of `numpy.random.default_rng(seed)`, in the order in which sacreBLEU 2.6 makes them, so that with `compat` its
intervals and p-values come out to the last digit: sums in 32 bits, strict comparisons, and a bootstrap that centres
differences without their sign, by which twice as many equal systems differ as should. Without `compat` sums are in 64
bits, tests are two-sided, and a tie, but for rounding, counts against significance, so that a system compared with
itself has p = 1.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.data import total
from tercet.engines import Engine
from tercet.limits import Budget
from tercet.numbers import counted
from tercet.stats.decision import p_values
from tercet.stats.rounding import reaches, signs

Array = npt.NDArray[np.float64]
ScoreFunction = Callable[[Array], Array]

_CHUNK_BYTES = 1 << 26
_EXACT_IN_32_BITS = 1 << 24
FEW = 20  # segments or documents
MANY = 100  # segments
_WHOLE_BITS = 32  # numpy draws booleans 32 at a time: chunks of so many rows leave the stream as it is


@dataclasses.dataclass(frozen=True)
class Interval:
    """Bounds of a 95 % interval, and mean and half width of the scores that gave it."""

    low: float
    high: float
    mean: float
    half_width: float


def interval(scores: Array) -> Interval:
    """The central 95 % of resampled scores: a fortieth of them is cut off at either end.

    >>> interval(np.arange(1000.0)).low
    25.0
    """
    ordered = np.sort(scores)
    cut = len(ordered) // 40
    low, high = ordered[cut], ordered[len(ordered) - cut - 1]
    return Interval(float(low), float(high), float(ordered.mean()), float(0.5 * (high - low)))


def expanded_interval(scores: Array, units: int) -> tuple[float, float]:
    """The same where few units were drawn, of which draws know too little: further out, by Student's t.

    This is the expanded percentile interval of Hesterberg (2015), What teachers should know about the bootstrap.

    >>> expanded_interval(np.arange(1000.0), 1000), expanded_interval(np.arange(1000.0), 10)
    ((24.0, 975.0), (8.0, 991.0))
    """
    from scipy.special import ndtr, ndtri

    ordered = np.sort(scores)
    cut = int(len(ordered) * ndtr(ndtri(0.025) * few_units(units)))
    return float(ordered[cut]), float(ordered[len(ordered) - cut - 1])


def interval_of_drawn(scores: Array, unit: str, units: int) -> tuple[float, float]:
    """The interval of scores for which segments or documents were drawn, stretched if these are few."""
    if _are_few(unit, units):
        return expanded_interval(scores, units)
    spread = interval(scores)
    return spread.low, spread.high


def stretch(unit: str, units: int) -> float:
    """By how much what chance does to drawn segments or documents is stretched.

    >>> stretch("segment", 1000), round(stretch("segment", 20), 3), round(stretch("document", 1000), 4)
    (1.0, 1.096, 1.0017)
    """
    return few_units(units) if _are_few(unit, units) else 1.0


def _are_few(unit: str, units: int) -> bool:
    """Whether they know little of how far others would lie apart: documents, and segments below a hundred."""
    return unit == "document" or (unit == "segment" and units < MANY)


def few_drawn(what: str, units: int, unit: str) -> tuple[str, ...]:
    """A note where so few segments or documents were drawn that they do not tell how far they vary.

    >>> few_drawn("Ranges", 5, "segment"), few_drawn("Ranges", 20, "segment")
    (('Ranges were drawn from 5 segments; from fewer than 20 they are too narrow.',), ())
    """
    if units >= FEW:
        return ()
    return (f"{what} were drawn from {counted(units, unit)}; from fewer than {FEW} they are too narrow.",)


def few_units(units: int) -> float:
    """By how much what is drawn from few units must be stretched, at 5 %: Student's t in place of the normal law.

    >>> [round(few_units(n), 3) for n in (5, 20, 100, 3000)]
    [1.584, 1.096, 1.017, 1.001]
    """
    from scipy.special import ndtri, stdtrit

    return math.sqrt(units / (units - 1)) * float(stdtrit(units - 1, 0.025) / ndtri(0.025)) if units > 1 else math.inf


def bootstrap(
    rows: Array,
    score: ScoreFunction,
    samples: int,
    rng: np.random.Generator | int,
    *,
    threads: int = 1,
    compat: bool = False,
    progress: Callable[[int], None] | None = None,
    where: Engine | None = None,
) -> Array:
    """Scores of `samples` resamples, the same for every system: (systems, n, k) -> (systems, samples).

    `rng` is a generator to draw on, or the seed of a fresh one, whose draws are kept for the next metric. With a seed,
    chunks of draws may be made elsewhere.
    With `compat` the scores have the type that sacreBLEU's have, 32 bits for all but BLEU.
    """
    systems, n = rows.shape[:2]
    room = 2 * 8 * systems * samples  # as they come, and in one piece
    Budget(f"Scores of {samples} resamples of {counted(systems, 'system')}", "Draw fewer: --samples 1000.").take(room)
    resampler = _Resampler.of(rows, score, compat, threads)
    out = []
    scored: Iterable[tuple[int, Array]]
    if where is not None and isinstance(rng, int) and (sizes := _chunk_sizes(n, samples))[1:]:
        elsewhere = _Redrawn(_Indices(n, samples, rng), dataclasses.replace(resampler, threads=where.threads(threads)))
        scored = zip(sizes, where.map(elsewhere, range(len(sizes))), strict=True)
    else:
        scored = ((len(draws), resampler(draws)) for draws in _draws(n, samples, rng))
    for size, scores in scored:
        out.append(scores)
        if progress:
            progress(size)
    return np.concatenate(out).T


@dataclasses.dataclass(frozen=True, eq=False)
class _Resampler:
    """Draws ──> scores of resamples, (draws, systems)."""

    flat: Array  # (n, systems * k)
    systems: int
    score: ScoreFunction
    compat: bool
    in_order: bool  # sums in 32 bits depend on their order: they are taken in sacreBLEU's
    threads: int

    @classmethod
    def of(cls, rows: Array, score: ScoreFunction, compat: bool, threads: int) -> _Resampler:
        """Rows of systems, (systems, n, k)."""
        systems, n, k = rows.shape
        flat = np.ascontiguousarray(rows.transpose(1, 0, 2).reshape(n, systems * k))
        whole = bool((flat == np.floor(flat)).all()) and float(np.abs(flat).max(initial=0)) * n < _EXACT_IN_32_BITS
        return cls(flat, systems, score, compat, compat and not whole, threads)

    def __call__(self, draws: _Draws) -> Array:
        if self.in_order:
            single = self.flat.astype(np.float32)
            sums = np.stack([np.add.reduce(single[draw], axis=0) for draw in draws.indices])
        else:
            sums = kernels.sampled_sums(draws.times, self.flat, self.threads)
            if self.compat:
                sums = sums.astype(np.float32)
        return self.score(sums.reshape(len(sums), self.systems, -1))


class _Draws:
    """A chunk of draws, as they come and counted: what every metric can use."""

    def __init__(self, indices: npt.NDArray[np.int64]) -> None:
        self.indices = indices

    def __len__(self) -> int:
        return len(self.indices)

    @functools.cached_property
    def times(self) -> npt.NDArray[np.int32]:
        """How often each draw has each row."""
        return kernels.times_drawn(self.indices)


@dataclasses.dataclass(frozen=True)
class _Indices:
    """The chunks of draws of a seed, from the first one on."""

    n: int
    samples: int
    seed: int

    def __iter__(self) -> Iterator[_Draws]:
        return _index_chunks(self.n, self.samples, np.random.default_rng(self.seed))


@dataclasses.dataclass(frozen=True)
class _Masks:
    """The chunks of swaps of a seed, from the first one on."""

    n: int
    trials: int
    seed: int

    def __iter__(self) -> Iterator[npt.NDArray[np.bool_]]:
        return _mask_chunks(self.n, self.trials, np.random.default_rng(self.seed))


class _Redrawn:
    """What is made of a chunk, by its number, on a worker: it draws the one stream itself, and skips to its chunk.

    Bounded draws are made anew where one is refused, so that a stream has no other way to its middle. A worker goes on
    from where it was.
    """

    def __init__(self, chunks: Iterable[Any], function: Callable[[Any], Array]) -> None:
        self.chunks, self.function = chunks, function
        self._stream, self._next = iter(chunks), 0

    def __reduce__(self) -> tuple[type[_Redrawn], tuple[Iterable[Any], Callable[[Any], Array]]]:
        return _Redrawn, (self.chunks, self.function)

    def __call__(self, number: int) -> Array:
        if number < self._next:
            self._stream, self._next = iter(self.chunks), 0
        chunk = next(itertools.islice(self._stream, number - self._next, None))
        self._next = number + 1
        return self.function(chunk)


def paired_bootstrap(
    base: Array,
    system: Array,
    difference: float,
    *,
    compat: bool = False,
    higher_is_better: bool = True,
    stretched: float = 1.0,
) -> tuple[float, float]:
    """p-value of the paired test, and Koehn's share of samples in which the system beats the base (ties half).

    `base` and `system` are scores of the same resamples, `difference` that of the whole test set; chance is `stretched`
    where few units were drawn.
    """
    gains = system - base if higher_is_better else base - system
    won = np.sign(gains) if compat else signs(gains, np.abs(base) + np.abs(system))
    share = float(np.mean(won > 0) + 0.5 * np.mean(won == 0))
    if compat:
        shifts = np.abs(system - base)
        extreme = shifts - shifts.mean() > abs(difference)
        return (int(extreme.sum()) + 1) / (len(shifts) + 1), share
    chance = stretched * bootstrap_chance(base, system, difference)
    return float(p_values(np.array([difference]), chance[None], size_of(base, system))[0]), share


def bootstrap_chance(base: Array, system: Array, difference: float | Array) -> Array:
    """What the choice of segments does to a difference: how far those of resamples are from it, (..., samples)."""
    chance: Array = np.abs(system - base - difference)
    return chance


def size_of(*scores: Array) -> float:
    """The largest of some scores, which tells how coarsely they are rounded."""
    return max(float(np.nanmax(np.abs(s), initial=0.0)) for s in scores)


def paired_randomization(
    base: Array,
    rows: Array,
    score: ScoreFunction,
    trials: int,
    rng: np.random.Generator | int,
    *,
    threads: int = 1,
    compat: bool = False,
    progress: Callable[[int], None] | None = None,
    where: Engine | None = None,
) -> Array:
    """p-values of systems (systems, n, k) against a baseline (n, k): how often do random swaps differ as much?"""
    systems, n, k = rows.shape
    flat = np.ascontiguousarray(np.concatenate([base[None], rows]).transpose(1, 0, 2).reshape(n, (systems + 1) * k))
    exchanger = _Exchanger.of(flat, total(flat).reshape(systems + 1, k), score, compat, threads)
    sizes = _mask_sizes(n, trials)
    if where is not None and isinstance(rng, int) and sizes[1:]:
        elsewhere = _Redrawn(_Masks(n, trials, rng), dataclasses.replace(exchanger, threads=where.threads(threads)))
        counts: Iterable[Array] = where.map(elsewhere, range(len(sizes)))
    else:
        counts = map(exchanger, _mask_chunks(n, trials, np.random.default_rng(rng)))
    extreme = np.zeros(systems)
    for size, some in zip(sizes, counts, strict=True):
        extreme += some
        if progress:
            progress(size)
    return exchanger.p_values(extreme, trials)


def exchanged_p_values(kept: Array, totals: Array, score: ScoreFunction) -> Array:
    """The same from sums of what was not exchanged, (trials, 1 + systems, k), and of the whole, the baseline first."""
    exchanger = _Exchanger.of(np.zeros((0, 0)), totals, score, compat=False, threads=1)
    return exchanger.p_values(exchanger.extreme(kept), len(kept))


@dataclasses.dataclass(frozen=True, eq=False)
class _Exchanger:
    """Swaps ──> how many of them make each system differ from the baseline as much as it does."""

    flat: Array  # (n, (1 + systems) * k), the baseline first
    totals: Array  # (1 + systems, k)
    score: ScoreFunction
    observed: Array
    scale: Array
    compat: bool
    threads: int

    @classmethod
    def of(cls, flat: Array, totals: Array, score: ScoreFunction, compat: bool, threads: int) -> _Exchanger:
        """With the differences that are to be reached."""
        values = score(totals)
        scale = np.maximum(np.abs(values[1:]), np.abs(values[:1]))
        return cls(flat, totals, score, np.abs(values[1:] - values[:1]), scale, compat, threads)

    def __call__(self, mask: npt.NDArray[np.bool_]) -> Array:
        kept = kernels.masked_sums(mask.view(np.uint8), self.flat, self.threads)
        return self.extreme(kept.reshape(len(mask), *self.totals.shape))

    def p_values(self, extreme: Array, trials: int) -> Array:
        """How often swaps did as much; the trials themselves are one case of it."""
        p: Array = (extreme + 1) / (trials + 1)
        return p if self.compat else np.where(np.isnan(self.observed), np.nan, p)

    def extreme(self, kept: Array) -> Array:
        """How many of the trials do, by the sums of what stays where it is."""
        rest = self.totals - kept
        gaps = np.abs(self.score(kept[:, :1] + rest[:, 1:]) - self.score(rest[:, :1] + kept[:, 1:]))
        counts: Array = (gaps > self.observed if self.compat else reaches(gaps, self.observed, self.scale)).sum(axis=0)
        return counts


def all_pairs_chance(
    rows: Array, score: ScoreFunction, trials: int, rng: np.random.Generator, *, threads: int = 1
) -> Array:
    """How much every two of some systems (systems, n, k) differ after random swaps: (pairs, trials), without sign.

    Pairs are in the order of `numpy.triu_indices`. The swaps are the same for all, and summed once.
    """
    systems, n, k = rows.shape
    flat = np.ascontiguousarray(rows.transpose(1, 0, 2).reshape(n, systems * k))
    totals = total(flat).reshape(systems, k)
    out = []
    for mask in _mask_chunks(n, trials, rng):
        kept = kernels.masked_sums(mask.view(np.uint8), flat, threads).reshape(len(mask), systems, k)
        rest = totals - kept
        gaps = []
        for base in range(systems - 1):
            first = score(kept[:, base : base + 1] + rest[:, base + 1 :])
            second = score(rest[:, base : base + 1] + kept[:, base + 1 :])
            gaps.append(np.abs(first - second).T)
        out.append(np.concatenate(gaps))
    return np.concatenate(out, axis=1)


def _draws(n: int, samples: int, rng: np.random.Generator | int) -> Iterable[_Draws]:
    if isinstance(rng, np.random.Generator):
        return _index_chunks(n, samples, rng)
    if 8 * n * samples > _CHUNK_BYTES:
        return _index_chunks(n, samples, np.random.default_rng(rng))
    return _kept_draws(n, samples, rng)


@functools.lru_cache(maxsize=1)
def _kept_draws(n: int, samples: int, seed: int) -> tuple[_Draws, ...]:
    return tuple(_index_chunks(n, samples, np.random.default_rng(seed)))


def _index_chunks(n: int, samples: int, rng: np.random.Generator) -> Iterator[_Draws]:
    for size in _chunk_sizes(n, samples):
        yield _Draws(rng.choice(n, size=(size, n), replace=True))


def _mask_chunks(n: int, trials: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.bool_]]:
    for size in _mask_sizes(n, trials):
        yield rng.integers(2, size=(size, n), dtype=bool)


def _chunk_sizes(n: int, samples: int) -> list[int]:
    """The resamples of each chunk."""
    step = max(1, _CHUNK_BYTES // (8 * max(n, 1)))
    return [min(step, samples - done) for done in range(0, samples, step)]


def _mask_sizes(n: int, trials: int) -> list[int]:
    """The trials of each chunk."""
    step = max(1, _CHUNK_BYTES // max(n, 1) // _WHOLE_BITS) * _WHOLE_BITS
    return [min(step, trials - done) for done in range(0, trials, step)]
