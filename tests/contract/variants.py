"""Other values for the options of a spec, from nothing but the types of its fields."""

import dataclasses
import types
import typing
from typing import Any, TypeVar

from tercet.errors import SpecError
from tercet.spec import Spec, options
from tercet.text import TOKENIZERS

T = TypeVar("T", bound=Spec)
WORDS = ("de", "char", "a b")  # a language, a tokenizer, and something that needs quotes
NAMES = {"tokenize": tuple(TOKENIZERS)}  # options of text that name what is registered


def others(kind: Any, value: Any) -> list[Any]:
    """Values of a type, other than the one given."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    found: list[Any]
    if origin in (types.UnionType, typing.Union):
        found = [other for arg in args for other in others(arg, value)]
    elif origin is typing.Literal:
        found = list(args)
    elif origin is tuple:
        found = [(), tuple(others(args[0], None)[:2])]
    elif kind is type(None):
        found = [None]
    elif kind is bool:
        found = [True, False]
    elif kind is int:
        found = [1, 2, 3, 7, 8, 12]  # also orders at which n-grams are counted by other means
    elif kind is float:
        found = [0.25, 0.5, 1.0, 3.0]
    else:
        found = list(WORDS) if kind is str else []
    return [other for other in found if other != value or type(other) is not type(value)]


def changed(spec: T, **values: Any) -> T | None:
    """The spec with other options, or None where it refuses them (and says what to do)."""
    try:
        return dataclasses.replace(spec, **values)  # type: ignore[type-var]
    except SpecError as error:
        if not error.hint:
            raise
        return None


def values(name: str, kind: Any, value: Any) -> list[Any]:
    """Values of an option, other than the one given."""
    return [word for word in NAMES[name] if word != value] if name in NAMES and kind is str else others(kind, value)


def variants(spec: T) -> list[T]:
    """The spec with each option changed alone, and with as many changed at once as go together."""
    out: list[T] = []
    together = spec
    for name, kind in options(type(spec)).items():
        for value in values(name, kind, getattr(spec, name)):
            alone = changed(spec, **{name: value})
            if alone is not None and alone != spec:
                out.append(alone)
        for value in values(name, kind, getattr(spec, name)):
            more = changed(together, **{name: value})
            if more is not None and more != together:
                together = more
                break
    return out if together == spec else [*out, together]
