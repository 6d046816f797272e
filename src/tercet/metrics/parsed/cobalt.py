"""UPF-Cobalt (Fomicheva et al. 2015): aligned words, less what is not aligned of that which they depend on."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import os
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from tercet import contents, kernels, text
from tercet.data import Array, Batch, Texts
from tercet.data.explanation import Explanation, Factor, Match
from tercet.errors import InputError
from tercet.formats import corenlp, lines
from tercet.formats.corenlp import Parse, Token
from tercet.formats.parses import looked_up
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained
from tercet.metrics.meteor import resources as files
from tercet.metrics.parsed.cobalt_alignment import Pair, Side, align, contexts
from tercet.metrics.parsed.cobalt_words import Lexicon
from tercet.spec import option

_MOST_WORDS = 500  # of a segment: its alignment looks at all pairs of them
_MOST_BYTES = 1 << 30  # of a file of paraphrases
_LEAST = 0.01  # what an aligned word counts at least
_BETA = 4.0
_KINDS = {1.0: "exact", 0.9: "stem", 0.8: "synonym", 0.6: "paraphrase", 0.5: "similar"}


class ComparedParses(NamedTuple):
    """A translation and a reference: aligned words, what each of them counts, and the shares of both texts."""

    pairs: list[Pair]
    levels: list[float]
    precision: float
    recall: float


@dataclasses.dataclass(frozen=True)
class UpfCobalt(MeanMetric):
    """Statistics: [value, 1]."""

    parses: str | None = option(None, "file with CoreNLP's parses, or a folder of such; none: words without any")
    setting: Literal["wmt15", "stored"] = option(
        "wmt15", "wmt15: synonyms and paraphrases are aligned; stored: only the same words, stems and lemmas"
    )
    stop_words: str | None = option(None, "file with stop words, one a line; none: METEOR's English function words")
    paraphrases: str | None = option(None, "file with pairs of words that are paraphrases (PPDB's), one a line")
    resources: str | None = option(None, "folder or jar with METEOR's files; none: those of the extra `meteor`")
    alpha: float = option(0.75, "weight of recall")
    delta: float = option(0.7, "weight of content words; function words and marks have the rest")
    tokenize: str = option("13a", "tokenizer spec, for texts without parses")

    name = "upf-cobalt"
    files = ("parses", "stop_words", "paraphrases", "resources")
    digits = 4
    card = Card(
        title="UPF-Cobalt",
        year=2015,
        group="Pompeu Fabra",
        kind="dependencies",
        resources="parses",
        definition=(
            "Words of translation and reference are aligned (Sultan et al. 2014): runs in common, then words that are "
            "the same, have the same stem or lemma, share a synset or are paraphrases, by what they depend on, what "
            "depends on them and what stands around them. An aligned word counts 1, 0.9 by stem or lemma, 0.8 by "
            "synset, 0.6 by paraphrase and 0.5 otherwise, less a penalty for dependencies whose other ends are not "
            "aligned: of arguments more than of modifiers, and of those more than of function words. Precision and "
            "recall weigh content words 0.7 and others 0.3; the score is their harmonic mean, recall weighing 0.75. "
            "Of several references the best counts; a system's score is the mean of its segments."
        ),
        paper="Fomicheva, Bel, da Cunha and Malinovskiy 2015, *UPF-Cobalt submission to WMT15 metrics task*; Sultan, "
        "Bethard and Sumner 2014, *Back to basics for monolingual alignment*",
        scale="0 to 1",
        reference="the authors' program (github.com/mfomicheva/upf-cobalt, of November 2015), with NLTK's 179 English "
        "stop words",
        differences=(
            "On 200 segments with parses all scores of `setting=stored` are the program's to 1e-9, and all alignments. "
            "Of `setting=wmt15` 87 are without paraphrases, and 198 with those that its alignments show; in the other "
            "two, words speak for each other that only its list of paraphrases (from PPDB 1.0) knows.",
            "The list of paraphrases and NLTK's stop words are not part of Tercet: give `paraphrases=FILE` and "
            "`stop_words=FILE`. Synsets are METEOR's, which the program has, too.",
            "The program's slips are kept: dependencies before that of the root are not read, parents of the "
            "translation's words are compared with children of the reference's in both of the opposite directions, and "
            "equals are taken in the order of a Python set.",
            "Three words before and two after a word are taken to stand around it: the program's code of another day "
            "has three on both sides, and its scores do not tell whether the third after it counts on one side only.",
            "Named entities are not aligned on their own, and there are no word vectors: the scores above were made "
            "without both.",
            "At WMT15 a system's score was the share of segments in which it was the best.",
            "Without `parses` words have no tags, lemmas or dependencies, and no context is penalised.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        text.tokenizer(self.tokenize)
        for name in self.files:
            path = getattr(self, name)
            self.require(path is None or os.path.exists(path), name, "a file or folder that is there")
        for name in ("alpha", "delta"):
            self.require(0 <= getattr(self, name) <= 1, name, "from 0 to 1")

    def lexicon(self) -> Lexicon:
        """What is known of words."""
        paths = (self.stop_words, self.paraphrases, self.resources)
        return _lexicon(*paths, self.setting == "wmt15", self.state())

    def sides(self, texts: Texts, threads: int) -> list[Side]:
        """The parses of texts, or their words."""
        key = ("cobalt", self.parses, self.tokenize if self.parses is None else "", self.state())
        if key not in texts.memo:
            parses = self._words(texts, threads) if self.parses is None else self._looked_up(texts, self.parses)
            texts.memo[key] = [Side.of(parse) for parse in parses]
        sides: list[Side] = texts.memo[key]
        return sides

    def _words(self, texts: Texts, threads: int) -> list[Parse]:
        data, offsets, rows = text.tokens(texts, text.tokenizer(self.tokenize), threads)
        tokens = [Token(word, word.lower(), "") for word in kernels.unpack((data, offsets))]
        return [Parse("", tuple(_bounded(tokens[a:b])), (), 0) for a, b in itertools.pairwise(rows.tolist())]

    def _looked_up(self, texts: Texts, path: str) -> list[Parse]:
        known, parses = corenlp.parses(path), []
        for line in texts:
            parse = looked_up(known, line, path) or Parse("", (), (), 0)
            _bounded(parse.words)
            parses.append(parse)
        return parses

    def values(self, batch: Batch) -> Array:
        """The score with the best reference."""
        references = batch.required_references()
        hyps, refs = self.sides(batch.hypotheses, batch.threads), self.sides(references.texts, batch.threads)
        lexicon, ends = self.lexicon(), references.groups.tolist()
        best = [
            max(self.mean(self.compared(hyp, ref, lexicon)) for ref in refs[ends[i] : ends[i + 1]])
            for i, hyp in enumerate(hyps)
        ]
        return np.array(best, dtype=np.float64)

    def mean(self, shares: ComparedParses) -> float:
        """Precision and recall as one number; 0 if one of them is."""
        if not shares.precision or not shares.recall:
            return 0.0
        return 1 / ((1 - self.alpha) / shares.precision + self.alpha / shares.recall)

    def compared(self, hyp: Side, ref: Side, lexicon: Lexicon) -> ComparedParses:
        """A translation and one reference."""
        if not len(hyp) or not len(ref):
            return ComparedParses([], [], 0.0, 0.0)
        pairs = align(hyp, ref, lexicon)
        levels, tops = [], [0.0, 0.0]
        for (i, j), context in zip(pairs, contexts(hyp, ref, pairs, lexicon), strict=True):
            both = hyp.words[i - 1], ref.words[j - 1]
            levels.append(lexicon.level(*both))
            counted = max(levels[-1] - penalty(*context), _LEAST)
            for k, word in enumerate(both):
                tops[k] += self._weight(word, lexicon) * counted
        wholes = [sum(self._weight(word, lexicon) for word in side.words) for side in (hyp, ref)]
        precision, recall = (top / whole if whole else top for top, whole in zip(tops, wholes, strict=True))
        return ComparedParses(pairs, levels, precision, recall)

    def _weight(self, word: Token, lexicon: Lexicon) -> float:
        return 1 - self.delta if lexicon.functional(word.form) else self.delta

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Precision, recall and the aligned words, with the reference that counts."""
        references = batch.required_references()
        hyp, refs = self.sides(batch.hypotheses, 1)[0], self.sides(references.texts, 1)
        results = [self.compared(hyp, ref, self.lexicon()) for ref in refs]
        number = int(np.argmax([self.mean(result) for result in results]))
        best, ref = results[number], refs[number]
        parts = (
            explained.weighted(explained.given("precision", best.precision), 1 - self.alpha),
            explained.weighted(explained.given("recall", best.recall), self.alpha),
        )
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, "harmonic mean", parts),
            hypothesis=tuple(word.form for word in hyp.words),
            reference=tuple(word.form for word in ref.words),
            matches=tuple(
                Match((i - 1, i), (j - 1, j), _KINDS[level])
                for (i, j), level in sorted(zip(best.pairs, best.levels, strict=True))
            ),
            notes=explained.references_note(references[0], number),
        )


def penalty(unmatched: float, unmatched_ref: float, context: float, context_ref: float) -> float:
    """What an aligned word loses for its context, from 0 to 1.

    >>> round(penalty(1.0, 1.0, 2.0, 2.0), 4)
    0.2679
    """
    if not context or not context_ref:
        return 0.0
    one, other = unmatched / context, unmatched_ref / context_ref
    square = _BETA**2
    mean = (1 + square) * (one * other / (one * square + other)) if one and other else max(one, other)
    return 2 / (1 + math.exp(-mean * math.log(context_ref + 1))) - 1


def _bounded(words: Sequence[Token]) -> Sequence[Token]:
    if len(words) > _MOST_WORDS:
        raise InputError(
            f"A segment has {len(words)} words: too many for UPF-Cobalt, which takes {_MOST_WORDS}.",
            hint="Cut it into sentences.",
        )
    return words


@functools.lru_cache(maxsize=4)
def _lexicon(
    stop_words: str | None,
    paraphrases: str | None,
    resources: str | None,
    everywhere: bool,
    _state: tuple[contents.State, ...],
) -> Lexicon:
    known = files.find(resources)
    words = files.function_words(stop_words or "en", resources)
    pairs = frozenset[tuple[str, str]]() if paraphrases is None else _pairs(paraphrases)
    return Lexicon(words, known.synonyms(), pairs, everywhere)


def _pairs(path: str) -> frozenset[tuple[str, str]]:
    """The pairs of words of a file."""
    pairs = set()
    for number, line in enumerate(lines.whole(path, _MOST_BYTES).split("\n"), start=1):
        fields = line.split()
        if len(fields) >= 2:
            pairs.add((fields[0], fields[1]))
        elif fields:
            raise InputError(
                f"{path}, line {number}: {line[:60]!r} is no pair of words.", hint="Write two words a line."
            )
    return frozenset(pairs)
