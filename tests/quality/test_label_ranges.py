"""What a label can be: kept with a model, refused where labels are others, and the end of every interval."""

from __future__ import annotations

import math
import pathlib
import re
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.errors import InputError
from tercet.quality.model import _range, load
from tests.quality.models import example, lines, train


def test_no_interval_leaves_what_a_label_can_be(tmp_path: pathlib.Path) -> None:
    files = example(tmp_path)
    told = train(files, tmp_path / "m", kind="hter")
    assert not any("All labels are from 0 to 1" in note for note in told.notes)
    untold = train(files, tmp_path / "n")
    assert any("All labels are from 0 to 1" in note for note in untold.notes)
    open_ended, ended = (
        tercet.qe_predict(tmp_path / name, files["test.en"], files["test.mt"], coverage=0.95) for name in "nm"
    )
    labels = [float(line) for line in lines(files["test.hter"])]
    kept, kept_before = [], []
    for label, before, after in zip(labels, open_ended.segments, ended.segments, strict=True):
        assert after.score == before.score
        assert 0 <= after.low <= after.high <= 1
        assert (after.low, after.high) == (max(before.low, 0), min(max(before.high, 0), 1))
        kept.append(after.low <= label <= after.high)
        kept_before.append(before.low <= label <= before.high)
    assert min(entry.low for entry in open_ended.segments) < 0
    assert sum(kept) >= sum(kept_before)


@pytest.mark.parametrize(
    ("given", "ends"),
    [
        ({"kind": "time"}, (0, np.inf)),
        ({"kind": "score"}, (0, 100)),
        ({"least": -1.0}, (-1, np.inf)),
        ({"kind": "hter", "most": 1.5}, (0, 1.5)),
        ({}, (-np.inf, np.inf)),
    ],
)
def test_what_labels_can_be_is_kept_with_the_model(
    given: dict[str, Any], ends: tuple[float, float], tmp_path: pathlib.Path
) -> None:
    texts = [f"word {i} " * (1 + i % 7) for i in range(60)]
    labels = [(1 + i % 7) / 8 for i in range(60)]
    tercet.qe_train(
        texts, texts, labels=labels, model=tmp_path / "m", features=("surface",), learners=("ridge",), **given
    )
    loaded = load(tmp_path / "m")
    assert (loaded.least, loaded.most) == ends


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"kind": "effort"}, "A label is 0.125, and effort is 1 or more."),
        ({"most": 0.5}, "A label is 0.625, and there is none above 0.5."),
        ({"least": 1.0, "most": 0.5}, "Labels from 1 to 0.5 are none."),
        ({"system": "amber"}, "system belongs to a campaign"),
        ({"target": None}, "There is no target that the labels are of."),
    ],
)
def test_what_labels_cannot_be_is_refused(given: dict[str, Any], sentence: str, tmp_path: pathlib.Path) -> None:
    texts, labels = [f"text {i}" for i in range(60)], [(1 + i % 7) / 8 for i in range(60)]
    usual = {"source": texts, "target": texts, "labels": labels, "model": tmp_path / "m"}
    with pytest.raises(InputError, match=re.escape(sentence)):
        tercet.qe_train(**{**usual, **given})
    assert not (tmp_path / "m").exists()


def test_segments_without_a_label_are_left_out(tmp_path: pathlib.Path) -> None:
    texts = [f"word {i} " * (1 + i % 7) for i in range(64)]
    times = np.array([3.0 + i % 7 + i / 99 for i in range(64)])
    times[[5, 40]] = 1e5
    (tmp_path / "times").write_text("".join(f"{time}\n" for time in times), encoding="utf-8")
    made = tercet.qe_labels("time", target=texts, times=tmp_path / "times")
    (tmp_path / "labels").write_text("".join(f"{line}\n" for line in made.lines()), encoding="utf-8")
    given: dict[str, Any] = {"features": ("metric", "consensus"), "learners": ("ridge",), "kind": "time"}
    others = {"b": texts[::-1]}
    told = tercet.qe_train(texts, texts, labels=tmp_path / "labels", model=tmp_path / "m", others=others, **given)
    assert "2 of 64 segments have no label (nan) and are left out." in told.notes
    kept = [i for i in range(64) if i not in (5, 40)]
    some = [texts[i] for i in kept]
    others = {"b": [texts[::-1][i] for i in kept]}
    same = tercet.qe_train(some, some, labels=times[kept].tolist(), model=tmp_path / "n", others=others, **given)
    assert same.model.calibration.predicted.tolist() == told.model.calibration.predicted.tolist()
    assert not any("no label" in note for note in same.notes)
    with pytest.raises(InputError, match="There is no label, but nan"):
        tercet.qe_train(texts, texts, labels=[math.nan] * 64, model=tmp_path / "o", **given)


def test_scores_far_beyond_any_label_are_named(tmp_path: pathlib.Path) -> None:
    texts = [f"word {i} " * (1 + i % 7) for i in range(60)]
    labels = [(1 + i % 7) / 8 for i in range(60)]
    given: dict[str, Any] = {"labels": labels, "features": ("surface",), "learners": ("ridge",), "calibration": 0.5}
    tercet.qe_train(texts, texts, model=tmp_path / "m", kind="hter", **given)
    answer = tercet.qe_predict(tmp_path / "m", ["word 1", "word " * 10_000], ["word 1", "word " * 10_000])
    usual, long = answer.segments
    assert usual.low < usual.high
    assert (long.low, long.high) == (1, 1)
    assert long.score > 2
    assert answer.notes == (
        "Unlike anything of the training, so that their scores and intervals mean nothing: "
        "2 (repetition is 10000, in training 1 to 7).",
    )


@pytest.mark.parametrize("ends", [[10**400, None], [None, -(10**400)], ["0", 1], [None, [1]]])
def test_a_range_of_labels_is_one_of_numbers(ends: list[Any]) -> None:
    with pytest.raises(InputError, match="the range of labels is"):
        _range(ends, pathlib.Path("model"))
