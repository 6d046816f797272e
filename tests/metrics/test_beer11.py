"""BEER 1.1: every feature and score of the program, permutation trees, model files."""

from __future__ import annotations

import itertools
import json
import math
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.errors import InputError, SpecError
from tercet.metrics import models
from tercet.metrics.beer11 import FEATURES, GROUPS, STAGES, Beer11, Beer11Weights
from tercet.metrics.parsed import arcs
from tercet.metrics.permutation_trees import catalan, in_order, parse
from tests.metrics.test_parsed import sentence
from tests.parity.tables import read_table

GOLDEN = "golden/programs/beer11"
SETS = ("cs-en", "de-en")
WHICH = "en_func_exact_para_stem_syn"


def golden(shared: pathlib.Path, pair: str, kind: str) -> tuple[list[dict[str, str]], list[str], list[str]]:
    """Rows of a golden table, and hypotheses and references of each."""
    rows = read_table(shared / GOLDEN / f"wmt14-news.{pair}.{kind}.tsv.gz")
    texts = read_table(shared / "data" / "wmt14-news" / f"newstest2014.{pair}.tsv.gz")
    places = [texts[int(row["segment"]) - 1] for row in rows]
    return (
        rows,
        [text[row["system"]] for row, text in zip(rows, places, strict=True)],
        [text["reference"] for text in places],
    )


@pytest.mark.parametrize("normalize", ["lower", "full"])
@pytest.mark.parametrize("pair", SETS)
def test_all_features_are_the_programs(shared: pathlib.Path, pair: str, normalize: Any) -> None:
    rows, hyps, refs = golden(shared, pair, "features-norm" if normalize == "full" else "features")
    assert len(rows) == 200
    assert set(rows[0]) - {"system", "segment"} == set(FEATURES)
    metric = Beer11(normalize=normalize, modules=STAGES)
    wanted = [[float(row[name]) for name in FEATURES] for row in rows]
    np.testing.assert_allclose(metric.features(metric.batch(hyps, refs)), wanted, atol=1e-9, rtol=0)


@pytest.mark.parametrize("pair", SETS)
def test_all_scores_are_the_programs(shared: pathlib.Path, pair: str) -> None:
    model = str(shared / GOLDEN / "weights.json")
    rows, hyps, refs = golden(shared, pair, "segments")
    columns = {
        "beer11_en_exact": Beer11(model=model, which="en_exact"),
        "beer11_en_nosyntax": Beer11(model=model, which=WHICH),
        "beer11_en_nosyntax_norm": Beer11(model=model, which=WHICH, normalize="full"),
    }
    for column, metric in columns.items():
        wanted = [float(row[column]) for row in rows]
        np.testing.assert_allclose(metric.segments(hyps, refs), wanted, atol=1e-9, rtol=0)


def test_every_stored_model_can_be_read(shared: pathlib.Path) -> None:
    path = str(shared / GOLDEN / "weights.json")
    names = list(json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
    assert len(names) == 30
    stages = {name: Beer11Weights.read(path, name).stages for name in names}
    assert stages["en_exact_weka"] == ("exact",)
    assert stages[f"{WHICH}_dep_weka"] == STAGES
    with pytest.raises(InputError, match="holds several models"):
        Beer11(model=path).segments(["a"], ["a"])
    with pytest.raises(InputError, match="holds no model xx"):
        Beer11(model=path, which="xx").segments(["a"], ["a"])


def trees_by_counting(permutation: tuple[int, ...]) -> int:
    """Binary trees over a permutation all of whose nodes hold neighbouring numbers, by trying every cut."""
    if len(permutation) == 1:
        return 1
    return sum(
        trees_by_counting(permutation[:cut]) * trees_by_counting(permutation[cut:])
        for cut in range(1, len(permutation))
        if all(max(part) - min(part) + 1 == len(part) for part in (permutation[:cut], permutation[cut:]))
    )


def test_trees_of_all_short_permutations() -> None:
    """A permutation that falls apart into twos has as many trees as can be counted; others count what is in them."""
    for n in range(1, 7):
        for permutation in itertools.permutations(range(1, n + 1)):
            tree = parse(permutation)
            assert tree.nodes >= min(n - 1, 1)
            if not tree.four + tree.more:
                assert tree.trees == trees_by_counting(permutation), permutation
    assert parse(range(1, 40)).trees == catalan(38)
    assert (parse([2, 4, 1, 3]).four, parse([3, 1, 5, 2, 4]).more) == (1, 1)
    assert (parse([]).nodes, parse([]).ease, parse([1]).ease) == (0, 0.0, 1.0)
    assert (in_order([]), in_order([1]), in_order([2, 1]), in_order([1, 2])) == (0.0, 0.0, 0.0, 1.0)


def test_a_copy_scores_one_and_the_best_reference_counts() -> None:
    metric = tercet.metric("beer-1.1")
    assert metric.segments(["A cat sat", ""], ["a cat sat", ""]).tolist() == [1.0, 1.0]
    both = metric.explain("a dog slept", ["the cat", "a dog sleeps"])
    assert both.score == metric.segments(["a dog slept"], ["a dog sleeps"])[0]
    assert both.notes == ("Of 2 references, number 2 counts.",)
    assert [match.kind for match in both.matches] == ["exact", "exact", "synonym"]
    assert both.formula is not None
    assert both.formula.computed() == pytest.approx(both.score)
    distance = both.formula.parts[1].parts[1].parts[0]
    assert [part.name for part in distance.parts] == ["intercept", *GROUPS]


def test_arcs_are_counted_by_relation(tmp_path: pathlib.Path) -> None:
    """The root is in common of three arcs and two; `det` only the reference has, and `nsubj` each its own."""
    path = tmp_path / "trees.conllu"
    ref = [("The", "the", "DET", 2, "det"), ("cat", "cat", "NOUN", 3, "nsubj"), ("sat", "sit", "VERB", 0, "root")]
    hyp = [("Dogs", "dog", "NOUN", 2, "nsubj"), ("SAT", "sit", "VERB", 0, "root")]
    path.write_text(sentence("The cat sat", ref) + sentence("Dogs SAT", hyp), encoding="utf-8")
    names = arcs.arc_names(str(path))
    row = arcs.arc_features(str(path), ["Dogs SAT"], ["The cat sat"])[0]
    values = {name.removeprefix("Arc:"): value for name, value in zip(names, row.tolist(), strict=True) if value}
    wanted = {"root:matched": 2 / 5, "nsubj:hypothesis": 1 / 2, "nsubj:reference": 1 / 3, "det:reference": 1 / 3}
    assert values == pytest.approx(wanted)
    metric = Beer11(modules=("exact",), parses=str(path))
    batch = metric.batch(["Dogs SAT", "The cat sat"], [["The cat sat", "Dogs SAT"], "The cat sat"])
    rows = metric.differences(batch)
    assert rows.shape == (3, len(FEATURES) + len(names))
    assert rows[1:].tolist() == np.zeros((2, rows.shape[1])).tolist()
    model = tmp_path / "model.json"
    model.write_text(json.dumps({"intercept": 0.0, "weights": {"Arc:det:reference": 3.0}}), encoding="utf-8")
    scored = Beer11(model=str(model), parses=str(path))
    assert scored.segments(["Dogs SAT"], ["The cat sat"])[0] == pytest.approx(2 / (1 + math.e))
    told = scored.explain("Dogs SAT", "The cat sat").formula
    assert told is not None
    assert told.computed() == pytest.approx(told.value)
    with pytest.raises(InputError, match="The model weighs no dependencies"):
        metric.segments(["Dogs SAT"], ["The cat sat"])
    words = [("a", "a", "X", 0, f"r{i}") for i in range(1001)]
    path.write_text(sentence("a", words), encoding="utf-8")
    with pytest.raises(InputError, match="1001 relations: more than 1000 are no features"):
        arcs.arc_names(str(path))


def test_languages_have_the_stages_that_they_have() -> None:
    assert Beer11().stages == STAGES
    assert Beer11(language="de").stages == ("exact", "stem", "paraphrase")
    assert Beer11(language="other").stages == ("exact",)
    hindi = Beer11(language="other").segments(["यह एक छोटा वाक्य है", "नहीं"], ["यह एक छोटा वाक्य है", "यह है"])
    assert hindi[0] == 1.0 > hindi[1]


def test_the_model_of_tercet_is_signed_and_says_what_it_is_worth() -> None:
    path = pathlib.Path(models.__file__).with_name("beer11_model.json")
    found = models.read(str(path), signed=True)
    assert Beer11Weights.read(None).signature == found["signature"]
    held_out = {r["metric"]: f"{r['value']:.3f}" for r in found["held_out"] if r["direction"] == "average"}
    for value in held_out.values():
        assert value.removeprefix("0") in " ".join(Beer11.card.differences)
    assert found["training"].startswith("train|kind:beer-1.1|learner:logistic|")
    assert "/" not in found["training"]


def content(**more: object) -> dict[str, Any]:
    return {"intercept": 0.0, "weights": {"Kendall": -1.0}, **more}


WRONG = {
    "no object": ([1], "it holds no JSON object"),
    "nothing": ({}, "is no model of BEER 1.1"),
    "no weights": (content(weights={}), "is no model of BEER 1.1"),
    "an unknown feature": (content(weights={"Kendal": 1}), "Kendal is not among its features"),
    "a weight in words": (content(weights={"Kendall": "much"}), "weights: Kendall must be a finite number"),
    "no intercept": (content(intercept=None), "intercept must be a finite number"),
    "a wrong signature": (content(signature="sha256:0"), "is not as it was written"),
}


@pytest.mark.parametrize(("found", "complaint"), WRONG.values(), ids=WRONG)
def test_a_wrong_model_is_refused(tmp_path: pathlib.Path, found: object, complaint: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        Beer11(model=str(path)).segments(["a"], ["a"])


def test_what_is_missing_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(SpecError, match="model"):
        Beer11(model=str(tmp_path / "none.json"))
    with pytest.raises(SpecError, match="which"):
        Beer11(which="en_exact")
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content()), encoding="utf-8")
    assert Beer11(model=str(path)).stages == ("exact",)  # words must be aligned, even if no match is weighed
