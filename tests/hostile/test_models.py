"""Models, encoders, protocols and campaigns of strangers: a sentence whatever they hold, and nothing half-made."""

from __future__ import annotations

import contextlib
import json
import pathlib
import shutil
import sqlite3
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fuzz import samples
from safetensors.numpy import load_file, save_file

import tercet
from tercet.campaigns import judged
from tercet.campaigns.exports import export_campaign, import_answers
from tercet.campaigns.protocol import load_protocol
from tercet.campaigns.status import campaign_status
from tercet.encoders import encoder
from tercet.errors import InputError, TercetError
from tercet.formats import read_judgements
from tercet.human.scored import require_assessments
from tercet.metrics import models
from tercet.quality.model import load
from tercet.quality.tagging.model import load_words
from tests.campaigns.build import created


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A small sound model of every kind."""
    folder = tmp_path_factory.mktemp("sound")
    samples._quality(folder)
    samples._words(folder)
    samples._encoders(folder)
    return folder


@pytest.fixture
def made(sound: pathlib.Path, tmp_path: pathlib.Path) -> dict[str, pathlib.Path]:
    """Copies to be damaged, by name."""
    return {
        path.name.removesuffix(".model"): pathlib.Path(shutil.copytree(path, tmp_path / path.name))
        for path in sound.iterdir()
    }


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path, _ = created(tmp_path_factory.mktemp("campaign"), "esa")
    return pathlib.Path(path)


def signed(folder: pathlib.Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """A model that was changed and signed again, as anybody can."""
    path = folder / "model.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    content["arrays"] = models.file_checksum(folder / "arrays.safetensors")
    models.write(path, content)


def arrays(folder: pathlib.Path, **changed: Any) -> None:
    """Other arrays beside a model, which is signed again."""
    save_file({**load_file(folder / "arrays.safetensors"), **changed}, folder / "arrays.safetensors")
    signed(folder, lambda content: None)


def no_tensors(folder: pathlib.Path) -> None:
    (folder / "arrays.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0{")
    signed(folder, lambda content: None)


QUALITY: dict[str, Callable[[pathlib.Path], None]] = {
    "no tensors": no_tensors,
    "more weights than features": lambda f: arrays(f, **{"learnt.weights": np.ones(4)}),
    "fewer weights than features": lambda f: arrays(f, **{"learnt.weights": np.ones(2)}),
    "weights that are no numbers": lambda f: arrays(f, **{"learnt.weights": np.full(3, np.nan)}),
    "labels of another number": lambda f: arrays(f, **{"calibration.labels": np.ones(7)}),
    "trees that are not there": lambda f: signed(f, lambda c: c["learner"].update(form="trees")),
    "a scale of nothing": lambda f: signed(f, lambda c: c["features"][0].update(scale=0)),
    "a feature that is none": lambda f: signed(f, lambda c: c["features"][0].update(feature="none(such=1)")),
    "a feature that runs a program": lambda f: signed(
        f, lambda c: c["features"][0].update(feature='metric(metric="prep(command=cat)")')
    ),
}


@pytest.mark.parametrize("fault", QUALITY)
def test_a_model_of_quality(fault: str, made: dict[str, pathlib.Path]) -> None:
    QUALITY[fault](made["qe"])
    with pytest.raises(TercetError, match=r"model|none|program"):
        tercet.metric(f'qe(model="{made["qe"]}")').segments(["a"], sources=["b"])


TAGS: dict[str, tuple[str, Callable[[pathlib.Path], None]]] = {
    "no tensors": ("chain", no_tensors),
    "states of another shape": ("chain", lambda f: arrays(f, **{"words.states": np.ones((3, 2))})),
    "transitions of another shape": ("chain", lambda f: arrays(f, **{"words.transitions": np.ones(4)})),
    "tags that are no list": ("chain", lambda f: signed(f, lambda c: c["words"].update(tags=7))),
    "the same tag twice": ("chain", lambda f: signed(f, lambda c: c["words"].update(tags=["OK", "OK"]))),
    "a file elsewhere": ("chain", lambda f: signed(f, lambda c: c.update(files={"target_lm": "../qe.model/lm.arpa"}))),
    "a child that is not there": ("forest", lambda f: arrays(f, **{"words.lefts": np.array([9, 0, 0])})),
    "a feature that is not there": ("forest", lambda f: arrays(f, **{"words.features": np.array([99, 0, 0])})),
    "leaves that are missing": ("forest", lambda f: signed(f, lambda c: c["words"].update(tags=["OK", "BAD", "MORE"]))),
}


@pytest.mark.parametrize("fault", TAGS)
def test_a_model_of_words(fault: str, made: dict[str, pathlib.Path]) -> None:
    name, damage = TAGS[fault]
    damage(made[name])
    with pytest.raises(InputError, match=rf"{name}\.model|qe\.model"):
        load_words(made[name])


def test_what_was_not_damaged_is_read(made: dict[str, pathlib.Path]) -> None:
    assert len(load(made["qe"]).features) == 3
    assert load_words(made["chain"]).words.tags == load_words(made["forest"]).words.tags
    assert len(encoder(made["encoder"]).layers(["a cat"])) == 1


CONFIG: dict[str, Any] = {
    "model_type": [],
    "layer_norm_eps": "much",
    "pad_token_id": float("inf"),
    "hidden_size": 1 << 40,
    "num_hidden_layers": -1,
    "hidden_act": {},
}


@pytest.mark.parametrize("name", CONFIG)
def test_a_configuration_of_an_encoder(name: str, made: dict[str, pathlib.Path]) -> None:
    path = made["encoder"] / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: CONFIG[name]}), encoding="utf-8")
    with pytest.raises(InputError, match=r"config\.json"):
        encoder(made["encoder"])


def test_settings_that_multiply(made: dict[str, pathlib.Path]) -> None:
    """Ten lines of YAML that would be a billion words when they are shown."""
    laughs = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9) if i else 'lol'}]\n" for i in range(10))
    (made["comet"] / "hparams.yaml").write_text(f"{laughs}class_identifier: *a9\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"hparams\.yaml"):
        tercet.metric(f'comet(model="{made["comet"]}")').segments(["a"], ["b"], ["c"])


PROTOCOL = {
    "fields that are no list": ("[[fields]]", "[fields]"),
    "a field without a name": ('name = "score"', 'nom = "score"'),
    "a name that is no text": ('name = "score"', "name = 7"),
    "a negative number of outputs": ("outputs = 1", "outputs = -1"),
    "too many outputs": ("outputs = 1", "outputs = 99999999"),
    "no whole number": ("batch = 20", "batch = nan"),
    "texts that are none": ("[texts.en]", "[texts.en.en]"),
    "marks that are words": ("marks = [0, 33, 66, 100]", 'marks = ["a"]'),
    "severities that are tables": ('severities = ["minor", "major"]', "severities = [{}]"),
    "too deep": ('context = "document"', "context = " + "[" * 50_000),
}


@pytest.mark.parametrize("fault", PROTOCOL)
def test_a_protocol(fault: str, tmp_path: pathlib.Path) -> None:
    shipped = (pathlib.Path(tercet.__file__).parent / "campaigns/protocols/esa.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(shipped, encoding="utf-8")
    load_protocol(str(path))
    before, after = PROTOCOL[fault]
    assert before in shipped
    path.write_text(shipped.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(TercetError):
        load_protocol(str(path))


def told(campaign: pathlib.Path, folder: pathlib.Path, change: str) -> pathlib.Path:
    """A copy of a campaign with something changed in its tables."""
    path = pathlib.Path(shutil.copy(campaign, folder / "theirs.db"))
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(change)
        database.commit()
    return path


CAMPAIGN = {
    "a body that is no JSON": "UPDATE events SET body = '{' WHERE seq = 2",
    "a body that is a list": "UPDATE events SET body = '[]' WHERE seq = 2",
    "no beginning": "DELETE FROM events WHERE seq = 1",
    "a passage that is none": "UPDATE passages SET body = '7'",
    "batches that are none": "UPDATE batches SET body = 'null'",
    "no protocol": "UPDATE events SET body = json_remove(body, '$.protocol') WHERE seq = 1",
    "another protocol": "UPDATE events SET body = json_set(body, '$.protocol.data.fields', 7) WHERE seq = 1",
    "no such table": "DROP TABLE batches",
    "a view for a table": "ALTER TABLE batches RENAME TO b; CREATE VIEW batches AS SELECT n, n / 0 AS body FROM b",
    "a view beside the tables": "CREATE VIEW more AS SELECT * FROM events",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM passages; END",
    "a column of another name": "ALTER TABLE passages RENAME COLUMN body TO text",
    "tables of the future": "UPDATE alembic_version SET version_num = '9999'",
    "tables of no version": "DROP TABLE alembic_version",
    "an item of no passage": "UPDATE batches SET body = json_set(body, '$[0].passage', 99)",
    "an item of the last passage but one": "UPDATE batches SET body = json_set(body, '$[0].passage', -2)",
    "a system below 0": "UPDATE batches SET body = json_set(body, '$[0].outputs[0].systems', json('[-1]'))",
    "a system that is not there": "UPDATE batches SET body = json_set(body, '$[0].outputs[0].systems', json('[99]'))",
    "an output of nobody": "UPDATE batches SET body = json_set(body, '$[0].outputs', json('[{\"systems\": []}]'))",
    "an item of no known kind": "UPDATE batches SET body = json_set(body, '$[0].kind', 'free')",
    "an output too few": "UPDATE passages SET body = json_remove(body, '$.outputs[0]')",
    "outputs that are one text": "UPDATE passages SET body = json_set(body, '$.outputs', 'ab')",
    "a role that nobody has": "UPDATE events SET body = json_set(body, '$.role', 'root') WHERE kind = 'member'",
    "a time that is none": "UPDATE events SET server_time = 'now' WHERE seq = 2",
    "a batch that is no JSON": "UPDATE batches SET body = '['",
    "a passage that is no text": "UPDATE passages SET body = CAST(x'5bff' AS TEXT)",
    "a lease of no time": "UPDATE events SET body = json_set(body, '$.lease', -1) WHERE seq = 1",
    "a language that is a list": "UPDATE events SET body = json_set(body, '$.language', json('[]')) WHERE seq = 1",
}


@pytest.mark.parametrize("fault", CAMPAIGN)
def test_a_campaign(fault: str, campaign: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = told(campaign, tmp_path, CAMPAIGN[fault])
    uses: list[Callable[[], Any]] = [
        lambda: campaign_status(path),
        lambda: tercet.rank(path),
        lambda: tercet.agreement(path),
        lambda: export_campaign(path, output=tmp_path / "out", form="log"),
        lambda: import_answers(tmp_path / "out", judgements=path),
        lambda: import_answers(campaign, judgements=path),
    ]
    before = campaign.read_bytes()
    for use in uses:
        with pytest.raises(InputError, match=r"theirs\.db|protocol esa"):
            use()
    assert not (tmp_path / "out").exists()
    assert campaign.read_bytes() == before


ANSWERS = {
    "a score off the scale": "json_set(body, '$.answer.outputs[0].score', 999)",
    "a score that is text": "json_set(body, '$.answer.outputs[0].score', '50')",
    "what was not asked": "json_set(body, '$.answer.more', 1)",
    "a span behind the text": "json_set(body, '$.answer.outputs[0].spans', json('[{SPAN}]'))".replace(
        "{SPAN}", '{"severity": "minor", "start": 0, "end": 1000000}'
    ),
    "an output too many": "json_set(body, '$.answer.outputs', json('[{}, {}]'))",
    "no time at all": "json_set(body, '$.seconds', 'long')",
}


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("answered")
    samples._campaigns(folder)
    return folder / "esa.db"


@pytest.mark.parametrize("fault", ANSWERS)
def test_answers_of_a_campaign(fault: str, answered: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = told(answered, tmp_path, f"UPDATE events SET body = {ANSWERS[fault]} WHERE kind = 'answered'")  # noqa: S608
    for use in (campaign_status, read_judgements, judged.texts):
        with pytest.raises(InputError, match=r"theirs\.db is damaged"):
            use(path)


@pytest.mark.parametrize("item", ["0.99", "77.0", "0.-1", "0", "x.y", "\u0660.0", "00.0"])
def test_answers_to_what_was_not_asked(item: str, answered: pathlib.Path, tmp_path: pathlib.Path) -> None:
    path = told(answered, tmp_path, f"UPDATE events SET item = '{item}' WHERE kind = 'answered'")  # noqa: S608
    with pytest.raises(InputError, match=r"theirs\.db is damaged"):
        campaign_status(path)


def test_a_campaign_that_nobody_damaged(answered: pathlib.Path) -> None:
    assert len(judged.texts(answered)) == 4
    assert len(require_assessments(read_judgements(answered))) == 4


@pytest.mark.parametrize("kind", ["refresh", "let_go", "expiries", "_class__", "nonsense"])
def test_no_event_calls_what_it_names(kind: str, campaign: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Kinds that nobody knows, such as a function of ours, are no more than lines of the log."""
    path = told(campaign, tmp_path, f"UPDATE events SET kind = '{kind}' WHERE kind = 'annotator'")  # noqa: S608
    assert campaign_status(path)["annotators"] == []


LOG: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a key that is a list": lambda event: event.update(key=[]),
    "a time that is none": lambda event: event.update(server_time="now"),
    "a body that is none": lambda event: event.update(body=7),
    "an annotator without a link": lambda event: event["body"].pop("token"),
    "a quota below 0": lambda event: event["body"].update(quota=-1),
    "a name that is a number": lambda event: event["body"].update(name=7),
}


@pytest.mark.parametrize("fault", LOG)
def test_a_log_leaves_nothing_behind(fault: str, tmp_path: pathlib.Path) -> None:
    path, _ = created(tmp_path, "ranking")
    export_campaign(path, output=tmp_path / "log.jsonl", form="log")
    lines = (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()
    row = next(i for i, line in enumerate(lines) if '"kind": "annotator"' in line)
    record = json.loads(lines[row])
    LOG[fault](record["event"])
    (tmp_path / "log.jsonl").write_text("\n".join([*lines[:row], json.dumps(record), *lines[row + 1 :]]))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=r"log\.jsonl"):
        import_answers(tmp_path / "new.db", judgements=tmp_path / "log.jsonl")
    assert sorted(tmp_path.iterdir()) == before
    with pytest.raises(InputError, match=r"log\.jsonl"):
        import_answers(path, judgements=tmp_path / "log.jsonl")
    assert import_answers(path, judgements=_sound_log(tmp_path, lines)) == 0


def _sound_log(folder: pathlib.Path, lines: list[str]) -> pathlib.Path:
    path = folder / "sound.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
