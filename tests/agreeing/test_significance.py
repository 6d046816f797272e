"""Tests of two metrics, held against slow and obvious ones: formulas by hand, and every permutation or resample."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

import tercet
from tercet import stats
from tercet.agreeing import measure
from tercet.agreeing.evaluate import evaluate
from tercet.agreeing.gold import Gold
from tercet.agreeing.machines import Submitted
from tercet.agreeing.people import People
from tercet.agreeing.significance import Compared, p_values
from tercet.data import Array, MetricScores, MetricTests
from tercet.errors import InputError
from tercet.options.agreeing import Certainty
from tercet.sample import campaign, judgements
from tercet.scoring import statistics
from tercet.stats.correction import benjamini_hochberg, holm
from tercet.stats.hybrids import HYBRIDS, choose
from tests.agreeing.build import gold_for, metric_for

MANY = 20_000
NEAR = 0.015  # four standard deviations of a share of that many draws


def gold_of(values: Array, level: Any = "segment") -> Gold:
    """Scores of people, (systems, items)."""
    items = ("",) if level == "system" else tuple(map(str, range(values.shape[1])))
    return Gold("made up", "xx-yy", level, tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(values)]), items, values)


def p_of(spec: str, gold: Gold, values: Array, test: Any, draws: int = MANY, **more: Any) -> Array:
    """The p-values of one test."""
    how = measure(spec)
    found = tuple(how.found(gold, v) for v in values)
    made = p_values(how, Compared(gold, values, found, **more), Certainty(test=test, draws=draws, seed=7, threads=2))
    assert made is not None
    assert made[0] == test
    return made[1]


def pearson(x: Array, y: Array) -> float:
    """By numpy, NaN where there is no such thing."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(x.ravel(), y.ravel())[0, 1])


RNG = np.random.default_rng(3)
PEOPLE = RNG.normal(size=(3, 3))
METRICS = np.stack([PEOPLE + RNG.normal(size=(3, 3)) * s for s in (0.4, 0.8, 1.5)])
SYSTEMS = np.linspace(1, 0, 6)[:, None]
OF_SYSTEMS = np.stack([SYSTEMS + RNG.normal(size=(6, 1)) * s for s in (0.1, 0.2, 0.5)])


def slow_williams(human: Array, one: Array, other: Array) -> float:
    """Spec, section 3.1."""
    r12, r13, r23 = pearson(human, one), pearson(human, other), pearson(one, other)
    n = human.size
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * k * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / below)
    return float(scipy_stats.t.sf(t, n - 3))


@pytest.mark.parametrize(
    ("people", "metrics", "level"), [(SYSTEMS, OF_SYSTEMS, "system"), (PEOPLE, METRICS, "segment")]
)
def test_williams(people: Array, metrics: Array, level: str) -> None:
    p = p_of("pearson", gold_of(people, level), metrics, "williams")
    for i, j in itertools.permutations(range(3), 2):
        assert p[i, j] == pytest.approx(slow_williams(people, metrics[i], metrics[j]), abs=1e-9)
    assert np.isnan(np.diag(p)).all()


def test_williams_by_strength_turns_a_reversed_metric() -> None:
    turned = OF_SYSTEMS * np.array([1, -1, 1])[:, None, None]
    gold = gold_of(SYSTEMS, "system")
    plain = p_of("pearson", gold, OF_SYSTEMS, "williams")
    assert p_of("pearson(abs=true)", gold, turned, "williams") == pytest.approx(plain, nan_ok=True)
    assert p_of("pearson", gold, turned, "williams")[0, 1] < plain[0, 1], "a reversed metric is much worse"


def swapped(one: Array, other: Array, unit: str) -> Iterator[tuple[Array, Array]]:
    """Both metrics after every way to swap them in entries, systems or items."""
    shape = {"both": one.shape, "system": (one.shape[0], 1), "item": (1, one.shape[1])}[unit]
    for bits in itertools.product([False, True], repeat=shape[0] * shape[1]):
        swap = np.broadcast_to(np.reshape(bits, shape), one.shape)
        yield np.where(swap, other, one), np.where(swap, one, other)


def slow_permutation(value: Callable[[Array], float], one: Array, other: Array, unit: str) -> float:
    """The share of all permutations in which the difference is as large as it is."""
    a, b = ((m - m.mean()) / m.std() for m in (one, other))
    delta = value(a) - value(b)
    found = [value(x) - value(y) for x, y in swapped(a, b, unit)]
    return float(np.mean([d >= delta - 1e-12 for d in found]))


@pytest.mark.parametrize("unit", ["both", "system", "item"])
def test_permutations_of_segments(unit: str) -> None:
    p = p_of("pearson", gold_of(PEOPLE), METRICS, f"perm-{unit}")
    for i, j in itertools.permutations(range(3), 2):
        expected = slow_permutation(lambda m: pearson(PEOPLE, m), METRICS[i], METRICS[j], unit)
        assert p[i, j] == pytest.approx(expected, abs=NEAR)


@pytest.mark.thorough
@pytest.mark.parametrize("spec", ["pearson", "spearman", "kendall", "accuracy"])
def test_permutations_of_systems(spec: str) -> None:
    gold = gold_of(SYSTEMS, "system")
    p = p_of(spec, gold, OF_SYSTEMS, "perm-both")
    for i, j in itertools.permutations(range(3), 2):
        expected = slow_permutation(lambda m: measure(spec).found(gold, m).value, OF_SYSTEMS[i], OF_SYSTEMS[j], "both")
        assert p[i, j] == pytest.approx(expected, abs=NEAR)


def drawn(shape: tuple[int, ...], unit: str) -> Iterator[tuple[Any, ...]]:
    """Every way to draw systems, items or both with replacement."""
    rows = itertools.product(range(shape[0]), repeat=shape[0]) if unit != "item" else [tuple(range(shape[0]))]
    for r in rows:
        columns = itertools.product(range(shape[1]), repeat=shape[1]) if unit != "system" else [tuple(range(shape[1]))]
        for c in columns:
            yield np.ix_(r, c)


@pytest.mark.parametrize("unit", ["system", "item", "both"])
def test_bootstraps_of_segments(unit: str) -> None:
    p = p_of("pearson", gold_of(PEOPLE), METRICS, f"boot-{unit}")
    values = np.array([[pearson(PEOPLE[at], m[at]) for at in drawn(PEOPLE.shape, unit)] for m in METRICS])
    for i, j in itertools.permutations(range(3), 2):
        better = values[i] > values[j] + 1e-12  # NaN is not
        assert p[i, j] == pytest.approx(1 - better.mean(), abs=NEAR)


def test_bootstrap_of_systems() -> None:
    people, metrics = SYSTEMS[:4], OF_SYSTEMS[:, :4]
    p = p_of("pearson", gold_of(people, "system"), metrics, "boot-system")
    values = np.array([[pearson(people[at], m[at]) for at in drawn((4, 1), "system")] for m in metrics])
    for i, j in itertools.permutations(range(3), 2):
        assert p[i, j] == pytest.approx(1 - (values[i] > values[j] + 1e-12).mean(), abs=NEAR)


def test_a_group_that_does_not_vary_may_count_nothing_in_every_test() -> None:
    """With zero_nans a metric that is constant on some items pays for it; without, these items are left out."""
    rng = np.random.default_rng(5)
    people = rng.normal(size=(4, 12))
    good = people + rng.normal(size=(4, 12)) * 0.1
    lazy = np.where(np.arange(12) < 8, 0.0, people)  # right where it says something, silent elsewhere
    values = np.stack([good, lazy])
    for test in ("perm-both", "boot-item"):
        strict = p_of("pearson(group=item, zero_nans=true)", gold_of(people), values, test, 500)
        kind = p_of("pearson(group=item)", gold_of(people), values, test, 500)
        assert strict[0, 1] < 0.05
        assert kind[0, 1] > strict[0, 1]


PAIRS = "kendall(variant=wmt14)"


def comparisons() -> Gold:
    """Comparisons of six systems on thirty segments."""
    return gold_for(measure(PAIRS))


@given(
    st.lists(
        st.lists(st.one_of(st.integers(-3, 3).map(float), st.just(float("nan"))), min_size=6, max_size=6),
        min_size=2,
        max_size=3,
    )
)
def test_resampled_judgements_are_a_paired_bootstrap(rows: list[list[float]]) -> None:
    sampled = np.tile(np.array(rows), 4)  # as many as a p-value below .05 needs
    rows = sampled.tolist()
    gold = comparisons()
    compared = Compared(gold, np.zeros((len(rows), 6, 30)), (), sampled, "judgements")
    made = p_values(measure(PAIRS), compared, Certainty(test="judgements", draws=sampled.shape[1]))
    assert made is not None
    for i, j in itertools.permutations(range(len(rows)), 2):
        pairs = list(zip(rows[i], rows[j], strict=True))
        if any(a == a and b == b for a, b in pairs):
            assert made[1][i, j] == (sum(not a > b for a, b in pairs) + 1) / (len(pairs) + 1), "NaN is no difference"
        else:
            assert np.isnan(made[1][i, j])


def test_intervals_that_do_not_overlap() -> None:
    sampled = np.stack([np.linspace(0.5, 0.7, 1000), np.linspace(0.1, 0.4, 1000), np.linspace(0.3, 0.6, 1000)])
    made = p_values(
        measure(PAIRS), Compared(comparisons(), np.zeros((3, 6, 30)), (), sampled, "items"), Certainty(test="overlap")
    )
    assert made is not None
    for i, j in itertools.permutations(range(3), 2):
        mine, other = stats.interval(sampled[i]), stats.interval(sampled[j])
        assert made[1][i, j] == (0.0 if mine.low > other.high else 1.0)
    assert made[1][0, 1] == 0.0
    assert made[1][0, 2] == 1.0


def test_hybrids() -> None:
    """The same hybrids, put together segment by segment: scores of people where there are some, texts everywhere."""
    texts, people = campaign("en-de"), judgements("en-de", "esa")
    chosen = {"chrf": "chrf", "ter": "ter"}
    found = tercet.meta(testset=texts, judgements=people, metrics=chosen, test="hybrids", interval="none", seed=11)
    (tests,) = found.tests
    gold = People(judgements=people).gold("segment", "scores")
    place = {s: i for i, s in enumerate(gold.items)}
    whose = choose(len(gold.systems), len(texts), HYBRIDS, 11)  # (hybrids, segments)
    human = np.full((HYBRIDS, len(texts)), np.nan)
    for n, segment in enumerate(texts.segments):
        if segment in place:
            human[:, n] = gold.scores[whose[:, n], place[segment]]
    scores = {}
    for name, sign in (("chrf", 1), ("ter", -1)):
        counted = statistics(texts, tercet.metric(name))
        rows = counted.rows[[counted.systems.index(s) for s in gold.systems]]
        scores[name] = sign * counted.score(rows[whose, np.arange(len(texts))].sum(axis=1))
    mean = np.nanmean(human, axis=1)
    for a, b in itertools.permutations(chosen, 2):
        p = tests.p[tests.metrics.index(a), tests.metrics.index(b)]
        assert p == pytest.approx(slow_williams(mean, scores[a], scores[b]), abs=1e-6)


def test_hybrids_of_systems_and_segments_that_both_sides_have() -> None:
    texts = campaign("en-de")
    values = RNG.normal(size=(4, 3))
    human = MetricScores("HUMAN", "", "segment", ("amber", "birch", "cedar", "unknown"), ("1", "2", "99"), values)
    found = tercet.meta(testset=texts, human=human, metrics=["chrf", "bleu"], test="hybrids", interval="none")
    assert np.isfinite(found.tests[0].p[0, 1])


@pytest.mark.parametrize(("correction", "adjust"), [("holm", holm), ("bh", benjamini_hochberg)])
def test_corrections_know_that_either_of_two_metrics_may_be_the_better_one(correction: Any, adjust: Any) -> None:
    """Three metrics are six one-sided tests; the better side of each two, chosen afterwards, is no single test."""
    gold = gold_of(SYSTEMS, "system")
    given = Compared(gold, OF_SYSTEMS, tuple(measure("pearson").found(gold, v) for v in OF_SYSTEMS))
    plain, told = (
        p_values(measure("pearson"), given, Certainty(test="williams", correction=c)) for c in ("none", correction)
    )
    assert plain is not None
    assert told is not None
    off = ~np.eye(3, dtype=bool)
    assert told[1][off].tolist() == adjust(plain[1][off]).tolist()
    assert np.nanmin(told[1]) > np.nanmin(plain[1])
    assert np.isnan(np.diag(told[1])).all()


USUAL = {
    "pearson": "williams",
    "pearson(abs=true)": "williams",
    "pearson(group=item)": "perm-item",
    "spearman": "perm-system",
    "kendall": "perm-system",
    "kendall(variant=c, group=item)": "perm-item",
    "kendall(epsilon=0.1)": "boot-system",
    "kendall(group=item, epsilon=0.1)": "perm-item",
    "accuracy": "perm-system",
    "accuracy(alpha=0.05)": "none",
    "acc-eq": "perm-item",
    "acc-eq(group=none)": "boot-item",
    "kendall(variant=wmt14)": "perm-item",
    "kendall(variant=darr)": "perm-item",
    "spa": "none",
    "pdp": "perm-item",
    "segcor": "perm-item",
}


@pytest.mark.parametrize(("spec", "test"), USUAL.items())
def test_the_usual_test(spec: str, test: str) -> None:
    how = measure(spec)
    gold = gold_for(how)
    assert how.tests(gold)[0] == test
    assert "none" in how.tests(gold)


def test_the_usual_interval() -> None:
    """Segments with all that was said of them; Fisher's where there are few systems, also with judgements."""
    assert measure(PAIRS).intervals(comparisons())[0] == "items"
    assert measure("pearson").intervals(gold_of(PEOPLE))[0] == "items"
    few, many = (gold_of(np.arange(float(n))[:, None], "system") for n in (5, 30))
    far, fewer = (gold_of(np.array([*range(n), 99.0])[:, None], "system") for n in (9, 6))
    found = [measure("pearson").intervals(gold)[0] for gold in (few, many, far, fewer)]
    assert found == ["fisher", "fisher", "systems", "fisher"]
    assert measure("spearman").intervals(few)[0] == "systems"
    judged = dataclasses.replace(few, sampled=np.zeros((40, 20)))
    assert measure("pearson").intervals(judged)[:2] == ("fisher", "systems")
    assert measure("spearman").intervals(judged)[:2] == ("systems", "judgements")


UNFIT = [
    ("spearman", "segment", "williams", "Use --test perm-item or perm-both or"),
    ("pearson(group=item)", "segment", "williams", "Use --test perm-item or perm-both or"),
    ("pearson", "system", "perm-item", "Use --test williams or hybrids or perm-system or perm-both"),
    ("pearson", "system", "boot-item", "or boot-system"),
    ("accuracy(alpha=0.05)", "system", "perm-both", "Use --test judgements or overlap, or none"),
    ("acc-eq", "segment", "perm-system", "Use --test perm-item or perm-both or boot-item"),
    ("pearson", "segment", "judgements", "or boot-item"),
]


@pytest.mark.parametrize(("spec", "level", "test", "hint"), UNFIT)
def test_a_test_that_does_not_fit_is_refused(spec: str, level: str, test: Any, hint: str) -> None:
    people, metrics = (SYSTEMS, OF_SYSTEMS) if level == "system" else (PEOPLE, METRICS)
    compared = Compared(gold_of(people, level), metrics, ())
    with pytest.raises(InputError, match=f"{test} does not fit") as error:
        p_values(measure(spec), compared, Certainty(test=test))
    assert hint in str(error.value)


LACKING = [
    ("pearson", "overlap", "an interval over resamples"),
]


@pytest.mark.parametrize(("spec", "test", "hint"), LACKING)
def test_a_test_that_lacks_something_says_what(spec: str, test: Any, hint: str) -> None:
    with pytest.raises(InputError, match=f"{test} does not fit") as error:
        p_values(measure(spec), Compared(gold_of(PEOPLE), METRICS, ()), Certainty(test=test))
    assert hint in str(error.value)


def test_resamples_of_something_else_are_not_taken() -> None:
    """The interval drew items, all alike; a test of judgements makes its own."""
    gold = comparisons()
    metrics = np.stack([metric_for(gold, 3), metric_for(gold, 4)])
    sham = Compared(gold, metrics, (), np.ones((2, 20)), "items")
    plain = Compared(gold, metrics, ())
    for test, other in (("judgements", sham), ("judgements", plain)):
        _, p = p_values(measure(PAIRS), other, Certainty(test=test, draws=50))  # type: ignore[misc, arg-type]
        assert 0 < p[0, 1] < 1
    _, taken = p_values(measure(PAIRS), sham, Certainty(test="boot-item", draws=20))  # type: ignore[misc]
    assert taken[0, 1] == 1, "these are the resamples that were drawn for the interval"


@pytest.mark.parametrize("spec", ["pdp", "spa(draws=50)", "acc-eq"])
def test_a_bootstrap_of_items_fits_every_measure_of_items(spec: str) -> None:
    noise = np.random.default_rng(1).normal(size=PEOPLE.shape)
    how = measure(spec)
    metrics = np.stack([PEOPLE, noise])
    found = tuple(how.found(gold_of(PEOPLE, "segment"), m) for m in metrics)
    made = p_values(how, Compared(gold_of(PEOPLE, "segment"), metrics, found), Certainty(test="boot-item", draws=40))
    assert made is not None
    assert made[1][0, 1] < 0.2 < made[1][1, 0]


def test_two_metrics_are_tested_on_what_both_have() -> None:
    """A metric is not better than itself with some systems missing."""
    gold = comparisons()
    whole = metric_for(gold, 3)
    part_of = whole.copy()
    part_of[3:] = np.nan
    compared = Compared(gold, np.stack([whole, part_of]), ())
    _, p = p_values(measure(PAIRS), compared, Certainty(test="judgements", draws=40))  # type: ignore[misc]
    assert p[0, 1] == p[1, 0] == 1


def part(spec: str, people: Array, metrics: dict[str, Array], **how: Any) -> Any:
    """What one measure finds, over scores of systems."""
    systems = tuple("ABCDEFGH"[: len(people)])

    def scores(name: str, values: Array) -> MetricScores:
        return MetricScores(name, "", "system", systems, ("",), values)

    given_scores = [scores(name, values) for name, values in metrics.items()]
    return evaluate(
        People(given=[scores("HUMAN", people)]),
        Submitted(given_scores),
        "system",
        measure(spec),
        Certainty(interval="none", **how),
    )


def test_ranks_and_winners_follow_from_the_tests() -> None:
    people = np.arange(8.0)[:, None]
    noise = np.array([0.1, -0.1, 0.2, 0, -0.2, 0.1, 0, 0.05])[:, None]
    other = np.array([0, 0.2, 0, -0.1, 0.1, 0, -0.2, 0.1])[:, None]
    found = part(
        "pearson",
        people,
        {"bad": np.array([5.0, 1, 7, 2, 4, 0, 3, 6])[:, None], "good": people + noise, "fine": people + other},
    )
    by = {r.metric: r for r in found.records}
    assert (by["good"].rank, by["fine"].rank, by["bad"].rank) == (1, 1, 2)
    assert (by["good"].winner, by["fine"].winner, by["bad"].winner) == (True, True, False)
    assert found.tests is not None
    assert found.tests.metrics == ("fine", "good", "bad"), "the best first"


def test_a_metric_without_a_value_has_no_rank_and_wins_nothing() -> None:
    people = np.arange(6.0)[:, None]
    good = people + np.array([0, 0.5, 0, 0, 0.1, 0])[:, None]
    found = part("pearson", people, {"good": good, "flat": np.ones((6, 1)), "bad": -people})
    flat = next(r for r in found.records if r.metric == "flat")
    assert np.isnan(flat.value)
    assert flat.rank is None
    assert flat.winner is False
    assert found.tests is not None
    assert found.tests.metrics[-1] == "flat"


def test_one_metric_is_not_p_of() -> None:
    people = np.arange(6.0)[:, None]
    found = part("pearson", people, {"good": people})
    assert found.tests is None
    assert found.records[0].winner is None


def test_winners_ranks_and_answers_share_one_rule() -> None:
    """p <= alpha, as mt-metrics-eval has it for ranks."""
    p = np.array([[np.nan, 0.05], [0.95, np.nan]])
    tests = MetricTests("", "system", "pearson", "williams", ("a", "b"), p, 0.05)
    assert tests.winners() == ("a",)
    from tercet.stats.ranks import significance_ranks

    assert significance_ranks(p, 0.05).tolist() == [1, 2]
