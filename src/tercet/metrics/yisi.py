"""YiSi-0 and YiSi-1 (Lo 2019) without semantic parses, as the program `yisi` computes them.

n-grams of the reference are matched to the most similar ones of the translation, and the other way round. Words are
weighted by how few references have them; how similar two words are is what YiSi-0 and YiSi-1 differ in.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import pathlib
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch, References, Texts
from tercet.data.explanation import Explanation, Factor, Match
from tercet.errors import InputError
from tercet.formats.vectors import VectorFile, lower_ascii
from tercet.metric import Card, Metric
from tercet.metrics import explained
from tercet.spec import option
from tercet.text.base import Lines, Tokens
from tercet.text.sacrebleu import Spaces, Whitespace

_TOKENS = "YiSi takes tokenised text, which is `tokenize=none`, the default: tokenise it first, or name a tokenizer."
_LEARNS = (
    "Words are weighted by the references that are scored: a segment scored alone has other weights than in its test "
    "set, so score a test set as one."
)
_SEVERAL = (
    "Of several references precision and recall each take the best, as YiSi's source has it; its program could not "
    "be run with several, so this is checked against nothing."
)
_STRUCTURE = "YiSi's semantic structures (`beta`) are left out."


@dataclasses.dataclass(frozen=True, eq=False)
class LineCounts:
    """How many lines have each word."""

    lines: int
    words: Mapping[str, int]

    def weight(self, word: str) -> float:
        """log2(1 + (lines + 1) / (lines with the word + 1)); a word that none has is looked for in lower case."""
        count = self.words.get(word)
        return _weight(self.lines, self.words.get(lower_ascii(word), 0) if count is None else count)


@functools.lru_cache(maxsize=65536)
def _weight(lines: int, count: int) -> float:
    return math.log2(1 + (lines + 1) / (count + 1))


@dataclasses.dataclass(frozen=True, eq=False)
class _Prepared:
    """What the kernel takes."""

    hyps: tuple[Any, Any]
    refs: tuple[Any, Any]
    groups: Any
    words: Lines
    weights: Array
    how: str
    vectors: tuple[Any, Array] | None


@dataclasses.dataclass(frozen=True)
class YisiMetric(Metric):
    """What YiSi-0 and YiSi-1 share. Statistics: [precision, recall, score, 1], of single segments."""

    n: int = option(3, "longest n-gram, or shorter where a text is")
    alpha: float = option(0.8, "weight of recall", tunable=(0.0, 1.0, 0.05))
    weights: Literal["idf", "uniform"] = option("idf", "idf: words that few references have weigh more; uniform: 1")
    tokenize: str = option("none", "tokenizer spec, as moses(language=de); none: split at the space")

    learns = True
    digits = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "tokenize", str(text.tokenizer(self.tokenize)))
        self.require(1 <= self.n <= 20, "n", "from 1 to 20")
        self.require(0 <= self.alpha <= 1, "alpha", "from 0 to 1")

    def similarity_of(self, words: Lines) -> tuple[str, tuple[Any, Array] | None]:
        """The kernel's name of the similarity, and the vectors that it needs."""
        raise NotImplementedError

    def tokens(self, texts: Texts, threads: int) -> Tokens:
        """The words of texts."""
        how = text.tokenizer(self.tokenize)
        return text.tokens(texts, Spaces() if how == Whitespace() else how, threads)

    def learn(self, references: Iterable[References], threads: int) -> LineCounts:
        """How many references have each word."""
        counts: dict[str, int] = {}
        total = 0
        for part in references:
            tokens = self.tokens(part.texts, threads)
            ids, _, words = kernels.number_words(tokens, tokens)
            line = np.repeat(np.arange(len(tokens[2]) - 1), np.diff(tokens[2]))
            distinct = np.unique(line * max(1, len(words[1]) - 1) + ids)
            found = np.bincount(distinct % max(1, len(words[1]) - 1), minlength=len(words[1]) - 1)
            for word, count in zip(kernels.unpack(words), found.tolist(), strict=True):
                counts[word] = counts.get(word, 0) + count
            total += len(part.texts)
        return LineCounts(total, counts)

    def prepared(self, batch: Batch) -> _Prepared:
        """Numbered words with their weights."""
        references = batch.required_references()
        if batch.learnt is None:
            raise InputError("YiSi has not learnt its weights.", hint="Put what `learn` returns into the batch.")
        hyps, refs = self.tokens(batch.hypotheses, batch.threads), self.tokens(references.texts, batch.threads)
        hyp_words, ref_words, words = kernels.number_words(hyps, refs)
        known: LineCounts = batch.learnt
        if self.weights == "uniform":
            weights = np.ones(len(words[1]) - 1)
        else:
            weights = np.array([known.weight(word) for word in kernels.unpack(words)], dtype=np.float64)
        how, vectors = self.similarity_of(words)
        return _Prepared((hyp_words, hyps[2]), (ref_words, refs[2]), references.groups, words, weights, how, vectors)

    def statistics(self, batch: Batch) -> Array:
        """Precision and recall, each against the reference that is best for it, and the score."""
        p = self.prepared(batch)
        shares = kernels.yisi(p.hyps, p.refs, p.groups, p.words, p.weights, p.how, p.vectors, self.n, batch.threads)
        if len(p.groups) - 1 != len(shares):
            shares = np.maximum.reduceat(shares, p.groups[:-1], axis=0) if len(p.groups) > 1 else shares[:0]
        return self.retuned(np.concatenate([shares, np.ones((len(shares), 2))], axis=1))

    def retuned(self, rows: Array) -> Array:
        """The score anew, from precision and recall."""
        precision, recall = rows[..., 0], rows[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        mean = np.where((precision > 0) & (recall > 0), mean, 0.0)
        return np.stack([precision, recall, mean, rows[..., 3]], axis=-1)

    def score(self, stats: Array) -> Array:
        """The mean of the segments."""
        with np.errstate(invalid="ignore"):
            mean: Array = stats[..., 2] / stats[..., 3]
        return mean

    def statistic_names(self) -> tuple[str, ...]:
        """Of single segments."""
        return "precision", "recall", "score", "segments"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Precision and recall, and for each n-gram of the translation the most similar one of the first best."""
        p = self.prepared(batch)
        alone = kernels.yisi(p.hyps, p.refs, p.groups, p.words, p.weights, p.how, p.vectors, self.n, 1)
        number = int(np.argmax(alone[:, 0]))
        asked = (p.hyps, p.refs, p.groups, p.words, p.weights, p.how, p.vectors, self.n, 0, number)
        order, places, similarities = kernels.yisi_matches(*asked)
        hyp = explained.words(self.tokens(batch.hypotheses, 1))[0]
        ref = explained.words(self.tokens(batch.required_references().texts, 1))[number]
        parts = [explained.given("recall", row[1]), explained.given("precision", row[0])]
        weighted = [explained.weighted(f, w) for f, w in zip(parts, (self.alpha, 1 - self.alpha), strict=True)]
        found = list(zip(places.tolist(), similarities.tolist(), strict=True))
        told = [
            f"{' '.join(hyp[i : i + order])} ~ {' '.join(ref[j : j + order])}: {s:.2f}"
            for i, (j, s) in enumerate(found)
            if 0 < s < 1
        ]
        references = batch.required_references()[0]
        several = (f"Of {len(references)} references precision and recall each take the best.",)
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, "harmonic mean", tuple(weighted)),
            hypothesis=hyp,
            reference=ref,
            matches=_matches(hyp, ref, order, places.tolist()),
            notes=(*(several if len(references) > 1 else ()), *told[:_LISTED]),
        )


_LISTED = 50  # n-grams


def _matches(hyp: tuple[str, ...], ref: tuple[str, ...], order: int, places: list[int]) -> tuple[Match, ...]:
    """The words of each n-gram beside those of its best match, each pair once."""
    pairs = dict.fromkeys((i + k, j + k) for i, j in enumerate(places) if j >= 0 for k in range(order))
    return tuple(Match((i, i + 1), (j, j + 1), "exact" if hyp[i] == ref[j] else "beside") for i, j in pairs)


@dataclasses.dataclass(frozen=True)
class Yisi0(YisiMetric):
    """Words are similar as far as they have letters in common."""

    similarity: Literal["lcs", "exact"] = option("lcs", "lcs: longest common string of bytes; exact: the same or not")

    name = "yisi-0"
    card = Card(
        title="YiSi-0",
        year=2019,
        group="NRC",
        kind="n-grams of words, fuzzy",
        definition=(
            "Each n-gram of the reference takes the most similar one of the translation, and the mean of these "
            "similarities, weighted by the words, is recall; the other way round it is precision. Two n-grams are as "
            "similar as their words are, place by place and weighted; two words as `2 * l / (a + b)`, where a and b "
            "are their lengths in bytes and l that of their longest common string. A word weighs "
            "`log2(1 + (N + 1) / (c + 1))`, where c of N references have it. Recall weighs `alpha` in the harmonic "
            "mean; a system's score is the mean of its segments."
        ),
        paper="Lo 2019, *YiSi: a unified semantic MT quality evaluation and estimation metric for languages with "
        "different levels of available resources*",
        scale="0 to 1",
        reference="chikiulo/yisi, commit fd07bfc, with `lexsim-type` lcs or exact, weights learnt from the references",
        differences=(
            _TOKENS,
            "The defaults are those of its sample configurations, `alpha=0.8` and `n=3`; the program's own are 0.5 "
            "and 0.",
            "Reproduced: bytes are compared, so that a letter of two bytes counts twice.",
            "`similarity=exact` gives 0.00001 for different words, as YiSi does.",
            _LEARNS,
            _SEVERAL,
            _STRUCTURE,
        ),
    )

    def similarity_of(self, words: Lines) -> tuple[str, tuple[Any, Array] | None]:
        """By letters."""
        return self.similarity, None


@functools.lru_cache(maxsize=8)
def vector_file(path: str) -> VectorFile:
    """The file at a path, which remembers the words that it was asked for."""
    return VectorFile(path)


@dataclasses.dataclass(frozen=True)
class Yisi1(YisiMetric):
    """Words are similar as far as their vectors are."""

    vectors: str | None = option(None, "file with word vectors, .vec or .vec.gz; none: words match but themselves")

    name = "yisi-1"
    files = ("vectors",)
    card = Card(
        title="YiSi-1",
        year=2019,
        group="NRC",
        kind="embeddings",
        resources="word vectors",
        definition=(
            "YiSi-0 in which two words are as similar as their vectors: 1 if they are the same but for case, else the "
            "cosine, or 0 where it is negative or a word has no vector."
        ),
        paper="Lo 2019, *YiSi: a unified semantic MT quality evaluation and estimation metric for languages with "
        "different levels of available resources*",
        scale="0 to 1",
        reference="chikiulo/yisi, commit fd07bfc, with `lexsim-type` w2v and weights learnt from the references",
        differences=(
            "The YiSi-1 of WMT19 takes contextual vectors of BERT; here they are those of a file, one a word.",
            "A word is looked for as it is, then in lower case (A to Z only); one whose vector is 0 has none, where "
            "YiSi would divide by 0.",
            _TOKENS,
            _LEARNS,
            _SEVERAL,
            _STRUCTURE,
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        fine = self.vectors is None or pathlib.Path(self.vectors).exists()
        self.require(fine, "vectors", "a file that is there")

    def similarity_of(self, words: Lines) -> tuple[str, tuple[Any, Array] | None]:
        """By vectors."""
        return "vectors", placed(self.vectors, kernels.unpack(words))


def placed(path: str | None, words: list[str]) -> tuple[Any, Array]:
    """Each word's row in a table of vectors, -1 for none, and the table."""
    places = np.full(len(words), -1, dtype=np.int64)
    if path is None:
        return places, np.zeros((0, 1))
    known = vector_file(path).read(words)
    found = [known.of(word) for word in words]
    there = [i for i, vector in enumerate(found) if vector is not None]
    places[there] = np.arange(len(there))
    rows = [vector for vector in found if vector is not None]
    return places, np.array(rows, dtype=np.float64).reshape(len(rows), known.dimension)
