"""METEOR against its own program and against NLTK's, on newstest2014 de-en, every stage.

The program is asked line by line (`-stdio`), as those do who score with it in a loop; its tables are loaded, and its
first passes, in which Java still compiles, are not counted. NLTK's METEOR has no paraphrases and other parameters, so
that only its time is compared; it needs the files of WordNet 3.0 (Debian: wordnet-base; TERCET_WORDNET names others).
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import IO, cast

import tercet
from benchmarks.rows import Row, best_of
from tercet.errors import MissingExtraError
from tercet.text import meteor_files

WORDNET = pathlib.Path(os.environ.get("TERCET_WORDNET", "/usr/share/wordnet"))
_LEXICOGRAPHERS = 45  # files of WordNet 3.0, whose names NLTK wants and METEOR does not use


def rows(hypotheses: list[str], references: list[str]) -> tuple[list[Row], list[str]]:
    """The comparisons that this machine can make, and a line for each that it cannot."""
    found, notes = [], []
    try:
        files = meteor_files.locate(None)
    except MissingExtraError as error:
        return [], [f"METEOR is left out: {error}"]
    ours, score = best_of(3, partial(tercet.metric("meteor").corpus, hypotheses, references, threads=1))
    java = shutil.which("java")
    if java is None:
        notes.append("METEOR's own program is left out: there is no java.")
    else:
        with program(java, files.root) as passed:
            for _ in range(3):
                passed(hypotheses, references)
            theirs, theirs_score = best_of(3, partial(passed, hypotheses, references))
        if abs(score - theirs_score) > 1e-12:
            sys.exit(f"METEOR: Tercet has {score}, its own program {theirs_score}; no ratio is given.")
        found.append(Row("meteor, all stages, against METEOR's program, warm", ours, theirs, 5))
    if not (WORDNET / "data.noun").exists():
        notes.append("NLTK's METEOR is left out: there is no WordNet 3.0 (TERCET_WORDNET names its folder).")
    else:
        found.append(Row("meteor, all stages, against NLTK's with WordNet", ours, nltk(hypotheses, references), 10))
    start, _ = best_of(3, cold)
    notes.append(f"METEOR from a new process, with a built cache, to the score of one segment: {start:.2f} s.")
    return found, notes


@contextlib.contextmanager
def program(java: str, jar: pathlib.Path) -> Iterator[Callable[[Sequence[str], Sequence[str]], float]]:
    """METEOR 1.5 with its tables loaded, and a function that has it score a system."""
    command = [java, "-Xmx3G", "-XX:+UseSerialGC", "-jar", str(jar), "-", "-", "-stdio", "-l", "en", "-norm"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        into, out = cast(IO[str], process.stdin), cast(IO[str], process.stdout)

        def ask(lines: list[str]) -> list[str]:
            # from a thread of its own, since the program answers while it is still being asked
            writer = threading.Thread(target=lambda: (into.writelines(f"{line}\n" for line in lines), into.flush()))
            writer.start()
            answers = [out.readline().rstrip("\n") for _ in lines]
            writer.join()
            return answers

        def passed(hypotheses: Sequence[str], references: Sequence[str]) -> float:
            counts = ask([f"SCORE ||| {r} ||| {h}" for h, r in zip(hypotheses, references, strict=True)])
            into.write("EVAL ||| " + " ||| ".join(counts) + "\n")
            into.flush()
            return [float(out.readline()) for _ in range(len(counts) + 1)][-1]

        yield passed
        into.close()


def nltk(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Seconds of NLTK's METEOR, its WordNet loaded before."""
    from nltk import data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.translate.meteor_score import single_meteor_score

    split = tercet.tokenizer("meteor")
    pairs = [(split(r), split(h)) for h, r in zip(hypotheses, references, strict=True)]
    with tempfile.TemporaryDirectory() as root:
        data.path.append(root)  # NLTK reads nothing from elsewhere
        folder = pathlib.Path(root) / "corpora" / "wordnet"
        folder.mkdir(parents=True)
        for file in WORDNET.glob("*.*"):
            shutil.copy(file, folder)
        names = "".join(f"{n:02}\tfile{n}\t1\n" for n in range(_LEXICOGRAPHERS))
        (folder / "lexnames").write_text(names)
        (folder / "index.sense").touch()
        wordnet = WordNetCorpusReader(str(folder), None)
        wordnet.synsets("cat")

        def passed() -> None:
            for reference, hypothesis in pairs:
                single_meteor_score(reference, hypothesis, wordnet=wordnet)

        return best_of(1, passed)[0]


def cold() -> None:
    """A new process that scores one segment."""
    code = "import tercet; tercet.metric('meteor').corpus(['the cat sat on the mat'], ['a cat was sitting on the mat'])"
    subprocess.run([sys.executable, "-c", code], check=True)
