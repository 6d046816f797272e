"""pytrec_eval's measures and BM25 against their definitions."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tercet
from tercet.searching.bm25 import Bm25
from tercet.searching.measures import MEASURES, averaged, measured, relative
from tests.oracles import retrieval as oracle

DOCUMENTS = st.sampled_from([f"d{i}" for i in range(12)])
LEVELS = st.dictionaries(DOCUMENTS, st.integers(0, 3), min_size=1)
SCORES = st.dictionaries(DOCUMENTS, st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, 7.0]), min_size=1)


@given(SCORES, LEVELS, st.integers(1, 2))
def test_measures_are_their_definitions(scores: dict[str, float], levels: dict[str, int], relevant: int) -> None:
    found = measured([{"q": scores}], {"q": levels}, relevant)[0, :, 0]
    expected = oracle.measures(scores, levels, relevant)
    assert dict(zip(MEASURES, found.tolist(), strict=True)) == pytest.approx(expected, abs=1e-9)


def test_a_query_without_a_run_is_missing_and_one_without_judgements_does_not_count() -> None:
    found = measured([{"q2": {"d": 1.0}, "q9": {"d": 1.0}}], {"q1": {"d": 1}, "q2": {"d": 1}})
    assert np.isnan(found[0, :, 0]).all()
    assert found[0, list(MEASURES).index("MAP"), 1] == 1.0


def test_means_and_the_sum() -> None:
    values = np.full((1, len(MEASURES), 3), 2.0)
    values[..., 2] = np.nan
    assert averaged(values)[0].tolist() == [2.0] * (len(MEASURES) - 1) + [4.0]
    assert np.isnan(relative(np.array([1.0]), np.array([0.0]))).all()


WORDS = st.lists(st.sampled_from(["heart", "liver", "pain", "the", "x2"]), max_size=6)


@given(st.lists(WORDS, min_size=1, max_size=6), WORDS)
def test_bm25_is_its_formula(rows: list[list[str]], query: list[str]) -> None:
    documents = {f"d{i}": row for i, row in enumerate(rows)}
    texts = {name: " , ".join(row).title() for name, row in documents.items()}
    found = Bm25(texts).search({"q": " ".join(query).upper()})["q"]
    expected = oracle.bm25(query, documents, 1.2, 0.75) if any(rows) else {}
    assert dict(found) == pytest.approx(expected)
    scores = list(found.values())
    assert scores == sorted(scores, reverse=True)


def test_equal_documents_are_cut_where_trec_eval_would_rank_them() -> None:
    engine = Bm25({"a": "pain", "c": "pain", "b": "pain"})
    assert list(engine.search({"q": "pain"}, depth=2)["q"]) == ["c", "b"]
    assert Bm25({}).search({"q": "pain"}) == {"q": {}}
    assert Bm25({"a": "…"}).search({"q": "…"}) == {"q": {}}


def test_words_of_any_script() -> None:
    found = Bm25({"hi": "हिन्दी में एक वाक्य", "ru": "Боль в ГРУДИ"}).search({"a": "हिन्दी", "b": "грудИ", "c": "हिन"})
    assert {q: list(docs) for q, docs in found.items()} == {"a": ["hi"], "b": ["ru"], "c": []}


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name == "pytrec_eval":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(tercet.MissingExtraError, match=r"pip install 'tercet\[retrieval\]'"):
        tercet.retrieval({"a": {"q": {"d": 1.0}}}, {"q": {"d": 1}})
