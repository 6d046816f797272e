"""`python -m benchmarks.long [METRIC...]`: how the time of one segment grows with its length, of all metrics or some.

The segment is text of a vocabulary in which words come as often as in a language (Zipf's law); the translation has a
tenth of the words changed and every eighth of the text moved to another place. CPU seconds of one thread, the median of
three such texts where they are short. Longer segments are left out once one takes a second. Where a metric refuses a
length, it is tried with as much patience as there is, so that its growth is known: such figures stand in brackets. The
power is that of the whole range from a hundredth of a second on: 1 grows with the length, 2 with its square. What is
printed stands in `tercet.metrics.growth`, and on the cards.
"""

from __future__ import annotations

import os
import statistics
import sys
import time

import numpy as np

from tercet.errors import TercetError
from tercet.limits import MOST_PATIENCE
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.metrics.growth import ENOUGH, LENGTHS, power

SHORT = 0.3  # seconds below which it is measured three times


def texts(n: int, number: int) -> tuple[str, str]:
    """A translation and a reference of n words, one such text of several."""
    rng = np.random.default_rng((n, number))
    words = [f"{'bcdfghklmnprstvz'[i % 16]}{'aeiou'[i % 5]}{i:x}" for i in range(20_000)]
    shares = 1 / np.arange(1, len(words) + 1)
    reference = rng.choice(len(words), size=n, p=shares / shares.sum())
    translation = reference.copy()
    changed = rng.random(n) < 0.1
    translation[changed] = rng.choice(len(words), size=int(changed.sum()))
    pieces = np.array_split(translation, 8)
    moved = np.concatenate([pieces[i] for i in (1, 0, 2, 5, 4, 3, 7, 6)])
    return " ".join(words[i] for i in moved), " ".join(words[i] for i in reference)


def taken(metric: Metric, n: int) -> float:
    """Seconds of n words."""
    seconds: list[float] = []
    while not seconds or (len(seconds) < 3 and seconds[-1] < SHORT):
        hyp, ref = texts(n, len(seconds))  # others each time, as vectors of encoders are remembered
        before = time.process_time()
        metric.corpus([hyp], [ref], ["the source"], threads=1)
        seconds.append(time.process_time() - before)
    return statistics.median(seconds)


def grown(name: str) -> tuple[list[float], int | None, str]:
    """Seconds of each length, the first that is refused as a rule, and why."""
    metric, refused, why = METRICS.make(name), None, ""
    metric.corpus(["warm up"], ["warm up"], ["the source"], threads=1)
    seconds: list[float] = []
    for n in LENGTHS:
        try:
            seconds.append(taken(metric, n))
        except TercetError as error:
            if refused is not None:
                break
            refused, why = n, f"{n:,} words: {error.message}"
            os.environ["TERCET_PATIENCE"] = f"{MOST_PATIENCE}"
            try:
                seconds.append(taken(metric, n))
            except TercetError:
                break
        if seconds[-1] > ENOUGH:
            break
    return seconds, refused, why


def main() -> None:
    """A row a metric."""
    print("metric | " + " | ".join(f"{n:,}" for n in LENGTHS) + " | power")
    for name in sys.argv[1:] or METRICS:
        os.environ.pop("TERCET_PATIENCE", None)
        try:
            seconds, refused, why = grown(name)
        except TercetError as error:
            print(f"{name} | {error.message}", flush=True)
            continue
        cells = [
            f"{s:.3f}" if refused is None or n < refused else f"({s:.3f})"
            for n, s in zip(LENGTHS, seconds, strict=False)
        ]
        cells += [""] * (len(LENGTHS) - len(seconds))
        steep = power(seconds)
        print(f"{name} | {' | '.join(cells)} | {'' if steep is None else f'{steep:.1f}'} {why}", flush=True)


if __name__ == "__main__":
    main()
