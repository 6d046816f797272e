"""What the annotator's page itself says, by language: a file each, and the table `page` of a protocol's texts.

A language of a protocol that has no file here says what it wants in `[texts.cs.page]`; the rest is English.
"""

from __future__ import annotations

import functools
import json
import pathlib
from typing import Any

from tercet.campaigns.protocol import Protocol

_FOLDER = pathlib.Path(__file__).parent / "texts"


@functools.cache
def _told(language: str) -> dict[str, str]:
    """What the file of a language says; names of languages are those of files, and nothing else."""
    files = {path.stem: path for path in _FOLDER.glob("*.json")}
    path = files.get(language)
    return {} if path is None else dict(json.loads(path.read_text(encoding="utf-8")))


def language_name(language: str) -> str:
    """What a language calls itself, as far as it is known here.

    >>> language_name("de"), language_name("cs")
    ('Deutsch', 'cs')
    """
    return _told(language.partition("-")[0]).get("name", language)


def page_texts(protocol: Protocol, language: str) -> dict[str, Any]:
    """All that is said on the page: its own texts, under those of the protocol.

    >>> from tercet.campaigns.protocol import load_protocol
    >>> texts = page_texts(load_protocol("ranking"), "de")
    >>> texts["next"], texts["rank"]
    ('Weiter', 'Rang')
    """
    texts = protocol.texts(language)
    page = texts.pop("page", {})
    return {**_told("en"), **_told(language.partition("-")[0]), **page, **texts}
