"""Which words of a translation UPF-Cobalt aligns with which of a reference: Sultan et al. 2014, as the program has it.

Words are numbered from 1, and 0 is the root. In turn: the last mark; runs of words in common; parts of hyphenated
words; verbs, nouns, adjectives and adverbs, by what depends on them and what they depend on; other content words, by
what stands around them; single parts of hyphenated words; function words, by dependencies and by what stands around.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tercet.formats.corenlp import Arc, Parse, Token
from tercet.metrics.parsed.cobalt_words import PUNCTUATION, Lexicon, alike, opposite, part_of_speech, weight

THRESHOLD = 0.5  # of a similarity that aligns
_THETA = 0.9  # weight of a similarity beside that of the evidence around
_BEFORE, _AFTER = 3, 2  # words that stand around a word
_ENDS = (".", "!")

Pair = tuple[int, int]
Neighbour = tuple[int, str]  # a word by its number, and the label of the dependency that leads to it


@dataclasses.dataclass(frozen=True, eq=False)
class Side:
    """One of two sentences: its words, and what each of them is next to in the tree."""

    words: tuple[Token, ...]
    arcs: tuple[Arc, ...]

    @classmethod
    def of(cls, parse: Parse) -> Side:
        return cls(parse.words, tuple(_read(parse)))

    def __len__(self) -> int:
        return len(self.words)

    def token(self, number: int) -> Token:
        """A word by its number; the root has the lemma and the tag of the last word, as in the program."""
        word = self.words[number - 1]
        return word._replace(form="ROOT") if number == 0 else word

    def parents(self, number: int, word: str = "") -> list[Neighbour]:
        """What a word depends on; a preposition that is the label of a dependency, on the head of that one."""
        if self._depends(number):
            return [(arc.head, arc.relation) for arc in self.arcs if arc.dependent == number]
        return [(arc.head, arc.relation) for arc in self._labelled(number, word)]

    def children(self, number: int, word: str = "") -> list[Neighbour]:
        """What depends on a word; on a preposition that is a label, what the label leads to."""
        if self._depends(number):
            return [(arc.dependent, arc.relation) for arc in self.arcs if arc.head == number]
        return [(arc.dependent, arc.relation) for arc in self._labelled(number, word)]

    def _depends(self, number: int) -> bool:
        return any(arc.dependent == number for arc in self.arcs)

    def _labelled(self, number: int, word: str) -> Iterator[Arc]:
        """The first dependency whose label has the word in it, from the one on that leads to the next word."""
        after = min((arc.dependent for arc in self.arcs if arc.dependent > number), default=0)
        start = next((k for k, arc in enumerate(self.arcs) if arc.dependent == after), len(self.arcs))
        for arc in self.arcs[start:] if word else ():
            if "_" in arc.relation and word in arc.relation:
                yield arc
                return


def _read(parse: Parse) -> Iterator[Arc]:
    """The dependencies that the program reads: those from the root's on, without copies of words."""
    started = False
    for arc in parse.arcs:
        started = started or arc.relation.startswith("root")
        if started and not arc.copied:
            yield arc


class AlignedWords:
    """Two sentences, and the pairs of words that are aligned so far, in order."""

    def __init__(self, hyp: Side, ref: Side, lexicon: Lexicon) -> None:
        self.hyp, self.ref, self.lexicon = hyp, ref, lexicon
        self.pairs: list[Pair] = []
        self.hyps: set[int] = set()
        self.refs: set[int] = set()
        self.forms = [w.form for w in hyp.words], [w.form for w in ref.words]

    def add(self, hyp: int, ref: int) -> None:
        """Align two words, and note that both are taken."""
        self.pairs.append((hyp, ref))
        self.hyps.add(hyp)
        self.refs.add(ref)

    def add_new(self, pairs: Iterable[Pair]) -> None:
        """Pairs, as far as they are not there."""
        for pair in pairs:
            if pair not in self.pairs:
                self.add(*pair)

    def similarity(self, hyp: int, ref: int) -> float:
        return self.lexicon.similarity(self.hyp.token(hyp), self.ref.token(ref))

    def free(self, wanted: Callable[[Token], bool]) -> Iterator[Pair]:
        """All pairs of words that are not aligned and are as wanted."""
        hyps = [i for i, w in enumerate(self.hyp.words, 1) if i not in self.hyps and wanted(w)]
        refs = [j for j, w in enumerate(self.ref.words, 1) if j not in self.refs and wanted(w)]
        return ((i, j) for i in hyps for j in refs)


def align(hyp: Side, ref: Side, lexicon: Lexicon) -> list[Pair]:
    """The pairs of aligned words."""
    there = AlignedWords(hyp, ref, lexicon)
    _ends(there)
    _runs(there)
    _hyphenated(there, several=True)
    for part in ("verb", "noun", "adjective", "adverb"):
        there.add_new(_by_dependencies(there, part))
    _by_neighbourhood(there)
    _hyphenated(there, several=False)
    _functional_by_dependencies(there)
    _functional_by_neighbourhood(there)
    return [pair for pair in there.pairs if 0 not in pair]


def _ends(there: AlignedWords) -> None:
    """The last mark of each sentence, or the last but one."""
    hyps, refs = there.forms
    n, m = len(hyps), len(refs)
    if (hyps[-1] in _ENDS and refs[-1] in _ENDS) or hyps[-1] == refs[-1]:
        there.add(n, m)
        return
    for i, j in ((n - 1, m), (n, m - 1), (n - 1, m - 1)):
        if hyps[i - 1] in _ENDS and refs[j - 1] in _ENDS:
            there.add(i, j)
            return


def _runs(there: AlignedWords) -> None:
    """Runs of at least two words in common, the longest first."""
    for i, j, size in common_runs(*there.forms):
        for k in range(size if size > 1 else 0):
            if i + k + 1 not in there.hyps and j + k + 1 not in there.refs:
                there.add(i + k + 1, j + k + 1)


def _hyphenated(there: AlignedWords, several: bool) -> None:
    """Words with hyphens, with the words that their parts are: several in a run, or single ones."""
    hyps, refs = there.forms
    for i, form in enumerate(hyps, 1):
        if i not in there.hyps and "-" in form and form != "-":
            runs = common_runs(form.split("-"), refs)
            for j in _parts([(j, size) for _, j, size in runs], there.ref, there.lexicon, several):
                if several or j not in there.refs:
                    there.add_new([(i, j)])
    for j, form in enumerate(refs, 1):
        if j not in there.refs and "-" in form and form != "-":
            runs = common_runs(hyps, form.split("-"))
            for i in _parts([(i, size) for i, _, size in runs], there.hyp, there.lexicon, several):
                if several or j not in there.refs:
                    there.add_new([(i, j)])


def _parts(runs: Sequence[tuple[int, int]], side: Side, lexicon: Lexicon, several: bool) -> Iterator[int]:
    """The numbers of the words of runs, of several words each, or of single ones that are no stop words."""
    for start, size in runs:
        if size > 1 if several else size == 1 and side.words[start].lemma not in lexicon.stop_words:
            yield from range(start + 1, start + size + 1)


def common_runs(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int]]:
    """Runs of words that two texts have in common without case, as (start, start, length), the longest first.

    A run within another one, in both texts, is none of its own.

    >>> common_runs("a b c".split(), "b c a".split())
    [(1, 0, 2), (0, 2, 1)]
    """
    a, b = [w.lower() for w in one], [w.lower() for w in other]
    swapped = len(a) > len(b)
    if swapped:
        a, b = b, a
    places: dict[str, list[int]] = {}
    for j, word in enumerate(b):
        places.setdefault(word, []).append(j)
    lengths: dict[Pair, int] = {}
    for i in range(len(a) - 1, -1, -1):
        for j in places.get(a[i], ()):
            lengths[i, j] = 1 + lengths.get((i + 1, j + 1), 0)
    whole = ((i, j, n) for (i, j), n in lengths.items() if (i - 1, j - 1) not in lengths)
    runs: list[tuple[int, int, int]] = []
    for i, j, n in sorted(whole, key=lambda run: (-run[2], run[0], run[1])):
        if not any(k <= i and i + n <= k + size and m <= j and j + n <= m + size for k, m, size in runs):
            runs.append((i, j, n))
    return [(j, i, n) for i, j, n in runs] if swapped else runs


def neighbours_in_common(
    there: AlignedWords, hyp: int, ref: int, part: str, matched: Callable[[int, int], bool], words: tuple[str, str]
) -> list[list[Pair]]:
    """Parents, children, and parents with children, that are matched by dependencies which stand for the same."""
    parents = there.hyp.parents(hyp, words[0]), there.ref.parents(ref, words[1])
    children = there.hyp.children(hyp, words[0]), there.ref.children(ref, words[1])

    def common(ours: list[Neighbour], theirs: list[Neighbour], fit: Callable[[str, str], bool]) -> list[Pair]:
        return [(i, j) for i, a in ours for j, b in theirs if matched(i, j) and fit(a, b)]

    return [
        common(*parents, lambda a, b: alike(a, b, part, "parents")),
        common(*children, lambda a, b: alike(a, b, part, "children")),
        common(parents[0], children[1], lambda a, b: opposite(a, b, part)),
    ]


def _by_dependencies(there: AlignedWords, part: str) -> list[Pair]:
    """Words of a part of speech, each with the neighbours that speak for it."""

    def matched(i: int, j: int) -> bool:
        return (i, j) in there.pairs or there.similarity(i, j) >= THRESHOLD

    def has_part(word: Token) -> bool:
        return part_of_speech(word.tag) == part

    evidence: dict[Pair, float] = {}
    around: dict[Pair, list[Pair]] = {}
    for i, j in there.free(lambda word: has_part(word) or word.tag.lower() == "prp"):
        if there.similarity(i, j) < THRESHOLD:
            continue
        lists = neighbours_in_common(there, i, j, part, matched, ("", ""))
        near = {pair: there.similarity(*pair) for pairs in lists for pair in pairs}
        summed, best_around = _one_to_one(near)
        if summed > 0:
            evidence[i, j], around[i, j] = summed, best_around
    pairs: list[Pair] = []
    hyps, refs = set(there.hyps), set(there.refs)

    def content(word: Token) -> bool:
        return has_part(word) and word.lemma not in there.lexicon.stop_words

    worth = {
        pair: _THETA * there.similarity(*pair) + (1 - _THETA) * evidence[pair]
        for pair in evidence
        if content(there.hyp.token(pair[0])) and content(there.ref.token(pair[1]))
    }
    while True:
        best = _first_best(worth, ((i, j) for i, j in worth if i not in hyps and j not in refs))
        if best is None:
            return pairs
        for i, j in [best, *around[best]]:
            if i and j and i not in hyps and j not in refs:
                pairs.append((i, j))
                hyps.add(i)
                refs.add(j)


def _one_to_one(near: Mapping[Pair, float]) -> tuple[float, list[Pair]]:
    """The sum of similarities of neighbours, each of which counts once, and all that are the best of one of them.

    Of equals the first counts, in the order in which Python keeps pairs of numbers in a set, as in the program.
    """
    left: dict[int, Pair] = {}
    right: dict[int, Pair] = {}
    for pair, value in near.items():
        if pair[0] not in left or near[left[pair[0]]] < value:
            left[pair[0]] = pair
        if pair[1] not in right or near[right[pair[1]]] < value:
            right[pair[1]] = pair
    hyps: set[int] = set()
    refs: set[int] = set()
    total = 0.0
    best = list({*left.values(), *right.values()})
    for i, j in best:
        if i not in hyps and j not in refs:
            total += near[i, j]
            hyps.add(i)
            refs.add(j)
    return total, best


def _first_best(worth: Mapping[Pair, float], pairs: Iterable[Pair]) -> Pair | None:
    """The first of the pairs that are worth most, if any is worth anything."""
    best, most = None, 0.0
    for pair in pairs:
        if (value := worth.get(pair, 0.0)) > most:
            best, most = pair, value
    return best


def _by_neighbourhood(there: AlignedWords) -> None:
    """Other content words, by the content words that stand around them."""
    lexicon = there.lexicon
    near = _around(there.hyp, lexicon), _around(there.ref, lexicon)
    worth: dict[Pair, float] = {}
    for i, j in there.free(lambda word: not lexicon.light(word.lemma)):
        around = itertools.product(near[0](i), near[1](j))
        shared = sum(_lemmas_alike(there, *pair) for pair in around if pair in there.pairs)
        worth[i, j] = _THETA * there.similarity(i, j) + (1 - _THETA) * shared
    _greedily(there, worth, lambda i, j: there.similarity(i, j) >= THRESHOLD, skip=True)


def _lemmas_alike(there: AlignedWords, hyp: int, ref: int) -> float:
    one, other = there.hyp.words[hyp - 1], there.ref.words[ref - 1]
    return there.lexicon.similarity(one._replace(form=one.lemma), other._replace(form=other.lemma))


def _around(side: Side, lexicon: Lexicon) -> Callable[[int], list[int]]:
    """What gives the numbers of the content words around a word."""
    content = [word.lemma not in lexicon.stop_words and word.lemma not in PUNCTUATION for word in side.words]

    def around(number: int) -> list[int]:
        numbers = range(max(1, number - _BEFORE), min(len(side), number + _AFTER) + 1)
        return [k for k in numbers if k != number and content[k - 1]]

    return around


def _greedily(there: AlignedWords, worth: Mapping[Pair, float], fine: Callable[[int, int], bool], skip: bool) -> None:
    """Align the pairs that are worth most, one after the other.

    A word is set aside once it has been looked at as often as it has partners; `skip`: or once it is aligned. Of
    equals the first counts, in the order in which Python keeps small numbers in a set, as in the program.
    """
    hyps, refs = [i for i, _ in worth], [j for _, j in worth]
    for _ in set(hyps):
        ours = [i for i in set(hyps) if not (skip and i in there.hyps)]
        theirs = [j for j in set(refs) if not (skip and j in there.refs)]
        best = _first_best(worth, itertools.product(ours, theirs))
        if best is None:
            return
        if best[0] not in there.hyps and best[1] not in there.refs and fine(*best):
            there.add(*best)
        hyps.remove(best[0])
        refs.remove(best[1])


def _functional_by_dependencies(there: AlignedWords) -> None:
    """Function words, by aligned words that they depend on or that depend on them."""
    evidence: dict[Pair, int] = {}
    for i, j in there.free(lambda word: word.lemma in there.lexicon.stop_words):
        one, other = there.hyp.words[i - 1], there.ref.words[j - 1]
        if one.lemma == other.lemma or there.similarity(i, j) >= THRESHOLD:
            parents = there.hyp.parents(i, one.form), there.ref.parents(j, other.form)
            children = there.hyp.children(i, one.form), there.ref.children(j, other.form)
            evidence[i, j] = sum(
                (a, b) in there.pairs for ours, theirs in (parents, children) for a, _ in ours for b, _ in theirs
            )
    _functional(there, evidence, skip=False)


def _functional_by_neighbourhood(there: AlignedWords) -> None:
    """Function words and marks, by whether the nearest content words are aligned."""
    evidence: dict[Pair, int] = {}
    for i, j in there.free(lambda word: there.lexicon.light(word.lemma)):
        if there.similarity(i, j) >= THRESHOLD:
            before = _before(there, i, there.hyp), _before(there, j, there.ref)
            after = _after(there, i, there.hyp), _after(there, j, there.ref)
            evidence[i, j] = (before in there.pairs) + (after in there.pairs)
    _functional(there, evidence, skip=True)


def _functional(there: AlignedWords, evidence: Mapping[Pair, int], skip: bool) -> None:
    worth = {pair: _THETA * there.similarity(*pair) + (1 - _THETA) * evidence[pair] for pair in evidence}
    _greedily(there, worth, lambda i, j: there.similarity(i, j) >= THRESHOLD and evidence[i, j] > 0, skip)


def _before(there: AlignedWords, number: int, side: Side) -> int:
    """The number of the last content word before a word, or 0."""
    while number > 0 and there.lexicon.light(side.words[number - 1].lemma):
        number -= 1
    return number


def _after(there: AlignedWords, number: int, side: Side) -> int:
    """The number of the first content word after a word, but never the last word of all."""
    while number < len(side) - 1 and there.lexicon.light(side.words[number - 1].lemma):
        number += 1
    return number


def contexts(hyp: Side, ref: Side, pairs: Sequence[Pair], lexicon: Lexicon) -> list[tuple[float, float, float, float]]:
    """Of each aligned pair: the weight of unmatched and of all dependencies, in translation and reference."""
    there = AlignedWords(hyp, ref, lexicon)
    aligned = {*pairs, (0, 0)}
    rows = []
    for i, j in pairs:
        one, other = hyp.words[i - 1], ref.words[j - 1]
        lists = neighbours_in_common(
            there, i, j, part_of_speech(one.tag), lambda a, b: (a, b) in aligned, (one.form, other.form)
        )
        row: list[float] = []
        for k, (side, number, form) in enumerate(((hyp, i, one.form), (ref, j, other.form))):
            parents, children, both = ({pair[k] for pair in pairs_in_common} for pairs_in_common in lists)
            unmatched = total = 0.0
            for near, matched in ((side.children(number, form), children), (side.parents(number, form), parents)):
                for place, label in near:
                    total += weight(label)
                    unmatched += 0.0 if place in matched or place in both else weight(label)
            row += [unmatched, total]
        rows.append((row[0], row[2], row[1], row[3]))
    return rows
