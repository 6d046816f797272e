"""HTER: TER against the post-edit, capped or not."""

from __future__ import annotations

import pytest

import tercet

TRANSLATIONS = ["the the the the cat", "a dog ran", ""]
EDITED = ["a cat", "a dog ran", "something"]


def test_uncapped_it_is_ter_against_the_post_edit() -> None:
    ter, hter = (tercet.metric(spec) for spec in ("ter", "hter(capped=false)"))
    rows = hter.statistics(hter.batch(TRANSLATIONS, EDITED))
    assert rows.tolist() == ter.statistics(ter.batch(TRANSLATIONS, EDITED)).tolist()
    assert hter.corpus(TRANSLATIONS, EDITED) == ter.corpus(TRANSLATIONS, EDITED)


def test_capped_no_segment_has_more_than_100() -> None:
    hter = tercet.metric("hter")
    rows = hter.statistics(hter.batch(TRANSLATIONS, EDITED))
    assert hter.score(rows).tolist() == [100, 0, 100]
    assert hter.corpus(TRANSLATIONS, EDITED) == pytest.approx(100 * (2 + 0 + 1) / (2 + 3 + 1))
    assert tercet.metric("hter(capped=false)").corpus(TRANSLATIONS[:1], EDITED[:1]) == 200


def test_edits_against_nothing_are_100() -> None:
    assert tercet.metric("hter").corpus(["a b c"], [""]) == 100
