"""The overlap measures of Asiya over meaning (Giménez and Màrquez 2007, 2009): roles, and discourse representations.

RoleOverlap         `sr`: words by their semantic role, roles, predicates (SR-Or, SR-Mr, SR-Ov, SR-Nv, with verbs)
DiscourseOverlap    `dr`: words by discourse representation, chains of these (DR-Or, DR-STM)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator
from typing import Literal

from tercet.data import Texts
from tercet.formats import roles
from tercet.formats.brackets import PhraseNode
from tercet.formats.parses import looked_up
from tercet.formats.roles import Argument, Predicate, RoleSentence
from tercet.metric_base import Card
from tercet.metrics.parsed.overlap import (
    BEST_REFERENCE,
    OTHERS,
    PAPER,
    REFERENCE,
    Bags,
    BracketedOverlap,
    FoundOverlap,
    chains_to,
    counted,
)
from tercet.spec import option

_NUMBERED = ("or", "imp", "whq")  # structures whose parts are told apart by their number
_BACKOFF = (
    "Asiya's ways out where a parse failed are not here: `_b` needs the mean of all segments, `_i` is the mean of the "
    "measure and `sp(measure=ol)`, which `combine` makes."
)


@dataclasses.dataclass(frozen=True)
class RoleOverlap(FoundOverlap):
    """Words by role."""

    parses: str | None = option(None, "file with semantic roles in columns, or a folder of such files; none: no roles")
    measure: Literal["words", "arguments", "roles", "verbs", "number"] = option(
        "words",
        "words: by role, Or(*); arguments: whole ones, Mr(*); roles: labels, Or; verbs: Ov; number: of verbs, Nv",
    )
    verb: bool = option(False, "words, arguments or roles count together with their verb (Orv, Mrv)")
    label: str = option("", "one role, as A0 or AM-TMP; nothing: all")

    name = "sr"
    card = Card(
        title="Asiya's SR-Or, SR-Mr, SR-Ov, SR-Nv",
        year=2007,
        group="UPC",
        kind="semantic roles",
        resources="parses",
        definition=(
            "Overlap of semantic roles: what both translation and reference have over what either has, over all roles "
            "together or of one (`label=A0`). `words`: words inside each role; `arguments`: whole ones, which must be "
            "the same; `roles`: labels, once a word; `verbs`: predicates; `number`: 1 over the difference of their "
            "numbers, at most 1. A word or argument counts once for each predicate that it belongs to."
        ),
        paper=PAPER,
        scale="0 to 1",
        reference=REFERENCE,
        differences=(
            OTHERS,
            _BACKOFF,
            "The predicate itself (role V) is no role of its own.",
            "Without `parses` all words have one nameless role, so that `words` is Asiya's Ol.",
            BEST_REFERENCE,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        alone = self.measure in ("verbs", "number")
        self.require(self.parses is not None or not alone, "measure", "words, arguments or roles without parses")
        self.require(not (self.verb and alone), "verb", "false for verbs alone")

    @property
    def is_mean(self) -> bool:
        """Numbers of verbs are no bags."""
        return self.measure == "number"

    def bags_of(self, texts: Texts, threads: int) -> list[Bags]:
        """What each text's roles hold."""
        if self.parses is None:
            forms = [tuple(word.form for word in tree) for tree in self.linked(texts, threads)]
            whole = [(Predicate("", (Argument("", 0, len(words)),)),) if words else () for words in forms]
            return [
                counted(self.items(RoleSentence("", words, frame, 0)))
                for words, frame in zip(forms, whole, strict=True)
            ]
        known = roles.parses(self.parses)
        sentences = [looked_up(known, text, self.parses) for text in texts]
        return [{} if sentence is None else counted(self.items(sentence)) for sentence in sentences]

    def bags_compared(self, hyp: Bags, ref: Bags) -> list[float]:
        """Counts over all roles, or how far numbers of verbs are apart."""
        if self.measure != "number":
            return super().bags_compared(hyp, ref)
        apart = abs(sum(bag.total() for bag in hyp.values()) - sum(bag.total() for bag in ref.values()))
        return [1 / max(apart, 1), 1.0]

    def items(self, sentence: RoleSentence) -> Iterator[tuple[str, Hashable]]:
        """Roles, and what is counted by each."""
        words = [word.lower() if self.lowercase else word for word in sentence.words]
        for name, arguments, _ in sentence.predicates:
            if self.measure in ("verbs", "number"):
                yield "", name
                continue
            verb = (name.lower() if self.lowercase else name) if self.verb else ""
            for marked, start, end in arguments:
                role = marked.removeprefix("C-").removeprefix("R-")
                if role == "V" or self.label not in ("", role):
                    continue
                if self.measure == "arguments":
                    yield role, (verb, *words[start:end])
                else:
                    for word in words[start:end]:
                        yield (role, (verb, word)) if self.measure == "words" else ("", (verb, role))


@dataclasses.dataclass(frozen=True)
class DiscourseOverlap(BracketedOverlap):
    """Words by structure, and chains of structures."""

    parses: str | None = option(
        None, "file with discourse representations as bracketed trees, or a folder of such files; none: words alone"
    )
    measure: Literal["or", "stm"] = option(
        "or", "or: words by the structures above them; stm: chains of structures from one down"
    )
    length: int = option(4, "longest chain of stm; chains of all lengths up to it count together")
    only: bool = option(False, "chains of that length alone (STMi)")
    label: str = option("", "for or: one type of structure, as pred or named; nothing: all")

    name = "dr"
    card = Card(
        title="Asiya's DR-Or, DR-STM",
        year=2009,
        group="UPC",
        kind="discourse representations",
        resources="parses",
        definition=(
            "Overlap of discourse representations (Kamp and Reyle). `or`: words by the types of all structures above "
            "them (drs, named, pred, rel, not, ...), over all types together or of one; `stm`: chains of structures "
            "with their symbols from the root or any other down, of length 1 to `length`, all together. Parts of `or`, "
            "`imp` and `whq` are told apart by their number."
        ),
        paper="Giménez and Màrquez 2009, *On the robustness of syntactic and semantic features for automatic MT "
        "evaluation*; 2010, *Asiya*",
        scale="0 to 1",
        reference=REFERENCE,
        differences=(
            OTHERS,
            _BACKOFF,
            "Structures are read as bracketed trees, `(drs (pred.cat cat) (rel.agent sat.a1 cat.a2))`: a label is a "
            "type and, after a point, its symbol; words below it are leaves. No program prints this form: that of C&C "
            "and Boxer must be turned into it.",
            "Parts of speech in the place of words (DR-Orp) are not here: the form has none.",
            BEST_REFERENCE,
        ),
        exact=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.length <= 9, "length", "from 1 to 9")
        self.require(self.parses is not None or self.measure == "or", "measure", "or without parses")

    def items(self, root: PhraseNode) -> Iterator[tuple[str, Hashable]]:
        """Chains that end at each structure, by length; or words by the types above them."""
        waiting: list[tuple[PhraseNode, tuple[str, ...], tuple[str, ...], str]] = [(root, (), (), "")]
        while waiting:
            node, above, types, number = waiting.pop()
            if node.is_word:
                if self.measure == "or":
                    word = node.label.lower() if self.lowercase else node.label
                    yield from ((kind, word) for kind in dict.fromkeys(types) if self.label in ("", kind))
                continue
            kind = node.label.partition(".")[0]
            structure = node.label + number
            if self.measure == "stm":
                yield from chains_to(above, structure, self.length, self.only)
            below = ((*above, structure), (*types, kind + number))
            for place, child in reversed(list(enumerate(node.children, start=1))):
                waiting.append((child, *below, f"-{place}" if kind in _NUMBERED else ""))
