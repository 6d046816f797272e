"""What the name of an output says: every verb with every ending writes that, or refuses in a sentence."""

from __future__ import annotations

import csv
import functools
import io
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import click.testing
import pytest
import rich.progress

import tercet
from tercet.cli.app import app
from tercet.cli.output import ProgressLines
from tercet.encoders.tiny import write_tiny_encoder
from tercet.learning import esim, training, tree_lstm, tuning
from tercet.options.groups import BY_SUFFIX, PICTURES

SAMPLE = pathlib.Path(tercet.__file__).parent / "sample"
ENDINGS = ("json", "csv", "tsv", "md", "tex", "html", "png", "svg", "pdf")
COMMANDS: dict[str, Any] = {**app.walk()}
TEXTS, RANKINGS = str(SAMPLE / "de-en.tsv"), str(SAMPLE / "de-en.rankings.csv")
JUDGED = f"-t {TEXTS} -j {RANKINGS}"
SEARCH = SAMPLE / "retrieval"
WORDS = {  # of verbs that are cheap
    "score": f"-t {TEXTS} -m bleu",
    "merge": "all.part",
    "compare": "a.txt b.txt -r ref.txt -m bleu --samples 40",
    "explain": "ter --hyp one --ref two",
    "rank": f"{RANKINGS} --samples 40",
    "agreement": RANKINGS,
    "choose": f"{RANKINGS} -m expected-wins --folds 2",
    "plan": "--campaigns 2 --samples 40 --budget 20",
    "meta": f"{JUDGED} -m bleu -m chrf --samples 40",
    "retrieval": f"{SEARCH / 'amber.tsv'} {SEARCH / 'qrels.txt'} --collection {SEARCH / 'pages.tsv'}",
    "list": "metrics",
    "show": "bleu",
    "qe evaluate": "labels.txt --gold labels.txt --samples 40",
    "qe labels": "hter -t a.txt -p b.txt",
    "train function-words": "a.txt",
    "train ibm1": "a.txt b.txt",
    "train lm": "a.txt --order 2",
    "parse": "a.txt b.txt --parser chain",
    "train frequencies": "a.txt",
}
DEAR = {  # trained or drawn at length: held to the same, where there is time
    "tune": f"chrf {JUDGED} --parameter beta=1:2:1 --folds 2",
    "train beer": f"{JUDGED} --folds 2 --strength 1",
    "train beer-1.1": f"{JUDGED} --folds 2 --strength 0.01",
    "train combine": f"{JUDGED} -m chrf -m ter --folds 2 --strength 1",
    "train neural": f"{JUDGED} -m chrf -m ter --folds 2 --strength 1",
    "train esim": f"-t {SAMPLE / 'en-de.tsv'} -j {SAMPLE / 'en-de.da.csv'} --folds 2 --encoder tiny",
    "train uow-lstm": f"-t {SAMPLE / 'en-de.tsv'} -j {SAMPLE / 'en-de.da.csv'} --folds 2",
}


@functools.cache
def _part() -> bytes:
    """A score in one shard."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "part")
        return tercet.score_shard({"a": ["one two"]}, ["one two"], metrics=["bleu"], part=path).read_bytes()


def looks_like(ending: str, data: bytes) -> bool:
    """Whether a file is what its name says."""
    if ending in ("png", "pdf"):
        return data.startswith(b"\x89PNG" if ending == "png" else b"%PDF")
    text = data.decode()
    if ending == "json":
        return isinstance(json.loads(text), dict)
    if ending in ("csv", "tsv"):
        rows = list(csv.reader(io.StringIO(text), delimiter="," if ending == "csv" else "\t"))
        return len(rows) > 1 and len({len(row) for row in rows}) == 1
    if ending == "md":
        return "| ---" in text
    begins = {"tex": "\\begin{tabular}", "html": "<!doctype html>", "svg": "<"}[ending]
    return text.startswith(begins) and (ending != "svg" or "<svg" in text)


def write_files() -> None:
    """The files of `WORDS`, where we are."""
    for name, lines in (("a", "one two\nthree\n"), ("b", "one\nthree\n"), ("ref", "one two\nthree\n")):
        pathlib.Path(f"{name}.txt").write_text(lines)
    pathlib.Path("labels.txt").write_text(".1\n.2\n.4\n.3\n")
    pathlib.Path("all.part").write_bytes(_part())


@pytest.fixture(autouse=True)
def _folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for network in (esim, tree_lstm):
        monkeypatch.setattr(network, "SIZE", 2)
        monkeypatch.setattr(network, "ROUNDS", 1)
    write_files()


def invoke(verb: str, words: str, output: str) -> click.testing.Result:
    return click.testing.CliRunner().invoke(app, [*verb.split(), *words.split(), "-o", output])


def held(verb: str, words: str, ending: str) -> None:
    """The file is what its name says; or there is none, one sentence, and exit code 2."""
    output = pathlib.Path(f"out.{ending}")
    done = invoke(verb, words, str(output))
    if done.exit_code == 0:
        assert looks_like(ending, output.read_bytes())
        assert done.stdout == "" or verb.startswith("train ")
    else:
        assert (done.exit_code, done.stdout, output.exists()) == (2, "", False), done.output
        assert done.stderr.startswith(f"tercet: {output}") or f"no {BY_SUFFIX.get('.' + ending)} of" in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("verb", WORDS)
def test_a_name_is_what_is_written_or_refused(verb: str, ending: str) -> None:
    held(verb, WORDS[verb], ending)


_ANSWERS: dict[str, Any] = {}


def once(function: Callable[..., Any]) -> Callable[..., Any]:
    """A verb that is asked once for each of its answers, however many endings they are written with."""

    def call(*args: Any, progress: Any, **given: Any) -> Any:
        asked = repr((function.__name__, args, given))
        if asked not in _ANSWERS:
            _ANSWERS[asked] = function(*args, **given, progress=progress)
        return _ANSWERS[asked]

    return call


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("verb", DEAR)
def test_dear_verbs_do_the_same(verb: str, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tiny_encoder("tiny")
    monkeypatch.setattr(training, "train", once(training.train))
    monkeypatch.setattr(tuning, "tune", once(tuning.tune))
    held(verb, DEAR[verb], ending)


FOLDERS = {
    "run": "study.toml",
    "demo": "",
    "campaign publish": "a.db",
    "qe train": "-s a.txt -t b.txt --labels labels.txt",
}


@pytest.mark.parametrize("name", ["-", *(f"out.{ending}" for ending in ENDINGS)])
@pytest.mark.parametrize("verb", FOLDERS)
def test_a_folder_is_not_called_like_a_file(verb: str, name: str) -> None:
    done = invoke(verb, FOLDERS[verb], name)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tercet: {name} names a file")
    assert not pathlib.Path(name).exists()


@pytest.mark.parametrize("verb", [verb for verb, command in COMMANDS.items() if hasattr(command.shown, "forms")])
def test_every_verb_with_formats_says_early_what_it_does_not_write(verb: str) -> None:
    """Before any work: what is shown is checked before the function is called."""
    shown = COMMANDS[verb].shown
    for suffix in (*BY_SUFFIX, *PICTURES):
        known = BY_SUFFIX.get(suffix) in shown.forms or suffix in shown.pictures
        if known:
            assert shown(output=pathlib.Path(f"a{suffix}")).path is not None
        else:
            with pytest.raises(tercet.InputError):
                shown(output=pathlib.Path(f"a{suffix}"))
    with pytest.raises(tercet.InputError, match=r"no format is known by \.foo"):
        shown(output=pathlib.Path("a.foo"))
    with pytest.raises(tercet.InputError, match="says json, and -f says table"):
        shown(output=pathlib.Path("a.json"), style="table")
    assert shown(output=pathlib.Path("-")).path is None
    assert shown(output=pathlib.Path("a.json.gz")).form == "json"


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_shard_is_not_called_what_it_is_not(ending: str) -> None:
    done = invoke("score", "a.txt -r ref.txt --shard 1/2", f"out.{ending}")
    assert (done.exit_code, pathlib.Path(f"out.{ending}").exists()) == (2, False)
    assert done.stderr == f"tercet: out.{ending}: a shard is no .{ending} file. Name it, say, 3.part.\n"


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_export_is_not_called_what_it_is_not(ending: str) -> None:
    done = invoke("campaign export", "a.db", f"out.{ending}")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"tercet: out.{ending}: what is exported as records is no .{ending} file.")


def test_a_dash_is_standard_output() -> None:
    plain, dash = (
        click.testing.CliRunner().invoke(app, ["score", "a.txt", "-r", "ref.txt", "-f", "csv", *more])
        for more in ([], ["-o", "-"])
    )
    assert dash.stdout == plain.stdout != ""
    assert not pathlib.Path("-").exists()


def test_what_is_not_covered_above_has_no_output() -> None:
    covered = {*WORDS, *DEAR, *FOLDERS, "campaign export"}
    rest = {verb for verb, command in COMMANDS.items() if "output" in [p.name for p in command.params]} - covered
    assert rest == {"qe predict", "qe decide", "train paraphrases", "campaign status", "campaign simulate"}


@pytest.mark.parametrize("words", [("list",), ("score", "a.txt", "-r", "a.txt", "-m", "bleu"), ("score", "-h"), ()])
def test_a_closed_output_is_said_in_one_sentence(words: tuple[str, ...], tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.txt").write_text("the cat sat\n")
    command = shlex.join([sys.executable, "-m", "tercet", *words])
    done = subprocess.run(f"{command} >&-", shell=True, cwd=tmp_path, stderr=subprocess.PIPE, text=True)  # noqa: S602
    assert (done.returncode, done.stderr) == (
        2,
        "tercet: Standard output cannot be written: it is closed. Check that there is room where it goes.\n",
    )


@pytest.mark.parametrize("place", ["/dev/full", "readonly/out.json"])
def test_a_place_that_cannot_be_written_gets_one_sentence(place: str) -> None:
    pathlib.Path("readonly").mkdir()
    pathlib.Path("readonly/out.json").mkdir()  # not even root writes a file there
    done = invoke("score", "a.txt -r ref.txt -f json", place)
    assert (done.exit_code, done.stdout) == (2, "")
    assert place in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_progress_never_stands_beyond_its_total() -> None:
    bar = rich.progress.Progress(disable=True)
    lines = ProgressLines(bar)
    lines("read", 3)
    lines.expect("draws", 1000)
    lines("draws", 400)
    assert [(task.completed, task.total, task.fields["counted"]) for task in bar.tasks] == [
        (3, None, "3"),
        (400, 1000, "400 of 1 000"),
    ]
    lines.expect("draws", 500)  # of the next metric
    lines("draws", 700)
    assert bar.tasks[1].fields["counted"] == "1 100 of 1 500"
    lines("draws", 30_000)
    assert (bar.tasks[1].total, bar.tasks[1].fields["counted"]) == (None, "31 100")


def test_verbs_say_how_much_there_will_be() -> None:
    class Heard:
        def __init__(self) -> None:
            self.done: dict[str, int] = {}
            self.expected: dict[str, int] = {}

        def __call__(self, what: str, done: int) -> None:
            self.done[what] = self.done.get(what, 0) + done

        def expect(self, what: str, total: int) -> None:
            self.expected[what] = self.expected.get(what, 0) + total

    texts = {"a": ["one two", "three"], "b": ["one", "three"]}
    references = ["one two", "three"]
    for call in (
        lambda heard: tercet.score(texts, references, ci=True, samples=50, progress=heard),
        lambda heard: tercet.score(texts, references, paired="randomization", trials=70, progress=heard),
        lambda heard: tercet.score(texts, references, paired="bootstrap", samples=50, progress=heard),
        lambda heard: tercet.compare(texts, references, samples=50, progress=heard),
        lambda heard: tercet.rank(RANKINGS, samples=50, progress=heard),
        lambda heard: tercet.rank(RANKINGS, method="expected-wins", samples=50, progress=heard),
        lambda heard: tercet.choose(RANKINGS, methods=["expected-wins"], folds=3, progress=heard),
    ):
        heard = Heard()
        call(heard)
        assert heard.expected
        assert {what: heard.done.get(what) for what in heard.expected} == heard.expected
