"""The contract of a tokenizer: functions that take one and raise AssertionError where it breaks its word."""

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from tercet import kernels
from tercet.spec import option_docs
from tercet.text import TOKENIZERS, Tokenizer
from tests.contract.metric_checks import OUTPUTS, REFERENCES, SCRIPTS
from tests.contract.variants import variants
from tests.kernels.packing import unpack_tokens

LINES = [*OUTPUTS, "", *REFERENCES, " ", *SCRIPTS, "a  b\tc", "x"]


def check_spec_round_trip(tokenizer: Tokenizer) -> None:
    """A tokenizer is its string."""
    for one in [tokenizer, *variants(tokenizer)]:
        again = TOKENIZERS.make(str(one))
        assert again == one
        assert hash(again) == hash(one)
        assert str(again) == str(one)
        assert type(again) is type(one)
    assert str(tokenizer) not in [str(one) for one in variants(tokenizer)]


def check_frozen(tokenizer: Tokenizer) -> None:
    """Nothing can be assigned."""
    for name in [*tokenizer.parameters(), "anything"]:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(tokenizer, name, getattr(tokenizer, name, None))


def check_documented(tokenizer: Tokenizer) -> None:
    """A line for the list, and a sentence for every option."""
    assert tokenizer.summary.strip()
    for name, doc in option_docs(type(tokenizer)).items():
        assert doc.strip(), f"the option {name} has no sentence"


def check_tokens(tokenizer: Tokenizer) -> None:
    """One row a line, of words that are not empty and hold no space; nothing is made of nothing."""
    for one in [tokenizer, *variants(tokenizer)]:
        data, offsets, rows = one.tokenize(kernels.pack(LINES), 1)
        assert [str(array.dtype) for array in (data, offsets, rows)] == ["uint8", "int64", "int64"]
        tokens = unpack_tokens((data, offsets, rows))
        assert len(tokens) == len(LINES)
        assert all(word and " " not in word for row in tokens for word in row)
        assert tokens[LINES.index("")] == tokens[LINES.index(" ")] == []
        assert "".join(tokens[LINES.index("x")]).removeprefix("▁") == "x"  # SentencePiece's mark of a space
        assert "fox" in "".join(tokens[0])


def check_one_line_is_a_batch(tokenizer: Tokenizer) -> None:
    """A text has the same tokens alone, among others, and in an empty batch none."""
    tokens = unpack_tokens(tokenizer.tokenize(kernels.pack(LINES), 1))
    assert [tokenizer(line) for line in LINES] == tokens
    assert unpack_tokens(tokenizer.tokenize(kernels.pack([]), 1)) == []


def check_threads(tokenizer: Tokenizer) -> None:
    """The number of threads does not change a bit."""
    lines = kernels.pack(LINES * 40)
    alone = tokenizer.tokenize(lines, 1)
    for threads in (2, 5):
        found = tokenizer.tokenize(lines, threads)
        assert all(np.array_equal(found[i], alone[i]) for i in range(3))


CHECKS: list[Callable[[Tokenizer], None]] = [
    check_spec_round_trip,
    check_frozen,
    check_documented,
    check_tokens,
    check_one_line_is_a_batch,
    check_threads,
]
