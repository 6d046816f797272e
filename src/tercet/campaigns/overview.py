"""How a campaign stands: progress, agreement, quality control, the live ranking, what is undecided, when to stop.

    {"campaign": {"name", "protocol", "pair", "systems", "assignment", "paused", "closed", "answers", "items", "last"},
     "annotators": [{"id", "name", "answers", "batches", "last", "excluded", "checks", "passed", "flags",
                     "median_seconds", and what `tercet agreement --annotators` says of a judge}],
     "languages": [{"pair", "answers", "items"}],
     "agreement": [records of `tercet agreement`],
     "ranking": {"signature", "records": [records of `tercet rank`, of an active campaign with `-m bradley-terry`]},
     "wins": [{"system", "expected_wins", "low", "high"}], of an active campaign, as uniform choice would have it,
     "undecided": [{"first", "second", "judgements", "needed"}],
     "stop": {"settled": bool, "reason": text, "needed": judgements, or null where it cannot be told},
     "notes": [...]}

Neighbours are undecided while they share a cluster. `needed` is how many judgements of the two would separate them,
with a power of .8 at .05, if what was seen so far goes on: an estimate, from few judgements a rough one, and none where
two stand equal. The rule to stop: everything is decided, nothing is left to be answered, or what would decide the rest
is more than that; but never while nobody judged some system, or no annotator links groups of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from tercet.campaigns.active import RANKER
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.judged import judgements_of, standing
from tercet.campaigns.state import TUTORIAL, item_place
from tercet.campaigns.weighing import weighted_wins
from tercet.data import Array, Assessments, Judgements, Pairs, Ranking, Rankings
from tercet.errors import InputError
from tercet.human.agreement import agreement
from tercet.human.annotators import annotators
from tercet.human.assessments import judged_systems
from tercet.human.balance import groups_of, linked
from tercet.human.pairs import counts
from tercet.human.scored import require_assessments
from tercet.options.judging import USUAL
from tercet.ranking.assessed import Means
from tercet.ranking.rank import chosen, pairs_of, rank

_POWER = (1.959964 + 0.841621) ** 2  # of a two-sided test at .05, with a power of .8
MOST_NEEDED = 10**7

Scored: TypeAlias = tuple[Assessments, Array]


def overview(campaign: Campaign) -> dict[str, Any]:
    """All of it, as JSON would have it: what is undefined is null."""
    notes: list[str] = []
    judged: Judgements | None = None
    if any(True for _ in standing(campaign)):
        judged = judgements_of(campaign)
        notes += judged.notes
    method = RANKER if campaign.active is not None else None
    ranking = _tried(lambda: rank(judged, method=method), notes) if judged is not None else None
    agreed = _tried(lambda: agreement(judged), notes) if judged is not None else None
    people = _tried(lambda: annotators(judged), notes) if judged is not None else None
    compared = _compared(judged) if judged is not None and ranking is not None else None
    undecided = [] if compared is None or ranking is None else _undecided(compared, ranking)
    notes += [] if ranking is None else ranking.notes
    answer: dict[str, Any] = _plain(
        {
            "campaign": _facts(campaign),
            "annotators": _people(campaign, people),
            "languages": [progress(campaign)],
            "agreement": [] if agreed is None else agreed.as_records(),
            "ranking": {
                "signature": "" if ranking is None else ranking.signature,
                "records": [] if ranking is None else ranking.as_records(),
            },
            "wins": weighted_wins(campaign),
            "undecided": undecided,
            "stop": _stop(campaign, ranking, undecided, _groups(compared)),
            "notes": list(dict.fromkeys(notes)),
        }
    )
    return answer


def _tried(make: Any, notes: list[str]) -> Any:
    """What can be made of the judgements so far; where it cannot, the reason is a note."""
    try:
        return make()
    except InputError as error:
        notes.append(str(error))
        return None


def _answers(campaign: Campaign) -> int:
    return sum(1 for _ in standing(campaign))


def n_items(campaign: Campaign) -> int | None:
    """Answers that the campaign wants in all; None where it is open-ended."""
    config, state = campaign.state.config, campaign.state
    if config["assignment"] == "active":
        return None if config["items"] is None else int(config["items"])
    return state.overlap * sum(len(batch.items) for n, batch in state.batches.items() if n != TUTORIAL)


def progress(campaign: Campaign) -> dict[str, Any]:
    """How far the campaign of a language pair is, and by how many annotators."""
    answered = [person for person in campaign.state.annotators.values() if person.answers]
    return {
        "pair": campaign.material.pair,
        "answers": _answers(campaign),
        "items": n_items(campaign),
        "annotators": len(answered),
    }


def _facts(campaign: Campaign) -> dict[str, Any]:
    state = campaign.state
    return {
        "name": campaign.log.name,
        "protocol": campaign.protocol.spec,
        "title": campaign.protocol.texts("en")["title"],
        "pair": campaign.material.pair,
        "systems": list(campaign.material.systems),
        "assignment": state.config["assignment"],
        "paused": state.paused,
        "closed": state.closed,
        "answers": _answers(campaign),
        "items": n_items(campaign),
        "last": state.last,
    }


def _people(campaign: Campaign, judges: Any) -> list[dict[str, Any]]:
    """A record an annotator: progress, checks, pace, and what the judgements say of them."""
    told = {} if judges is None else {record["judge"]: record for record in judges.as_records()}
    people = []
    for annotator in campaign.state.annotators.values():
        results = [
            campaign.check(annotator, event)
            for item, event in annotator.answers.items()
            if campaign.state.batches[item_place(item)[0]].items[item_place(item)[1]]["kind"] == "degraded"
        ]
        known = [result for result in results if result is not None]
        answers = [event for item, event in annotator.answers.items() if item_place(item)[0] != TUTORIAL]
        seconds = [float(e.body["seconds"]) for e in answers if e.body.get("seconds") is not None]
        record = dict(told.get(annotator.name, {}))
        record.pop("judge", None)
        people.append(
            {
                "id": annotator.id,
                "name": annotator.name,
                "answers": len(answers),
                "batches": sum(
                    annotator.id in campaign.state.batches[n].done for n in annotator.leased if n != TUTORIAL
                ),
                "last": max((event.server_time for event in answers), default=None),
                "excluded": annotator.excluded,
                "checks": len(known),
                "passed": sum(known),
                "flags": "",
                **record,
                "median_seconds": float(np.median(seconds)) if seconds else None,
            }
        )
    return people


def _compared(judged: Judgements) -> Pairs | Scored:
    """What the ranking compares: pairs of outputs, or assessments of outputs with the scores that it averages."""
    if isinstance(judged, Rankings):
        return pairs_of(judged, USUAL)
    ranker = cast(Means, chosen(None, judged))
    scored = ranker.prepared(judged_systems(require_assessments(judged)))
    return scored, ranker.values(scored)


def _undecided(compared: Pairs | Scored, ranking: Ranking) -> list[dict[str, Any]]:
    """Neighbours in a cluster, and what would separate them."""
    records = list(ranking)
    return [
        {"first": a.system, "second": b.system, **_needed(compared, a.system, b.system)}
        for a, b in itertools.pairwise(records)
        if a.cluster == b.cluster
    ]


def _needed(compared: Pairs | Scored, first: str, second: str) -> dict[str, int | None]:
    """Judgements that there are of two systems, and how many more would separate them."""
    if isinstance(compared, Pairs):
        wins, ties = counts(compared)
        a, b = compared.systems.index(first), compared.systems.index(second)
        won, lost, tied = float(wins[a, b]), float(wins[b, a]), float(ties[a, b])
        there = won + lost + tied
        share = (won - lost) / there if there else 0.0
        spread = (won + lost) / there - share**2 if there else 1.0
        wanted = _POWER * spread / share**2 if share else math.inf
    else:
        scored, scores = compared
        rows = [scores[scored.system == scored.systems.index(name)] for name in (first, second)]
        rows = [values[~np.isnan(values)] for values in rows]
        there = float(min(map(len, rows)))
        gap = abs(float(rows[0].mean() - rows[1].mean())) if there else 0.0
        spread = sum(float(values.var(ddof=1)) for values in rows) if there > 1 else 1.0
        wanted = _POWER * spread / gap**2 if gap else math.inf
    more = max(1.0, wanted - there)
    return {"judgements": int(there), "needed": math.ceil(more) if more < MOST_NEEDED else None}


def _groups(compared: Pairs | Scored | None) -> list[list[str]]:
    """Systems by which annotators link them; who compares two outputs has linked them."""
    if compared is None or isinstance(compared, Pairs):
        return []
    scored, scores = compared
    return groups_of(linked(scored, scores), scored.systems)


def _stop(
    campaign: Campaign,
    ranking: Ranking | None,
    undecided: Sequence[Mapping[str, Any]],
    groups: Sequence[Sequence[str]],
) -> dict[str, Any]:
    """Whether to stop, and why."""
    items, answers = n_items(campaign), _answers(campaign)
    left = None if items is None else max(0, items - answers)
    if ranking is None:
        return {"settled": False, "reason": "There are no judgements to rank systems by.", "needed": None}
    if unseen := [name for name in campaign.material.systems if name not in {record.system for record in ranking}]:
        reason = f"Nothing is said of {', '.join(unseen)} yet"
        reason += ", and no answers are left: more items would have to be made." if left == 0 else "."
        return {"settled": False, "reason": reason, "needed": None}
    if len(groups) > 1:
        reason = "No annotator saw systems of two groups, so that nothing tells how these stand to each other"
        return {"settled": False, "reason": f"{reason}: {'; '.join(map(', '.join, groups))}.", "needed": None}
    if not undecided:
        return {"settled": True, "reason": "Every system stands in a cluster of its own.", "needed": 0}
    wanted = [pair["needed"] for pair in undecided]
    needed = None if any(n is None for n in wanted) else int(sum(n for n in wanted if n is not None))
    wanted_more = "nobody can tell how many more" if needed is None else f"it would take about {needed} more"
    neighbours = "pair of neighbours is" if len(undecided) == 1 else "pairs of neighbours are"
    reason = f"{len(undecided)} {neighbours} undecided; {wanted_more} judgements of them"
    reason += " it would take" if needed is None else ""
    per_answer = math.comb(campaign.protocol.n_outputs, 2) if campaign.protocol.judgements == "rankings" else 1
    pairs = math.comb(len(campaign.material.systems), 2) if campaign.protocol.judgements == "rankings" else 1
    if left == 0 or (left and needed is not None and needed * pairs > left * per_answer * len(undecided)):
        return {"settled": True, "reason": f"{reason}, and {left} answers are left.", "needed": needed}
    return {"settled": False, "reason": f"{reason}.", "needed": needed}


def _plain(value: Any) -> Any:
    """As JSON has it."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
