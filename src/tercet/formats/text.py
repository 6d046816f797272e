"""Plain text: one segment a line, files aligned by line number, as sacreBLEU and Moses read it.

A test set is several files: one a system, one or more of references, perhaps sources and documents. Segments
are named by their line numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from tercet import limits
from tercet.data import References, TestSet
from tercet.errors import InputError
from tercet.formats import columns, lines, shares
from tercet.formats.lines import File
from tercet.formats.shares import Lines, Share, Unread
from tercet.formats.stretches import Stretch, stretches
from tercet.limits import Budget


def read(
    systems: Mapping[str, File],
    references: Sequence[File] = (),
    sources: File | None = None,
    documents: File | None = None,
    *,
    num_refs: int = 1,
) -> TestSet:
    """A whole test set from aligned files.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     hyp, ref = pathlib.Path(folder, "hyp.txt"), pathlib.Path(folder, "ref.txt")
    ...     _ = hyp.write_text("a cat\\n"), ref.write_text("the cat\\n")
    ...     testset = read({"mine": hyp}, [ref])
    >>> testset.systems["mine"][0], testset.references[0]
    ('a cat', ('the cat',))
    """
    return next(read_parts(systems, references, sources, documents, columns.EVERYTHING, num_refs=num_refs))


def read_parts(
    systems: Mapping[str, File],
    references: Sequence[File] = (),
    sources: File | None = None,
    documents: File | None = None,
    size: int = lines.BLOCK,
    *,
    num_refs: int = 1,
) -> Iterator[TestSet]:
    """Aligned parts of at most `size` segments, at least one part, in memory that does not grow with them.

    Where one of several references is empty, it does not count, unless all are. `num_refs` splits the lines
    of the one reference file at tabs into at most that many references. A line of `documents` is a document's
    name, or its domain and its name.
    """
    parts = read_share(systems, references, sources, documents, size, num_refs=num_refs)
    return cast(Iterator[TestSet], parts)


def read_share(
    systems: Mapping[str, File],
    references: Sequence[File] = (),
    sources: File | None = None,
    documents: File | None = None,
    size: int = lines.BLOCK,
    *,
    num_refs: int = 1,
    share: Share | None = None,
) -> Iterator[TestSet | Unread]:
    """The same of a share of the segments; of the others there is only their number."""
    columns.check_size(size)
    if isinstance(references, str):
        raise InputError(f"The references are one name, {references!r}.", hint="Put it into a list.")
    files = [*systems.values(), *references, *(f for f in (sources, documents) if f is not None)]
    if not files:
        raise InputError("There is no file to read.", hint="Name at least one system's output.")
    if sum(map(lines.is_stdin, files)) > 1:
        raise InputError("Standard input (-) is named more than once.", hint="It can be read as one file only.")
    if num_refs < 1 or (num_refs > 1 and len(references) != 1):
        raise InputError(
            f"num_refs={num_refs} does not go with {len(references)} reference files.",
            hint="It says how many references, separated by tabs, a line of the only reference file has.",
        )
    aligned_blocks = aligned(files, size) if share is None else _aligned_share(files, size, share)
    return _parts(aligned_blocks, list(systems), len(references), sources is not None, documents, num_refs)


@dataclasses.dataclass(frozen=True)
class Unsent:
    """A block that whoever goes through it reads from the files."""

    start: int  # the first line's number, from 1
    stretches: Sequence[Stretch]  # of systems, references, sources and documents
    systems: Sequence[str]
    n_references: int
    with_sources: bool
    documents: File | None
    num_refs: int

    @property
    def n_bytes(self) -> int:
        """Of all files."""
        return sum(stretch.stop - stretch.start for stretch in self.stretches)

    def __len__(self) -> int:
        return self.stretches[0].n_lines

    def __iter__(self) -> Iterator[TestSet]:
        blocks = [stretch.read() for stretch in self.stretches]
        more = self.systems, self.n_references, self.with_sources, self.documents, self.num_refs
        return cast(Iterator[TestSet], _parts(iter([(self.start, blocks)]), *more))


def unsent_blocks(
    systems: Mapping[str, File],
    references: Sequence[File],
    sources: File | None,
    documents: File | None,
    size: int,
    *,
    num_refs: int = 1,
) -> Iterator[Unsent]:
    """Aligned blocks of `size` segments of plain files, which are to be read elsewhere; none if there is no line."""
    files = [*systems.values(), *references, *(f for f in (sources, documents) if f is not None)]
    cut = [stretches(file, size) for file in files]
    start = 1
    while any(row := [next(one, None) for one in cut]):
        there = [0 if one is None else one.n_lines for one in row]
        if len(set(there)) > 1:
            rest = [n + sum(one.n_lines for one in others) for n, others in zip(there, cut, strict=True)]
            raise _misaligned(files, [start - 1 + n for n in rest])
        aligned_row = [one for one in row if one is not None]
        yield Unsent(start, aligned_row, list(systems), len(references), sources is not None, documents, num_refs)
        start += there[0]


def _parts(
    aligned_blocks: Iterator[tuple[int, list[list[str]]]] | Iterator[tuple[int, list[Lines]]],
    systems: Sequence[str],
    n_references: int,
    with_sources: bool,
    documents: File | None,
    num_refs: int,
) -> Iterator[TestSet | Unread]:
    for start, blocks in aligned_blocks:
        if isinstance(blocks[0], range):
            yield Unread(tuple(systems), len(blocks[0]))
            continue
        rest = iter(cast(list[list[str]], blocks))
        outputs = {name: columns.texts(next(rest)) for name in systems}
        refs = [next(rest) for _ in range(n_references)]
        given = columns.texts(next(rest)) if with_sources else None
        names, domains = (None, None) if documents is None else _documents(next(rest), documents, start)
        yield TestSet(
            segments=columns.numbers(start, len(blocks[0])),
            systems=outputs,
            references=_references(refs, num_refs),
            sources=given,
            documents=names,
            facets={"domain": domains} if domains else {},
        )


def aligned(
    files: Sequence[File], size: int = lines.BLOCK, *, live: bool = False
) -> Iterator[tuple[int, list[list[str]]]]:
    """The first line's number and the next `size` lines of each file; once even if all are empty.

    With `live`, lines that come in one by one are given one by one, before it is known whether others will follow.
    """
    live = live and any(map(lines.comes_in, files))
    budget = Budget("The texts", "Give fewer files, or shorter ones.") if size == columns.EVERYTHING else None
    readers = [lines.blocks(file, size, most=limits.PART // len(files), budget=budget, live=live) for file in files]
    return cast(Iterator[tuple[int, list[list[str]]]], _in_step(files, readers, live))


def _aligned_share(files: Sequence[File], size: int, share: Share) -> Iterator[tuple[int, list[Lines]]]:
    """The same of a share of the lines, and of the others their numbers: those of each file are of the same lines."""
    return _in_step(files, [shares.blocks(f, size, share, most=limits.PART // len(files)) for f in files], live=False)


def _in_step(
    files: Sequence[File], readers: Sequence[Iterator[Lines]], live: bool
) -> Iterator[tuple[int, list[Lines]]]:
    blocks: list[Lines] = [[] for _ in files]
    start = 1
    while True:
        blocks = [block or next(reader, []) for block, reader in zip(blocks, readers, strict=True)]
        n = min(map(len, blocks))
        rest = [block[n:] for block in blocks]
        if any(rest) and not (live and n):  # lines of many bytes come in shorter blocks, but they come
            rest = [block or next(reader, []) for block, reader in zip(rest, readers, strict=True)]
            if not all(rest):
                more = [len(block) + sum(map(len, reader)) for block, reader in zip(rest, readers, strict=True)]
                raise _misaligned(files, [start - 1 + n + n_lines for n_lines in more])
        if n or start == 1:
            yield start, [block[:n] for block in blocks]
        if n == 0:
            return
        blocks = rest
        start += n


def _misaligned(files: Sequence[File], counts: Sequence[int]) -> InputError:
    odd = [i for i, count in enumerate(counts) if count != counts[0]]
    others = ", ".join(f"{lines.shown(files[i])} {counts[i]}" for i in odd[:5])
    more = f", and {len(odd) - 5} more files differ" if len(odd) > 5 else ""
    return InputError(
        f"{lines.shown(files[0])} has {counts[0]} lines, {others}{more}.",
        hint="Files are aligned by line number: find the line that is missing, or that was broken in two.",
    )


def _references(blocks: Sequence[list[str]], num_refs: int) -> References | None:
    if not blocks:
        return None
    if num_refs > 1:
        return columns.ragged(line.split("\t", num_refs - 1) for line in blocks[0])
    return columns.references(blocks)


def _documents(block: Sequence[str], path: File, start: int) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Documents, and domains if every line has one."""
    names, domains = [], []
    for number, line in enumerate(block, start):
        fields = line.split()
        if not 1 <= len(fields) <= 2:
            raise InputError(
                f"{lines.shown(path)}, line {number}: {line!r} has {len(fields)} fields.",
                hint="Each line must be a document's name, or its domain and its name.",
            )
        names.append(fields[-1])
        domains += fields[:-1]
    return tuple(names), tuple(domains) if len(domains) == len(names) else None
