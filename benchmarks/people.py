"""Ranking against its peer: the PyPI package `trueskill`, driven by the loop that WMT's scripts drive it by."""

from __future__ import annotations

import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial

import trueskill

import tercet
from benchmarks.rows import ROOT, Row, best_of
from tercet.data import Ints, Pairs
from tercet.human.pairs import counts, pairwise
from tercet.ranking.base import Sampling
from tercet.ranking.trueskill import TrueSkill, wmt_beta
from tercet.ranking.wins import ExpectedWins

RANKINGS = ROOT.parent / "shared" / "data" / "wmt15-news"
PAIRS = ("ces-eng", "deu-eng", "eng-ces", "eng-deu", "eng-fin", "fin-eng", "rus-eng")
PEER_UPDATES = 3000
SIGMA = 0.5


def pairs_of(pair: str) -> Pairs:
    """The expanded pairs of one direction of WMT15."""
    found = tercet.read_judgements(RANKINGS / f"wmt15.rankings.{pair}.csv.gz")
    return pairwise(found)  # type: ignore[arg-type]


def peer_run(wins: Ints, ties: Ints, updates: int, total: int, seed: int) -> list[float]:
    """`updates` of a run that would make `total`, with the peer's ratings: its means."""
    draw = random.Random(seed)  # noqa: S311
    n = len(wins)
    beta = wmt_beta(total, SIGMA)
    env = trueskill.TrueSkill(mu=0.0, sigma=SIGMA, beta=beta, tau=0.0, draw_probability=0.25)
    ratings = [env.create_rating() for _ in range(n)]
    table = {
        (i, j): [(i, j, False)] * int(wins[i, j]) + [(j, i, False)] * int(wins[j, i]) + [(i, j, True)] * int(ties[i, j])
        for i in range(n)
        for j in range(n)
        if i != j
    }
    for _ in range(updates):
        first = max(range(n), key=lambda i: ratings[i].sigma)
        others = [k for k in range(n) if k != first]
        near = [math.exp(-abs(ratings[first].mu - ratings[k].mu)) for k in others]
        second = draw.choices(others, near)[0]
        better, worse, drawn = draw.choice(table[first, second])
        ratings[better], ratings[worse] = trueskill.rate_1vs1(ratings[better], ratings[worse], drawn=drawn, env=env)
    return [r.mu for r in ratings]


def trueskill_row() -> Row:
    """1000 runs over eng-ces, on one thread; the peer's time is that of some updates, times their number."""
    pairs = pairs_of("eng-ces")
    wins, ties = counts(pairs)
    total = len(pairs) + 1
    ours, _ = best_of(1, lambda: TrueSkill().fit(pairs, Sampling(samples=1000)))
    theirs, _ = best_of(2, lambda: peer_run(wins, ties, PEER_UPDATES, total, 1))
    what = f"TrueSkill, 1000 runs, WMT15 eng-ces ({len(pairs)} pairs), against `trueskill` 0.4.5"
    return Row(what, ours, theirs * 1000 * total / PEER_UPDATES, 300)


def bootstrap_seconds() -> dict[str, float]:
    """1000 bootstrap samples of expected wins, seconds a direction, on one thread."""
    return {p: best_of(3, partial(ExpectedWins().fit, pairs_of(p), Sampling(samples=1000)))[0] for p in PAIRS}


_PROGRAM = """
import pathlib, sys, tercet
def peak():
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
base = peak()
tercet.rank(sys.argv[1], method="expected-wins")
print(base, peak())
"""


def million() -> str:
    """A million judgements, from the file to the ranking: seconds, and memory beside that of fewer."""
    peaks, seconds = {}, {}
    for n in (250_000, 1_000_000):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "pairs.tsv")
            path.write_text("lp\tsegment\tbetter\tworse\n" + "".join(_judgements(n)), encoding="utf-8")
            start = time.perf_counter()
            command = [sys.executable, "-c", _PROGRAM, str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds[n] = time.perf_counter() - start
            base, peak = map(int, done.stdout.split())
            peaks[n] = (peak - base) / 1024
    return (
        f"A million judgements read and ranked with 1000 samples: {seconds[1_000_000]:.1f} s and "
        f"{peaks[1_000_000]:.0f} MB beside the program's own; a quarter of them: {peaks[250_000]:.0f} MB."
    )


def _judgements(n: int) -> Iterator[str]:
    draw = random.Random(1)  # noqa: S311
    systems = [f"system{k}" for k in range(12)]
    for i in range(n):
        better, worse = draw.sample(systems, 2)
        yield f"xx-yy\t{i % 3000}\t{better}\t{worse}\n"
