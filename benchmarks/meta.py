"""Meta-evaluation against the methods of mt-metrics-eval, on made-up scores of 20 systems × 2000 segments."""

from __future__ import annotations

import itertools
from functools import partial

import numpy as np

import tercet
from benchmarks import meta_peers as peers
from benchmarks.rows import ROOT, Row, best_of
from tercet.scoring import statistics
from tercet.stats.calibration import calibrate
from tercet.stats.correlation import Grouping, Kind, correlation
from tercet.stats.hybrids import choose, hybrid_scores
from tercet.stats.permutation import permutation_tests
from tercet.stats.soft_accuracy import soft_pairwise_accuracy

SYSTEMS, SEGMENTS, METRICS, DRAWS = 20, 2000, 10, 1000
FEW_SYSTEMS, FEW_SEGMENTS, FEW_DRAWS, FEW_HYBRIDS = 8, 60, 300, 20  # where results are compared
TEXTS = ROOT.parent / "shared" / "data" / "wmt15-news" / "newstest2015.en-de.tsv.gz"

CASES: tuple[tuple[str, Kind, Grouping, peers.Correlation, int], ...] = (  # the last: draws that the peer is timed by
    ("Pearson", "pearson", "none", peers.pearson, 20),
    ("tau-b by segment", "tau-b", "item", peers.tau_by_item, 1),
)


def made_up() -> tuple[peers.Array, peers.Array]:
    """People's scores as MQM gives them, many ties, and ten metrics that follow them with more and more noise."""
    rng = np.random.default_rng(1)
    quality = rng.normal(0, 1, (SYSTEMS, 1)) + rng.normal(0, 2, (SYSTEMS, SEGMENTS))
    gold = -np.clip(np.round(2 - quality), 0, 25)
    noise = np.linspace(1, 4, METRICS)[:, None, None]
    return gold, quality + noise * rng.normal(0, 1, (METRICS, SYSTEMS, SEGMENTS))


def rows() -> list[Row]:
    """PERM-BOTH of every two of ten metrics, tie calibration, SPA; one thread, and the answers must agree."""
    gold, metrics = made_up()
    pairs = METRICS * (METRICS - 1) // 2
    found = []
    for name, kind, group, peer, peer_draws in CASES:
        run = partial(permutation_tests, kind, gold, metrics, group, draws=DRAWS, seed=1, threads=1)
        ours, _ = best_of(1, run)
        one, _ = best_of(1, partial(peers.perm_both, gold, metrics[4], metrics[5], peer, peer_draws, 1))
        # a correlation of the whole comes before the draws
        theirs = one * (2 * DRAWS + 2) / (2 * peer_draws + 2) * pairs
        require_equal_differences(kind, group, peer, gold, metrics[[4, 5]])
        require_equal_tests(kind, group, peer, gold[:FEW_SYSTEMS, :FEW_SEGMENTS], metrics)
        what = f"PERM-BOTH, {name}, {METRICS} metrics, {DRAWS} draws, 20 × 2000, against scipy in a loop"
        found.append(Row(what, ours, theirs, 1))
    ours, best = best_of(3, partial(calibrate, gold, metrics[0]))
    theirs, (value, epsilon) = best_of(1, partial(peers.calibrate, gold, metrics[0]))
    require_near(best.value, value, 1e-9)
    require_near(best.epsilon, epsilon, 1e-9)
    found.append(Row("tie calibration, 20 × 2000, against a loop over pairs", ours, theirs, 1))
    ours, soft = best_of(3, lambda: [soft_pairwise_accuracy(gold, m, draws=1000, seed=4).value for m in metrics])
    theirs, values = best_of(3, lambda: [peers.soft_pairwise_accuracy(gold, m) for m in metrics])
    for mine, their in zip(soft, values, strict=True):
        require_near(mine, their, 1e-12)
    found.append(Row(f"SPA, {METRICS} metrics, 1000 permutations, 20 × 2000, against numpy", ours, theirs, 1))
    return found


def hybrids() -> str:
    """10 000 hybrids of 16 systems × 2000 segments, BLEU of each from its statistics."""
    texts = tercet.read_testset(TEXTS)
    counted = statistics(texts, tercet.metric("bleu"), threads=1).part(np.arange(SEGMENTS))
    seconds, scores = best_of(3, partial(hybrid_scores, counted.rows, counted.score, 10_000, 1, threads=1))
    n_systems = len(counted.systems)
    for choices, score in zip(choose(n_systems, SEGMENTS, FEW_HYBRIDS, 1).tolist(), scores, strict=False):
        require_near(score, peers.hybrid_bleu(counted.rows, choices), 1e-9)
    return f"10 000 hybrids of {n_systems} systems × {SEGMENTS} segments, BLEU of each: {seconds:.2f} s on one thread."


def require_equal_differences(
    kind: Kind, group: Grouping, peer: peers.Correlation, gold: peers.Array, metrics: peers.Array
) -> None:
    """What is tested, by how much a metric is better than another, must be the same number on both sides."""
    for one, two in itertools.combinations(metrics, 2):
        ours = correlation(kind, gold, two, group).value - correlation(kind, gold, one, group).value
        require_near(ours, peers.difference(gold, one, two, peer), 1e-12)


def require_equal_tests(
    kind: Kind, group: Grouping, peer: peers.Correlation, gold: peers.Array, metrics: peers.Array
) -> None:
    """The same on a small part, and p of two metrics that are near, which may differ by four standard errors."""
    some = metrics[:, :FEW_SYSTEMS, :FEW_SEGMENTS]
    require_equal_differences(kind, group, peer, gold, some)
    ours = permutation_tests(kind, gold, some[[4, 5]], group, draws=FEW_DRAWS, seed=1, threads=1)[0, 1]
    theirs = peers.perm_both(gold, some[5], some[4], peer, FEW_DRAWS, 2)
    both = (ours + theirs) / 2
    require_near(ours, theirs, 4 * np.sqrt(2 * both * (1 - both) / FEW_DRAWS))


def require_near(ours: float, theirs: float, tolerance: float) -> None:
    """A ratio between different answers would mean nothing."""
    if not abs(float(ours) - float(theirs)) <= tolerance:
        raise SystemExit(f"Tercet gives {ours}, its peer {theirs}; no ratio is given.")


if __name__ == "__main__":
    for row in rows():
        print(f"{row.what}: {row.ours:.3f} s, {row.theirs:.1f} s, {row.ratio:.0f}×")
    print(hybrids())
