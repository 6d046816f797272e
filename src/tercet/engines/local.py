"""What an engine is, and those of this machine: this process, and some others."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import itertools
import signal
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from tercet.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Future

P = TypeVar("P")
R = TypeVar("R")
F = TypeVar("F")

MOST_PROCESSES = 1024
AHEAD = 2  # parts that wait for each worker: so many are held at once


class Engine(Protocol):
    """Where parts of the work are done."""

    elsewhere: ClassVar[bool]  # whether function and parts leave this process, for another one of ours

    @property
    def workers(self) -> int:
        """How many parts are worked on at once."""

    @property
    def told(self) -> str:
        """What who waits may want to know: where to look on. Nothing, where there is nothing to see."""

    def threads(self, cores: int) -> int:
        """How many threads each worker may use, where so many are for all of them."""

    def everywhere(self, function: Callable[[], R]) -> list[R | BaseException]:
        """What the function gives on each machine that has workers, or what befell it there."""

    def map(self, function: Callable[[P], R], parts: Iterable[P]) -> Iterator[R]:
        """What the function gives for each part, in the order of the parts, which are taken as they are needed."""


def in_flight(submit: Callable[[list[P]], Iterable[F]], parts: Iterable[P], most: int) -> Iterator[F]:
    """What `submit` gives for each part, in their order; no more than so many parts are under way at once."""
    waiting: collections.deque[F] = collections.deque()
    rest = iter(parts)
    while True:
        waiting.extend(submit(list(itertools.islice(rest, most - len(waiting)))))
        if not waiting:
            return
        yield waiting.popleft()


@dataclasses.dataclass(frozen=True)
class Here:
    """One part after the other, in this process."""

    elsewhere: ClassVar[bool] = False
    workers: int = 1
    told: str = ""

    def threads(self, cores: int) -> int:
        """All of them."""
        return cores

    def everywhere(self, function: Callable[[], R]) -> list[R | BaseException]:
        """On this machine, the only one."""
        return [function()]

    def map(self, function: Callable[[P], R], parts: Iterable[P]) -> Iterator[R]:
        """The results, as they are asked for."""
        return map(function, parts)


@dataclasses.dataclass(frozen=True)
class Processes:
    """Some processes of this machine."""

    workers: int
    elsewhere: ClassVar[bool] = True
    told: str = ""

    def threads(self, cores: int) -> int:
        """A share of the cores."""
        return max(1, cores // self.workers)

    def everywhere(self, function: Callable[[], R]) -> list[R | BaseException]:
        """On this machine, the only one."""
        return [function()]

    def map(self, function: Callable[[P], R], parts: Iterable[P]) -> Iterator[R]:
        """The results in the order of the parts; nothing of the processes is left behind, whatever happens."""
        import multiprocessing
        from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

        before = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(
            self.workers, multiprocessing.get_context("spawn"), initializer=_receive, initargs=(function,)
        )

        def submit(some: list[P]) -> list[Future[R]]:
            with _deaf():
                return [pool.submit(_call, part) for part in some]

        finished = False
        try:
            for future in in_flight(submit, parts, self.workers * AHEAD):
                yield future.result()
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
