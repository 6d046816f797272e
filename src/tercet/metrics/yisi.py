"""YiSi (Lo 2019) as the program `yisi` computes it, and YiSi-0; `yisi_vectors` has YiSi-1 and YiSi-2.

n-grams of the reference are matched to the most similar ones of the translation, and the other way round. Words are
weighted by how few references have them; how similar two words are is what YiSi-0 and YiSi-1 differ in.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from tercet import kernels, numbers, text
from tercet.data import Array, Batch, References, Texts
from tercet.data.explanation import Explanation, Factor, Match
from tercet.errors import InputError
from tercet.formats.vectors import lower_ascii
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.metrics.frames import Frames, Pair, Role
from tercet.spec import option
from tercet.text.base import Lines, Tokens
from tercet.text.sacrebleu import Spaces, Whitespace

TOKENS = "YiSi takes tokenised text, which is `tokenize=none`, the default: tokenise it first, or name a tokenizer."
LEARNS = (
    "Words are weighted by the references that are scored: a segment scored alone has other weights than in its test "
    "set, so score a test set as one."
)
SEVERAL = (
    "Of several references precision and recall each take the best, as YiSi's source has it; its program could not "
    "be run with several, so this is checked against nothing."
)
STRUCTURE = "YiSi's semantic structures (`beta`) are left out."


@dataclasses.dataclass(frozen=True, eq=False)
class LineCounts:
    """How many lines have each word, and what each kind of semantic role weighs."""

    lines: int
    words: Mapping[str, int]
    roles: Array | None = None

    def weight(self, word: str) -> float:
        """log2(1 + (lines + 1) / (lines with the word + 1)); a word that none has is looked for in lower case."""
        count = self.words.get(word)
        return _weight(self.lines, self.words.get(lower_ascii(word), 0) if count is None else count)


@functools.lru_cache(maxsize=65536)
def _weight(lines: int, count: int) -> float:
    return math.log2(1 + (lines + 1) / (count + 1))


@dataclasses.dataclass(frozen=True, eq=False)
class YisiInput:
    """What the kernel takes."""

    hyps: tuple[Any, Any]
    refs: tuple[Any, Any]
    groups: Any
    words: Lines
    weights: Array
    how: str
    vectors: tuple[Any, Array] | None
    frames: tuple[Sequence[Frames], Sequence[Frames], Array] | None = None  # of both sides, and weights of roles

    def similar(self, pairs: Sequence[Pair], order: int, threads: int) -> Array:
        """Precision and recall of some words of hypotheses against some of references, (pairs, 2)."""
        hyps = _spans(self.hyps, [(i, role) for i, _, role, _ in pairs])
        refs = _spans(self.refs, [(k, role) for _, k, _, role in pairs])
        alone = np.arange(len(pairs) + 1, dtype=np.int64)
        return kernels.yisi(hyps, refs, alone, self.words, self.weights, self.how, self.vectors, order, threads)


def _spans(texts: tuple[Any, Any], roles: Iterable[tuple[int, Role]]) -> tuple[Any, Any]:
    """Words of texts, each by its number with the role that is asked for, as texts of their own."""
    words, ends = texts
    spans = [words[ends[text] + role.start : ends[text] + role.end] for text, role in roles]
    return (
        np.concatenate([np.zeros(0, dtype=np.int32), *spans]),
        np.cumsum([0, *map(len, spans)], dtype=np.int64),
    )


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

    def best_shares(self, p: YisiInput, threads: int) -> Array:
        """Precision and recall, each against the reference that is best for it, and the score."""
        shares = self.shares(p, threads)
        return self.retuned(np.concatenate([shares, np.ones((len(shares), 2))], axis=1))

    def shares(self, p: YisiInput, threads: int) -> Array:
        """Precision and recall of the words, each against the reference that is best for it."""
        shares = kernels.yisi(p.hyps, p.refs, p.groups, p.words, p.weights, p.how, p.vectors, self.n, threads)
        if len(p.groups) - 1 == len(shares):
            return shares
        return np.maximum.reduceat(shares, p.groups[:-1], axis=0) if len(p.groups) > 1 else shares[:0]

    def explained_shares(self, p: YisiInput, row: Array) -> list[Factor]:
        """Precision and recall, and what they come from."""
        return [explained.given("precision", row[0]), explained.given("recall", row[1])]

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
        self, plain: Explanation, p: YisiInput, row: Array, hyp: tuple[str, ...], refs: Sequence[tuple[str, ...]]
    ) -> Explanation:
        """Precision and recall, and for each n-gram of the translation the most similar one of the first best."""
        alone = kernels.yisi(p.hyps, p.refs, p.groups, p.words, p.weights, p.how, p.vectors, self.n, 1)
        number = int(np.argmax(alone[:, 0]))
        asked = (p.hyps, p.refs, p.groups, p.words, p.weights, p.how, p.vectors, self.n, 0, number)
        order, places, similarities = kernels.yisi_matches(*asked)
        ref = refs[number]
        parts = self.explained_shares(p, row)
        weighted = [explained.weighted(f, w) for f, w in zip(parts, (1 - self.alpha, self.alpha), strict=True)][::-1]
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

    def prepared(self, batch: Batch) -> YisiInput:
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
        return YisiInput((hyp_words, hyps[2]), (ref_words, refs[2]), references.groups, words, weights, how, vectors)

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
            TOKENS,
            "The defaults are those of its sample configurations, `alpha=0.8` and `n=3`; the program's own are 0.5 "
            "and 0.",
            "Reproduced: bytes are compared, so that a letter of two bytes counts twice.",
            "`similarity=exact` gives 0.00001 for different words, as YiSi does.",
            LEARNS,
            SEVERAL,
            STRUCTURE,
        ),
    )

    def similarity_of(self, words: Lines) -> tuple[str, tuple[Any, Array] | None]:
        return self.similarity, None
