"""Groups of commands, as `tercet` itself, `tercet train` and `tercet qe`: each is loaded when it is asked for.

So that a command answers at once, nothing is imported for verbs that were not named. Alone a group says what there is.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from tercet.cli.command import HELP, NOTHING_TO_DO
from tercet.cli.examples import show_examples
from tercet.cli.mistakes import unknown_verb


class Verbs(click.Group):
    """Commands by name, each "module:name"; without one of them the `contents` are shown."""

    def __init__(self, name: str, verbs: Mapping[str, str], contents: str, summary: str, **more: Any) -> None:
        super().__init__(
            name, invoke_without_command=True, callback=self.alone, help=summary, context_settings=HELP, **more
        )
        self.verbs, self.contents = verbs, contents

    def alone(self, **_: Any) -> None:
        """Say what there is where no verb was named."""
        if click.get_current_context().invoked_subcommand is None:
            show_examples(self.contents, err=True)
            raise SystemExit(NOTHING_TO_DO)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, by job."""
        return list(self.verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, whose module is loaded now."""
        return self.loaded(cmd_name) if cmd_name in self.verbs else None

    def loaded(self, name: str) -> click.Command:
        """A command that there is, under its name."""
        module, _, attribute = self.verbs[name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        command.name = name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A verb that there is not is answered with the nearest ones."""
        if args and args[0] not in self.verbs and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise unknown_verb(args[0], list(self.verbs), ctx.command_path)
        return super().resolve_command(ctx, args)

    def walk(self, prefix: str = "") -> dict[str, click.Command]:
        """All commands, those of groups under two words."""
        out: dict[str, click.Command] = {}
        for name in self.verbs:
            command = self.loaded(name)
            out |= command.walk(f"{prefix}{name} ") if isinstance(command, Verbs) else {prefix + name: command}
        return out
