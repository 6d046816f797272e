"""Who gets what: material and protocol become batches of items, each handed out as a whole.

An item is {"kind", "passage", "outputs": [{"systems": [...], "text": only where no system made it}], "original"}.

    output      what systems made
    repeat      an output of the same batch once more
    degraded    an output with a part replaced; of outputs side by side, one of them
    reference   the reference as if it were an output

`original` is the place in the batch of the item that a control was made from.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

from tercet.campaigns.control import degraded
from tercet.campaigns.material import Material
from tercet.campaigns.protocol import Protocol
from tercet.errors import InputError
from tercet.options.campaigns import Dealing

Item = dict[str, Any]
SETS = 10  # of a batch with controls; those of a set are made from the set that is half a batch away
KINDS = ("degraded", "repeat", "reference")


def batches(material: Material, protocol: Protocol, asked: Dealing) -> list[list[Item]]:
    """All batches of a campaign, made at once."""
    rng = random.Random(asked.seed)  # noqa: S311 - a design, no secret
    size = asked.batch or int(protocol.data["batch"])
    if protocol.side_by_side and len(material.systems) < 2:
        raise InputError("Outputs stand side by side, and there is one system.", hint="Choose da, esa or mqm.")
    units = _tasks(material, protocol, rng) if protocol.side_by_side else _singles(material, protocol, rng)
    units = _cut(units, asked.items)
    if not units:
        raise InputError("There is nothing to compare: all outputs are alike.", hint="Check the test set.")
    shares = dict(protocol.data.get("controls", {})) or ({"degraded": asked.checks} if asked.checks else {})
    if protocol.by_document and not protocol.side_by_side:
        shares = {kind: share for kind, share in shares.items() if kind == "degraded"}
    room = size - sum(size * share // 100 for share in shares.values())
    donors = [p.reference or p.outputs[0] for p in material.passages]
    made = []
    owed = 0.0  # degraded items that earlier batches have too few of: documents are degraded as wholes
    for chunk in _packed(units, max(1, room)):
        if not shares:
            made.append([item for unit in chunk for item in unit])
        elif protocol.side_by_side:
            made.append(_with_spoilt(chunk, material, donors, shares["degraded"], rng))
        elif protocol.by_document:
            share = shares.get("degraded", 0)
            owed += sum(map(len, chunk)) * share / (100 - share)
            made.append(_with_documents(chunk, material, donors, owed, rng))
            owed -= sum(item["kind"] == "degraded" for item in made[-1])
        else:
            made.append(_with_controls([unit[0] for unit in chunk], material, donors, shares, size, rng))
    return made


def _cut(units: list[list[Item]], most: int | None) -> list[list[Item]]:
    if most is None:
        return units
    kept, n = [], 0
    for unit in units:
        if n >= most:
            break
        kept.append(unit)
        n += len(unit)
    return kept


def _packed(units: Sequence[list[Item]], room: int) -> Iterator[list[list[Item]]]:
    """Units in batches of about `room` items: what belongs together stays together."""
    chunk: list[list[Item]] = []
    n = 0
    for unit in units:
        if chunk and n + len(unit) > room:
            yield chunk
            chunk, n = [], 0
        chunk.append(unit)
        n += len(unit)
    if chunk:
        yield chunk


def _item(passage: int, systems: Sequence[Sequence[int]], kind: str = "output") -> Item:
    return {"kind": kind, "passage": passage, "outputs": [{"systems": list(s)} for s in systems]}


def _singles(material: Material, protocol: Protocol, rng: random.Random) -> list[list[Item]]:
    """Every output once, systems in turn; segments of a document in order, where documents stay whole."""
    n = len(material.systems)
    groups = list(material.documents.values()) if protocol.by_document else [[i] for i in range(len(material.passages))]
    rng.shuffle(groups)
    offset = rng.sample(range(n), n)
    return [
        [_item(passage, [[system]]) for passage in group]
        for turn in range(n)
        for place, group in enumerate(groups)
        for system in [offset[(place + turn) % n]]
    ]


def _tasks(material: Material, protocol: Protocol, rng: random.Random) -> list[list[Item]]:
    """Outputs side by side until each was shown: those of which fewest were shown come first, in random order."""
    shown = [0] * len(material.systems)
    groups = list(material.documents.values()) if protocol.by_document else [[i] for i in range(len(material.passages))]
    rng.shuffle(groups)
    rounds = -(-len(material.systems) // protocol.n_outputs)
    tasks = []
    for turn in range(rounds):
        for group in groups:
            unit = [item for passage in group if (item := _task(material, passage, turn, protocol, shown, rng))]
            if unit:
                tasks.append(unit)
    return tasks


def _task(
    material: Material, passage: int, turn: int, protocol: Protocol, shown: list[int], rng: random.Random
) -> Item | None:
    """One task: different outputs, drawn so that systems are shown equally often."""
    twins = (
        [t.systems for t in material.twins(passage)]
        if protocol.data.get("collapse", True)
        else [(s,) for s in range(len(material.systems))]
    )
    if len(twins) < 2 or turn * protocol.n_outputs >= len(twins):
        return None
    rng.shuffle(twins)
    chosen = sorted(twins, key=lambda systems: min(shown[s] for s in systems))[: protocol.n_outputs]
    for systems in chosen:
        for system in systems:
            shown[system] += 1
    rng.shuffle(chosen)
    return _item(passage, chosen)


def _text(item: Item, material: Material) -> str:
    output = item["outputs"][0]
    return str(output.get("text") or material.passages[item["passage"]].outputs[output["systems"][0]])


def _control(kind: str, item: Item, material: Material, donors: Sequence[str], rng: random.Random) -> Item:
    passage = material.passages[item["passage"]]
    systems = item["outputs"][0]["systems"]
    control = {**_item(item["passage"], [systems], kind), "original": id(item)}
    if kind == "degraded":
        control["outputs"][0] |= {"text": degraded(_text(item, material), donors, rng), "degraded": True}
    elif kind == "reference":
        control["outputs"][0] |= {"text": passage.reference, "systems": []}
    return control


def _with_controls(
    items: list[Item], material: Material, donors: Sequence[str], shares: dict[str, int], size: int, rng: random.Random
) -> list[Item]:
    """Ten sets, each with its controls made from outputs of the set half a batch away; a set is in random order."""
    bounds = [round(k * len(items) / SETS) for k in range(SETS + 1)]
    sets = [items[a:b] for a, b in itertools.pairwise(bounds)]
    room = size - sum(size * share // 100 for share in shares.values())
    wanted = {kind: round(size * shares.get(kind, 0) / 100 * len(items) / room) for kind in KINDS}
    finished: list[Item] = []
    for s, there in enumerate(sets):
        partner = sets[(s + SETS // 2) % SETS] or there
        kinds = [
            kind
            for kind in KINDS
            if not (kind == "reference" and any(material.passages[i["passage"]].reference is None for i in partner))
            for _ in range(_of_set(wanted[kind], s))
        ]
        originals = rng.sample(partner, min(len(kinds), len(partner)))
        controls = [_control(k, o, material, donors, rng) for k, o in zip(kinds, originals, strict=False)]
        mixed = [*there, *controls]
        rng.shuffle(mixed)
        finished += mixed
    return _numbered(finished, items)


def _of_set(n: int, s: int) -> int:
    """How many of n things the set s of a batch has."""
    return n * (s + 1) // SETS - n * s // SETS


def _numbered(finished: list[Item], originals: Sequence[Item]) -> list[Item]:
    """Originals of controls by their places."""
    places = {id(item): place for place, item in enumerate(finished)}
    known = {id(item) for item in originals}
    for item in finished:
        if item.get("original") in known:
            item["original"] = places[item["original"]]
    return finished


def _with_documents(
    units: list[list[Item]], material: Material, donors: Sequence[str], wanted: float, rng: random.Random
) -> list[Item]:
    """Whole documents in order, and some of them once more, degraded, half a batch away: as near to `wanted` items as
    documents allow."""
    spoilt = []
    for place in rng.sample(range(len(units)), len(units)):
        if wanted < len(units[place]) / 2:
            continue
        copy = [_control("degraded", item, material, donors, rng) for item in units[place]]
        spoilt.append(((place + len(units) // 2) % len(units), copy))
        wanted -= len(copy)
    order = []
    for place, unit in enumerate(units):
        order += [unit, *(copy for behind, copy in spoilt if behind == place)]
    return _numbered([item for unit in order for item in unit], [item for unit in units for item in unit])


def _with_spoilt(
    units: list[list[Item]], material: Material, donors: Sequence[str], share: int, rng: random.Random
) -> list[Item]:
    """Some tasks once more at random places, with one of their outputs degraded."""
    items = [item for unit in units for item in unit]
    wanted = len(items) * share / 100
    n = int(wanted) + (rng.random() < wanted % 1)
    finished = list(items)
    for item in rng.sample(items, min(n, len(items))):
        check = {**_item(item["passage"], [o["systems"] for o in item["outputs"]], "degraded"), "original": id(item)}
        bad = rng.randrange(len(check["outputs"]))
        spoilt = degraded(material.passages[item["passage"]].outputs[item["outputs"][bad]["systems"][0]], donors, rng)
        check["outputs"][bad] |= {"text": spoilt, "degraded": True}
        finished.insert(rng.randint(0, len(finished)), check)
    return _numbered(finished, items)
