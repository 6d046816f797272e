"""The commands as a person runs them: help, mistakes, pipes, interruptions, every output format."""

from __future__ import annotations

import csv
import inspect
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
from typing import Any

import click.testing
import pytest

import tercet
import tercet.sample
from tercet.cli.app import app
from tercet.options import settings
from tercet.options.groups import name_systems
from tercet.report import FORMATS
from tercet.running import LIST
from tests.docs.blocks import demo

HYP = [
    "The cat sat on the mat .",
    "Ein kleiner Test für Ümläute.",
    "नमस्ते दुनिया कैसे हो",
    "مرحبا بالعالم الجميل",
    "你好，世界！",
]
REF = [
    "The cat is on the mat.",
    "Ein kurzer Test für Umlaute.",
    "नमस्ते जगत कैसे हो",
    "أهلا بالعالم الجميل",
    "你好，世界。",
]
Files = tuple[pathlib.Path, pathlib.Path]


def run(*arguments: str | pathlib.Path, stdin: bytes = b"", cwd: pathlib.Path | None = None) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of one command."""
    command = [sys.executable, "-m", "tercet", *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def invoke(*arguments: str | pathlib.Path) -> tuple[int, str, str]:
    """The same in this process, which has everything loaded, for what does not depend on how a process ends."""
    done = click.testing.CliRunner().invoke(app, [*map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def files(tmp_path: pathlib.Path) -> Files:
    hyp, ref = tmp_path / "mine.txt", tmp_path / "ref.txt"
    hyp.write_text("\n".join(HYP) + "\n", encoding="utf-8")
    ref.write_text("\n".join(REF) + "\n", encoding="utf-8")
    return hyp, ref


def test_tercet_alone_shows_the_verbs_by_job() -> None:
    status, out, _ = run()
    assert status == 0
    verbs = ("score", "rank", "agreement", "choose", "plan", "meta", "run", "list", "show", "demo")
    assert all(f"tercet {verb}" in out for verb in verbs)


def test_version() -> None:
    assert run("--version")[1] == f"tercet {tercet.__version__}\n"


def test_help_does_not_load_the_heavy_rooms() -> None:
    program = (
        "import contextlib, sys; from tercet.cli.app import app\n"
        "with contextlib.suppress(SystemExit): app(['--help'])\n"
        "print(sorted({'numpy', 'polars', 'tercet.scoring'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


# What `score -m bleu` of two files loads beside numpy, click and what both need: more is time that everybody waits.
ELSEWHERE = [
    *("polars", "rich.console", "importlib.metadata", "email", "multiprocessing", "concurrent.futures", "socket"),
    *("tercet.data.explanation", "tercet.data.meta", "tercet.data.quality", "tercet.medical", "tercet.plots"),
    *("tercet.formats.judgements", "tercet.formats.scores", "tercet.formats.sgml", "tercet.formats.directory"),
    *("tercet.metrics.explained.bleu", "tercet.metrics.explained.edits", "tercet.report.html", "tercet.report.compare"),
    *("tercet.options.agreeing", "tercet.options.judging", "tercet.human", "tercet.ranking", "tercet.agreeing"),
]


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_score_loads_nothing_that_only_other_verbs_need(name: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.txt").write_text("the cat sat\n")
    program = (
        "import contextlib, sys; from tercet.cli.app import app\n"
        f"with contextlib.suppress(SystemExit): app(['score', 'a.txt', '-r', 'a.txt', '-m', {name!r}])\n"
        f"print(sorted(set({ELSEWHERE!r}) & set(sys.modules)), len([m for m in sys.modules if m.startswith('tercet')]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    unneeded, count = done.stdout.splitlines()[-1].rsplit(" ", 1)
    assert unneeded == "[]"
    assert int(count) <= 75, "some 70 modules of ours are enough"


CAMPAIGN = ("create", "serve", "export", "backup", "publish")
NAMED_APART = {
    **{
        f"campaign {verb}": getattr(tercet, f"{verb}_campaign")
        for verb in ("create", "serve", "export", "backup", "publish")
    },
    "campaign simulate": tercet.simulate_campaign,
    "campaign status": tercet.campaign_status,
    "campaign import": tercet.import_answers,
    "campaign invite": tercet.invite_people,
}
COMMANDS: dict[str, Any] = {**app.walk()}


def function_of(verb: str) -> Any:
    """`qe evaluate` is `qe_evaluate`; `train beer` is one of the things that `train` trains."""
    joined, first = verb.replace(" ", "_").replace("-", "_"), verb.partition(" ")[0]
    return NAMED_APART.get(verb) or getattr(tercet, joined, None) or getattr(tercet, first)


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_command_and_its_function_are_made_from_the_same_options(verb: str) -> None:
    """So names, checks, defaults and help are the same whichever way in, and a shell adds how an answer is shown."""
    command: Any = COMMANDS[verb]
    function = function_of(verb)
    assert issubclass(command.options, function.options)
    library, shell = inspect.signature(function).parameters, [parameter.name for parameter in command.params]
    assert list(library) == list(inspect.signature(function.options).parameters)
    assert set(shell) == {s.name for o in (command.options, command.shown) for s in settings(o) if s.about.shell}


def test_what_is_public_is_there() -> None:
    assert sorted(tercet.__all__) == sorted(set(tercet.__all__))
    assert all(getattr(tercet, name) is not None for name in tercet.__all__)
    assert set(tercet.__all__) <= set(dir(tercet))


def test_no_room_is_called_like_a_public_name() -> None:
    """`import tercet.ROOM` means the room, whatever was asked of the package before."""
    package = pathlib.Path(str(tercet.__file__)).parent
    rooms = {path.stem for path in package.iterdir() if not path.name.startswith("_")}
    assert rooms & set(tercet.__all__) == set()


@pytest.mark.parametrize("verb", [verb for verb in COMMANDS if verb not in ("list", "demo")])
def test_a_verb_that_got_nothing_to_do_says_what_it_could_do(verb: str) -> None:
    status, out, err = invoke(*verb.split())
    assert (status, out) == (2, "")
    first, _, example, *_ = err.splitlines()
    assert first.startswith("For example")
    assert example.startswith("  tercet ")
    assert f"  tercet {verb} " in err


@pytest.mark.parametrize("group", ["qe", "train", "campaign"])
def test_a_group_alone_shows_its_verbs(group: str) -> None:
    status, out, err = invoke(group)
    assert (status, out) == (2, "")
    assert [verb for verb in COMMANDS if verb.startswith(f"{group} ") and f"tercet {verb} " not in err] == []


WORDS = {
    "unknown verb": (["scor"], "tercet has no verb 'scor'. Did you mean score?"),
    "unknown verb of a group": (["qe", "tran"], "tercet qe has no verb 'tran'. Did you mean train?"),
    "unknown option": (["score", "--fromat", "x"], "tercet score has no option --fromat. Did you mean --format"),
    "nothing behind": (["rank", "a.csv", "--samples"], "Nothing stands behind --samples. tercet rank -h says"),
    "no number": (["rank", "a.csv", "--samples", "x"], "--samples must be a whole number of 1 or more, not 'x'."),
    "no choice": (["rank", "a.csv", "-f", "x"], "--format must be one of table, json, "),
    "no list": (["list", "metrix"], "KIND must be one of metrics, rankers, "),
    "too many words": (["show", "bleu", "chrf"], "show does not know what to do with chrf."),
    "a value too many": (["rank", "a.csv", "--head-to-head=1"], "--head-to-head takes no value."),
    "a shell of nobody": (["--install-completion", "tcsh"], "Nothing is known of the shell 'tcsh'."),
}


@pytest.mark.parametrize(("words", "sentence"), WORDS.values(), ids=WORDS)
def test_the_parser_speaks_with_our_voice(words: list[str], sentence: str) -> None:
    status, out, err = invoke(*words)
    assert (status, out) == (2, "")
    assert err.startswith(f"tercet: {sentence}")
    assert err.count("\n") == 1
    assert not {"Usage", "Error:", "Invalid", "pydantic"} & set(err.split())


def test_a_profile_keeps_what_it_holds(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be in any encoding, and is never written anew: a full disk would leave none of it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    profile = tmp_path / ".bashrc"
    profile.write_bytes(b"echo caf\xe9")
    before = profile.stat().st_ino
    monkeypatch.setattr(pathlib.Path, "write_text", _only_scripts)
    assert invoke("--install-completion", "bash")[0] == 0
    assert profile.read_bytes() == b"echo caf\xe9\nsource ~/.bash_completions/tercet.sh\n"
    assert profile.stat().st_ino == before


def _only_scripts(path: pathlib.Path, text: str, encoding: str) -> int:
    assert path.name == "tercet.sh", "a profile is not written anew"
    return path.write_bytes(text.encode(encoding))


def test_completion_is_installed_and_knows_metrics(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".bashrc").write_text("alias ll=ls")
    for _ in range(2):
        assert invoke("--install-completion", "bash")[0] == 0
    lines = (tmp_path / ".bashrc").read_text().splitlines()
    assert lines == ["alias ll=ls", "source ~/.bash_completions/tercet.sh"]
    script = (tmp_path / ".bash_completions" / "tercet.sh").read_text()
    assert script == invoke("--show-completion", "bash")[1]
    asked = {"_TERCET_COMPLETE": "bash_complete", "COMP_CWORD": "3"}
    for words, answers in (
        ("tercet score -m chr", {"plain,chrf", "plain,chrf++"}),
        ("tercet rank --method trues", {"plain,trueskill"}),
        ("tercet score -r re", {"file,re"}),
        ("tercet score --level se", {"plain,segment"}),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "tercet"],
            env={**os.environ, **asked, "COMP_WORDS": words},
            capture_output=True,
            text=True,
            check=False,
        )
        assert answers <= set(done.stdout.split()), words


def test_every_verb_is_a_function() -> None:
    assert all(callable(function_of(verb)) for verb in COMMANDS)


def test_the_command_prints_what_the_function_returns(files: Files) -> None:
    hyp, ref = files
    status, out, err = run("score", hyp, "-r", ref, "-m", "chrf++", "-m", "bleu(tokenize=intl)", "--ci", "-f", "json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    expected = tercet.score({"mine": HYP}, REF, metrics=["chrf++", "bleu(tokenize=intl)"], ci=True)
    assert found["records"] == expected.as_records()
    assert found["signature"] == expected.signature


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("level", ["corpus", "segment"])
def test_every_format_goes_to_a_pipe_and_to_a_file(
    files: Files, style: str, level: str, tmp_path: pathlib.Path
) -> None:
    arguments = ["score", str(files[0]), "-r", str(files[1]), "-m", "chrf", "-m", "ter", "--level", level, "-f", style]
    status, piped, _ = (run if style == "table" else invoke)(
        *arguments
    )  # a pipe of the system's, for what else is drawn
    assert status == 0
    assert "\x1b" not in piped
    status, nothing, _ = invoke(*arguments, "-o", tmp_path / "out")
    assert (status, nothing) == (0, "")
    assert (tmp_path / "out").read_text(encoding="utf-8") == piped
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine.txt", "out", "ref.txt"]


def test_csv_columns_are_the_keys_of_the_json(files: Files) -> None:
    arguments = ["score", str(files[0]), "-r", str(files[1]), "-m", "sentbleu"]
    records = json.loads(invoke(*arguments, "-f", "json")[1])["records"]
    rows = list(csv.DictReader(io.StringIO(invoke(*arguments, "-f", "csv")[1])))
    assert list(rows[0]) == list(records[0])
    assert list(rows[0])[:9] == ["system", "metric", "level", "segment", "score", "low", "high", "p_value", "signature"]
    assert float(rows[0]["score"]) == records[0]["score"]


def test_names_and_runs(tmp_path: pathlib.Path) -> None:
    names = name_systems(["a/x.txt.gz", "b/x.txt.gz", "new=c.txt", "new=d.txt", "-"])
    assert list(names) == ["x", "b/x.txt.gz", "new#1", "new#2", "stdin"]
    odd = tmp_path / "a=b.txt"
    odd.write_text("x\n")
    assert list(name_systems([str(odd)])) == ["a=b"]


def test_a_pipe_in(files: Files) -> None:
    hyp, ref = files
    status, out, _ = run("score", "-", "-r", ref, "-m", "chrf", "-f", "json", stdin=hyp.read_bytes())
    assert status == 0
    record = json.loads(out)["records"][0]
    assert (record["system"], record["score"]) == ("stdin", tercet.metric("chrf").corpus(HYP, REF))


def test_a_pipe_that_closes_is_no_fault(files: Files) -> None:
    hyp, ref = files
    command = [sys.executable, "-m", "tercet", "score", str(hyp), "-r", str(ref), "-m", "chrf"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_interruption_leaves_nothing_behind(files: Files, tmp_path: pathlib.Path) -> None:
    """The translation comes from a pipe that never ends, so the command is surely waiting when the signal comes."""
    _, ref = files
    endless = tmp_path / "endless"
    os.mkfifo(endless)
    command = [sys.executable, "-m", "tercet", "score", str(endless), "-r", str(ref), "-o", str(tmp_path / "out")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    with endless.open("wb"):  # opens when the command does
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert err == b"tercet: interrupted, nothing was written.\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["endless", "mine.txt", "ref.txt"]


# Has itself interrupted where a module is looked for: there, where a class is made, or in a callback of Python's.
WHILE_LOADING = """
import os, signal, sys, weakref
signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent may ignore it
late, where, way = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)

def interrupt(*_):
    os.kill(os.getpid(), signal.SIGINT)

class Field:
    __set_name__ = interrupt

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name != late:
            return
        if where == "there":
            interrupt()
        elif where == "class":
            class Made:
                field = Field()
        else:
            gone = Field()
            watched = weakref.ref(gone, interrupt)
            del gone

sys.meta_path.insert(0, Finder())
if way == "module":
    import runpy
    runpy.run_module("tercet", run_name="__main__")
from tercet.cli import main
main()
"""


@pytest.mark.parametrize(
    ("late", "where", "way"),
    [
        ("tercet.cli.app", "there", "module"),
        ("click", "there", "script"),
        ("tercet.cli.output", "class", "script"),
        ("tercet.cli.output", "callback", "script"),
        ("tercet.cli.score", "there", "script"),
        ("numpy", "class", "script"),
        ("numpy", "callback", "module"),
    ],
)
def test_an_interruption_while_modules_load_is_one_line(files: Files, late: str, where: str, way: str) -> None:
    hyp, ref = map(str, files)
    command = [sys.executable, "-c", WHILE_LOADING, late, where, way, "score", hyp, "-r", ref]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "tercet: interrupted, nothing was written.\n")
    assert done.returncode == 130


MISTAKES = {
    "no such file": (["score", "missing.txt", "-r", "ref.txt"], "missing.txt"),
    "a line short": (["score", "short.txt", "-r", "ref.txt"], "short.txt has 4 lines"),
    "empty file": (["score", "empty.txt", "-r", "empty.txt"], "not one segment"),
    "bad UTF-8": (["score", "latin1.txt", "-r", "ref.txt"], "latin1.txt"),
    "misspelt metric": (["score", "mine.txt", "-r", "ref.txt", "-m", "chfr"], "Did you mean chrf"),
    "misspelt option": (["score", "mine.txt", "-r", "ref.txt", "-m", "chrf(bata=3)"], "Did you mean beta?"),
    "bad spec": (["score", "mine.txt", "-r", "ref.txt", "-m", "chrf(beta=3"], "Cannot read the spec"),
    "no reference": (["score", "mine.txt"], "needs references"),
    "unknown thing": (["show", "blue"], "Did you mean bleu"),
    "a folder": (["score", ".", "-r", "ref.txt"], "directory"),
    "lonely test": (["score", "mine.txt", "-r", "ref.txt", "--paired", "bootstrap"], "two systems"),
    "named twice": (["score", "mine.txt", "./mine.txt", "-r", "ref.txt"], "named twice"),
    "unknown format": (["score", "--testset", "mine.bin"], "mine.bin"),
}


@pytest.mark.parametrize(("arguments", "complaint"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_get_a_sentence_and_exit_2(
    files: Files, arguments: list[str], complaint: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short.txt").write_text("\n".join(HYP[:-1]) + "\n", encoding="utf-8")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "latin1.txt").write_bytes("Käse\n".encode("latin-1") * 5)
    (tmp_path / "mine.bin").write_bytes(b"\x00\x01\x02")
    before = sorted(tmp_path.iterdir())
    status, out, err = invoke(*arguments, *(["-o", "out.json"] if arguments[0] == "score" else []))
    assert (status, out) == (2, "")
    assert err.startswith("tercet: ")
    assert complaint in err
    assert "Traceback" not in err
    assert sorted(tmp_path.iterdir()) == before


def test_an_output_without_a_folder_is_refused_before_the_work(files: Files, tmp_path: pathlib.Path) -> None:
    status, _, err = invoke("score", files[0], "-r", "missing.txt", "-o", tmp_path / "no" / "out.json")
    assert status == 2
    assert "mkdir -p" in err


def test_an_output_may_be_a_pipe(files: Files) -> None:
    hyp, ref = files
    status, out, err = run("score", hyp, "-r", ref, "-m", "chrf", "-f", "json", "-o", "/dev/stdout")
    assert (status, err) == (0, "")
    assert len(json.loads(out)["records"]) == 1


def test_list_and_show_know_everything() -> None:
    names = {r["name"] for r in json.loads(invoke("list", "-f", "json")[1])["records"]}
    assert {"bleu", "chrf++", "13a", "moses", "sgml"} <= names
    shown = invoke("show", "moses-ter(language=de)")[1]
    assert "moses-ter(language=de)" in shown
    assert "lower" in shown
    assert "option lowercase" in shown
    assert "abbreviations" in invoke("show", "moses")[1]


@pytest.mark.thorough
def test_demo_names_what_it_wrote(kept: pathlib.Path, tmp_path: pathlib.Path) -> None:
    lines, status = demo(kept)
    assert status == 0
    shutil.copytree(kept / "demo", tmp_path / "demo")
    out, there = "\n".join(lines), tmp_path / "demo"
    written = sorted(there.iterdir())
    results = ("report.html", "summary.md", "scores.csv", "rankings.csv", "agreement.csv")
    assert [p.name for p in written] == sorted(
        [
            *results,
            *("results.csv", "study.toml", "tables", "cache", LIST),
            *(f"{pair}.tsv" for pair in tercet.sample.PAIRS),
            *tercet.sample.judgement_files(),
        ]
    )
    assert all(f"demo/{name}" in out for name in results)
    files = [p for p in there.rglob("*") if p.is_file() and p.parent.name != "cache" and p.name != LIST]
    assert f"Wrote {len(files)} files" in out
    assert "amber" in out
    for level in ("System", "Segment"):
        assert f"Which metric agrees with people? {level} level, all pairs" in out
    again = invoke("run", there / "study.toml", "-o", there, "--no-figures")
    assert "Metrics counted: 0; kept from an earlier run: 15." in again[1]
    again = invoke("score", "--testset", there / "en-de.tsv", "-m", "chrf", "-f", "json")
    assert len(json.loads(again[1])["records"]) == 5
