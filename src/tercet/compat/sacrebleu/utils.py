"""What programs take from `sacrebleu.utils`: files are opened, sums and logarithms are as they are there.

Data sets are sacreBLEU's own and are downloaded by it: whatever asks for one gets a sentence.
"""

from __future__ import annotations

import gzip
import math
import pathlib
from collections.abc import Iterable, Sequence
from typing import IO, Any, NoReturn, cast

from tercet.errors import InputError

__all__ = [
    "download_test_set",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "my_log",
    "sanity_check_lengths",
    "smart_open",
    "sum_of_lists",
]


NO_DATA = "Nothing is downloaded here, and there are no data sets of sacreBLEU's."
GIVE_FILES = "Give the files: tercet.read_testset(FILE), or sacreBLEU's own utils."


def smart_open(file: str | pathlib.Path, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """A file as text, unpacked if its name ends in .gz; lines end in "\\n" alone."""
    if str(file).endswith(".gz"):
        return cast(IO[Any], gzip.open(file, mode=mode, encoding=encoding, newline="\n"))
    return pathlib.Path(file).open(mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """The logarithm, and of 0 what stands for minus infinity.

    >>> my_log(0), my_log(1)
    (-9999999999, 0.0)
    """
    return -9999999999 if num == 0.0 else math.log(num)


def sum_of_lists(lists: Iterable[Sequence[float]]) -> list[float]:
    """Lists added place by place.

    >>> sum_of_lists([[1, 2], [3, 4]])
    [4, 6]
    """
    return [sum(column) for column in zip(*lists, strict=True)]


def sanity_check_lengths(system: Sequence[str], refs: Sequence[Sequence[str]], test_set: str | None = None) -> None:
    """Refuse references that do not have a line for each of the system's."""
    if any(len(stream) != len(system) for stream in refs):
        lengths = ", ".join(str(len(stream)) for stream in refs)
        of_set = f" of {test_set}" if test_set else ""
        raise InputError(
            f"There are {len(system)} lines of the system, and the references{of_set} have {lengths}.",
            hint="Find the line that is missing, or that was broken in two.",
        )


def _refused(*_: object, **__: object) -> NoReturn:
    raise InputError(NO_DATA, hint=GIVE_FILES)


download_test_set = get_source_file = get_reference_files = get_files = _refused
get_available_testsets = get_available_testsets_for_langpair = get_langpairs_for_testset = _refused
