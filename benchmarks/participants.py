"""The exact metrics of WMT's participants against their reference implementations, on newstest2014 de-en, one thread.

hLepor and rouge-score come from the registries. LeBLEU's own routine and EED's do not: their peers are a LeBLEU over
RapidFuzz and the plain form of EED that the tests hold the kernel to. CharacTER, BEER and YiSi are programs in C++ and
Scala: their times stand in ../shared, from another day, and so do their scores, which are compared on the very texts.
All seconds are CPU seconds, as those of the other day are.
"""

from __future__ import annotations

import csv
import gzip
import importlib.util
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

import tercet
from benchmarks import participants_peers as peers
from benchmarks.rows import ROOT, TEXTS, Row, best_of, require_equal

SHARED = ROOT.parent / "shared"
TIMINGS = SHARED / "spec" / "reference-timings.md"
BEER_MODEL = SHARED / "spec" / "metrics" / "data" / "beer_default_model.json"
GOLDEN = SHARED / "golden" / "wmt14-news.de-en.segments.tsv.gz"
ROUGE = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-l": "rougeL"}
EVERY = 10  # of the segments for EED's plain form
# metric, column of its scores, its line in the timings, ratio wanted
OTHER_DAY = (
    ("eed", "eed.py2020", "EED python", 100),
    ("lebleu", "lebleu", "LeBLEU, distances in C (rapidfuzz cdist)", 20),
    ("character", "character", "CharacTER", 10),
    (f'beer(model="{BEER_MODEL}")', "beer", "BEER 2.0", 5),
    ("yisi-0(n=1)", "yisi0.n1", "YiSi-0, n = 1", 5),
    ("yisi-0", "yisi0.n3", "YiSi-0, n = 3", 5),
)

cpu = partial(best_of, clock=time.process_time)


def rows(hypotheses: list[str], references: list[str]) -> tuple[list[Row], list[str]]:
    """The comparisons that can be made, and a line for those that cannot, and on what the figures rest."""
    found, notes = [], []
    for package, measured in (("hlepor", hlepor), ("rouge_score", rouges)):
        if importlib.util.find_spec(package):
            found += measured(hypotheses, references)
        else:
            notes.append(f"{package} is left out: pip install 'tercet[bench]'.")
    found += [lebleu(hypotheses, references), eed(hypotheses[::EVERY], references[::EVERY])]
    if not (TIMINGS.exists() and GOLDEN.exists()):
        return found, [*notes, "CharacTER, BEER and YiSi-0 are left out: ../shared has no timings or scores of them."]
    return [*found, *other_day()], [
        *notes,
        "The participants' metrics: CPU seconds. Another day's figures, for segments 1-300 of two systems, stand in "
        "../shared/spec/reference-timings.md and were not measured beside ours; the scores are the same. LeBLEU's own "
        "C routine is not to be had, and of YiSi-1 there are no figures.",
    ]


def hlepor(hypotheses: list[str], references: list[str]) -> list[Row]:
    """hLEPOR, on tokens of Moses."""
    theirs_score = peers.hlepor()
    texts = tokenised(hypotheses), tokenised(references)
    metric = tercet.metric("hlepor(tokenize=none)")
    one_by_one = [theirs_score([r], [h], separate_punctuation=False) for h, r in zip(*texts, strict=True)]
    require_equal("hlepor", metric.segments(*texts, threads=1), one_by_one)
    ours, a = cpu(10, partial(metric.corpus, *texts, threads=1))
    theirs, b = cpu(3, partial(theirs_score, texts[1], texts[0], separate_punctuation=False))
    require_equal("hlepor", [a], [b])
    return [Row("hlepor, against hLepor 0.0.4", ours, theirs, 20)]


def rouges(hypotheses: list[str], references: list[str]) -> list[Row]:
    """The three ROUGEs, and one with stems."""
    found = []
    for name, stem in (*((name, False) for name in ROUGE), ("rouge-l", True)):
        metric = tercet.metric(f"{name}(stem=true)" if stem else name)
        ours, a = cpu(10, partial(metric.segments, hypotheses, references, threads=1))
        theirs, b = cpu(3, partial(peers.rouge, ROUGE[name], stem, hypotheses, references))
        require_equal(str(metric), a, b)
        found.append(Row(f"{metric}, against rouge-score 0.1.2", ours, theirs, 10))
    return found


def lebleu(hypotheses: list[str], references: list[str]) -> Row:
    """LeBLEU's hits and n-grams; the rest of it costs nothing."""
    metric = tercet.metric("lebleu")
    ours, a = cpu(5, lambda: metric.statistics(metric.batch(hypotheses, references, threads=1)))
    theirs, b = cpu(2, partial(peers.lebleu, hypotheses, references))
    require_equal("lebleu", a[:, :-2], b)
    return Row("lebleu, against a form of it over RapidFuzz's cdist", ours, theirs, 20)


def eed(hypotheses: list[str], references: list[str]) -> Row:
    """EED in Python."""
    ours, a = cpu(10, partial(tercet.metric("eed").segments, hypotheses, references, threads=1))
    theirs, b = cpu(2, partial(peers.eed, hypotheses, references))
    require_equal("eed", a, b)
    return Row(f"eed, against a plain Python form of it, {len(hypotheses)} segments", ours, theirs, 100)


def other_day() -> list[Row]:
    """Against programs that were timed on another day."""
    scores, timings, texts = golden(), seconds_per_1000(), tercet.read_testset(TEXTS)
    if texts.references is None:
        return []
    found = []
    for spec, column, line, wanted in OTHER_DAY:
        metric = tercet.metric(spec)
        ours = theirs = 0.0
        for system, columns in scores.items():
            expected = columns[column]
            both = list(texts.systems[system])[: len(expected)], [texts.references[i][0] for i in range(len(expected))]
            if metric.name == "yisi-0":
                both = tokenised(both[0]), tokenised(both[1])
            seconds, a = cpu(10, partial(metric.segments, *both, threads=1))
            require_equal(line, a, expected)
            ours += seconds
            theirs += timings[line] * len(expected) / 1000
        found.append(Row(f"{spec.partition('(model')[0]}, against {line}, another day's figures", ours, theirs, wanted))
    return found


def golden() -> dict[str, dict[str, Any]]:
    """System → column → the reference implementation's score of each segment."""
    with gzip.open(GOLDEN, "rt", encoding="utf-8", newline="\n") as file:
        table = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    columns = [column for _, column, _, _ in OTHER_DAY]
    systems = dict.fromkeys(row["system"] for row in table)
    return {
        system: {c: np.array([float(row[c]) for row in table if row["system"] == system]) for c in columns}
        for system in systems
    }


def seconds_per_1000() -> dict[str, float]:
    """Implementation → its CPU seconds for 1000 segments of de-en."""
    cells = [[c.strip() for c in line.split("|")] for line in TIMINGS.read_text(encoding="utf-8").splitlines()]
    wanted = {line for _, _, line, _ in OTHER_DAY}
    return {row[1]: float(row[2]) for row in cells if len(row) > 2 and row[1] in wanted}


def tokenised(lines: Sequence[str]) -> list[str]:
    """Lines as Moses splits them, without entities."""
    split = tercet.tokenizer("moses(language=en, escape=false)")
    return [" ".join(split(line)) for line in lines]
