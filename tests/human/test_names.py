"""Names of systems: the stated rule, step by step, and what does not match."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tercet.errors import InputError
from tercet.human.names import match_systems, matched, short
from tests.ranking.build import rankings


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("a.1", "a.1"),
        ("newstest2015.online-B.0.cs-en.txt", "online-B.0"),
        ("newstest2016.uedin-nmt.4302.ro-en", "uedin-nmt.4302"),
        ("newstest2015.x.y.12.cs-en.sgm", "x.y"),
        ("uedin-syntax.3289", "uedin-syntax"),
        ("onlineB", "online-B.0"),
        ("Huawei_TSC.1539", "huawei-tsc"),
    ],
)
def test_the_same_system(ours: str, theirs: str) -> None:
    assert matched([ours], [theirs], {}) == {ours: theirs}
    assert matched([theirs], [ours], {}) == {theirs: ours}


@pytest.mark.parametrize(
    ("ours", "theirs"), [("a", "b"), ("online-A", "online-B"), ("x.1", "x.2.z"), ("uedin.1", "uedin.2"), ("A.1", "a.2")]
)
def test_not_the_same_system(ours: str, theirs: str) -> None:
    assert matched([ours], [theirs], {}) == {}


def test_a_nearer_name_goes_first() -> None:
    assert matched(["a.1", "a.2"], ["a.2", "a"], {}) == {"a.2": "a.2", "a.1": "a"}


def test_two_candidates_match_nothing() -> None:
    assert matched(["a.1", "a.2"], ["a"], {}) == {}
    assert matched(["a"], ["a.1", "a.2"], {}) == {}


def test_the_map_decides_first() -> None:
    assert matched(["a", "b"], ["a", "c"], {"b": "a", "a": "c"}) == {"b": "a", "a": "c"}


@pytest.mark.parametrize(("names", "side"), [({"z": "a"}, "judgements"), ({"a": "z"}, "test set")])
def test_a_map_of_something_unknown_is_an_error(names: dict[str, str], side: str) -> None:
    with pytest.raises(InputError, match=f"not in the {side}"):
        matched(["a"], ["a"], names)


def test_judgements_take_the_names_of_the_test_set() -> None:
    data = rankings("1 j: newstest2015.a.1.xx-yy.txt=1 B=2")
    assert match_systems(data, ["b", "a", "never-judged"]).systems == ("a", "b")


def test_what_does_not_match_lists_both_sides() -> None:
    data = dataclasses.replace(rankings("1 j: a=1", "1 j: a=1 strange=2"), line=np.array([2, 3]))
    with pytest.raises(InputError) as error:
        match_systems(data, ["a", "other", "third"])
    assert "line 3, judges strange, which the test set does not have" in str(error.value)
    assert "other, third are left" in str(error.value)
    assert "--name" in error.value.hint


def test_two_systems_cannot_become_one() -> None:
    with pytest.raises(InputError, match="a, b would all be called 'x'"):
        rankings("1 j: a=1 b=2").renamed({"a": "x", "b": "x"})


def test_a_name_that_is_no_file_stays() -> None:
    assert short("online-B.0") == "online-B.0"


def test_references_among_the_systems_need_no_match() -> None:
    assert match_systems(rankings("1 j: A=1 refA=2"), ["a"]).systems == ("a", "refA")
