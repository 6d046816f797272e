"""What is in the files and folders that options name: in which state they are, and a checksum of what they hold.

    state      what readers keep their answers by: another state, and they read again
    checksum   what signatures and caches of studies know a file or folder by

A folder is all that is in it, under its name. What is no ordinary file, as a pipe or a device, has no end and is
refused, and so is what holds more than anyone means.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import os
import pathlib
import stat
import zlib
from collections.abc import Iterator, Sequence

from tercet.errors import InputError
from tercet.limits import size

MOST_ENTRIES = 10_000  # files and folders of a folder
MOST_BYTES = 1 << 36  # of a file, unpacked
_PIECE = 1 << 20

File = str | os.PathLike[str]
State = tuple[tuple[str, int, int, int, int], ...]


def state(path: File | None) -> State:
    """When a file, or every file of a folder, was changed, how large it is and where it lies; () for what is not there.

    >>> state(None), state("nowhere")
    ((), ())
    """
    if path is None:
        return ()
    rows = []
    for name, file in _files(pathlib.Path(path)):
        try:
            about = file.stat()
        except (OSError, ValueError):
            continue  # reading it says what is wrong
        rows.append((name, about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino))
    return tuple(rows)


def checksum(paths: str | Sequence[str]) -> str:
    """What is in files, packed or not, or in all files of folders and what those are called, in 16 hexadecimal digits.

    A file may be called otherwise and lie elsewhere: what is in it counts.
    """
    digest = hashlib.sha256()
    for path in [paths] if isinstance(paths, str) else paths:
        for name, file in _files(pathlib.Path(path)):
            if name:
                digest.update(f"{len(os.fsencode(name))}:".encode() + os.fsencode(name))
            digest.update(_checksum(file, state(_ordinary(file))))
    return digest.hexdigest()[:16]


def _ordinary(file: pathlib.Path) -> pathlib.Path:
    """A file that can be read to its end."""
    try:
        mode = file.stat().st_mode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{file} cannot be read: {reason}.", hint="Check the file.") from error
    if not stat.S_ISREG(mode):
        raise InputError(f"{file} is no ordinary file.", hint="Save what it gives to a file and name that.")
    return file


def _files(path: pathlib.Path) -> Iterator[tuple[str, pathlib.Path]]:
    """The files of a folder in order, each with its name in it; a file is one without a name."""
    if not path.is_dir():
        yield "", path
        return
    entries = 0
    names: list[str] = []
    for folder, folders, files in os.walk(path, followlinks=True):
        entries += len(folders) + len(files)
        if entries > MOST_ENTRIES:
            raise InputError(
                f"The folder {path} has more than {MOST_ENTRIES} files and folders in it.",
                hint="Name the folder in which just those files lie that are needed.",
            )
        names += [os.path.relpath(pathlib.Path(folder, file), path) for file in files]
    yield from ((name, path / name) for name in sorted(names))


@functools.lru_cache(maxsize=64)
def _checksum(path: pathlib.Path, _state: State) -> bytes:
    # of the text, since what packs it may write the time into the file
    digest = hashlib.sha256()
    left = MOST_BYTES
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
                left -= len(piece)
                if left < 0:
                    raise InputError(f"{path} holds more than {size(MOST_BYTES)}.", hint="Check the file.")
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {error}.", hint="Check the file.") from error
    return digest.digest()
