"""Intervals and p-values that others have published or computed, reproduced from the same texts."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import stats
from tests.parity.tables import Row, read_lines, read_table

SPECS = {"BLEU": "bleu", "chrF2": "chrf", "TER": "ter"}
TESTS: dict[str, Any] = {"bs": "bootstrap", "ar": "randomization"}


def test_golden_intervals_and_p_values_of_sacrebleu_come_out_bit_for_bit(shared: pathlib.Path) -> None:
    """golden/paired.json: sacreBLEU 2.6.0 on eleven test sets, 1000 resamples, 10 000 trials, seed 12345."""
    checked = 0
    for name, golden in json.loads((shared / "golden" / "paired.json").read_text()).items():
        dataset, pair = name.split(".")[:2]
        rows = read_table(next((shared / "data" / dataset).glob(f"newstest*.{pair}.tsv.gz")))[:300]
        systems = {golden[who]: [r[golden[who]] for r in rows] for who in ("baseline", "system")}
        references = [r["reference"] for r in rows]
        for test, paired in TESTS.items():
            for metric, expected in golden[test].items():
                spec = "bleu(tokenize=zh)" if "tok:zh" in expected["signature"] else SPECS[metric]
                found = tercet.score(systems, references, metrics=[spec], ci=True, paired=paired, compat=True)
                for record, who in zip(found, ("baseline", "system"), strict=True):
                    want = expected[who]
                    assert record.score == pytest.approx(want["score"], rel=1e-9)
                    assert (record.mean, record.half_width) == (want["mean"], want["ci"]), (name, test, metric)
                    assert record.p_value == want.get("p_value"), (name, test, metric)
                    checked += 1
    assert checked == 11 * 2 * 3 * 2


def often(paired: str, n: int) -> Any:
    """A test that draws or exchanges so many times."""
    return {"paired": paired, "samples" if paired == "bootstrap" else "trials": n}


def test_paired_vectors_of_sacrebleu(shared: pathlib.Path) -> None:
    vectors = json.loads((shared / "spec" / "metrics" / "vectors.json").read_text())
    vectors = [v for v in vectors if v["metric"].startswith("sacrebleu.paired_")]
    assert len(vectors) == 6
    for v in vectors:
        found = tercet.score(
            {"base": v["hyps"], "system": v["hyps_b"]},
            v["refs"],
            metrics=[SPECS[v["params"]["metric"]]],
            **often(TESTS[v["metric"][-2:]], v["params"]["n_samples"]),
            compat=True,
        )
        system = found.records[1]
        assert [system.score, system.p_value] == pytest.approx(v["expected"], abs=v["tolerance"])


def test_meta_vectors_of_the_group_significance(shared: pathlib.Path) -> None:
    vectors = json.loads((shared / "spec" / "meta_vectors.json").read_text())["vectors"]
    vectors = [v for v in vectors if v["group"] == "significance"]
    assert {v["function"] for v in vectors} == {"bootstrap_interval", "paired_ar", "paired_bs"}
    for v in vectors:
        given, expected = v["input"], v["expected"]
        if v["function"] == "bootstrap_interval":
            found = stats.interval(np.array(given["bootstrap_scores"]))
            ordered = sorted(given["bootstrap_scores"])
            assert found.mean == pytest.approx(expected["mean"], abs=v["tolerance"])
            assert found.half_width == pytest.approx(expected["half_width"], abs=v["tolerance"])
            assert (found.low, found.high) == (ordered[expected["lower_index"]], ordered[expected["upper_index"]])
            continue
        systems = {"base": given["hyp_base"], "sysB": given["hyp_b"]}
        paired = TESTS[v["function"][-2:]]
        for metric, spec in SPECS.items():
            scores = tercet.score(
                systems,
                given["refs"],
                metrics=[spec],
                **often(paired, given["n"]),
                compat=True,
            )
            for record, want in zip(scores, expected["results"][metric], strict=True):
                assert record.score == pytest.approx(want["score"], rel=1e-9)
                assert record.p_value == want["p"]
                if want["mean"] is not None:
                    assert (record.mean, record.half_width) == (want["mean"], want["ci"])


@pytest.fixture(scope="module")
def wmt17(shared: pathlib.Path) -> tuple[list[Row], dict[str, Any]]:
    folder = shared / "data" / "sacrebleu-wmt17-ende"
    published = json.loads((folder / "expected-p-values.json").read_text())
    return read_table(folder / "newstest2017.en-de.tok.tsv.gz"), published


def wmt17_p_values(
    wmt17: tuple[list[Row], dict[str, Any]], published: str, metrics: list[str], **options: Any
) -> dict[tuple[str, str], float | None]:
    """Our p-values against the published baseline, for the systems of one published column."""
    rows, all_published = wmt17
    names = [all_published["baseline"], *all_published[published]]
    assert len(names) == 16
    systems = {name: [r[name] for r in rows] for name in names}
    found = tercet.score(systems, [r["reference"] for r in rows], metrics=metrics, compat=True, **options)
    return {(r.system, r.metric): r.p_value for r in found}


def test_wmt17_bootstrap_p_values_of_the_moses_script(wmt17: tuple[list[Row], dict[str, Any]]) -> None:
    """sacreBLEU's own test against the Moses script accepts .01 between two random samplers; so do we."""
    column, bleu = "moses_paired_bootstrap_p_BLEU", "bleu(tokenize=none)"
    ours = wmt17_p_values(wmt17, column, [bleu], paired="bootstrap", samples=2000)
    for name, want in wmt17[1][column].items():
        assert ours[name, bleu] == pytest.approx(want, abs=0.01), name


def test_wmt17_randomisation_p_values_of_multeval(wmt17: tuple[list[Row], dict[str, Any]]) -> None:
    """BLEU within .01. MultEval's TER is tercom's own, and both p-values are shares of 10 000 random trials: at
    p = .82 their difference has a standard error of .0054, so four of those are allowed for TER.
    """
    column, bleu = "multeval_AR_p_[BLEU,TER]", "bleu(tokenize=none)"
    ours = wmt17_p_values(wmt17, column, [bleu, "ter"], paired="randomization")
    for name, (by_bleu, by_ter) in wmt17[1][column].items():
        assert ours[name, bleu] == pytest.approx(by_bleu, abs=0.01), name
        error = (2 * max(by_ter, 1e-4) * (1 - by_ter) / 10_000) ** 0.5
        assert ours[name, "ter"] == pytest.approx(by_ter, abs=4 * error), name


def test_multeval_prints_the_table_of_its_readme(shared: pathlib.Path) -> None:
    """multeval-example: score (s_sel/s_opt/p) of three systems with three optimiser runs each."""
    folder = shared / "data" / "multeval-example"
    systems = {
        f"{name}#{run}": read_lines(folder / f"hyps.lc.tok.en.{name}.opt{run}.gz")
        for name in ("baseline", "sys1", "sys2")
        for run in range(3)
    }
    references = read_lines(folder / "refs.test2010.lc.tok.en.0.gz")
    found = tercet.score(
        systems, references, metrics=["bleu(tokenize=none)", "ter"], ci=True, paired="randomization", compat=True
    )
    printed = {
        (r.system, r.metric): (
            f"{r.score:.1f}",
            f"{r.s_sel:.1f}/{r.s_opt:.1f}",
            "-" if r.p_value is None else f"{r.p_value:.2f}",
        )
        for r in found
    }
    assert printed == {
        ("baseline", "bleu(tokenize=none)"): ("18.5", "0.3/0.1", "-"),
        ("sys1", "bleu(tokenize=none)"): ("18.8", "0.3/0.3", "0.00"),
        ("sys2", "bleu(tokenize=none)"): ("18.5", "0.3/0.1", "0.00"),
        ("baseline", "ter"): ("65.7", "0.4/0.2", "-"),
        ("sys1", "ter"): ("64.8", "0.4/0.6", "0.00"),
        ("sys2", "ter"): ("65.7", "0.4/0.2", "0.00"),
    }
    assert all(r.runs == 3 for r in found)


def test_multeval_example_scores(shared: pathlib.Path) -> None:
    """The gold of one run, and four references without tokenisation (README of the folder)."""
    folder = shared / "data" / "multeval-example"
    hyps = read_lines(folder / "hyps.lc.tok.en.baseline.opt0.gz")
    refs = read_lines(folder / "refs.test2010.lc.tok.en.0.gz")
    bleu = tercet.metric("bleu(tokenize=none)")
    assert f"{bleu.corpus(hyps, refs):.2f}" == "18.54"
    assert f"{tercet.metric('ter').corpus(hyps, refs):.3f}" == "65.521"
    four = list(zip(*(read_lines(folder / f"set1.ref{i}.gz") for i in range(4)), strict=True))
    scores = [f"{bleu.corpus(read_lines(folder / f'set1.out.{i}.gz'), four):.3f}" for i in range(4)]
    assert scores == ["29.100", "29.157", "28.510", "29.303"]
