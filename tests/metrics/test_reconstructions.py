"""Reconstructed participants: what each counts, by hand, and where it must be another metric."""

import dataclasses
import math
import pathlib
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet.errors import InputError, SpecError
from tercet.metrics import METRICS, metric
from tercet.metrics.bad_segments import Bs, TotalBs
from tercet.metrics.prep import Prep
from tercet.metrics.smoothing import smoothed_precisions

NAMES = ["bleu-nrc", "tbleu", "amber", "apac", "gtm", "bs", "total-bs", "inv-wer", "prep"]
HYP, REF = "it is a guide to action which ensures that", "it is a guide to action that will ensure that"
texts = st.lists(st.sampled_from("abcde"), min_size=4, max_size=14)


@pytest.mark.parametrize("name", NAMES)
def test_it_says_that_it_is_a_reconstruction(name: str) -> None:
    assert not METRICS.load(name).card.exact
    scores = tercet.score({"mine": [HYP]}, [REF], sources=[HYP], metrics=[name])
    assert f"{name}|reconstruction|" in scores.records[0].signature


@pytest.mark.parametrize("method", [1, 2, 3, 6])
@given(hyp=texts, ref=texts)
def test_smoothings_are_those_of_nltk(method: int, hyp: list[str], ref: list[str]) -> None:
    from nltk.translate import bleu_score

    smoothing = getattr(bleu_score.SmoothingFunction(), f"method{method}")
    ours = metric(f"bleu(tokenize=none, smooth=chen-{method})")
    found = ours.segments([" ".join(hyp)], [" ".join(ref)])[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted = bleu_score.sentence_bleu([ref], hyp, smoothing_function=smoothing)
        except (AssertionError, ValueError, ZeroDivisionError):
            return  # method 6 wants trigrams in common
    assert found == pytest.approx(100 * wanted, rel=1e-9, abs=1e-9)


def test_the_other_smoothings_by_hand() -> None:
    row = np.array([8.0, 8, 4, 1, 0, 0, 8, 7, 6, 5, 0])  # lengths, matches, totals, matches of order 5
    step = 5 / math.log(8)
    fourth = smoothed_precisions("chen-4", 5.0, row, 4)
    assert fourth.tolist() == pytest.approx([4 / 8, 1 / 7, 1 / step / 6, 1 / step**2 / 5])
    matches = [4.0, 1.0, 1 / step, 1 / step**2, 0.0]
    below, wanted = 5.0, []
    for n in range(4):
        below = (below + matches[n] + matches[n + 1]) / 3
        wanted.append(below / row[6 + n])
    assert smoothed_precisions("chen-7", 5.0, row, 4).tolist() == pytest.approx(wanted)


@pytest.mark.parametrize("how", range(1, 8))
def test_a_perfect_text_is_perfect_and_short_ones_have_a_score(how: int) -> None:
    ours = metric(f"bleu-nrc(smooth=chen-{how})")
    assert ours.segments([REF], [REF])[0] == pytest.approx(100)
    short = ours.segments(["a b"], ["a c"])[0]
    assert short == 0 if how == 6 else 0 < short < 100  # 6 smooths order 3 and up
    assert 0 < ours.segments([HYP], ["a guide b c"])[0] < ours.segments([HYP], [REF])[0]


@pytest.mark.parametrize(
    ("options", "hyp", "ref", "wanted"),
    [
        ({}, "a b c", "a b c", 0),
        ({}, "a x y c", "a b c", 3),
        ({}, "talked", "talker", 0),  # talk
        ({"cut": 0}, "talked", "talker", 2),
        ({}, "a a", "a", 0),
        ({"counted": True}, "a a", "a", 1),
        ({"sides": "hypothesis"}, "a x y c", "a b c", 2),
        ({"sides": "reference"}, "a x y c", "a b c", 1),
        ({"combine": "count"}, "x a y y", "a b", 3),
        ({"combine": "sum-of-logs"}, "x a y y", "a", math.log(2) + math.log(3)),
        ({"combine": "logs-and-count"}, "x a y y", "a", 2 + math.log(2)),
        ({"combine": "log-sum"}, "x a y y", "a", math.log(4)),
        ({"per_word": True}, "a x y c", "a b c", 3 / 7),
        ({}, "", "", 0),
    ],
)
def test_bad_segments(options: dict[str, object], hyp: str, ref: str, wanted: float) -> None:
    assert TotalBs(**options).segments([hyp], [ref])[0] == pytest.approx(wanted)  # type: ignore[arg-type]


def test_bs_is_of_the_best_reference_and_counts_logarithms() -> None:
    assert Bs().segments(["x a y y"], ["a"])[0] == pytest.approx((2 + math.log(2)) / 5)
    assert TotalBs().segments(["a b"], [["x y z", "a", "a b c d e"]])[0] == 1


def test_gtm_weighs_runs() -> None:
    hyp, ref = "a b c x d", "d a b c"
    size = math.sqrt(9 + 1)
    assert metric("gtm(exponent=2)").segments([hyp], [ref])[0] == pytest.approx(2 * size / 9)
    assert metric("gtm(exponent=1)").segments([hyp], [ref])[0] == pytest.approx(2 * 4 / 9)


@pytest.mark.parametrize(
    ("hyp", "ref", "edits"),
    [("a b c d", "c d a b", 1), ("a b c d", "b a d c", 2), ("a b c d", "d c b a", 3), ("a b", "b a x", 2)],
)
def test_an_inversion_costs_one(hyp: str, ref: str, edits: int) -> None:
    ours = metric("inv-wer")
    assert ours.statistics(ours.batch([hyp], [ref]))[0].tolist() == [edits, len(ref.split())]
    plain = metric("wer(fixed=true)").segments([hyp], [ref])
    assert np.array_equal(metric("inv-wer(block=1)").segments([hyp], [ref]), plain)


def test_tbleu_takes_a_word_with_another_ending() -> None:
    ours = metric("tbleu(tokenize=none)")
    names, rows = ours.statistic_names(), ours.statistics(ours.batch(["the cats sat"], ["the cat sat"]))
    assert dict(zip(names, rows[0].tolist(), strict=True))["matches 1"] == pytest.approx(2.75)
    assert rows[0, 3] == pytest.approx(2 * 1.75 / 2)
    strict = metric("tbleu(shortest=1000)")
    assert strict.corpus([HYP], [REF]) == metric("bleu").corpus([HYP], [REF])


def test_apac_by_hand() -> None:
    hyp, ref = "a b x c", "c a b"
    sums = 2**1.2 + 0.1
    p = (sums / 4**1.2) ** (1 / 1.2) + 0.5 / (math.log(4) + 1)
    r = (sums / 3**1.2) ** (1 / 1.2) + 0.5 / (math.log(3) + 1)
    g = (p / r) ** 2
    assert metric("apac").segments([hyp], [ref])[0] == pytest.approx((1 + g) * r * p / (r + g * p))


def test_each_penalty_of_amber_takes_from_its_own_fault() -> None:
    ours = metric("amber")
    cases = {
        "brevity": ("a b", "a b c d"),
        "redundancy": ("a b c d", "a b"),
        "character_brevity": ("a", "abcd"),
        "character_redundancy": ("abcd", "a"),
        "chunks": ("a b c d", "c d a b"),
        "continuity": ("a b x c d", "a b c d"),
        "short_words": ("of a", "elephant elephants"),
        "long_words": ("of a", "elephant elephants"),
        "spearman": ("a b c", "c b a"),
        "kendall": ("a b c", "c b a"),
    }
    perfect = ours.penalties(ours.statistics(ours.batch(["a b c d"], ["a b c d"])))  # type: ignore[attr-defined]
    for name, (hyp, ref) in cases.items():
        found = ours.penalties(ours.statistics(ours.batch([hyp], [ref])))  # type: ignore[attr-defined]
        assert found[name][0] < perfect[name][0] <= 1, name


def test_blocks_that_change_places_are_shorter_in_long_segments() -> None:
    """The work is bounded whatever `block` asks for: of 1000 words, twenty are no block any more."""
    words = [f"w{i}" for i in range(1000)]
    moved = [*words[10:20], *words[:10], *words[20:]]
    for n, edits in ((20, 1), (1000, 20)):
        found = metric("inv-wer(block=20)").segments([" ".join(moved[:n])], [" ".join(words[:n])])
        assert found.tolist() == pytest.approx([100 * edits / n])


@pytest.mark.parametrize("name", ["gtm", "apac", "inv-wer", "tbleu", "amber"])
def test_a_text_too_long_to_compare_is_refused(name: str) -> None:
    long = "a " * 1001
    with pytest.raises(InputError, match="Segment 2 has 1 001 words against 1 001"):
        metric(name).segments(["a", long], ["a", long])


@pytest.fixture
def pseudo(tmp_path: pathlib.Path) -> str:
    """A file with three pseudo-references of two sources."""
    path = tmp_path / "pseudo.tsv"
    path.write_text("eins\tthe first one\neins\tnothing alike\nzwei\tthe second\n", encoding="utf-8")
    return str(path)


def test_prep_takes_pseudo_references_by_source(pseudo: str) -> None:
    hyps, refs, sources = ["the first one", "x"], ["number one here", "y"], ["eins", "drei"]
    plain, more = metric("sentbleu"), Prep(pseudo=(pseudo,))
    wanted = plain.segments(hyps, [[refs[0], "the first one", "nothing alike"], refs[1]])
    assert np.array_equal(more.segments(hyps, refs, sources), wanted)
    assert np.array_equal(metric("prep").segments(hyps, refs, sources), plain.segments(hyps, refs))
    offered = ["the first one", "nothing alike"]
    close = metric("chrf").segments(offered, [refs[0]] * 2)
    assert close[0] > close[1]
    kept = dataclasses.replace(more, filter="chrf", threshold=float(close.mean()))
    passed = offered[:1]
    assert np.array_equal(kept.segments(hyps, refs, sources), plain.segments(hyps, [[refs[0], *passed], refs[1]]))


def test_prep_runs_a_command(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "upper.py"
    script.write_text("import sys\nprint(sys.stdin.read().upper(), end='')\n", encoding="utf-8")
    ours = Prep(command=f"{sys.executable} {script}")
    assert ours.segments(["EINS ZWEI DREI VIER"], ["x"], ["eins zwei drei vier"])[0] == pytest.approx(1)
    script.write_text("print('one line')\n", encoding="utf-8")
    with pytest.raises(InputError, match="1 lines for 2 sources"):
        ours.segments(["a", "b"], ["a", "b"], ["c", "d"])
    script.write_text("raise SystemExit(3)\n", encoding="utf-8")
    with pytest.raises(InputError, match="failed"):
        ours.segments(["a"], ["a"], ["e"])


def test_prep_refuses_what_is_not_there(tmp_path: pathlib.Path) -> None:
    wrong = tmp_path / "wrong.tsv"
    wrong.write_text("a\tb\nonly a source\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"wrong\.tsv, line 2, has 1 columns"):
        metric(f'prep(pseudo="{wrong}")').segments(["a"], ["a"], ["a"])
    for spec in ('prep(pseudo="nowhere")', 'prep(command="no-such-program x")'):
        with pytest.raises(SpecError):
            metric(spec)
    with pytest.raises(InputError, match="needs sources"):
        metric(f'prep(pseudo="{wrong}")').segments(["a"], ["a"])
