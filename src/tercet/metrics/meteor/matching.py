"""Texts to what METEOR's kernel takes: numbered words, and what each matcher knows of them."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tercet.data import Array, Ints
from tercet.data.explanation import Match
from tercet.errors import InputError
from tercet.metrics.meteor.synonyms import Synonyms
from tercet.text.base import Tokens

SLOTS = 4  # stages that a row of METEOR's statistics has room for

Words = npt.NDArray[np.int32]
Rows = tuple[Words, Ints]  # words, and where each row of them starts
Given = tuple[Ints, Words]  # where the matches of each reference start; reference and hypothesis, start and length


@dataclasses.dataclass(frozen=True, eq=False)
class Knowledge:
    """What the stages know of a language, in the order in which they are asked."""

    stages: tuple[str, ...]  # names of the kernel's
    stemmer: str | None = None  # a language of the stemmers
    synonyms: Synonyms | None = None
    paraphrases: kernels.ParaphraseTable | None = None
    function_words: frozenset[str] = frozenset()
    characters: bool = False  # words count by their length
    equal_credit: bool = False  # any match is worth as much as an exact one when alignments are compared


@dataclasses.dataclass(frozen=True, eq=False)
class Prepared:
    """Hypotheses with their references, as numbered words."""

    hyps: Rows
    refs: Rows
    groups: Ints
    words: kernels.MeteorWords
    knowledge: Knowledge
    given: Given | None = None

    @classmethod
    def of(cls, hyps: Tokens, refs: Tokens, groups: Ints, knowledge: Knowledge, threads: int) -> Prepared:
        """Every word is looked up once."""
        hyp_words, ref_words, lines = kernels.number_words(hyps, refs)
        words = kernels.unpack(lines)
        known = kernels.MeteorWords(
            lines,
            np.fromiter(map(knowledge.function_words.__contains__, map(str.lower, words)), np.uint8, len(words)),
            knowledge.characters,
            None if knowledge.stemmer is None else kernels.stem(lines, knowledge.stemmer, threads),
            None if knowledge.synonyms is None else knowledge.synonyms.batch(words),
            knowledge.paraphrases,
        )
        return cls((hyp_words, hyps[2]), (ref_words, refs[2]), groups, known, knowledge)

    def statistics(self, threads: int, slots: int = SLOTS) -> Array:
        """The numbers of each reference, (references, k)."""
        with _few_enough_ways():
            return kernels.meteor(*self._task(), slots, threads)

    def alignments(self, names: Sequence[str]) -> list[tuple[Match, ...]]:
        """The matches of each reference, called by the names of their stages."""
        with _few_enough_ways():
            starts, rows = kernels.meteor_alignments(*self._task())
        matches = [
            Match((hyp, hyp + hyp_length), (ref, ref + ref_length), names[stage])
            for stage, ref, ref_length, hyp, hyp_length in rows.tolist()
        ]
        return [tuple(matches[a:b]) for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]

    def _task(self) -> tuple[Rows, Rows, Ints, kernels.MeteorWords, list[str], Given | None, bool]:
        knowledge = self.knowledge
        return (
            self.hyps,
            self.refs,
            self.groups,
            self.words,
            list(knowledge.stages),
            self.given,
            knowledge.equal_credit,
        )


@contextlib.contextmanager
def _few_enough_ways() -> Iterator[None]:
    """A segment that the kernel refuses is named in a sentence."""
    try:
        yield
    except OverflowError as error:
        raise InputError(
            f"Segment {int(str(error)) + 1} repeats its words so often that there are too many ways to match them.",
            hint="METEOR is made for sentences: split the line, or leave the segment out.",
        ) from None
