"""TERp: the scores of its authors' program, what each kind of edit costs, what is searched and what is only weighed."""

import dataclasses
import os
import pathlib
import re
from typing import Any

import numpy as np
import pytest

from tercet.data import Explanations
from tercet.errors import InputError, SpecError
from tercet.metrics import METRICS, metric
from tercet.metrics.terp.metric import Terp
from tercet.metrics.terp.settings import EDITS, SETTINGS
from tercet.report.explanations import explanation_lines, plain_text
from tercet.spec import tunable
from tests.conftest import absent
from tests.text.test_golden import table

KINDS = (*EDITS, "paraphrase")
PHRASES = """0.5 <p>in front of</p> <p>before</p>
0.2 0.9 <p>big</p> <p>great</p>

0.5 <p>a lot of</p> <p>very many</p>
0.5 <p>same</p> <p>same</p>
"""


@pytest.fixture
def known(tmp_path: pathlib.Path) -> Terp:
    """A metric that knows a few words: a WordNet of three synsets, a table of three paraphrases, two stop words."""
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"{part}.exc").write_text("mice mouse\n" if part == "noun" else "", encoding="utf-8")
        (tmp_path / f"index.{part}").write_text("", encoding="utf-8")
    lemmas = {"dog": "00000001", "hound": "00000001", "mouse": "00000002", "rodent": "00000002"}
    index = "".join(f"{lemma} n 1 0 1 0 {synset}  \n" for lemma, synset in lemmas.items())
    (tmp_path / "index.noun").write_text(index, encoding="utf-8")
    (tmp_path / "index.verb").write_text("hound v 1 0 1 0 00000002  \n", encoding="utf-8")
    (tmp_path / "table.txt").write_text(PHRASES, encoding="utf-8")
    (tmp_path / "stop.txt").write_text("The\nto of,\n", encoding="utf-8")
    phrases, stop_words = str(tmp_path / "table.txt"), str(tmp_path / "stop.txt")
    return Terp(phrases=phrases, stop_words=stop_words, wordnet=str(tmp_path), cap=False)


def edits(how: Terp, hyp: str, ref: str) -> dict[str, float]:
    """The edits that are there, by kind."""
    row = how.statistics(how.batch([hyp], [ref]))[0]
    return {kind: count for kind, count in zip(KINDS, row[:7].tolist(), strict=True) if count}


@pytest.mark.parametrize(
    ("hyp", "ref", "wanted"),
    [
        ("the dogs bark", "the dog barks", {"stem": 2}),
        ("the hound barks", "the dog barks", {"synonym": 1}),
        ("a rodent", "a mice", {"synonym": 1}),
        ("hounded", "mouse", {"substitution": 1}),  # a verb and a noun of one number share no synset
        ("the house stands before us", "the house stands in front of us", {"paraphrase": 1}),
        ("it stands in front of us", "it stands before us", {"substitution": 1, "deletion": 2}),  # one direction only
        ("a great house", "a big house", {"paraphrase": 1}),
        ("a red house", "a big house", {"substitution": 1}),
        ("a house here", "a house", {"deletion": 1}),
        ("a house", "a house here", {"insertion": 1}),
        ("hounds see us all", "see us all dog", {"shift": 1, "synonym": 1}),
        ("The DOG , barks !", "the dog, barks!", {}),
        ("", "a b", {"insertion": 2}),
        ("a b", "", {"deletion": 2}),
        ("", "", {}),
    ],
)
def test_each_kind_of_edit(known: Terp, hyp: str, ref: str, wanted: dict[str, int]) -> None:
    assert edits(known, hyp, ref) == wanted


def test_stop_words_are_not_shifted_alone(known: Terp) -> None:
    hyp, ref = "to see us all", "see us all to"
    assert edits(known, hyp, ref) == {"insertion": 1, "deletion": 1}
    assert edits(dataclasses.replace(known, stop_words=None), hyp, ref) == {"shift": 1}
    assert edits(dataclasses.replace(known, setting="terph_exact_nostop"), hyp, ref) == {"shift": 1}
    assert edits(known, "of them see us all", "see us all of them") == {"shift": 1}


def test_the_score_is_the_cost_over_the_reference_words(known: Terp) -> None:
    hyp, ref = "the hounds see us before the house now", "the dog sees us in front of the house"
    assert edits(known, hyp, ref) == {"deletion": 1, "stem": 1, "synonym": 1, "paraphrase": 1}
    cost = SETTINGS["terpa"]
    p0, p1, p2, p3 = cost.phrase_costs
    paid = p0 + (cost.substitution + 2 * cost.insertion) * (p1 * np.log10(0.5) + p2 * 0.5 + p3)
    assert paid > 0
    assert known.segments([hyp], [ref]).tolist() == pytest.approx([100 * (cost.deletion + paid) / 9], abs=1e-9)
    dear = dataclasses.replace(known, deletion=2, stem=0.5, synonym=0.3, paraphrase=0.1)
    assert dear.corpus([hyp], [ref]) == pytest.approx(100 * (2 + 0.5 + 0.3 + paid / 10) / 9)
    assert known.segments(["a", ""], ["", ""]).tolist() == [100, 0]


def test_sums_are_cut_and_not_segments(known: Terp) -> None:
    capped = dataclasses.replace(known, cap=None)
    hyps, refs = ["x y z", "a b c d e f"], ["u", "a b c d e f"]
    whole = known.segments(hyps, refs).tolist()
    assert whole[0] > 100
    assert capped.segments(hyps, refs).tolist() == [100, 0]
    assert capped.corpus(hyps, refs) == known.corpus(hyps, refs) == pytest.approx(whole[0] / 7)


def test_an_explanation_shows_what_is_matched_and_moved(known: Terp) -> None:
    found = known.explain("before us it stands , great hounds now", ["x y", "it stands , big dog in front of us now"])
    assert found.edits is not None
    assert [(m.kind, m.hypothesis, m.reference) for m in found.matches] == [
        ("exact", (2, 3), (0, 1)),
        ("exact", (3, 4), (1, 2)),
        ("exact", (4, 5), (2, 3)),
        ("paraphrase", (5, 6), (3, 4)),
        ("synonym", (6, 7), (4, 5)),
        ("paraphrase", (0, 1), (5, 8)),
        ("exact", (1, 2), (8, 9)),
        ("exact", (7, 8), (9, 10)),
    ]
    assert [(shift.words, shift.start, shift.place) for shift in found.edits.shifts] == [((0, 1), 0, 5)]
    assert found.notes == ("Of 2 references, number 2 counts.",)
    text = plain_text(explanation_lines(Explanations((found,), "s")))
    wanted = ["shift 1     before us  5 words later", "= keep      it stands ,", "paraphrase  great ~ big"]
    wanted += ["synonym     hounds ~ dog", "paraphrase  before ~ in front of", "= keep      us now"]
    assert "\n".join(wanted) in text


def test_an_explanation_of_a_score_that_is_cut(known: Terp) -> None:
    found = dataclasses.replace(known, cap=True).explain("x y z", "u")
    assert found.score == 100
    assert found.formula is not None
    assert found.formula.note == "100 at most"


def test_costs_do_not_move_what_is_counted_and_those_of_the_search_do(known: Terp) -> None:
    hyp, ref = "hounds see us all", "see us all dog"
    batch = known.batch([hyp], [ref])
    for name in KINDS:
        costs: dict[str, Any] = {name: 0.7}
        other = dataclasses.replace(known, **costs)
        assert np.array_equal(other.statistics(batch), known.statistics(batch))
    still = dataclasses.replace(known, search=(1, 1, 1, 9, 0, 0))
    assert edits(still, hyp, ref) == {"deletion": 1, "insertion": 1}
    assert known.effective("search") == SETTINGS["terpa"].costs
    assert still.effective("search") == (1, 1, 1, 9, 0, 0)


def test_options_change_a_setting(known: Terp) -> None:
    hyp, ref = "the Dogs see hounds .", "hounds . the dog see"
    assert edits(dataclasses.replace(known, setting="ter"), hyp, ref) == {"shift": 1, "substitution": 1}
    assert edits(dataclasses.replace(known, setting="ter", stems=True), hyp, ref) == {"shift": 1, "stem": 1}
    assert edits(dataclasses.replace(known, setting="ter", shifts="noshift"), hyp, ref) == {"substitution": 5}
    assert edits(dataclasses.replace(known, stems=False), hyp, ref) == {"shift": 1, "synonym": 1}
    assert edits(dataclasses.replace(known, stems=False, synonyms=False), hyp, ref) == {"shift": 1, "substitution": 1}
    kept = dataclasses.replace(known, setting="ter", case_sensitive=True)
    assert edits(kept, "A b", "a b") == {"substitution": 1}
    glued = dataclasses.replace(known, setting="ter", normalized=False)
    assert edits(glued, "a b.", "a b .") == {"substitution": 1, "insertion": 1}
    assert known.effective("beam") == 35
    assert dataclasses.replace(known, beam=0).effective("beam") == 0
    assert known.effective("cap") is False
    assert known.effective("shifts") == "relax"


def test_paraphrases_cost_what_their_four_numbers_say(known: Terp) -> None:
    flat = dataclasses.replace(known, phrase_costs=(0.125, 0, 0, 0))
    row = flat.statistics(flat.batch(["it is before a great dog"], ["it is in front of a big dog"]))[0]
    assert row.tolist() == [0, 0, 0, 0, 0, 0, 2, 0.25, 8]


def test_a_probability_of_nothing_is_as_dear_as_can_be(known: Terp, tmp_path: pathlib.Path) -> None:
    (tmp_path / "nothing.txt").write_text("0 <p>in front of</p> <p>before</p>\n", encoding="utf-8")
    how = dataclasses.replace(known, phrases=str(tmp_path / "nothing.txt"))
    assert edits(how, "before us", "in front of us") == edits(
        dataclasses.replace(known, phrases=None), "before us", "in front of us"
    )


def test_what_can_be_tuned() -> None:
    assert tuple(tunable(Terp)) == KINDS


def test_of_several_references_the_cheapest_counts(known: Terp) -> None:
    row = known.statistics(known.batch(["the hound barks"], [["the cat barks now", "the dog barks"]]))[0]
    assert row.tolist() == [0, 0, 0, 0, 0, 1, 0, 0, 3.5]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("a ||| b\n", r"line 1: .* is no entry of a phrase table"),
        ("0.5 <p>a</p> <p>b</p>\n0.5.5 <p>a</p> <p>b</p>\n", r"line 2: .* is no entry"),
        ("<p>a</p> <p>b</p>\n", r"line 1: .* is no entry"),
    ],
)
def test_a_phrase_table_that_is_none(known: Terp, tmp_path: pathlib.Path, content: str, told: str) -> None:
    (tmp_path / "table.txt").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        known.segments(["a"], ["b"])


def wordnet() -> str:
    """The folder of WordNet 3.0 that the environment names."""
    folder = os.environ.get("TERCET_WORDNET")
    if not folder:
        absent("TERCET_WORDNET names no folder with WordNet 3.0")
    return folder


# Of 15 600 scores two differ: in one segment of this setting the program does not take `look` and `face` for synonyms,
# as it does in the same segment of the other settings. It compares objects, which its cache may have made twice.
DIFFERING = {("cs-en", "terph_phr"): ["148", "148"]}


@pytest.mark.parametrize("pair", ["cs-en", "de-en"])
@pytest.mark.parametrize("setting", [name for name in SETTINGS if name not in ("terpa", "terph")])
def test_scores_of_the_program(shared: pathlib.Path, pair: str, setting: str) -> None:
    folder = shared / "golden" / "programs" / "terp"
    rows = table(folder / f"wmt14-news.{pair}.segments.tsv.gz")
    texts = {row["segment"]: row for row in table(shared / "data" / "wmt14-news" / f"newstest2014.{pair}.tsv.gz")}
    how: dict[str, Any] = {"setting": setting, "stop_words": str(folder / "shift-stop-words.txt")}
    if SETTINGS[how["setting"]].synonyms:
        how["wordnet"] = wordnet()
    terp = Terp(**how, phrases=str(folder / "phrase-table.txt.gz"))
    hyps, refs = [texts[r["segment"]][r["system"]] for r in rows], [texts[r["segment"]]["reference"] for r in rows]
    scores = terp.segments(hyps, refs)
    differences = np.abs(scores / 100 - [float(row[setting]) for row in rows])
    wrong = [row["segment"] for row, size in zip(rows, differences, strict=True) if size > 1e-9]
    assert wrong == DIFFERING.get((pair, setting), [])
    assert len(rows) == 600


def test_the_example_of_the_program(shared: pathlib.Path) -> None:
    """Nine segments, with a phrase table in which probabilities are 0, or two of a kind."""
    folder = shared / "golden" / "programs" / "terp"
    segment = re.compile(r'docid="([^"]+)"|<seg id="?(\d+)"?>(.*?)</seg>', re.DOTALL)
    texts: list[dict[tuple[str, str], str]] = []
    for name in ("sample.hyp.sgm", "sample.ref.sgm"):
        document, side = "", {}
        for docid, number, text in segment.findall((folder / "sample" / name).read_text(encoding="utf-8")):
            document = docid or document
            if number:
                side[document, number] = text
        texts.append(side)
    lines = (folder / "sample" / "expected.seg.scr").read_text(encoding="utf-8").splitlines()
    wanted = {(document, number): float(score) for _, _, document, number, score, _ in map(str.split, lines)}
    table_of_phrases, stops = folder / "sample" / "sample.pt.txt", folder / "shift-stop-words.txt"
    terp = Terp(wordnet=wordnet(), stop_words=str(stops), phrases=str(table_of_phrases))
    scores = terp.segments([texts[0][key] for key in wanted], [texts[1][key] for key in wanted])
    assert (scores / 100).tolist() == pytest.approx([*wanted.values()], abs=1e-12)
    assert len(wanted) == 9


@pytest.mark.parametrize("pair", ["cs-en", "de-en"])
def test_edits_of_the_program(shared: pathlib.Path, pair: str) -> None:
    """Which words are edited may differ where costs are the same, but not here; the program names two the other way."""
    folder = shared / "golden" / "programs" / "terp"
    rows = [row for row in table(folder / f"wmt14-news.{pair}.edits.tsv.gz") if row["setting"] == "ter"]
    texts = {row["segment"]: row for row in table(shared / "data" / "wmt14-news" / f"newstest2014.{pair}.tsv.gz")}
    hyps, refs = [texts[r["segment"]][r["system"]] for r in rows], [texts[r["segment"]]["reference"] for r in rows]
    terp = metric("terp(setting=ter)")
    counts = terp.statistics(terp.batch(hyps, refs))[:, :4].astype(int).tolist()
    assert counts == [[int(row[name]) for name in ("del", "ins", "sub", "shift")] for row in rows]
    assert len(rows) == 600


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("terp(setting=terpb)", "setting"),
        ("terp(stem=-1)", "stem must be from 0 to 1000"),
        ("terp(beam=-1)", "beam must be from 0 to a million"),
        ("terp(search=1+1)", "search must be 6 costs"),
        ("terp(search=1+1+1+1+1+2000)", "search must be costs from 0 to 1000"),
        ("terp(phrase_costs=1+1)", "phrase_costs must be four numbers"),
        ("terp(phrases=nowhere.gz)", "a file or folder that is there"),
        ("terp(stop_words=nowhere.txt)", "a file or folder that is there"),
        ("terp(setting=terpa_phr)", "phrases must be a file for the setting terpa_phr"),
    ],
)
def test_options_that_make_no_sense(spec: str, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        METRICS.make(spec)
