"""People's side with judgements and scores of a file: who gives which gold."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.agreeing.gold import make
from tercet.agreeing.people import People
from tercet.data import MetricScores
from tercet.errors import InputError
from tercet.options import settings
from tercet.options.agreeing import GoldOptions
from tercet.ranking import Ranker
from tercet.sample import campaign, judgements

TEXTS = campaign("en-de")
SYSTEMS = ("amber", "birch", "cedar", "delta", "ember")
WINS = make("expected-wins")
FEW: Any = {"samples": 40}


def official(values: list[float], systems: tuple[str, ...] = SYSTEMS) -> MetricScores:
    """Scores that stand in a file."""
    return MetricScores("HUMAN", "", "system", systems, ("",), np.array(values)[:, None])


def people(*given: MetricScores, **more: Any) -> People:
    """With the rankings of the demo."""
    assert isinstance(WINS, Ranker)
    base: dict[str, Any] = {"judgements": judgements("en-de"), "given": given, "how": WINS}
    options = {name: more.pop(name) for name in list(more) if name in {s.name for s in settings(GoldOptions)}}
    return People(**(base | more), asked=GoldOptions(**{"samples": 40, **options}))


def test_values_are_given_and_samples_are_judged() -> None:
    backwards = official([1.0, 2.0, 4.0, 8.0, 16.0][::-1], SYSTEMS[::-1])
    found = people(backwards).gold("system", "scores")
    judged = people().gold("system", "scores")
    assert found.systems == SYSTEMS[::-1]
    assert found.scores[:, 0].tolist() == [16.0, 8.0, 4.0, 2.0, 1.0]
    assert found.sampled is not None
    assert judged.sampled is not None
    order = [judged.systems.index(s) for s in found.systems]
    np.testing.assert_array_equal(found.sampled, judged.sampled[:, order])
    assert found.spec == "HUMAN, resampled by expected-wins"
    assert set(judged.notes) <= set(found.notes)


def test_comparisons_are_judged() -> None:
    both = people(official([1.0, 2.0, 3.0, 4.0, 5.0]), how=None).gold("segment", "pairs")
    alone = people(how=None).gold("segment", "pairs")
    assert both.spec == alone.spec == "pairs"
    np.testing.assert_array_equal(both.comparisons.outcome, alone.comparisons.outcome)


def test_scores_of_segments_are_given_at_every_level_where_they_are_there() -> None:
    values = np.arange(10.0).reshape(5, 2)
    of_segments = MetricScores("HUMAN", "", "segment", SYSTEMS, ("1", "2"), values)
    assessed = people(of_segments, judgements=judgements("en-de", "da"), how=None)
    assert assessed.gold("segment", "scores").scores.tolist() == values.tolist()
    systems = assessed.gold("system", "scores")
    assert systems.scores[:, 0].tolist() == [0.5, 2.5, 4.5, 6.5, 8.5]
    assert systems.sampled is not None
    only_systems = people(official([1.0] * 5), judgements=judgements("en-de", "da"), how=None)
    assert len(only_systems.gold("segment", "scores").items) > 2, "those of segments are judged"


def test_systems_that_only_one_of_both_has() -> None:
    four = official([4.0, 3.0, 2.0, 1.0], SYSTEMS[:4])
    found = people(four).gold("system", "scores")
    assert found.systems == SYSTEMS[:4]
    assert "Systems that were judged, but have no score in the file, left out: ember." in found.notes
    six = official([6.0, 5.0, 4.0, 3.0, 2.0, 1.0], (*SYSTEMS, "fir"))
    with pytest.raises(InputError, match="have fir, which nobody judged"):
        people(six).gold("system", "scores")
    kept = people(six, without=("fir",)).gold("system", "scores")
    assert kept.systems == SYSTEMS
    assert kept.sampled is not None
    assert np.isfinite(kept.sampled).all()


def test_a_score_that_is_missing_is_missing_in_every_sample() -> None:
    found = people(official([4.0, np.nan, 2.0, 1.0, 0.0])).gold("system", "scores")
    assert found.sampled is not None
    assert np.isnan(found.sampled[:, 1]).all()
    assert np.isfinite(np.delete(found.sampled, 1, axis=1)).all()
    assert "left out: birch." in found.notes[-1]


def test_agreement_is_with_the_file_and_may_have_an_interval_from_the_judgements() -> None:
    human = official([5.0, 3.0, 2.0, 1.5, 0.0])
    options: Any = {"testset": TEXTS, "metrics": ["bleu", "chrf"], "test": "none"}
    drawn: Any = {
        "judgements": judgements("en-de"),
        "gold": "expected-wins",
        "interval": "judgements",
        **options,
        **FEW,
    }
    both = tercet.meta(human=human, **drawn)
    judged = tercet.meta(**drawn)
    given = tercet.meta(human=human, interval="none", **options)
    for metric in ("bleu", "chrf"):
        assert both.value(metric) == given.value(metric) != judged.value(metric)
    for mine, theirs in zip(both, judged, strict=True):
        assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert "gold:HUMAN, resampled by expected-wins" in both.signature
    segments = {**options, "level": "segment", "judgements": judgements("en-de")}
    assert tercet.meta(human=human, **segments).records == tercet.meta(**segments).records


def test_names_follow_the_rule_for_judgements() -> None:
    """Without what a file name adds, and without a number; a map is for either of the two."""
    called = ("newstest2015.amber.0.en-de.txt", "Birch", "cedar.7", "delta", "oak")
    human = official([5.0, 3.0, 2.0, 1.5, 0.0], called)
    plain = dataclasses.replace(human, systems=SYSTEMS)
    options: Any = {"testset": TEXTS, "metrics": ["chrf"], "interval": "none", "test": "none"}
    wanted = tercet.meta(human=plain, **options).value("chrf")
    assert tercet.meta(human=human, names={"oak": "ember"}, **options).value("chrf") == wanted
    both = tercet.meta(human=human, judgements=judgements("en-de"), names={"oak": "ember"}, **options)
    assert both.value("chrf") == wanted
    assert both.records[0].n == 5


def test_scores_of_a_file_with_both() -> None:
    """People's column is taken beside judgements if it is asked for, and not otherwise."""
    metric = MetricScores("m", "en-de", "system", SYSTEMS, ("",), np.array([[9.0], [7.0], [5.0], [4.0], [1.0]]))
    human = dataclasses.replace(official([5.0, 3.0, 2.0, 1.5, 0.0]), direction="en-de")
    options: Any = {"scores": [human, metric], "judgements": judgements("en-de"), "gold": "expected-wins", **FEW}
    asked, unasked = tercet.meta(human="HUMAN", **options), tercet.meta(**options)
    assert "gold:HUMAN, resampled" in asked.signature
    assert "gold:expected-wins" in unasked.signature
    assert asked.value("m") == pytest.approx(np.corrcoef(metric.values[:, 0], human.values[:, 0])[0, 1])
    assert asked.value("m") != unasked.value("m")
