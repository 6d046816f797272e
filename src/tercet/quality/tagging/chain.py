"""A linear chain of tags (Lafferty et al. 2001): python-crfsuite trains it, and its weights are all that is kept."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tercet.data import Array
from tercet.errors import extra


@dataclasses.dataclass(frozen=True, eq=False)
class Chain:
    """Weights of attributes for each tag, and of tags after tags."""

    tags: tuple[str, ...]
    attributes: tuple[str, ...]
    states: Array  # (attributes, tags)
    transitions: Array  # (tags, tags): from, to

    @functools.cached_property
    def numbers(self) -> Mapping[str, int]:
        """The row of each attribute."""
        return {attribute: i for i, attribute in enumerate(self.attributes)}

    def scores(self, words: Sequence[Sequence[str]]) -> Array:
        """(words, tags): what the attributes of each word say."""
        out = np.zeros((len(words), len(self.tags)))
        for i, attributes in enumerate(words):
            known = [self.numbers[name] for name in attributes if name in self.numbers]
            out[i] = self.states[known].sum(axis=0)
        return out

    def best(self, words: Sequence[Sequence[str]]) -> list[str]:
        """The best row of tags, by Viterbi."""
        if not words:
            return []
        scores = self.scores(words)
        total, back = scores[0], np.zeros(scores.shape, dtype=np.int64)
        for i in range(1, len(scores)):
            paths = total[:, None] + self.transitions
            back[i] = paths.argmax(axis=0)
            total = paths.max(axis=0) + scores[i]
        places = [int(total.argmax())]
        for i in range(len(scores) - 1, 0, -1):
            places.append(int(back[i, places[-1]]))
        return [self.tags[place] for place in reversed(places)]

    def probabilities(self, words: Sequence[Sequence[str]]) -> Array:
        """(words, tags): of each tag of each word, over all rows of tags."""
        scores = self.scores(words)
        if not len(scores):
            return scores
        forward, backward = scores.copy(), np.zeros_like(scores)
        for i in range(1, len(scores)):
            forward[i] += _log_sum(forward[i - 1][:, None] + self.transitions, 0)
        for i in range(len(scores) - 2, -1, -1):
            backward[i] = _log_sum(self.transitions + (scores[i + 1] + backward[i + 1])[None, :], 1)
        together = forward + backward
        return np.asarray(np.exp(together - _log_sum(together, 1)[:, None]))


def _log_sum(values: Array, axis: int) -> Array:
    top = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - top).sum(axis=axis)) + np.squeeze(top, axis))


def train_chain(sentences: Sequence[Sequence[Sequence[str]]], tags: Sequence[Sequence[str]]) -> Chain:
    """Weights from tagged sentences, by L-BFGS with both penalties."""
    return exported(train_tagger(sentences, tags))


def train_tagger(sentences: Sequence[Sequence[Sequence[str]]], tags: Sequence[Sequence[str]]) -> Any:
    """A chain that python-crfsuite learns."""
    crf = extra("pycrfsuite", "python-crfsuite", "learn", "Training of a chain of tags")
    trainer = crf.Trainer(verbose=False)
    for words, row in zip(sentences, tags, strict=True):
        if len(words):
            trainer.append(words, row)
    trainer.set_params({"c1": 0.1, "c2": 0.01, "max_iterations": 100, "feature.possible_transitions": True})
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "chain")
        trainer.train(path)
        tagger = crf.Tagger()
        tagger.open(path)  # into memory of its own; what is opened in memory must be kept by us
    return tagger


def exported(tagger: Any) -> Chain:
    """The weights of python-crfsuite's tagger."""
    info = tagger.info()
    tags = tuple(sorted(info.labels))
    place = {tag: i for i, tag in enumerate(tags)}
    attributes = tuple(sorted({attribute for attribute, _ in info.state_features}))
    row = {attribute: i for i, attribute in enumerate(attributes)}
    states, transitions = np.zeros((len(attributes), len(tags))), np.zeros((len(tags), len(tags)))
    for (attribute, tag), weight in info.state_features.items():
        states[row[attribute], place[tag]] = weight
    for (one, other), weight in info.transitions.items():
        transitions[place[one], place[other]] = weight
    return Chain(tags, attributes, states, transitions)
