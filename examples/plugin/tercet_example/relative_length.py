"""How long the translations are, against the references: a metric of two statistics."""

import dataclasses

import numpy as np

from tercet.data import Array, Batch
from tercet.metric_base import Card, Metric
from tercet.spec import option
from tercet.text import tokenizer


@dataclasses.dataclass(frozen=True)
class RelativeLength(Metric):
    """Statistics: [tokens of the translation, mean tokens of its references]."""

    tokenize: str = option("13a", "tokenizer spec")

    name = "relative-length"
    card = Card(
        title="Relative length",
        definition="Tokens of the translation over tokens of the reference; with several references, their mean.",
        paper="none: an example",
        scale="0 and up; 100 where both are equally long",
        reference="none",
        exact=False,
    )

    def statistics(self, batch: Batch) -> Array:
        """One row a segment."""
        references = batch.required_references()
        split = tokenizer(self.tokenize)
        rows = [
            [len(split(hypothesis)), np.mean([len(split(reference)) for reference in references[i]])]
            for i, hypothesis in enumerate(batch.hypotheses)
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def score(self, stats: Array) -> Array:
        """Of one segment, of a sum of segments, of a thousand resamples: the leading axes do not matter."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return 100 * stats[..., 0] / stats[..., 1]
