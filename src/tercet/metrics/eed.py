"""Extended edit distance in its three versions (Stanchev, Wang and Ney 2019)."""

from __future__ import annotations

import dataclasses
import unicodedata
from typing import Literal

from tercet import kernels, text
from tercet.data import Array, Batch, Texts
from tercet.data.explanation import Explanation, Factor, Operation
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained
from tercet.spec import option
from tercet.text.base import Lines, pack

_COST = (0.0, 2.0, 0.1)


@dataclasses.dataclass(frozen=True)
class Eed(MeanMetric):
    """Statistics: [score against the closest reference, 1]."""

    version: Literal["python", "cpp", "wmt19"] = option(
        "python", "python: the published algorithm; cpp: what its program prints; wmt19: what it printed at WMT19"
    )
    language: Literal["en", "ja"] = option("en", "how text is prepared: en for every language, or ja")
    alpha: float = option(
        2.0,
        "cost of a jump to another place of the translation, after a word of the reference",
        tunable=(0.0, 4.0, 0.25),
        recounts=True,
    )
    deletion: float = option(0.2, "cost of a character that only the translation has", tunable=_COST, recounts=True)
    insertion: float = option(1.0, "cost of a character that only the reference has", tunable=_COST, recounts=True)
    substitution: float = option(1.0, "cost of a character in the place of another", tunable=_COST, recounts=True)
    rho: float = option(0.3, "weight of the coverage penalty", tunable=(0.0, 1.0, 0.05), recounts=True)

    name = "eed"
    higher_is_better = False
    digits = 4
    card = Card(
        title="EED",
        year=2019,
        group="RWTH Aachen",
        kind="edits of characters",
        definition=(
            "Extended edit distance: the characters of the reference are read one after the other, and the translation "
            "along with them, in which the reader may jump to another place after any word. The cost of edits and "
            "jumps, and a penalty for characters of the translation that were never or repeatedly the best place to "
            "be, over the reference length with the same penalty; at most 1."
        ),
        paper="Stanchev, Wang and Ney 2019, *EED: extended edit distance measure for machine translation*",
        scale="0 to 1; lower is better",
        reference="rwth-i6/ExtendedEditDistance: `eed_python` and `libEED` of 2020, and `libEED` of May 2019",
        differences=(
            "The three versions give different scores, and all are reproduced: `python` in double precision; `cpp` and "
            "`wmt19` in 32 bits, to the bit. The C++ library forgets the fraction of a row's minimum while it looks "
            "for a lower one, and so often takes the wrong place for the best.",
            "Identical texts score 0 with `cpp` and `wmt19`, but not with `python`, which counts the place before the "
            "first character as never visited.",
            "Reproduced: in preparing text, any character after a title and a space becomes a full stop (`Mr X` is "
            "read as `Mr.`), and `i . e .` becomes `e.g.`.",
            "Of several references the one of the lowest score counts; the programs take one.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for cost in ("alpha", "deletion", "insertion", "substitution", "rho"):
            self.require(0 <= getattr(self, cost) <= 1000, cost, "from 0 to 1000")

    def prepared(self, texts: Texts, threads: int) -> Lines:
        """The texts as the program reads them."""
        key = ("eed", self.language)
        if key not in texts.memo:
            texts.memo[key] = (
                kernels.eed_text(text.packed(texts), threads)
                if self.language == "en"
                else pack([unicodedata.normalize("NFKC", line.rstrip()) for line in texts])
            )
        lines: Lines = texts.memo[key]
        return lines

    def parts(self, batch: Batch) -> Array:
        """[score, errors, coverage, reference characters] of each segment."""
        references = batch.required_references()
        return kernels.eed(
            self.prepared(batch.hypotheses, batch.threads),
            self.prepared(references.texts, batch.threads),
            references.groups,
            self.version,
            self.alpha,
            self.deletion,
            self.insertion,
            self.substitution,
            self.rho,
            batch.threads,
        )

    def values(self, batch: Batch) -> Array:
        """The score of each segment."""
        return self.parts(batch)[:, 0].copy()

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Errors and coverage against the reference that counts."""
        number = explained.chosen(self, batch, row)
        _, errors, coverage, length = self.parts(batch)[0].tolist()
        penalty = explained.made(
            "coverage penalty", "product", [explained.given("rho", self.rho), explained.given("coverage", coverage)]
        )
        top = explained.made("errors and penalty", "sum", [explained.given("errors", errors), penalty])
        characters = explained.given("reference characters", length, "with a space at both ends")
        parts = (top, explained.made("length and penalty", "sum", [characters, penalty]))
        over = top.value > parts[1].value
        how: tuple[Operation, str] = ("rule", "at most 1") if over else ("quotient", "")
        (hyp,) = kernels.unpack(self.prepared(batch.hypotheses, 1))
        ref = kernels.unpack(self.prepared(batch.required_references().texts, 1))[number]
        read = f"The texts are read as {_short(hyp)} and {_short(ref)}."
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, how[0], parts, note=how[1]),
            notes=(*explained.references_note(batch.required_references()[0], number), read),
        )


def _short(line: str) -> str:
    return f'"{line}"' if len(line) <= 200 else f'"{line[:200]}..."'
