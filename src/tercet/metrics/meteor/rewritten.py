"""M-BLEU and M-TER (Agarwal and Lavie 2008): BLEU and TER that know stems and synonyms, by METEOR's matcher.

Words of the hypothesis that METEOR matches with other words of the reference are replaced by these; then BLEU or TER
is counted on METEOR's words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from tercet.data import Array, Batch, Explanation, References, Texts
from tercet.data.explanation import Match
from tercet.metric_base import Card, Metric
from tercet.metrics.bleu import Bleu
from tercet.metrics.meteor.gapped import rows as token_rows
from tercet.metrics.meteor.matching import Knowledge
from tercet.metrics.meteor.metric import MeteorMetric
from tercet.metrics.meteor.parameters import Module, early_modules
from tercet.metrics.smoothing import Smooth
from tercet.metrics.ter import Ter
from tercet.spec import option

_PAPER = (
    "Agarwal and Lavie 2008, *METEOR, M-BLEU and M-TER: evaluation metrics for high-correlation with human rankings of "
    "machine translation output*"
)
_DIFFERENCES = (
    "The matcher is that of METEOR 1.5, with full credit for every stage; in 2008 it was an earlier one.",
    "Of several references the one counts as METEOR's that shares most words with the hypothesis; all of them are then "
    "compared with.",
)


@dataclasses.dataclass(frozen=True)
class Rewritten(MeteorMetric):
    """A metric of hypotheses in which matched words are those of the reference. Statistics are that metric's."""

    @property
    def stages(self) -> tuple[Module, ...]:
        """Exact, stem and synonym, as far as the language has them, unless others are asked for."""
        return self.modules or early_modules(self.language)

    @property
    def counting(self) -> Metric:
        """What counts the rewritten texts."""
        raise NotImplementedError

    def knowledge(self) -> Knowledge:
        """What the stages know of the language."""
        return dataclasses.replace(super().knowledge(), equal_credit=True)

    def rewritten(self, batch: Batch) -> Batch:
        """METEOR's words on both sides, those of the hypothesis as the reference has them."""
        groups = batch.required_references().groups
        hyps, refs = (token_rows(side) for side in self.tokens(batch))
        aligned = self.prepared(batch).alignments(self.stage_names)
        bounds = list(zip(groups[:-1].tolist(), groups[1:].tolist(), strict=True))
        texts = []
        for hyp, (first, end) in zip(hyps, bounds, strict=True):
            best = max(range(first, end), key=lambda i: sum(m.hypothesis[1] - m.hypothesis[0] for m in aligned[i]))
            texts.append(" ".join(replaced(hyp, refs[best], aligned[best])))
        references = [[" ".join(ref) for ref in refs[first:end]] for first, end in bounds]
        return dataclasses.replace(batch, hypotheses=Texts.of(texts), references=References.of(references))

    def statistics(self, batch: Batch) -> Array:
        """Those of the rewritten hypotheses."""
        if not len(batch):
            return np.zeros((0, len(self.statistic_names())))
        return self.counting.statistics(self.rewritten(batch))

    def statistic_names(self) -> tuple[str, ...]:
        """Those of the metric that counts."""
        return self.counting.statistic_names()

    def score(self, stats: Array) -> Array:
        """That of the metric that counts."""
        return self.counting.score(stats)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """What the metric that counts tells of the rewritten hypothesis, and how that reads."""
        changed = self.rewritten(batch)
        told = self.counting.details(plain, changed, row)
        return dataclasses.replace(told, notes=(*told.notes, f"Read as: {changed.hypotheses[0]}"))


def replaced(hyp: Sequence[str], ref: Sequence[str], matches: Sequence[Match]) -> list[str]:
    """The words of a hypothesis, matched ones as the reference has them.

    >>> replaced("it sleeps here".split(), "he slept".split(), [Match((1, 2), (1, 2), "stem")])
    ['it', 'slept', 'here']
    """
    words: list[str] = []
    at = 0
    for match in sorted(matches, key=lambda match: match.hypothesis):
        words += [*hyp[at : match.hypothesis[0]], *ref[slice(*match.reference)]]
        at = match.hypothesis[1]
    return [*words, *hyp[at:]]


@dataclasses.dataclass(frozen=True)
class MBleu(Rewritten):
    """BLEU of rewritten hypotheses."""

    smooth: Smooth = option("exp", "what to do about orders without a match; see bleu")
    order: int = option(4, "longest n-gram")
    effective_order: bool = option(False, "leave out orders that are longer than the text; for segments")

    name = "m-bleu"
    digits = 2
    card = Card(
        title="M-BLEU",
        year=2008,
        group="CMU",
        kind="n-grams of words, by METEOR's matches",
        resources="METEOR's files",
        definition=(
            "BLEU that knows stems and synonyms. Hypothesis and reference are aligned by METEOR's matcher; where a "
            "word is matched by stem or synonym, the reference's word takes its place, and BLEU is counted on METEOR's "
            "lower-cased words."
        ),
        paper=_PAPER,
        scale="0 to 100",
        reference="the paper's idea; BLEU itself is sacreBLEU's",
        differences=_DIFFERENCES,
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.order <= 100, "order", "from 1 to 100")

    @property
    def counting(self) -> Metric:
        """BLEU of words that need no further splitting."""
        return Bleu(tokenize="none", smooth=self.smooth, order=self.order, effective_order=self.effective_order)


@dataclasses.dataclass(frozen=True)
class MTer(Rewritten):
    """TER of rewritten hypotheses."""

    name = "m-ter"
    digits = 2
    higher_is_better = False
    card = Card(
        title="M-TER",
        year=2008,
        group="CMU",
        kind="edits of words, by METEOR's matches",
        resources="METEOR's files",
        definition=(
            "TER that knows stems and synonyms. Hypothesis and reference are aligned by METEOR's matcher; where a word "
            "is matched by stem or synonym, the reference's word takes its place, and TER is counted on METEOR's "
            "lower-cased words."
        ),
        paper=_PAPER,
        scale="0 to 100 and above; lower is better",
        reference="the paper's idea; TER itself is sacreBLEU's",
        differences=_DIFFERENCES,
        exact=False,
    )

    @property
    def counting(self) -> Metric:
        """TER of words."""
        return Ter()
