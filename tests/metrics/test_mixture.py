"""`neural`: the model that Tercet comes with, and one of the user's."""

from __future__ import annotations

import pathlib

import pytest

import tercet
from tercet.errors import InputError, MissingExtraError, SpecError
from tercet.metrics import models
from tercet.metrics.combine import Mixture
from tercet.metrics.neural import mixture
from tercet.metrics.neural.mixture import PARTS, Neural
from tercet.sample import exercise
from tests.conftest import absent

HYPS, REFS = ["a small cat sat", "no"], ["the little cat was sitting", "yes"]


def test_the_model_of_tercet_is_signed_and_says_what_it_is_worth() -> None:
    path = pathlib.Path(mixture.__file__).with_name("mixture_model.json")
    content = models.read(str(path), signed=True)
    assert [part["metric"] for part in content["parts"]] == [str(tercet.metric(part)) for part in PARTS]
    held_out = {
        r["metric"]: f"{r['value']:.3f}".removeprefix("0") for r in content["held_out"] if r["direction"] == "average"
    }
    told = " ".join(Neural.card.differences)
    assert held_out["combination"] in told
    assert held_out["bertscore"] in told
    assert content["training"].startswith("train|kind:neural|learner:svm|")
    assert "/" not in content["training"]


def test_a_model_of_ones_own(tmp_path: pathlib.Path) -> None:
    texts, better = exercise()
    path = tmp_path / "model.json"
    found = tercet.train(
        "neural", metrics=["chrf", "ter"], testset=texts, judgements=better, folds=2, strengths=[1], model=path
    )
    assert found.signature.startswith("train|kind:neural|")
    ours, combined = (tercet.metric(f'{name}(model="{path}")') for name in ("neural", "combine"))
    assert ours.segments(HYPS, REFS).tolist() == combined.segments(HYPS, REFS).tolist()
    assert ours.facts() == combined.facts()
    assert ours.explain(HYPS[0], REFS[0]).formula == combined.explain(HYPS[0], REFS[0]).formula


def test_the_program_that_runs_an_encoder_may_be_another(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But nothing else of a part may."""
    texts, better = exercise()
    path = tmp_path / "model.json"
    tercet.train("combine", metrics=["chrf"], testset=texts, judgements=better, folds=2, strengths=[1], model=path)
    monkeypatch.setattr("tercet.metrics.chrf.Chrf.facts", lambda self: {"engine": "another"})
    assert Mixture.read(str(path)).parts
    monkeypatch.setattr("tercet.metrics.chrf.Chrf.facts", lambda self: {"weights": "others"})
    with pytest.raises(InputError, match="is not what the model was trained with"):
        Mixture.read(str(path))


def test_a_copy_is_better_than_anything_else() -> None:
    try:
        copy, *others = tercet.metric("neural").segments([REFS[0], HYPS[0], ""], [REFS[0]] * 3)
    except MissingExtraError as error:
        absent(str(error))
        return
    assert copy > max(others)


def test_what_is_not_there_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(SpecError, match="model must be a file that is there"):
        Neural(model=str(tmp_path / "none.json"))
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(InputError, match="has no signature"):
        Neural(model=str(tmp_path / "x.json")).segments(HYPS, REFS)
