"""WMDO (Chow, Specia and Madhyastha 2019): the word mover's distance with a penalty for broken word order.

Word mover's distance (Kusner et al. 2015) is the cost of moving the words of the reference to those of the translation,
each word its share of the text, over the distances between their vectors. Where a word goes to says what it is matched
with, and matches in many pieces are penalised as METEOR does it.
"""

from __future__ import annotations

import bisect
import dataclasses
import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from tercet import contents, text
from tercet.data import Array, Batch
from tercet.data.explanation import Explanation, Factor, Match
from tercet.encoders import Encoded
from tercet.errors import InputError, extra
from tercet.metric_base import Card
from tercet.metrics import explained, wmdo_program
from tercet.metrics.meteor.metric import first_best
from tercet.metrics.neural.base import parts
from tercet.metrics.neural.vectors import VectorMetric, inner_pieces, placed
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
class Wmdo(VectorMetric):
    """Statistics: [distance, fragmentation, share of words without a vector, 1], against the best reference."""

    delta: float = option(0.18, "weight of the penalty for word order", tunable=_RANGE)
    alpha: float = option(0.1, "weight of the translation's words that have no vector", tunable=_RANGE)
    distance: Literal["cosine", "euclidean"] = option("cosine", "distance between two words")
    centred: bool = option(False, "take delta / 2 off, as the paper's formula does")
    tokenize: str = option("moses", "tokenizer spec, as moses(language=de); none: split at white space")
    version: Literal["paper", "program"] = option(
        "paper", "program: as the authors' program, slips among it, in the place of `tokenize` and `distance`"
    )
    punkt: str | None = option(None, "folder with NLTK's Punkt data, for version=program; none: no abbreviations")

    name = "wmdo"
    files = (*VectorMetric.files, "punkt")
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
            "moved to, and matches that stand side by side in both texts are one chunk. `alpha` times the share of "
            "words without a vector comes on top. A system's score is the mean of its segments; of several references "
            "the one with the lowest score counts. With a `model` words are the pieces that an encoder reads, each "
            "with its contextual vector in one layer."
        ),
        paper="Chow, Specia and Madhyastha 2019, *WMDO: fluency-based word mover's distance for machine translation "
        "evaluation*",
        scale="0 and up, about 1 for texts with nothing in common; lower is better",
        reference="the authors' program for `version=program`; otherwise none: a reconstruction from the paper",
        differences=(
            "The defaults of `delta` and `alpha` are those that the authors advise for their program. The paper has "
            "`WMD - delta * (1/2 - penalty)`, which is `centred=true, alpha=0`.",
            "Words without a vector are 1 away from all others and match only themselves; without `vectors` all words "
            "do.",
            "Of several like words the one nearest to the place where a chunk would go on is taken.",
            "The authors tokenise with NLTK, and leave words of one letter out of the distance; here all words count, "
            "unless with `version=program`.",
            "`version=program` follows the authors' program (mfomicheva/WMDO, July 2019), and needs NLTK as it does. "
            "Of 400 segments that it scored with GloVe's vectors, all distances agree to 1e-6; 395 shares of missing "
            "words, and all with NLTK's data of Punkt (`punkt=FOLDER`), which know abbreviations; and 381 penalties "
            "for word order, or 385 with these data: several ways of moving words may be the cheapest.",
            "Slips of the program are kept: no penalty where its two ways to cut words disagree, nothing moved of what "
            "both texts have of a word, `inf` for two texts of the same single word, NaN for a text without a word of "
            "two letters.",
            "Where a distance can be reached in several ways, the penalty is that of the way which the solver of POT "
            "finds.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "tokenize", str(text.tokenizer(self.tokenize)))
        self.require(self.version == "paper" or self.model is None, "version", "paper beside a model")
        self.require(self.punkt is None or os.path.isdir(self.punkt), "punkt", "a folder that is there")
        self.require(self.punkt is None or self.version == "program", "punkt", "none but with version=program")
        for name in ("delta", "alpha"):
            self.require(0 <= getattr(self, name) <= 1000, name, "from 0 to 1000")

    @property
    def exact(self) -> bool:
        """Whether it is the program's."""
        return self.version == "program"

    def words(self, batch: Batch, some: slice) -> _MovedTexts:
        """The lower-cased words of some segments, or their pieces with contextual vectors."""
        if self.reader is not None:
            return _MovedTexts.read(*self.reader.both(batch, some), self.distance)
        references = batch.required_references()
        if self.version == "program":
            return self._program_words(batch)
        group = slice(int(references.groups[some.start]), int(references.groups[some.stop]))
        how = text.tokenizer(self.tokenize)
        hyps = explained.words(text.tokens(batch.hypotheses, how, batch.threads, lower="python"))[some]
        refs = explained.words(text.tokens(references.texts, how, batch.threads, lower="python"))[group]
        return _MovedTexts(hyps, refs, _WordTable.of(self.vectors, self.distance, (*hyps, *refs)), hyps, refs)

    def _program_words(self, batch: Batch) -> _MovedTexts:
        """The words of all segments, as the program cuts them."""
        raw = list(batch.hypotheses), list(batch.required_references().texts)
        state = contents.state(self.punkt)
        hyps, refs = ([wmdo_program.tokens(line, self.punkt, state) for line in texts] for texts in raw)
        known = (*hyps, *refs, *(tuple(wmdo_program.vocabulary(words, ())) for words in (*hyps, *refs)))
        return _MovedTexts(hyps, refs, _WordTable.of(self.vectors, "cosine", known), hyps, refs, raw)

    def moved(self, texts: _MovedTexts, i: int, r: int, solve: _Solve) -> Moved:
        """A translation and a reference, by their places."""
        hyp, ref = texts.hyps[i], texts.refs[r]
        if self.version == "paper":
            return moved(hyp, ref, texts.table, solve)
        _bounded(len({*hyp, *ref}), len({*hyp, *ref}))
        raw = texts.raw[0][i], texts.raw[1][r]
        return Moved(*wmdo_program.moved(raw, hyp, ref, texts.table.distances, solve))

    def statistics(self, batch: Batch) -> Array:
        """Distance and penalties against the best reference."""
        solve = _solver()
        groups = batch.required_references().groups
        rows = np.ones((int(groups[-1]), 4))
        for some in parts(batch) if self.reader is not None else [slice(0, len(batch))]:
            texts, start = self.words(batch, some), int(groups[some.start])
            for i, hyp in enumerate(texts.hyps, some.start):
                lost = texts.table.missing(hyp)
                for r in range(groups[i], groups[i + 1]):
                    transport = self.moved(texts, i - some.start, r - start, solve)
                    rows[r, :3] = transport.distance, transport.fragmentation, lost
        return rows[first_best(-np.nan_to_num(self.score(rows), nan=np.inf, posinf=np.inf), groups)]

    def score(self, stats: Array) -> Array:
        """Distance and weighted penalties, the mean of the segments."""
        distance, fragmentation, missing, segments = (stats[..., i] for i in range(4))
        offset = self.delta / 2 if self.centred else 0.0
        with np.errstate(invalid="ignore"):
            mean: Array = (distance + self.delta * fragmentation + self.alpha * missing) / segments - offset
        return mean

    def statistic_names(self) -> tuple[str, ...]:
        return "distance", "fragmentation", "words without a vector", "segments"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Distance and penalties, and which words are matched."""
        number = explained.chosen(self, batch, row)
        texts = self.words(batch, slice(0, 1))
        transport = self.moved(texts, 0, number, _solver())
        hyp, ref = texts.shown_hyps[0], texts.shown_refs[number]
        parts = [
            explained.given("distance", row[0]),
            _product("order penalty", self.delta, "fragmentation", row[1]),
            _product("missing words", self.alpha, "share", row[2]),
        ]
        if self.centred:
            parts.append(explained.given("centre", -self.delta / 2))
        pairs = [(i, j, "exact" if hyp[i] == ref[j] else "similar") for i, j in transport.pairs]
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, "sum", tuple(parts)),
            hypothesis=hyp,
            reference=ref,
            matches=tuple(Match((i, i + 1), (j, j + 1), kind) for i, j, kind in pairs),
            notes=explained.references_note(batch.required_references()[0], number),
        )


def _product(name: str, weight: float, what: str, value: float) -> Factor:
    return explained.made(name, "product", [explained.given("weight", weight), explained.given(what, value)])


@dataclasses.dataclass(frozen=True, eq=False)
class _WordTable:
    """The words of a batch with their vectors."""

    places: dict[str, int]
    rows: Array
    distance: str
    vectors: str | None

    @classmethod
    def of(cls, path: str | None, distance: str, texts: Sequence[Words]) -> _WordTable:
        words = list(dict.fromkeys(word for words in texts for word in words))
        places, rows = placed(path, words)
        return cls(dict(zip(words, places.tolist(), strict=True)), rows, distance, path)

    def missing(self, words: Words) -> float:
        """The share of words without a vector; nothing is missing where no vectors are used."""
        if self.vectors is None or not words:
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


@dataclasses.dataclass(frozen=True, eq=False)
class _MovedTexts:
    """Words of translations and references, what is known of them, and how they are shown."""

    hyps: Sequence[Words]
    refs: Sequence[Words]
    table: _WordTable
    shown_hyps: Sequence[Words]
    shown_refs: Sequence[Words]
    raw: tuple[Sequence[str], Sequence[str]] = ((), ())

    @classmethod
    def read(cls, hyps: Sequence[Encoded], refs: Sequence[Encoded], distance: str) -> _MovedTexts:
        """Pieces with contextual vectors: each is a word of its own, which no other one is the same as."""
        names: list[Words] = []
        vectors: list[Array] = []
        at = 0
        for read in (*hyps, *refs):
            inner = read.vectors[0][read.tokens.inner].astype(np.float64)
            vectors.append(inner / np.maximum(np.sqrt((inner * inner).sum(axis=1, keepdims=True)), 1e-300))
            names.append(tuple(str(at + k) for k in range(len(inner))))
            at += len(inner)
        places = {name: i for i, name in enumerate(name for words in names for name in words)}
        rows = np.concatenate(vectors) if vectors else np.zeros((0, 1))
        shown = [inner_pieces(read) for read in (*hyps, *refs)]
        n = len(hyps)
        return cls(names[:n], names[n:], _WordTable(places, rows, distance, None), shown[:n], shown[n:])


_Solve = Callable[[Array, Array, Array], Array]


def moved(hyp: Words, ref: Words, table: _WordTable, solve: _Solve) -> Moved:
    """The reference moved to the translation; 1 and a penalty of 1 if one of them has no words, 0 if neither has."""
    if not hyp or not ref:
        return Moved(float(bool(hyp or ref)), float(bool(hyp or ref)), [])
    ours, theirs = Counter(hyp), Counter(ref)
    _bounded(len(ours), len(theirs))
    costs = table.distances(list(theirs), list(ours))
    flow = solve(_shares(theirs), _shares(ours), costs)
    pairs = matched(hyp, ref, {word: flow[i] for i, word in enumerate(theirs)}, list(ours))
    return Moved(float((flow * costs).sum()), fragmentation([i for i, _ in pairs]), pairs)


def _bounded(ours: int, theirs: int) -> None:
    if ours * theirs > _MOST_CELLS:
        raise InputError(
            f"A segment has {ours} different words and its reference {theirs}: too many for WMDO.",
            hint="Cut it into sentences.",
        )


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
    ot = extra("ot", "POT", "transport", "WMDO")

    def solve(one: Array, other: Array, costs: Array) -> Array:
        plan: Any = ot.lp.emd(one, other, np.ascontiguousarray(costs), numItermax=10_000_000, check_marginals=False)
        return np.asarray(plan, dtype=np.float64)

    return solve
