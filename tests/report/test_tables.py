"""Tables and records: alignment, escaping, and what is not defined."""

from __future__ import annotations

import json

import pytest

import tercet
from tercet.data import Score, Scores
from tercet.report import Table, render, render_records, scores_table

TABLE = Table(("system", "BLEU ↑"), (("日本語", "1.0"), ("a_b|c", "10.0")), ("50 % & more",), frozenset({(1, 1)}))


def test_plain_text_is_aligned_by_what_one_sees() -> None:
    assert render(TABLE, "table") == "system  BLEU ↑\n------  ------\n日本語     1.0\na_b|c     10.0\n\n50 % & more\n"


def test_markdown_escapes_bars_and_sets_the_best_in_bold() -> None:
    assert "| a_b\\|c | **10.0** |" in render(TABLE, "markdown")


def test_latex_escapes_and_sets_the_best_in_bold() -> None:
    text = render(TABLE, "latex")
    assert "a\\_b|c & \\textbf{10.0} \\\\" in text
    assert "BLEU $\\uparrow$" in text
    assert "% 50 % & more" in text


def test_what_is_not_defined_is_never_zero() -> None:
    scores = Scores((Score("a", "chrf", "corpus", None, float("nan")),), "s")
    assert json.loads(render_records(scores.as_records(), "s", "json"))["records"][0]["score"] is None
    assert ",nan," in render_records(scores.as_records(), "s", "csv")
    assert scores_table(scores).rows == (("a", "n/a"),)


def test_a_tab_in_a_name_cannot_be_tsv() -> None:
    with pytest.raises(tercet.InputError, match="cannot stand in a TSV"):
        render_records([{"system": "a\tb"}], "s", "tsv")


def test_the_best_of_an_error_metric_is_the_lowest() -> None:
    scores = tercet.score({"good": ["a b c d e"], "bad": ["x b c d e"]}, ["a b c d e"], metrics=["ter", "chrf"])
    assert scores_table(scores).best == {(0, 1), (0, 2)}
    assert scores_table(scores).header == ("system", "ter ↓", "chrf ↑")
