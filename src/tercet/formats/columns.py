"""What formats share once their lines are read: columns of strings to test sets, and test sets to parts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from tercet.data import References, TestSet, Texts
from tercet.errors import InputError

EVERYTHING = sys.maxsize
FACET = "facet:"  # how the names of columns begin that say something else of a segment


def numbers(start: int, n: int) -> tuple[str, ...]:
    """The names of segments that have none: their numbers over the whole, from 1.

    >>> numbers(3, 2)
    ('3', '4')
    """
    return tuple(map(str, range(start, start + n)))


def texts(strings: Iterable[str]) -> Texts:
    """Strings from a file, which need no check."""
    return Texts(tuple(strings))


def references(columns: Sequence[Sequence[str]]) -> References:
    """The references of each segment from one column a reference.

    An empty text means that this reference lacks the segment, as long as another has it; where all are empty,
    the one reference is empty.

    >>> list(references([["a", "", ""], ["A", "B", ""]]))
    [('a', 'A'), ('B',), ('',)]
    """
    if len(columns) == 1:
        return References(texts(columns[0]), np.arange(len(columns[0]) + 1, dtype=np.int64))
    return ragged(zip(*columns, strict=True))


def ragged(rows: Iterable[Iterable[str]]) -> References:
    """As `references`, from one row a segment; rows may differ in length."""
    flat: list[str] = []
    groups = [0]
    for row in rows:
        flat += [text for text in row if text] or [""]
        groups.append(len(flat))
    return References(Texts(tuple(flat)), np.array(groups, dtype=np.int64))


def document_facets(given: Mapping[str, Mapping[str, str]], order: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What documents say of themselves as facets of their segments; only what each of them says.

    >>> document_facets({"a": {"domain": "news", "origlang": "de"}, "b": {"domain": "chat"}}, ["a", "b", "b"])
    {'domain': ('news', 'chat', 'chat')}
    """
    names = dict.fromkeys(name for texts in given.values() for name in texts)
    return {
        name: tuple(given[document][name] for document in order)
        for name in names
        if all(name in given[document] for document in order)
    }


def covered(what: str, texts: Mapping[tuple[str, str], str], wanted: Sequence[tuple[str, str]], by: str) -> list[str]:
    """The texts of `own` in the order of `wanted`, keys of document and segment; neither may lack one."""
    known = set(wanted)
    missing = [key for key in wanted if key not in texts]
    extra = [key for key in texts if key not in known]
    if missing or extra:
        lacks = f"lacks {len(missing)} of the {len(wanted)} segments of {by} ({some(missing)})"
        adds = f"has {len(extra)} that {by} does not have ({some(extra)})"
        raise InputError(
            f"{what} {' and '.join([lacks] * bool(missing) + [adds] * bool(extra))}.",
            hint="All must hold the same segments: add what is missing, or leave the rest out everywhere.",
        )
    return [texts[key] for key in wanted]


def some(keys: Sequence[tuple[str, str]], limit: int = 3) -> str:
    """The first few of many segments, for a message."""
    first = ", ".join(f"{document}:{segment}" for document, segment in keys[:limit])
    return f"{first}, ..." if len(keys) > limit else first


def parts(testset: TestSet, size: int) -> Iterator[TestSet]:
    """A test set in pieces of at most `size` segments, at least one."""
    check_size(size)
    for start in range(0, max(len(testset), 1), size):
        yield sliced(testset, start, min(start + size, len(testset)))


def check_size(size: int) -> None:
    """Refuse parts of no segments."""
    if size < 1:
        raise InputError(f"Parts of {size} segments cannot be read.", hint="Ask for at least 1.")


def sliced(testset: TestSet, start: int, stop: int) -> TestSet:
    """The segments from `start` up to `stop` as a test set."""

    def cut(column: Texts) -> Texts:
        return Texts(column.strings[start:stop])

    refs = testset.references
    if refs is not None:
        groups = refs.groups[start : stop + 1]
        refs = References(Texts(refs.texts.strings[groups[0] : groups[-1]]), groups - groups[0])
    return TestSet(
        segments=testset.segments[start:stop],
        systems={name: cut(column) for name, column in testset.systems.items()},
        references=refs,
        sources=None if testset.sources is None else cut(testset.sources),
        documents=None if testset.documents is None else testset.documents[start:stop],
        reference_names=testset.reference_names,
        facets={name: values[start:stop] for name, values in testset.facets.items()},
    )
