"""WMDO (Chow, Specia and Madhyastha 2019): the word mover's distance with a penalty for broken word order.

Word mover's distance (Kusner et al. 2015) is the cost of moving the words of the reference to those of the translation,
each word its share of the text, over the distances between their vectors. Where a word goes to says what it is matched
with, and matches in many pieces are penalised as METEOR does it.
"""

from __future__ import annotations

import bisect
import dataclasses
import pathlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from tercet import text
from tercet.data import Array, Batch
from tercet.data.explanation import Explanation, Factor, Match
from tercet.errors import InputError, MissingExtraError
from tercet.metric import Card, Metric
from tercet.metrics import explained
from tercet.metrics.meteor.metric import first_best
from tercet.metrics.yisi import placed
from tercet.spec import option

_RANGE = (0.0, 1.0, 0.02)
_MOST_CELLS = 1 << 22  # distances of a segment
_ONES = 1e-12  # flow below this is the solver's dust

Words = tuple[str, ...]


class Moved(NamedTuple):
    """What moving a reference to a translation costs, and the places (translation, reference) of matched words."""

    distance: float
    fragmentation: float
    pairs: list[tuple[int, int]]


@dataclasses.dataclass(frozen=True)
class Wmdo(Metric):
    """Statistics: [distance, fragmentation, share of words without a vector, 1], against the best reference."""

    vectors: str | None = option(None, "file with word vectors, .vec or .vec.gz; none: words match but themselves")
    delta: float = option(0.18, "weight of the penalty for word order", tunable=_RANGE)
    missing: float = option(0.1, "weight of the translation's words that have no vector", tunable=_RANGE)
    distance: Literal["cosine", "euclidean"] = option("cosine", "distance between two words")
    centred: bool = option(False, "take delta / 2 off, as the paper's formula does")
    tokenize: str = option("moses", "tokenizer spec, as moses(language=de); none: split at white space")

    name = "wmdo"
    files = ("vectors",)
    higher_is_better = False
    digits = 4
    card = Card(
        title="WMDO",
        year=2019,
        group="Imperial College",
        kind="embeddings",
        resources="word vectors",
        definition=(
            "The word mover's distance between translation and reference, in lower case, plus `delta` times the number "
            "of chunks over the number of matches: each reference word is matched with the word that most of it is "
            "moved to, and matches that stand side by side in both texts are one chunk. `missing` times the share of "
            "words without a vector comes on top. A system's score is the mean of its segments; of several references "
            "the one with the lowest score counts."
        ),
        paper="Chow, Specia and Madhyastha 2019, *WMDO: fluency-based word mover's distance for machine translation "
        "evaluation*",
        scale="0 and up, about 1 for texts with nothing in common; lower is better",
        reference="none: a reconstruction from the paper and the description of the authors' program",
        differences=(
            "The defaults of `delta` and `missing` are those that the authors advise for their program. The paper has "
            "`WMD - delta * (1/2 - penalty)`, which is `centred=true, missing=0`.",
            "Words without a vector are 1 away from all others and match only themselves; without `vectors` all words "
            "do.",
            "Of several like words the one nearest to the place where a chunk would go on is taken.",
            "The authors tokenise with NLTK, and leave words of one letter out of the distance; here all words count.",
            "Where a distance can be reached in several ways, the penalty is that of the way which the solver of POT "
            "finds.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "tokenize", str(text.tokenizer(self.tokenize)))
        fine = self.vectors is None or pathlib.Path(self.vectors).exists()
        self.require(fine, "vectors", "a file that is there")
        for name in ("delta", "missing"):
            self.require(0 <= getattr(self, name) <= 1000, name, "from 0 to 1000")

    def words(self, batch: Batch) -> tuple[list[Words], list[Words]]:
        """The lower-cased words of both sides."""
        how = text.tokenizer(self.tokenize)
        hyps = text.tokens(batch.hypotheses, how, batch.threads, lower="python")
        refs = text.tokens(batch.required_references().texts, how, batch.threads, lower="python")
        return explained.words(hyps), explained.words(refs)

    def statistics(self, batch: Batch) -> Array:
        """Distance and penalties against the best reference."""
        solve = _solver()
        references = batch.required_references()
        hyps, refs = self.words(batch)
        table = _Table.of(self.vectors, self.distance, (*hyps, *refs))
        rows = np.ones((len(refs), 4))
        for i, hyp in enumerate(hyps):
            lost = table.missing(hyp)
            for r in range(references.groups[i], references.groups[i + 1]):
                found = moved(hyp, refs[r], table, solve)
                rows[r, :3] = found.distance, found.fragmentation, lost
        return rows[first_best(-self.score(rows), references.groups)]

    def score(self, stats: Array) -> Array:
        """Distance and weighted penalties, the mean of the segments."""
        distance, fragmentation, missing, segments = (stats[..., i] for i in range(4))
        offset = self.delta / 2 if self.centred else 0.0
        with np.errstate(invalid="ignore"):
            mean: Array = (distance + self.delta * fragmentation + self.missing * missing) / segments - offset
        return mean

    def statistic_names(self) -> tuple[str, ...]:
        """Of single segments."""
        return "distance", "fragmentation", "words without a vector", "segments"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Distance and penalties, and which words are matched."""
        number = explained.chosen(self, batch, row)
        hyps, refs = self.words(batch)
        found = moved(hyps[0], refs[number], _Table.of(self.vectors, self.distance, (*hyps, *refs)), _solver())
        parts = [
            explained.given("distance", row[0]),
            _product("order penalty", self.delta, "fragmentation", row[1]),
            _product("missing words", self.missing, "share", row[2]),
        ]
        if self.centred:
            parts.append(explained.given("centre", -self.delta / 2))
        pairs = [(i, j, "exact" if hyps[0][i] == refs[number][j] else "similar") for i, j in found.pairs]
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, "sum", tuple(parts)),
            hypothesis=hyps[0],
            reference=refs[number],
            matches=tuple(Match((i, i + 1), (j, j + 1), kind) for i, j, kind in pairs),
            notes=explained.references_note(batch.required_references()[0], number),
        )


def _product(name: str, weight: float, what: str, value: float) -> Factor:
    return explained.made(name, "product", [explained.given("weight", weight), explained.given(what, value)])


@dataclasses.dataclass(frozen=True, eq=False)
class _Table:
    """The words of a batch with their vectors."""

    places: dict[str, int]
    rows: Array
    distance: str

    @classmethod
    def of(cls, path: str | None, distance: str, texts: Sequence[Words]) -> _Table:
        words = list(dict.fromkeys(word for words in texts for word in words))
        places, rows = placed(path, words)
        return cls(dict(zip(words, places.tolist(), strict=True)), rows, distance)

    def missing(self, words: Words) -> float:
        """The share of words without a vector; nothing is missing where no vectors are used."""
        if not len(self.rows) or not words:
            return 0.0
        return sum(self.places[word] < 0 for word in words) / len(words)

    def distances(self, ones: Sequence[str], others: Sequence[str]) -> Array:
        """Of every word of one text to every word of the other."""
        out = np.ones((len(ones), len(others)))
        a, b = (np.array([self.places[word] for word in side], dtype=np.int64) for side in (ones, others))
        there = np.ix_(a >= 0, b >= 0)
        cosine = np.clip(np.einsum("id,jd->ij", self.rows[a[a >= 0]], self.rows[b[b >= 0]]), -1.0, 1.0)
        out[there] = 1 - cosine if self.distance == "cosine" else np.sqrt(2 - 2 * cosine)
        number = {word: j for j, word in enumerate(others)}
        for i, word in enumerate(ones):
            if word in number:
                out[i, number[word]] = 0.0
        return out


_Solve = Callable[[Array, Array, Array], Array]


def moved(hyp: Words, ref: Words, table: _Table, solve: _Solve) -> Moved:
    """The reference moved to the translation; 1 and a penalty of 1 if one of them has no words, 0 if neither has."""
    if not hyp or not ref:
        return Moved(float(bool(hyp or ref)), float(bool(hyp or ref)), [])
    ours, theirs = Counter(hyp), Counter(ref)
    if len(ours) * len(theirs) > _MOST_CELLS:
        raise InputError(
            f"A segment has {len(ours)} different words and its reference {len(theirs)}: too many for WMDO.",
            hint="Cut it into sentences.",
        )
    costs = table.distances(list(theirs), list(ours))
    flow = solve(_shares(theirs), _shares(ours), costs)
    pairs = matched(hyp, ref, {word: flow[i] for i, word in enumerate(theirs)}, list(ours))
    return Moved(float((flow * costs).sum()), fragmentation([i for i, _ in pairs]), pairs)


def _shares(counts: Counter[str]) -> Array:
    return np.array(list(counts.values()), dtype=np.float64) / counts.total()


def matched(hyp: Words, ref: Words, flows: dict[str, Array], words: Sequence[str]) -> list[tuple[int, int]]:
    """Each reference word with the word that most of it goes to, the one nearest to the place after the last match."""
    places: dict[str, list[int]] = {}
    for i, word in enumerate(hyp):
        places.setdefault(word, []).append(i)
    pairs: list[tuple[int, int]] = []
    expected = 0
    for j, word in enumerate(ref):
        flow = flows[word]
        most = flow.max()
        if most <= _ONES:
            continue
        near = [_nearest(places[words[k]], expected) for k in np.flatnonzero(flow >= most - _ONES).tolist()]
        taken = min(near, key=lambda i: (abs(i - expected), i))
        pairs.append((taken, j))
        expected = taken + 1
    return pairs


def _nearest(places: Sequence[int], wanted: int) -> int:
    """The place nearest to the one that is wanted, the first of two."""
    at = bisect.bisect_left(places, wanted)
    return min(places[max(0, at - 1) : at + 1], key=lambda i: (abs(i - wanted), i))


def fragmentation(places: Sequence[int]) -> float:
    """Chunks over matches, at most 1; a first match elsewhere than at the first word is a chunk of its own.

    >>> fragmentation([0, 1, 4, 5])
    0.5
    """
    if not places:
        return 1.0
    breaks = sum(after != before + 1 for before, after in zip([-1, *places], places, strict=False))
    return min(1.0, (1 + breaks) / len(places))


def _solver() -> _Solve:
    try:
        import ot
    except ImportError:
        raise MissingExtraError(
            "WMDO needs the package POT, which is not installed.",
            hint="Install it with `pip install 'tercet[transport]'`.",
        ) from None

    def solve(one: Array, other: Array, costs: Array) -> Array:
        found: Any = ot.lp.emd(one, other, np.ascontiguousarray(costs), numItermax=10_000_000, check_marginals=False)
        return np.asarray(found, dtype=np.float64)

    return solve
