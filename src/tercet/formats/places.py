"""Where files are: on this machine, or on storage that fsspec reaches; one by its name, or several by a pattern.

    s3://bucket/corpus.tsv.zst    an address: read through fsspec and the package of its protocol
    corpus-*.tsv.zst              a pattern: its files are read as one, corpus-2 before corpus-10

An address may have lost one of its strokes in a `pathlib.Path`. A file that is there by just that name is that file,
and no pattern.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from tercet.errors import InputError, MissingExtraError, extra

File = str | os.PathLike[str]

# what fsspec has of each, and the package that its own package list names
PROTOCOLS = {
    "s3": "s3fs",
    "gs": "gcsfs",
    "gcs": "gcsfs",
    "hdfs": "pyarrow",
    "webhdfs": "requests",
    "abfs": "adlfs",
    "az": "adlfs",
    "memory": "fsspec",
}
EXTRA = "storage"
MOST_FILES = 65_536  # of a pattern
_ADDRESS = re.compile(rf"({'|'.join(PROTOCOLS)}):/+(.+)", re.DOTALL)
_PATTERN = re.compile(r"[*?\[]")
_DIGITS = re.compile(r"(\d+)", re.ASCII)
_BUFFER = 1 << 20  # bytes that are asked for at once


def address(path: File) -> str | None:
    """The address that a name is, whole again, or None for a file of this machine.

    >>> address(Path("s3://bucket/corpus.tsv")), address("corpus.tsv")
    ('s3://bucket/corpus.tsv', None)
    """
    match = _ADDRESS.fullmatch(os.fspath(path))
    return None if match is None else f"{match[1]}://{match[2]}"


def is_pattern(path: File) -> bool:
    """Whether a name stands for all files that are like it."""
    name = os.fspath(path)
    return _PATTERN.search(name) is not None and "\0" not in name and not os.path.lexists(name)


def files(path: File) -> list[File]:
    """The file, or those of a pattern in natural order.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("a-10.txt", "a-9.txt", "b.txt"):
    ...         Path(folder, name).touch()
    ...     [Path(file).name for file in files(f"{folder}/a-*.txt")]
    ['a-9.txt', 'a-10.txt']
    """
    if not is_pattern(path):
        return [path]
    there = address(path)
    if there is None:
        import glob  # which few wait for

        names = [name for name in glob.iglob(os.fspath(path)) if not os.path.isdir(name)]  # noqa: PTH207
    else:
        with _told(there):
            system, inside = _system(there)
            names = [system.unstrip_protocol(name) for name in system.glob(inside) if system.isfile(name)]
    if not names:
        raise InputError(
            f"No file is called like {os.fspath(path)}.", hint=f"Check the pattern; we are in {Path.cwd()}."
        )
    if len(names) > MOST_FILES:
        raise InputError(f"{len(names)} files are called like {os.fspath(path)}.", hint=f"Take {MOST_FILES} at most.")
    return [*sorted(names, key=_natural)]


def _natural(name: str) -> tuple[list[tuple[int, str]], str]:
    """Numbers in a name as numbers; one that is too long for that is no number."""
    pieces = _DIGITS.split(name)
    return [(int(p), "") if p.isdecimal() and len(p) < 100 else (-1, p) for p in pieces], name


def single(path: File) -> File:
    """The file, or the only one of a pattern."""
    first, *others = files(path)
    if others:
        raise InputError(
            f"{len(others) + 1} files are called like {os.fspath(path)}, and one is needed here.",
            hint="Name one of them; patterns are for plain text and tables.",
        )
    return first


def is_file(path: File) -> bool:
    """Whether there is an ordinary file, or some of a pattern, that can be read more than once."""
    if "\0" in os.fspath(path):
        return False
    if is_pattern(path):
        return all(map(is_file, files(path)))
    there = address(path)
    if there is None:
        return os.path.isfile(path)
    with _told(there):
        system, inside = _system(there)
        return bool(system.isfile(inside))


def opened(path: File) -> IO[bytes]:
    """A file to read bytes from, as they are; one at an address is read in pieces, on demand."""
    there = address(path)
    if there is None:
        return Path(path).open("rb")
    with _told(there):
        system, inside = _system(there)
        return cast(IO[bytes], io.BufferedReader(_Stored(system.open(inside, "rb"), there), _BUFFER))


def put(file: Path, path: str) -> None:
    """A file of this machine to an address."""
    with _told(path):
        system, inside = _system(path)
        system.put_file(os.fspath(file), inside)


def absolute(path: Path) -> Path:
    """A file's whole name, by which another process finds it, too."""
    return path if address(path) else path.absolute()


def _system(there: str) -> tuple[Any, str]:
    """The file system of an address, and what the file is called in it."""
    if "::" in there:
        raise InputError(f"{there} is a chain of addresses.", hint="Name one file at one address.")
    fsspec = extra("fsspec", "fsspec", EXTRA, there)
    try:
        system, inside = fsspec.core.url_to_fs(there)
    except ImportError as error:
        package = PROTOCOLS[there.partition(":")[0]]
        raise MissingExtraError(
            f"{there} needs the package {package}, which is not installed.", hint=f"Install it: pip install {package}"
        ) from error
    return system, inside


@contextlib.contextmanager
def _told(there: str) -> Iterator[None]:
    """Whatever a package of a protocol raises as an error of files, which readers turn into a sentence."""
    try:
        yield
    except (OSError, InputError, MissingExtraError, MemoryError):
        raise
    except Exception as error:  # each has its own, of credentials, of networks
        raise OSError(f"{type(error).__name__}: {error}") from error


class _Stored(io.RawIOBase):
    """A file at an address, whose errors are those of files."""

    def __init__(self, file: Any, there: str) -> None:
        self.file, self.there = file, there

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _told(self.there):
            data = self.file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with _told(self.there):
            return int(self.file.seek(offset, whence))

    def tell(self) -> int:
        return int(self.file.tell())

    def close(self) -> None:
        if not self.closed:
            self.file.close()
        super().close()
