"""Combinations: sums of their parts, by hand or from a signed model."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.errors import InputError, SpecError
from tercet.metrics import models
from tercet.metrics.chrf import Chrf
from tercet.metrics.combine import Combine

HYPS = ["the cat sat on the mat", "a big dog", "no way"]
REFS = ["the cat sat on a mat", "one dog", "no"]


def content(**more: Any) -> dict[str, Any]:
    """A model of two parts."""
    part = {"higher_is_better": True, "facts": {}}
    return {
        "kind": "combine",
        "parts": [
            {**part, "metric": "chrf", "weight": 0.75, "mean": 50.0, "deviation": 20.0},
            {**part, "metric": "ter", "higher_is_better": False, "weight": -0.25, "mean": 60.0, "deviation": 30.0},
        ],
        "intercept": 0.5,
        **more,
    }


def model(path: pathlib.Path, **more: Any) -> Combine:
    models.write(path / "model.json", content(**more))
    return Combine(model=str(path / "model.json"))


def test_equal_shares_and_signs() -> None:
    metric = tercet.metric('combine(parts="chrf|ter|bleu(effective_order=true)")')
    chrf, ter, bleu = (tercet.metric(p).segments(HYPS, REFS) for p in ("chrf", "ter", "bleu(effective_order=true)"))
    np.testing.assert_allclose(metric.segments(HYPS, REFS), (chrf - ter + bleu) / 3)
    assert metric.corpus(HYPS, REFS) == pytest.approx(metric.segments(HYPS, REFS).mean())


def test_weights_are_taken_as_they_are() -> None:
    metric = tercet.metric('combine(parts="chrf|ter", weights=0.5+-2)')
    chrf, ter = (tercet.metric(p).segments(HYPS, REFS) for p in ("chrf", "ter"))
    np.testing.assert_allclose(metric.segments(HYPS, REFS), 0.5 * chrf - 2 * ter)


def test_the_spec_is_canonical() -> None:
    assert str(tercet.metric('combine(parts="chrf++ | meteor(language=de, modules=exact)")')) == (
        'combine(parts="chrf(word_order=2)|meteor(language=de, modules=exact)")'
    )
    assert str(tercet.metric("combine(parts=chrf)")) == "combine(parts=chrf)"


def test_a_model_scales_first(tmp_path: pathlib.Path) -> None:
    metric = model(tmp_path)
    chrf, ter = (tercet.metric(p).segments(HYPS, REFS) for p in ("chrf", "ter"))
    wanted = 0.5 + 0.75 * (chrf - 50) / 20 - 0.25 * (ter - 60) / 30
    np.testing.assert_allclose(metric.segments(HYPS, REFS), wanted)
    formula = metric.explain(HYPS[0], REFS[0]).formula
    assert formula is not None
    assert [part.name for part in formula.parts] == ["chrf", "ter", "intercept"]
    assert formula.value == metric.segments(HYPS[:1], REFS[:1])[0]
    assert formula.computed() == pytest.approx(formula.value)


def test_the_signature_names_the_model(tmp_path: pathlib.Path) -> None:
    metric = model(tmp_path)
    (record,) = tercet.score({"a": HYPS}, REFS, metrics=[str(metric)])
    assert record.signature.startswith(f"combine|model:{metric.model}|model-signature:{models.checksum(content())}|")
    plain = tercet.metric('combine(parts="beer|chrf")')
    assert list(plain.facts()) == ["beer:model-signature"]


def test_parts_may_need_all_references_and_sources() -> None:
    metric = tercet.metric('combine(parts="nist|chrf")')
    assert metric.learns
    nist = tercet.metric("nist").segments(HYPS, REFS)
    chrf = tercet.metric("chrf").segments(HYPS, REFS)
    np.testing.assert_allclose(metric.segments(HYPS, REFS), (nist + chrf) / 2)
    assert metric.needs == {"references"}
    assert not tercet.metric("combine").learns


def test_a_part_that_is_not_defined_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Chrf, "score", lambda self, stats: np.full(stats.shape[:-1], np.nan))
    found = tercet.metric('combine(parts="per|chrf")').explain("a", "a")
    assert np.isnan(found.score)
    assert found.formula is None


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ('combine(parts="chrf|nothing")', "no metric called 'nothing'"),
        ('combine(parts="chrf|")', "a name expected"),
        ('combine(parts="chrf ter")', "the end expected"),
        ('combine(parts="chrf|combine")', "parts must be metrics that are no combinations"),
        ("combine(weights=1)", "weights must be as many as the parts, 2"),
        ("combine(model=nowhere.json)", "model must be a file that is there"),
    ],
)
def test_a_wrong_spec_is_refused(spec: str, complaint: str) -> None:
    with pytest.raises(SpecError, match=complaint):
        tercet.metric(spec)


def test_a_model_has_its_own_parts(tmp_path: pathlib.Path) -> None:
    path = model(tmp_path).model
    with pytest.raises(SpecError, match="parts must be left out where there is a model"):
        Combine(model=path, parts="chrf")
    with pytest.raises(SpecError, match="weights must be left out"):
        Combine(model=path, weights=(1.0, 2.0))


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another kind": ({"kind": "beer"}, "is no model of combine"),
    "no parts": ({"parts": []}, "nothing to combine"),
    "no spec": ({"parts": [{"metric": 3}]}, "parts 1: metric must be a string"),
    "a weight beyond all numbers": (
        {"parts": [{"metric": "chrf", "facts": {}, "weight": 10**400}]},
        "parts 1: weight must be a finite number",
    ),
    "no weight": ({"parts": [{"metric": "chrf", "facts": {}}]}, "parts 1: weight must be a finite number"),
    "a combination of combinations": ({"parts": [{"metric": "combine"}]}, "combine is itself a combination"),
    "no spread": (
        {"parts": [{"metric": "chrf", "facts": {}, "weight": 1, "mean": 0, "deviation": 0}]},
        "a deviation must be above 0",
    ),
    "another model of a part": ({"parts": [{"metric": "beer", "facts": {"model-signature": "x"}}]}, "beer is not what"),
}


@pytest.mark.parametrize(("more", "complaint"), WRONG.values(), ids=WRONG)
def test_a_wrong_model_is_refused(tmp_path: pathlib.Path, more: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        model(tmp_path, **more).corpus(HYPS, REFS)


def test_a_model_must_be_signed_and_as_it_was_written(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(content()), encoding="utf-8")
    with pytest.raises(InputError, match="it has no signature"):
        Combine(model=str(path)).corpus(HYPS, REFS)
    model(tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("0.75", "0.85"), encoding="utf-8")
    with pytest.raises(InputError, match="not as it was written"):
        Combine(model=str(path)).corpus(HYPS, REFS)


def test_a_trained_model_takes_the_mean_where_a_part_is_not_defined(tmp_path: pathlib.Path) -> None:
    parts = content()["parts"]
    parts[1] |= {"metric": "ibm1", "higher_is_better": True, "mean": -5.0}
    metric = model(tmp_path, parts=parts)
    texts = ["", "x"], ["a", "x y"], ["b", "c"]
    assert np.isnan(tercet.metric("ibm1").segments(texts[0], None, texts[2])[0])
    chrf = tercet.metric("chrf").segments(*texts[:2])[0]
    assert metric.segments(*texts)[0] == pytest.approx(0.5 + 0.75 * (chrf - 50) / 20)
    assert np.isfinite(metric.corpus(*texts))
