"""Every vector on rankings, clusters, direct assessment and MQM that the reference implementations gave."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats

from tercet import kernels
from tercet.data import Assessments, Errors, Kind, Outcome, Pairs, Rankings
from tercet.formats import read_judgements
from tercet.human.assessments import standardized
from tercet.human.pairs import expand, pairwise
from tercet.ranking.assessed import Mqm
from tercet.ranking.base import Sampling
from tercet.ranking.choose import accuracy, counted, oracle_accuracy, partial_order
from tercet.ranking.clusters import by_range, by_tests, clipped, rank_range
from tercet.ranking.rank import ranked
from tercet.ranking.trueskill import TrueSkill, draw_margin, next_distribution, wmt_beta
from tercet.ranking.wins import ExpectedWins, Others
from tercet.stats.classical import rank_sum, sign_test
from tercet.stats.control import bad_reference_test
from tests.conftest import ROOT
from tests.oracles.bad_references import replaced_words

GROUPS = ("rr", "ranking", "clusters", "signtest", "trueskill", "hm", "da", "mqm")
PATH = ROOT.parent / "shared" / "spec" / "meta_vectors.json"
VECTORS = json.loads(PATH.read_text(encoding="utf-8"))["vectors"] if PATH.exists() else []
MINE = [v for v in VECTORS if v["group"] in GROUPS]
SIGN = {Outcome.LEFT_BETTER: "<", Outcome.TIE: "=", Outcome.RIGHT_BETTER: ">"}
OUTCOME = {sign: outcome for outcome, sign in SIGN.items()}

Check = Callable[[dict[str, Any], dict[str, Any], float], None]


def rankings(items: list[tuple[tuple[str, ...], int]]) -> Rankings:
    """One task."""
    systems = tuple(s for names, _ in items for s in names)
    outputs = tuple(tuple(systems.index(s) for s in names) for names, _ in items)
    zero = np.zeros(1, dtype=np.int64)
    ranks = np.array([rank for _, rank in items], dtype=np.int64)
    starts = np.array([0, len(items)], dtype=np.int64)
    return Rankings("", systems, ("1",), ("j",), outputs, zero, zero, starts, np.arange(len(items)), ranks)


def triples(pairs: Pairs) -> list[list[str]]:
    columns = zip(pairs.left, pairs.right, pairs.outcome, strict=True)
    return [[pairs.systems[a], pairs.systems[b], SIGN[Outcome(o)]] for a, b, o in columns]


def rr_to_pairwise(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    pairs = pairwise(rankings([((s,), rank) for s, rank in given["ranks"].items()]))
    assert triples(pairs) == expected["pairs"]
    assert len(pairs) == expected.get("n_pairs", len(pairs))
    assert int((pairs.outcome == Outcome.TIE).sum()) == expected.get("n_ties", (pairs.outcome == Outcome.TIE).sum())


def expand_collapsed(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    shown = rankings([(tuple(ids.split(",")), rank) for ids, rank in given["translations"]])
    pairs = pairwise(shown)
    assert triples(pairs) == expected["expanded_pairs"]
    assert len(pairs) == expected["n_expanded"]
    assert len(shown.output) * (len(shown.output) - 1) // 2 == expected["n_collapsed"]
    assert int((pairs.outcome == Outcome.TIE).sum()) == expected["n_ties_expanded"]
    assert len(expand(shown).output) == len(shown.systems)


def expected_wins(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    wins = np.array(given["wins"], dtype=float)
    scores = ExpectedWins().score(wins, np.zeros_like(wins))
    wanted = [expected["scores"][s] for s in given["systems"]]
    np.testing.assert_allclose(scores, wanted, atol=tolerance, rtol=0)


def from_head_to_head(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    # shares are wins out of one decided judgement each; cell (row, column) says how often the column won
    table = np.array([[0.0 if x is None else x for x in row] for row in given["table_row_beaten_by_column"]])
    scores = ExpectedWins().score(table.T.copy(), np.zeros_like(table))
    for key in ("column_mean", "printed_score"):
        wanted = [expected[key][s] for s in given["systems"]]
        np.testing.assert_allclose(scores, wanted, atol=1e-4 if key == "column_mean" else tolerance, rtol=0)


def others(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    wins, ties = np.array(given["wins"], dtype=float), np.array(given["ties"], dtype=float)
    for with_ties, key in ((False, "gt_others"), (True, "geq_others")):
        wanted = [expected[key][s] for s in given["systems"]]
        np.testing.assert_allclose(Others(ties=with_ties).score(wins, ties), wanted, atol=tolerance, rtol=0)


def by_radius(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    classes = partial_order(np.array(list(given["scores"].values())), given["r"])
    found: dict[int, list[str]] = {}
    for system, c in zip(given["scores"], classes.tolist(), strict=True):
        found.setdefault(c, []).append(system)
    assert list(found.values()) == expected["classes"]


def heldout_accuracy(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    systems = tuple(s for group in given["classes"] for s in group)
    classes = np.array([c for c, group in enumerate(given["classes"]) for _ in group])
    rows = [(systems.index(a), systems.index(b), int(OUTCOME[sign])) for a, b, sign in given["judgements"]]
    left, right, outcome = np.array(rows, dtype=np.int64).T
    judged = counted(Pairs(systems, left, right, outcome, np.arange(len(left)), np.arange(len(left))))
    assert accuracy(classes, judged) == pytest.approx(expected["accuracy"], abs=tolerance)
    assert oracle_accuracy(judged) == pytest.approx(expected["oracle_accuracy"], abs=tolerance)


def grouped(systems: list[str], clusters: list[int]) -> list[list[str]]:
    return [[s for s, c in zip(systems, clusters, strict=True) if c == k] for k in range(1, max(clusters) + 1)]


def cluster_by_rank_range(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    low, high = zip(*given["rank_ranges"], strict=True)
    assert grouped(given["systems"], by_range(low, high)) == expected["clusters"]
    if "reference_code_clusters" in expected:
        assert grouped(given["systems"], by_range(low, high, compat=True)) == expected["reference_code_clusters"]


def range_of_ranks(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    ranks = given.get("ranks") or [int(r) for r, n in given["ranks_counts"].items() for _ in range(n)]
    assert list(rank_range(ranks, given["confidence"])) == expected["range"]
    assert clipped(len(ranks), given["confidence"]) == expected["clip_each_side"]


def sign(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    assert sign_test(given["wins"], given["losses"]) == pytest.approx(expected["p_two_sided"], abs=tolerance)
    one_sided = scipy.stats.binom.sf(given["wins"] - 1, given["wins"] + given["losses"], 0.5)
    assert one_sided == pytest.approx(expected["p_one_sided"], abs=tolerance)


def beta(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    assert wmt_beta(given["iterations"], given["sigma0"]) == pytest.approx(expected["beta"], abs=tolerance)


def rate(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    systems = given["systems"]
    mu, variance = np.full(len(systems), float(given["mu0"])), np.full(len(systems), given["sigma0"] ** 2)
    margin = draw_margin(given["draw_probability"], given["beta"])
    assert margin == pytest.approx(expected["draw_margin_1v1"], abs=tolerance)  # theirs is an approximation
    for names, ranks in given["matches"]:
        who = [systems.index(s) for s in names]
        mu[who], variance[who] = kernels.trueskill_rate(
            mu[who], variance[who], np.array(ranks, dtype=np.int64), given["beta"], margin
        )
    for system, m, v in zip(systems, mu, variance, strict=True):
        assert [m, np.sqrt(v)] == pytest.approx(expected["mu_sigma"][system], abs=tolerance)


def next_comparison(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    first, chances = next_distribution({s: (mu, var) for s, (mu, var) in given["mu_var"].items()})
    assert first == expected["first"]
    assert chances == pytest.approx(expected["opponent_probability"], abs=tolerance)


def wmt_trueskill(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    """With the 1000 runs of the publication; its means are those of one thousand, the tolerance is for forty."""
    systems = tuple(given["systems"])
    left, right, outcome = [], [], []
    for i in range(len(systems)):
        for j in range(i + 1, len(systems)):
            for o, n in zip(Outcome, (given["wins"][i][j], given["ties"][i][j], given["wins"][j][i]), strict=True):
                left += [i] * n
                right += [j] * n
                outcome += [int(o)] * n
    every = np.arange(len(left))
    pairs = Pairs(systems, np.array(left), np.array(right), np.array(outcome), every, every)
    assert len(pairs) + 1 == given["updates_per_run"]
    ranker = TrueSkill(sigma=given["sigma0"], draw_probability=given["draw_probability"])
    records = ranked(systems, ranker.fit(pairs, Sampling(samples=1000, unit="pair", threads=2)), 0.95)
    means = {r.system: r.score for r in records}
    assert means == pytest.approx(expected["published_means_1000_runs"], abs=0.01)
    assert means == pytest.approx(expected["reference_run_means_40_runs"], abs=tolerance)
    assert {r.system: [r.rank_low, r.rank_high] for r in records} == expected["published_rank_ranges"]
    assert grouped([r.system for r in records], [r.cluster for r in records]) == expected["clusters"]


def hm_adjust(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    found = kernels.hm_adjust(given["q1"], given["q2"], int(OUTCOME[given["observed"]]), given["decision_radius"])
    assert list(found) == pytest.approx(expected["adjusted"], abs=tolerance)


def standardise(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    judges = tuple(given["raw"])
    rows = [(j, x) for j, scores in enumerate(given["raw"].values()) for x in scores]
    judge, score = np.array([j for j, _ in rows]), np.array([float(x) for _, x in rows])
    zero = np.zeros(len(rows), dtype=np.int64)
    data = Assessments("", ("s",), ("1",), judges, judge, zero, zero, zero + Kind.SYSTEM, score)
    out = standardized(data)
    assert out.z is not None
    for j, name in enumerate(judges):
        wanted = [z for z in expected["z"][name] if z is not None]
        np.testing.assert_allclose(out.z[out.judge == j], wanted, atol=tolerance)
    assert all(name in " ".join(out.notes) for name in expected["dropped_zero_sd"])


def control_t(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    test = bad_reference_test(*_control(given))
    assert (test.t, test.p_paired_t) == pytest.approx((expected["t"], expected["p"]), abs=tolerance)
    assert (test.p_paired_t <= 0.05) == expected["pass"]


def control_ranksum(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    system, bad = _control(given)
    assert bad_reference_test(system, bad).p_ranksum == pytest.approx(expected["p_ranksum_greater"], abs=tolerance)
    # the vector's second figure is scipy's own, of a test that nobody used for control
    signed = scipy.stats.wilcoxon(system, bad, alternative="greater").pvalue
    assert signed == pytest.approx(expected["p_signedrank_greater"], abs=tolerance)


def _control(given: dict[str, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return np.array(given["system_scores"], dtype=float), np.array(given["bad_reference_scores"], dtype=float)


def ranksum(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    assert rank_sum(given["a"], given["b"]) == pytest.approx(expected["p_greater_asymptotic_cc"], abs=tolerance)


def by_significance(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    order = given["order_best_first"]
    better = np.zeros((len(order), len(order)), dtype=bool)
    for a, b in given["significantly_better"]:
        better[order.index(a), order.index(b)] = True
    assert grouped(order, by_tests(better)) == expected["clusters"]


def score_mqm(given: dict[str, Any], expected: dict[str, Any], tolerance: float, tmp: pathlib.Path) -> None:
    path = tmp / "mqm.tsv"
    path.write_text(given["tsv"], encoding="utf-8")
    data = read_judgements(path, "mqm")
    assert isinstance(data, Assessments)
    assert isinstance(data.errors, Errors)
    ranker = Mqm(weights=given["weights"])
    own = ranker.prepared(data)
    scores = ranker.statistics(own).segments()
    for line in expected["lines"]:
        system, _, segment, score, *raters = line.split("\t")
        i, j = data.systems.index(system), data.segments.index(segment)
        assert scores[i, j] == pytest.approx(float(score), abs=tolerance)
        for each in raters:
            rater, _, penalty = each.partition("=")
            row = (own.system == i) & (own.segment == j) & (own.judge == data.judges.index(rater))
            assert -own.score[row] == pytest.approx(float(penalty), abs=tolerance)


def spoilt(given: dict[str, Any], expected: dict[str, Any], tolerance: float) -> None:
    assert replaced_words(given["words"]) == expected["replaced"]


CHECKS: dict[str, Check] = {
    "rr_to_pairwise": rr_to_pairwise,
    "expand_collapsed": expand_collapsed,
    "expected_wins": expected_wins,
    "expected_wins_from_head_to_head": from_head_to_head,
    "bojar_gt_others": others,
    "partial_order_by_radius": by_radius,
    "heldout_accuracy": heldout_accuracy,
    "cluster_by_rank_range": cluster_by_rank_range,
    "rank_range": range_of_ranks,
    "sign_test": sign,
    "wmt_trueskill_beta": beta,
    "trueskill_rate": rate,
    "next_comparison_distribution": next_comparison,
    "wmt_trueskill": wmt_trueskill,
    "hm_adjust": hm_adjust,
    "da_standardise": standardise,
    "quality_control_bad_reference": control_t,
    "quality_control_bad_reference_ranksum": control_ranksum,
    "bad_reference_replaced_words": spoilt,
    "wilcoxon_rank_sum": ranksum,
    "cluster_by_pairwise_significance": by_significance,
}


@pytest.mark.parametrize("vector", MINE, ids=lambda v: v["id"])
def test_vector(vector: dict[str, Any], tmp_path: pathlib.Path) -> None:
    given, expected, tolerance = vector["input"], vector["expected"], vector["tolerance"]
    if vector["function"] == "score_mqm":
        score_mqm(given, expected, tolerance, tmp_path)
    else:
        CHECKS[vector["function"]](given, expected, tolerance)


def test_there_are_vectors_of_every_group(shared: pathlib.Path) -> None:
    assert {v["group"] for v in MINE} == set(GROUPS)
