"""Small test sets, and systems that are changed in known ways."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from tercet.comparing import surface
from tercet.data import TestSet

WORDS = ["a", "b", "c", "d", ",", "7"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@st.composite
def small_sets(draw: st.DrawFn, systems: int = 2) -> TestSet:
    """Up to six segments of few words, with one to three references and a source."""
    n = draw(st.integers(2, 6))

    def column() -> list[str]:
        return draw(st.lists(TEXT, min_size=n, max_size=n))

    references = draw(st.lists(st.lists(TEXT, min_size=1, max_size=3), min_size=n, max_size=n))
    return TestSet.of({f"S{i}": column() for i in range(systems)}, references, sources=column())


Way = Callable[[str, str, random.Random], str]


def drop_numbers(text: str, source: str, rng: random.Random) -> str:
    """Every number is left out."""
    return " ".join(re.sub(r"\d(?:[.,:]?\d)*", "", text).split())


def lowercase_names(text: str, source: str, rng: random.Random) -> str:
    """Every capitalised word inside a sentence in lower case."""
    for name in surface.capitalised(text):
        text = text.replace(name, name.lower())
    return text


def cut_long(text: str, source: str, rng: random.Random) -> str:
    """The second half of long sentences is lost."""
    words = text.split()
    return " ".join(words[: len(words) // 2]) if len(words) > 25 else text


def copy_source(text: str, source: str, rng: random.Random) -> str:
    """Now and then the source itself."""
    return source if rng.random() < 0.05 else text


def repeat_words(text: str, source: str, rng: random.Random) -> str:
    """Now and then a word twice."""
    return " ".join(w for word in text.split() for w in [word] * (2 if rng.random() < 0.02 else 1))


PLANTED: dict[str, Way] = {
    "numbers": drop_numbers,
    "case": lowercase_names,
    "short": cut_long,
    "copy": copy_source,
    "repetition": repeat_words,
}


def planted(testset: TestSet, system: str, ways: Sequence[Way]) -> TestSet:
    """A system as the baseline, and itself changed."""
    assert testset.sources is not None
    assert testset.references is not None
    rng = random.Random(1)  # noqa: S311
    changed = []
    for text, source in zip(testset.systems[system], testset.sources, strict=True):
        for way in ways:
            text = way(text, source, rng)
        changed.append(text)
    systems = {"base": list(testset.systems[system]), "changed": changed}
    return TestSet.of(systems, list(testset.references), sources=list(testset.sources))
