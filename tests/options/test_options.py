"""Options of verbs: checked when made, plain parameters of a function, flags of a shell."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pathlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Literal

import click.testing
import pytest

import tercet.errors
from tercet.cli.command import Given, command
from tercet.errors import InputError
from tercet.options import Options, about, setting, settings, verb
from tests.conftest import tree

PACKAGE = pathlib.Path(tercet.errors.__file__).parent


@dataclasses.dataclass(frozen=True, kw_only=True)
class Draws(Options):
    """A group."""

    samples: int = setting(1000, "Resamples.", least=40)
    share: float = setting(0.5, "Share.", above=0, below=1)


@dataclasses.dataclass(frozen=True)
class BrewOptions(Draws):
    """Options of a verb that there is not."""

    file: pathlib.Path = dataclasses.field(metadata=about("What is brewed.", argument="FILE"))
    _: dataclasses.KW_ONLY
    kind: Literal["tea", "coffee"] = setting("tea", "Which drink.")
    names: list[str] = setting((), "Names; several.", "-n", "--name", read=tuple)  # type: ignore[arg-type]
    sink: Any = setting(None, "Hears of it.", shell=False)


@verb(BrewOptions)
def brew(asked: BrewOptions) -> BrewOptions:
    """Brew.

    >>> brew("a").kind
    'tea'
    """
    return asked


def test_a_verb_has_plain_keyword_parameters() -> None:
    made = brew(pathlib.Path("a"), kind="coffee", samples=50)
    assert (made.file, made.kind, made.samples, made.share) == (pathlib.Path("a"), "coffee", 50, 0.5)
    parameters = inspect.signature(brew).parameters
    assert list(parameters) == ["file", "samples", "share", "kind", "names", "sink"]
    assert parameters["samples"].default == 1000
    assert "samples\n    Resamples." in (brew.__doc__ or "")
    assert (brew.__doc__ or "").index("Resamples.") < (brew.__doc__ or "").index(">>> brew")


def test_a_wrong_name_is_said_of_the_verb() -> None:
    takes = r"It takes file, samples, share, kind, names, sink\."
    with pytest.raises(TypeError, match=rf"^brew\(\) has no argument 'zucker'\. {takes}$"):
        brew(pathlib.Path("a"), zucker=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^brew\(\) has no argument 'sample'\. Did you mean samples\?$"):
        brew(pathlib.Path("a"), sample=50)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"kind": "milk"}, "kind must be one of tea, coffee, not 'milk'. Usual: tea."),
        ({"samples": 39}, "samples must be a whole number of 40 or more, not 39. Usual: 1000."),
        ({"samples": 40.0}, "samples must be a whole number of 40 or more, not 40.0. Usual: 1000."),
        ({"samples": True}, "samples must be a whole number of 40 or more, not True. Usual: 1000."),
        ({"share": 1}, "share must be a number between 0 and 1, not 1. Usual: 0.5."),
        ({"share": float("nan")}, "share must be a number between 0 and 1, not nan. Usual: 0.5."),
    ],
)
def test_a_value_that_is_not_allowed_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        brew(pathlib.Path("a"), **wrong)
    assert str(error.value) == sentence


@dataclasses.dataclass(frozen=True, kw_only=True)
class Shown(Options):
    """What only a shell has."""

    loud: bool = setting(False, "Loudly.")


def ran(*words: str) -> tuple[str, list[tuple[Given, Shown]]]:
    """What a shell says, and what the command was called with."""
    calls: list[tuple[Given, Shown]] = []

    @command(BrewOptions, Shown, example="For example: brew FILE\n", needs=("file",))
    def brew_command(given: Given, shown: Shown) -> None:
        """Brew."""
        calls.append((given, shown))

    return click.testing.CliRunner().invoke(brew_command, words).output, calls


def test_a_command_gives_what_was_said_and_nothing_else() -> None:
    usual = {"file": pathlib.Path("x"), "kind": "tea", "samples": 1000, "share": 0.5}
    assert ran("x", "-n", "a", "--name", "b", "--loud") == ("", [({**usual, "names": ("a", "b")}, Shown(loud=True))])
    assert ran("x", "--kind", "coffee")[1][0][0]["kind"] == "coffee"


def test_a_command_without_what_it_needs_shows_an_example() -> None:
    assert ran() == ("For example: brew FILE\n", [])


def test_every_option_is_in_the_help_but_what_no_shell_has() -> None:
    said = " ".join(ran("--help")[0].split())
    assert all(option.about.help in said for option in settings(BrewOptions) if option.name != "sink")
    assert "Hears of it." not in said


def test_options_are_light() -> None:
    program = "import sys, tercet.options.scoring; print(sorted({'numpy', 'click'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def groups() -> Iterator[type[Options]]:
    """Every class of options in the package, of verbs and of what only a shell has."""
    for room in ("options", "cli"):
        for module in pkgutil.iter_modules([str(PACKAGE / room)], f"tercet.{room}."):
            importlib.import_module(module.name)
    waiting = list(Options.__subclasses__())
    while waiting:
        owner = waiting.pop()
        waiting += owner.__subclasses__()
        if owner.__module__.startswith(("tercet.options", "tercet.cli")):
            yield owner


def test_an_option_is_written_once() -> None:
    """Two classes that have an option of one name, default, bounds and help share the group that it stands in."""
    places: dict[tuple[Any, ...], set[type[Options]]] = {}
    for owner in groups():
        for field in dataclasses.fields(owner):
            if field.name in inspect.get_annotations(owner):
                option = (field.name, field.type, repr(field.default), field.metadata["about"])
                places.setdefault(option, set()).add(owner)
    assert len(places) > 100
    assert {key[0]: owners for key, owners in places.items() if len(owners) > 1} == {}


def test_lists_of_choices_are_written_once() -> None:
    """What a user chooses from (three words or more) stands in one place; others import it."""
    places: dict[frozenset[str], list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal":
                words = frozenset(ast.unparse(node.slice).strip("()").split(", "))
                places.setdefault(words, []).append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert {words: lines for words, lines in places.items() if len(words) > 2 and len(lines) > 1} == {}


def test_no_room_has_a_seed_of_its_own() -> None:
    """The usual seed and number of draws are those of the options, wherever something is drawn."""
    usual = {"seed", "samples", "trials", "draws"}
    written = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
        for argument, default in defaults(node)
        if argument in usual and isinstance(default, ast.Constant) and default.value is not None
    ]
    assert written == []


def defaults(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """Parameters that have a default, with it."""
    positional = [*function.args.posonlyargs, *function.args.args]
    if function.args.defaults:
        last = positional[-len(function.args.defaults) :]
        yield from ((a.arg, d) for a, d in zip(last, function.args.defaults, strict=True))
    named = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    yield from ((a.arg, d) for a, d in named if d is not None)
