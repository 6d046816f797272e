"""How far metrics agree with people. This table is the contents page; other packages add to it by entry points."""

from tercet.meta.base import Measure
from tercet.spec import Registry

MEASURES: Registry[Measure] = Registry(
    kind="measure",
    group="tercet.measures",
    table={
        "pearson": "tercet.meta.correlation:Pearson",
        "spearman": "tercet.meta.correlation:Spearman",
        "kendall": "tercet.meta.kendall:Kendall",
        "accuracy": "tercet.meta.accuracy:Accuracy",
        "pair-accuracy": "tercet.meta.pair_accuracy:PairAccuracy",
        "spa": "tercet.meta.accuracy:SoftAccuracy",
        "acc-eq": "tercet.meta.accuracy:AccuracyWithTies",
        "pdp": "tercet.meta.correlation:DifferencePearson",
        "segcor": "tercet.meta.segcor:LengthWeightedPearson",
    },
)


def measure(spec: str) -> Measure:
    """A measure of agreement from its spec string.

    >>> str(measure("kendall(variant=wmt14)"))
    'kendall(variant=wmt14)'
    """
    return MEASURES.make(spec)


__all__ = ["MEASURES", "Measure", "measure"]
