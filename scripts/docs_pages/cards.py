"""Cards of specs: facts, options and an example."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Sequence
from typing import Any

from docs_pages.markdown import code, table
from tercet.metric_base import Card
from tercet.spec import Spec, option_docs, options, show


def card_page(name: str, owner: type[Spec], card: Card, facts: Sequence[Sequence[str]], shown: str) -> str:
    """A card with its facts, options and example."""
    parts = [f"# {card.title}", card.definition, table(["name", code(name)], facts)]
    if card.differences:
        parts += ["## Known differences", "\n".join(f"- {text}" for text in card.differences)]
    parts += ["## Options", options_table(owner), "## Example", shown]
    return "\n\n".join(parts)


def options_table(owner: type[Spec]) -> str:
    """Name, default, type and sentence of every option."""
    docs = option_docs(owner)
    defaults = {f.name: f.default for f in dataclasses.fields(typing.cast(Any, owner))}
    rows = [
        [code(name), code(show(defaults[name])), type_words(kind), docs[name]] for name, kind in options(owner).items()
    ]
    return table(["option", "default", "type", "what it does"], rows) if rows else "It has no options."


def type_words(kind: Any) -> str:
    """The type of an option in words."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(type_words(a) for a in args)
    if origin is typing.Literal:
        return ", ".join(code(show(a)) for a in args)
    if origin is tuple:
        return "words joined by `+`"
    known = {bool: "`true`, `false`", int: "whole number", float: "number", str: "text", type(None): "`none`"}
    return known.get(kind, getattr(kind, "__name__", str(kind)))
