"""Differences that were planted are named among the first findings."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import tercet
from tercet import formats
from tercet.data import Comparison, TestSet
from tercet.sample import campaign
from tests.comparing.build import PLANTED, planted

FIRST = 8


def compared(testset: TestSet) -> Comparison:
    """By one quick metric."""
    return tercet.compare(testset, metrics=["chrf"], samples=300)


@pytest.fixture(scope="module")
def news(shared: pathlib.Path) -> TestSet:
    """The first thousand segments of newstest2014, German into English."""
    file = shared / "data" / "wmt14-news" / "newstest2014.de-en.tsv.gz"
    return next(formats.testset_parts(file, 1000))


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_difference_is_found(news: TestSet, kind: str) -> None:
    found = compared(planted(news, "uedin-wmt14.3025", [PLANTED[kind]]))
    first = next(f for f in found.findings[:3] if f.kind == kind)
    assert (first.system, first.baseline, first.good) == ("changed", "base", False)
    assert first.p_value < 0.001
    assert first.strength == pytest.approx(
        abs(first.numbers["segments_more"] - first.numbers["segments_fewer"])
        / np.sqrt(first.numbers["segments_more"] + first.numbers["segments_fewer"])
    )
    texts = found.testset.systems
    assert first.rows
    assert all(texts["base"][i] != texts["changed"][i] for i in first.rows)
    assert "changed" in first.sentence


def test_all_five_at_once(news: TestSet) -> None:
    found = compared(planted(news, "uedin-wmt14.3025", list(PLANTED.values())))
    assert set(PLANTED) <= {f.kind for f in found.findings[:FIRST]}
    short = next(f for f in found.findings if f.kind == "short")
    assert "mostly in long sentences" in short.sentence
    bucket = next(f for f in found.findings if f.kind == "bucket")
    assert bucket.good is False
    assert bucket.numbers["difference"] < bucket.numbers["overall"] < 0


def test_the_other_way_round_they_speak_for_the_system(news: TestSet) -> None:
    changed = planted(news, "uedin-wmt14.3025", [PLANTED["numbers"]])
    found = tercet.compare(changed, metrics=["chrf"], samples=50, baseline="changed")
    assert (found.findings[0].kind, found.findings[0].system, found.findings[0].good) == ("numbers", "base", True)


def test_among_many_systems(news: TestSet) -> None:
    ways = list(PLANTED.values())
    both = planted(news, "uedin-wmt14.3025", ways)
    systems = {**both.systems, **{name: news.systems[name] for name in list(news.systems)[:4]}}
    found = compared(TestSet.of({k: list(v) for k, v in systems.items()}, list(news.references or ()),
                                sources=list(news.sources or ())))  # fmt: skip
    told = {(f.kind, f.system) for f in found.findings[:12]}
    assert {(kind, "changed") for kind in PLANTED} <= told


@pytest.mark.parametrize("kind", ["case", "copy"])
def test_in_the_sample(kind: str) -> None:
    whole = campaign("de-en")
    assert whole.sources is not None
    sources = list(whole.sources)
    changed = [s if i % 4 == 0 else t for i, (t, s) in enumerate(zip(whole.systems["amber"], sources, strict=True))]
    if kind == "case":
        changed = [t.lower() for t in whole.systems["amber"]]
    systems = {"base": list(whole.systems["amber"]), "changed": changed}
    found = compared(TestSet.of(systems, list(whole.references or ()), sources=sources))
    assert kind in {f.kind for f in found.findings[:3]}


def test_a_fault_that_both_have_is_counted_in_segments() -> None:
    sources = [f"das {w} Haus steht am Ende der Straße" for w in ("alte", "neue", "rote", "hohe")] * 5
    references = [f"the {w} house stands at the end of the street" for w in ("old", "new", "red", "tall")] * 5
    copied = [sources[0], *references[1:]]
    found = compared(TestSet.of({"A": copied, "B": list(copied)}, references, sources=sources))
    told = {f.sentence for f in found.findings if f.kind == "copy"}
    assert told == {"A: copies of the source (1 segment).", "B: copies of the source (1 segment)."}


def test_a_system_beside_itself_has_no_findings(news: TestSet) -> None:
    assert compared(planted(news, "onlineB.0", [])).answers[0].startswith("No significant difference")
    assert [f for f in compared(planted(news, "onlineB.0", [])).findings if f.good is not None] == []


def test_a_facet_in_which_a_system_fails() -> None:
    reference = [f"the {w} house stands at the end of the long street" for w in ("old", "new", "red", "tall")] * 15
    domain = ["chat" if i % 3 == 0 else "news" for i in range(60)]
    # everywhere something is amiss, in the chat a lot
    changed = [
        "a house there" if d == "chat" else t.replace("long ", "" if i % 2 else "very long ")
        for i, (t, d) in enumerate(zip(reference, domain, strict=True))
    ]
    testset = TestSet.of({"A": reference, "B": changed}, reference, facets={"domain": domain})
    found = compared(testset)
    bucket = next(f for f in found.findings if f.kind == "bucket")
    assert bucket.sentence.startswith("B is worse than A where domain is chat, more than elsewhere: ")
    assert set(bucket.rows) == {i for i, d in enumerate(domain) if d == "chat"}


def noisy(testset: TestSet, seed: int) -> TestSet:
    """A word too many in a twentieth of the segments, whichever."""
    rng = np.random.default_rng(seed)
    base = list(testset.systems["uedin-wmt14.3025"])
    changed = [f"{text} foo" if rng.random() < 0.05 else text for text in base]
    return TestSet.of({"base": base, "changed": changed}, list(testset.references or ()), documents=testset.documents)


def test_noise_is_in_no_part_more_than_in_others(news: TestSet) -> None:
    told = [any(f.kind == "bucket" for f in compared(noisy(news, seed)).findings) for seed in range(10)]
    assert sum(told) <= 1  # a level of 0.05 allows one of ten by chance


def test_the_part_where_a_system_is_worst_is_named(news: TestSet) -> None:
    found = compared(planted(news, "uedin-wmt14.3025", [PLANTED["short"]]))
    bucket, *others = [f for f in found.findings if f.kind == "bucket"]
    assert others == []
    assert bucket.good is False
    assert "changed is worse than base where the reference has " in bucket.sentence
    lengths = next(cut for cut in found.bucketings if cut.kind == "length")
    worst = min((b for b in lengths.buckets if b.n >= 10), key=lambda b: b.difference[0, 1])
    assert f" {worst.label} words" in bucket.sentence
    assert bucket.numbers["difference"] == worst.difference[0, 1] < bucket.numbers["overall"]


def test_no_part_is_called_better_with_a_loss(news: TestSet) -> None:
    changed = planted(news, "uedin-wmt14.3025", [PLANTED["short"]])
    turned = tercet.compare(changed, metrics=["ter"], samples=50, baseline="changed")
    (bucket,) = [f for f in turned.findings if f.kind == "bucket"]
    assert bucket.good is True
    assert bucket.numbers["difference"] < bucket.numbers["overall"] < 0  # of TER, less is better
    assert "base is better than changed where" in bucket.sentence


def test_length_is_said_by_what_was_tested() -> None:
    reference = ["one two three four five six seven eight."] * 40
    longer = ["one two three four five six seven eight nine ten."] * 30 + ["one two three four five six seven."] * 10
    base = ["one two three four five six seven."] * 40
    found = compared(TestSet.of({"base": base, "new": longer}, reference))
    (length,) = [f for f in found.findings if f.kind == "length"]
    assert length.sentence.startswith(
        "30 outputs of new are further from the reference's length than base's, 0 nearer to it: "
    )
    assert (length.good, length.rows) == (False, tuple(range(30)))


def test_rows_are_the_first_of_a_whole_count() -> None:
    reference = ["There are 7 of them."] * 300
    found = compared(TestSet.of({"A": reference, "B": ["There are of them."] * 300}, reference))
    numbers = next(f for f in found.findings if f.kind == "numbers")
    assert (len(numbers.rows), numbers.n_rows) == (200, 300)


def test_what_is_empty_is_told_even_of_the_baseline() -> None:
    reference = ["one two three four."] * 12
    outputs = ["", *reference[1:]]
    found = compared(TestSet.of({"A": outputs, "B": outputs}, reference))
    assert [(f.kind, f.system, f.good, f.rows) for f in found.findings] == [
        ("empty", "A", None, (0,)),
        ("empty", "B", None, (0,)),
    ]


def test_what_is_counted_has_its_name() -> None:
    """Characters are no words, in sentences, parts and faults."""
    found = tercet.compare(testset=campaign("en-de"), metrics=["chrf"], tokenize="char", samples=200)
    told = [f.sentence for f in found.findings]
    assert any("characters for 100 of the reference" in sentence for sentence in told)
    assert any("characters of the source as they are" in sentence for sentence in told)
    assert not any(" words" in sentence for sentence in told)
    titles = [cut.title for cut in found.bucketings] + [check.title for check in found.checks]
    assert {"Characters in the reference", "Characters repeated"} <= {*titles}
    words = tercet.compare(testset=campaign("en-de"), metrics=["chrf"], samples=200)
    assert any("words for 100 of the reference" in f.sentence for f in words.findings)
