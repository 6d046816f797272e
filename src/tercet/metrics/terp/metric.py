"""TERp (Snover et al. 2009), to the digit of its authors' program.

A translation edit rate in which words may stand for others: by their stem, by a common synset, as part of a paraphrase.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from tercet import contents, kernels, text
from tercet.data import Array, Batch, Explanation
from tercet.formats import lines
from tercet.metric_base import Card, Metric
from tercet.metrics import explained
from tercet.metrics.meteor import resources as files
from tercet.metrics.meteor.synonyms import Synonyms
from tercet.metrics.terp import phrases as tables
from tercet.metrics.terp import wordnet
from tercet.metrics.terp.settings import EDITS, SETTINGS, Name, Shifts, TerpSetting
from tercet.metrics.terp.wordnet import WordNet
from tercet.spec import option
from tercet.text.base import Lines, Tokens
from tercet.text.terp import TerpTokenizer

_RANGE = (0.0, 2.0, 0.1)
_MOST_BYTES = 1 << 20  # bytes of a list of stop words


@dataclasses.dataclass(frozen=True)
class Terp(Metric):
    """Statistics: [edits of each kind and paraphrases against the closest reference, cost of these; mean length]."""

    setting: Name = option("terpa", "parameters of TERp's program: TERp-A, TERp-H (for HTER), TER, and parts of them")
    stop_words: str | None = option(None, "file with words that are not shifted alone; none: there are none")
    wordnet: str | None = option(None, "folder with WordNet 3.0, for synonyms; none: METEOR's own files")
    phrases: str | None = option(None, "file with TERp's phrase table; none: no paraphrases")
    resources: str | None = option(None, "folder or jar with METEOR's files; none: those of the extra `meteor`")
    normalized: bool | None = option(None, "split off punctuation and resolve entities; none: as the setting has it")
    case_sensitive: bool | None = option(None, "keep the case; none: as the setting has it")
    stems: bool | None = option(None, "match words by their stems; none: as the setting has it")
    synonyms: bool | None = option(None, "match words by common synsets; none: as the setting has it")
    shifts: Shifts | None = option(
        None, "blocks that may move: noshift (none), exact (which the reference has), relax (any that match)"
    )
    beam: int | None = option(None, "how much dearer than the best an edit may be to be looked at")
    cap: bool | None = option(None, "cut scores at 100; none: as the setting has it")
    insertion: float | None = option(None, "cost of a word that only the reference has", tunable=_RANGE)
    deletion: float | None = option(None, "cost of a word that only the translation has", tunable=_RANGE)
    substitution: float | None = option(None, "cost of a word in the place of another", tunable=_RANGE)
    shift: float | None = option(None, "cost of moving a block of words", tunable=_RANGE)
    stem: float | None = option(None, "cost of a word with the same stem", tunable=_RANGE)
    synonym: float | None = option(None, "cost of a word with a common synset", tunable=_RANGE)
    paraphrase: float = option(1.0, "what the costs of paraphrases are multiplied by", tunable=_RANGE)
    phrase_costs: tuple[float, ...] = option(
        (), "the four numbers that give a paraphrase's cost from its probability and the edits within"
    )
    search: tuple[float, ...] = option(
        (), "costs by which edits are searched, in the order of the options; without: those of the setting"
    )

    name = "terp"
    files = ("stop_words", "wordnet", "phrases", "resources")
    higher_is_better = False
    card = Card(
        title="TERp",
        year=2009,
        group="Maryland, BBN",
        kind="edits",
        resources="METEOR's files",
        definition=(
            "Translation edit rate in which a word may also be matched by its stem (Porter's), by a common WordNet "
            "synset, or as part of a paraphrase, each at its own cost, as insertions, deletions, substitutions and "
            "shifts have theirs. Blocks of words that match in any of these ways may be shifted, but not stop words "
            "alone. The score is the cost of all edits over the mean length of the references, cut at 100. The costs "
            "are those of TERp-A, which were tuned to adequacy; `setting=terph` has those for HTER, `setting=ter` is "
            "plain TER."
        ),
        paper="Snover et al. 2009, *Fluency, adequacy, or HTER? Exploring different human judgments with a tunable MT "
        "metric*",
        scale="0 to 100, or more without a cap: a percentage of the reference words; lower is better",
        reference="the authors' program (github.com/snover/terp), with WordNet 3.0 and its list of stop words",
        differences=(
            "Of 15 600 segments that the program scored in thirteen settings, 15 598 have its score to 1e-9. The other "
            "two are with paraphrases, where it once does not take two words for synonyms that it takes for such "
            "elsewhere.",
            "The program comes with a list of stop words (data/shift_word_stop_list.txt) and with a phrase table. "
            "Neither is part of Tercet: give `stop_words=FILE`, or no word is one; give `phrases=FILE`, or there are "
            "no paraphrases. A setting that has no use for a file does not read it.",
            "Without `wordnet=FOLDER`, synsets are METEOR's, which finds fewer base forms than the program does.",
            "Edits are searched by the costs of the setting, or by those in `search`, and the costs of the options "
            "only weigh them, so that tuning need not search again. The program searches anew for each set of costs: "
            "give what was tuned to `search`, and tune once more.",
            "Insertions and deletions turn the translation into the reference, as in `ter`. The program names them "
            "the other way round.",
            "A shift that does not lower the cost of the edits is never made; if shifts are free, the program goes on "
            "for ever. After a thousand million cells of a segment nothing more is shifted, which takes hundreds of "
            "words that are all wrong, and with more than sixteen million in one matrix the search is narrower; the "
            "program has no limits.",
        ),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in (*EDITS, "paraphrase"):
            value = getattr(self, name)
            self.require(value is None or 0 <= value <= 1000, name, "from 0 to 1000")
        self.require(self.beam is None or 0 <= self.beam <= 1_000_000, "beam", "from 0 to a million")
        self.require(len(self.search) in (0, len(EDITS)), "search", f"{len(EDITS)} costs, one a kind of edit")
        self.require(all(0 <= cost <= 1000 for cost in self.search), "search", "costs from 0 to 1000")
        self.require(len(self.phrase_costs) in (0, 4), "phrase_costs", "four numbers")
        for name in self.files:
            path = getattr(self, name)
            self.require(path is None or os.path.exists(path), name, "a file or folder that is there")
        needed = SETTINGS[self.setting].phrases == "needed"
        self.require(not needed or self.phrases is not None, "phrases", f"a file for the setting {self.setting}")

    @property
    def chosen(self) -> TerpSetting:
        """The setting with what the options change in it, but for costs."""
        names = ("normalized", "case_sensitive", "stems", "synonyms", "shifts", "beam", "cap")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        if self.phrase_costs:
            given["phrase_costs"] = self.phrase_costs
        return dataclasses.replace(SETTINGS[self.setting], **given)

    def effective(self, option: str) -> Any:
        """What an option amounts to: without any, what the setting has."""
        value = super().effective(option)
        if option == "search":
            return value or self.chosen.costs
        if value not in (None, ()) or option in self.files:
            return value
        return getattr(self.chosen, option, value)

    def statistics(self, batch: Batch) -> Array:
        """Edits of each kind, what paraphrases cost, and the reference length."""
        return kernels.terp(**self._task(batch, *self._tokens(batch)), threads=batch.threads)

    def _tokens(self, batch: Batch) -> tuple[Tokens, Tokens]:
        hyps = text.tokens(batch.hypotheses, self._tokenizer, batch.threads)
        return hyps, text.tokens(batch.required_references().texts, self._tokenizer, batch.threads)

    @property
    def _tokenizer(self) -> TerpTokenizer:
        return TerpTokenizer(self.chosen.normalized, self.chosen.case_sensitive)

    def _task(self, batch: Batch, hyps: Tokens, refs: Tokens) -> dict[str, Any]:
        """What the kernel takes: numbered words, what is known of them, and how edits are searched."""
        hyp_words, ref_words, lines_of_words = kernels.number_words(hyps, refs)
        words = kernels.unpack(lines_of_words)
        numbered = (ref_words, refs[2])
        search = self._search(lines_of_words, words, batch.threads)
        return {
            "hyps": (hyp_words, hyps[2]),
            "refs": numbered,
            "groups": batch.required_references().groups,
            "phrases": self._phrases(numbered, words, search, batch.threads),
            **search,
        }

    def _search(self, packed: Lines, words: Sequence[str], threads: int) -> dict[str, Any]:
        """What is known of words, by their numbers, and how edits are searched."""
        setting = self.chosen
        stop = None
        if setting.stop_words and self.stop_words is not None:
            listed = _stop_words(self.stop_words, contents.state(self.stop_words), self._tokenizer)
            stop = np.fromiter((word in listed for word in words), np.uint8, len(words))
        return {
            "n_words": len(words),
            "stems": kernels.stem(packed, "porter", threads) if setting.stems else None,
            "synsets": self._synonyms().batch(words) if setting.synonyms else None,
            "stop_words": stop,
            "costs": list(self.effective("search")),
            "beam": float(setting.beam),
            "shifts": setting.shifts,
        }

    def _synonyms(self) -> Synonyms | WordNet:
        return files.find(self.resources).synonyms() if self.wordnet is None else wordnet.load(self.wordnet)

    def _phrases(
        self, refs: tables.Numbered, words: Sequence[str], search: dict[str, Any], threads: int
    ) -> tuple[Any, ...] | None:
        """The paraphrases that some reference has, with their costs, as the kernel takes them."""
        setting = self.chosen
        if self.phrases is None or setting.phrases == "none":
            return None
        numbers = {word: n for n, word in enumerate(words)}
        texts = ([words[n] for n in refs[0][begin:end]] for begin, end in itertools.pairwise(refs[1].tolist()))
        met = tables.load(self.phrases).occurring(texts, numbers)
        ours = tables.numbered([phrase.translation for phrase in met], numbers)
        theirs = tables.numbered([phrase.reference for phrase in met], numbers)
        groups = np.arange(len(met) + 1, dtype=np.int64)
        rows = kernels.terp(hyps=ours, refs=theirs, groups=groups, phrases=None, **search, threads=threads)
        edits = (rows[:, : len(EDITS)] * np.array(search["costs"])).sum(-1)
        return *theirs, *ours, tables.costs(met, edits, setting.phrase_costs)

    def statistic_names(self) -> tuple[str, ...]:
        """Edits of each kind, what paraphrases cost, and the length."""
        return (
            *("insertions", "deletions", "substitutions", "shifts", "stems", "synonyms", "paraphrases"),
            *("cost of paraphrases", "mean reference words"),
        )

    def _costs(self) -> tuple[float, ...]:
        """What each of the statistics but the last costs; the number of paraphrases has no cost of its own."""
        return (*(self.effective(name) for name in EDITS), 0.0, self.paraphrase)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Shifts, matches and edits against the closest reference, and what each kind costs."""
        *counts, length = row.tolist()
        kinds = list(zip(self.statistic_names(), counts, self._costs(), strict=False))
        del kinds[len(EDITS)]  # the number of paraphrases, which have no cost in common
        empty = "100 for edits against nothing, 0 without"
        most = "100 at most" if self.chosen.cap else None
        hyps, refs = self._tokens(batch)
        number, shifts, steps = kernels.terp_script(**self._task(batch, hyps, refs), row=0)
        hyp, ref = explained.words(hyps)[0], explained.words(refs)[number]
        script, matches = explained.terp_script(shifts, steps, len(hyp))
        return dataclasses.replace(
            plain,
            formula=explained.cost_formula("score", plain.score, kinds, length, empty, most),
            hypothesis=hyp,
            reference=ref,
            matches=matches,
            edits=script,
            notes=explained.references_note(batch.required_references()[0], number),
        )

    def score(self, stats: Array) -> Array:
        """Cost of the edits a reference word; 100 for edits against nothing, and at most if there is a cap."""
        costs = np.array(self._costs(), dtype=stats.dtype)
        cost, length = (stats[..., :-1] * costs).sum(-1), stats[..., -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            rate: Array = np.where(length > 0, cost / length, (cost > 0).astype(stats.dtype))
        return 100 * (np.minimum(rate, 1) if self.chosen.cap else rate)


@functools.lru_cache(maxsize=8)
def _stop_words(path: str, _state: contents.State, tokenizer: TerpTokenizer) -> frozenset[str]:
    """The words of a list, cut as texts are."""
    return frozenset(word for line in lines.whole(path, _MOST_BYTES).split("\n") for word in tokenizer(line))
