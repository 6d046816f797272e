"""Function words and paraphrases for a language that METEOR has none for (Denkowski and Lavie 2010, 2014).

Function words are those that make up more than a thousandth of a corpus. Paraphrases are found by pivoting (Bannard and
Callison-Burch 2005): two phrases are paraphrases as far as they are translations of the same foreign phrases.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tercet import inputs, kernels
from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File
from tercet.metrics.meteor.resources import function_words
from tercet.options import verb
from tercet.options.groups import worker_threads
from tercet.options.training import FunctionWordsOptions, ParaphrasesOptions
from tercet.text import tokenizer
from tercet.text.base import pack

_MOST_PAIRS = 50_000_000
_SYMBOLS = frozenset("~`!@#$%^&*()-_=+[{]}\\|;:'\",<.>/?")


@verb(FunctionWordsOptions)
def train_function_words(asked: FunctionWordsOptions) -> tuple[str, ...]:
    """The words that make up more than `threshold` of a corpus, given as one or more files, the commonest first."""
    split, threads = tokenizer(asked.tokenize), worker_threads()
    counts: Counter[str] = Counter()
    for block in inputs.corpus(asked.corpus):
        data, offsets, _ = split.tokenize(pack(block), threads)
        counts.update(kernels.unpack((data, offsets)))
    least = asked.threshold * counts.total()
    return tuple(sorted((word for word, n in counts.items() if n > least), key=lambda word: (-counts[word], word)))


class Paraphrase(NamedTuple):
    """An entry of a paraphrase table."""

    probability: float
    phrase: str
    paraphrase: str


class _Translation(NamedTuple):
    foreign: str
    phrase: str
    back: float  # p(foreign | phrase)
    forth: float  # p(phrase | foreign)


@verb(ParaphrasesOptions)
def train_paraphrases(asked: ParaphrasesOptions) -> list[Paraphrase]:
    """Paraphrases from a phrase table of Moses: `foreign ||| phrase ||| p(f|e) lex p(e|f) ...` a line, perhaps .gz.

    The probability is the sum of p(foreign | phrase) p(paraphrase | foreign) over all foreign phrases, without products
    below `least_translation`. Left out are paraphrases below `least`, phrases of common words or symbols alone, and
    pairs of which one contains the other.
    """
    least_translation = asked.least_translation
    common, common_foreign = map(_words, (asked.common, asked.common_foreign))
    phrases: dict[str, list[_Translation]] = defaultdict(list)
    paraphrases: dict[str, list[_Translation]] = defaultdict(list)
    kept = 0
    for pair in _read(asked.phrase_table):
        if not _is_usable(pair.phrase, common) or not _is_usable(pair.foreign, common_foreign):
            continue
        for into, probability in ((phrases, pair.back), (paraphrases, pair.forth)):
            if probability >= least_translation:
                into[pair.foreign].append(pair)
                kept += 1
        if kept > _MOST_PAIRS:
            raise InputError(
                f"{lines.shown(asked.phrase_table)} has more than {_MOST_PAIRS} likely translations.",
                hint="Filter it first, or raise `least_translation`.",
            )
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for foreign, ones in phrases.items():
        for one, other in itertools.product(ones, paraphrases.get(foreign, ())):
            product = one.back * other.forth
            if product >= least_translation and one.phrase != other.phrase:
                sums[one.phrase, other.phrase] += product
    entries = (Paraphrase(p, *pair) for pair, p in sums.items() if p >= asked.least and not _contains(*pair))
    return sorted(entries, key=lambda entry: entry[1:])


def write_paraphrases(path: File, entries: Iterable[Paraphrase]) -> None:
    """A paraphrase table as METEOR reads it, three lines an entry; packed if its name ends in .gz."""
    lines.write(path, (f"{entry.probability!r}\n{entry.phrase}\n{entry.paraphrase}\n" for entry in entries))


def _read(path: File) -> Iterator[_Translation]:
    for number, line in enumerate(itertools.chain.from_iterable(lines.blocks(path)), start=1):
        foreign, phrase, scores, *_ = (*(" ".join(field.split()) for field in line.split("|||")), "", "", "")
        numbers = [_probability(score) for score in scores.split()[:3]]
        if not foreign or not phrase or len(numbers) < 3 or math.isnan(numbers[0] + numbers[2]):
            raise InputError(
                f"{lines.shown(path)}, line {number}: {line[:60]!r} is no entry of a phrase table.",
                hint="A line is `foreign ||| phrase ||| p(f|e) lex(f|e) p(e|f) lex(e|f) ...`, as Moses writes it.",
            )
        yield _Translation(foreign, phrase, numbers[0], numbers[2])


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if 0 <= value <= 1 else math.nan


def _words(given: frozenset[str] | File) -> frozenset[str]:
    """Function words as they are, or from their file."""
    return given if isinstance(given, frozenset) else function_words(str(given))


def _is_usable(phrase: str, common: frozenset[str]) -> bool:
    """Whether some word is neither common nor a symbol."""
    words = phrase.split()
    return any(word not in common for word in words) and any(word not in _SYMBOLS for word in words)


def _contains(one: str, other: str) -> bool:
    return f" {one} " in f" {other} " or f" {other} " in f" {one} "
