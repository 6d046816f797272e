"""Models of quality: trained, kept in a folder, predicting, deciding, tagging, and as a metric."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import shutil
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.data import Texts
from tercet.encoders.tiny import write_tiny_encoder
from tercet.errors import InputError, SpecError
from tercet.learning.ngrams import train_lm
from tercet.options.quality_training import QePredictOptions
from tercet.quality.features import FEATURES, Feature, Translations
from tercet.quality.features.sets import feature_name
from tercet.quality.features.surface import Consensus
from tercet.quality.model import gathered, load
from tercet.quality.predict import predicted_parts
from tercet.spec import option
from tests.quality.models import dropped, example, lines, train

Files = dict[str, pathlib.Path]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The example."""
    return example(tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="module")
def model(files: Files, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A model of sentences."""
    path = tmp_path_factory.mktemp("models") / "model"
    train(files, path)
    return path


def test_a_model_predicts_better_than_the_mean_and_says_so(files: Files, tmp_path: pathlib.Path) -> None:
    training = train(files, tmp_path / "m", learners=("pls", "ridge"))
    assert training.mae < training.mean_mae
    assert training.candidates[0].error == min(entry.error for entry in training.candidates)
    assert {entry.learner for entry in training.candidates} == {"ridge", "pls"}
    records = training.as_records()
    assert [r["importance"] for r in records] == sorted((r["importance"] for r in records), reverse=True)
    truth = np.array([float(line) for line in lines(files["test.hter"])])
    scores = [entry.score for entry in tercet.qe_predict(tmp_path / "m", files["test.en"], files["test.mt"]).segments]
    assert np.corrcoef(scores, truth)[0, 1] > 0.3


def test_the_same_again_is_the_same_to_the_byte(files: Files, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    train(files, tmp_path / "again", threads=3)
    assert (tmp_path / "again" / "model.json").read_bytes() == (model / "model.json").read_bytes()
    assert (tmp_path / "again" / "arrays.safetensors").read_bytes() == (model / "arrays.safetensors").read_bytes()


def test_a_model_may_be_moved(files: Files, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    shutil.copytree(model, tmp_path / "moved")
    here = tercet.qe_predict(model, files["test.en"], files["test.mt"])
    there = tercet.qe_predict(tmp_path / "moved", files["test.en"], files["test.mt"])
    assert here.as_records() == there.as_records()


def test_files_of_features_go_into_the_folder(files: Files, tmp_path: pathlib.Path) -> None:
    train_lm([files["train.pe"]], order=2).write(tmp_path / "other.arpa")
    inner = f"metric(metric=lm(model={tmp_path}/other.arpa))"
    train(files, tmp_path / "m", features=("surface", f"lm-probability(model={tmp_path}/other.arpa)", inner))
    before = tercet.qe_predict(tmp_path / "m", ["a guest"], ["ein Gast"], why=0).as_records()
    (tmp_path / "other.arpa").unlink()
    (tmp_path / "m").rename(tmp_path / "n")
    assert tercet.qe_predict(tmp_path / "n", ["a guest"], ["ein Gast"], why=0).as_records() == before
    assert len(list((tmp_path / "n").glob("*other.arpa"))) == 1


def test_parts_and_lists_give_what_files_give(
    files: Files, model: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tercet.qe_predict(model, files["test.en"], files["test.mt"]).as_records()
    assert tercet.qe_predict(model, lines(files["test.en"]), lines(files["test.mt"])).as_records() == whole
    monkeypatch.setattr("tercet.quality.predict.PART", 7)
    asked = QePredictOptions(model, files["test.en"], files["test.mt"], threads=1)
    parts = [[entry.as_record() for entry in part] for part in predicted_parts(asked)]
    assert [record for part in parts for record in part] == whole
    assert len(parts[0]) == 7


def test_what_moved_a_score_is_named(files: Files, model: pathlib.Path) -> None:
    answer = tercet.qe_predict(model, files["test.en"], files["test.mt"], why=2)
    assert all(len(entry.moved) <= 2 for entry in answer.segments)
    moved = answer.segments[0].moved
    assert abs(moved[0].by) >= abs(moved[1].by)
    assert ".gz" not in answer.as_records()[0]["why"]
    scores = [entry.score for entry in answer.by_need()]
    assert scores == sorted(scores, reverse=True)


ODD = ["", "x", "  ", "हिन्दी वाक्य", "这是一个句子", "هذه جملة", "\u200b", "😀 " * 50, "wort " * 10_000, "((((", "1 2 3"]


def test_odd_texts_have_finite_scores(model: pathlib.Path) -> None:
    for sources, targets in ((ODD, ODD[::-1]), (ODD[::-1], ODD), ([""], [""])):
        answer = tercet.qe_predict(model, sources, targets)
        assert np.isfinite([entry.score for entry in answer.segments]).all()
    assert tercet.qe_predict(model, [], []).segments == ()


def test_every_feature_is_finite_on_odd_texts(files: Files, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    pairs = Translations(Texts.of(ODD), Texts.of(ODD[::-1]), others={"b": Texts.of(ODD)}, threads=2)
    made = {str(feature).partition("(")[0] for feature in load(model).features}
    for feature in (
        *load(model).features,
        FEATURES.make("consensus"),
        FEATURES.make("consensus(metric=ter, form=best)"),
    ):
        values = feature.values(pairs)
        assert values.shape == (len(ODD),)
        assert not np.isinf(values).any(), feature
        # not all that a metric says is defined
        assert not np.isnan(values).any() or "metric" in feature.within, feature
    assert made | {"consensus"} == set(FEATURES)


def test_others_are_needed_where_a_feature_compares(files: Files, tmp_path: pathlib.Path) -> None:
    others = {"b": lines(files["train.pe"])}
    train(files, tmp_path / "m", features=("surface", "consensus"), others=others)
    with pytest.raises(InputError, match="other systems' translations"):
        tercet.qe_predict(tmp_path / "m", ["a"], ["b"])
    assert len(tercet.qe_predict(tmp_path / "m", ["a"], ["b"], others={"b": ["c"]}).segments) == 1
    with pytest.raises(SpecError, match="without other systems"):
        tercet.metric(f"qe(model={tmp_path / 'm'})")


def test_consensus_passes_over_what_is_not_defined(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = iter([[1.0, np.nan, np.nan], [3.0, 2.0, np.nan]] * 3)
    monkeypatch.setattr(Consensus, "_against", lambda *_: np.array(next(scores)))
    three = Texts.of(["a", "b", "c"])
    pairs = Translations(three, three, others={"b": three, "c": three})
    for spec, wanted in (
        ("consensus", [2.0, 2.0, np.nan]),
        ("consensus(form=best)", [3.0, 2.0, np.nan]),
        ("consensus(metric=ter, form=best)", [1.0, 2.0, np.nan]),
    ):
        assert np.array_equal(FEATURES.make(spec).values(pairs), wanted, equal_nan=True), spec


def test_what_is_not_defined_says_nothing_and_is_named(files: Files, tmp_path: pathlib.Path) -> None:
    """A metric of no text is not 0, which might be the best that there is: it counts as on average."""
    train(files, tmp_path / "m", features=("surface", "metric(metric=ibm1)"))
    model = load(tmp_path / "m")
    empty, full = tercet.qe_predict(tmp_path / "m", ["a guest"] * 2, ["", "ein Gast"], why=20).segments
    assert empty.undefined == ("ibm1",)
    assert not any(entry.feature == "ibm1" for entry in empty.moved)
    assert empty.as_record()["why"].endswith("; ibm1 n/a")
    assert (full.undefined, "n/a" in full.as_record()["why"]) == ((), False)
    rows = model.rows(model.pairs(Texts.of(["a guest"]), Texts.of([""]), {}, 1))
    assert np.isnan(rows).sum() == 1
    assert model.predict(np.nan_to_num(rows, nan=0.0), 1).tolist() == [empty.score]


def test_training_says_what_is_not_defined(files: Files, tmp_path: pathlib.Path) -> None:
    targets = ["", "", *lines(files["train.mt"])[2:]]
    training = tercet.qe_train(
        lines(files["train.en"]),
        targets,
        labels=[float(line) for line in lines(files["train.hter"])],
        model=tmp_path / "m",
        features=("surface", "metric(metric=ibm1)"),
        learners=("ridge",),
        calibration=0.01,
    )
    assert any("ibm1 is not defined for 2 of" in note for note in training.notes)
    assert np.isfinite([e.score for e in tercet.qe_predict(tmp_path / "m", ["a", "b"], ["", "c"]).segments]).all()


@dataclasses.dataclass(frozen=True)
class _Reading(Feature):
    """A feature with a file."""

    model: str = option("", "the file")

    name = "reading"
    files = ("model",)


def test_similarities_of_an_encoder_are_features_and_the_encoder_is_part_of_the_model(
    files: Files, tmp_path: pathlib.Path
) -> None:
    encoder = write_tiny_encoder(tmp_path / "tiny")
    train(files, tmp_path / "m", features=("surface",), encoder=str(encoder), source_corpus=None, target_corpus=None)
    names = [feature_name(str(feature)) for feature in load(tmp_path / "m").features]
    assert names[-2:] == ["cosine-source", "yisi-2"]
    texts = ["a guest", "", "x"], ["ein Gast", "ein", ""]
    before = tercet.qe_predict(tmp_path / "m", *texts, why=0).as_records()
    shutil.rmtree(encoder)
    (tmp_path / "m").rename(tmp_path / "n")
    assert tercet.qe_predict(tmp_path / "n", *texts, why=0).as_records() == before
    with pytest.raises((InputError, SpecError), match="nowhere"):
        train(files, tmp_path / "o", features=("surface",), encoder="nowhere")
    (tmp_path / "model.onnx").write_bytes(b"")
    with pytest.raises(InputError, match="is an ONNX file, whose tokenizer lies beside it"):
        gathered((_Reading(str(tmp_path / "model.onnx")),), tmp_path / "n")
    with pytest.raises(InputError, match="encoder does nothing without level sentence"):
        train(files, tmp_path / "o", level="word", encoder=str(encoder))
    assert not (tmp_path / "o").exists()


def test_features_of_one_metric_have_names_of_their_own(files: Files, tmp_path: pathlib.Path) -> None:
    specs = ("metric", "metric(metric=length-ratio(unit=characters))", "tokens")
    training = train(files, tmp_path / "m", features=specs, source_corpus=None, target_corpus=None)
    assert sorted(training.names) == ["length-ratio", "length-ratio(unit=characters)", "tokens"]


def test_the_seventeen_as_the_program_has_them(files: Files, tmp_path: pathlib.Path) -> None:
    training = train(files, tmp_path / "m", features=("quest17",))
    specs = [feature_name(str(feature)) for feature in training.model.features]
    assert len(specs) == 17
    assert specs[-2:] == ["punctuation(form=program)", "punctuation(side=target, form=program)"]
    plain = train(files, tmp_path / "n", features=("baseline17",))
    assert specs[:15] == [feature_name(str(feature)) for feature in plain.model.features][:15]


def test_the_baseline_needs_all_resources(files: Files, tmp_path: pathlib.Path) -> None:
    training = train(files, tmp_path / "m", features=("baseline17",))
    assert len(training.model.features) == 17
    with pytest.raises(InputError, match="--source-lm, --target-lm, --lexicon, --frequencies"):
        train(files, tmp_path / "n", features=("baseline17",), source_corpus=None, target_corpus=None)
    assert not (tmp_path / "n").exists()


def test_features_are_selected(files: Files, tmp_path: pathlib.Path) -> None:
    training = train(files, tmp_path / "m", selection="forward", features=("surface",))
    errors = [error for _, error in training.selected]
    assert errors == sorted(errors, reverse=True)
    assert len(training.model.features) == len(errors) <= 12


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({"learners": ("oracle",)}, "no learner 'oracle'"),
        ({"features": ("luck",)}, "no feature called 'luck'"),
        ({"source_lm": "nowhere.arpa"}, "no file nowhere.arpa"),
        ({"calibration": 1.0}, "calibration must be"),
        ({"folds": 1}, "folds must be"),
    ],
)
def test_what_is_wrong_is_said(more: dict[str, Any], wrong: str, files: Files, tmp_path: pathlib.Path) -> None:
    with pytest.raises((InputError, SpecError), match=wrong):
        train(files, tmp_path / "m", **more)
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("source", "target", "labels", "wrong"),
    [
        (["a"] * 50, ["b"] * 49, [0.5] * 50, "50 sources and 49 translations"),
        (["a"] * 50, ["b"] * 50, [0.5] * 49, "49 labels of 50"),
        ([str(i) for i in range(50)], ["b"] * 50, [0.5] * 50, "All labels are the same"),
        (["a"] * 50, ["b"] * 50, list(range(50)), "of 1 source sentences, too few"),
        ([str(i) for i in range(9)], ["b"] * 9, list(range(9)), "There are 9 labelled segments"),
        ([str(i) for i in range(50)], ["b"] * 50, [float("nan")] * 50, "no label, but nan"),
    ],
)
def test_texts_and_labels_that_do_not_fit(
    source: list[str], target: list[str], labels: list[float], wrong: str, tmp_path: pathlib.Path
) -> None:
    with pytest.raises(InputError, match=wrong):
        tercet.qe_train(source, target, labels=labels, model=tmp_path / "m", features=("surface",))


def test_a_model_that_was_changed_is_refused(files: Files, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    def changed(name: str, file: str, content: bytes) -> pathlib.Path:
        path = tmp_path / name
        shutil.copytree(model, path)
        (path / file).write_bytes(content)
        return path

    content = json.loads((model / "model.json").read_text(encoding="utf-8"))
    forged = json.dumps({**content, "unit": 2.0}).encode()
    with pytest.raises(InputError, match="does not fit its signature"):
        load(changed("a", "model.json", forged))
    with pytest.raises(InputError, match="not as it was written"):
        load(changed("b", "arrays.safetensors", b"nonsense"))
    with pytest.raises(InputError, match="has changed"):
        load(_other_lexicon(model, tmp_path))
    with pytest.raises(InputError, match="no folder of a model"):
        load(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("dear", encoding="utf-8")
    with pytest.raises(InputError, match="is no model"):
        train(files, tmp_path / "full")


def _other_lexicon(model: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "d"
    shutil.copytree(model, path)
    shutil.copyfile(model / "frequencies.gz", path / "lexicon.gz")
    return path


def test_decisions_keep_their_promise_on_what_was_held_out(model: pathlib.Path) -> None:
    for risk in (0.05, 0.2):
        answer = tercet.qe_decide(model, risk=risk, good=0.2, light=0.5)
        assert all(share <= risk for _, share in answer.wrong)
        assert sum(share for _, share in answer.shares) == pytest.approx(1)
        assert answer.publish <= answer.light
    lenient = tercet.qe_decide(model, risk=0.5, good=0.2, light=0.5)
    assert dict(lenient.shares)["publish"] >= dict(answer.shares)["publish"]
    published = [point.published for point in lenient.curve]
    assert published == sorted(published)
    with pytest.raises(InputError, match="wrong way round"):
        tercet.qe_decide(model, good=0.5, light=0.2)


def test_an_empty_translation_is_never_published(model: pathlib.Path) -> None:
    answer = tercet.qe_decide(model, risk=0.9, good=0.9, light=0.95, source=["ein Gast", ""], target=["", ""])
    assert answer.segments[0].decision == "full edit"
    with pytest.raises(InputError, match="go together"):
        tercet.qe_decide(model, source=["a"])


def test_nothing_is_promised_from_few_labels(files: Files, tmp_path: pathlib.Path) -> None:
    train(files, tmp_path / "m", calibration=0.02)
    answer = tercet.qe_predict(tmp_path / "m", ["a"], ["b"], coverage=0.99)
    assert answer.segments[0].low == -np.inf
    assert "they hold any label that can be" in answer.notes[0]
    assert tercet.qe_decide(tmp_path / "m", risk=0.01).publish == -np.inf


def test_higher_labels_turn_everything_round(files: Files, tmp_path: pathlib.Path) -> None:
    labels = [1 - float(line) for line in lines(files["train.hter"])]
    source, target = lines(files["train.en"]), lines(files["train.mt"])
    tercet.qe_train(source, target, labels=labels, model=tmp_path / "m", higher=True, learners=("ridge",))
    assert tercet.metric(f"qe(model={tmp_path / 'm'})").higher_is_better
    answer = tercet.qe_decide(tmp_path / "m", risk=0.3, good=0.8, light=0.5)
    assert answer.publish >= answer.light
    assert answer.wrong[0][1] <= 0.3


def test_a_model_is_a_metric(files: Files, model: pathlib.Path) -> None:
    metric = tercet.metric(f"qe(model={model})")
    sources, targets = lines(files["test.en"]), lines(files["test.mt"])
    scores = [entry.score for entry in tercet.qe_predict(model, sources, targets, why=0).segments]
    assert metric.segments(targets, sources=sources).tolist() == scores
    assert metric.corpus(targets, sources=sources) == pytest.approx(np.mean(scores))
    assert not metric.higher_is_better
    records = tercet.score({"a": targets}, sources=sources, metrics=[str(metric), "length-ratio"], ci=True).as_records()
    assert records[0]["low"] < records[0]["score"] < records[0]["high"]
    told = metric.explain(targets[0], source=sources[0])
    assert any(name.startswith("moved by") for name, _ in told.statistics)


def test_a_model_is_compared_and_explained_by_the_verbs(files: Files, model: pathlib.Path) -> None:
    sources, targets, edited = (lines(files[f"test.{end}"]) for end in ("en", "mt", "pe"))
    metric = tercet.metric(f"qe(model={model})")
    answer = tercet.compare(
        {"machine": targets, "editor": edited}, edited, sources=sources, metrics=[str(metric), "chrf"], samples=200
    )
    scores = {name: answer.score(str(metric), name) for name in ("machine", "editor")}
    assert scores["editor"].score == metric.corpus(edited, sources=sources)
    assert scores["editor"].score < scores["machine"].score
    assert (scores["editor"].rank, scores["machine"].rank) == (1, 2)  # lower is better
    told = tercet.explain(str(metric), targets[0], source=sources[0])
    assert told.records[0].score == metric.segments(targets[:1], sources=sources[:1])[0]
    assert any(name.startswith("moved by") for name, _ in told.records[0].statistics)


@pytest.mark.parametrize("learner", ["crf", "forest"])
def test_words_are_tagged(learner: str, files: Files, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    training = train(files, tmp_path / "w", level="word", word_learner=learner)
    bad = next(record for record in training.as_records() if record["tag"] == "BAD")
    assert bad["f1"] > 0.5
    answer = tercet.qe_predict(
        model, [*lines(files["test.en"]), ""], [*lines(files["test.mt"]), ""], words=tmp_path / "w"
    )
    for entry in answer.segments:
        assert [word for word, _, _ in entry.tags] == entry.target.split()
        assert all(0 <= wrong <= 1 for _, _, wrong in entry.tags)
    assert "suspicious" in answer.as_records()[0]
    odd = tercet.qe_predict(model, ODD, ODD[::-1], words=tmp_path / "w", why=0)
    assert len(odd.segments) == len(ODD)
    with pytest.raises(InputError, match="is a model of words, and a model of sentences is needed"):
        tercet.qe_decide(tmp_path / "w")
    with pytest.raises(InputError, match="is a model of sentences, and a model of words is needed"):
        tercet.qe_predict(model, ["a"], ["b"], words=model)
    facts = json.loads((tmp_path / "w" / "model.json").read_text(encoding="utf-8"))["facts"]
    assert facts["training"] == training.signature
    assert {"tercet", "python-crfsuite" if learner == "crf" else "scikit-learn"} <= facts["versions"].keys()


def test_a_model_of_words_alone_tags_line_by_line(files: Files, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    train(files, tmp_path / "w", level="word")
    sources, targets = [*lines(files["test.en"]), "a guest", *ODD], [*lines(files["test.mt"]), "", *ODD[::-1]]
    alone = tercet.qe_predict(tmp_path / "w", sources, targets)
    beside = tercet.qe_predict(model, sources, targets, words=tmp_path / "w", why=0)
    for one, other, target in zip(alone.segments, beside.segments, targets, strict=True):
        assert (one.tags, one.tag_line()) == (other.tags, other.tag_line())
        assert one.line().split() == [tag for _, tag, _ in one.tags]
        assert len(one.tags) == len(target.split())
        if one.tags:
            assert one.score == pytest.approx(np.mean([wrong for _, _, wrong in one.tags]))
    records = alone.as_records()
    assert records[120] == {"segment": 121, "words": 0, "wrong": None, "tags": "", "suspicious": ""}
    need = alone.by_need()
    assert not need[0].tags  # nothing can be said of it: look at it first
    scores = [entry.score for entry in need if entry.tags]
    assert scores == sorted(scores, reverse=True)
    assert alone.mean == pytest.approx(np.mean(scores))
    assert "n/a" in str(tercet.qe_predict(tmp_path / "w", ["a"], [""]))
    truth = " ".join(lines(files["test.words"])).split()
    tagged = " ".join(entry.line() for entry in alone.segments[:120]).split()
    assert np.mean([one == other for one, other in zip(tagged, truth, strict=True)]) > 0.9
    with pytest.raises(InputError, match="is a model of words itself"):
        tercet.qe_predict(tmp_path / "w", ["a"], ["b"], words=tmp_path / "w")
    for idle in ({"why": 1}, {"coverage": 0.5}, {"others": {"x": ["c"]}}):
        with pytest.raises(InputError, match="does nothing with a model of words"):
            tercet.qe_predict(tmp_path / "w", ["a"], ["b"], **idle)


def test_coarse_tags_are_derived_from_fine_ones(files: Files, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    names = {0: "Word order", 1: "Terminology", 2: "Omission"}
    with (tmp_path / "fine").open("w", encoding="utf-8") as file:
        for i, (row, line) in enumerate(zip(lines(files["train.words"]), lines(files["train.mt"]), strict=True), 1):
            for k, (tag, word) in enumerate(zip(row.split(), line.split(), strict=True)):
                file.write(f"{i}\t{k}\t{word}\t{tag if tag == 'OK' else names[len(word) % 3]}\n")
    how: dict[str, Any] = {"source_corpus": files["train.en"], "target_corpus": files["train.pe"], "level": "word"}
    tercet.qe_train(files["train.en"], files["train.mt"], labels=tmp_path / "fine", model=tmp_path / "w", **how)
    texts = files["test.en"], files["test.mt"]
    fine = tercet.qe_predict(tmp_path / "w", *texts)
    seen = {tag for entry in fine.segments for _, tag, _ in entry.tags}
    assert seen == {"OK", *names.values()}
    assert "Word_order" in " ".join(entry.line() for entry in fine.segments).split()  # a word a tag
    branches = {"OK": "OK", "Word order": "Fluency", "Terminology": "Accuracy", "Omission": "Accuracy"}
    for granularity, coarse in (
        ("level1", branches),
        ("binary", {tag: tag if tag == "OK" else "BAD" for tag in branches}),
    ):
        answer = tercet.qe_predict(tmp_path / "w", *texts, granularity=granularity)  # type: ignore[arg-type]
        wanted = [[coarse[tag] for _, tag, _ in entry.tags] for entry in fine.segments]
        assert [entry.line().split() for entry in answer.segments] == wanted
        assert f"granularity:{granularity}" in answer.signature
    with pytest.raises(InputError, match="granularity does nothing without a model of words"):
        tercet.qe_predict(model, *texts, granularity="binary")
    tree = tmp_path / "tree.json"
    tree.write_text('{"name": "ours", "tree": {"Style": {"Omission": {}}}}', encoding="utf-8")
    with pytest.raises(InputError, match="is not in the typology ours"):
        tercet.qe_predict(tmp_path / "w", *texts, granularity="level1", typology=tree)


@pytest.mark.parametrize("learner", ["crf", "forest"])
def test_where_words_are_missing_is_learnt(learner: Any, model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    sources, targets, tags = dropped(240, 1)
    draw = np.random.default_rng(2)
    corpus = [draw.integers(0, 40, 6).tolist() for _ in range(400)]
    for letter in ("s", "t"):
        text = "".join(" ".join(f"{letter}{word}" for word in row) + "\n" for row in corpus)
        (tmp_path / letter).write_text(text, encoding="utf-8")
    how: dict[str, Any] = {"level": "word", "gaps": True, "word_learner": learner}
    files: dict[str, Any] = {"source_corpus": tmp_path / "s", "target_corpus": tmp_path / "t"}
    training = tercet.qe_train(sources, targets, labels=tags, model=tmp_path / "w", **how, **files)
    records = {(record["of"], record["tag"]): record for record in training.as_records()}
    assert records["gaps", "BAD"]["f1"] > 0.9
    new, translated, truth = dropped(60, 3)
    answer = tercet.qe_predict(model, new, translated, words=tmp_path / "w", why=0)
    guesses = [tag for entry in answer.segments for tag, _ in entry.gaps]
    gold = [tag for row in truth for tag in row.split()[::2]]
    assert np.mean([one == other for one, other in zip(guesses, gold, strict=True)]) > 0.97
    assert all(0 <= wrong <= 1 for entry in answer.segments for _, wrong in entry.gaps)
    assert "missing" in answer.as_records()[0]
    empty = tercet.qe_predict(model, ["", "s1"], ["", ""], words=tmp_path / "w", why=0)
    assert [len(entry.gaps) for entry in empty.segments] == [1, 1]
    assert all({"suspicious", "missing"} <= record.keys() for record in empty.as_records())  # a table has one width
    (tmp_path / "tags").write_text("".join(f"{row}\n" for row in tags), encoding="utf-8")
    again = tercet.qe_train(sources, targets, labels=tmp_path / "tags", model=tmp_path / "v", **how, **files)
    assert again.as_records() == training.as_records()
