"""Every number of a comparison is that of `tercet score`, whichever system is the baseline."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.data import Comparison, Scores, TestSet
from tercet.errors import InputError
from tercet.sample import campaign

METRICS = ("bleu", "chrf", "ter")
HOW: list[dict[str, Any]] = [
    {"paired": "bootstrap", "samples": 100},
    {"paired": "randomization", "samples": 100, "trials": 300},
    {"paired": "bootstrap", "samples": 100, "unit": "document", "seed": 3},
]


@pytest.fixture(scope="module", params=range(len(HOW)))
def both(request: pytest.FixtureRequest) -> tuple[Comparison, dict[str, Scores]]:
    """A comparison, and the scores against each baseline in turn; each corrects for the tests that it makes itself."""
    testset, how = campaign("de-en"), {**HOW[request.param], "correction": "none"}
    names = list(testset.systems)[:3]
    testset = TestSet.of(
        {name: list(testset.systems[name]) for name in names},
        list(testset.references or ()),
        documents=testset.documents,
    )
    scores = {b: tercet.score(testset=testset, metrics=METRICS, ci=True, baseline=b, **how) for b in names}
    return tercet.compare(testset, metrics=METRICS, baseline=names[1], **how), scores


def test_scores_and_intervals(both: tuple[Comparison, dict[str, Scores]]) -> None:
    found, scores = both
    for record in scores[found.baseline]:
        own = found.score(record.metric, record.system)
        assert (own.score, own.low, own.high) == (record.score, record.low, record.high)


def test_p_values_of_every_pair(both: tuple[Comparison, dict[str, Scores]]) -> None:
    found, scores = both
    tested = 0
    for baseline, each in scores.items():
        for record in each:
            if record.system != baseline:
                d = found.difference(record.metric, record.system, baseline)
                assert d.p_value == record.p_value
                assert d.win_share == record.win_share or record.win_share is None
                tested += 1
    assert tested == 3 * 2 * len(METRICS)


def test_signatures_are_those_of_score(both: tuple[Comparison, dict[str, Scores]]) -> None:
    found, scores = both
    told = {record.metric: record.signature for record in scores[found.baseline]}
    assert {m.metric: m.signature for m in found.metrics} == told


def test_segment_scores_and_who_wins_them(both: tuple[Comparison, dict[str, Scores]]) -> None:
    found, _ = both
    segments = tercet.score(testset=found.testset, metrics=METRICS, level="segment")
    for m, metric in enumerate(found.metrics):
        own = [[segments.value(s, metric.metric, name) for name in found.testset.segments] for s in found.systems]
        assert found.segment_scores[m].tolist() == own
        a, b = (np.array(own[found.systems.index(s)]) for s in (found.others[0], found.baseline))
        gain = a - b if metric.higher_is_better else b - a
        d = found.difference(metric.metric, found.others[0])
        assert (d.wins, d.ties, d.losses) == ((gain > 0).sum(), (gain == 0).sum(), (gain < 0).sum())


def test_records_are_flat(both: tuple[Comparison, dict[str, Scores]]) -> None:
    found, _ = both
    records = found.as_records()
    assert len(records) == len(found.systems) * len(METRICS)
    assert {tuple(record) for record in records} == {tuple(records[0])}
    base = [record for record in records if record["system"] == found.baseline]
    assert all(record["p_value"] is None and record["difference"] is None for record in base)


def test_the_verdict_follows_the_direction_of_the_metric() -> None:
    good, bad = ["the cat sat on the mat today"] * 30, ["a dog ran off"] * 30
    found = tercet.compare({"bad": bad, "good": good}, good, metrics=METRICS, samples=50)
    for metric in METRICS:
        assert found.difference(metric, "good").verdict == "better"
        assert found.difference(metric, "bad", "good").verdict == "worse"
        assert found.clusters(metric) == [["good"], ["bad"]]
        assert [found.score(metric, s).rank for s in ("good", "bad")] == [1, 2]
    assert found.difference("ter", "good").difference < 0
    assert found.answers[0].startswith("good is better than bad by bleu")


def test_equals_are_not_told_apart() -> None:
    same = ["the cat sat on the mat", "it is late"] * 5
    found = tercet.compare({"A": same, "B": list(same)}, same, samples=50)
    d = found.difference("bleu", "B")
    assert (d.p_value, d.verdict, d.wins, d.ties, d.losses) == (1.0, "undecided", 0, 10, 0)
    assert found.clusters("bleu") == [["A", "B"]]
    assert [found.score("bleu", s).rank for s in "AB"] == [1, 1]
    assert found.answers[0].startswith("No significant difference between B and A")
    assert found.findings == ()


def test_holm_adjusts_for_the_pairs() -> None:
    testset = campaign("de-en")
    plain, adjusted = (tercet.compare(testset, metrics=["chrf"], samples=300, correction=c) for c in ("none", "holm"))
    upper = np.triu_indices(len(testset.systems), 1)
    before, after = (each.tests[0].p[upper] for each in (plain, adjusted))
    assert (after >= before).all()
    assert (after > before).any()
    assert "adjusted for the 10 pairs (Holm)" in adjusted.assumptions
    assert "correction:holm" in adjusted.signature
    assert "not adjusted for the 10 pairs, as they are with --correction holm" in plain.assumptions


def test_holm_is_the_usual_correction_where_there_are_several_pairs() -> None:
    testset = campaign("de-en")

    def compared(systems: Iterable[str], **more: Any) -> Comparison:
        texts = {name: list(testset.systems[name]) for name in systems}
        return tercet.compare(texts, list(testset.references or ()), metrics=["chrf"], samples=300, **more)

    usual, holm = compared(testset.systems), compared(testset.systems, correction="holm")
    np.testing.assert_array_equal(usual.tests[0].p, holm.tests[0].p)
    assert usual.signature == holm.signature
    alone, none = compared(("amber", "birch")), compared(("amber", "birch"), correction="none")
    np.testing.assert_array_equal(alone.tests[0].p, none.tests[0].p)
    assert alone.signature == none.signature, "one pair needs no correction"
    assert "adjusted" not in alone.assumptions


def test_many_pairs_get_the_draws_that_their_correction_needs() -> None:
    texts = [[f"a{(i * k) % 7} b c d {i}" for i in range(40)] for k in range(1, 13)]
    systems = {f"s{k}": texts[k - 1] for k in range(1, 13)}
    found = tercet.compare(systems, texts[0], metrics=["wer"])
    assert "|bs:6600|" in found.signature, "66 pairs by Holm, and p < .01 where no draw speaks against a difference"
    assert "6600 samples" in found.assumptions
    assert float(np.nanmin(found.tests[0].p)) < 0.01
    with pytest.raises(InputError, match=r"--samples 1320 or more, or --correction bh or none"):
        tercet.compare(systems, texts[0], metrics=["wer"], samples=999)
