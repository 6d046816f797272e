"""The kernels' own threads: shared by Python threads, and made anew after a fork."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import tercet
from tests.conftest import ROOT

HYPS = [f"the {i} cats sat on mat number {i % 7}" for i in range(900)]
REFS = [f"{i} cats sat on the mat number {i % 5}" for i in range(900)]
FORKS = 300


def scores(threads: int) -> list[float]:
    return [tercet.metric(m).corpus(HYPS, REFS, threads=threads) for m in ("bleu", "chrf++", "ter", "wer")]


def test_python_threads_may_all_ask_at_once() -> None:
    alone = scores(1)
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda _: scores(3), range(12))) == [alone] * 12


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_has_threads_of_its_own() -> None:
    expected = scores(2)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, b"same" if scores(2) == expected else b"other")
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        assert answer.read() == b"same"
    os.waitpid(child, 0)


# In a small process of its own, which is forked at little cost. Each `prepare` takes scratch memory for every single
# word, all from one place; a child that waits for a lock for ever is ended by its alarm, as it has no handler.
PROGRAM = """
import os, signal, sys, threading
from tercet import kernels
from tests.kernels.packing import pack_tokens

words = pack_tokens([[f"w{i}"] for i in range(2000)])


def trainer():
    made = kernels.Ibm1Trainer(False, 10)
    made.add(words, words)
    return made


def forked(mine):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            os.write(write, b"same" if mine.prepare(2) == len(words[2]) - 1 else b"other")
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        found = answer.read().decode()
    os.waitpid(child, 0)
    return found or "hung"


done, mine, other = threading.Event(), trainer(), trainer()
worker = threading.Thread(target=lambda: [other.prepare(2) for _ in iter(done.is_set, True)])
worker.start()
try:
    for _ in range(int(sys.argv[1])):
        print(ending := forked(mine))
        if ending != "same":
            break
finally:
    done.set()
    worker.join()
"""


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_children_forked_in_the_middle_of_kernels_end() -> None:
    """Whatever lock another thread held when the child was made, the child does not wait for it."""
    python = [sys.executable, *(["-S"] if sys.flags.no_site else [])]
    done = subprocess.run([*python, "-c", PROGRAM, str(FORKS)], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stdout.split(), done.stderr) == (["same"] * FORKS, "")
