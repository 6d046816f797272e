"""Names to numbers, against slow and obvious dictionaries."""

from __future__ import annotations

import hypothesis
import hypothesis.strategies as st
import numpy as np

from tercet.data import UNKNOWN
from tercet.formats.names import Names, combined, without_empty

few = st.lists(st.sampled_from(["", "a", "b", "c"]), max_size=8)


@hypothesis.given(few, few)
def test_numbers_come_in_the_order_of_names(first: list[str], second: list[str]) -> None:
    names: Names[str] = Names()
    numbers = [*names.numbers(first), *names.numbers(second)]
    assert list(names) == list(dict.fromkeys(first + second))
    assert [list(names)[n] for n in numbers] == first + second


@hypothesis.given(few)
def test_the_empty_name_is_nobody(given: list[str]) -> None:
    names: Names[str] = Names()
    known, ids = without_empty(names, names.numbers(given))
    assert "" not in known
    assert [known[i] if i != UNKNOWN else "" for i in ids] == given


@hypothesis.given(st.lists(st.tuples(*[st.integers(-1, 3)] * 3), min_size=0, max_size=12))
def test_rows_that_agree_are_one(rows: list[tuple[int, int, int]]) -> None:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    found, first = combined(*columns)
    distinct = list(dict.fromkeys(rows))
    assert found.tolist() == [distinct.index(row) for row in rows]
    assert first.tolist() == [rows.index(row) for row in distinct]
