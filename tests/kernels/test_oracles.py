"""One test holds every kernel equal to its oracle, on anything; another on every character there is."""

import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.cases import CASES, RESAMPLING, TOKENIZERS, Case, without_later_letters
from tests.kernels.strategies import PIECES, VOCABULARY, Segment, all_characters

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
each_tokenizer = pytest.mark.parametrize("case", TOKENIZERS, ids=lambda case: case.name)


def assert_equal(case: Case, found: Any, wanted: Any) -> None:
    """Equal to the bit, or as close as another order of summation allows."""
    if case.exact:
        assert found == wanted
    else:
        assert len(found) == len(wanted)
        for row, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(row, other, rtol=1e-12, atol=1e-12)


@each_case
@given(data=st.data())
def test_kernel_equals_oracle(case: Case, data: st.DataObject) -> None:
    items, options = data.draw(case.items), data.draw(case.options)
    assert_equal(case, case.kernel(items, 1, **options), case.oracle(items, **options))


@functools.cache
def lines_of_all_characters() -> list[str]:
    """Every character between, before and after letters, digits, spaces and marks; 32 characters a line."""
    settings_of_one = ("x{c}y", "{c}", "X{c}", "{c}x", "1{c}2", "x.{c}", "x'{c}", "{c}'s", "x. {c}", "5,{c}", "{c},x")
    characters = without_later_letters(list(all_characters()))
    pieces = [" ".join(s.format(c=c) for s in settings_of_one) for c in characters if c]
    return [" ".join(pieces[i : i + 32]) for i in range(0, len(pieces), 32)]


OPTIONS: dict[str, dict[str, Any]] = {
    "tercom": {"normalized": True, "no_punct": False, "asian_support": True, "case_sensitive": False, "twice": False},
    "terp": {"normalized": True, "case_sensitive": False},
    "mteval": {"international": True, "case_sensitive": False, "enclose_non_ascii": False},
    "moses": {"apostrophe": "right", "word_internal": ":", "escape": True, "aggressive": True, "language": "en"},
}
OTHER_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "tercom": [{"twice": True}, {"normalized": False, "no_punct": True}],
    "terp": [{"normalized": False}],
    "mteval": [{"international": False}],
}


def differing(case: Case, lines: list[str], options: dict[str, Any]) -> list[str]:
    """The lines of which kernel and oracle make different things."""
    found, wanted = case.kernel(lines, 2, **options), case.oracle(lines, **options)
    return [line for line, ours, theirs in zip(lines, found, wanted, strict=True) if ours != theirs]


@pytest.mark.thorough
@each_tokenizer
def test_every_pair_of_pieces(case: Case) -> None:
    """What stands beside what decides between rules, also at the end of a line; every other pair will do."""
    lines = [f"x{one}{two}" for i, one in enumerate(PIECES) for two in PIECES[i % 2 :: 2]]
    for changed in [{}, *OTHER_OPTIONS.get(case.name, [])]:
        options = OPTIONS.get(case.name, {}) | changed
        assert differing(case, lines, options) == []


@pytest.mark.thorough
@each_tokenizer
def test_every_character_of_unicode(case: Case) -> None:
    assert differing(case, lines_of_all_characters(), OPTIONS.get(case.name, {})) == []


def many_segments() -> list[Segment]:
    """More segments than any block of work holds, of uneven length."""
    out = []
    for i in range(700):
        hyp = " ".join(VOCABULARY[i * j % 13] for j in range(i % 29))
        refs = [" ".join(VOCABULARY[i * j % (11 + r)] for j in range((i + r) % 31)) for r in range(1 + i % 3)]
        out.append(Segment(hyp, refs))
    return out


def many_items(case: Case) -> Any:
    """Enough work for several threads."""
    if case in TOKENIZERS:
        return [" ".join(PIECES[i * j % len(PIECES)] for j in range(i % 17)) for i in range(1500)]
    if case in RESAMPLING:
        rng = np.random.default_rng(1)
        rows = np.concatenate([rng.normal(size=(1100, 3)), rng.integers(0, 200, size=(1100, 6))], axis=1)
        return rng.integers(0, 2, size=(100, 1100)).tolist(), rows.tolist()
    return many_segments()


CHRF = {"char_order": 6, "word_order": 2, "beta": 2.0, "whitespace": False, "eps_smoothing": False}
METRIC_OPTIONS: dict[str, dict[str, Any]] = {
    "bleu": {"order": 4, "how": "closest"},
    "chrf": CHRF | {"original": False},
    "chrf-original": CHRF | {"original": True},
    "nist": {"order": 5},
    "edits": {"jumps": True, "best": False},
}


@each_case
def test_threads_do_not_change_a_bit(case: Case) -> None:
    items, options = many_items(case), {**OPTIONS, **METRIC_OPTIONS}.get(case.name, {})
    alone = case.kernel(items, 1, **options)
    for threads in (2, 5):
        assert case.kernel(items, threads, **options) == alone
