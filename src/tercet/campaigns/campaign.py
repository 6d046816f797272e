"""A campaign that is open: what an annotator is shown, and what may happen to it.

    lease     the next items of an annotator, and the events that hand them out
    answer    an answer, checked against the protocol, as an event
    undo      an answer of an annotator is taken back
    decide    pause, resume, close, exclude, reopen

Each gives events; `write` puts them into the log and follows them. A server does that for many at once.

No name of a system leaves `payload`: items are named per annotator by a keyed hash, texts stand alone.
"""

from __future__ import annotations

import collections
import hashlib
import hmac
import itertools
import json
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tercet.campaigns.active import UNIFORM, Beliefs, compared
from tercet.campaigns.control import as_expected, passed
from tercet.campaigns.edits import edited
from tercet.campaigns.log import Event, Log, Stored, as_told
from tercet.campaigns.material import Material, direction, from_record
from tercet.campaigns.protocol import Protocol, checked
from tercet.campaigns.state import TUTORIAL, Annotator, State, item_name, item_place
from tercet.data import Ints
from tercet.errors import InputError, extra
from tercet.limits import is_whole

CONTEXT = 5  # neighbours that are shown on each side
MOST_ITEMS = 50
_ID = 32  # hexadecimal digits of an item's name
_MEDIA = {
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp", "avif", "svg"), "img"),
    **dict.fromkeys(("mp3", "wav", "ogg", "flac", "m4a", "opus"), "audio"),
    **dict.fromkeys(("mp4", "webm", "mov"), "video"),
}  # what shows a file; others are links
_CHOSEN = ((1, 2), (1, 1), (2, 1))  # ranks of two outputs, by the place of the choice
DECISIONS = ("pause", "resume", "close", "exclude", "reopen")
_KINDS = {"pause": "paused", "resume": "resumed", "close": "closed", "exclude": "excluded", "reopen": "reopened"}


class ConflictError(InputError):
    """What is asked for does not fit to what has happened meanwhile."""


def protocol_of(config: Mapping[str, Any]) -> Protocol:
    """The protocol that a campaign was created with."""
    kept = config["protocol"]
    return checked(Protocol(kept["name"], kept["spec"], kept["data"]))


class Campaign:
    """A campaign with its material, its protocol and its state."""

    def __init__(self, log: Log, clock: Callable[[], float] = time.time) -> None:
        self.log, self.clock = log, clock
        self._public: dict[str, dict[str, str]] = {}  # items by the names that an annotator knows
        self._named: collections.Counter[str] = collections.Counter()  # batches whose items are among them
        try:
            with as_told(log.name):
                self._follow_all()
        except BaseException:
            log.close()
            raise

    def _follow_all(self) -> None:
        log, schema = self.log, extra("tercet.campaigns.schema", "pydantic", "campaign", "A campaign")
        self.state = State(schema.require_batches(log.name, log.batches()))
        seen = []
        for event in log.events():
            self.state.apply(schema.require_event(log.name, event))
            if self.state.config.get("assignment") == "active":
                seen.append(event)
        config = self.state.config
        if not config:
            raise InputError(f"{log.name} holds no campaign.", hint="Make one with tercet campaign create.")
        self.protocol = protocol_of(config)
        passages = (from_record(schema.require_passage(log.name, record)) for record in log.passages())
        self.material = Material(config["pair"], tuple(config["systems"]), tuple(passages))
        self._secret = bytes.fromhex(config["secret"])
        schema.require_references(self)
        self.active = Drawer(self) if config["assignment"] == "active" else None
        if self.active is not None:
            for event in seen:
                self.active.follow(event)
            self.active.relearn()

    @classmethod
    def open(cls, given: str | os.PathLike[str]) -> Campaign:
        """A campaign by its file or its URL."""
        return cls(Log(given))

    def close(self) -> None:
        """Let go of the log."""
        self.log.close()

    def __enter__(self) -> Campaign:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, events: Sequence[Event]) -> list[Stored]:
        """Store events, and follow those that are new."""
        stored = self.log.append(events)
        self.follow(stored)
        return stored

    def follow(self, stored: Sequence[Stored]) -> None:
        """Apply what is new in the log."""
        for entry in stored:
            if entry.new:
                self.state.apply(entry.event)
                if self.active is not None:
                    self.active.follow(entry.event)

    def annotator_by_link(self, token: str) -> Annotator | None:
        """Whose link this is."""
        name = self.state.by_token.get(hashed(token))
        return None if name is None else self.state.annotators[name]

    def public_name(self, annotator: str, item: str) -> str:
        """The name of an item for one annotator: nobody can tell which item it is, or who else has it."""
        message = f"{annotator}/{item}".encode()
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()[:_ID]

    def _item_called(self, annotator: Annotator, public: str) -> str | None:
        names = self._public.setdefault(annotator.id, {})
        if public not in names:
            for n in itertools.islice(annotator.leased, self._named[annotator.id], None):
                for place in range(len(self.state.batches[n].items)):
                    item = item_name(n, place)
                    names[self.public_name(annotator.id, item)] = item
            self._named[annotator.id] = len(annotator.leased)
        return names.get(public)

    def lease(self, annotator: Annotator, n: int, now: float | None = None) -> tuple[list[str], list[Event]]:
        """The next items, those first that are held already, and the events that hand out more.

        The hold begins at once, so that nobody else is given the same while it is being written.
        """
        state, now = self.state, self.clock() if now is None else now
        state.expire(now)
        if state.paused or state.closed or annotator.excluded is not None:
            return [], []
        items = state.open_items(annotator)
        events: list[Event] = []
        while len(items) < n:
            event = self._next_lease(annotator, now)
            if event is None:
                break
            events.append(event)
            state.apply(event)
            batch = state.batches[int(event.body["batch"])]
            names = (item_name(int(event.body["batch"]), place) for place in range(len(batch.items)))
            items += [name for name in names if name not in annotator.answers and name not in items]
            if int(event.body["batch"]) == TUTORIAL:
                break  # nothing else before the tutorial is done
        tutorial = [name for name in items if item_place(name)[0] == TUTORIAL]
        return (tutorial or items)[:n], events

    def _next_lease(self, annotator: Annotator, now: float) -> Event | None:
        n = self.state.next_batch(annotator, now)
        body: dict[str, Any] = {"batch": n}
        if n is None:
            drawn = None if self.active is None else self.active.batch(annotator, now)
            if drawn is None:
                return None
            body = drawn
        body["turn"] = annotator.leased.get(int(body["batch"]), 0)
        key = f"lease/{annotator.id}/{body['batch']}/{body['turn']}"
        return Event(key, annotator.id, "leased", body, server_time=now)

    def shown(self, item: str) -> dict[str, Any]:
        """All that is shown of an item, as it is kept: texts by side."""
        n, place = item_place(item)
        entry = self.state.batches[n].items[place]
        if n == TUTORIAL:
            return {"source": entry.get("source"), "reference": entry.get("reference"), "outputs": entry["outputs"]}
        passage = self.material.passages[entry["passage"]]
        texts = [{"text": o["text"] if "text" in o else passage.outputs[o["systems"][0]]} for o in entry["outputs"]]
        return {"source": passage.source, "reference": passage.reference, "outputs": texts}

    def payload(self, annotator: Annotator, item: str) -> dict[str, Any]:
        """What an annotator's browser gets of an item: see `tercet.server` for its shape."""
        n, place = item_place(item)
        batch = self.state.batches[n]
        entry, shown, public = batch.items[place], self.shown(item), self.public_name(annotator.id, item)
        shows = self.protocol.data["shows"]
        source, target = self.material.languages
        return {
            "id": public,
            "key": f"{public}.{annotator.undone.get(item, 0)}",
            "tutorial": n == TUTORIAL,
            "source": shown["source"] if "source" in shows else None,
            "reference": shown["reference"] if "reference" in shows else None,
            "outputs": [{"text": output["text"]} for output in shown["outputs"]],
            "context": self._context(entry) if self.protocol.by_document and n != TUTORIAL else None,
            "media": self._media(entry),
            "languages": {"source": source, "target": target},
            "directions": {"source": direction(source), "target": direction(target)},
            "place": {"number": place + 1, "of": len(batch.items)},
            "answer": answer.body["answer"] if (answer := annotator.answers.get(item)) else self._begun(entry, shown),
        }

    def _begun(self, entry: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
        """The answer with which an annotator begins: the text that is to be edited, spans that are there before."""
        fields = {field.widget: field.name for field in self.protocol.fields if field.of == "output"}
        answer: list[dict[str, Any]] = [{} for _ in shown["outputs"]] if fields else []
        for i, output in enumerate(shown["outputs"] if fields else ()):
            if "edit" in fields:
                answer[i][fields["edit"]] = output["text"]
            if "spans" in fields:
                answer[i][fields["spans"]] = self._prefilled(entry, i)
        return {"outputs": answer} if fields else {}

    def _prefilled(self, entry: Mapping[str, Any], output: int) -> list[dict[str, Any]]:
        """Spans that are there before the annotator begins, of the first system that has some."""
        spans = self.state.config.get("prefilled")
        if not spans or "passage" not in entry or "text" in entry["outputs"][output]:
            return []
        passage = self.material.passages[entry["passage"]].name
        systems = [self.material.systems[s] for s in entry["outputs"][output]["systems"]]
        known = [spans[system][passage] for system in systems if passage in spans.get(system, {})]
        return [{"side": "target", "category": None, **span} for span in known[0]] if known else []

    def _context(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Neighbours in the document: sources, and what the same systems made of them."""
        rows = self.material.documents[self.material.passages[entry["passage"]].document]
        here = rows.index(entry["passage"])

        def told(row: int) -> dict[str, Any]:
            passage = self.material.passages[row]
            first = [o["systems"][0] for o in entry["outputs"] if o["systems"]]
            source = passage.source if "source" in self.protocol.data["shows"] else None
            return {"source": source, "outputs": [passage.outputs[s] for s in first]}

        before, after = rows[max(0, here - CONTEXT) : here], rows[here + 1 : here + 1 + CONTEXT]
        return {"before": [told(row) for row in before], "after": [told(row) for row in after]}

    def _media(self, entry: Mapping[str, Any]) -> list[dict[str, str]]:
        name = self.material.passages[entry["passage"]].media if "passage" in entry else None
        if name is None:
            return []
        kind = name.rpartition(".")[2].lower()
        return [{"id": self.media_id(name), "type": kind, "element": _MEDIA.get(kind, "a")}]

    def media_id(self, name: str) -> str:
        """The name of a media file on the outside."""
        return hmac.new(self._secret, f"media/{name}".encode(), hashlib.sha256).hexdigest()[:_ID]

    def media_file(self, public: str) -> str | None:
        """The media file of this name, of those that the material refers to."""
        names = {p.media for p in self.material.passages if p.media is not None}
        return next((name for name in names if hmac.compare_digest(self.media_id(name), public)), None)

    def answer(self, annotator: Annotator, given: Mapping[str, Any]) -> Event:
        """An answer as an event: {"key", "answer", "seconds", "keystrokes", "time"}; refused if it is not allowed."""
        public, _, revision = str(given.get("key", "")).partition(".")
        item = self._item_called(annotator, public)
        if item is None or not is_whole(revision):
            raise ConflictError("There is no such item.", hint="Load the page again.")
        if int(revision) > annotator.undone.get(item, 0):
            raise ConflictError("The item was not opened so often.", hint="Load the page again.")
        shown = self.shown(item)
        problems = self.protocol.problems(given.get("answer"), shown)
        if problems:
            raise InputError(f"The answer cannot be stored: {'; '.join(problems)}.", hint="Complete it.")
        body = {"answer": given["answer"], "seconds": given.get("seconds"), "public": f"{public}.{int(revision)}"}
        if (field := self.protocol.role("edit")) is not None:
            pairs = zip(shown["outputs"], given["answer"]["outputs"], strict=True)
            body["edits"] = [edited(output["text"], new[field]) for output, new in pairs]
            body["keystrokes"] = given.get("keystrokes")
        key = f"answer/{annotator.id}/{item}/{int(revision)}"
        return Event(key, annotator.id, "answered", body, item, given.get("time"))

    def receipt(self, annotator: Annotator, stored: Stored) -> dict[str, Any]:
        """What an annotator hears of an answer that is in the log."""
        event = stored.event
        return {
            "key": event.body["public"],
            "receipt": event.seq,
            "repeated": not stored.new,
            "feedback": self._feedback(annotator, event),
        }

    def _feedback(self, annotator: Annotator, event: Event) -> dict[str, Any] | None:
        """Whether a tutorial item, or a check that is not silent, was passed; None where nothing is to be said."""
        n, place = item_place(str(event.item))
        entry, answer = self.state.batches[n].items[place], event.body["answer"]
        if n == TUTORIAL:
            right = as_expected(entry.get("expected", {}), answer)
            return {"passed": right, "text": entry.get("feedback", "")}
        if self.state.config.get("feedback") != "loud" or entry["kind"] != "degraded":
            return None
        result = self.check(annotator, event)
        return None if result is None else {"passed": result, "text": ""}

    def check(self, annotator: Annotator, event: Event) -> bool | None:
        """Whether an answer to a degraded item was right; None where that cannot be told."""
        n, place = item_place(str(event.item))
        entry = self.state.batches[n].items[place]
        original = annotator.answers.get(item_name(n, entry["original"])) if "original" in entry else None
        return passed(self.protocol, entry, event.body["answer"], None if original is None else original.body["answer"])

    def undo(self, annotator: Annotator, key: str) -> Event:
        """The answer of a key is taken back: its item is open again. Asked for once more, it is the same event."""
        public, _, revision = key.partition(".")
        item = self._item_called(annotator, public)
        if item is None or not is_whole(revision) or annotator.excluded is not None:
            raise ConflictError("There is no answer to take back.", hint="Go on with the next item.")
        times = annotator.undone.get(item, 0)
        if int(revision) > times or (item in annotator.answers) != (int(revision) == times):
            raise ConflictError("This answer does not stand any more.", hint="Load the page again.")
        return Event(f"undo/{annotator.id}/{item}/{int(revision)}", annotator.id, "undone", {}, item)

    def taken_back(self, annotator: Annotator, item: str) -> dict[str, Any]:
        """An item whose answer was taken back, with that answer."""
        return self.payload(annotator, item) | {"answer": annotator.taken_back[item].body["answer"]}

    def decide(self, actor: str, action: str, annotator: str | None = None, reason: str = "") -> Event:
        """What an organiser decides, as an event."""
        if action not in DECISIONS:
            raise InputError(f"There is no action {action!r}.", hint=f"There are {', '.join(DECISIONS)}.")
        if action == "exclude" and (annotator is None or not reason.strip()):
            raise InputError("An annotator is excluded by name, with a reason.", hint="Give both.")
        if annotator is not None and annotator not in self.state.annotators:
            raise InputError(f"There is no annotator {annotator!r}.", hint="See the dashboard.")
        body = {} if annotator is None else {"annotator": annotator}
        body |= {"reason": reason} if reason else {}
        return Event(f"{action}/{self.state.last}/{json.dumps(body)}", actor, _KINDS[action], body)

    def progress(self, annotator: Annotator) -> dict[str, Any]:
        """How far an annotator is: answers, and all items that they will get as far as is known."""
        state = self.state
        done = len(annotator.answers) - state.n_tutorial(annotator)
        ahead = len(state.open_items(annotator, but=TUTORIAL))
        if annotator.quota is not None:
            held = len(annotator.leased) - (TUTORIAL in annotator.leased)
            ahead += max(0, annotator.quota - held) * state.largest
        else:
            ahead += state.n_ahead(annotator)
        return {
            "done": done,
            "of": done + ahead,
            "paused": state.paused,
            "closed": state.closed,
            "excluded": annotator.excluded is not None,
            "tutorial": TUTORIAL in state.batches and annotator.id not in state.batches[TUTORIAL].done,
            "undo": self._last_key(annotator),
        }

    def _last_key(self, annotator: Annotator) -> str | None:
        """The key of the last answer, by which it can be taken back."""
        if not annotator.order:
            return None
        item = annotator.order[-1]
        return f"{self.public_name(annotator.id, item)}.{annotator.undone.get(item, 0)}"


class Drawer:
    """Batches of an active campaign, drawn when they are asked for; what is out on lease counts as judged."""

    def __init__(self, campaign: Campaign, rng: random.Random | None = None, uniform: float = UNIFORM) -> None:
        material = campaign.material
        self._campaign, self._rng = campaign, rng or random.SystemRandom()
        self.beliefs = Beliefs(len(material.systems), uniform)
        self._out: dict[tuple[int, str], list[int]] = {}  # systems of each batch that is on lease, by holder
        self._learnt: dict[tuple[str, str], Ints] = {}  # what each answer says of two systems, by who and item
        self._stale = False  # whether answers that were believed do not count any more
        twins = {p: [t.systems for t in material.twins(p)] for p in range(len(material.passages))}
        self._outputs = [(p, outputs) for p, outputs in twins.items() if len(outputs) > 1]  # different ones, by passage

    def follow(self, event: Event) -> None:
        """What an event says of the systems."""
        if event.kind in ("answered", "undone"):
            outputs = self._judged(event)
            if outputs is None:
                return
            n, systems = item_place(str(event.item))[0], [s for members in outputs for s in members]
            if event.kind == "answered":
                judged = compared(outputs, ranks_of(self._campaign.protocol, event.body["answer"]))
                self._learnt[event.actor, str(event.item)] = judged
                self.beliefs.learn(judged)
                self._take_back(n, event.actor, systems)
            else:
                self._put_out(n, event.actor, systems)
                self._stale = True
        elif event.kind == "leased" and int(event.body["batch"]) != TUTORIAL:
            n = int(event.body["batch"])
            if (n, event.actor) not in self._out:
                items = self._campaign.state.batches[n].items
                systems = [s for i in items for output in i["outputs"] for s in output["systems"]]
                self._put_out(n, event.actor, systems)
        elif event.kind in ("excluded", "reopened"):
            self._stale = True

    def relearn(self) -> None:
        """Believe what answers say that count now, and nothing else, in the order in which they came."""
        self.beliefs.forget()
        counted = (a for a in self._campaign.state.annotators.values() if a.excluded is None)
        answers = sorted((e.seq, a.id, item) for a in counted for item, e in a.answers.items())
        judged = [self._learnt[who, item] for _, who, item in answers if (who, item) in self._learnt]
        if judged:
            self.beliefs.learn(np.concatenate(judged))
        self._stale = False

    def _judged(self, event: Event) -> list[list[int]] | None:
        """The systems of each output that an answer is of; None for the tutorial, and for checks."""
        n, place = item_place(str(event.item))
        item = self._campaign.state.batches[n].items[place]
        return [o["systems"] for o in item["outputs"]] if n != TUTORIAL and item["kind"] == "output" else None

    def _put_out(self, n: int, holder: str, systems: Sequence[int]) -> None:
        self._out.setdefault((n, holder), []).extend(systems)
        for system in systems:
            self.beliefs.out[system] += 1

    def _take_back(self, n: int, holder: str, systems: Sequence[int]) -> None:
        waiting = self._out.get((n, holder), [])
        for system in systems:
            if system in waiting:
                waiting.remove(system)
                self.beliefs.out[system] -= 1

    def batch(self, annotator: Annotator, now: float) -> dict[str, Any] | None:
        """The body of a lease with outputs drawn for it; None where the campaign has enough, or the quota is full."""
        state, protocol = self._campaign.state, self._campaign.protocol
        self._forget(now)
        if self._stale:
            self.relearn()
        size, wanted = int(protocol.data["batch"]), state.config["items"]
        if wanted is not None:
            held = sum(len(b.items) for b in state.batches.values() if b.holders and b.reserved is not None)
            size = min(size, wanted - state.n_standing() - held)
        full = annotator.quota is not None and len(annotator.leased.keys() - {TUTORIAL}) >= annotator.quota
        if size < 1 or full or not self._outputs:
            return None
        n = state.newest + 1
        items = []
        for _ in range(size):  # each counts what was drawn before it
            items.append(self._item())
            self._put_out(n, annotator.id, [s for output in items[-1]["outputs"] for s in output["systems"]])
        return {"batch": n, "items": items}

    def _forget(self, now: float) -> None:
        """Leases that were given up are not counted any more."""
        self._campaign.state.expire(now)
        for (n, holder), systems in list(self._out.items()):
            if not systems or holder not in self._campaign.state.batches[n].holders:
                self._take_back(n, holder, list(systems))
                del self._out[n, holder]

    def _item(self) -> dict[str, Any]:
        """An item of drawn outputs, on some segment where they differ."""
        passage, outputs = self._outputs[self._rng.randrange(len(self._outputs))]
        draw = self.beliefs.draw(self._campaign.protocol.n_outputs, outputs, self._rng)
        shown = [{"systems": list(outputs[place])} for place in draw.outputs]
        self._rng.shuffle(shown)
        return {"kind": "output", "passage": passage, "outputs": shown, "odds": draw.odds}


def ranks_of(protocol: Protocol, answer: Mapping[str, Any]) -> list[int]:
    """Ranks of the outputs that an answer gives, in the order of display."""
    if (field := protocol.role("choice")) is not None:
        choices = next(f.choices for f in protocol.fields if f.name == field)
        return list(_CHOSEN[choices.index(answer[field])])
    name = protocol.role("rank")
    return [output[name] for output in answer["outputs"]]


def hashed(token: str) -> str:
    """A token as it is kept: links and sessions have 128 bits, so that a fast hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
