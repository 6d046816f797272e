"""TER that matches stems, synonyms and paraphrases, with a cost for each kind of edit (Snover et al. 2009)."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any

import numpy as np

from tercet import kernels, text
from tercet.data import Array, Batch, Explanation, Ints
from tercet.metric import Card, Metric
from tercet.metrics import explained
from tercet.metrics.meteor import parameters
from tercet.metrics.meteor import resources as files
from tercet.metrics.meteor.parameters import Language, Module
from tercet.spec import option
from tercet.text.base import Tokens
from tercet.text.sacrebleu import Tercom

EDITS = ("insertion", "deletion", "substitution", "shift", "stem", "synonym", "paraphrase")
_RANGE = (0.0, 2.0, 0.1)
_Task = tuple[Any, Any, Ints, int, Any, Any, Any, list[float]]  # what the kernel takes


@dataclasses.dataclass(frozen=True)
class Terp(Metric):
    """Statistics: [edits of each kind, in the order of their costs, against the closest reference; its mean length]."""

    language: Language = option("en", "language of the text; other: one that METEOR does not know")
    modules: tuple[Module, ...] = option((), "what matches, as exact+stem; without: all that the language has")
    normalized: bool = option(True, "split off punctuation and resolve entities, as ter does")
    insertion: float = option(1.0, "cost of a word that only the reference has", tunable=_RANGE)
    deletion: float = option(1.0, "cost of a word that only the translation has", tunable=_RANGE)
    substitution: float = option(1.0, "cost of a word in the place of another", tunable=_RANGE)
    shift: float = option(1.0, "cost of moving a block of words", tunable=_RANGE)
    stem: float = option(0.0, "cost of a word with the same stem", tunable=_RANGE)
    synonym: float = option(0.0, "cost of a word with a common synset", tunable=_RANGE)
    paraphrase: float = option(0.25, "cost of a paraphrase, for each word of its longer side", tunable=_RANGE)
    search: tuple[float, ...] = option(
        (), "costs by which edits are searched, in the order of the options; without: their defaults"
    )
    paraphrases: str | None = option(None, "file with the paraphrase table; none: that of the resources")
    wordnet: str | None = option(None, "folder with WordNet 3.0, for synonyms; none: METEOR's own files")
    resources: str | None = option(None, "folder or jar with METEOR's files; none: those of the extra `meteor`")

    name = "terp"
    higher_is_better = False
    card = Card(
        title="TERp",
        year=2009,
        group="Maryland, BBN",
        kind="edits",
        resources="METEOR's files",
        definition=(
            "Translation edit rate in which a word may also be matched by its stem, by a common WordNet synset, or as "
            "part of a paraphrase, each at its own cost, as insertions, deletions, substitutions and shifts have "
            "theirs. Blocks of words that match in any of these ways may be shifted, within the limits of `ter`. The "
            "score is the cost of all edits over the mean length of the references."
        ),
        paper="Snover et al. 2009, *Fluency, adequacy, or HTER? Exploring different human judgments with a tunable MT "
        "metric*",
        scale="0 and up, a percentage of the reference words; lower is better",
        reference="none: a reconstruction of TERp's ideas; with `modules=exact, normalized=false` it is `ter`",
        differences=(
            "Edits are searched by the costs in `search`, and the costs of the options only weigh them, so that tuning "
            "need not search again. TERp searches anew for each set of costs: give what was tuned to `search`, and "
            "tune once more.",
            "Stems, synonyms and paraphrases are METEOR's. TERp takes Porter's stems, and the cost of a paraphrase "
            "from its probability and the edits within it; here it is so much a word.",
            "The defaults are TER's costs, stems and synonyms for nothing, and a guess for paraphrases: nobody tuned "
            "them.",
            "Insertions and deletions turn the translation into the reference, as in `ter`. TERp's program names them "
            "the other way round.",
            "A paraphrase is looked for in the words as they stood before any shift.",
            "TERp does not shift function words alone, and cuts a segment's score at 100; here neither is done.",
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in EDITS:
            self.require(0 <= getattr(self, name) <= 1000, name, "from 0 to 1000")
        self.require(len(self.search) in (0, len(EDITS)), "search", f"{len(EDITS)} costs, one a kind of edit")
        self.require(all(0 <= cost <= 1000 for cost in self.search), "search", "costs from 0 to 1000")
        for name in ("paraphrases", "wordnet", "resources"):
            path = getattr(self, name)
            self.require(path is None or pathlib.Path(path).exists(), name, "a file or folder that is there")
        used = self.matched
        self.require(used[:1] == ("exact",), "modules", "exact, alone or with others after it")
        self.require(len(set(used)) == len(used), "modules", "kinds of matches that are all different")
        for kind, languages in (("stem", parameters.STEMMERS), ("synonym", ("en",))):
            fine = kind not in used or self.language in languages
            self.require(fine, "modules", f"without {kind} for the language {self.language}")

    @property
    def matched(self) -> tuple[Module, ...]:
        """The kinds of matches that are looked for."""
        return self.modules or parameters.modules(self.language, "rank")

    def effective(self, option: str) -> Any:
        """What an option amounts to: without any, the matches of the language, and the default costs."""
        known = {"modules": self.matched, "search": self.search or DEFAULT_SEARCH}
        return known[option] if option in known else super().effective(option)

    def statistics(self, batch: Batch) -> Array:
        """Edits of each kind, and the reference length."""
        return kernels.terp(*self._task(batch, *self._tokens(batch)), batch.threads)

    def _tokens(self, batch: Batch) -> tuple[Tokens, Tokens]:
        how = Tercom(normalized=self.normalized)
        hyps = text.tokens(batch.hypotheses, how, batch.threads)
        return hyps, text.tokens(batch.required_references().texts, how, batch.threads)

    def _task(self, batch: Batch, hyps: Tokens, refs: Tokens) -> _Task:
        """Numbered words, and what may be matched with what."""
        references, threads = batch.required_references(), batch.threads
        hyp_words, ref_words, lines = kernels.number_words(hyps, refs)
        words, used = kernels.unpack(lines), self.matched
        stems = kernels.stem(lines, parameters.STEMMERS[self.language], threads) if "stem" in used else None
        synsets = files.synonyms(self.wordnet, self.resources).batch(words) if "synonym" in used else None
        phrases = None
        if "paraphrase" in used:
            table = files.paraphrases(self.paraphrases, self.language, self.resources)
            phrases = table.matches(hyps, refs, references.groups, threads)
        numbered = (hyp_words, hyps[2]), (ref_words, refs[2]), references.groups, len(words)
        return *numbered, stems, synsets, phrases, list(self.effective("search"))

    def statistic_names(self) -> tuple[str, ...]:
        """Edits of each kind, and the length."""
        return (
            *("insertions", "deletions", "substitutions", "shifts", "stems", "synonyms", "paraphrased words"),
            "mean reference words",
        )

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """Shifts, matches and edits against the closest reference, and what each kind costs."""
        *counts, length = row.tolist()
        named = zip(self.statistic_names(), counts, (getattr(self, name) for name in EDITS), strict=False)
        empty = "100 for edits against nothing, 0 without"
        formula = explained.cost_formula("score", plain.score, list(named), length, empty)
        hyps, refs = self._tokens(batch)
        number, shifts, steps = kernels.terp_script(*self._task(batch, hyps, refs), 0)
        hyp, ref = explained.words(hyps)[0], explained.words(refs)[number]
        script, matches = explained.terp_script(shifts, steps, len(hyp))
        return dataclasses.replace(
            plain,
            formula=formula,
            hypothesis=hyp,
            reference=ref,
            matches=matches,
            edits=script,
            notes=explained.references_note(batch.required_references()[0], number),
        )

    def score(self, stats: Array) -> Array:
        """Cost of the edits a reference word; 100 for edits against nothing."""
        costs = np.array([getattr(self, name) for name in EDITS], dtype=stats.dtype)
        cost, length = (stats[..., :-1] * costs).sum(-1), stats[..., -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            rate: Array = np.where(length > 0, cost / length, (cost > 0).astype(stats.dtype))
        return 100 * rate


DEFAULT_SEARCH: tuple[float, ...] = tuple(getattr(Terp, name) for name in EDITS)
