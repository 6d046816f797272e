"""Explanations as text: within the width, in every script, and safe whatever the words are."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

import tercet
from tercet.data import Explanation, Explanations, Factor, Match
from tercet.data.formulas import formula_rows
from tercet.data.marks import clusters, marked_texts
from tercet.numbers import part
from tercet.report.explanations import explanation_lines, plain_text

TEXTS = {
    "en": ("The ferry leaves the small harbour at nine.", "At nine leaves the ferry the little port.",
           "The ferry leaves the little harbour at nine o'clock."),
    "cs": ("Loď odplouvá z malého přístavu.", "V devět loď odplouvá.", "Loď odplouvá z malého přístavu v devět ráno."),
    "hi": ("छत पर लगे आठ बड़े शीशे घूमते हैं।", "छत पर आठ दर्पण घूमते हैं।", "छत पर लगे आठ बड़े दर्पण घूमते हैं।"),
    "zh": ("敏捷的棕色狐狸跳过了懒狗。", "棕色的狐狸很敏捷地跳过懒惰的狗。", "敏捷的棕色狐狸跃过了那只懒狗。"),
    "ar": ("وصل القطار في التاسعة، أليس كذلك؟", "في التاسعة وصل القطار.", "وصل القطار عند التاسعة، أليس كذلك؟"),
}  # fmt: skip
METRICS = ["bleu", "nist", "chrf++", "chrf-original", "ter", "moses-ter", "cder", "per"]
HOSTILE = "\x1b[31mred\x07 a\u202eb\x9b \u2066c <b> " + "x" * 300 + " \U000e0001"


def shown(metric: str, hypotheses: str | list[str], reference: str, width: int = 100) -> str:
    """What a pipe gets."""
    return plain_text(explanation_lines(tercet.explain(metric, hypotheses, reference), width))


@pytest.mark.parametrize("width", [48, 80, 100, 160])
@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("metric", METRICS)
def test_no_line_is_wider_than_asked(metric: str, language: str, width: int) -> None:
    one, other, reference = TEXTS[language]
    text = shown(metric, [one, other], reference, width)
    wide = [line for line in text.splitlines() if cell_len(line) > width and not is_unbreakable(line)]
    assert wide == []


def is_unbreakable(line: str) -> bool:
    """One word: nothing but the signature's options."""
    return " " not in line.strip()


@pytest.mark.parametrize("metric", METRICS)
def test_right_to_left_text_is_isolated(metric: str) -> None:
    one, other, reference = TEXTS["ar"]
    for line in shown(metric, [one, other], reference).splitlines():
        depth = 0
        for char in line:
            depth += (char == "\u2068") - (char == "\u2069")
            assert depth in (0, 1)
            if "\u0600" <= char <= "\u06ff" and char.isalpha():
                assert depth == 1, line
        assert depth == 0
    assert "\u2068" not in shown(metric, TEXTS["en"][0], TEXTS["en"][2])


@pytest.mark.parametrize("metric", METRICS)
def test_words_do_not_move_the_cursor(metric: str) -> None:
    text = shown(metric, [HOSTILE, "a"], f"red {HOSTILE} c")
    assert not {char for char in text if ord(char) < 32 and char != "\n"}
    assert not set(text) & set("\x7f\x9b\u202e\u2066\u2067")
    assert max(cell_len(line) for line in text.splitlines()) <= 100


def test_what_is_missed_stands_in_brackets() -> None:
    text = shown("bleu", *TEXTS["en"][::2])
    assert "hypothesis  The ferry leaves the [small] harbour at nine .\n" in text
    assert "reference   The ferry leaves the [little] harbour at nine [o'clock] .\n" in text
    characters = shown("chrf", "the quick cat sat down", "the quick car sat down")
    assert "hypothesis  the quick c[at] [s]at down\n" in characters


def test_ter_tells_what_to_do() -> None:
    text = shown("ter", "sat the cat", "the big cat sat here")
    assert "shift 1     sat  2 words later\n" in text
    steps = [line.split(None, 2)[:2] for line in text.splitlines() if line[:2] in ("= ", "+ ", "~ ", "- ")]
    assert [" ".join(step) for step in steps] == ["= keep", "+ insert", "= keep", "+ insert"]


def test_cder_tells_where_it_jumps() -> None:
    text = shown("cder", "d e f g a b c", "a b c d e f g")
    assert [line for line in text.splitlines() if line.startswith(">")] == [
        "> jump      to word 5",
        "> jump      to word 1",
        "> jump      to the end",
    ]


def test_an_alignment_is_a_matrix() -> None:
    text = shown("per", "cat the", "the cat")
    rows = [line.split() for line in text.splitlines() if line.startswith(("cat", "the"))]
    assert rows == [["cat", "·", "x"], ["the", "x", "·"]]
    assert "across      1 the 2 cat\n" in text


def test_matches_of_other_kinds_are_listed() -> None:
    matches = (Match((0, 1), (0, 1), "exact"), Match((1, 2), (1, 3), "paraphrase"))
    one = Explanation("m", 0.5, hypothesis=("a", "b"), reference=("a", "c", "d"), matches=matches)
    text = plain_text(explanation_lines(Explanations((one,), "s")))
    assert "paraphrase  b ~ c d\n" in text
    assert "b   ·  p  p\n" in text
    assert "x exact, p paraphrase\n" in text


def test_a_wide_matrix_is_left_out() -> None:
    words = tuple(f"w{i}" for i in range(61))
    matches = tuple(Match((i, i + 1), (i, i + 1), "exact") for i in range(61))
    one = Explanation("m", 1.0, hypothesis=words, reference=words, matches=matches)
    assert "across" not in plain_text(explanation_lines(Explanations((one,), "s"), 400))


def test_two_stand_beside_each_other_where_there_is_room() -> None:
    hypotheses, reference = ["the cat sat", "a cat"], "the cat sat"
    beside = shown("ter", hypotheses, reference, 100).splitlines()[0]
    assert " ".join(beside.split()) == (
        "hypothesis 1: ter 0.00, lower is better hypothesis 2: ter 66.67, lower is better"
    )
    below = shown("ter", hypotheses, reference, 60).splitlines()
    assert [line for line in below if line.startswith("hypothesis ") and ":" in line] == [
        "hypothesis 1: ter 0.00, lower is better",
        "hypothesis 2: ter 66.67, lower is better",
    ]


def test_without_a_formula_the_statistics_are_shown() -> None:
    one = Explanation("plain", 2.5, (("characters", 5.0), ("words", 2.0)))
    lines = plain_text(explanation_lines(Explanations((one,), "s"))).splitlines()
    assert lines == ["plain 2.50", "", "characters  5", "words       2", "", "s"]


def test_a_formula_in_words() -> None:
    ratio = Factor("precision", 0.5, "quotient", (Factor("found", 1.0), Factor("n-grams", 2.0)))
    mean = Factor("F", 0.5, "harmonic mean", (ratio, Factor("recall", 0.5, note="given")))
    rows = formula_rows(Factor("score", 50.0, "product", (Factor("percent", 100.0), mean)))
    assert [(row.depth, row.name, row.value, row.how) for row in rows] == [
        (0, "score", "50.00", "100 × F"),
        (1, "F", "0.5000", "harmonic mean of precision (weight 1) and recall (weight 1)"),
        (2, "precision", "0.5000", "1/2"),
        (2, "recall", "0.5000", "given"),
    ]


def test_numbers() -> None:
    assert [part(v) for v in (3.0, 1e300, 0.5, float("nan"))] == ["3", f"{1e300:.4f}", "0.5000", "n/a"]


def test_letters_keep_their_signs() -> None:
    assert clusters("e\u0301a") == ["e\u0301", "a"]
    assert clusters("क्षि") == ["क्षि"]
    assert clusters("👩\u200d💻x") == ["👩\u200d💻", "x"]
    assert clusters("\u0301a") == ["\u0301", "a"]


def test_marks_give_the_text_back() -> None:
    for one, _, reference in TEXTS.values():
        found = tercet.metric("chrf").explain(one, reference)
        for text, given in zip(marked_texts(found), (one, reference), strict=True):
            spaced = "".join(("" if mark.glued else " ") + mark.text for mark in text.marks)
            assert spaced.strip() == given
