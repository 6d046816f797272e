"""Group commit: one thread writes what many ask for, in one transaction for all that waits."""

from __future__ import annotations

import asyncio
import dataclasses
import queue
import threading
from collections.abc import Callable, Sequence

from tercet.campaigns.log import Event, Log, Stored

MOST = 256  # events of a transaction


@dataclasses.dataclass(frozen=True)
class Job:
    """Events that someone waits for."""

    events: Sequence[Event]
    loop: asyncio.AbstractEventLoop
    waiting: asyncio.Future[list[Stored]]


class Writer:
    """Writes to the log from a thread of its own; `follow` hears, on the loop, of what is stored before others do."""

    def __init__(self, log: Log, follow: Callable[[Sequence[Stored]], None], most: int = MOST) -> None:
        self._log, self._follow, self._most = log, follow, most
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self.transactions = self.written = 0

    def start(self) -> None:
        """Become the one who writes."""
        self._log.hold()
        self._thread.start()

    def stop(self) -> None:
        """Write what waits, then end."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join()

    async def write(self, events: Sequence[Event]) -> list[Stored]:
        """Events in the log: they are on disk when this returns."""
        if not events:
            return []
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[list[Stored]] = loop.create_future()
        self._queue.put(Job(events, loop, waiting))
        return await waiting

    def _run(self) -> None:
        while (job := self._queue.get()) is not None:
            jobs, n, ended = [job], len(job.events), False
            while n < self._most:
                try:
                    more = self._queue.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    ended = True
                    break
                jobs.append(more)
                n += len(more.events)
            self._write(jobs)
            if ended:
                return

    def _write(self, jobs: Sequence[Job]) -> None:
        try:
            stored = self._log.append([event for job in jobs for event in job.events])
        except Exception as error:
            for job in jobs:
                job.loop.call_soon_threadsafe(_fail, job, error)
            return
        self.transactions += 1
        self.written += len(stored)
        jobs[0].loop.call_soon_threadsafe(self._finish, jobs, stored)

    def _finish(self, jobs: Sequence[Job], stored: list[Stored]) -> None:
        self._follow(stored)
        place = 0
        for job in jobs:
            results = stored[place : place + len(job.events)]
            place += len(job.events)
            if not job.waiting.done():
                job.waiting.set_result(results)


def _fail(job: Job, error: Exception) -> None:
    if not job.waiting.done():
        job.waiting.set_exception(error)
