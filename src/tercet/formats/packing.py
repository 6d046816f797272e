"""Files that are packed: `.gz` and `.zst` are unpacked and packed on the way, whatever is in them.

unpacking    bytes of a file, unpacked if its name says that it is packed
packing      bytes into a file, packed if its name says so
unsound      what is wrong with packed data that cannot be unpacked
"""

from __future__ import annotations

import contextlib
import gzip
import os
import sys
import zlib
from typing import IO, Any, cast

from tercet.errors import InputError, extra
from tercet.formats import places
from tercet.formats.places import File

PACKED = (".gz", ".zst")  # what names end in
ERRORS = (EOFError, zlib.error)  # of unpacking, beside those of the system and of zstd
_WINDOW = 27  # bits: 128 MiB, as much as zstd's own program holds without being told


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
