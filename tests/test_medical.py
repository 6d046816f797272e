"""The medical task's table: its metrics, its cells, its sections, and what is set in bold."""

from __future__ import annotations

import json
import pathlib

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tercet.data import Score, Scores
from tercet.medical import TABLES, Medical
from tercet.report import render
from tercet.text.punctuation import punct

REF = ["„Aspirin“ – 2,5 mg !", "Bei Fieber: zum Arzt", "Keine Daten", "Das Herz schlägt schnell und laut"]
HYP = ['"Aspirin" - 2,5 mg!', "bei Fieber : zum Arzt", "Keine Daten", "Das Herz schlägt sehr schnell und laut"]
BAD = ["x " * 30, "y " * 30, "Keine Daten oder doch", "z " * 30]


def scored(medical: Medical, **systems: list[str]) -> Scores:
    return tercet.score(systems, REF, metrics=medical.metrics(), ci=True)


def test_three_signatures_of_the_same_metrics() -> None:
    found = [str(m) for m in Medical(language="de").metrics()]
    assert found[0] == "bleu"
    assert found[1] == "bleu(normalize=punct)"
    assert found[5] == "bleu(lowercase=true, normalize=punct)"
    assert [spec.partition("(")[0] for spec in found] == ["bleu", *["bleu", "moses-ter", "per", "cder"] * 2]
    assert all("normalize=punct" in spec for spec in found[1:])
    assert all("language=de" in spec for spec in found if not spec.startswith("bleu"))


def test_cells_are_what_the_metrics_give_on_normalised_text() -> None:
    medical = Medical(language="de")
    table = medical.table(scored(medical, mine=HYP))
    hyps, refs = [punct(h) for h in HYP], [punct(r) for r in REF]
    lower = [h.lower() for h in hyps], [r.lower() for r in refs]
    expected = [tercet.metric("bleu").corpus(HYP, REF)]
    for texts in ((hyps, refs), lower):
        expected.append(tercet.metric("bleu").corpus(*texts))
        expected += [100 - tercet.metric(f"{m}(language=de)").corpus(*texts) for m in ("moses-ter", "per", "cder")]
    (row,) = table.rows
    assert row[0] == "mine"
    assert [cell.partition(" ± ")[0] for cell in row[1:]] == [f"{value:.2f}" for value in expected]
    assert ["±" in cell for cell in row[1:]] == [False, *[True] * 8]
    assert table.subheader == ("", "BLEU", *("BLEU", "1-TER", "1-PER", "1-CDER") * 2)


def test_half_widths_are_of_the_intervals() -> None:
    medical = Medical()
    scores = scored(medical, mine=HYP)
    (row,) = medical.table(scores).rows
    halves = [(r.high - r.low) / 2 for r in scores if r.low is not None and r.high is not None][1:]
    assert [float(cell.partition(" ± ")[2]) for cell in row[2:]] == pytest.approx(halves, abs=0.00501)


def test_rates_above_one_are_below_zero() -> None:
    medical = Medical()
    (row,) = medical.table(scored(medical, bad=BAD)).rows
    assert all(float(cell.partition(" ± ")[0]) < 0 for cell in (*row[3:6], *row[7:10]))


def given_scores(medical: Medical, values: dict[str, float]) -> Scores:
    """Scores of every metric from one number a system: of error rates what is left to 100."""
    records = [
        Score(name, str(m), "corpus", None, value if m.higher_is_better else 100 - value, low=0.0, high=1.0)
        for name, value in values.items()
        for m in medical.metrics()
    ]
    return Scores(tuple(records), "score")


def test_sections_and_bold() -> None:
    medical = Medical(unconstrained=("u1", "u2"), online=("o",))
    values = {"o": 99.0, "u2": 40.0, "c1": 30.0, "u1": 50.0, "c2": 35.0}
    table = medical.table(given_scores(medical, values))
    assert [row[0] for row in table.rows] == ["c1", "c2", "u1", "u2", "o"]
    assert table.rules == {1, 3}
    assert table.best == {(r, c) for r in (1, 2) for c in range(1, 10)}
    assert table.rows[4][1] == ""
    assert table.rows[4][2] == "99.00 ± 0.50"
    lower = medical.table(given_scores(medical, {**values, "u1": 20.0, "u2": 10.0}))
    assert {r for r, _ in lower.best} == {1}, "an unconstrained system that is lower is not bold"


def test_a_system_that_is_not_there_is_refused() -> None:
    medical = TABLES.make("medical(online=nobody)")
    with pytest.raises(tercet.InputError, match="nobody"):
        medical.table(scored(medical, mine=HYP))
    with pytest.raises(tercet.SpecError, match="language"):
        TABLES.make("medical(language=12)")


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in (("hyp.txt", HYP), ("bad.txt", BAD), ("ref.txt", REF)):
        pathlib.Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> tuple[int, str, str]:
    done = click.testing.CliRunner().invoke(app, arguments)
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.usefixtures("folder")
def test_score_prints_it_in_every_format() -> None:
    arguments = ["score", "hyp.txt", "bad.txt", "-r", "ref.txt", "--table", "medical(language=de)"]
    medical = Medical(language="de")
    scores = scored(medical, hyp=HYP, bad=BAD)
    table = medical.table(scores)
    assert run(*arguments) == (0, render(table, "table"), "")
    assert run(*arguments, "-f", "markdown") == (0, render(table, "markdown"), "")
    assert run(*arguments, "-f", "latex") == (0, render(table, "latex"), "")
    status, printed, _ = run(*arguments, "-f", "json")
    assert status == 0
    assert json.loads(printed)["records"] == scores.as_records()
    status, printed, _ = run(*arguments, "-f", "tsv")
    assert len(printed.splitlines()) == 1 + 2 * 9


@pytest.mark.usefixtures("folder")
def test_its_metrics_are_its_own() -> None:
    status, _, error = run("score", "hyp.txt", "-r", "ref.txt", "--table", "medical", "-m", "chrf")
    assert status == 2
    assert "metrics of its own" in error
    status, _, error = run("score", "hyp.txt", "-r", "ref.txt", "--table", "medicine")
    assert status == 2
    assert "Did you mean medical?" in error


def test_it_is_listed_and_shown() -> None:
    assert {"kind": "table", "name": "medical", "what": Medical.summary} in tercet.list()
    assert [r["field"] for r in tercet.show("medical")][:2] == ["spec", "summary"]
