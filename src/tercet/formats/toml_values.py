"""TOML with a bound on names within names: Python's reader takes memory that grows with the square of their number."""

from __future__ import annotations

import re
import tomllib
from typing import Any

_DEEPEST = 64
_NAME = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_DEEP = re.compile(rf"(?:^|[\[{{,])[ \t]*+(?:{_NAME}\.[ \t]*+){{{_DEEPEST}}}", re.MULTILINE)


def sound_toml(text: str) -> dict[str, Any]:
    """What a text says; a ValueError where it is no TOML, or nested deeper than can be read.

    >>> sound_toml("a.b = 1")
    {'a': {'b': 1}}
    >>> sound_toml("a" + ".a" * 20_000 + " = 1")
    Traceback (most recent call last):
    ValueError: a name has more than 64 parts
    >>> sound_toml("a = " + "9" * 5000)
    Traceback (most recent call last):
    ValueError: a number has too many digits
    """
    if _DEEP.search(text):
        raise ValueError(f"a name has more than {_DEEPEST} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except ValueError as error:
        if isinstance(error, tomllib.TOMLDecodeError):
            raise
        raise ValueError("a number has too many digits") from None  # Python's words are advice to programmers
