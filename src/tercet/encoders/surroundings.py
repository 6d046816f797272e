"""What surrounds the reading: a folder in which vectors are kept, and who hears of it. Light: every verb imports it."""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tercet.encoders.memory import VectorFolder
    from tercet.options.groups import Progress


@dataclasses.dataclass(frozen=True)
class Surroundings:
    """Where vectors are kept beside the memory, and who hears of the reading."""

    folder: VectorFolder | None = None
    progress: Progress | None = None


_ALONE = Surroundings()
SURROUNDINGS: contextvars.ContextVar[Surroundings] = contextvars.ContextVar("surroundings", default=_ALONE)


@contextlib.contextmanager
def while_reading(cache: str | pathlib.Path | None = None, progress: Progress | None = None) -> Iterator[None]:
    """Around the work of metrics that read: a folder in which vectors are kept, and who hears how many were made."""
    token = SURROUNDINGS.set(Surroundings(_folder(cache), progress))
    try:
        yield
    finally:
        SURROUNDINGS.reset(token)


def _folder(cache: str | pathlib.Path | None) -> VectorFolder | None:
    if cache is None:
        return None
    from tercet.encoders.memory import VectorFolder

    return VectorFolder(cache)
