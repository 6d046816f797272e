"""Engines: the same results in the same order, wherever the work is done; faults are told in a sentence."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

import tercet
from tercet.data import statistics
from tercet.engines import AHEAD, Processes, engine
from tercet.errors import InputError
from tests.contract.test_shards import TEXTS, as_bytes, usable


def doubled(n: int) -> int:
    return 2 * n


def slow_at_first(n: int) -> int:
    time.sleep(0.2 if n == 0 else 0)
    return n


def kills_itself(n: int) -> int:
    if n == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return n


def refuses(n: int) -> int:
    raise InputError(f"There is no {n}.", hint="Take another.")


def test_results_are_in_the_order_of_the_parts() -> None:
    assert list(Processes(2).map(slow_at_first, range(9))) == list(range(9))
    assert list(engine("threads").map(doubled, range(3))) == [0, 2, 4]
    assert list(Processes(2).map(doubled, [])) == []


def test_no_more_parts_are_taken_than_wait_for_workers() -> None:
    taken = []

    def parts() -> Any:
        for i in range(100):
            taken.append(i)
            yield i

    results = iter(Processes(1).map(doubled, parts()))
    assert next(results) == 0
    assert len(taken) == AHEAD
    results.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []


def test_a_worker_that_is_killed_is_told_of() -> None:
    with pytest.raises(InputError, match="A worker process has ended before its work was done"):
        list(Processes(2).map(kills_itself, range(9)))
    assert multiprocessing.active_children() == []


def test_what_a_worker_refuses_is_refused_here() -> None:
    with pytest.raises(InputError) as error:
        list(Processes(1).map(refuses, range(2)))
    assert str(error.value) == "There is no 0. Take another."


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "thread",
        "threads:2",
        "processes",
        "processes:0",
        "processes:x",
        "processes:-1",
        "processes:99999999999",
        "processes:١",
        "dask://host",
    ],
)
def test_an_engine_that_there_is_not_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match="There is no engine"):
        tercet.score({"a": ["x"]}, ["x"], engine=spec)


QUESTION: dict[str, Any] = {"ci": True, "paired": "randomization", "samples": 40, "trials": 40}


def test_processes_give_the_bytes_of_threads_for_every_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 5)  # four blocks
    options: dict[str, Any] = {"testset": TEXTS, "metrics": usable(), **QUESTION}
    assert as_bytes(tercet.score(**options, engine="processes:2")) == as_bytes(tercet.score(**options))


def test_processes_give_the_bytes_of_threads_at_other_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 4)
    for level in ("document", "segment"):
        options: dict[str, Any] = {"testset": TEXTS, "metrics": ["nist", "yisi-0", "ter"], "level": level}
        assert as_bytes(tercet.score(**options, engine="processes:2")) == as_bytes(tercet.score(**options))


def test_a_shard_can_be_counted_by_processes(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 3)
    options: dict[str, Any] = {"testset": TEXTS, "metrics": ["nist", "bleu"], "shard": "2/2"}
    here = tercet.score_shard(**options, part=tmp_path / "here")
    there = tercet.score_shard(**options, part=tmp_path / "there", engine="processes:2")
    assert here.read_bytes() == there.read_bytes()


def test_a_block_that_is_too_large_for_a_worker_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_MEMORY", "1K")
    with pytest.raises(InputError, match=r"The texts of blocks that wait for processes: .* Leave out --engine"):
        tercet.score({"a": ["x" * 900]}, ["y"], metrics=["wer"], engine="processes:2")


def test_a_pipe_cannot_be_learnt_from_twice(tmp_path: pathlib.Path) -> None:
    (tmp_path / "ref").write_text("a\n", encoding="utf-8")
    words = ["score", "-", "-r", str(tmp_path / "ref"), "--engine", "processes:1", "-m"]
    run = [sys.executable, "-m", "tercet", *words]
    done = subprocess.run([*run, "nist"], input="a\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tercet: What comes by a pipe is read once, and nist reads it twice.")
    assert (
        subprocess.run([*run, "wer", "-b"], input="a\n", capture_output=True, text=True, check=True).stdout == "0.00\n"
    )
