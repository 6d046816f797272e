"""BEER: its models, its system score, and what it refuses."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.errors import InputError, SpecError
from tercet.metrics import models
from tercet.metrics.beer import FEATURES, GROUPS, Beer, Model

HYPS = ["the cat sat on the mat", "a dog", "no"]
REFS: list[str | list[str | None]] = ["the cat sat on a mat", ["one dog", "a dog"], "yes"]


def content(**weights: float) -> dict[str, Any]:
    """A model that looks at few features."""
    return {
        "features": [{"name": n, "weight": weights.get(n, 0.0), "min": 0.0, "max": 1.0} for n in FEATURES],
        "output_scaling": {"intercept": 10.0, "slope": 80.0},
    }


def written(path: pathlib.Path, found: object) -> str:
    path.write_text(json.dumps(found), encoding="utf-8")
    return str(path)


def beer(tmp_path: pathlib.Path, found: object) -> Beer:
    return Beer(model=written(tmp_path / "model.json", found))


def test_there_are_62_features() -> None:
    assert len(FEATURES) == len(set(FEATURES)) == 62
    assert sum(map(len, GROUPS.values())) == 62


def test_the_score_is_the_line_of_the_features(tmp_path: pathlib.Path) -> None:
    metric = beer(tmp_path, content(**{"ngram1.f.1.0": 1.0}))
    f = (4 + 1 + 2) / 8  # five words and two edges of six and two, 'the' but once
    assert metric.segments(HYPS[:1], ["the cat sat on a mat"]).tolist() == pytest.approx([0.1 + 0.8 * f])


def test_the_best_reference_counts(tmp_path: pathlib.Path) -> None:
    metric = beer(tmp_path, content(**{"ngram1.f.1.0": 1.0}))
    both = metric.segments(["a dog"], [["one dog", "a dog"]])[0]
    assert both == metric.segments(["a dog"], ["a dog"])[0] == pytest.approx(0.9)
    assert metric.explain("a dog", ["one dog", "a dog"]).notes == ("Of 2 references, number 2 counts.",)


def test_scores_are_cut_off(tmp_path: pathlib.Path) -> None:
    low = beer(tmp_path, content(**{"ngram1.f.1.0": -9.0}))
    assert low.segments(["a"], ["a"]).tolist() == [0.0]
    formula = low.explain("a", "a").formula
    assert formula is not None
    assert (formula.operation, formula.note) == ("rule", "cut off at 0 and 1")
    high = beer(tmp_path, content(**{"ngram1.f.1.0": 9.0}))
    assert high.segments(["a"], ["a"]).tolist() == [1.0]


def test_the_sum_of_several_segments_is_divided_by_one_more(tmp_path: pathlib.Path) -> None:
    metric = tercet.metric("beer")
    values = metric.segments(HYPS, REFS)
    assert metric.corpus(HYPS, REFS) == pytest.approx(values.sum() / 4)
    assert metric.corpus(HYPS[:1], REFS[:1]) == values[0]
    assert tercet.metric("beer(fixed=true)").corpus(HYPS, REFS) == pytest.approx(values.mean())


def test_shares_of_the_groups_add_up() -> None:
    found = tercet.metric("beer").explain(HYPS[0], "the cat sat on a mat")
    assert found.formula is not None
    percent = found.formula.parts[0]
    assert [part.name for part in percent.parts] == ["intercept", *GROUPS]
    assert found.formula.operation == "quotient"
    assert percent.computed() / 100 == pytest.approx(found.score)


def test_the_model_of_tercet_is_signed_and_says_what_it_is_worth() -> None:
    path = pathlib.Path(models.__file__).with_name("beer_model.json")
    found = models.read(str(path), signed=True)
    assert Model.read(None).signature == found["signature"]
    held_out = {r["metric"]: r["value"] for r in found["held_out"] if r["direction"] == "average"}
    assert list(held_out) == ["trained beer", "beer with its own model", "chrf"]
    assert held_out["trained beer"] > max(held_out["beer with its own model"], held_out["chrf"])
    assert f"{held_out['trained beer']:.3f}" in " ".join(Beer.card.differences)
    assert f"{held_out['beer with its own model']:.3f}" in " ".join(Beer.card.differences)
    assert found["training"].startswith("train|kind:beer|learner:svm|")
    assert "/" not in found["training"]


def test_the_signature_names_the_model(tmp_path: pathlib.Path) -> None:
    made = beer(tmp_path, content(**{"ngram1.f.1.0": 1.0}))
    specs = ["beer", str(made)]
    signs = [r.signature for r in tercet.score({"a": HYPS}, REFS, metrics=specs)]
    sums = [s.partition("model-signature:")[2].partition("|")[0] for s in signs]
    assert sums == [Model.read(None).signature, Model.read(made.model).signature]
    assert all(s.startswith("sha256:") for s in sums)


def test_a_file_that_changed_is_read_again(tmp_path: pathlib.Path) -> None:
    metric = beer(tmp_path, content(**{"ngram1.f.1.0": 1.0}))
    before = metric.segments(["a"], ["a"])[0]
    beer(tmp_path, content(**{"ngram1.f.1.0": 0.125}))
    assert metric.segments(["a"], ["a"])[0] < before


def changed(**more: object) -> dict[str, Any]:
    return {**content(), **more}


def without(name: str) -> dict[str, Any]:
    found = content()
    found["features"] = [f for f in found["features"] if f["name"] != name]
    return found


def narrow() -> dict[str, Any]:
    found = content()
    found["features"][3]["max"] = 0.0
    return found


def odd(**more: object) -> dict[str, Any]:
    found = content()
    found["features"][5].update(more)
    return found


WRONG = {
    "no object": ([1], "it holds no JSON object"),
    "no features": ({}, "is no model of BEER"),
    "one feature less": (without("skip3.a"), "its features are not the 62 of it (skip3.a)"),
    "nothing between min and max": (narrow(), "max of char1.g.1.0 must lie above its min"),
    "a weight in words": (odd(weight="much"), "features 6: weight must be a finite number"),
    "a weight that is true": (odd(weight=True), "features 6: weight must be a finite number"),
    "no end": (odd(weight=float("inf")), "features 6: weight must be a finite number"),
    "no name": (odd(name=3), "features 6: name must be a string"),
    "no line": (changed(output_scaling=3), "output_scaling: intercept must be a finite number"),
    "a wrong signature": (changed(signature="sha256:0"), "is not as it was written"),
}


@pytest.mark.parametrize(("found", "complaint"), WRONG.values(), ids=WRONG)
def test_a_wrong_model_is_refused(tmp_path: pathlib.Path, found: object, complaint: str) -> None:
    metric = beer(tmp_path, found)
    with pytest.raises(InputError, match=r"model\.json") as caught:
        metric.corpus(["a"], ["a"])
    assert complaint in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "", '{"a": NaN'])
def test_what_is_not_json_is_refused(tmp_path: pathlib.Path, text: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"model\.json is not JSON"):
        Beer(model=str(path)).corpus(["a"], ["a"])


def test_a_model_that_is_not_there_is_refused_at_once() -> None:
    with pytest.raises(SpecError, match=r"beer: model must be a file that is there, not nowhere\.json"):
        tercet.metric("beer(model=nowhere.json)")


def test_a_signed_model_is_read_and_a_changed_one_is_not(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "signed.json"
    models.write(path, content(**{"ngram1.f.1.0": 1.0}))
    assert np.isfinite(Beer(model=str(path)).corpus(["a"], ["a"]))
    path.write_text(path.read_text(encoding="utf-8").replace('"slope": 80.0', '"slope": 81.0'), encoding="utf-8")
    with pytest.raises(InputError, match="not as it was written"):
        Beer(model=str(path)).corpus(["a"], ["a"])
