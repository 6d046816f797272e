"""Word vectors in the text format of word2vec and fastText (`.vec`), perhaps .gz: only the words that are asked for.

    2 3                  how many words, how many numbers each; GloVe leaves this line out
    the 0.1 -0.2 0.25    a word and its numbers, between single spaces

A space at the end of a line, which word2vec writes, is dropped. Of a word that is there twice the last vector counts.
"""

from __future__ import annotations

import dataclasses
import itertools
import threading
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tercet import limits
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File

MOST_WORDS = 50_000_000  # of a file
MOST_NUMBERS = 1 << 28  # that are kept
WIDEST = 10_000  # numbers of a word

Vector = npt.NDArray[np.float64]
_HINT = "A line is a word and its numbers between single spaces, as word2vec and fastText write them (.vec)."


@dataclasses.dataclass(frozen=True, eq=False)
class WordVectors:
    """Words with their vectors, scaled to length 1. A word whose numbers are all 0 has none."""

    dimension: int
    vectors: Mapping[str, Vector]

    def of(self, word: str) -> Vector | None:
        """The vector of a word, or else of the word in lower case (ASCII), if there is one."""
        vector = self.vectors.get(word)
        return self.vectors.get(lower_ascii(word)) if vector is None else vector


def lower_ascii(word: str) -> str:
    """A to Z in lower case, and nothing else.

    >>> lower_ascii("ÉTÉ Fou")
    'ÉtÉ fou'
    """
    return word.encode().lower().decode()


def read_vectors(path: File, words: Collection[str]) -> WordVectors:
    """The vectors of some words, and of these in lower case.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".vec") as file:
    ...     _ = file.write(b"2 2\\nthe 3 4\\ncat 0 2\\n")
    ...     file.flush()
    ...     read_vectors(file.name, ["The"]).of("The").tolist()
    [0.6, 0.8]
    """
    wanted = {*words, *map(lower_ascii, words)}
    every = _numbered(path)
    declared, dimension, first = _opening(path, every)
    vectors: dict[str, Vector] = {}
    number = 0
    for number, (line_number, line) in enumerate(itertools.chain(first, every), start=1):
        if number > MOST_WORDS:
            raise InputError(f"{lines.shown(path)} has more than {MOST_WORDS} words.", hint="Leave out rare words.")
        line = line.rstrip(" ")
        if line.count(" ") != dimension:
            raise _wrong(path, line_number, line, f"has {line.count(' ')} numbers where {dimension} are needed")
        word, _, rest = line.partition(" ")
        if word in wanted:
            _keep(vectors, word, _scaled(rest, path, line_number, line))
    if declared is not None and number != declared:
        raise InputError(
            f"{lines.shown(path)} has {number} words, and its first line promises {declared}.",
            hint="Copy or download it again, or correct its first line.",
        )
    return WordVectors(dimension, vectors)


def _numbered(path: File) -> Iterator[tuple[int, str]]:
    return enumerate(itertools.chain.from_iterable(lines.blocks(path)), start=1)


def _opening(path: File, every: Iterator[tuple[int, str]]) -> tuple[int | None, int, list[tuple[int, str]]]:
    """The number of words if the file says it, the dimension, and the first line if it is a word's."""
    number, line = next(every, (0, ""))
    fields = line.rstrip(" ").split(" ")
    if number == 0 or len(fields) < 2:
        raise _wrong(path, 1, line, "is no beginning of word vectors")
    declared, dimension, first = None, len(fields) - 1, [(number, line)]
    if len(words := line.split()) == 2 and all(map(_is_number, words)):  # no word with a vector of one number
        if fields != words or not all(f.isascii() and f.isdigit() for f in fields):
            raise _wrong(path, 1, line, "is neither a number of words and one of numbers, nor a word and its numbers")
        if not all(map(limits.is_whole, fields)) or int(fields[0]) > MOST_WORDS:
            raise _wrong(path, 1, line, "promises more than can be read")
        declared, dimension, first = int(fields[0]), int(fields[1]), []
    if not 1 <= dimension <= WIDEST:
        raise _wrong(path, 1, line, f"asks for vectors of {dimension} numbers, and 1 to {WIDEST} can be read")
    return declared, dimension, first


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _scaled(numbers: str, path: File, line_number: int, line: str) -> Vector | None:
    try:
        # single precision, as the programs that write and read such files have it
        vector = np.array(numbers.split(" "), dtype=np.float32).astype(np.float64)
    except ValueError:
        raise _wrong(path, line_number, line, "holds something that is no number") from None
    if not np.isfinite(vector).all():
        raise _wrong(path, line_number, line, "holds a number that is not finite")
    length = float(np.sqrt((vector * vector).sum()))
    return vector / length if length > 0 else None


def _keep(vectors: dict[str, Vector], word: str, vector: Vector | None) -> None:
    if vector is None:
        vectors.pop(word, None)
        return
    vectors[word] = vector
    if len(vectors) * len(vector) > MOST_NUMBERS:
        raise InputError(
            f"The texts have more than {len(vectors)} words with vectors of {len(vector)} numbers.",
            hint="Score fewer texts at once, or take shorter vectors.",
        )


def _wrong(path: File, number: int, line: str, what: str) -> InputError:
    return InputError(f"{lines.shown(path)}, line {number}: {line[:40]!r} {what}.", hint=_HINT)


class VectorFile:
    """A file of vectors that is read again only for words that nobody has asked for yet, or when it changes."""

    def __init__(self, path: File) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._asked: set[str] = set()
        self._known = WordVectors(0, {})

    def read(self, words: Collection[str]) -> WordVectors:
        """The vectors of these words, and perhaps of others."""
        with self._lock:
            stamp = self._stamped()
            if stamp != self._stamp:
                self._asked, self._known = set(), WordVectors(0, {})
            new = set(words) - self._asked
            if new or self._stamp is None:
                fresh = read_vectors(self.path, new)
                self._known = WordVectors(fresh.dimension, {**self._known.vectors, **fresh.vectors})
                self._asked |= new
                self._stamp = stamp
            return self._known

    def _stamped(self) -> tuple[int, int] | None:
        try:
            status = Path(self.path).stat()
        except OSError:
            return None
        return status.st_size, status.st_mtime_ns
