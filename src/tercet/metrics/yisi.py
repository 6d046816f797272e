"""YiSi-0, YiSi-1 and YiSi-2 (Lo 2019) without semantic parses, as the program `yisi` computes them.

n-grams of the reference are matched to the most similar ones of the translation, and the other way round. Words are
weighted by how few references have them; how similar two words are is what YiSi-0 and YiSi-1 differ in.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from tercet import kernels, numbers, text
from tercet.data import Array, Batch, References, Texts
from tercet.data.explanation import Explanation, Factor, Match
from tercet.encoders import Encoded
from tercet.errors import InputError
from tercet.formats.vectors import lower_ascii
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.metrics.neural.base import READING, EncoderMetric, parts
from tercet.metrics.neural.vectors import VectorMetric, inner_pieces, placed
from tercet.spec import option
from tercet.text.base import Lines, Tokens, pack
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
class YisiBase(Metric):
    """What all of YiSi share. Statistics: [precision, recall, score, 1], of single segments."""

    n: int = option(3, "longest n-gram, or shorter where a text is")
    alpha: float = option(0.8, "weight of recall", tunable=(0.0, 1.0, 0.05))

    digits = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.n <= 20, "n", "from 1 to 20")
        self.require(0 <= self.alpha <= 1, "alpha", "from 0 to 1")

    def best_shares(self, p: _Prepared, threads: int) -> Array:
        """Precision and recall, each against the reference that is best for it, and the score."""
        shares = kernels.yisi(p.hyps, p.refs, p.groups, p.words, p.weights, p.how, p.vectors, self.n, threads)
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
        return "precision", "recall", "score", "segments"

    def matched(
        self, plain: Explanation, p: _Prepared, row: Array, hyp: tuple[str, ...], refs: Sequence[tuple[str, ...]]
    ) -> Explanation:
        """Precision and recall, and for each n-gram of the translation the most similar one of the first best."""
        alone = kernels.yisi(p.hyps, p.refs, p.groups, p.words, p.weights, p.how, p.vectors, self.n, 1)
        number = int(np.argmax(alone[:, 0]))
        asked = (p.hyps, p.refs, p.groups, p.words, p.weights, p.how, p.vectors, self.n, 0, number)
        order, places, similarities = kernels.yisi_matches(*asked)
        ref = refs[number]
        parts = [explained.given("recall", row[1]), explained.given("precision", row[0])]
        weighted = [explained.weighted(f, w) for f, w in zip(parts, (self.alpha, 1 - self.alpha), strict=True)]
        nearest = list(zip(places.tolist(), similarities.tolist(), strict=True))
        told = [
            f"{' '.join(hyp[i : i + order])} ~ {' '.join(ref[j : j + order])}: {numbers.score(s)}"
            for i, (j, s) in enumerate(nearest)
            if 0 < s < 1
        ]
        several = (f"Of {len(refs)} references precision and recall each take the best.",)
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, "harmonic mean", tuple(weighted)),
            hypothesis=hyp,
            reference=ref,
            matches=_matches(hyp, ref, order, places.tolist()),
            notes=(*(several if len(refs) > 1 else ()), *told[:_LISTED]),
        )


@dataclasses.dataclass(frozen=True)
class YisiMetric(YisiBase):
    """What YiSi-0 and YiSi-1 share."""

    weights: Literal["idf", "uniform"] = option("idf", "idf: words that few references have weigh more; uniform: 1")
    tokenize: str = option("none", "tokenizer spec, as moses(language=de); none: split at the space")

    learns = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "tokenize", str(text.tokenizer(self.tokenize)))

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
            frequencies = np.bincount(distinct % max(1, len(words[1]) - 1), minlength=len(words[1]) - 1)
            for word, count in zip(kernels.unpack(words), frequencies.tolist(), strict=True):
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
        return self.best_shares(self.prepared(batch), batch.threads)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Precision and recall, and for each n-gram of the translation the most similar one of the first best."""
        hyp = explained.words(self.tokens(batch.hypotheses, 1))[0]
        refs = explained.words(self.tokens(batch.required_references().texts, 1))
        return self.matched(plain, self.prepared(batch), row, hyp, refs)


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
        return self.similarity, None


@dataclasses.dataclass(frozen=True)
class Yisi1(VectorMetric, YisiMetric):
    """Words are similar as far as their vectors are."""

    name = "yisi-1"
    card = Card(
        title="YiSi-1",
        year=2019,
        group="NRC",
        kind="embeddings",
        resources="word vectors",
        definition=(
            "YiSi-0 in which two words are as similar as their vectors: 1 if they are the same but for case, else the "
            "cosine, or 0 where it is negative or a word has no vector. With a `model` words are the pieces that an "
            "encoder reads, and their vectors are those of one of its layers: contextual ones, as WMT19's YiSi-1 had "
            "them of BERT."
        ),
        paper="Lo 2019, *YiSi: a unified semantic MT quality evaluation and estimation metric for languages with "
        "different levels of available resources*",
        scale="0 to 1",
        reference="chikiulo/yisi, commit fd07bfc, with `lexsim-type` w2v and weights learnt from the references",
        differences=(
            "Which layer of BERT WMT19's took is up to the user of the program; without `layer` it is the last. With a "
            "`model` this is the program's formula over our vectors; the program reads them from files.",
            "A word is looked for as it is, then in lower case (A to Z only); one whose vector is 0 has none, where "
            "YiSi would divide by 0.",
            _TOKENS,
            _LEARNS,
            _SEVERAL,
            _STRUCTURE,
        ),
    )

    def similarity_of(self, words: Lines) -> tuple[str, tuple[Any, Array] | None]:
        return "vectors", placed(self.vectors, kernels.unpack(words))

    def learn(self, references: Iterable[References], threads: int) -> LineCounts:
        """How many references have each word, or each token of the encoder."""
        if self.reader is None or self.weights == "uniform":
            return super().learn(references, threads)
        counts: Counter[str] = Counter()
        total = 0
        for group in references:
            for tokens in self.reader.encoder.tokens(group.texts.strings):
                counts.update({str(token) for token in tokens.ids[tokens.inner]})
            total += len(group.texts)
        return LineCounts(total, counts)

    def statistics(self, batch: Batch) -> Array:
        if self.reader is None:
            return super().statistics(batch)
        rows = [self.best_shares(self.read(batch, some)[0], batch.threads) for some in parts(batch)]
        return np.concatenate([np.zeros((0, 4)), *rows])

    def read(self, batch: Batch, some: slice) -> tuple[_Prepared, list[Encoded], list[Encoded]]:
        """Some segments with contextual vectors, as the kernel takes them."""
        references, reader = batch.required_references(), self.reader
        if reader is None or (batch.learnt is None and self.weights == "idf"):
            raise InputError("YiSi has not learnt its weights.", hint="Put what `learn` returns into the batch.")
        groups = references.groups[some.start : some.stop + 1]
        hyps, refs = reader.both(batch, some)
        counts = batch.learnt if self.weights == "idf" else None
        return contextual(hyps, refs, groups - groups[0], counts), hyps, refs

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        if self.reader is None:
            return super().details(plain, batch, row)
        prepared, hyps, refs = self.read(batch, slice(0, 1))
        return self.matched(plain, prepared, row, inner_pieces(hyps[0]), [inner_pieces(ref) for ref in refs])


def contextual(hyps: Sequence[Encoded], refs: Sequence[Encoded], groups: Any, counts: LineCounts | None) -> _Prepared:
    """Texts with contextual vectors: every piece is a word of its own, which no other one is the same as."""
    sides = [*hyps, *refs]
    vectors = [e.vectors[0][e.tokens.inner].astype(np.float64) for e in sides]
    rows = np.concatenate([np.zeros((0, vectors[0].shape[1] if vectors else 1)), *vectors])
    rows /= np.maximum(np.sqrt((rows * rows).sum(axis=1, keepdims=True)), 1e-300)
    names = [str(token) for e in sides for token in e.tokens.ids[e.tokens.inner]]
    weights = np.ones(len(names)) if counts is None else np.array([counts.weight(name) for name in names])
    ends = np.cumsum([0, *(len(v) for v in vectors)], dtype=np.int64)
    numbers = np.arange(len(names), dtype=np.int32)
    border = int(ends[len(hyps)])
    return _Prepared(
        hyps=(numbers[:border], ends[: len(hyps) + 1]),
        refs=(numbers[border:], ends[len(hyps) :] - border),
        groups=groups,
        words=pack([f"{number:x}" for number in range(len(names))]),
        weights=weights,
        how="vectors",
        vectors=(numbers.astype(np.int64), rows),
    )


@dataclasses.dataclass(frozen=True)
class Yisi2(YisiBase, EncoderMetric):
    """Translation against source, by an encoder that knows both languages."""

    name = "yisi-2"
    needs = frozenset({"sources"})
    card = Card(
        title="YiSi-2",
        year=2019,
        group="NRC",
        kind="no reference",
        resources="crosslingual encoder",
        definition=(
            "YiSi-1 with contextual vectors in which the source stands in place of the reference, by an encoder that "
            "knows both languages. All pieces weigh the same. It needs no reference."
        ),
        paper="Lo 2019, *YiSi: a unified semantic MT quality evaluation and estimation metric for languages with "
        "different levels of available resources*",
        scale="0 to 1",
        reference="the formula of chikiulo/yisi, over our vectors; held to 1e-5 for one encoder",
        differences=(
            "The encoder that is taken without `model` knows English alone: name one that knows both languages.",
            "How the program learns the weights of words of two languages is not certain: here they are uniform.",
            READING,
            _STRUCTURE,
        ),
    )

    def read(self, batch: Batch, some: slice) -> tuple[_Prepared, list[Encoded], list[Encoded]]:
        """Some segments, with the sources as references."""
        hyps = self.reader.encoded(batch.hypotheses, some, batch.threads)
        sources = self.reader.encoded(batch.required_sources(), some, batch.threads)
        return contextual(hyps, sources, np.arange(len(hyps) + 1, dtype=np.int64), None), hyps, sources

    def statistics(self, batch: Batch) -> Array:
        """Precision and recall against the source, and the score."""
        rows = [self.best_shares(self.read(batch, some)[0], batch.threads) for some in parts(batch)]
        return np.concatenate([np.zeros((0, 4)), *rows])

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        prepared, hyps, sources = self.read(batch, slice(0, 1))
        return self.matched(plain, prepared, row, inner_pieces(hyps[0]), [inner_pieces(sources[0])])
