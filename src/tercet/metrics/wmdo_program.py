"""WMDO as its authors' program computes it (mfomicheva/WMDO, July 2019), with what it makes of two tokenisations.

Words of NLTK (L) are looked up, matched and counted as missing; the distance is that of the words of two letters or
more in the raw text (V). Where the two differ, a match may have no place in L, and then nothing is penalised.
"""

from __future__ import annotations

import bisect
import functools
import importlib
import math
import pathlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tercet import contents, limits
from tercet.data import Array
from tercet.errors import InputError, MissingExtraError
from tercet.formats import lines

_WORD = re.compile(r"\b\w\w+\b")
_EQUAL = 1e-7  # flows that differ by less are equal: the program's solver counts in millionths
_MOST_BYTES = 1 << 26  # of a file of Punkt's
_DUST = 1e-12  # what is left of a share by rounding

Words = tuple[str, ...]
Distances = Callable[[Sequence[str], Sequence[str]], Array]
Solve = Callable[[Array, Array, Array], Array]


def tokens(text: str, punkt: str | None, state: contents.State = ()) -> Words:
    """The lower-cased words of NLTK's `word_tokenize`, with sentences by Punkt's data in a folder, or without any.

    `state` is that of the folder, by which what was read of it is kept.

    >>> tokens("It can't rain. It's dry!", None)
    ('it', 'ca', "n't", 'rain', '.', 'it', "'s", 'dry', '!')
    """
    sentences, words = _tokenizers(punkt, state)
    return tuple(word.lower() for sentence in sentences.tokenize(text) for word in words.tokenize(sentence))


@functools.lru_cache(maxsize=4)
def _tokenizers(punkt: str | None, _state: contents.State) -> tuple[Any, Any]:
    try:
        package: Any = importlib.import_module("nltk.tokenize")
    except ImportError:
        raise MissingExtraError(
            "wmdo(version=program) needs the package nltk, which is not installed.",
            hint="Install it with `pip install 'nltk>=3.9'`.",
        ) from None
    sentences = package.punkt.PunktSentenceTokenizer()
    if punkt is not None:
        learnt = package.punkt.PunktParameters()
        learnt.abbrev_types = {row[0] for row in _rows(punkt, "abbrev_types.txt", 1)}
        learnt.sent_starters = {row[0] for row in _rows(punkt, "sent_starters.txt", 1)}
        learnt.collocations = {(row[0], row[1]) for row in _rows(punkt, "collocations.tab", 2)}
        learnt.ortho_context.update({row[0]: int(row[1]) for row in _rows(punkt, "ortho_context.tab", 2)})
        sentences._params = learnt
    return sentences, package.NLTKWordTokenizer()


def _rows(folder: str, name: str, columns: int) -> list[list[str]]:
    """The rows of one of Punkt's files."""
    path = pathlib.Path(folder, name)
    if not path.is_file():
        raise InputError(
            f"{folder} is no folder of Punkt's data: {name} is not there.",
            hint="Name a folder such as nltk_data/tokenizers/punkt_tab/english.",
        )
    rows = [line.split("\t") for line in lines.whole(path, _MOST_BYTES).split("\n") if line]
    for row in rows:
        if len(row) != columns or (name.startswith("ortho") and not limits.is_whole(row[1])):
            raise InputError(f"{path}: {row} is no entry of Punkt's.", hint="Copy the folder again.")
    return rows


def vocabulary(hyp: Words, ref: Words) -> list[str]:
    """The words that have a place in the distance."""
    return sorted({word for token in (*ref, *hyp) for word in _WORD.findall(token)})


def counted(text: str, words: Sequence[str]) -> Array:
    """How often each word stands in a raw text."""
    counts = Counter(_WORD.findall(text.lower()))
    return np.array([counts[word] for word in words], dtype=np.float64)


def moved(
    texts: tuple[str, str], hyp: Words, ref: Words, distances: Distances, solve: Solve
) -> tuple[float, float, list[tuple[int, int]]]:
    """Distance, fragmentation of at most 1, and places (translation, reference) of matched words.

    NaN if one of the texts has no word of two letters, and infinity if all words are the same.
    """
    words = vocabulary(hyp, ref)
    ours, theirs = (counted(text, words) for text in texts)
    if not ours.sum() or not theirs.sum():
        return math.nan, math.nan, []
    costs = distances(words, words)
    if not costs.any():
        return math.inf, 0.0, []
    flow = _flow(theirs / theirs.sum(), ours / ours.sum(), costs, solve)
    pairs = matched(hyp, ref, flow, words)
    return float((flow * costs).sum()), fragmentation(pairs), pairs or []


def _flow(one: Array, other: Array, costs: Array, solve: Solve) -> Array:
    """What goes where: what both have of a word stays, as the program's solver has it, and the rest is moved.

    That is the cheapest way if distances obey the triangle inequality, which those by cosine need not.
    """
    stays = np.minimum(one, other)
    flow = np.diag(stays)
    rest = one - stays, other - stays
    rows, columns = (np.flatnonzero(side > _DUST) for side in rest)
    if len(rows) and len(columns):
        leaving, arriving = rest[0][rows], rest[1][columns]
        plan = solve(leaving / leaving.sum(), arriving / arriving.sum(), costs[np.ix_(rows, columns)])
        flow[np.ix_(rows, columns)] += leaving.sum() * plan
    return flow


def fragmentation(pairs: Sequence[tuple[int, int]] | None) -> float:
    """Chunks over matches, at most 1; 0 where a match had no place, or nothing is matched."""
    if not pairs:
        return 0.0
    breaks = sum(
        now != before + 1 for before, now in zip([-1, *(i for i, _ in pairs)], (i for i, _ in pairs), strict=False)
    )
    return min(1.0, (1 + breaks) / len(pairs))


def matched(hyp: Words, ref: Words, flow: Array, words: Sequence[str]) -> list[tuple[int, int]] | None:
    """Each reference word with the place of the word that most of it goes to; None if such a word has no place."""
    number = {word: k for k, word in enumerate(words)}
    places: dict[str, list[int]] = {}
    for i, word in enumerate(hyp):
        places.setdefault(word, []).append(i)
    pairs: list[tuple[int, int]] = []
    current = -1
    for j, word in enumerate(ref):
        row = flow[number[word]] if word in number else np.zeros(1)
        if row.max() <= _EQUAL:
            continue
        best = [words[k] for k in np.flatnonzero(row >= row.max() - _EQUAL).tolist()]
        if any(candidate not in places for candidate in best):
            return None
        current = closest([closest(places[candidate], current) for candidate in best], current)
        pairs.append((current, j))
    return pairs


def closest(places: Sequence[int], wanted: int) -> int:
    """The place nearest to the one that is wanted, the smaller of two, by bisection: in the order given, sorted or not.

    >>> closest([2, 6], 4), closest([9, 1], 3)
    (2, 1)
    """
    at = bisect.bisect_left(places, wanted)
    if at in (0, len(places)):
        return places[0] if at == 0 else places[-1]
    before, after = places[at - 1], places[at]
    return after if after - wanted < wanted - before else before
