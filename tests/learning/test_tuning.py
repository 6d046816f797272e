"""`tune`: an answer whose figures are those of `meta`, on everything and on what was held out."""

from __future__ import annotations

import dataclasses
import pathlib

import numpy as np
import pytest

import tercet
from tercet.data import Judgements, MetricScores, TestSet
from tercet.data.tuning import Tuning, TuningRecord
from tercet.errors import InputError, SpecError
from tercet.learning.tuning import _in_words
from tercet.options.agreeing import MetaLevel
from tercet.options.learning import Search
from tercet.sample import campaign, exercise, judgements
from tests.learning.build import SYSTEMS, Small, assessments, part_of, rankings, texts
from tests.learning.test_objectives import direction

FEW = ["alpha=0:1:0.25", "gamma=0:1:0.5"]


def tuned(**more: object) -> Tuning:
    """The small metric on small judgements."""
    whole = texts()
    given: dict[str, object] = {
        "testset": whole,
        "judgements": rankings(whole),
        "parameters": FEW,
        "folds": 3,
        **more,
    }
    return tercet.tune(Small(), **given)  # type: ignore[arg-type]


def told(
    metric: str | Small, testset: TestSet, data: Judgements, measure: str, level: MetaLevel = "segment", **more: object
) -> float:
    """What `meta` says."""
    found = tercet.meta(
        testset=testset,
        judgements=data,
        metrics=[metric],
        measures=measure,
        level=level,
        interval="none",
        test="none",
        **more,  # type: ignore[arg-type]
    )
    return found.records[0].value


def made(spec: str | None) -> Small:
    """The small metric is not registered: its spec, read by hand."""
    assert spec is not None
    inside = spec.removeprefix("small").strip("()")
    values = dict(pair.split("=") for pair in inside.split(", ")) if inside else {}
    return Small(**{k: float(v) for k, v in values.items()})  # type: ignore[arg-type]


@pytest.mark.parametrize("search", ["grid", "refine", "scipy"])
def test_figures_are_those_of_meta(search: str) -> None:
    whole, measure = texts(), "kendall(variant=wmt14)"
    data = rankings(whole)
    found = tuned(search=search)
    everything = found.record("all")
    assert everything.spec == found.spec
    assert everything.value == told(made(found.spec), whole, data, measure)
    assert everything.default == told(Small(), whole, data, measure)
    assert everything.gain == everything.value - everything.default >= 0
    own = dataclasses.replace(direction(measure, data=data, testset=whole), seed=12345, golds={})
    for k in (1, 2, 3):
        fold = found.record(f"fold {k}")
        held = {s for s, here in zip(whole.segments, own.inside(whole.segments, -k), strict=True) if here}
        small, some = part_of(data, whole, held)
        assert fold.value == told(made(fold.spec), small, some, measure)
        assert fold.default == told(Small(), small, some, measure)
    mean = found.record()
    assert mean.part == "held-out"
    assert mean.value == pytest.approx(np.mean([found.record(f"fold {k}").value for k in (1, 2, 3)]))
    assert mean.n == everything.n


def test_a_grid_holds_the_best_that_there_is() -> None:
    whole = texts()
    data = rankings(whole)
    found = tuned(parameters=["alpha=0:1:0.5", "gamma=0:1:0.5"])
    points = [Small(alpha=a, gamma=g) for a in (0.0, 0.5, 1.0) for g in (0.0, 0.5, 1.0)]
    best = max(told(p, whole, data, "kendall(variant=wmt14)") for p in points)
    assert found.record("all").value == best
    assert found.points == 9


@pytest.mark.parametrize(
    ("objective", "level", "gold"),
    [
        ("pair-accuracy", "segment", None),
        ("kendall(variant=wmt12)", "segment", None),
        ("pearson", "system", "expected-wins"),
        ("spearman", "system", "expected-wins"),
        ("accuracy", "system", "bradley-terry"),
    ],
)
def test_objectives_of_rankings(objective: str, level: MetaLevel, gold: str | None) -> None:
    whole = texts()
    found = tuned(objective=objective, level=level, gold=gold)
    more = {} if gold is None else {"gold": gold}
    assert found.record("all").value == told(made(found.spec), whole, rankings(whole), objective, level, **more)
    assert found.objective == objective
    assert f"level:{level}" in found.signature


@pytest.mark.parametrize(
    ("objective", "level"), [("pearson", "segment"), ("pearson", "document"), ("segcor", "segment"), (None, "segment")]
)
def test_objectives_of_assessments(objective: str | None, level: MetaLevel) -> None:
    whole = texts()
    data = assessments(whole)
    found = tuned(judgements=data, objective=objective, level=level)
    assert found.objective == (objective or "acc-eq")
    assert found.record("all").value == told(made(found.spec), whole, data, found.objective, level)


def test_hter_is_better_the_lower_it_is() -> None:
    whole = texts()
    table = np.random.default_rng(5).uniform(0, 1, (len(SYSTEMS), len(whole))) + np.arange(4.0)[:, None] / 4
    people = MetricScores("HTER", "xx-yy", "segment", SYSTEMS, whole.segments, table)
    found = tuned(judgements=None, human=people, lower=True, objective="segcor")
    turned = dataclasses.replace(people, higher_is_better=False)
    same = tercet.meta(
        testset=whole, human=turned, metrics=[made(found.spec)], measures="segcor", level="segment", interval="none"
    )
    assert found.record("all").value == same.records[0].value > 0
    upside = tuned(judgements=None, human=people, objective="segcor")
    assert upside.record("all").default == pytest.approx(-found.record("all").default)


def test_directions_are_tuned_on_together() -> None:
    one, other = texts(), texts(9, 30)
    pairs = ["aa-bb", "cc-bb"]
    judged = [dataclasses.replace(r, pair=p) for r, p in zip((rankings(one), rankings(other, 8)), pairs, strict=True)]
    found = tuned(testset=[one, other], judgements=judged, pair=pairs)
    assert [r.direction for r in found if r.part == "all"] == ["aa-bb", "cc-bb", "average"]
    each = [found.record("all", d) for d in ("aa-bb", "cc-bb")]
    assert found.record("all").value == pytest.approx((each[0].value + each[1].value) / 2)
    assert found.record("all").n == each[0].n + each[1].n
    best = max(
        sum(told(p, t, rankings(t, s), "kendall(variant=wmt14)") for t, s in ((one, 2), (other, 8))) / 2
        for p in (Small(alpha=a, gamma=g) for a in (0, 0.25, 0.5, 0.75, 1) for g in (0, 0.5, 1))
    )
    assert found.record("all").value == pytest.approx(best)


def test_several_references_are_counted_anew_for_the_figures() -> None:
    texts_, data = campaign("en-de"), judgements("en-de")
    found = tercet.tune("chrf", testset=texts_, judgements=data, parameters="beta=0.5:3:0.5")
    for part, spec in (("value", found.spec), ("default", "chrf")):
        assert getattr(found.record("all"), part) == told(spec, texts_, data, "kendall(variant=wmt14)")
    assert any("several references" in note for note in found.notes)


def test_the_exercise_can_be_tuned_on() -> None:
    texts_, data = exercise()
    found = tercet.tune("chrf", testset=texts_, judgements=data, objective="pair-accuracy", folds=4)
    assert found.record("all").value == told(found.spec, texts_, data, "pair-accuracy")
    assert found.record("all").n == 36


def test_profiles_show_what_is_around() -> None:
    whole = texts()
    data = rankings(whole)
    found = tuned()
    assert [p.parameter for p in found.profiles] == ["alpha", "gamma"]
    for profile in found.profiles:
        assert profile.points == tuple(sorted(set(profile.points)))
        assert profile.tuned in profile.points
        for point, value in zip(profile.points, profile.values, strict=True):
            there = dataclasses.replace(made(found.spec), **{profile.parameter: point})  # type: ignore[arg-type]
            assert value == pytest.approx(told(there, whole, data, "kendall(variant=wmt14)"))
    wide = tuned(parameters=["alpha=0:1:0.001"], search="scipy").profiles[0]
    assert 61 <= len(wide.points) <= 62


def test_the_same_again_and_another_seed() -> None:
    assert tuned() == tuned()
    assert tuned(threads=2) == tuned(threads=1)
    assert tuned(seed=1).record("fold 1").n != tuned(seed=2).record("fold 1").n


def test_auto_takes_the_grid_while_it_is_small() -> None:
    assert "|search:grid|" in tuned().signature
    assert "|search:refine|" in tuned(parameters=["alpha=0:1:0.00001", "weights.2=0:1:0.001", "beta"]).signature


def test_a_weight_that_only_scales_stays_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Small, "scaled_by", "weights")
    found = tuned(parameters=None, search="refine")
    assert [p.parameter for p in found.profiles] == ["alpha", "beta", "gamma", "weights.2"]
    assert found.notes[0].startswith("weights.1 stays 1: weights together only scale the score, which kendall(")
    named = tuned(parameters=["weights=0:1:0.5"])
    assert [p.parameter for p in named.profiles] == ["weights.1", "weights.2"]
    assert not any("stays" in note for note in named.notes)
    seen = tuned(parameters=None, search="refine", objective="kendall(variant=wmt14, epsilon=0.1)")
    assert len(seen.profiles) == 5


@pytest.mark.parametrize(
    ("gains", "advised"), [((0.1, 0.1, -0.1), True), ((0.3, -0.1, -0.1), False), ((-0.1, -0.2, 0.1), False)]
)
def test_what_is_no_clear_gain_is_not_advised(gains: tuple[float, ...], advised: bool) -> None:
    folds = [dataclasses.replace(record(gain), part=f"fold {k}") for k, gain in enumerate(gains, 1)]
    records = (dataclasses.replace(record(0.3), part="all"), *folds, record(float(np.mean(gains))))
    assert dataclasses.replace(tuned(), records=records).advised == advised


def test_an_end_of_a_range_is_told() -> None:
    found = tuned(parameters=["gamma=0:0.25:0.25"])
    at_end = made(found.spec).gamma in (0, 0.25)
    assert any(n.startswith("At the end of the range") for n in found.notes) == at_end


def test_records_are_flat() -> None:
    found = tuned()
    assert len(found) == len(found.as_records()) == 5
    assert list(found.as_records()[0]) == [f.name for f in dataclasses.fields(TuningRecord)]
    assert [r.part for r in found] == ["all", "fold 1", "fold 2", "fold 3", "held-out"]
    with pytest.raises(KeyError):
        found.record("fold 9")


def record(gain: float) -> TuningRecord:
    return TuningRecord("held-out", "", None, None, "segment", "kendall", 0.5 + gain, 0.5, gain, 9)


@pytest.mark.parametrize(
    ("spec", "gain", "said"),
    [
        ("chrf", 0.1, "Nothing agrees better with these judgements than chrf itself."),
        (
            "chrf(beta=3)",
            0.1,
            "No clear gain over chrf: .6000 against .5000 on held-out segments, better in 1 of 2 folds only.",
        ),
        ("chrf(beta=3)", 0.0, "Keep chrf: tuned, it is no better where it was not tuned (.5000 against .5000"),
        ("chrf(beta=3)", -0.1, "Keep chrf"),
        ("chrf(beta=3)", float("nan"), "Agreement is not defined on every fold"),
    ],
)
def test_the_answer_in_words(spec: str, gain: float, said: str) -> None:
    assert _in_words(spec, "chrf", record(gain), [record(0.1), record(-0.1)]).startswith(said)


def test_a_gain_in_most_folds_is_one() -> None:
    said = _in_words("chrf(beta=3)", "chrf", record(0.1), [record(0.1), record(-0.1), record(0.2)])
    assert (
        said
        == "Tuned metrics agree better than chrf: .6000 against .5000 on held-out segments, better in 2 of 3 folds."
    )


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"testset": []}, "no test set"),
        ({"judgements": None}, "Nothing says what people think"),
        ({"folds": 1}, "folds must be"),
        ({"folds": 1000}, "judged segments for 1000 folds"),
        ({"level": "word"}, "level must be one of"),
        ({"search": "luck"}, "search must be one of"),
        ({"level": "system"}, "compares systems on segments|not a measure of the system level"),
        ({"objective": "accuracy"}, "not a measure of the segment level"),
        ({"parameters": ["delta"]}, "cannot tune 'delta'"),
        ({"pair": ["a-b", "c-d"]}, "1 test sets and 2 times a language pair"),
        ({"testset": [texts(), texts(2)], "judgements": [rankings(texts())] * 3}, "2 test sets and 3 times"),
        ({"seed": -1}, "seed must be"),
        ({"threads": 0}, "threads must be"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, object], complaint: str) -> None:
    more = {"objective": "kendall(variant=wmt14)", **change}
    with pytest.raises(InputError, match=complaint) as error:
        tuned(**more)
    assert error.value.hint


def test_judgements_and_scores_are_one_too_many() -> None:
    whole = texts()
    people = MetricScores("H", "", "segment", SYSTEMS, whole.segments, np.zeros((4, len(whole))))
    with pytest.raises(InputError, match="both given"):
        tuned(human=people)


def test_an_unknown_objective_is_refused() -> None:
    with pytest.raises(SpecError, match="no measure called"):
        tuned(objective="luck")


def test_one_file_of_judgements_serves_several_pairs(tmp_path: pathlib.Path) -> None:
    whole = texts()
    assert whole.references is not None
    lines = ["segment\treference\t" + "\t".join(SYSTEMS)]
    for i, name in enumerate(whole.segments):
        lines.append("\t".join([name, whole.references[i][0], *(whole.systems[s][i] for s in SYSTEMS)]))
    (tmp_path / "texts.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rng = np.random.default_rng(4)
    rows = ["lp\tsegment\tbetter\tworse"]
    for lp in ("aa-bb", "cc-bb"):
        for _ in range(40):
            a, b = rng.permutation(len(SYSTEMS))[:2]
            rows.append(f"{lp}\t{rng.integers(1, len(whole) + 1)}\t{SYSTEMS[a]}\t{SYSTEMS[b]}")
    (tmp_path / "pairs.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    file = tmp_path / "texts.tsv"
    found = tuned(testset=[file, str(file)], judgements=str(tmp_path / "pairs.tsv"), pair=["aa-bb", "cc-bb"])
    assert [r.n for r in found if r.part == "all"] == [40, 40, 80]


def test_people_s_scores_of_systems_are_the_same_in_every_fold() -> None:
    whole = texts()
    people = MetricScores("H", "xx-yy", "system", SYSTEMS, ("",), np.array([[4.0], [3.0], [1.0], [2.0]]))
    found = tuned(judgements=None, human=people, objective="pearson", level="system")
    same = tercet.meta(testset=whole, human=people, metrics=[made(found.spec)], measures="pearson", interval="none")
    assert found.record("all").value == same.records[0].value
    assert [r.n for r in found] == [4, 4, 4, 4, 12]


def test_people_s_scores_of_segments_are_averaged_in_every_fold() -> None:
    whole = texts()
    table = np.random.default_rng(5).uniform(0, 1, (len(SYSTEMS), len(whole)))
    people = MetricScores("H", "xx-yy", "segment", SYSTEMS, whole.segments, table)
    own = direction("pearson", "system", data=assessments(whole), testset=whole)
    own = dataclasses.replace(own, people=dataclasses.replace(own.people, judgements=None, given=(people,)), golds={})
    held = own.inside(whole.segments, -1)
    np.testing.assert_allclose(own.gold(-1).scores[:, 0], table[:, held].mean(axis=1))
    np.testing.assert_allclose(own.gold(1).scores[:, 0], table[:, ~held].mean(axis=1))


@pytest.mark.parametrize("search", ["grid", "refine", "scipy"])
def test_what_counts_anew_has_the_figures_of_meta(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    """LeBLEU's n-grams and threshold move its statistics: every point is counted by itself."""
    monkeypatch.setattr("tercet.learning.search.GENERATIONS", 1)
    monkeypatch.setattr("tercet.learning.search.POPULATION", 2)
    whole, people = exercise()
    found = tercet.tune(
        "lebleu",
        testset=whole,
        judgements=people,
        folds=2,
        search=search,
        parameters=["max_n=1:3:1", "threshold=0:1:0.5"],
    )
    assert found.record("all").value == pytest.approx(told(found.spec, whole, people, found.objective))
    assert found.record("all").default == pytest.approx(told("lebleu", whole, people, found.objective))
    if search == "grid":
        every = [f"lebleu(max_n={n}, threshold={t})" for n in (1, 2, 3) for t in (0.0, 0.5, 1.0)]
        assert found.record("all").value == pytest.approx(
            max(told(spec, whole, people, found.objective) for spec in every)
        )
    profile = next(p for p in found.profiles if p.parameter == "max_n")
    assert len(set(profile.values)) > 1
