"""Word-level measures against scikit-learn, over mappings, baselines and consistency."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import qe_evaluate
from tercet.data import TagColumns, WordTags
from tercet.errors import InputError
from tercet.options.quality import EvaluateOptions
from tercet.quality.typologies import granularity_of, read_typology, wmt14
from tercet.quality.wordlevel import ClassCounts, confusion, ordered_labels, statistics, summary
from tercet.quality.words import word_answer

TAGS = st.lists(st.tuples(st.sampled_from(["OK", "BAD", "Fluency", "Typo"]), st.sampled_from(["OK", "BAD", "Typo"])))


def tagged(*lines: str) -> WordTags:
    return WordTags({"mt": TagColumns((tuple(tuple(line.split()) for line in lines),))})


@pytest.mark.filterwarnings("ignore:A single label was found")
@given(TAGS.filter(bool))
def test_measures_are_scikit_learns(pairs: list[tuple[str, str]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    gold, said = [g for g, _ in pairs], [p for _, p in pairs]
    labels = ordered_labels((tuple(gold),), (tuple(said),))
    counts = ClassCounts.of_sums(statistics(confusion((tuple(gold),), (tuple(said),), labels).sum(axis=0)))
    table = metrics.confusion_matrix(gold, said, labels=labels)
    assert confusion((tuple(gold),), (tuple(said),), labels)[0].tolist() == table.tolist()
    more = {"labels": labels, "zero_division": 0}
    assert counts.f1() == pytest.approx(metrics.f1_score(gold, said, average=None, **more))
    assert float(summary(counts, labels, "f1-all")) == pytest.approx(
        metrics.f1_score(gold, said, average="weighted", **more)
    )
    assert float(summary(counts, labels, "accuracy")) == pytest.approx(metrics.accuracy_score(gold, said))
    for i, label in enumerate(labels):
        single = metrics.matthews_corrcoef([g == label for g in gold], [p == label for p in said])
        assert counts.mcc()[i] == pytest.approx(single, abs=1e-12)
    if set(labels) == {"OK", "BAD"}:
        f1 = metrics.f1_score(gold, said, average=None, **more)
        assert float(summary(counts, labels, "f1-multi")) == pytest.approx(f1[0] * f1[1])
        assert float(summary(counts, labels, "f1-err")) == pytest.approx(f1[1] if "BAD" in gold else 0)


def test_trivial_baselines_are_always_there() -> None:
    gold = tagged("OK BAD OK", "OK OK OK")
    answer = qe_evaluate({"ours": tagged("OK BAD OK", "BAD OK OK")}, gold, samples=40)
    assert answer.value("all OK", "accuracy") == pytest.approx(5 / 6)
    assert answer.value("all OK", "f1-err") == 0
    assert answer.value("all BAD", "f1-err") == pytest.approx(2 * 1 / 7)
    assert answer.record("all BAD", "f1-err").winner is None  # no submission: it wins nothing
    assert answer.value("ours", "f1", "BAD") == pytest.approx(2 / 3)
    assert answer.winners("f1-err") == ["ours"]


def test_the_commonest_error_is_that_of_training() -> None:
    gold, training = tagged("OK Typography Omission Omission"), tagged("Typography OK Typography Omission")
    predictions = {"ours": tagged("OK OK Omission OK")}
    first = qe_evaluate(predictions, gold, samples=40)
    assert "all Omission" in {r.system for r in first}
    assert first.notes == ("The commonest error, Omission, is that of the true tags: no --training was given.",)
    how = EvaluateOptions(predictions, gold, samples=40)
    second = word_answer(predictions, gold, training, wmt14(), how)
    assert "all Typography" in {r.system for r in second.records}
    assert second.notes == ()


def test_coarse_tags_are_derived_from_fine_ones() -> None:
    gold, ours = tagged("OK Terminology Word_order Spelling"), tagged("OK Omission Terminology OK")
    level1 = qe_evaluate({"ours": ours}, gold, granularity="level1", samples=40)
    assert level1.value("ours", "accuracy") == 0.5  # Omission and Terminology are both of Accuracy
    binary = qe_evaluate({"ours": ours}, gold, granularity="binary", samples=40)
    assert binary.value("ours", "accuracy") == 0.75
    assert binary.value("ours", "f1-multi") == pytest.approx(2 / 3 * 4 / 5)
    with pytest.raises(InputError, match="the tag 'Nonsense' is not in the typology wmt14"):
        qe_evaluate({"ours": tagged("OK Nonsense OK OK")}, gold, granularity="level1", samples=40)
    replaced = qe_evaluate(
        {"ours": tagged("OK Nonsense OK OK")}, gold, replace={"Nonsense": "Omission"}, granularity="level1", samples=40
    )
    assert replaced.value("ours", "accuracy") == 0.5


def test_tags_that_contradict_each_other_are_counted() -> None:
    fine, coarse, binary = (("OK", "Omission"),), (("OK", "Fluency"),), (("BAD", "BAD"),)
    gold = WordTags({"mt": TagColumns((fine, (("OK", "Accuracy"),), (("OK", "BAD"),)))})
    answer = qe_evaluate({"ours": WordTags({"mt": TagColumns((fine, coarse, binary))})}, gold, samples=40)
    found = {r.granularity: r.value for r in answer if r.measure == "consistency"}
    assert found == {"level1": 0.5, "binary": 0.5}
    assert [(r.granularity, r.value) for r in answer if (r.system, r.measure) == ("ours", "accuracy")] == [
        ("multi", 1.0),
        ("level1", 0.5),
        ("binary", 0.5),
    ]


def test_one_class_only() -> None:
    answer = qe_evaluate({"ours": tagged("OK OK")}, tagged("OK OK"), samples=40)
    assert answer.value("ours", "f1-err") == 0
    assert answer.value("ours", "f1-all") == 1
    assert answer.value("ours", "mcc-all") == 0
    assert {r.system for r in answer} == {"ours", "all OK"}


def test_a_text_in_the_place_of_its_tags_is_refused() -> None:
    with pytest.raises(InputError, match="has no tag that is known; the first is 'Das'"):
        qe_evaluate({"ours": tagged("Das Haus", "ist")}, tagged("OK OK", "OK"), samples=40)
    kept = qe_evaluate({"ours": tagged("BAD BAD", "Agreement")}, tagged("OK OK", "OK"), samples=40)
    assert kept.value("ours", "accuracy") == 0


def test_sentences_without_words_change_nothing() -> None:
    with_empty = qe_evaluate({"ours": tagged("OK BAD", "")}, tagged("OK OK", ""), samples=40)
    assert with_empty.value("ours", "accuracy") == 0.5
    assert with_empty.record("ours", "accuracy").n == 2


def test_the_better_system_wins_alone_when_there_is_enough_to_see_it() -> None:
    rng = np.random.default_rng(1)
    gold = [["BAD" if x else "OK" for x in rng.random(20) < 0.3] for _ in range(60)]

    def noisy(share: float) -> WordTags:
        flip = {"OK": "BAD", "BAD": "OK"}
        return tagged(*(" ".join(flip[t] if rng.random() < share else t for t in line) for line in gold))

    truth = tagged(*(" ".join(line) for line in gold))
    answer = qe_evaluate(
        {"good": noisy(0.1), "twin": noisy(0.1), "poor": noisy(0.3)}, truth, samples=400, baseline="poor"
    )
    assert set(answer.winners("f1-err")) == {"good", "twin"}
    assert answer.record("good", "f1-err").like_baseline is False
    assert answer.record("poor", "f1-err").p_best == pytest.approx(1 / 401)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is no JSON"),
        ("[]", "has no tree of error types"),
        ('{"tree": {"A": []}}', "has a tree that is none"),
        ('{"tree": {"A": {"x": {}}, "B": {"X": {}}}}', "has 'X' in two branches"),
        ('{"tree": {"A": {}}, "aliases": {"c": "d"}}', "'c' stands for 'd', which is not there"),
        ('{"tree": {"A": {}}, "severities": {"minor": "one"}}', "severities are names with numbers"),
    ],
)
def test_a_broken_typology_is_refused(text: str, sentence: str, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "tree.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=sentence):
        read_typology(file)


def test_a_typology_of_ones_own(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "tree.json"
    file.write_text('{"name": "ours", "tree": {"शब्द": {"वर्तनी": {}}, "意味": {}}}', encoding="utf-8")
    typology = read_typology(file)
    assert (typology.level1("वर्तनी"), typology.level1("意味"), typology.level1("?")) == ("शब्द", "意味", None)
    assert granularity_of(["OK", "意味"], typology) == "level1"
    assert granularity_of(["OK", "वर्तनी"], typology) == "multi"
