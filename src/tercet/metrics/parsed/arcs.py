"""Dependencies by their type, as BEER_Treepel counts them (Stanojević and Sima'an 2015): features beside BEER's own.

An arc is a relation with the words of its head and its dependent. Of each relation there are three numbers: arcs that
hypothesis and reference share, each 2 over the arcs of both; those that only the hypothesis has, each 1 over its arcs;
and those that only the reference has, each 1 over its own.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from tercet import contents
from tercet.data import Array
from tercet.errors import InputError
from tercet.formats import conllu
from tercet.formats.conllu import Sentence
from tercet.formats.parses import looked_up

PREFIX = "Arc:"  # of the names of these features
MOST_RELATIONS = 1000
_PARTS = ("matched", "hypothesis", "reference")
Arc = tuple[str, str, str]  # relation, head, dependent


def arc_names(path: str) -> tuple[str, ...]:
    """The features that the trees of a file, or of the files of a folder, may have."""
    return tuple(f"{PREFIX}{relation}:{part}" for relation in _relations(path, contents.state(path)) for part in _PARTS)


@functools.lru_cache(maxsize=4)
def _relations(path: str, _state: contents.State) -> tuple[str, ...]:
    relations = sorted({word.relation for sentence in conllu.parses(path).values() for word in sentence.words})
    if len(relations) > MOST_RELATIONS:
        raise InputError(
            f"{path} has {len(relations)} relations: more than {MOST_RELATIONS} are no features.",
            hint="Name a file with the dependencies of a treebank.",
        )
    return tuple(relations)


def arc_features(path: str, hypotheses: Sequence[str], references: Sequence[str]) -> Array:
    """The features of each hypothesis with the reference beside it, (texts, features), in the order of `arc_names`."""
    known = conllu.parses(path)
    places = {name: i for i, name in enumerate(arc_names(path))}
    rows = np.zeros((len(hypotheses), len(places)))
    for i, pair in enumerate(zip(hypotheses, references, strict=True)):
        hyp, ref = (Counter(_arcs(looked_up(known, text, path))) for text in pair)
        shared = hyp & ref
        sides = (shared, (hyp.total() + ref.total()) / 2), (hyp - shared, hyp.total()), (ref - shared, ref.total())
        for part, (arcs, whole) in zip(_PARTS, sides, strict=True):
            for (relation, _, _), number in arcs.items():
                rows[i, places[f"{PREFIX}{relation}:{part}"]] += number / whole
    return rows


def _arcs(sentence: Sentence | None) -> Iterator[Arc]:
    """The arcs of a tree, without case."""
    words = () if sentence is None else sentence.words
    for word in words:
        head = words[word.head].form.lower() if word.head >= 0 else ""
        yield word.relation, head, word.form.lower()
