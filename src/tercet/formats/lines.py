"""Bytes, UTF-8 and lines: the ground under every text format.

A line ends at "\\n" and nowhere else, so that U+2028, U+0085 or a lone carriage return stay inside a segment.
One carriage return before the line's end belongs to the end; a byte order mark at the start of the file is
dropped; the last line may lack its "\\n"; an empty file has no lines. `.gz` and `.zst` are unpacked and packed by
`packing`, "-" is standard input, and addresses and patterns are those of `places`: the lines of several files follow
each other as those of one.

    blocks    a file as lists of lines, in bounded memory
    kept      the same of a file of which everything is kept, refused where that is more than the memory allows
    whole     a file as one string, for formats that are not made of lines
    write     text to a file, which is either all there or not there
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import re
import secrets
import select
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TypeAlias, cast

from tercet import limits
from tercet.errors import InputError
from tercet.formats import packing, places
from tercet.limits import Budget

File: TypeAlias = places.File

STDIN = "-"
BLOCK = 65_536  # lines
BLOCK_BYTES = limits.PART  # of a block, however few lines that are
BEGINNING = packing.BEGINNING
CHUNK = 1 << 18  # bytes; 1 MiB and 4 MiB were slower
LINE_LIMIT = 1 << 26  # bytes of one line: what a hostile file can make us hold
FILE_LIMIT = 1 << 28  # bytes of a file that must be held as a whole
MARK = b"\xef\xbb\xbf"  # the byte order mark, in UTF-8

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_NAME_BYTES = 200  # of 255 that a name may have
_PART = re.compile(r"[0-9a-f]{8}\.part")


def shown(path: File) -> str:
    """The name of a file in a message."""
    return "standard input" if is_stdin(path) else places.address(path) or os.fspath(path)


def is_stdin(path: File) -> bool:
    """Whether a name means standard input."""
    return os.fspath(path) == STDIN


def blocks(
    path: File,
    size: int = BLOCK,
    *,
    most: int = BLOCK_BYTES,
    budget: Budget | None = None,
    live: bool = False,
    header: bool = False,
) -> Iterator[list[str]]:
    """The lines of a file in lists of `size`; the last one may be shorter, and those of `most` bytes; none is empty.

    With a budget, from which all that is read is taken, only `size` counts. With `live`, what comes through a pipe or
    from a person does not wait for more: a list ends where nothing is there to be read at once. Of several files with a
    `header`, each begins with the same line, which comes once.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"one\\r\\ntwo\\nthree")
    ...     file.flush()
    ...     list(blocks(file.name, size=2))
    [['one', 'two'], ['three']]
    """
    live = live and comes_in(path)
    yield from lists(_follow(path, header, live), size, most, budget, live)


def lists(
    pieces: Iterable[tuple[list[str], int]], size: int, most: int, budget: Budget | None = None, live: bool = False
) -> Iterator[list[str]]:
    """Lines, with the bytes that they had, in lists as `blocks` has them."""
    pending: list[str] = []
    held = 0
    for lines, n_bytes in pieces:
        pending += lines
        taken = n_bytes + limits.TEXT * len(lines)
        held += taken
        if budget is not None:
            budget.take(taken)
        at = 0
        while len(pending) - at >= size or (budget is None and held > most and at < len(pending)):
            yield pending[at : at + size]
            at += size
            held = taken
        del pending[:at]
        if live and pending:
            yield pending
            pending, held = [], 0
    if pending:
        yield pending


def _follow(path: File, header: bool, live: bool) -> Iterator[tuple[list[str], int]]:
    """Lines of one file after the other, and the bytes that they had."""
    first: str | None = None
    for file in places.files(path):
        begins = header
        for lines, n_bytes in _split(file, live):
            if begins and first is not None:
                require_header(lines[0], first, file, path)
                del lines[0]
            elif begins:
                first = lines[0]
            begins = False
            yield lines, n_bytes


def require_header(line: str, first: str, file: File, path: File) -> None:
    """Refuse a file of a pattern that begins with another line than the first one."""
    if line != first:
        raise InputError(
            f"{shown(file)}, line 1: the columns are other ones than those of {places.files(path)[0]}.",
            hint="Files of one pattern begin with the same header line.",
        )


def kept(path: File) -> Iterator[list[str]]:
    """The lines of a file in lists, for whoever keeps what is in them: a file may have a share of the memory."""
    return blocks(path, budget=limits.file_budget(shown(path)))


def whole(path: File, limit: int = FILE_LIMIT) -> str:
    """A file as one string, its lines ended by "\\n", refused beyond `limit` bytes."""
    pieces = list(bounded(path, limit))
    if not pieces:
        return ""
    require_text(path, pieces[0])
    return _decode(b"".join(pieces), path, 0).removeprefix("\ufeff").replace("\r\n", "\n")


def bounded(path: File, limit: int = FILE_LIMIT) -> Iterator[bytes]:
    """A file's bytes in pieces, unpacked, refused beyond `limit`: a small .gz can hold any amount."""
    seen = 0
    with opened(path) as file:
        while piece := file.read(CHUNK):
            seen += len(piece)
            if seen > limit:
                raise InputError(
                    f"{shown(path)} is larger than {limits.size(limit)}, which is as much as is read at once.",
                    hint="Split it, or convert it to a table (.tsv or .parquet), which is read in parts.",
                )
            yield piece


def count(path: File) -> int:
    """How many lines a file has, as fast as it can be read."""
    n_lines = 0
    for one in places.files(path):
        last = b"\n"
        with opened(one) as file:
            while piece := file.read(CHUNK):
                n_lines, last = n_lines + piece.count(b"\n"), piece[-1:]
        n_lines += last != b"\n"
    return n_lines


def head(path: File, size: int = 4096) -> bytes:
    """The first bytes of a file, or of the first one of several, unpacked."""
    with opened(places.files(path)[0]) as file:
        return file.read(size)


@contextlib.contextmanager
def opened(path: File) -> Iterator[IO[bytes]]:
    """A file to read bytes from, unpacked if it is .gz or .zst; whatever goes wrong with it is an InputError.

    What is packed in another way, for which no reader has a use, is called what it is.
    """
    if "\0" in os.fspath(path):  # Python's own complaint would be a ValueError
        raise unreadable(path, FileNotFoundError())
    try:
        with _unpacking(places.single(path)) as file:
            if hasattr(file, "peek") and packing.no_text(start := file.peek(16)):
                raise _no_text(path, start)
            yield file
    except (OSError, *packing.ERRORS) as error:
        raise unreadable(path, error) from error
    except Exception as error:
        if not packing.is_zstd_error(error):
            raise
        raise unreadable(path, error) from error


@contextlib.contextmanager
def said(path: File) -> Iterator[None]:
    """Whatever goes wrong with a file inside is an InputError."""
    try:
        yield
    except OSError as error:
        raise unreadable(path, error) from error


@contextlib.contextmanager
def _unpacking(path: File) -> Iterator[IO[bytes]]:
    if is_stdin(path):
        yield sys.stdin.buffer
        return
    with places.opened(path) as file, packing.unpacking(file, path) as unpacked:
        yield unpacked


def unreadable(path: File, error: Exception) -> InputError:
    """What is wrong with a file that cannot be read, in a sentence."""
    name = shown(path)
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return InputError(f"There is no file {name}.", hint=f"Check the name; we are in {Path.cwd()}.")
        case IsADirectoryError():
            return InputError(f"{name} is a directory where a file is needed.", hint="Name a file in it.")
        case PermissionError():
            return InputError(f"{name} may not be read.", hint=f"Allow it: chmod u+r {name}")
    if (unsound := packing.unsound(name, error)) is not None:
        return unsound
    reason = error.strerror if isinstance(error, OSError) else None
    return InputError(f"{name} cannot be read: {reason or error}.", hint="Check the disk and the file.")


def comes_in(path: File) -> bool:
    """Whether a file is not there as a whole, but comes through a pipe or from a terminal."""
    try:
        return not stat.S_ISREG((os.fstat(sys.stdin.fileno()) if is_stdin(path) else Path(path).stat()).st_mode)
    except OSError:  # it is not there at all, or no file of the system
        return False


def _split(path: File, live: bool = False) -> Iterator[tuple[list[str], int]]:
    """Lines, and the bytes that they had."""
    n_before = 0
    for data in whole_lines(path, live):
        if lines := split(data, path, n_before):
            n_before += len(lines)
            yield lines, len(data)


def split(data: bytes, path: File, n_before: int) -> list[str]:
    """The lines of a piece that ends where a line ends, after so many others of the file."""
    text = _decode(data, path, n_before)
    if not n_before:
        text = text.removeprefix("\ufeff")
        if not text:
            return []
    ended = text.endswith("\n")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if ended:
        lines.pop()
    else:
        lines[-1] = lines[-1].removesuffix("\r")
    return lines


def whole_lines(path: File, live: bool = False) -> Iterator[bytes]:
    """Pieces that end where a line ends, so that no character and no CRLF is cut."""
    tail: list[bytes] = []
    length = 0
    begins = True
    with opened(path) as file:
        while chunk := _what_is_there(file) if live else file.read(CHUNK):
            if begins:
                require_text(path, chunk)
                begins = False
            cut = chunk.rfind(b"\n") + 1
            if cut:
                yield b"".join([*tail, chunk[:cut]])
                tail, length = [], 0
            tail.append(chunk[cut:])
            length += len(chunk) - cut
            if length > LINE_LIMIT:
                raise InputError(
                    f"{shown(path)} has a line of more than {limits.size(LINE_LIMIT)}.",
                    hint="Check that it is a text file with one segment a line.",
                )
    rest = b"".join(tail)
    if rest:
        yield rest


def _what_is_there(file: IO[bytes]) -> bytes:
    """What can be read without waiting, once something can be; nothing at the end."""
    reader = cast(io.BufferedReader, file)
    got = [reader.read1(CHUNK)]
    while got[-1] and sum(map(len, got)) < CHUNK and select.select([file], [], [], 0)[0]:
        got.append(reader.read1(CHUNK))
    return b"".join(got)


def _decode(data: bytes, path: File, n_before: int) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = n_before + data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        byte = data[error.start]
        if n_before == 0 and data.startswith(_UTF16):
            hint = "It looks like UTF-16; convert it: iconv -f UTF-16 -t UTF-8"
        elif packing.kind(start := data if n_before == 0 or is_stdin(path) else head(path)):
            raise _no_text(path, start) from None
        else:
            hint = "Convert it, for example from Latin-1: iconv -f ISO-8859-1 -t UTF-8"
        raise InputError(
            f"{shown(path)}, line {line}, byte {column}: 0x{byte:02x} is not UTF-8 there.", hint=hint
        ) from None


def require_text(path: File, start: bytes) -> None:
    """Refuse a file that begins so, if it is full of NULs, which UTF-8 allows; that of UTF-16 is told by its mark."""
    if packing.full_of_nuls(start) and not start.startswith(_UTF16):
        raise _no_text(path, start)


def _no_text(path: File, data: bytes) -> InputError:
    what, hint = packing.kind(data) or ("no text", "")
    return InputError(f"{shown(path)} is {what}, not text.", hint=hint)


def write(path: File, pieces: Iterable[str]) -> None:
    """Text to a file, packed if its name ends in .gz or .zst. Until all is written, an older file stays as it was."""
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
    """A file to write bytes to, which takes the place of `path` when all went well and vanishes otherwise.

    The file that was there keeps its mode, and a link stays a link. At an address a whole file appears at once.
    """
    _require_name(path)
    there = places.address(path)
    if there is not None:
        with _sent(there) as file:
            yield file
        return
    special = os.path.exists(path) and not os.path.isfile(path)
    target = Path(path) if special else Path(os.path.realpath(path))  # a link stays a link
    if target.is_dir():
        raise InputError(f"{os.fspath(path)} is a directory.", hint="Name the file to write.")
    try:
        with target.open("wb") if special else _part(target) as file:
            with packing.packing(file, path) as packed:
                yield packed
            file.flush()
            if not special:
                Path(file.name).replace(target)
    except OSError as error:
        raise _unwritable(path, error) from error


@contextlib.contextmanager
def _sent(there: str) -> Iterator[IO[bytes]]:
    """A file to write bytes to, which is sent to an address when all went well."""
    import tempfile  # which few wait for

    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "made")
        try:
            with made.open("wb") as file, packing.packing(file, there) as packed:
                yield packed
            places.put(made, there)
        except OSError as error:
            raise _unwritable(there, error) from error


@contextlib.contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """A folder to write to, which takes the place of `path` when all went well and vanishes otherwise."""
    _require_name(path)
    if places.address(path):
        raise no_folder(path)
    part: Path | None = None
    try:
        part = path.with_name(f"{_without_leftovers(path)}{secrets.token_hex(4)}.part")
        part.mkdir()
        with _locked(part):
            yield part
            if path.exists():
                shutil.rmtree(path)
            part.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)


def _require_name(path: File) -> None:
    """Refuse a name that no file system takes."""
    if "\0" in os.fspath(path):
        raise InputError(f"{shown(path)!r} is no name for a file: it holds a NUL.", hint="Name the file to write.")


def no_folder(path: File) -> InputError:
    """What is wrong with a folder at an address."""
    return InputError(
        f"{places.address(path)} is an address, and a folder of this machine is needed.",
        hint="Name a folder here, or on a disk that is mounted here.",
    )


def _unwritable(path: File, error: OSError) -> InputError:
    return InputError(
        f"{os.fspath(path)} cannot be written: {error.strerror or error}.",
        hint="Check that its directory exists, is yours to write to, and has room.",
    )


def _without_leftovers(target: Path) -> str:
    """How names of what is written beside another file or folder begin, after what killed runs left was removed."""
    pattern = f".{_shorter(target.name)}."
    for other in target.parent.iterdir():
        if other.name.startswith(pattern) and _PART.fullmatch(other.name, len(pattern)):
            _remove_if_left(other)
    return pattern


@contextlib.contextmanager
def _part(target: Path) -> Iterator[IO[bytes]]:
    """A new file beside another one, of its mode, locked as long as it is open: one without a lock is nobody's.

    It is gone afterwards, unless it was moved; its name is known before it is made, so that whenever somebody
    interrupts, none is left.
    """
    pattern = _without_leftovers(target)
    while True:
        part = target.with_name(f"{pattern}{secrets.token_hex(4)}.part")
        try:
            with part.open("xb") as file:
                with contextlib.suppress(FileNotFoundError):
                    os.fchmod(file.fileno(), target.stat().st_mode & 0o777)
                with contextlib.suppress(OSError):  # a file system without locks
                    fcntl.flock(file, fcntl.LOCK_EX)
                if part.exists():  # nobody took it for a leftover before it was locked
                    yield file
                    return
        finally:
            with contextlib.suppress(OSError):
                part.unlink()


def _shorter(name: str) -> str:
    """So much of a file's name that more can be put behind it: names are limited in bytes."""
    return name if len(os.fsencode(name)) <= _NAME_BYTES else os.fsencode(name)[:_NAME_BYTES].decode("utf-8", "ignore")


@contextlib.contextmanager
def _locked(part: Path) -> Iterator[None]:
    """A folder that somebody writes to; a file system may have no locks."""
    with contextlib.closing(_Descriptor(part)) as held:
        with contextlib.suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


class _Descriptor:
    """A file or folder that is open for nothing but its lock; no link is followed."""

    def __init__(self, path: Path) -> None:
        self.number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)

    def fileno(self) -> int:
        """As `flock` asks for it."""
        return self.number

    def close(self) -> None:
        """The lock ends."""
        os.close(self.number)


def _remove_if_left(part: Path) -> None:
    """Remove what a run that was killed has left: whoever still writes to it holds a lock. A planted pipe stays."""
    with contextlib.suppress(OSError):
        kind = part.lstat().st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            return
        with contextlib.closing(_Descriptor(part)) as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(part) if stat.S_ISDIR(kind) else part.unlink()
