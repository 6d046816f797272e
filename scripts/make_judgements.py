"""Write the judgements of the demo campaign: src/tercet/sample/*.rankings.csv, en-de.da.csv, .mqm.tsv and .esa.csv.

    python scripts/make_judgements.py

No person made them. The quality of an output is its chrF against the references, plus an effect of the system and
a share that no metric sees; a judge sees that quality through noise of their own, part of which stays the same when
the same judge sees the same output again. The output is committed; a test holds program and files equal.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import pathlib
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

import tercet
from tercet.data import TestSet
from tercet.sample import PAIRS, campaign

T = TypeVar("T")
Array = npt.NDArray[np.float64]
Rng = np.random.Generator
Span = tuple[int, int]

TARGET = pathlib.Path(__file__).resolve().parents[1] / "src" / "tercet" / "sample"
SEED = 1  # chosen, as the effects are, so that amber leads everywhere and is a cluster of its own in some pairs only
HIDDEN = 0.07  # spread of the quality that chrF does not see
HABIT = 0.8  # share of a judge's noise that comes back with the same output
MONDAY = 1_700_467_200  # when the first item was opened, in Unix seconds


@dataclasses.dataclass(frozen=True)
class Judge:
    """Someone who ranks: how far off, how alike two outputs must be to tie, seconds a word."""

    noise: float
    tie: float
    pace: float


@dataclasses.dataclass(frozen=True)
class Worker:
    """Someone who scores from 0 to 100: the usual score, how far they go from it, how steadily, how long they look."""

    name: str
    hits: int
    mean: float
    spread: float
    noise: float
    seconds: float
    attentive: bool = True


@dataclasses.dataclass(frozen=True)
class Rater:
    """Someone who marks errors: how many of them, how many as major."""

    name: str
    strict: float
    harsh: float


@dataclasses.dataclass(frozen=True)
class Error:
    """A marked span of the translation, or of the source where nothing was translated."""

    span: Span
    category: str
    severity: str


CAREFUL, STEADY, QUICK, LENIENT, CARELESS, UNSURE = (
    Judge(0.06, 0.05, 2.4),
    Judge(0.10, 0.08, 1.8),
    Judge(0.15, 0.04, 1.1),
    Judge(0.11, 0.20, 1.6),
    Judge(0.30, 0.10, 0.6),
    Judge(0.17, 0.14, 2.0),
)
JUDGES = {
    "en-de": (STEADY, LENIENT, CAREFUL, QUICK, CARELESS),
    "de-en": (CAREFUL, QUICK, UNSURE, STEADY, LENIENT, CARELESS),
    "zh-en": (QUICK, CAREFUL, UNSURE, LENIENT, STEADY),
    "en-hi": (STEADY, QUICK, CARELESS, LENIENT),
    "ar-en": (UNSURE, STEADY, LENIENT, QUICK),
}
EFFECTS = {  # people like birch better than chrF does: less so where the two shall stay apart
    "en-de": {"amber": 0.04, "birch": 0.06},
    "de-en": {"delta": 0.06},
    "zh-en": {"birch": 0.05},
    "en-hi": {"cedar": -0.03},
    "ar-en": {"birch": 0.02, "delta": 0.06},
}
WORKERS = (
    Worker("worker1", hits=3, mean=62, spread=24, noise=7, seconds=14),
    Worker("worker2", hits=2, mean=74, spread=15, noise=6, seconds=10),
    Worker("worker3", hits=2, mean=55, spread=28, noise=10, seconds=18),
    Worker("worker4", hits=2, mean=70, spread=3, noise=13, seconds=2.4, attentive=False),
)
RATERS = (Rater("rater1", strict=1.0, harsh=1.0), Rater("rater2", strict=0.75, harsh=0.8))
ESA_USERS = (Rater("engdeu01", strict=0.9, harsh=0.9), Rater("engdeu02", strict=0.65, harsh=1.1))
DOCUMENTS, FROM_EACH = 3, 4  # errors are marked in the last segments of the first documents


def files() -> dict[str, str]:
    """All files by name."""
    quality = {pair: latent_quality(pair) for pair in PAIRS}
    out = {f"{pair}.rankings.csv": rankings(pair, quality[pair]) for pair in PAIRS}
    out["en-de.da.csv"] = assessments(quality["en-de"])
    out["en-de.mqm.tsv"] = mqm(quality["en-de"])
    out["en-de.esa.csv"] = esa(quality["en-de"])
    return out


def stream(name: str) -> Rng:
    """The random numbers of one file: other files do not change when it does."""
    return np.random.default_rng([SEED, *name.encode()])


def latent_quality(pair: str) -> Array:
    """How good each output is, about 0 to 1 (systems, segments)."""
    testset = campaign(pair)
    records = tercet.score(testset=testset, metrics="chrf", level="segment").as_records()
    chrf = np.array([r["score"] for r in records]).reshape(len(testset.systems), len(testset)) / 100
    effect = np.array([EFFECTS[pair].get(system, 0.0) for system in testset.systems])
    quality: Array = chrf + effect[:, None] + stream(f"{pair} hidden").normal(0, HIDDEN, chrf.shape)
    return quality


# Rankings: up to five outputs in a row.


def rankings(pair: str, quality: Array) -> str:
    """Five-way rankings in the form of WMT15 and WMT16."""
    testset, rng, judges = campaign(pair), stream(f"{pair} rankings"), JUDGES[pair]
    habits = rng.normal(0, 1, (len(judges), *quality.shape))
    tasks = assigned(rng, len(testset), len(judges))
    unjudged = int(rng.integers(len(tasks)))
    others = np.delete(np.arange(len(tasks)), unjudged)
    skipped = set(rng.choice(others, 2 + len(tasks) // 100, replace=False).tolist())
    rows = []
    for t, (j, segment) in enumerate(tasks):
        judge = judges[j]
        mood = HABIT * habits[j, :, segment] + (1 - HABIT**2) ** 0.5 * rng.normal(0, 1, len(quality))
        seen = quality[:, segment] + judge.noise * mood
        items = shown([texts[segment] for texts in testset.systems.values()])
        items = [items[i] for i in rng.permutation(len(items))]
        ranks = ranked([float(np.mean(seen[item])) for item in items], judge.tie)
        words = sum(len(texts[segment]) for texts in testset.systems.values()) / 6
        seconds = (4 + judge.pace * words * 0.3) * float(rng.lognormal(0, 0.35))
        if t == unjudged:
            ranks[int(rng.integers(len(ranks)))] = -1
        if t in skipped:
            items, ranks, seconds = [], [], seconds / 4
        names = ["+".join(list(testset.systems)[s] for s in item) for item in items]
        head = [*pair.split("-"), testset.segments[segment], f"judge{j + 1}", t + 1, duration(seconds)]
        rows.append([*head, *padded(names), *padded(ranks)])
    columns = ["srclang", "trglang", "segmentId", "judgeId", "rankingId", "duration"]
    columns += [f"system{k}Id" for k in range(1, 6)] + [f"system{k}rank" for k in range(1, 6)]
    return as_csv([columns, *rows])


def assigned(rng: Rng, segments: int, judges: int) -> list[tuple[int, int]]:
    """Tasks as (judge, segment), judge by judge: two or three judges a segment, three segments a judge once more."""
    mine: list[list[int]] = [[] for _ in range(judges)]
    for segment in range(segments):
        for j in rng.permutation(judges)[: 2 + int(rng.random() < 0.5)]:
            mine[j].append(segment)
    again = [rng.choice(own, 3, replace=False).tolist() for own in mine]
    return [(j, segment) for j in range(judges) for segment in [*mine[j], *again[j]]]


def shown(outputs: Sequence[str]) -> list[list[int]]:
    """The different outputs, each as the list of systems that produced it."""
    found: dict[str, list[int]] = {}
    for system, output in enumerate(outputs):
        found.setdefault(output.rstrip(), []).append(system)
    return list(found.values())


def ranked(seen: Sequence[float], tie: float) -> list[int]:
    """Ranks from 1, the best; what is less than `tie` below the best of a rank shares it."""
    ranks = [0] * len(seen)
    rank, best = 0, np.inf
    for i in np.argsort(-np.array(seen)).tolist():
        if best - seen[i] > tie:
            rank, best = rank + 1, seen[i]
        ranks[i] = rank
    return ranks


def padded(cells: Sequence[object]) -> list[object]:
    return [*cells, *[""] * (5 - len(cells))]


def duration(seconds: float) -> str:
    whole = int(seconds * 1000)
    return f"{whole // 3_600_000:02}:{whole // 60_000 % 60:02}:{whole // 1000 % 60:02}.{whole % 1000:03}000"


# Direct assessment: HITs of 100 items, 30 of which check the worker.


def assessments(quality: Array) -> str:
    """Direct assessment of en-de, HIT by HIT, in the order of display."""
    testset, rng = campaign("en-de"), stream("en-de da")
    names = list(testset.systems)
    count = np.zeros(quality.size)
    rows: list[list[object]] = [["worker", "hit", "system", "segment", "type", "raw", "start", "end"]]
    hit = 0
    for w, worker in enumerate(WORKERS):
        clock = MONDAY + 86_400.0 * w
        habit = rng.normal(0, 1, quality.size)
        for _ in range(worker.hits):
            hit += 1
            least_seen = np.lexsort((rng.random(quality.size), count))[:70]
            count[least_seen] += 1
            for output, kind in hit_items(rng, rng.permutation(least_seen).tolist()):
                raw = scored(rng, worker, float(quality.flat[output]), float(habit[output]), kind)
                system, segment = divmod(output, quality.shape[1])
                start = clock
                clock += worker.seconds * float(rng.lognormal(0, 0.3))
                cells = [names[system], testset.segments[segment], kind, raw, int(start), int(clock)]
                rows.append([worker.name, f"hit{hit}", *cells])
            clock += 1800
    return as_csv(rows)


def hit_items(rng: Rng, outputs: Sequence[int]) -> list[tuple[int, str]]:
    """Ten sets of seven outputs; the three checks of a set copy outputs of the set five places away."""
    items = []
    for s in range(10):
        other = (s + 5) % 10
        copied = rng.choice(outputs[7 * other : 7 * other + 7], 3, replace=False).tolist()
        own = [(output, "SYSTEM") for output in outputs[7 * s : 7 * s + 7]]
        own += list(zip(copied, ("BAD_REF", "REPEAT", "REF"), strict=True))
        items += [own[i] for i in rng.permutation(10)]
    return items


def scored(rng: Rng, worker: Worker, quality: float, habit: float, kind: str) -> int:
    """A score from 0 to 100; a worker who does not look gives a damaged output what they give the others."""
    seen = quality
    if worker.attentive and kind == "REF":
        seen = 0.88
    if worker.attentive and kind == "BAD_REF":
        seen = quality - float(rng.uniform(0.15, 0.45))
    steadiness = HABIT if worker.attentive else 0.0
    mood = steadiness * habit + (1 - steadiness**2) ** 0.5 * float(rng.normal())
    return within(worker.mean + worker.spread * (seen - 0.5) / 0.25 + worker.noise * mood)


def within(score: float) -> int:
    return round(min(100.0, max(0.0, score)))


# Errors: MQM and ESA, on the same segments.


def marked_segments(testset: TestSet) -> list[tuple[int, str, int]]:
    """The segments in which errors are marked: row, document, number within the document from 1."""
    documents = testset.document_rows()[:DOCUMENTS]
    return [(int(d.rows[i]), d.name, i + 1) for d in documents for i in range(len(d.rows))[-FROM_EACH:]]


def mqm(quality: Array) -> str:
    """MQM in the columns of Google's tables, one error a row."""
    testset, rng = campaign("en-de"), stream("en-de mqm")
    sources = given(testset.sources)
    lines = [["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]]
    for row, document, number in marked_segments(testset):
        for s, (system, texts) in enumerate(testset.systems.items()):
            for rater in RATERS:
                head = [system, document, str(number), testset.segments[row], rater.name]
                source, target = sources[row], texts[row]
                found = errors(rng, testset, row, target, rater, quality[s, row])
                for error in found:
                    both = (source, marked(target, error.span)) if target else (marked(source, error.span), target)
                    lines.append([*head, *both, error.category, error.severity])
                if not found:
                    lines.append([*head, source, target, "No-error", "No-error"])
    return "".join("\t".join(line) + "\n" for line in lines)


def esa(quality: Array) -> str:
    """ESA as Appraise exports it, without a header; as there, `end_i` is the last character of a span."""
    testset, rng = campaign("en-de"), stream("en-de esa")
    rows: list[list[object]] = []
    for u, user in enumerate(ESA_USERS):
        clock = MONDAY + 7 * 86_400.0 + 3600 * u
        for row, document, _ in marked_segments(testset):
            for s, (system, texts) in enumerate(testset.systems.items()):
                target = texts[row]
                found = errors(rng, testset, row, target, user, quality[s, row])
                burden = sum(5 if e.severity == "Major" else 1 for e in found)
                level = 45 + 55 * quality[s, row] - 2.2 * burden + 4 * float(rng.normal())
                score = within(level) if target else 0
                start = clock
                clock += (5 + len(target) / 8 + 4 * len(found)) * float(rng.lognormal(0, 0.3))
                spans = json.dumps([esa_span(e, target) for e in found], separators=(",", ":"))
                head = [user.name, system, testset.segments[row], "TGT", "en", "de"]
                rows.append([*head, score, document, False, spans, f"{start:.3f}", f"{clock:.3f}"])
    return as_csv(rows)


def esa_span(error: Error, target: str) -> dict[str, object]:
    """A span; what is missing has no place."""
    start, end = (error.span[0], error.span[1] - 1) if target else ("missing", "missing")
    return {"start_i": start, "end_i": end, "severity": error.severity.lower(), "error_type": None}


def errors(rng: Rng, testset: TestSet, row: int, target: str, rater: Rater, quality: float) -> list[Error]:
    """At most five of the errors of an output, in the order of the text."""
    source = given(testset.sources)[row]
    if not target:
        return [Error((0, len(source)), "Accuracy/Omission", "Major")]
    if quality < 0.15 and rng.random() < 0.3:
        return [Error((0, len(target)), "Non-translation!", "Major")]
    found = []
    for span in unlike(target, given(testset.references)[row]):
        if rng.random() < rater.strict * min(0.95, max(0.05, 1.15 - quality)):
            found.append(graded(rng, target, span, source, rater, quality))
    if target[-1] in ".!?:“" and rng.random() < 0.06:
        found.append(Error((len(target) - 1, len(target)), "Fluency/Punctuation", "Minor"))
    kept = sorted(rng.permutation(len(found))[:5].tolist())
    return [found[i] for i in kept]


def graded(rng: Rng, target: str, span: Span, source: str, rater: Rater, quality: float) -> Error:
    """An error with a category and a severity: words of the source are untranslated, the rest is drawn."""
    if set(words(target[slice(*span)])) & set(words(source)) and quality < 0.5:
        category, major = "Accuracy/Untranslated text", 0.7
    elif quality > 0.6:
        category, major = str(rng.choice(["Style/Awkward", "Terminology/Inappropriate for context"])), 0.1
    else:
        category, major = str(rng.choice(["Accuracy/Mistranslation", "Fluency/Grammar"])), 0.7 - 0.6 * quality
    return Error(span, category, "Major" if rng.random() < rater.harsh * major else "Minor")


def unlike(target: str, references: Iterable[str]) -> list[Span]:
    """Runs of at most three words that no reference has."""
    known = {word for reference in references for word in words(reference)}
    runs: list[list[re.Match[str]]] = []
    last = None
    for i, match in enumerate(re.finditer(r"\w[\w.,:/-]*\w|\w", target)):
        if match[0].casefold() in known:
            continue
        if runs and last == i - 1 and len(runs[-1]) < 3:
            runs[-1].append(match)
        else:
            runs.append([match])
        last = i
    return [(run[0].start(), run[-1].end()) for run in runs]


def words(text: str) -> list[str]:
    return [word.casefold() for word in re.findall(r"\w[\w.,:/-]*\w|\w", text)]


def marked(text: str, span: Span) -> str:
    return f"{text[: span[0]]}<v>{text[slice(*span)]}</v>{text[span[1] :]}"


def given(texts: T | None) -> T:
    """What every test set of the demo has."""
    if texts is None:
        raise ValueError("the demo has sources and references")
    return texts


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def main() -> None:
    """Write the files beside the texts."""
    for name, text in files().items():
        (TARGET / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
