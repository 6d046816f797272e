"""`make big`: a test set larger than most memories through `tercet score`, and the same score as in one piece.

The lines are those of newstest2014 de-en, over and over, system after system. The whole is scored by the command, in
parts; then its first million lines by the command and in one piece, which must agree to the last bit.
"""

from __future__ import annotations

import gzip
import itertools
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.rows import TEXTS
from tercet import counting, scoring

LINES = 10_000_000
PIECE = 1_000_000
METRICS = ("bleu", "chrf", "ter")


def pairs() -> Iterator[tuple[str, str]]:
    """Translation and reference, without end."""
    rows = [line.split("\t") for line in gzip.decompress(TEXTS.read_bytes()).decode("utf-8").split("\n")[1:-1]]
    for column in itertools.cycle(range(3, len(rows[0]))):
        for row in rows:
            yield row[column], row[2]


def write(folder: pathlib.Path, lines: int) -> tuple[pathlib.Path, pathlib.Path]:
    """The two files."""
    hyp, ref = folder / f"hyp.{lines}", folder / f"ref.{lines}"
    with hyp.open("w", encoding="utf-8", newline="\n") as h, ref.open("w", encoding="utf-8", newline="\n") as r:
        for translation, reference in itertools.islice(pairs(), lines):
            h.write(translation + "\n")
            r.write(reference + "\n")
    return hyp, ref


def by_command(hyp: pathlib.Path, ref: pathlib.Path) -> list[float]:
    """The scores that the command prints."""
    metrics = [argument for m in METRICS for argument in ("-m", m)]
    command = [sys.executable, "-m", "tercet", "score", str(hyp), "-r", str(ref), *metrics, "-f", "json"]
    done = subprocess.run(command, capture_output=True, check=True)
    return [record["score"] for record in json.loads(done.stdout)["records"]]


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scores = by_command(*write(folder, LINES))
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{LINES:,} lines, {', '.join(METRICS)}: peak memory {peak:.0f} MB, scores {scores}")
        hyp, ref = write(folder, PIECE)
        parts = by_command(hyp, ref)
        counting.PART = 10 * PIECE
        whole = [r.score for r in scoring.score({"hyp": hyp}, [ref], metrics=METRICS)]
        print(f"{PIECE:,} lines in parts and in one piece: {'the same bits' if parts == whole else 'DIFFERENT'}")
        if parts != whole:
            sys.exit(1)


if __name__ == "__main__":
    main()
