"""Trees of error types, as data: from a fine tag to a coarse one.

    {"name": "ours", "tree": {"Accuracy": {"Omission": {}}, "Fluency": {}}, "aliases": {"Missing": "Omission"},
     "severities": {"minor": 1, "major": 5}}

`aliases` and `severities` may be left out. Names are compared without regard to case, blanks and punctuation; a path,
as Accuracy/Omission, is known by its first node.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tercet.errors import InputError
from tercet.formats.lines import File, shown, whole
from tercet.formats.qe_words import BAD, OK

WMT14 = pathlib.Path(__file__).with_name("typology.json")
_LETTERS = re.compile(r"[\W_]+")
_DEEPEST = 20
_HINT = 'It must be like {"name": "ours", "tree": {"Accuracy": {"Omission": {}}, "Fluency": {}}}.'


@dataclasses.dataclass(frozen=True)
class Typology:
    """Types of errors in a tree, and the weights of severities."""

    name: str
    branches: Mapping[str, str]  # from the folded name of a node to its top branch
    severities: Mapping[str, float] = dataclasses.field(default_factory=dict)

    def level1(self, tag: str) -> str | None:
        """The top branch of a tag, OK for OK; None if the tree does not have it.

        >>> wmt14().level1("Word_order"), wmt14().level1("Accuracy/Omission"), wmt14().level1("OK")
        ('Fluency', 'Accuracy', 'OK')
        """
        if tag == OK:
            return OK
        return self.branches.get(_folded(tag)) or self.branches.get(_folded(tag.split("/")[0]))

    def coarse(self, tag: str, granularity: str, where: str) -> str:
        """A tag at a coarser granularity; one that the tree does not have cannot be put there."""
        if granularity == "binary":
            return OK if tag == OK else BAD
        branch = self.level1(tag)
        if branch is None:
            raise InputError(
                f"{where}: the tag {tag!r} is not in the typology {self.name}.",
                hint=f"Its branches are {', '.join(sorted(set(self.branches.values())))}; give another tree with "
                "--typology, or another tag with --replace OLD=NEW.",
            )
        return branch


@functools.cache
def wmt14() -> Typology:
    """The core of MQM as WMT14 used it."""
    return read_typology(WMT14)


def read_typology(path: File) -> Typology:
    """A typology from its JSON."""
    try:
        given = json.loads(whole(path, 1 << 20))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{shown(path)} is no JSON.", hint=_HINT) from None
    tree = given.get("tree") if isinstance(given, dict) else None
    if not isinstance(tree, dict) or not tree:
        raise InputError(f"{shown(path)} has no tree of error types.", hint=_HINT)
    branches: dict[str, str] = {}
    for branch, nodes in tree.items():
        for name in (branch, *_names(nodes, path, 0)):
            if branches.setdefault(_folded(name), branch) != branch:
                raise InputError(f"{shown(path)} has {name!r} in two branches.", hint="A type has one place.")
    for alias, name in _texts(given.get("aliases", {}), path).items():
        if _folded(name) not in branches:
            raise InputError(f"{shown(path)}: {alias!r} stands for {name!r}, which is not there.", hint="Correct it.")
        branches.setdefault(_folded(alias), branches[_folded(name)])
    severities = given.get("severities", {})
    if not isinstance(severities, dict) or not all(_is_weight(weight) for weight in severities.values()):
        raise InputError(f"{shown(path)}: severities are names with numbers.", hint='As {"minor": 1, "major": 5}.')
    weights = {name.lower(): float(weight) for name, weight in severities.items()}
    return Typology(str(given.get("name", shown(path))), branches, weights)


def _names(nodes: Any, path: File, depth: int) -> Iterator[str]:
    if not isinstance(nodes, dict) or depth > _DEEPEST:
        raise InputError(f"{shown(path)} has a tree that is none.", hint=_HINT)
    for name, below in nodes.items():
        yield name
        yield from _names(below, path, depth + 1)


def _texts(given: Any, path: File) -> Mapping[str, str]:
    if not isinstance(given, dict) or not all(isinstance(name, str) for name in given.values()):
        raise InputError(f"{shown(path)}: aliases are names for names.", hint='As {"Missing": "Omission"}.')
    return given


def _is_weight(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given < 1e9


def _folded(name: str) -> str:
    return _LETTERS.sub("", name).lower()


def granularity_of(tags: Sequence[str], typology: Typology) -> str:
    """The coarsest granularity that some tags are: binary, level1, or multi."""
    kinds = set(tags)
    if kinds <= {OK, BAD}:
        return "binary"
    return "level1" if kinds <= {OK, *typology.branches.values()} else "multi"
