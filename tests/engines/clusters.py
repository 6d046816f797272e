"""A Dask scheduler and its workers, each a process of this machine, that tests may kill."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import time

from tests.conftest import ROOT

_SCHEDULER = """
import asyncio, distributed
async def main():
    async with distributed.Scheduler(host="127.0.0.1", port=0, dashboard_address="127.0.0.1:0", **{more}) as one:
        print(one.address, flush=True)
        await one.finished()
asyncio.run(main())
"""
_WORKER = """
{before}
import asyncio, sys, distributed
async def main():
    async with distributed.Worker("{address}", nthreads=1, **{more}) as one:
        print(one.address, flush=True)
        await one.finished()
asyncio.run(main())
"""


def _started(program: str, folder: pathlib.Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{program}"],
        cwd=folder,  # another one than ours, as on another machine
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _address(process: subprocess.Popen[str]) -> str:
    """What a process says when it is ready."""
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert address, "it has ended"
    return address


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder: pathlib.Path, scheduler: str = "dict()", worker: str = "dict()") -> None:
        self.folder, self.worker = folder, worker
        self.scheduler = _started(_SCHEDULER.format(more=scheduler), folder)
        self.address = _address(self.scheduler)
        self.workers: list[subprocess.Popen[str]] = []

    @property
    def spec(self) -> str:
        """What --engine takes."""
        scheme, _, place = self.address.partition("://")
        return f"dask{'+tls' if scheme == 'tls' else ''}://{place}"

    def fill(self, n_workers: int) -> None:
        """Start as many workers as are missing."""
        new = [self._worker("") for _ in range(n_workers - len(self.workers))]
        self.workers += new
        for worker in new:
            _address(worker)

    def mourn(self, n_workers: int) -> None:
        """Wait until so many workers have ended, and forget them."""
        while len(ended := [worker for worker in self.workers if worker.poll() is not None]) < n_workers:
            time.sleep(0.01)
        self.workers = [worker for worker in self.workers if worker not in ended]
        for worker in ended:
            _forgotten(worker)

    def add(self, before: str) -> subprocess.Popen[str]:
        """One worker more, which runs something first."""
        self.workers.append(self._worker(before))
        _address(self.workers[-1])
        return self.workers[-1]

    def _worker(self, before: str) -> subprocess.Popen[str]:
        return _started(_WORKER.format(before=before, address=self.address, more=self.worker), self.folder)

    def end(self) -> None:
        """Nothing is left."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            _forgotten(process)


def _forgotten(process: subprocess.Popen[str]) -> None:
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
