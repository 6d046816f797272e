"""CharacTER: translation edit rate on character level (Wang, Peter, Rosendahl and Ney 2016)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tercet import kernels, text
from tercet.data import Array, Batch, References
from tercet.data.explanation import Explanation, Factor, Match, Operation
from tercet.errors import InputError
from tercet.limits import more_patience, patience
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained
from tercet.text.base import Tokens
from tercet.text.sacrebleu import Whitespace

LISTED = 20  # shifts that are told


@dataclasses.dataclass(frozen=True)
class Character(MeanMetric):
    """Statistics: [score against the closest reference, 1]."""

    name = "character"
    higher_is_better = False
    digits = 4
    card = Card(
        title="CharacTER",
        year=2016,
        group="RWTH Aachen",
        kind="edits of characters",
        definition=(
            "Runs of words that both texts have are shifted within the translation, at each step the one that lowers "
            "the word edit distance most, until none does. The score is the character edit distance between the "
            "shifted translation and the reference, plus for each shifted block the mean length of its words, over the "
            "characters of the translation; at most 1."
        ),
        paper="Wang et al. 2016, *CharacTer: translation edit rate on character level*",
        scale="0 to 1; lower is better",
        reference="rwth-i6/CharacTER of 2020 (`cer`, with `libED`)",
        differences=(
            "Words match if they are equal, as in the program; the paper lets similar words match.",
            "The corpus score is the mean of the segments, as in the program.",
            "Of several shifts that are as good, the one is taken that leaves the words in the largest lexicographic "
            "order, as in the program; and so are the costs of shifts counted, some of them twice or not at all.",
            "An empty translation scores 1, also against an empty reference, as in the program.",
            "Of several references the one of the lowest score counts; the program takes one.",
            "Time grows with the third to fourth power of the words that stand elsewhere: a segment whose shifts would "
            "take more than some five seconds is refused, as one of 1,800 words in another order; TERCET_PATIENCE=4 "
            "lets it take four times as long.",
        ),
    )

    def tokens(self, batch: Batch) -> tuple[Tokens, Tokens]:
        """The words of hypotheses and references."""
        sides = batch.hypotheses, batch.required_references().texts
        hyps, refs = (text.tokens(side, Whitespace(), batch.threads) for side in sides)
        return hyps, refs

    def parts(self, batch: Batch) -> Array:
        """[score, character edits, shift cost, hypothesis characters] of each segment."""
        groups = batch.required_references().groups
        try:
            return kernels.character(*self.tokens(batch), groups, patience(), batch.threads)
        except OverflowError as error:
            raise InputError(
                f"Segment {int(str(error)) + 1} is so long, or repeats its words so often, that there are too many "
                "shifts to try.",
                hint="CharacTER is made for sentences: split the line, or leave the segment out."
                + more_patience(4 * patience()),
            ) from None

    def values(self, batch: Batch) -> Array:
        """The score of each segment."""
        return self.parts(batch)[:, 0].copy()

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Shifts, words that match after them, and the costs against the reference that counts."""
        references = batch.required_references()[0]
        number = explained.chosen(self, batch, row)
        alone = Batch(batch.hypotheses, References.of([references[number]]))
        tokens = self.tokens(alone)
        hyp, ref = (explained.words(side)[0] for side in tokens)
        _, edits, cost, length = self.parts(alone)[0].tolist()
        costs = [explained.given("character edits", edits), explained.given("shift cost", cost)]
        parts = (explained.made("edits and shifts", "sum", costs), explained.given("hypothesis characters", length))
        how: tuple[Operation, str] = ("quotient", "") if 0 < length >= parts[0].value else ("rule", "at most 1")
        order, told = _shifted(hyp, kernels.character_shifts(*tokens, patience()).tolist())
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, how[0], parts, note=how[1]),
            hypothesis=hyp,
            reference=ref,
            matches=_matches([hyp[i] for i in order], ref, order),
            notes=(*explained.references_note(references, number), *told),
        )


def _shifted(words: Sequence[str], shifts: Sequence[Sequence[int]]) -> tuple[list[int], list[str]]:
    """The places of the words after the shifts, and a sentence a shift."""
    order, told = list(range(len(words))), []
    for start, length, place in shifts:
        block = order[start : start + length]
        del order[start : start + length]
        before = f'after "{words[order[place - 1]]}"' if place else "to the front"
        order[place:place] = block
        told.append(f'"{" ".join(words[i] for i in block)}" is shifted {before}.')
    return order, [*told[:LISTED], *([f"{len(told) - LISTED} more shifts."] if len(told) > LISTED else [])]


def _matches(shifted: Sequence[str], ref: Sequence[str], order: Sequence[int]) -> tuple[Match, ...]:
    """Words that stand against their like after the shifts, at the places where they stood before."""
    script = explained.wer_script(shifted, ref)
    exact = explained.matched_words(script) if script else ()
    return tuple(Match((order[m.hypothesis[0]], order[m.hypothesis[0]] + 1), m.reference, m.kind) for m in exact)
