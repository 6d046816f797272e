"""Budgets in bytes: how much of the machine input may take before it is refused, and how to raise that.

    TERCET_MEMORY    of memory for what is held at once (4G): whole files, rows that are kept, tables of pairs
    TERCET_DISK      of temporary files (8G): a packed Parquet file, which is read from its end
    TERCET_PATIENCE  how many times the usual work a segment may take (1) before a metric refuses it

The first two are numbers of bytes, perhaps with K, M, G or T behind. What is read in parts is not limited: a part is.
Memory is estimated, by what Python takes for a text and by the arrays that are asked for; it is no promise to the byte.
"""

from __future__ import annotations

import os
import re

from tercet.errors import InputError

USUAL = {"TERCET_MEMORY": 4 << 30, "TERCET_DISK": 8 << 30}
MOST_PATIENCE = 100
LETTER = 256  # bytes of a letter while n-grams are counted: 185 of full stops by BLEU, 216 of Chinese by chrF
TEXT = 64  # bytes that Python takes for a short text beside its letters
PART = 1 << 26  # bytes of the texts of a part: tokens of short words take ten times as much
FILE_SHARE = (
    4  # a file that is held whole may have one part in so many of the memory: what is made of it takes the rest
)
_SIZE = re.compile(r"([0-9]{1,15})([KMGT]?)(I?B)?")
_WHOLE = re.compile(r"[0-9]{1,18}")
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def allowed(variable: str) -> int:
    """The bytes of a budget.

    >>> allowed("TERCET_MEMORY") >> 30
    4
    """
    text = os.environ.get(variable, "").strip()
    if not text:
        return USUAL[variable]
    match = _SIZE.fullmatch(text.upper())
    if match is None:
        raise InputError(f"{variable} is {text!r}, which is no size.", hint=f"Write {variable}=16G, or leave it out.")
    return int(match[1]) * _UNITS[match[2]]


def patience() -> int:
    """How many times the usual work a segment may take.

    >>> patience()
    1
    """
    text = os.environ.get("TERCET_PATIENCE", "").strip() or "1"
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:9]) <= MOST_PATIENCE:
        raise InputError(
            f"TERCET_PATIENCE is {text!r}.", hint=f"Write a whole number from 1 to {MOST_PATIENCE}, or leave it out."
        )
    return int(text)


def is_whole(text: str) -> bool:
    """Whether a text is a whole number that can be read: Python refuses to read one of thousands of digits.

    >>> is_whole("012"), is_whole("-1"), is_whole("9" * 5000)
    (True, False, False)
    """
    return _WHOLE.fullmatch(text) is not None


def more_patience(times: int) -> str:
    """How to have so many times the usual work done, if that is possible."""
    return f" Or raise the limit, if there is time: TERCET_PATIENCE={times}." if times <= MOST_PATIENCE else ""


def size(n: int) -> str:
    """Bytes as people say them.

    >>> size(4 << 30), size(1 << 26), size(40)
    ('4 GiB', '64 MiB', '40 bytes')
    """
    for step, unit in ((30, "GiB"), (20, "MiB")):
        if n >= 1 << step:
            return f"{n / (1 << step):.3g} {unit}" if n < 1000 << step else f"{n >> step} {unit}"
    return f"{n} bytes"


class Budget:
    """What is left of the memory for one thing that grows with the input."""

    def __init__(self, what: str, hint: str, *, share: int = 1, variable: str = "TERCET_MEMORY") -> None:
        self.what, self.hint, self.variable = what, hint, variable
        self.whole = self.left = allowed(variable) // share
        self.factor = share

    def take(self, n: int) -> None:
        """Take some bytes, or refuse."""
        self.left -= n
        if self.left < 0:
            needed = size(self.whole - self.left)
            raise InputError(
                f"{self.what}: {needed} and more would be held, and {size(self.whole)} is the limit.",
                hint=f"{self.hint} Or raise the limit, if there is room: {self.variable}={self._enough()}.",
            )

    def _enough(self) -> str:
        """A value with which this would have passed: the next power of two."""
        return f"{max(1, 1 << ((self.whole - self.left) * self.factor - 1 >> 30).bit_length())}G"


def require_room(*letters: int) -> None:
    """Refuse texts that are longer than there is memory to count one of each of them beside each other.

    >>> require_room(80, 100)
    """
    Budget("What a segment takes", "Cut it into sentences.").take(LETTER * sum(letters))


def file_budget(name: str) -> Budget:
    """The budget of a file that is held whole."""
    return Budget(name, "Split it.", share=FILE_SHARE)
