"""Packing and tokenising texts: each once, lower-cased before or after."""

import numpy as np

from tercet import kernels
from tercet.data import Texts
from tercet.text import packed, tokenizer, tokens
from tests.kernels.packing import unpack_tokens


def test_a_text_is_packed_and_tokenised_once() -> None:
    texts, how = Texts.of(["A b.", "É"]), tokenizer("13a")
    assert packed(texts) is packed(texts)
    assert packed(texts, "python") is packed(texts, "python")
    assert packed(texts, "python") is not packed(texts, "ascii")
    assert tokens(texts, how, 1) is tokens(texts, tokenizer("13a"), 2)
    assert tokens(texts, how, 1) is not tokens(texts, how, 1, lower="python")


def test_lower_case_before_and_after_tokenising() -> None:
    texts, how = Texts.of(["É, NO. É", ""]), tokenizer("moses")
    assert kernels.unpack(packed(texts, "ascii")) == ["É, no. É", ""]
    assert unpack_tokens(tokens(texts, how, 1)) == [["É", ",", "NO", ".", "É"], []]
    assert unpack_tokens(tokens(texts, how, 1, lower="python")) == [["é", ",", "no.", "é"], []]
    assert unpack_tokens(tokens(texts, how, 1, lower_tokens="python")) == [["é", ",", "no", ".", "é"], []]
    assert unpack_tokens(tokens(texts, how, 1, lower_tokens="ascii")) == [["É", ",", "no", ".", "É"], []]


def test_lower_cased_tokens_keep_their_rows() -> None:
    texts, how = Texts.of(["A B", "", "C"]), tokenizer("none")
    assert np.array_equal(tokens(texts, how, 1, lower_tokens="python")[2], [0, 2, 2, 3])
