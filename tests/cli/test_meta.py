"""`tercet meta` and `tercet run` as a person runs them."""

from __future__ import annotations

import csv
import io
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest

import tercet
from tercet.agreeing import evaluation
from tercet.errors import InputError
from tercet.plots.canvas import save
from tercet.report import FORMATS
from tercet.running import LIST
from tests.cli.test_cli import invoke, run
from tests.cli.test_judgements import here
from tests.study.build import FEW, METRICS, SAMPLE, SEGMENT, SYSTEM, direction, written

Capture = pytest.CaptureFixture[str]
Arguments = tuple[str | pathlib.Path, ...]
TEXTS: Arguments = ("-t", SAMPLE / "en-de.tsv")
RANKED = (*TEXTS, "-j", SAMPLE / "en-de.rankings.csv")
SCORED = (*TEXTS, "-j", SAMPLE / "en-de.da.csv")
FAST = ("--samples", "40", "-m", "chrf", "-m", "bleu")
BY_WINS = ("--gold", "expected-wins", *FAST)


def test_meta_prints_what_the_function_returns() -> None:
    status, out, err = run("meta", *RANKED, *BY_WINS, "-f", "json")
    assert status == 0
    found = json.loads(out)
    expected = tercet.meta(
        testset=SAMPLE / "en-de.tsv",
        judgements=SAMPLE / "en-de.rankings.csv",
        metrics=["chrf", "bleu"],
        gold="expected-wins",
        samples=40,
    )
    assert found == {"signature": expected.signature, "records": expected.as_records()}
    assert list(found["records"][0])[:8] == ["metric", "level", "measure", "direction", "value", "low", "high", "n"]
    assert err.splitlines() == [f"tercet: {note}" for note in expected.notes], "what was left out goes to stderr"


@pytest.mark.parametrize("style", FORMATS)
def test_every_format_goes_to_a_pipe_and_to_a_file(style: str, tmp_path: pathlib.Path, capsys: Capture) -> None:
    status, piped, err = here(capsys, "meta", *RANKED, *BY_WINS, "-f", style)
    assert status == 0, err
    assert "\x1b" not in piped
    assert here(capsys, "meta", *RANKED, *BY_WINS, "-f", style, "-o", tmp_path / "out")[:2] == (0, "")
    assert (tmp_path / "out").read_text(encoding="utf-8") == piped
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    if style == "csv":
        rows = list(csv.DictReader(io.StringIO(piped)))
        assert [r["metric"] for r in rows] == ["chrf", "bleu"]
        assert float(rows[0]["value"]) > 0.9
    if style == "latex":
        assert piped.startswith(r"\begin{tabular}")
    if style == "table":
        assert "chrf agrees best with people" in piped or "bleu agrees best with people" in piped


# Every option once, with what must be in the answer.
OPTIONS: dict[str, tuple[Arguments, str]] = {
    "level": ((*RANKED, *FAST, "--level", "segment"), "kendall(variant=wmt14)"),
    "level document": ((*SCORED, *FAST, "--level", "document", "--judged", "0.5"), "Document level"),
    "measure": ((*SCORED, *FAST, "--measure", "spearman", "--measure", "accuracy"), "accuracy"),
    "gold": ((*SCORED, *FAST, "--level", "segment", "--gold", "darr(least=10)"), "gold:darr(least=10)"),
    "testset-format": ((*RANKED, *BY_WINS, "--testset-format", "tsv"), "chrf"),
    "judgements-format": ((*RANKED, *BY_WINS, "--judgements-format", "rankings"), "chrf"),
    "pair": ((*SCORED, *FAST, "--pair", "eng-deu"), "eng-deu, system level"),
    "name": ((*RANKED, *BY_WINS, "--name", "amber=amber"), "chrf"),
    "without": ((*RANKED, *BY_WINS, "--without", "amber", "--without", "birch"), "without:amber+birch"),
    "references": ((*RANKED, *BY_WINS, "--references"), "references:true"),
    "on-skip": ((*RANKED, *BY_WINS, "--on-skip", "pair"), "on_skip:pair"),
    "interval": ((*SCORED, *FAST, "--level", "segment", "--measure", "pearson", "--interval", "both"), "interval:both"),
    "unit": ((*RANKED, *BY_WINS, "--unit", "segment"), "unit:segment"),
    "test": ((*RANKED, *BY_WINS, "--test", "judgements"), "(resampled judgements, one-sided p ≤ .05"),
    "alpha": ((*RANKED, *BY_WINS, "--alpha", "0.5"), "one-sided p ≤ .5"),
    "correction": ((*RANKED, *BY_WINS, "--correction", "holm"), "(Williams's test, holm, one-sided p ≤ .05)"),
    "seed": ((*RANKED, *BY_WINS, "--seed", "7"), "seed:7"),
    "threads": ((*RANKED, *BY_WINS, "--threads", "1"), "chrf"),
    "digits": ((*RANKED, *BY_WINS, "--digits", "6", "--interval", "none"), ".9"),
    "among": ((*RANKED, *BY_WINS, "--among", "wmt15"), "→ chrf"),
    "among wmt14": ((*RANKED, *BY_WINS, "--among", "wmt14"), "WMT14"),
    "among segments": ((*RANKED, *FAST, "--level", "segment", "--among", "wmt15"), "BEER"),
    "show tests": ((*RANKED, *BY_WINS, "--show", "tests"), "p that the metric of the row"),
    "show top-n": ((*RANKED, *BY_WINS, "--show", "top-n"), "best 4"),
    "a name": (
        (*RANKED, "--samples", "40", "--gold", "others", "-m", "mine=chrf(beta=3)"),
        "metrics:mine=chrf(beta=3)",
    ),
}


@pytest.mark.parametrize(("options", "shown"), OPTIONS.values(), ids=OPTIONS)
def test_every_option(options: Arguments, shown: str, capsys: Capture) -> None:
    status, out, err = here(capsys, "meta", *options)
    assert (status, err) == (0, "")
    assert shown in out


SHOWN: dict[str, tuple[Arguments, list[str]]] = {
    "tests": (("--show", "tests"), ["metric", "other", "level", "measure", "direction", "test", "p"]),
    "top-n": (("--show", "top-n"), ["metric", "measure", "direction", "best", "value"]),
    "among": (
        ("--among", "wmt15"),
        ["metric", "own", "group", "direction", "value", "half_width", "low", "high", "place"],
    ),
}


@pytest.mark.parametrize(("options", "columns"), SHOWN.values(), ids=SHOWN)
def test_programs_get_what_is_shown(options: Arguments, columns: list[str], capsys: Capture) -> None:
    status, out, _ = here(capsys, "meta", *RANKED, *BY_WINS, *options, "-f", "csv")
    assert status == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == columns
    assert {"chrf", "bleu"} <= {r["metric"] for r in rows}
    if "p" in columns:
        assert float(rows[0]["p"]) + float(rows[1]["p"]) == pytest.approx(1)
    if "own" in columns:
        own = [r for r in rows if r["own"] == "True" and r["direction"] == "en-de"]
        assert [r["metric"] for r in own] == ["chrf", "bleu"]
        assert all(int(r["place"]) == 1 for r in own)


@pytest.mark.parametrize("show", ["tests", "top-n"])
def test_what_is_shown_says_how_it_was_made(show: str, capsys: Capture) -> None:
    out = here(capsys, "meta", *RANKED, *BY_WINS, "--show", show)[1]
    assert "Tasks without outputs" in out
    assert out.splitlines()[-1].startswith("meta|metrics:chrf+bleu|level:system|")


@pytest.mark.parametrize("plot", ["scatter", "top-n", "significance", "calibration"])
def test_every_plot(plot: str, tmp_path: pathlib.Path, capsys: Capture) -> None:
    level = ("--level", "segment") if plot == "calibration" else ()
    path = tmp_path / "figure.svg"
    status, out, err = here(capsys, "meta", *SCORED, *FAST, *level, "--figure", path, "--plot", plot)
    assert (status, err) == (0, "")
    assert "chrf" in out, "the table is shown, too"
    assert path.read_bytes().startswith(b"<?xml")


def test_a_plot_that_is_not_there_is_refused(tmp_path: pathlib.Path, capsys: Capture) -> None:
    status, _, err = here(capsys, "meta", *SCORED, *FAST, "--figure", tmp_path / "f.svg", "--plot", "calibration")
    assert status == 2
    assert "no calibration to draw" in err
    assert list(tmp_path.iterdir()) == []


WRITTEN = {
    "scores.tsv": "system",
    "scores.csv": "segment",
    "scores.csv.gz": "document",
    "scores.parquet": "segment",
    "scores.sys.score": "system",
    "scores.seg.score.gz": "segment",
}


@pytest.mark.parametrize(("name", "level"), WRITTEN.items())
def test_scores_are_written_and_read_back(name: str, level: str, tmp_path: pathlib.Path, capsys: Capture) -> None:
    path = tmp_path / name
    asked = ("--level", level, "--pair", "en-de", "--interval", "none", "--test", "none", "-f", "json")
    metrics = ("-m", "chrf", "-m", "ter")
    people = SAMPLE / ("en-de.mqm.tsv" if level == "document" else "en-de.da.csv")
    judged = ("-j", people, *asked, *(("--judged", "0") if level == "document" else ()))
    status, out, _ = here(capsys, "meta", *TEXTS, *judged, *metrics, "--write-scores", path)
    assert status == 0
    status, again, err = here(capsys, "meta", "--scores", path, "--lower", "ter", *judged)
    assert status == 0, err
    first, second = (json.loads(text)["records"] for text in (out, again))
    if level == "document":  # a test set knows of segments that nobody judged
        assert [r["metric"] for r in first] == [r["metric"] for r in second]
    else:
        assert first == second


@pytest.mark.parametrize("name", ["scores.csv", "scores.tsv", "scores.parquet"])
def test_written_scores_agree_as_before(name: str, tmp_path: pathlib.Path, capsys: Capture) -> None:
    """Without a word about which metrics are errors."""
    metrics, path = ("-m", "chrf", "-m", "ter"), tmp_path / name
    asked = (*RANKED[2:], "--gold", "expected-wins", "--samples", "40", "-f", "json")
    status, out, err = here(capsys, "meta", *TEXTS, *asked, *metrics, "--write-scores", path)
    assert status == 0, err
    assert "--lower" not in err
    _, again, _ = here(capsys, "meta", "--scores", path, *asked)
    assert json.loads(again)["records"] == json.loads(out)["records"]


@pytest.mark.parametrize("style", ["csv", "tsv", "json", "jsonl"])
@pytest.mark.parametrize("level", ["corpus", "segment"])
def test_records_of_score_agree_as_texts_do(style: str, level: str, tmp_path: pathlib.Path, capsys: Capture) -> None:
    metrics, path = ("-m", "chrf", "-m", "ter"), tmp_path / f"scores.{style}"
    asked = ("--level", "segment" if level == "segment" else "system", "--interval", "none", "-f", "json")
    status, _, err = here(capsys, "score", *TEXTS, *metrics, "--level", level, "-o", path)
    assert status == 0, err
    _, out, _ = here(capsys, "meta", *SCORED, *metrics, *asked)
    status, again, err = here(capsys, "meta", "--scores", path, *SCORED[2:], *asked)
    assert status == 0, err
    assert json.loads(again)["records"] == json.loads(out)["records"]


def test_a_submission_says_what_it_has_no_place_for(tmp_path: pathlib.Path, capsys: Capture) -> None:
    path = tmp_path / "scores.sys.score"
    asked = ("--gold", "expected-wins", "--samples", "40", "-m", "chrf", "-m", "ter", "--write-scores", path)
    status, _, err = here(capsys, "meta", *RANKED, *asked)
    assert status == 0
    assert "read it with --lower ter." in err


def test_a_directory_of_mt_metrics_eval(tmp_path: pathlib.Path, capsys: Capture) -> None:
    folder = tmp_path / "campaign"
    folder.mkdir()
    asked = ("--pair", "en-de", "--interval", "none", "--test", "none")
    for level in ("system", "segment"):
        status, _, err = here(capsys, "meta", *SCORED, *asked, "-m", "chrf", "--level", level, "--write-scores", folder)
        assert status == 0, err
    assert (folder / "metric-scores" / "en-de").is_dir()
    human = folder / "human-scores"
    human.mkdir()
    systems = ["amber", "birch", "cedar", "delta", "ember"]
    (human / "en-de.mqm.sys.score").write_text("".join(f"{s}\t{-i}\n" for i, s in enumerate(systems)), encoding="utf-8")
    status, out, err = here(capsys, "meta", "--scores", folder, *asked)
    assert status == 0, err
    assert "chrf" in out
    assert "gold:human:mqm" in out


SEVERAL = """\
LP\tSYSTEM\tHUMAN\tX
de-en\tA\t1\t3
de-en\tB\t2\t4
de-en\tC\t3\t6
en-de\tA\t1\t9
en-de\tB\t2\t5
en-de\tC\t3\t1
"""


def test_several_directions_in_one_file(tmp_path: pathlib.Path, capsys: Capture) -> None:
    path = tmp_path / "scores.tsv"
    path.write_text(SEVERAL, encoding="utf-8")
    _, out, _ = here(capsys, "meta", "--scores", path, "-f", "csv", "--interval", "none")
    assert [r["direction"] for r in csv.DictReader(io.StringIO(out))] == ["de-en", "en-de"]
    _, out, err = here(capsys, "meta", "--scores", path, "-f", "csv", "--interval", "none", "--pair", "en-de")
    assert [r["direction"] for r in csv.DictReader(io.StringIO(out))] == ["en-de"]
    assert "left out: 3" in err


def test_files_of_several_metrics_are_joined(tmp_path: pathlib.Path, capsys: Capture) -> None:
    (tmp_path / "a.tsv").write_text("system\tHUMAN\tX\nA\t1\t3\nB\t2\t4\nC\t3\t6\n", encoding="utf-8")
    (tmp_path / "b.tsv").write_text("system\tY\nC\t3\nA\t1\n", encoding="utf-8")
    asked = ("--interval", "none", "--test", "none", "-f", "json")
    _, out, _ = here(capsys, "meta", "--scores", tmp_path / "a.tsv", "--scores", tmp_path / "b.tsv", *asked)
    assert [(r["metric"], r["n"]) for r in json.loads(out)["records"]] == [("X", 3), ("Y", 2)]


@pytest.mark.thorough
def test_judgements_from_a_pipe() -> None:
    data = (SAMPLE / "en-de.rankings.csv").read_bytes()
    asked: Arguments = (*TEXTS, *BY_WINS, "-f", "csv")
    expected = run("meta", *asked, "-j", SAMPLE / "en-de.rankings.csv")
    for name in (("-", "--pair", "en-de"), ("/dev/stdin",)):
        assert run("meta", *asked, "--judgements-format", "rankings", "-j", *name, stdin=data) == expected


@pytest.mark.parametrize("pair", tercet.sample.PAIRS)
def test_every_language_of_the_demo(pair: str, capsys: Capture) -> None:
    files = ("-t", SAMPLE / f"{pair}.tsv", "-j", SAMPLE / f"{pair}.rankings.csv")
    for level in ("system", "segment"):
        gold = ("--gold", "expected-wins") if level == "system" else ()
        status, out, err = here(capsys, "meta", *files, *FAST, *gold, "--level", level, "-f", "json")
        assert status == 0, err
        assert all(r["value"] > 0.3 and r["direction"] == pair for r in json.loads(out)["records"])


def test_names_of_every_script(tmp_path: pathlib.Path, capsys: Capture) -> None:
    names = ["系统一", "प्रणाली", "نظام", "Ünï côde"]
    rows = [f"{name}\t{i}\t{i + 0.5}\n" for i, name in enumerate(names)]
    (tmp_path / "scores.tsv").write_text("system\tHUMAN\tमेट्रिक\n" + "".join(rows), encoding="utf-8")
    path = tmp_path / "f.svg"
    status, out, err = here(capsys, "meta", "--scores", tmp_path / "scores.tsv", "--interval", "none", "--figure", path)
    assert (status, err) == (0, "")
    assert "मेट्रिक" in out
    save(tercet.meta(scores=[tmp_path / "scores.tsv"], interval="none").plot(), tmp_path / "python.svg")
    assert path.read_bytes() == (tmp_path / "python.svg").read_bytes(), "Python draws what the shell draws"


def test_a_missing_segment_is_missing(tmp_path: pathlib.Path, capsys: Capture) -> None:
    """A metric that lacks a segment is measured on the others, and n says so."""
    full, gap = tmp_path / "full.csv", tmp_path / "gap.csv"
    asked = ("--level", "segment", "--measure", "pearson", "--interval", "none", "-f", "json")
    here(capsys, "meta", *SCORED, "-m", "chrf", *asked, "--write-scores", full)
    rows = full.read_text(encoding="utf-8").splitlines()
    gap.write_text("\n".join(row for row in rows if not row.startswith("amber,7,")) + "\n", encoding="utf-8")
    counts = []
    for path in (full, gap):
        _, out, _ = here(capsys, "meta", "--scores", path, "-j", SAMPLE / "en-de.da.csv", *asked)
        counts.append(json.loads(out)["records"][0]["n"])
    assert counts == [240, 239]


def test_empty_and_broken_files(tmp_path: pathlib.Path, capsys: Capture) -> None:
    empty, broken = tmp_path / "empty.tsv", tmp_path / "broken.tsv"
    empty.touch()
    broken.write_text("system\tX\nA\tnot a number\n", encoding="utf-8")
    for given, named in (
        (("-t", empty, *RANKED[2:]), "empty.tsv"),
        ((*TEXTS, "-j", empty), "empty.tsv"),
        (("--scores", empty), "empty.tsv"),
        (("--scores", broken), "line 2"),
        ((*TEXTS, "--human", empty), "empty.tsv"),
    ):
        status, out, err = here(capsys, "meta", *given)
        assert (status, out) == (2, "")
        assert named in err
        assert err.count("\n") == 1


WRONG: dict[str, tuple[Arguments, str]] = {
    "metric": ((*RANKED, "-m", "chrff"), "Did you mean chrf"),
    "metric twice": ((*RANKED, "-m", "a=chrf", "-m", "a=bleu"), "named twice"),
    "metric without spec": ((*RANKED, "-m", "mine="), "names no metric"),
    "measure": ((*RANKED, "--measure", "peerson"), "Did you mean pearson"),
    "gold": ((*RANKED, "--gold", "trueskil"), "Did you mean trueskill"),
    "gold that is not used": ((*RANKED, "--gold", "pairs"), "needs scores"),
    "scores that are not there": ((*RANKED, "--scores", "x"), "no file x"),
    "scores and metrics": (("--scores", "x", "-m", "chrf"), "need texts"),
    "lower and texts": ((*RANKED, "--lower", "chrf"), "or leave out --lower"),
    "people who are not there": ((*RANKED, "--human", "x"), "no file x"),
    "nobody": ((*TEXTS,), "what people think"),
    "no file": (("-t", "no.tsv", *RANKED[2:]), "no file no.tsv"),
    "no judgements": ((*TEXTS, "-j", "no.csv"), "no file no.csv"),
    "no scores": (("--scores", "no.csv"), "no file no.csv"),
    "standard input": ((*TEXTS, "-j", "-"), "format of standard input"),
    "pair": ((*RANKED, "--pair", "de-en"), "nothing of de-en"),
    "no pair": ((*RANKED, "--pair", "deen"), "no language pair"),
    "among": ((*RANKED, *BY_WINS, "--among", "wmt16"), "wmt14, wmt15"),
    "folder of scores": ((*RANKED, "--write-scores", "no/s.tsv"), "mkdir -p no"),
    "folder of the figure": ((*RANKED, "--figure", "no/f.svg"), "mkdir -p no"),
    "figure": ((*RANKED, "--figure", "f.gif"), ".svg, .pdf or .png"),
    "folder": ((*RANKED, "-o", "no/out"), "mkdir -p no"),
    "nothing to show": ((*RANKED, "-m", "chrf", "--gold", "others", "--show", "tests"), "nothing to show as tests"),
    "name": ((*RANKED, "--name", "amber"), "no map of names"),
    "without": ((*RANKED, "--gold", "others", "--without", "nobody"), "no system nobody"),
    "samples": ((*RANKED, "--samples", "5"), "40 or more"),
    "threads": ((*RANKED, "--threads", "0"), "threads must be a whole number from 1 to 1000000"),
}


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_mistakes_get_a_sentence_and_exit_2(options: Arguments, message: str, capsys: Capture) -> None:
    status, out, err = here(capsys, "meta", *options)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("tercet: ")
    assert err.count("\n") == 1


def test_help_explains_every_option() -> None:
    for verb in ("meta", "run"):
        status, out, _ = invoke(verb, "--help")
        assert status == 0
        assert out.count("--") > 4
        assert "Traceback" not in out


def test_named_metrics() -> None:
    assert evaluation.named(["chrf", "a=bleu"]) == {"chrf": tercet.metric("chrf"), "a": tercet.metric("bleu")}
    for wrong in (["=chrf"], ["a="], ["a=chrf", "a=bleu"]):
        with pytest.raises(InputError):
            evaluation.named(wrong)


def test_run_says_what_it_wrote(tmp_path: pathlib.Path, capsys: Capture) -> None:
    path = written(tmp_path, METRICS, direction(), SYSTEM, SEGMENT, FEW)
    out = tmp_path / "out"
    status, said, err = here(capsys, "run", path, "-o", out, "--no-figures", "--threads", "1")
    assert (status, err) == (0, "")
    assert "system level, from-en" in said
    assert "segment level, from-en" in said
    assert "en-de, system level, Pearson's r: chrF agrees best" in said
    assert "Metrics counted: 2; kept from an earlier run: 0." in said
    assert f"Wrote {out}/report.html and 7 other files in {out}." in said
    assert len([p for p in out.rglob("*") if p.is_file() and p.parent.name != "cache" and p.name != LIST]) == 8
    again = here(capsys, "run", path, "-o", out, "--no-figures")[1]
    assert "Metrics counted: 0; kept from an earlier run: 2." in again


def test_run_with_a_cache_elsewhere(tmp_path: pathlib.Path, capsys: Capture) -> None:
    path = written(tmp_path)
    assert here(capsys, "run", path, "-o", tmp_path / "a", "--cache", tmp_path / "kept", "--no-figures")[0] == 0
    said = here(capsys, "run", path, "-o", tmp_path / "b", "--cache", tmp_path / "kept", "--no-figures")[1]
    assert "Metrics counted: 0; kept from an earlier run: 2." in said


def test_run_goes_to_a_folder_called_study(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path)
    status, out, err = run("run", path.name, "--no-figures", cwd=tmp_path)
    assert (status, err) == (0, "")
    assert (tmp_path / "study" / "report.html").exists()
    assert "\x1b" not in out


@pytest.mark.parametrize("what", ["nothing", "a directory", "no TOML", "a file for output"])
def test_mistakes_of_run(what: str, tmp_path: pathlib.Path, capsys: Capture) -> None:
    study, out = tmp_path / "study.toml", tmp_path / "out"
    if what == "a directory":
        study.mkdir()
    elif what == "no TOML":
        study.write_text("= 3", encoding="utf-8")
    elif what == "a file for output":
        written(tmp_path)
        out.touch()
    status, said, err = here(capsys, "run", study, "-o", out)
    assert (status, said) == (2, "")
    assert err.startswith("tercet: ")
    assert err.count("\n") == 1
    assert not out.is_dir(), "nothing is made where nothing can be done"


@pytest.mark.thorough
def test_an_interruption_of_run_leaves_whole_files(tmp_path: pathlib.Path) -> None:
    """Whenever it is stopped: what is there is whole, and another run finishes it."""
    path = written(
        tmp_path, METRICS, *(direction(p) for p in tercet.sample.PAIRS), SYSTEM, SEGMENT, "[sampling]\nsamples = 5000"
    )
    out = tmp_path / "out"
    command = [sys.executable, "-m", "tercet", "run", str(path), "-o", str(out), "--no-figures"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and not list(out.glob("cache/*.npz")):  # before, it may not even be loaded
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    if process.returncode != 0:  # it may have been faster than the signal
        assert process.returncode == 130
        assert b"Traceback" not in err
    assert not list(out.rglob("*.part"))
    shutil.rmtree(out / "tables", ignore_errors=True)
    path = written(tmp_path, METRICS, direction(), SYSTEM, FEW)
    assert run("run", path, "-o", out, "--no-figures")[0] == 0
