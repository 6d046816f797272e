"""What every verb on judgements begins and ends with: the judgements that are given, and the signature of the call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import version

from tercet.data import Judgements
from tercet.errors import InputError
from tercet.formats import read_judgements
from tercet.formats.lines import File


def load(judgements: Judgements | File, judgements_format: str | None, pair: str | None) -> Judgements:
    """Judgements as they are, or read from their file."""
    if not isinstance(judgements, Judgements | str | os.PathLike):
        raise InputError(
            f"Judgements are a file or what read_judgements gives, not {type(judgements).__name__}.",
            hint="Pass the name of a file.",
        )
    if not isinstance(judgements, Judgements):
        return read_judgements(judgements, judgements_format, pair)
    if judgements_format is not None or pair is not None:
        raise InputError("A format and a language pair belong to a file of judgements.", hint="Leave them out.")
    return judgements


def signature(verb: str, facts: Mapping[str, object]) -> str:
    """Every choice that moves a number, and the version."""
    return "|".join([verb, *(f"{k}:{v}" for k, v in facts.items()), f"tercet:{version('tercet')}"])
