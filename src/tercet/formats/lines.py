"""Bytes, UTF-8 and lines: the ground under every text format.

A line ends at "\\n" and nowhere else, so that U+2028, U+0085 or a lone carriage return stay inside a segment.
One carriage return before the line's end belongs to the end; a byte order mark at the start of the file is
dropped; the last line may lack its "\\n"; an empty file has no lines. `.gz` is unpacked and packed on the
way, "-" is standard input.

    blocks    a file as lists of lines, in bounded memory
    whole     a file as one string, for formats that are not made of lines
    write     text to a file, which is either all there or not there
"""

from __future__ import annotations

import contextlib
import gzip
import os
import secrets
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, cast

from tercet.errors import InputError

File = str | os.PathLike[str]

STDIN = "-"
BLOCK = 65_536  # lines
CHUNK = 1 << 18  # bytes; 1 MiB and 4 MiB were slower
LINE_LIMIT = 1 << 26  # bytes of one line: what a hostile file can make us hold
FILE_LIMIT = 1 << 28  # bytes of a file that must be held as a whole

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_GZIP = b"\x1f\x8b"


def shown(path: File) -> str:
    """The name of a file in a message."""
    return "standard input" if is_stdin(path) else os.fspath(path)


def is_stdin(path: File) -> bool:
    """Whether a name means standard input."""
    return os.fspath(path) == STDIN


def is_gzip(path: File) -> bool:
    """Whether a name says that the file is compressed."""
    return os.fspath(path).lower().endswith(".gz")


def blocks(path: File, size: int = BLOCK) -> Iterator[list[str]]:
    """The lines of a file in lists of `size`, the last one perhaps shorter; none is empty.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"one\\r\\ntwo\\nthree")
    ...     file.flush()
    ...     list(blocks(file.name, size=2))
    [['one', 'two'], ['three']]
    """
    pending: list[str] = []
    for lines in _split(path):
        pending += lines
        at = 0
        while len(pending) - at >= size:
            yield pending[at : at + size]
            at += size
        del pending[:at]
    if pending:
        yield pending


def whole(path: File, limit: int = FILE_LIMIT) -> str:
    """A file as one string, its lines ended by "\\n", refused beyond `limit` bytes."""
    pieces = list(bounded(path, limit))
    if not pieces:
        return ""
    return _decode(b"".join(pieces), path, 0).removeprefix("\ufeff").replace("\r\n", "\n")


def bounded(path: File, limit: int = FILE_LIMIT) -> Iterator[bytes]:
    """A file's bytes in pieces, unpacked, refused beyond `limit`: a small .gz can hold any amount."""
    seen = 0
    with opened(path) as file:
        while piece := file.read(CHUNK):
            seen += len(piece)
            if seen > limit:
                raise InputError(
                    f"{shown(path)} is larger than {_size(limit)}, which is as much as is read at once.",
                    hint="Split it, or convert it to a table (.tsv or .parquet), which is read in parts.",
                )
            yield piece


def head(path: File, size: int = 4096) -> bytes:
    """The first bytes of a file, unpacked."""
    with opened(path) as file:
        return file.read(size)


@contextlib.contextmanager
def opened(path: File) -> Iterator[IO[bytes]]:
    """A file to read bytes from, unpacked if it is .gz; whatever goes wrong with it is an InputError."""
    if "\0" in os.fspath(path):  # Python's own complaint would be a ValueError
        raise _unreadable(path, FileNotFoundError())
    try:
        if is_stdin(path):
            yield sys.stdin.buffer
        elif is_gzip(path):
            with gzip.open(path, "rb") as packed:
                yield cast(IO[bytes], packed)
        else:
            with Path(path).open("rb") as file:
                yield file
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: File, error: Exception) -> InputError:
    name = shown(path)
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return InputError(f"There is no file {name}.", hint=f"Check the name; we are in {Path.cwd()}.")
        case IsADirectoryError():
            return InputError(f"{name} is a directory where a file is needed.", hint="Name a file in it.")
        case PermissionError():
            return InputError(f"{name} may not be read.", hint=f"Allow it: chmod u+r {name}")
        case EOFError():
            return InputError(f"{name} breaks off inside its gzip data.", hint="Copy or download it again.")
        case gzip.BadGzipFile() | zlib.error():
            return InputError(
                f"{name} is not sound gzip data ({error}).",
                hint="If it is not compressed, take .gz off its name; otherwise copy or download it again.",
            )
    reason = error.strerror if isinstance(error, OSError) else None
    return InputError(f"{name} cannot be read: {reason or error}.", hint="Check the disk and the file.")


def _split(path: File) -> Iterator[list[str]]:
    n_before = 0
    for data in _whole_lines(path):
        text = _decode(data, path, n_before)
        if not n_before:
            text = text.removeprefix("\ufeff")
            if not text:
                continue
        ended = text.endswith("\n")
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        lines = text.split("\n")
        if ended:
            lines.pop()
        else:
            lines[-1] = lines[-1].removesuffix("\r")
        n_before += len(lines)
        yield lines


def _whole_lines(path: File) -> Iterator[bytes]:
    """Pieces that end where a line ends, so that no character and no CRLF is cut."""
    tail: list[bytes] = []
    length = 0
    with opened(path) as file:
        while chunk := file.read(CHUNK):
            cut = chunk.rfind(b"\n") + 1
            if cut:
                yield b"".join([*tail, chunk[:cut]])
                tail, length = [], 0
            tail.append(chunk[cut:])
            length += len(chunk) - cut
            if length > LINE_LIMIT:
                raise InputError(
                    f"{shown(path)} has a line of more than {_size(LINE_LIMIT)}.",
                    hint="Check that it is a text file with one segment a line.",
                )
    rest = b"".join(tail)
    if rest:
        yield rest


def _size(n: int) -> str:
    return f"{n >> 20} MiB" if n >= 1 << 20 else f"{n} bytes"


def _decode(data: bytes, path: File, n_before: int) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = n_before + data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        byte = data[error.start]
        if n_before == 0 and data.startswith(_UTF16):
            hint = "It looks like UTF-16; convert it: iconv -f UTF-16 -t UTF-8"
        elif n_before == 0 and data.startswith(_GZIP):
            hint = "It looks compressed; give it a name that ends in .gz."
        else:
            hint = "Convert it, for example from Latin-1: iconv -f ISO-8859-1 -t UTF-8"
        raise InputError(
            f"{shown(path)}, line {line}, byte {column}: 0x{byte:02x} is not UTF-8 there.", hint=hint
        ) from None


def write(path: File, pieces: Iterable[str]) -> None:
    """Text to a file, packed if its name ends in .gz. Until all is written, an older file stays as it was."""
    with replacing(path) as file:
        for piece in pieces:
            try:
                file.write(piece.encode("utf-8"))
            except UnicodeEncodeError as error:
                raise InputError(
                    f"{os.fspath(path)} cannot hold {piece[error.start]!r}, which is half a character.",
                    hint="Repair the text: it has a lone surrogate, which UTF-8 does not allow.",
                ) from None


@contextlib.contextmanager
def replacing(path: File) -> Iterator[IO[bytes]]:
    """A file to write bytes to, which takes the place of `path` when all went well and vanishes otherwise."""
    special = os.path.exists(path) and not os.path.isfile(path)  # noqa: PTH110, PTH113 - pipes must not be replaced
    target = Path(path) if special else Path(os.path.realpath(path))  # a link stays a link
    if target.is_dir():
        raise InputError(f"{os.fspath(path)} is a directory.", hint="Name the file to write.")
    beside = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with target.open("wb") if special else beside.open("xb") as file, _packing(file, path) as packed:
            yield packed
        if not special:
            beside.replace(target)
    except OSError as error:
        raise InputError(
            f"{os.fspath(path)} cannot be written: {error.strerror or error}.",
            hint="Check that its directory exists, is yours to write to, and has room.",
        ) from error
    finally:
        if not special:
            with contextlib.suppress(OSError):
                beside.unlink()


def _packing(file: IO[bytes], path: File) -> contextlib.AbstractContextManager[IO[bytes]]:
    if not is_gzip(path):
        return contextlib.nullcontext(file)
    # No name and no time inside: the same text gives the same bytes.
    packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)
    return cast(contextlib.AbstractContextManager[IO[bytes]], packed)
