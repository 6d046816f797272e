"""Trees of spaCy's English pipelines in the form that `upf-cobalt` reads: `python -m replication.collapsed IN OUT`.

UPF-Cobalt's program asked Stanford's parser for collapsed dependencies, whose names spaCy's basic ones nearly have: a
preposition becomes part of the relation between the words on both sides of it (`prep_of`), and so does a conjunction
(`conj_and`). IN is a CoNLL-U file of `tercet parse`, OUT ends in `.parse` or `.parse.gz`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tercet.formats import conllu, lines
from tercet.formats.conllu import Sentence

NAMES = {"compound": "nn", "nummod": "num", "relcl": "rcmod", "acl": "vmod", "npadvmod": "npadvmod", "dative": "iobj"}


def arcs(sentence: Sentence) -> Iterator[tuple[str, int, int]]:
    """Relation, head and dependent of every word, by places from 1, without prepositions and conjunctions."""
    words = sentence.words
    joined: dict[int, str] = {}  # the conjunction of a word's conjuncts
    for word in words:
        if word.relation == "cc" and word.head >= 0:
            joined.setdefault(word.head, word.form.lower())
    for place, word in enumerate(words):
        head = word.head
        if word.relation in ("prep", "cc") and any(w.head == place and w.relation[0] == "p" for w in words):
            continue
        if word.relation in ("pobj", "pcomp") and head >= 0 and words[head].relation in ("prep", "agent"):
            form = words[head].form.lower()
            kind = "prep" if word.relation == "pobj" else "prepc"
            relation = "agent" if words[head].relation == "agent" else f"{kind}_{form}"
            yield relation, words[head].head + 1, place + 1
        elif word.relation == "conj" and head >= 0:
            yield f"conj_{joined.get(head, 'and')}", head + 1, place + 1
        elif word.relation not in ("cc", "agent", "punct"):
            yield NAMES.get(word.relation, word.relation), head + 1, place + 1


def rendered(sentence: Sentence, number: int) -> str:
    """A sentence as CoreNLP prints it."""
    tokens = [(w.form.replace("]", "-RSB-"), w.tag, w.lemma.replace("]", "-RSB-")) for w in sentence.words]
    names = ["ROOT", *(form for form, _, _ in tokens)]
    told = " ".join(f"[Text={f} PartOfSpeech={t} Lemma={m} NamedEntityTag=O]" for f, t, m in tokens)
    rows = [f"{relation}({names[h]}-{h}, {names[d]}-{d})" for relation, h, d in arcs(sentence)]
    return "\n".join([f"Sentence #{number} ({len(tokens)} tokens):", sentence.text, told, "", *rows, "", ""])


def main() -> None:
    """Read, turn, write."""
    if len(sys.argv) != 3:
        sys.exit("python -m replication.collapsed IN.conllu OUT.parse")
    sentences = conllu.read(sys.argv[1])
    lines.write(sys.argv[2], (rendered(sentence, number) for number, sentence in enumerate(sentences, start=1)))


if __name__ == "__main__":
    main()
