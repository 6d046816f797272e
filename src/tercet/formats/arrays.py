"""Arrays in zip archives, as numpy writes them, of numbers alone: nothing that could be run is written or read.

An archive has a checksum of each entry, and its contents at the end: what is damaged or breaks off is not read.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

WIDEST = 1024  # numbers of a row: more than any metric has
_WHOLE = (np.uint8, np.uint16, np.uint32)
_KINDS = ("|u1", "<u2", "<u4", "<f8")


def narrow(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.generic]:
    """Counts in as few bytes as they need: what comes back is the same, to the sign of a zero."""
    if rows.size and not np.signbit(rows).any() and (rows == np.floor(rows)).all():
        most = rows.max()
        for kind in _WHOLE:
            if most <= np.iinfo(kind).max:
                return rows.astype(kind)
    return rows


def write_array(archive: zipfile.ZipFile, name: str, rows: npt.NDArray[np.float64]) -> None:
    """Rows as an entry; the same rows give the same bytes."""
    with archive.open(entry(archive, name), "w", force_zip64=True) as file:
        np.lib.format.write_array(file, np.ascontiguousarray(narrow(rows)), (1, 0), allow_pickle=False)


def entry(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """An entry without a time, packed as its archive is."""
    info = zipfile.ZipInfo(name)
    info.compress_type = archive.compression
    return info


def read_array(archive: zipfile.ZipFile, name: str, shape: Sequence[int | None]) -> npt.NDArray[np.float64]:
    """An entry of that shape, of which None is any number up to `WIDEST`.

    Zipfile and numpy make any error of bytes that are not theirs: whoever calls this is ready for all of them.
    """
    with archive.open(name) as file:
        np.lib.format.read_magic(file)
        there, fortran, kind = np.lib.format.read_array_header_1_0(file)
        fits = len(there) == len(shape) and all(
            n == wanted if wanted is not None else n <= WIDEST for n, wanted in zip(there, shape, strict=True)
        )
        if not fits or fortran or kind.str not in _KINDS:
            raise ValueError(f"{name} is of the shape {there}, of {kind}.")
        size = math.prod(there) * kind.itemsize
        data = file.read(size)  # no more than that, however much the file would unpack to
        if len(data) != size or file.read(1):
            raise ValueError(f"{name} is not as long as it says.")
    return np.frombuffer(data, kind).reshape(there).astype(np.float64)
