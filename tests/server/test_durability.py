"""What was acknowledged is there, exactly once, whenever the server dies, and was on disk before that."""

from __future__ import annotations

import collections
import pathlib
import random
import re
import shutil
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tercet.campaigns.exports import export_campaign
from tercet.server.robots import Rehearsal, Robot, simulate_campaign
from tests.conftest import absent
from tests.databases import NewCampaign, running_postgresql
from tests.server.processes import end, free_port, many, serving, start

ROBOTS = 8
QUICK, THOROUGH = 2, 50


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """On the disk."""
    return tmp_path_factory.mktemp("disk")


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    """A server whose files are on the disk."""
    with running_postgresql() as url:
        yield url


@pytest.mark.parametrize("kills", [QUICK, pytest.param(THOROUGH, marks=pytest.mark.thorough)])
def test_killed_at_random_moments(new_campaign: NewCampaign, kills: int, tmp_path: pathlib.Path) -> None:
    campaign, made = new_campaign(testset=many(20 * kills), annotators=ROBOTS, overlap=ROBOTS)
    rng = random.Random(kills)  # noqa: S311 - moments
    port, receipts = free_port(), tmp_path / "receipts"
    process = start(campaign, port)
    results: list[Rehearsal] = []

    def rehearse() -> None:
        options: dict[str, Any] = {
            "annotators": ROBOTS,
            "seconds": 3600.0,
            "receipts": receipts,
            "links": made.links_file,
        }
        results.append(simulate_campaign(campaign, url=f"http://127.0.0.1:{port}", stop=stop, **options))

    stop = threading.Event()
    robots = threading.Thread(target=rehearse)
    robots.start()
    try:
        for _ in range(kills):
            before = _lines(receipts)
            until = time.monotonic() + 60
            while _lines(receipts) < before + ROBOTS and time.monotonic() < until:
                time.sleep(0.01)  # under load
            time.sleep(rng.uniform(0, 0.1))
            end(process)
            process = start(campaign, port)
        stop.set()
        robots.join(60)
        assert not robots.is_alive()
    finally:
        stop.set()
        end(process)
    export_campaign(campaign, output=tmp_path / "stored", receipts=True)
    acknowledged = receipts.read_text().splitlines()
    stored = collections.Counter((tmp_path / "stored").read_text().splitlines())
    assert len(acknowledged) >= kills * ROBOTS
    assert results[0].errors >= kills  # robots felt it
    assert len(set(acknowledged)) == len(acknowledged)
    assert [line for line in acknowledged if stored[line] != 1] == []
    assert len({line.split("\t")[0] for line in stored}) == len(stored)


def _lines(path: pathlib.Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_on_disk_before_it_is_acknowledged(tmp_path: pathlib.Path) -> None:
    from tests.campaigns.build import created

    if shutil.which("strace") is None:
        absent("strace is not there")
    campaign, made = created(tmp_path, annotators=1)
    trace = tmp_path / "trace"
    calls = "trace=fsync,fdatasync,read,recvfrom,recvmsg,sendto,sendmsg,write,writev"
    with serving(campaign, ["strace", "-f", "-s", "500", "-o", str(trace), "-e", calls]) as url:
        robot = Robot.alone(url, next(iter(made.links.values())))
        item = robot.ask("GET", "/api/items?n=1")["items"][0]
        body = {"answers": [{"key": item["key"], "answer": {"outputs": [{"rank": 1} for _ in item["outputs"]]}}]}
        robot.ask("POST", "/api/answers", body)
        robot.close()
    lines = trace.read_text(errors="replace").splitlines()
    asked = next(i for i, line in enumerate(lines) if re.search(r"(recv\w+|read)\(.*POST /api/answers", line))
    reply = re.compile(r"(send\w+|writev?)\(.*HTTP/1.1 200")
    told = next(i for i, line in enumerate(lines) if i > asked and reply.search(line))
    synced = [
        i
        for i, line in enumerate(lines)
        if asked < i < told and (re.search(r"f(data)?sync(\(\d+\)| resumed>.*) *= 0", line))
    ]
    assert synced, "\n".join(lines[asked : told + 1])
