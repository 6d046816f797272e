"""METEOR as a lecture teaches it (Lavie 2013), and as it began (Banerjee and Lavie 2005)."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from tercet.data import Array, Batch
from tercet.metric_base import Card
from tercet.metrics.meteor import greedy
from tercet.metrics.meteor.matching import Knowledge, Prepared
from tercet.metrics.meteor.metric import MeteorMetric
from tercet.metrics.meteor.parameters import Module, Parameters, early_modules
from tercet.metrics.several import require_bounded
from tercet.numbers import plain
from tercet.spec import option
from tercet.text.meteor import MeteorNormalize


@dataclasses.dataclass(frozen=True)
class MeteorLecture(MeteorMetric):
    """METEOR with words that all count alike. Statistics are those of `meteor`, without function words."""

    normalize: MeteorNormalize = option(
        "lower", "none, lower: lower-case, full: tokenise and lower-case, nopunct: without punctuation too"
    )
    alpha: float = option(0.9, "weight of recall", tunable=(0.0, 1.0, 0.05))
    beta: float = option(3.0, "exponent of the penalty", tunable=(0.0, 5.0, 0.25))
    gamma: float = option(0.5, "weight of the penalty", tunable=(0.0, 1.0, 0.05))
    fragmentation: Literal["gaps", "chunks"] = option(
        "gaps", "gaps: (chunks - 1) / (matches - 1), as in the lecture; chunks: chunks / matches, as in 2005"
    )

    search: Literal["beam", "greedy"] = option(
        "beam", "beam: all stages at once, as METEOR does today; greedy: stage by stage, as it did in 2005"
    )

    name = "meteor-lecture"
    card = Card(
        title="METEOR of the lecture",
        year=2005,
        group="CMU",
        kind="alignment",
        definition=(
            "Words are aligned with those of the reference, as many as can be, in as few chunks as can be. "
            "`Fmean = P * R / (alpha * P + (1 - alpha) * R)`, and the score is `Fmean * (1 - gamma * frag ** beta)`, "
            "where `frag = (chunks - 1) / (matches - 1)`. All matches and all words weigh the same. Of several "
            "references the best counts."
        ),
        paper="Lavie 2013, *Automated metrics for MT evaluation* (lecture); Banerjee and Lavie 2005, *METEOR: an "
        "automatic metric for MT evaluation with improved correlation with human judgments*",
        scale="0 to 1",
        reference="the formula and the example of the lecture",
        differences=(
            "The alignment is searched for as METEOR 1.5 does, with a beam of 40, but with full credit for every "
            "stage. `search=greedy` goes stage by stage as the program of 2005 did, words from left to right, each to "
            "the free word that crosses the fewest matches; how that program broke ties is not known.",
            "The lecture's example comes to 0.3498 by its formula, with its matches. Its two sentences give another "
            "score: METEOR's stemmer does not join *Iraqi* and *Iraq's*, which the slide matches.",
            "A system's score is the formula over the sums of its segments, as in METEOR 1.5.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, most in (("alpha", 1.0), ("beta", 100.0), ("gamma", 1.0)):
            self.require(0 <= getattr(self, name) <= most, name, f"from 0 to {plain(most)}")
        fine = self.search == "beam" or "paraphrase" not in self.stages
        self.require(fine, "search", "beam where paraphrases are matched")

    @property
    def stages(self) -> tuple[Module, ...]:
        """The stages in the order in which they run: no paraphrases unless asked for."""
        return self.modules or early_modules(self.language)

    @property
    def stage_names(self) -> tuple[str, ...]:
        """What matches are called by: of all stages alike where they were found beforehand."""
        return ("greedy",) if self.search == "greedy" else self.stages

    def weighting(self) -> Parameters:
        """Three parameters; every word weighs one."""
        return Parameters(self.alpha, self.beta, self.gamma, 1.0, (1.0,) * len(self.stages))

    def counted(self) -> tuple[object, ...]:
        """The options on which counts depend."""
        return *super().counted(), self.search

    def knowledge(self) -> Knowledge:
        """What the stages know of the language."""
        return dataclasses.replace(super().knowledge(), equal_credit=True)

    def prepared(self, batch: Batch) -> Prepared:
        """Numbered words; where the search is greedy, with the matches that it found."""
        if self.search == "beam":
            return super().prepared(batch)
        hyps, refs = self.tokens(batch)
        groups, known = batch.required_references().groups, self.knowledge()
        require_bounded(self.name, hyps, refs, groups)
        given = greedy.matches(hyps, refs, groups, known, batch.threads)
        alone = Knowledge(stages=("given",), equal_credit=True)
        return dataclasses.replace(Prepared.of(hyps, refs, groups, alone, batch.threads), given=given)

    def broken(self, stats: Array) -> Array:
        """Gaps between chunks, or chunks, a match."""
        chunks, matches = stats[..., -3], (stats[..., -2] + stats[..., -1]) / 2
        if self.fragmentation == "chunks":
            return chunks / matches
        return np.where((matches > 1) & (chunks > 1), (chunks - 1) / (matches - 1), 0.0)
