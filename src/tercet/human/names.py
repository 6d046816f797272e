"""Systems in judgements and systems in a test set: the same thing, often under two names.

The rule, stated: an explicit map decides first. Otherwise two names are the same if they are equal

1. as they are,
2. without what a file name adds: a test set in front and a language pair behind
   (`newstest2015.online-B.0.cs-en.txt` is `online-B.0`),
3. also without a submission number at the end, if one of them has none (`online-B.0` is `online-B`),
4. also in lower case and without `-` and `_` (`onlineB` is `online-b`),

and at every step only if there is one candidate on either side. Whatever does not match is an error, but for references
among the systems, which keep their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from tercet.data import Judgements, is_reference
from tercet.data.judgements import J
from tercet.errors import InputError

_FILE = re.compile(r"^[A-Za-z]+\d{4}\.(?P<name>.+?)\.[a-z]{2,3}-[a-z]{2,3}(?:\.(?:txt|sgm))?$")
_NUMBER = re.compile(r"\.\d+$")


def match_systems(judgements: J, systems: Iterable[str], names: Mapping[str, str] | None = None) -> J:
    """The judgements with systems called as in the test set; `names` maps a name in the judgements to one there."""
    theirs = list(systems)
    renamed = matched(judgements.systems, theirs, names or {})
    unknown = [s for s in judgements.systems if s not in renamed and not is_reference(s)]
    if unknown:
        unused = [s for s in theirs if s not in renamed.values()]
        raise InputError(
            f"{judgements.file}{_line(judgements, unknown[0])} judges {_listed(unknown)}, which the test set does not "
            f"have; "
            f"of the test set's systems {_listed(unused) if unused else 'none'} "
            f"{'are' if len(unused) != 1 else 'is'} left.",
            hint="Map the names: --name JUDGED=SYSTEM.",
        )
    return judgements.renamed(renamed)


def _line(judgements: Judgements, system: str) -> str:
    line = judgements.first_line(system)
    return "" if line is None else f", line {line},"


def matched(ours: Sequence[str], theirs: Sequence[str], names: Mapping[str, str]) -> dict[str, str]:
    """Our names to theirs, for those that the rule matches.

    >>> matched(["newstest2015.online-B.0.cs-en.txt", "x"], ["online-B", "onlineA"], {"x": "onlineA"})
    {'x': 'onlineA', 'newstest2015.online-B.0.cs-en.txt': 'online-B'}
    """
    for old, new in names.items():
        if old not in ours or new not in theirs:
            side, have = ("judgements", ours) if old not in ours else ("test set", theirs)
            raise InputError(
                f"The map {old}={new} names a system that is not in the {side}.",
                hint=f"There are {_listed(have)}.",
            )
    partners = dict(names)
    for simplify in _STEPS:
        left = _unique([s for s in ours if s not in partners], simplify)
        right = _unique([s for s in theirs if s not in partners.values()], simplify)
        partners |= {left[key]: right[key] for key in left if key in right and _may_be_one(left[key], right[key])}
    return partners


def _unique(names: Sequence[str], simplify: Callable[[str], str]) -> dict[str, str]:
    keys = [simplify(name) for name in names]
    return {key: name for key, name in zip(keys, names, strict=True) if keys.count(key) == 1}


def short(name: str) -> str:
    """A name without what a file name adds.

    >>> short("newstest2015.online-B.0.cs-en.txt")
    'online-B.0'
    """
    match = _FILE.match(name)
    return match["name"] if match else name


def _may_be_one(ours: str, theirs: str) -> bool:
    """Two submissions with different numbers are different, whatever else they are called."""
    numbers = [match.group() for name in (ours, theirs) if (match := _NUMBER.search(short(name)))]
    return len(set(numbers)) < 2


def _numberless(name: str) -> str:
    return _NUMBER.sub("", short(name))


def _folded(name: str) -> str:
    return re.sub(r"[-_]", "", _numberless(name)).lower()


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


_STEPS: tuple[Callable[[str], str], ...] = (str, short, _numberless, _folded)
