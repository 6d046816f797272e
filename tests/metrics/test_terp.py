"""TERp: what each kind of match costs, what is searched and what is only weighed, and where it is TER."""

import dataclasses
import pathlib
from typing import Any

import numpy as np
import pytest

from tercet.data import Explanations
from tercet.errors import SpecError
from tercet.metrics import METRICS, metric
from tercet.metrics.terp import EDITS, Terp
from tercet.report.explanations import explanation_lines, plain_text
from tercet.spec import tunable
from tests.text.test_golden import table


@pytest.fixture
def known(tmp_path: pathlib.Path) -> Terp:
    """A metric that knows a few words: a WordNet of three synsets, and a table of three paraphrases."""
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"{part}.exc").write_text("mice mouse\n" if part == "noun" else "", encoding="utf-8")
        (tmp_path / f"index.{part}").write_text("", encoding="utf-8")
    lemmas = {"dog": "00000001", "hound": "00000001", "mouse": "00000002", "rodent": "00000002"}
    index = "".join(f"{lemma} n 1 0 1 0 {synset}  \n" for lemma, synset in lemmas.items())
    (tmp_path / "index.noun").write_text(index, encoding="utf-8")
    pairs = [("in front of", "before"), ("big", "great"), ("a lot of", "very many")]
    entries = "".join(f"0.5\n{one}\n{other}\n" for one, other in pairs)
    (tmp_path / "table.txt").write_text(entries, encoding="utf-8")
    return Terp(paraphrases=str(tmp_path / "table.txt"), wordnet=str(tmp_path))


def edits(how: Terp, hyp: str, ref: str) -> dict[str, float]:
    """The edits that are there, by kind."""
    row = how.statistics(how.batch([hyp], [ref]))[0]
    return {kind: count for kind, count in zip(EDITS, row[:-1].tolist(), strict=True) if count}


@pytest.mark.parametrize(
    ("hyp", "ref", "wanted"),
    [
        ("the dogs bark", "the dog barks", {"stem": 2}),
        ("the hound barks", "the dog barks", {"synonym": 1}),
        ("a rodent", "a mice", {"synonym": 1}),
        ("the house stands before us", "the house stands in front of us", {"paraphrase": 3}),
        ("it stands in front of us", "it stands before us", {"paraphrase": 3}),
        ("a great house", "a big house", {"paraphrase": 1}),
        ("a red house", "a big house", {"substitution": 1}),
        ("a house here", "a house", {"deletion": 1}),
        ("a house", "a house here", {"insertion": 1}),
        ("hounds see us all", "see us all the dog", {"shift": 1, "synonym": 1, "insertion": 1}),
        ("before us it stands here today", "it stands here today in front of us", {"shift": 1, "paraphrase": 3}),
        ("The DOG , barks !", "the dog, barks!", {}),
        ("", "a b", {"insertion": 2}),
        ("a b", "", {"deletion": 2}),
        ("", "", {}),
    ],
)
def test_each_kind_of_edit(known: Terp, hyp: str, ref: str, wanted: dict[str, int]) -> None:
    assert edits(known, hyp, ref) == wanted


def test_the_score_is_the_cost_over_the_reference_words(known: Terp) -> None:
    hyp, ref = "the hounds see us before the great house now", "the dog sees us in front of the big house"
    assert edits(known, hyp, ref) == {"deletion": 1, "stem": 1, "synonym": 1, "paraphrase": 4}
    assert known.segments([hyp], [ref]).tolist() == pytest.approx([100 * (1 + 4 * 0.25) / 10])
    dear = dataclasses.replace(known, deletion=2, stem=0.5, synonym=0.3, paraphrase=0.1)
    assert dear.corpus([hyp], [ref]) == pytest.approx(100 * (2 + 0.5 + 0.3 + 0.4) / 10)
    assert known.corpus([hyp, "a"], [ref, ""]) == pytest.approx(100 * (2 + 1) / 10)
    assert known.segments(["a", ""], ["", ""]).tolist() == [100, 0]


def test_an_explanation_shows_what_is_matched_and_moved(known: Terp) -> None:
    found = known.explain("before us it stands , big hounds", ["x", "it stands , great dog in front of us"])
    assert found.edits is not None
    assert [(m.kind, m.hypothesis, m.reference) for m in found.matches] == [
        ("exact", (2, 3), (0, 1)),
        ("exact", (3, 4), (1, 2)),
        ("exact", (4, 5), (2, 3)),
        ("paraphrase", (5, 6), (3, 4)),
        ("synonym", (6, 7), (4, 5)),
        ("paraphrase", (0, 1), (5, 8)),
        ("exact", (1, 2), (8, 9)),
    ]
    assert [(shift.words, shift.start, shift.place) for shift in found.edits.shifts] == [((0, 1), 0, 5)]
    assert [(edit.kind, edit.hypothesis, edit.reference) for edit in found.edits.edits[3:]] == [
        ("paraphrase", 5, 3),
        ("synonym", 6, 4),
        ("paraphrase", 0, 5),
        ("paraphrase", None, 6),
        ("paraphrase", None, 7),
        ("match", 1, 8),
    ]
    assert found.notes == ("Of 2 references, number 2 counts.",)
    text = plain_text(explanation_lines(Explanations((found,), "s")))
    wanted = ["shift 1     before us  5 words later", "= keep      it stands ,", "paraphrase  big ~ great"]
    wanted += ["synonym     hounds ~ dog", "paraphrase  before ~ in front of", "= keep      us"]
    assert "\n".join(wanted) in text


def test_costs_do_not_move_what_is_counted_and_those_of_the_search_do(known: Terp) -> None:
    hyp, ref = "hounds see us all", "see us all the dog"
    batch = known.batch([hyp], [ref])
    for name in EDITS:
        costs: dict[str, Any] = {name: 0.7}
        other = dataclasses.replace(known, **costs)
        assert np.array_equal(other.statistics(batch), known.statistics(batch))
    still = dataclasses.replace(known, search=(1, 1, 1, 9, 0, 0, 0.25))
    assert edits(still, hyp, ref) == {"deletion": 1, "insertion": 2}
    assert known.effective("search") == (1, 1, 1, 1, 0, 0, 0.25)
    assert still.effective("search") == (1, 1, 1, 9, 0, 0, 0.25)


def test_what_can_be_tuned() -> None:
    assert tuple(tunable(Terp)) == EDITS


def test_modules_choose_what_matches(known: Terp) -> None:
    hyp, ref = "the dogs of hounds before us", "the dog of dog in front of us"
    exact = dataclasses.replace(known, modules=("exact",))
    assert edits(exact, hyp, ref) == {"substitution": 3, "insertion": 2}
    stems = dataclasses.replace(known, modules=("exact", "stem"))
    assert edits(stems, hyp, ref) == {"substitution": 2, "insertion": 2, "stem": 1}
    assert known.effective("modules") == ("exact", "stem", "synonym", "paraphrase")


def test_of_several_references_the_cheapest_counts(known: Terp) -> None:
    row = known.statistics(known.batch(["the hound barks"], [["the cat barks now", "the dog barks"]]))[0]
    assert row.tolist() == [0, 0, 0, 0, 0, 1, 0, 3.5]


@pytest.mark.parametrize("pair", ["cs-en", "en-ru"])
def test_exact_matches_are_ter(shared: pathlib.Path, pair: str) -> None:
    rows = table(shared / "data" / "wmt14-news" / f"newstest2014.{pair}.tsv.gz")[:300]
    systems = [name for name in rows[0] if name not in ("segment", "source", "reference")][:2]
    plain = metric("terp(language=other, modules=exact, normalized=false)")
    for system in systems:
        hyps, refs = [row[system] for row in rows], [row["reference"] for row in rows]
        assert plain.segments(hyps, refs).tolist() == metric("ter").segments(hyps, refs).tolist()


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("terp(stem=-1)", "stem must be from 0 to 1000"),
        ("terp(search=1+1)", "search must be 7 costs"),
        ("terp(search=1+1+1+1+1+1+2000)", "search must be costs from 0 to 1000"),
        ("terp(modules=stem)", "modules must be exact, alone"),
        ("terp(modules=exact+stem+stem)", "all different"),
        ("terp(language=cs, modules=exact+stem)", "without stem for the language cs"),
        ("terp(language=de, modules=exact+synonym)", "without synonym for the language de"),
        ("terp(paraphrases=nowhere.gz)", "a file or folder that is there"),
    ],
)
def test_options_that_make_no_sense(spec: str, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        METRICS.make(spec)
