"""The metric: a spec with two methods, and everything else follows from them.

    statistics(batch) -> (segments, k)      additive numbers of each segment
    score(stats)      (..., k) -> (...)     vectorised over leading axes

Corpus is `score(S.sum(0))`, segments `score(S)`, documents `score` of group sums, bootstrap `score(W @ S)`.
`explain` says why one segment scores as it does; a metric adds to it by `details`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from tercet.data.statistics import Array, total
from tercet.data.testset import Batch, References, Texts
from tercet.options.groups import worker_threads
from tercet.plugins import blamed, is_ours, require, shape_of
from tercet.spec import Spec

if TYPE_CHECKING:
    from tercet.data.explanation import EditScript, Explanation

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


class Metric(Spec):
    """Base of all metrics: frozen dataclasses whose fields are their options."""

    card: ClassVar[Card]
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})
    higher_is_better: ClassVar[bool] = True
    learns: ClassVar[bool] = False  # whether `learn` must see all references before any segment is scored
    scaled_by: ClassVar[str | None] = None  # an option that is a list of weights which together only scale the score
    digits: ClassVar[int] = 2  # after the point, where a table prints a score
    edits_at_once: ClassVar[bool] = False  # whether `edit_scripts` is there, which finds the edits of many segments

    @property
    def exact(self) -> bool:
        """Whether it gives the numbers of its reference, and is no reconstruction."""
        return self.card.exact

    def learn(self, references: Iterable[References], threads: int) -> Any:
        """What the metric takes from all references, given in parts (NIST: information weights)."""
        return None

    def statistics(self, batch: Batch) -> Array:
        """One row of additive numbers a segment."""
        raise NotImplementedError

    def score(self, stats: Array) -> Array:
        """Statistics, or sums of them, to scores."""
        raise NotImplementedError

    def checked_statistics(self, batch: Batch) -> Array:
        """`statistics`, held to its shape; if the metric is of another package, so is `score`."""
        with blamed(self, "statistics"):
            rows = self.statistics(batch)
        n = len(batch.hypotheses)
        fine = isinstance(rows, np.ndarray) and rows.ndim == 2 and len(rows) == n and rows.dtype.kind in "bfiu"
        wanted = f"an array of numbers of the shape ({n}, k), a row for each segment"
        require(self, "statistics", fine, f"{shape_of(rows)} for {n} segments", wanted)
        for part in () if is_ours(self) else (rows.sum(axis=0), rows[:2], rows[None, :2]):
            with blamed(self, "score"), np.errstate(all="ignore"):
                scores = self.score(part)
            wanted = f"of the shape {part.shape[:-1]}: all axes but the last one stay, (..., k) -> (...)"
            fine = np.shape(scores) == part.shape[:-1]
            require(self, "score", fine, f"{shape_of(scores)} for statistics of the shape {part.shape}", wanted)
        return rows

    def retuned(self, rows: Array) -> Array:
        """Statistics of segments, counted with other values of what may be tuned, as this metric has them.

        They are the same unless a metric says here how they follow: a mean of segment scores is no score of sums.
        """
        return rows

    def statistic_names(self) -> tuple[str, ...]:
        """What the numbers of a row are called, one name each; () where nobody has named them."""
        return ()

    def remarks(self, texts: Texts) -> Mapping[str, int]:
        """What befell some of the texts that were scored, and no score tells: how many, by what; for notes."""
        return {}

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The explanation of one segment with all that the metric can tell of it; `row` are its statistics."""
        return plain

    def edit_scripts(self, hypotheses: Sequence[str], references: Sequence[str]) -> Sequence[EditScript]:
        """The edits of many segments of one reference each, the same as those of `explain`."""
        raise NotImplementedError

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
        from tercet.data.explanation import Explanation

        refs, sources = None if references is None else [references], None if source is None else [source]
        batch = self.batch([hypothesis], refs, sources, threads=1)
        if learnt is not None:
            batch = dataclasses.replace(batch, learnt=learnt)
        rows = self.checked_statistics(batch)
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
        threads = worker_threads(threads)
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
        return float(self.score(total(self.checked_statistics(self.batch(hypotheses, references, sources, threads)))))

    def segments(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str | Sequence[str | None]] | None = None,
        sources: Sequence[str] | None = None,
        *,
        threads: int | None = None,
    ) -> npt.NDArray[np.float64]:
        """One score a segment, NaN where it is not defined."""
        return self.score(self.checked_statistics(self.batch(hypotheses, references, sources, threads)))


class MeanMetric(Metric):
    """Base of metrics whose corpus score is the mean of segment values: give `values`, the rest is here."""

    def values(self, batch: Batch) -> Array:
        """One number a segment."""
        raise NotImplementedError

    def statistics(self, batch: Batch) -> Array:
        """The value and 1, so that sums give the mean: [value, 1]."""
        values = self.values(batch)
        return np.stack([values, np.ones_like(values)], axis=-1)

    def statistic_names(self) -> tuple[str, ...]:
        """The value, and the one segment that has it."""
        return "value", "segments"

    def score(self, stats: Array) -> Array:
        """The mean of the values."""
        with np.errstate(invalid="ignore"):
            mean: Array = stats[..., 0] / stats[..., 1]
        return mean
