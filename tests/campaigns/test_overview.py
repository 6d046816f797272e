"""How a campaign stands: what is undecided, and when to stop."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import tercet
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.overview import overview
from tercet.campaigns.state import item_place
from tercet.report.campaigns import status_tables
from tests.campaigns.build import created, texts

WORTH = {"amber": 90, "birch": 70, "cedar": 50, "delta": 30, "ember": 10}


def answer(campaign: Campaign, name: str) -> None:
    """All that there is for someone, by what the system is worth; degraded outputs are worth nothing."""
    annotator = campaign.state.annotators[name]
    while True:
        names, events = campaign.lease(annotator, 1)
        campaign.write(events)
        if not names:
            return
        payload = campaign.payload(annotator, names[0])
        batch, place = item_place(names[0])
        output = campaign.state.batches[batch].items[place]["outputs"][0]
        worth = 95 if not output["systems"] else WORTH[campaign.material.systems[output["systems"][0]]]
        score = 0 if output.get("degraded") else worth + place % 5
        campaign.write([campaign.answer(annotator, {"key": payload["key"], "answer": {"outputs": [{"score": score}]}})])


def one_by_one(systems: list[list[int]]) -> list[tuple[int, list[dict[str, Any]]]]:
    """A batch an annotator, of all passages by the systems that the annotator gets."""
    return [
        (n, [{"kind": "output", "passage": p, "outputs": [{"systems": [s]}]} for p in range(6) for s in some])
        for n, some in enumerate(systems)
    ]


def test_annotators_who_saw_other_systems_settle_nothing(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, "sqm(context=none)", plan=one_by_one([[0, 1], [2, 3, 4]]))
    with Campaign.open(path) as campaign:
        for name in ("a1", "a2"):
            answer(campaign, name)
        view = overview(campaign)
    assert not view["stop"]["settled"]
    assert view["stop"]["reason"].endswith("amber, birch; cedar, delta, ember.")
    assert any("No judge saw systems of two of these groups" in note for note in view["notes"])
    assert any("No judge saw" in note for note in tercet.rank(path).notes)


def test_progress_of_other_languages_stands_beside(tmp_path: pathlib.Path) -> None:
    (tmp_path / "other").mkdir()
    path, _ = created(tmp_path, "sqm(context=none)")
    other, _ = created(tmp_path / "other", "sqm(context=none)", pair="en-cs")
    with Campaign.open(other) as campaign:
        answer(campaign, "a1")
    alone = tercet.campaign_status(path)
    both = tercet.campaign_status(path, beside=[str(other)])
    assert both | {"languages": both["languages"][:1]} == alone
    first, second = both["languages"]
    assert (first["pair"], first["answers"], first["annotators"]) == ("en-de", 0, 0)
    assert (second["pair"], second["annotators"]) == ("en-cs", 1)
    assert 0 < second["answers"] <= second["items"]
    assert [table for table in status_tables(both) if "pair" in table.header]
    assert not [table for table in status_tables(alone) if "pair" in table.header]


def test_annotators_who_saw_all_systems_do(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, "sqm(context=none)", plan=one_by_one([[0, 1, 2, 3, 4]] * 2))
    with Campaign.open(path) as campaign:
        for name in ("a1", "a2"):
            answer(campaign, name)
        view = overview(campaign)
    assert view["stop"] == {"settled": True, "reason": "Every system stands in a cluster of its own.", "needed": 0}
    assert not any("No judge saw" in note for note in view["notes"])


def test_degraded_outputs_do_not_count_for_what_is_needed(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(WORTH, "birch", 90)  # as good as amber, but for what is added by place
    path, _ = created(tmp_path, "da", testset=texts(30), annotators=1)
    with Campaign.open(path) as campaign:
        answer(campaign, "a1")
        view = overview(campaign)
    (pair,) = (pair for pair in view["undecided"] if {pair["first"], pair["second"]} == {"amber", "birch"})
    judgements = {r["system"]: r["judgements"] for r in view["ranking"]["records"]}
    assert pair["judgements"] == min(judgements["amber"], judgements["birch"])
    assert pair["needed"] is None or pair["needed"] > 100
