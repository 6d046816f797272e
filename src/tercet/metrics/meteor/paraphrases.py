"""Paraphrase tables as METEOR reads them, kept in a form that a process can map into its memory.

A table is text, perhaps packed (.gz): three lines an entry, a probability, the reference's phrase and its paraphrase.
To read METEOR's English one, five million entries, takes seconds; so what is made of it is kept in the user's cache
folder, under the digest of the table. A cache that is damaged, or of another version, is written anew. Where none can
be written, the table is read each time, with a warning.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import mmap
import os
import pathlib
import stat
import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tercet import contents, kernels
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File
from tercet.text.base import pack

SMALL = 1 << 20  # bytes of a table that is read faster than a cache is worth
_LIMIT = 1 << 31  # bytes, unpacked
_CLUE = "A table has three lines an entry: a probability, a phrase, its paraphrase."


class ParaphraseTable(kernels.ParaphraseTable):
    """Phrases and their paraphrases, in the order of the table; `source` is the digest of its file."""

    def pair(self, hypothesis: Sequence[str], reference: Sequence[str]) -> npt.NDArray[np.int32]:
        """All matches of two sentences, (n, 4): start and length in the reference, then in the hypothesis."""
        sides = [(*pack(words), np.array([0, len(words)], dtype=np.int64)) for words in (hypothesis, reference)]
        return self.matches(sides[0], sides[1], np.array([0, 1], dtype=np.int64), 1)[1]


def load(path: File) -> ParaphraseTable:
    """The table of a file, from the cache if it was read before."""
    name = os.fspath(path)
    if lines.is_stdin(name):
        raise InputError("A paraphrase table cannot be read from standard input.", hint="Name its file.")
    lines.head(name, 1)  # which says what is wrong with the file, if anything is
    about = pathlib.Path(name).stat()
    if not stat.S_ISREG(about.st_mode):
        raise InputError(f"{name} is no ordinary file.", hint="Save the paraphrase table to a file and name that.")
    return _load(os.path.realpath(name), about.st_size, contents.state(name))


@functools.lru_cache(maxsize=4)
def _load(path: str, size: int, _state: contents.State) -> ParaphraseTable:
    try:
        with pathlib.Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").digest()
    except OSError as error:
        raise lines.unreadable(path, error) from error
    if size < SMALL:
        return ParaphraseTable(_block(path, digest))
    cached = _cache_file(digest)
    table = None if cached is None else _mapped(cached, digest)
    if table is None:
        block = _block(path, digest)
        table = _stored(cached, block, digest) or ParaphraseTable(block)
    return table


def _block(path: str, digest: bytes) -> npt.NDArray[np.uint8]:
    builder = kernels.ParaphraseBuilder(_LIMIT)
    try:
        with lines.opened(path) as file:
            while piece := file.read(lines.CHUNK):
                builder.add(piece)
        return builder.finish(digest)
    except InputError:
        raise
    except ValueError as error:
        line, _, what = str(error).partition("\t")
        raise InputError(f"{path}, line {line}: {what}.", hint=_CLUE) from None


def cache_folder() -> pathlib.Path | None:
    """The user's folder for what can be made again; none where there is no home."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    with contextlib.suppress(RuntimeError):
        base = pathlib.Path(given) if pathlib.PurePath(given).is_absolute() else pathlib.Path.home() / ".cache"
        return base / "tercet"
    return None


def _cache_file(digest: bytes) -> pathlib.Path | None:
    folder = cache_folder()
    return None if folder is None else folder / f"paraphrases-{digest.hex()[:32]}.bin"


def _mapped(path: pathlib.Path, digest: bytes) -> ParaphraseTable | None:
    """The table in a cache file, or none if the file is not there or not sound."""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        table = ParaphraseTable(np.frombuffer(data, dtype=np.uint8))
    except (OSError, ValueError):
        return None
    return table if table.source == digest else None


def _stored(path: pathlib.Path | None, block: npt.NDArray[np.uint8], digest: bytes) -> ParaphraseTable | None:
    """The same table, written and mapped; beside and renamed, so that others never see half of it."""
    reason: object = "there is no home folder"
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with lines.replacing(path) as file:
                file.write(block.data)
            return _mapped(path, digest)
        except (OSError, InputError) as error:
            reason = error
    warnings.warn(
        f"The paraphrase table could not be kept for the next time, and must be read again then "
        f"({str(reason).rstrip('.')}). XDG_CACHE_HOME names another folder.",
        stacklevel=2,
    )
    return None
