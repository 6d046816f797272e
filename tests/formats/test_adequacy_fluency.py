"""Adequacy and fluency: the file, the ranking and the agreement of each scale."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import tercet
from tercet.data import Assessments
from tercet.errors import InputError
from tercet.formats import detect_judgements, judgement_pairs, read_judgements, records
from tests.formats.files import put, refused

HEADER = "system,segment,judge,adequacy,fluency\n"
SMALL = HEADER + "a,7,ann,5,4\na,7,bob,3,\nb+c,8,,2,1\n"


def read(path: pathlib.Path) -> Assessments:
    judgements = read_judgements(path)
    assert isinstance(judgements, Assessments)
    return judgements


def test_a_row_has_both_scales_and_their_mean(tmp_path: pathlib.Path) -> None:
    judgements = read(put(tmp_path, "af.csv", SMALL))
    assert (judgements.systems, judgements.segments, judgements.judges) == (("a", "b", "c"), ("7", "8"), ("ann", "bob"))
    assert judgements.scales is not None
    np.testing.assert_equal(judgements.scales["adequacy"], [5, 3, 2, 2])
    np.testing.assert_equal(judgements.scales["fluency"], [4, np.nan, 1, 1])
    np.testing.assert_equal(judgements.score, [4.5, np.nan, 1.5, 1.5])
    assert judgements.judge.tolist() == [0, 1, -1, -1]
    assert judgements.line is not None
    assert judgements.line.tolist() == [2, 3, 4, 4]


def test_one_scale_is_enough_and_a_score_makes_it_direct_assessment(tmp_path: pathlib.Path) -> None:
    alone = read(put(tmp_path, "f.tsv", "sid\tsystem\tFluency\n7\ta\t4\n"))
    assert alone.scales is not None
    assert (list(alone.scales), alone.score.tolist()) == (["fluency"], [4.0])
    assert detect_judgements(put(tmp_path, "da.csv", "system,segment,score,fluency\na,7,80,4\n")) == "da"


def test_language_pairs_are_told_apart(tmp_path: pathlib.Path) -> None:
    path = put(tmp_path, "two.csv", "lp," + HEADER + "cs-en,a,7,j,5,4\nde-en,a,7,j,1,2\n")
    assert judgement_pairs(path) == ["cs-en", "de-en"]
    german = read_judgements(path, pair="de-en")
    assert isinstance(german, Assessments)
    assert german.score.tolist() == [1.5]
    assert [r.judgements for r in tercet.amounts(path)] == [1, 1, 2]


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("a,7,j,6,4", "the adequacy 6 is outside 1 to 5"),
        ("a,7,j,4,0", "the fluency 0 is outside 1 to 5"),
        ("a,7,j,good,4", "the adequacy is 'good'"),
        (",7,j,4,4", "the system is not named"),
        ("a,,j,4,4", "the segment is not named"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: pathlib.Path, row: str, complaint: str) -> None:
    refused(put(tmp_path, "af.csv", HEADER + "a,7,j,5,4\n" + row + "\n"), 3, complaint)


def test_without_any_scale_it_is_another_format(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="there is no column adequacy"):
        read_judgements(put(tmp_path, "x.csv", "system,segment\na,7\n"), "adequacy-fluency")


@pytest.fixture
def judged(tmp_path: pathlib.Path) -> pathlib.Path:
    """Three systems, two judges, one of them strict: adequacy prefers a, fluency prefers c."""
    rng = np.random.default_rng(1)
    rows = []
    for segment in range(40):
        for judge, shift in (("mild", 0), ("strict", -1)):
            for system, adequacy, fluency in (("a", 5, 2), ("b", 4, 3), ("c", 2, 5)):
                noise = rng.integers(-1, 2, 2)
                values = np.clip(np.array([adequacy, fluency]) + noise + shift, 1, 5)
                rows.append(f"{system},{segment},{judge},{values[0]},{values[1]}\n")
    return put(tmp_path, "judged.csv", HEADER + "".join(rows))


def test_systems_are_ranked_by_one_scale_or_by_both(judged: pathlib.Path) -> None:
    by = {s: tercet.rank(judged, method=f"da(scale={s})", samples=40) for s in ("adequacy", "fluency", "mean")}
    assert [r.system for r in by["adequacy"]] == ["a", "b", "c"]
    assert [r.system for r in by["fluency"]] == ["c", "b", "a"]
    # judges have as many rows each, so that the mean of z is the mean of both
    for ranked in by["mean"]:
        both = (by["adequacy"].value(ranked.system) + by["fluency"].value(ranked.system)) / 2
        assert ranked.score == pytest.approx(both)


def test_without_standardisation_the_mean_is_that_of_the_values(judged: pathlib.Path) -> None:
    judgements = read(judged)
    raw = tercet.rank(judgements, method="da(standardize=none)", samples=40)
    for ranked in raw:
        mine = judgements.system == judgements.systems.index(ranked.system)
        assert ranked.score == pytest.approx(judgements.score[mine].mean())
    aligned = tercet.rank(judgements, method="da(standardize=median)", samples=40)
    assert {r.system for r in aligned} == {"a", "b", "c"}


def test_agreement_is_of_each_scale(judged: pathlib.Path) -> None:
    judgements = read(judged)
    found = tercet.agreement(judgements, kappa="cohen", weighting="quadratic")
    assert [(r.kind, r.scale) for r in found] == [
        (kind, scale) for scale in ("adequacy", "fluency") for kind in ("inter", "alpha", "repeats")
    ]
    for scale in ("adequacy", "fluency"):
        alone = tercet.agreement(judgements.on_scale(scale), kappa="cohen", weighting="quadratic")
        assert [r.kappa for r in found if r.scale == scale] == [r.kappa for r in alone]
    assert "scale" in found.as_records()[0]
    assert "scale" not in tercet.agreement(judgements.on_scale("fluency")).as_records()[0]


def test_records_keep_scales(judged: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before = read(judged)
    records.write(before, tmp_path / "all.jsonl")
    (tmp_path / "bare.jsonl").write_text("".join((tmp_path / "all.jsonl").read_text().splitlines(True)[1:]))
    for name in ("all.jsonl", "bare.jsonl"):  # the header is not needed
        after = read_judgements(tmp_path / name)
        assert isinstance(after, Assessments)
        assert before.scales is not None
        assert after.scales is not None
        assert list(after.scales) == list(before.scales)
        for scale, values in before.scales.items():
            np.testing.assert_array_equal(after.scales[scale], values)
        np.testing.assert_array_equal(after.score, before.score)
    for scales, words in (("[4]", "is no object"), ('{"adequacy": 101}', "outside 0 to 100"), ('{"x": "y"}', "number")):
        line = f'{{"segment": "1", "protocol": "da", "items": [{{"systems": ["a"], "scales": {scales}}}]}}'
        (tmp_path / "wrong.jsonl").write_text(line)
        with pytest.raises(InputError, match=words):
            read_judgements(tmp_path / "wrong.jsonl")


def test_a_scale_that_is_not_there_is_refused(judged: pathlib.Path, tmp_path: pathlib.Path) -> None:
    fluency = read(judged).on_scale("fluency")
    with pytest.raises(InputError, match="has no scale adequacy; it has no scales, only scores"):
        tercet.rank(fluency, method="da(scale=adequacy)")
    records.write(fluency, tmp_path / "x.jsonl")
