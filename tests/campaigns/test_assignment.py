"""Who gets what: HITs, batches with controls, documents, leases, tutorials, checks, overlap, draws."""

from __future__ import annotations

import collections
import json
import pathlib
import random
from typing import Any

import pytest

import tercet
from tercet.campaigns.assignment import Item, batches
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.control import degraded, n_replaced, passed
from tercet.campaigns.log import Event, Log
from tercet.campaigns.material import Material, material_of
from tercet.campaigns.protocol import load_protocol
from tercet.campaigns.state import TUTORIAL
from tercet.data import TestSet
from tercet.errors import InputError
from tercet.options.campaigns import Dealing
from tests.campaigns.build import answer_all, created, texts
from tests.oracles.bad_references import replaced_words
from tests.server.client import any_answer
from tests.server.processes import many


def material(n: int = 280, systems: int = 5, documents: int = 0) -> Material:
    whole = many(n, systems)
    if documents:
        names = tuple(f"d{i * documents // n}" for i in range(n))
        whole = TestSet(whole.segments, whole.systems, whole.references, whole.sources, names)
    return material_of(whole, "en-de", "segment", ["source"], {})


def test_a_batch_of_direct_assessment_is_laid_out_as_published() -> None:
    made = batches(material(), load_protocol("da"), Dealing())
    assert [len(batch) for batch in made] == [100] * 20
    for batch in made:
        for s in range(10):
            kinds = collections.Counter(item["kind"] for item in batch[10 * s : 10 * s + 10])
            assert kinds == {"output": 7, "degraded": 1, "repeat": 1, "reference": 1}
        for place, item in enumerate(batch):
            if item["kind"] != "output":
                original = batch[item["original"]]
                assert (original["kind"], original["passage"]) == ("output", item["passage"])
                assert abs(place // 10 - item["original"] // 10) == 5
                assert 40 < abs(place - item["original"]) < 60
            if item["kind"] == "repeat":
                assert item["outputs"] == batch[item["original"]]["outputs"]
            if item["kind"] == "degraded":
                assert item["outputs"][0]["systems"] == batch[item["original"]]["outputs"][0]["systems"]
    shown = collections.Counter(_output(item) for batch in made for item in batch if item["kind"] == "output")
    assert len(shown) == 280 * 5
    assert set(shown.values()) == {1}
    systems = [collections.Counter(i["outputs"][0]["systems"][0] for i in b if i["kind"] == "output") for b in made]
    assert all(max(count.values()) - min(count.values()) <= 1 for count in systems)


def _output(item: Item) -> tuple[int, int]:
    return item["passage"], item["outputs"][0]["systems"][0]


@pytest.mark.parametrize("n", range(1, 45))
def test_degraded_outputs(n: int) -> None:
    assert n_replaced(n) == replaced_words(n)
    words = [f"w{i}" for i in range(n)]
    donors = [" ".join(f"d{j}x{i}" for i in range(30)) for j in range(5)]
    for seed in range(20):
        new = degraded(" ".join(words), donors, random.Random(seed)).split()  # noqa: S311
        assert len(new) == n
        changed = [i for i in range(n) if new[i] != words[i]]
        assert len(changed) == n_replaced(n)
        assert changed == list(range(changed[0], changed[0] + len(changed)))  # one run
        inner = {w.lower() for d in donors for w in d.split()[1:-1]}
        assert {new[i].lower() for i in changed} <= inner
        if n >= 3:
            assert 0 not in changed
            assert n - 1 not in changed
        elif n == 2:
            assert changed == [1]


def test_scripts_without_spaces_are_degraded_by_characters() -> None:
    new = degraded("我今天早上去了学校", ["他们昨天晚上在家里看电影吃饭"], random.Random(1))  # noqa: S311
    assert len(new) == 9
    assert (new[0], new[-1]) == ("我", "校")
    assert new != "我今天早上去了学校"


def test_hits_of_three_rankings_are_balanced() -> None:
    made = batches(material(90, systems=13), load_protocol("ranking"), Dealing())
    assert {len(batch) for batch in made} == {3}
    tasks = [item for batch in made for item in batch]
    assert all(len(item["outputs"]) == 5 for item in tasks)
    shown = collections.Counter(s for item in tasks for o in item["outputs"] for s in o["systems"])
    assert max(shown.values()) - min(shown.values()) <= 1
    places = collections.Counter(o["systems"][0] for item in tasks for o in item["outputs"][:1])
    assert len(places) == 13


def test_identical_outputs_are_shown_once() -> None:
    whole = TestSet.of({"A": ["x", "y"], "B": ["x ", "z"], "C": ["u", "z"]}, ["r", "r"], sources=["s", "t"])
    protocol = load_protocol("ranking")
    made = batches(material_of(whole, "", "segment", ["source"], {}), protocol, Dealing())
    by_passage = {item["passage"]: sorted(o["systems"] for o in item["outputs"]) for batch in made for item in batch}
    assert by_passage == {0: [[0, 1], [2]], 1: [[0], [1, 2]]}
    same = TestSet.of({"A": ["x"], "B": ["x"]}, ["r"], sources=["s"])
    with pytest.raises(InputError, match="all outputs are alike"):
        batches(material_of(same, "", "segment", ["source"], {}), protocol, Dealing())


def test_documents_stay_whole_and_in_order() -> None:
    whole = material(60, documents=12)
    for name, wish in (("esa", Dealing()), ("da(context=document)", Dealing()), ("sqm", Dealing(items=40))):
        for batch in batches(whole, load_protocol(name), wish):
            runs: list[list[int]] = []
            for before, item in zip([None, *batch], batch, strict=False):
                mark = (item["outputs"][0]["systems"], item["kind"], whole.passages[item["passage"]].document)
                if before is None or mark != (
                    before["outputs"][0]["systems"],
                    before["kind"],
                    whole.passages[before["passage"]].document,
                ):
                    runs.append([])
                runs[-1].append(item["passage"])
            for run in runs:
                rows = whole.documents[whole.passages[run[0]].document]
                assert run == rows


@pytest.mark.parametrize("spec", ["mqm", "esa", "da(context=document)"])
def test_documents_are_degraded_as_often_as_asked_for(spec: str) -> None:
    """As wholes, so that a batch of one document has none, or as many as outputs."""
    whole, protocol = material(240, documents=20), load_protocol(spec)
    wish = Dealing() if "controls" in protocol.data else Dealing(checks=10)
    made = batches(whole, protocol, wish)
    kinds = collections.Counter(item["kind"] for batch in made for item in batch)
    assert kinds["output"] == 240 * 5
    assert kinds.keys() == {"output", "degraded"}
    assert abs(kinds["degraded"] / kinds.total() - 0.1) < 0.01
    assert max(map(len, made)) <= protocol.data["batch"] + 12 / 2


def test_a_document_is_judged_as_one(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, "da(unit=document)", testset=texts(12))
    with Campaign.open(path) as campaign:
        assert [p.name for p in campaign.material.passages] == ["bakery-opens", "river-flood"]
        assert "\n" in campaign.material.passages[0].outputs[0]


def test_each_batch_goes_to_as_many_as_asked_for(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, annotators=3, overlap=2)
    with Campaign.open(path) as campaign:
        assert sum(answer_all(campaign, f"a{i}") for i in (1, 2, 3)) == 2 * 6
        assert all(len(batch.done) == 2 for batch in campaign.state.batches.values())


def test_a_quota_is_kept(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, quota=1)
    with Campaign.open(path) as campaign:
        assert [answer_all(campaign, f"a{i}") for i in (1, 2)] == [3, 3]


def test_fixed_batches_are_dealt_out(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, assignment="fixed", testset=texts(9))
    with Campaign.open(path) as campaign:
        assert campaign.progress(campaign.state.annotators["a2"])["of"] == 3
        assert [answer_all(campaign, "a2"), answer_all(campaign, "a1")] == [3, 6]


def test_a_lease_that_ran_out_goes_to_others_and_back(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, testset=texts(3), lease=10)
    now = [1000.0]
    with Campaign(Log(path), clock=lambda: now[0]) as campaign:
        first, second = (campaign.state.annotators[name] for name in ("a1", "a2"))
        names, events = campaign.lease(first, 3)
        campaign.write(events)
        assert len(names) == 3
        assert campaign.lease(second, 3)[0] == []
        now[0] += 601
        taken, events = campaign.lease(second, 3)
        campaign.write(events)
        assert taken == names
        assert campaign.lease(first, 3)[0] == []
        late = campaign.payload(first, names[0])  # the first one's answer comes, too late but not lost
        fields = list(campaign.protocol.fields)
        campaign.write([campaign.answer(first, {"key": late["key"], "answer": any_answer(fields, late)})])
        assert list(first.answers) == names[:1]
        now[0] += 601 + 3600 * 24 * 365 * 100  # by the clock of the answer that was just written
        assert campaign.lease(first, 3)[0] == names[1:]


def test_state_is_the_same_after_a_restart(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, annotators=3, overlap=2)
    with Campaign.open(path) as campaign:
        for name, n in (("a1", 4), ("a2", 2), ("a3", 1)):
            answer_all(campaign, name, n)
        campaign.write([campaign.undo(person := campaign.state.annotators["a1"], campaign.progress(person)["undo"])])
        campaign.write([campaign.decide("@o", "exclude", "a2", "why not")])
        before = campaign.state
        with Campaign.open(path) as again:
            assert again.state.annotators == before.annotators
            assert again.state.free == before.free
            assert again.state.n_free == before.n_free
            assert again.state.n_standing() == before.n_standing()
            assert {n: b.done for n, b in again.state.batches.items()} == {n: b.done for n, b in before.batches.items()}


def test_the_tutorial_comes_first_with_feedback(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "tutorial.jsonl"
    entry: dict[str, Any] = {"source": "Haus", "reference": "house", "outputs": ["house"], "feedback": "It is right."}
    file.write_text("\n".join(json.dumps(entry | {"expected": {"outputs": [{"score": s}]}}) for s in ([90, 100], 7)))
    path, _ = created(tmp_path, "da", tutorial=file)
    with Campaign.open(path) as campaign:
        annotator = campaign.state.annotators["a1"]
        feedback = []
        for score in (95, 8):
            names, events = campaign.lease(annotator, 3)
            campaign.write(events)
            item = campaign.payload(annotator, names[0])
            assert item["tutorial"]
            given = {"key": item["key"], "answer": {"outputs": [{"score": score}]}}
            feedback.append(
                campaign.receipt(annotator, campaign.write([campaign.answer(annotator, given)])[0])["feedback"]
            )
        assert feedback == [{"passed": True, "text": "It is right."}, {"passed": False, "text": "It is right."}]
        names, _ = campaign.lease(annotator, 3)
        assert not any(name.startswith(str(TUTORIAL)) for name in names)
        assert campaign.progress(annotator)["done"] == 0


@pytest.mark.parametrize("mode", ["loud", "silent"])
def test_checks_at_random_places(mode: Any, tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, "ranking", testset=many(300), checks=10, feedback=mode)
    with Campaign.open(path) as campaign:
        items = [item for batch in campaign.state.batches.values() for item in batch.items]
        share = sum(item["kind"] == "degraded" for item in items) / len(items)
        assert 0.05 < share < 0.15
        annotator = campaign.state.annotators["a1"]
        told = []
        while names_events := campaign.lease(annotator, 1):
            names, events = names_events
            campaign.write(events)
            if not names or len(annotator.answers) > 60:
                break
            item = campaign.payload(annotator, names[0])
            n, place = (int(part) for part in names[0].split("."))
            entry = campaign.state.batches[n].items[place]
            ranks = [{"rank": 1 if o.get("degraded") else 2} for o in entry["outputs"]]  # the degraded one is best
            stored = campaign.write([campaign.answer(annotator, {"key": item["key"], "answer": {"outputs": ranks}})])
            told.append((entry["kind"], campaign.receipt(annotator, stored[0])["feedback"]))
        missed = [feedback for kind, feedback in told if kind == "degraded"]
        assert missed
        assert missed == [{"passed": False, "text": ""} if mode == "loud" else None] * len(missed)
        assert [feedback for kind, feedback in told if kind != "degraded" and feedback] == []


@pytest.mark.parametrize(("spec", "shown"), [("sqm(basis=reference)", False), ("sqm(basis=source)", True)])
def test_what_is_judged_by_a_reference_shows_no_source(spec: str, shown: bool, tmp_path: pathlib.Path) -> None:
    with Campaign.open(created(tmp_path, spec, annotators=1)[0]) as campaign:
        names, _ = campaign.lease(annotator := campaign.state.annotators["a1"], 3)
        items = [campaign.payload(annotator, name) for name in names]
    neighbours = [row for item in items for where in ("before", "after") for row in item["context"][where]]
    assert neighbours
    assert {row["source"] is not None for row in [*items, *neighbours]} == {shown}


def test_prefilled_spans_are_shown(tmp_path: pathlib.Path) -> None:
    file, span = (
        tmp_path / "spans.jsonl",
        {"start": 0, "end": 4, "severity": "minor", "side": "target", "category": None},
    )
    file.write_text(json.dumps({"system": "amber", "segment": "2", "spans": [span | {"system": "amber"}]}))
    path, _ = created(tmp_path, "esa", prefilled=file, annotators=1)
    with Campaign.open(path) as campaign:
        annotator = campaign.state.annotators["a1"]
        names, events = campaign.lease(annotator, 50)
        campaign.write(events)
        spans = [o["spans"] for name in names for o in campaign.payload(annotator, name)["answer"]["outputs"]]
        assert [s for s in spans if s] == [[span]]
    file.write_text(json.dumps({"system": "amber", "segment": "2", "spans": [span | {"severity": "dreadful"}]}))
    with pytest.raises(InputError, match="is no span of the text"):
        created(tmp_path, "esa", prefilled=file)
    file.write_text(json.dumps({"system": "nobody", "segment": "2", "spans": []}))
    with pytest.raises(InputError, match="no system and segment"):
        created(tmp_path, "esa", prefilled=file)


def test_a_degraded_output_among_the_best_is_missed() -> None:
    protocol = load_protocol("ranking")
    item = {"outputs": [{}, {"degraded": True}, {}]}
    for ranks, right in (((1, 1, 1), False), ((2, 1, 2), False), ((1, 1, 2), False), ((1, 2, 3), True)):
        assert passed(protocol, item, {"outputs": [{"rank": rank} for rank in ranks]}, None) is right


def test_a_new_link_ends_sessions_of_the_old_one(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, annotators=2)
    with Campaign.open(path) as campaign:
        for name in ("a1", "a2"):
            campaign.write([Event(f"login/{name}", name, "login", {"session": name, "until": 2e9})])
        link = {"id": "a1", "name": "annotator1", "token": "another"}
        campaign.write([Event("annotator/again", "@o", "annotator", link)])
        assert set(campaign.state.sessions) == {"a2"}


def test_batches_of_one_who_is_excluded_go_to_others(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, testset=many(24), assignment="fixed", annotators=3)
    with Campaign.open(path) as campaign:
        people, items = campaign.state.annotators, sum(len(b.items) for b in campaign.state.batches.values())
        dealt = {name: campaign.progress(annotator)["of"] for name, annotator in people.items()}
        assert sum(dealt.values()) == items
        answer_all(campaign, "a1", 4)
        campaign.write([campaign.decide("@o", "exclude", "a1", "clicks through")])
        assert campaign.progress(people["a2"])["of"] == dealt["a2"] + dealt["a1"]
        assert answer_all(campaign, "a2", dealt["a2"]) == dealt["a2"]
        assert all(campaign.state.config["reserved"][n] == "a2" for n in people["a2"].leased)  # their own come first
        answer_all(campaign, "a2", 1)
        campaign.write([campaign.decide("@o", "reopen", "a1")])
        assert answer_all(campaign, "a3") == dealt["a3"]  # what nobody has begun is for the first one again
        answer_all(campaign, "a2")
        answer_all(campaign, "a1")
        done = [batch.done for batch in campaign.state.batches.values()]
        assert all(len(who) >= 1 for who in done)
        with Campaign.open(path) as again:
            assert [batch.reserved for batch in again.state.batches.values()] == [
                batch.reserved for batch in campaign.state.batches.values()
            ]
            assert again.state.n_free == campaign.state.n_free


def test_newcomers_have_the_quota_of_the_campaign(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, testset=many(24), annotators=1, quota=2)
    invited = tercet.invite_people(path, annotators=["Ann", "annotator1"])
    more = tercet.invite_people(path, annotators=["Bob"], quota=1, viewers=["Eve"], auditors=["Joe"])
    links = {**invited.links, **more.links}  # a new one stands where the old one stood
    assert invited.links_file.read_text().splitlines() == [f"{n}\t{links[n]}" for n in ("annotator1", "Ann", "Bob")]
    assert invited.links_file.stat().st_mode & 0o777 == 0o600
    with Campaign.open(path) as campaign:
        ids = {a.name: a.id for a in campaign.state.annotators.values()}
        assert [answer_all(campaign, ids[name]) for name in ("annotator1", "Ann", "Bob")] == [6, 6, 3]
        assert {m.name: m.role for m in campaign.state.members.values()} == {
            "organiser": "organiser",
            "Eve": "viewer",
            "Joe": "auditor",
        }
        assert campaign.annotator_by_link(invited.links["annotator1"].removeprefix("/a/")) is not None
        with pytest.raises(InputError, match="by another process"):
            tercet.invite_people(path, viewers=["late"])
    wrong: list[dict[str, Any]] = [{}, {"viewers": ["  "]}, {"annotators": ["a\nb"]}]
    for nobody in wrong:
        with pytest.raises(InputError, match=r"Nobody is invited|is no name"):
            tercet.invite_people(path, **nobody)
