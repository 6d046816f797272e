"""A share of a long file: of blocks of lines every so-manieth one, and of the others only how many lines they have.

Lines that nobody wants are counted, not decoded, split or kept, which takes a twentieth of the time. They stand in the
stream as the range of their numbers, so that whoever reads knows where it is, and how much there is in all.
"""

from __future__ import annotations

import dataclasses
import itertools
import sys
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from tercet.formats import lines, places
from tercet.formats.lines import File

Lines: TypeAlias = list[str] | range


@dataclasses.dataclass(frozen=True)
class Share:
    """Of blocks of `size` segments every `of`th, from block `first` on, which is less than `of`."""

    size: int
    first: int
    of: int

    def has(self, block: int) -> bool:
        """Whether a block is among them."""
        return block % self.of == self.first

    def stretch(self, at: int) -> tuple[bool, int]:
        """Whether segment `at` is among them, and how many from it on are as it is.

        >>> Share(10, 1, 3).stretch(0), Share(10, 1, 3).stretch(14), Share(10, 1, 3).stretch(25)
        ((False, 10), (True, 6), (False, 15))
        """
        block, within = divmod(at, self.size)
        if self.of == 1:
            return True, sys.maxsize
        gap = (self.first - block) % self.of
        return not gap, (gap or 1) * self.size - within

    def count(self, n: int) -> int:
        """How many of `n` segments are among them.

        >>> [Share(10, 1, 3).count(n) for n in (10, 14, 45)]
        [0, 4, 15]
        """
        rounds, rest = divmod(n, self.size * self.of)
        return rounds * self.size + min(self.size, max(0, rest - self.first * self.size))


WHOLE = Share(1, 0, 1)


@dataclasses.dataclass(frozen=True)
class Unread:
    """Segments of a test set that are another's: of which systems, and how many."""

    systems: tuple[str, ...]
    n: int

    def __len__(self) -> int:
        return self.n


def blocks(
    path: File,
    size: int,
    share: Share,
    *,
    most: int = lines.BLOCK_BYTES,
    header: str | None = None,
    passed: Callable[[int, bytes], None] = lambda _, __: None,
) -> Iterator[Lines]:
    """`lines.blocks` of a share.

    Of several files with a `header`, each begins with that line, which is no segment. `passed` is called with the bytes
    of lines that are another's, and the number of the first, from 0.
    """
    for mine, pieces in itertools.groupby(_pieces(path, share, header), key=lambda piece: isinstance(piece[0], list)):
        if mine:
            yield from lines.lists(((got, len(data)) for got, data in pieces if isinstance(got, list)), size, most)
        else:
            for got, data in pieces:
                passed(got[0], data)  # type: ignore[arg-type]
                yield got


def _pieces(path: File, share: Share, header: str | None) -> Iterator[tuple[Lines, bytes]]:
    """Lines that are wanted, or the numbers of those that are not, and their bytes."""
    at = 0
    for file in places.files(path):
        n_before = 0
        for piece in lines.whole_lines(file):
            data = piece
            if header is not None and not n_before:
                end = data.find(b"\n") + 1 or len(data)
                lines.require_header("".join(lines.split(data[:end], file, 0)), header, file, path)
                data, n_before = data[end:], 1
            while data:
                mine, n = share.stretch(at)
                n_bytes, n_lines = until(data, n)
                got: Lines = lines.split(data[:n_bytes], file, n_before) if mine else range(at, at + n_lines)
                if data == lines.MARK and not n_before:
                    got = []
                if got:
                    yield got, data[:n_bytes]
                data, at, n_before = data[n_bytes:], at + len(got), n_before + len(got)


def until(data: bytes, n: int) -> tuple[int, int]:
    """Where the first `n` lines of a piece end, and how many there are up to there."""
    there = data.count(b"\n") + (not data.endswith(b"\n"))
    if there <= n:
        return len(data), there
    return int(np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))[n - 1]) + 1, n
