"""Protocols: what is shown to an annotator, what is asked, and how an answer becomes a judgement. A file is a protocol.

    summary, paper      for people
    judgements          "rankings" or "assessments": the noun that answers become
    shows               of "source" and "reference": what stands beside the outputs
    outputs             how many stand side by side
    collapse            identical outputs are shown once, for all systems that made them
    unit                "segment" or "document": what is judged as one
    context             "none" or "document": whether neighbours are shown and documents stay whole
    batch               items that are handed out together
    controls            degraded, repeat, reference: how many of 100 items check the annotator
    rank, choice, score, scales, spans, edit    the fields that make the judgement
    [[fields]]          what is asked, in this order; see `Field`
    [[rules]]           field, below, needs: a score below it needs an entry of the other field
    [options.NAME]      what a spec may change, `esa(select=word)`: VALUE = {keys to set}, or type and key
    [texts.LANGUAGE]    title, question, instructions, and labels of fields, choices, severities, marks (`score_33`)

An answer is {"outputs": [{field: value}, ...], field: value, ...}: fields of outputs in the order of display, and
fields of the item beside them. Values by widget:

    rank, score   a number          choose   one of the choices          edit   the text
    spans         [{"side": "target" or "source", "start", "end", "severity", "category": null or "A/B"}], places in
                  characters (code points) of the text, end not included; missing content has start = end = null
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import importlib.resources
import json
import math
import pathlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tercet.errors import InputError, SpecError
from tercet.formats import lines
from tercet.formats.toml_values import sound_toml
from tercet.numbers import plain
from tercet.spec import coerce, read

WIDGETS = ("rank", "choose", "score", "spans", "edit")
LONGEST = 20_000  # characters of a text that is typed
MOST_SPANS = 200
FEW = 10  # points of a scale that are shown side by side
_TEXT, _NUMBER = (str,), (int, float)
# What each key of a file, and each of a field, may hold: types, [of each entry], {of each value}.
_KEYS: dict[str, Any] = {
    **dict.fromkeys(("summary", "paper", "judgements", "unit", "context"), _TEXT),
    **dict.fromkeys(("rank", "choice", "score", "spans", "edit"), _TEXT),
    **dict.fromkeys(("outputs", "batch"), (int,)),
    "shows": [_TEXT],
    "scales": [_TEXT],
    "collapse": (bool,),
    "controls": {str: _NUMBER},
    "fields": [(dict,)],
    "rules": [{str: (str, int, float)}],
    "options": {str: (dict,)},
    "texts": {str: {"page": {str: _TEXT}, str: (str, list)}},
}
_FIELD: dict[str, Any] = {
    **dict.fromkeys(("name", "widget", "of", "select"), _TEXT),
    **dict.fromkeys(("required", "ties", "missing", "keystrokes"), (bool,)),
    **dict.fromkeys(("least", "most"), _NUMBER),
    "choices": [_TEXT],
    "severities": [_TEXT],
    "sides": [_TEXT],
    "marks": [_NUMBER],
    "categories": {str: [_TEXT]},
}
MOST_OUTPUTS, MOST_BATCH = 100, 10_000
SPAN = ("side", "start", "end", "severity", "category")
_TYPOLOGY = 'Write {"Accuracy": ["Omission"], "Other": []}.'
_FILES = importlib.resources.files("tercet.campaigns") / "protocols"


@dataclasses.dataclass(frozen=True)
class Field:
    """One thing that is asked: its name, its widget, and what a value may be."""

    name: str
    widget: str
    of: str = "output"  # or "item"
    required: bool = True
    least: float = 0
    most: float = 100
    marks: tuple[float, ...] = ()  # points of a scale that have a text
    ties: bool = True
    choices: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    categories: Mapping[str, Sequence[str]] = dataclasses.field(default_factory=dict)
    sides: tuple[str, ...] = ("target",)
    missing: bool = False
    select: str = "character"
    keystrokes: bool = False

    @property
    def element(self) -> str:
        """What asks for it on the page: a scale of few points is a choice between them."""
        few = self.widget == "score" and self.most - self.least < FEW
        return "choices" if few or self.widget in ("rank", "choose") else self.widget

    def problem(self, value: Any, item: Mapping[str, Any], output: int | None) -> str | None:
        """What is wrong with a value, in words; None if nothing is."""
        if value is None:
            return f"{self.name} is missing" if self.required else None
        return getattr(self, f"_{self.widget}")(value, item, output)  # type: ignore[no-any-return]

    def _score(self, value: Any, *_: Any) -> str | None:
        fits = _is_number(value) and self.least <= value <= self.most
        return None if fits else f"{self.name} must be a number from {plain(self.least)} to {plain(self.most)}"

    def _rank(self, value: Any, item: Mapping[str, Any], _: Any) -> str | None:
        n = len(item["outputs"])
        return None if type(value) is int and 1 <= value <= n else f"{self.name} must be a whole number from 1 to {n}"

    def _choose(self, value: Any, *_: Any) -> str | None:
        return None if value in self.choices else f"{self.name} must be one of {', '.join(self.choices)}"

    def _edit(self, value: Any, *_: Any) -> str | None:
        fits = isinstance(value, str) and 0 < len(value.strip()) <= len(value) <= LONGEST and _is_whole(value)
        return None if fits else f"{self.name} must be a text of up to {LONGEST} characters"

    def _spans(self, value: Any, item: Mapping[str, Any], output: int | None) -> str | None:
        if not isinstance(value, list) or len(value) > MOST_SPANS:
            return f"{self.name} must be a list of up to {MOST_SPANS} spans"
        texts = {"source": item.get("source") or "", "target": item["outputs"][output]["text"]}
        return next((problem for span in value if (problem := self._span(span, texts))), None)

    def _span(self, span: Any, texts: Mapping[str, str]) -> str | None:
        if not isinstance(span, dict) or span.get("severity") not in self.severities:
            return f"a span of {self.name} needs a severity: {', '.join(self.severities)}"
        if span.get("side", "target") not in self.sides:
            return f"a span of {self.name} must be on the side {' or '.join(self.sides)}"
        if not span.keys() <= {*SPAN}:
            return f"a span of {self.name} has {', '.join(sorted(SPAN))} and nothing else"
        if span.get("category") not in (self.category_names or (None,)):
            wanted = "a category of the typology" if self.category_names else "no category"
            return f"a span of {self.name} needs {wanted}, and has {span.get('category')!a}"
        start, end = span.get("start"), span.get("end")
        if start is None and end is None:
            return None if self.missing else f"a span of {self.name} has no place"
        n = len(texts[span.get("side", "target")])
        fits = type(start) is int and type(end) is int and 0 <= start < end <= n
        return None if fits else f"a span of {self.name} must lie within the {n} characters of its text"

    def knows(self, span: Mapping[str, Any]) -> bool:
        """Whether severity and category of a span, where it has them, are of the protocol."""
        category = span.get("category")
        return span.get("severity", self.severities[0]) in self.severities and (
            category is None or category in self.category_names
        )

    @functools.cached_property
    def category_names(self) -> tuple[str, ...]:
        """Categories of the typology, with their subcategories behind a slash."""
        return tuple(
            f"{name}/{sub}" if sub else name for name, subs in self.categories.items() for sub in (subs or [""])
        )


@dataclasses.dataclass(frozen=True)
class Protocol:
    """A protocol, as its file and the options of its spec say; `data` is all of it, to be kept and shown."""

    name: str
    spec: str
    data: Mapping[str, Any]

    @functools.cached_property
    def fields(self) -> tuple[Field, ...]:
        """What is asked, in order."""
        return tuple(_field(entry) for entry in self.data["fields"])

    @property
    def judgements(self) -> str:
        """The noun that answers become."""
        return str(self.data["judgements"])

    @property
    def n_outputs(self) -> int:
        """How many outputs stand side by side."""
        return int(self.data["outputs"])

    @property
    def side_by_side(self) -> bool:
        """Whether outputs are judged beside each other."""
        return self.n_outputs > 1

    @property
    def by_document(self) -> bool:
        """Whether documents stay whole, their segments in order."""
        return bool(self.data.get("context") == "document")

    def role(self, name: str) -> str | None:
        """The field that plays a role in the judgement: rank, choice, score, spans, edit."""
        field = self.data.get(name)
        return None if field is None else str(field)

    def texts(self, language: str) -> dict[str, Any]:
        """Its texts in a language, with English ones where there are none."""
        texts: Mapping[str, Mapping[str, Any]] = self.data["texts"]
        return {**texts["en"], **texts.get(language, {})}

    def public(self, language: str) -> dict[str, Any]:
        """What a page needs of it."""
        keys = ("judgements", "shows", "outputs", "unit", "context", "rules")
        return {
            "name": self.name,
            **{key: self.data[key] for key in keys if key in self.data},
            "fields": [dataclasses.asdict(field) for field in self.fields],
            "languages": list(self.data["texts"]),
            "language": language if language in self.data["texts"] else "en",
            "texts": self.texts(language),
        }

    def problems(self, answer: Any, item: Mapping[str, Any]) -> list[str]:
        """What is missing from an answer to an item, or not allowed; nothing if it is complete."""
        outputs = answer.get("outputs", []) if isinstance(answer, dict) else None
        n = len(item["outputs"])
        if (
            not isinstance(answer, dict)
            or not isinstance(outputs, list)
            or not all(isinstance(o, dict) for o in outputs)
        ):
            return ["an answer is an object with a list of outputs"]
        of_outputs = [field for field in self.fields if field.of == "output"]
        of_item = [field for field in self.fields if field.of == "item"]
        if of_outputs and len(outputs) != n:
            return [f"there are {n} outputs, and the answer has {len(outputs)}"]
        unknown = {*answer} - {"outputs", *(f.name for f in of_item)}
        unknown |= {name for output in outputs for name in output} - {f.name for f in of_outputs}
        problems = [f"{name!a} is not asked" for name in sorted(map(str, unknown))[:3]]
        problems += [p for field in of_item if (p := field.problem(answer.get(field.name), item, None))]
        for i, output in enumerate(outputs if of_outputs else []):
            faults = [p for field in of_outputs if (p := field.problem(output.get(field.name), item, i))]
            faults += [] if faults else self._broken_rules(output)
            problems += [f"output {i + 1}: {problem}" for problem in faults]
        for field in of_outputs:
            if not field.ties and len({str(output.get(field.name)) for output in outputs}) < n:
                problems.append(f"{field.name} must differ between outputs")
        return problems

    def _broken_rules(self, output: Mapping[str, Any]) -> list[str]:
        return [
            f"a {rule['field']} below {rule['below']} needs {rule['needs']}"
            for rule in self.data.get("rules", ())
            if _is_number(output.get(rule["field"]))
            and output[rule["field"]] < rule["below"]
            and not output.get(rule["needs"])
        ]


def protocol_names() -> list[str]:
    """The protocols that ship with Tercet.

    >>> protocol_names()
    ['adequacy-fluency', 'cesa', 'da', 'esa', 'mqm', 'pairs', 'postedit', 'ranking', 'sqm']
    """
    return sorted(file.name.removesuffix(".toml") for file in _FILES.iterdir() if file.name.endswith(".toml"))


def load_protocol(spec: str) -> Protocol:
    """A protocol by its spec: the name of one that ships with Tercet or a file of yours, and what is to be changed.

    >>> load_protocol("da(basis=source)").data["shows"]
    ['source']
    """
    name, given = (spec, {}) if pathlib.Path(spec).suffix == ".toml" else read(spec)
    if name.endswith(".toml"):
        data, name = _parsed(lines.whole(name), name), pathlib.Path(name).stem
    elif name in protocol_names():
        data = _parsed((_FILES / f"{name}.toml").read_text(encoding="utf-8"), name)
    else:
        raise SpecError(
            f"There is no protocol {name!r}.",
            hint=f"There are {', '.join(protocol_names())}; or name a file of yours that ends in .toml.",
        )
    _require_shapes(f"The protocol {name}", data, _KEYS)
    for option, value in given.items():
        try:
            _change(data, name, option, value)
        except (LookupError, TypeError, AttributeError, StopIteration):
            raise InputError(
                f"The option {option} of {name} changes what is not there.", hint="See those that ship."
            ) from None
    return checked(Protocol(name, spec, data))


def checked(protocol: Protocol) -> Protocol:
    """The same, if it is one: all that others rely on is there."""
    data, where = protocol.data, f"The protocol {protocol.name}"
    missing = [key for key in ("judgements", "shows", "outputs", "batch", "fields", "texts") if key not in data]
    _require_shapes(where, data, _KEYS)
    if missing or "en" not in data["texts"]:
        raise InputError(f"{where} lacks {', '.join(missing) or 'texts in English'}.", hint="See those that ship.")
    if data["judgements"] not in ("rankings", "assessments"):
        raise InputError(f"{where} gives no judgements.", hint="Set judgements to rankings or assessments.")
    if not 1 <= data["outputs"] <= MOST_OUTPUTS or not 1 <= data["batch"] <= MOST_BATCH:
        raise InputError(
            f"{where} shows {data['outputs']} outputs, {data['batch']} items in a batch.",
            hint=f"From 1 to {MOST_OUTPUTS} outputs, and from 1 to {MOST_BATCH} items.",
        )
    names = [field.name for field in protocol.fields]
    for rule in data.get("rules", ()):
        if not {"field", "below", "needs"} <= rule.keys() or not _is_number(rule["below"]):
            raise InputError(f"{where} has a rule that is none.", hint="A rule has field, below and needs.")
    roles = [protocol.role(role) for role in ("rank", "choice", "score", "spans", "edit")]
    fields = [*filter(None, roles), *data.get("scales", [])]
    if not fields or any(name not in names for name in fields) or len(set(names)) < len(names):
        raise InputError(
            f"{where} makes its judgement of {', '.join(fields) or 'nothing'}, and asks {', '.join(names)}.",
            hint="Name a field in rank, choice, score, scales, spans or edit.",
        )
    return protocol


def _require_shapes(where: str, data: Mapping[str, Any], shapes: Mapping[str, Any]) -> None:
    """Every value that is there is of the kind that its key wants."""
    for key, value in data.items():
        if key in shapes and not _fits(value, shapes[key]):
            raise InputError(f"{where} has {key} = {str(value)[:60]!r}.", hint="See those that ship.")


def _fits(value: Any, shape: Any) -> bool:
    if isinstance(shape, list):
        return isinstance(value, list | tuple) and all(_fits(entry, shape[0]) for entry in value)
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(_fits(v, shape.get(k, shape[str])) for k, v in value.items())
    return type(value) in shape and (type(value) is not float or math.isfinite(value))


def _field(entry: Mapping[str, Any]) -> Field:
    _require_shapes("A field of the protocol", entry, _FIELD)
    try:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()}
        field = Field(**values)
    except TypeError as error:
        raise InputError(f"A field of the protocol cannot be used: {error}.", hint="See those that ship.") from None
    if field.widget not in WIDGETS or field.of not in ("output", "item"):
        raise InputError(
            f"The field {field.name} has the widget {field.widget!r} of {field.of!r}.",
            hint=f"Widgets are {', '.join(WIDGETS)}, of an output or an item.",
        )
    return field


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return sound_toml(text)
    except ValueError as error:
        raise InputError(f"{name} is no TOML: {error}.", hint="Repair it, or begin with one that ships.") from None


def _change(data: dict[str, Any], name: str, option: str, value: Any) -> None:
    """Set what an option of a spec stands for."""
    known: dict[str, Any] = data.get("options", {})
    if option not in known:
        raise SpecError(f"{name} has no option {option!r}.", hint=f"It has {', '.join(known) or 'none'}.")
    choice = known[option]
    if "key" not in choice:
        if str(value) not in choice:
            raise SpecError(f"{name}: {option} is {value!r}.", hint=f"It is {' or '.join(choice)}.")
        for key, setting in choice[str(value)].items():
            _set(data, key, setting)
    elif choice["type"] == "json":
        _set(data, choice["key"], _typology(str(value)))
    else:
        number = coerce(value, int, f"{name}: {option}")
        if not choice["least"] <= number <= choice["most"]:
            raise SpecError(f"{name}: {option} is {number}.", hint=f"From {choice['least']} to {choice['most']}.")
        _set(data, choice["key"], number)


def _set(data: dict[str, Any], key: str, value: Any) -> None:
    """Set a value by its place, `fields.spans.select`: entries of lists are found by their names."""
    place: Any = data
    *way, last = key.split(".")
    for step in way:
        place = next(e for e in place if e["name"] == step) if isinstance(place, list) else place[step]
    place[last] = copy.deepcopy(value)


def _typology(path: str) -> dict[str, list[str]]:
    """Categories and their subcategories from JSON: {"Accuracy": ["Omission", ...], "Other": []}."""
    try:
        typology = json.loads(lines.whole(path))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path} is no JSON: {error}.", hint='Write {"Accuracy": ["Omission"], "Other": []}.'
        ) from None
    fits = isinstance(typology, dict) and all(
        isinstance(subs, list) and all(isinstance(sub, str) for sub in subs) for subs in typology.values()
    )
    if not fits or not typology:
        raise InputError(f"{path} is no typology.", hint=_TYPOLOGY)
    return dict(typology)


def _is_whole(text: str) -> bool:
    """Whether a text has no half characters, which no file can hold."""
    return not any(0xD800 <= ord(c) < 0xE000 for c in text)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and bool(abs(value) <= sys.float_info.max)
