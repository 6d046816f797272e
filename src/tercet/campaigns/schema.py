"""What a campaign may hold: the shapes of its events, batches and passages, and what refers to what.

A campaign can come from anybody: what is in its tables is checked when it is opened, against the shapes here. Fields
that are not named here are left alone. A place below 0, of a passage or a system, would count as another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pydantic

from tercet.campaigns.state import ROLES, TUTORIAL, item_name
from tercet.errors import InputError
from tercet.limits import is_whole
from tercet.options.campaigns import Assignment

if TYPE_CHECKING:
    from tercet.campaigns.campaign import Campaign
    from tercet.campaigns.log import Event

HINT = "Take a copy of it that was made by tercet campaign backup."
Place = Annotated[int, pydantic.Field(ge=0)]
Number = Annotated[float, pydantic.Field(allow_inf_nan=False)]


class _Shape(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(strict=True, frozen=True)


class PassageShape(_Shape):
    """A row of passages."""

    name: str
    document: str
    source: str | None
    reference: str | None
    outputs: list[str]
    media: str | None = None


class _Output(_Shape):
    systems: list[Place]
    text: str = ""
    degraded: bool = False


class _Item(_Shape):
    kind: Literal["output", "repeat", "reference", "degraded"]
    passage: Place
    outputs: Annotated[list[_Output], pydantic.Field(min_length=1)]
    original: Place | None = None
    odds: Annotated[Number, pydantic.Field(gt=0, le=1)] | None = None


class _Lesson(_Shape):
    kind: Literal["tutorial"]
    source: str | None = None
    reference: str | None = None
    outputs: Annotated[list[_Output], pydantic.Field(min_length=1)]
    expected: dict[str, Any]
    feedback: str = ""

    @pydantic.field_validator("expected")
    @classmethod
    def _of_outputs(cls, expected: dict[str, Any]) -> dict[str, Any]:
        outputs = expected.get("outputs", [])
        if not isinstance(outputs, list) or not all(isinstance(output, dict) for output in outputs):
            raise ValueError("outputs must be a list of objects")
        return expected


class _ProtocolShape(_Shape):
    name: str
    spec: str
    data: dict[str, Any]


class _Created(_Shape):
    secret: Annotated[str, pydantic.Field(pattern="^([0-9a-f][0-9a-f])+$")]
    protocol: _ProtocolShape
    pair: str
    systems: Annotated[list[str], pydantic.Field(min_length=1)]
    assignment: Assignment
    reserved: list[str] = []
    overlap: Annotated[int, pydantic.Field(ge=1)] = 1
    items: Annotated[int, pydantic.Field(ge=0)] | None
    lease: Annotated[Number, pydantic.Field(gt=0)] = 3600.0
    feedback: str | None = None
    language: str
    tutorial: list[_Lesson]
    prefilled: dict[str, dict[str, list[dict[str, Any]]]] | None = None
    media: str | None = None


class _Annotator(_Shape):
    id: str
    name: str
    token: str
    quota: Place | None = None


class _Member(_Shape):
    name: str
    role: str
    password: str

    @pydantic.field_validator("role")
    @classmethod
    def _known(cls, role: str) -> str:
        if role not in ROLES:
            raise ValueError(f"must be {', '.join(ROLES)}")
        return role


class _Login(_Shape):
    session: str
    until: Number


class _Logout(_Shape):
    session: str


class _Leased(_Shape):
    batch: Annotated[int, pydantic.Field(ge=TUTORIAL)]
    turn: Place
    items: Annotated[list[_Item], pydantic.Field(min_length=1)] | None = None


class _Edit(_Shape):
    hter: Number


class _Answered(_Shape):
    answer: dict[str, Any]
    seconds: Number | None = None
    public: str
    edits: list[_Edit] | None = None


class _Excluded(_Shape):
    annotator: str
    reason: str


class _Reopened(_Shape):
    annotator: str | None = None


class _Nothing(_Shape):
    pass


# By the kind of the event; others are only to be read.
_EVENTS: dict[str, type[_Shape]] = {
    "created": _Created,
    "annotator": _Annotator,
    "member": _Member,
    "login": _Login,
    "logout": _Logout,
    "leased": _Leased,
    "answered": _Answered,
    "excluded": _Excluded,
    "reopened": _Reopened,
    **dict.fromkeys(("undone", "paused", "resumed", "closed"), _Nothing),
}
_BATCH = pydantic.TypeAdapter(list[_Item])


class _Row(_Shape):
    key: str
    actor: str
    kind: str
    item: str | None
    client_time: Number | None
    server_time: Number


def _refused(where: str, what: str) -> InputError:
    return InputError(f"{where} is damaged, or no campaign of Tercet's: {what}.", hint=HINT)


def _fit(where: str, what: str, shape: Any, value: Any) -> None:
    """A value has its shape."""
    if problem := _unfit(shape, value):
        raise _refused(where, f"{what}{problem}")


def _unfit(shape: Any, value: Any) -> str:
    """What is wrong with a value, to be put behind what it is; nothing where it has its shape."""
    try:
        shape(value)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"]))
        return f", {field}: {first['msg']}" if field else f": {first['msg']}"
    return ""


def require_lesson(where: str, item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same, if it is an item of a tutorial."""
    if problem := _unfit(_Lesson.model_validate, item):
        raise InputError(
            f"{where} is no item of a tutorial{problem}.",
            hint='Write {"source": "...", "outputs": ["a text"], "expected": {"outputs": [{"score": [50, 90]}]}}.',
        )
    return item


def require_event(where: str, event: Event) -> Event:
    """The same, if it is one."""
    what = f"event {event.seq}" + (f", {event.kind[:20]!a}" if isinstance(event.kind, str) else "")
    columns = ("key", "actor", "kind", "item", "client_time", "server_time")
    _fit(where, what, _Row.model_validate, {column: getattr(event, column) for column in columns})
    _fit(where, what, _EVENTS.get(event.kind, _Nothing).model_validate, event.body)
    return event


def require_batches(where: str, batches: Sequence[Any]) -> Sequence[Any]:
    """The same, if they are batches."""
    for n, batch in enumerate(batches):
        _fit(where, f"batch {n}", lambda value: _BATCH.validate_python(value, strict=True), batch)
    return batches


def require_passage(where: str, record: Any) -> Mapping[str, Any]:
    """The same, if it is one."""
    _fit(where, "a passage", PassageShape.model_validate, record)
    return record  # type: ignore[no-any-return]


def require_references(campaign: Campaign) -> None:
    """What one part says of another is there: systems of passages, passages and systems of items, items of answers."""
    where, n_systems = campaign.log.name, len(campaign.material.systems)
    for passage in campaign.material.passages:
        if len(passage.outputs) != n_systems:
            raise _refused(where, f"the passage {passage.name[:40]!a} has no output of each system")
    for n, batch in campaign.state.batches.items():
        for place, item in enumerate(batch.items):
            if problem := _stray(campaign, n, item, len(batch.items)):
                raise _refused(where, f"item {item_name(n, place)} has {problem}")
    for annotator in campaign.state.annotators.values():
        for name, event in annotator.answers.items():
            if problems := _problems(campaign, name, event):
                raise _refused(where, f"the answer to item {name[:40]} by {annotator.name[:40]!a}: {problems[0]}")


def _stray(campaign: Campaign, n: int, item: Mapping[str, Any], n_items: int) -> str | None:
    """What an item refers to that is not there."""
    systems = [system for output in item["outputs"] for system in output["systems"]]
    if any(system >= len(campaign.material.systems) for system in systems):
        return "a system that is not there"
    if any("text" not in output and not output["systems"] for output in item["outputs"]):
        return "an output of nobody"
    if n == TUTORIAL:
        return None
    if item["passage"] >= len(campaign.material.passages):
        return "a passage that is not there"
    original = item.get("original", 0 if all(output["systems"] for output in item["outputs"]) else None)
    return None if original is not None and original < n_items else "an original that is not there"


def _problems(campaign: Campaign, item: str, event: Event) -> list[str]:
    """What is wrong with an answer: it is of no item, or not what its protocol asks."""
    batch, _, place = item.partition(".")
    known = is_whole(batch.removeprefix("-")) and is_whole(place)
    held = campaign.state.batches.get(int(batch)) if known else None
    if held is None or item != item_name(int(batch), int(place)) or int(place) >= len(held.items):
        return ["there is no such item"]
    shown = campaign.shown(item)
    if event.body["public"].startswith("import/"):  # places of marks are in the text that was judged elsewhere
        shown = {"source": "", "outputs": [{"text": " " * 10**6}] * len(shown["outputs"])}
    if campaign.protocol.role("edit") and len(event.body.get("edits") or ()) != len(shown["outputs"]):
        return ["it does not say what was edited"]
    return campaign.protocol.problems(event.body["answer"], shown)
