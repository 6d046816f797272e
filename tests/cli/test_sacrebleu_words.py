"""sacreBLEU's spellings of `tercet score`: they work, or get a sentence; none is read as something else."""

import pathlib
import subprocess
import sys
from typing import Any

import click.testing
import pytest
import sacrebleu

import tercet
from tercet.cli.app import app
from tercet.cli.sacrebleu import _IDLE, _OF_METRICS, _PLAIN, _SWITCHES_OF_METRICS, _VALUED

HYPOTHESES = ["The ferry leaves at nine.", "Bring warm clothes."]
REFERENCES = ["The ferry leaves at ten.", "Bring some warm clothes."]


@pytest.fixture(autouse=True)
def _files(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pathlib.Path("a.txt").write_text("\n".join(HYPOTHESES) + "\n", encoding="utf-8")
    pathlib.Path("b.txt").write_text("\n".join(REFERENCES[::-1]) + "\n", encoding="utf-8")
    pathlib.Path("ref.txt").write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")
    pathlib.Path("ref2.txt").write_text("The ferry leaves at nine!\nTake clothes.\n", encoding="utf-8")


def score(words: str, stdin: str | None = None) -> tuple[int, str, str]:
    done = click.testing.CliRunner().invoke(app, ["score", *words.split()], input=stdin)
    return done.exit_code, done.stdout, done.stderr


def bleu(width: int = 2) -> str:
    return f"{sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES]).score:.{width}f}\n"


@pytest.mark.parametrize("width", [0, 2, 4, 9])
def test_the_bare_number(width: int) -> None:
    assert score(f"a.txt -r ref.txt -m bleu -b -w {width}") == (0, bleu(width), "")
    assert score(f"a.txt -r ref.txt -m bleu --score-only --digits {width}") == (0, bleu(width), "")


def test_bare_numbers_of_several_systems_metrics_and_segments() -> None:
    rows = score("a.txt b.txt -r ref.txt -m bleu chrf ter -b")[1].splitlines()
    assert [len(row.split("\t")) for row in rows] == [3, 3]
    assert rows[0].split("\t")[0] == bleu().strip()
    assert len(score("a.txt -r ref.txt -m chrf --level segment -b")[1].splitlines()) == 2


def test_inputs_by_flag_make_references_of_the_others() -> None:
    assert score("ref.txt -i a.txt -m bleu -b") == (0, bleu(), "")
    several = score("ref.txt ref2.txt --input a.txt b.txt -m chrf -b")
    assert several == score("a.txt b.txt -r ref.txt -r ref2.txt -m chrf -b")
    assert several[0] == 0


def test_inputs_by_flag_beside_references_by_flag() -> None:
    for words in ("-i a.txt -r ref.txt", "-r ref.txt -i a.txt", "--input a.txt --reference ref.txt"):
        assert score(f"{words} -m bleu -b") == (0, bleu(), ""), words


def test_options_of_metrics_are_theirs() -> None:
    flags = "-lc -tok intl -s floor -sv 0.2 --chrf-beta 3"
    specs = "-m bleu(lowercase=true,tokenize=intl,smooth=floor,smooth_value=0.2) -m chrf(beta=3) -m ter"
    answer = score(f"ref.txt -i a.txt -m bleu chrf ter {flags} -b")
    assert answer == score(f"a.txt -r ref.txt {specs} -b")
    how: dict[str, Any] = {"lowercase": True, "tokenize": "intl", "smooth_method": "floor", "smooth_value": 0.2}
    theirs = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES], **how).score
    assert answer[1].split("\t")[0] == f"{theirs:.2f}"


def test_options_of_metrics_that_are_not_asked_for_are_answered_in_one_sentence() -> None:
    assert score("ref.txt -i a.txt -lc -s floor --chrf-beta 3")[2] == (
        "tercet: -lc and -s floor and --chrf-beta are sacreBLEU's spellings. They are options of metrics here: "
        '-m "bleu(lowercase=true, smooth=floor)" -m "chrf(beta=3)". -s is the source file.\n'
    )
    assert score("ref.txt -i a.txt -m chrf -lc")[2] == (
        "tercet: -lc is sacreBLEU's spelling. It is an option of the metric here: "
        '-m "bleu(lowercase=true)". bleu is not asked for.\n'
    )
    assert score("ref.txt -i a.txt -m bleu -tok")[0] == 2


@pytest.mark.parametrize("flag", _IDLE)
def test_what_there_is_nothing_to_do_for_is_taken(flag: str) -> None:
    assert score(f"ref.txt -i a.txt {flag} -m bleu -b") == (0, bleu(), "")


def test_bare_numbers_are_no_picture_and_no_table(tmp_path: pathlib.Path) -> None:
    for name in ("x.png", "x.json", "x.csv.gz", "x.html"):
        status, out, said = score(f"a.txt -r ref.txt -m bleu -b -o {name}")
        assert (status, out) == (2, "")
        assert said.startswith(f"tercet: {name} is no file for bare numbers. "), said
        assert not (tmp_path / name).exists()
    assert score("a.txt -r ref.txt -m bleu -b -o x.txt") == (0, "", "")
    assert (tmp_path / "x.txt").read_text(encoding="utf-8") == bleu()


def test_references_that_are_missing_are_asked_for_by_a_pipe_too() -> None:
    assert "cat HYP | tercet score -r REF" in score("ref.txt -m bleu -b", "\n".join(HYPOTHESES) + "\n")[2]


def test_a_pipe_needs_no_dash() -> None:
    assert score("-r ref.txt -m bleu -b", "\n".join(HYPOTHESES) + "\n") == (0, bleu(), "")


def test_several_metrics_behind_one_flag_but_no_files() -> None:
    once = score("a.txt -r ref.txt -m bleu chrf++ ter")
    assert once == score("a.txt -r ref.txt -m bleu -m chrf++ -m ter")
    assert once[0] == 0
    assert score("-r ref.txt -m bleu chrf a.txt -b")[1] == score("a.txt -r ref.txt -m bleu -m chrf -b")[1]


def test_files_behind_one_flag_are_references_where_translations_are_elsewhere() -> None:
    both = score("a.txt -r ref.txt -r ref2.txt -m chrf -b")
    assert both != score("a.txt -r ref.txt -m chrf -b")
    for words in ("a.txt -r ref.txt ref2.txt -m chrf -b", "-r ref.txt ref2.txt -m chrf -b a.txt"):
        assert score(words) == both, words
    assert score("-r ref.txt a.txt b.txt -m chrf -b")[0] == 0  # as it always was: they have to be somewhere


def test_by_a_pipe_all_files_behind_one_flag_are_references() -> None:
    command = [sys.executable, "-m", "tercet", "score", "-r", "ref.txt", "ref2.txt", "-m", "chrf", "-b"]
    for given, wanted in (
        ("\n".join(HYPOTHESES) + "\n", score("a.txt -r ref.txt -r ref2.txt -m chrf -b")),
        ("", score("ref2.txt -r ref.txt -m chrf -b")),  # nothing comes by it
    ):
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
        assert done.stdout == wanted[1]


def test_names_of_the_same_option_and_misspelt_metrics() -> None:
    assert score("a.txt -r ref.txt -m bleu -b --width 4") == (0, bleu(4), "")
    assert "Did you mean chrf" in score("a.txt -r ref.txt -m bleu chfr")[2]
    assert score("a.txt -r ref.txt --ci=yes") == (2, "", "tercet: --ci takes no value. Write --ci alone.\n")
    assert '"bleu(smooth=add-k, smooth_value=0.2)"' in score("a.txt -r ref.txt -s add-k -sv 0.2")[2]


def test_a_file_that_could_be_either_is_refused() -> None:
    status, out, said = score("a.txt -r ref.txt -i b.txt -m bleu -b")
    assert (status, out) == (2, "")
    assert said.startswith("tercet: a.txt stands alone beside -i and -r: is it a translation or a reference?")
    assert score("-r ref.txt -i a.txt -m bleu -b") == (0, bleu(), "")


def test_compare_takes_several_metrics_behind_one_flag() -> None:
    def compare(words: str) -> tuple[int, str]:
        files = "a.txt b.txt -r ref.txt --samples 40 -f csv"
        done = click.testing.CliRunner().invoke(app, ["compare", *files.split(), *words.split()])
        return done.exit_code, done.stdout + done.stderr

    assert compare("-m chrf ter") == compare("-m chrf -m ter")
    status, said = compare("-tok intl")
    assert (status, '"bleu(tokenize=intl)"' in said) == (2, True)


def test_meta_takes_several_metrics_behind_one_flag(tmp_path: pathlib.Path) -> None:
    tercet.demo(tmp_path / "demo")
    files = ["-t", tmp_path / "demo" / "de-en.tsv", "-j", tmp_path / "demo" / "de-en.rankings.csv", "-f", "csv"]

    def meta(words: str) -> tuple[int, str]:
        done = click.testing.CliRunner().invoke(app, ["meta", *map(str, files), *words.split()])
        return done.exit_code, done.stdout + done.stderr

    together = meta("-m chrf other=ter third=bleu(order=2)")
    assert together == meta("-m chrf -m other=ter -m third=bleu(order=2)")
    assert (together[0], "third" in together[1]) == (0, True)
    assert meta("-m chrf gone.txt")[0] == 2


@pytest.mark.parametrize("flag", [*_VALUED, *_PLAIN, *_OF_METRICS])
def test_every_other_spelling_gets_a_sentence(flag: str) -> None:
    alone = flag in _PLAIN or flag in _SWITCHES_OF_METRICS
    status, out, said = score(f"a.txt -r ref.txt {flag} {'' if alone else '7'}")
    assert (status, out) == (2, "")
    assert said.startswith(f"tercet: {flag} is sacreBLEU's spelling. ")


def test_short_flags_that_mean_something_else_here() -> None:
    assert 'bleu(smooth=floor)"' in score("a.txt -r ref.txt -s floor")[2]
    assert "Nothing is downloaded" in score("a.txt -t wmt14 -l en-de")[2]
    other = click.testing.CliRunner().invoke(app, ["train", "neural", "-t", "missing"])
    assert other.stderr.startswith("tercet: There is no file missing.")  # sacreBLEU has no such verb
    pathlib.Path("floor").write_text("x\ny\n", encoding="utf-8")
    assert score("a.txt -r ref.txt -s floor -m bleu -b") == (0, bleu(), "")  # a source file of that name
