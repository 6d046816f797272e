"""What a model cannot judge: named, first on the page, and never published."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest

import tercet
from tercet.metrics import models
from tercet.quality.model import MODEL, load
from tercet.quality.outside import Familiar, beyond
from tercet.report.html.decision import decision_page
from tercet.report.html.quality import quality_page
from tercet.report.quality_training import decisions_table, predictions_table
from tests.quality.models import example, lines, train

STRANGE = {
    "": "the translation is empty",
    "?": "the translation has no letter",
    "我们的世界很大": "most letters are CJK, in training LATIN",
    "Gast " * 10_000: "repetition is 10000, in training ",
    "a" * 100_000: "token-length(side=target) is 100000, in training ",
    " ".join(f"q{i}" for i in range(10_000)): "lm-probability is -",
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("outside")
    train(example(folder), folder / "m", kind="hter")
    return folder / "m"


def test_nonsense_is_named_and_comes_first(model: pathlib.Path) -> None:
    sources, targets = (lines(model.parent / f"test.{end}")[:20] for end in ("en", "mt"))
    answer = tercet.qe_predict(model, sources[:6] + sources, [*STRANGE, *targets], why=0)
    for entry, reason in zip(answer.segments, STRANGE.values(), strict=False):
        assert reason in entry.outside
        assert entry.as_record()["outside"] == entry.outside
        assert float(entry.line()) == entry.score
    assert not any(entry.outside for entry in answer.segments[6:])
    assert [entry.segment for entry in answer.by_need()[:6]] == [1, 2, 3, 4, 5, 6]
    assert quality_page(answer).count("<strong>Cannot be judged</strong>") == 6
    assert answer.notes[-1].endswith("; and 1 others.")
    table = predictions_table(answer)
    assert table.header[-1] == "outside"
    assert [row[-1] for row in table.rows] == [entry.outside for entry in answer.segments]


def test_nonsense_is_never_published(model: pathlib.Path) -> None:
    sources = lines(model.parent / "test.en")[:7]
    given = [*STRANGE, lines(model.parent / "test.mt")[6]]
    answer = tercet.qe_decide(model, risk=0.9, good=0.9, light=0.95, source=sources, target=given)
    assert [entry.decision for entry in answer.segments] == ["full edit"] * 6 + ["publish"]
    assert [bool(record["outside"]) for record in answer.as_records()] == [True] * 6 + [False]
    assert answer.notes[-1].endswith("They are edited fully.")
    assert decisions_table(answer).header == ("segment", "decision", "score", "outside")
    assert "the translation has no letter" in decision_page(answer)


def test_a_source_without_letters_may_stay_as_it_is(model: pathlib.Path) -> None:
    assert load(model).familiar.strange_texts(["", "?", "42"], ["", "?", "42"]) == {}


def test_a_model_of_an_earlier_version_still_judges(model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    for path in model.iterdir():
        (old / path.name).write_bytes(path.read_bytes())
    content = json.loads((model / MODEL).read_text(encoding="utf-8"))
    del content["scripts"], content["signature"]
    for row in content["features"]:
        del row["least"], row["most"]
    models.write(old / MODEL, content)
    source, target = (lines(model.parent / f"test.{end}")[0] for end in ("en", "mt"))
    answers = tercet.qe_predict(old, [source] * 3, ["?", target, "Gast " * 10_000]).segments
    assert [bool(entry.outside) for entry in answers] == [True, False, True]
    assert answers[2].outside.startswith("the score is far from any label, ")


def test_what_is_familiar_is_what_was_seen() -> None:
    rows = np.array([[1.0, 5.0, np.nan], [3.0, 5.0, 2.0]])
    familiar = Familiar.of(rows, ["größer als " * 20 + "б", "кошка"] + ["Haus"] * 20)
    assert familiar.ranges is not None
    assert familiar.ranges.tolist() == [[1, 3], [5, 5], [2, 2]]
    assert familiar.scripts == ("CYRILLIC", "LATIN")
    assert Familiar.of(rows, ["Haus " * 200 + "б"]).scripts == ("LATIN",)
    new = np.array([[5.0, 9.0, 9.0], [5.1, 5.0, np.nan], [-1.1, np.nan, 0.0]])
    reasons = familiar.strange_values(new, ["a", "b", "c"])
    assert reasons == {1: "a is 5.1, in training 1 to 3", 2: "a is -1.1, in training 1 to 3"}


def test_half_of_the_letters_may_be_of_another_script() -> None:
    latin = Familiar(None, ("LATIN",))
    assert latin.strange_texts(["a"] * 3, ["ab бв", "a бв", "ab бв 1"]) == {
        1: "most letters are CYRILLIC, in training LATIN"
    }


@pytest.mark.parametrize(("value", "widths"), [(1.0, 0.0), (4.0, 0.5), (-2.0, 1.5), (float("nan"), 0.0)])
def test_how_far_a_value_is_beyond(value: float, widths: float) -> None:
    assert beyond(np.array([value]), 1.0, 3.0).tolist() == [widths]
    assert beyond(np.array([value]), 1.0, 1.0).tolist() == [0.0]
