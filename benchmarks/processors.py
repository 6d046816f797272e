"""Processor time of a server and of its robots: what an answer costs, whatever else the machine does meanwhile."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import resource
from typing import Any

_TICKS = os.sysconf("SC_CLK_TCK")


def of_process(pid: int) -> float:
    """Seconds that a process has worked so far, all of its threads; Linux tells."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def of_children() -> float:
    """Seconds that ended children of this process have worked."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclasses.dataclass(frozen=True)
class Meter:
    """From its making on: a server by its number, and robots that are a child of this process."""

    server: int
    server_before: float
    robots_before: float

    @classmethod
    def begin(cls, server: int) -> Meter:
        """Before the robots start."""
        return cls(server, of_process(server), of_children())

    def an_answer(self, answers: int) -> dict[str, Any]:
        """After the robots have ended, while the server runs: milliseconds an answer, on both sides."""
        n = max(1, answers)
        return {
            "server_cpu_ms": round(1000 * (of_process(self.server) - self.server_before) / n, 3),
            "robots_cpu_ms": round(1000 * (of_children() - self.robots_before) / n, 3),
        }
