"""Labels of quality straight from a campaign: what is saved, what is learnt from, what predictions are held against."""

from __future__ import annotations

import math
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.campaigns.campaign import Campaign
from tercet.data import TestSet
from tercet.data.quality import SentenceLabels
from tercet.errors import InputError
from tercet.quality.model import load
from tests.campaigns.build import texts
from tests.databases import NewCampaign
from tests.server.client import Person, served

N = 12
HOW: dict[str, Any] = {"features": ("surface",), "learners": ("ridge",), "calibration": 0.5, "folds": 3}


def answered(make: NewCampaign, protocol: str, testset: TestSet, **more: Any) -> Any:
    """A campaign in which everything was answered, once."""
    path, made = make(protocol, testset=testset, annotators=1, **more)
    with served(path) as client:
        for link in made.links.values():
            Person(client, link).work()
    return path


@pytest.fixture
def edited(new_campaign: NewCampaign) -> Any:
    """Post-edits of all outputs."""
    return answered(new_campaign, "postedit", texts(N))


def outputs(system: str) -> list[str]:
    return list(texts(N).systems[system].strings)


def test_what_is_saved_is_what_labels_are_made_of(edited: Any) -> None:
    with Campaign.open(edited) as campaign:
        events = [e for a in campaign.state.annotators.values() for e in a.answers.values()]
        shown = [campaign.shown(str(event.item))["outputs"][0]["text"] for event in events]
    after = [event.body["answer"]["outputs"][0]["text"] for event in events]
    saved = [event.body["edits"][0] for event in events]
    made = {kind: tercet.qe_labels(kind, target=shown, post_edits=after) for kind in ("hter", "tags")}
    assert [entry["hter"] for entry in saved] == made["hter"].numbers().tolist()
    assert [" ".join(entry["tags"]) for entry in saved] == made["tags"].lines()


def test_a_model_is_learnt_from_post_edits(edited: Any, tmp_path: pathlib.Path) -> None:
    training = tercet.qe_train(labels=edited, model=tmp_path / "m", **HOW)
    rows = [(source, text) for name in texts(N).systems for source, text in zip(sources(), outputs(name), strict=True)]
    source, target = ([row[i] for row in rows] for i in (0, 1))
    labels = tercet.qe_labels("hter", target=target, post_edits=[f"{text} indeed" for text in target]).numbers()
    beside = tercet.qe_train(source, target, labels=labels.tolist(), model=tmp_path / "n", kind="hter", **HOW)
    assert training.signature == beside.signature
    assert (training.model.least, training.model.most, training.model.higher) == (0, 1, False)
    assert f"Labels: hter of {5 * N} translations that people judged." in training.notes
    assert load(tmp_path / "m").most == 1
    for wrong, sentence in (
        ({"source": source}, "is a campaign, which has the texts"),
        ({"system": "zebra"}, "has no system 'zebra'"),
        ({"kind": "hter", "most": 0.01}, "A label is"),
    ):
        with pytest.raises(InputError, match=sentence):
            tercet.qe_train(labels=edited, model=tmp_path / "x", **{**HOW, **wrong})
    with pytest.raises(InputError, match="too few sentences with errors"):  # these people have only added words
        tercet.qe_train(labels=edited, model=tmp_path / "x", level="word")
    assert not (tmp_path / "x").exists()


def sources() -> list[str]:
    testset = texts(N)
    assert testset.sources is not None
    return list(testset.sources.strings)


def test_predictions_are_held_against_post_edits(edited: Any) -> None:
    labels = tercet.qe_labels("hter", judgements=edited, system="amber").numbers()
    guess = np.linspace(0, 1, N)
    answer = tercet.qe_evaluate({"guess": guess}, edited, system="amber", samples=40)
    assert answer.value("guess", "mae") == pytest.approx(float(np.abs(guess - labels).mean()))
    assert answer.records == tercet.qe_evaluate({"guess": guess}, labels, samples=40).records
    assert "|kind:hter|system:amber|" in answer.signature
    seconds = tercet.qe_evaluate({"guess": guess}, edited, system="amber", kind="time", samples=40)
    times = tercet.qe_labels("time", judgements=edited, system="amber").numbers()
    assert "|kind:time|system:amber|" in seconds.signature
    assert seconds.value("guess", "mae") == pytest.approx(float(np.nanmean(np.abs(guess - times))))
    assert any("lie far off and are no labels" in note for note in seconds.notes)
    with pytest.raises(InputError, match="has 5 systems"):
        tercet.qe_evaluate({"guess": guess}, edited)
    with pytest.raises(InputError, match=f"has 3 segments of guess, and .* has {N}, of which {N} were judged"):
        tercet.qe_evaluate({"guess": guess[:3]}, edited, system="amber")
    with pytest.raises(InputError, match="belongs to a campaign"):
        tercet.qe_evaluate({"guess": guess}, labels, kind="hter")


@pytest.mark.parametrize("gaps", [False, True])
def test_tags_are_held_against_post_edits(edited: Any, tmp_path: pathlib.Path, gaps: bool) -> None:
    kind = "gap-tags" if gaps else "tags"
    lines = tercet.qe_labels(kind, judgements=edited, system="amber").lines()  # type: ignore[arg-type]
    gold, guess = tmp_path / "gold", tmp_path / "guess"
    gold.write_text("".join(f"{line}\n" for line in lines))
    guess.write_text("".join(" ".join(["OK", *line.split()[1:-1], "BAD"]) + "\n" for line in lines))
    how: dict[str, Any] = {"level": "word", "gaps": gaps, "samples": 40}
    answer = tercet.qe_evaluate({"guess": guess}, edited, system="amber", **how)
    assert answer.records == tercet.qe_evaluate({"guess": guess}, gold, **how).records
    assert {record.task for record in answer} == ({"word", "gap"} if gaps else {"word"})


def test_scores_errors_and_spans(new_campaign: NewCampaign, tmp_path: pathlib.Path) -> None:
    path = answered(new_campaign, "esa", texts(N))
    labels = tercet.qe_labels("score", judgements=path, system="birch")
    guess = [50.0] * N
    answer = tercet.qe_evaluate({"guess": guess}, path, system="birch", samples=40)
    assert answer.value("guess", "mae") == pytest.approx(float(np.abs(labels.numbers() - 50).mean()))
    assert "better:higher" in answer.signature  # which a campaign of scores knows
    training = tercet.qe_train(labels=path, model=tmp_path / "m", **HOW)
    assert (training.model.least, training.model.most, training.model.higher) == (0, 100, True)
    weights = tercet.qe_train(labels=path, model=tmp_path / "n", kind="mqm", **HOW)
    assert (weights.model.least, weights.model.most, weights.model.higher) == (0, math.inf, False)
    spans = tmp_path / "spans.jsonl"
    spans.write_text(
        "".join(f"{line}\n" for line in tercet.qe_labels("spans", judgements=path, system="birch").lines())
    )
    exact = tercet.qe_evaluate({"same": spans}, path, level="span", system="birch", samples=40)
    assert exact.value("same", "wmt25-f1") == exact.value("same", "mpp-f1") == 1
    with pytest.raises(InputError, match="has no post-edits, of which hter would be made"):
        tercet.qe_evaluate({"guess": guess}, path, system="birch", kind="hter")


def test_of_a_test_set_only_what_was_judged_counts(new_campaign: NewCampaign, tmp_path: pathlib.Path) -> None:
    one = TestSet.of({"amber": outputs("amber")}, sources=sources(), segments=[f"s{i}" for i in range(N)])
    path = answered(new_campaign, "postedit(basis=source)", one, items=7)
    labels = tercet.qe_labels("hter", judgements=path)
    assert len(labels) == 7
    places = [int(segment[1:]) for segment in labels.segments]
    whole = np.linspace(0, 1, N)
    answer = tercet.qe_evaluate({"guess": whole}, path, samples=40)
    assert answer.value("guess", "mae") == pytest.approx(float(np.abs(whole[places] - labels.numbers()).mean()))
    part = SentenceLabels(labels.segments, whole[places])
    assert answer.records == tercet.qe_evaluate({"guess": part}, path, samples=40).records


def test_rankings_are_no_labels(new_campaign: NewCampaign, tmp_path: pathlib.Path) -> None:
    path = answered(new_campaign, "ranking", texts(2))
    with pytest.raises(InputError, match="has rankings where scores or error spans are needed"):
        tercet.qe_train(labels=path, model=tmp_path / "m")
