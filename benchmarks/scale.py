"""`make scale`: one process against two workers of Dask on loopback, and what that says of a hundred machines.

The lines are those of newstest2014 de-en, system after system, over and over, each time with other numbers in them.
The command scores them at several sizes. CPU seconds are measured, since they are the same on a machine that does other
things as well, and wall time beside them; of every process, and the most memory that it had. From the first size follow
the costs of a line, and from these the others, which are held against what was measured. `docs/guide/scale.md` has the
arithmetic.

    python -m benchmarks.scale                          1, 4 and 10 million lines: a quarter of an hour of two cores
    python -m benchmarks.scale --lines 250000 1000000   fewer
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence

from tests.engines.clusters import Cluster

from benchmarks.big import pairs

SIZES = (1_000_000, 4_000_000, 10_000_000)
METRICS = ("bleu", "chrf")
WORKERS = 2
BLOCK = 65_536
CLOSE = 0.15
TICK = os.sysconf("SC_CLK_TCK")
_NUMBER = re.compile(r"\d+")


@dataclasses.dataclass(frozen=True)
class Cost:
    """What a process took: seconds of CPU, and the most bytes that it held."""

    cpu: float
    memory: int


@dataclasses.dataclass(frozen=True)
class Run:
    """A score by one command: its own cost, that of the scheduler and of all workers, and the time."""

    command: Cost
    scheduler: float
    workers: float
    worker_memory: int
    wall: float
    out: bytes

    @property
    def cpu(self) -> float:
        """Of all processes."""
        return self.command.cpu + self.scheduler + self.workers


def numbered(lines: int) -> Iterator[tuple[str, str]]:
    """Translation and reference, with other numbers each time that a line comes back."""
    for i, texts in enumerate(itertools.islice(pairs(), lines)):
        translation, reference = (_NUMBER.sub(f"{i % 10_000}\\g<0>", text) for text in texts)
        yield translation, reference


def write(folder: pathlib.Path, sizes: Sequence[int]) -> dict[int, tuple[pathlib.Path, pathlib.Path]]:
    """The files of each size, the smaller ones the beginning of the largest."""
    files = {n: (folder / f"hyp.{n}", folder / f"ref.{n}") for n in sizes}
    hyp, ref = files[max(sizes)]
    ends: dict[int, tuple[int, int]] = {}
    with hyp.open("wb") as first, ref.open("wb") as second:
        for i, (translation, reference) in enumerate(numbered(max(sizes)), 1):
            first.write(translation.encode() + b"\n")
            second.write(reference.encode() + b"\n")
            if i in files:
                ends[i] = first.tell(), second.tell()
    for n, lengths in ends.items():
        for whole, part, end in zip((hyp, ref), files[n], lengths, strict=True):
            if part != whole:
                with whole.open("rb") as file, part.open("wb") as beginning:
                    while piece := file.read(min(end - beginning.tell(), 1 << 24)):
                        beginning.write(piece)
    return files


def spent(pid: int) -> Cost:
    """What a process that runs has taken so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    return Cost((int(fields[11]) + int(fields[12])) / TICK, 1024 * int(peak[1]) if peak else 0)


def command(files: tuple[pathlib.Path, pathlib.Path], *options: str) -> list[str]:
    """A score of all metrics."""
    hyp, ref = files
    metrics = [word for metric in METRICS for word in ("-m", metric)]
    named = [] if "-m" in options else metrics
    return [sys.executable, "-m", "tercet", "score", f"a={hyp}", "-r", str(ref), *named, "-f", "json", *options]


def measured(words: Sequence[str], cluster: Cluster | None = None) -> Run:
    """A command, and what all who worked for it took meanwhile."""
    pids = [] if cluster is None else [cluster.scheduler.pid, *(worker.pid for worker in cluster.workers)]
    before = [spent(pid) for pid in pids]
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(words, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        if process.returncode:
            sys.exit(f"{' '.join(words)} failed.")
        out.seek(0)
        text = out.read()
    taken = [dataclasses.replace(now := spent(pid), cpu=now.cpu - b.cpu) for pid, b in zip(pids, before, strict=True)]
    scheduler, workers = taken[:1], taken[1:]
    return Run(
        Cost(usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss),
        sum(one.cpu for one in scheduler),
        sum(one.cpu for one in workers),
        max((one.memory for one in workers), default=0),
        wall,
        text,
    )


def show(name: str, run: Run, lines: int) -> None:
    """A row."""
    memory = f"{run.command.memory / 1e6:.0f} MB"
    if run.workers:
        memory += f", a worker {run.worker_memory / 1e6:.0f} MB"
    print(
        f"{lines:>10,}  {name:<28} {run.cpu:8.1f} CPU s (command {run.command.cpu:.1f}, scheduler {run.scheduler:.1f}, "
        f"workers {run.workers:.1f})  {run.wall:7.1f} s, {lines / run.wall:,.0f} lines a second  {memory}",
        flush=True,
    )


@dataclasses.dataclass(frozen=True)
class Model:
    """Seconds of CPU: a start, and so much a line, of one process, of who sends, of the scheduler and of workers."""

    start: tuple[float, float]  # of one process, and of the command that has a cluster
    one: float
    sender: float
    scheduler: float
    worker: float
    skipping: float  # a line that is another shard's

    def alone(self, lines: float) -> float:
        """One process."""
        return self.start[0] + lines * self.one

    def cluster(self, lines: float) -> float:
        """All processes of a cluster."""
        return self.start[1] + lines * (self.sender + self.scheduler + self.worker)

    def time(self, lines: float, workers: int) -> float:
        """Seconds, with a core for everybody: who is busiest decides."""
        return self.start[1] + lines * max(self.sender, self.scheduler, self.worker / workers)

    def sharded(self, lines: float, shards: int) -> float:
        """Seconds, with a core for each shard, which passes over what is another's and counts its own."""
        return self.start[0] + lines * (self.skipping + (self.one - self.skipping) / shards)


def fitted(lines: int, none: tuple[Run, Run], one: Run, two: Run, shard: Run) -> Model:
    """The model, from runs of one line and of some lines."""
    start = (none[0].cpu, none[1].command.cpu)
    return Model(
        start,
        (one.cpu - start[0]) / lines,
        (two.command.cpu - start[1]) / lines,
        two.scheduler / lines,
        two.workers / lines,
        (shard.cpu - start[0]) / lines,
    )


def main() -> None:
    """Measure, reckon and print; fail where the two are not close."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, nargs="+", default=list(SIZES))
    sizes = sorted(parser.parse_args().lines)
    model, far = runs(sizes)
    n = 100_000_000
    for workers in (1, 2, 4, 10, 100):
        print(
            f"100 million lines, {workers:>3} machines of one thread: Dask {model.time(n, workers):7.0f} s, "
            f"shards {model.sharded(n, workers):7.0f} s, one process {model.alone(n):7.0f} s"
        )
    if far:
        sys.exit(f"Further off than {CLOSE:.0%}: {', '.join(far)}.")


def runs(sizes: Sequence[int]) -> tuple[Model, list[str]]:
    """All that is measured; the model from the first size, and where it is not close."""
    models: list[Model] = []
    far: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cluster = Cluster(folder)
        try:
            cluster.fill(WORKERS)
            files = write(folder, [1, *sizes])
            elsewhere = ("--engine", cluster.spec)
            measured(command(files[1], *elsewhere), cluster)  # workers import what they need once
            none = (measured(command(files[1], "--threads", "1")), measured(command(files[1], *elsewhere), cluster))
            for n in sizes:
                one = measured(command(files[n], "--threads", "1"))
                show("one process, one thread", one, n)
                two = measured(command(files[n], *elsewhere), cluster)
                show(f"Dask, {WORKERS} workers", two, n)
                if one.out != two.out:
                    sys.exit("The bytes are not the same.")
                if not models:
                    shards = n // BLOCK + 2  # one more than blocks: the last has nothing to count
                    part = ("--threads", "1", "--shard", f"{shards}/{shards}", "-o", str(folder / "part"))
                    shard = measured([word for word in command(files[n], *part) if word not in ("-f", "json")])
                    show("a shard of others' lines", shard, n)
                    models.append(fitted(n, none, one, two, shard))
                    print_model(models[0], n, files[n])
                model = models[0]
                for what, wanted, reckoned in (
                    ("one process", one.cpu, model.alone(n)),
                    ("cluster", two.cpu, model.cluster(n)),
                ):
                    off = reckoned / wanted - 1
                    print(f"{n:>10,}  {what}: {reckoned:.1f} CPU s reckoned, {wanted:.1f} measured, {off:+.1%}")
                    far += [f"{what} at {n:,}"] if abs(off) > CLOSE else []
            n = sizes[-1]
            streamed = ("--ci", "--resampling", "streamed", "--samples", "100", "-m", "bleu")
            show("--ci streamed, 100 samples", measured(command(files[n], *streamed)), n)
            show("nist", measured(command(files[n], "-m", "nist")), n)
        finally:
            cluster.end()
    return models[0], far


def print_model(model: Model, lines: int, files: tuple[pathlib.Path, pathlib.Path]) -> None:
    """The costs of a line."""
    n_bytes = sum(file.stat().st_size for file in files) / lines
    micro = 1e6
    print(
        f"A line: one process {model.one * micro:.2f} µs; sender {model.sender * micro:.2f}, scheduler "
        f"{model.scheduler * micro:.2f}, worker {model.worker * micro:.2f}; in another's shard "
        f"{model.skipping * micro:.2f}; {n_bytes:.0f} bytes. Start: {model.start[0]:.2f} s, {model.start[1]:.2f} s "
        f"with a cluster. A block: {BLOCK * n_bytes / 1e6:.1f} MB."
    )


if __name__ == "__main__":
    main()
