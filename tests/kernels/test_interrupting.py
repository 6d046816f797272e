"""Ctrl-C ends a kernel at once, and what is scored afterwards is right."""

from __future__ import annotations

import functools
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import tercet
from tests.conftest import ROOT

# What takes many seconds of a core, each on one line: a metric, and a line of so many words made of so many.
LONG = {
    "eed": (60_000, 60_000),
    "moses-ter": (30_000, 200),
    "lepor": (40_000, 3),
    "meteor": (40_000, 2_000),
    "yisi-0": (60_000, 60_000),
    "cder": (200_000, 200_000),
    "beer": (40_000, 40_000),
}

# Scores by one metric after the other, and has itself interrupted once a score has taken half a second of a core. A
# line each: the metric, and how long it went on then, in seconds of the cores and on the clock. SIGINT is Python's,
# also where the parent ignores it.
PROGRAM = """
import json, os, random, signal, sys, threading, time, tercet
signal.signal(signal.SIGINT, signal.default_int_handler)
short = (["the cat sat down", "a b c d e"], ["the cat down sat", "e d c b a"])

def interrupt(begin):
    while time.process_time() < begin + 0.5:
        time.sleep(0.02)
    asked[:] = [time.process_time(), time.monotonic()]
    os.kill(os.getpid(), signal.SIGINT)

for name, (words, kinds) in json.loads(sys.argv[1]).items():
    draw = random.Random(1)
    hyp, ref = (" ".join(f"w{draw.randrange(kinds)}" for _ in range(words)) for _ in range(2))
    metric, asked = tercet.metric(name), []
    before = metric.corpus(*short)
    try:
        threading.Thread(target=interrupt, args=[time.process_time()], daemon=True).start()
        metric.corpus([hyp] * 2, [ref] * 2, threads=int(sys.argv[2]))
        sys.exit(f"{name} was not interrupted")
    except KeyboardInterrupt:
        went_on = time.process_time() - asked[0], time.monotonic() - asked[1]
    assert metric.corpus(*short) == before
    print(name, *went_on, flush=True)
"""


def _python() -> list[str]:
    return [sys.executable, *(["-S"] if sys.flags.no_site else [])]


@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_a_kernel_stops_and_leaves_nothing_half_done(threads: int) -> None:
    """Within a second of the cores: what else a machine has to do does not count."""
    command = [*_python(), "-c", PROGRAM, json.dumps(LONG), str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600, check=False)
    assert (done.stderr, done.returncode) == ("", 0)
    went_on = {name: float(used) for name, used, _ in map(str.split, done.stdout.splitlines())}
    assert list(went_on) == list(LONG)
    assert max(went_on.values()) < 1, went_on


# The command, once all is imported that it needs; a parent may ignore SIGINT, and is not asked.
COMMAND = """
import signal, sys, tercet
from tercet.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
tercet.score({"a": ["a"]}, ["b"], metrics=["eed"])
print("begins", flush=True)
sys.argv[0] = "tercet"
main()
"""


def test_the_command_says_one_line_and_leaves_no_file(tmp_path: Path) -> None:
    line = " ".join(f"w{i}" for i in range(60_000))
    for name in ("hyp.txt", "ref.txt"):
        (tmp_path / name).write_text(f"{name} {line}\n")
    command = [*_python(), "-c", COMMAND, "score", "hyp.txt", "-r", "ref.txt", "-m", "eed", "-o", "scores.json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "begins\n"
        threading.Timer(1.0, running.send_signal, [signal.SIGINT]).start()
        try:
            complaint = running.communicate(timeout=300)[1]
        finally:
            running.kill()
    assert complaint == "tercet: interrupted, nothing was written.\n"
    assert running.returncode == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hyp.txt", "ref.txt"]


def _long() -> float:
    """A score that takes some tenths of a second."""
    line = " ".join(f"w{i * i % 977}" for i in range(3000))
    return tercet.metric("eed").corpus([line], [line[::-1]])


_alone = functools.cache(_long)  # what it is when nothing comes between


def _signalled(handler: Callable[..., None], work: Callable[[], float]) -> float:
    """What `work` gives while the handler runs twenty times a second."""
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_handler_may_run_kernels_itself() -> None:
    """A signal that ends nothing changes nothing, although its handler scores in the middle of scoring."""
    bleu, small = tercet.metric("bleu"), (["a b c d e"], ["a b c d f"])
    seen: list[float] = []
    assert _signalled(lambda *_: seen.append(bleu.corpus(*small)), _long) == _alone()
    assert set(seen) == {bleu.corpus(*small)}


def test_other_threads_are_left_alone() -> None:
    """Signals are the main thread's: a kernel in another thread neither sees them nor asks for them."""
    found: list[float] = []

    def other() -> float:
        thread = threading.Thread(target=lambda: found.append(_long()))
        thread.start()
        thread.join()
        return 0.0

    _signalled(lambda *_: None, other)
    assert found == [_alone()]


# Every metric on ordinary lines, several at once in a kernel, as one long line is not: told to stop in the middle.
EVERY = """
import signal, sys, time
import tercet
from tercet.errors import TercetError
from tercet.metrics import METRICS

def stop(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, stop)
lines = [" ".join(f"w{i * j % 97}" for j in range(5 + i % 40)) for i in range(250)]
others = lines[1:] + lines[:1]
for name in METRICS:
    metric = METRICS.make(name)
    given = (others if "references" in metric.needs else None, others if "sources" in metric.needs else None)
    try:
        start = time.perf_counter()
        before = metric.corpus(lines[:25], *(g and g[:25] for g in given))
        each = (time.perf_counter() - start) / 25
    except TercetError:
        continue
    times = min(40, 1 + int(0.3 / (each * len(lines))))
    while times <= 640:  # more and more of it, until it takes long enough
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            metric.corpus(lines * times, *(g and g * times for g in given), threads=2)
        except KeyboardInterrupt:
            print(name, flush=True)
            break
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        times *= 4
    assert metric.corpus(lines[:25], *(g and g[:25] for g in given)) == before, name
"""


@pytest.mark.thorough
def test_every_metric_stops_among_ordinary_lines() -> None:
    done = subprocess.run([*_python(), "-c", EVERY], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, (done.stdout.split()[-1:], done.stderr)
    assert {"eed", "lebleu"} <= set(done.stdout.split())


# Every metric on one giant line: a few words again and again, then many different ones. Python is told of a signal all
# along, and ends the score after a fifth of a second of a core. A line each: the metric, and how long, in seconds of
# the core, Python heard of nothing; the lesser of two times, where something else came between. Each has a process of
# its own: a thread that some leave behind, in a library that asks nobody whether to go on, would take from the others.
GIANT = """
import gc, os, signal, sys, time
from tercet.errors import TercetError
from tercet.metrics import METRICS

def tick(*_):
    global deaf, heard
    now = time.process_time()
    deaf, heard = max(deaf, now - heard), now
    if now > begun + 0.2:
        signal.setitimer(signal.ITIMER_PROF, 0)
        raise KeyboardInterrupt

signal.signal(signal.SIGPROF, tick)
gc.disable()  # which looks through millions of words for what no metric has left
words = ["a", "b", "c"] * 60_000 + [f"w{i * 7919 % 60_000}" for i in range(180_000)]
given = [" ".join(words)], ["b " + " ".join(words[::-1])], ["a b c"]
small = ["a b c"], ["a b d"], ["a b"]
del words
for name in METRICS:
    metric = METRICS.make(name)
    try:
        before = metric.corpus(*small, threads=1)
    except TercetError:  # what needs files of its own
        continue
    if child := os.fork():
        if os.waitpid(child, 0)[1]:
            sys.exit(f"{name} failed")
        continue
    times = []
    while not times or (times[-1] > 0.25 and len(times) < 2):
        begun = heard = time.process_time()
        deaf = 0.0
        signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
        try:
            metric.corpus(*given, threads=1)
        except (TercetError, KeyboardInterrupt):
            pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        times.append(max(deaf, time.process_time() - heard))
    assert metric.corpus(*small, threads=1) == before or before != before
    print(name, min(times), flush=True)
    os._exit(0)
"""


@pytest.mark.thorough
def test_every_metric_hears_of_a_signal_on_a_giant_line() -> None:
    done = subprocess.run([*_python(), "-c", GIANT], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stderr, done.returncode) == ("", 0)
    deaf = {name: float(seconds) for name, seconds in map(str.split, done.stdout.splitlines())}
    assert {"terp", "meteor", "beer", "lebleu", "m-ter"} <= set(deaf)
    assert {name: seconds for name, seconds in deaf.items() if seconds > 0.25} == {}


LEFT = """
import threading, time
import tercet

def score():
    while True:
        tercet.metric("bleu").corpus(["a b c d e"] * 3000, ["a b c d e"] * 3000, threads=2)

for _ in range(3):
    threading.Thread(target=score, daemon=True).start()
time.sleep(0.3)
"""


def test_threads_that_are_left_in_kernels_do_not_disturb_the_end() -> None:
    """Python 3.11 unwinds them where they come back from a kernel, which must not end the process."""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", LEFT], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
