"""A short run of the fuzzer with fixed seeds; and a fuzzer that finds what it must find."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from collections import Counter

import numpy as np
import pytest
from fuzz import driver, kernel_calls, samples, statistic_calls, targets
from fuzz.inputs import Draw

from tercet.data import Array
from tercet.errors import TercetError
from tercet.metrics import METRICS
from tercet.text import TOKENIZERS
from tests.hostile import broken
from tests.kernels import hostile


@functools.cache
def names() -> set[str]:
    """Of all targets."""
    return set(targets.every())


def quiet(_: str) -> None:
    """Finds are looked at when all is done."""


@pytest.mark.thorough
def test_the_first_seeds_find_nothing() -> None:
    outcome = driver.run(driver.Plan(seeds=1), on_find=quiet)
    assert outcome.finds == []
    assert outcome.plays == len(names())


def test_everything_that_is_registered_is_a_target() -> None:
    assert {f"metric/{name}" for name in METRICS} <= names()
    assert {f"tokenizer/{name}" for name in TOKENIZERS} <= names()
    assert {f"kernel/{kernel.name}" for kernel in hostile.kernels()} <= names()
    kinds = {name.partition("/")[0] for name in names()}
    assert {"metric", "tokenizer", "stemmer", "ranker", "measure", "gold", "kernel", "statistic", "reader"} <= kinds


def test_what_is_registered_later_is_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS.table, "hidden", "tests.hostile.broken:Hidden")
    assert "metric/hidden" in targets.every()


@pytest.mark.thorough
def test_what_goes_wrong_is_found() -> None:
    """And whatever a worker died of, another one goes on behind it."""
    outcome = driver.run(driver.Plan(seeds=1, source="tests.hostile.broken", longest=2), on_find=quiet)
    finds = {find.partition(":")[0]: find for find in outcome.finds}
    assert set(finds) == {name for name, told in broken.TOLD.items() if told}
    for name, find in finds.items():
        assert broken.TOLD[name] in find
        assert f"python -m fuzz --replay {name}:0" in find
    assert outcome.plays == len(broken.TOLD) - len(finds)


def test_a_play_is_the_same_again() -> None:
    """Of one name and seed, whatever was played before."""
    one, other = (Draw("metric/bleu", 5, [], pathlib.Path()).segments() for _ in "ab")
    assert one == other
    assert one != Draw("metric/bleu", 6, [], pathlib.Path()).segments()


@pytest.mark.thorough
def test_a_sitting_goes_on_where_the_last_one_stopped(tmp_path: pathlib.Path) -> None:
    """No seed is played or counted twice, and what was found stays found."""
    state = tmp_path / "state.json"
    plan = driver.Plan(("refuse", "slip"), seeds=2, source="tests.hostile.broken")
    driver.save(driver.run(plan, on_find=quiet), state)
    first = driver.load(state)
    assert (first.inputs.total(), first.plays, len(first.finds)) == (2, 2, 2)
    assert first.answered.total() == 0  # all of them were refused
    assert first.reached == {"refuse": 2, "slip": 2}
    again = driver.run(dataclasses.replace(plan, seeds=3), on_find=quiet, before=first)
    assert (again.inputs.total(), again.plays, len(again.finds)) == (3, 3, 3)
    assert again.finds[-1].startswith("slip:2")
    assert again.seconds > first.seconds
    enough = driver.run(dataclasses.replace(plan, inputs=3), on_find=quiet, before=again)
    assert enough == again


def test_every_statistic_answers() -> None:
    """Within some seeds: else its arguments are none, and nothing is tried."""
    every = {name: play for name, play in targets.every().items() if name.startswith("statistic/")}
    for name, play in every.items():
        for seed in range(30):
            play(Draw(name, seed, [], pathlib.Path()))
            if statistic_calls.ANSWERED[name.replace("statistic/", "tercet.stats.")]:
                break
    answered = {what.replace("tercet.stats.", "statistic/") for what in statistic_calls.ANSWERED}
    assert sorted({*every} - answered) == []


def test_every_kernel_answers() -> None:
    """Also calls that differ from the one that was looked for."""
    every = {name: play for name, play in targets.every().items() if name.startswith("kernel/")}
    for name, play in every.items():
        for seed in range(8, 20):
            play(Draw(name, seed, [], pathlib.Path()))
            if kernel_calls.ANSWERED[name.removeprefix("kernel/")] >= 3:
                break
    few = {name for name in every if kernel_calls.ANSWERED[name.removeprefix("kernel/")] < 3}
    assert few == set()


def test_every_feature_is_played(tmp_path: pathlib.Path) -> None:
    """Also those that cannot be without a file."""
    (tmp_path / "damaged").mkdir()
    files = samples.write(tmp_path)
    every = {name: play for name, play in targets.every().items() if name.startswith("feature/")}

    def played(name: str) -> bool:
        return any(_inputs(every[name], Draw(name, seed, files, tmp_path / "damaged")) for seed in range(8))

    assert [name for name in every if not played(name)] == []


def _inputs(play: targets.Play, draw: Draw) -> int:
    try:
        return play(draw)
    except TercetError:
        return 0


def fragile(values: Array) -> float:
    """Answers sound numbers alone."""
    return float([1.0][int(np.isnan(values).any())])


def test_a_statistic_that_strange_numbers_break_is_found() -> None:
    draw = Draw("fragile", 0, [], pathlib.Path())
    with pytest.raises(IndexError):
        sum(statistic_calls.play_statistic(fragile, draw) for _ in range(30))


def test_what_is_told_names_what_was_never_called() -> None:
    outcome = driver.Outcome(reached={"statistic/a": 3, "statistic/b": 3}, useful=["statistic/b"], too_much=2)
    outcome.inputs, outcome.answered = Counter(statistic=9, stemmer=4), Counter(statistic=7, stemmer=4)
    assert "13 inputs in 0 plays, 0 s: 9 statistic (7 answered), 4 stemmer\n" in outcome.told()
    assert "No call fitted of statistic/a\n2 times a worker ended for too much memory\n0 finds" in outcome.told()


def test_a_replay_is_of_one_target() -> None:
    assert driver.chosen_targets(driver.Plan(("metric/chrf",), exact=True), names()) == ["metric/chrf"]
    assert len(driver.chosen_targets(driver.Plan(("metric/chrf",)), names())) > 1
    assert driver.chosen_targets(driver.Plan(), names()) == sorted(names())


@pytest.mark.parametrize("exact", [True, False])
def test_what_is_no_target_is_not_played_silently(exact: bool) -> None:
    with pytest.raises(LookupError, match="There is no target metric/nope"):
        driver.chosen_targets(driver.Plan(("metric/bleu", "metric/nope"), exact=exact), names())
