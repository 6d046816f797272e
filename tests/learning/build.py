"""A small METEOR of words as they are, made-up texts, and comparisons of them."""

from __future__ import annotations

import dataclasses

import numpy as np

from tercet.data import Array, Assessments, Batch, Judgements, Kind, Rankings, TestSet
from tercet.metric_base import Card, Metric
from tercet.spec import option

SYSTEMS = ("one", "two", "three", "four")
WORDS = ("a", "b", "c", "d", "e", "f", "g", "h")


@dataclasses.dataclass(frozen=True)
class Small(Metric):
    """Words in common, weighted by whether they are vowels, and how many pieces they come in."""

    alpha: float = option(0.5, "weight of recall", tunable=(0.0, 1.0, 0.125))
    beta: float = option(1.0, "power of the fragmentation", tunable=(0.0, 2.0, 0.5))
    gamma: float = option(0.5, "largest penalty", tunable=(0.0, 1.0, 0.125))
    weights: tuple[float, ...] = option((1.0, 0.5), "of consonants and vowels", tunable=(0.0, 1.0, 0.25))
    case: bool = option(True, "keep the case")

    name = "small"
    card = Card("Small", "A small METEOR.", "none", "0 to 1", "none", exact=False)

    def statistics(self, batch: Batch) -> Array:
        """[consonants matched, vowels matched, length, reference length, chunks]"""
        rows = []
        for text, references in zip(batch.hypotheses, batch.required_references(), strict=True):
            hyp, ref = text.split(), references[0].split()
            flags = [word in ref for word in hyp]
            chunks = sum(f and not (i and flags[i - 1]) for i, f in enumerate(flags))
            matched = [w for w, f in zip(hyp, flags, strict=True) if f]
            vowels = sum(w in "ae" for w in matched)
            rows.append([len(matched) - vowels, vowels, len(hyp), len(ref), chunks])
        return np.array(rows, dtype=np.float64).reshape(-1, 5)

    def factors(self, stats: Array) -> tuple[Array, Array, Array]:
        """Precision, recall, fragmentation."""
        matches = stats[..., 0] * self.weights[0] + stats[..., 1] * self.weights[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            recall = np.minimum(matches / stats[..., 3], 1.0)
            return matches / stats[..., 2], recall, stats[..., 4] / (stats[..., 0] + stats[..., 1])

    def score(self, stats: Array) -> Array:
        """The harmonic mean with its penalty; 0 where nothing matches."""
        p, r, fragmentation = self.factors(stats)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = 1 / ((1 - self.alpha) / p + self.alpha / r)
            score = mean * (1 - self.gamma * fragmentation**self.beta)
        return np.where((p > 0) & (r > 0), score, 0.0)


def texts(seed: int = 1, segments: int = 40, references: int = 1) -> TestSet:
    """Systems that say parts of what the references say, in some disorder."""
    rng = np.random.default_rng(seed)
    refs = [[" ".join(rng.choice(WORDS, rng.integers(3, 9))) for _ in range(references)] for _ in range(segments)]
    systems = {}
    for noise, system in enumerate(SYSTEMS):
        systems[system] = [
            " ".join(w if rng.random() > 0.15 * (noise + 1) else str(rng.choice(WORDS)) for w in own[0].split())
            for own in refs
        ]
    return TestSet.of(systems, refs, documents=[f"d{i // 4}" for i in range(segments)])


def rankings(testset: TestSet, seed: int = 2, tasks: int = 60) -> Rankings:
    """Tasks of three systems each, ranked at random with a leaning to the first ones; ties happen."""
    rng = np.random.default_rng(seed)
    output = np.concatenate([rng.permutation(len(SYSTEMS))[:3] for _ in range(tasks)]).astype(np.int64)
    rank = np.clip(output + rng.integers(0, 3, len(output)), 0, 4) + 1
    return Rankings(
        "xx-yy",
        SYSTEMS,
        testset.segments,
        (),
        tuple((i,) for i in range(len(SYSTEMS))),
        rng.integers(0, len(testset), tasks),
        np.full(tasks, -1, dtype=np.int64),
        np.arange(0, 3 * tasks + 1, 3),
        output,
        rank.astype(np.int64),
    )


def assessments(testset: TestSet, seed: int = 3) -> Assessments:
    """A score from 0 to 100 for every output."""
    rng = np.random.default_rng(seed)
    rows = len(SYSTEMS) * len(testset)
    system = np.repeat(np.arange(len(SYSTEMS)), len(testset))
    return Assessments(
        "xx-yy",
        SYSTEMS,
        testset.segments,
        ("j",),
        np.zeros(rows, dtype=np.int64),
        system,
        np.tile(np.arange(len(testset)), len(SYSTEMS)),
        np.full(rows, Kind.SYSTEM, dtype=np.int64),
        np.clip(70 - 12.0 * system + rng.normal(0, 15, rows), 0, 100),
    )


def part_of(data: Judgements, testset: TestSet, keep: set[str]) -> tuple[TestSet, Judgements]:
    """Some segments alone, by way of new texts and new judgements."""
    chosen = [i for i, s in enumerate(testset.segments) if s in keep]
    assert testset.references is not None
    small = TestSet.of(
        {name: [own[i] for i in chosen] for name, own in testset.systems.items()},
        [list(testset.references[i]) for i in chosen],
        segments=[testset.segments[i] for i in chosen],
    )
    place = {s: n for n, s in enumerate(small.segments)}
    assert isinstance(data, Rankings)
    tasks = [t for t, s in enumerate(data.segment) if data.segments[s] in keep]
    items = [i for t in tasks for i in range(data.starts[t], data.starts[t + 1])]
    return small, dataclasses.replace(
        data,
        segments=small.segments,
        segment=np.array([place[data.segments[data.segment[t]]] for t in tasks], dtype=np.int64),
        judge=data.judge[tasks],
        starts=np.arange(0, len(items) + 1, 3),
        output=data.output[items],
        rank=data.rank[items],
    )
