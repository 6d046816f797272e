"""Engines: where parts of the work are done. An engine has one method, and never changes a result.

    map(function, parts) -> results, in the order of the parts

    threads         here, one part after the other; kernels use all cores
    processes:N     by N processes of this machine, which get the function once, and a few parts at a time

Another engine is another class with that method, and a line in `engine`.
"""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import dataclasses
import itertools
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Any, ClassVar, Protocol, TypeVar

from tercet.errors import InputError

P = TypeVar("P")
R = TypeVar("R")

MOST_PROCESSES = 1024
AHEAD = 2  # parts that wait for each worker: so many are held at once


class Engine(Protocol):
    """Where parts of the work are done."""

    elsewhere: ClassVar[bool]  # whether function and parts leave this process, for another one of ours

    @property
    def workers(self) -> int:
        """How many parts are worked on at once."""

    def map(self, function: Callable[[P], R], parts: Iterable[P]) -> Iterator[R]:
        """What the function gives for each part, in the order of the parts, which are taken as they are needed."""


@dataclasses.dataclass(frozen=True)
class Here:
    """One part after the other, in this process."""

    elsewhere: ClassVar[bool] = False
    workers: int = 1

    def map(self, function: Callable[[P], R], parts: Iterable[P]) -> Iterator[R]:
        """The results, as they are asked for."""
        return map(function, parts)


@dataclasses.dataclass(frozen=True)
class Processes:
    """Some processes of this machine."""

    workers: int
    elsewhere: ClassVar[bool] = True

    def map(self, function: Callable[[P], R], parts: Iterable[P]) -> Iterator[R]:
        """The results in the order of the parts; nothing of the processes is left behind, whatever happens."""
        before = set(multiprocessing.active_children())
        pool = concurrent.futures.ProcessPoolExecutor(
            self.workers, multiprocessing.get_context("spawn"), initializer=_receive, initargs=(function,)
        )
        waiting: collections.deque[concurrent.futures.Future[Any]] = collections.deque()
        rest = iter(parts)
        finished = False
        try:
            while True:
                more = list(itertools.islice(rest, self.workers * AHEAD - len(waiting)))
                with _deaf():
                    waiting.extend(pool.submit(_call, part) for part in more)
                if not waiting:
                    break
                yield waiting.popleft().result()
            finished = True
        except BrokenProcessPool as error:
            raise InputError(
                "A worker process has ended before its work was done.",
                hint="Something ended it, perhaps for want of memory: try again with fewer, say --engine processes:1.",
            ) from error
        finally:
            pool.shutdown(wait=finished, cancel_futures=True)
            for child in () if finished else set(multiprocessing.active_children()) - before:
                child.terminate()
                while child.is_alive():  # join returns at once while the pool's own thread reaps the child
                    child.join(0.01)


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started here never hear Ctrl-C: who asked hears of it, right after this, and ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_FUNCTION: list[Callable[[Any], Any]] = []  # what this worker is for


def _receive(function: Callable[[Any], Any]) -> None:
    _FUNCTION[:] = [function]


def _call(part: Any) -> Any:
    return _FUNCTION[0](part)


def engine(spec: str) -> Engine:
    """The engine that a word names.

    >>> engine("processes:4").workers
    4
    """
    kind, colon, number = spec.partition(":")
    if kind == "threads" and not colon:
        return Here()
    if kind == "processes" and number.isascii() and number.isdecimal() and 1 <= int(number[:5]) <= MOST_PROCESSES:
        return Processes(int(number))
    raise InputError(
        f"There is no engine {spec!r}.",
        hint=f"threads, or processes:N with N from 1 to {MOST_PROCESSES}; on several machines, --shard.",
    )
