"""An annotator's path from link to thanks, through the API, with every protocol."""

from __future__ import annotations

import dataclasses
import pathlib

import httpx2
import pytest

import tercet
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.create import create_campaign
from tercet.campaigns.exports import backup_campaign, export_campaign, import_answers
from tercet.campaigns.log import Event, Log
from tercet.campaigns.protocol import protocol_names
from tercet.campaigns.status import campaign_status
from tercet.errors import InputError
from tests.campaigns.build import texts
from tests.databases import NewCampaign, NewPlace
from tests.server.client import Person, any_answer, served


@pytest.mark.parametrize("protocol", protocol_names())
def test_a_person_answers_everything(protocol: str, new_campaign: NewCampaign) -> None:
    path, made = new_campaign(protocol, annotators=1)
    with served(path) as client:
        person = Person(client, made.links["annotator1"])
        done = person.work()
        progress = person.get("/api/progress")
    assert len(done) == made.n_items == progress["done"] == progress["of"]
    with Campaign.open(path) as campaign:
        answers = campaign.state.annotators["a1"].answers
        assert [answers[item].body["answer"] for item in campaign.state.annotators["a1"].order] == [a for _, a in done]


def test_items_stay_until_they_are_answered(new_campaign: NewCampaign) -> None:
    path, made = new_campaign(annotators=2)
    with served(path) as client:
        first, second = (Person(client, link) for link in made.links.values())
        items = first.items()
        assert [i["id"] for i in first.items()] == [i["id"] for i in items]
        assert {i["source"] for i in second.items()}.isdisjoint({i["source"] for i in items})
        first.answer(items[0])
        assert [i["id"] for i in first.items(2)] == [i["id"] for i in items[1:]]


def test_a_repeated_answer_is_stored_once(new_campaign: NewCampaign) -> None:
    path, made = new_campaign()
    with served(path) as client:
        person = Person(client, made.links["annotator1"])
        item = person.items()[0]
        answer = any_answer(person.fields, item)
        body = {"answers": [{"key": item["key"], "answer": answer}] * 2}
        receipts = person.post("/api/answers", body)["receipts"]
        other = {"outputs": [{"rank": 1} for _ in item["outputs"]]}
        receipts.append(person.answer(item, other))
        receipts.append(Person(client, made.links["annotator1"]).answer(item, other))
        assert [r["repeated"] for r in receipts] == [False, True, True, True]
        assert len({r["receipt"] for r in receipts}) == 1
    with Campaign.open(path) as campaign:
        stored = [e for e in campaign.log.events() if e.kind == "answered"]
        assert [e.body["answer"] for e in stored] == [answer]


def test_an_answer_can_be_taken_back(new_campaign: NewCampaign) -> None:
    path, made = new_campaign()
    with served(path) as client:
        person = Person(client, made.links["annotator1"])
        assert person.get("/api/progress")["undo"] is None
        item, second, *_ = person.items()
        assert person.post("/api/undo", {"key": item["key"]}, status=409)["error"]  # it is not answered yet
        assert person.post("/api/undo", {"key": "nothing"}, status=409)["error"]
        person.answer(item)
        key = person.get("/api/progress")["undo"]
        assert key == item["key"]
        again = person.post("/api/undo", {"key": key})["item"]
        assert (
            person.post("/api/undo", {"key": key})["item"] == again
        )  # the first reply was lost: nothing else is undone
        assert (again["id"], again["answer"]) == (item["id"], any_answer(person.fields, item))
        assert again["key"] != item["key"]
        assert person.items()[0]["key"] == again["key"]
        other = {"outputs": [{"rank": 1} for _ in item["outputs"]]}
        assert not person.answer(again, other)["repeated"]
        assert person.answer(item)["repeated"]  # a late repeat of the first answer changes nothing
        assert person.post("/api/undo", {"key": key}, status=409)["error"]  # and so does one of its undoing
        person.answer(second)
    with Campaign.open(path) as campaign:
        assert next(iter(campaign.state.annotators["a1"].answers.values())).body["answer"] == other
        assert len(campaign.state.annotators["a1"].answers) == 2
        assert sum(e.kind == "undone" for e in campaign.log.events()) == 1


def test_a_wrong_answer_is_told_and_the_others_are_stored(new_campaign: NewCampaign) -> None:
    path, made = new_campaign()
    with served(path) as client:
        person = Person(client, made.links["annotator1"])
        first, second, _ = person.items()
        wrong = {"outputs": [{"rank": 9} for _ in first["outputs"]]}
        answers = [
            {"key": first["key"], "answer": wrong},
            {"key": second["key"], "answer": any_answer(person.fields, second)},
            {"key": "nothing.0", "answer": wrong},
        ]
        receipts = person.post("/api/answers", {"answers": answers})["receipts"]
        assert "rank must be a whole number from 1 to 5" in receipts[0]["error"]
        assert receipts[1]["receipt"] > 0
        assert receipts[2]["error"] == "There is no such item."


def test_what_is_no_request_is_told_by_its_place(new_campaign: NewCampaign) -> None:
    path, campaign = new_campaign(annotators=1)
    with served(path) as client:
        person = Person(client, campaign.links["annotator1"])
        for n in ("0", "51", "x", ""):
            reply = client.get(f"/api/items?n={n}", headers=person.headers)
            assert reply.status_code == 422
            assert reply.json()["error"].startswith("The request cannot be used: query.n: ")
        for body, place in (
            ("{", "body"),
            ("[" * 100_000, "body"),
            ('{"answers": [{"key": 1}]}', "body.answers.0.key"),
        ):
            headers = person.headers | {"content-type": "application/json; charset=utf-8"}
            reply = client.post("/api/answers", content=body, headers=headers)
            assert reply.status_code == 422
            assert reply.json()["error"].startswith(f"The request cannot be used: {place}: ")


def test_nothing_names_a_system(new_campaign: NewCampaign) -> None:
    whole = texts()
    odd = dataclasses.replace(whole, systems={f"Qx7sys{i}": t for i, t in enumerate(whole.systems.values())})
    pages: list[str] = []

    def keep(reply: httpx2.Response) -> None:
        reply.read()
        pages.append(f"{reply.headers} {reply.text}")

    for protocol in protocol_names():
        path, made = new_campaign(protocol, annotators=1, testset=odd)
        with served(path) as client:
            client.event_hooks = {"response": [keep]}
            Person(client, made.links["annotator1"]).work()
            person = Person(client, made.links["annotator1"])
            client.get("/annotate", headers=person.headers)
            person.post("/api/undo", {"key": person.get("/api/progress")["undo"]})
    assert len(pages) > 100
    assert not any("Qx7sys" in page for page in pages)


def test_a_campaign_is_read_and_copied(new_campaign: NewCampaign, tmp_path: pathlib.Path) -> None:
    path, made = new_campaign(annotators=2, overlap=2)
    with served(path) as client:
        for link in made.links.values():
            Person(client, link).work()
        records = tercet.rank(pathlib.Path(path)).as_records()  # while it is served, by a path that loses a slash
        backup_campaign(path, tmp_path / "copy.db")
        export_campaign(path, output=tmp_path / "log", form="log")
        with pytest.raises(InputError, match="by another process"):
            import_answers(path, tmp_path / "log")
    assert import_answers(path, tmp_path / "log") == 0
    assert tercet.rank(tmp_path / "copy.db").as_records() == records
    assert campaign_status(path)["ranking"]["records"] == records
    other, _ = new_campaign()
    with pytest.raises(InputError, match="of another campaign"):
        import_answers(other, tmp_path / "log")
    assert import_answers(path, tmp_path / "copy.db") == 0  # of a copy, what is there already is not stored again
    assert import_answers(other, tmp_path / "copy.db") > 0  # of another campaign, the judgements are taken
    assert tercet.rank(other).as_records() == records


def test_a_copy_is_restored_into_either_database(
    new_campaign: NewCampaign, new_place: NewPlace, tmp_path: pathlib.Path
) -> None:
    path, made = new_campaign(annotators=2, overlap=2)
    with served(path) as client:
        Person(client, made.links["annotator1"]).work()
    backup_campaign(path, tmp_path / "copy.db")
    again = new_place()
    with Log(path) as log:
        events = list(log.events())
        assert import_answers(again, tmp_path / "copy.db") == len(events)
        with Log(again) as other:
            assert list(other.events()) == events
            assert (other.passages(), other.batches()) == (log.passages(), log.batches())
    with served(again) as client:
        assert Person(client, made.links["annotator2"]).items()  # links go on working
    straight = tmp_path / "straight.db"
    assert import_answers(straight, path) == len(events)  # from a database, without a copy between
    with pytest.raises(InputError, match="already"):
        create_campaign(path, testset=texts(), links=tmp_path / "links")


def test_only_one_process_writes(new_campaign: NewCampaign) -> None:
    path, _ = new_campaign()
    with Log(path) as one, Log(path) as other:
        one.hold()
        with pytest.raises(InputError, match="another process"):
            other.append([])
    with Log(path) as log:
        assert log.append([Event("x", "system", "noted", {})])[0].new
