"""Dask: the bytes of one process, from workers that are killed as well; who is not like us is refused."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import counting
from tercet.data import statistics
from tercet.engines import cluster as dask
from tercet.errors import InputError, MissingExtraError, extra
from tests.conftest import absent
from tests.contract.test_shards import HYPS, TEXTS, as_bytes, usable
from tests.engines.clusters import Cluster
from tests.engines.test_local import QUESTION, doubled, refuses

STREAMED = {"ci": True, "paired": "randomization", "samples": 40, "trials": 40, "resampling": "streamed"}
QUESTION_OF_ONE: dict[str, Any] = {"ci": True, "samples": 40}
FEW: dict[str, Any] = {"testset": TEXTS, "metrics": ["nist", "bleu", "ter"]}


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError:
        absent("distributed is not installed")
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.end()


@pytest.fixture
def cluster(started: Cluster, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    """A scheduler with two workers that are alive."""
    monkeypatch.setattr(dask, "LOOK", 0.1)
    monkeypatch.setattr(dask, "WAIT", 0.2)
    started.fill(2)
    return started


class KillsOnce:
    """Ends the worker that has part 3, unless one was ended so."""

    def __init__(self, mark: pathlib.Path) -> None:
        self.mark = mark

    def __call__(self, n: int) -> int:
        if n == 3 and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return n


def kills(n: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return n


def late(n: int) -> int:
    raise TimeoutError(f"{n} is late")


def test_results_are_in_the_order_of_the_parts(cluster: Cluster) -> None:
    there = tercet.engine(cluster.spec)
    assert list(there.map(doubled, range(9))) == list(range(0, 18, 2))
    assert list(there.map(doubled, [])) == []
    assert (there.workers, there.threads(64)) == (2, 1)
    assert there.told.startswith("Dask: http://127.0.0.1:")


def test_no_more_parts_are_taken_than_wait_for_workers(cluster: Cluster) -> None:
    taken = []

    def parts() -> Iterator[int]:
        for i in range(100):
            taken.append(i)
            yield i

    results = tercet.engine(cluster.spec).map(doubled, parts())
    assert next(results) == 0
    assert len(taken) == 4
    results.close()  # type: ignore[attr-defined]


def test_what_a_worker_refuses_is_refused_here(cluster: Cluster) -> None:
    there = tercet.engine(cluster.spec)
    with pytest.raises(InputError) as error:
        list(there.map(refuses, range(2)))
    assert str(error.value) == "There is no 0. Take another."
    with pytest.raises(TimeoutError, match="0 is late"):
        list(there.map(late, range(2)))


def test_a_cluster_gives_the_bytes_of_threads(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 5)  # four blocks
    for question in (QUESTION, {"level": "document"}, {"level": "segment"}):
        assert as_bytes(tercet.score(**FEW, **question, engine=cluster.spec)) == as_bytes(
            tercet.score(**FEW, **question)
        )


@pytest.mark.thorough
def test_a_cluster_gives_the_bytes_of_threads_for_every_metric(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 5)
    options: dict[str, Any] = {"testset": TEXTS, "metrics": usable(), **QUESTION}
    assert as_bytes(tercet.score(**options, engine=cluster.spec)) == as_bytes(tercet.score(**options))


@pytest.mark.thorough
def test_a_local_cluster_gives_the_bytes_of_threads_for_every_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its workers are threads of this process, which is cheap, and all else is as with others."""
    monkeypatch.setattr(statistics, "BLOCK", 5)
    try:
        import distributed
    except ModuleNotFoundError:
        absent("distributed is not installed")
    start: Any = distributed.LocalCluster
    with start(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None
    ) as local:
        spec = local.scheduler_address.replace("tcp://", "dask://")
        for question in (QUESTION, STREAMED):
            options: dict[str, Any] = {"testset": TEXTS, "metrics": usable(), **question}
            assert as_bytes(tercet.score(**options, engine=spec)) == as_bytes(tercet.score(**options))


def test_a_large_function_is_sent_once(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "LARGE", 10)
    assert list(tercet.engine(cluster.spec).map(doubled, range(5))) == [0, 2, 4, 6, 8]


def test_files_are_found_by_workers_in_other_folders(
    cluster: Cluster, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("a").write_text("the cat\nsat\n", encoding="utf-8")
    pathlib.Path("set.tsv").write_text("segment\treference\tsystem:x\n1\tthe cat\tcat\n", encoding="utf-8")
    for given in ((({"a": pathlib.Path("a")}, [pathlib.Path("a")])), (None, None, "set.tsv")):
        texts: dict[str, Any] = dict(zip(("hypotheses", "references", "testset"), given, strict=False))
        here = tercet.score(**texts, metrics=["nist"])
        assert tercet.score(**texts, metrics=["nist"], engine=cluster.spec) == here


@pytest.mark.parametrize("seen", [True, False])
def test_workers_read_files_that_they_see(
    seen: bool, cluster: Cluster, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 5)
    (tmp_path / "hyp").write_text("".join(f"{text}\n" for text in HYPS), encoding="utf-8")
    (tmp_path / "ref").write_text("".join(f"{text}\n" for text in HYPS[::-1]), encoding="utf-8")
    texts: dict[str, Any] = {"hypotheses": {"a": tmp_path / "hyp"}, "references": [tmp_path / "ref"]}
    here = as_bytes(tercet.score(**texts, metrics=["bleu", "nist"], **QUESTION_OF_ONE))
    there = tercet.engine(cluster.spec)
    assert counting._seen_by_all(there, [f"{tmp_path / 'hyp'}"])
    assert not counting._seen_by_all(there, ["/proc/self/stat"])  # another one for each
    sent: list[Any] = []

    def held(pieces: Any, workers: int) -> list[Any]:
        sent.append(list(pieces))
        return list(sent[-1])

    monkeypatch.setattr(counting, "_seen_by_all", lambda *_: seen)
    monkeypatch.setattr(counting, "_held", held)
    assert as_bytes(tercet.score(**texts, metrics=["bleu", "nist"], **QUESTION_OF_ONE, engine=cluster.spec)) == here
    assert len(sent) == (0 if seen else -(-len(HYPS) // 5))


def test_a_killed_worker_changes_nothing(cluster: Cluster, tmp_path: pathlib.Path) -> None:
    there = tercet.engine(cluster.spec)
    assert list(there.map(KillsOnce(tmp_path / "killed"), range(9))) == list(range(9))
    assert (tmp_path / "killed").exists()
    cluster.mourn(1)


def test_a_part_that_ends_every_worker_is_told_of(started: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "LOOK", 0.1)
    monkeypatch.setattr(dask, "WAIT", 60.0)
    started.fill(2)
    distributed = extra("distributed", "distributed", "dask", "this")
    with distributed.Client(started.address, set_as_default=False) as client:
        client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 0))
    try:
        with pytest.raises(InputError, match=r"Each worker of dask://.* that was given the same part has ended"):
            list(tercet.engine(started.spec).map(kills, [1]))
    finally:
        with distributed.Client(started.address, set_as_default=False) as client:
            client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 3))
        started.mourn(1)


def test_all_workers_that_are_gone_are_told_of(cluster: Cluster) -> None:
    with pytest.raises(InputError, match=r"All workers of dask://.* are gone, and none came back in 0.2 s.*--resume"):
        list(tercet.engine(cluster.spec).map(kills, range(9)))
    cluster.mourn(2)
    with pytest.raises(InputError, match=r"dask://.* has no workers. Start some"):
        list(tercet.engine(cluster.spec).map(doubled, range(9)))


@pytest.mark.parametrize(
    ("what", "patched"),
    [
        ("Tercet", (dask, "version", lambda: "9.9")),
        ("numpy", (np, "__version__", "9.9")),
        ("processor", (dask, "processor", lambda: "9.9")),
    ],
)
def test_who_is_not_like_us_is_refused(
    what: str, patched: tuple[Any, str, Any], cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*patched)
    with pytest.raises(InputError, match=f"The scheduler has another {what} than this process: .*, not 9.9"):
        list(tercet.engine(cluster.spec).map(doubled, range(2)))


def test_a_worker_that_came_later_is_asked_as_well() -> None:
    with pytest.raises(InputError, match=r"A worker has another Tercet than who asks: .*, not 9.9"):
        dask.work({"Tercet": "9.9"}, "", b"", b"")


def test_a_worker_without_tercet_is_refused(cluster: Cluster) -> None:
    stranger = cluster.add('import sys; sys.modules["tercet"] = None')
    try:
        with pytest.raises(InputError, match=r"Worker tcp://127.0.0.1:.* cannot run Tercet .*Install the same Tercet"):
            list(tercet.engine(cluster.spec).map(doubled, range(2)))
    finally:
        stranger.kill()
        cluster.mourn(1)


@pytest.mark.thorough
def test_a_run_that_lost_its_scheduler_goes_on(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(statistics, "BLOCK", 5)
    cluster = Cluster(tmp_path)
    cluster.fill(1)
    options: dict[str, Any] = {**FEW, "resume": tmp_path / "kept"}

    def ends_the_scheduler(what: str, n: int) -> None:
        cluster.scheduler.kill()

    with pytest.raises(
        InputError, match=r"The scheduler dask://127.0.0.1:\d+ is gone, or all workers that held the work"
    ):
        tercet.score(**options, engine=cluster.spec, progress=ends_the_scheduler)
    cluster.end()
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}
    assert "000001.part" in kept
    assert len(kept) < 4
    assert as_bytes(tercet.score(**options)) == as_bytes(tercet.score(**FEW))
    assert {name: (tmp_path / "kept" / name).stat().st_mtime_ns for name in kept} == kept


@pytest.mark.thorough
def test_a_score_that_lost_all_workers_goes_on_and_loses_one_more(
    cluster: Cluster, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 2)  # nine blocks, of which four wait at once
    options: dict[str, Any] = {**FEW, **QUESTION, "resume": tmp_path / "kept", "engine": cluster.spec}
    doomed = list(cluster.workers)

    def ends(what: str, n: int) -> None:
        while doomed:
            doomed.pop().kill()

    with pytest.raises(InputError, match=r"All workers of dask://.* are gone.*--resume"):
        tercet.score(**options, progress=ends)
    cluster.mourn(2)
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "kept").iterdir()}
    assert "000001.part" in kept
    assert len(kept) < 9
    cluster.fill(2)
    doomed[:] = cluster.workers[:1]
    assert as_bytes(tercet.score(**options, progress=ends)) == as_bytes(tercet.score(**FEW, **QUESTION))
    cluster.mourn(1)
    assert {name: (tmp_path / "kept" / name).stat().st_mtime_ns for name in kept} == kept


def test_another_machine_needs_tls_or_trust() -> None:
    for host in ("10.1.2.3", "cluster.example.org", "[2001:db8::1]", "0.0.0.0"):  # noqa: S104
        with pytest.raises(InputError, match=r"is on another machine, and is not encrypted.*dask\+tls"):
            tercet.engine(f"dask://{host}:8786")
        tercet.engine(f"dask://{host}:8786", trusted_network=True)
        tercet.engine(f"dask+tls://{host}:8786")
    for host in ("127.0.0.1", "localhost", "[::1]", "127.9.9.9"):
        tercet.engine(f"dask://{host}:8786")
    with pytest.raises(InputError, match="trusted_network does nothing without engine dask://"):
        tercet.score({"a": ["x"]}, ["x"], trusted_network=True)


def test_a_scheduler_that_is_not_there_is_told_of(started: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "CONNECT", 0.3)
    with pytest.raises(InputError, match=r"No scheduler answers at dask://127.0.0.1:9 .*Start one: dask scheduler"):
        tercet.score({"a": ["x"]}, ["x"], engine="dask://127.0.0.1:9")


def test_without_the_package_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"needs the package distributed.*tercet\[dask\]"):
        tercet.score({"a": ["x"]}, ["x"], engine="dask://127.0.0.1:9")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("certificate")
    key, cert = folder / "key.pem", folder / "cert.pem"
    made: list[Any] = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        key,
        "-out",
        cert,
        "-days",
        "2",
    ]
    subprocess.run([*made, "-subj", "/CN=localhost"], check=True, capture_output=True)
    return {"tls_ca_file": f"{cert}"} | {
        f"tls_{who}_{what}": f"{path}"
        for who in ("client", "scheduler", "worker")
        for what, path in (("key", key), ("cert", cert))
    }


@pytest.mark.thorough
def test_certificates_are_those_of_dasks_configuration(
    started: Cluster, certificate: dict[str, str], tmp_path: pathlib.Path
) -> None:
    package = extra("dask", "dask", "dask", "this")
    security = f"dict(security=distributed.Security(require_encryption=True, **{certificate}))"
    encrypted = Cluster(tmp_path, security, security)
    try:
        encrypted.fill(1)
        names = {
            "distributed.comm.tls.ca-file": certificate["tls_ca_file"],
            "distributed.comm.tls.client.key": certificate["tls_client_key"],
            "distributed.comm.tls.client.cert": certificate["tls_client_cert"],
        }
        assert encrypted.spec.startswith("dask+tls://")
        with package.config.set(names):
            assert list(tercet.engine(encrypted.spec).map(doubled, range(3))) == [0, 2, 4]
        with pytest.raises(InputError, match=r"dask\+tls://.* needs certificates, and Dask's configuration names none"):
            list(tercet.engine(encrypted.spec).map(doubled, range(3)))
    finally:
        encrypted.end()
