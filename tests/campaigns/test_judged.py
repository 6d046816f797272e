"""What was answered is what `rank`, `agreement` and exports see, for every protocol."""

from __future__ import annotations

import csv
import pathlib
from typing import Any

import numpy as np
import pytest

import tercet
from tercet import inputs
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.exports import backup_campaign, export_campaign, import_answers
from tercet.campaigns.protocol import protocol_names
from tercet.campaigns.status import campaign_status
from tercet.data import Assessments, Judgements, Kind, Rankings
from tercet.errors import InputError
from tercet.formats import read_judgements
from tests.campaigns.build import answer_all, created
from tests.databases import DATABASES, NewCampaign, maker, places
from tests.server.client import Person, served
from tests.server.processes import many


@pytest.fixture(scope="module", params=DATABASES)
def answered(request: pytest.FixtureRequest, folder: pathlib.Path) -> dict[str, Any]:
    """A campaign of each protocol, answered by two people."""
    make, paths = maker(request.param, request, folder), {}
    for protocol in protocol_names():
        path, made = make(protocol, overlap=2)
        with served(path) as client:
            for link in made.links.values():
                Person(client, link).work()
        paths[protocol] = path
    return paths


def same(one: Judgements, other: Judgements) -> None:
    """Two judgements that say the same, whatever their names are numbered by."""
    assert type(one) is type(other)
    assert rows(one) == rows(other)


def rows(x: Judgements) -> list[object]:
    if isinstance(x, Rankings):
        return [
            (
                x.judges[x.judge[t]],
                x.segments[x.segment[t]],
                [(x.output_name(x.output[i]), int(x.rank[i])) for i in range(x.starts[t], x.starts[t + 1])],
            )
            for t in range(len(x))
        ]
    assert isinstance(x, Assessments)
    marks: dict[int, list[object]] = {}
    if x.errors is not None:
        for e, row in enumerate(x.errors.row.tolist()):
            assert x.errors.start is not None
            marks.setdefault(row, []).append((x.errors.severities[x.errors.severity[e]], int(x.errors.start[e])))
    names = [(x.judges[j], x.systems[s], x.segments[i]) for j, s, i in zip(x.judge, x.system, x.segment, strict=True)]
    return [(*names[r], int(x.kind[r]), str(x.score[r]), marks.get(r)) for r in range(len(x))]


@pytest.mark.parametrize("protocol", protocol_names())
def test_every_verb_reads_it(protocol: str, answered: dict[str, Any]) -> None:
    judged = read_judgements(answered[protocol])
    assert judged.pair == "en-de"
    assert set(judged.systems) == {"amber", "birch", "cedar", "delta", "ember"}
    method = "da(control=none)" if protocol == "da" else None  # who answers by lot does not pass its controls
    ranking = tercet.rank(answered[protocol], method=method, samples=20)
    assert {r.system for r in ranking} == set(judged.systems)
    assert tercet.agreement(answered[protocol]).records
    live = campaign_status(answered[protocol])
    if protocol == "da":
        assert any("no judge passes quality control" in note for note in live["notes"])
        return
    records = tercet.rank(answered[protocol]).as_records()
    assert [r["system"] for r in live["ranking"]["records"]] == [r["system"] for r in records]
    assert live["ranking"]["records"] == records


@pytest.mark.parametrize("protocol", protocol_names())
def test_an_answer_becomes_its_judgement(protocol: str, answered: dict[str, Any]) -> None:
    with Campaign.open(answered[protocol]) as campaign:
        events = sorted(
            (e for a in campaign.state.annotators.values() for e in a.answers.values()), key=lambda e: e.seq
        )
        answers = [event.body["answer"] for event in events]
        edits = [event.body.get("edits") for event in events]
    judged = read_judgements(answered[protocol])
    if protocol == "ranking":
        assert isinstance(judged, Rankings)
        assert judged.rank.tolist() == [o["rank"] for a in answers for o in a["outputs"]]
    elif protocol == "pairs":
        assert isinstance(judged, Rankings)
        ranks = {"first": [1, 2], "same": [1, 1], "second": [2, 1]}
        assert judged.rank.tolist() == [r for a in answers for r in ranks[a["better"]]]
    elif protocol == "postedit":
        assert isinstance(judged, Assessments)
        hter = [100 - 100 * e[0]["hter"] for e in edits if e]
        assert judged.score.tolist() == hter
        assert set(hter) != {0.0}
    elif protocol == "adequacy-fluency":
        assert isinstance(judged, Assessments)
        assert judged.scales is not None
        for scale in ("adequacy", "fluency"):
            assert judged.scales[scale].tolist() == [a["outputs"][0][scale] for a in answers]
    elif protocol == "mqm":
        assert isinstance(judged, Assessments)
        assert np.isnan(judged.score).all()
        assert judged.errors is not None
        assert len(judged.errors.row) == sum(len(a["outputs"][0]["spans"]) for a in answers)
    else:
        assert isinstance(judged, Assessments)
        if protocol != "cesa":  # where twins give rows of their own
            assert judged.score.tolist() == [o["score"] for a in answers for o in a["outputs"]]


def test_controls_are_told_apart(answered: dict[str, Any]) -> None:
    judged = read_judgements(answered["da"])
    assert isinstance(judged, Assessments)
    shares = [float(np.mean(judged.kind == kind)) for kind in Kind]
    assert shares[Kind.SYSTEM] == pytest.approx(0.7, abs=0.05)
    assert min(shares) > 0.05


@pytest.mark.parametrize("protocol", protocol_names())
def test_files_hold_the_same(protocol: str, answered: dict[str, Any], tmp_path: pathlib.Path) -> None:
    judged = read_judgements(answered[protocol])
    for form in ("records", "wmt", "appraise"):
        file = tmp_path / form
        if form == "appraise" and protocol in ("adequacy-fluency", "mqm"):  # it has one score, and one there must be
            with pytest.raises(InputError, match="has no scores, which Appraise's csv is of"):
                export_campaign(answered[protocol], output=file, form=form)
            assert not file.exists()
        else:
            export_campaign(answered[protocol], output=file, form=form)
            same(read_judgements(file), judged)


@pytest.mark.parametrize("protocol", ["ranking", "da", "esa", "mqm"])
def test_a_folder_of_mt_metrics_eval(protocol: str, answered: dict[str, Any], tmp_path: pathlib.Path) -> None:
    export_campaign(answered[protocol], output=tmp_path / "folder", form="mt-metrics-eval")
    texts = inputs.whole_testset(tmp_path / "folder", pair="en-de")
    assert list(texts.systems) == ["amber", "birch", "cedar", "delta", "ember"]
    scores = tercet.read_scores(tmp_path / "folder", pair="en-de")
    assert {s.level for s in scores} == ({"system"} if protocol == "ranking" else {"system", "segment"})
    if protocol == "ranking":
        return
    before = read_judgements(answered[protocol])
    assert isinstance(before, Assessments)
    before = before.part(before.kind == Kind.SYSTEM)  # there is no place for controls
    path, _ = created(tmp_path, protocol)
    assert import_answers(path, tmp_path / "folder") > 0
    assert import_answers(path, tmp_path / "folder") == 0
    for after in (read_judgements(tmp_path / "folder"), read_judgements(path)):
        assert sorted(map(str, rows(after))) == sorted(map(str, rows(before)))


@pytest.mark.parametrize("protocol", ["ranking", "pairs", "da", "esa", "cesa", "adequacy-fluency", "mqm"])
def test_judgements_of_others_come_in(protocol: str, answered: dict[str, Any], tmp_path: pathlib.Path) -> None:
    export_campaign(answered[protocol], output=tmp_path / "file", form="records")
    path, _ = created(tmp_path, protocol if protocol != "cesa" else "esa")
    assert import_answers(path, tmp_path / "file") > 0
    assert import_answers(path, tmp_path / "file") == 0  # a second time, nothing is new
    same(read_judgements(path), read_judgements(answered[protocol]))


def test_what_has_no_place_comes_back(tmp_path: pathlib.Path) -> None:
    path, made = created(tmp_path, "esa(sides=both)", annotators=1)
    with served(path) as client:
        person = Person(client, made.links["annotator1"])
        whole = {"start": 0, "end": 3, "severity": "minor", "side": "target", "category": None}
        spans = [whole, whole | {"start": None, "end": None}, whole | {"side": "source"}]
        assert "error" not in person.answer(person.items()[0], {"outputs": [{"spans": spans, "score": 50}]})
    for form in ("records", "wmt", "appraise", "mt-metrics-eval"):
        export_campaign(path, output=tmp_path / form, form=form)
        other, _ = created(tmp_path, "esa(sides=both)")
        import_answers(other, tmp_path / form)
        before, after = read_judgements(path), read_judgements(other)
        same(after, before)
        for judged in (before, after):
            assert isinstance(judged, Assessments)
            assert judged.errors is not None
            assert [*judged.errors.categories] == ["missing", "Source"]


def test_the_log_makes_it_anew(
    answered: dict[str, Any], request: pytest.FixtureRequest, tmp_path: pathlib.Path
) -> None:
    database = request.node.callspec.params["answered"]
    other_one = "sqlite" if database == "postgresql" else "postgresql"
    new_place = places(other_one, request, tmp_path)  # from each to the other
    for protocol, path in answered.items():
        log, other = tmp_path / f"{protocol}.log", new_place()
        export_campaign(path, output=log, form="log")
        assert import_answers(other, log) > 0
        assert import_answers(other, log) == 0
        with Campaign.open(path) as one, Campaign.open(other) as two:
            assert list(one.log.events()) == list(two.log.events())
            assert one.log.passages() == two.log.passages()
            assert one.log.batches() == two.log.batches()


def test_a_backup_is_the_same(answered: dict[str, Any], tmp_path: pathlib.Path) -> None:
    with served(answered["ranking"]):
        backup_campaign(answered["ranking"], tmp_path / "copy.db")
    with Campaign.open(answered["ranking"]) as one, Campaign.open(tmp_path / "copy.db") as two:
        assert list(one.log.events()) == list(two.log.events())
    with pytest.raises(InputError, match="is there already"):
        backup_campaign(answered["ranking"], tmp_path / "copy.db")
    assert [p.name for p in tmp_path.iterdir() if "part" in p.name] == []


def test_receipts_are_a_line_an_answer(answered: dict[str, Any], tmp_path: pathlib.Path) -> None:
    export_campaign(answered["ranking"], output=tmp_path / "receipts", receipts=True)
    lines = [line.split("\t") for line in (tmp_path / "receipts").read_text().splitlines()]
    with Campaign.open(answered["ranking"]) as campaign:
        assert len(lines) == sum(len(a.answers) for a in campaign.state.annotators.values())
    assert len({key for key, _ in lines}) == len(lines)


def test_labels_of_quality_come_from_it(answered: dict[str, Any]) -> None:
    path = answered["postedit"]
    with Campaign.open(path) as campaign:
        amber = campaign.material.systems.index("amber")
        before = [passage.outputs[amber] for passage in campaign.material.passages]
    after = [f"{text} indeed" for text in before]
    for kind in ("hter", "effort", "tags", "gap-tags"):
        labels = tercet.qe_labels(kind, judgements=path, system="amber")
        assert labels.lines() == tercet.qe_labels(kind, target=before, post_edits=after).lines()
        assert labels.segments == ("1", "2", "3", "4", "5", "6")
        assert labels.notes == ("6 post-edits of segments that had one before are left out.",)  # by the second person
    assert tercet.qe_labels("time", judgements=path, system="amber", cutoff=0).lines() == ["2.5"] * 6
    with pytest.raises(InputError, match="has 5 systems"):
        tercet.qe_labels("hter", judgements=path)
    marked = tercet.qe_labels("tags", judgements=answered["mqm"], system="amber")
    assert marked.lines() == tercet.qe_labels("tags", target=before, judgements=answered["mqm"], system="amber").lines()
    assert len(tercet.qe_labels("mqm", judgements=answered["mqm"], system="amber")) == 6
    with pytest.raises(InputError, match="hter needs target and post-edits"):
        tercet.qe_labels("hter", judgements=answered["ranking"], system="amber")


def test_exclusion_leaves_answers_out_of_the_ranking_only(new_campaign: NewCampaign) -> None:
    path, made = new_campaign(overlap=2)
    with served(path) as client:
        for link in made.links.values():
            Person(client, link).work()
    with Campaign.open(path) as campaign:
        before = read_judgements(path)
        campaign.write([campaign.decide("@organiser", "exclude", "a1", "too fast")])
        after = read_judgements(path)
        assert isinstance(before, Rankings)
        assert isinstance(after, Rankings)
        assert len(after) * 2 == len(before)
        assert any("excluded" in note for note in after.notes)
        campaign.write([campaign.decide("@organiser", "reopen", "a1")])
        same(read_judgements(path), before)


def test_an_empty_campaign_says_so(new_campaign: NewCampaign) -> None:
    path, _ = new_campaign()
    with pytest.raises(InputError, match="has no answers yet"):
        tercet.rank(path)
    with pytest.raises(InputError, match="has no answers yet"):
        tercet.qe_labels("tags", judgements=path)
    assert campaign_status(path)["stop"]["settled"] is False


def test_wmt_csv_opens_with_its_header(answered: dict[str, Any], tmp_path: pathlib.Path) -> None:
    export_campaign(answered["ranking"], output=tmp_path / "wmt", form="wmt")
    with (tmp_path / "wmt").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert {"srclang", "trglang", "system5rank", "judgeId"} <= table[0].keys()


def test_the_demo_s_errors_are_of_the_shipped_typology(tmp_path: pathlib.Path) -> None:
    demo = pathlib.Path(tercet.__file__).parent / "sample"
    made = tercet.create_campaign(tmp_path / "demo.db", testset=demo / "en-de.tsv", protocol="mqm", annotators=3)
    import_answers(made.campaign, demo / "en-de.mqm.tsv")
    file, campaign = (
        {row.system: row.score for row in tercet.rank(given, method="mqm")}
        for given in (demo / "en-de.mqm.tsv", made.campaign)
    )
    assert campaign == pytest.approx(file)  # of which no translation at all weighs most


def test_a_system_that_nobody_has_judged_is_no_reason_to_stop(tmp_path: pathlib.Path) -> None:
    demo = pathlib.Path(tercet.__file__).parent / "sample" / "en-de.tsv"
    path, campaign = created(tmp_path, "sqm", testset=demo, annotators=1, items=30)  # in whole documents
    assert len(campaign.unseen) == 1
    with Campaign.open(path) as opened:
        answer_all(opened, "a1")
    stop = campaign_status(path)["stop"]
    assert not stop["settled"]
    assert stop["reason"].startswith(f"Nothing is said of {campaign.unseen[0]} yet")


def test_who_stands_equal_is_no_reason_to_stop(tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, "pairs", testset=many(12, 2), annotators=1)
    with Campaign.open(path) as campaign:
        annotator, told = campaign.state.annotators["a1"], []
        for _ in range(12):
            names, events = campaign.lease(annotator, 1)
            campaign.write(events)
            key = campaign.payload(annotator, names[0])["key"]
            campaign.write([campaign.answer(annotator, {"key": key, "answer": {"better": "same"}})])
            told.append(campaign_status(path)["stop"]["settled"])
    assert told == [False] * 11 + [True]
