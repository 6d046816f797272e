"""Several rankers on the same judgements, side by side."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import tercet
from tercet.errors import InputError
from tercet.report.rankings import side_by_side_table
from tercet.sample import judgements

RANKERS = ["expected-wins", "trueskill", "bradley-terry"]
DATA = judgements("en-de")


def test_each_ranking_is_what_its_ranker_gives_alone() -> None:
    several = tercet.rank(DATA, method=RANKERS, samples=40)
    assert list(several) == RANKERS
    for method in RANKERS:
        assert several[method] == tercet.rank(DATA, method=method, samples=40)
    assert several.signature == several["trueskill"].signature.replace(
        "method:trueskill", f"method:{', '.join(RANKERS)}"
    )
    assert several.notes == several["trueskill"].notes


def test_every_two_rankers_are_correlated() -> None:
    specs = ["da", "da(standardize=none)", "da(control=none)"]
    several = tercet.rank(judgements("en-de", "da"), method=specs, samples=40)
    assert [(two.first, two.second) for two in several.agreement] == [
        (specs[0], specs[1]), (specs[0], specs[2]), (specs[1], specs[2]),
    ]  # fmt: skip
    for two in several.agreement:
        systems = sorted(r.system for r in several[two.first])
        one, other = (np.array([several[name].value(s) for s in systems]) for name in (two.first, two.second))
        assert two.kendall == pytest.approx(stats.kendalltau(one, other).statistic)
        assert two.spearman == pytest.approx(stats.spearmanr(one, other).statistic)


def test_records_are_flat_and_say_the_method() -> None:
    several = tercet.rank(judgements("en-de", "esa"), method=["da", "esa"], samples=40)
    records = several.as_records()
    assert [r["method"] for r in records] == ["da"] * 5 + ["esa"] * 5
    assert all(list(r) == list(records[0]) for r in records)
    assert records[0]["wins"] is not None
    assert records[5]["wins"] is None  # esa makes no tests
    assert [r["score"] for r in records[5:]] == [r.score for r in several["esa"]]


def test_the_table_has_three_columns_a_ranker_in_the_order_of_the_first() -> None:
    several = tercet.rank(DATA, method=("others", "trueskill"), samples=40)
    table = side_by_side_table(several, digits=1)
    assert table.header == ("system", "others", "range", "cluster", "trueskill", "range", "cluster")
    assert [row[0] for row in table.rows] == [r.system for r in several["others"]]
    amber = {r.system: r for r in several["trueskill"]}["amber"]
    assert table.rows[0][4] == f"{amber.score:.1f}"
    assert table.notes[0].startswith("others and trueskill: Kendall ")


def test_a_list_of_one_is_a_table_of_one() -> None:
    several = tercet.rank(DATA, method=["others"], samples=40)
    assert (len(several), several.agreement) == (1, ())


@pytest.mark.parametrize("methods", [[], ["others", "others"], ["trueskill", "trueskill(draw_probability=0.25)"]])
def test_none_or_the_same_twice_is_refused(methods: list[str]) -> None:
    with pytest.raises(InputError, match="each must be another one"):
        tercet.rank(DATA, method=methods, samples=40)


def test_every_one_must_fit_the_judgements() -> None:
    with pytest.raises(InputError, match="da cannot rank"):
        tercet.rank(DATA, method=["others", "da"], samples=40)
