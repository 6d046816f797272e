"""JSON as its standard has it: numbers are finite, whatever Python's reader takes besides."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn


def sound_json(text: str) -> Any:
    """What a text says; a ValueError where it is no sound JSON, or nested deeper than can be read.

    >>> sound_json('{"start": 1.5}')
    {'start': 1.5}
    >>> sound_json('{"start": 1e999}')
    Traceback (most recent call last):
    ValueError: 1e999 is no finite number
    """
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _finite(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _refuse(digits)


def _refuse(number: str) -> NoReturn:
    raise ValueError(f"{number[:40]} is no finite number")
