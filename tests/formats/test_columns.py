"""References from columns, and test sets cut into parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import columns


@given(rows=st.lists(st.lists(st.sampled_from(["", "a", "b"]), min_size=2, max_size=2)))
def test_an_empty_reference_counts_only_where_all_are_empty(rows: list[list[str]]) -> None:
    found = columns.references([[row[0] for row in rows], [row[1] for row in rows]])
    assert [found[i] for i in range(len(found))] == [tuple(filter(None, row)) or ("",) for row in rows]


@given(n=st.integers(0, 7), size=st.integers(1, 8))
def test_parts_put_together_are_the_whole(n: int, size: int) -> None:
    names = [str(i) for i in range(n)]
    refs = [["r"] * (i % 3 + 1) for i in range(n)]
    whole = TestSet.of({"a": names}, refs, sources=names, documents=names, segments=names)
    found = list(columns.parts(whole, size))
    assert len(found) == max(1, -(-n // size))
    assert [s for part in found for s in part.segments] == names
    assert [s for part in found for s in part.systems["a"]] == names
    assert [part.references[i] for part in found if part.references for i in range(len(part))] == [*map(tuple, refs)]


def test_no_columns_for_parts_of_nothing() -> None:
    with pytest.raises(InputError, match="Parts of 0 segments") as caught:
        list(columns.parts(TestSet.of({"a": ["x"]}), 0))
    assert "at least 1" in caught.value.hint
