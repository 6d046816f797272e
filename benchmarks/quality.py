"""Resources of quality estimation, trained and asked: rows of `make bench`.

`python -m benchmarks.quality` has a language model of all English and a table of words of all German and English here
(`train`), the same and frequencies of a million sentences (`train-million`), and a million segments predicted
(`million`); `rows` has the rows of `make bench` alone.

KenLM (PyPI `kenlm`, built from source) is the peer of the language model's query, where it can be built.
"""

from __future__ import annotations

import importlib.util
import pathlib
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import tercet
from benchmarks.processors import of_children
from benchmarks.rows import TEXTS, Row, best_of, machine, require_equal
from tercet.data import TestSet
from tercet.learning.ibm1 import train_ibm1
from tercet.learning.ngrams import LmTraining, train_lm

MILLION = 1_000_000


def corpus(testset: TestSet, folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """Sources and translations of all systems, line by line."""
    source, target = folder / "source", folder / "target"
    outputs = [line for texts in testset.systems.values() for line in texts.strings]
    sources = list(testset.sources.strings if testset.sources else ()) * len(testset.systems)
    for path, lines in ((source, sources), (target, outputs)):
        path.write_text("".join(line.replace("\r", " ") + "\n" for line in lines), encoding="utf-8")
    return source, target


def rows(testset: TestSet) -> tuple[list[Row], list[str]]:
    """Two threads against one in training, and queries against KenLM; sentences a second and memory as notes."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source, target = corpus(testset, folder)
        n = sum(len(texts) for texts in testset.systems.values())
        made: list[Row] = []
        notes = []
        for what, train in (
            ("train lm", lambda threads: train_lm([target], threads=threads)),
            ("train ibm1", lambda threads: train_ibm1(source, target, threads=threads)),
        ):
            one, _ = best_of(2, partial(train, 1))
            two, training = best_of(2, partial(train, 2))
            made.append(Row(f"two threads against one, {what}, {n} sentences", two, one, 1.2))
            notes.append(f"{what}: {n / two:.0f} sentences a second on two threads.")
            if isinstance(training, LmTraining):
                training.write(folder / "model.arpa")
                notes.append(of_the_asking_thread(what, train))
        made += against_kenlm(folder / "model.arpa", target)
        made.append(query_on_two_threads(folder / "model.arpa", target))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return made, [*notes, f"Memory of this process up to here: {peak:.0f} MB."]


def of_the_asking_thread(what: str, train: Callable[[int], object]) -> str:
    """How much less the thread that asks has to work where there is a second one, on a machine however busy."""
    one, two = (best_of(15, partial(train, threads), clock=time.thread_time)[0] for threads in (1, 2))
    return (
        f"{what}: the thread that asks works {one:.3f} s alone, and {two:.3f} s ({one / two:.2f}×) with a second one."
    )


def against_kenlm(model: pathlib.Path, text: pathlib.Path) -> list[Row]:
    """log10 probabilities of all sentences, which must be the same."""
    if importlib.util.find_spec("kenlm") is None:
        return []
    import kenlm

    lines = text.read_text(encoding="utf-8").split("\n")[:-1]
    theirs_model = kenlm.Model(str(model))
    metric = tercet.metric(f"lm(model={model})")
    metric.segments(lines[:1])  # reads the file
    clock = time.process_time
    ours, mine = best_of(3, lambda: metric.statistics(metric.batch(lines, None, threads=1))[:, 0], clock=clock)
    theirs, others = best_of(3, lambda: [theirs_model.score(line) for line in lines], clock=clock)
    require_equal("language model", mine, others)
    return [Row(f"lm, {len(lines)} sentences, against kenlm's Python module", ours, theirs, 1)]


def query_on_two_threads(model: pathlib.Path, text: pathlib.Path) -> Row:
    """The same sentences on two threads and on one."""
    lines = text.read_text(encoding="utf-8").split("\n")[:-1]
    metric = tercet.metric(f"lm(model={model})")
    metric.segments(lines[:1])
    one, _ = best_of(3, lambda: metric.statistics(metric.batch(lines, None, threads=1)))
    two, _ = best_of(3, lambda: metric.statistics(metric.batch(lines, None, threads=2)))
    return Row(f"two threads against one, lm, {len(lines)} sentences", two, one, 1.2)


def rows_alone(_: pathlib.Path) -> list[str]:
    """The rows of `make bench` that are of this module."""
    made, notes = rows(tercet.read_testset(TEXTS))
    return [*(f"{row.what}: {row.ratio:.2f}×, wanted {row.wanted:g}×." for row in made), *notes]


_TRAIN = """
import resource, sys, time
from tercet.learning.ibm1 import train_ibm1
from tercet.learning.ngrams import train_frequencies, train_lm
start = time.process_time()
if sys.argv[1] == "lm":
    train_lm([sys.argv[3]]).write(sys.argv[4])
elif sys.argv[1] == "frequencies":
    train_frequencies([sys.argv[3]]).write(sys.argv[4])
else:
    train_ibm1(sys.argv[2], sys.argv[3]).write(sys.argv[4])
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f"{time.process_time() - start:.1f} s of processors, {memory} MB at most")
"""


def trained(folder: pathlib.Path) -> list[str]:
    """Time and memory of training, each in a process of its own: references and outputs of WMT14, WMT15 and WMT19."""
    told = []
    for what, pattern in (("lm", "*-en.tsv.gz"), ("ibm1", "*.de-en.tsv.gz")):
        source, target = folder / f"{what}.source", folder / f"{what}.target"
        n = words = 0
        with source.open("w", encoding="utf-8") as left, target.open("w", encoding="utf-8") as right:
            for path in sorted(TEXTS.parents[1].glob(f"wmt1[459]-*/newstest{pattern}")):
                testset = tercet.read_testset(path)
                sources = testset.sources.strings if testset.sources else ()
                for texts in testset.systems.values():
                    for one, other in zip(sources, texts.strings, strict=True):
                        left.write(one.replace("\r", " ") + "\n")
                        right.write(other.replace("\r", " ") + "\n")
                        n, words = n + 1, words + len(other.split())
        told.append(f"train {what}: {n} sentences, {words} words: {_trained(what, source, target, folder)}.")
    return told


def _trained(what: str, source: pathlib.Path, target: pathlib.Path, folder: pathlib.Path) -> str:
    """What one process says of its training."""
    import subprocess

    command = [sys.executable, "-c", _TRAIN, what, str(source), str(target), str(folder / "made.gz")]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def trained_on_a_million(folder: pathlib.Path) -> list[str]:
    """The same with a million pairs of sentences: those of all German-English texts, again and again.

    In each round the numbers are others, and a tenth of the words, by their place, are words of that round, as text
    that goes on has ever new words.
    """
    pairs: list[tuple[str, str]] = []
    for path in sorted(TEXTS.parents[1].glob("wmt1[459]-*/newstest*.de-en.tsv.gz")):
        testset = tercet.read_testset(path)
        sources = testset.sources.strings if testset.sources else ()
        for texts in testset.systems.values():
            pairs += zip(sources, texts.strings, strict=True)
    source, target, words = folder / "million.source", folder / "million.target", 0
    with source.open("w", encoding="utf-8") as left, target.open("w", encoding="utf-8") as right:
        for i in range(MILLION):
            times, place = divmod(i, len(pairs))
            for file, text in zip((left, right), pairs[place], strict=True):
                changed = [_in_round(word, times, k + place) for k, word in enumerate(text.split())]
                file.write(" ".join(changed) + "\n")
            words += len(changed)
    return [
        f"train {what}: {MILLION} sentences, {words} words: {_trained(what, source, target, folder)}."
        for what in ("lm", "ibm1", "frequencies")
    ]


def _in_round(word: str, times: int, place: int) -> str:
    """A word as it is in a round of the text."""
    if word.isdigit():
        return str(int(word) + times)
    return f"{word}{times}" if times and place % 10 == 0 else word


def million(folder: pathlib.Path) -> list[str]:
    """A model of WMT14 texts, and a million segments predicted from files: time and memory."""
    testset = tercet.read_testset(TEXTS)
    source, target = corpus(testset, folder)
    sources, targets = (path.read_text(encoding="utf-8").split("\n")[:-1] for path in (source, target))
    n = 4000
    references = [testset.references[i % len(testset)][0] for i in range(n)] if testset.references else []
    labels = [min(value / 100, 1) for value in tercet.metric("ter").segments(targets[:n], references).tolist()]
    told = []
    for learner in ("ridge", "extra-trees", "svr"):
        model = folder / learner
        given: dict[str, Any] = {"source_corpus": source, "target_corpus": target, "learners": (learner,)}
        tercet.qe_train(sources[:n], targets[:n], labels=labels, model=model, **given)
        for name, lines in (("big.source", sources), ("big.target", targets)):
            with (folder / name).open("w", encoding="utf-8") as file:
                for i in range(MILLION):
                    file.write(f"{lines[i % len(lines)]} {i}\n")
        told.append(predicted(model, folder))
    return told


def predicted(model: pathlib.Path, folder: pathlib.Path) -> str:
    """Time and memory of the command, in a process of its own."""
    import subprocess

    command = [sys.executable, "-m", "tercet", "qe", "predict", str(model), "--why", "0", "-f", "tsv"]
    command += ["-s", str(folder / "big.source"), "-t", str(folder / "big.target")]
    start, before = time.perf_counter(), of_children()
    with (folder / "out").open("wb") as out:
        subprocess.run(command, stdout=out, check=True)
    seconds, worked = time.perf_counter() - start, of_children() - before
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    took = f"{seconds:.0f} s by the clock, {worked:.0f} s of processors, {peak:.0f} MB at most"
    return f"{model.name}: {MILLION} segments: {took}."


def main() -> None:
    """Measure and print."""
    parts = {"rows": rows_alone, "train": trained, "train-million": trained_on_a_million, "million": million}
    for part in sys.argv[1:] or list(parts)[1:]:
        with tempfile.TemporaryDirectory() as name:
            for line in parts[part](pathlib.Path(name)):
                print(line, flush=True)
    print(machine())


if __name__ == "__main__":
    main()
