"""Folds of the log: who annotates, who holds which batch, what was answered, what the organiser decided.

Nothing here is stored: a state is made anew from the events whenever a campaign is opened, and follows them one by one.
A batch is held from its lease on, and each answer prolongs that; who is silent for longer than the lease loses it.
"""

from __future__ import annotations

import collections
import dataclasses
import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tercet.campaigns.log import Event

Items = Sequence[Mapping[str, Any]]
TUTORIAL = -1  # the batch that everyone begins with
FOLDED = frozenset(["created", "annotator", "member", "login", "logout", "leased", "answered", "undone"])
FOLDED |= frozenset(["paused", "resumed", "closed", "excluded", "reopened"])
ROLES = ("organiser", "viewer", "auditor")


def item_name(batch: int, place: int) -> str:
    """An item by its batch and its place there."""
    return f"{batch}.{place}"


def item_place(name: str) -> tuple[int, int]:
    """Handout and place of an item.

    >>> item_place(item_name(-1, 3))
    (-1, 3)
    """
    batch, _, place = name.partition(".")
    return int(batch), int(place)


@dataclasses.dataclass
class Annotator:
    """Someone who annotates, with all that they did."""

    id: str
    name: str
    token: str  # hashed
    excluded: str | None = None  # the reason
    quota: int | None = None  # batches
    answers: dict[str, Event] = dataclasses.field(default_factory=dict)  # those that stand, by item
    undone: dict[str, int] = dataclasses.field(default_factory=dict)  # how often, by item
    taken_back: dict[str, Event] = dataclasses.field(default_factory=dict)  # the last answer that was, by item
    leased: dict[int, int] = dataclasses.field(default_factory=dict)  # how often, by batch, in order
    order: list[str] = dataclasses.field(default_factory=list)  # items in the order of their answers
    holding: dict[int, None] = dataclasses.field(default_factory=dict)  # batches, in order
    known: tuple[int, int] = dataclasses.field(default=(0, 0), compare=False)  # see `State.n_ahead`


@dataclasses.dataclass
class Handout:
    """Items that are handed out together, and who has them."""

    items: Items
    reserved: str | None = None  # for whom, if for one only
    holders: dict[str, float] = dataclasses.field(default_factory=dict)  # and when they were last heard of
    done: set[str] = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class Member:
    """Someone with a password."""

    name: str
    role: str
    password: str  # hashed


class State:
    """What the events say, up to the last one that was applied."""

    def __init__(self, batches: Iterable[Items]) -> None:
        self.config: dict[str, Any] = {}
        self.batches: dict[int, Handout] = {n: Handout(items) for n, items in enumerate(batches)}
        self.newest = max(self.batches, default=0)  # the highest number of a batch
        self.largest = max((len(batch.items) for batch in self.batches.values()), default=0)  # but for the tutorial
        self.annotators: dict[str, Annotator] = {}
        self.by_token: dict[str, str] = {}
        self.members: dict[str, Member] = {}
        self.sessions: dict[str, tuple[str, float]] = {}  # hashed token: who, until when
        self.paused = self.closed = False
        self.last = 0
        self.free: dict[int, None] = {}  # batches that may be handed out, in order
        self.n_free: collections.Counter[str | None] = collections.Counter()  # items of them, by whom they are for
        self._expiries: list[tuple[float, int, str]] = []

    def apply(self, event: Event) -> None:
        """Follow one event more."""
        self.last = max(self.last, event.seq)
        if event.kind in FOLDED:  # others are only to be read: exports, failed logins
            getattr(self, f"_{event.kind}")(event)

    def _created(self, event: Event) -> None:
        self.config = dict(event.body)
        if self.config["tutorial"]:
            self.batches[TUTORIAL] = Handout(self.config["tutorial"])
        for n, owner in enumerate(self.config.get("reserved", ())):
            self.batches[n].reserved = owner
        for n in self.batches:
            self._refresh(n)

    def _annotator(self, event: Event) -> None:
        body = event.body
        known = self.annotators.get(body["id"])
        if known is not None:  # a new link for the same person
            self.by_token.pop(known.token, None)
            known.token = body["token"]
            self._end_sessions(known.id)
        else:
            self.annotators[body["id"]] = Annotator(body["id"], body["name"], body["token"], quota=body.get("quota"))
        self.by_token[body["token"]] = body["id"]

    def _member(self, event: Event) -> None:
        body = event.body
        self.members[body["name"]] = Member(body["name"], body["role"], body["password"])
        self._end_sessions(f"@{body['name']}")

    def _end_sessions(self, who: str) -> None:
        """A new password, or a new link, ends what an old one began."""
        self.sessions = {token: session for token, session in self.sessions.items() if session[0] != who}

    def _login(self, event: Event) -> None:
        self.sessions[event.body["session"]] = (event.actor, event.body["until"])

    def _logout(self, event: Event) -> None:
        self.sessions.pop(event.body["session"], None)

    def _leased(self, event: Event) -> None:
        n = int(event.body["batch"])
        if "items" in event.body and n not in self.batches:
            self.batches[n] = Handout(event.body["items"], event.actor)
            self.largest = max(self.largest, len(event.body["items"]))
            self.newest = max(self.newest, n)
        self.hold(self.annotators[event.actor], n, event.server_time)
        self.annotators[event.actor].leased[n] = event.body["turn"] + 1  # as often as it is told, it is the same

    def hold(self, annotator: Annotator, n: int, when: float) -> None:
        """A batch is held by an annotator, from now on or still."""
        batch = self.batches[n]
        if annotator.id not in batch.done and annotator.excluded is None:
            batch.holders[annotator.id] = when
            annotator.holding[n] = None
            heapq.heappush(self._expiries, (when + self.lease, n, annotator.id))
            self._refresh(n)

    def _let_go(self, annotator: Annotator, n: int) -> None:
        self.batches[n].holders.pop(annotator.id, None)
        annotator.holding.pop(n, None)

    @property
    def lease(self) -> float:
        """Seconds of silence after which a batch is handed to others."""
        return float(self.config.get("lease", 3600))

    @property
    def overlap(self) -> int:
        """How many annotators get each batch."""
        return int(self.config.get("overlap", 1))

    def _answered(self, event: Event) -> None:
        annotator, item = self.annotators[event.actor], str(event.item)
        n, _ = item_place(item)
        annotator.answers[item] = event
        annotator.order.append(item)
        self.hold(annotator, n, event.server_time)
        batch = self.batches[n]
        if all(item_name(n, place) in annotator.answers for place in range(len(batch.items))):
            self._let_go(annotator, n)
            batch.done.add(annotator.id)
            self._refresh(n)

    def _undone(self, event: Event) -> None:
        annotator, item = self.annotators[event.actor], str(event.item)
        if (answer := annotator.answers.pop(item, None)) is None:
            return
        annotator.taken_back[item] = answer
        annotator.undone[item] = annotator.undone.get(item, 0) + 1
        annotator.order.remove(item)
        n, _ = item_place(item)
        self.batches[n].done.discard(annotator.id)
        self.hold(annotator, n, event.server_time)

    def _paused(self, _: Event) -> None:
        self.paused = True

    def _resumed(self, _: Event) -> None:
        self.paused = False

    def _closed(self, _: Event) -> None:
        self.closed = True

    def _excluded(self, event: Event) -> None:
        annotator = self.annotators[event.body["annotator"]]
        annotator.excluded = event.body["reason"]
        for n in annotator.leased:
            self._let_go(annotator, n)
            self.batches[n].done.discard(annotator.id)
            self._refresh(n)
        for n in self._dealt_to(annotator):
            self._reserve(n, None)  # others get them, after their own

    def _reopened(self, event: Event) -> None:
        if (name := event.body.get("annotator")) is None:
            self.closed = False
            return
        annotator = self.annotators[name]
        annotator.excluded = None
        for n in self._dealt_to(annotator):
            if not self.batches[n].holders and not self.batches[n].done:
                self._reserve(n, annotator.id)
        for n in annotator.leased:
            if all(item_name(n, place) in annotator.answers for place in range(len(self.batches[n].items))):
                self.batches[n].done.add(annotator.id)
                self._refresh(n)

    def _dealt_to(self, annotator: Annotator) -> list[int]:
        """Batches that were dealt out to an annotator beforehand."""
        return [n for n, owner in enumerate(self.config.get("reserved", ())) if owner == annotator.id]

    def _reserve(self, n: int, owner: str | None) -> None:
        """A batch is for someone else from now on."""
        batch = self.batches[n]
        if n in self.free:
            self.n_free[batch.reserved] -= len(batch.items)
            self.n_free[owner] += len(batch.items)
            del self.free[n]
            self.free[n] = None  # behind all others
        batch.reserved = owner

    def _refresh(self, n: int) -> None:
        """Whether a batch may be handed out."""
        batch = self.batches[n]
        free = n != TUTORIAL and len(batch.holders) + len(batch.done) < self.overlap
        if free != (n in self.free):
            self.n_free[batch.reserved] += len(batch.items) if free else -len(batch.items)
            if free:
                self.free[n] = None
            else:
                del self.free[n]

    def expire(self, now: float) -> None:
        """Take batches back from those who were silent for too long."""
        while self._expiries and self._expiries[0][0] <= now:
            _, n, holder = heapq.heappop(self._expiries)
            batch = self.batches[n]
            if batch.holders.get(holder, now) + self.lease <= now:
                self._let_go(self.annotators[holder], n)
                self._refresh(n)

    def n_standing(self) -> int:
        """Answers that count: not taken back, not of those who are excluded, not of the tutorial."""
        counted = (a for a in self.annotators.values() if a.excluded is None)
        return sum(len(annotator.answers) - self.n_tutorial(annotator) for annotator in counted)

    def n_tutorial(self, annotator: Annotator) -> int:
        """How many items of the tutorial an annotator has answered."""
        items = self.batches[TUTORIAL].items if TUTORIAL in self.batches else ()
        return sum(item_name(TUTORIAL, place) in annotator.answers for place in range(len(items)))

    def open_items(self, annotator: Annotator, but: int | None = None) -> list[str]:
        """Items of batches that an annotator holds, not answered yet, in the order of the leases; one left out."""
        return [
            name
            for n in annotator.holding
            if n != but
            for place in range(len(self.batches[n].items))
            if (name := item_name(n, place)) not in annotator.answers
        ]

    def next_batch(self, annotator: Annotator, now: float) -> int | None:
        """The batch that an annotator is to get next; None if there is none, or their quota is full."""
        self.expire(now)
        if TUTORIAL in self.batches and TUTORIAL not in annotator.leased:
            return TUTORIAL
        held = [n for n in annotator.leased if n != TUTORIAL]
        back = [n for n in held if n in self.free and annotator.id not in self.batches[n].done]
        back = [n for n in back if annotator.id not in self.batches[n].holders]
        if back:  # a lease that was lost and not taken by anyone
            return back[0]
        if TUTORIAL in annotator.leased and annotator.id not in self.batches[TUTORIAL].done:
            return TUTORIAL
        if annotator.quota is not None and len(held) >= annotator.quota:
            return None
        return next((n for n in self.free if self.may_get(annotator, n)), None)

    def finished(self, annotator: Annotator) -> list[int]:
        """Batches that an annotator has answered wholly, but for the tutorial."""
        return [n for n in annotator.leased if n != TUTORIAL and annotator.id in self.batches[n].done]

    def n_ahead(self, annotator: Annotator) -> int:
        """Items of all batches that an annotator could still get."""
        if annotator.known[0] != len(annotator.leased):  # of those that are free, what this one has had already
            known = sum(len(self.batches[n].items) for n in annotator.leased if n in self.free)
            annotator.known = (len(annotator.leased), known)
        return max(0, self.n_free[None] + self.n_free[annotator.id] - annotator.known[1])

    def may_get(self, annotator: Annotator, n: int) -> bool:
        """Whether a batch that is free is for this annotator, and new to them."""
        return n not in annotator.leased and self.batches[n].reserved in (None, annotator.id)
