"""Part files: counted blocks of a `score`, kept; what `--shard` and `--resume` write, and `merge` and `--resume` read.

A part is a zip archive of arrays (`formats.arrays`), a few for each block and metric, and of `part.json`: which shard
of how many, what was asked, of which version, systems and number of segments; and of each block what is no array.

    --shard 3/64 -o 3.part     blocks 2, 66, 130, ... (of 65 536 segments, from 0) of a test set
    --resume FOLDER            each block in a file of its own, as soon as it is counted; one that is there, of the same
                               texts and the same question, is not counted again
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import math
import os
import pathlib
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tercet.counting import BlockCounts, CountedBlock, Extent, Kept, counted_blocks, metric_choices, scorable
from tercet.data import Array, TestSet, statistics
from tercet.errors import InputError
from tercet.formats import arrays, places
from tercet.formats.lines import FILE_LIMIT, File, no_folder, replacing
from tercet.formats.shares import WHOLE, Share
from tercet.inputs import Parts
from tercet.limits import allowed
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.options import settings
from tercet.options.groups import TextOptions, Workers, require_folder_name
from tercet.options.scoring import MOST_SHARDS, MergeOptions, ScoreOptions
from tercet.signing import Digests, Seen
from tercet.spec import from_file
from tercet.version import version

KIND, LAYOUT = "tercet score part", 1
_HEADER = "part.json"
_ELSEWHERE = {option.name for group in (TextOptions, Workers) for option in settings(group)} | {
    "cache",
    "engine",
    "metrics",
    "resume",
    "trusted_network",
}
ASKED = [option.name for option in settings(ScoreOptions) if option.name not in _ELSEWHERE]  # what makes the answer
_AGAIN = "Name what score --shard wrote, or score that shard again."


@dataclasses.dataclass(frozen=True)
class Header:
    """What a part says of itself."""

    kind: str
    layout: int
    version: str
    block: int  # segments of a block
    shard: int  # from 1
    shards: int
    metrics: list[str]
    choices: list[str]  # of each metric, all of them, and what is in the files that they name
    asked: dict[str, Any]
    systems: list[str]
    segments: int  # of the whole test set
    blocks: list[dict[str, Any]]
    learnt: str = ""  # a digest of all references, where metrics learn from them and blocks are kept

    def indices(self) -> range:
        """The blocks of this shard."""
        n_blocks = -(-self.segments // self.block)
        return range(self.shard - 1, n_blocks, self.shards)

    def size(self, index: int) -> int:
        """The segments of a block."""
        return min(self.block, self.segments - index * self.block)


def header_of(
    asked: ScoreOptions,
    metrics: Sequence[Metric],
    shard: int,
    shards: int,
    systems: Sequence[str],
    segments: int,
) -> Header:
    """What a part says of itself, but for its blocks."""
    return Header(
        kind=KIND,
        layout=LAYOUT,
        version=version(),
        block=statistics.BLOCK,
        shard=shard,
        shards=shards,
        metrics=[str(metric) for metric in metrics],
        choices=[metric_choices(metric) for metric in metrics],
        asked={name: getattr(asked, name) for name in ASKED},
        systems=list(systems),
        segments=segments,
        blocks=[],
    )


def write_part(path: pathlib.Path, blocks: Iterable[CountedBlock], header: Callable[[], Header]) -> None:
    """Blocks, and what is said of them when all are there; the file is there when it is whole, and not before."""
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        facts = [_write_block(archive, block) for block in blocks]
        whole = dataclasses.replace(header(), blocks=facts)
        archive.writestr(arrays.entry(archive, _HEADER), json.dumps(dataclasses.asdict(whole)))


def _write_block(archive: zipfile.ZipFile, block: CountedBlock) -> dict[str, Any]:
    """The arrays of a block into the archive; what is not an array comes back."""
    for m, counts in enumerate(block.metrics):
        for name, rows in _tables(counts):
            arrays.write_array(archive, _entry(block.index, m, name), rows)
    return {
        "index": block.index,
        "names": None if block.digests.numbered else list(block.names),
        "references": block.references,
        "numbered": block.digests.numbered,
        "digests": block.digests.columns,
        "documents": list(block.metrics[0].documents),
        "long_documents": block.long_documents,
        "remarks": [dict(counts.remarks) for counts in block.metrics],
    }


def _tables(counts: BlockCounts) -> Iterator[tuple[str, Array]]:
    """The arrays of a metric and block, by name."""
    yield "sums", counts.sums
    if counts.documents:
        yield "documents", np.stack(list(counts.documents.values()), axis=1)
    if counts.rows is not None:
        yield "rows", counts.rows
    if counts.scores is not None:
        yield "scores", counts.scores
    if counts.sampled is not None:
        yield "sampled", counts.sampled.swapaxes(0, 1)
    if counts.swapped is not None:
        yield "swapped", counts.swapped.swapaxes(0, 1)


def _entry(block: int, metric: int, name: str) -> str:
    return f"block-{block}/metric-{metric}/{name}.npy"


_SHARED = {  # what shards of one score have in common, as a sentence says it
    "shards": "the numbers of shards",
    "metrics": "the metrics",
    "choices": "files that options of metrics name",
    "asked": "the options",
    "systems": "the systems",
    "segments": "the numbers of segments",
}


class PartFile:
    """A part that was written, open to be read."""

    def __init__(self, path: File, stack: contextlib.ExitStack) -> None:
        self.name = os.fspath(path)
        if not places.is_file(path):
            raise InputError(f"There is no file {self.name}.", hint=f"Check the name; we are in {pathlib.Path.cwd()}.")
        with self.blamed():
            self.archive = stack.enter_context(zipfile.ZipFile(stack.enter_context(places.opened(path))))
            self.header = _read_header(self.archive)
            require(self.header.kind == KIND and self.header.layout == LAYOUT)
        if self.header.version != version():
            raise InputError(
                f"{self.name} was made by Tercet {self.header.version}, and this is {version()}.",
                hint="Score and merge all shards with one version.",
            )
        with self.blamed():
            self._check()

    @contextlib.contextmanager
    def blamed(self) -> Iterator[None]:
        """Whatever goes wrong inside is the file's fault."""
        try:
            yield
        except (InputError, MemoryError):
            raise
        except Exception as error:  # zipfile, numpy and json make any error of bytes that are not theirs
            raise InputError(
                f"{self.name} is no part of a score, or breaks off, or is damaged.", hint=_AGAIN
            ) from error

    def _check(self) -> None:
        header = self.header
        require(1 <= header.shard <= header.shards <= MOST_SHARDS and header.segments >= 1)
        require(header.block == statistics.BLOCK and len(header.blocks) == len(header.indices()))
        require(all(block["index"] == i for block, i in zip(header.blocks, header.indices(), strict=True)))
        require(header.asked.keys() == set(ASKED) and len(header.metrics) == len(header.choices) >= 1)

    def require_like(self, first: PartFile) -> None:
        """Refuse a part of another score."""
        self.require_of(first.header, first.name, "Merge the shards of one score, of the same texts and options.")

    def require_of(self, header: Header, name: str, hint: str, fields: Iterable[str] = _SHARED) -> None:
        """Refuse a part of another score than a header's."""
        for field in fields:
            here, there = getattr(self.header, field), getattr(header, field)
            if here != there:
                raise InputError(
                    f"{self.name} does not belong to {name}: {_SHARED[field]} are others ({_difference(there, here)}).",
                    hint=hint,
                )

    def digests(self, index: int) -> Digests:
        """What was seen of the texts of a block."""
        with self.blamed():
            facts = self.header.blocks[index // self.header.shards]
            return Digests(_digests(facts["digests"], index), bool(facts["numbered"]))

    def metrics(self) -> list[Metric]:
        """The metrics that were counted, which must be what they were."""
        with from_file(self.name):
            metrics = [METRICS.make(spec) for spec in self.header.metrics]
        for metric, choices in zip(metrics, self.header.choices, strict=True):
            if metric_choices(metric) != choices:
                raise InputError(
                    f"{metric} is not what it was when {self.name} was made: {metric_choices(metric)}, not {choices}.",
                    hint="Files that its options name have changed: put them back, or score again.",
                )
        return metrics

    def question(self, asked: MergeOptions) -> ScoreOptions:
        """What was asked, answered here."""
        with self.blamed():
            return ScoreOptions(
                metrics=self.header.metrics, threads=asked.threads, progress=asked.progress, **self.header.asked
            )

    def block(self, index: int, metrics: Sequence[Metric], kept: Kept) -> CountedBlock:
        """One block of this shard."""
        header = self.header
        with self.blamed():
            facts = header.blocks[index // header.shards]
            n = header.size(index)
            numbers = range(index * header.block + 1, index * header.block + n + 1)
            names = tuple(map(str, numbers)) if facts["numbered"] else tuple(map(str, facts["names"]))
            names = names if kept.segments else ()
            require(not kept.segments or len(names) == n)
            counts = tuple(self._counts(index, m, facts, kept, n, metric) for m, metric in enumerate(metrics))
            low, high = facts["references"] or (0, 0)
            references = None if facts["references"] is None else (int(low), int(high))
            systems, several = tuple(header.systems), bool(facts["long_documents"])
            return CountedBlock(index, systems, n, names, references, self.digests(index), counts, several)

    def _counts(self, index: int, m: int, facts: Mapping[str, Any], kept: Kept, n: int, metric: Metric) -> BlockCounts:
        systems, documents = len(self.header.systems), facts["documents"]

        def table(name: str, *shape: int | None) -> Array:
            require(systems * math.prod(n or 1 for n in shape) * 8 <= allowed("TERCET_MEMORY"))
            return arrays.read_array(self.archive, _entry(index, m, name), (systems, *shape))

        sums = table("sums", None)
        k = sums.shape[-1]
        require(scorable(metric, sums[:, None]))
        of_documents = table("documents", len(documents), k) if documents else np.zeros((systems, 0, k))
        return BlockCounts(
            sums=sums,
            documents={str(name): of_documents[:, d] for d, name in enumerate(documents)},
            rows=table("rows", n, k) if kept.rows else None,
            scores=table("scores", n) if kept.segments else None,
            remarks={str(what): int(count) for what, count in facts["remarks"][m].items()},
            sampled=table("sampled", kept.samples, k).swapaxes(0, 1) if kept.samples else None,
            swapped=table("swapped", kept.trials, k).swapaxes(0, 1) if kept.trials else None,
        )


def _difference(there: Any, here: Any) -> str:
    """What differs, in few words."""
    if isinstance(there, dict):
        keys = [key for key in there if there[key] != here.get(key)]
        return "; ".join(f"{key} {there[key]!r} and {here.get(key)!r}" for key in keys)
    if isinstance(there, list):
        return f"{', '.join(map(str, there))} and {', '.join(map(str, here))}"
    return f"{there} and {here}"


def _read_header(archive: zipfile.ZipFile) -> Header:
    info = archive.getinfo(_HEADER)
    require(info.file_size <= FILE_LIMIT)
    header = Header(**json.loads(archive.read(info)))
    numbers = (header.layout, header.block, header.shard, header.shards, header.segments)
    require(all(type(n) is int for n in numbers))
    texts = (header.learnt, *header.metrics, *header.choices, *header.systems)
    require(all(type(text) is str for text in texts))
    return header


def _digests(
    columns: Mapping[str, Mapping[str, Mapping[str, str]]], index: int
) -> dict[str, dict[str, dict[int, str]]]:
    """Digests as they were, of this block alone."""
    return {
        str(kind): {str(name): {index: str(blocks[str(index)])} for name, blocks in names.items()}
        for kind, names in columns.items()
    }


def require(fine: bool) -> None:
    """Refuse what no part of ours says."""
    if not fine:
        raise ValueError


def kept_blocks(
    asked: ScoreOptions,
    metrics: Sequence[Metric],
    share: Share = WHOLE,
    extent: Extent | None = None,
) -> Iterator[CountedBlock]:
    """`counted_blocks`, of which those that an earlier run has left in the folder of `resume` are taken from there."""
    folder = None if asked.resume is None else BlockFolder(pathlib.Path(asked.resume), asked, metrics)
    return counted_blocks(asked, metrics, share, extent, folder)


class BlockFolder:
    """A folder with a part file for each block that is counted: the part says that the test set ends with it."""

    def __init__(self, folder: pathlib.Path, asked: ScoreOptions, metrics: Sequence[Metric]) -> None:
        self.folder, self.asked, self.metrics = folder, asked, metrics
        self.learnt = ""
        require_folder_name(folder, "what --resume names")
        if places.address(folder):
            raise no_folder(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"{folder} is no folder that blocks can be kept in: {error.strerror or error}.",
                hint="Name another with --resume.",
            ) from error

    def begin(self, parts: Parts) -> None:
        """Before the first block: what metrics learn from all references is part of the question."""
        if any(metric.learns for metric in self.metrics):
            seen = Seen()
            for part in parts.read():
                if part.references is not None:
                    seen.texts("references", "", part.references.texts)
            self.learnt = ",".join(seen.fingerprints().values())

    def known(self, index: int, pieces: Sequence[TestSet]) -> Callable[[], CountedBlock] | None:
        """How to have the block without counting it, if it is there, and of these texts."""
        path = self._path(index)
        if not path.exists():
            return None
        seen = Seen(index * statistics.BLOCK)
        for piece in pieces:
            seen.add(piece)
        with contextlib.ExitStack() as stack:
            part = PartFile(path, stack)
            ours = self._header(index, tuple(pieces[0].systems), sum(map(len, pieces)))
            hint = "Name a folder of its own for each score with --resume."
            part.require_of(ours, "this score", hint, ("shards", "metrics", "choices", "asked", "systems"))
            same = part.header.shard == ours.shard and part.header.segments == ours.segments
            if not same or part.header.learnt != self.learnt or part.digests(index) != seen.digests():
                return None  # the texts have changed since
        return functools.partial(self._read, index)

    def keep(self, block: CountedBlock) -> None:
        """One block more."""
        header = self._header(block.index, block.systems, block.n_segments)
        write_part(self._path(block.index), [block], lambda: header)

    def _read(self, index: int) -> CountedBlock:
        with contextlib.ExitStack() as stack:
            return PartFile(self._path(index), stack).block(index, self.metrics, Kept.of(self.asked))

    def _path(self, index: int) -> pathlib.Path:
        return self.folder / f"{index + 1:06d}.part"

    def _header(self, index: int, systems: Sequence[str], n_segments: int) -> Header:
        until = index * statistics.BLOCK + n_segments
        header = header_of(self.asked, self.metrics, index + 1, MOST_SHARDS, systems, until)
        return dataclasses.replace(header, learnt=self.learnt)
