"""`tercet train lm`, `train frequencies`, `qe train`, `qe predict` and `qe decide` in a shell."""

from __future__ import annotations

import json
import pathlib

import click.testing
import pytest

from tercet.cli.app import app
from tests.quality.models import example

TEXTS = ("-s", "test.en", "-t", "test.mt")
LEARNT_FROM = ("-s", "train.en", "-t", "train.mt")
TRAIN = (*LEARNT_FROM, "--learner", "ridge")


@pytest.fixture(autouse=True)
def _folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    example(tmp_path)


def run(*arguments: str, stdin: str | None = None) -> tuple[int, str]:
    done = click.testing.CliRunner().invoke(app, arguments, input=stdin)
    return done.exit_code, done.output


def test_resources_are_trained_and_used() -> None:
    code, shown = run("train", "lm", "train.en", "test.en", "-o", "en.arpa.gz", "--order", "2", "--lowercase")
    assert code == 0
    assert "420 sentences" in shown
    assert run("score", "test.en", "-m", "lm(model=en.arpa.gz, lowercase=true)")[0] == 0
    code, shown = run("train", "frequencies", "train.en", "-o", "en.freq", "--minimum", "0", "-f", "json")
    assert code == 0
    assert json.loads(shown.partition("\ntercet: ")[0])["records"][0]["order"] == 1
    for name in ("lm", "frequencies"):
        assert run("train", name, "train.en")[0] == 2
        assert run("train", name, "nowhere", "-o", "x")[0] == 2
        assert "For example" in run("train", name)[1]
        pathlib.Path("empty").write_text("\n\n", encoding="utf-8")
        assert "no word to learn from" in run("train", name, "empty", "-o", "x")[1]
    assert not pathlib.Path("x").exists()
    code, _ = run(
        "qe", "train", *TRAIN, "-l", "train.hter", "--source-lm", "en.arpa.gz", "--frequencies", "en.freq", "-o", "m"
    )
    assert code == 0
    assert {path.name for path in pathlib.Path("m").iterdir()} >= {"model.json", "source_lm.gz", "frequencies"}


def test_train_predict_decide(tmp_path: pathlib.Path) -> None:
    code, shown = run("qe", "train", *TRAIN, "-l", "train.hter", "-F", "surface", "-o", "m")
    assert code == 0
    assert "No resources" in shown
    code, table = run("qe", "predict", "m", *TEXTS)
    assert code == 0
    assert "90 % interval" in table
    code, rows = run("qe", "predict", "m", *TEXTS, "-f", "tsv")
    assert rows.splitlines()[0] == "segment\tscore\tlow\thigh\twhy\toutside"
    assert len(rows.splitlines()) == 121
    target = pathlib.Path("test.mt").read_text(encoding="utf-8")
    assert run("qe", "predict", "m", "-s", "test.en", "-t", "-", "-f", "tsv", stdin=target)[1] == rows
    lines = run("qe", "predict", "m", *TEXTS, "-f", "jsonl", "--why", "0")[1].splitlines()
    assert len(lines) == 120
    assert json.loads(lines[-1])["segment"] == 120
    code, shown = run("qe", "decide", "m", "--risk", "0.2", "--good", "0.2", "--light", "0.5")
    assert [line.split()[0] for line in shown.splitlines()[2:5]] == ["publish", "light", "full"]
    assert len(run("qe", "decide", "m", "--curve", "-f", "csv")[1].splitlines()) > 10
    assert run("qe", "decide", "m", "--figure", "cost.svg", "--html", "decide.html")[0] == 0
    assert "cheapest" in pathlib.Path("cost.svg").read_text(encoding="utf-8")
    assert "What can be published?" in pathlib.Path("decide.html").read_text(encoding="utf-8")
    assert run("qe", "decide", "m", "--figure", "cost.txt")[0] == 2
    assert run("qe", "decide", "m", "--html", "nowhere/decide.html")[0] == 2
    assert len(run("qe", "decide", "m", *TEXTS, "-f", "tsv")[1].partition("\ntercet")[0].splitlines()) == 121


def test_the_page_is_safe_and_sorted() -> None:
    assert run("qe", "train", *TRAIN, "-l", "train.hter", "-F", "surface", "-o", "m")[0] == 0
    assert run("qe", "train", *LEARNT_FROM, "-l", "train.words", "--level", "word", "-o", "w")[0] == 0
    for name in ("test.en", "test.mt"):
        with pathlib.Path(name).open("a", encoding="utf-8") as file:
            file.write("<script>alert(1)</script> &\n")
    assert run("qe", "predict", "m", *TEXTS, "--words", "w", "--html", "page.html")[0] == 0
    page = pathlib.Path("page.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert page.count("<li") >= 121
    assert "<mark " in page


def test_tags_of_words_are_lines_records_and_a_page() -> None:
    assert run("qe", "train", *TRAIN, "-l", "train.hter", "-F", "surface", "-o", "m")[0] == 0
    assert run("qe", "train", *LEARNT_FROM, "-l", "train.words", "--level", "word", "-o", "w")[0] == 0
    code, shown = run("qe", "predict", "w", *TEXTS, "-f", "lines")
    texts = pathlib.Path("test.mt").read_text(encoding="utf-8").splitlines()
    assert code == 0
    assert [len(line.split()) for line in shown.splitlines()] == [len(text.split()) for text in texts]
    assert run("qe", "predict", "w", *TEXTS, "-f", "lines", "-o", "ours.tags")[0] == 0
    assert pathlib.Path("ours.tags").read_text(encoding="utf-8") == shown
    code, table = run("qe", "evaluate", "ours.tags", "--gold", "test.words", "--target", "test.mt")
    assert (code, "f1 BAD" in table) == (0, True)
    assert "likely wrong" in run("qe", "predict", "w", *TEXTS)[1]
    for style in ("tsv", "csv", "jsonl"):
        streamed = run("qe", "predict", "w", *TEXTS, "-f", style)[1]
        assert run("qe", "predict", "w", *TEXTS, "-o", f"x.{style}")[0] == 0
        assert pathlib.Path(f"x.{style}").read_text(encoding="utf-8") == streamed
        assert streamed.count("\n") == 120 + (style != "jsonl")
    assert run("qe", "predict", "w", *TEXTS, "-f", "lines", "--html", "page.html")[1] == shown
    page = pathlib.Path("page.html").read_text(encoding="utf-8")
    assert "likely to be wrong" in page
    assert page.count("<li") >= 120
    rows = run("qe", "predict", "m", *TEXTS, "--words", "w", "-f", "tsv", "--why", "0")[1].splitlines()
    assert rows[0].split("\t") == ["segment", "score", "low", "high", "why", "tags", "suspicious", "outside"]
    assert [row.split("\t")[5] for row in rows[1:]] == shown.splitlines()
    scores = run("qe", "predict", "m", *TEXTS, "-f", "lines")[1].splitlines()
    assert scores == [row.split("\t")[1] for row in rows[1:]]
    pathlib.Path("scores").write_text("\n".join(scores), encoding="utf-8")
    assert run("qe", "evaluate", "scores", "--gold", "test.hter")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (("predict", "nowhere", *TEXTS), "no folder of a model"),
        (("decide", "nowhere"), "no folder of a model"),
        (("train", *TRAIN, "-l", "test.hter", "-o", "m"), "120 labels of 300"),
        (("train", *TRAIN, "-l", "train.hter", "-o", "no/m"), "no folder no"),
        (("train", *TRAIN, "-l", "train.en", "-o", "m"), "train.en, line 1"),
    ],
)
def test_mistakes_are_said(arguments: tuple[str, ...], wrong: str) -> None:
    code, shown = run("qe", *arguments)
    assert (code, wrong in shown) == (2, True), shown
    assert not pathlib.Path("m").exists()


def test_examples_are_shown() -> None:
    for verb in ("train", "predict", "decide"):
        assert "For example" in run("qe", verb)[1]
