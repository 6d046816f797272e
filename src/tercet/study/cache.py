"""Statistics kept between runs: a metric is counted again only if its signature or a text has changed.

One file for each test set and metric, named by a digest of all texts that the metric sees, its name with all options,
and the version. Files are arrays and nothing else; one that is broken is counted anew.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import pathlib
import weakref
import zipfile
import zlib
from importlib.metadata import version

import numpy as np
import numpy.typing as npt

from tercet.data import Array, Statistics, TestSet
from tercet.errors import InputError
from tercet.formats.lines import replacing
from tercet.meta.machines import Statistician
from tercet.metric import Metric
from tercet.spec import show

_WHOLE = (np.uint8, np.uint16, np.uint32)


@dataclasses.dataclass(frozen=True, eq=False)
class Cache:
    """Statistics by digest, in a folder; without a folder nothing is kept. `computed` and `found` say what was done."""

    folder: pathlib.Path | None
    count: Statistician
    computed: list[str] = dataclasses.field(default_factory=list)
    found: list[str] = dataclasses.field(default_factory=list)
    digests: weakref.WeakKeyDictionary[TestSet, str] = dataclasses.field(default_factory=weakref.WeakKeyDictionary)

    def statistics(self, testset: TestSet, metric: Metric) -> Statistics:
        """Those of an earlier run, or counted now."""
        path = None if self.folder is None else self.folder / f"{self._key(testset, metric)}.npz"
        if path is not None and (rows := _load(path, (len(testset.systems), len(testset)))) is not None:
            self.found.append(str(metric))
            return Statistics(tuple(testset.systems), rows, metric.score)
        counted = self.count(testset, metric)
        self.computed.append(str(metric))
        if path is not None:
            _store(path, counted.rows)
        return counted

    def _key(self, testset: TestSet, metric: Metric) -> str:
        if testset not in self.digests:
            self.digests[testset] = _digest(testset)
        options = ",".join(f"{name}={show(value)}" for name, value in metric.parameters().items())
        told = f"{self.digests[testset]}|{metric.name}({options})|{version('tercet')}"
        return f"{metric.name}-{hashlib.sha256(told.encode()).hexdigest()[:24]}"


def _digest(testset: TestSet) -> str:
    """Of every text and name; lengths are told, so that no two test sets look alike."""
    found = hashlib.sha256()

    def tell(*texts: str) -> None:
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            found.update(f"{len(data)}:".encode())
            found.update(data)

    tell(str(len(testset)), str(len(testset.systems)))
    for name, texts in testset.systems.items():
        tell(name, *texts)
    if testset.references is not None:
        tell("references", *(str(n) for n in testset.references.groups), *testset.references.texts)
    if testset.sources is not None:
        tell("sources", *testset.sources)
    return found.hexdigest()


def make_folder(folder: pathlib.Path) -> None:
    """A folder to write to, made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The folder {folder} cannot be made: {error.strerror}.", hint="Check that no file of that name is there."
        ) from error


def _store(path: pathlib.Path, rows: Array) -> None:
    make_folder(path.parent)
    page = io.BytesIO()
    np.savez_compressed(page, rows=_narrow(rows))
    with replacing(path) as file:
        file.write(page.getvalue())


def _narrow(rows: Array) -> npt.NDArray[np.generic]:
    """Counts in as few bytes as they need: what comes back is the same."""
    if rows.size and (rows >= 0).all() and (rows == np.floor(rows)).all():
        most = rows.max()
        for kind in _WHOLE:
            if most <= np.iinfo(kind).max:
                return rows.astype(kind)
    return rows


# What zipfile and numpy make of bytes that are not theirs; a method of packing that nobody has is NotImplementedError.
_BROKEN = (OSError, ValueError, LookupError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)


def _load(path: pathlib.Path, shape: tuple[int, int]) -> Array | None:
    """The rows of a file, (systems, segments, k); None if it is not there, broken, or of another shape."""
    try:
        kept = np.load(io.BytesIO(path.read_bytes()), allow_pickle=False)
        rows: Array = kept["rows"].astype(np.float64)
    except _BROKEN:
        return None
    return rows if rows.ndim == 3 and rows.shape[:2] == shape else None
