"""The text and the Markdown of a comparison."""

from __future__ import annotations

import pytest

import tercet
from tercet.data import Comparison, TestSet
from tercet.report.comparison import (
    bucket_table,
    check_table,
    comparison_scores,
    difference_table,
    finding_lines,
    markdown,
    ngram_table,
    terminal,
)
from tercet.report.scores import scores_table
from tercet.sample import campaign


@pytest.fixture(scope="module")
def found() -> Comparison:
    """The sample, its second system the baseline."""
    return tercet.compare(campaign("de-en"), metrics=["bleu", "ter"], samples=200, baseline="birch")


def test_the_table_of_scores_is_that_of_score(found: Comparison) -> None:
    scores = tercet.score(
        testset=found.testset,
        metrics=["bleu", "ter"],
        samples=200,
        ci=True,
        paired="bootstrap",
        baseline="birch",
        correction="none",
    )
    plain = tercet.compare(found.testset, metrics=["bleu", "ter"], samples=200, baseline="birch", correction="none")
    mine, theirs = scores_table(comparison_scores(plain)), scores_table(scores)
    assert sorted(mine.rows) == sorted(theirs.rows)
    elsewhere = ("p is not corrected", "Segments are taken")  # a page says it, but not here
    alone = [note for note in theirs.notes if not note.startswith(elsewhere)]
    assert (mine.header, list(mine.notes)) == (theirs.header, alone)
    assert mine.rows[0][0] == "amber", "the best first, whichever is the baseline"
    assert mine.notes[0].startswith("p against birch;")


def test_differences(found: Comparison) -> None:
    table = difference_table(found)
    assert [row[0] for row in table.rows] == list(found.others)
    d = found.difference("ter", found.others[0])
    assert table.rows[0][2] == f"{d.difference:+.2f} [{d.low:+.2f}, {d.high:+.2f}] {d.wins}/{d.ties}/{d.losses}"
    assert table.notes[-1] == found.assumptions


def test_the_answer_is_the_first_thing(found: Comparison) -> None:
    first, *_ = terminal(found)
    assert first == "\n".join(found.answers)
    text = markdown(found)
    assert text.index(found.answers[0][:20]) == 0


def test_checks_and_buckets(found: Comparison) -> None:
    rows = {row[0]: row[1:] for row in check_table(found).rows}
    numbers = next(c for c in found.checks if c.kind == "numbers")
    assert rows["Numbers lost"] == tuple(map(str, numbers.totals()))
    for cut in found.bucketings:
        table = bucket_table(found, cut)
        assert sum(int(row[1]) for row in table.rows) == sum(b.n for b in cut.buckets)
        assert table.header[2] == "birch"


def test_many_findings_are_cut_short(found: Comparison) -> None:
    assert len(found.findings) > 2
    lines = finding_lines(found, 2)
    assert lines[:2] == [f.sentence for f in found.findings[:2]]
    assert lines[2].startswith(f"{len(found.findings) - 2} more")


def test_ngrams_won_and_lost() -> None:
    reference = [f"the red house in street {i}" for i in range(12)]
    changed = [t.replace("red", "crimson") for t in reference]
    found = tercet.compare({"A": changed, "B": reference}, reference, metrics=["chrf"], samples=50)
    table = ngram_table(found, "B")
    assert table is not None
    assert "red" in table.rows[0][0]
    assert table.rows[0][1:3] == ("12", "0")


def test_markdown_shows_names_as_text() -> None:
    odd = "<img src=x>|@all\n# `*x*`"
    texts = ["the cat sat", "it is late"] * 6
    testset = TestSet.of({odd: texts, "B": ["a cat", "late"] * 6}, texts, documents=["<b>d</b>"] * 6 + ["e"] * 6)
    text = markdown(tercet.compare(testset, metrics=["chrf"], samples=50))
    body = text.replace("<details><summary>", "").replace("</summary>", "").replace("</details>", "")
    assert "<" not in body
    assert "@" not in body
    assert "\n# " not in body
    tables = [line for line in body.splitlines() if line.startswith("|")]
    assert tables
    assert all(line.endswith("|") for line in tables)
