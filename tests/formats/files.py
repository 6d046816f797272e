"""Small files for tests, and what must be said of those that are wrong."""

from __future__ import annotations

import gzip
import pathlib

import numpy as np
import pytest

from tercet.data import Judgements
from tercet.errors import InputError
from tercet.formats import read_judgements


def put(folder: pathlib.Path, name: str, content: str | bytes) -> pathlib.Path:
    """A file of this content, packed if its name says so."""
    data = content.encode() if isinstance(content, str) else content
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def refused(path: pathlib.Path, line: int | None, *words: str, format: str | None = None) -> InputError:  # noqa: A002
    """The error that reading a file must give: it names the file, the line and these words, and has a hint."""
    with pytest.raises(InputError) as caught:
        read_judgements(path, format)
    message = str(caught.value)
    assert str(path) in message
    if line is not None:
        assert f", line {line}:" in message
    for word in words:
        assert word in message
    assert caught.value.hint
    return caught.value


def same(left: Judgements, right: Judgements) -> None:
    """Both are equal in every field: types, names, numbers, and where numbers are missing."""
    assert type(left) is type(right)
    for name, mine in vars(left).items():
        _equal(mine, getattr(right, name), name)


def _equal(mine: object, other: object, name: str) -> None:
    if isinstance(mine, np.ndarray):
        assert isinstance(other, np.ndarray), name
        assert mine.dtype == other.dtype, name
        np.testing.assert_array_equal(mine, other, err_msg=name)
    elif hasattr(mine, "__dataclass_fields__"):
        assert type(mine) is type(other), name
        for field, value in vars(mine).items():
            _equal(value, getattr(other, field), field)
    else:
        assert mine == other, name
        assert type(mine) is type(other), name
