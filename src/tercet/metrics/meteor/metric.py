"""METEOR 1.5 (Denkowski and Lavie 2014), to the digit of its own program.

Words of the hypothesis are aligned with those of a reference by stages (exact, stem, synonym, paraphrase); the score is
a harmonic mean of precision and recall, less a penalty for alignments in many pieces. `MeteorMetric` is what this
METEOR, that of the lecture and Meteor++ share.
"""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from tercet import contents, kernels, numbers, text
from tercet.data import Array, Batch, Explanation, Ints
from tercet.metric_base import Card, Metric
from tercet.metrics.elementary import power
from tercet.metrics.explained.meteor import explain_meteor
from tercet.metrics.meteor import parameters as table
from tercet.metrics.meteor import resources as files
from tercet.metrics.meteor.alignment import Alignment
from tercet.metrics.meteor.matching import SLOTS, Knowledge, Prepared
from tercet.metrics.meteor.parameters import Language, Module, Parameters, Task
from tercet.spec import option
from tercet.text.base import Tokens
from tercet.text.meteor import NORMALIZED, MeteorNormalize, MeteorTokenizer


class Factors(NamedTuple):
    """The numbers of the formula."""

    precision: Array
    recall: Array
    fmean: Array
    fragmentation: Array
    penalty: Array
    score: Array


@dataclasses.dataclass(frozen=True)
class MeteorMetric(Metric):
    """Language, stages and their resources; an alignment with every reference, of which the best counts.

    Statistics: [words of hypothesis and reference, function words of both, then for each of four stages: content words
    matched in hypothesis and reference, function words likewise; chunks, words matched in hypothesis and reference].
    """

    language: Language = option("en", "language of the text; other: one that METEOR does not know")
    normalize: MeteorNormalize = option(
        "full", "none, lower: lower-case, full: tokenise and lower-case (-norm), nopunct: without punctuation too"
    )
    modules: tuple[Module, ...] = option((), "stages of matching, as exact+stem; without: those of the language")
    paraphrases: str | None = option(None, "file with the paraphrase table; none: that of the resources")
    wordnet: str | None = option(None, "folder with WordNet 3.0, for synonyms; none: METEOR's own files")
    resources: str | None = option(None, "folder or jar with METEOR's files; none: those of the extra `meteor`")

    files: ClassVar[tuple[str, ...]] = ("paraphrases", "wordnet", "resources")
    digits = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(
            self.normalize in ("none", "lower") or self.language in NORMALIZED,
            "normalize",
            f"none or lower for {self.language}, which METEOR cannot tokenise",
        )
        for name in ("paraphrases", "wordnet", "resources"):
            self.require_there(name)
        used = self.asked_stages
        self.require(len(set(used)) == len(used), "modules", "stages that are all different")
        for stage, languages in (("stem", table.STEMMERS), ("synonym", ("en",))):
            fine = stage not in used or self.language in languages
            self.require(fine, "modules", f"without {stage} for the language {self.language}")

    def require_there(self, option: str) -> None:
        """Refuse a file or folder that does not exist, before any text is read."""
        path = getattr(self, option)
        self.require(path is None or os.path.exists(path), option, "a file or folder that is there")

    @property
    def stages(self) -> tuple[Module, ...]:
        """The stages in the order in which they run."""
        return self.modules or table.modules(self.language, "rank")

    @property
    def asked_stages(self) -> tuple[Module, ...]:
        """Those that are known before any file is read."""
        return self.stages

    @property
    def stage_names(self) -> tuple[str, ...]:
        """What matches are called by."""
        return self.stages

    def weighting(self) -> Parameters:
        """The parameters in force."""
        raise NotImplementedError

    def effective(self, option: str) -> Any:
        """What an option amounts to: where nothing was given, what the table of parameters says."""
        if option == "modules":
            return self.stages
        return getattr(self.weighting(), option) if option in _PARAMETERS else super().effective(option)

    def facts(self) -> dict[str, str]:
        """Which paraphrase table it is, whatever its file is called."""
        table = {"table": self._paraphrases().source.hex()[:16]} if "paraphrase" in self.stages else {}
        return super().facts() | table

    def knowledge(self) -> Knowledge:
        """What the stages know of the language."""
        used = self.stages
        return Knowledge(
            stages=used,
            stemmer=table.STEMMERS[self.language] if "stem" in used else None,
            synonyms=files.synonyms(self.wordnet, self.resources) if "synonym" in used else None,
            paraphrases=self._paraphrases() if "paraphrase" in used else None,
        )

    def _paraphrases(self) -> kernels.ParaphraseTable:
        return files.paraphrases(self.paraphrases, self.language, self.resources)

    def tokens(self, batch: Batch) -> tuple[Tokens, Tokens]:
        """The words of hypotheses and references as METEOR sees them."""
        how = MeteorTokenizer(language=self.language, normalize=self.normalize, resources=self.resources)
        hyps = text.tokens(batch.hypotheses, how, batch.threads)
        return hyps, text.tokens(batch.required_references().texts, how, batch.threads)

    def prepared(self, batch: Batch) -> Prepared:
        """Numbered words, and what the stages know of them."""
        hyps, refs = self.tokens(batch)
        return Prepared.of(hyps, refs, batch.required_references().groups, self.knowledge(), batch.threads)

    def counted(self) -> tuple[object, ...]:
        """The options on which counts depend, and the state of their files."""
        files = self.paraphrases, self.wordnet, self.resources, self.state()
        return self.language, self.normalize, self.stages, *files

    def counts(self, batch: Batch) -> Array:
        """The numbers of every reference, (references, k), kept with the text: parameters do not move them."""
        key = (self.name, batch.required_references(), self.counted())
        if key not in batch.hypotheses.memo:
            batch.hypotheses.memo[key] = self.additive(self.prepared(batch).statistics(batch.threads, self.slots))
        counts: Array = batch.hypotheses.memo[key]
        return counts

    def additive(self, rows: Array) -> Array:
        """The numbers of segments as they enter a sum."""
        return rows

    @property
    def slots(self) -> int:
        """Stages that a row of statistics has room for."""
        return SLOTS

    def statistics(self, batch: Batch) -> Array:
        """Lengths, matches and chunks against the best reference."""
        rows = self.counts(batch)
        return rows[first_best(self.score(rows), batch.required_references().groups)]

    def statistic_names(self) -> tuple[str, ...]:
        """Lengths, then four numbers a stage, then chunks and matches."""
        stages = [*self.stage_names, *(f"stage {i + 1}" for i in range(len(self.stage_names), self.slots))]
        kinds = ("content, hypothesis", "content, reference", "function, hypothesis", "function, reference")
        return (
            *("hypothesis length", "reference length", "hypothesis function words", "reference function words"),
            *(f"{stage}: {kind}" for stage in stages for kind in kinds),
            *("chunks", "hypothesis words matched", "reference words matched"),
        )

    def broken(self, stats: Array) -> Array:
        """How broken the alignment is, from 0 to 1; anything where nothing is matched."""
        raise NotImplementedError

    def factors(self, stats: Array) -> tuple[Array, Array, Array]:
        """Precision, recall and fragmentation; both of the first are above 0 where the score is."""
        given = self.weighting()
        sides = [_share(stats, side, given) for side in (0, 1)]
        with np.errstate(divide="ignore", invalid="ignore"):
            broken = self.broken(stats)
        return sides[0], sides[1], np.where((sides[0] > 0) & (sides[1] > 0), broken, 0.0)

    def formula(self, stats: Array) -> Factors:
        """All numbers of the score."""
        given = self.weighting()
        precision, recall, broken = self.factors(stats)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = 1.0 / ((1.0 - given.alpha) / precision + given.alpha / recall)
        mean = np.where((precision > 0) & (recall > 0), mean, 0.0)
        penalty = given.gamma * power(broken, given.beta)
        return Factors(precision, recall, mean, broken, penalty, np.maximum(mean * (1.0 - penalty), 0.0))

    def score(self, stats: Array) -> Array:
        """Harmonic mean of precision and recall, less the penalty."""
        return self.formula(stats).score

    def align(self, hypothesis: str, references: str | Sequence[str]) -> Alignment:
        """The alignment behind the score of one segment, with the reference that counts."""
        batch = self.batch([hypothesis], [references], threads=1)
        rows = self.counts(batch)
        number = int(first_best(self.score(rows), batch.required_references().groups)[0])
        hyps, refs = self.tokens(batch)
        numbers = [float(value) for value in self.formula(rows[number])]
        return Alignment(
            tuple(kernels.unpack(hyps[:2])),
            tuple(kernels.unpack(refs[:2])[refs[2][number] : refs[2][number + 1]]),
            number,
            self.prepared(batch).alignments(self.stage_names)[number],
            *numbers,
        )

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The alignment with the reference that counts, and the numbers of the formula."""
        references = batch.required_references()[0]
        alignment = self.align(batch.hypotheses[0], references)
        return explain_meteor(plain, alignment, row, self.weighting(), references, self.function_list())

    def function_list(self) -> frozenset[str]:
        """Words that weigh less than others."""
        return frozenset()


@functools.lru_cache(maxsize=16)
def _listed(language: str, resources: str | None, _state: contents.State) -> frozenset[str]:
    return files.function_words(language, resources)


def function_word_list(which: str | None, resources: str | None) -> frozenset[str]:
    """Lists of languages are read once, a file of the user's each time."""
    if which in table.LANGUAGES:
        return _listed(which, resources, contents.state(resources))
    return files.function_words(which, resources)


_PARAMETERS = tuple(f.name for f in dataclasses.fields(Parameters))


def _share(stats: Array, side: int, given: Parameters) -> Array:
    """Precision (side 0) or recall (side 1): weighted words that are matched, over weighted words."""
    content, function = given.delta, 1.0 - given.delta
    length = content * (stats[..., side] - stats[..., 2 + side]) + function * stats[..., 2 + side]
    matched = np.zeros_like(length)
    for kind, share in ((0, content), (2, function)):  # METEOR's order of summation
        for stage, weight in enumerate(given.weights):
            matched += stats[..., 4 + 4 * stage + kind + side] * weight * share
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(length > 0, matched / length, 0.0)


def first_best(scores: Array, groups: Ints) -> Ints:
    """The best of each group, the first one of equals."""
    if len(groups) - 1 == len(scores):
        return np.arange(len(scores), dtype=np.int64)
    group = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    best = np.flatnonzero(scores == np.maximum.reduceat(scores, groups[:-1])[group])
    return best[np.unique(group[best], return_index=True)[1]]


@dataclasses.dataclass(frozen=True)
class Meteor(MeteorMetric):
    """METEOR 1.5."""

    task: Task = option("rank", "what the parameters were tuned for")
    alpha: float | None = option(None, "weight of recall; none: by task and language", tunable=(0.0, 1.0, 0.05))
    beta: float | None = option(None, "exponent of the penalty; none: as above", tunable=(0.0, 2.0, 0.05))
    gamma: float | None = option(None, "weight of the penalty; none: as above", tunable=(0.0, 1.0, 0.05))
    delta: float | None = option(
        None, "weight of content words; function words weigh the rest; none: as above", tunable=(0.0, 1.0, 0.05)
    )
    weights: tuple[float, ...] = option(
        (), "weight of each stage, as 1+0.6; without: by task and language", tunable=(0.0, 1.0, 0.05)
    )
    function_words: str | None = option("en", "language of the list, a file with one word a line, or none")
    characters: bool = option(False, "words count by their length (-ch)")

    name = "meteor"
    files: ClassVar[tuple[str, ...]] = (*MeteorMetric.files, "function_words")
    scaled_by = "weights"
    card = Card(
        title="METEOR",
        year=2014,
        group="CMU",
        kind="alignment",
        resources="METEOR's files",
        definition=(
            "Words are aligned with those of the reference in stages: the same word, the same stem, a common WordNet "
            "synset, a pair of the paraphrase table. Precision and recall weigh each match by its stage, and content "
            "words by `delta`; their harmonic mean, in which recall weighs `alpha`, is cut by "
            "`gamma * (chunks / matches) ** beta`, where chunks are runs of matches that stand in the same "
            "order and side by side in both. A system's score is the formula over the sums of its segments; of several "
            "references the best counts."
        ),
        paper="Denkowski and Lavie 2014, *Meteor Universal: language specific translation evaluation for any target "
        "language*; Denkowski and Lavie 2011, *Meteor 1.3*",
        scale="0 to 1",
        reference="METEOR 1.5 (meteor-1.5.jar)",
        differences=(
            "Reproduced: words are compared by Java's hash of 32 bits, so that now and then two different words match "
            "(`Aa` and `BB`).",
            "Reproduced: in the search for the alignment half a credit is cut to whole numbers, so that a single stem, "
            "synonym or paraphrase is taken only for the sake of fewer chunks; and the way between matched words is "
            "added to the wrong path.",
            "Reproduced: the English function words are used for every language. `function_words=de` takes those of "
            "the language.",
            "Reproduced: weights belong to places, so that with `modules=exact+paraphrase` paraphrases weigh what "
            "stems would; and a stage more than the language has, as paraphrases for Finnish, weighs nothing unless "
            "`weights` says otherwise. `task=util` does not count characters, whatever METEOR's help says: "
            "`characters=true` does.",
            "`task=rank` means `li` for languages that METEOR never tuned, as if no task were named; METEOR has zeros "
            "there. Other tasks without parameters for a language are refused.",
            "METEOR normalises only en, cs, fr, es, de and ru; for others `normalize` must be lower or none. Arabic in "
            "Buckwalter's letters is left out.",
            "METEOR's default is no normalisation at all; here it is `-norm`, as its authors advise.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(
            table.parameters(self.language, self.task) is not None,
            "task",
            f"rank, li, tune or universal for {self.language}, for which nothing else was tuned",
        )
        for name, most in (("alpha", 1.0), ("beta", 100.0), ("gamma", 1.0), ("delta", 1.0)):
            value = getattr(self, name)
            self.require(value is None or 0 <= value <= most, name, f"from 0 to {numbers.plain(most)}")
        if self.function_words not in table.LANGUAGES:
            self.require_there("function_words")
        stages = len(self.stage_names)
        self.require(len(self.weights) in (0, stages), "weights", f"{stages} numbers, one a stage")
        self.require(all(0 <= weight <= 1e6 for weight in self.weights), "weights", "numbers from 0 to a million")

    @classmethod
    def names_file(cls, option: str, value: str) -> bool:
        """Function words may be those of a language."""
        return super().names_file(option, value) and not (option == "function_words" and value in table.LANGUAGES)

    @property
    def stages(self) -> tuple[Module, ...]:
        """The stages in the order in which they run."""
        return self.modules or table.modules(self.language, self.task)

    def weighting(self) -> Parameters:
        """The parameters of task and language, with those that were given in their place."""
        tuned = table.parameters(self.language, self.task) or table.INDEPENDENT
        given = {name: getattr(self, name) for name in ("alpha", "beta", "gamma", "delta")}
        usual = tuned.weights[: len(table.modules(self.language, self.task))]
        weights = self.weights or (*usual, *[0.0] * len(self.stages))[: len(self.stages)]
        return dataclasses.replace(
            tuned, weights=weights, **{name: value for name, value in given.items() if value is not None}
        )

    def knowledge(self) -> Knowledge:
        """What the stages know of the language, and its function words."""
        return dataclasses.replace(
            super().knowledge(),
            function_words=self.function_list(),
            characters=self.characters,
        )

    def function_list(self) -> frozenset[str]:
        """Words that weigh less than others."""
        return function_word_list(self.function_words, self.resources)

    def counted(self) -> tuple[object, ...]:
        """The options on which counts depend."""
        return *super().counted(), self.function_words, self.characters

    def additive(self, rows: Array) -> Array:
        """A text that is matched as a whole, in one chunk, has no penalty, and adds no chunk to its system's."""
        matched = [rows[:, 4 + side : -3 : 2].sum(axis=1) for side in (0, 1)]
        whole = (matched[0] == rows[:, 0]) & (matched[1] == rows[:, 1]) & (rows[:, -3] == 1)
        rows[whole, -3] = 0
        return rows

    def broken(self, stats: Array) -> Array:
        return stats[..., -3] / ((stats[..., -2] + stats[..., -1]) / 2)
