"""The one place where a command of a shell is made: from the options of a verb and those of its output.

Click parses; what it has to say of a wrong word is said in our sentences (`tercet.cli.mistakes`).
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, TypeVar

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from tercet.cli.examples import show_examples
from tercet.errors import InputError
from tercet.options import Options, Setting, settings
from tercet.options.needs import said

S = TypeVar("S", bound=Options)
Given = dict[str, Any]  # what was given of a verb's options, as its keyword arguments
Words = Callable[[Sequence[str], Collection[str]], list[str]]  # words of a shell, and flags that take none

NOTHING_TO_DO = 2  # exit code
HELP = {"help_option_names": ["-h", "--help"]}
_METAVARS = {"int": "NUMBER", "float": "NUMBER", "Path": "FILE", "str": "TEXT"}


def command(
    verb: type[Options],
    shown: type[S],
    *,
    example: str = "",
    needs: Sequence[str] = (),
    spellings: Words | None = None,
) -> Callable[[Callable[[Given, S], None]], Command[S]]:
    """A function of what was given and of how it is shown, as a command of a shell.

    `verb` has the options of the verb, `shown` those that only a shell has. Without what must be given, or
    any of `needs`, the command shows the `example`, or that of its group; one that has an example does so without a
    word, too. `spellings` knows those of other programs.
    """
    return lambda function: Command(function, verb, shown, example, needs, spellings)


class Command(click.Command, Generic[S]):
    """A command with the options that it was made from."""

    def __init__(
        self,
        function: Callable[[Given, S], None],
        verb: type[Options],
        shown: type[S],
        example: str,
        needs: Sequence[str],
        spellings: Words | None,
    ) -> None:
        self.function, self.options, self.shown = function, verb, shown
        self.example, self.needs, self.spellings = example, needs, spellings
        self.of_verb, self.of_shell = _in_a_shell(verb), _in_a_shell(shown)
        self.required = [option.name for option in self.of_verb if option.default is dataclasses.MISSING]
        super().__init__(
            function.__name__.removesuffix("_command"),
            # words that are too many are refused below, in a sentence
            {**HELP, "allow_extra_args": True},
            self.called,
            [_parameter(option) for option in (*self.of_verb, *self.of_shell)],
            function.__doc__,
        )

    def called(self, **words: Any) -> None:
        """Call the function, or show the example where there is nothing to do."""
        context = click.get_current_context()
        named = {name for name in words if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
        missing = not all(words[name] for name in self.required)
        idle = self.example and not named
        if missing or idle or (self.needs and not any(words[name] for name in self.needs)):
            show_examples(self.example or _examples_of_group(context), err=True)
            raise SystemExit(NOTHING_TO_DO)
        with said({self.options: named, self.shown: named}):
            self.function(_given(self.of_verb, words), self.shown(**_given(self.of_shell, words)))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Words that nobody asked for are refused."""
        try:
            super().parse_args(ctx, args if ctx.resilient_parsing else self._spelt(args))
        except click.UsageError as error:
            error.ctx = ctx
            raise
        if ctx.args and not ctx.resilient_parsing:
            raise InputError(
                f"{ctx.info_name} does not know what to do with {' '.join(ctx.args)}.",
                hint=f"{ctx.command_path} -h shows what it takes.",
            )
        return ctx.args

    def _spelt(self, args: list[str]) -> list[str]:
        if self.spellings is None:
            return args
        alone = {flag for p in self.params if isinstance(p, click.Option) and p.is_flag for flag in p.opts}
        return self.spellings(args, alone | {*HELP["help_option_names"]})

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Nothing here, where newer versions of Click write them: below is their place, in every version."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments first, with what they are for."""
        records = [p.get_help_record(ctx) for p in self.get_params(ctx) if isinstance(p, _Argument)]
        if records:
            with formatter.section("Arguments"):
                formatter.write_dl([record for record in records if record is not None])
        options = [p.get_help_record(ctx) for p in self.get_params(ctx) if not isinstance(p, _Argument)]
        with formatter.section("Options"):
            formatter.write_dl([record for record in options if record is not None])


def _examples_of_group(context: click.Context) -> str:
    """What the group of a command has to show for it."""
    path, group = context.command_path, context.parent and context.parent.command
    lines = [line for line in getattr(group, "contents", "").splitlines() if line.strip().startswith(f"{path} ")]
    return "\n".join(["For example:", "", *lines, "", f"{path} --help explains every option.", ""])


def apart(given: Given, group: type[Options]) -> tuple[Given, Given]:
    """What was given of a group of options, and the rest."""
    names = {option.name for option in settings(group)}
    return ({n: v for n, v in given.items() if n in names}, {n: v for n, v in given.items() if n not in names})


def _in_a_shell(owner: type[Options]) -> list[Setting]:
    return [option for option in settings(owner) if option.about.shell]


def _given(options: Sequence[Setting], words: Mapping[str, Any]) -> Given:
    """What the verb takes, without what was left out: there its own defaults hold."""
    given = {option: words[option.name] for option in options if words[option.name] not in (None, ())}
    listed = {option: list(word) if option.several else word for option, word in given.items()}
    return {option.name: option.about.read(word) if option.about.read else word for option, word in listed.items()}


class _Word(click.ParamType):  # type: ignore[type-arg]
    """One word of a shell, read as its option says."""

    def __init__(self, option: Setting) -> None:
        self.option = option
        self.name = option.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What the word says."""
        return self.option.of_word(value) if isinstance(value, str) else value

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What stands for the word in the help."""
        choices = self.option.choices
        return f"[{'|'.join(map(str, choices))}]" if choices else _METAVARS[self.option.scalar.__name__]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The choices, the names that are registered, or files."""
        if self.option.about.names:
            module, _, attribute = self.option.about.names.partition(":")
            offered = getattr(importlib.import_module(module), attribute)
            names = offered() if callable(offered) else (*offered, *offered.aliases)
        else:
            names = self.option.choices
        if names:
            return [CompletionItem(name) for name in names if name.startswith(incomplete)]
        files = self.option.scalar.__name__ == "Path" or self.option.about.argument is not None
        return [CompletionItem(incomplete, type="file")] if files else []


class _Argument(click.Argument):
    """An argument that says what it is for."""

    def __init__(self, option: Setting) -> None:
        nargs = -1 if option.several else 1
        needed = option.default is dataclasses.MISSING
        metavar = option.about.argument if needed else f"[{option.about.argument}]"
        super().__init__([option.name], type=_Word(option), nargs=nargs, required=False, metavar=metavar)
        self.help = option.about.help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Its line of the help."""
        return self.metavar or "", self.help or ""


def _parameter(option: Setting) -> click.Parameter:
    """An argument or option of a command."""
    about, default = option.about, option.default
    if about.argument is not None:
        return _Argument(option)
    listed = isinstance(default, tuple | frozenset)
    usual = f" Default: {', '.join(map(str, default))}." if listed and default else ""
    optional = listed or default is dataclasses.MISSING or default is None
    if option.scalar is bool:
        return click.Option([option.name, *option.flags], is_flag=True, default=default, help=about.help)
    return click.Option(
        [option.name, *option.flags],
        type=_Word(option),
        multiple=option.several,
        default=None if optional else default,
        show_default=not optional,
        help=about.help + usual,
    )
