"""`status`: how a campaign stands."""

from __future__ import annotations

from typing import Any

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.log import Log, as_told
from tercet.campaigns.overview import overview, progress
from tercet.options import verb
from tercet.options.campaigns import StatusOptions


@verb(StatusOptions)
def campaign_status(asked: StatusOptions) -> dict[str, Any]:
    """How a campaign stands, as the dashboard shows it; `tercet.campaigns.overview` says what is in it."""
    with Campaign(Log(asked.campaign)) as campaign, as_told(campaign.log.name):
        answer = overview(campaign)
    for place in asked.beside or ():
        with Campaign(Log(place)) as other, as_told(other.log.name):
            answer["languages"].append(progress(other))
    return answer
