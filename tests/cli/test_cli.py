"""The commands as a person runs them: help, mistakes, pipes, interruptions, every output format."""

from __future__ import annotations

import csv
import inspect
import io
import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

import tercet
import tercet.sample
from tercet.cli.app import app
from tercet.cli.score import name_systems
from tercet.report import FORMATS

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


@pytest.mark.parametrize("verb", ["score", "rank", "agreement", "choose", "meta", "run", "show"])
def test_a_verb_without_arguments_shows_an_example(verb: str) -> None:
    status, out, _ = run(verb)
    assert status == 0
    assert "For example" in out
    assert f"tercet {verb} " in out


def test_version() -> None:
    assert run("--version")[1] == f"tercet {tercet.__version__}\n"


def test_help_does_not_load_the_heavy_rooms() -> None:
    program = (
        "import sys; from tercet.cli.app import app; app(['--help'], standalone_mode=False); "
        "print(sorted({'numpy', 'polars', 'tercet.scoring'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


# What a shell has besides: how a result is shown.
SHOWN = {
    "score": {"style", "output", "table"},
    "compare": {"style", "output", "fail_if_worse"},
    "rank": {"style", "output", "head_to_head", "counts", "digits", "figure"},
    "agreement": {"style", "output", "annotators", "annotator", "digits", "figure"},
    "choose": {"style", "output"},
    "plan": {"style", "output"},
    "meta": {"style", "output", "digits", "among", "show", "figure", "plot", "write_scores"},
    "run": set(),
    "explain": {"style", "output"},
    "tune": {"style", "output", "digits", "figure"},
}
# Verbs whose parameters are held against their functions elsewhere, or that have none worth it.
OTHERS = {"retrieval", "list", "show", "demo"}
# What must be given in a library, and what a shell says by leaving it out.
ASKED = {"metric", "metrics", "testset", "methods", "judgements", "study", "lower", "without"}


@pytest.mark.parametrize("verb", SHOWN)
def test_options_are_the_parameters_of_the_function(verb: str) -> None:
    """Same names, same defaults, whichever way in; a shell has an output besides, a library progress."""
    (command,) = (c.callback for c in app.registered_commands if c.name == verb)
    assert command is not None
    shell = inspect.signature(command).parameters
    library = inspect.signature(getattr(tercet, verb)).parameters
    assert set(shell) - SHOWN[verb] == set(library) - {"progress"}
    for name in set(shell) & set(library) - ASKED:
        assert shell[name].default == library[name].default, name


def test_what_is_public_is_there() -> None:
    assert sorted(tercet.__all__) == sorted(set(tercet.__all__))
    assert set(tercet.__all__) == {*tercet._HOME, "__version__"}
    assert all(getattr(tercet, name) is not None for name in tercet.__all__)


def test_every_verb_is_a_function() -> None:
    assert {command.name for command in app.registered_commands} == {*SHOWN, *OTHERS}
    assert all(callable(getattr(tercet, str(command.name))) for command in app.registered_commands)


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
    status, piped, _ = run(*arguments)
    assert status == 0
    assert "\x1b" not in piped
    status, nothing, _ = run(*arguments, "-o", tmp_path / "out")
    assert (status, nothing) == (0, "")
    assert (tmp_path / "out").read_text(encoding="utf-8") == piped
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine.txt", "out", "ref.txt"]


def test_csv_columns_are_the_keys_of_the_json(files: Files) -> None:
    arguments = ["score", str(files[0]), "-r", str(files[1]), "-m", "sentbleu"]
    records = json.loads(run(*arguments, "-f", "json")[1])["records"]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "-f", "csv")[1])))
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
    files: Files, arguments: list[str], complaint: str, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "short.txt").write_text("\n".join(HYP[:-1]) + "\n", encoding="utf-8")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "latin1.txt").write_bytes("Käse\n".encode("latin-1") * 5)
    (tmp_path / "mine.bin").write_bytes(b"\x00\x01\x02")
    before = sorted(tmp_path.iterdir())
    status, out, err = run(*arguments, *(["-o", "out.json"] if arguments[0] == "score" else []), cwd=tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("tercet: ")
    assert complaint in err
    assert "Traceback" not in err
    assert sorted(tmp_path.iterdir()) == before


def test_an_output_without_a_folder_is_refused_before_the_work(files: Files, tmp_path: pathlib.Path) -> None:
    status, _, err = run("score", files[0], "-r", "missing.txt", "-o", tmp_path / "no" / "out.json")
    assert status == 2
    assert "mkdir -p" in err


def test_an_output_may_be_a_pipe(files: Files) -> None:
    hyp, ref = files
    status, out, err = run("score", hyp, "-r", ref, "-m", "chrf", "-f", "json", "-o", "/dev/stdout")
    assert (status, err) == (0, "")
    assert len(json.loads(out)["records"]) == 1


def test_list_and_show_know_everything() -> None:
    names = {r["name"] for r in json.loads(run("list", "-f", "json")[1])["records"]}
    assert {"bleu", "chrf++", "13a", "moses", "sgml"} <= names
    shown = run("show", "moses-ter(language=de)")[1]
    assert "moses-ter(language=de)" in shown
    assert "lower" in shown
    assert "option lowercase" in shown
    assert "abbreviations" in run("show", "moses")[1]


def test_demo_names_what_it_wrote(tmp_path: pathlib.Path) -> None:
    status, out, err = run("demo", "-o", tmp_path / "there")
    assert (status, err) == (0, "")
    written = sorted((tmp_path / "there").iterdir())
    results = ("report.html", "summary.md", "scores.csv", "rankings.csv", "agreement.csv")
    assert [p.name for p in written] == sorted(
        [
            *results,
            *("results.csv", "study.toml", "tables", "figures", "cache"),
            *(f"{pair}.tsv" for pair in tercet.sample.PAIRS),
            *tercet.sample.judgement_files(),
        ]
    )
    assert all(str(tmp_path / "there" / name) in out for name in results)
    files = [p for p in (tmp_path / "there").rglob("*") if p.is_file() and p.parent.name != "cache"]
    assert f"Wrote {len(files)} files" in out
    assert "amber" in out
    for level in ("System", "Segment"):
        assert f"Which metric agrees with people? {level} level, all pairs" in out
    again = run("run", tmp_path / "there" / "study.toml", "-o", tmp_path / "there", "--no-figures")
    assert "Metrics counted: 0; kept from an earlier run: 15." in again[1]
    again = run("score", "--testset", tmp_path / "there" / "en-de.tsv", "-m", "chrf", "-f", "json")
    assert len(json.loads(again[1])["records"]) == 5
