"""What UPF-Cobalt knows of words and of the labels of dependencies.

Lexicon            stop words, synonyms and paraphrases; how alike two words are
weight             what a dependency counts in a context
alike              whether two labels stand for the same, in the same direction or in the opposite one
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from tercet.formats.corenlp import Token
from tercet.metrics.meteor.synonyms import Synonyms
from tercet.text.stemmers import stem

PUNCTUATION = frozenset(("(", ")", "[", "]", "{", "}", "-lrb-", "-rrb-", *".,-?!;_:/\"'", "..."))
CLITICS = frozenset(("'s", "'d", "'ll"))
_CONTRACTIONS = {
    "is": "'s",
    "can": "ca",
    "not": "n't",
    "have": "'ve",
    "are": "'re",
    "am": "'m",
    "will": "'ll",
    "had": "'d",
}

# labels that count 1 and 0.8; all others count 0.2
_ARGUMENTS = (
    "agent acomp advcl ccomp xcomp conj csubj csubjpass dobj iobj neg nsubj nsubjpass parataxis pcomp pobj preconj "
    "rcmod root"
)
_MODIFIERS = "advmod amod appos cc nn npadvmod num poss possessive prep prepc tmod vmod"
_WEIGHTS = {label: weight for weight, kind in ((1.0, _ARGUMENTS), (0.8, _MODIFIERS)) for label in kind.split()}

Labels = frozenset[str]


def _labels(text: str) -> tuple[Labels, ...]:
    return tuple(frozenset(group.split()) for group in text.split(","))


_OF_NOUNS = "poss nn prep_of prep_in prep_at prep_for"
_OF_VERBS = "agent nsubj xsubj, dobj nsubjpass, tmod prep_in prep_at prep_on, iobj prep_to"
_CLAUSES = "advcl xcomp prepc_by"

# labels that stand for each other, by the word's part of speech and by whether they lead to parents or to children
_SAME: Mapping[tuple[str, str], tuple[Labels, ...]] = {
    ("noun", "parents"): _labels(f"{_OF_NOUNS}, {_OF_VERBS}"),
    ("noun", "children"): _labels(f"{_OF_NOUNS}, vmod rcmod, amod rcmod"),
    ("verb", "parents"): _labels(f"vmod rcmod, {_CLAUSES}"),
    ("verb", "children"): _labels(f"{_OF_VERBS}, {_CLAUSES}"),
    ("adjective", "parents"): _labels("amod rcmod"),
}

# labels of a word's parents that stand for those of the other word's children
_OPPOSITE: Mapping[str, Sequence[tuple[str, str]]] = {
    "noun": (("dobj nsubjpass", "vmod rcmod"), ("nsubj", "amod rcmod")),
    "verb": (("csubj", "csubjpass"), ("cop csubj", "acomp")),
    "adjective": (("amod rcmod", "nsubj"), ("acomp", "cop csubj")),
}
# what the program takes for labels of children and of parents, but compares with those of parents and of children
_SWAPPED: Mapping[str, Sequence[tuple[str, str]]] = {**_OPPOSITE, "noun": _OPPOSITE["noun"][:1]}


def weight(label: str) -> float:
    """What a dependency counts, by its label up to the first `_`.

    >>> weight("prep_of"), weight("nsubj"), weight("det")
    (0.8, 1.0, 0.2)
    """
    return _WEIGHTS.get(label.partition("_")[0], 0.2)


def part_of_speech(tag: str) -> str:
    """Verb, noun, adjective or adverb, by the first letter of a tag; nothing for others."""
    return {"v": "verb", "n": "noun", "j": "adjective", "r": "adverb"}.get(tag[:1].lower(), "")


def alike(one: str, other: str, part: str, direction: str) -> bool:
    """Whether labels are the same, or stand for the same at a word of this part of speech."""
    return one == other or any(one in group and other in group for group in _SAME.get((part, direction), ()))


def opposite(parent: str, child: str, part: str) -> bool:
    """Whether the label of a parent stands for that of a child, or by a slip of the program's the other way round."""
    return (
        parent == child
        or any(parent in a.split() and child in b.split() for a, b in _OPPOSITE.get(part, ()))
        or any(child in a.split() and parent in b.split() for a, b in _SWAPPED.get(part, ()))
    )


def canonical(form: str) -> str:
    """A word in lower case without full stops, hyphens and commas, unless it is one of them.

    >>> canonical("U.S."), canonical("-")
    ('us', '-')
    """
    return form.translate({46: None, 45: None, 44: None}).lower() if len(form) > 1 else form.lower()


@dataclasses.dataclass(frozen=True, eq=False)
class Lexicon:
    """What is known of words; `everywhere`: synonyms and paraphrases count in alignments, too, and not only after."""

    stop_words: frozenset[str]
    synonyms: Synonyms | None
    paraphrases: frozenset[tuple[str, str]]
    everywhere: bool
    _stems: dict[str, str] = dataclasses.field(default_factory=dict, repr=False)
    _known: dict[tuple[Token, Token], float] = dataclasses.field(default_factory=dict, repr=False)

    def functional(self, form: str) -> bool:
        """Whether a word is a function word or a mark."""
        low = form.lower()
        return low in self.stop_words or low in PUNCTUATION

    def light(self, lemma: str) -> bool:
        """Whether a lemma is that of a function word, a mark or a short form."""
        return lemma in self.stop_words or lemma in PUNCTUATION or lemma in CLITICS

    def similarity(self, one: Token, other: Token) -> float:
        """How alike two words are for an alignment."""
        key = (one, other)
        if key not in self._known:
            self._known[key] = self._similarity(one, other)
        return self._known[key]

    def _similarity(self, one: Token, other: Token) -> float:
        a, b = canonical(one.form), canonical(other.form)
        if a != b:
            if a.isdigit() and b.isdigit():
                return 0.0
            if one.tag.lower() == other.tag.lower() == "cd" and not a.isdigit() and not b.isdigit():
                return 0.0
        if _contracted(a, b):
            return 1.0
        if (a in self.stop_words) != (b in self.stop_words):
            return 0.0
        if a == b:
            return 1.0
        if a in PUNCTUATION or b in PUNCTUATION:
            return 0.0
        if self._stem(a) == self._stem(b) or one.lemma == other.lemma:
            return 1.0
        return self._related(one, other, a, b) if self.everywhere else 0.0

    def level(self, one: Token, other: Token) -> float:
        """How alike two aligned words are: the same, by stem or lemma, by synset, by paraphrase, or in no such way."""
        a, b = canonical(one.form), canonical(other.form)
        if a == b or _contracted(a, b):
            return 1.0
        if one.lemma == other.lemma or self._stem(a) == self._stem(b):
            return 0.9
        return self._related(one, other, a, b) or 0.5

    def _related(self, one: Token, other: Token, a: str, b: str) -> float:
        if self.synonyms is not None:
            sets = self.synonyms.synsets
            if not set(sets.get(one.lemma, "").split()).isdisjoint(sets.get(other.lemma, "").split()):
                return 0.8
        return 0.6 if (a, b) in self.paraphrases or (b, a) in self.paraphrases else 0.0

    def _stem(self, word: str) -> str:
        if word not in self._stems:
            self._stems[word] = stem([word], "en")[0]
        return self._stems[word]


def _contracted(one: str, other: str) -> bool:
    return _CONTRACTIONS.get(one) == other or _CONTRACTIONS.get(other) == one
