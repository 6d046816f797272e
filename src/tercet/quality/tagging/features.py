"""What is seen of each word of a translation, as numbers for a forest and as attributes for a chain.

Alignment: how probable the best source word makes it, by IBM model 1, and which one that is. Language model: its
probability after the words before it, and how long an n-gram the model knows it by. Lexicon: whether it is known, and
whether it stands in the source. Context: its neighbours, its place, its form.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Sequence

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Texts
from tercet.formats import models

NUMBERS = (
    "alignment probability",
    "aligned",
    "place of its source word",
    "language model",
    "n-gram known",
    "next n-gram known",
    "in the source",
    "length",
    "place",
    "is punctuation",
    "is a number",
    "is capitalised",
    "alignment probability of the word before",
    "alignment probability of the word after",
)
BINS = {0: (0.0, 0.01, 0.05, 0.2, 0.5), 3: (-6.0, -4.5, -3.5, -2.5, -1.5, -0.5)}


@dataclasses.dataclass(frozen=True)
class WordResources:
    """Files that features of words read; None: there is none."""

    target_lm: str | None = None
    lexicon: str | None = None
    lowercase: bool = True


@dataclasses.dataclass(frozen=True, eq=False)
class WordRows:
    """Words of all sentences, end to end: `starts` says where each sentence begins."""

    words: list[list[str]]
    sources: list[list[str]]
    numbers: Array  # (words, len(NUMBERS))
    links: np.ndarray[tuple[int], np.dtype[np.int32]]  # place of the source word in its sentence, -1 for none
    starts: np.ndarray[tuple[int], np.dtype[np.int64]]

    def attributes(self, sentence: int) -> list[list[str]]:
        """Of each word of a sentence, what a chain sees of it."""
        words, source = [w.lower() for w in self.words[sentence]], self.sources[sentence]
        first = int(self.starts[sentence])
        out = []
        for i, word in enumerate(words):
            row, link = self.numbers[first + i], int(self.links[first + i])
            partner = source[link].lower() if link >= 0 else "-"
            before = words[i - 1] if i else "<s>"
            after = words[i + 1] if i + 1 < len(words) else "</s>"
            out.append(
                [
                    "bias",
                    f"w={word}",
                    f"w-1={before}",
                    f"w+1={after}",
                    f"s={partner}",
                    f"ws={word}|{partner}",
                    f"align={np.searchsorted(BINS[0], row[0])}",
                    f"lm={np.searchsorted(BINS[3], row[3])}",
                    f"known={int(row[4])}",
                    f"next={int(row[5])}",
                    f"copied={int(row[6])}",
                    f"form={int(row[9])}{int(row[10])}{int(row[11])}",
                    f"known={int(row[4])}|align={np.searchsorted(BINS[0], row[0])}",
                ]
            )
        return out


def word_rows(sources: Sequence[str], targets: Sequence[str], files: WordResources, threads: int) -> WordRows:
    """What is seen of all words; words are parted by white space."""
    how = text.tokenizer("none")
    case: text.Case = "python" if files.lowercase else None
    source, target = (text.tokens(Texts.of(side), how, threads, lower=case) for side in (sources, targets))
    starts, n = target[2], len(target[1]) - 1
    lengths = np.diff(starts)
    rows = np.repeat(np.arange(len(lengths)), lengths)
    within = np.arange(n) - starts[rows]
    numbers = np.zeros((n, len(NUMBERS)))
    links = np.full(n, -1, dtype=np.int32)
    if files.lexicon is not None:
        links, probabilities = models.lexicon(files.lexicon).links(source, target, threads)
        numbers[:, 0], numbers[:, 1] = probabilities, links >= 0
        source_lengths = np.maximum(np.diff(source[2]), 1)[rows]
        numbers[:, 2] = np.where(links >= 0, links / source_lengths - within / np.maximum(lengths[rows], 1), 0)
    if files.target_lm is not None:
        steps = models.language_model(files.target_lm).words(target, True, threads)
        places = np.arange(n) + rows  # each sentence has its end, too
        numbers[:, 3], numbers[:, 4] = steps[places, 0], steps[places, 1]
        numbers[:, 5] = steps[places + 1, 1]
    one, other, vocabulary = kernels.number_words(source, target)
    size = len(vocabulary[1])
    source_rows = np.repeat(np.arange(len(lengths)), np.diff(source[2]))
    numbers[:, 6] = np.isin(rows * size + other, source_rows * size + one)
    words = [line.split() for line in targets]
    flat = [word for sentence in words for word in sentence]
    numbers[:, 7] = [len(word) for word in flat]
    numbers[:, 8] = within / np.maximum(lengths[rows], 1)
    numbers[:, 9] = [all(unicodedata.category(c)[0] in "PS" for c in word) for word in flat]
    numbers[:, 10] = [any(c.isdigit() for c in word) for word in flat]
    numbers[:, 11] = [word[0].isupper() for word in flat]
    same = rows[1:] == rows[:-1]
    numbers[1:, 12] = np.where(same, numbers[:-1, 0], 1)
    numbers[:-1, 13] = np.where(same, numbers[1:, 0], 1)
    return WordRows(words, [line.split() for line in sources], numbers, links, starts)
