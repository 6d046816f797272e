"""Words that were crafted to meet in one place of a hash table whose hash everybody knows."""

from __future__ import annotations

import numpy as np

from tercet import kernels

FACTOR = np.uint64(0x9E3779B97F4A7C15)
INVERSE = np.uint64(pow(int(FACTOR), -1, 1 << 64))


def _crafted(count: int) -> list[str]:
    """Words of eight letters whose numbers, times the golden ratio and folded, all end in the same 24 bits."""
    draw = np.random.default_rng(1)
    words: list[str] = []
    while len(words) < count:
        high = draw.integers(0, 1 << 40, 1 << 20, dtype=np.uint64) << np.uint64(24)
        mixed = high ^ high >> np.uint64(32)  # undoes the last fold, as the lower bits stay 0 after it
        mixed = mixed ^ mixed >> np.uint64(29) ^ mixed >> np.uint64(58)
        numbers = (mixed * INVERSE ^ np.uint64(8)).view(np.uint8).reshape(-1, 8)
        letters = ((numbers > 0x20) & (numbers < 0x7F)).all(1)
        words += [bytes(row).decode() for row in numbers[letters]]
    return words[:count]


def test_the_words_do_what_they_were_crafted_for() -> None:
    numbers = np.array([np.frombuffer(word.encode(), np.uint64)[0] for word in _crafted(100)])
    mixed = (numbers ^ np.uint64(8)) * FACTOR
    mixed ^= mixed >> np.uint64(29)
    mixed ^= mixed >> np.uint64(32)
    assert set((mixed & np.uint64((1 << 24) - 1)).tolist()) == {0}


def test_crafted_words_are_spread_like_any_others() -> None:
    """Half of the table is free: a word is found after one or two places, and not after half of all words."""
    words = _crafted(3000)
    assert kernels.places_looked_at(kernels.pack(words)) < 5 * len(words)


def test_words_are_numbered_in_the_order_in_which_they_come() -> None:
    """So that where they lie in the table, which differs from process to process, decides nothing."""
    words = [f"w{i * 7919 % 3001}" for i in range(6000)]
    rows = (*kernels.pack(words), np.array([0, len(words)]))
    first, _, vocabulary = kernels.number_words(rows, rows)
    assert kernels.unpack(vocabulary) == list(dict.fromkeys(words))
    assert [kernels.unpack(vocabulary)[i] for i in first] == words
