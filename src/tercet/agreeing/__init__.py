"""How far metrics agree with people. This table is the contents page; other packages add to it by entry points."""

from tercet.agreeing.base import Measure
from tercet.spec import Registry

MEASURES: Registry[Measure] = Registry(
    kind="measure",
    group="tercet.measures",
    base=Measure,
    table={
        "pearson": "tercet.agreeing.correlation:Pearson",
        "spearman": "tercet.agreeing.correlation:Spearman",
        "kendall": "tercet.agreeing.kendall:Kendall",
        "accuracy": "tercet.agreeing.accuracy:Accuracy",
        "pair-accuracy": "tercet.agreeing.pair_accuracy:PairAccuracy",
        "spa": "tercet.agreeing.accuracy:SoftAccuracy",
        "acc-eq": "tercet.agreeing.accuracy:AccuracyWithTies",
        "pdp": "tercet.agreeing.correlation:DifferencePearson",
        "segcor": "tercet.agreeing.segcor:LengthWeightedPearson",
    },
)


def measure(spec: str) -> Measure:
    """A measure of agreement from its spec string.

    >>> str(measure("kendall(variant=wmt14)"))
    'kendall(variant=wmt14)'
    """
    return MEASURES.make(spec)


__all__ = ["MEASURES", "Measure", "measure"]
