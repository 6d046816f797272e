"""What other packages add by entry points. A mistake of one is said to be that package's, and stops nothing else.

`Plugins` finds what a group has and loads it; `blamed` stands around a call into somebody else's code, and `require`
holds what it gives to what was asked for.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import pathlib
import sys
from collections.abc import Collection, Iterator
from importlib.machinery import PathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tercet.errors import PluginError, TercetError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@functools.cache
def _somebody_offers() -> bool:
    """Whether any package may offer anything to us: a look at files, which spares most people what follows."""
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        return True
    for folder in dict.fromkeys(sys.path):
        try:
            entries = list(os.scandir(folder or "."))
        except NotADirectoryError:
            return True  # an archive, which may hold packages
        except OSError:
            continue
        for entry in entries:
            if entry.name.lower().endswith(("dist-info", "egg-info")):
                with contextlib.suppress(OSError):
                    if b"[tercet." in pathlib.Path(entry.path, "entry_points.txt").read_bytes():
                        return True
    return False


@functools.cache
def _everything() -> Any:  # EntryPoints, or what Python 3.11 has in their place
    """What all packages offer to anybody. Looking through them takes a while, and so does the import."""
    from importlib.metadata import entry_points

    return entry_points()


@functools.cache
def _installed(group: str) -> tuple[EntryPoint, ...]:
    """What all packages offer in a group, in their order and not as the disk has them."""
    if not _somebody_offers():
        return ()
    return tuple(sorted(_everything().select(group=group), key=_package))


@dataclasses.dataclass(frozen=True)
class Plugins:
    """The entry points of a group, `kind` being what each of them is; `taken` are the names of our own."""

    kind: str
    group: str
    taken: Collection[str]

    def __iter__(self) -> Iterator[str]:
        """Every name that is offered, our own names left out."""
        return iter(dict.fromkeys(e.name for e in self._entries if e.name not in self.taken))

    @property
    def _entries(self) -> tuple[EntryPoint, ...]:
        return _installed(self.group)

    def clashes(self) -> dict[str, PluginError]:
        """The names that are offered though they are ours, or by several packages, with what is wrong."""
        errors = {name: self._clash(name) for name in dict.fromkeys(e.name for e in self._entries)}
        return {name: error for name, error in errors.items() if error is not None}

    def _clash(self, name: str) -> PluginError | None:
        offered = [e for e in self._entries if e.name == name]
        who = " and ".join(_package(e) for e in offered)
        if offered and name in self.taken:
            return PluginError(
                f"{who} offers a {self.kind} called {name!r}, which is the name of one of ours.",
                hint=f"Give it another name there, or remove the package: pip uninstall {_package(offered[0])}",
            )
        if len(offered) > 1:
            return PluginError(
                f"{who} each offer a {self.kind} called {name!r}.",
                hint=f"Remove one of them: pip uninstall {_package(offered[-1])}",
            )
        return None

    def require_sole(self, name: str) -> None:
        """Refuse a name that several claim."""
        if (error := self._clash(name)) is not None:
            raise error

    def load(self, name: str) -> tuple[EntryPoint, Any]:
        """The entry point of a name, and what it names."""
        entry = next(e for e in self._entries if e.name == name)
        try:
            return entry, entry.load()
        except (Exception, SystemExit) as error:
            raise PluginError(
                f"The {self.kind} {name!r} of {_package(entry)} cannot be imported from {entry.value}: {_said(error)}.",
                hint=f"Install what it needs, or remove it: pip uninstall {_package(entry)}",
            ) from error

    def require(self, entry: EntryPoint, fine: bool, wrong: str, wanted: str) -> None:
        """Refuse what a package offers, in the words that all kinds use."""
        if not fine:
            raise PluginError(
                f"The {self.kind} {entry.name!r} of {_package(entry)} ({entry.value}) {wrong}.", hint=wanted
            )


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value.partition(".")[0].partition(":")[0]


def _said(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0].removesuffix(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def is_ours(thing: object) -> bool:
    """Whether a value is of a class of this package, or a module of it."""
    return _home(thing).partition(".")[0] == "tercet"


def _home(thing: object) -> str:
    return thing.__name__ if isinstance(thing, ModuleType) else type(thing).__module__


@contextlib.contextmanager
def blamed(thing: object, method: str) -> Iterator[None]:
    """Around a call of a method that may be somebody else's: what goes wrong in it is named as theirs."""
    try:
        yield
    except TercetError:
        raise
    except (Exception, SystemExit) as error:
        if is_ours(thing):
            raise
        raise PluginError(
            f"{described(thing)} fails in its method {method}: {_said(error)}.",
            hint="That is a mistake in its code, not in Tercet: tell its authors, or leave it out.",
        ) from error


def require(thing: object, method: str, fine: bool, given: str, wanted: str) -> None:
    """Refuse what a method gave: `given` says what that is, `wanted` what it must be."""
    if not fine:
        raise PluginError(f"{described(thing)} gives {given} from its method {method}.", hint=f"It must be {wanted}.")


def described(thing: object) -> str:
    """What a value or a module is called, and where it comes from."""
    if isinstance(thing, ModuleType):
        return thing.__name__
    owner = type(thing)
    return f"{getattr(owner, 'name', owner.__name__)} ({owner.__module__}.{owner.__qualname__})"


def shape_of(given: object) -> str:
    """The shape of something for a message, or what it is if it has none."""
    shape = getattr(given, "shape", None)
    return f"the shape {tuple(shape)}" if isinstance(shape, tuple) else f"a {type(given).__name__}"
