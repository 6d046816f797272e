"""BEER 1.1 (Stanojević and Sima'an 2015), which took part in WMT15: METEOR's alignment, permutation trees, characters.

features    45 numbers of a hypothesis and one reference
Beer11Weights     those of a model file: one that `tercet train beer-1.1` wrote, or the authors' as JSON
Beer11      the metric
"""

from __future__ import annotations

import dataclasses
import importlib.resources
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from tercet import kernels
from tercet.data import Array, Batch, Ints
from tercet.data.explanation import Explanation, Factor, Match
from tercet.data.testset import References
from tercet.errors import InputError
from tercet.metric_base import Card, MeanMetric
from tercet.metrics import explained, models, permutation_trees
from tercet.metrics.elementary import exp
from tercet.metrics.meteor import parameters as table
from tercet.metrics.meteor.gapped import rows as token_rows
from tercet.metrics.meteor.metric import MeteorMetric, function_word_list
from tercet.metrics.meteor.parameters import Module
from tercet.metrics.parsed import arcs
from tercet.metrics.several import require_bounded
from tercet.spec import option
from tercet.text.base import pack
from tercet.text.meteor import MeteorNormalize

STAGES: tuple[Module, ...] = ("exact", "stem", "paraphrase", "synonym")  # the order in which BEER calls them
SCALES = (0.25, 0.5, 0.75)
ORDERS = range(1, 7)
_PARTS = ("precision", "recall", "fScore")
_KINDS = ("funcWords", "contWords")
_COVERAGE = "FunctionAndContentWordsCoverage"
_IGNORED = "Dep:"  # the stored English model names features that the program does not make
_TRAIN = "Train one with tercet train beer-1.1."

GROUPS = {
    "characters": tuple(f"{part}CharNGrams{n}" for n in ORDERS for part in _PARTS),
    "order": (
        *("Kendall", *(f"KendallScaled:{scale}" for scale in SCALES)),
        *("PETcount", "MonoNode", "InvNode", ".EQ.4", ".BT.4"),
    ),
    "words": tuple(f"WordMatching:{stage}:{part}" for stage in STAGES for part in _PARTS),
    "function and content words": tuple(f"{_COVERAGE}:{part}:{kind}" for kind in _KINDS for part in _PARTS),
}
FEATURES: tuple[str, ...] = tuple(name for names in GROUPS.values() for name in names)


@dataclasses.dataclass(frozen=True)
class Beer11Weights:
    """Beer11Weights of features, as the program has them: the higher their sum, the worse. Those of others are 0."""

    intercept: float
    by_name: Mapping[str, float]
    signature: str

    @classmethod
    def read(cls, path: str | None, which: str | None = None) -> Beer11Weights:
        """The weights of a file, or those that Tercet comes with; `which` of a file with several models."""
        if path is not None:
            return cls._of(path, which)
        with importlib.resources.as_file(importlib.resources.files("tercet.metrics") / "beer11_model.json") as packaged:
            return cls._of(str(packaged), None)

    @classmethod
    def _of(cls, path: str, which: str | None) -> Beer11Weights:
        content: Mapping[str, Any] = models.read(path, signed=False)
        signature = models.checksum(content)
        if which is not None:
            inner = content.get(which, content.get(f"{which}_weka"))
            if not isinstance(inner, dict):
                raise InputError(f"{path} holds no model {which}.", hint=f"It holds: {_some(content)}.")
            content, signature = inner, f"{signature}:{which}"
        if "weights" not in content:
            several = [name for name, inner in content.items() if isinstance(inner, dict) and "weights" in inner]
            hint = f"Say which one by `which`: {_some(several)}." if several else _TRAIN
            what = "holds several models" if several else "is no model of BEER 1.1"
            raise InputError(f"{path} {what}.", hint=hint)
        fields = models.Fields(path, content)
        inside = fields.inside("weights")
        odd = [name for name in inside.content if name not in FEATURES and not name.startswith((_IGNORED, arcs.PREFIX))]
        if odd or not inside.content:
            raise InputError(
                f"{path} is no model of BEER 1.1: {_some(odd) if odd else 'nothing'} is not among its features.",
                hint=_TRAIN,
            )
        weights = {name: inside.number(name) for name in inside.content if not name.startswith(_IGNORED)}
        return cls(fields.number("intercept"), weights, signature)

    @property
    def weigh_arcs(self) -> bool:
        """Whether dependencies are weighed, as in BEER_Treepel."""
        return any(name.startswith(arcs.PREFIX) for name in self.by_name)

    @property
    def stages(self) -> tuple[Module, ...]:
        """The stages of METEOR whose matches are weighed."""
        return tuple(s for s in STAGES if any(f"WordMatching:{s}:{part}" in self.by_name for part in _PARTS))

    def distance(self, features: Array, names: Sequence[str], some: Sequence[str] | None = None) -> Array:
        """The weighted sum of some features, one after the other: the same bits however many rows there are."""
        out = np.zeros(features.shape[:-1])
        for i, name in enumerate(names):
            if name in self.by_name and (some is None or name in some):
                out += self.by_name[name] * features[..., i]
        return out

    def score(self, features: Array, names: Sequence[str]) -> Array:
        """Twice the probability that the output is better than the reference; 1 where they do not differ."""
        return score(self.intercept + self.distance(features, names))


def score(distance: Array) -> Array:
    """What a distance from the reference is worth.

    >>> score(np.array([0.0, 1.0986122886681098]))
    array([1. , 0.5])
    """
    return np.asarray(2 / (1 + exp(np.minimum(distance, 700.0))))


def _some(names: Sequence[str] | Mapping[str, Any]) -> str:
    listed = list(names)
    return ", ".join(str(name)[:60] for name in listed[:5]) + (", ..." if len(listed) > 5 else "")


@dataclasses.dataclass(frozen=True)
class Beer11(MeanMetric, MeteorMetric):
    """Statistics: [value, 1]."""

    normalize: MeteorNormalize = option(
        "lower", "none, lower: lower-case, full: METEOR's tokenisation too (--norm), nopunct: without punctuation too"
    )
    modules: tuple[Module, ...] = option((), "stages of METEOR, as exact+stem; without: those that the model weighs")
    function_words: str | None = option(None, "language of the list, or a file; none: that of the text's language")
    model: str | None = option(
        None, "file with the weights, of tercet train beer-1.1 or of BEER 1.1; none: Tercet's own"
    )
    which: str | None = option(None, "name of the model, in a file that holds several")
    parses: str | None = option(
        None, "CoNLL-U file with trees, or a folder of such files, for a model that weighs them"
    )

    name = "beer-1.1"
    files: ClassVar[tuple[str, ...]] = (*MeteorMetric.files, "function_words", "model", "parses")
    digits = 4
    card = Card(
        title="BEER 1.1",
        year=2015,
        group="ILLC Amsterdam",
        kind="trained",
        resources="METEOR's files",
        definition=(
            "Hypothesis and reference are aligned by METEOR 1.5. Features are precision, recall and F1 of character "
            "n-grams (1 to 6, blanks count), of words matched by each stage of METEOR, of matched function and content "
            "words; and of the order of the matched words: the share of pairs in order, alone and with recall, how "
            "many permutation trees they have, and which nodes the tree has. Their differences from those of the "
            "reference with itself are weighed, by weights learnt from comparisons that people made: "
            "`2 / (1 + exp(sum))`, 1 for a copy. Of several references the best counts; a system's score is the mean."
        ),
        paper="Stanojević and Sima'an 2015, *BEER 1.1: ILLC UvA submission to metrics and tuning task*; 2014, *Fitting "
        "sentence level translation evaluation with many dense features*",
        scale="0 to 1; above 1 for what the model holds for better than the reference",
        reference="BEER 1.1 (stanojevic/beer, branch BEER_1.1), its weights given by `model=`",
        differences=(
            "Without `model=`, the weights are Tercet's own, learnt by `tercet train beer-1.1` from the rankings of "
            "WMT14 and WMT15 into English, of the 400 segments of each direction that people said most of. Kendall's "
            "tau of segments that were held out is .382, with the program's English weights without syntax .384, and "
            "that of METEOR .323; learnt from WMT14 alone it is .420 on WMT15, with the program's weights .419.",
            "Reproduced: in the recall beside the order of words, each run of unmatched words of the hypothesis counts "
            "as a matched word. Nothing divided by nothing is 0.",
            "Reproduced: METEOR's stages run in the order exact, stem, paraphrase, synonym.",
            "The stored English model of 2015 weighs dependencies, too, under names that its program does not make: "
            "they are left out here as there. Models of `tercet train beer-1.1 --parses` weigh them as BEER_Treepel "
            "did: of each relation, arcs in common and of one side alone.",
            "Characters outside the basic plane of Unicode are one character each; the program counts two.",
        ),
    )

    def __post_init__(self) -> None:
        self.require_there("model")
        self.require_there("parses")
        self.require(self.which is None or self.model is not None, "which", "given with a model")
        super().__post_init__()
        if self.function_words not in table.LANGUAGES:
            self.require_there("function_words")

    @classmethod
    def names_file(cls, option: str, value: str) -> bool:
        """Function words may be those of a language."""
        return super().names_file(option, value) and not (option == "function_words" and value in table.LANGUAGES)

    def weights(self) -> Beer11Weights:
        """The model in force."""
        return Beer11Weights.read(self.model, self.which)

    @property
    def stages(self) -> tuple[Module, ...]:
        """The stages that the model weighs and the language has."""
        known = table.modules(self.language, "rank")
        return self.modules or tuple(stage for stage in self.weights().stages if stage in known) or ("exact",)

    @property
    def asked_stages(self) -> tuple[Module, ...]:
        """Those that were named; what a model weighs fits the language."""
        return self.modules

    def effective(self, option: str) -> Any:
        """What an option amounts to: function words are those of the language unless given."""
        if option == "function_words":
            return self.function_words or self.language
        return super().effective(option)

    def facts(self) -> dict[str, str]:
        """Which model it is, and which paraphrases."""
        return super().facts() | {"model-signature": self.weights().signature}

    def function_list(self) -> frozenset[str]:
        """Words that are no content words."""
        which = self.function_words or (self.language if self.language in table.LANGUAGES[:-1] else None)
        return function_word_list(which, self.resources)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The 45 of BEER 1.1, and with trees those of their arcs."""
        return FEATURES if self.parses is None else (*FEATURES, *arcs.arc_names(self.parses))

    def differences(self, batch: Batch) -> Array:
        """The features of every reference, less those of the reference with itself, (references, features)."""
        references = batch.required_references()
        how = (self.name, self.counted(), self.function_words, self.parses, self.parses and self.state())
        kept, copied = batch.hypotheses.memo, references.texts.memo  # weights do not move them
        if how not in copied:
            one_each = References.of(list(references.texts))
            copied[how] = self.features(Batch(references.texts, one_each, threads=batch.threads))
        if (how, references) not in kept:
            kept[how, references] = self.features(batch) - copied[how]
        rows: Array = kept[how, references]
        return rows

    def features(self, batch: Batch) -> Array:
        """The features of every reference, each with the hypothesis of its segment, (references, features)."""
        groups = batch.required_references().groups
        hyps, refs = self.tokens(batch)
        require_bounded(self.name, hyps, refs, groups)
        hyp_rows, ref_rows = token_rows(hyps), token_rows(refs)
        hyp_rows = [row for row, n in zip(hyp_rows, np.diff(groups).tolist(), strict=True) for _ in range(n)]
        common = self.function_list()
        aligned = self.prepared(batch).alignments(self.stage_names)
        rows = [
            (*_order(hyp, ref, matches), *_words(hyp, ref, matches), *_coverage(hyp, ref, matches, common))
            for hyp, ref, matches in zip(hyp_rows, ref_rows, aligned, strict=True)
        ]
        width = len(FEATURES) - len(GROUPS["characters"])
        others = np.array(rows, dtype=np.float64).reshape(len(rows), width)
        columns = [_characters(hyp_rows, ref_rows, batch.threads), others]
        if self.parses is not None:
            hypotheses = [
                text for text, n in zip(batch.hypotheses, np.diff(groups).tolist(), strict=True) for _ in range(n)
            ]
            columns.append(arcs.arc_features(self.parses, hypotheses, list(batch.required_references().texts)))
        return np.concatenate(columns, axis=1)

    def values(self, batch: Batch) -> Array:
        """The score with the best reference."""
        weights = self.weights()
        if weights.weigh_arcs and self.parses is None:
            raise InputError("The model weighs dependencies, and there are no trees.", hint="Name them: parses=FILE.")
        if self.parses is not None and not weights.weigh_arcs:
            raise InputError(
                "The model weighs no dependencies.", hint="Leave `parses` out, or train one with --parses."
            )
        if not len(batch):
            return np.zeros(0)
        scores = weights.score(self.differences(batch), self.feature_names)
        best: Array = np.maximum.reduceat(scores, batch.required_references().groups[:-1])
        return best

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The alignment with the reference that counts, and what each group of features adds to its distance."""
        weights, rows, names = self.weights(), self.differences(batch), self.feature_names
        number = int(np.argmax(weights.score(rows, names)))
        groups = GROUPS if self.parses is None else {**GROUPS, "dependencies": names[len(FEATURES) :]}
        shares = [explained.given(g, float(weights.distance(rows[number], names, groups[g]))) for g in groups]
        distance = explained.made("distance", "sum", [explained.given("intercept", weights.intercept), *shares])
        power = Factor(
            "exp(distance)",
            float(exp(np.array(min(distance.value, 700.0)))),
            "rule",
            (distance,),
            note="lower is better",
        )
        below = explained.made("one more", "sum", [explained.given("one", 1), power])
        references = batch.required_references()
        hyps, refs = self.tokens(batch)
        return dataclasses.replace(
            plain,
            formula=Factor("score", plain.score, "quotient", (explained.given("two", 2), below)),
            hypothesis=tuple(token_rows(hyps)[0]),
            reference=tuple(token_rows(refs)[number]),
            matches=self.prepared(batch).alignments(self.stage_names)[number],
            notes=explained.references_note(references[0], number),
        )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _with_f(precision: float, recall: float) -> tuple[float, float, float]:
    return precision, recall, _share(2 * precision * recall, precision + recall)


def _characters(hyps: Sequence[Sequence[str]], refs: Sequence[Sequence[str]], threads: int) -> Array:
    """Precision, recall and F1 of character n-grams, order by order; blanks between words count."""
    alone: Ints = np.arange(len(refs) + 1, dtype=np.int64)
    sides = [pack([" ".join(row) for row in rows]) for rows in (hyps, refs)]
    counts = kernels.chrf(sides[0], sides[1], alone, len(ORDERS), 0, 1.0, True, False, False, threads)
    hyp, ref, matches = counts[:, 0::3], counts[:, 1::3], counts[:, 2::3]
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = (np.where(side > 0, matches / side, 0.0) for side in (hyp, ref))
        f = np.where(matches > 0, 2 * precision * recall / (precision + recall), 0.0)
    return np.stack([precision, recall, f], axis=-1).reshape(len(refs), -1)


def _places(matches: Sequence[Match]) -> tuple[list[int], list[int]]:
    """Places of matched words in the hypothesis and in the reference, both in the order of the hypothesis."""
    ordered = sorted(matches, key=lambda match: match.hypothesis)
    return [i for m in ordered for i in range(*m.hypothesis)], [i for m in ordered for i in range(*m.reference)]


def _order(hyp: Sequence[str], ref: Sequence[str], matches: Sequence[Match]) -> tuple[float, ...]:
    """How the matched words of the reference are ordered in the hypothesis."""
    matched, places = _places(matches)
    rank = {place: number for number, place in enumerate(sorted(places), start=1)}
    permutation = [rank[place] for place in places]
    kendall = permutation_trees.in_order(permutation)
    unmatched = sorted(set(range(len(hyp))).difference(matched))
    runs = sum(i == 0 or unmatched[i - 1] != place - 1 for i, place in enumerate(unmatched))
    recall = _share(len(places) + runs, len(ref))
    tree = permutation_trees.parse(permutation)
    kinds = (tree.monotone, tree.inverted, tree.four, tree.more)
    return (
        kendall,
        *((kendall * recall) ** scale for scale in SCALES),
        tree.ease,
        *(_share(kind, tree.nodes) for kind in kinds),
    )


def _words(hyp: Sequence[str], ref: Sequence[str], matches: Sequence[Match]) -> tuple[float, ...]:
    """Words matched by each stage."""
    out: list[float] = []
    for stage in STAGES:
        spans = [(m.hypothesis, m.reference) for m in matches if m.kind == stage]
        sides = [sum(pair[side][1] - pair[side][0] for pair in spans) for side in (0, 1)]
        out += _with_f(_share(sides[0], len(hyp)), _share(sides[1], len(ref)))
    return tuple(out)


def _coverage(
    hyp: Sequence[str], ref: Sequence[str], matches: Sequence[Match], common: frozenset[str]
) -> tuple[float, ...]:
    """Matched function words of all words, and content words likewise."""
    matched, places = _places(matches)
    function = [sum(hyp[i] in common for i in matched), sum(ref[i] in common for i in places)]
    content = [len(matched) - function[0], len(places) - function[1]]
    return tuple(
        value for kind in (function, content) for value in _with_f(_share(kind[0], len(hyp)), _share(kind[1], len(ref)))
    )
