"""Shards: a test set scored in parts, anywhere, and put together with the bytes of one run.

    score --shard 3/64 -o 3.part     counts blocks 2, 66, 130, ... (of 65 536 segments, from 0) and keeps the counts
    merge *.part                     puts the blocks of all shards together in their order, and answers

A part is a zip archive of arrays (`formats.arrays`), a few for each block and metric, and of `part.json`: which shard
of how many, what was asked, of which version, systems and number of segments; and of each block what is no array.
What a shard learns from all references (NIST's information weights) it learns itself, so that it needs no other shard.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import os
import pathlib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tercet.counting import BlockCounts, CountedBlock, Extent, Kept, counted_blocks, scorable
from tercet.data import Array, Scores, statistics
from tercet.errors import InputError
from tercet.formats import arrays
from tercet.formats.lines import FILE_LIMIT, File, is_gzip, replacing
from tercet.limits import allowed
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.numbers import counted as in_words
from tercet.options import settings, verb
from tercet.options.groups import TextOptions, Workers
from tercet.options.scoring import MOST_SHARDS, MergeOptions, ScoreOptions, ShardOptions
from tercet.scoring import answered, metric_choices, required_metrics, tally
from tercet.signing import Digests
from tercet.spec import from_file
from tercet.version import version

KIND, LAYOUT = "tercet score part", 1
_HEADER = "part.json"
_ELSEWHERE = {option.name for group in (TextOptions, Workers) for option in settings(group)} | {
    "cache",
    "engine",
    "metrics",
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

    def indices(self) -> range:
        """The blocks of this shard."""
        n_blocks = -(-self.segments // self.block)
        return range(self.shard - 1, n_blocks, self.shards)

    def size(self, index: int) -> int:
        """The segments of a block."""
        return min(self.block, self.segments - index * self.block)


@verb(ShardOptions)
def score_shard(asked: ShardOptions) -> pathlib.Path:
    """Count one shard of a `score` into a file: every 64th block of 65 536 segments, of 64 shards.

    It takes what `score` takes. When all shards are there, in whatever order they were made, and wherever, `merge`
    gives the answer, which is that of `score` to the last byte.
    """
    metrics = required_metrics(asked.metrics)
    for metric in metrics:
        with from_file("A shard"):  # it is going to be one, and who merges it makes the metric from it
            METRICS.make(str(metric))
    number, shards = asked.checked(asked.shard)
    path = pathlib.Path(asked.part)
    if is_gzip(path):
        raise InputError(f"{path}: a part is packed already.", hint="Take .gz off its name.")
    with replacing(path) as file:
        extent = Extent()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            counted = counted_blocks(asked, metrics, lambda index: index % shards == number - 1, extent)
            blocks = [_write_block(archive, block) for block in counted]
            if not extent.segments:
                raise InputError("There is not one segment to score.", hint="Check that the files are not empty.")
            header = Header(
                kind=KIND,
                layout=LAYOUT,
                version=version(),
                block=statistics.BLOCK,
                shard=number,
                shards=shards,
                metrics=[str(metric) for metric in metrics],
                choices=[metric_choices(metric) for metric in metrics],
                asked={name: getattr(asked, name) for name in ASKED},
                systems=list(extent.systems),
                segments=extent.segments,
                blocks=blocks,
            )
            archive.writestr(arrays.entry(archive, _HEADER), json.dumps(dataclasses.asdict(header)))
    return path


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


def _entry(block: int, metric: int, name: str) -> str:
    return f"block-{block}/metric-{metric}/{name}.npy"


@verb(MergeOptions)
def merge(asked: MergeOptions) -> Scores:
    """Put the shards of one `score` together: the answer of a single run, to the last byte."""
    paths = [asked.parts] if isinstance(asked.parts, str | os.PathLike) else list(asked.parts)
    if not paths:
        raise InputError("There is no part to merge.", hint="Name all parts that score --shard wrote.")
    with contextlib.ExitStack() as stack:
        parts = [Shard(path, stack) for path in paths]
        whole = _in_order(parts)
        first = whole[0]
        metrics = first.metrics()
        question = first.question(asked)
        blocks = (
            whole[index % len(whole)].block(index, metrics, Kept.of(question))
            for index in range(-(-first.header.segments // first.header.block))
        )
        return answered(tally(blocks, metrics, question), question)


def _in_order(parts: Sequence[Shard]) -> list[Shard]:
    """All shards of one score, the first one first; refused if one is missing, there twice, or of something else."""
    first = parts[0]
    places: dict[int, Shard] = {}
    for part in parts:
        part.require_like(first)
        other = places.setdefault(part.header.shard, part)
        if other is not part:
            raise InputError(
                f"{other.name} and {part.name} are both shard {part.header.shard} of {part.header.shards}.",
                hint="Leave one of them out.",
            )
    missing = [i for i in range(1, first.header.shards + 1) if i not in places]
    if missing:
        some = ", ".join(map(str, missing[:5])) + (", ..." if len(missing) > 5 else "")
        raise InputError(
            f"Of {in_words(first.header.shards, 'shard')}, {len(missing)} {'is' if len(missing) == 1 else 'are'} "
            f"missing: {some}.",
            hint=f"Score them, say with --shard {missing[0]}/{first.header.shards}, and name them, too.",
        )
    return [places[i] for i in sorted(places)]


class Shard:
    """A part that was written, open to be read."""

    def __init__(self, path: File, stack: contextlib.ExitStack) -> None:
        self.name = os.fspath(path)
        if not pathlib.Path(path).is_file():
            raise InputError(f"There is no file {self.name}.", hint=f"Check the name; we are in {pathlib.Path.cwd()}.")
        with self.blamed():
            self.archive = stack.enter_context(zipfile.ZipFile(path))
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

    def require_like(self, first: Shard) -> None:
        """Refuse a part of another score."""
        for field, what in _SHARED.items():
            here, there = getattr(self.header, field), getattr(first.header, field)
            if here != there:
                raise InputError(
                    f"{self.name} does not belong to {first.name}: {what} are others ({_difference(there, here)}).",
                    hint="Merge the shards of one score, of the same texts and options.",
                )

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
            digests = Digests(_digests(facts["digests"], index), bool(facts["numbered"]))
            return CountedBlock(index, tuple(header.systems), n, names, references, digests, counts)

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
        )


_SHARED = {  # what shards of one score have in common, as a sentence says it
    "shards": "the numbers of shards",
    "metrics": "the metrics",
    "choices": "files that options of metrics name",
    "asked": "the options",
    "systems": "the systems",
    "segments": "the numbers of segments",
}


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
    require(all(type(text) is str for text in (*header.metrics, *header.choices, *header.systems)))
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
