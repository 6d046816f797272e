"""No file runs a program or uses the network: models and studies may name neither a command nor an address."""

from __future__ import annotations

import dataclasses
import pathlib
import re
import sys
from typing import Any

import pytest

import tercet
from tercet.errors import InputError, SpecError, TercetError
from tercet.metrics import METRICS, models
from tercet.metrics.prep import Prep
from tercet.sample import campaign, judgements
from tercet.spec import from_file, write
from tests.cli.test_judgements import here
from tests.study.build import FEW, SYSTEM, direction, written

TEXTS = {"a": ["the cat sat"]}


@pytest.fixture
def command(tmp_path: pathlib.Path) -> str:
    """A program that leaves a mark where it ran, and passes its input on."""
    script = tmp_path / "program.py"
    mark = tmp_path / "ran"
    code = f"import sys, pathlib; pathlib.Path({str(mark)!r}).touch(); sys.stdout.write(sys.stdin.read())"
    script.write_text(code, encoding="utf-8")
    return f"{sys.executable} {script}"


def ran(tmp_path: pathlib.Path) -> bool:
    return (tmp_path / "ran").exists()


def model(path: pathlib.Path, spec: str) -> str:
    """A signed model of one part, as anybody can write it."""
    part: dict[str, Any] = {"higher_is_better": True, "facts": {}, "weight": 1.0, "mean": 0.0, "deviation": 1.0}
    models.write(path, {"kind": "combine", "parts": [{**part, "metric": spec}], "intercept": 0.0})
    return f'combine(model="{path}")'


@pytest.mark.parametrize("part", ["combine", "prep"])
def test_a_model_that_is_part_of_itself_gets_a_sentence(part: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "self.json"
    own = f'combine(model="{path}")'
    spec = model(path, own if part == "combine" else str(Prep(filter="chrf")).replace("chrf", own.replace('"', "'")))
    with pytest.raises(TercetError, match="is nested too deep"):
        tercet.score({"a": ["one"]}, ["one"], metrics=[spec])


def hidden(command: str, tmp_path: pathlib.Path) -> dict[str, str]:
    """A command in every place where a spec can stand."""
    plain = Prep(command=command)
    return {
        "plain": str(plain),
        "a filter": str(Prep(filter=str(plain))),
        "a filter of a filter": str(Prep(filter=str(Prep(filter=str(plain))))),
        "a part": write("combine", {"parts": f"chrf|{plain}"}),
        "a model": model(tmp_path / "inner.json", str(plain)),
    }


PLACES = ["plain", "a filter", "a filter of a filter", "a part"]


def test_a_command_of_ones_own_is_run(command: str, tmp_path: pathlib.Path) -> None:
    tercet.score(TEXTS, ["the cat"], sources=["the cat sat"], metrics=[str(Prep(command=command))])
    assert ran(tmp_path)


@pytest.mark.parametrize("place", PLACES[:3])
def test_a_model_runs_nothing(place: str, command: str, tmp_path: pathlib.Path) -> None:
    spec = model(tmp_path / "model.json", hidden(command, tmp_path)[place])
    with pytest.raises(SpecError, match=r"model\.json asks for a program to be run, which no file may: prep"):
        tercet.score(TEXTS, ["the cat"], sources=["the cat sat"], metrics=[spec])
    assert not ran(tmp_path)


@pytest.mark.parametrize("place", [*PLACES, "a model"])
def test_a_study_runs_nothing(
    place: str, command: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = hidden(command, tmp_path)[place]
    study = written(tmp_path, f"[metrics]\nP = '''{spec}'''\n", direction(), SYSTEM, FEW)
    code, _, said = here(capsys, "run", study, "-o", tmp_path / "out", "--no-figures")
    assert code == 2
    assert "asks for a program to be run, which no file may: prep" in said
    assert ("--allow-commands" in said) == (place != "a model")
    assert not ran(tmp_path)


@pytest.mark.parametrize("place", ["plain", "a part"])
def test_a_study_of_ones_own_may(
    place: str, command: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = hidden(command, tmp_path)[place]
    study = written(tmp_path, f"[metrics]\nP = '''{spec}'''\n", direction(), SYSTEM, FEW)
    code, _, said = here(capsys, "run", study, "-o", tmp_path / "out", "--no-figures", "--allow-commands")
    assert (code, said) == (0, "")
    assert ran(tmp_path)


def test_no_study_allows_it_to_a_model(command: str, tmp_path: pathlib.Path) -> None:
    spec = hidden(command, tmp_path)["a model"]
    study = written(tmp_path, f"[metrics]\nP = '''{spec}'''\n", direction(), SYSTEM, FEW)
    with pytest.raises(InputError, match=r"inner\.json asks for a program.* or in Python\.$"):
        tercet.run(study, tmp_path / "out", figures=False, allow_commands=True)
    assert not ran(tmp_path)


ADDRESS = "memory://bucket/x"  # of other storage, though none that needs a network


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("what", ["testset", "judgements", "scores"])
def test_a_study_names_no_address(what: str, allowed: bool, tmp_path: pathlib.Path) -> None:
    files = {"testset": "t.tsv", "judgements": "j.csv", what: ADDRESS}
    given = '[[direction]]\npair = "en-de"\n' + "".join(f'{key} = "{file}"\n' for key, file in files.items())
    study = written(tmp_path, "[metrics]\nB = 'bleu'\n", given, SYSTEM, FEW)
    with pytest.raises(InputError, match="names the address memory://bucket/x, and no file may have the network used"):
        tercet.run(study, tmp_path / "out", figures=False, allow_commands=allowed)


@pytest.mark.parametrize("address", ["./memory://bucket/x", "postgresql://nobody/x", "./postgres://nobody/x"])
@pytest.mark.parametrize("what", ["testset", "judgements", "scores", "human"])
def test_nor_does_it_in_other_words(
    what: str, address: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"testset": "t.tsv", "judgements": "j.csv", what: address}
    given = '[[direction]]\npair = "en-de"\n' + "".join(f'{key} = "{file}"\n' for key, file in files.items())
    written(tmp_path, "[metrics]\nB = 'bleu'\n", given, SYSTEM, FEW)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"study\.toml names the address .*no file may have the network used"):
        tercet.run("study.toml", tmp_path / "out", figures=False)


@pytest.mark.parametrize("allowed", [False, True])
def test_a_metric_of_a_study_names_no_address(
    allowed: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, f"[metrics]\nL = 'lm(model=\"{ADDRESS}\")'\n", direction(), SYSTEM, FEW)
    monkeypatch.chdir(tmp_path)  # where what is relative to the study is what it says
    with pytest.raises(InputError, match="names the address memory:/bucket/x, and no file may have the network used"):
        tercet.run("study.toml", tmp_path / "out", figures=False, allow_commands=allowed)


def test_a_model_names_no_address(tmp_path: pathlib.Path) -> None:
    spec = model(tmp_path / "model.json", f'lm(model="{ADDRESS}")')
    with pytest.raises(SpecError, match=r"model\.json names the address memory://bucket/x"):
        tercet.score(TEXTS, ["the cat"], metrics=[spec])


def test_no_model_is_trained_that_could_not_be_read(command: str) -> None:
    texts, judged = campaign("en-de"), judgements("en-de")
    with pytest.raises(TercetError, match="A model asks for a program"):
        tercet.train("combine", testset=texts, judgements=judged, metrics=[str(Prep(command=command)), "chrf"])


def test_whatever_names_a_program_says_so() -> None:
    """An option whose name or help speaks of a program is one that files may not set."""
    owners: dict[str, type] = {**METRICS.working()}
    for name, owner in owners.items():
        for field in dataclasses.fields(owner):
            told = f"{field.name} {field.metadata.get('doc', '')}".lower()
            if "command" in told or "program that" in told:
                assert field.metadata.get("runs"), f"{name}: {field.name}"


STARTING = re.compile(r"\b(subprocess|os\.system|os\.exec|os\.spawn|os\.popen|pty|ctypes|pickle|marshal|socket)\b")


def test_only_one_module_starts_programs() -> None:
    """Whoever adds a second one must declare its option with `runs=True`, and say so here."""
    package = pathlib.Path(tercet.__file__).parent
    named = {
        (str(path.relative_to(package)), word)
        for path in package.rglob("*.py")
        for word in STARTING.findall(path.read_text(encoding="utf-8"))
    }
    # the server of a campaign, which is there to be asked, and the robots that ask it
    talking = {("server/serve.py", "socket"), ("server/robots.py", "socket")}
    # a worker of Dask's, which speaks pickle, unpacks what its own scheduler sent (SECURITY.md)
    sent = {("engines/cluster.py", "pickle")}
    assert named == {("metrics/prep.py", "subprocess")} | talking | sent


def test_what_a_file_says_ends_with_it(command: str) -> None:
    with pytest.raises(SpecError, match=r"m\.json asks"), from_file("m.json"):
        Prep(command=command)
    assert Prep(command=command).command == command
