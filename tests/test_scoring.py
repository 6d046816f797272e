"""`tercet.score`: levels, parts, documents, runs, and what it refuses."""

from __future__ import annotations

import pathlib
from collections import Counter
from typing import Any

import numpy as np
import pytest
import scipy.stats

import tercet
from tercet import counting, stats
from tercet.data import TestSet
from tercet.errors import InputError
from tercet.formats import table
from tercet.options.groups import Drawn, Paired
from tercet.options.scoring import Level
from tercet.report.answers import as_html
from tercet.report.comparison import markdown
from tercet.report.html.compare import page
from tercet.report.scores import scores_table
from tercet.report.tables import render
from tercet.sample import campaign
from tercet.stats import holm
from tercet.stats.correction import benjamini_hochberg

EVERY = ["bleu", "chrf++", "ter", "nist", "sentbleu", "wer", "per", "moses-ter(language=de)"]


@pytest.fixture(scope="module")
def testset() -> TestSet:
    return campaign("en-de")


def test_corpus_scores_are_the_metrics_own(testset: TestSet) -> None:
    scores = tercet.score(testset=testset, metrics=EVERY)
    references = [testset.references[i] for i in range(len(testset))] if testset.references else []
    assert [r.metric for r in scores][: len(EVERY)] == [str(tercet.metric(m)) for m in EVERY]
    for record in scores:
        metric = tercet.metric(record.metric)
        assert record.score == metric.corpus(list(testset.systems[record.system]), references)


def test_segment_and_document_scores(testset: TestSet) -> None:
    metric = tercet.metric("chrf")
    references = [testset.references[i] for i in range(len(testset))] if testset.references else []
    by_segment = tercet.score(testset=testset, metrics=["chrf"], level="segment")
    own = metric.segments(list(testset.systems["cedar"]), references)
    assert [r.score for r in by_segment if r.system == "cedar"] == own.tolist()
    assert [r.segment for r in by_segment if r.system == "cedar"] == list(testset.segments)
    for record in tercet.score(testset=testset, metrics=["chrf"], level="document"):
        rows = [i for i, d in enumerate(testset.documents or ()) if d == record.segment]
        texts = [testset.systems[record.system][i] for i in rows]
        assert record.score == metric.corpus(texts, [references[i] for i in rows])


@pytest.mark.parametrize("level", ["corpus", "document", "segment"])
def test_a_test_set_in_parts_scores_as_in_one_piece(
    testset: TestSet, level: Level, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bit for bit, with several references, so that statistics are no whole numbers, and documents cut in two."""
    from tercet.formats import table

    table.write(testset, tmp_path / "set.tsv")
    whole = tercet.score(testset=tmp_path / "set.tsv", metrics=EVERY, level=level)
    monkeypatch.setattr(counting, "PART", 7)
    parts = tercet.score(testset=tmp_path / "set.tsv", metrics=EVERY, level=level)
    assert parts.records == whole.records


def test_intervals_are_the_same_in_parts(
    testset: TestSet, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tercet.formats import table

    table.write(testset, tmp_path / "set.tsv")
    options: dict[str, Any] = {"metrics": ["bleu", "ter"], "ci": True, "paired": "bootstrap", "samples": 100}
    whole = [tercet.score(testset=tmp_path / "set.tsv", unit=u, **options) for u in ("segment", "document")]
    monkeypatch.setattr(counting, "PART", 11)
    parts = [tercet.score(testset=tmp_path / "set.tsv", unit=u, **options) for u in ("segment", "document")]
    assert [p.records for p in parts] == [w.records for w in whole]
    assert whole[0].records[0].low != whole[1].records[0].low


def test_threads_do_not_change_a_bit(testset: TestSet) -> None:
    one, two = (
        tercet.score(testset=testset, metrics=EVERY, ci=True, paired="randomization", trials=100, threads=n)
        for n in (1, 2)
    )
    assert one == two


def test_the_paired_test_knows_its_baseline(testset: TestSet) -> None:
    first = tercet.score(testset=testset, metrics=["chrf"], paired="bootstrap")
    assert [r.system for r in first if r.p_value is None] == ["amber"]
    other = tercet.score(testset=testset, metrics=["chrf"], paired="bootstrap", baseline="delta")
    assert [r.system for r in other if r.p_value is None] == ["delta"]
    shares = {r.system: r.win_share for r in other}
    assert shares["amber"] == 1
    assert shares["ember"] == 0
    by_errors = tercet.score(testset=testset, metrics="ter", paired="bootstrap", baseline="delta")
    assert {r.system: r.win_share for r in by_errors}["amber"] == 1


def test_holm_adjusts_within_a_metric(testset: TestSet) -> None:
    plain, holm = (
        tercet.score(testset=testset, metrics=["chrf", "ter"], paired="randomization", trials=999, correction=c)
        for c in ("none", "holm")
    )
    for metric in ("chrf", "ter"):
        raw = [r.p_value for r in plain if r.metric == metric and r.p_value is not None]
        adjusted = [r.p_value for r in holm if r.metric == metric and r.p_value is not None]
        assert adjusted == stats.holm(raw).tolist()
    assert all("correction:holm" in r.signature for r in holm)


def test_benjamini_and_hochberg_adjust_within_a_metric(testset: TestSet) -> None:
    options: dict[str, Any] = {"metrics": ["ter"], "paired": "bootstrap", "baseline": "birch", "samples": 99}
    plain, adjusted = (tercet.score(testset=testset, correction=c, **options) for c in ("none", "bh"))
    raw = [r.p_value for r in plain if r.p_value is not None]
    assert [r.p_value for r in adjusted if r.p_value is not None] == benjamini_hochberg(raw).tolist()
    assert "correction:bh" in adjusted.signature


@pytest.mark.parametrize("paired", ["wilcoxon", "t"])
def test_classical_tests_are_those_of_segment_scores(testset: TestSet, paired: Any) -> None:
    scores = tercet.score(testset=testset, metrics=["bleu", "rouge-l"], paired=paired, correction="none")
    segments = tercet.score(testset=testset, metrics=["bleu", "rouge-l"], level="segment")
    for record in scores:
        if record.system != "amber":
            a, b = (
                [r.score for r in segments if (r.system, r.metric) == (system, record.metric)]
                for system in (record.system, "amber")
            )
            gaps = np.round(np.array(a) - b, 10)
            test = scipy.stats.wilcoxon(gaps[gaps != 0]) if paired == "wilcoxon" else scipy.stats.ttest_rel(a, b)
            assert record.p_value == pytest.approx(test.pvalue)
        assert f"|unit:segment|test:{paired}|" in record.signature
        assert "seed" not in record.signature
    assert "Those of bleu do not average to the score shown." in scores.notes[0]
    alone = tercet.score(testset=testset, metrics=["rouge-l"], paired=paired)
    assert "average" not in alone.notes[0]
    twins = {"a": list(testset.systems["amber"]), "b": list(testset.systems["amber"])}
    same = tercet.score(twins, list(testset.references or ()), metrics=["bleu"], paired=paired)
    assert same.records[1].p_value == 1


@pytest.mark.parametrize("paired", ["bootstrap", "randomization", "wilcoxon", "t"])
def test_several_tests_are_corrected_unless_nobody_wants_that(testset: TestSet, paired: Any) -> None:
    def p(**options: Any) -> list[float]:
        made = tercet.score(testset=testset, metrics=["ter"], paired=paired, baseline="birch", **options)
        assert f"|correction:{options.get('correction', 'holm')}|" in made.records[0].signature
        said = "p is corrected for 4 tested systems" if options.get("correction") != "none" else "p is not corrected"
        assert any(said in note for note in made.notes)
        return [float(record.p_value) for record in made if record.p_value is not None]

    assert p() == p(correction="holm") == holm(p(correction="none")).tolist()


def test_sacrebleu_corrects_nothing(testset: TestSet) -> None:
    def p(**more: Any) -> list[float | None]:
        made = tercet.score(testset=testset, metrics=["ter"], paired="bootstrap", compat=True, **more)
        return [record.p_value for record in made]

    assert p() == p(correction="none") != p(correction="holm")


@pytest.mark.parametrize("paired", ["bootstrap", "randomization", "wilcoxon", "t"])
def test_a_run_that_is_counted_again_makes_nothing_surer(paired: Paired) -> None:
    rng = np.random.default_rng(3)
    words = np.array(["a", "b", "c", "d"])
    references, base, new = ([" ".join(words[rng.integers(0, 4, 6)]) for _ in range(40)] for _ in range(3))
    once = tercet.score({"base": base, "new": new}, references, metrics=["chrf"], paired=paired)
    again = {f"{name}#{run}": lines for name, lines in (("base", base), ("new", new)) for run in range(3)}
    thrice = tercet.score(again, references, metrics=["chrf"], paired=paired)
    p, again_p = (scores.records[1].p_value for scores in (once, thrice))
    assert p is not None
    assert 0.05 < p < 0.9
    assert again_p == pytest.approx(p, abs=0.005)  # as means of equal numbers are rounded


def test_runs_are_averaged() -> None:
    references = ["the cat sat on the mat today", "a dog barked at the small house", "we like green tea in the morning"]
    runs = {
        "base#1": ["the cat sat on a mat today", "a dog barked at the house", "we like tea in the morning"],
        "base#2": ["cat sat on the mat today", "the dog barked at the small house", "we like green tea in morning"],
        "new#1": references,
        "new#2": references,
    }
    scores = tercet.score(runs, references, metrics=["chrf"], ci=True, paired="randomization", trials=50)
    base, new = scores
    assert (base.system, new.system, base.runs, new.runs) == ("base", "new", 2, 2)
    each = [tercet.metric("chrf").corpus(runs[f"base#{i}"], references) for i in (1, 2)]
    assert base.score == pytest.approx(np.mean(each))
    assert base.s_opt == pytest.approx(np.std(each, ddof=1))
    assert new.s_opt == 0
    quick = tercet.score(runs, references, metrics=["chrf"], paired="randomization", trials=50)
    assert "|bs:1000|" in quick.records[0].signature
    assert quick.records[0].s_sel == base.s_sel


def test_a_metric_asked_for_twice_is_scored_once(testset: TestSet) -> None:
    scores = tercet.score(testset=testset, metrics=["wer(lowercase=ascii)", "wer(lowercase=true)", "bleu", "bleu"])
    assert [r.metric for r in scores if r.system == "amber"] == ["wer(lowercase=true)", "bleu"]


def test_a_pipe_is_read_once(tmp_path: pathlib.Path) -> None:
    """NIST wants the references before the first segment; what can be read only once is held."""
    import os
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "ref.txt").write_text("a b c\n")
    writer = threading.Thread(target=pipe.write_text, args=("a b c\n",))
    writer.start()
    found = tercet.score({"piped": pipe}, [tmp_path / "ref.txt"], metrics=["nist"])
    writer.join()
    assert found.records[0].score == tercet.metric("nist").corpus(["a b c"], ["a b c"])


@pytest.mark.parametrize(
    ("hyp", "ref", "complaint"),
    [("a.sgm", "b.txt", "not every other file"), ("a.xml", "a.xml", "--testset"), ("a.tsv.gz", "b.txt", "--testset")],
)
def test_markup_is_not_read_as_lines(tmp_path: pathlib.Path, hyp: str, ref: str, complaint: str) -> None:
    for name in (hyp, ref):
        (tmp_path / name).write_text("<doc>\n")
    with pytest.raises(tercet.InputError, match=complaint):
        tercet.score({"a": tmp_path / hyp}, [tmp_path / ref])


def test_statistics_are_the_hinge(testset: TestSet) -> None:
    metric = tercet.metric("bleu")
    references = list(testset.references or ())
    rows = [metric.statistics(metric.batch(list(t), references)) for t in testset.systems.values()]
    statistics = tercet.Statistics(tuple(testset.systems), np.stack(rows), metric.score)
    first, second = statistics.part(np.arange(20)), statistics.part(np.arange(20, 48))
    assert (first.total() + second.total() == statistics.total()).all()
    assert statistics.corpus().tolist() == [metric.corpus(list(t), references) for t in testset.systems.values()]
    assert statistics.segments().shape == (5, 48)
    with pytest.raises(tercet.InputError, match="need that many tables"):
        tercet.Statistics(("one",), np.stack(rows), metric.score)


def test_signatures_say_every_choice(testset: TestSet) -> None:
    record = tercet.score(testset=testset, metrics=["chrf3"], ci=True, samples=50, seed=3).records[0]
    assert record.metric == "chrf(beta=3)"
    assert record.signature == (
        "chrf|char_order:6|word_order:0|beta:3|lowercase:false|whitespace:false|eps_smoothing:false"
        f"|nrefs:1-2|bs:50|seed:3|unit:segment|tercet:{tercet.__version__}"
    )


def test_stdin_and_files_and_lists_give_one_number(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    hyps, refs = ["das ist ein Test", "नमस्ते दुनिया", "你好，世界"], ["das ist der Test", "नमस्ते जगत", "你好世界"]
    (tmp_path / "hyp.txt").write_text("\n".join(hyps) + "\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("\n".join(refs) + "\n", encoding="utf-8")
    lists = tercet.score({"hyp": hyps}, refs, metrics=["chrf", "nist"])
    files = tercet.score({"hyp": tmp_path / "hyp.txt"}, [tmp_path / "ref.txt"], metrics=["chrf", "nist"])
    stdin = io.TextIOWrapper(io.BytesIO((tmp_path / "hyp.txt").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    piped = tercet.score({"hyp": pathlib.Path("-")}, [tmp_path / "ref.txt"], metrics=["chrf", "nist"])
    assert lists == files == piped


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "Give either hypotheses"),
    "both": ({"hypotheses": {"a": ["x"]}, "testset": "set.tsv"}, "a test set or hypotheses, not both"),
    "both references": ({"testset": "set.tsv", "references": ["x"]}, "a test set or references, not both"),
    "no system": ({"hypotheses": {}, "references": ["x"]}, "no system"),
    "no references": ({"hypotheses": {"a": ["x"]}, "metrics": ["chrf"]}, "chrf needs references"),
    "uneven": ({"hypotheses": {"a": ["x", "y"]}, "references": ["x"]}, "1 entries for 2 segments"),
    "one string": ({"hypotheses": {"a": "x"}, "references": ["x"]}, "one string where a list"),
    "no names": ({"hypotheses": ["x"], "references": ["x"]}, "not systems by name"),
    "generator of numbers": ({"hypotheses": {"a": ["x"]}, "references": iter([1])}, "are int, not a string"),
    "no reference": ({"hypotheses": {"a": ["x"]}, "references": [None]}, "are NoneType, not a string"),
    "fraction of a sample": ({"hypotheses": {"a": ["x"]}, "references": ["x"], "samples": 99.5}, "whole number"),
    "one segment": (
        {"hypotheses": {"a": ["x"], "b": ["y"]}, "references": ["x"], "paired": "bootstrap"},
        "two segments or documents",
    ),
    "one system": ({"hypotheses": {"a": ["x"]}, "references": ["x"], "paired": "bootstrap"}, "two systems"),
    "no such baseline": (
        {"hypotheses": {"a": ["x"], "b": ["y"]}, "references": ["x"], "paired": "bootstrap", "baseline": "c"},
        "no system 'c'",
    ),
    "no documents": ({"hypotheses": {"a": ["x"]}, "references": ["x"], "level": "document"}, "no documents"),
    "segment intervals": ({"hypotheses": {"a": ["x"]}, "references": ["x"], "level": "segment", "ci": True}, "whole"),
    "few samples": ({"hypotheses": {"a": ["x"]}, "references": ["x"], "ci": True, "samples": 3}, "samples must be"),
    "bad level": ({"hypotheses": {"a": ["x"]}, "references": ["x"], "level": "word"}, "level must be one of"),
    "no threads": ({"hypotheses": {"a": ["x"]}, "references": ["x"], "threads": 0}, "threads must be"),
    "no metric": ({"hypotheses": {"a": ["x"]}, "references": ["x"], "metrics": []}, "no metric"),
    "empty": ({"hypotheses": {"a": []}, "references": []}, "not one segment"),
    "uneven runs": (
        {"hypotheses": {"a#1": ["x"], "a#2": ["x"], "b": ["y"]}, "references": ["x"], "paired": "randomization"},
        "same number of runs",
    ),
    "surrogate": ({"hypotheses": {"a": ["\ud800"]}, "references": ["x"]}, "lone surrogate"),
}


@pytest.mark.parametrize(("given", "complaint"), REFUSED.values(), ids=REFUSED)
def test_it_refuses_with_a_reason_and_a_remedy(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(tercet.InputError, match=complaint):
        tercet.score(**given)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"baseline": "A"}, "baseline does nothing without paired"),
        ({"correction": "holm"}, "correction does nothing without paired"),
        ({"paired": "t", "compat": True}, "sacreBLEU has no test t"),
    ],
)
def test_what_would_do_nothing_is_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        tercet.score({"A": ["a"], "B": ["b"]}, ["a"], metrics=["chrf"], **options)


class Listener:
    """Hears what is expected and what is done."""

    def __init__(self) -> None:
        self.expected: Counter[str] = Counter()
        self.done: Counter[str] = Counter()

    def __call__(self, what: str, done: int) -> None:
        self.done[what] += done

    def expect(self, what: str, total: int) -> None:
        self.expected[what] += total


@pytest.mark.parametrize("kind", ["lists", "files", "tsv", "tsv.gz", "parquet"])
def test_progress_has_a_total_from_the_start(kind: str, tmp_path: pathlib.Path) -> None:
    systems = {"a": ["one two", "three"], "b": ["one", "three four"]}
    references = ["one two", "four"]
    listener = Listener()
    if kind == "lists":
        tercet.score(systems, references, metrics=["chrf", "ter"], progress=listener)
    elif kind == "files":
        for name, texts in {**systems, "ref": references}.items():
            (tmp_path / name).write_text("\n".join(texts), encoding="utf-8")  # the last line has no end
        files = {name: tmp_path / name for name in systems}
        tercet.score(files, [tmp_path / "ref"], metrics=["chrf", "ter"], progress=listener)
    else:
        path = tmp_path / f"texts.{kind}"
        table.write(TestSet.of(systems, references), path)
        tercet.score(testset=path, metrics=["chrf", "ter"], progress=listener)
    assert listener.expected == listener.done == {"chrf": 4, "ter": 4}


ASSUMED = "Segments are taken as independent; if those of a document are alike, use --unit document."


@pytest.mark.parametrize(
    ("documents", "options", "said"),
    [
        ("aabb", {"ci": True}, True),
        ("aabb", {"paired": "bootstrap"}, True),
        ("aabb", {"paired": "randomization"}, True),
        ("aabb", {"paired": "wilcoxon"}, True),
        ("aabb", {"ci": True, "resampling": "streamed"}, True),
        ("aabb", {"ci": True, "unit": "document"}, False),
        ("aabb", {}, False),
        ("abcd", {"ci": True}, False),
        (None, {"ci": True}, False),
    ],
)
def test_what_segments_of_documents_are_taken_for_is_said(
    documents: str | None, options: dict[str, Any], said: bool
) -> None:
    outputs = {"A": ["one two", "three", "four", "five six"], "B": ["one", "three", "for", "five"]}
    testset = TestSet.of(outputs, outputs["A"], documents=None if documents is None else list(documents))
    scores = tercet.score(testset=testset, metrics=["chrf"], **options)
    assert (ASSUMED in scores.notes) is said
    table = scores_table(scores)
    for made in (str(scores), render(table, "markdown"), as_html(scores)):
        assert (ASSUMED in str(made)) is said


@pytest.mark.parametrize(("unit", "said"), [("segment", True), ("document", False)])
def test_a_comparison_says_so_too(unit: Drawn, said: bool) -> None:
    outputs = {"A": ["one two", "three", "four", "five six"], "B": ["one", "three", "for", "five"]}
    compared = tercet.compare(TestSet.of(outputs, outputs["A"], documents=list("aabb")), metrics=["chrf"], unit=unit)
    for made in (compared.notes, str(compared), markdown(compared), page(compared)):
        assert (ASSUMED in made) is said


def test_many_systems_get_the_draws_that_their_correction_needs() -> None:
    names = [f"s{i}" for i in range(60)]
    outputs = {name: ["one two three", "four five", "six"] for name in names}
    testset = TestSet.of(outputs, outputs["s0"])
    scores = tercet.score(testset=testset, metrics=["chrf"], paired="bootstrap")
    assert "|bs:5900|" in scores.signature
    with pytest.raises(InputError, match=r"No p of 999 draws can be below .*Use --samples 1180 or more"):
        tercet.score(testset=testset, metrics=["chrf"], paired="bootstrap", samples=999)
    few = TestSet.of({name: outputs[name] for name in names[:3]}, outputs["s0"])
    assert "|bs:1000|" in tercet.score(testset=few, metrics=["chrf"], paired="bootstrap").signature


@pytest.mark.parametrize("first", ["chrf", "chrf++", "chrf-original"])
def test_chrfs_that_share_counts_score_as_they_do_alone(first: str) -> None:
    hypotheses = ["the cat sat, on the mat.", "a\u00a0b \tc", "", "x"]
    references = ["the cat, sat on a mat", "a b c", "y", ""]
    others = ["chrf(whitespace=true, word_order=1)", "chrf(word_order=4)", "chrf+", "chrf", "chrf++", "chrf-original"]
    together = tercet.score({"s": hypotheses}, references, metrics=[first, *others], level="segment")
    for name in others:
        metric = tercet.metric(name)
        found = [record.score for record in together if record.metric == str(metric)]
        np.testing.assert_array_equal(found, metric.segments(hypotheses, references))
