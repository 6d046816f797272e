"""Items that check the annotator: outputs with a part replaced by words from elsewhere (Graham et al. 2013, 2017).

A run of words of the output gives way to as many words of some reference; the first and the last word stay where there
are five or more. Where a script has no spaces, characters are words.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tercet.campaigns.protocol import Protocol

_UP_TO = ((3, 1), (5, 2), (7, 3), (14, 4), (19, 5))  # words of the output, words replaced
LONGEST_RUN = 6  # words that one donor gives


def n_replaced(n: int) -> int:
    """How many of n words are replaced: a quarter of a long output.

    >>> [n_replaced(n) for n in (1, 4, 7, 15, 40)]
    [1, 2, 3, 5, 10]
    """
    return next((replaced for longest, replaced in _UP_TO if n <= longest), n // 4)


def words_of(text: str) -> tuple[list[str], str]:
    """Words and what stands between them; characters where there are no spaces.

    >>> words_of("ein Haus"), words_of("房子")
    ((['ein', 'Haus'], ' '), (['房', '子'], ''))
    """
    words = text.split()
    spaceless = len(words) == 1 and len(text) > 1 and any(ord(c) > 0x2E7F or 0xE00 <= ord(c) < 0x1100 for c in text)
    return (list(words[0]), "") if spaceless else (words, " ")


def degraded(text: str, donors: Sequence[str], rng: random.Random) -> str:
    """The output with a run of its words replaced.

    >>> degraded("one two three four five six", ["A b c d e f g h"], random.Random(1))
    'one d e f five six'
    """
    words, space = words_of(text)
    n = len(words)
    r = n_replaced(n)
    if n <= 1:
        donor = _run(donors, 1, rng, text)
        return donor[0].title() if donor else text
    start = {2: 1, 3: 1, 4: 1}.get(n) or rng.randint(1, max(1, n - r - 2))
    run: list[str] = []
    while len(run) < r:
        piece = _run(donors, min(r - len(run), LONGEST_RUN), rng, text)
        if not piece:
            return text
        run += piece
    return space.join([*words[:start], *run[:r], *words[start + r :]])


def _run(donors: Sequence[str], r: int, rng: random.Random, avoided: str) -> list[str]:
    """A run of r words inside of some donor, without its first and last word where it is long enough."""
    for _ in range(50):
        words, _space = words_of(rng.choice(donors)) if donors else ([], "")
        inner = words[1:-1] if len(words) >= r + 2 else words
        if len(inner) >= r:
            start = rng.randint(0, len(inner) - r)
            run = inner[start : start + r]
            if " ".join(run) not in avoided:
                return run
    return []


def passed(
    protocol: Protocol, item: Mapping[str, Any], answer: Mapping[str, Any], original: Mapping[str, Any] | None
) -> bool | None:
    """Whether an answer to a check is as it should be; None where that cannot be told.

    Of outputs side by side the degraded one must not be among the best; a single one must be worse than its original.
    """
    values = [worth(protocol, answer, i) for i in range(len(item["outputs"]))]
    if any(value is None for value in values):
        return None
    known = [float(value) for value in values if value is not None]
    if len(known) > 1:
        bad = next((i for i, output in enumerate(item["outputs"]) if output.get("degraded")), None)
        return None if bad is None else known[bad] < max(known)
    before = None if original is None else worth(protocol, original, 0)
    return None if before is None else known[0] < before


def worth(protocol: Protocol, answer: Mapping[str, Any], output: int) -> float | None:
    """How good an output was said to be, higher being better; None where the protocol does not say."""
    data = protocol.data
    if field := data.get("choice"):
        choices = next(f.choices for f in protocol.fields if f.name == field)
        place = choices.index(answer[field])
        return float(place == 2 * output) + 0.5 * float(place == 1)
    values = answer["outputs"][output]
    if field := data.get("rank"):
        return -float(values[field])
    if field := data.get("score"):
        return float(values[field])
    if scales := data.get("scales"):
        return sum(float(values[scale]) for scale in scales) / len(scales)
    if field := data.get("spans"):
        return -float(sum({"minor": 1, "neutral": 0}.get(s["severity"].lower(), 5) for s in values.get(field) or []))
    return None


def as_expected(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> bool:
    """Whether an answer to a tutorial item is as its author wants it: numbers within [low, high], others equal."""
    for name, wanted in expected.items():
        if name == "outputs":
            pairs = zip(wanted, answer.get("outputs", []), strict=False)
            if not all(as_expected(one, other) for one, other in pairs):
                return False
        elif isinstance(wanted, list) and len(wanted) == 2 and all(isinstance(w, int | float) for w in wanted):
            value = answer.get(name)
            if not isinstance(value, int | float) or not wanted[0] <= value <= wanted[1]:
                return False
        elif answer.get(name) != wanted:
            return False
    return True
