"""Agreement figures that WMT published, from the raw judgements."""

from __future__ import annotations

import csv
import gzip
import json
import pathlib
from typing import Any

import numpy as np
import pytest

from tercet.data.agreement import AgreementRecord
from tercet.human.agreement import agreement
from tercet.stats.agreement import kappa_from_counts
from tercet.stats.control import bad_reference_test
from tests.human.build import Task, build_rankings

CODES = {"Czech": "ces", "English": "eng", "Finnish": "fin", "German": "deu", "Russian": "rus"}
CODES |= {"Romanian": "ron", "Turkish": "tur"}
FOLDERS = {"wmt15-news": ("wmt15", 28), "wmt16-rr": ("wmt16", 4)}


def read_tasks(path: pathlib.Path, pair: tuple[str, str] | None = None) -> list[Task]:
    """Five-way rankings of a csv file, without Tercet's own reader."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [r for r in csv.DictReader(lines) if pair in (None, (r["srclang"], r["trglang"]))]
    return [
        Task(
            r["judgeId"],
            r.get("segmentId") or r["srcIndex"],
            [(r[f"system{k}Id"], int(r[f"system{k}rank"])) for k in range(1, 6) if r[f"system{k}Id"]],
        )
        for r in rows
    ]


def counts(record: AgreementRecord) -> list[int | None]:
    return [record.agree, record.comparable, record.ties, record.total]


def printed(record: AgreementRecord) -> list[str]:
    return [f"{value:.3f}" for value in (record.p_agree, record.p_expected, record.kappa)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_official_kappas_come_out_to_the_last_digit_and_count(shared: pathlib.Path, folder: str) -> None:
    """official-kappa.tsv: agreement as the organisers computed it, expanded and collapsed."""
    year, n_rows = FOLDERS[folder]
    with (shared / "data" / folder / "official-kappa.tsv").open(encoding="utf-8") as lines:
        official = list(csv.DictReader(lines, delimiter="\t"))
    assert len(official) == n_rows
    for name in {row["pair"] for row in official}:
        pair = "-".join(CODES[language] for language in name.split("-"))
        rankings = build_rankings(read_tasks(shared / "data" / folder / f"{year}.rankings.{pair}.csv.gz"))
        for expansion in ("collapsed", "expanded"):
            found = agreement(rankings, compat=True, expand=expansion == "expanded")
            for row in official:
                if (row["pair"], row["expansion"]) == (name, expansion):
                    record = found.of(row["kind"])
                    assert counts(record) == [int(row[c]) for c in ("agree", "comparable", "ties", "total")], row
                    assert printed(record) == [row[c] for c in ("pA", "pE", "kappa")], row


def test_finnish_english_without_the_flaws_of_the_script(shared: pathlib.Path) -> None:
    """meta_vectors.json, kappa-wmt15-strict-fin-eng: 1837 of 2891 instead of 1212 of 1929."""
    path = shared / "data" / "wmt15-news" / "wmt15.rankings.fin-eng.csv.gz"
    found = agreement(build_rankings(read_tasks(path)))
    assert counts(found.of("inter")) == [1837, 2891, 2333, 17309]
    assert found.of("inter").kappa == pytest.approx(0.3999030607951899, abs=1e-12)


# README of wmt12-rr: intra in the order of display (German-English and French-English are those of the WMT14
# findings, table 5), intra with the order normalised, and inter in the order of display.
WMT12 = {
    "German-English": (".392", ".395", ".391"),
    "French-English": (".360", ".367", ".276"),
    "Czech-English": (".472", ".438", ".317"),
    "English-Czech": (".416", ".415", ".367"),
    "English-German": (".445", ".446", ".359"),
    "English-French": (".426", ".426", ".299"),
    "Spanish-English": (None, None, ".302"),
    "English-Spanish": (None, None, ".262"),
}


@pytest.mark.parametrize("name", WMT12)
def test_wmt12(shared: pathlib.Path, name: str) -> None:
    source, target = name.split("-")
    path = shared / "data" / "wmt12-rr" / "wmt12.rankings.csv.gz"
    rankings = build_rankings(read_tasks(path, (source, target)))
    shown, canonical, inter = WMT12[name]
    compat = agreement(rankings, compat=True)
    assert f"{compat.of('inter').kappa:.3f}" == f"0{inter}"
    if shown is not None:
        assert f"{compat.of('intra').kappa:.3f}" == f"0{shown}"
        assert f"{agreement(rankings).of('intra').kappa:.3f}" == f"0{canonical}"


def vectors(shared: pathlib.Path, group: str) -> list[dict[str, Any]]:
    every = json.loads((shared / "spec" / "meta_vectors.json").read_text(encoding="utf-8"))["vectors"]
    return [v for v in every if v["group"] == group]


def test_vectors_of_the_group_agreement(shared: pathlib.Path) -> None:
    found = vectors(shared, "agreement")
    assert {v["function"] for v in found} == {"wmt_kappa", "wmt_kappa_from_counts"}
    assert len(found) > 25
    for v in found:
        given, expected = v["input"], v["expected"]
        if v["function"] == "wmt_kappa":
            tasks = [Task(j["judge"], str(j["segment"]), list(j["ranks"].items())) for j in given["judgements"]]
            assert given["mode"] == "inter"
            record = agreement(build_rankings(tasks), compat=given["reference_counts_same_judge_pairs"]).of("inter")
            assert counts(record) == [expected[c] for c in ("agree", "comparable", "ties", "total")]
            got = (record.p_agree, record.p_expected, record.kappa)
        else:
            got = kappa_from_counts(given["agree"], given["comparable"], given["ties"], given["judgements"])
        assert got == pytest.approx([expected[c] for c in ("P_A", "P_E", "kappa")], abs=v["tolerance"]), v["id"]
        if "printed" in expected:
            assert [f"{x:.3f}" for x in got] == [f"{x:.3f}" for x in expected["printed"]], v["id"]


def test_vectors_of_quality_control(shared: pathlib.Path) -> None:
    control = {v["id"]: v for v in vectors(shared, "da") if v["id"].startswith("da-qc-")}
    assert set(control) == {"da-qc-paired-t", "da-qc-ranksum"}
    for v in control.values():
        test = bad_reference_test(*(np.array(v["input"][k], float) for k in ("system_scores", "bad_reference_scores")))
        if v["id"] == "da-qc-paired-t":
            assert (test.t, test.p_paired_t) == pytest.approx((v["expected"]["t"], v["expected"]["p"]), abs=1e-9)
            assert (test.p_paired_t <= 0.05) == v["expected"]["pass"]
        else:
            assert test.p_ranksum == pytest.approx(v["expected"]["p_ranksum_greater"], abs=v["tolerance"])
