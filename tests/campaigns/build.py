"""Small campaigns for tests."""

from __future__ import annotations

import itertools
import pathlib
from typing import Any

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.create import Created, create_campaign
from tercet.data import TestSet
from tercet.sample import campaign as sample
from tests.server.client import any_answer

_NUMBERS = itertools.count()


def texts(n: int = 6, pair: str = "en-de") -> TestSet:
    """The first segments of the campaign that ships with the package."""
    whole = sample(pair)
    return TestSet.of(
        {name: t.strings[:n] for name, t in whole.systems.items()},
        [r[0] for r in whole.references or ()][:n],
        sources=(whole.sources or ())[:n] if whole.sources is None else whole.sources.strings[:n],
        documents=None if whole.documents is None else whole.documents[:n],
        segments=whole.segments[:n],
    )


def created(folder: pathlib.Path, protocol: str = "ranking", place: Any = None, **more: Any) -> tuple[Any, Created]:
    """A campaign in a file of its own, or at another place."""
    path = place or folder / f"campaign{next(_NUMBERS)}.db"
    options: dict[str, Any] = {"testset": texts(), "pair": "en-de", "annotators": 2} | more
    return path, create_campaign(path, protocol=protocol, **options)


def answer_all(campaign: Campaign, name: str, n: int = 10**6) -> int:
    """Answer up to n items; how many there were."""
    annotator, fields = campaign.state.annotators[name], list(campaign.protocol.fields)
    done = 0
    while done < n:
        names, events = campaign.lease(annotator, 1)
        campaign.write(events)
        if not names:
            return done
        item = campaign.payload(annotator, names[0])
        campaign.write([campaign.answer(annotator, {"key": item["key"], "answer": any_answer(fields, item)})])
        done += 1
    return done
