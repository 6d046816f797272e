"""Files that are packed: `.gz` and `.zst` are unpacked and packed on the way, whatever is in them.

unpacking    bytes of a file, unpacked if its name says that it is packed
packing      bytes into a file, packed if its name says so
full_of_nuls whether it is no text, although it is UTF-8
unsound      what is wrong with packed data that cannot be unpacked
kind         what a file is, by its first bytes
"""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import sys
import zlib
from typing import IO, Any, cast

from tercet.errors import InputError, extra
from tercet.formats import places
from tercet.formats.places import File

PACKED = (".gz", ".zst")  # what names end in
ERRORS = (EOFError, zlib.error)  # of unpacking, beside those of the system and of zstd
BEGINNING = 1 << 16  # bytes by which a file is known
NULS = 10  # of so many bytes one may be a NUL in a text
_WINDOW = 27  # bits: 128 MiB, as much as zstd's own program holds without being told
_KINDS = {  # by their first bytes: what a file is, and what to do about it
    b"\x1f\x8b": ("compressed by gzip", "Give it a name that ends in .gz."),
    b"\xfd7zXZ\x00": ("compressed by xz", "Unpack it first: xz -dk FILE"),
    b"BZh": ("compressed by bzip2", "Unpack it first: bzip2 -dk FILE"),
    b"\x28\xb5\x2f\xfd": ("compressed by zstd", "Give it a name that ends in .zst."),
    b"PK\x03\x04": ("a zip archive, or a document of an office program", "Unpack it, or save it as plain text."),
    b"%PDF-": ("a PDF", "Save its text first: pdftotext FILE"),
    b"PAR1": ("a Parquet file", "Give it a name that ends in .parquet."),
}
_NO_TEXT = re.compile(rb"\x1f\x8b|\xfd7zXZ\x00|BZh[1-9](?:1AY&SY|\x17rE8P\x90)|\x28\xb5\x2f\xfd|PK\x03\x04")


def is_packed(path: File) -> bool:
    """Whether a name says that the file is packed."""
    return os.fspath(path).lower().endswith(PACKED)


def unpacked_name(path: File) -> str:
    """The name of a file in small letters, as it would be if it were not packed.

    >>> unpacked_name("Corpus.tsv.zst"), unpacked_name("corpus.tsv")
    ('corpus.tsv', 'corpus.tsv')
    """
    name = os.fspath(path).lower()
    return name.removesuffix(next((end for end in PACKED if name.endswith(end)), ""))


def unpacking(file: IO[bytes], path: File) -> contextlib.AbstractContextManager[IO[bytes]]:
    """An open file to read from, by the name that it has."""
    if not is_packed(path):
        return contextlib.nullcontext(file)
    if not _by_zstd(path):
        return cast(contextlib.AbstractContextManager[IO[bytes]], gzip.open(file, "rb"))
    zstd = _zstd(path)
    limits = {zstd.DecompressionParameter.window_log_max: _WINDOW}
    return cast(contextlib.AbstractContextManager[IO[bytes]], zstd.ZstdFile(file, options=limits))


def packing(file: IO[bytes], path: File) -> contextlib.AbstractContextManager[IO[bytes]]:
    """An open file to write to, by the name that it will have."""
    if not is_packed(path):
        return contextlib.nullcontext(file)
    if _by_zstd(path):
        return cast(contextlib.AbstractContextManager[IO[bytes]], _zstd(path).ZstdFile(file, "wb"))
    # No name and no time inside: the same text gives the same bytes.
    packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)
    return cast(contextlib.AbstractContextManager[IO[bytes]], packed)


def unsound(name: str, error: Exception) -> InputError | None:
    """What is wrong with a file whose packed data is not as it should be; None for any other error."""
    kind = "zstd" if _by_zstd(name) else "gzip"
    if isinstance(error, EOFError):
        return InputError(f"{name} breaks off inside its {kind} data.", hint="Copy or download it again.")
    if isinstance(error, (gzip.BadGzipFile, zlib.error)) or is_zstd_error(error):
        ending = ".zst" if kind == "zstd" else ".gz"
        return InputError(
            f"{name} is not sound {kind} data ({error}).",
            hint=f"If it is not compressed, take {ending} off its name; otherwise copy or download it again.",
        )
    return None


def is_zstd_error(error: Exception) -> bool:
    """Of a package that is there only where it is needed."""
    return type(error).__name__ == "ZstdError"


def _by_zstd(path: File) -> bool:
    return os.fspath(path).lower().endswith(".zst")


def _zstd(path: File) -> Any:
    """Python's own module of zstd, since 3.14, or the package that is the same for older ones."""
    module = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    return extra(module, "backports.zstd", places.EXTRA, places.address(path) or os.fspath(path))


def no_text(start: bytes) -> bool:
    """Whether no text begins so, since something packed does."""
    return _NO_TEXT.match(start) is not None


def full_of_nuls(data: bytes) -> bool:
    """Whether so many of the first bytes are NULs that it is no text, although UTF-8 allows them.

    >>> full_of_nuls(bytes(8)), full_of_nuls("Hello".encode("utf-16-le")), full_of_nuls(b"one in a long line: \\0")
    (True, True, False)
    """
    start = data[:BEGINNING]
    return start.count(0) * NULS > len(start)


def kind(data: bytes) -> tuple[str, str] | None:
    """What a file is that begins so and is no text, and what to do about it."""
    for start, what in _KINDS.items():
        if data.startswith(start):
            return what
    if b"\0" in data[:BEGINNING]:
        return "a binary file", "Name a text file in UTF-8; one in UTF-16 is converted so: iconv -f UTF-16 -t UTF-8"
    return None
