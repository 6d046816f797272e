"""A run beside an earlier one, read from its JSON."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import tercet
from tercet.data import Comparison
from tercet.errors import InputError

REFERENCE = [f"the {n} old cats sat on the mat near the door" for n in ("two", "three", "four", "five")] * 5
BEFORE = [t.replace("cats", "dogs") if i < 10 else t for i, t in enumerate(REFERENCE)]
NOW = [t.replace("sat", "sit") if i == 19 else t for i, t in enumerate(REFERENCE)]


def compared(systems: dict[str, list[str]], **more: Any) -> Comparison:
    """Against the reference."""
    return tercet.compare(systems, REFERENCE, metrics=["chrf"], samples=200, **more)


@pytest.fixture
def earlier(tmp_path: pathlib.Path) -> pathlib.Path:
    """A comparison written as JSON."""
    found = compared({"other": list(REFERENCE), "mine": BEFORE})
    path = tmp_path / "previous.json"
    path.write_text(json.dumps(found.to_dict()), encoding="utf-8")
    return path


def test_which_sentences_changed(earlier: pathlib.Path) -> None:
    found = compared({"mine": NOW}, baseline=str(earlier))
    assert found.systems == ("mine (earlier)", "mine")
    assert found.baseline == "mine (earlier)"
    (track,) = found.tracks
    assert (track.system, track.earlier) == ("mine", "mine (earlier)")
    assert track.changed == (*range(10), 19)
    assert sorted(track.better) == list(range(10))
    assert track.worse == (19,)
    assert found.difference("chrf", "mine").verdict == "better"
    assert "11 of 20 outputs of mine have changed: by chrf 10 got better and 1 worse." in found.answers


def test_several_systems_each_with_its_own_past(earlier: pathlib.Path) -> None:
    found = compared({"other": NOW, "mine": NOW, "new": NOW}, baseline=earlier)
    assert [(t.system, t.earlier) for t in found.tracks] == [
        ("other", "other (earlier)"),
        ("mine", "mine (earlier)"),
    ]
    assert found.tracks[0].worse == (19,)


def test_what_was_earlier_then_is_left_behind(earlier: pathlib.Path, tmp_path: pathlib.Path) -> None:
    again = tmp_path / "now.json"
    again.write_text(json.dumps(compared({"mine": NOW}, baseline=earlier).to_dict()), encoding="utf-8")
    found = compared({"mine": list(REFERENCE)}, baseline=again)
    assert found.systems == ("mine (earlier)", "mine")
    assert found.testset.systems["mine (earlier)"].strings == tuple(NOW)


def test_one_system_need_not_keep_its_name(tmp_path: pathlib.Path, earlier: pathlib.Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(
        json.dumps(compared({"v1": BEFORE}, baseline=earlier_of(earlier, "v1")).to_dict()), encoding="utf-8"
    )
    assert compared({"v2": NOW}, baseline=path).systems == ("v1 (earlier)", "v2")


def earlier_of(path: pathlib.Path, name: str) -> pathlib.Path:
    """The same run with one system under another name."""
    found = json.loads(path.read_text(encoding="utf-8"))
    found["testset"]["outputs"] = {name: found["testset"]["outputs"]["mine"]}
    other = path.with_name("renamed.json")
    other.write_text(json.dumps(found), encoding="utf-8")
    return other


def test_a_system_may_be_called_like_a_file() -> None:
    found = compared({"a.json": BEFORE, "b": NOW}, baseline="a.json")
    assert (found.baseline, found.tracks) == ("a.json", ())


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"format": "other"}, "no comparison that was written before"),
        ({"testset": None}, "holds no outputs"),
        ({"tracks": None}, "holds no outputs"),
        ({"testset": {"segments": ["1"], "outputs": {"mine": []}, "references": []}}, "another test set"),
        (
            {"testset": {"segments": [str(i) for i in range(1, 21)], "outputs": {"mine": []}, "references": []}},
            "other references",
        ),
    ],
)
def test_other_files_are_refused(earlier: pathlib.Path, fault: dict[str, Any], said: str) -> None:
    found = json.loads(earlier.read_text(encoding="utf-8"))
    earlier.write_text(json.dumps({**found, **fault}), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        compared({"mine": NOW}, baseline=earlier)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"format": "tercet-comparison-1"}'])
def test_what_is_no_comparison_is_refused(tmp_path: pathlib.Path, text: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"odd\.json"):
        compared({"mine": NOW}, baseline=path)


def test_a_file_that_is_not_there_is_not_called_broken() -> None:
    with pytest.raises(InputError) as error:
        compared({"mine": NOW}, baseline="nosuch.json")
    assert "nosuch.json" in str(error.value)
    assert "is no JSON" not in str(error.value)


def test_other_systems_are_refused(earlier: pathlib.Path) -> None:
    with pytest.raises(InputError, match="none of the systems yours") as error:
        compared({"yours": NOW}, baseline=earlier)
    assert "other, mine" in str(error.value)


@pytest.mark.parametrize("outputs", [["a"], "text", [1] * 20])
def test_wrong_outputs_are_refused(earlier: pathlib.Path, outputs: Any) -> None:
    found = json.loads(earlier.read_text(encoding="utf-8"))
    found["testset"]["outputs"]["mine"] = outputs
    earlier.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(InputError):
        compared({"mine": NOW}, baseline=earlier)
