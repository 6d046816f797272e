"""PyPI's pearmut under the same load: as many annotators in threads of one process, each sending an answer and asking
for the next item, as its page does.

It wants Python 3.12 and packages of its own: `python3.12 -m venv V && V/bin/pip install pearmut`, and then
`PEARMUT=V/bin/pearmut`. Run as `python -m benchmarks.pearmut URL SECONDS`, this is the process of the annotators.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import threading
import time
from typing import Any

from tests.server.processes import PATIENCE, end_group, free_port

from benchmarks.processors import Meter
from tercet.server.robots import UNREACHED, Line

USERS, ITEMS = 200, 60
CAMPAIGN = "load"


def program() -> str | None:
    """Where pearmut is."""
    return os.environ.get("PEARMUT") or shutil.which("pearmut")


def measured(pearmut: str, folder: pathlib.Path, seconds: float) -> dict[str, Any]:
    """One run of all annotators against a server of its own, without thinking."""
    texts = {f"system{s}": f"sentence as system {s} has it" for s in range(5)}
    tasks = [[[{"src": f"Satz {i}", "tgt": texts}] for i in range(ITEMS)] for _ in range(USERS)]
    info = {"assignment": "task-based", "protocol": "DA", "users": [f"user{n}" for n in range(USERS)]}
    (folder / "campaign.json").write_text(json.dumps({"campaign_id": CAMPAIGN, "info": info, "data": tasks}))
    place: dict[str, Any] = {"env": {**os.environ, "PEARMUT_ROOT": str(folder)}, "cwd": folder}
    subprocess.run([pearmut, "add", "campaign.json"], check=True, stdout=subprocess.DEVNULL, **place)
    port = free_port()
    words = [pearmut, "run", "--port", str(port)]
    server = subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, **place
    )
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
                connection.request("GET", "/")
                connection.getresponse()
                break
            time.sleep(0.1)
        robots = [sys.executable, "-m", "benchmarks.pearmut", str(port), str(seconds)]
        meter = Meter.begin(server.pid)
        told = json.loads(subprocess.run(robots, check=True, capture_output=True, text=True).stdout)
        told |= meter.an_answer(told["answers"])
    finally:
        end_group(server)
    stored = (folder / "data" / "annotations" / f"{CAMPAIGN}.jsonl").read_text().count("\n")
    return {**told, "stored": stored}


class Annotator:
    """One who answers as fast as the server lets them."""

    def __init__(self, port: int, number: int, until: float) -> None:
        self._line = Line(f"http://127.0.0.1:{port}")
        self._user, self._until = f"user{number}", until
        self.waits: list[float] = []
        self.errors = 0

    def _ask(self, path: str, **body: Any) -> Any:
        body |= {"campaign_id": CAMPAIGN, "user_id": self._user}
        headers = {"Content-Type": "application/json"}
        status, _, text = self._line.ask("POST", path, headers, json.dumps(body).encode())
        if status != 200:
            raise OSError(status, text[:200])
        return json.loads(text)

    def work(self) -> None:
        """Until the time is over, or the items are."""
        for item in range(ITEMS):
            if time.monotonic() > self._until:
                break
            try:
                self._ask("/get-next-item")
                begun = time.monotonic()
                scores = [{f"system{s}": {"score": 10 * s} for s in range(5)}]
                times = [{"time": time.time()}]
                self._ask("/log-response", item_i=item, payload={"annotations": scores, "actions": times})
                self.waits.append(time.monotonic() - begun)
            except UNREACHED:
                self.errors += 1
        self._line.close()


def main() -> None:
    """All annotators, each in a thread; what they saw as one line of JSON."""
    port, seconds = int(sys.argv[1]), float(sys.argv[2])
    begun = time.monotonic()
    annotators = [Annotator(port, n, begun + seconds) for n in range(USERS)]
    threads = [threading.Thread(target=annotator.work) for annotator in annotators]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    waits = sorted(wait for annotator in annotators for wait in annotator.waits)
    told = {
        "answers": len(waits),
        "seconds": round(time.monotonic() - begun, 2),
        "answers_per_second": round(len(waits) / (time.monotonic() - begun), 1),
        "p50_milliseconds": round(1000 * statistics.median(waits), 1),
        "p99_milliseconds": round(1000 * waits[int(0.99 * len(waits))], 1),
        "errors": sum(annotator.errors for annotator in annotators),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
