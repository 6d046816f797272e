"""A campaign's server in a process of its own, to be killed, traced and loaded."""

from __future__ import annotations

import contextlib
import http.client
import multiprocessing
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, NamedTuple

from tercet.cli import main
from tercet.data import TestSet

_FORKS = multiprocessing.get_context("forkserver")
PATIENCE = 120.0  # seconds for a server to come up, on a machine that does much else


def free_port() -> int:
    """A port of the loopback that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def many(n: int, systems: int = 5) -> TestSet:
    """A test set of made-up sentences, no two alike."""
    outputs = {f"system{s}": [f"sentence {i} as system {s} has it" for i in range(n)] for s in range(systems)}
    return TestSet.of(outputs, [f"sentence {i}" for i in range(n)], sources=[f"Satz {i}" for i in range(n)])


class Running(NamedTuple):
    """A server, whoever is its parent; it leads a group of processes."""

    pid: int
    is_over: Callable[[], bool]
    wait: Callable[[], object]
    errors: pathlib.Path


def start(campaign: Any, port: int, before: Sequence[str] = (), together: int = 256) -> Running:
    """Serve a campaign; returns when it answers. Words `before` the command, as of strace, are for a shell's way."""
    words = ["campaign", "serve", str(campaign), "--port", str(port), "--together", str(together)]
    descriptor, errors = tempfile.mkstemp(prefix="tercet-server-")
    with os.fdopen(descriptor, "wb") as file:
        server = (
            _in_a_shell([*before, sys.executable, "-m", "tercet", *words], file) if before else _forked(words, errors)
        )
    running = Running(*server, pathlib.Path(errors))
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if running.is_over():
            text = running.errors.read_text()
            end(running)
            raise AssertionError(text)
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            with contextlib.closing(connection):
                connection.request("GET", "/login")
                if connection.getresponse().status == 200:
                    return running
        time.sleep(0.02)
    end(running)
    raise AssertionError("the server did not come up")


def _in_a_shell(words: Sequence[str], errors: IO[bytes]) -> tuple[int, Callable[[], bool], Callable[[], object]]:
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True)
    return process.pid, lambda: process.poll() is not None, process.wait


def _forked(words: Sequence[str], errors: str) -> tuple[int, Callable[[], bool], Callable[[], object]]:
    """A copy of a process that has loaded everything: there is nothing left to load, which takes most of a start."""
    _FORKS.set_forkserver_preload([__name__, "tests.server.warm"])
    process = _FORKS.Process(target=_serve, args=(words, errors))
    process.start()
    assert process.pid is not None
    return process.pid, lambda: not process.is_alive(), process.join


def _serve(words: Sequence[str], errors: str) -> None:
    """The command, in the new process."""
    os.setsid()
    with pathlib.Path(errors).open("w") as file:
        os.dup2(file.fileno(), 2)
    sys.argv = ["tercet", *words]
    main()


def end(running: Running, how: signal.Signals = signal.SIGKILL) -> None:
    """End a server and what it started."""
    end_group(running, how)
    running.errors.unlink()


def end_group(process: Running | subprocess.Popen[bytes], how: signal.Signals = signal.SIGKILL) -> None:
    """End a process and its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, how)
    process.wait()


@contextlib.contextmanager
def serving(campaign: Any, before: Sequence[str] = ()) -> Iterator[str]:
    """The address of a server."""
    port = free_port()
    process = start(campaign, port, before)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        end(process, signal.SIGTERM)
