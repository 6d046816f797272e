"""Linear models in files: what the metrics that were trained have in common.

A model file is JSON. Its `signature` is the checksum of everything else in it, so that a file which was damaged or
changed by hand is refused; one that was never signed, such as the model that the authors of BEER published, is taken
as it is, where the metric allows it.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import pathlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tercet import contents
from tercet.data import Array
from tercet.errors import InputError
from tercet.escaping import json_text
from tercet.formats import lines

LIMIT = 1 << 24  # bytes of a model file
_AGAIN = "Train the model again, or take another file."


@dataclasses.dataclass(frozen=True)
class Linear:
    """Features to one number: the sum of weight * (feature - shift) / scale."""

    weights: tuple[float, ...]
    shifts: tuple[float, ...]
    scales: tuple[float, ...]

    def __call__(self, features: Array) -> Array:
        """The sum over the last axis, one feature after the other: the same bits however many rows there are.

        >>> Linear((2.0, 1.0), (0.0, 1.0), (1.0, 4.0))(np.array([[1.0, 3.0]]))
        array([2.5])
        """
        out = np.zeros(features.shape[:-1])
        for i, weight in enumerate(self.weights):
            out += weight * ((features[..., i] - self.shifts[i]) / self.scales[i])
        return out


def checksum(content: Mapping[str, Any]) -> str:
    """What a file's content is known by, whatever the order of its keys."""
    kept = {key: value for key, value in content.items() if key != "signature"}
    text = json.dumps(kept, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def file_checksum(path: pathlib.Path) -> str:
    """What a file beside a model is known by."""
    try:
        with path.open("rb") as file:
            return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", hint=_AGAIN) from None


def write(path: lines.File, content: Mapping[str, Any]) -> None:
    """A signed file, all there or not there."""
    signed = {**content, "signature": checksum(content)}
    lines.write(path, [json_text(signed, indent=1, allow_nan=False) + "\n"])


def read(path: str, *, signed: bool) -> dict[str, Any]:
    """The content of a model file; `signed`: one without a signature is refused."""
    return _read(path, contents.state(path), signed)


@functools.lru_cache(maxsize=32)
def _read(path: str, _state: contents.State, signed: bool) -> dict[str, Any]:
    try:
        content = json.loads(lines.whole(path, LIMIT))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not JSON: {error}.", hint=_AGAIN) from None
    if not isinstance(content, dict):
        raise InputError(f"{path} is no model: it holds no JSON object.", hint=_AGAIN)
    if "signature" not in content:
        if signed:
            raise InputError(f"{path} is no model of Tercet: it has no signature.", hint=_AGAIN)
    elif content["signature"] != checksum(content):
        raise InputError(
            f"{path} is not as it was written: its content does not fit its signature, {content['signature']!r}.",
            hint=_AGAIN,
        )
    return content


class Fields:
    """What a model file holds, each value of its kind or an error that names the file."""

    def __init__(self, path: str, content: Any, where: str = "") -> None:
        self.path, self.where = path, where
        self.content: Mapping[str, Any] = content if isinstance(content, dict) else {}

    def _wrong(self, name: str, wanted: str) -> InputError:
        return InputError(f"{self.path}: {self.where}{name} must be {wanted}.", hint=_AGAIN)

    def number(self, name: str) -> float:
        """The finite number of this name; an error that names the file where there is none."""
        value = self.content.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
            raise self._wrong(name, "a finite number")
        return float(value)

    def text(self, name: str) -> str:
        """The string of this name."""
        value = self.content.get(name)
        if not isinstance(value, str):
            raise self._wrong(name, "a string")
        return value

    def each(self, name: str) -> Sequence[Fields]:
        """The objects of the list of this name."""
        values = self.content.get(name)
        if not isinstance(values, list):
            raise self._wrong(name, "a list")
        return [Fields(self.path, value, f"{name} {i}: ") for i, value in enumerate(values, 1)]

    def inside(self, name: str) -> Fields:
        """The fields of the object of this name."""
        return Fields(self.path, self.content.get(name), f"{name}: ")
