"""Options of verbs, written once.

    @dataclasses.dataclass(frozen=True)
    class RankOptions(Judged, Samples, Workers):              groups that several verbs share, and what is its own
        method: str | None = setting(None, "Ranker.", "-m", "--method")

    @verb(RankOptions)
    def rank(asked: RankOptions) -> Ranking: ...              called as rank(file, method="da", samples=100)

A field holds the name of an option, its type, default, bounds and help. The function's plain keyword parameters, its
documentation, the checks and the command of a shell (`tercet.cli.command`) are made from it. Rooms hand the object on,
typed as the group that they need. Nothing here imports numpy: the command line answers at once.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import pathlib
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, ParamSpec, TypeVar

from tercet.errors import InputError
from tercet.numbers import plain
from tercet.options.needs import Needs, idle, named_by_a_shell
from tercet.spec import show

P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V")
O = TypeVar("O", bound="Options")  # noqa: E741

MOST = 1 << 31  # samples, and the like: more than anyone waits for


@dataclasses.dataclass(frozen=True)
class About:
    """What a field says of its option beside name, type and default."""

    help: str
    flags: tuple[str, ...] = ()  # of a shell; --name if none
    argument: str | None = None  # what a shell calls it where it is no flag but an argument
    least: float | None = None
    most: float | None = None
    above: float | None = None  # bounds that are not reached themselves
    below: float | None = None
    read: Callable[[Any], Any] | None = None  # makes what the verb takes of the words of a shell
    names: str = ""  # "module:REGISTRY", or a function: what a shell completes
    shell: bool = True  # whether a shell has it


def about(help: str, *flags: str, **more: Any) -> dict[str, Any]:  # noqa: A002
    """The metadata of a field that must be given: `dataclasses.field(metadata=about("File of judgements."))`."""
    return {"about": About(help, flags, **more)}


def setting(default: V, help: str, *flags: str, **more: Any) -> V:  # noqa: A002
    """A field with its default, help, flags, and what else `About` has."""
    field: V = dataclasses.field(default=default, metadata=about(help, *flags, **more))
    return field


@dataclasses.dataclass(frozen=True)
class Setting:
    """One option of a class: a field with all that is known of it."""

    name: str
    kind: Any  # its type, as a shell gives it
    default: Any  # dataclasses.MISSING if it must be given
    about: About

    @functools.cached_property
    def several(self) -> bool:
        """Whether a shell gives it several times."""
        return any(typing.get_origin(kind) is list for kind in (self.kind, *typing.get_args(self.kind)))

    @functools.cached_property
    def choices(self) -> tuple[Any, ...]:
        """The values that are allowed, if they are listed."""
        kinds = (self.kind, *typing.get_args(self.kind))
        literals = [kind for kind in kinds if typing.get_origin(kind) is typing.Literal]
        return typing.get_args(literals[0]) if literals else ()

    @property
    def scalar(self) -> type:
        """What one word of a shell becomes."""
        kinds = (self.kind, *typing.get_args(self.kind))
        inner = [one for kind in kinds for one in (kind, *typing.get_args(kind))]
        return next((kind for kind in (bool, int, float, pathlib.Path) if kind in inner), str)

    def of_word(self, word: str) -> Any:
        """What a word of a shell says; what it cannot say is refused as a wrong value is."""
        if self.choices and word not in self.choices:
            raise self.refused(self._one_of_choices, word, self.flags[-1])
        try:
            return self.scalar(word)
        except ValueError:
            raise self.refused(_bounds_in_words(self.about, self.scalar is int), word, self.flags[-1]) from None

    @functools.cached_property
    def bounded(self) -> bool:
        """Whether it is a number within bounds."""
        limits = self.about
        return any(bound is not None for bound in (limits.least, limits.most, limits.above, limits.below))

    def check(self, value: Any) -> None:
        """Refuse what is not allowed."""
        if value is None and self.default is None:
            return
        if self.choices and not self.several and value not in self.choices:
            raise self.refused(self._one_of_choices, value)
        if not self.bounded:
            return
        limits = self.about
        whole = int in (self.kind, *typing.get_args(self.kind))
        number = type(value) is int or (not whole and isinstance(value, float))
        if not number or not _within(value, limits):
            too_much = number and limits.most is None and value > MOST
            words = f"{'a whole number' if whole else 'a number'} of at most {MOST}" if too_much else None
            raise self.refused(words or _bounds_in_words(limits, whole), value)

    @property
    def flags(self) -> tuple[str, ...]:
        """What a shell calls it, the longest way last."""
        if self.about.argument is not None:
            return (self.about.argument,)
        return self.about.flags or (f"--{self.name.replace('_', '-')}",)

    @property
    def _one_of_choices(self) -> str:
        return f"one of {', '.join(map(show, self.choices))}"

    def refused(self, allowed: str, value: Any, name: str = "") -> InputError:
        """The sentence that all options use."""
        settled = self.default is not None and self.default is not dataclasses.MISSING
        usual = f"Usual: {show(self.default)}." if settled else "Leave it out for the usual."
        return InputError(f"{name or self.name} must be {allowed}, not {value!r}.", hint=usual)


def _within(value: float, limits: About) -> bool:
    return (
        (limits.least is None or value >= limits.least)
        and (limits.above is None or value > limits.above)
        and (limits.below is None or value < limits.below)
        and value <= (MOST if limits.most is None else limits.most)
    )


def _bounds_in_words(limits: About, whole: bool) -> str:
    number = "a whole number" if whole else "a number"
    if limits.above is not None and limits.below is not None:
        return f"{number} between {plain(limits.above)} and {plain(limits.below)}"
    if limits.most is not None:
        return f"{number} from {plain(limits.least or 0)} to {plain(limits.most)}"
    if limits.least is not None:
        return f"{number} of {plain(limits.least)} or more"
    return number if limits.above is None else f"{number} above {plain(limits.above)}"


@dataclasses.dataclass(frozen=True)
class Options:
    """Base of all groups of options: frozen dataclasses, checked when they are made."""

    needs: ClassVar[Mapping[str, Needs]] = {}  # of options that do nothing alone; those of groups hold as well

    def __post_init__(self) -> None:
        for option in settings(type(self)):
            option.check(getattr(self, option.name))
        asked = {name: needs for name, needs in needs_of(type(self)).items() if self.asked_for(name)}
        if asked:
            options = {option.name: option for option in settings(type(self))}
            values = {name: getattr(self, name) for name in options}
            for name, needs in asked.items():
                needs.require(name, values, options)

    def asked_for(self, name: str) -> bool:
        """Whether an option is not as usual, or a shell named it."""
        usual = type(self).__dataclass_fields__[name].default
        value = getattr(self, name)
        return name in named_by_a_shell(type(self)) or not (value is usual or value == usual)

    def refuse_idle(self, why: Mapping[str, str]) -> None:
        """Refuse what was asked for of options that do nothing, as the data turned out; `why` says without what."""
        for name, reason in why.items():
            if self.asked_for(name):
                raise idle(name, reason, {option.name: option for option in settings(type(self))})


def settings(owner: type[Options]) -> tuple[Setting, ...]:
    """The options of a class: arguments first, then its own, then those of its groups in their order."""
    known: Any = owner
    return _settings(known)


@functools.cache
def _settings(owner: Any) -> tuple[Setting, ...]:
    fields = {field.name: field for field in dataclasses.fields(owner)}
    hints = typing.get_type_hints(owner)
    made = (Setting(name, hints[name], fields[name].default, fields[name].metadata["about"]) for name in _order(owner))
    return tuple(made)


def needs_of(owner: type[Options]) -> Mapping[str, Needs]:
    """What options of a class need, its own word before that of its groups."""
    known: Any = owner
    return _needs(known)


@functools.cache
def _needs(owner: Any) -> Mapping[str, Needs]:
    names = {option.name for option in settings(owner)}
    told = {name: needs for group in reversed(owner.__mro__) for name, needs in vars(group).get("needs", {}).items()}
    return {name: needs for name, needs in told.items() if name in names}


def part(asked: Options, group: Callable[..., O]) -> O:
    """A group with what is said of it in options that do not have all of it; the rest is as usual."""
    shared = {option.name for option in settings(typing.cast(type[Options], group))}
    return group(**{o.name: getattr(asked, o.name) for o in settings(type(asked)) if o.name in shared})


def _order(owner: type) -> Iterator[str]:
    """Names of the fields: arguments as the constructor takes them, then the others class by class."""
    fields = {field.name: field for field in dataclasses.fields(owner)}
    yield from (name for name, field in fields.items() if not field.kw_only)
    names = dict.fromkeys(name for group in owner.__mro__ for name in inspect.get_annotations(group))
    yield from (name for name in names if name in fields and fields[name].kw_only)


def verb(options: Callable[P, O]) -> Callable[[Callable[[O], R]], Callable[P, R]]:
    """A function of one object of options as one of plain keyword parameters, documented by their help."""
    owner = typing.cast(type[Options], options)

    def made(function: Callable[[O], R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if (unknown := next((name for name in kwargs if name not in names), None)) is not None:
                raise _unknown(function.__name__, unknown, list(names))
            return function(options(*args, **kwargs))

        constructor = inspect.signature(options)
        names = constructor.parameters
        answer = inspect.signature(function).return_annotation
        call.__signature__ = constructor.replace(return_annotation=answer)  # type: ignore[attr-defined]
        call.options = owner  # type: ignore[attr-defined]
        call.__doc__ = _documented(function.__doc__ or "", owner)
        # Python names the function that got a wrong argument by this
        typing.cast(types.FunctionType, owner.__init__).__qualname__ = function.__name__
        return call

    return made


def _unknown(verb: str, name: str, names: list[str]) -> TypeError:
    """What Python raises for an argument that there is not, with the one that may be meant."""
    import difflib

    near = difflib.get_close_matches(name, names, n=3)
    meant = f"Did you mean {' or '.join(near)}?" if near else f"It takes {', '.join(names)}."
    return TypeError(f"{verb}() has no argument {name!r}. {meant}")


def _documented(text: str, owner: type[Options]) -> str:
    """A docstring with its parameters after the prose, before the examples."""
    prose, mark, examples = inspect.cleandoc(text).partition(">>> ")
    lines = [f"{option.name}\n    {option.about.help}" for option in settings(owner)]
    return "\n".join([prose.rstrip(), "", "Parameters", "----------", *lines, "", mark + examples])
