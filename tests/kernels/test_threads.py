"""The kernels' own threads: shared by Python threads, and made anew after a fork."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

import tercet

HYPS = [f"the {i} cats sat on mat number {i % 7}" for i in range(900)]
REFS = [f"{i} cats sat on the mat number {i % 5}" for i in range(900)]


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
