"""Labels from post-edits, times and judgements."""

from __future__ import annotations

import json
import pathlib
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet import qe_labels
from tercet.data import ErrorSpan
from tercet.errors import InputError
from tercet.quality import labels
from tercet.sample import judgements

WORDS = st.lists(st.sampled_from(["a", "b", "c", "घर", "房子"]), max_size=8).map(" ".join)
PAIRS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5)


@given(PAIRS, st.booleans())
def test_hter_is_the_metric(pairs: list[tuple[str, str]], capped: bool) -> None:
    before, after = [b for b, _ in pairs], [a for _, a in pairs]
    metric = tercet.metric(f"hter(capped={str(capped).lower()})").segments(before, after)
    assert 100 * labels.hter(before, after, capped=capped) == pytest.approx(metric)
    free = labels.hter(before, after, shifts=False, capped=capped)
    assert (free >= labels.hter(before, after, capped=capped) - 1e-12).all()


@given(PAIRS, st.booleans())
def test_tags_add_up_to_the_edits(pairs: list[tuple[str, str]], shifts: bool) -> None:
    before, after = [b for b, _ in pairs], [a for _, a in pairs]
    scripts = labels.edit_scripts(before, after, shifts=shifts)
    for text, edited, script in zip(before, after, scripts, strict=True):
        n = len(text.split())
        words, gaps = labels.word_tags(script, n)
        counts = script.counts()
        assert (len(words), len(gaps)) == (n, n + 1)
        assert words.count("BAD") == counts["substitution"] + counts["deletion"]
        assert (gaps.count("BAD") > 0) == (counts["insertion"] > 0)
        assert gaps.count("BAD") <= counts["insertion"]
        assert ("BAD" not in words + gaps) == (script.cost == len(script.shifts))
        if text == edited:
            assert "BAD" not in words + gaps


@given(WORDS, WORDS)
def test_without_shifts_the_edits_are_levenshteins(before: str, after: str) -> None:
    distance = pytest.importorskip("rapidfuzz.distance").Levenshtein.distance
    script = labels.edit_scripts([before], [after], shifts=False)[0]
    assert script.cost == distance(before.split(), after.split())


def test_moved_words_are_bad_without_shifts_only() -> None:
    target, after = ["the house red is big"], ["the red house is very big"]
    assert qe_labels("tags", target=target, post_edits=after).lines() == ["OK OK OK OK OK"]
    assert qe_labels("tags", target=target, post_edits=after, shifts=False).lines() == ["OK OK BAD BAD OK"]
    gaps = qe_labels("gap-tags", target=target, post_edits=after).lines()[0].split()
    assert len(gaps) == 11
    assert gaps[8] == "BAD"  # "very" is missing before "big"


def test_effort_classes_follow_their_bounds() -> None:
    target, after = ["a b c d e", "a b c d x", "p q r s t"], ["a b c d e", "a b c d e", "a b c d e"]
    assert qe_labels("effort", target=target, post_edits=after).lines() == ["1", "2", "3"]
    assert qe_labels("effort", target=target, post_edits=after, bounds=(0.1, 0.15)).lines() == ["1", "3", "3"]
    assert qe_labels("effort", target=target, post_edits=after, bounds=(0.5,)).lines() == ["1", "1", "2"]
    with pytest.raises(InputError, match=r"The bounds of effort are 0\.3, 0\.1\. They must rise\."):
        qe_labels("effort", target=target, post_edits=after, bounds=(0.3, 0.1))


def test_times_that_lie_far_off_are_no_labels() -> None:
    target = ["a b c d"] * 12
    times = [4000.0, 4100, 3900, 4000, 4200, 3800, 4050, 3950, 4000, 4100, 90_000_000, 0]
    found = qe_labels("time", target=target, times=times, scale=0.001)
    assert found.lines()[0] == "4"
    assert found.lines()[-2:] == ["nan", "nan"]
    assert found.notes == ("2 of 12 times lie far off and are no labels (nan).",)
    assert found.as_records()[-1] == {"segment": "12", "kind": "time", "label": None}
    assert qe_labels("time", target=target, times=times, cutoff=0).values[-2:] == (90_000_000.0, 0.0)


def test_spans_become_tags() -> None:
    text = "ein  rotes Haus , 房子 घर"
    places = ((5, 10), (15, 15), (18, 20))
    spans = [ErrorSpan(start, end, "major", "Style") for start, end in places]
    assert labels.tags_of_spans(text, spans) == ("OK", "BAD", "OK", "OK", "BAD", "OK")
    assert labels.tags_of_spans("", spans) == ()


def test_labels_of_judgements() -> None:
    people = judgements("en-de", "mqm")
    found = qe_labels("mqm", judgements=people, system="amber")
    means = {r.system: r.score for r in tercet.rank(people, method="mqm")}
    assert found.numbers().mean() == pytest.approx(-means["amber"])
    spans = qe_labels("spans", judgements=people, system="amber")
    assert spans.segments == found.segments
    assert all(isinstance(json.loads(line), list) for line in spans.lines())
    free = qe_labels("error-free", judgements=judgements("en-de", "esa"), system="amber")
    assert set(free.lines()) == {"0", "1"}
    strict = qe_labels("error-free", judgements=judgements("en-de", "esa"), system="amber", threshold=100)
    assert strict.numbers().sum() < free.numbers().sum()


def test_tags_of_a_campaign(tmp_path: pathlib.Path) -> None:
    people = judgements("en-de", "mqm")
    target = ["x " * 100] * len(qe_labels("spans", judgements=people, system="amber"))
    tags = qe_labels("tags", judgements=people, system="amber", target=target)
    assert set(" ".join(tags.lines()).split()) == {"OK", "BAD"}
    given = qe_labels("tags", judgements=people, system="amber", target=target, granularity="given")
    assert "/" in " ".join(given.lines())
    tree = tmp_path / "tree.json"
    branches = {c.split("/")[0] for c in people.errors.categories}  # type: ignore[attr-defined]
    tree.write_text(json.dumps({"name": "ours", "tree": {b: {} for b in branches}, "severities": {"minor": 2}}))
    level1 = qe_labels("tags", judgements=people, system="amber", target=target, granularity="level1", typology=tree)
    assert set(" ".join(level1.lines()).split()) <= {"OK", *branches}
    weighed = qe_labels("mqm", judgements=people, system="amber", typology=tree)
    assert any(note.startswith("Errors without a weight") for note in weighed.notes)
    assert set((weighed.numbers() % 1).tolist()) <= {0.0, 0.5}
    with pytest.raises(InputError, match="tags are no numbers"):
        tags.numbers()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ({"kind": "hter", "target": ["a"]}, "hter needs target and post-edits."),
        ({"kind": "tags", "post_edits": ["a"]}, "tags needs target and post-edits."),
        ({"kind": "mqm"}, "mqm needs judgements."),
        ({"kind": "hter", "target": ["a", "b"], "post_edits": ["a"]}, "There are 2 translations and 1 post-edits."),
        ({"kind": "time", "target": ["a"], "times": [1.0, 2.0]}, "There are 1 translations and 2 times."),
        ({"kind": "nonsense"}, "kind must be one of hter, tags,"),
    ],
)
def test_what_is_lacking_is_said(call: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        qe_labels(**call)  # type: ignore[arg-type]
    assert error.value.message.startswith(sentence)


def test_rankings_and_unknown_systems_are_refused() -> None:
    with pytest.raises(InputError, match="has rankings where scores or error spans are needed"):
        qe_labels("mqm", judgements=judgements("en-de"))
    with pytest.raises(InputError, match="has no system 'zebra'"):
        qe_labels("mqm", judgements=judgements("en-de", "mqm"), system="zebra")
    with pytest.raises(InputError, match="has 5 systems"):
        qe_labels("mqm", judgements=judgements("en-de", "mqm"))
    with pytest.raises(InputError, match="does not say where errors are"):
        qe_labels("spans", judgements=judgements("en-de", "da"), system="amber")


@pytest.mark.parametrize("kind", ["score", "error-free"])
def test_judgements_without_scores_have_no_such_labels(kind: Literal["score", "error-free"]) -> None:
    with pytest.raises(InputError, match="has no scores of amber"):
        qe_labels(kind, judgements=judgements("en-de", "mqm"), system="amber")
