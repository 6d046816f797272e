"""Error spans: WMT25's weighted F1 against a count of characters one by one, mpp against all matchings."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import qe_evaluate
from tercet.data import ErrorSpan, SpanLabels
from tercet.errors import InputError
from tercet.quality.spans import matched_counts, rates, weighted_counts

PLACES = st.integers(0, 12)
SPANS = st.lists(
    st.builds(
        lambda a, b, s: ErrorSpan(min(a, b), max(a, b), s),
        PLACES,
        PLACES,
        st.sampled_from(["minor", "major", "critical", "undecided"]),
    ),
    max_size=4,
)


def by_character(gold: list[ErrorSpan], predicted: list[ErrorSpan]) -> tuple[float, float, float]:
    hits = said = true = 0.0
    for place in range(13):

        def over(spans: list[ErrorSpan], kinds: tuple[str, ...], at: int = place) -> int:
            return sum(s.severity in kinds and s.start <= at < s.end for s in spans)

        g = [over(gold, ("major", "critical")), over(gold, ("minor",))]
        p = [over(predicted, ("major", "critical")), over(predicted, ("minor",))]
        same = [min(a, b) for a, b in zip(g, p, strict=True)]
        hits += sum(same) + 0.5 * min(sum(g) - sum(same), sum(p) - sum(same))
        said, true = said + sum(p), true + sum(g)
    return hits, said, true


@given(SPANS, SPANS)
def test_weighted_counts_are_those_of_single_characters(gold: list[ErrorSpan], predicted: list[ErrorSpan]) -> None:
    assert weighted_counts(gold, predicted) == pytest.approx(by_character(gold, predicted))


@given(SPANS, SPANS)
def test_the_matching_is_the_best_of_all(gold: list[ErrorSpan], predicted: list[ErrorSpan]) -> None:
    true, said = [s for s in gold if s.end > s.start], [s for s in predicted if s.end > s.start]

    def overlap(a: ErrorSpan, b: ErrorSpan) -> int:
        return max(0, min(a.end, b.end) - max(a.start, b.start))

    few, many = sorted((true, said), key=len)
    best = max(
        (
            sum(2 * overlap(a, b) / (a.end - a.start + b.end - b.start) for a, b in zip(few, chosen, strict=True))
            for chosen in itertools.permutations(many, len(few))
        ),
        default=0.0,
    )
    shared, n_said, found, n_true = matched_counts(gold, predicted)
    assert (n_said, n_true) == (len(said), len(true))
    # 2o / (a + b) is the harmonic mean of o/a and o/b: of the sums it lies between the two
    assert min(shared, found) <= best + 1e-9
    assert best <= max(shared, found) + 1e-9
    assert matched_counts(predicted, gold) == pytest.approx((found, n_true, shared, n_said))


def labels(*segments: list[ErrorSpan]) -> SpanLabels:
    return SpanLabels(
        tuple(str(i) for i in range(1, len(segments) + 1)), tuple(map(tuple, segments)), (None,) * len(segments)
    )


def test_micro_averages_over_segments() -> None:
    gold = labels([ErrorSpan(0, 4, "major"), ErrorSpan(5, 9, "minor")], [])
    ours = labels([ErrorSpan(0, 2, "major"), ErrorSpan(5, 9, "major")], [ErrorSpan(3, 5, "minor")])
    answer = qe_evaluate({"ours": ours, "none": labels([], [])}, gold, samples=40)
    assert answer.value("ours", "mpp-precision") == pytest.approx(2 / 3)
    assert answer.value("ours", "mpp-recall") == pytest.approx(1.5 / 2)
    assert answer.value("ours", "wmt25-precision") == pytest.approx(4 / 8)
    assert answer.value("ours", "wmt25-recall") == pytest.approx(4 / 8)
    assert (answer.value("none", "wmt25-precision"), answer.value("none", "wmt25-f1")) == (1, 0)


def test_nothing_marked_and_nothing_wrong_is_perfect() -> None:
    answer = qe_evaluate({"ours": labels([])}, labels([]), samples=40)
    assert [r.value for r in answer] == [1.0] * 6
    for kind, width in (("wmt25", 3), ("mpp", 4)):
        assert [float(x) for x in rates(kind, np.zeros(width))] == [1.0, 1.0, 1.0]


def test_other_segments_and_severities_are_refused() -> None:
    with pytest.raises(InputError, match="lacks segment '2'; there are 2"):
        qe_evaluate({"ours": labels([])}, labels([], []), samples=40)
    with pytest.raises(InputError, match="segment 1 has a span with the severity 'grave'"):
        qe_evaluate({"ours": labels([ErrorSpan(0, 1, "grave")])}, labels([]), samples=40)
