"""`tercet.retrieval`: means, ceiling, tests, queries, collections and the metrics that foretell them."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet.sample import write_retrieval
from tercet.searching.bm25 import Bm25
from tercet.searching.measures import MEASURES
from tests.oracles import retrieval as oracle

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2, "d3": 1}, "q3": {"d4": 1}}
GOOD = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 2.0, "d1": 1.0}, "q3": {"d4": 1.0}}
POOR = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d9": 1.0}, "q3": {"d8": 2.0, "d4": 1.0}}
PARTIAL = {"q1": {"d1": 1.0}, "q7": {"d1": 1.0}}
SYSTEMS = ("amber", "birch", "cedar", "delta")


@pytest.fixture
def files(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, pathlib.Path]:
    monkeypatch.chdir(tmp_path)
    write_retrieval()
    return {name: pathlib.Path(f"{name}.tsv") for name in SYSTEMS}


def row(found: tercet.Retrieval, system: str, measure: str) -> Any:
    return next(r for r in found if (r.system, r.measure) == (system, measure))


def test_values_are_means_and_rel_is_a_sum() -> None:
    found = tercet.retrieval({"good": GOOD, "poor": POOR}, QRELS)
    for name, run in (("good", GOOD), ("poor", POOR)):
        each = [oracle.measures(run[q], QRELS[q]) for q in QRELS]
        for measure in MEASURES:
            total = sum(values[measure] for values in each)
            assert found.value(name, measure) == pytest.approx(total if measure == "rel" else total / 3)
    assert [r.measure for r in found][: len(MEASURES)] == list(MEASURES)
    with pytest.raises(KeyError):
        found.value("good", "ERR")


def test_missing_queries_count_nothing_unless_told_otherwise() -> None:
    complete = tercet.retrieval({"a": PARTIAL}, QRELS)
    assert complete.value("a", "MAP") == pytest.approx(1 / 3)
    assert complete.notes == (
        "a lacks 2 of the 3 queries that were judged.",
        "1 queries of a were not judged and do not count.",
    )
    assert "|complete:true|" in complete.signature
    some = tercet.retrieval({"a": PARTIAL, "good": GOOD}, QRELS, complete=False)
    assert some.value("a", "MAP") == 1.0
    assert row(some, "a", "MAP").n == 1
    assert row(some, "good", "MAP").n == 3
    tested = row(some, "good", "MAP")
    assert (tested.wins, tested.ties, tested.losses, tested.delta) == (0, 1, 0, 0.0), "only q1 is in both"
    assert [r.query for r in some.queries if (r.system, r.measure) == ("a", "MAP")] == ["q1"]


def test_the_ceiling_is_what_others_are_held_against() -> None:
    found = tercet.retrieval({"poor": POOR}, QRELS, ceiling=GOOD)
    assert found.baseline == "ceiling"
    record = row(found, "poor", "MAP")
    assert record.of_ceiling == pytest.approx(found.value("poor", "MAP") / found.value("ceiling", "MAP"))
    assert record.delta == pytest.approx(found.value("poor", "MAP") - found.value("ceiling", "MAP"))
    assert (record.wins, record.ties, record.losses) == (0, 0, 3)
    assert record.p_value == pytest.approx(0.25, abs=0.02), "two of the eight patterns of signs"
    top = row(found, "ceiling", "MAP")
    assert (top.of_ceiling, top.delta, top.p_value, top.wins) == (None, None, None, None)


def test_nothing_of_a_ceiling_without_hits_is_undefined() -> None:
    found = tercet.retrieval({"a": GOOD}, QRELS, ceiling={"q1": {"d9": 1.0}})
    assert np.isnan(row(found, "a", "MAP").of_ceiling)


def test_the_baseline_can_be_chosen() -> None:
    runs = {"good": GOOD, "poor": POOR}
    assert tercet.retrieval(runs, QRELS).baseline == "good"
    chosen = tercet.retrieval(runs, QRELS, baseline="poor")
    assert chosen.baseline == "poor"
    assert row(chosen, "good", "MAP").wins == 3
    assert tercet.retrieval({"good": GOOD}, QRELS).baseline is None
    with pytest.raises(tercet.InputError, match="There is no system 'nobody'"):
        tercet.retrieval(runs, QRELS, baseline="nobody")


def test_tests() -> None:
    runs = {"good": GOOD, "poor": POOR}
    plain = tercet.retrieval(runs, QRELS, test="none")
    assert all(r.p_value is None for r in plain)
    assert "test:none" in plain.signature
    t = tercet.retrieval(runs, QRELS, test="t-test")
    assert 0 < row(t, "poor", "MAP").p_value < 0.1
    assert row(t, "poor", "P@10").p_value is not None
    same = tercet.retrieval({"a": GOOD, "b": GOOD}, QRELS)
    assert {r.p_value for r in same if r.system == "b"} == {1.0}
    undefined = tercet.retrieval({"a": GOOD, "b": GOOD}, QRELS, test="t-test")
    assert {r.p_value for r in undefined if r.system == "b"} == {None}


def test_a_seed_is_a_result() -> None:
    runs = {"good": GOOD, "poor": POOR}
    first, again, other = (tercet.retrieval(runs, QRELS, seed=seed, trials=200) for seed in (1, 1, 2))
    assert first == again
    assert first.records != other.records


def test_what_counts_as_relevant() -> None:
    found = tercet.retrieval({"good": GOOD}, QRELS, relevant=2)
    assert found.value("good", "rel") == 1.0


def test_queries_are_searched(files: dict[str, pathlib.Path]) -> None:
    found = tercet.retrieval(files, "qrels.txt", ceiling="titles.tsv", collection="pages.tsv")
    assert "engine:bm25(k1=1.2, b=0.75, depth=1000)" in found.signature
    read = tercet.formats.trec.read_texts
    engine = Bm25(read("pages.tsv"))
    runs = {name: engine.search(read(path)) for name, path in files.items()}
    by_hand = tercet.retrieval(runs, "qrels.txt", ceiling=engine.search(read("titles.tsv")))
    assert by_hand.records == found.records
    assert by_hand.queries == found.queries
    given = {name: read(path) for name, path in files.items()}
    texts = tercet.retrieval(given, "qrels.txt", ceiling=read("titles.tsv"), collection=read("pages.tsv"))
    assert texts == found


def test_metrics_are_correlated_with_what_is_found(files: dict[str, pathlib.Path]) -> None:
    found = tercet.retrieval(
        files, "qrels.txt", ceiling="titles.tsv", collection="pages.tsv", metrics=["chrf", "ter(normalize=punct)"]
    )
    read = tercet.formats.trec.read_texts
    reference = list(read("titles.tsv").values())
    for spec, sign in (("chrf", 1), ("ter(normalize=punct)", -1)):
        said = [sign * tercet.metric(spec).corpus(list(read(p).values()), reference) for p in files.values()]
        for measure in MEASURES:
            values = [found.value(name, measure) for name in files]
            (record,) = (r for r in found.predictions if (r.metric, r.measure) == (spec, measure))
            assert record.pearson == pytest.approx(np.corrcoef(said, values)[0, 1])
            assert record.n == 4


def test_metrics_need_queries_and_systems(files: dict[str, pathlib.Path]) -> None:
    two = dict(list(files.items())[:2])
    for runs, more in (
        ({"good": GOOD, "poor": POOR, "third": POOR}, {"ceiling": GOOD}),
        (files, {"collection": "pages.tsv"}),
        (two, {"collection": "pages.tsv", "ceiling": "titles.tsv"}),
    ):
        with pytest.raises(tercet.InputError, match="3 systems or more"):
            tercet.retrieval(runs, "qrels.txt", metrics=["chrf"], **more)
    lines = pathlib.Path("delta.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    pathlib.Path("delta.tsv").write_text("".join(lines[1:]), encoding="utf-8")
    with pytest.raises(tercet.InputError, match="delta has no query 'q01'"):
        tercet.retrieval(files, "qrels.txt", ceiling="titles.tsv", collection="pages.tsv", metrics=["chrf"])


@pytest.mark.parametrize(
    ("runs", "more", "words"),
    [
        ({}, {}, "no run"),
        ({"ceiling": GOOD}, {}, "cannot be called"),
        ({"a": {"x": {"d": 1.0}}}, {}, "none of the 3 queries"),
        ({"a": {"q1": "text"}}, {}, "Give a collection"),
        ({"a": GOOD}, {"collection": {"d": "text"}}, "leave the collection out"),
        ({"a": 3}, {}, "A file or a mapping is needed, not int"),
        ({"a": GOOD}, {"test": "sign"}, "test must be one of randomization, t-test, none, not 'sign'"),
        ({"a": GOOD}, {"trials": 0}, "trials must be"),
        ({"a": GOOD}, {"relevant": 0}, "relevant must be"),
        ({"a": GOOD}, {"threads": 0}, "threads must be"),
        ({"a": {"q1": {"d": float("nan")}}}, {}, "the value nan"),
        ({"a": {"q1": {"d": "high"}}}, {}, "the value 'high'"),
        ({"a": {"q1": {"d\0x": 1.0}}}, {}, "the id"),
        ({"a": {"q1": {"\ud800": 1.0}}}, {}, "the id"),
        ({"a": {"q1": {3: 1.0}}}, {}, "the id 3"),
    ],
)
def test_what_cannot_be_used_is_refused(runs: Any, more: dict[str, Any], words: str) -> None:
    with pytest.raises(tercet.InputError, match=words) as caught:
        tercet.retrieval(runs, QRELS, **more)
    assert caught.value.hint


@pytest.mark.parametrize("level", [1000, 2**40, 0.5, "1", None])
def test_a_level_that_cannot_be_used_is_refused(level: Any) -> None:
    with pytest.raises(tercet.InputError, match="the value"):
        tercet.retrieval({"a": GOOD}, {"q1": {"d1": level}})


def test_a_query_of_levels_below_zero_has_nothing_relevant() -> None:
    found = tercet.retrieval({"a": GOOD}, {**QRELS, "q2": {"d1": -1}}, complete=False)
    assert {r.value for r in found.queries if r.query == "q2"} == {0.0}
    assert found.value("a", "MAP") == pytest.approx(2 / 3)


def test_frames_and_a_notebook() -> None:
    found = tercet.retrieval({"good": GOOD, "<poor>": POOR}, QRELS)
    frame = found.frame()
    assert frame.height == len(found) == 2 * len(MEASURES)
    assert frame.columns == list(found.as_records()[0])
    queries = found.frame("query")
    assert queries.height == 2 * len(MEASURES) * 3
    assert found.frame("metric").height == 0
    html = found._repr_html_()
    assert "NDCG@10" in html
    assert "<poor>" not in html
    with pytest.raises(tercet.InputError, match="no level"):
        found.as_records("document")  # type: ignore[arg-type]
