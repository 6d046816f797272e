"""`create`: a test set and a protocol become a campaign, with links for annotators and the organiser's password."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tercet import inputs
from tercet.campaigns.assignment import batches
from tercet.campaigns.campaign import Campaign, hashed
from tercet.campaigns.log import Event, Log, is_database, storing
from tercet.campaigns.material import Material, material_of
from tercet.campaigns.protocol import SPAN, Protocol, load_protocol
from tercet.campaigns.schema import require_lesson
from tercet.data import TestSet
from tercet.errors import InputError, extra
from tercet.escaping import json_text
from tercet.formats import languages, lines
from tercet.formats.cells import shortened
from tercet.formats.json_values import sound_json
from tercet.options import verb
from tercet.options.campaigns import CreateOptions, InviteOptions

LINK = "/a/"
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
_MEDIA = "media"  # the facet of a test set that names files


@dataclasses.dataclass(frozen=True)
class Created:
    """What there is to hand out: the links of the annotators, by name, and the organiser's password."""

    campaign: str
    links: Mapping[str, str]
    links_file: pathlib.Path
    organiser: str
    password: str
    n_items: int
    n_batches: int
    unseen: tuple[str, ...] = ()  # systems that no item shows


def links_path(campaign: str | os.PathLike[str], given: pathlib.Path | None = None) -> pathlib.Path:
    """Where the links of a campaign are: beside its file, or in the current folder."""
    if given is not None:
        return given
    if is_database(campaign):
        return pathlib.Path(f"{str(campaign).rpartition('/')[2].partition('?')[0] or 'campaign'}.links.tsv")
    path = pathlib.Path(campaign)
    if not path.name:
        raise InputError(f"{path} is no file of a campaign.", hint="Name one, such as campaign.db.")
    return path.with_name(path.name.removesuffix(".db") + ".links.tsv")


@verb(CreateOptions)
def create_campaign(asked: CreateOptions) -> Created:
    """Make a campaign from a test set and a protocol; nothing is left where that fails."""
    protocol = load_protocol(asked.protocol)
    pair = _pair(asked)
    testset = inputs.whole_testset(asked.testset, asked.testset_format, asked.pair)
    media = _media(testset, asked.media)
    material = material_of(testset, pair, protocol.data.get("unit", "segment"), protocol.data["shows"], media)
    if asked.assignment == "active" and protocol.judgements != "rankings":
        raise InputError(f"Systems are drawn for rankings, and {protocol.name} gives none.", hint="Use shared.")
    active = asked.assignment == "active"
    if active and all(len(material.twins(passage)) < 2 for passage in range(len(material.passages))):
        raise InputError("There is nothing to compare: all outputs are alike.", hint="Check the test set.")
    dealt = asked.plan or [(n, batch) for n, batch in enumerate([] if active else batches(material, protocol, asked))]
    plan = [list(batch) for _, batch in dealt]
    if not any(item["kind"] == "degraded" for batch in plan for item in batch):
        asked.refuse_idle({"feedback": "without checks"})
    if protocol.role("spans") is None:
        asked.refuse_idle({"prefilled": f"with {protocol.name}, in which no spans are marked"})
    annotators = {f"a{i}": f"annotator{i}" for i in range(1, asked.annotators + 1)}
    tokens = {name: secrets.token_urlsafe(16) for name in annotators}
    password, member = new_member("system", asked.organiser, "organiser")
    first = Event(
        "created", "system", "created", _config(asked, protocol, material, [n for n, _ in dealt], list(annotators))
    )
    people = [
        Event(
            f"annotator/{i}/0",
            "system",
            "annotator",
            {"id": i, "name": name, "token": hashed(tokens[i]), "quota": asked.quota},
        )
        for i, name in annotators.items()
    ]
    people.append(member)
    links_file = links_path(asked.campaign, asked.links)
    if links_file.exists():
        raise InputError(f"{links_file} is there already.", hint="Move it away, or name another with --links.")
    log = Log.create(asked.campaign)
    with storing(asked.campaign), log:
        log.fill(material.passages, plan, first)
        log.append(people)
        links = {annotators[i]: f"{LINK}{token}" for i, token in tokens.items()}
        _write_links(links_file, links)
    shown = {s for batch in plan for item in batch for output in item["outputs"] for s in output["systems"]}
    unseen = tuple(name for s, name in enumerate(material.systems) if plan and s not in shown)
    return Created(log.name, links, links_file, asked.organiser, password, sum(map(len, plan)), len(plan), unseen)


def new_annotators(
    campaign: Campaign, actor: str, names: Sequence[str], quota: int | None = None
) -> tuple[dict[str, str], list[Event]]:
    """Links of further annotators, or new links of those who are there, and the events that make them valid.

    Newcomers have the quota of the campaign unless they are given one; others keep theirs.
    """
    known = {annotator.name: annotator for annotator in campaign.state.annotators.values()}
    quota = campaign.state.config.get("quota") if quota is None else quota
    links, events = {}, []
    for name in dict.fromkeys(names):
        token = secrets.token_urlsafe(16)
        identity = known[name].id if name in known else f"a-{secrets.token_hex(6)}"
        body = {"id": identity, "name": name, "token": hashed(token), "quota": quota}
        events.append(Event(f"annotator/{identity}/{body['token']}", actor, "annotator", body))
        links[name] = f"{LINK}{token}"
    return links, events


@dataclasses.dataclass(frozen=True)
class Invited:
    """What there is to hand out: links of annotators and passwords of members, by name."""

    links: Mapping[str, str]
    links_file: pathlib.Path
    passwords: Mapping[str, str]
    roles: Mapping[str, str]


@verb(InviteOptions)
def invite_people(asked: InviteOptions) -> Invited:
    """Give people a link or a password; of someone who has one already, a new one that ends the old.

    The campaign must not be served meanwhile: an organiser does the same on the dashboard.
    """
    asked_for = {"organiser": asked.organisers, "viewer": asked.viewers, "auditor": asked.auditors}
    roles = {name: role for role, names in asked_for.items() for name in names or ()}
    if not roles and not asked.annotators:
        raise InputError("Nobody is invited.", hint="Name someone with --annotator, --viewer, --auditor, --organiser.")
    links_file = links_path(asked.campaign, asked.links)
    with storing(asked.campaign, new=False), Campaign(Log(asked.campaign)) as campaign:
        links, events = new_annotators(campaign, "system", asked.annotators or (), asked.quota)
        members = {name: new_member("system", name, role) for name, role in roles.items()}
        with _adding_links(links_file, links):
            campaign.write([*events, *(event for _, event in members.values())])
    return Invited(links, links_file, {name: password for name, (password, _) in members.items()}, roles)


def new_member(actor: str, name: str, role: str) -> tuple[str, Event]:
    """A password for a member, who may be there already, and the event that makes it valid."""
    password = secrets.token_urlsafe(12)
    body = {"name": name, "role": role, "password": hashed_password(password)}
    return password, Event(f"member/{name}/{secrets.token_hex(8)}", actor, "member", body)


def _write_links(path: pathlib.Path, links: Mapping[str, str]) -> None:
    """Links are secrets: only their owner may read the file."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(f"{name}\t{link}\n" for name, link in links.items())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _adding_links(path: pathlib.Path, links: Mapping[str, str]) -> Iterator[None]:
    """Further links, or new ones of people who are in the file, on disk before the old ones end."""
    if not links:
        yield
        return
    if not path.name or (path.exists() and not path.is_file()):  # a device or a pipe must not be replaced
        raise InputError(f"{path} is no file for links.", hint="Name one with --links.")
    there = lines.whole(path).split("\n") if path.is_file() else []
    kept = [line.partition("\t")[::2] for line in there if line]
    if not all(LINK in link for _, link in kept):  # somebody's own
        raise InputError(f"{path} is no file of links.", hint="Name another one with --links.")
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)
        _write_links(part, {**dict(kept), **links})
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}.", hint="Name another file with --links."
        ) from None
    try:
        yield
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    part.replace(path)


def _pair(asked: CreateOptions) -> str:
    """The language pair that was named, or the one that the test set's name begins or ends with."""
    if asked.pair:
        return languages.wanted_pair(asked.pair)
    if isinstance(asked.testset, TestSet):
        return ""
    stem = pathlib.Path(asked.testset).name.partition(".")[0]
    codes = (languages.pair(word) for word in (stem, *stem.split("_")) if _PAIR.fullmatch(word))
    return next(codes, "")


def _config(
    asked: CreateOptions, protocol: Protocol, material: Material, owners: list[int], annotators: list[str]
) -> dict[str, Any]:
    fixed = asked.assignment == "fixed" or asked.plan is not None
    dealt = [annotators[n % len(annotators)] for n in owners] if fixed else []
    return {
        "version": 1,
        "secret": secrets.token_hex(16),
        "protocol": {"name": protocol.name, "spec": protocol.spec, "data": dict(protocol.data)},
        "pair": material.pair,
        "systems": list(material.systems),
        "assignment": asked.assignment,
        "reserved": dealt,
        "overlap": 1 if fixed else asked.overlap,
        "items": asked.items,
        "quota": asked.quota,
        "seed": asked.seed,
        "lease": 60.0 * asked.lease,
        "feedback": asked.feedback,
        "language": asked.language,
        "tutorial": _tutorial(asked.tutorial, protocol),
        "prefilled": _prefilled(asked.prefilled, material, protocol),
        "media": None if asked.media is None else str(asked.media.resolve()),
    }


def _records(path: pathlib.Path) -> list[tuple[int, dict[str, Any]]]:
    """JSON lines with their numbers."""
    records = []
    for number, line in enumerate(lines.whole(path).split("\n"), 1):
        if line.strip():
            try:
                record = sound_json(line)
            except ValueError as error:
                raise InputError(
                    f"{path}, line {number} is no JSON: {error}.", hint="Write an object a line."
                ) from None
            if not isinstance(record, dict):
                raise InputError(f"{path}, line {number} is no object.", hint="Write an object a line.")
            records.append((number, record))
    return records


def _tutorial(path: pathlib.Path | None, protocol: Protocol) -> list[Mapping[str, Any]]:
    """Items with what is expected: {"source", "reference", "outputs": [text, ...], "expected": {...}, "feedback"}."""
    items = []
    for number, record in [] if path is None else _records(path):
        outputs = record.get("outputs")
        if not isinstance(outputs, list) or not outputs or not all(isinstance(text, str) for text in outputs):
            raise InputError(f"{path}, line {number} has no outputs.", hint='Write "outputs": ["a text", ...].')
        if protocol.side_by_side != (len(outputs) > 1):
            raise InputError(
                f"{path}, line {number} has {len(outputs)} outputs.",
                hint=f"{protocol.name} shows {protocol.n_outputs}.",
            )
        item = {
            "kind": "tutorial",
            **{key: record.get(key) for key in ("source", "reference")},
            "outputs": [{"text": text, "systems": []} for text in outputs],
            "expected": record.get("expected", {}),
            "feedback": record.get("feedback", ""),
        }
        items.append(require_lesson(f"{path}, line {number}", item))
    return items


def _prefilled(path: pathlib.Path | None, material: Material, protocol: Protocol) -> dict[str, dict[str, list[Any]]]:
    """Spans by system and segment, with what the protocol knows of a span and nothing else: annotators see them."""
    field = next((f for f in protocol.fields if f.name == protocol.role("spans")), None)
    spans: dict[str, dict[str, list[Any]]] = {}
    passages = {passage.name: passage for passage in material.passages}
    for number, record in [] if path is None else _records(path):
        system, segment, marked = record.get("system"), str(record.get("segment")), record.get("spans")
        if system not in material.systems or segment not in passages or not isinstance(marked, list):
            raise InputError(
                f"{path}, line {number} has no system and segment of the test set with a list of spans.",
                hint='Write {"system": "A", "segment": "7", "spans": [{"start": 0, "end": 4, "severity": "minor"}]}.',
            )
        passage = passages[segment]
        texts = {"source": passage.source or "", "target": passage.outputs[material.systems.index(str(system))]}
        for span in marked:
            if not _is_placed(span, texts) or field is None or not field.knows(span):
                raise InputError(
                    f"{path}, line {number}: {shortened(json_text(span), 200)} is no span of the text.",
                    hint="It needs start and end, places from 0 to its length, or null for both; a side, source or "
                    "target, unless it is in the output; and severity and category, if any, of the protocol.",
                )
        known = [{key: span[key] for key in SPAN if key in span} for span in marked]
        spans.setdefault(str(system), {})[segment] = known
    return spans


def _is_placed(span: Any, texts: Mapping[str, str]) -> bool:
    if not isinstance(span, dict) or span.get("side", "target") not in ("source", "target"):
        return False
    start, end = span.get("start"), span.get("end")
    if start is None and end is None:
        return True
    return type(start) is int and type(end) is int and 0 <= start < end <= len(texts[span.get("side", "target")])


def _media(testset: TestSet, folder: pathlib.Path | None) -> dict[str, str]:
    """The media files of segments, each inside of the folder."""
    if folder is None:
        return {}
    if _MEDIA not in testset.facets:
        raise InputError("The test set has no column media.", hint="Name in it a file of the folder a segment.")
    files = {s: name for s, name in zip(testset.segments, testset.facets[_MEDIA], strict=True) if name}
    for segment, name in files.items():
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            raise InputError(f"Segment {segment} names {name!r}, which is no file of {folder}.", hint="Repair it.")
    return files


def hashed_password(password: str) -> str:
    """A password as it is kept."""
    return str(extra("argon2", "argon2-cffi", "campaign", "A campaign").PasswordHasher().hash(password))
