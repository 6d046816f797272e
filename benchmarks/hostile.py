"""`python -m benchmarks.hostile`: what hostile input takes, and how soon Ctrl-C ends it, as the guide on limits has it.

Every row is a process of its own, whose peak memory and seconds of a core the system tells. Ctrl-C is a signal once a
score has taken half a second of a core; the longest of three times until the kernel has ended is printed.
"""

from __future__ import annotations

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable

from tests.kernels.test_interrupting import LONG, PROGRAM

TIMES = 3
Given = Callable[[pathlib.Path], list[str]]


def _packed(path: pathlib.Path, piece: bytes, times: int, first: bytes = b"") -> None:
    """A file of one piece again and again, packed as well as can be."""
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(first)
        for _ in range(times):
            file.write(piece)


def _long_lines(folder: pathlib.Path) -> list[str]:
    _packed(folder / "x.gz", b"a " * 20_000 + b"\n", 10_486)
    return ["score", "x.gz", "-r", "x.gz", "-m", "bleu"]


def _parquet(folder: pathlib.Path) -> list[str]:
    _packed(folder / "x.parquet.gz", bytes(1 << 20), 1024, b"PAR1")
    return ["score", "-t", "x.parquet.gz", "-m", "bleu"]


def _one_line(folder: pathlib.Path) -> list[str]:
    _packed(folder / "x.gz", b"a" * (1 << 20), 2048)
    return ["score", "x.gz", "-r", "x.gz", "-m", "bleu"]


def _full_stops(folder: pathlib.Path) -> list[str]:
    _packed(folder / "x.gz", b"." * (1 << 20), 16)
    return ["score", "x.gz", "-r", "x.gz", "-m", "bleu"]


def _compared(folder: pathlib.Path) -> list[str]:
    _packed(folder / "x.gz", b"." * (1 << 20), 16)
    return ["compare", "a=x.gz", "b=x.gz", "-r", "x.gz", "-m", "bleu"]


def _joined(folder: pathlib.Path) -> list[str]:
    rows = "segment,better,worse\n1," + "+".join(f"s{i}" for i in range(100_000)) + ",other\n"
    (folder / "j.csv").write_text(rows, encoding="utf-8")
    return ["rank", "j.csv"]


def _many_ranked(folder: pathlib.Path) -> list[str]:
    rows = "".join(f"{i},s{i},s{i + 1}\n" for i in range(10_000))
    (folder / "j.csv").write_text("segment,better,worse\n" + rows, encoding="utf-8")
    return ["rank", "j.csv"]


def _many_scored(folder: pathlib.Path) -> list[str]:
    head = "\t".join(["reference", *(f"s{i}" for i in range(10_000))])
    row = "\t".join(["the cat sat down", *["the cat sat"] * 10_000])
    (folder / "t.tsv").write_text(f"{head}\n" + f"{row}\n" * 20, encoding="utf-8")
    return ["score", "-t", "t.tsv", "-m", "bleu"]


def _many_metrics(folder: pathlib.Path) -> list[str]:
    (folder / "x.txt").write_text("the cat sat on the mat\n" * 3000, encoding="utf-8")
    metrics = [word for i in range(200) for word in ("-m", f"bleu(smooth=add-k, smooth_value={i + 1})")]
    return ["score", "x.txt", "-r", "x.txt", *metrics, "--level", "segment", "-f", "json", "-o", "out.json"]


CASES: dict[str, Given] = {
    "score of 10 486 lines of 20 000 words, 420 MB in 0.4 MB of gz": _long_lines,
    "score of a .parquet.gz that unpacks to 1 GB": _parquet,
    "score of a line of 2 GB in 2 MB of gz": _one_line,
    "score of a line of 16 Mi full stops in 16 KB of gz": _full_stops,
    "compare of the same line": _compared,
    "rank of 100 000 names joined by +": _joined,
    "rank of 10 000 systems": _many_ranked,
    "score of 10 000 systems, 20 segments": _many_scored,
    "score by 200 metrics of 3 000 segments, --level segment -f json": _many_metrics,
}


def peak(given: Given) -> str:
    """Peak memory, seconds of a core and what was said."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        words, budgets = [sys.executable, "-m", "tercet", *given(folder)], {"TERCET_DISK": "512M"}
        with (folder / "said").open("w+", encoding="utf-8") as said:
            running = subprocess.Popen(
                words, cwd=folder, stdout=subprocess.DEVNULL, stderr=said, env={**os.environ, **budgets}
            )
            _, status, used = os.wait4(running.pid, 0)
            running.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            told = said.read(60).replace("\n", " ")
    seconds = used.ru_utime + used.ru_stime
    return f"{used.ru_maxrss / 1e6:.2f} GB, {seconds:.1f} s, exit code {running.returncode} {told}".rstrip()


def seconds_to_stop(name: str) -> list[float]:
    """From the signal to the end of the kernel: of the cores, and on the clock."""
    words = [sys.executable, "-c", PROGRAM, json.dumps({name: LONG[name]}), "2"]
    said = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [float(taken) for taken in said.split()[1:]]


def main() -> None:
    """Measure and print."""
    for name in LONG:
        used, taken = (max(times) for times in zip(*(seconds_to_stop(name) for _ in range(TIMES)), strict=True))
        what = f"Ctrl-C in {name}, {LONG[name][0]} words of {LONG[name][1]}"
        print(f"{what}: {used:.2f} s of the cores, {taken:.2f} s on the clock", flush=True)
    for what, given in CASES.items():
        print(f"{what}: {peak(given)}", flush=True)


if __name__ == "__main__":
    main()
