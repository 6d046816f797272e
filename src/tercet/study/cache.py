"""Statistics kept between runs: a metric is counted again only if its signature or a text has changed.

One file for each test set and metric, named by a digest of all texts that the metric sees, its name with all options,
and the version. Files are arrays and nothing else; one that is broken is counted anew.
"""

from __future__ import annotations

import dataclasses
import hashlib
import pathlib
import weakref
import zipfile

from tercet.agreeing.machines import Statistician
from tercet.counting import scorable
from tercet.data import Array, Statistics, TestSet
from tercet.errors import InputError, SpecError
from tercet.formats.arrays import read_array, write_array
from tercet.formats.lines import replacing
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.spec import from_file, show
from tercet.version import version

_ROWS = "rows.npy"


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
        keeps = self.folder is not None and not _runs(metric)
        path = self.folder / f"{self._key(testset, metric)}.npz" if self.folder is not None and keeps else None
        rows = None if path is None else _load(path, (len(testset.systems), len(testset)))
        if rows is not None and scorable(metric, rows):
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
        files = "|".join(f"{name}={value}" for name, value in metric.facts().items())  # what is in them may change
        told = f"{self.digests[testset]}|{metric.name}({options})|{files}|{version()}"
        return f"{metric.name}-{hashlib.sha256(told.encode()).hexdigest()[:24]}"


def _runs(metric: Metric) -> bool:
    """Whether a program is run for it, or for what it is made of: nobody knows when that gives something else."""
    try:
        with from_file("A cache"):
            METRICS.make(str(metric))
    except SpecError:
        return True
    return False


def _digest(testset: TestSet) -> str:
    """Of every text and name; lengths are told, so that no two test sets look alike."""
    digest = hashlib.sha256()

    def tell(*texts: str) -> None:
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            digest.update(f"{len(data)}:".encode())
            digest.update(data)

    tell(str(len(testset)), str(len(testset.systems)))
    for name, texts in testset.systems.items():
        tell(name, *texts)
    if testset.references is not None:
        tell("references", *(str(n) for n in testset.references.groups), *testset.references.texts)
    if testset.sources is not None:
        tell("sources", *testset.sources)
    return digest.hexdigest()


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
    if path.is_symlink():  # not ours: what it leads to stays as it is
        path.unlink()
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as kept:
        write_array(kept, _ROWS, rows)


def _load(path: pathlib.Path, shape: tuple[int, int]) -> Array | None:
    """The rows of a file, (systems, segments, k); None if it is not there, broken, or of another shape."""
    if not path.is_file():
        return None  # nor is a pipe waited for
    try:
        with zipfile.ZipFile(path) as kept:
            return read_array(kept, _ROWS, (*shape, None))
    except Exception:  # of no kind is one to be told
        return None
