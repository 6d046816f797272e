"""Why one segment scores as it does: the numbers of the formula, and what the metric saw in the texts.

Explanation         one metric, hypothesis and score; what does not apply is empty
├── Factor          the formula as a tree, each number from those below it
├── Match           words of the hypothesis beside words of the reference
├── NgramTable      n-grams of one unit (words or characters), found and missed, by order
├── EditScript      shifts of blocks of words, then edits
└── statistics      the additive numbers that the score is made of, by name
Explanations        one or two hypotheses of one segment, side by side
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

from tercet.data.answer import Answer, data_frame

Span = tuple[int, int]  # words start to end, the end not included
Operation = Literal[
    "given", "product", "sum", "difference", "quotient", "mean", "geometric mean", "harmonic mean", "rule"
]
Side = Literal["hypothesis", "reference"]
Unit = Literal["word", "character"]
EditKind = Literal["match", "substitution", "insertion", "deletion", "jump", "stem", "synonym", "paraphrase"]
PICTURED = 40_000  # cells of a matrix that is drawn; more are slow, and nobody reads them
RELATED: tuple[EditKind, ...] = ("stem", "synonym", "paraphrase")  # words that match, and may cost something


@dataclasses.dataclass(frozen=True)
class Factor:
    """A number of the formula. `operation` says how it comes from its parts; `weight` is its share in a mean.

    A number that is `given` has no parts; one by a `rule` of the metric (0 where nothing matches) has parts that
    do not lead to it. `note` says how it came about.
    """

    name: str
    value: float
    operation: Operation = "given"
    parts: tuple[Factor, ...] = ()
    weight: float = 1.0
    note: str = ""

    def computed(self) -> float:
        """The value as it follows from the parts; its own where nothing follows.

        >>> Factor("F", 0.0, "harmonic mean", (Factor("P", 0.5), Factor("R", 1.0))).computed()
        0.6666666666666666
        """
        values = [part.value for part in self.parts]
        weights = [part.weight for part in self.parts]
        match self.operation:
            case "product":
                return math.prod(values)
            case "sum":
                return math.fsum(values)
            case "difference":
                return values[0] - values[1]
            case "quotient":
                return values[0] / values[1]
            case "mean":
                return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
            case "geometric mean":
                logs = [w * math.log(v) for w, v in zip(weights, values, strict=True) if v > 0]
                return math.exp(sum(logs) / sum(weights)) if len(logs) == len(values) else 0.0
            case "harmonic mean":
                if min(values) <= 0:
                    return 0.0
                return sum(weights) / sum(w / v for w, v in zip(weights, values, strict=True))
            case _:
                return self.value

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Factor]]:
        """This number and all below it, with how deep each stands."""
        yield depth, self
        for part in self.parts:
            yield from part.walk(depth + 1)


@dataclasses.dataclass(frozen=True)
class Match:
    """Words of the hypothesis that count as words of the reference, and why: `exact`, `stem`, ..."""

    hypothesis: Span
    reference: Span
    kind: str


@dataclasses.dataclass(frozen=True)
class Ngram:
    """An n-gram and how often it occurs; `matched` is how often it counts as found, `weight` what it counts."""

    text: str
    hypothesis: int
    reference: int
    matched: int
    weight: float | None = None


@dataclasses.dataclass(frozen=True)
class NgramOrder:
    """All n-grams of one order: first those of the hypothesis in its order, then those that only references have."""

    order: int
    ngrams: tuple[Ngram, ...]

    @property
    def hypothesis(self) -> int:
        """How many n-grams the hypothesis has."""
        return sum(n.hypothesis for n in self.ngrams)

    @property
    def reference(self) -> int:
        """How many there are to be found."""
        return sum(n.reference for n in self.ngrams)

    @property
    def matched(self) -> int:
        return sum(n.matched for n in self.ngrams)


@dataclasses.dataclass(frozen=True)
class NgramTable:
    """n-grams of words, or of characters, in which case the pieces are what stands between spaces that do not count.

    `references` are those whose n-grams count: all together (BLEU), or the best alone (chrF).
    """

    unit: Unit
    hypothesis: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    orders: tuple[NgramOrder, ...]

    def symbols(self, pieces: tuple[str, ...]) -> tuple[str, ...]:
        """What the n-grams are made of: the pieces, or their characters."""
        return pieces if self.unit == "word" else tuple("".join(pieces))

    def text(self, symbols: tuple[str, ...]) -> str:
        """An n-gram as it is shown."""
        return (" " if self.unit == "word" else "").join(symbols)

    def hits(self, reference: int | None = None) -> list[list[bool]]:
        """For each order, whether the n-gram at each place of the hypothesis, or of a reference, is found.

        Of several alike the first ones are.
        """
        symbols = self.symbols(self.hypothesis if reference is None else self.references[reference])
        rows = []
        for order in self.orders:
            left = Counter({n.text: n.matched for n in order.ngrams})
            row = []
            for at in range(len(symbols) - order.order + 1):
                text = self.text(symbols[at : at + order.order])
                row.append(left[text] > 0)
                left[text] -= 1
            rows.append(row)
        return rows

    def longest(self, reference: int | None = None) -> list[int]:
        """For each symbol, the order of the longest n-gram found that it is part of; 0 for none."""
        return [max((n for n, hit in covering if hit), default=0) for covering in self._covering(reference)]

    def shares(self, reference: int | None = None) -> list[float]:
        """For each symbol, how many of the n-grams that it is part of are found, of all orders."""
        return [sum(hit for _, hit in covering) / max(1, len(covering)) for covering in self._covering(reference)]

    def _covering(self, reference: int | None) -> list[list[tuple[int, bool]]]:
        symbols = self.symbols(self.hypothesis if reference is None else self.references[reference])
        out: list[list[tuple[int, bool]]] = [[] for _ in symbols]
        for order, row in zip(self.orders, self.hits(reference), strict=True):
            for at, hit in enumerate(row):
                for place in range(at, at + order.order):
                    out[place].append((order.order, hit))
        return out


@dataclasses.dataclass(frozen=True)
class Shift:
    """A block of words that is moved. `words` are their places in the text as it was given, `start` and `place` the
    block's first place before and after, in the order that earlier shifts have left.
    """

    words: tuple[int, ...]
    start: int
    place: int


@dataclasses.dataclass(frozen=True)
class Edit:
    """A step: places of the words in the texts as they were given, None where there is none.

    An insertion is a reference word that the hypothesis lacks, a deletion a word that it has too many; after a jump
    the hypothesis is read on at its word `hypothesis`, or is at its end. A paraphrase is as many steps as its longer
    side has words.
    """

    kind: EditKind
    hypothesis: int | None
    reference: int | None


@dataclasses.dataclass(frozen=True)
class EditScript:
    """Shifts of blocks of words of one text, then edits. `shifted` says of which text."""

    edits: tuple[Edit, ...]
    shifts: tuple[Shift, ...] = ()
    shifted: Side = "hypothesis"

    def counts(self) -> dict[str, int]:
        """How many of each kind, shifts among them; stems, synonyms and paraphrases where there are any.

        >>> EditScript((Edit("match", 0, 0), Edit("insertion", None, 1))).counts()["insertion"]
        1
        """
        kinds = Counter(edit.kind for edit in self.edits)
        names: tuple[EditKind, ...] = ("match", "substitution", "insertion", "deletion", "jump")
        related: dict[str, int] = {kind: kinds[kind] for kind in RELATED if kinds[kind]}
        return {**{kind: kinds[kind] for kind in names}, "shift": len(self.shifts), **related}

    @property
    def cost(self) -> int:
        """How many edits there are, matches not among them."""
        return sum(self.counts().values()) - self.counts()["match"]


@dataclasses.dataclass(frozen=True)
class Explanation:
    """Why one segment has its score. What a metric cannot tell is empty.

    `hypothesis` and `reference` are the words as the metric sees them, of the reference that counts. `similarities` has
    a row for each word of the hypothesis, with how near each of the reference is to it, 1 for the same.
    """

    metric: str
    score: float
    statistics: tuple[tuple[str, float], ...] = ()
    formula: Factor | None = None
    hypothesis: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    matches: tuple[Match, ...] = ()
    similarities: tuple[tuple[float, ...], ...] = ()
    ngrams: tuple[NgramTable, ...] = ()
    edits: EditScript | None = None
    notes: tuple[str, ...] = ()
    system: str = ""
    digits: int = 2
    higher_is_better: bool = True

    def factors(self) -> dict[str, float]:
        """The numbers of the formula by name, the score first."""
        return {} if self.formula is None else {factor.name: factor.value for _, factor in self.formula.walk()}

    def matrix(self) -> list[list[str]]:
        """The kinds of matches, hypothesis words down and reference words across; "" where there is none."""
        rows = [[""] * len(self.reference) for _ in self.hypothesis]
        for match in self.matches:
            for i in range(*match.hypothesis):
                for j in range(*match.reference):
                    rows[i][j] = match.kind
        return rows

    def shades(self) -> list[list[int]]:
        """How similar words are, in fifths: 0 below 0.2, 4 from 0.8 on; rows as in `matrix`, none if it is unknown."""
        return [[max(0, min(4, int(5 * value))) for value in row] for row in self.similarities]

    def as_record(self) -> dict[str, Any]:
        """Everything as lists, names and numbers, for JSON; what is empty is left out."""
        record = _plain(self)
        record.pop("digits", None)
        record["statistics"] = [{"name": name, "value": _plain(value)} for name, value in self.statistics]
        return {"metric": self.metric, "score": record["score"], **record}


@dataclasses.dataclass(frozen=True, repr=False)
class Explanations(Answer):
    """One or two hypotheses of one segment, explained by one metric."""

    records: tuple[Explanation, ...]
    signature: str
    segment: str = ""  # its name, where it is one of many
    source: str = ""  # what was translated, where that is known

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def as_records(self) -> list[dict[str, Any]]:
        """One record a hypothesis."""
        known = {name: text for name, text in (("segment", self.segment), ("source", self.source)) if text}
        return [record.as_record() | known for record in self.records]

    def as_rows(self) -> list[dict[str, Any]]:
        """The numbers of the formula and what was counted, a row each: system, metric, name, value."""
        return [
            {"system": record.system, "metric": record.metric, "name": name, "value": value}
            for record in self.records
            for name, value in {"score": record.score, **record.factors(), **dict(record.statistics)}.items()
        ]

    def frame(self) -> Any:
        """The same as a data frame."""
        return data_frame(self.as_rows())


_ALWAYS = frozenset({"score", "value", "hypothesis", "reference", "matched", "start", "place"})


def _plain(value: Any) -> Any:
    """Dataclasses as objects without their empty fields, and NaN as null."""
    if dataclasses.is_dataclass(value):
        fields = {f.name: (getattr(value, f.name), f.default) for f in dataclasses.fields(value)}
        kept = {name: v for name, (v, default) in fields.items() if name in _ALWAYS or v != default}
        return {name: _plain(v) for name, v in kept.items()}
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
