"""Cohen's and Fleiss' kappa of judgements; groups of judges, and every two of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import tercet
from tercet.errors import InputError
from tercet.stats.agreement import krippendorff_alpha
from tests.human.build import Row, build_assessments
from tests.ranking.build import rankings

SAID = {"ana": "112122131", "ben": "112212132", "turk1": "221122313", "turk2": "121221213"}
RANKED = rankings(
    *(f"{i} {judge}: A={rank} B=2" for judge, ranks in SAID.items() for i, rank in enumerate(ranks)),
    *(f"{i} ana: A={rank} B=2" for i, rank in enumerate("11")),
)
SCORED = build_assessments(
    [Row(judge, "s", str(i), float(rank)) for judge, ranks in SAID.items() for i, rank in enumerate(ranks)]
)


def labels(judge: str) -> list[int]:
    """Better, tie or worse, and the same in the mirror."""
    return [int(r) for r in SAID[judge]] + [4 - int(r) for r in SAID[judge]]


@pytest.mark.parametrize("weighting", ["none", "linear", "quadratic"])
def test_every_two_judges_have_cohens_kappa(weighting: Any) -> None:
    found = tercet.agreement(RANKED, kappa="cohen", weighting=weighting, by="judges")
    of_two = {(r.first, r.second): r for r in found if r.kind == "inter"}
    assert len(of_two) == 6
    weights = None if weighting == "none" else weighting
    record = of_two["ben", "turk1"]
    assert record.kappa == pytest.approx(cohen_kappa_score(labels("ben"), labels("turk1"), weights=weights))
    assert record.comparable == 9
    assert of_two["ana", "ben"].comparable == 11  # ana judged two items again


def test_scores_are_labels_as_they_are() -> None:
    found = tercet.agreement(SCORED, kappa="cohen", weighting="quadratic", by="judges")
    of_two = {(r.first, r.second): r.kappa for r in found if r.kind == "inter"}
    one, other = ([int(r) for r in SAID[j]] for j in ("ana", "turk2"))
    assert of_two["ana", "turk2"] == pytest.approx(cohen_kappa_score(one, other, weights="quadratic"))
    assert [r.kind for r in found][-2:] == ["alpha", "repeats"]


def test_every_two_judges_of_scores_have_alpha_without_being_asked_for_a_kappa() -> None:
    found = tercet.agreement(SCORED, by="judges", ci=True, samples=50)
    of_two = {(r.first, r.second): r for r in found if r.first is not None}
    assert len(of_two) == 6
    record = of_two["ana", "turk2"]
    unit = np.tile(np.arange(len(SAID["ana"])), 2)
    value = np.array([float(r) for j in ("ana", "turk2") for r in SAID[j]])
    assert record.kind == "alpha"
    assert record.kappa == pytest.approx(krippendorff_alpha(unit, value, "interval"))
    assert record.low is not None
    assert found.of("alpha").kappa == pytest.approx(tercet.agreement(SCORED).of("alpha").kappa)
    assert "alpha:interval|by:judges" in found.signature


def test_groups_of_judges_of_scores_have_alpha_of_their_means() -> None:
    found = tercet.agreement(SCORED, by="groups", groups={"researchers": "[ab]*", "crowd": "turk*"})
    records = {(r.first, r.second): r for r in found if r.first}
    assert set(records) == {("researchers", "researchers"), ("researchers", "crowd"), ("crowd", "crowd")}
    inside = [j for j in SAID if j[0] in "ab"]
    means = [np.mean([[float(r) for r in SAID[j]] for j in part], axis=0) for part in (inside, SAID.keys() - inside)]
    unit = np.tile(np.arange(len(means[0])), 2)
    expected = krippendorff_alpha(unit, np.concatenate(means), "interval")
    assert records["researchers", "crowd"].kappa == pytest.approx(expected)
    assert any("of the means of their scores" in note for note in found.notes)


def test_judges_who_share_nothing_are_counted() -> None:
    rows = [Row("ana", "s", str(i), float(i)) for i in range(12)] + [
        Row("bea", "s", str(i), i + 1.0) for i in range(12)
    ]
    given = build_assessments([*rows, Row("carl", "s", "99", 3.0)])
    found = tercet.agreement(given, by="judges")
    assert [(r.first, r.second) for r in found if r.first] == [("ana", "bea")]
    for said in (found, tercet.agreement(given), tercet.agreement(given, kappa="cohen")):
        assert said.notes[-1] == "1 judge of 3 judged nothing that another one judged as well."
        assert said.plot().axes[0].get_xlabel().endswith("left out: 1 judge who shared nothing")
    everybody = tercet.agreement(build_assessments(rows))
    assert (everybody.alone, everybody.plot().axes[0].get_xlabel()) == (0, "")


def test_cohens_kappa_of_all_judges_is_of_means_over_every_two() -> None:
    every = tercet.agreement(SCORED, kappa="cohen").of("inter")
    of_two = [r for r in tercet.agreement(SCORED, kappa="cohen", by="judges") if r.kind == "inter"]
    agree, expected = (np.mean([getattr(r, name) for r in of_two]) for name in ("p_agree", "p_expected"))
    assert every.kappa == pytest.approx((agree - expected) / (1 - expected))
    assert every.judges == 4


def test_groups_of_judges_have_kappa_inside_and_between() -> None:
    groups = {"researchers": "[ab]*", "crowd": "turk*"}
    found = tercet.agreement(RANKED, by="groups", groups=groups)
    records = {(r.kind, r.first, r.second): r for r in found if r.first}
    assert set(records) == {
        ("inter", "researchers", "researchers"), ("inter", "researchers", "crowd"), ("inter", "crowd", "crowd"),
        ("intra", "researchers", "researchers"), ("intra", "crowd", "crowd"),
    }  # fmt: skip
    crowd = rankings(*(f"{i} {j}: A={r} B=2" for j in ("turk1", "turk2") for i, r in enumerate(SAID[j])))
    alone = tercet.agreement(crowd).of("inter")
    inside = records["inter", "crowd", "crowd"]
    assert (inside.p_agree, inside.comparable) == (alone.p_agree, alone.comparable)
    assert records["inter", "researchers", "crowd"].comparable == 2 * (9 + 11)
    assert records["intra", "researchers", "researchers"].comparable == 2
    assert math.isnan(records["intra", "crowd", "crowd"].p_agree or 0.0)
    assert "by:groups|groups:researchers=[ab]*,crowd=turk*" in found.signature


def test_fleiss_and_wmt_of_all_judges_agree_on_the_share_of_pairs() -> None:
    fleiss, usual = (tercet.agreement(RANKED, kappa=k).of("inter") for k in ("fleiss", "wmt"))
    assert fleiss.p_agree == pytest.approx(usual.p_agree)
    assert fleiss.comparable == usual.comparable


@pytest.mark.parametrize(
    ("data", "options", "complaint"),
    [
        (RANKED, {"compat": True, "kappa": "cohen"}, "compat is the kappa of the WMT findings"),
        (RANKED, {"weighting": "linear"}, "without kappa cohen or fleiss"),
        (RANKED, {"groups": {"a": "*"}}, "Add by='groups'"),
        (RANKED, {"by": "groups"}, "There are no groups of judges"),
        (SCORED, {"by": "groups"}, "There are no groups of judges"),
    ],
)
def test_what_does_not_go_together(data: Any, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        tercet.agreement(data, **options)


def test_a_group_without_judges_is_refused_and_judges_without_a_group_are_named() -> None:
    with pytest.raises(InputError, match="No judge is in the group nobody") as caught:
        tercet.agreement(RANKED, by="groups", groups={"all": "*", "nobody": "x*"})
    assert RANKED.judges[0] in str(caught.value.hint)
    first, *rest = RANKED.judges
    notes = tercet.agreement(RANKED, by="groups", groups={"one": first}).notes
    assert f"Judges of no group, left out of kappa: {', '.join(rest)}." in notes
    assert "Alpha is of all judges." in notes
