"""Metrics that read, on one thread, in CPU seconds: `python -m benchmarks.encoders`.

`bertscore` and `comet` over the small English encoder; bert-score of PyPI over the same folder where `BERT_SCORE` names
the Python of an environment that has it (encoders_peer.py says how); and reading in the order of the texts, each as
often as it is there and padded to the longest of its batch, as a plain loop over batches would. Every measurement is a
process of its own, so that its memory is known.
"""

from __future__ import annotations

import json
import os
import pathlib
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

import tercet
from benchmarks.rows import TEXTS, machine
from tercet.encoders import encoder, reading
from tercet.encoders.memory import VectorMemory
from tercet.encoders.reading import BATCH, TokenRow, located
from tercet.report import Table, render

SYSTEMS, SEGMENTS, LAYER, MODEL = 4, 150, 6, "minilm"
WANTED = 1.5
PEER = pathlib.Path(__file__).with_name("encoders_peer.py")
OURS = ("bertscore", "comet", "read", "read in order")
Result = dict[str, Any]


def texts() -> dict[str, list[str]]:
    """Outputs of some systems after another, and for each its reference and source."""
    testset = tercet.read_testset(TEXTS)
    references, sources = testset.references, testset.sources
    if references is None or sources is None:
        sys.exit(f"{TEXTS} lacks references or sources.")
    some = range(SEGMENTS)
    systems = list(testset.systems.values())[:SYSTEMS]
    return {
        "hypotheses": [system[i] for system in systems for i in some],
        "references": [references[i][0] for _ in systems for i in some],
        "sources": [sources[i] for _ in systems for i in some],
    }


def in_order(lines: list[str]) -> None:
    """Reading without sorting and without knowing what was read before."""
    model = encoder(MODEL)
    reading._MEMORY = VectorMemory(0)
    for start in range(0, len(lines), BATCH):
        ids = [tokens.ids for tokens in model.tokens(lines[start : start + BATCH])]
        longest = max(map(len, ids))
        rows = [
            TokenRow(row + (0,) * (longest - len(row)), mask=(1,) * len(row) + (0,) * (longest - len(row)))
            for row in ids
        ]
        model._run(rows, [LAYER])


def work(what: str, given: dict[str, list[str]]) -> list[float]:
    """One of ours."""
    hypotheses, references = given["hypotheses"], given["references"]
    if what == "read":
        encoder(MODEL).layers(hypotheses + references, threads=1)
    elif what == "read in order":
        in_order(hypotheses + references)
    else:
        sources = {"sources": given["sources"]} if what == "comet" else {}
        return [float(x) for x in tercet.metric(what).segments(hypotheses, references, threads=1, **sources)]
    return []


def measure(what: str) -> Result:
    """One of ours, after one that warms up."""
    given = texts()
    work(what, {name: lines[:8] for name, lines in given.items()})
    reading._MEMORY = VectorMemory()
    start = time.process_time()
    scores = work(what, given)
    seconds = time.process_time() - start
    return {
        "seconds": seconds,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "scores": scores,
    }


def run(command: list[str], given: str = "") -> Result:
    """What a process measured."""
    made = subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True, text=True)
    result: Result = json.loads(made.stdout)
    return result


def speed(what: str, result: Result) -> float:
    """Sentences a second: of each segment translation and reference, and for COMET the source."""
    return float(SYSTEMS * SEGMENTS * (3 if what == "comet" else 2) / result["seconds"])


def main() -> None:
    """Measure and print."""
    if len(sys.argv) == 2:
        json.dump(measure(sys.argv[1]), sys.stdout)
        return
    if not TEXTS.is_file():
        sys.exit("This needs ../shared/data beside the project.")
    found = {what: run([sys.executable, "-m", "benchmarks.encoders", what]) for what in OURS}
    peer, notes = os.environ.get("BERT_SCORE"), [machine()]
    if peer is not None:
        given = texts() | {"model": str(located(MODEL)[0]), "layer": LAYER, "batch": 64}
        found["bert-score"] = run([peer, str(PEER)], json.dumps(given))
        apart = np.abs(np.subtract(found["bertscore"]["scores"], found["bert-score"]["scores"])).max()
        notes.append(f"scores of bertscore and bert-score are at most {apart:.1e} apart")
        for what in ("bertscore", "comet"):
            ratio = speed(what, found[what]) / speed("bert-score", found["bert-score"])
            notes.append(f"{what} reads {ratio:.2f} times as many sentences as bert-score; {WANTED} is wanted")
    else:
        notes.append("bert-score: not there; name the Python that has it with BERT_SCORE")
    ratio = found["read in order"]["seconds"] / found["read"]["seconds"]
    notes.append(f"reading each text once, those of one length together, is {ratio:.2f} times as fast as in order")
    rows = tuple(
        (what, f"{r['seconds']:.2f}", f"{speed(what, r):.0f}", f"{r['memory']:.0f} MB") for what, r in found.items()
    )
    header = ("what", "CPU s", "sentences a CPU s", "memory")
    print(render(Table(header, rows, tuple(notes)), "table"))


if __name__ == "__main__":
    main()
