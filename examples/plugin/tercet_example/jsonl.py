"""JSON lines: one segment a line, `{"reference": ..., "systems": {NAME: ...}}`."""

import json

from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File

suffixes = (".jsonl",)


def read(path: File) -> TestSet:
    """The test set of a file."""
    systems: dict[str, list[str]] = {}
    references: list[str] = []
    for number, line in enumerate((line for block in lines.blocks(path) for line in block), 1):
        try:
            segment = json.loads(line)
            references.append(segment["reference"])
            for name, output in segment["systems"].items():
                systems.setdefault(name, []).append(output)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"{lines.shown(path)}, line {number}: no segment.",
                hint='A line looks like {"reference": "...", "systems": {"A": "..."}}.',
            ) from None
    return TestSet.of(systems, references)
