"""A campaign of WMT15 once more: replayed by robots through the server, and how many judgements drawing saves.

python -m replication.campaign replay     eng-ces, every ranking as it was given, over HTTP: the official clusters
python -m replication.campaign active     outputs drawn by `Campaign.lease`, against the same with uniform draws
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import dataclasses
import itertools
import math
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

import tercet
from replication.rankings import as_converted, cluster_sizes, official, shape
from replication.rows import DATA
from tercet.campaigns.active import RANKER, UNIFORM
from tercet.campaigns.campaign import Campaign, Drawer
from tercet.campaigns.create import create_campaign
from tercet.campaigns.judged import standing
from tercet.campaigns.log import Event, Log, Stored
from tercet.campaigns.state import item_place
from tercet.data import SKIPPED, Ints, Outcome, Pairs, Rankings, TestSet
from tercet.human.pairs import pairwise
from tercet.options.campaigns import SimulateOptions
from tercet.ranking import RANKERS
from tercet.ranking.base import Sampling, checked_fit
from tercet.ranking.rank import ranked
from tercet.server.robots import Robot, rehearse

FOLDER = DATA / "wmt15-news"
PAIR = "eng-ces"
SEEDS = 5
PEOPLE, PASSAGES = 200, 500  # of a simulated campaign
Given = dict[tuple[str, frozenset[str]], list[Any]]  # ranks by source and texts, in the order in which they came
BUDGETS = [1000 * 2**k for k in range(7)]
LEVELS = (0.7, 0.8, 0.9)


def judgements(pair: str = PAIR) -> Rankings:
    """The rankings of a language pair, as they were given."""
    return cast(Rankings, tercet.read_judgements(FOLDER / f"wmt15.rankings.{pair}.csv.gz"))


class ReplayingRobot(Robot):
    """A robot that answers as a judge did."""

    def __init__(
        self, asked: SimulateOptions, link: str, given: Mapping[tuple[str, frozenset[str]], list[Any]]
    ) -> None:
        super().__init__(asked, link, 0, None)
        self._given = given

    def answer(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """The ranks of the first ranking of this task that was not given yet."""
        texts = [output["text"] for output in item["outputs"]]
        ranks = self._given[item["source"], frozenset(texts)].pop(0)
        return {"outputs": [{"rank": ranks[text]} for text in texts]}


@contextlib.contextmanager
def served(campaign: pathlib.Path) -> Iterator[str]:
    """The address of a server of its own process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "tercet", "campaign", "serve", str(campaign), "--port", str(port)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)  # noqa: S603 - our own program
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            time.sleep(0.1)
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/login") as reply:  # noqa: S310
                if reply.status == 200:
                    break
        yield url
    finally:
        process.terminate()
        process.wait()


def replay(most: int | None = None) -> tuple[str, str, int]:
    """Clusters that were published, those of what robots sent through the server, and how many answers it took.

    The texts of this pair were not released: a made-up one stands for each output, the same for systems that shared it.
    """
    rankings = judgements()
    tasks = [
        (t, int(rankings.judge[t]), int(rankings.segment[t]), range(rankings.starts[t], rankings.starts[t + 1]))
        for t in range(len(rankings))
        if rankings.rank[rankings.starts[t] : rankings.starts[t + 1]].min(initial=6) in range(1, 6)
    ][:most]
    n, systems = len(rankings.segments), rankings.systems
    texts = {name: [f"{segment} by {name}" for segment in rankings.segments] for name in systems}
    sources = [f"segment {segment}" for segment in rankings.segments]
    given: dict[int, Given] = collections.defaultdict(dict)
    plan = []
    for _, judge, segment, items in tasks:
        shown = [rankings.outputs[rankings.output[i]] for i in items]
        item = {"kind": "output", "passage": segment, "outputs": []}
        ranks = {}
        for i, members in zip(items, shown, strict=True):
            text = f"{rankings.segments[segment]} by {'+'.join(systems[s] for s in members)}"
            item["outputs"].append({"systems": list(members), "text": text})  # type: ignore[attr-defined]
            ranks[text] = int(rankings.rank[i])
        given[judge].setdefault((sources[segment], frozenset(ranks)), []).append(_within(ranks))
        plan.append((judge, [item]))
    testset = TestSet.of(texts, [""] * n, sources=sources, segments=rankings.segments)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "replay.db")
        people = len(rankings.judges)
        made = create_campaign(path, testset=testset, protocol="ranking", annotators=people, pair="en-cs", plan=plan)
        with served(path) as url:
            asked = SimulateOptions(path, url=url, annotators=people, seconds=3600.0)
            links = list(made.links.values())
            result = rehearse([ReplayingRobot(asked, links[j], given[j]) for j in range(people)], asked)
        if result.errors or result.answers != len(tasks):
            raise RuntimeError(f"{result.errors} errors, {result.answers} answers: {result.first_error}")
        again = _put_back(rankings, [t for t, *_ in tasks], path)
    ranking = tercet.rank(as_converted(again), method="trueskill(compat=true)", unit="pair")
    _, sizes = official(f"wmt15-news/official-trueskill.{PAIR}.txt")
    return shape(sizes), shape(cluster_sizes(ranking)), result.answers


def _within(ranks: Mapping[str, int]) -> dict[str, int]:
    """Ranks from 1 to the number of outputs: the same order."""
    if max(ranks.values()) <= len(ranks):
        return dict(ranks)
    order = sorted(set(ranks.values()))
    return {text: order.index(rank) + 1 for text, rank in ranks.items()}


def _put_back(rankings: Rankings, tasks: Sequence[int], campaign: pathlib.Path) -> Rankings:
    """The rankings with the ranks that came through the server, at the places where their tasks stood."""
    collected = cast(Rankings, tercet.read_judgements(campaign))
    with Campaign.open(campaign) as opened:
        batches = [item_place(str(event.item))[0] for _, event, _ in standing(opened)]
    rank = np.full_like(rankings.rank, SKIPPED)
    for place, batch in enumerate(batches):
        mine, theirs = (slice(x.starts[t], x.starts[t + 1]) for x, t in ((rankings, tasks[batch]), (collected, place)))
        shown = [rankings.output_name(i) for i in rankings.output[mine]]
        if [collected.output_name(i) for i in collected.output[theirs]] != shown:
            raise RuntimeError(f"task {tasks[batch]} came back with other outputs")
        rank[mine] = collected.rank[theirs]
    return dataclasses.replace(rankings, rank=rank)


class Pool:
    """All judgements of every two systems, to be drawn from."""

    def __init__(self, pairs: Pairs) -> None:
        self.systems = pairs.systems
        self._outcomes: dict[tuple[int, int], Ints] = {}
        for a in range(len(self.systems)):
            for b in range(len(self.systems)):
                one = pairs.outcome[(pairs.left == a) & (pairs.right == b)]
                other = 2 - pairs.outcome[(pairs.left == b) & (pairs.right == a)]
                self._outcomes[a, b] = np.concatenate([one, other])

    def judge(self, a: int, b: int, rng: random.Random) -> Outcome:
        """What some judge said of the two."""
        said = self._outcomes[a, b]
        return Outcome(int(said[rng.randrange(len(said))]))


class _Kept(Log):
    """A log in memory: what a server would have on disk, for as many answers as a simulation takes."""

    def __init__(self, log: Log) -> None:
        self.given, self.name = log.given, log.name
        self._first, self._passages = list(log.events()), log.passages()
        self._n = len(self._first)

    def events(self, after: int = 0, most: int | None = None) -> Iterator[Event]:
        """What happened before the simulation."""
        return iter(self._first)

    def passages(self) -> list[Any]:
        """What is shown."""
        return self._passages

    def batches(self) -> list[list[dict[str, Any]]]:
        """Nothing was dealt out beforehand."""
        return []

    def append(self, events: Sequence[Event]) -> list[Stored]:
        """Events as the database would number them; none comes twice."""
        stored = [Stored(dataclasses.replace(e, seq=self._n + i), True) for i, e in enumerate(events, 1)]
        self._n += len(events)
        return stored

    def close(self) -> None:
        """Nothing is open."""


def simulated(pool: Pool, seed: int, active: bool) -> Campaign:
    """An active campaign of pairs in memory, its draws by seed; where it is not to be active, all of them uniform."""
    texts = {name: [f"{i} by {name}" for i in range(PASSAGES)] for name in pool.systems}
    testset = TestSet.of(texts, [""] * PASSAGES, sources=[str(i) for i in range(PASSAGES)])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "active.db")
        create_campaign(path, testset=testset, protocol="pairs", annotators=PEOPLE, pair="en-cs", assignment="active")
        with Log(path) as log:
            campaign = Campaign(_Kept(log), clock=lambda: 0.0)
    campaign.active = Drawer(campaign, random.Random(seed), UNIFORM if active else 1.0)  # noqa: S311 - a simulation
    return campaign


def collected(pool: Pool, n: int, active: bool, seed: int) -> Iterator[tuple[int, int, Outcome]]:
    """n judgements as the server collects them: annotators hold a lease each, and one after the other answers."""
    rng = random.Random(-1 - seed)  # noqa: S311
    campaign = simulated(pool, seed, active)
    annotators = list(campaign.state.annotators.values())
    for turn in range(n):
        annotator = annotators[turn % PEOPLE]
        names, leases = campaign.lease(annotator, 1)
        campaign.write(leases)
        batch, place = item_place(names[0])
        shown = campaign.state.batches[batch].items[place]["outputs"]
        a, b = (int(output["systems"][0]) for output in shown)
        outcome = pool.judge(a, b, rng)
        key = campaign.payload(annotator, names[0])["key"]
        answer = {"key": key, "answer": {"better": ("first", "same", "second")[outcome]}}
        campaign.write([campaign.answer(annotator, answer)])
        yield a, b, outcome


def apart(pool: Pool, sample: Sequence[tuple[int, int, Outcome]], clusters: Mapping[str, int], ranker: str) -> float:
    """The share of pairs of systems on which a sample's clusters, by a ranker, say the same as the official ones."""
    left, right, outcome = (np.array(column, dtype=np.int64) for column in zip(*sample, strict=True))
    tasks = np.arange(len(left))
    pairs = Pairs(pool.systems, left, right, outcome, tasks, tasks)
    fitted = checked_fit(RANKERS.make(ranker), pairs, Sampling(samples=100, seed=1, unit="pair", threads=2))
    found = {r.system: (r.cluster, place) for place, r in enumerate(ranked(pool.systems, fitted, 0.95))}
    names = list(clusters)
    agree = [
        np.sign(clusters[a] - clusters[b]) == np.sign(found[a][0] - found[b][0])
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    ]
    return float(np.mean(agree))


def active(
    pair: str = PAIR, seeds: int = SEEDS, budgets: Sequence[int] = BUDGETS
) -> Iterator[tuple[str, int, str, list[float]]]:
    """Rows: way, budget, ranker, and for each seed the share of pairs of systems as published."""
    pool = Pool(pairwise(judgements(pair)))
    published, sizes = official(f"wmt15-news/official-trueskill.{pair}.txt")
    order = iter(published)
    clusters = {next(order): k for k, size in enumerate(sizes) for _ in range(size)}
    for way in (False, True):
        samples = [list(collected(pool, max(budgets), way, seed)) for seed in range(seeds)]
        for budget, ranker in itertools.product(budgets, ("trueskill", RANKER)):
            shares = [apart(pool, sample[:budget], clusters, ranker) for sample in samples]
            yield "active" if way else "uniform", budget, ranker, shares


def needed(shares: Mapping[int, float], level: float) -> float:
    """How many judgements it takes until a share is reached and not lost again, between budgets by their logarithm.

    >>> round(needed({1000: 0.5, 2000: 0.8, 4000: 0.7, 8000: 0.9}, 0.8))
    5657
    >>> needed({1000: 0.5}, 0.8)
    inf
    """
    budgets = sorted(shares)
    below = [i for i, budget in enumerate(budgets) if shares[budget] < level]
    if not below:
        return float(budgets[0])
    if below[-1] + 1 == len(budgets):
        return math.inf
    one, other = budgets[below[-1]], budgets[below[-1] + 1]
    part = (level - shares[one]) / (shares[other] - shares[one])
    return float(one * (other / one) ** part)


def savings(rows: Sequence[tuple[str, int, str, list[float]]], level: float) -> list[float]:
    """For each seed, the judgements that drawing takes, as a share of what uniform choice takes, ranked as WMT did."""

    def taken(way: str, ranker: str, seed: int) -> float:
        return needed({n: shares[seed] for w, n, r, shares in rows if (w, r) == (way, ranker)}, level)

    return [taken("active", RANKER, seed) / taken("uniform", "trueskill", seed) for seed in range(len(rows[0][3]))]


def main() -> None:
    """Run one of the two."""
    parser = argparse.ArgumentParser(prog="python -m replication.campaign", description=__doc__)
    parser.add_argument("what", choices=["replay", "active"])
    parser.add_argument("--pair", default=PAIR)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    options = parser.parse_args()
    if options.what == "replay":
        published, ours, answers = replay()
        print(f"WMT15 {PAIR}, {answers} rankings through the server: clusters {ours}, published {published}")
        sys.exit(published != ours)
    rows = []
    for way, budget, ranker, shares in active(options.pair, options.seeds):
        rows.append((way, budget, ranker, shares))
        share = f"{statistics.fmean(shares):.3f} of the pairs as published [{min(shares):.3f}, {max(shares):.3f}]"
        print(f"{way:8} {budget:7d} judgements, {ranker:14} {share}", flush=True)
    for level in LEVELS:
        found = savings(rows, level)
        print(
            f"to have {level:.2f} of the pairs as published: {statistics.median(found):.2f} of the judgements "
            f"[{min(found):.2f}, {max(found):.2f}]"
        )


if __name__ == "__main__":
    main()
