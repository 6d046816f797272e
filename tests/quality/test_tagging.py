"""Chains and forests: our tags are those of the libraries that trained them."""

from __future__ import annotations

import itertools
import pathlib

import numpy as np
import pytest

import tercet
from tercet.errors import InputError
from tercet.quality.tagging import chain, forest
from tests.quality.models import dropped

DRAW = np.random.default_rng(5)
TAGS = ("OK", "BAD", "Terminology")


def sequences(n: int) -> list[list[list[str]]]:
    """Rows of attributes drawn at random, some of them empty."""
    return [
        [[f"a{i}" for i in DRAW.integers(0, 30, 4).tolist()] + [f"p{k}"] for k in range(DRAW.integers(1, 12))]
        for _ in range(n)
    ]


def tags_of(rows: list[list[list[str]]]) -> list[list[str]]:
    """Tags that attributes tell, not always."""
    return [[TAGS[(int(word[0][1:]) + int(DRAW.random() < 0.2)) % 3] for word in row] for row in rows]


def test_viterbi_gives_the_tags_of_crfsuite() -> None:
    rows = sequences(150)
    tagger = chain.train_tagger(rows, tags_of(rows))
    ours = chain.exported(tagger)
    others = sequences(200)
    assert [ours.best(row) for row in others] == [tagger.tag(row) for row in others]
    for row in others[:40]:
        tagger.set(row)
        wanted = [[tagger.marginal(tag, i) for tag in ours.tags] for i in range(len(row))]
        # crfsuite gives its weights away with six digits after the point
        np.testing.assert_allclose(ours.probabilities(row), wanted, rtol=0, atol=1e-5)
    assert ours.best([]) == []


def test_viterbi_is_the_best_of_all_rows() -> None:
    ours = chain.train_chain(rows := sequences(40), tags_of(rows))
    for row in [row[:5] for row in sequences(20)]:
        scores = ours.scores(row)

        def total(path: tuple[int, ...], scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = scores) -> float:
            steps = sum(ours.transitions[one, other] for one, other in itertools.pairwise(path))
            return float(sum(scores[i, tag] for i, tag in enumerate(path)) + steps)

        paths = itertools.product(range(len(ours.tags)), repeat=len(row))
        assert ours.best(row) == [ours.tags[i] for i in max(paths, key=total)]


def test_a_forest_gives_the_probabilities_of_scikit_learn() -> None:
    rows = DRAW.normal(size=(400, 5))
    tags = np.where(rows[:, 0] > 0.5, "BAD", np.where(rows[:, 1] > 1, "Terminology", "OK")).tolist()
    model = forest.train_classifier(rows, tags, 3)
    ours, others = forest.exported(model), DRAW.normal(size=(100, 5))
    np.testing.assert_allclose(ours.probabilities(others, 2), model.predict_proba(others), rtol=0, atol=1e-9)
    assert ours.tags == tuple(model.classes_)
    assert set(ours.best(ours.probabilities(others, 1))) <= set(TAGS)


@pytest.mark.parametrize("seed", range(5))
def test_the_threshold_is_the_best_of_all(seed: int) -> None:
    draw = np.random.default_rng(seed)
    wrong, bad = draw.integers(0, 8, 40) / 8, draw.random(40) < 0.4

    def f1(threshold: float) -> float:
        marked = wrong > threshold
        return float(2 * (marked & bad).sum() / max(1, marked.sum() + bad.sum()))

    assert f1(forest.tuned_threshold(wrong, bad)) == max(f1(t) for t in [-1, *np.unique(wrong)])


def test_tags_of_gaps_must_fit(tmp_path: pathlib.Path) -> None:
    sources, targets, tags = dropped(40, 1)
    plain = [" ".join(row.split()[1::2]) for row in tags]
    with pytest.raises(InputError, match=r"Line 1 has \d tags of \d words"):
        tercet.qe_train(sources, targets, labels=plain, model=tmp_path / "x", level="word", gaps=True)
    fine = [" ".join(["OK", *(f"{tag} OK" for tag in row.split())]) for row in plain]
    with pytest.raises(InputError, match="No gap is tagged as BAD"):
        tercet.qe_train(sources, targets, labels=fine, model=tmp_path / "x", level="word", gaps=True)


def test_tags_must_fit_the_words(tmp_path: pathlib.Path) -> None:
    sources, targets = [str(i) for i in range(30)], ["a b"] * 30
    with pytest.raises(InputError, match="Line 2 has 1 tags of 2 words"):
        tercet.qe_train(sources, targets, labels=["OK BAD", "OK", *["OK OK"] * 28], model=tmp_path / "m", level="word")
    with pytest.raises(InputError, match="too few sentences with errors"):
        tercet.qe_train(sources, targets, labels=["OK OK"] * 30, model=tmp_path / "m", level="word")
