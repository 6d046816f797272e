"""How many answers a campaign's server takes: `python -m benchmarks.campaign [--seconds 60]`.

Robots from a second process on loopback, without thinking and with 5 to 15 seconds of it, in SQLite and PostgreSQL,
beside one commit an answer and PyPI's pearmut (where `benchmarks.pearmut` finds it): answers a second, latencies,
errors, and whether every acknowledged answer is stored exactly once. The disk's own time for a sync is printed with it,
and so is the processor time of an answer, of the server and of the robots, which other work on the machine moves less.
`--sizes` measures a campaign of 3000 segments, 13 systems and 200 annotators instead.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from tests.databases import new_database, running_postgresql
from tests.server.processes import end, free_port, many, start

from benchmarks import pearmut
from benchmarks.processors import Meter
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.create import create_campaign
from tercet.campaigns.exports import export_campaign
from tercet.campaigns.overview import overview

ROBOTS = 200


def sync_milliseconds(folder: pathlib.Path, n: int = 100) -> float:
    """The median time that a write and its sync take on this disk."""
    times = []
    with (folder / "sync").open("wb") as file:
        for _ in range(n):
            begun = time.perf_counter()
            file.write(b"x" * 4096)
            file.flush()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begun)
    return 1000 * statistics.median(times)


def measured(place: Any, folder: pathlib.Path, seconds: float, think: float, together: int) -> dict[str, Any]:
    """One run of all robots against a server of its own."""
    links = folder / f"{time.time_ns()}.tsv"
    testset = many(3000)
    create_campaign(place, testset=testset, annotators=ROBOTS, overlap=ROBOTS, links=links, pair="en-de")
    port, receipts = free_port(), folder / f"{time.time_ns()}.receipts"
    process = start(place, port, together=together)
    meter = Meter.begin(process.pid)
    words = [sys.executable, "-m", "tercet", "campaign", "simulate", str(place), "--url", f"http://127.0.0.1:{port}"]
    words += ["--annotators", str(ROBOTS), "--seconds", str(seconds), "--think", str(think)]
    words += ["--receipts", str(receipts), "--links", str(links), "-f", "json"]
    try:
        told = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["records"][0]
        told |= meter.an_answer(told["answers"])
    finally:
        end(process)
    export_campaign(place, output=folder / "stored", receipts=True)
    stored = collections.Counter((folder / "stored").read_text().splitlines())
    acknowledged = receipts.read_text().splitlines()
    once = all(stored[line] == 1 for line in acknowledged) and len(set(acknowledged)) == len(acknowledged)
    return {**told, "exactly_once": once}


@contextlib.contextmanager
def places(folder: pathlib.Path) -> Iterator[Any]:
    """Gives new places for campaigns: a file, or a database."""
    with running_postgresql() as url:
        yield (
            lambda kind: (
                folder / f"{time.time_ns()}.db" if kind == "sqlite" else new_database(url, f"b{time.time_ns()}")
            )
        )


def sizes(folder: pathlib.Path) -> dict[str, Any]:
    """A campaign of 3000 segments, 13 systems and 200 annotators, all of its items answered by nobody but us."""
    path, testset = folder / "large.db", many(3000, 13)
    took: dict[str, float] = {}

    @contextlib.contextmanager
    def timed(what: str) -> Iterator[None]:
        """Seconds by the clock, and of processors, which other work on the machine does not change."""
        begun, worked = time.perf_counter(), time.process_time()
        yield
        took[f"{what}_seconds"] = round(time.perf_counter() - begun, 2)
        took[f"{what}_cpu_seconds"] = round(time.process_time() - worked, 2)

    with timed("create"):
        made = create_campaign(
            path, testset=testset, protocol="da", annotators=200, pair="en-de", links=folder / "links"
        )
    with timed("open"):
        campaign = Campaign.open(path)
    with campaign:
        events = []
        for i, annotator in enumerate(campaign.state.annotators.values()):
            names, leases = campaign.lease(annotator, 200)
            campaign.write(leases)
            for name in names:
                item = campaign.payload(annotator, name)
                score = (len(item["outputs"][0]["text"]) * 7 + i) % 101
                events.append(
                    campaign.answer(annotator, {"key": item["key"], "answer": {"outputs": [{"score": score}]}})
                )
        campaign.write(events)
        with timed("dashboard"):
            overview(campaign)
    return {
        "items": made.n_items,
        "answers": len(events),
        **took,
        "file_megabytes": round(sum(file.stat().st_size for file in folder.glob("large.db*")) / 1e6, 1),
        "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3),
    }


def main() -> None:
    """Measure, and print a line a run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.campaign", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--sizes", action="store_true", help="how large a large campaign is, instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if options.sizes:
            print(json.dumps(sizes(folder)))
            return
        print(f"one sync: {sync_milliseconds(folder):.1f} ms", flush=True)
        rates: dict[str, float] = {}
        costs: dict[str, float] = {}
        peer = pearmut.program()
        if peer is None:
            print("pearmut: not there; name it with PEARMUT")
        else:
            (folder / "pearmut").mkdir()
            result = pearmut.measured(peer, folder / "pearmut", options.seconds)
            rates["pearmut"], costs["pearmut"] = result["answers_per_second"], result["server_cpu_ms"]
            print(f"pearmut: {json.dumps(result)}", flush=True)
        with places(folder) as place:
            for kind, think, together in (
                ("sqlite", 0.0, 256),
                ("sqlite", 0.0, 1),
                ("postgresql", 0.0, 256),
                ("postgresql", 0.0, 1),
                ("sqlite", 10.0, 256),
                ("postgresql", 10.0, 256),
            ):
                result = measured(place(kind), folder, options.seconds, think, together)
                label = f"{kind}, {'one commit an answer' if together == 1 else 'together'}, thinking {think:g} s"
                rates[label], costs[label] = result["answers_per_second"], result["server_cpu_ms"]
                print(f"{label}: {json.dumps(result)}", flush=True)
        for kind in ("sqlite", "postgresql"):
            group, alone = (f"{kind}, {how}, thinking 0 s" for how in ("together", "one commit an answer"))
            print(f"{kind}: {rates[group] / rates[alone]:.1f} times one commit an answer")
            if "pearmut" in rates:
                print(f"{kind}: {rates[group] / rates['pearmut']:.1f} times the answers a second of pearmut")
                print(f"{kind}: {costs['pearmut'] / costs[group]:.1f} times the answers a processor second of it")


if __name__ == "__main__":
    main()
