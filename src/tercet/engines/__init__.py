"""Engines: where parts of the work are done. An engine has one method, and never changes a result.

    map(function, parts) -> results, in the order of the parts

    threads                 here, one part after the other; kernels use all cores
    processes:N             by N processes of this machine, which get the function once, and a few parts at a time
    dask://HOST:PORT        by the workers of a Dask scheduler, which may be on other machines
    dask+tls://HOST:PORT    the same, encrypted and with certificates

Another engine is another class with that method, and a line in `engine`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tercet.engines.local import AHEAD, MOST_PROCESSES, Engine, Here, Processes
from tercet.errors import InputError

if TYPE_CHECKING:  # few ask for it
    from tercet.engines.cluster import Dask

__all__ = ["AHEAD", "Engine", "Here", "Processes", "engine"]

_DASK = re.compile(r"dask(\+tls)?://([^/@?#\s]+):([0-9]{1,5})/?", re.ASCII)


def engine(spec: str, *, trusted_network: bool = False) -> Engine:
    """The engine that a word names; Dask without TLS on another machine only where its network is trusted.

    >>> engine("processes:4").workers
    4
    """
    kind, colon, number = spec.partition(":")
    if kind == "threads" and not colon:
        return Here()
    if kind == "processes" and number.isascii() and number.isdecimal() and 1 <= int(number[:5]) <= MOST_PROCESSES:
        return Processes(int(number))
    if (words := _DASK.fullmatch(spec)) and int(words[3]) < 1 << 16:
        return _dask(words[2], int(words[3]), bool(words[1]), trusted_network)
    raise InputError(
        f"There is no engine {spec!r}.",
        hint=f"threads, processes:N with N from 1 to {MOST_PROCESSES}, dask://HOST:PORT or dask+tls://HOST:PORT.",
    )


def _dask(host: str, port: int, encrypted: bool, trusted_network: bool) -> Dask:
    from tercet.engines.cluster import Dask, is_here

    if not encrypted and not trusted_network and not is_here(host):
        raise InputError(
            f"dask://{host}:{port} is on another machine, and is not encrypted: who can reach it can run programs "
            "there, and here.",
            hint="Use dask+tls://; or --trusted-network, where nobody else can reach it.",
        )
    return Dask(host, port, encrypted)
