"""YiSi-1 with semantic frames: by hand, in pieces of an encoder, and what it refuses."""

import pathlib

import numpy as np
import pytest

import tercet
from tercet.data import Array
from tercet.encoders.tiny import write_tiny_encoder
from tercet.errors import InputError, SpecError
from tercet.metrics import frames, metric
from tercet.metrics.frames import Frame, Pair, Role
from tests.metrics.test_semantic import HYP, REF, ROLES

PLAIN = "n=1, weights=uniform"
# gave: V 1, A0 .5 (a cat), A1 me beside A2 0, A1 hope 1; left beside nothing. V weighs 1.25, roles of the reference 2.
PRECISION = 5 * (1.25 + 2 * 0.5 + 0 + 2) / (1.25 + 2 + 2 + 2) / (5 + 3)
RECALL = (1.25 + 2 * 0.5 + 2 + 2 + 0) / (1.25 + 4 * 2)  # the cat .5, me 1, hope 1, today 0: whatever their kinds


@pytest.fixture
def srl(tmp_path: pathlib.Path) -> str:
    """Roles of two sentences."""
    path = tmp_path / "a.roles"
    path.write_text(ROLES, encoding="utf-8")
    return str(path)


def test_frames_by_hand(srl: str) -> None:
    how = metric(f'yisi-1(srl="{srl}", {PLAIN})')
    precision, recall, _, _ = how.statistics(how.batch([HYP], [REF]))[0]
    assert precision == pytest.approx(0.2 * PRECISION + 0.8 * 4 / 7, abs=1e-12)
    assert recall == pytest.approx(0.2 * RECALL + 0.8 * 4 / 6, abs=1e-12)
    alone = metric(f'yisi-1(srl="{srl}", beta=1, {PLAIN})')
    assert alone.statistics(alone.batch([HYP], [REF]))[0, :2] == pytest.approx([PRECISION, RECALL], abs=1e-12)
    assert not how.exact
    assert "srl-sha256" in how.facts()


def test_words_alone_are_yisi_1(srl: str) -> None:
    texts = [HYP, REF], [REF, REF]
    assert metric(f'yisi-1(srl="{srl}", beta=0)').segments(*texts) == pytest.approx(metric("yisi-1").segments(*texts))
    assert metric(f'yisi-1(srl="{srl}")').segments(*texts)[1] == 1.0


def test_of_several_references_precision_and_recall_take_the_best(srl: str) -> None:
    how = metric(f'yisi-1(srl="{srl}", beta=1, {PLAIN})')
    both = how.batch([HYP, REF, ""], [[REF, HYP], [HYP, REF], [REF, HYP]])
    rows = how.statistics(both)
    assert rows[:2, :2] == pytest.approx(1.0)
    assert rows[2].tolist() == [0, 0, 0, 1]


def test_an_explanation_has_frames_and_words(srl: str) -> None:
    told = metric(f'yisi-1(srl="{srl}")').explain(HYP, REF)
    assert told.formula is not None
    recall, precision = told.formula.parts
    assert [(part.name, part.weight) for part in recall.parts] == [("frames", 0.2), ("words", 0.8)]
    assert [recall.name, precision.name] == ["recall", "precision"]


def test_contextual_frames(srl: str, tmp_path: pathlib.Path) -> None:
    model = write_tiny_encoder(tmp_path / "tiny")
    texts = [HYP, REF, ""], [REF, REF, REF]
    plain = metric(f'yisi-1(model="{model}")').segments(*texts)
    assert metric(f'yisi-1(model="{model}", srl="{srl}", beta=0)').segments(*texts).tolist() == plain.tolist()
    mixed = metric(f'yisi-1(model="{model}", srl="{srl}")')
    assert mixed.segments(*texts)[1:] == pytest.approx([1.0, 0.0])
    assert mixed.segments(*texts)[0] != plain[0]
    assert {"srl-sha256", "read-layer"} <= set(mixed.facts())


def test_roles_in_pieces() -> None:
    frame = Frame(Role(0, 1, 2, 1), (Role(1, 0, 1, 1), Role(2, 2, 4, 2)))
    offsets = [(0, 3), (4, 6), (6, 8), (9, 11)]  # in "the catnap is long" the last word was cut
    moved = frames.in_pieces((frame,), "the catn is long", ["the", "catn", "is", "long"], offsets)
    assert moved == (Frame(Role(0, 1, 3, 1), (Role(1, 0, 1, 1), Role(2, 3, 4, 2))),)
    with pytest.raises(InputError, match="The word 'dog' of a file with semantic roles is not in its text"):
        frames.in_pieces((frame,), "the cat", ["the", "dog"], [])


def test_what_is_refused(srl: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="has no tree of the text 'x'"):
        tercet.score({"a": ["x"]}, [REF], metrics=[f'yisi-1(srl="{srl}")'])
    with pytest.raises(SpecError, match="srl must be a file or folder that is there"):
        metric("yisi-1(srl=nowhere.roles)")
    with pytest.raises(SpecError, match="beta must be from 0 to 1"):
        metric(f'yisi-1(srl="{srl}", beta=2)')
    monkeypatch.setattr(frames, "MOST_PAIRS", 1)
    with pytest.raises(InputError, match="A segment has 2 times 1 roles to compare: too many"):
        metric(f'yisi-1(srl="{srl}")').segments([HYP], [REF])


def test_segments_in_parts_are_those_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    texts = [
        tuple(
            Frame(Role(0, 0, 1, 1), tuple(Role(int(k), 0, 1, int(n)) for k, n in rng.integers(1, 4, (3, 2))))
            for _ in range(int(rng.integers(0, 4)))
        )
        for _ in range(15)
    ]

    def similar(pairs: object) -> Array:
        """By the texts alone, so that parts do not matter."""
        asked: list[Pair] = list(pairs)  # type: ignore[call-overload]
        return np.array([[(i * 7 + k) % 5 / 5, (i + k * 3) % 4 / 4] for i, k, _, _ in asked]).reshape(-1, 2)

    whole = frames.structures(texts[:5], texts[5:], list(range(0, 11, 2)), np.ones(8), similar)
    monkeypatch.setattr(frames, "_AT_ONCE", 2)
    parts = frames.structures(texts[:5], texts[5:], list(range(0, 11, 2)), np.ones(8), similar)
    assert whole.tolist() == parts.tolist()
    assert ((whole >= 0) & (whole <= 1)).all()
    assert whole.any()
