"""`python -m benchmarks.long`: how the time of one segment grows with its length, for every registered metric.

The segment is text of a vocabulary in which words come as often as in a language (Zipf's law); the translation has a
tenth of the words changed and every eighth of the text moved to another place. CPU seconds of one thread. Longer
segments are left out once one takes a second. The power is that of the last doubling of at least a hundredth of a
second: 1 grows with the length, 2 with its square. What is printed stands in `tercet.metrics.growth`, and on the cards.
"""

from __future__ import annotations

import itertools
import math
import sys
import time

import numpy as np

from tercet.errors import TercetError
from tercet.metrics import METRICS
from tercet.metrics.growth import ENOUGH, LENGTHS

LEAST = 0.01  # seconds below which a doubling tells nothing


def texts(n: int) -> tuple[str, str]:
    """A translation and a reference of n words."""
    rng = np.random.default_rng(n)
    words = [f"{'bcdfghklmnprstvz'[i % 16]}{'aeiou'[i % 5]}{i:x}" for i in range(20_000)]
    shares = 1 / np.arange(1, len(words) + 1)
    reference = rng.choice(len(words), size=n, p=shares / shares.sum())
    translation = reference.copy()
    changed = rng.random(n) < 0.1
    translation[changed] = rng.choice(len(words), size=int(changed.sum()))
    pieces = np.array_split(translation, 8)
    moved = np.concatenate([pieces[i] for i in (1, 0, 2, 5, 4, 3, 7, 6)])
    return " ".join(words[i] for i in moved), " ".join(words[i] for i in reference)


def grown(name: str) -> tuple[list[float], str]:
    """Seconds of each length, and why there are no more."""
    metric = METRICS.make(name)
    source = "the source"
    seconds: list[float] = []
    for n in LENGTHS:
        hyp, ref = texts(n)
        try:
            if not seconds:
                metric.corpus(["warm up"], ["warm up"], [source], threads=1)
            before = time.process_time()
            metric.corpus([hyp], [ref], [source], threads=1)
        except TercetError as error:
            return seconds, f"{n:,} words: {error.message}"
        seconds.append(time.process_time() - before)
        if seconds[-1] > ENOUGH:
            return seconds, ""
    return seconds, ""


def power(seconds: list[float]) -> float | None:
    """By how much a doubling multiplies, as a power of the length."""
    rises = [(a, b) for a, b in itertools.pairwise(seconds) if a >= LEAST]
    return math.log2(rises[-1][1] / rises[-1][0]) if rises else None


def main() -> None:
    """A row a metric."""
    print("metric | " + " | ".join(f"{n:,}" for n in LENGTHS) + " | power")
    for name in sys.argv[1:] or METRICS:
        try:
            seconds, why = grown(name)
        except TercetError as error:
            print(f"{name} | {error.message}", flush=True)
            continue
        cells = [f"{s:.3f}" for s in seconds] + [""] * (len(LENGTHS) - len(seconds))
        steep = power(seconds)
        print(f"{name} | {' | '.join(cells)} | {'' if steep is None else f'{steep:.1f}'} {why}", flush=True)


if __name__ == "__main__":
    main()
