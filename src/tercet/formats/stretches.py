"""Blocks of plain text files by where their bytes are, so that another process reads them itself.

Whoever cuts looks for ends of lines only: nothing is decoded, and no text is sent. It is for files of this machine or
of storage that others have by the same name, which are neither packed nor several by a pattern.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from tercet.errors import InputError
from tercet.formats import lines, packing, places
from tercet.formats.lines import File
from tercet.formats.shares import until

Stamp: TypeAlias = tuple[int, int]  # bytes, and when they were written


def is_plain(path: File) -> bool:
    """Whether a name is that of one file as it is."""
    plain = not (lines.is_stdin(path) or packing.is_packed(path) or places.address(path) or places.is_pattern(path))
    return plain and places.is_file(path)


def stamps(files: Sequence[str]) -> list[Stamp | None]:
    """By what it is known that two see the same files; None for one that is not there."""
    return [_stamp(file) for file in files]


def _stamp(file: str) -> Stamp | None:
    try:
        seen = Path(file).stat()
    except OSError:
        return None
    return seen.st_size, seen.st_mtime_ns


@dataclasses.dataclass(frozen=True)
class Stretch:
    """Some lines of a file, after so many others, by their bytes."""

    path: str
    stamp: Stamp | None
    start: int
    stop: int
    n_before: int
    n_lines: int

    def read(self) -> list[str]:
        """The lines, of the file as it was when it was cut."""
        path = Path(self.path)
        with lines.said(path), path.open("rb") as file:
            file.seek(self.start)
            data = file.read(self.stop - self.start)
        if stamps([self.path]) != [self.stamp]:
            raise InputError(
                f"{self.path} has changed, or is not the same everywhere.", hint="Leave it alone until all is counted."
            )
        return lines.split(data, path, self.n_before)


def stretches(path: File, size: int) -> Iterator[Stretch]:
    """A file in stretches of `size` lines; the last one may be shorter."""
    name = os.fspath(places.absolute(Path(path)))
    stamp = _stamp(name)
    start = at = n_before = n_lines = 0
    for piece in lines.whole_lines(path):
        data = b"" if piece == lines.MARK and not at else piece
        while data:
            n_bytes, n_more = until(data, size - n_lines)
            data, at, n_lines = data[n_bytes:], at + n_bytes, n_lines + n_more
            if n_lines == size:
                yield Stretch(name, stamp, start, at, n_before, n_lines)
                start, n_before, n_lines = at, n_before + n_lines, 0
    if n_lines:
        yield Stretch(name, stamp, start, at, n_before, n_lines)
