"""The overlap measures of Asiya (Giménez and Màrquez 2007, 2010): one function over bags of what trees hold.

    ShallowOverlap        `sp`: lemmas by their parts of speech or chunks (SP-Op, SP-Oc), or words alone (Ol)
    DependencyOverlap     `dp`: chains from heads down (DP-HWCM), words by category, relation, level (DP-Oc, -Or, -Ol)
    ConstituentOverlap    `cp`: words by tag and by phrase (CP-Op, CP-Oc), chains of labels (CP-STM)

The overlap of two bags is what both have over what either has: sum of least counts / sum of largest counts. Formulas
are those of Asiya's code; its parsers are not these, so that its printed figures are not either.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Literal

import numpy as np

from tercet.data import Array, Batch, Explanation, Texts
from tercet.errors import InputError
from tercet.formats import brackets
from tercet.formats.brackets import PhraseNode
from tercet.formats.conllu import Tree
from tercet.formats.parses import looked_up
from tercet.metric_base import Card
from tercet.metrics import explained
from tercet.metrics.parsed.base import CHAINS, ParsedMetric, tag_of
from tercet.spec import option

_GROUPS = {"J": ("JJ",), "N": ("NN",), "P": ("PRP",), "R": ("RB",), "V": ("VB", "MD"), "W": ("W",)}
_MARKS = frozenset([".", ",", ":", "''", "``", "-LRB-", "-RRB-", "(", ")", "#", "$", "PUNCT", "SYM"])
PAPER = (
    "Giménez and Màrquez 2007, *Linguistic features for automatic evaluation of heterogenous MT systems*; 2010, "
    "*Asiya: an open toolkit for automatic machine translation (meta-)evaluation*"
)
REFERENCE = "the formulas of Asiya's code, as read"
OTHERS = "Asiya ran other taggers and parsers, so that its printed figures need not come out."
BEST_REFERENCE = "Of several references the one counts with which the segment scores best."
MOST_WORDS = 2000  # of a segment whose words count for all that is above them
Bags = Mapping[str, Counter[Hashable]]  # by label


def overlap(one: Counter[Hashable], other: Counter[Hashable]) -> tuple[int, int]:
    """What both bags have, and what either has.

    >>> overlap(Counter("aab"), Counter("abc"))
    (2, 4)
    """
    return (one & other).total(), (one | other).total()


@dataclasses.dataclass(frozen=True)
class OverlapMetric(ParsedMetric):
    """Statistics: [in common, in all], or of measures that are means of ratios [sum of ratios, ratios]."""

    digits = 4

    @property
    def is_mean(self) -> bool:
        """Whether every label counts alike, and not every item."""
        return False

    def statistic_names(self) -> tuple[str, ...]:
        """What is divided by what."""
        return ("sum of ratios", "ratios") if self.is_mean else ("in common", "in all")

    def score(self, stats: Array) -> Array:
        """The ratio of sums; 0 of nothing."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(stats[..., 1] > 0, stats[..., 0] / stats[..., 1], 0.0)

    def even(self, stats: Array) -> Array:
        """The score itself."""
        return self.score(stats)

    def details(self, plain: Explanation, batch: Batch, row: Array) -> Explanation:
        """The formula: what is shared, divided by all that there is."""
        formula = explained.fraction("score", float(row[0]), float(row[1]), self.statistic_names())  # type: ignore[arg-type]
        return dataclasses.replace(plain, formula=dataclasses.replace(formula, value=plain.score))


@dataclasses.dataclass(frozen=True)
class BagOverlap(OverlapMetric):
    """Base of measures over bags: give `bags`, what a tree holds by label."""

    share: Literal["overlap", "precision", "recall", "f"] = option(
        "overlap",
        "of what: either side has (O), the translation has (P), the reference has (R), or the mean of both (F)",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.share == "overlap" or not self.is_mean, "share", "overlap for a mean of ratios")

    def bags(self, tree: Tree) -> Bags:
        """What a tree holds, by label."""
        raise NotImplementedError

    def compared(self, hypothesis: Tree, reference: Tree) -> list[float]:
        """What two trees have in common."""
        return self.bags_compared(self.bags(hypothesis), self.bags(reference))

    def bags_compared(self, hyp: Bags, ref: Bags) -> list[float]:
        """Counts over all labels together, or ratios of each."""
        nothing: Counter[Hashable] = Counter()
        counts = [overlap(hyp.get(label, nothing), ref.get(label, nothing)) for label in {**hyp, **ref}]
        if self.is_mean:
            return [sum(both / either for both, either in counts if either), float(len(counts))]
        either = float(sum(either for _, either in counts))
        return [float(sum(both for both, _ in counts)), either if self.share == "overlap" else self.whole(hyp, ref)]

    def whole(self, hyp: Bags, ref: Bags) -> float:
        """What is divided by, where it is not all that either side has."""
        sizes = [sum(bag.total() for bag in bags.values()) for bags in (hyp, ref)]
        return {"precision": sizes[0], "recall": sizes[1], "f": sum(sizes) / 2}[self.share]


def in_group(tag: str, wanted: str) -> bool:
    """Whether a tag is the one that is wanted, or of the group that is.

    >>> in_group("VBZ", "V"), in_group("VBZ", "VB"), in_group(",", "F")
    (True, False, True)
    """
    if wanted == "F":
        return tag in _MARKS
    return tag == wanted or tag.startswith(_GROUPS.get(wanted, ("\0",)))


@dataclasses.dataclass(frozen=True)
class ShallowOverlap(BagOverlap):
    """Words, or lemmas by tag."""

    measure: Literal["op", "oc", "ol"] = option(
        "op", "op, oc: lemmas by part of speech or by chunk (SP-Op, SP-Oc); ol: words alone, Asiya's Ol"
    )
    label: str = option("", "a tag or chunk, or Asiya's group of tags (J, N, P, R, V, W, F); nothing: all")
    lemmas: bool = option(True, "compare lemmas, not words")

    name = "sp"
    card = Card(
        title="Asiya's SP-Op, SP-Oc, Ol",
        year=2007,
        group="UPC",
        kind="parts of speech",
        resources="parses",
        definition=(
            "Bags of lemmas with each part of speech, or in each kind of chunk, of translation and reference: what "
            "both have over what either has, over all tags together, or of one tag or group of tags (`label=N`). "
            "Lower-cased. `share` asks for precision, recall or F instead, of this and all of Asiya's pooled measures."
        ),
        paper=PAPER,
        scale="0 to 1",
        reference=REFERENCE,
        differences=(
            OTHERS,
            "A word's chunk is `Chunk=B-NP` in column MISC of the CoNLL-U file; without one it is O, outside.",
            "Tags are those of column XPOS of the CoNLL-U file, or of UPOS where it is empty.",
            BEST_REFERENCE,
        ),
        exact=False,
    )

    def bags(self, tree: Tree) -> Bags:
        """Words by tag."""
        bags: dict[str, Counter[Hashable]] = {}
        for word in tree:
            tag = {"op": tag_of(word), "oc": word.chunk.removeprefix("B-").removeprefix("I-"), "ol": ""}[self.measure]
            if not self.label or in_group(tag, self.label):
                item = word.lemma if self.lemmas and self.measure != "ol" else word.form
                bags.setdefault(tag, Counter())[item] += 1
        return bags


@dataclasses.dataclass(frozen=True)
class DependencyOverlap(BagOverlap):
    """Chains of heads, and words by what hangs where."""

    measure: Literal["hwcm", "oc", "or", "ol"] = option(
        "hwcm", "hwcm: chains from heads down; oc, or, ol: words by category, by relation above them, by level"
    )
    of: Literal["word", "category", "relation"] = option("word", "what chains are made of (HWCM-w, -c, -r)")
    length: int = option(4, "longest chain; chains of all lengths up to it count together")
    only: bool = option(False, "chains of that length alone (HWCMi)")
    label: str = option("", "for oc, or, ol: one category, relation or level; nothing: all")

    name = "dp"
    card = Card(
        title="Asiya's DP-HWCM, DP-Oc, DP-Or, DP-Ol",
        year=2007,
        group="UPC",
        kind="dependencies",
        resources="parses",
        definition=(
            "Overlap of dependency trees. `hwcm`: chains of words, categories or relations from a head down to its "
            "dependents, of length 1 to `length`, all together. `oc`: words of each category; `or`: words of all that "
            "hangs by each relation; `ol`: words at each level or below: of these three the mean over labels, or one."
        ),
        paper=PAPER + "; Liu and Gildea 2005, *Syntactic features for evaluation of machine translation* (HWCM)",
        scale="0 to 1",
        reference=REFERENCE,
        differences=(OTHERS, CHAINS, BEST_REFERENCE),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.length <= 4, "length", "from 1 to 4")

    @property
    def is_mean(self) -> bool:
        """All but chains."""
        return self.measure != "hwcm"

    def bags(self, tree: Tree) -> Bags:
        """Chains, or words by label."""
        if self.measure == "hwcm":
            return counted(self.chains(tree))
        return counted((label, word) for label, word in self.hanging(tree) if self.label in ("", label))

    def chains(self, tree: Tree) -> Iterator[tuple[str, Hashable]]:
        """Chains that end at each word, by length."""
        for place in range(len(tree)):
            chain: list[str] = []
            at = place
            while at >= 0 and len(chain) < self.length:
                word = tree[at]
                chain.append({"word": word.form, "category": tag_of(word), "relation": word.relation}[self.of].lower())
                if not self.only or len(chain) == self.length:
                    yield str(len(chain)), tuple(chain)
                at = word.head

    def hanging(self, tree: Tree) -> Iterator[tuple[str, Hashable]]:
        """Words by category, or by what is above them."""
        if len(tree) > MOST_WORDS:
            raise InputError(
                f"A segment has {len(tree)} words: too many for {self}, which takes {MOST_WORDS}.",
                hint="Split it into sentences, or take measure=hwcm.",
            )
        for word in tree:
            if self.measure == "oc":
                yield tag_of(word), word.form
                continue
            above = [word]
            while above[-1].head >= 0:
                above.append(tree[above[-1].head])
            for level, node in enumerate(reversed(above)):
                yield (node.relation if self.measure == "or" else str(level)), word.form


@dataclasses.dataclass(frozen=True)
class FoundOverlap(BagOverlap):
    """Base of measures whose parses are not dependency trees: give `bags_of`, what each text holds."""

    def statistics(self, batch: Batch) -> Array:
        """Of the reference that counts, one row a segment."""
        references = batch.required_references()
        hyps = self.bags_of(batch.hypotheses, batch.threads)
        refs = self.bags_of(references.texts, batch.threads)
        rows = np.zeros((len(batch), 2))
        ends = references.groups.tolist()
        for i, hyp in enumerate(hyps):
            candidates = np.array([self.bags_compared(hyp, ref) for ref in refs[ends[i] : ends[i + 1]]])
            rows[i] = candidates[int(np.argmax(self.score(candidates)))]
        return rows

    def bags_of(self, texts: Texts, threads: int) -> list[Bags]:
        """What each text holds, by label."""
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class BracketedOverlap(FoundOverlap):
    """Base of measures over bracketed trees: give `items`, what a tree holds."""

    def bags_of(self, texts: Texts, threads: int) -> list[Bags]:
        """What each text's tree holds."""
        if self.parses is None:
            flat = self.linked(texts, threads)
            return [counted(self.items(PhraseNode("", tuple(PhraseNode(word.form) for word in tree)))) for tree in flat]
        known = brackets.parses(self.parses)
        trees = [looked_up(known, text, self.parses) for text in texts]
        return [{} if tree is None else counted(self.items(tree.root)) for tree in trees]

    def items(self, root: PhraseNode) -> Iterator[tuple[str, Hashable]]:
        """Labels, and what is counted by each."""
        raise NotImplementedError


def counted(items: Iterable[tuple[str, Hashable]]) -> Bags:
    """Bags of items by their labels.

    >>> counted([("N", "cat"), ("N", "cat"), ("V", "sat")])
    {'N': Counter({'cat': 2}), 'V': Counter({'sat': 1})}
    """
    bags: dict[str, Counter[Hashable]] = {}
    for label, item in items:
        bags.setdefault(label, Counter())[item] += 1
    return bags


def chains_to(above: tuple[str, ...], label: str, length: int, only: bool) -> Iterator[tuple[str, Hashable]]:
    """Chains of labels that end at a node, by their length: up to the longest, or of that length alone.

    >>> list(chains_to(("S", "NP"), "DT", 2, False))
    [('1', ('DT',)), ('2', ('NP', 'DT'))]
    """
    chain = (*above[-length + 1 :], label) if length > 1 else (label,)
    for n in range(1, len(chain) + 1) if not only else [length] * (len(chain) == length):
        yield str(n), chain[-n:]


@dataclasses.dataclass(frozen=True)
class ConstituentOverlap(BracketedOverlap):
    """Words by phrase, and chains of labels."""

    parses: str | None = option(
        None, "file with bracketed trees, or a folder of such files; none: words without phrases"
    )
    measure: Literal["stm", "op", "oc"] = option(
        "stm", "stm: chains of labels from a phrase down; op, oc: words by tag, by phrases above them"
    )
    length: int = option(4, "longest chain of stm; chains of all lengths up to it count together")
    only: bool = option(False, "chains of that length alone (STMi)")
    label: str = option("", "for op, oc: one tag or phrase; nothing: all")

    name = "cp"
    card = Card(
        title="Asiya's CP-STM, CP-Op, CP-Oc",
        year=2007,
        group="UPC",
        kind="constituents",
        resources="parses",
        definition=(
            "Overlap of trees of phrases. `stm`: chains of labels (phrases, tags, words) from a node down, of length 1 "
            "to `length`, all together, without the root; `op`: words of each tag; `oc`: words below each phrase, once "
            "for each label above them. Over all labels together, or of one (`label=NP`)."
        ),
        paper=PAPER + "; Liu and Gildea 2005, *Syntactic features for evaluation of machine translation* (STM)",
        scale="0 to 1",
        reference=REFERENCE,
        differences=(
            OTHERS,
            "Without `parses` words stand side by side below the root, so that chains have length 1.",
            BEST_REFERENCE,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.length <= 9, "length", "from 1 to 9")

    def items(self, root: PhraseNode) -> Iterator[tuple[str, Hashable]]:
        """Chains that end at each node, by length; or words by what is above them."""
        waiting: list[tuple[PhraseNode, tuple[str, ...]]] = [(child, ()) for child in reversed(root.children)]
        while waiting:
            node, above = waiting.pop()
            label = self.plain_label(node)
            if self.measure == "stm":
                yield from chains_to(above, label, self.length, self.only)
            elif node.is_word:
                tags = above[-1:] if self.measure == "op" else tuple(dict.fromkeys(above[:-1]))
                yield from ((tag, label) for tag in tags or ("",) if self.label in ("", tag))
            waiting += [(child, (*above, label)) for child in reversed(node.children)]

    def plain_label(self, node: PhraseNode) -> str:
        """A label as Asiya writes it; words without case unless case counts."""
        if node.is_word:
            return node.label.lower() if self.lowercase else node.label
        return "SBAR" if node.label.startswith("SBAR") else "S" if node.label == "S1" else node.label
