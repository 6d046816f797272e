"""Systems ranked by people. This table is the contents page; other packages add to it by entry points."""

from tercet.ranking.base import Ranker
from tercet.spec import Registry

RANKERS: Registry[Ranker] = Registry(
    kind="ranker",
    group="tercet.rankers",
    base=Ranker,
    table={
        "expected-wins": "tercet.ranking.wins:ExpectedWins",
        "others": "tercet.ranking.wins:Others",
        "bradley-terry": "tercet.ranking.bradley_terry:BradleyTerry",
        "hopkins-may": "tercet.ranking.hopkins_may:HopkinsMay",
        "trueskill": "tercet.ranking.trueskill:TrueSkill",
        "da": "tercet.ranking.assessed:DirectAssessment",
        "esa": "tercet.ranking.assessed:ErrorSpanAnnotation",
        "mqm": "tercet.ranking.assessed:Mqm",
    },
)


def ranker(spec: str) -> Ranker:
    """A ranker from its spec string: a frozen value that ranks systems from judgements.

    >>> str(ranker("expected-wins(unseen=zero)"))
    'expected-wins'
    """
    return RANKERS.make(spec)


__all__ = ["RANKERS", "Ranker", "ranker"]
