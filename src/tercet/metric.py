"""The metric: a spec with two methods, and everything else follows from them.

    statistics(batch) -> (segments, k)      additive numbers of each segment
    score(stats)      (..., k) -> (...)     vectorised over leading axes

Corpus is `score(S.sum(0))`, segments `score(S)`, documents `score` of group sums, bootstrap `score(W @ S)`.
`explain` says why one segment scores as it does; a metric adds to it by `details`.
"""

from __future__ import annotations

import dataclasses
import functools
import gzip
import hashlib
import os
import pathlib
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from tercet.data.explanation import Explanation
from tercet.data.statistics import Array, total
from tercet.data.testset import Batch, References, Texts
from tercet.errors import InputError
from tercet.spec import Spec

Need = Literal["references", "sources"]


@dataclasses.dataclass(frozen=True)
class Card:
    """What a reader wants to know of a metric before trusting its number."""

    title: str
    definition: str
    paper: str
    scale: str
    reference: str
    differences: tuple[str, ...] = ()
    exact: bool = True  # False: a reconstruction from a paper, without reference code
    year: int | None = None  # of the first publication
    group: str = ""  # whose it is
    kind: str = ""  # what it looks at
    resources: str = ""  # what it needs besides texts


def default_threads() -> int:
    """As many threads as this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def content_checksum(paths: str | Sequence[str]) -> str:
    """What is in files, packed or not, or in all files of folders, in 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for name in [paths] if isinstance(paths, str) else paths:
        path = pathlib.Path(name)
        for file in sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]:
            about = file.stat()
            digest.update(_checksum(file, about.st_mtime_ns, about.st_size))
    return digest.hexdigest()[:16]


@functools.lru_cache(maxsize=64)
def _checksum(path: pathlib.Path, changed: int, size: int) -> bytes:
    # of the text, since what packs it may write the time into the file
    digest = hashlib.sha256()
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {error}.", hint="Check the file.") from error
    return digest.digest()


def require_threads(threads: int | None) -> None:
    """Refuse a number of threads that is none."""
    if threads is not None and (not isinstance(threads, int) or threads < 1):
        raise InputError(f"threads must be 1 or more, not {threads!r}.", hint="Leave it out for all cores.")


class Metric(Spec):
    """Base of all metrics: frozen dataclasses whose fields are their options."""

    card: ClassVar[Card]
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    higher_is_better: ClassVar[bool] = True
    files: ClassVar[tuple[str, ...]] = ()  # options that name files or folders of the user's
    learns: ClassVar[bool] = False  # whether `learn` must see all references before any segment is scored
    scaled_by: ClassVar[str | None] = None  # an option that is a list of weights which together only scale the score
    digits: ClassVar[int] = 2  # after the point, where a table prints a score

    def learn(self, references: Iterable[References], threads: int) -> Any:
        """What the metric takes from all references, given in parts (NIST: information weights)."""
        return None

    def statistics(self, batch: Batch) -> Array:
        """One row of additive numbers a segment."""
        raise NotImplementedError

    def score(self, stats: Array) -> Array:
        """Statistics, or sums of them, to scores."""
        raise NotImplementedError

    def retuned(self, rows: Array) -> Array:
        """Statistics of segments, counted with other values of what may be tuned, as this metric has them.

        They are the same unless a metric says here how they follow: a mean of segment scores is no score of sums.
        """
        return rows

    def statistic_names(self) -> tuple[str, ...]:
        """What the numbers of a row are called, one name each; () where nobody has named them."""
        return ()

    def facts(self) -> dict[str, str]:
        """What moves the number and no option says: what is in the files that options name; for signatures."""
        given = {option: getattr(self, option) for option in self.files}
        return {f"{option}-sha256": content_checksum(value) for option, value in given.items() if value}

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The explanation of one segment with all that the metric can tell of it; `row` are its statistics."""
        return plain

    def explain(
        self,
        hypothesis: str,
        references: str | Sequence[str | None] | None = None,
        source: str | None = None,
        *,
        learnt: Any = None,
    ) -> Explanation:
        """Why one segment scores as it does. `learnt` is what `learn` took from a whole test set.

        The score is that of `segments`, to the last bit.
        """
        refs, sources = None if references is None else [references], None if source is None else [source]
        batch = self.batch([hypothesis], refs, sources, threads=1)
        if learnt is not None:
            batch = dataclasses.replace(batch, learnt=learnt)
        rows = self.statistics(batch)
        values = rows[0].tolist()
        names = self.statistic_names() or tuple(f"statistic {i}" for i in range(1, len(values) + 1))
        plain = Explanation(
            metric=str(self),
            score=float(self.score(rows)[0]),
            statistics=tuple(zip(names, values, strict=True)),
            digits=self.digits,
            higher_is_better=self.higher_is_better,
        )
        return self.details(plain, batch, rows[0])

    def batch(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str | Sequence[str | None]] | None,
        sources: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> Batch:
        """A batch from plain lists, with what the metric learns from its references."""
        refs = None if references is None else References.of(references)
        require_threads(threads)
        threads = threads or default_threads()
        return Batch(
            Texts.of(hypotheses, "hypothesis"),
            refs,
            None if sources is None else Texts.of(sources, "source"),
            learnt=self.learn([refs], threads) if self.learns and refs is not None else None,
            threads=threads,
        )

    def corpus(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str | Sequence[str | None]] | None = None,
        sources: Sequence[str] | None = None,
        *,
        threads: int | None = None,
    ) -> float:
        """The score of all segments together. `references[i]` holds the reference or references of segment i."""
        return float(self.score(total(self.statistics(self.batch(hypotheses, references, sources, threads)))))

    def segments(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str | Sequence[str | None]] | None = None,
        sources: Sequence[str] | None = None,
        *,
        threads: int | None = None,
    ) -> npt.NDArray[np.float64]:
        """One score a segment, NaN where it is not defined."""
        return self.score(self.statistics(self.batch(hypotheses, references, sources, threads)))


class MeanMetric(Metric):
    """Base of metrics whose corpus score is the mean of segment values: give `values`, the rest is here."""

    def values(self, batch: Batch) -> Array:
        """One number a segment."""
        raise NotImplementedError

    def statistics(self, batch: Batch) -> Array:
        """[value, 1]"""
        values = self.values(batch)
        return np.stack([values, np.ones_like(values)], axis=-1)

    def statistic_names(self) -> tuple[str, ...]:
        """The value, and the one segment that has it."""
        return "value", "segments"

    def score(self, stats: Array) -> Array:
        """The mean."""
        with np.errstate(invalid="ignore"):
            mean: Array = stats[..., 0] / stats[..., 1]
        return mean
