"""spaCy's trees as UPF-Cobalt reads them: prepositions and conjunctions become parts of relations."""

import pathlib
import sys

import pytest
from replication import collapsed

from tercet.formats import corenlp
from tests.metrics.test_parsed import sentence

WORDS = [
    ("cats", "cat", "NOUN", 5, "nsubj"),
    ("and", "and", "CCONJ", 1, "cc"),
    ("dogs", "dog", "NOUN", 1, "conj"),
    ("[]", "[]", "X", 3, "compound"),
    ("sat", "sit", "VERB", 0, "root"),
    ("on", "on", "ADP", 5, "prep"),
    ("mats", "mat", "NOUN", 6, "pobj"),
    (".", ".", "PUNCT", 5, "punct"),
]


def test_what_is_written_is_read(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "cats and dogs [] sat on mats."
    (tmp_path / "a.conllu").write_text(sentence(text, WORDS), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["collapsed", str(tmp_path / "a.conllu"), str(tmp_path / "a.parse")])
    collapsed.main()
    (parse,) = corenlp.read(tmp_path / "a.parse")
    assert parse.text == text
    assert [word.form for word in parse.words] == ["cats", "and", "dogs", "[-RSB-", "sat", "on", "mats", "."]
    assert [(arc.relation, arc.head, arc.dependent) for arc in parse.arcs] == [
        ("nsubj", 5, 1),
        ("conj_and", 1, 3),
        ("nn", 3, 4),
        ("root", 0, 5),
        ("prep_on", 5, 7),
    ]
