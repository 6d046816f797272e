"""BERTScore (Zhang et al. 2020) as the program bert-score 0.3.13 computes it, and BERTr (Mathur et al. 2019)."""

from __future__ import annotations

import dataclasses
import functools
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from tercet import contents, kernels
from tercet.data import Array, Batch, References
from tercet.data.explanation import Explanation, Factor
from tercet.encoders import Encoded
from tercet.encoders.tokens import TokenizerKind
from tercet.errors import InputError
from tercet.formats import lines
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained
from tercet.metrics.neural.base import (
    PART,
    READING,
    EncoderMetric,
    packed,
    parts,
    pictured,
    shown,
    similarities,
    soft_alignment,
)
from tercet.metrics.several import best_rows
from tercet.spec import option

_LAYERS = 1000  # more than any encoder has
_PARTS = ("p", "r", "f")
_UNTRAINED = "The number depends on the encoder: scores of two encoders, or of two layers, are not comparable."


@dataclasses.dataclass(frozen=True, eq=False)
class TokenCounts:
    """How many of the references have each token."""

    references: int
    tokens: Mapping[int, int]

    def weight(self, token: int) -> float:
        """ln((references + 1) / (those with the token + 1))"""
        return math.log((self.references + 1) / (self.tokens.get(token, 0) + 1))


@dataclasses.dataclass(frozen=True)
class BertScore(EncoderMetric):
    """Statistics: [P, R, F, 1], of several references each the best on its own."""

    idf: bool = option(False, "tokens that few references have weigh more, ln((N + 1) / (c + 1))")
    part: Literal["p", "r", "f"] = option("f", "what is the score: precision, recall or F")
    tokenizer: TokenizerKind = option(
        "fast",
        "slow: as bert-score calls its tokenizers by default, with a space before RoBERTa's, and BERT's composed",
    )
    baseline: str | None = option(None, "file of bert-score's with what unrelated texts score, to rescale by")

    name = "bertscore"
    files = ("model", "baseline")
    learns = True
    card = Card(
        title="BERTScore",
        year=2020,
        group="Cornell",
        kind="embeddings",
        resources="encoder",
        definition=(
            "Each token of the translation takes the most similar one of the reference, by the cosine of their vectors "
            "in one layer of an encoder; the mean is precision P. The other way round it is recall R, and F is their "
            "harmonic mean. With `idf` the means are weighted by how few references have a token. With a `baseline` b "
            "the score is `(x - b) / (1 - b)`. A system's score is the mean of its segments; of several references P, "
            "R and F each take the best."
        ),
        paper="Zhang et al. 2020, *BERTScore: evaluating text generation with BERT*",
        scale="-1 to 1, in practice 0 to 1",
        reference="PyPI bert-score 0.3.13, held to 1e-5 for four encoders, all layers, with idf and without",
        differences=(
            "bert-score's table of layers by the names of models is not here: without `layer` it is the last one.",
            "A cosine below 0 counts as 0: bert-score's padding does that in all but the longest text of a batch, and "
            "its scores change with the batch; here they do not.",
            "The marks of beginning and end can be matched and weigh nothing. A text without other tokens scores 0.",
            "Where all tokens of a side weigh 0 by idf its mean is 0, as is bert-score's F; its P and R are NaN there.",
            READING,
            _UNTRAINED,
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        fine = self.baseline is None or os.path.isfile(self.baseline)
        self.require(fine, "baseline", "a file that is there")

    def facts(self) -> dict[str, str]:
        baseline = {} if self.baseline is None else {"baseline-sha256": contents.checksum(self.baseline)}
        return super().facts() | baseline

    def learn(self, references: Iterable[References], threads: int) -> TokenCounts | None:
        """How many references have each token; nothing without idf."""
        if not self.idf:
            return None
        counts: Counter[int] = Counter()
        total = 0
        for group in references:
            strings = [text.strip() for text in group.texts]
            for start in range(0, len(strings), PART):
                for tokens in self.reader.encoder.tokens(strings[start : start + PART], self.tokenizer):
                    counts.update(set(tokens.ids))
            total += len(strings)
        return TokenCounts(total, counts)

    def weights(self, read: Sequence[Encoded], learnt: TokenCounts | None) -> list[Array]:
        """Of each token: 0 for marks, also literal ones, and else 1, or how rare it is."""
        tokenizer = self.reader.encoder.tokenizer
        marks = {tokenizer.begin[0], tokenizer.end[-1]}
        if self.idf:
            if learnt is None:
                raise InputError("BERTScore has not learnt its weights.", hint="Put what `learn` gives into the batch.")
            return [np.array([learnt.weight(token) for token in e.tokens.ids], dtype=np.float64) for e in read]
        return [np.array([float(token not in marks) for token in e.tokens.ids], dtype=np.float64) for e in read]

    def sides(self, batch: Batch, some: slice) -> tuple[list[Encoded], list[Encoded]]:
        """Translations and references of some segments, read."""
        return self.reader.both(batch, some, kind=self.tokenizer, strip=True)

    def shares(self, batch: Batch, some: slice) -> Array:
        """P, R and F of some segments against each of their references."""
        hyps, refs = self.sides(batch, some)
        groups = batch.required_references().groups[some.start : some.stop + 1]
        whole = [slice(None) if len(e.tokens.ids) > 2 else slice(0) for e in (*hyps, *refs)]
        weights = [w[place] for w, place in zip(self.weights([*hyps, *refs], batch.learnt), whole, strict=True)]
        n = len(hyps)
        ours, theirs = packed(hyps, whole[:n], weights[:n]), packed(refs, whole[n:], weights[n:])
        shares = kernels.soft_shares(ours, theirs, groups - groups[0], True, batch.threads)
        with np.errstate(invalid="ignore"):
            mean = 2 * shares[:, 0] * shares[:, 1] / (shares[:, 0] + shares[:, 1])
        return np.column_stack([shares, np.where(shares.sum(axis=1) > 0, mean, 0.0)])

    def statistics(self, batch: Batch) -> Array:
        """P, R and F, each against the reference that is best for it."""
        groups = batch.required_references().groups
        rows = np.ones((len(batch), 4))
        for some in parts(batch):
            starts = groups[some.start : some.stop] - groups[some.start]
            rows[some, :3] = np.maximum.reduceat(self.shares(batch, some), starts, axis=0)
        return rows

    def score(self, stats: Array) -> Array:
        """The mean of the part, rescaled where there is a baseline."""
        with np.errstate(invalid="ignore"):
            mean: Array = stats[..., _PARTS.index(self.part)] / stats[..., 3]
        if self.baseline is None:
            return mean
        low = self.lowest()
        return (mean - low) / (1 - low)

    def lowest(self) -> float:
        """What unrelated texts score, by the baseline."""
        if self.baseline is None:
            return 0.0
        table = baseline_table(self.baseline, contents.state(self.baseline))
        layer = self.reader.encoder.last if self.layer is None else self.layer
        if layer is None or layer not in table:
            raise InputError(
                f"{self.baseline} has no line for layer {layer}.", hint=f"It has {', '.join(map(str, table))}."
            )
        return table[layer][_PARTS.index(self.part)]

    def statistic_names(self) -> tuple[str, ...]:
        return "precision", "recall", "F", "segments"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Precision and recall, and the tokens beside those that they are most similar to."""
        whole = slice(0, 1)
        every = self.shares(batch, whole)
        number = int(np.argmax(every[:, _PARTS.index(self.part)]))
        hyps, refs = self.sides(batch, whole)
        hyp, ref = hyps[0], refs[number]
        ours, theirs = shown(hyp.tokens.pieces[hyp.tokens.inner]), shown(ref.tokens.pieces[ref.tokens.inner])
        cosines = similarities(hyp, ref, hyp.tokens.inner, ref.tokens.inner)
        matches, told = soft_alignment(cosines, ours, theirs, from_reference=self.part == "r")
        return dataclasses.replace(
            plain,
            formula=self._formula(plain.score, every, number, row),
            hypothesis=ours,
            reference=theirs,
            matches=matches,
            similarities=pictured(cosines),
            notes=(*explained.references_note(batch.required_references()[0], number), *told),
        )

    def _formula(self, score: float, every: Array, number: int, row: Array) -> Factor:
        place = _PARTS.index(self.part)
        name = ("precision", "recall", "F")[place]
        if self.part == "f" and min(every[number]) > 0:
            both = [explained.given("precision", every[number, 0]), explained.given("recall", every[number, 1])]
            mean = Factor(name, float(row[2]), "harmonic mean", tuple(both))
        else:
            mean = explained.given(name, row[place])
        if self.baseline is None:
            return dataclasses.replace(mean, name="score")
        low = explained.given("baseline", self.lowest())
        above = explained.made("above the baseline", "difference", [mean, low])
        room = explained.given("room above it", 1 - low.value)
        return Factor("score", score, "quotient", (above, room))


@functools.lru_cache(maxsize=8)
def baseline_table(path: str, _state: contents.State) -> dict[int, tuple[float, float, float]]:
    """P, R and F of each layer, of a file of bert-score's: LAYER,P,R,F."""
    table: dict[int, tuple[float, float, float]] = {}
    for number, line in enumerate(lines.whole(path, 1 << 20).split("\n"), 1):
        if number == 1 or not line.strip():
            continue
        try:
            layer, *values = (float(cell) for cell in line.replace("\t", ",").split(","))
            p, r, f = values
            if not layer.is_integer() or not 0 <= layer < _LAYERS or not all(map(math.isfinite, values)):
                raise ValueError(layer)
        except ValueError:
            raise InputError(
                f"{path}, line {number}: {line[:40]!r} is no layer with three numbers.",
                hint="A baseline has the header LAYER,P,R,F and a line for each layer.",
            ) from None
        if not max(p, r, f) < 1:
            raise InputError(f"{path}, line {number}: a baseline must be below 1.", hint="Check the file.")
        table[int(layer)] = p, r, f
    return table


@dataclasses.dataclass(frozen=True)
class Bertr(EncoderMetric, MeanMetric):
    """Statistics: [recall, 1], against the best reference."""

    special: bool = option(False, "the marks of beginning and end count like other tokens, on both sides")

    name = "bertr"
    card = Card(
        title="BERTr",
        year=2019,
        group="University of Melbourne",
        kind="embeddings",
        resources="encoder",
        definition=(
            "The mean, over the tokens of the reference, of the highest cosine with any token of the translation, by "
            "their vectors in one layer of an encoder. A system's score is the mean of its segments; of several "
            "references the best counts."
        ),
        paper="Mathur, Baldwin and Cohn 2019, *Putting evaluation in context: contextual embeddings improve machine "
        "translation evaluation*; Ma et al. 2019, *Results of the WMT19 metrics shared task*",
        scale="-1 to 1, in practice 0 to 1",
        reference="none: the authors published no code for it; restated from the description of the WMT19 task",
        differences=(
            "WMT19's took BERT base, uncased for English and multilingual otherwise: name its folder. The encoder that "
            "comes with the extra `neural-en` is smaller and knows English alone.",
            "Which layer was taken, and whether the marks of beginning and end counted, is not printed; here it is the "
            "last layer, without the marks.",
            "0 where a text has no tokens.",
            READING,
            _UNTRAINED,
        ),
        exact=False,
    )

    def values(self, batch: Batch) -> Array:
        """Recall against the best reference."""
        groups = batch.required_references().groups
        rows = np.ones(len(batch))
        for some in parts(batch):
            shares = self.recalls(batch, some)
            rows[some] = best_rows(shares, shares, groups[some.start : some.stop + 1] - groups[some.start])
        return rows

    def places(self, read: Sequence[Encoded]) -> list[slice]:
        """The tokens that count."""
        return [slice(0, len(e.tokens)) if self.special else e.tokens.inner for e in read]

    def recalls(self, batch: Batch, some: slice) -> Array:
        """Recall of some segments, against each of their references."""
        groups = batch.required_references().groups[some.start : some.stop + 1]
        sides: list[Any] = []
        for read in self.reader.both(batch, some):
            places = self.places(read)
            sides.append(packed(read, places, [np.ones(place.stop - place.start) for place in places]))
        ours, theirs = sides
        shares: Array = kernels.soft_shares(ours, theirs, groups - groups[0], False, batch.threads)[:, 1]
        return shares

    def statistic_names(self) -> tuple[str, ...]:
        return "recall", "segments"

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The tokens of the reference beside those that they are most similar to."""
        whole = slice(0, 1)
        number = int(np.argmax(self.recalls(batch, whole)))
        hyps, refs = self.reader.both(batch, whole)
        (place, *_), ref_places = self.places(hyps), self.places(refs)
        hyp, ref = hyps[0], refs[number]
        ours, theirs = shown(hyp.tokens.pieces[place]), shown(ref.tokens.pieces[ref_places[number]])
        cosines = similarities(hyp, ref, place, ref_places[number])
        matches, told = soft_alignment(cosines, ours, theirs, from_reference=True)
        highest = cosines.max(axis=0).tolist() if cosines.size else []
        means = tuple(explained.given(piece, value) for piece, value in zip(theirs, highest, strict=False))
        formula = Factor("score", plain.score, "mean", means) if means else explained.given("score", plain.score)
        return dataclasses.replace(
            plain,
            formula=formula,
            hypothesis=ours,
            reference=theirs,
            matches=matches,
            similarities=pictured(cosines),
            notes=(*explained.references_note(batch.required_references()[0], number), *told),
        )
