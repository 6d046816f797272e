"""What is kept between runs: only what was counted before, of the same texts and the same metric, comes back."""

from __future__ import annotations

import dataclasses
import io
import pathlib
import random
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import tercet
from tercet.data import References, Statistics, TestSet, Texts
from tercet.formats.arrays import narrow
from tercet.metric_base import Metric
from tercet.sample import campaign
from tercet.scoring import statistics
from tercet.study import cache as cache_module
from tercet.study.cache import Cache, _load, _store
from tests.text.models import small_model

TEXTS = campaign("en-de")
CHRF, BLEU = tercet.metric("chrf"), tercet.metric("bleu")


def fresh(folder: pathlib.Path | None) -> Cache:
    """A cache as a new run has it."""
    return Cache(folder, statistics)


def kept(folder: pathlib.Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_second_run_counts_nothing(tmp_path: pathlib.Path) -> None:
    first, second = fresh(tmp_path), fresh(tmp_path)
    counted = [first.statistics(TEXTS, m) for m in (CHRF, BLEU)]
    found = [second.statistics(TEXTS, m) for m in (CHRF, BLEU)]
    assert (first.computed, first.found) == (["chrf", "bleu"], [])
    assert (second.computed, second.found) == ([], ["chrf", "bleu"])
    for one, two in zip(counted, found, strict=True):
        assert one.systems == two.systems
        assert np.array_equal(one.rows, two.rows)
        assert np.array_equal(one.corpus(), two.corpus())
        assert two.rows.dtype == np.float64


def test_another_file_under_the_same_name_is_another_metric(tmp_path: pathlib.Path) -> None:
    counted = []
    for size in (200, 180, 200):
        shutil.copy(small_model(size), tmp_path / "small.model")
        cache = fresh(tmp_path / "kept")
        cache.statistics(TEXTS, tercet.metric(f'bleu(tokenize=spm(model="{tmp_path}/small.model"))'))
        counted.append(len(cache.computed))
    assert counted == [1, 1, 0]


def test_without_a_folder_nothing_is_kept() -> None:
    cache = fresh(None)
    cache.statistics(TEXTS, CHRF)
    cache.statistics(TEXTS, CHRF)
    assert cache.computed == ["chrf", "chrf"]


def test_one_metric_more_counts_one(tmp_path: pathlib.Path) -> None:
    fresh(tmp_path).statistics(TEXTS, CHRF)
    again = fresh(tmp_path)
    for metric in (CHRF, BLEU):
        again.statistics(TEXTS, metric)
    assert (again.computed, again.found) == (["bleu"], ["chrf"])


def test_other_options_are_another_metric(tmp_path: pathlib.Path) -> None:
    cache = fresh(tmp_path)
    for spec in ("chrf", "chrf(beta=3)", "chrf(word_order=2)"):
        cache.statistics(TEXTS, tercet.metric(spec))
    assert len(cache.computed) == len(kept(tmp_path)) == 3


def test_an_alias_is_the_same_metric(tmp_path: pathlib.Path) -> None:
    fresh(tmp_path).statistics(TEXTS, tercet.metric("chrf++"))
    again = fresh(tmp_path)
    again.statistics(TEXTS, tercet.metric("chrf(word_order=2)"))
    assert not again.computed


def test_another_version_counts_anew(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh(tmp_path).statistics(TEXTS, CHRF)
    monkeypatch.setattr(cache_module, "version", lambda: "99")
    again = fresh(tmp_path)
    again.statistics(TEXTS, CHRF)
    assert again.computed == ["chrf"]


def small(systems: dict[str, list[str]], references: list[list[str]], sources: list[str] | None = None) -> TestSet:
    base = dataclasses.replace(TEXTS, documents=None)
    n = len(references)
    return dataclasses.replace(
        base,
        segments=tuple(map(str, range(1, n + 1))),
        systems={name: Texts.of(texts) for name, texts in systems.items()},
        references=References.of(references),
        sources=None if sources is None else Texts.of(sources),
    )


BASE = small({"a": ["x y", "z"], "b": ["x", "z z"]}, [["x y"], ["z"]])
CHANGED = {
    "a text": small({"a": ["x y", "z"], "b": ["x", "z y"]}, [["x y"], ["z"]]),
    "a reference": small({"a": ["x y", "z"], "b": ["x", "z z"]}, [["x y"], ["y"]]),
    "one reference more": small({"a": ["x y", "z"], "b": ["x", "z z"]}, [["x y"], ["z", "z"]]),
    "references shared otherwise": small({"a": ["x y", "z"], "b": ["x", "z z"]}, [["x y", "z"], ["z"]]),
    "a name": small({"a": ["x y", "z"], "c": ["x", "z z"]}, [["x y"], ["z"]]),
    "order": small({"b": ["x", "z z"], "a": ["x y", "z"]}, [["x y"], ["z"]]),
    "a source": small({"a": ["x y", "z"], "b": ["x", "z z"]}, [["x y"], ["z"]], ["s", "t"]),
    "where a text ends": small({"a": ["x yz", ""], "b": ["x", "z z"]}, [["x y"], ["z"]]),
    "one system less": small({"a": ["x y", "z"]}, [["x y"], ["z"]]),
}


@pytest.mark.parametrize("changed", CHANGED.values(), ids=CHANGED)
def test_a_changed_test_set_counts_again(changed: TestSet, tmp_path: pathlib.Path) -> None:
    fresh(tmp_path).statistics(BASE, CHRF)
    again = fresh(tmp_path)
    assert np.array_equal(again.statistics(changed, CHRF).rows, statistics(changed, CHRF).rows)
    assert again.computed == ["chrf"]


def test_a_test_set_that_is_gone_does_not_lend_its_digest(tmp_path: pathlib.Path) -> None:
    """Studies hold one direction at a time, and Python gives the place of one that is gone to the next."""
    cache = fresh(tmp_path)
    for n in range(20):
        texts = small({"a": [f"x {n}"]}, [[f"x {n % 7} y"]])
        assert np.array_equal(cache.statistics(texts, CHRF).rows, statistics(texts, CHRF).rows)
        del texts
    assert len(cache.computed) == 20


def rows(shape: tuple[int, int, int] = (2, 3, 4)) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.random.default_rng(1).integers(0, 300, shape).astype(np.float64)


def test_a_broken_file_is_counted_anew(tmp_path: pathlib.Path) -> None:
    """Whatever bytes have changed, the rows are right or not there; nothing is raised."""
    path = tmp_path / "x.npz"
    _store(path, rows())
    sound = path.read_bytes()
    draw = random.Random(1)  # noqa: S311
    for _ in range(300):
        data = bytearray(sound)
        for _ in range(draw.choice([1, 1, 4])):
            data[draw.randrange(len(data))] = draw.randrange(256)
        path.write_bytes(data[: draw.randrange(len(data))] if draw.random() < 0.2 else data)
        found = _load(path, (2, 3))
        assert found is None or np.array_equal(found, rows())


def other_bytes(what: str) -> bytes:
    page = io.BytesIO()
    if what == "another array":
        np.save(page, rows())
    elif what == "another name":
        np.savez(page, other=rows())
    elif what == "another shape":
        np.savez(page, rows=rows((2, 4, 4)))
    elif what == "flat":
        np.savez(page, rows=np.ones(24))
    elif what == "words":
        np.savez(page, rows=np.full((2, 3, 4), "word"))
    elif what == "text":
        page.write(b"not a zip")
    return page.getvalue()


@pytest.mark.parametrize("what", ["nothing", "text", "another array", "another name", "another shape", "flat", "words"])
def test_a_file_of_something_else_is_counted_anew(what: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(other_bytes(what))
    assert _load(path, (2, 3)) is None


def test_a_broken_file_is_replaced(tmp_path: pathlib.Path) -> None:
    fresh(tmp_path).statistics(TEXTS, CHRF)
    (path,) = tmp_path.iterdir()
    sound = path.read_bytes()
    path.write_bytes(sound[: len(sound) // 2])
    again = fresh(tmp_path)
    again.statistics(TEXTS, CHRF)
    assert again.computed == ["chrf"]
    assert path.read_bytes() == sound, "the same counts are the same bytes"


@given(
    npst.arrays(
        np.float64,
        (1, 2, 3),
        elements=st.one_of(st.integers(0, 2**33).map(float), st.floats(allow_nan=True, allow_infinity=True)),
    )
)
def test_narrow_counts_come_back_as_they_were(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    assert narrow(values).astype(np.float64).tobytes() == values.tobytes()


@pytest.mark.parametrize(("most", "size"), [(255, 1), (256, 2), (65_535, 2), (65_536, 4), (2**32 - 1, 4), (2**32, 8)])
def test_counts_take_as_few_bytes_as_they_need(most: int, size: int) -> None:
    assert narrow(np.array([[[0.0, most]]])).dtype.itemsize == size


def test_counting_that_fails_keeps_nothing(tmp_path: pathlib.Path) -> None:
    def fail(testset: TestSet, metric: Metric) -> Statistics:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Cache(tmp_path, fail).statistics(TEXTS, CHRF)
    assert kept(tmp_path) == []


def test_writing_that_fails_leaves_nothing_half_written(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: pathlib.Path, target: pathlib.Path) -> pathlib.Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pathlib.Path, "replace", full)
    with pytest.raises(tercet.InputError, match="No space left"):
        fresh(tmp_path).statistics(TEXTS, CHRF)
    assert kept(tmp_path) == []
