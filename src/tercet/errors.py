"""What can go wrong, as one tree.

    TercetError              anything that Tercet says on purpose
    ├── SpecError            a spec string that names nothing, or an option that it does not take
    ├── InputError           a file or an argument that cannot be used as it is
    └── MissingExtraError    an optional package or resource that is not installed

Each error says in one sentence what was wrong and what was given; its `hint` says in another what to do.
"""

from __future__ import annotations


class TercetError(Exception):
    """The root of the tree; `str()` gives the sentence, `hint` what to do about it."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message} {self.hint}" if self.hint else message


class SpecError(TercetError, ValueError):
    """A spec string that cannot be read, or an option that its owner does not take."""


class InputError(TercetError, ValueError):
    """Input that cannot be used: a defect in a file, or arguments that do not fit together."""


class MissingExtraError(TercetError, ImportError):
    """Something optional is needed and not installed."""
