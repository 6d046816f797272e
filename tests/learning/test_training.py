"""`train`: models whose figures are those of `meta`, from examples that are what people said."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import sys
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.data import Batch, Judgements, MetricScores, References, TestSet
from tercet.errors import InputError, MissingExtraError
from tercet.learning.directions import LearningDirection
from tercet.learning.examples import Examples, compared, scored
from tercet.learning.learners import learn
from tercet.learning.recipes import Candidate, CombineRecipe
from tercet.learning.training import _best, _in_words
from tercet.metrics import beer11, models
from tests.learning.build import SYSTEMS, assessments, part_of, rankings, texts
from tests.learning.test_objectives import direction

PARTS = ["chrf", "ter", "bleu(effective_order=true)"]
FEW = [2.0**-9, 2.0**-3]


def trained(kind: str = "combine", **more: Any) -> tercet.Training:
    whole = texts()
    given = {"testset": whole, "judgements": rankings(whole), "folds": 3, "strengths": FEW, **more}
    if kind == "combine":
        given.setdefault("metrics", PARTS)
    return tercet.train(kind, **given)  # type: ignore[arg-type]


def folded(data: Judgements, testset: TestSet) -> LearningDirection:
    """The folds that training draws."""
    own = direction("kendall(variant=wmt14)", data=data, testset=testset)
    return dataclasses.replace(own, seed=12345, golds={})


def told(spec: str, testset: TestSet, data: Judgements, measure: str = "kendall(variant=wmt14)", **more: Any) -> float:
    found = tercet.meta(
        testset=testset,
        judgements=data,
        metrics=[spec],
        measures=measure,
        level="segment",
        interval="none",
        test="none",
        **more,
    )
    return found.records[0].value


@pytest.mark.parametrize("kind", ["beer", "combine"])
@pytest.mark.parametrize("learner", ["svm", "logistic"])
def test_figures_are_those_of_meta(kind: str, learner: str, tmp_path: pathlib.Path) -> None:
    path, whole = tmp_path / "model.json", texts()
    data = rankings(whole)
    found = trained(kind, learner=learner, model=path, metrics=["chrf", "ter"])
    assert found.record("all").value == told(f"{kind}(model={path})", whole, data)
    assert found.record("all", "ter").value == told("ter", whole, data)
    own = folded(data, whole)
    for k in (1, 2, 3):
        held = {s for s, here in zip(whole.segments, own.inside(whole.segments, -k), strict=True) if here}
        assert found.record(f"fold {k}", "chrf").value == told("chrf", *part_of(data, whole, held))
    folds = [found.record(f"fold {k}").value for k in (1, 2, 3)]
    assert found.record().value == pytest.approx(np.mean(folds))
    assert found.record().n == found.record("all").n
    assert found.metrics == ("trained beer" if kind == "beer" else "combination", "chrf", "ter")


def test_dependencies_are_learnt_where_there_are_trees(tmp_path: pathlib.Path) -> None:
    whole = texts()
    lines = [
        *(text for column in whole.systems.values() for text in column),
        *(whole.references or References.of([])).texts,
    ]
    (tmp_path / "texts.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    trees, path = tmp_path / "trees.conllu", tmp_path / "model.json"
    tercet.parse([tmp_path / "texts.txt"], parser="chain").write(trees)
    found = trained("beer-1.1", parses=trees, model=path)
    names = [name for name, _ in found.weights]
    arcs = [f"Arc:{relation}:{part}" for relation in ("dep", "root") for part in ("matched", "hypothesis", "reference")]
    assert names == [*beer11.FEATURES, *arcs]
    assert any(weight for name, weight in found.weights if name in arcs)
    assert found.record("all").value == told(f'beer-1.1(model="{path}", parses="{trees}")', whole, rankings(whole))
    assert "|parses-sha256:" in found.signature
    trees.write_text(trees.read_text(encoding="utf-8").replace("root", "top"), encoding="utf-8")
    assert trained("beer-1.1", parses=trees).signature != found.signature
    with pytest.raises(InputError, match="The model weighs dependencies, and there are no trees"):
        tercet.metric(f'beer-1.1(model="{path}")').segments(["a"], ["b"])
    with pytest.raises(InputError, match="combine has no features of trees"):
        trained(parses=trees)


def test_a_kind_names_those_that_take_what_it_does_not() -> None:
    with pytest.raises(InputError, match=r"beer has no features of trees\. .*out, or train beer-1\.1 or uow-lstm\."):
        trained("beer", parses="x")
    with pytest.raises(InputError, match=r"esim has no vectors of words\. .*out, or train uow-lstm\."):
        trained("esim", vectors="x")
    with pytest.raises(InputError, match=r"neural takes no encoder: .*out, or train esim\."):
        trained("neural", encoder="x")


@pytest.mark.parametrize("kind", ["beer", "combine"])
def test_training_again_gives_the_same_file(kind: str, tmp_path: pathlib.Path) -> None:
    for name in ("one", "two"):
        trained(kind, model=tmp_path / name, threads=1 if name == "one" else 3)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_model_says_where_it_comes_from(tmp_path: pathlib.Path) -> None:
    found = trained(model=tmp_path / "model.json")
    content = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    assert content["training"] == found.signature
    assert "|learner:svm|" in found.signature
    assert "|directions:xx-yy|" in found.signature
    assert [r["metric"] for r in content["held_out"]] == ["combination", *PARTS]
    assert [r["value"] for r in content["held_out"]] == [found.record("held-out", m).value for m in found.metrics]
    assert content["signature"] == models.checksum(content)
    assert [p["metric"] for p in content["parts"]] == [name for name, _ in found.weights] == PARTS
    assert sum(abs(weight) for _, weight in found.weights) == pytest.approx(1)


def test_what_was_held_out_moves_nothing() -> None:
    """The figure of a fold is that of a model trained on the others alone, by way of texts and judgements of those."""
    whole, measure = texts(), "kendall(variant=wmt14)"
    data = rankings(whole)
    found = trained(strengths=[0.125])
    own = folded(data, whole)
    held = {s for s, here in zip(whole.segments, own.inside(whole.segments, -1), strict=True) if here}
    others, rest = part_of(data, whole, set(whole.segments) - held)
    alone = tercet.train("combine", metrics=PARTS, testset=others, judgements=rest, strengths=[0.125], folds=2)
    recipe = CombineRecipe(PARTS)
    parts = {p["metric"]: p for p in alone.content["parts"]}
    linear = models.Linear(*(tuple(parts[p][key] for p in PARTS) for key in ("weight", "mean", "deviation")))
    small, some = part_of(data, whole, held)
    batch = [recipe.features(_batch(small, s)) for s in SYSTEMS]
    scores = MetricScores("m", "xx-yy", "segment", SYSTEMS, small.segments, np.stack([linear(b) for b in batch]))
    wanted = tercet.meta(
        scores=scores, judgements=some, measures=measure, level="segment", interval="none", test="none"
    ).records[0]
    assert found.record("fold 1").value == wanted.value


def _batch(testset: TestSet, system: str) -> Batch:
    return Batch(testset.systems[system], testset.references)


def test_comparisons_are_taken_once_as_often_as_they_were_made() -> None:
    whole = texts()
    data = rankings(whole)
    own = direction("kendall(variant=wmt14)", data=data, testset=whole)
    recipe = CombineRecipe(["chrf"])
    made = _with(own, recipe)
    found = compared([made], recipe.usable)
    people = made.people.gold("segment", "pairs").comparisons
    assert found.n == sum(o != 1 for o in people.outcome.tolist())
    assert len(found.better) <= found.n
    assert len({*zip(found.better.tolist(), found.worse.tolist(), strict=True)}) == len(found.better)
    part = found.part(2)
    assert 2 not in part.fold
    assert part.n + found.part(1).n + found.part(3).n == 2 * found.n
    twice = compared([made, made], recipe.usable)
    assert (twice.n, len(twice.rows)) == (2 * found.n, 2 * len(found.rows))
    np.testing.assert_array_equal(twice.rows[twice.better[len(found.better) :]], found.rows[found.better])


def _with(own: LearningDirection, recipe: CombineRecipe) -> LearningDirection:
    return dataclasses.replace(own, metric=Candidate(recipe))


def test_outputs_that_have_no_score_teach_nothing() -> None:
    whole = texts()
    data = assessments(whole)
    own = direction("pearson", data=data, testset=whole)
    recipe = CombineRecipe(["chrf"])
    found = scored([_with(own, recipe)], recipe.usable)
    assert found.n == len(SYSTEMS) * len(whole)
    some = scored([_with(own, recipe)], lambda rows: rows[..., 0] > 50)
    assert 0 < some.n < found.n
    assert some.rows.min() > 50


def example(seed: int = 1, n: int = 400) -> Examples:
    """Outputs of three features of which the first counts twice as much as the second, and the third not at all."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(2 * n, 3))
    worth = rows @ np.array([2.0, 1.0, 0.0])
    first, second = np.arange(n), np.arange(n, 2 * n)
    wins = worth[first] + rng.logistic(size=n) > worth[second]
    better, worse = np.where(wins, first, second), np.where(wins, second, first)
    return Examples(rows, np.ones(2 * n, dtype=np.int64), better, worse, np.ones(n), 10 * worth + 3)


@pytest.mark.parametrize("learner", ["svm", "logistic", "ridge"])
def test_what_counts_is_found(learner: Any) -> None:
    found = learn(learner, example(), np.zeros(3), np.ones(3), 1.0, seed=1)
    first, second, third = found.values
    assert first / second == pytest.approx(2, rel=0.2)
    assert abs(third) < 0.2 * first
    assert found.intercept == (pytest.approx(3, abs=0.1) if learner == "ridge" else 0.0)


@pytest.mark.parametrize("learner", ["svm", "logistic"])
def test_both_signs_at_once(learner: Any) -> None:
    """Every other comparison turned round, at twice the strength, is each comparison both ways."""
    import sklearn.linear_model
    import sklearn.svm

    data = example(n=60)
    gaps = data.rows[data.better] - data.rows[data.worse]
    if learner == "svm":
        slow: Any = sklearn.svm.LinearSVC(C=0.25, fit_intercept=False, dual=False, tol=1e-9)
    else:
        slow = sklearn.linear_model.LogisticRegression(C=0.25, fit_intercept=False, tol=1e-9)
    slow.fit(np.concatenate([gaps, -gaps]), np.repeat([1, -1], len(gaps)))
    found = learn(learner, data, np.zeros(3), np.ones(3), 0.25, seed=1)
    np.testing.assert_allclose(found.values, slow.coef_[0], rtol=1e-3, atol=1e-5)


def test_scores_are_predicted() -> None:
    whole = texts()
    data = assessments(whole)
    found = trained(judgements=data, objective="pearson")
    assert found.learner == "ridge"
    assert found.examples == len(SYSTEMS) * len(whole)
    assert found.content["intercept"] == pytest.approx(0, abs=1e-6)  # the mean of standardised scores
    assert trained(judgements=data, objective="pearson", learner="svm").learner == "svm"


def test_directions_are_pooled() -> None:
    one, two = texts(), texts(seed=7)
    both = [rankings(one), rankings(two, seed=8)]
    found = trained(testset=[one, two], judgements=both)
    singles = [trained(testset=t, judgements=j).examples for t, j in zip([one, two], both, strict=True)]
    assert found.examples == sum(singles)
    assert [r.direction for r in found if r.part == "all" and r.metric == "ter"] == ["xx-yy", "xx-yy", "average"]


def test_several_references_are_said() -> None:
    whole = texts(references=2)
    found = trained("beer", testset=whole, judgements=rankings(whole), strengths=[0.1])
    assert "features are those of the one that an output is most like" in " ".join(found.notes)


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"metrics": []}, "nothing to combine"),
        ({"metrics": ["combine"]}, "combine is itself a combination"),
        ({"metrics": {"a": "chrf", "b": "chrf"}}, "there twice"),
        ({"learner": "magic"}, "learner must be one of svm, logistic, ridge"),
        ({"strengths": [0.0]}, "must be above 0, not 0.0"),
        ({"folds": 1}, "folds"),
        ({"on_skip": "never"}, "on_skip must be one of"),
        ({"learner": "ridge"}, "rankings, which give no scores"),
        ({"testset": []}, "no test set"),
    ],
)
def test_what_cannot_be_trained_is_refused(more: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        trained(**more)
    with pytest.raises(InputError, match=r"kind must be one of beer, beer-1\.1, combine, esim, neural, uow-lstm"):
        trained("ibm9")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tercet\[learn\]'"):
        trained()


def test_the_end_of_the_strengths_is_said() -> None:
    told = "At the end of the strengths that were tried: "
    assert [n.startswith(told) for n in trained(strengths=[0.01, 1.0]).notes[:1]] == [True]
    assert trained(strengths=[0.01]).notes == ()


def test_strengths_that_are_no_choice() -> None:
    nan = float("nan")
    assert _best(np.array([[0.1, 0.3], [nan, 0.9], [0.2, 0.2]])) == 0
    assert _best(np.array([[0.1, 0.3], [0.3, 0.2]])) == 1


def test_the_answer_in_words() -> None:
    assert _in_words([("c", 0.5), ("a", 0.4), ("b", 0.45)]).startswith("c agrees better than b, the best of the")
    assert _in_words([("c", 0.4), ("a", 0.4)]) == "c agrees no better than a: .4000 against .4000 on held-out segments."
    assert _in_words([("c", 0.4)]) == "c: .4000 on held-out segments."
    assert "not defined" in _in_words([("c", float("nan")), ("a", 0.4)])
