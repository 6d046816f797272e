"""The reference of the command line, from the Typer app."""

from __future__ import annotations

import dataclasses
import inspect
import pathlib
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

import typer

from docs_pages.markdown import code, fence, table
from tercet.cli.app import app


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One argument or option of a command."""

    names: tuple[str, ...]
    kind: str
    default: str
    help: str
    is_option: bool


def commands() -> dict[str, Callable[..., Any]]:
    """The verbs and the functions behind them; those of a group, as `train beer`, last."""
    groups: list[tuple[str, typer.Typer]] = [("", app)]
    groups += [(f"{g.name} ", g.typer_instance) for g in app.registered_groups if g.typer_instance is not None]
    return {
        f"{group}{c.name}": c.callback
        for group, own in groups
        for c in own.registered_commands
        if c.callback is not None
    }


def parameters(command: Callable[..., Any]) -> list[Parameter]:
    """Arguments and options, read from the function's annotations."""
    hints = typing.get_type_hints(command, include_extras=True)
    found = []
    for name, parameter in inspect.signature(command).parameters.items():
        if hints[name] is typer.Context:
            continue
        kind, default = hints[name], parameter.default
        info = default
        if typing.get_origin(kind) is typing.Annotated:
            kind, info = typing.get_args(kind)[:2]
        else:
            default = info.default
        is_option = isinstance(info, typer.models.OptionInfo)
        # inside Annotated, Typer keeps the first name of an option where the default would be
        first = (info.default,) if isinstance(info.default, str) and info.default.startswith("-") else ()
        spelt = (*first, *(info.param_decls or ())) if is_option else (info.metavar or name.upper(),)
        names = tuple(each for both in spelt for each in both.split("/"))  # --yes/--no
        usual = names[-2] if default is True else "" if default is None or default is False else str(default)
        found.append(Parameter(names, value_words(kind), usual and code(usual), info.help or "", is_option))
    return found


def value_words(kind: Any) -> str:
    """What an option takes, in words."""
    origin, args = typing.get_origin(kind), [a for a in typing.get_args(kind) if a is not type(None)]
    if origin in (types.UnionType, typing.Union):
        return " or ".join(value_words(a) for a in args)
    if origin is typing.Literal:
        return " ".join(map(code, args))
    if origin is list:
        return f"{value_words(args[0])}, several times"
    known = {bool: "nothing", int: "number", float: "number", str: "text", pathlib.Path: "path"}
    return known.get(kind, str(kind))


def pages() -> dict[str, str]:
    """The one page of the command line."""
    return {"reference/cli.md": cli_page()}


def cli_page() -> str:
    """Every command with its arguments and options."""
    root = typing.cast(Any, app.registered_callback).callback
    parts = [
        "# Command line",
        "Every verb is also a function of the same name in Python: see [Python](python.md). "
        "`tercet` alone shows the verbs by job; `tercet VERB --help` explains one.",
        "## tercet",
        inspect.cleandoc(root.__doc__ or ""),
        parameters_table("Option", [p for p in parameters(root) if p.is_option]),
    ]
    for verb, function in commands().items():
        own = parameters(function)
        arguments = [p for p in own if not p.is_option]
        usage = " ".join(["tercet", verb, "[OPTIONS]", *(f"[{p.names[0]}]" for p in arguments)])
        parts += [f"## tercet {verb}", inspect.cleandoc(function.__doc__ or ""), fence("text", usage)]
        if arguments:
            parts.append(parameters_table("Argument", arguments))
        parts.append(parameters_table("Option", [p for p in own if p.is_option]))
    parts += ["`-h` and `--help` work everywhere."]
    return "\n\n".join(parts)


def parameters_table(title: str, found: Iterable[Parameter]) -> str:
    """The table of some parameters."""
    rows = [[", ".join(map(code, p.names)), p.kind, p.default, p.help] for p in found]
    return table([title, "takes", "default", "what it does"], rows)
