"""The judgements of the demo are what the program draws, in the forms that they claim, and as the README says."""

from __future__ import annotations

import collections
import csv
import importlib.util
import io
import itertools
import json
import pathlib
import re
import sys
from typing import Any

import numpy as np
import pytest
from scipy import stats

import tercet
import tercet.sample
from tercet.sample import EXERCISE, PAIRS, campaign
from tests.conftest import ROOT

SAMPLE = pathlib.Path(tercet.sample.__file__).parent
SYSTEMS = ["amber", "birch", "cedar", "delta", "ember"]
Record = dict[str, str]


def program() -> Any:
    """scripts/make_judgements.py as a module: scripts/ is not a package."""
    spec = importlib.util.spec_from_file_location("make_judgements", ROOT / "scripts" / "make_judgements.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


PROGRAM = program()
FILES: dict[str, str] = PROGRAM.files()


def records(name: str) -> list[Record]:
    """The rows of a csv with a header."""
    return list(csv.DictReader(io.StringIO((SAMPLE / name).read_text(encoding="utf-8"), newline="")))


def rankings(pair: str) -> list[tuple[Record, list[tuple[str, int]]]]:
    """The rows of a file of rankings with what was shown: (id, rank) in the order of display."""
    rows = records(f"{pair}.rankings.csv")
    ids = [[row[f"system{k}Id"] for k in range(1, 6)] for row in rows]
    ranks = [[row[f"system{k}rank"] for k in range(1, 6)] for row in rows]
    for shown, given in zip(ids, ranks, strict=True):
        assert (
            [bool(cell) for cell in shown] == [bool(cell) for cell in given] == sorted(map(bool, shown), reverse=True)
        )
    return [
        (row, [(i, int(r)) for i, r in zip(shown, given, strict=True) if i])
        for row, shown, given in zip(rows, ids, ranks, strict=True)
    ]


def wins(pair: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """How often the system of the row was ranked before the system of the column."""
    found = np.zeros((5, 5), dtype=np.int64)
    for _, items in rankings(pair):
        for (a, x), (b, y) in itertools.permutations(items, 2):
            if min(x, y) > 0 and x < y:
                found[SYSTEMS.index(a), SYSTEMS.index(b)] += 1
    return found


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_is_what_the_program_draws(name: str) -> None:
    assert (SAMPLE / name).read_bytes() == FILES[name].encode()


def test_there_are_no_other_judgements_and_they_are_small() -> None:
    texts = {*(f"{pair}.tsv" for pair in PAIRS), *EXERCISE}
    found = {p.name for p in SAMPLE.iterdir() if p.suffix in {".csv", ".tsv"}} - texts
    assert found == set(FILES)
    assert sum(len(text.encode()) for text in FILES.values()) < 250_000


def test_the_readme_says_that_no_person_made_them() -> None:
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert "No person made any of these judgements" in readme
    assert all(name in readme or name.endswith(".rankings.csv") for name in FILES)


@pytest.mark.parametrize("pair", PAIRS)
def test_rankings_show_every_different_output_once(pair: str) -> None:
    testset = campaign(pair)
    orders = set()
    for row, items in rankings(pair):
        assert f"{row['srclang']}-{row['trglang']}" == pair
        assert re.fullmatch(r"00:\d\d:\d\d\.\d{6}", row["duration"])
        if not items:
            continue
        shown = [i.split("+") for i, _ in items]
        assert sorted(itertools.chain(*shown)) == SYSTEMS
        texts = [{testset.systems[s][testset.segments.index(row["segmentId"])].rstrip() for s in own} for own in shown]
        assert all(len(own) == 1 for own in texts)
        assert len(set.union(*texts)) == len(texts)
        orders.add(tuple(i for i, _ in items))
    assert len(orders) > 25
    ids = [row["rankingId"] for row, _ in rankings(pair)]
    assert ids == [str(i) for i in range(1, len(ids) + 1)]


@pytest.mark.parametrize("pair", PAIRS)
def test_ranks_are_dense_with_ties_skips_and_repeats(pair: str) -> None:
    rows = rankings(pair)
    full = [[rank for _, rank in items] for _, items in rows if items]
    assert len(rows) - len(full) in (2, 3)
    assert sum(rank == -1 for ranks in full for rank in ranks) == 1
    assert all(sorted(set(ranks)) == list(range(1, max(ranks) + 1)) for ranks in full if -1 not in ranks)
    judges: dict[str, set[str]] = collections.defaultdict(set)
    for row, _ in rows:
        judges[row["segmentId"]].add(row["judgeId"])
    assert list(map(len, judges.values())).count(2) + list(map(len, judges.values())).count(3) == len(campaign(pair))
    assert len(set.union(*judges.values())) in (4, 5, 6)
    again = collections.Counter((row["segmentId"], row["judgeId"]) for row, _ in rows)
    assert sum(n == 2 for n in again.values()) == 3 * len(set.union(*judges.values()))
    decided, tied = wins(pair).sum(), sum(10 for _ in full) - wins(pair).sum()
    assert 0.1 < tied / (tied + decided) < 0.25


def test_the_sizes_are_those_of_the_readme() -> None:
    sizes = {pair: len(rankings(pair)) for pair in PAIRS}
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert f"{min(sizes.values())} to {max(sizes.values())} rankings" in readme


def test_amber_leads_and_is_separated_in_some_pairs_only() -> None:
    p_values = {}
    for pair in PAIRS:
        won = wins(pair)
        expected = (won / np.maximum(won + won.T, 1)).sum(1)
        assert expected.argsort()[::-1].tolist() == [0, 1, 2, 3, 4]
        p_values[pair] = stats.binomtest(int(won[0, 1]), int(won[0, 1] + won[1, 0])).pvalue
    assert {pair for pair, p in p_values.items() if p < 0.05} == {"de-en", "en-hi"}
    assert min(p for pair, p in p_values.items() if pair not in {"de-en", "en-hi"}) > 0.1


@pytest.mark.parametrize("pair", PAIRS)
def test_a_metric_agrees_with_the_rankings_but_not_always(pair: str) -> None:
    found = tercet.score(testset=campaign(pair), metrics="bleu", level="segment").as_records()
    score = {(r["system"], r["segment"]): r["score"] for r in found}
    better = worse = 0
    for row, items in rankings(pair):
        for (a, x), (b, y) in itertools.permutations(items, 2):
            if 0 < x < y:
                better += score[a, row["segmentId"]] > score[b, row["segmentId"]]
                worse += score[a, row["segmentId"]] < score[b, row["segmentId"]]
    assert 0.4 < (better - worse) / (better + worse) < 0.9


def test_a_hit_has_seventy_outputs_and_thirty_checks_of_them() -> None:
    rows = records("en-de.da.csv")
    assert list(rows[0]) == ["worker", "hit", "system", "segment", "type", "raw", "start", "end"]
    assert all(0 <= int(row["raw"]) <= 100 and int(row["start"]) <= int(row["end"]) for row in rows)
    for _, own in itertools.groupby(rows, lambda row: row["hit"]):
        hit = list(own)
        assert len({row["worker"] for row in hit}) == 1
        kinds = collections.Counter(row["type"] for row in hit)
        assert kinds == {"SYSTEM": 70, "REPEAT": 10, "REF": 10, "BAD_REF": 10}
        shown = [(row["system"], row["segment"]) for row in hit if row["type"] == "SYSTEM"]
        assert len(set(shown)) == 70
        assert {(row["system"], row["segment"]) for row in hit} == set(shown)
        assert all(int(a["end"]) <= int(b["start"]) for a, b in itertools.pairwise(hit))
    assert {(row["system"], row["segment"]) for row in rows} == set(
        itertools.product(SYSTEMS, campaign("en-de").segments)
    )


def test_one_worker_fails_quality_control() -> None:
    rows = records("en-de.da.csv")
    raw = {(r["hit"], r["system"], r["segment"], r["type"]): int(r["raw"]) for r in rows}
    passed = {}
    for worker in {row["worker"] for row in rows}:
        bad = [r for r in rows if r["worker"] == worker and r["type"] == "BAD_REF"]
        both = [(int(r["raw"]), raw[r["hit"], r["system"], r["segment"], "SYSTEM"]) for r in bad]
        damaged, original = zip(*both, strict=True)
        passed[worker] = [
            stats.ttest_rel(damaged, original, alternative="less").pvalue < 0.05,
            stats.mannwhitneyu(damaged, original, alternative="less").pvalue < 0.05,
        ]
    assert passed == {f"worker{k}": [k < 4] * 2 for k in range(1, 5)}


def test_mqm_marks_spans_of_the_real_texts() -> None:
    testset = campaign("en-de")
    assert testset.sources is not None
    documents = {d.name: [testset.segments[i] for i in d.rows] for d in testset.document_rows()}
    header, *lines = (line.split("\t") for line in FILES["en-de.mqm.tsv"].removesuffix("\n").split("\n"))
    assert header == ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    cells = collections.defaultdict(list)
    for system, document, number, segment, rater, source, target, category, severity in lines:
        cells[system, segment, rater].append(category)
        row = testset.segments.index(segment)
        assert documents[document][int(number) - 1] == segment
        assert re.sub("</?v>", "", target) == testset.systems[system][row]
        assert re.sub("</?v>", "", source) == testset.sources[row]
        spans = re.findall("<v>(.*?)</v>", target if target else source)
        assert (category, severity) == ("No-error", "No-error") if not spans else severity in ("Major", "Minor")
        assert len(spans) <= 1
        assert all(spans)
    assert len(cells) == 12 * 5 * 2
    assert all(len(own) <= 5 and ("No-error" not in own or len(own) == 1) for own in cells.values())
    assert {c for own in cells.values() for c in own} >= {"No-error", "Non-translation!", "Fluency/Punctuation"}


def test_esa_has_scores_and_spans_within_the_outputs() -> None:
    testset = campaign("en-de")
    marked = {line.split("\t")[3] for line in FILES["en-de.mqm.tsv"].splitlines()[1:]}
    rows = list(csv.reader(io.StringIO(FILES["en-de.esa.csv"])))
    assert len(rows) == len({tuple(row[:3]) for row in rows}) == 12 * 5 * 2
    assert {row[2] for row in rows} == marked
    for _, system, segment, kind, source, target, score, document, complete, spans, start, end in rows:
        row = testset.segments.index(segment)
        assert testset.documents is not None
        assert (kind, source, target, complete, document) == ("TGT", "en", "de", "False", testset.documents[row])
        assert 0 <= int(score) <= 100
        assert float(start) < float(end)
        text = testset.systems[system][row]
        for span in json.loads(spans):
            assert span["severity"] in ("minor", "major")
            if text:
                assert 0 <= span["start_i"] <= span["end_i"] < len(text)
                assert not text[span["start_i"]].isspace()
                assert not text[span["end_i"]].isspace()
            else:
                assert span["start_i"] == span["end_i"] == "missing"


def test_identical_outputs_are_shown_once() -> None:
    assert PROGRAM.shown(["one", "two", "one ", "three", "two"]) == [[0, 2], [1, 4], [3]]


def test_ranks_share_what_is_too_alike() -> None:
    assert PROGRAM.ranked([0.5, 0.9, 0.88, 0.1], 0.05) == [2, 1, 1, 3]
    assert PROGRAM.ranked([0.5, 0.5], 0.0) == [1, 1]
