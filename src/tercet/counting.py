"""Metrics × blocks of segments → counts, and counts of blocks → those of the whole.

A block is 65 536 segments of a test set, counted from its first one; the last one is shorter. What is counted of it
depends on nothing outside, but for what metrics learn from all references beforehand: so blocks can be counted one
after the other, by several processes, or in shards on other machines. `Tally` puts them together in their order, with
the same bits.

    in_blocks      parts of a test set, as they are read ──> blocks
    learn          all references ──> what NIST and its like take from them
    count_block    a block × metrics ──> CountedBlock: sums, sums of documents, rows or scores of segments
    Tally          counted blocks, in their order ──> what levels, intervals and tests need
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import pathlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from tercet import kernels, numbers, stats
from tercet.data import Array, Batch, Statistics, TestSet, statistics
from tercet.encoders import while_reading
from tercet.engines import AHEAD, Engine, engine
from tercet.errors import InputError
from tercet.formats import places
from tercet.formats.columns import sliced
from tercet.formats.shares import WHOLE, Share, Unread
from tercet.formats.stretches import stamps
from tercet.formats.text import Unsent
from tercet.inputs import Parts, texts_in_parts
from tercet.limits import Budget
from tercet.metric_base import Metric
from tercet.options import settings
from tercet.options.groups import Aggregate, Progress, TextOptions, expect, say
from tercet.options.scoring import ScoreOptions
from tercet.plugins import blamed
from tercet.signing import Digests, Seen, facts_text
from tercet.spec import show
from tercet.stats.aggregation import aggregated

PART = 65_536  # segments that are read at once
SYSTEM = 6 << 10  # bytes of a system, however few its segments: its texts, rows, records and their signatures
RECORD = 400  # bytes of one score in the answer, and again as text
Learnt = Mapping[Metric, Any]

B = TypeVar("B", TestSet | Unread, Unsent)


@dataclasses.dataclass(frozen=True)
class Kept:
    """What a question needs of each block beside its sums."""

    documents: bool = False
    rows: bool = False
    segments: bool = False
    samples: int = 0  # drawn from each block by itself
    trials: int = 0
    seed: int = 0

    @classmethod
    def of(cls, asked: ScoreOptions) -> Kept:
        """No more than the level and the tests need."""
        by_document = "document" in (asked.level, asked.unit)
        segments = asked.level == "segment" or asked.aggregate is not None
        rows = asked.resamples and not by_document and asked.aggregate is None
        if not rows or asked.resampling == "whole":
            return cls(by_document, rows, segments)
        randomized = asked.paired == "randomization"
        return cls(samples=asked.samples, trials=asked.trials if randomized else 0, seed=asked.seed)


@dataclasses.dataclass(frozen=True, eq=False)
class BlockCounts:
    """What one metric counted in a block."""

    sums: Array  # (systems, k)
    documents: Mapping[str, Array]  # (systems, k) each
    rows: Array | None  # (systems, segments, k)
    scores: Array | None  # (systems, segments)
    remarks: Mapping[str, int]  # what befell how many texts
    sampled: Array | None = None  # (samples, systems, k): sums of segments that were drawn
    swapped: Array | None = None  # (trials, systems, k): of those that stay where they are


@dataclasses.dataclass(frozen=True, eq=False)
class CountedBlock:
    """What all metrics counted in a block, and what is known of its segments."""

    index: int
    systems: tuple[str, ...]
    n_segments: int
    names: tuple[str, ...]  # of the segments, where each gets a score
    references: tuple[int, int] | None  # of a segment: the fewest, the most
    digests: Digests
    metrics: tuple[BlockCounts, ...]
    long_documents: bool = False  # whether some document has several segments here


def in_blocks(parts: Iterable[TestSet | Unread]) -> Iterator[tuple[int, Iterator[TestSet]]]:
    """Parts as blocks, by number, each as pieces that must be taken before the next block is."""
    for index, pieces in itertools.groupby(_cut(parts), key=lambda piece: piece[0]):
        yield index, (piece for _, piece in pieces)


def _cut(parts: Iterable[TestSet | Unread]) -> Iterator[tuple[int, TestSet]]:
    """Parts that were read, cut where a block ends, with the number of the block."""
    at = 0
    for part in parts:
        if isinstance(part, TestSet) and (len(part) or not at):
            for index, start, stop in statistics.block_cuts(at, len(part)):
                yield index, part if stop - start == len(part) else sliced(part, start, stop)
        at += len(part)


def learn(parts: Parts, metrics: Sequence[Metric], threads: int) -> tuple[Parts, dict[Metric, Any]]:
    """What metrics take from all references before the first segment, and the parts, which can be read again."""
    learners = [m for m in metrics if m.learns]
    if learners and not parts.again:
        parts = Parts.of(list(parts.read()))
    learnt = {}
    for m in learners:
        references = (part.references for part in parts.read())
        learnt[m] = m.learn((r for r in references if r is not None), threads)
    return parts, learnt


class Extent:
    """How much there is of a test set, also of what is not counted here."""

    def __init__(self) -> None:
        self.systems: tuple[str, ...] = ()
        self.segments = 0

    def noted(self, parts: Iterable[TestSet | Unread]) -> Iterator[TestSet | Unread]:
        """The parts, as they come."""
        for part in parts:
            self.systems = tuple(part.systems)
            self.segments += len(part)
            yield part


class Keeper(Protocol):
    """Who keeps blocks from one run to the next."""

    def begin(self, parts: Parts) -> None:
        """Before the first block."""

    def known(self, index: int, pieces: Sequence[TestSet]) -> Callable[[], CountedBlock] | None:
        """How to have a block without counting it, if that is possible."""

    def keep(self, block: CountedBlock) -> None:
        """One block more."""


def counted_blocks(
    asked: ScoreOptions,
    metrics: Sequence[Metric],
    share: Share = WHOLE,
    extent: Extent | None = None,
    keeper: Keeper | None = None,
) -> Iterator[CountedBlock]:
    """All blocks, or those of a share, of what is asked for, counted by the engine that is asked for."""
    how = engine(asked.engine, trusted_network=asked.trusted_network)
    parts = texts_in_parts(asked, PART)
    threads = asked.threads or how.threads(asked.workers)
    if how.elsewhere:
        counter = BlockCounter(asked, tuple(metrics), threads, None)
        if not parts.again and any(m.learns for m in metrics):
            raise InputError(
                f"What comes by a pipe is read once, and {next(m for m in metrics if m.learns)} reads it twice.",
                hint="Put it into a file, or leave out --engine.",
            )
    else:
        with while_reading(asked.cache, asked.progress):
            parts, learnt = learn(parts, metrics, asked.workers)
        counter = BlockCounter(asked, tuple(metrics), threads, learnt)
    if keeper is not None:
        keeper.begin(parts)
    say(asked.progress, how.told)
    ready: dict[int, Callable[[], CountedBlock]] = {}  # kept blocks, in their order

    alone = how.elsewhere and share.of == 1 and extent is None and keeper is None  # nobody looks at texts here
    unsent = parts.unsent if alone and parts.unsent and _seen_by_all(how, parts.files) else None

    def due() -> Iterator[tuple[int, Iterable[TestSet]]]:
        n_unsent = 0
        for block in _announced(unsent(statistics.BLOCK), parts, share, metrics, asked.progress) if unsent else ():
            _room(how.workers).take(2 * block.n_bytes)
            yield n_unsent, block
            n_unsent += 1
        if n_unsent:
            return
        pieces_of = (extent or Extent()).noted(parts.shared(share))
        for index, pieces in in_blocks(_announced(pieces_of, parts, share, metrics, asked.progress)):
            if share.has(index):
                held = _held(pieces, how.workers) if how.elsewhere or keeper else pieces
                known = keeper.known(index, held) if keeper and isinstance(held, list) else None
                if known is None:
                    yield index, held
                else:
                    ready[index] = known

    def note(block: CountedBlock) -> CountedBlock:
        for metric in metrics if asked.progress else ():
            asked.progress(f"{metric}", block.n_segments * len(block.systems))  # type: ignore[misc]
        return block

    for block in how.map(counter, due()):
        while ready and next(iter(ready)) < block.index:
            yield note(ready.pop(next(iter(ready)))())
        if keeper is not None:
            keeper.keep(block)
        yield note(block) if how.elsewhere else block
    for known in ready.values():
        yield note(known())


def _seen_by_all(how: Engine, files: Sequence[str]) -> bool:
    """Whether who works elsewhere has the same files as we, by the same names."""
    here = stamps(files)
    return all(there == here for there in how.everywhere(functools.partial(stamps, files)))


def _room(workers: int) -> Budget:
    """What a block may take, of which so many are held for each worker."""
    return Budget(
        "The texts of blocks that wait for processes",
        "Leave out --engine: then a block is taken piece by piece.",
        share=workers * AHEAD,
    )


def _held(pieces: Iterable[TestSet], workers: int) -> list[TestSet]:
    """All pieces of a block, of which a piece is refused that would be too much for what is held of all blocks."""
    budget = _room(workers)
    kept = []
    for piece in pieces:
        texts = (*piece.systems.values(), piece.sources, None if piece.references is None else piece.references.texts)
        budget.take(sum(2 * len(text) for column in texts if column is not None for text in column))
        kept.append(piece)
    return kept


def _announced(
    parts: Iterable[B], whole: Parts, share: Share, metrics: Sequence[Metric], progress: Progress | None
) -> Iterator[B]:
    """The parts; a listener that can show it is told how much there will be to score, where that is known."""
    size = whole.size() if hasattr(progress, "expect") else None
    for part in parts:
        if size is not None:
            for metric in metrics:
                expect(progress, f"{metric}", share.count(size) * len(part.systems))
            size = None
        yield part


class BlockCounter:
    """`count_block` for what is asked, which can be sent to another process: what metrics learn is learnt there."""

    def __init__(self, asked: ScoreOptions, metrics: tuple[Metric, ...], threads: int, learnt: Learnt | None) -> None:
        self.asked, self.metrics, self.threads, self.learnt = asked, metrics, threads, learnt
        self.block = statistics.BLOCK

    def __getstate__(self) -> dict[str, Any]:
        learns = any(metric.learns for metric in self.metrics)
        texts = {o.name: _absolute(getattr(self.asked, o.name)) if learns else o.default for o in settings(TextOptions)}
        for name in ("hypotheses", "testset"):  # where a plain string is a file, too
            texts[name] = _absolute(pathlib.Path(texts[name])) if isinstance(texts[name], str) else texts[name]
        sent = dataclasses.replace(self.asked, progress=None, resume=None, **texts)
        return self.__dict__ | {"asked": sent, "learnt": None if learns else {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        statistics.BLOCK = self.block  # blocks are those of who asks

    def __call__(self, block: tuple[int, Iterable[TestSet]]) -> CountedBlock:
        (index, pieces), asked = block, self.asked
        with while_reading(asked.cache, asked.progress):
            if self.learnt is None:
                _, self.learnt = learn(texts_in_parts(asked, PART), self.metrics, self.threads)
            return count_block(index, pieces, self.metrics, self.learnt, Kept.of(asked), self.threads, asked.progress)


def _absolute(given: Any) -> Any:
    """What names files, whole: another process may be in another folder."""
    if isinstance(given, pathlib.Path):
        return places.absolute(given)
    if isinstance(given, Mapping):
        return {name: _absolute(one) for name, one in given.items()}
    return [_absolute(one) for one in given] if isinstance(given, list | tuple) else given


def count_block(
    index: int,
    pieces: Iterable[TestSet],
    metrics: Sequence[Metric],
    learnt: Learnt,
    kept: Kept,
    threads: int,
    progress: Progress | None = None,
) -> CountedBlock:
    """What metrics count in a block, whose pieces follow each other."""
    seen = Seen(index * statistics.BLOCK)
    counts = [_Counting(metric, kept) for metric in metrics]
    systems: tuple[str, ...] = ()
    names: list[str] = []
    n_segments, references = 0, None
    n_placed, documents = 0, set[str]()
    for piece in pieces:
        systems, n_segments = tuple(piece.systems), n_segments + len(piece)
        check_needs(piece, metrics)
        require_room(piece)
        if kept.documents and piece.documents is None:
            raise InputError(
                "There are no documents to score or to draw by.",
                hint="Name their file with --documents, or a test set with a document column.",
            )
        for count in counts:
            note = functools.partial(progress, f"{count.metric}") if progress else None
            count.add(piece, counted(piece, count.metric, learnt.get(count.metric), threads, note))
        seen.add(piece)  # after the metrics, which have packed the texts
        names += piece.segments if kept.segments else ()
        n_placed += len(piece.documents or ())
        documents.update(piece.documents or ())
        if piece.references is not None and len(piece):
            references = spanned(references, piece.references.counts)
    done = _drawn([count.done() for count in counts], index, kept, threads)
    long_documents = len(documents) < n_placed
    return CountedBlock(index, systems, n_segments, tuple(names), references, seen.digests(), done, long_documents)


def _drawn(counts: Sequence[BlockCounts], index: int, kept: Kept, threads: int) -> tuple[BlockCounts, ...]:
    """The block with sums of what is drawn of it in place of its rows, the same draws for all metrics."""
    tables = [of_metric.rows for of_metric in counts if of_metric.rows is not None]
    if not kept.samples or len(tables) < len(counts):
        return tuple(counts)
    widths = [rows.shape[0] * rows.shape[2] for rows in tables]
    flat = np.concatenate([r.transpose(1, 0, 2).reshape(r.shape[1], n) for r, n in zip(tables, widths, strict=True)], 1)
    ends, draws = np.cumsum(widths)[:-1], kept.samples + kept.trials
    room = 2 * draws * flat.shape[1] * flat.itemsize  # those of this block beside those of the ones before
    Budget(f"Sums of {draws} draws of {numbers.counted(len(tables[0]), 'system')}", "Draw fewer: --samples 1000.").take(
        room
    )

    def sums(n: int, swaps: bool) -> list[Array | None]:
        if not n:
            return [None] * len(tables)
        whole = kernels.streamed_sums(np.ascontiguousarray(flat), n, kept.seed, index, swaps, threads)
        pieces = np.split(whole, ends, axis=1)
        return [piece.reshape(n, len(rows), rows.shape[2]) for piece, rows in zip(pieces, tables, strict=True)]

    drawn = zip(counts, sums(kept.samples, swaps=False), sums(kept.trials, swaps=True), strict=True)
    return tuple(dataclasses.replace(c, rows=None, sampled=some, swapped=others) for c, some, others in drawn)


def require_room(part: TestSet) -> None:
    """Refuse more systems than there is memory to count them in."""
    Budget(f"What {len(part.systems)} systems take", "Score fewer systems at once.").take(SYSTEM * len(part.systems))


def spanned(one: tuple[int, int] | None, other: tuple[int, int] | None) -> tuple[int, int] | None:
    """The fewest and the most of two ranges, either of which may be missing.

    >>> spanned((1, 2), (2, 4)), spanned(None, (2, 4))
    ((1, 4), (2, 4))
    """
    if one is None or other is None:
        return one or other
    return min(one[0], other[0]), max(one[1], other[1])


class _Counting:
    """What one metric has counted so far of a block."""

    def __init__(self, metric: Metric, kept: Kept) -> None:
        self.metric, self.kept = metric, kept
        self.sums: Array | None = None
        self.documents: dict[str, Array] = {}
        self.rows: list[Array] = []
        self.scores: list[Array] = []
        self.remarks: Counter[str] = Counter()

    def add(self, piece: TestSet, of_piece: Statistics) -> None:
        self.remarks.update(befallen(piece, self.metric))
        self.sums = _on_from(self.sums, of_piece.rows)
        for document in piece.document_rows() if self.kept.documents else ():
            earlier = self.documents.get(document.name)
            self.documents[document.name] = _on_from(earlier, of_piece.rows[:, document.rows])
        if self.kept.rows or self.kept.samples:
            self.rows.append(of_piece.rows)
        if self.kept.segments:
            self.scores.append(of_piece.segments())

    def done(self) -> BlockCounts:
        rows, scores = (np.concatenate(kept, axis=1) if kept else None for kept in (self.rows, self.scores))
        sums = np.zeros((0, 0)) if self.sums is None else self.sums
        return BlockCounts(sums, self.documents, rows, scores, dict(self.remarks))


def _on_from(earlier: Array | None, rows: Array) -> Array:
    """The sum of rows, taken on from that of earlier ones of the same block."""
    return statistics.total(rows if earlier is None else np.concatenate([earlier[:, None], rows], axis=1))


def counted(
    part: TestSet, metric: Metric, learnt: Any, threads: int, note: Callable[[int], None] | None = None
) -> Statistics:
    """The statistics of every system of a test set."""
    rows = []
    for texts in part.systems.values():
        rows.append(metric.checked_statistics(Batch(texts, part.references, part.sources, learnt, threads)))
        if note is not None:
            note(len(part))
    with blamed(metric, "statistics"):  # as many numbers for each system
        stacked = np.stack(rows)
    return Statistics(tuple(part.systems), stacked, metric.score)


def befallen(part: TestSet, metric: Metric) -> Counter[str]:
    """What befell how many texts of a test set that a metric has scored."""
    counts: Counter[str] = Counter()
    references = None if part.references is None else part.references.texts
    for texts in (*part.systems.values(), part.sources, references):
        counts.update({} if texts is None else metric.remarks(texts))
    return counts


def check_needs(part: TestSet, metrics: Iterable[Metric]) -> None:
    """Refuse texts without references or sources where a metric needs them."""
    for metric in metrics:
        for need, there, how in (
            (
                "references",
                part.references,
                "Name them with -r (by a pipe: cat HYP | tercet score -r REF), or a test set with a reference column.",
            ),
            ("sources", part.sources, "Name them with -s, or a test set with a source column."),
        ):
            if need in metric.needs and there is None:
                raise InputError(f"{metric} needs {need}, and there are none.", hint=how)


def metric_choices(metric: Metric) -> str:
    """The metric, its options, and what is in the files that these name."""
    kind = [] if metric.exact else ["reconstruction"]
    facts = {key: show(metric.effective(key)) for key in metric.parameters()} | metric.facts()
    return "|".join([metric.name, *kind, *([facts_text(facts)] if facts else [])])


def scorable(metric: Metric, rows: Array) -> bool:
    """Whether rows that were kept in a file are such as the metric counts, as far as its score can tell."""
    try:
        with np.errstate(all="ignore"):
            return np.shape(metric.score(rows[:, :1])) == rows[:, :1].shape[:2]
    except Exception:
        return False


class Tally:
    """What one metric has counted in all blocks so far, no more than the level and the tests need."""

    def __init__(self, metric: Metric, systems: Sequence[str], kept: Kept, budget: Budget) -> None:
        self.metric = metric
        self.systems = tuple(systems)
        self.kept = kept
        self.sums: Array | None = None  # (systems, k)
        self.documents: dict[str, Array] = {}  # (systems, k) each
        self.rows: list[Array] = []  # (systems, segments, k)
        self.scores: list[Array] = []  # (systems, segments)
        self.sampled: Array | None = None  # (samples, systems, k)
        self.swapped: Array | None = None  # (trials, systems, k)
        self.segments = 0
        self.remarks: Counter[str] = Counter()
        self.budget = budget

    def add(self, block: BlockCounts, n_segments: int) -> None:
        """One block more, after those before it."""
        self.segments += n_segments
        self.remarks.update(block.remarks)
        self.sums = block.sums if self.sums is None else self.sums + block.sums
        self.budget.take(self._size(block))
        for name, sums in block.documents.items():
            earlier = self.documents.get(name)
            self.documents[name] = sums if earlier is None else earlier + sums
        self.sampled, self.swapped = (
            old if more is None else more if old is None else old + more
            for old, more in ((self.sampled, block.sampled), (self.swapped, block.swapped))
        )
        self.rows += [] if block.rows is None else [block.rows]
        self.scores += [] if block.scores is None else [block.scores]

    def _size(self, block: BlockCounts) -> int:
        """Bytes that a block leaves behind: rows, and records of every system and segment."""
        kept: list[Array | None] = [block.rows, *block.documents.values()]
        if self.sampled is None:  # what is drawn stays of one size
            kept += [block.sampled, block.swapped]
        rows = sum(a.nbytes for a in kept if a is not None)
        return rows + (0 if block.scores is None else RECORD * block.scores.size)

    def corpus(self) -> Array:
        """One score a system."""
        return self.metric.score(np.zeros(0) if self.sums is None else self.sums)

    def aggregated(self, by: Aggregate) -> Statistics:
        """Statistics of which the scores of systems are made in another way than the metric's."""
        scores = np.concatenate(self.scores, axis=1)[..., None]
        alone = Statistics(self.systems, scores, lambda stats: stats[..., 0])
        return aggregated(alone, by, higher_is_better=self.metric.higher_is_better)

    def is_mean(self) -> bool:
        """Whether scores are means of the scores of what is resampled."""
        means = self.metric.score(self.units()).mean(axis=1)
        return not stats.signs(means - self.corpus(), self.corpus()).any()

    def units(self) -> Array:
        """(systems, units, k): what is resampled."""
        if self.kept.documents:
            return np.stack(list(self.documents.values()), axis=1)
        return np.concatenate(self.rows, axis=1)
