"""Amounts of data of WMT15, WMT16 and WMT21, as the campaigns state them."""

from __future__ import annotations

import pathlib

import pytest

import tercet

# wmt15-news/README.md and wmt16-rr/README.md: systems, comparisons collapsed and expanded (without ranks of -1).
RANKINGS = {
    "wmt15-news/wmt15.rankings.ces-eng": (16, 24473, 85877),
    "wmt15-news/wmt15.rankings.deu-eng": (13, 19468, 40535),
    "wmt15-news/wmt15.rankings.eng-ces": (15, 58947, 136855),
    "wmt15-news/wmt15.rankings.eng-deu": (16, 29752, 54447),
    "wmt15-news/wmt15.rankings.eng-fin": (10, 24399, 32694),
    "wmt15-news/wmt15.rankings.fin-eng": (14, 17309, 31577),
    "wmt15-news/wmt15.rankings.rus-eng": (13, 23614, 44539),
    "wmt16-rr/wmt16.rankings.ron-eng": (7, 11978, 15822),
    "wmt16-rr/wmt16.rankings.eng-tur": (9, 10095, 11184),
}
# wmt21-da/README.md: workers, systems, rows
ASSESSMENTS = {"ha-en": (144, 14, 21640), "is-en": (106, 10, 13230), "cs-en": (92, 9, 13069)}


@pytest.mark.parametrize("name", RANKINGS)
def test_comparisons_of_rankings(shared: pathlib.Path, name: str) -> None:
    (amount,) = tercet.amounts(shared / "data" / f"{name}.csv.gz")
    assert (amount.systems, amount.compared, amount.judgements) == RANKINGS[name]


@pytest.mark.parametrize("pair", ASSESSMENTS)
def test_scores_of_direct_assessment(shared: pathlib.Path, pair: str) -> None:
    (amount,) = tercet.amounts(shared / "data" / "wmt21-da" / f"da-judgements.{pair}.tsv.gz")
    assert amount.controls is not None
    assert (amount.judges, amount.systems, amount.judgements + amount.controls) == ASSESSMENTS[pair]


@pytest.mark.parametrize("pair", ["ha-en", "cs-en"])  # of is-en, the file has one row less than was counted
def test_judgements_are_those_of_the_official_ranking(shared: pathlib.Path, pair: str) -> None:
    folder = shared / "data" / "wmt21-da"
    official = (folder / f"official-sys-ranking-z.{pair}.ssv").read_text(encoding="utf-8").splitlines()
    (amount,) = tercet.amounts(folder / f"da-judgements.{pair}.tsv.gz")
    assert amount.judgements == sum(int(line.split()[3]) for line in official)
    assert amount.systems == len(official)


def test_all_language_pairs_of_wmt12_have_230_judges(shared: pathlib.Path) -> None:
    amounts = tercet.amounts(shared / "data" / "wmt12-rr" / "wmt12.rankings.csv.gz")
    assert (len(amounts), amounts.of("total").judges) == (9, 230)
