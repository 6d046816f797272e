"""Faults that can be seen in the text, one by one, and texts that must not be taken for faulty."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet.comparing import language, surface
from tercet.comparing.checks import checks
from tercet.comparing.kinds import KINDS
from tercet.comparing.words import number
from tercet.data import Check, TestSet
from tercet.text import tokenizer

ENGLISH = [
    "The children went to the market in the morning, and they came back with bread.",
    "Yesterday the minister said that nothing would change before the summer.",
    "There is a small house at the end of the street that nobody wants to buy.",
    "We have known for a long time that this would not be easy for them.",
]
GERMAN = [
    "Die Kinder gingen am Morgen auf den Markt, und sie kamen mit Brot zurück.",
    "Gestern sagte der Minister, dass sich vor dem Sommer nichts ändern werde.",
    "Am Ende der Straße steht ein kleines Haus, das niemand kaufen will.",
    "Wir wissen seit langer Zeit, dass dies für sie nicht einfach sein würde.",
]


def found(output: str, reference: str | list[str], source: str | None = None) -> dict[str, int]:
    """The faults of one output beside a perfect one, by kind."""
    given = [reference] if isinstance(reference, str) else reference
    testset = TestSet.of({"A": [given[0]], "B": [output]}, [given], sources=None if source is None else [source])
    return {c.kind: int(c.counts[1, 0]) for c in of(testset) if c.counts[1, 0]}


def of(testset: TestSet) -> tuple[Check, ...]:
    """All checks, against the first system."""
    return checks(testset, number(testset, tokenizer("intl"), 1), 0)


@pytest.mark.parametrize(
    ("output", "reference", "source", "faults"),
    [
        ("It cost $1,500 in 1999.", "It cost 1,500 dollars in 1999.", "Es kostete 1.500 Dollar 1999.", {}),
        ("It cost dollars.", "It cost 1,500 dollars in 1999.", "Es kostete 1.500 Dollar 1999.", {"numbers": 2}),
        ("It has three.", "It has 3 parts.", "Es hat drei.", {}),  # the source writes a word, too
        ("वर्ष १९९९ में", "वर्ष 1999 में", None, {}),
        ("He met angela merkel.", "He met Angela Merkel.", None, {"case": 2}),
        ("He met someone else.", "He met Angela Merkel.", None, {"names": 2}),
        ("It was business as usual there.", "It was the US there.", None, {"names": 1}),
        ("It was the USA there.", "It was the US there.", None, {"names": 1}),
        ("He met Merkel's wife (Anna).", "He met the wife of Merkel, Anna.", None, {}),
        ("Yesterday nobody came", "Yesterday nobody came.", None, {"ending": 1}),
        ("", "There it is.", None, {"empty": 1}),
        ("...", "There it is.", None, {"empty": 1}),
        ("", "", None, {}),
        ("It was was was good.", "It was good.", None, {"repetition": 2}),
        ("It had had an effect.", "It had had an effect.", None, {}),
        ("no , , no !", "no , no !", None, {}),
        ("a b c a b c d e f", "a b c d e f", None, {"repetition": 3}),
        ("Это хорошо it is.", "So it is now.", None, {"script": 2}),
        ("Das ist gut so.", "That is fine now.", "Das ist gut so.", {"copy": 1, "untranslated": 4}),
        ("Ja, Berlin.", "Yes, Berlin.", "Ja, Berlin.", {"untranslated": 1}),
    ],
)
def test_a_fault_is_seen(output: str, reference: str, source: str | None, faults: dict[str, int]) -> None:
    assert found(output, reference, source) == faults


def test_only_what_every_reference_has_is_expected() -> None:
    both = ["It began in 1999 with Anna Berg.", "It began two years ago with Ms Berg."]
    assert found("It began two years ago with nobody.", both) == {"names": 1}


def test_long_and_short() -> None:
    text = "one two three four five six seven eight nine ten."
    assert found("one two three four five six.", text) == {"short": 1}
    assert found(f"{text} {text[:-1]} and more.", text) == {"long": 1}
    assert found("one two.", "one two three.") == {}  # a word or two is not much


def test_another_language() -> None:
    outputs = [*ENGLISH[:2], "Am Ende der Straße steht ein kleines Haus.", ENGLISH[3]]
    assert language.wrong_language([outputs], ENGLISH, GERMAN).tolist() == [[0, 0, 1, 0]]
    broken = [text.replace(" ", "\n") for text in outputs]
    assert language.wrong_language([broken], ENGLISH, GERMAN).tolist() == [[0, 0, 1, 0]]
    assert language.wrong_language([ENGLISH, GERMAN], ENGLISH, GERMAN).tolist() == [[0] * 4, [1] * 4]


def test_the_test_is_a_sign_test_over_segments() -> None:
    reference = ["There are 7 of them."] * 20
    testset = TestSet.of({"A": reference, "B": ["There are of them."] * 20}, reference)
    (numbers,) = (c for c in of(testset) if c.kind == "numbers")
    assert np.isnan(numbers.p[0])
    # Holm: the smallest of so many; and five kinds of findings
    assert numbers.p[1] == pytest.approx(KINDS * len(of(testset)) * 2 * 0.5**20)
    assert numbers.totals() == [0, 20]
    assert numbers.rows(1) == tuple(range(20))
    assert numbers.possible.sum() == 20


def test_names_are_looked_for_in_the_source_where_it_shares_them() -> None:
    references = [["He saw Berlin and Vienna."], ["She met Anna there."]]
    assert surface.expected_names(references, ["Er sah Berlin und Wien.", "Sie traf Anna dort."]) == [
        {"Berlin"},
        {"Anna"},
    ]
    assert surface.expected_names(references, ["Он видел Берлин и Вену.", "Она встретила Анну."]) == [
        {"Berlin", "Vienna"},
        {"Anna"},
    ]


def test_a_word_that_is_also_written_small_is_no_name() -> None:
    assert surface.expected_names([["They saw the House."], ["They saw a house."]], None) == [set(), set()]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=4))
def test_no_text_is_too_odd(rows: list[tuple[str, str, str, str]]) -> None:
    a, b, reference, source = ([row[i] for row in rows] for i in range(4))
    for check in of(TestSet.of({"A": a, "B": b}, reference, sources=source)):
        assert check.counts.shape == (2, len(rows))
        assert (check.counts >= 0).all()


@given(TEXTS)
def test_a_reference_has_no_faults(text: str) -> None:
    assert found(text, text) == {}


def test_faults_are_counted_among_what_could_be_one() -> None:
    reference = ["So it is now, 7 of them.", "There it is."]
    testset = TestSet.of(
        {"A": reference, "B": ["Это it is is now , 7 .", "Das ist."]}, reference, sources=["Das ist."] * 2
    )
    most = {c.kind: c.most() for c in of(testset)}
    totals = {c.kind: c.totals() for c in of(testset)}
    assert (most["script"], totals["script"]) == ([9, 7], [0, 1])
    assert (most["repetition"], totals["repetition"]) == ([9, 7], [0, 1])
    assert (most["untranslated"], totals["untranslated"]) == ([9, 7], [0, 2])
    assert most["numbers"] == [0, 0]  # the source has none
    assert most["ending"] == [2, 2]
    assert all(total <= of_all for kind in most for total, of_all in zip(totals[kind], most[kind], strict=True))
