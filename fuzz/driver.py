"""Plays targets in processes of their own, so that a crash is a find and not the end.

A worker says which play begins and how it ended, a line each. Whoever says nothing for two minutes of a core is ended,
or for ten minutes of the clock, and another worker goes on behind the play at which that happened. Targets have their
turns in an order of chance, so that whenever the time is over, every kind of them had its share.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import queue
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO

SANITIZED = "san.so" in os.environ.get("LD_PRELOAD", "")  # then everything takes longer, and reserves more memory
LONGEST = 1200.0 if SANITIZED else 120.0
PATIENCE = 5  # so many times as long may pass on the clock
NOW_AND_THEN = 10.0  # seconds after which somebody hears of it
SLICE = 0.5  # seconds of a core that a target has before the next one's turn,
MOST = 20_000  # or inputs: what is quick does not outnumber the rest
MEMORY = 6 << 30  # of addresses: packages and dictionaries take half of it
ROOT = pathlib.Path(__file__).resolve().parent.parent
TOO_MUCH = ("allocation-size-too-big", "AddressSanitizer: out-of-memory", "out of memory: allocator", "hard rss limit")


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is played: targets whose names begin so, from a seed on, so many seeds each, so long, or so many inputs."""

    only: tuple[str, ...] = ()
    first: int = 0
    seeds: int | None = None
    seconds: float | None = None
    inputs: int | None = None  # of a worker
    source: str = "fuzz.targets"  # the module whose `every` gives the targets
    longest: float = LONGEST  # seconds of a play
    exact: bool = False  # names are whole


def chosen_targets(plan: Plan, names: Iterable[str]) -> list[str]:
    """Those that a plan plays, by name; a LookupError where a name of the plan is of none of them."""
    known = sorted(names)
    fits = str.__eq__ if plan.exact else str.startswith
    nowhere = [only for only in plan.only if not any(fits(name, only) for name in known)]
    if nowhere:
        raise LookupError(f"There is no target {', '.join(nowhere)}.")
    return [name for name in known if not plan.only or any(fits(name, only) for only in plan.only)]


@dataclasses.dataclass
class Outcome:
    """Inputs by kind of target, and finds."""

    inputs: Counter[str] = dataclasses.field(default_factory=Counter)
    answered: Counter[str] = dataclasses.field(default_factory=Counter)  # and not refused
    plays: int = 0
    finds: list[str] = dataclasses.field(default_factory=list)
    reached: dict[str, int] = dataclasses.field(default_factory=dict)  # the next seed of each target
    useful: list[str] = dataclasses.field(default_factory=list)  # targets that had an input
    too_much: int = 0  # workers that ended for asking a sanitizer for too much memory, which is no find
    seconds: float = 0.0
    on_find: Callable[[str], None] = print  # hears of each at once

    def add(self, play: str, what: str) -> None:
        """One find more."""
        self.finds.append(f"{play}: {what}\nAgain: python -m fuzz --replay {play}\n")
        self.on_find(self.finds[-1])

    def with_others(self, others: Iterable[Outcome], seconds: float) -> Outcome:
        """This one and what some workers did meanwhile, who may be at it still."""
        whole = dataclasses.replace(self, seconds=self.seconds + seconds, finds=[*self.finds], useful=[*self.useful])
        whole.inputs, whole.answered, whole.reached = self.inputs.copy(), self.answered.copy(), {**self.reached}
        for other in others:
            whole.inputs += other.inputs.copy()
            whole.answered += other.answered.copy()
            whole.plays += other.plays
            whole.finds += other.finds
            whole.useful += [name for name in other.useful if name not in whole.useful]
            whole.too_much += other.too_much
            for name, seed in {**other.reached}.items():
                whole.reached[name] = max(seed, whole.reached.get(name, 0))
        return whole

    def told(self) -> str:
        """How many inputs of which kind there were."""
        kinds = ", ".join(
            f"{n:,} {kind}" + (f" ({self.answered[kind]:,} answered)" if self.answered[kind] < n else "")
            for kind, n in sorted(self.inputs.items())
        )
        told = [f"{self.inputs.total():,} inputs in {self.plays:,} plays, {self.seconds:.0f} s: {kinds}"]
        idle = sorted({*self.reached} - {*self.useful})
        told += [f"No call fitted of {', '.join(idle)}"] if idle else []
        told += [f"{self.too_much} times a worker ended for too much memory"] if self.too_much else []
        return "\n".join([*told, f"{len(self.finds)} finds"])


def load(path: pathlib.Path) -> Outcome:
    """What was done in earlier sittings; nothing where there is no file."""
    if not path.exists():
        return Outcome()
    content = json.loads(path.read_text(encoding="utf-8"))
    return Outcome(**content | {kind: Counter(content.get(kind, {})) for kind in ("inputs", "answered")})


def save(outcome: Outcome, path: pathlib.Path) -> None:
    """All but who hears of finds; whole, or as it was."""
    content = {**vars(outcome)}
    del content["on_find"]
    part = path.with_name(path.name + ".new")
    part.write_text(json.dumps(content, indent=1), encoding="utf-8")
    part.replace(path)


def unheard(_: Outcome) -> None:
    """Nobody wants to know before the end."""


def work(plan: Plan, share: tuple[int, int], reached: Mapping[str, int], last: str) -> None:
    """Play a share of the targets, each from the seed that was reached before, behind the one that was the last."""
    from importlib import import_module

    from fuzz import samples
    from fuzz.inputs import Draw
    from tercet.errors import TercetError

    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    targets = import_module(plan.source).every()
    chosen = chosen_targets(plan, targets)
    random.Random(0).shuffle(chosen)  # noqa: S311 -- an order, no secret
    chosen = chosen[share[0] :: share[1]]
    begin = random.Random(sum(reached.values())).randrange(len(chosen) or 1)  # noqa: S311 -- sittings begin anywhere
    behind = chosen.index(last) + 1 if last in chosen else begin
    played: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        places = [pathlib.Path(folder, name) for name in ("sound", "damaged", "cache")]
        for place in places:
            place.mkdir()
        os.environ["XDG_CACHE_HOME"] = str(places[2])
        files = samples.write(places[0])
        for name, seed in _turns(plan, chosen[behind:] + chosen[:behind], reached, played.total):
            print("begin", name, seed, flush=True)
            draw = Draw(name, seed, files, places[1])
            draw.patient = plan.exact
            try:
                n = targets[name](draw)
            except TercetError:
                n, draw.answered = 1, 0  # refused in a sentence
            except Exception:
                print("fault", json.dumps(traceback.format_exc()), flush=True)
                continue
            played[name] += n
            print("end", n, n if draw.answered is None else draw.answered, flush=True)


def _turns(
    plan: Plan, names: Sequence[str], reached: Mapping[str, int], inputs: Callable[[], int]
) -> Iterator[tuple[str, int]]:
    """Names and seeds: every target for a while, and round again; or for so many seeds. `inputs` were played so far."""
    start, seed = time.monotonic(), {name: reached.get(name, plan.first) for name in names}
    ends = plan.first + (plan.seeds or sys.maxsize)
    while names:
        for name in names:
            began, before = time.process_time(), inputs()
            while seed[name] < ends:
                yield name, seed[name]
                seed[name] += 1
                if plan.seconds is not None and time.monotonic() - start > plan.seconds:
                    return
                if plan.inputs is not None and inputs() >= plan.inputs:
                    return
                if plan.seeds is None and (time.process_time() - began > SLICE or inputs() - before > MOST):
                    break
        if plan.seeds is not None:
            return


def run(
    plan: Plan,
    workers: int = 1,
    on_find: Callable[[str], None] = lambda find: None,
    *,
    before: Outcome | None = None,
    on_time: Callable[[Outcome], None] = unheard,
) -> Outcome:
    """Play the plan with some workers; whatever happens to them is an outcome, and Ctrl-C is the end of it.

    Earlier sittings count (`before`): no seed of theirs is played again. `on_time` hears now and then of what is done.
    """
    earlier, start = before or Outcome(), time.monotonic()
    if plan.inputs is not None:
        plan = dataclasses.replace(plan, inputs=plan.inputs - earlier.inputs.total())
        if plan.inputs is not None and plan.inputs <= 0:
            return earlier
    outcomes = [Outcome(reached={**earlier.reached}, on_find=on_find) for _ in range(workers)]
    stop = threading.Event()
    threads = [threading.Thread(target=_watch, args=(plan, (i, workers), o, stop)) for i, o in enumerate(outcomes)]

    def done() -> Outcome:
        return earlier.with_others(outcomes, time.monotonic() - start)

    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                thread.join(NOW_AND_THEN / workers)
            on_time(done())
    except KeyboardInterrupt:
        stop.set()
        for thread in threads:
            thread.join()
    return done()


def _watch(plan: Plan, share: tuple[int, int], outcome: Outcome, stop: threading.Event) -> None:
    """One worker after the other, until one has come to its end."""
    start, last = time.monotonic(), ""
    while True:
        seconds = None if plan.seconds is None else max(1.0, plan.seconds - (time.monotonic() - start))
        inputs = None if plan.inputs is None else -(-plan.inputs // share[1]) - sum(outcome.inputs.values())
        now = dataclasses.replace(plan, seconds=seconds, inputs=inputs)
        words = [sys.executable, *(["-S"] if sys.flags.no_site else []), "-m", "fuzz", "--work"]
        words.append(json.dumps([dataclasses.asdict(now), share, outcome.reached, last.partition(":")[0]]))
        with tempfile.TemporaryFile("w+") as complaints:
            with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=complaints, text=True) as worker:
                last, ended = _listen(worker, plan, outcome, stop)
            complaints.seek(0)
            told = complaints.read()
        if stop.is_set() or (not ended and worker.returncode == 0):
            return
        if any(words in told for words in TOO_MUCH):
            outcome.too_much += 1
        else:
            what = f"more than {plan.longest:g} seconds" if ended else f"ended with {worker.returncode}"
            outcome.add(last or "before the first play", f"{what}\n{told[-6000:]}")
        if not last:
            return


def _listen(worker: subprocess.Popen[str], plan: Plan, outcome: Outcome, stop: threading.Event) -> tuple[str, bool]:
    """The play at which a worker stopped, and whether it was ended for saying nothing."""
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_pass_on, args=(worker.stdout, lines), daemon=True).start()
    current, name, under_way, began, used = "", "", False, time.monotonic(), _cpu_seconds(worker)
    while True:
        if stop.is_set():
            worker.kill()
            if under_way:  # and not ended: it comes again
                outcome.reached[name] -= 1
            return current, True
        try:
            word, _, rest = lines.get(timeout=1).partition(" ")
        except queue.Empty:
            longest = plan.longest + (60 if not current else 0)
            if _cpu_seconds(worker) - used > longest or time.monotonic() - began > PATIENCE * longest:
                worker.kill()
                return current, True
            continue
        began, used = time.monotonic(), _cpu_seconds(worker)
        if not word:
            return current, False
        if word == "begin":
            name, seed = rest.split()
            current, outcome.reached[name], under_way = f"{name}:{seed}", int(seed) + 1, True
        elif word == "end":
            kind, (n, answered) = current.partition("/")[0], map(int, rest.split())
            outcome.inputs[kind] += n
            outcome.answered[kind] += answered
            if n and name not in outcome.useful:
                outcome.useful.append(name)
            outcome.plays += 1
            under_way = False
        elif word == "fault":
            outcome.add(current, f"an exception\n{json.loads(rest)}")
            under_way = False


def _cpu_seconds(worker: subprocess.Popen[str]) -> float:
    """What a worker has used of the cores so far; a machine that has much to do does not count against it."""
    try:
        fields = pathlib.Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _pass_on(stream: IO[str] | None, lines: queue.Queue[str]) -> None:
    for line in stream or ():
        lines.put(line)
    lines.put("")
