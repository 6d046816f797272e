"""Protocols are files: those that ship are whole, and one more file is a new protocol."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

import tercet.campaigns
from tercet.campaigns.protocol import Protocol, load_protocol, protocol_names
from tercet.errors import InputError, SpecError, TercetError
from tercet.formats import read_judgements
from tests.campaigns.build import created
from tests.server.client import Person, any_answer, served

NEW = """
summary = "a made-up one"
judgements = "assessments"
shows = ["source"]
outputs = 1
batch = 4
score = "stars"

[[fields]]
name = "stars"
widget = "score"
of = "output"
least = 1
most = 7

[[fields]]
name = "would_read"
widget = "choose"
of = "item"
choices = ["yes", "no"]
required = false

[texts.en]
title = "Stars"
question = "How many stars?"
instructions = ["One to seven."]
"""


def test_one_more_file_is_a_new_protocol(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "stars.toml"
    file.write_text(NEW)
    path, made = created(tmp_path, str(file), annotators=1)
    with served(path) as client:
        person = Person(client, made.links["annotator1"])
        done = person.work()
    assert len(done) == 30
    judged = read_judgements(path)
    assert sorted(judged.score.tolist()) == sorted(float(a["outputs"][0]["stars"]) for _, a in done)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", protocol_names())
def test_texts_are_whole_in_every_language(name: str) -> None:
    protocol = load_protocol(name)
    english = protocol.data["texts"]["en"]
    for language, known in protocol.data["texts"].items():
        assert known.keys() == english.keys(), language
    wanted = {"title", "question", "instructions", *(f.name for f in protocol.fields)}
    for field in protocol.fields:
        wanted |= {*field.choices, *field.severities, *(f"{field.name}_{mark:g}" for mark in field.marks)}
    wanted |= {f"rule_{rule['field']}" for rule in protocol.data.get("rules", ())}
    assert wanted <= english.keys()
    assert protocol.texts("xx") == english


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("nothing", "There is no protocol 'nothing'"),
        ("da(basis=both, colour=red)", "da has no option 'colour'"),
        ("da(basis=nothing)", "da: basis is 'nothing'"),
        ("ranking(outputs=1)", "ranking: outputs is 1"),
        ("ranking(outputs=few)", "ranking: outputs"),
    ],
)
def test_a_wrong_spec_is_told(spec: str, sentence: str) -> None:
    with pytest.raises(SpecError) as error:
        load_protocol(spec)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('judgements = "assessments"', 'judgements = "poems"', "gives no judgements"),
        ('score = "stars"', 'score = "moons"', "makes its judgement of moons"),
        ('widget = "score"', 'widget = "dance"', "has the widget 'dance'"),
        ("batch = 4", "", "lacks batch"),
        ("[texts.en]", "[texts.de]", "lacks texts in English"),
        ("least = 1", "least = [", "is no TOML"),
        ("least = 1", "lest = 1", "A field of the protocol cannot be used"),
    ],
)
def test_a_wrong_file_is_told(old: str, new: str, sentence: str, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(NEW.replace(old, new, 1))
    with pytest.raises(TercetError, match=sentence):
        load_protocol(str(file))


def item(protocol: Protocol) -> dict[str, Any]:
    outputs = [{"text": f"ten letters {i}"} for i in range(protocol.n_outputs)]
    return {"id": "x", "source": "source", "reference": "ref", "outputs": outputs}


@pytest.mark.parametrize("name", protocol_names())
def test_answers_are_checked(name: str) -> None:
    protocol = load_protocol(name)
    shown = item(protocol)
    right = any_answer(list(protocol.fields), shown)
    assert protocol.problems(right, shown) == []
    assert protocol.problems(None, shown)
    assert protocol.problems([], shown)
    assert protocol.problems(right | {"more": 1}, shown) == ["'more' is not asked"]
    for field in protocol.fields:
        bad: list[Any] = [True, "x", {}, [1], -1, float("nan"), 10**9, [{"severity": "huge"}]]
        bad += [None] if field.required else []
        if field.widget == "edit":
            bad[1:2] = ["", "x" * 30_000, "\ud800"]
        for value in bad:
            if field.of == "item":
                wrong = right | {field.name: value}
            else:
                outputs = [o | {field.name: value} for o in right["outputs"]]
                wrong = right | {"outputs": outputs}
            assert protocol.problems(wrong, shown), (field.name, value)
    if "outputs" in right:
        assert protocol.problems(right | {"outputs": right["outputs"][1:]}, shown)


@pytest.mark.parametrize(
    "span",
    [
        {"start": 0, "end": 99, "severity": "minor"},
        {"start": 3, "end": 3, "severity": "minor"},
        {"start": 0, "end": 3, "severity": "minor", "side": "source"},
        {"start": 0, "end": 3, "severity": "minor", "category": "Accuracy"},
        {"start": 0, "end": 3, "severity": "minor", "note": "more"},
        {"start": "0", "end": 3, "severity": "minor"},
        {"start": None, "end": 3, "severity": "minor"},
        {"start": 0, "end": 3},
    ],
)
def test_spans_are_checked(span: dict[str, Any]) -> None:
    protocol = load_protocol("esa")
    assert protocol.problems({"outputs": [{"spans": [span], "score": 50}]}, item(protocol))
    missing = {"start": None, "end": None, "severity": "major"}
    assert protocol.problems({"outputs": [{"spans": [missing], "score": 50}]}, item(protocol)) == []
    both = load_protocol("esa(sides=both)")
    source = {"start": 0, "end": 3, "severity": "minor", "side": "source"}
    assert both.problems({"outputs": [{"spans": [source], "score": 50}]}, item(both)) == []


def test_ranks_differ_where_no_ties_are_allowed(tmp_path: pathlib.Path) -> None:
    file, item = tmp_path / "strict.toml", {"outputs": [{"text": "a"}, {"text": "b"}]}
    shipped = (pathlib.Path(tercet.campaigns.__file__).parent / "protocols" / "ranking.toml").read_text(
        encoding="utf-8"
    )
    file.write_text(shipped.replace("ties = true", "ties = false"), encoding="utf-8")
    tied, ranked = ({"outputs": [{"rank": 1}, {"rank": rank}]} for rank in (1, 2))
    assert load_protocol(str(file)).problems(tied, item) == ["rank must differ between outputs"]
    assert load_protocol(str(file)).problems(ranked, item) == load_protocol("ranking").problems(tied, item) == []


def test_a_low_score_needs_an_error() -> None:
    protocol = load_protocol("cesa")
    outputs = [{"spans": [], "score": 84}, {"spans": [], "score": 85}]
    assert protocol.problems({"outputs": outputs}, item(protocol)) == ["output 1: a score below 85 needs spans"]


def test_a_typology_from_json(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "typology.json"
    file.write_text(json.dumps({"Meaning": ["Lost", "Added"], "Other": []}))
    protocol = load_protocol(f'mqm(typology="{file}")')
    assert protocol.fields[0].category_names == ("Meaning/Lost", "Meaning/Added", "Other")
    span = {"start": 0, "end": 3, "severity": "Major", "category": "Meaning/Lost"}
    assert protocol.problems({"outputs": [{"spans": [span]}]}, item(protocol)) == []
    for wrong in ("[]", "{", '{"A": 1}', "{}"):
        file.write_text(wrong)
        with pytest.raises(InputError):
            load_protocol(f'mqm(typology="{file}")')
