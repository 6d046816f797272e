"""hLEPOR and its kin, YiSi, WMDO and ROUGE by hand, and what they are tuned by."""

from __future__ import annotations

import itertools
import json
import math
import pathlib
from typing import Literal

import numpy as np
import pytest

import tercet
from tercet.errors import InputError, SpecError
from tercet.sample import campaign, judgements
from tests.conftest import absent

HYP, REF = "the cat sat", "the cat sat down now"


def test_hlepor_by_hand() -> None:
    length, position = math.exp(1 - 5 / 3), math.exp(-sum(i / 3 - i / 5 for i in (1, 2, 3)) / 3)
    overlap = 10 / (9 / (3 / 5) + 1)
    found = tercet.metric("hlepor(tokenize=none)").segments([HYP], [REF])[0]
    assert found == pytest.approx(10 / (2 / length + 1 / position + 7 / overlap), rel=1e-14)
    assert tercet.metric("lepor(tokenize=none)").segments([HYP], [REF])[0] == pytest.approx(
        length * position * overlap, rel=1e-14
    )
    pairs = 10 / (9 / (2 / 4) + 1)
    assert tercet.metric("nlepor(tokenize=none)").segments([HYP], [REF])[0] == pytest.approx(
        length * position * math.sqrt(overlap * pairs), rel=1e-14
    )


def test_the_two_scores_of_a_system() -> None:
    hyps, refs = ["a b c d", "x y"], ["a b c d", "x q r s"]
    a, b = (tercet.metric(f"hlepor(system={which}, tokenize=none)") for which in "ab")
    assert a.segments(hyps, refs).tolist() == b.segments(hyps, refs).tolist()
    assert a.corpus(hyps, refs) == pytest.approx(a.segments(hyps, refs).mean())
    rows = a.statistics(a.batch(hyps, refs))
    length, position, overlap = (rows[:, i].mean() for i in (0, 1, -3))
    assert b.corpus(hyps, refs) == pytest.approx(10 / (2 / length + 1 / position + 7 / overlap))
    assert a.corpus(hyps, refs) != pytest.approx(b.corpus(hyps, refs))


def test_single_spaces_make_words_of_nothing() -> None:
    metric = tercet.metric("hlepor(tokenize=none)")
    assert metric.segments(["a  b"], ["a b"])[0] < 1
    assert metric.segments([" A b "], ["a b"])[0] == 1


@pytest.mark.parametrize("name", ["hlepor", "yisi-0"])
@pytest.mark.parametrize("level", ["segment", "system"])
def test_means_of_segments_can_be_tuned(name: str, level: Literal["segment", "system"]) -> None:
    """What is tuned on statistics counted once is what scoring anew gives."""
    found = tercet.tune(
        name,
        testset=campaign("de-en"),
        judgements=judgements("de-en"),
        level=level,
        parameters=["alpha=0.25:0.75:0.25"],
        folds=2,
        samples=40,
    )
    everything = found.record("all")
    assert everything.value >= everything.default
    anew = tercet.meta(
        testset=campaign("de-en"), judgements=judgements("de-en"), metrics=[found.spec], level=level, samples=40
    )
    assert anew.records[0].value == pytest.approx(everything.value, abs=1e-12)
    values = found.profiles[0].values
    assert len(set(values)) > 1, "nothing moves"


def test_yisi_learns_its_weights_from_all_references() -> None:
    metric = tercet.metric("yisi-0(n=1, similarity=exact, alpha=1)")
    refs = ["a b", "a c", "a d"]
    common, rare = math.log2(1 + 4 / 4), math.log2(1 + 4 / 2)
    share = (common + rare * 1e-5) / (common + rare)
    assert metric.segments(["a x", "a c", "a d"], refs)[0] == pytest.approx(share)
    uniform = tercet.metric("yisi-0(n=1, similarity=exact, alpha=1, weights=uniform)")
    assert uniform.segments(["a x", "a c", "a d"], refs)[0] == pytest.approx((1 + 1e-5) / 2)
    with pytest.raises(InputError, match="learnt"):
        metric.statistics(tercet.data.Batch(tercet.data.Texts.of(["a"]), tercet.data.References.of(["a"])))


def test_of_several_references_precision_and_recall_each_take_the_best() -> None:
    metric = tercet.metric("yisi-0(n=1, similarity=exact, weights=uniform)")
    refs = [["a b c d", "a"]]
    row = metric.statistics(metric.batch(["a b"], refs))[0]
    assert row[:2] == pytest.approx([1.0, 1.0])  # all of it is in the first, and all of the second is in it


@pytest.fixture
def embedded(tmp_path: pathlib.Path) -> str:
    path = tmp_path / "some words.vec"
    path.write_text("4 2\ncat 1 0\ndog 0.8 0.6\nhouse 0 1\nzero 0 0\n", encoding="utf-8")
    return str(path)


def test_yisi_1_by_hand(embedded: str) -> None:
    metric = tercet.metric(f'yisi-1(vectors="{embedded}", n=1, weights=uniform)')
    assert metric.segments(["Dog"], ["cat"])[0] == pytest.approx(0.8, rel=1e-6)
    assert metric.segments(["zero"], ["cat"])[0] == 0
    assert metric.segments(["zero"], ["ZERO"])[0] == 1
    assert tercet.metric("yisi-1(n=1, weights=uniform)").segments(["Cat dog"], ["cat house"])[0] == pytest.approx(0.5)
    with pytest.raises(SpecError, match="a file that is there"):
        tercet.metric("yisi-1(vectors=nowhere.vec)")


def test_yisi_1_agrees_with_its_program(shared: pathlib.Path, tmp_path: pathlib.Path) -> None:
    every = json.loads((shared / "spec" / "metrics" / "vectors.json").read_text(encoding="utf-8"))
    items = [r for r in every if r["metric"] == "YiSi-1(w2v)"]
    assert items
    for number, item in enumerate(items):
        path = tmp_path / f"{number}.vec"
        rows = [f"{word} {' '.join(map(str, v))}\n" for word, v in item["embeddings"].items()]
        path.write_text(f"{len(rows)} 4\n{''.join(rows)}", encoding="utf-8")
        alpha, n = item["params"]["alpha"], item["params"]["ngram_size"]
        metric = tercet.metric(f'yisi-1(vectors="{path}", alpha={alpha}, n={n})')
        if item["level"] == "corpus":
            found = np.array([metric.corpus(item["hyps"], item["refs"])])
        else:
            found = metric.segments(item["hyps"], item["refs"])
        np.testing.assert_allclose(found, np.atleast_1d(item["expected"]), rtol=0, atol=item["tolerance"])


@pytest.fixture
def transport() -> None:
    try:
        import ot  # noqa: F401
    except ImportError:
        absent("POT is not installed")


@pytest.mark.usefixtures("transport")
def test_wmdo_by_hand(embedded: str) -> None:
    plain = tercet.metric("wmdo(tokenize=none, delta=0)")
    assert plain.segments(["a b c d"], ["a b c d"])[0] == 0
    assert plain.segments(["a b c d"], ["a b x y"])[0] == pytest.approx(0.5)
    metric = tercet.metric(f'wmdo(vectors="{embedded}", tokenize=none, delta=0.2, alpha=0.1)')
    # dog is 0.2 from cat, here nothing from here; one chunk of two words, of which one has no vector
    assert metric.segments(["dog here"], ["cat here"])[0] == pytest.approx(0.1 + 0.2 / 2 + 0.1 / 2, rel=1e-6)
    far = tercet.metric(f'wmdo(vectors="{embedded}", tokenize=none, delta=0, alpha=0, distance=euclidean)')
    assert far.segments(["house"], ["cat"])[0] == pytest.approx(math.sqrt(2))
    centred = tercet.metric("wmdo(tokenize=none, delta=0.2, centred=true)")
    assert centred.corpus(["a b", "a b"], ["a b", "b a"]) == pytest.approx(((0.5 + 1) / 2 - 0.5) * 0.2)


@pytest.mark.usefixtures("transport")
def test_wmdo_moves_words_as_cheaply_as_it_can(embedded: str) -> None:
    """Against every way of pairing words of texts of the same length."""
    metric = tercet.metric(f'wmdo(vectors="{embedded}", tokenize=none, delta=0, alpha=0)')
    apart = {"cat dog": 0.2, "cat house": 1.0, "dog house": 0.4}
    for hyp, ref in itertools.product(itertools.product(["cat", "dog", "house"], repeat=3), repeat=2):
        costs = [
            sum(0.0 if a == b else apart[" ".join(sorted((a, b)))] for a, b in zip(hyp, order, strict=True)) / 3
            for order in itertools.permutations(ref)
        ]
        assert metric.segments([" ".join(hyp)], [" ".join(ref)])[0] == pytest.approx(min(costs), abs=1e-6)


@pytest.mark.usefixtures("transport")
def test_wmdo_refuses_what_would_not_fit() -> None:
    text = " ".join(map(str, range(3000)))
    with pytest.raises(InputError, match="too many for WMDO"):
        tercet.metric("wmdo(tokenize=none)").segments([text], [text])


def test_rouge_by_hand() -> None:
    hyp, ref = "The cats sat, on a mat!", "the cat sat on the mat"
    assert tercet.metric("rouge-1").segments([hyp], [ref])[0] == pytest.approx(4 / 6)
    assert tercet.metric("rouge-1(stem=true)").segments([hyp], [ref])[0] == pytest.approx(5 / 6)
    assert tercet.metric("rouge-2").segments([hyp], [ref])[0] == pytest.approx(1 / 5)
    assert tercet.metric("rouge-l").segments(["mat the sat"], [ref])[0] == pytest.approx(2 * (2 / 3) * (2 / 6) / 1)
    assert tercet.metric("rouge-1").segments(["кот"], ["кот"])[0] == 0
    assert tercet.metric("rouge-1(unicode=true)").segments(["Кот!"], ["кот"])[0] == 1


@pytest.mark.parametrize("name", ["hlepor", "lepor", "nlepor", "yisi-0", "yisi-1", "rouge-1", "rouge-2", "rouge-l"])
def test_explanations_have_their_kind(name: str) -> None:
    found = tercet.metric(name).explain("the cat sat down", ["a dog sat", "the black cat sat"])
    assert found.formula is not None
    assert bool(found.ngrams) == (name in ("rouge-1", "rouge-2"))
    assert bool(found.matches) == (name not in ("rouge-1", "rouge-2"))
    assert found.reference == ("the", "black", "cat", "sat")
