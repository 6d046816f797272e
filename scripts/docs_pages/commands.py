"""The reference of the command line, from the options of the verbs."""

from __future__ import annotations

import dataclasses
import pathlib
import types
import typing
from collections.abc import Iterable
from typing import Any

import click

from docs_pages.markdown import Pages, code, fence, table
from tercet.cli.app import app
from tercet.cli.command import Command
from tercet.options import Setting


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One argument or option of a command."""

    names: tuple[str, ...]
    kind: str
    default: str
    help: str
    is_option: bool


def commands() -> dict[str, Command[Any]]:
    """The verbs; those of a group, as `train beer`, under two words."""
    return typing.cast(dict[str, Command[Any]], app.walk())


def parameters(command: Command[Any]) -> list[Parameter]:
    """Arguments and options, as they were written."""
    return [parameter(option) for option in (*command.of_verb, *command.of_shell)]


def parameter(option: Setting) -> Parameter:
    """One of them."""
    names = tuple(name for flag in option.flags for name in flag.split("/"))  # --yes/--no
    default = option.default
    unsaid = default is None or default is False or default is dataclasses.MISSING or default in ((), frozenset())
    if default is True:
        usual = code(names[0])
    elif isinstance(default, tuple | frozenset):
        usual = " ".join(code(str(value)) for value in default)
    else:
        usual = "" if unsaid else code(str(default))
    return Parameter(names, value_words(option.kind), usual, option.about.help, option.about.argument is None)


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


def pages() -> Pages:
    """The one page of the command line."""
    return {"reference/cli.md": cli_page}


def cli_page() -> str:
    """Every command with its arguments and options."""
    roots = [
        Parameter(tuple(option.opts), "a shell" if option.metavar else "nothing", "", option.help or "", is_option=True)
        for option in app.params
        if isinstance(option, click.Option)
    ]
    parts = [
        "# Command line",
        "Every verb is also a function of the same name in Python: see [Python](python.md). "
        "`tercet` alone shows the verbs by job; `tercet VERB --help` explains one.",
        "## tercet",
        app.help or "",
        parameters_table("Option", roots),
    ]
    for verb, command in commands().items():
        own = parameters(command)
        arguments = [p for p in own if not p.is_option]
        usage = " ".join(["tercet", verb, "[OPTIONS]", *(f"[{p.names[0]}]" for p in arguments)])
        parts += [f"## tercet {verb}", command.help or "", fence("text", usage)]
        if arguments:
            parts.append(parameters_table("Argument", arguments))
        parts.append(parameters_table("Option", [p for p in own if p.is_option]))
    parts += ["`-h` and `--help` work everywhere."]
    return "\n\n".join(parts)


def parameters_table(title: str, found: Iterable[Parameter]) -> str:
    """The table of some parameters."""
    rows = [[", ".join(map(code, p.names)), p.kind, p.default, p.help] for p in found]
    return table([title, "takes", "default", "what it does"], rows)
