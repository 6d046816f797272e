"""Bootstrap (Koehn 2004) and approximate randomisation (Riezler and Maxwell 2005) over additive statistics.

Rows of statistics are drawn or exchanged, summed and scored; no text is looked at again. The draws are those
of `numpy.random.default_rng(seed)`, in the order in which sacreBLEU 2.6 makes them, so that with `compat` its
intervals and p-values come out to the last digit: sums in 32 bits, and strict comparisons. Without `compat`
sums are in 64 bits and a tie counts against significance, so that a system compared with itself has p = 1.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.data import total

Array = npt.NDArray[np.float64]
ScoreFunction = Callable[[Array], Array]

_CHUNK_BYTES = 1 << 26
_EXACT_IN_32_BITS = 1 << 24
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


def bootstrap(
    rows: Array,
    score: ScoreFunction,
    samples: int,
    rng: np.random.Generator | int,
    *,
    threads: int = 1,
    compat: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Array:
    """Scores of `samples` resamples, the same for every system: (systems, n, k) -> (systems, samples).

    `rng` is a generator to draw on, or the seed of a fresh one, whose draws are kept for the next metric.
    With `compat` the scores have the type that sacreBLEU's have, 32 bits for all but BLEU.
    """
    systems, n, k = rows.shape
    flat = np.ascontiguousarray(rows.transpose(1, 0, 2).reshape(n, systems * k))
    whole = bool((flat == np.floor(flat)).all()) and float(np.abs(flat).max(initial=0)) * n < _EXACT_IN_32_BITS
    out = []
    for draws in _draws(n, samples, rng):
        if compat and not whole:
            # sums in 32 bits depend on their order, so they are taken in sacreBLEU's
            single = flat.astype(np.float32)
            sums = np.stack([np.add.reduce(single[draw], axis=0) for draw in draws])
        else:
            sums = kernels.sampled_sums(draws, flat, threads)
            if compat:
                sums = sums.astype(np.float32)
        out.append(score(sums.reshape(len(draws), systems, k)))
        if progress:
            progress(len(draws))
    return np.concatenate(out).T


def paired_bootstrap(
    base: Array, system: Array, difference: float, *, compat: bool = False, higher_is_better: bool = True
) -> tuple[float, float]:
    """p-value of the shifted test, and Koehn's share of samples in which the system beats the base (ties half).

    `base` and `system` are scores of the same resamples, `difference` that of the whole test set.
    """
    shifts = np.abs(system - base)
    shifts = shifts - shifts.mean()
    observed = abs(difference)
    extreme = shifts > observed if compat else shifts >= observed
    better = system > base if higher_is_better else system < base
    share = float(np.mean(better) + 0.5 * np.mean(system == base))
    return (int(extreme.sum()) + 1) / (len(shifts) + 1), share


def paired_randomization(
    base: Array,
    rows: Array,
    score: ScoreFunction,
    trials: int,
    rng: np.random.Generator,
    *,
    threads: int = 1,
    compat: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Array:
    """p-values of systems (systems, n, k) against a baseline (n, k): how often do random swaps differ as much?"""
    systems, n, k = rows.shape
    flat = np.ascontiguousarray(np.concatenate([base[None], rows]).transpose(1, 0, 2).reshape(n, (systems + 1) * k))
    totals = total(flat).reshape(systems + 1, k)
    observed = np.abs(score(totals[1:]) - score(totals[:1]))
    extreme = np.zeros(systems, dtype=np.int64)
    for mask in _mask_chunks(n, trials, rng):
        kept = kernels.masked_sums(mask.view(np.uint8), flat, threads).reshape(len(mask), systems + 1, k)
        rest = totals - kept
        first = score(kept[:, :1] + rest[:, 1:])
        second = score(rest[:, :1] + kept[:, 1:])
        gaps = np.abs(first - second)
        extreme += (gaps > observed if compat else gaps >= observed).sum(axis=0)
        if progress:
            progress(len(mask))
    return (extreme + 1) / (trials + 1)


def all_pairs_randomization(
    rows: Array, score: ScoreFunction, trials: int, rng: np.random.Generator, *, threads: int = 1
) -> Array:
    """p-values (systems, systems) of every two systems (systems, n, k), as `paired_randomization` has each of them.

    The swaps are the same for all, and summed once.
    """
    systems, n, k = rows.shape
    flat = np.ascontiguousarray(rows.transpose(1, 0, 2).reshape(n, systems * k))
    totals = total(flat).reshape(systems, k)
    values = score(totals)
    observed = np.abs(values[:, None] - values[None])
    extreme = np.zeros((systems, systems), dtype=np.int64)
    for mask in _mask_chunks(n, trials, rng):
        kept = kernels.masked_sums(mask.view(np.uint8), flat, threads).reshape(len(mask), systems, k)
        rest = totals - kept
        for base in range(systems - 1):
            first = score(kept[:, base : base + 1] + rest[:, base + 1 :])
            second = score(rest[:, base : base + 1] + kept[:, base + 1 :])
            extreme[base, base + 1 :] += (np.abs(first - second) >= observed[base, base + 1 :]).sum(axis=0)
    p: Array = (extreme + extreme.T + 1) / (trials + 1)
    return p


def _draws(n: int, samples: int, rng: np.random.Generator | int) -> Iterable[npt.NDArray[np.int64]]:
    if isinstance(rng, np.random.Generator):
        return _index_chunks(n, samples, rng)
    if 8 * n * samples > _CHUNK_BYTES:
        return _index_chunks(n, samples, np.random.default_rng(rng))
    return _kept_draws(n, samples, rng)


@functools.lru_cache(maxsize=1)
def _kept_draws(n: int, samples: int, seed: int) -> tuple[npt.NDArray[np.int64], ...]:
    return tuple(_index_chunks(n, samples, np.random.default_rng(seed)))


def _index_chunks(n: int, samples: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.int64]]:
    step = max(1, _CHUNK_BYTES // (8 * max(n, 1)))
    for done in range(0, samples, step):
        yield rng.choice(n, size=(min(step, samples - done), n), replace=True)


def _mask_chunks(n: int, trials: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.bool_]]:
    step = max(1, _CHUNK_BYTES // max(n, 1) // _WHOLE_BITS) * _WHOLE_BITS
    for done in range(0, trials, step):
        yield rng.integers(2, size=(min(step, trials - done), n), dtype=bool)
