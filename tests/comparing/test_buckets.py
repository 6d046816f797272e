"""The score of a part is that of its segments alone; words by frequency against a plain count."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats as scipy_stats

import tercet
from tercet import scoring, stats
from tercet.comparing.buckets import WORD_MEASURES
from tercet.data import Comparison, TestSet
from tercet.sample import campaign
from tests.oracles import comparing as oracle


@pytest.fixture(scope="module")
def found() -> Comparison:
    """A comparison with documents and two facets."""
    whole = campaign("de-en")
    n = len(whole)
    testset = TestSet.of(
        {name: list(whole.systems[name]) for name in list(whole.systems)[:2]},
        list(whole.references or ()),
        documents=whole.documents,
        facets={"domain": ["news", "chat"] * (n // 2), "constant": ["x"] * n},
    )
    return tercet.compare(testset, metrics=["chrf", "ter"], samples=60)


def test_which_cuts_there_are(found: Comparison) -> None:
    kinds = [(cut.kind, cut.name) for cut in found.bucketings]
    assert kinds == [("length", ""), ("facet", "domain"), ("document", ""), ("score", ""), ("frequency", "")]


def test_a_part_scores_as_its_segments_alone(found: Comparison) -> None:
    whole = found.testset
    for cut in found.bucketings:
        if cut.unit == "word":
            continue
        assert sorted(row for b in range(len(cut.buckets)) for row in cut.rows(b)) == list(range(len(whole)))
        for place, bucket in enumerate(cut.buckets):
            rows = cut.rows(place)
            assert bucket.n == len(rows)
            part = TestSet.of(
                {name: [texts[i] for i in rows] for name, texts in whole.systems.items()},
                [whole.references[i] for i in rows] if whole.references else None,
            )
            scores = tercet.score(testset=part, metrics=["chrf", "ter"])
            own = [[scores.value(s, m) for s in found.systems] for m in ("chrf", "ter")]
            assert bucket.scores == pytest.approx(np.array(own), rel=1e-12)
            assert bucket.difference == pytest.approx(bucket.scores - bucket.scores[:, :1])
            assert np.isnan(bucket.low).all() == (len(rows) < 10)
            if len(rows) >= 10:
                assert (bucket.low <= bucket.high).all()


def test_the_intervals_of_parts_are_students_and_corrected_for_their_number(found: Comparison) -> None:
    """Standard errors by the bootstrap of each part alone; Holm stops at the first of the two, or at the second."""
    cut = next(c for c in found.bucketings if c.kind == "facet")
    metric = tercet.metric("chrf")
    statistics = scoring.statistics(found.testset, metric)
    gaps, errors, sizes = [], [], []
    for place in range(2):
        part = statistics.part(np.array(cut.rows(place)))
        n = len(cut.rows(place))
        base, system = stats.bootstrap(part.rows, metric.score, 60, 12345)
        gaps.append(float(np.diff(part.corpus())[0]))
        errors.append(float((system - base).std() * np.sqrt(n / (n - 1))))
        sizes.append(n)
    p = [2 * scipy_stats.t.sf(abs(g) / e, n - 1) for g, e, n in zip(gaps, errors, sizes, strict=True)]
    level = 0.05 if min(p) * 2 < 0.05 else 0.025
    for bucket, gap, error, n in zip(cut.buckets, gaps, errors, sizes, strict=True):
        reach = scipy_stats.t.isf(level / 2, n - 1) * error
        assert (bucket.low[0, 1], bucket.high[0, 1]) == pytest.approx((gap - reach, gap + reach))
        assert (bucket.low[0, 0], bucket.high[0, 0]) == (0, 0)


def test_words_by_frequency(found: Comparison) -> None:
    cut = found.bucketings[-1]
    assert cut.measures == WORD_MEASURES
    tokens = tercet.tokenizer("intl")
    references = [tokens(own[0]) for own in found.testset.references or ()]
    counts = Counter(word for text in references for word in text)
    rare = {word for word, n in counts.items() if n == 1}
    bucket = next(b for b in cut.buckets if b.label == "1")
    assert bucket.n == len(rare)
    for i, texts in enumerate(found.testset.systems.values()):
        pairs = list(zip(map(tokens, texts), references, strict=True))
        assert bucket.scores[0, i] == pytest.approx(oracle.f1(pairs, rare))


def test_words_by_frequency_in_a_corpus() -> None:
    found = tercet.compare(
        {"A": ["the cat", "a dog"], "B": ["the cat", "the dog"]},
        ["the cat", "a dog"],
        metrics=["chrf"],
        samples=40,
        corpus=["the the the", "a cat"],
    )
    cut = found.bucketings[-1]
    assert {b.label: (b.n, b.scores[1].tolist()) for b in cut.buckets} == {
        "0": (1, [100.0, 100.0]),  # dog
        "1": (2, [100.0, 50.0]),  # a, cat
        "3": (1, [100.0, 100.0]),  # the
    }
    assert "corpus" in cut.title


def test_the_hardest_fifth_is_hard_for_all(found: Comparison) -> None:
    cut = next(c for c in found.bucketings if c.kind == "score")
    scores = [bucket.scores[0].mean() for bucket in cut.buckets]
    assert scores == sorted(scores)
    mean = found.segment_scores[0].mean(axis=0)
    assert mean[list(cut.rows(0))].max() <= mean[list(cut.rows(1))].min()
