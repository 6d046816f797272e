"""Sums of what is drawn of a block by itself: each row as often as Poisson's law says, or by a coin."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from tests.oracles.resample import Rows, weighted

WEIGHTS, SWAPS = 8, 9  # what random numbers are for, as the kernels count it
_WORD, _GAMMA = (1 << 64) - 1, 0x9E3779B97F4A7C15
_E = sum(Fraction(1, math.factorial(i)) for i in range(40))


def _mixed(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    return z ^ z >> 31


def _rotated(x: int, by: int) -> int:
    return (x << by | x >> 64 - by) & _WORD


def words(seed: int, purpose: int, stream: int) -> Iterator[int]:
    """The words of 64 bits of xoshiro256++, seeded by splitmix64."""
    at = _mixed(_mixed(_mixed(seed + _GAMMA & _WORD) + purpose & _WORD) + stream & _WORD)
    state = [_mixed(at + i * _GAMMA & _WORD) for i in range(1, 5)]
    while True:
        yield _rotated(state[0] + state[3] & _WORD, 23) + state[0] & _WORD
        shifted = state[1] << 17 & _WORD
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = _rotated(state[3], 45)


def poisson(word: int) -> int:
    """How often a word of 32 bits says: the law's distribution function, turned around."""
    weight, below = 0, 1 / _E
    while word >= math.floor(below * 2**32) and weight < 12:
        weight += 1
        below += 1 / _E / math.factorial(weight)
    return weight


def streamed_sums(rows: Rows, samples: int, seed: int, block: int, swaps: bool) -> list[list[float]]:
    """A sum a sample."""
    out = []
    for sample in range(samples):
        draws = words(seed, SWAPS if swaps else WEIGHTS, block << 31 | sample)
        weights: list[int] = []
        while len(weights) < len(rows):
            word = next(draws)
            weights += [word >> bit & 1 for bit in range(64)] if swaps else [poisson(word % 2**32), poisson(word >> 32)]
        out.append(weighted(weights[: len(rows)], rows))
    return out
