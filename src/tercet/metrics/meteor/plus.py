"""Meteor++ 2.0 (Guo and Hu 2019), as far as its paper tells: METEOR with a stage of gapped paraphrases."""

from __future__ import annotations

import dataclasses

from tercet.data import Batch
from tercet.metric_base import Card
from tercet.metrics.meteor import gapped
from tercet.metrics.meteor.matching import Knowledge, Prepared
from tercet.metrics.meteor.metric import Meteor
from tercet.metrics.meteor.parameters import Parameters
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class MeteorPlus(Meteor):
    """METEOR and one stage more. Statistics are those of `meteor`, with four numbers more for that stage."""

    gapped: str | None = option(None, "file with gapped paraphrases; none: plain METEOR")

    name = "meteor++"
    files = (*Meteor.files, "gapped")
    card = Card(
        title="Meteor++ 2.0",
        year=2019,
        group="Peking University",
        kind="alignment",
        resources="METEOR's files, gapped paraphrases",
        definition=(
            "METEOR with a last stage that matches paraphrases with gaps, as `protect [X] from` and "
            "`protect [X] against`: where a phrase stands in one text and its paraphrase in the other, with one to "
            "five words in each gap, their parts may be matched in order. These matches weigh what the stage before "
            "weighs, paraphrases unless told otherwise; everything else is METEOR's."
        ),
        paper="Guo and Hu 2019, *Meteor++ 2.0: adopt syntactic level paraphrase knowledge into machine translation "
        "evaluation*",
        scale="0 to 1",
        reference="the paper's description",
        differences=(
            "The authors took their paraphrases from PPDB and tuned the parameters on WMT; here the table is the "
            "user's, and the parameters are METEOR's unless given.",
            "The parts of a gapped paraphrase are matched one by one: the search may take one and leave the other.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_there("gapped")

    @property
    def stage_names(self) -> tuple[str, ...]:
        """METEOR's stages and that of gapped paraphrases."""
        return *self.stages, "gapped"

    @property
    def slots(self) -> int:
        """One more than METEOR's."""
        return super().slots + 1

    def weighting(self) -> Parameters:
        """METEOR's parameters, with the last weight for one stage more."""
        tuned = super().weighting()
        return tuned if self.weights else dataclasses.replace(tuned, weights=(*tuned.weights, tuned.weights[-1]))

    def counted(self) -> tuple[object, ...]:
        """The options on which counts depend."""
        return *super().counted(), self.gapped

    def knowledge(self) -> Knowledge:
        """METEOR's, and a stage whose matches are found beforehand."""
        known = super().knowledge()
        return known if self.gapped is None else dataclasses.replace(known, stages=(*known.stages, "given"))

    def prepared(self, batch: Batch) -> Prepared:
        """Numbered words, and matches of gapped paraphrases."""
        prepared = super().prepared(batch)
        if self.gapped is None:
            return prepared
        given = gapped.read(self.gapped).matches(*self.tokens(batch), batch.required_references().groups)
        return dataclasses.replace(prepared, given=given)
