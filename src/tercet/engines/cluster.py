"""Dask: parts of the work on workers that a scheduler knows, on this machine or on others.

A part and the function travel as bytes, through the scheduler, which keeps a part until it is done: a worker that is
killed costs its parts a second time, and nothing else. A large function is sent to each worker once. Dask speaks
pickle, so that whoever reaches a port of it can run programs: hence TLS, or this machine, or a network that is trusted.

A worker with another Tercet, Python, numpy or kind of processor could give other bits. It is refused, before any work
is done, and by each part that reaches one that came later.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import ipaddress
import logging
import platform
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

from tercet.engines.local import AHEAD, P, R, in_flight
from tercet.errors import InputError, extra
from tercet.numbers import plain
from tercet.version import version

CONNECT = 10.0  # seconds in which a scheduler answers
LOOK = 1.0  # seconds after which a part that is not done makes us look whether anybody works on it
LARGE = 1 << 20  # bytes of a function that are sent to each worker once, and not with each part
FETCH = 60.0  # seconds in which a result comes here
WAIT = 30.0  # seconds in which a worker comes back, where none is left
_AGAIN = "Run the same again when there is one; with --resume FOLDER, what was counted is kept."


def is_here(host: str) -> bool:
    """Whether a host is this machine, by its name."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclasses.dataclass(frozen=True)
class Dask:
    """The workers of a Dask scheduler."""

    host: str
    port: int
    encrypted: bool
    elsewhere: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"dask{'+tls' if self.encrypted else ''}://{self.host}:{self.port}"

    @property
    def workers(self) -> int:
        """How many there were at first."""
        return len(self._first[0])

    @property
    def told(self) -> str:
        """The address of the dashboard."""
        return f"Dask: {self._first[1]}"

    def threads(self, cores: int) -> int:
        """As many as the worker has that has fewest: a worker works on one part at a time."""
        return min(self._first[0].values())

    def everywhere(self, function: Callable[[], R]) -> list[R | BaseException]:
        """What those give that there are now, or what befell them."""
        with self._client() as client, self._told_of():
            return list(client.run(function, on_error="return").values())

    def map(self, function: Callable[[P], R], parts: Iterable[P]) -> Iterator[R]:
        """The results in the order of the parts; those that are not asked for any more are given up."""
        cloudpickle = extra("cloudpickle", "cloudpickle", "dask", "--engine dask://")
        sent = cloudpickle.dumps(function)
        run, digest = uuid.uuid4().hex, hashlib.sha256(sent).hexdigest()
        numbers = iter(range(1 << 62))
        with self._client() as client:
            n_workers = len(self._checked(client))
            with self._told_of():
                held = client.scatter([sent], broadcast=True, hash=False)[0] if len(sent) > LARGE else sent

            def submit(some: list[P]) -> list[Any]:
                return [
                    client.submit(
                        work,
                        *(_facts(), digest, held, cloudpickle.dumps(part)),
                        key=f"tercet-{run}-{next(numbers)}",
                        pure=False,
                    )
                    for part in some
                ]

            for future in in_flight(submit, parts, n_workers * AHEAD):
                with self._told_of():
                    result = self._result(client, future)
                future.release()
                yield result

    @functools.cached_property
    def _first(self) -> tuple[Mapping[str, int], str]:
        """The threads of each worker, and the dashboard, as they were at first."""
        with self._client() as client:
            return self._checked(client), client.dashboard_link or f"{self}, which has no dashboard"

    @contextlib.contextmanager
    def _client(self) -> Iterator[Any]:
        distributed = extra("distributed", "distributed", "dask", "--engine dask://")
        address = f"{'tls' if self.encrypted else 'tcp'}://{self.host}:{self.port}"
        security = self._security(distributed) if self.encrypted else None
        _hush()
        try:
            client = distributed.Client(
                address, security=security, timeout=CONNECT, set_as_default=False, heartbeat_interval=int(1000 * LOOK)
            )
        except Exception as error:  # of sockets, of TLS, of protocols: Dask has a kind for each
            raise InputError(
                f"No scheduler answers at {self} ({_first_line(error)}).",
                hint="Start one: dask scheduler, and workers: dask worker ADDRESS.",
            ) from error
        try:
            yield client
        finally:
            with contextlib.suppress(Exception):  # a scheduler that is gone cannot be left
                client.close(timeout=LOOK)

    def _security(self, distributed: Any) -> Any:
        """Certificates, from Dask's own configuration."""
        security = distributed.Security(require_encryption=True)
        if security.tls_ca_file is None:
            raise InputError(
                f"{self} needs certificates, and Dask's configuration names none.",
                hint="Set distributed.comm.tls.ca-file, and client.cert and client.key below it, in a file of Dask's, "
                "or by DASK_DISTRIBUTED__COMM__TLS__CA_FILE and so on.",
            )
        return security

    def _checked(self, client: Any) -> Mapping[str, int]:
        """The threads of each worker, all of which are like us."""
        with self._told_of():
            there: Mapping[str, int] = client.nthreads()
            if not there:
                raise InputError(f"{self} has no workers.", hint="Start some: dask worker ADDRESS.")
            facts = client.run(_facts, on_error="return")
            try:
                scheduler = client.run_on_scheduler(_facts)
            except Exception as error:
                scheduler = error
        for name, of in {"The scheduler": scheduler, **{f"Worker {name}": of for name, of in facts.items()}}.items():
            require_alike(name, of)
        return there

    def _result(self, client: Any, future: Any) -> Any:
        """What a part gave, as long as anybody can work on it."""
        alone_since = None
        done = threading.Event()
        future.add_done_callback(lambda _: done.set())
        while True:
            if done.wait(LOOK):
                try:
                    return future.result(timeout=FETCH)
                except TimeoutError:
                    if future.status == "error":  # then it is the part's own
                        raise
            if client.status != "running":
                raise self._gone()
            now = time.monotonic()
            alone_since = None if client.nthreads() else alone_since or now
            if alone_since is not None and now - alone_since >= WAIT:
                raise InputError(f"All workers of {self} are gone, and none came back in {plain(WAIT)} s.", hint=_AGAIN)

    def _gone(self) -> InputError:
        return InputError(f"The scheduler {self} is gone, or all workers that held the work.", hint=_AGAIN)

    @contextlib.contextmanager
    def _told_of(self) -> Iterator[None]:
        """What befalls a cluster, in a sentence."""
        distributed = extra("distributed", "distributed", "dask", "--engine dask://")
        from concurrent.futures import CancelledError

        try:
            yield
        except distributed.scheduler.KilledWorker as error:
            raise InputError(
                f"Each worker of {self} that was given the same part has ended, several in a row.",
                hint="It may be too large for the memory of a worker: give them more, or have fewer systems at once.",
            ) from error
        except (distributed.comm.CommClosedError, distributed.client.FuturesCancelledError, CancelledError) as error:
            raise self._gone() from error


def _hush() -> None:
    """What befalls a cluster is told by us: no tracebacks beside that, and no word on parts that are large."""
    warnings.filterwarnings("ignore", "Sending large graph", module="distributed")
    for name in ("client", "core", "comm", "batched", "utils"):
        logging.getLogger(f"distributed.{name}").setLevel(logging.CRITICAL)


def _first_line(error: BaseException) -> str:
    return f"{error}".partition("\n")[0] or type(error).__name__


def _facts() -> dict[str, str]:
    """What results depend on beside their input."""
    return {
        "Tercet": version(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": np.__version__,
        "processor": processor(),
    }


@functools.cache
def processor() -> str:
    """The family of the processor: its kind, and the widest arithmetic that numpy finds in it."""
    config: Any = np.show_config("dicts")
    extensions = config.get("SIMD Extensions", {}).get("found", [])
    return " ".join([platform.machine(), *extensions[-1:]])


def require_alike(name: str, of: Mapping[str, str] | BaseException) -> None:
    """Refuse who would not do what we do."""
    if isinstance(of, BaseException):
        raise InputError(
            f"{name} cannot run Tercet ({_first_line(of)}).",
            hint="Install the same Tercet there as here, and try again.",
        ) from of
    for what, ours in _facts().items():
        if of.get(what) != ours:
            raise InputError(
                f"{name} has another {what} than this process: {of.get(what)}, not {ours}.",
                hint="Their results could differ in the last digits: use the same everywhere.",
            )


_ONE = threading.Lock()  # a worker has threads of its own, and a part uses all of them
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {}  # the last one, with what it has learnt


def work(asked_by: Mapping[str, str], digest: str, function: bytes, part: bytes) -> Any:
    """On a worker: what the function gives for a part."""
    import pickle

    for what, theirs in asked_by.items():
        if _facts()[what] != theirs:
            raise InputError(f"A worker has another {what} than who asks: {_facts()[what]}, not {theirs}.")
    with _ONE:
        if digest not in _FUNCTIONS:
            _FUNCTIONS.clear()
            _FUNCTIONS[digest] = pickle.loads(function)  # noqa: S301
        return _FUNCTIONS[digest](pickle.loads(part))  # noqa: S301
