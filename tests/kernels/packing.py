"""Between Python's lists and what the kernels take."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tercet import kernels
from tests.kernels.strategies import Segment

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
Lines = tuple[Bytes, Ints]
Tokens = tuple[Bytes, Ints, Ints]


def offsets(lengths: Sequence[int]) -> Ints:
    """0, and the running sums."""
    return np.cumsum([0, *lengths], dtype=np.int64)


def pack_tokens(rows: Sequence[Sequence[str]]) -> Tokens:
    """Rows of words, end to end."""
    return *kernels.pack([word for row in rows for word in row]), offsets([len(row) for row in rows])


def unpack_tokens(tokens: Tokens) -> list[list[str]]:
    """Rows of words, as lists again."""
    data, ends, rows = tokens
    words = kernels.unpack((data, ends))
    return [words[rows[i] : rows[i + 1]] for i in range(len(rows) - 1)]


def packed_words(segments: Sequence[Segment]) -> tuple[Tokens, Tokens, Ints]:
    """Hypotheses, references and groups, split at white space."""
    refs = [ref.split() for segment in segments for ref in segment.refs]
    hyps = [segment.hyp.split() for segment in segments]
    return pack_tokens(hyps), pack_tokens(refs), offsets([len(segment.refs) for segment in segments])


def packed_lines(segments: Sequence[Segment]) -> tuple[Lines, Lines, Ints]:
    """Hypotheses, references and groups, as they are."""
    refs = [ref for segment in segments for ref in segment.refs]
    hyps = kernels.pack([segment.hyp for segment in segments])
    return hyps, kernels.pack(refs), offsets([len(segment.refs) for segment in segments])
