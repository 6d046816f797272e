"""METEOR-WSD (Apidianaki and Marie 2015): METEOR in which words of the reference have the synonyms of their sense."""

from __future__ import annotations

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from tercet.data import Batch
from tercet.errors import InputError
from tercet.formats import senses
from tercet.formats.parses import looked_up
from tercet.formats.senses import SenseSentence
from tercet.metric_base import Card
from tercet.metrics.meteor import gapped
from tercet.metrics.meteor import resources as files
from tercet.metrics.meteor.matching import Given, Knowledge, Prepared
from tercet.metrics.meteor.metric import Meteor
from tercet.metrics.meteor.parameters import TABLE, Parameters
from tercet.metrics.meteor.synonyms import Synonyms
from tercet.spec import option

_WORTH = TABLE["rank", "en"].weights[2]  # of a synonym, where METEOR has none for a language
_LONGEST = 9  # digits of a synset's number
MOST_MATCHES = 1_000_000  # of a segment


@dataclasses.dataclass(frozen=True)
class MeteorWsd(Meteor):
    """METEOR whose synonyms are those of senses in a file."""

    senses: str | None = option(
        None, "file with senses of words of references, or a folder of such files; none: METEOR"
    )

    name = "meteor-wsd"
    files = (*Meteor.files, "senses")
    card = Card(
        title="METEOR-WSD",
        year=2015,
        group="LIMSI",
        kind="alignment",
        resources="METEOR's files, senses",
        definition=(
            "METEOR in which a word of the reference is matched as a synonym only with what means the same in its "
            "place: a file has the sense of each word, as synonyms or as numbers of WordNet's synsets. In English this "
            "takes the place of METEOR's stage of synonyms, whose words match by any sense; other languages get the "
            "stage from it. Without `senses` it is METEOR."
        ),
        paper="Apidianaki and Marie 2015, *METEOR-WSD: improved sense matching in MT evaluation*; Marie and Apidianaki "
        "2015, *Alignment-based sense selection in METEOR and the RATATOUILLE recipe*",
        scale="0 to 1",
        reference="the papers' idea",
        differences=(
            "Senses are not chosen here: the authors' came from BabelNet, by disambiguation or by words of the source "
            "that are aligned with a word. Their file is the user's, so that no printed figure was tried.",
            "A word without a sense has no synonyms. The k-th occurrence of a word in METEOR's words is the k-th in "
            "the file, whatever its case; words that METEOR cuts otherwise have no sense.",
            "In languages for which METEOR has no synonyms they are the last stage and weigh 0.8, as in English; for "
            "these, the papers' weights are not known here.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_there("senses")

    @property
    def adds(self) -> bool:
        """Whether senses are a stage more."""
        return self.senses is not None and "synonym" not in self.stages

    @property
    def stage_names(self) -> tuple[str, ...]:
        """METEOR's stages, and that of synonyms where METEOR has none."""
        return (*self.stages, "synonym") if self.adds else self.stages

    def weighting(self) -> Parameters:
        """METEOR's parameters, with a weight for one stage more where there is one."""
        tuned = super().weighting()
        if not self.adds or self.weights:
            return tuned
        return dataclasses.replace(tuned, weights=(*tuned.weights[: len(self.stages)], _WORTH))

    def counted(self) -> tuple[object, ...]:
        """The options on which counts depend."""
        return *super().counted(), self.senses

    def knowledge(self) -> Knowledge:
        """METEOR's, and matches by sense, which are found beforehand, in the place of synonyms."""
        known = super().knowledge()
        if self.senses is None:
            return known
        stages = tuple("given" if stage == "synonym" else stage for stage in self.stage_names)
        return dataclasses.replace(known, stages=stages, synonyms=None)

    def prepared(self, batch: Batch) -> Prepared:
        """Numbered words, and matches by sense."""
        prepared = super().prepared(batch)
        if self.senses is None:
            return prepared
        known = senses.parses(self.senses)
        references = batch.required_references()
        sentences = [looked_up(known, line, self.senses) for line in references.texts]
        synsets = files.synonyms(self.wordnet, self.resources) if self.language == "en" else None
        hyps, refs = map(gapped.rows, self.tokens(batch))
        starts, matches = [0], []
        for hyp, first, end in zip(hyps, references.groups[:-1].tolist(), references.groups[1:].tolist(), strict=True):
            for ref, sentence in zip(refs[first:end], sentences[first:end], strict=True):
                same = itertools.islice(pairs(hyp, ref, sentence, synsets), MOST_MATCHES + 1)
                matches += [(r, 1, h, 1) for r, h in same]
                if len(matches) - starts[-1] > MOST_MATCHES:
                    raise InputError(
                        f"A segment has more than {MOST_MATCHES} pairs of words that mean the same.",
                        hint="METEOR is made for sentences: split the line, or leave the segment out.",
                    )
                starts.append(len(matches))
        given: Given = np.array(starts, dtype=np.int64), np.array(matches, dtype=np.int32).reshape(-1, 4)
        return dataclasses.replace(prepared, given=given)


def pairs(
    hyp: Sequence[str], ref: Sequence[str], sentence: SenseSentence | None, synsets: Synonyms | None
) -> Iterator[tuple[int, int]]:
    """Places of words of the reference and of the hypothesis that mean the same."""
    left: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for word, meanings in reversed(sentence.words) if sentence else ():
        left[word.lower()].append(meanings)
    places: dict[str | int, list[int]] = defaultdict(list)  # of words of the hypothesis, and of their synsets
    for place, word in enumerate(hyp):
        places[word.lower()].append(place)
        for number in synsets.ids(word.lower()) if synsets else ():
            places[number].append(place)
    for place, word in enumerate(ref):
        meanings = left[word.lower()].pop() if left.get(word.lower()) else ()
        keys = [int(m) if m.isascii() and m.isdigit() and len(m) <= _LONGEST else m.lower() for m in meanings]
        yield from ((place, h) for h in sorted({h for key in keys for h in places.get(key, ())}))
