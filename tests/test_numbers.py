"""Numbers as text: one spelling for each kind, whoever prints it."""

from __future__ import annotations

import ast
import math
import pathlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet import numbers
from tests.conftest import tree

SOURCE = pathlib.Path(numbers.__file__).parent
NUMBERS = st.floats(-1e6, 1e6)
DIGITS = st.integers(0, 4)


@given(NUMBERS, DIGITS)
def test_a_score_has_its_digits_and_no_minus_before_zero(value: float, digits: int) -> None:
    text = numbers.score(value, digits)
    assert float(text) == pytest.approx(value, abs=0.5000001 * 10**-digits)
    assert len(text.partition(".")[2]) == digits
    assert not re.fullmatch(r"-0\.?0*", text)


@given(NUMBERS, DIGITS)
def test_a_difference_is_the_score_with_a_sign_unless_it_is_zero(value: float, digits: int) -> None:
    text, plain = numbers.difference(value, digits), numbers.score(value, digits)
    assert text == (f"+{plain}" if float(plain) > 0 else plain)
    assert numbers.gain(value, digits).lstrip("+") == numbers.coefficient(value, digits)


@given(NUMBERS, NUMBERS, DIGITS)
def test_an_end_of_a_difference_is_not_rounded_to_zero(low: float, high: float, digits: int) -> None:
    """An interval that leaves out 0 is seen to, and one that holds it as well."""
    shown = [float(end) for end in numbers.interval(low, high, digits, signed=True)[1:-1].split(", ")]
    for end, text in zip((low, high), shown, strict=True):
        if end == 0 or abs(end) > 10 ** -(digits + 3):
            assert (text > 0, text < 0) == (end > 0, end < 0)


@given(st.floats(-1, 1), st.integers(1, 5))
def test_a_coefficient_has_no_zero_before_the_point(value: float, digits: int) -> None:
    text = numbers.coefficient(value, digits)
    assert float(text) == float(numbers.score(value, digits))
    assert re.fullmatch(r"-?(1\.0+|\.\d+)", text)


@given(st.floats(0, 1), st.sampled_from([(0.05,), (0.05, 0.01, 0.001), (0.1,)]))
def test_a_p_value_is_never_zero_and_stays_on_its_side_of_a_level(p: float, levels: tuple[float, ...]) -> None:
    text = numbers.p_value(p, levels)
    if text.startswith("<"):
        assert p < float(text[1:]) == 0.001
        return
    shown = float(text)
    assert shown >= 0.001
    for alpha in levels:
        if abs(p - alpha) > 1e-6:
            assert (shown < alpha, shown <= alpha) == (p < alpha, p <= alpha)


def test_told_in_a_sentence_it_is_the_same_number() -> None:
    assert [numbers.p_told(p) for p in (0.0312, 0.0, 1.0, 0.04996)] == [
        "p = .031",
        "p < .001",
        "p = 1.000",
        "p = .04996",
    ]
    assert numbers.p_value(0.00004, digits=4) == "<.0001"


def test_what_is_not_there_has_two_spellings_and_no_more() -> None:
    nan = math.nan
    shown = [f(nan) for f in (numbers.score, numbers.difference, numbers.coefficient, numbers.gain, numbers.p_value)]
    assert shown == ["n/a"] * 5
    assert numbers.part(nan) == "n/a"
    assert numbers.coefficient(nan, half_width=0.1) == "n/a"
    assert numbers.coefficient(0.5, half_width=nan) == ".500"
    assert {numbers.score(None), numbers.coefficient(None), numbers.p_value(None)} == {"–"}


def test_infinite_numbers_are_said() -> None:
    assert [numbers.score(math.inf), numbers.difference(-math.inf)] == ["inf", "-inf"]


def test_nobody_formats_a_p_value_or_a_sign_beside_this_module() -> None:
    """The patterns that were written all over the package: four digits of p, a forced sign, a zero cut off."""
    wrong = re.compile(r"p ?= ?\{[^}]*:\.|:\+\.|removeprefix\(\"0\"\)|replace\(\"0\.\", \"\.\"")
    lines = [
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for path in SOURCE.rglob("*.py")
        if path.name != "numbers.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if wrong.search(line)
    ]
    assert lines == []


def test_terminal_markdown_latex_and_page_agree() -> None:
    """A zero difference and a p-value of one comparison, as every medium prints them."""
    from tercet.comparing.marks import marked
    from tercet.report import render
    from tercet.report.comparison import difference_table, markdown
    from tercet.report.html.compare import page

    texts = ["a small cat sat", "on the mat there", "all day long it sat"] * 4
    comparison = tercet.compare({"A": texts, "B": texts}, texts[::-1], metrics=["chrf"], samples=40)
    assert comparison.difference("chrf", "B").difference == 0.0
    cell = difference_table(comparison).rows[0][1]
    assert cell.startswith("0.00 [0.00, 0.00] ")
    assert cell in render(difference_table(comparison), "latex")
    assert "0.00 [0.00, 0.00]" in markdown(comparison).replace("\\", "")
    drawn = page(marked(comparison))
    assert '<span class="same">0.00</span><small>[0.00, 0.00]</small><small>p = 1.000</small>' in drawn
    assert "±0.00" not in drawn
    assert "(0.00 [0.00, 0.00], p = 1.000)" in comparison.answers[0]


# Numbers that are no part of an answer: places on a page and ticks of a plot, keys to sort by, digits of files.
PLACES = {
    *("plots/layout.py", "report/html/axes.py", "report/html/compare_answer.py"),
    *("report/html/tables.py", "report/html/compare_tables.py", "formats/models.py", "learning/recipes.py"),
    "report/html/quality.py",
    *("campaigns/exports.py", "formats/cells.py", "limits.py"),  # clocks of other programs' files; bytes
    *("compat/sacrebleu/metrics/bleu.py", "compat/sacrebleu/scores.py"),  # sacreBLEU's own spelling
}


def spelled(module: ast.Module) -> list[tuple[int, str]]:
    """Formats with digits, thousands or percent signs in the f-strings of a module, with their lines."""
    return [
        (node.lineno, ast.unparse(node.format_spec))
        for node in ast.walk(module)
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None
        if re.search(r"[efg%]'$|,", ast.unparse(node.format_spec))
    ]


def test_numbers_are_spelled_here_and_nowhere_else() -> None:
    package = pathlib.Path(numbers.__file__).parent
    formats = {str(path.relative_to(package)): spelled(tree(path)) for path in package.rglob("*.py")}
    assert {file: lines for file, lines in formats.items() if lines}.keys() - PLACES == {"numbers.py"}
    assert spelled(ast.parse('f"{a:.2f} {b:,} {c:.1%} {d:.{n}g} {e:>8} {f:g}"')) == [
        (1, "f'.2f'"),
        (1, "f','"),
        (1, "f'.1%'"),
        (1, "f'.{n}g'"),
        (1, "f'g'"),
    ]
