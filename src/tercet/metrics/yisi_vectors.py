"""YiSi-1 and YiSi-2 (Lo 2019): words are as similar as their vectors, of a file or contextual; semantic frames."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tercet import contents, kernels, text
from tercet.data import Array, Batch, References, Texts
from tercet.data.explanation import Explanation, Factor
from tercet.encoders import Encoded
from tercet.errors import InputError
from tercet.formats import roles
from tercet.formats.parses import looked_up
from tercet.formats.roles import RoleSentence
from tercet.metric_base import Card
from tercet.metrics import explained, frames
from tercet.metrics.neural.base import READING, EncoderMetric, parts
from tercet.metrics.neural.vectors import VectorMetric, inner_pieces, placed
from tercet.metrics.yisi import LEARNS, SEVERAL, STRUCTURE, TOKENS, LineCounts, YisiBase, YisiInput, YisiMetric
from tercet.spec import option
from tercet.text.base import Lines, Tokens, pack
from tercet.text.sacrebleu import Spaces

_FRAMES = (
    "Frames (`srl`) are as YiSi's source has them; its program could not be run with them, so that they are checked by "
    "hand alone. Reproduced: an argument of the translation counts only beside one of its kind, one of the reference "
    "beside any. Where two ways to pair frames are as good, the program may take the other. Roles that its list of "
    "labels lacks are of the last kind; the program would stop."
)


@dataclasses.dataclass(frozen=True)
class Yisi1(VectorMetric, YisiMetric):
    """Words are similar as far as their vectors are."""

    srl: str | None = option(None, "file with semantic roles in columns, or a folder of such files; none: words alone")
    beta: float = option(0.2, "weight of frames beside words, with `srl`")

    name = "yisi-1"
    files = (*VectorMetric.files, "srl")
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
            "them of BERT. With `srl` (YiSi-1_srl) precision and recall are `beta` parts of semantic frames: each "
            "predicate takes one of the other side, the most similar in all, and within two such each argument one; a "
            "frame is the mean of its roles, weighted by how often references have their kind (predicates a quarter), "
            "and all frames are, weighted by their words."
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
            TOKENS + " With `srl` words are those of its file.",
            LEARNS,
            SEVERAL,
            _FRAMES,
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.srl is None or os.path.exists(self.srl), "srl", "a file or folder that is there")
        self.require(0 <= self.beta <= 1, "beta", "from 0 to 1")

    @property
    def exact(self) -> bool:
        """Frames were never held to the program's."""
        return self.srl is None and super().exact

    def facts(self) -> dict[str, str]:
        return super().facts() | ({} if self.srl is None else {"srl-sha256": contents.checksum((self.srl,))})

    def similarity_of(self, words: Lines) -> tuple[str, tuple[Any, Array] | None]:
        return "vectors", placed(self.vectors, kernels.unpack(words))

    def sentences(self, texts: Texts, some: slice = slice(None)) -> list[RoleSentence | None]:
        """Some texts with their roles."""
        if self.srl is None:
            return []
        known = roles.parses(self.srl)
        return [looked_up(known, line, self.srl) for line in texts.strings[some]]

    def tokens(self, texts: Texts, threads: int) -> Tokens:
        """The words of texts, or those of the file with roles."""
        if self.srl is None:
            return super().tokens(texts, threads)
        words = [" ".join(sentence.words) if sentence else "" for sentence in self.sentences(texts)]
        return text.tokens(Texts.of(words), Spaces(), threads)

    def prepared(self, batch: Batch) -> YisiInput:
        plain = super().prepared(batch)
        if self.srl is None:
            return plain
        sides = (batch.hypotheses, batch.required_references().texts)
        hyps, refs = ([frames.frames_of(s) for s in self.sentences(texts)] for texts in sides)
        return dataclasses.replace(plain, frames=(hyps, refs, batch.learnt.roles))

    def shares(self, p: YisiInput, threads: int) -> Array:
        """Precision and recall of words, or of words and frames."""
        flat = super().shares(p, threads)
        return flat if p.frames is None else self.beta * self.structure(p, threads) + (1 - self.beta) * flat

    def structure(self, p: YisiInput, threads: int) -> Array:
        """Precision and recall of frames alone."""
        if p.frames is None:
            return np.zeros((len(p.groups) - 1, 2))
        hyps, refs, weights = p.frames
        return frames.structures(
            hyps, refs, p.groups.tolist(), weights, lambda pairs: p.similar(pairs, self.n, threads)
        )

    def explained_shares(self, p: YisiInput, row: Array) -> list[Factor]:
        """Precision and recall, each of frames and of words."""
        if p.frames is None:
            return super().explained_shares(p, row)
        both = (("frames", self.structure(p, 1)[0], self.beta), ("words", super().shares(p, 1)[0], 1 - self.beta))
        return [
            explained.made(
                name, "mean", [explained.weighted(explained.given(of, share[side]), part) for of, share, part in both]
            )
            for side, name in enumerate(("precision", "recall"))
        ]

    def learn(self, references: Iterable[References], threads: int) -> LineCounts:
        """How many references have each word or token, and with frames how often they have each kind of role."""
        if self.srl is None:
            return self.learnt_words(references, threads)
        kept = list(references)
        weights = frames.role_weights(frames.frames_of(s) for part in kept for s in self.sentences(part.texts))
        return dataclasses.replace(self.learnt_words(kept, threads), roles=weights)

    def learnt_words(self, references: Iterable[References], threads: int) -> LineCounts:
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

    def read(self, batch: Batch, some: slice) -> tuple[YisiInput, list[Encoded], list[Encoded]]:
        """Some segments with contextual vectors, as the kernel takes them."""
        references, reader = batch.required_references(), self.reader
        if reader is None or (batch.learnt is None and self.weights == "idf"):
            raise InputError("YiSi has not learnt its weights.", hint="Put what `learn` returns into the batch.")
        groups = references.groups[some.start : some.stop + 1]
        hyps, refs = reader.both(batch, some)
        counts = batch.learnt if self.weights == "idf" else None
        plain = contextual(hyps, refs, groups - groups[0], counts)
        if self.srl is None:
            return plain, hyps, refs
        sides = ((batch.hypotheses, some, hyps), (references.texts, slice(groups[0], groups[-1]), refs))
        both_sides = [
            [
                frames.in_pieces(frames.frames_of(s), line, s.words, e.tokens.offsets[e.tokens.inner]) if s else ()
                for s, line, e in zip(self.sentences(texts, part), texts.strings[part], read, strict=True)
            ]
            for texts, part, read in sides
        ]
        return dataclasses.replace(plain, frames=(both_sides[0], both_sides[1], batch.learnt.roles)), hyps, refs

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        if self.reader is None:
            return super().details(plain, batch, row)
        prepared, hyps, refs = self.read(batch, slice(0, 1))
        return self.matched(plain, prepared, row, inner_pieces(hyps[0]), [inner_pieces(ref) for ref in refs])


def contextual(hyps: Sequence[Encoded], refs: Sequence[Encoded], groups: Any, counts: LineCounts | None) -> YisiInput:
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
    return YisiInput(
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
            STRUCTURE,
        ),
    )

    def read(self, batch: Batch, some: slice) -> tuple[YisiInput, list[Encoded], list[Encoded]]:
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
