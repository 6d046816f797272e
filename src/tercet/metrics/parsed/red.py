"""RED (Yu et al. 2014): pieces of the reference's dependency tree, looked for in the words of the hypothesis."""

from __future__ import annotations

import bisect
import dataclasses
import functools
import math
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from tercet.data import Array, Batch, Explanation, Ints
from tercet.formats.conllu import Tree
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.meteor.parameters import Language, Module
from tercet.metrics.meteor.resources import function_words
from tercet.metrics.parsed.base import CHAINS, SEVERAL, ParsedMetric, averaged, f_score, share
from tercet.metrics.parsed.matching import TreeMatching
from tercet.spec import option

PLACES = 64  # of a frequent word at which a chain is looked for
_WEIGHT = (0.0, 3.0, 0.1)

Places = tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Red(ParsedMetric):
    """Statistics of each length and kind: [found, in the reference, expected in the hypothesis]."""

    hypotheses: Literal["tokenize", "parses"] = option(
        "tokenize", "where the words of hypotheses come from: the tokenizer, or parses as of references"
    )
    stages: tuple[Module, ...] = option(
        (), "METEOR's stages that match words, as exact+stem+synonym; without: the same"
    )
    language: Language = option("en", "language of the text, for these stages")
    resources: str | None = option(None, "folder or jar with METEOR's files; none: those of the extra `meteor`")
    function: float = option(
        1.0, "what a function word counts (METEOR's list of the language)", tunable=(0.0, 1.0, 0.1), recounts=True
    )
    order: int = option(3, "words of the longest pieces")
    distance: bool = option(True, "a chain counts less the more its words have moved against each other")
    precision: Literal["rate", "words"] = option(
        "rate", "pieces that a hypothesis should have: rate: as many a word as the reference has, words: one a word"
    )
    alpha: float = option(0.5, "weight of precision in F", tunable=(0.05, 0.95, 0.05))
    chains: float = option(1.0, "weight of headword chains", tunable=_WEIGHT)
    structures: float = option(1.0, "weight of fixed and floating structures", tunable=_WEIGHT)
    lengths: tuple[float, ...] = option(
        (), "weight of pieces of 1, 2, ... words, as 1+0.5+0.2; without: all count alike", tunable=(0.0, 1.0, 0.1)
    )

    name = "red"
    files: ClassVar[tuple[str, ...]] = ("parses", "resources")
    card = Card(
        title="RED",
        year=2014,
        group="Dublin City, CAS",
        kind="dependencies",
        resources="parses",
        definition=(
            "Pieces of up to three words of the reference's dependency tree are looked for in the hypothesis, which "
            "need not be parsed: chains of a word, its head and the head's head, whose words must stand in the same "
            "order and count exp(-d), where d is how far their distances differ on average; and runs of words that a "
            "head with complete dependents (fixed) or complete siblings (floating) cover, which must stand as they "
            "are. The score is the weighted mean of the F-scores of each length and kind."
        ),
        paper="Yu et al. 2014, *RED: a reference dependency based MT evaluation metric*; Wu and Yu 2014, *RED, the DCU "
        "submission of metrics tasks*",
        scale="0 to 100",
        reference="the paper's description",
        differences=(
            "Stems, synonyms and paraphrases match where `stages` says so, by METEOR's matcher, and count what "
            "METEOR's English parameters say: 1, 0.6, 0.8 and 0.6, and function words count what `function` says. The "
            "paper's own weights, tuned for each variant, are not known here: `tercet tune` finds some, of kinds and "
            "lengths of pieces, too.",
            "The number of pieces of an unparsed hypothesis is an estimate: see `precision`.",
            "Of a chain whose first word occurs often, 64 places are tried.",
            CHAINS,
            SEVERAL,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.order <= 9, "order", "from 1 to 9")
        self.require(0 <= self.function <= 1, "function", "from 0 to 1")
        there = self.resources is None or os.path.exists(self.resources)
        self.require(there, "resources", "a file or folder that is there")
        if self.stages:
            self.matching.check(self)
        self.require(0 <= self.alpha <= 1, "alpha", "from 0 to 1")
        self.require(0 <= self.chains <= 1000, "chains", "from 0 to 1000")
        fine = 0 <= self.structures <= 1000 and (self.chains > 0 or (self.structures > 0 and self.order > 1))
        self.require(fine, "structures", "from 0 to 1000, and one of the weights above 0")
        self.require(len(self.lengths) in (0, self.order), "lengths", f"{self.order} numbers, one a length")
        self.require(all(0 <= weight <= 1000 for weight in self.lengths), "lengths", "numbers from 0 to 1000")
        self.require(not self.lengths or any(self.piece_weights), "lengths", "weights of which one is above 0")

    def effective(self, option: str) -> Any:
        """What an option amounts to: lengths count alike unless told."""
        return self.lengths or (1.0,) * self.order if option == "lengths" else super().effective(option)

    @property
    def piece_weights(self) -> list[float]:
        """What the F-score of each kind and length weighs."""
        lengths = self.effective("lengths")
        return [getattr(self, kind) * lengths[n - 1] for kind, n in self.kinds]

    def hypothesis_trees(self, batch: Batch) -> list[Tree]:
        """Words of hypotheses; nothing else of their trees counts."""
        use = self.trees if self.hypotheses == "parses" else self.linked
        return use(batch.hypotheses, batch.threads)

    @property
    def kinds(self) -> list[tuple[str, int]]:
        """Kind and length of the pieces, in the order of the statistics."""
        return [
            *(("chains", n) for n in range(1, self.order + 1)),
            *(("structures", n) for n in range(2, self.order + 1)),
        ]

    def all_compared(self, hyps: Sequence[Tree], refs: Sequence[Tree], groups: Ints, threads: int) -> Array:
        """The statistics of every reference; with stages, hypotheses are read as METEOR matches them."""
        if not self.stages:
            return super().all_compared(hyps, refs, groups, threads)
        readings = self.matching.readings(hyps, refs, groups, threads)
        rows = [self.counted(*reading, ref) for reading, ref in zip(readings, refs, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.statistic_names()))

    @property
    def matching(self) -> TreeMatching:
        """Who matches words where stages are asked for."""
        return TreeMatching(self.stages, self.language, self.resources)

    def compared(self, hypothesis: Tree, reference: Tree) -> list[float]:
        """Pieces found, there and expected."""
        hyp = [w.form for w in hypothesis]
        return self.counted(hyp, [1.0] * len(hyp), reference)

    def weights(self, words: Sequence[str]) -> list[float]:
        """What each word counts."""
        return [self.function if word.lower() in self.function_words else 1.0 for word in words]

    @functools.cached_property
    def function_words(self) -> frozenset[str]:
        """Words that count less than others; none where they do not."""
        return frozenset() if self.function == 1 else function_words(self.language, self.resources)

    def counted(self, hyp: Sequence[str], worth: Sequence[float], reference: Tree) -> list[float]:
        """The same with words that are worth less where they are not the reference's own."""
        ref = [w.form for w in reference]
        sizes, ours = self.weights(ref), self.weights(hyp)
        worth = [value * weight for value, weight in zip(worth, ours, strict=True)]
        row: list[float] = []
        for kind, n in self.kinds:
            if kind == "chains":
                pieces = list(headword_chains(reference, n))
                matched = chains_found(pieces, ref, hyp, self.distance, worth)
            else:
                pieces = list(fixed_floating(reference, n))
                matched = runs_found(pieces, ref, hyp, worth)
            there = sum(sum(sizes[i] for i in piece) for piece in pieces) / n
            a_word = there / sum(sizes) if self.precision == "rate" and any(sizes) else 1.0
            row += [matched, there, a_word * sum(ours)]
        return row

    def statistic_names(self) -> tuple[str, ...]:
        columns = ("found", "in the reference", "expected")
        return tuple(f"{kind} of {n} {what}" for kind, n in self.kinds for what in columns)

    def score(self, stats: Array) -> Array:
        """The weighted mean of F-scores."""
        return self.weighed(stats, self.alpha, self.piece_weights)

    def even(self, stats: Array) -> Array:
        return self.weighed(stats, 0.5, [1.0] * len(self.kinds))

    def weighed(self, stats: Array, alpha: float, weights: Sequence[float]) -> Array:
        """The mean of F-scores with these weights."""
        matched, there, expected = (stats[..., i::3] for i in range(3))
        fs = f_score(share(matched, expected), share(matched, there), alpha)
        columns = [np.moveaxis(x, -1, 0) for x in (fs, there)]
        return 100 * averaged(list(columns[0]), weights, list(columns[1]))

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The F-score of each length and kind that the reference has, in percent, and their mean."""
        if not np.isfinite(plain.score):
            return plain
        parts = []
        for (kind, n), weight, counts in zip(self.kinds, self.piece_weights, row.reshape(-1, 3), strict=True):
            matched, there, expected = counts
            f = f_score(share(matched, expected), share(matched, there), self.alpha)
            named = explained.given(f"{kind} of {n}", 100 * float(f))
            parts.append(explained.weighted(named, weight if there else 0.0))
        mean = explained.made("score", "mean", parts)
        return dataclasses.replace(plain, formula=dataclasses.replace(mean, value=plain.score))


def headword_chains(tree: Tree, n: int) -> Iterator[Places]:
    """A word, its head, the head's head, and so on, in the order of the text.

    >>> from tercet.formats.conllu import Word
    >>> heads = (1, -1, 1)
    >>> tree = tuple(Word(w, w, "", "", h, "") for w, h in zip(("a", "b", "c"), heads, strict=True))
    >>> list(headword_chains(tree, 2))
    [(0, 1), (1, 2)]
    """
    for at in range(len(tree)):
        chain = [at]
        while len(chain) < n and tree[chain[-1]].head >= 0:
            chain.append(tree[chain[-1]].head)
        if len(chain) == n:
            yield tuple(sorted(chain))


def fixed_floating(tree: Tree, n: int) -> Iterator[Places]:
    """Runs of words that are a head with complete dependents, or complete dependents of one head."""
    lows, highs = extents(tree)
    for start in range(len(tree) - n + 1):
        run = range(start, start + n)
        tops = [at for at in run if tree[at].head not in run]
        complete = [at for at in run if lows[at] >= start and highs[at] < start + n]
        fixed = len(tops) == 1 and len(complete) >= n - (tops[0] not in complete)
        floating = len(complete) == n and len({tree[at].head for at in tops}) == 1
        if fixed or floating:
            yield tuple(run)


def extents(tree: Tree) -> tuple[list[int], list[int]]:
    """The first and the last place of all that depends on each word, itself among it."""
    lows, highs = list(range(len(tree))), list(range(len(tree)))
    for at in deepest_first(tree):
        up = tree[at].head
        if up >= 0:
            lows[up], highs[up] = min(lows[up], lows[at]), max(highs[up], highs[at])
    return lows, highs


def deepest_first(tree: Tree) -> list[int]:
    """The places of a tree, dependents before their heads."""
    depths = [-1] * len(tree)
    for start in range(len(tree)):
        at, trail = start, []
        while at >= 0 and depths[at] < 0:
            trail.append(at)
            at = tree[at].head
        above = depths[at] if at >= 0 else -1
        for below, place in enumerate(reversed(trail), start=1):
            depths[place] = above + below
    return sorted(range(len(tree)), key=depths.__getitem__, reverse=True)


def runs_found(
    pieces: Sequence[Places], reference: Sequence[str], hypothesis: Sequence[str], worth: Sequence[float] = ()
) -> float:
    """How many of these runs of words the hypothesis has, each by what its words are worth, those worth most first."""
    if not pieces:
        return 0.0
    n = len(pieces[0])
    wanted = Counter(tuple(reference[i] for i in piece) for piece in pieces)
    there: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for i in range(len(hypothesis) - n + 1):
        run = tuple(hypothesis[i : i + n])
        if run in wanted:
            there[run].append(sum(worth[i : i + n]) / n if worth else 1.0)
    return float(sum(sum(sorted(values, reverse=True)[: wanted[run]]) for run, values in there.items()))


def chains_found(
    pieces: Sequence[Places],
    reference: Sequence[str],
    hypothesis: Sequence[str],
    distance: bool,
    worth: Sequence[float] = (),
) -> float:
    """How many chains the hypothesis has in their order, each by how far its words moved and what they are worth."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(hypothesis):
        places[word].append(at)
    left: dict[tuple[str, ...], list[int]] = {}  # where alike chains may still begin
    total = 0.0
    for piece in pieces:
        words = tuple(reference[i] for i in piece)
        if words not in left:
            left[words] = list(reversed(places.get(words[0], ())))
        starts = left[words]
        best, taken = 0.0, -1
        for at in range(len(starts) - 1, max(-1, len(starts) - 1 - PLACES), -1):
            weight = chain_weight(piece, words, starts[at], places, distance, worth)
            if weight > best:
                best, taken = weight, at
            if best == 1.0:
                break
        if taken >= 0:
            del starts[taken]
            total += best
    return total


def chain_weight(
    piece: Places,
    words: tuple[str, ...],
    start: int,
    places: dict[str, list[int]],
    distance: bool,
    worth: Sequence[float] = (),
) -> float:
    """The weight of a chain that begins at a place of the hypothesis; 0 where it has no room there."""
    moved, here = 0, start
    total = worth[start] if worth else 1.0
    for before, after, word in zip(piece[:-1], piece[1:], words[1:], strict=True):
        options = places.get(word, [])
        first = bisect.bisect_right(options, here)
        if first == len(options):
            return 0.0
        wanted = here + after - before
        near = bisect.bisect_left(options, wanted, lo=first)
        if near == len(options) or (near > first and wanted - options[near - 1] <= options[near] - wanted):
            near -= 1  # the one before is as near
        here = options[near]
        moved += abs(here - wanted)
        total += worth[here] if worth else 1.0
    return total / len(piece) * (math.exp(-moved / (len(piece) - 1)) if distance and moved else 1.0)
