"""What an option does nothing without: said once, so that no option is taken in silence where it cannot matter.

    needs = {"samples": Needs({"ci": (True,), "paired": ANY})}        one of these, or it is refused
    needs = {"draws": Needs(beside={"test": ("none", "williams")})}   beside these it is refused

An option was asked for if it is not as usual, or if a shell named it: `said` is how the command line tells.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tercet.errors import InputError
from tercet.spec import show

if TYPE_CHECKING:
    from tercet.options import Setting

ANY: tuple[Any, ...] = ()  # whatever was given, as long as something was
_Values = Mapping[str, tuple[Any, ...]]


@dataclasses.dataclass(frozen=True)
class Needs:
    """Other options of the same verb: one of `any_of` must have one of its values, and none of `beside`."""

    any_of: _Values = dataclasses.field(default_factory=dict)
    beside: _Values = dataclasses.field(default_factory=dict)

    def require(self, name: str, values: Mapping[str, Any], options: Mapping[str, Setting]) -> None:
        """Refuse the option of this name where it does nothing, by the values of all options."""
        for other, refused in self.beside.items():
            if _among(values[other], refused):
                raise idle(name, f"with {_said(options[other], values[other])}", options)
        if self.any_of and not any(_among(values[other], wanted) for other, wanted in self.any_of.items()):
            needed = " or ".join(_in_words(options[other], wanted) for other, wanted in self.any_of.items())
            added = [word for other, wanted in self.any_of.items() if (word := _added(options[other], wanted))]
            hint = f"Add {' or '.join(added)}, or leave out" if added else "Leave out"
            raise idle(name, f"without {needed}", options, hint)


def idle(name: str, why: str, options: Mapping[str, Setting], hint: str = "Leave out") -> InputError:
    """The sentence for an option that cannot matter: without what, or with what."""
    spelt = options[name].flags[-1].rpartition("/")[2] if _in_a_shell() else name
    return InputError(f"{spelt} does nothing {why}.", hint=f"{hint} {spelt}.")


def _among(value: Any, wanted: tuple[Any, ...]) -> bool:
    if wanted == ANY:
        return value is not None and value is not False and value != ()
    return any(value is one or (value == one and type(value) is type(one)) for one in wanted)


def _spelt(option: Setting) -> str:
    """An option as one writes it: a flag in a shell, the name of a parameter in Python."""
    return option.flags[-1].partition("/")[0] if _in_a_shell() and not option.about.argument else option.name


def _in_words(option: Setting, wanted: tuple[Any, ...]) -> str:
    name = _spelt(option)
    if wanted in (ANY, (True,)):
        return name
    *first, last = map(show, wanted)
    return f"{name} {', '.join(first)}{' or ' if first else ''}{last}"


def _added(option: Setting, wanted: tuple[Any, ...]) -> str:
    """What to add to a command or call, of a choice one that will do; nothing if it stands there anyway."""
    if option.about.argument and option.choices:
        return ""
    if not _in_a_shell():
        values = wanted or option.choices
        return f"{option.name}={values[0]!r}" if values else option.name
    flag = option.flags[-1].partition("/")[0]
    return f"{flag} {show((wanted or option.choices)[0])}" if option.choices else flag


def _said(option: Setting, value: Any) -> str:
    return f"{_spelt(option)} {value}" if isinstance(value, str) else _spelt(option)


_SAID: contextvars.ContextVar[Mapping[type, Collection[str]]] = contextvars.ContextVar("said")


@contextlib.contextmanager
def said(names: Mapping[type, Collection[str]]) -> Iterator[None]:
    """While a command runs: the options, by their class, that its words named, also where that is the usual value."""
    token = _SAID.set(names)
    try:
        yield
    finally:
        _SAID.reset(token)


def _in_a_shell() -> bool:
    return bool(_SAID.get({}))


def named_by_a_shell(owner: type) -> Collection[str]:
    """The options of a class that a shell named."""
    return _SAID.get({}).get(owner, ())
