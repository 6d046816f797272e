"""The share of segments that are just like a reference: a metric that is a mean."""

import dataclasses

import numpy as np

from tercet.data import Array, Batch
from tercet.metric_base import Card, MeanMetric
from tercet.spec import option


@dataclasses.dataclass(frozen=True)
class ExactMatch(MeanMetric):
    """Statistics: [value, 1]."""

    lowercase: bool = option(False, "lower-case both sides")

    name = "exact-match"
    card = Card(
        title="Exact match",
        definition="100 for a segment that equals one of its references, otherwise 0; the mean over segments.",
        paper="none: an example",
        scale="0 to 100",
        reference="none",
        exact=False,
    )

    def values(self, batch: Batch) -> Array:
        """One number a segment."""
        references = batch.required_references()
        same = [
            self._case(hypothesis) in map(self._case, references[i]) for i, hypothesis in enumerate(batch.hypotheses)
        ]
        return 100 * np.array(same, dtype=np.float64)

    def _case(self, text: str) -> str:
        return text.lower() if self.lowercase else text
