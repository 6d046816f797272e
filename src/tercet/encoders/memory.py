"""Vectors that were made before: the latest in memory, and all of them in a folder if one is named.

A vector is known by the checksum of the weights, what was made of the layers, and the tokens that were read. The
folder holds one SQLite file, so that several runs may share it; a row that is damaged is made again.
"""

from __future__ import annotations

import collections
import contextlib
import hashlib
import pathlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from tercet.errors import InputError

Vectors = npt.NDArray[np.float32]
MOST_BYTES = 384 << 20  # in memory, of all encoders together
FILE = "vectors.sqlite"
_ASKED = 500  # keys in one question


def key_of(*parts: bytes | str) -> bytes:
    """What vectors are known by."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.digest()


class VectorMemory:
    """The vectors used last, up to a number of bytes."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self.size = 0
        self._kept: collections.OrderedDict[bytes, Vectors] = collections.OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> Vectors | None:
        """The vectors of a key, which are then the latest."""
        with self._lock:
            vectors = self._kept.get(key)
            if vectors is not None:
                self._kept.move_to_end(key)
            return vectors

    def put(self, key: bytes, vectors: Vectors) -> None:
        """Keep vectors, and drop those that nobody has asked for longest."""
        with self._lock:
            if key in self._kept or vectors.nbytes > self.most:
                return
            self._kept[key] = vectors
            self.size += vectors.nbytes
            while self.size > self.most:
                self.size -= self._kept.popitem(last=False)[1].nbytes


class VectorFolder:
    """The vectors of a folder."""

    def __init__(self, folder: str | pathlib.Path) -> None:
        self.path = pathlib.Path(folder) / FILE
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{folder} cannot hold vectors: {error.strerror}.", hint="Name another folder.") from None
        with self._opened() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, shape TEXT, numbers BLOB)")

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(self.path, timeout=60)
            try:
                with connection:
                    yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise InputError(
                f"{self.path} cannot be used as a store of vectors: {error}.", hint="Name another folder, or delete it."
            ) from None

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Vectors]:
        """The vectors of those keys that are there."""
        asked, known = list(keys), dict[bytes, Vectors]()
        with self._opened() as connection:
            for at in range(0, len(asked), _ASKED):
                some = asked[at : at + _ASKED]
                marks = ",".join("?" * len(some))
                rows = connection.execute(f"SELECT key, shape, numbers FROM vectors WHERE key IN ({marks})", some)  # noqa: S608
                for key, shape, numbers in rows:
                    vectors = _restored(shape, numbers)
                    if vectors is not None:
                        known[key] = vectors
        return known

    def put(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Store vectors, all of them or none."""
        rows = [(key, " ".join(map(str, v.shape)), _sealed(v.tobytes())) for key, v in vectors.items()]
        with self._opened() as connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)


def _sealed(numbers: bytes) -> bytes:
    return hashlib.sha256(numbers).digest()[:8] + numbers


def _restored(shape: object, sealed: object) -> Vectors | None:
    """Vectors as they were stored; None if anything is wrong with them."""
    if not isinstance(shape, str) or not isinstance(sealed, bytes) or _sealed(sealed[8:]) != sealed:
        return None
    try:
        sizes = tuple(map(int, shape.split()))
        return np.frombuffer(sealed[8:], dtype=np.float32).reshape(sizes)
    except ValueError:
        return None
