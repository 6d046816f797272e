"""What can go wrong, as one tree.

    TercetError              anything that Tercet says on purpose
    ├── SpecError            a spec string that names nothing, or an option that it does not take
    ├── InputError           a file or an argument that cannot be used as it is
    ├── MissingExtraError    an optional package or resource that is not installed
    └── PluginError          a mistake of another package that adds to Tercet

Each error says in one sentence what was wrong and what was given; its `hint` says in another what to do.
"""

from __future__ import annotations

import importlib
from typing import Any

_BEGINNING, _END = 1500, 400  # characters that are left of a message that quotes what may be of any length


def _bounded(text: str) -> str:
    """A sentence that can be read: what it quotes in its middle may be a line of megabytes."""
    return text if len(text) <= _BEGINNING + _END else f"{text[:_BEGINNING]} ... {text[-_END:]}"


class TercetError(Exception):
    """The root of the tree; `message` is the sentence, `hint` what to do about it, `str()` gives both."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message, self.hint = _bounded(message), _bounded(hint)
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class SpecError(TercetError, ValueError):
    """A spec string that cannot be read, or an option that its owner does not take."""


class InputError(TercetError, ValueError):
    """Input that cannot be used: a defect in a file, or arguments that do not fit together."""


class MissingExtraError(TercetError, ImportError):
    """Something optional is needed and not installed."""


class PluginError(TercetError, RuntimeError):
    """Something of another package cannot be loaded, takes a name that is taken, or gives what cannot be used."""


def extra(module: str, package: str, name: str, what: str) -> Any:
    """A module of a package that the extra `name` brings, or the error that `what` needs it.

    >>> extra("no_such_module", "no-such-package", "frames", "Parquet")
    Traceback (most recent call last):
    tercet.errors.MissingExtraError: Parquet needs the package no-such-package, which is not installed. \
Install it with `pip install 'tercet[frames]'`.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError(
            f"{what} needs the package {package}, which is not installed.",
            hint=f"Install it with `pip install 'tercet[{name}]'`.",
        ) from None


def polars(what: str) -> Any:
    """Polars, which the extra `frames` brings."""
    return extra("polars", "polars", "frames", what)
