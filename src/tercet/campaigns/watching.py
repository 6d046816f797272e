"""A reader of a campaign beside its writer: it follows the log from a connection of its own, in a thread of its own."""

from __future__ import annotations

import threading
import time
from typing import Any

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.log import Log
from tercet.campaigns.overview import overview

REST = 4.0  # times as long as an overview takes, before the next one is made


class Watcher:
    """Overviews of a campaign that is being written; who asks for one too soon gets the last."""

    def __init__(self, campaign: Campaign) -> None:
        self._given = campaign.log.given
        self._campaign: Campaign | None = None
        self._lock = threading.Lock()
        self._last: dict[str, Any] = {}
        self._seen = -1
        self._next = 0.0

    def overview(self) -> dict[str, Any]:
        """How the campaign stands, as far as its log is on disk."""
        with self._lock:
            if self._campaign is None:
                self._campaign = Campaign(Log(self._given))
            else:
                for event in self._campaign.log.events(self._campaign.state.last):
                    self._campaign.state.apply(event)
            begun = time.monotonic()
            if self._campaign.state.last != self._seen and begun >= self._next:
                self._last = overview(self._campaign)
                self._seen = self._campaign.state.last
                now = time.monotonic()
                self._next = now + REST * (now - begun)
            return self._last

    def close(self) -> None:
        """Let go of the connection."""
        with self._lock:
            if self._campaign is not None:
                self._campaign.close()
                self._campaign = None
