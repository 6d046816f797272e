"""Shards: a test set scored in parts, anywhere, and put together with the bytes of one run.

    score --shard 3/64 -o 3.part     counts blocks 2, 66, 130, ... (of 65 536 segments, from 0) and keeps the counts
    merge *.part                     puts the blocks of all shards together in their order, and answers

What a shard learns from all references (NIST's information weights) it learns itself, so that it needs no other shard.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
from collections.abc import Sequence

from tercet.counting import Extent, Kept
from tercet.data import Scores, statistics
from tercet.errors import InputError
from tercet.formats.packing import is_packed
from tercet.formats.shares import Share
from tercet.metrics import METRICS
from tercet.numbers import counted as in_words
from tercet.options import verb
from tercet.options.scoring import MergeOptions, ShardOptions
from tercet.part_files import Header, PartFile, header_of, kept_blocks, write_part
from tercet.scoring import answered, required_metrics, tally
from tercet.spec import from_file


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
    if is_packed(path):
        raise InputError(f"{path}: a part is packed already.", hint=f"Take {path.suffix} off its name.")
    extent = Extent()
    blocks = kept_blocks(asked, metrics, Share(statistics.BLOCK, number - 1, shards), extent)

    def header() -> Header:
        if not extent.segments:
            raise InputError("There is not one segment to score.", hint="Check that the files are not empty.")
        return header_of(asked, metrics, number, shards, extent.systems, extent.segments)

    write_part(path, blocks, header)
    return path


@verb(MergeOptions)
def merge(asked: MergeOptions) -> Scores:
    """Put the shards of one `score` together: the answer of a single run, to the last byte."""
    paths = [asked.parts] if isinstance(asked.parts, str | os.PathLike) else list(asked.parts)
    if not paths:
        raise InputError("There is no part to merge.", hint="Name all parts that score --shard wrote.")
    with contextlib.ExitStack() as stack:
        parts = [PartFile(path, stack) for path in paths]
        whole = _in_order(parts)
        first = whole[0]
        metrics = first.metrics()
        question = first.question(asked)
        blocks = (
            whole[index % len(whole)].block(index, metrics, Kept.of(question))
            for index in range(-(-first.header.segments // first.header.block))
        )
        return answered(tally(blocks, metrics, question), question)


def _in_order(parts: Sequence[PartFile]) -> list[PartFile]:
    """All shards of one score, the first one first; refused if one is missing, there twice, or of something else."""
    first = parts[0]
    places: dict[int, PartFile] = {}
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
