"""`tercet campaign` as a person would use it."""

from __future__ import annotations

import importlib.resources
import pathlib

import click.testing
import pytest

from tercet.cli.app import app
from tests.server.processes import serving

TEXTS = str(importlib.resources.files("tercet.sample") / "ar-en.tsv")


def run(*words: object) -> click.testing.Result:
    return click.testing.CliRunner().invoke(app, ["campaign", *map(str, words)])


def test_from_test_set_to_ranking(tmp_path: pathlib.Path) -> None:
    path, receipts = tmp_path / "news.db", tmp_path / "receipts"
    made = run("create", path, "-t", TEXTS, "--protocol", "pairs", "--annotators", 3, "--items", 60)
    assert made.exit_code == 0, made.output
    assert "60 items in 6 batches, 3 annotators" in made.output
    assert run("create", path, "-t", TEXTS).exit_code == 2
    with serving(path) as url:
        robots = ("--annotators", 3, "--seconds", 60, "--ability", "amber=12")
        done = run("simulate", path, "--url", url, *robots, "--receipts", receipts, "-f", "csv")
        assert done.exit_code == 0, done.output
        assert done.output.splitlines()[-1].startswith("60,0,0,")
        assert run("status", path).output.count("annotator") >= 3
    assert run("export", path, "--receipts", "-o", tmp_path / "stored").exit_code == 0
    assert sorted(receipts.read_text().splitlines()) == sorted((tmp_path / "stored").read_text().splitlines())
    ranked = click.testing.CliRunner().invoke(app, ["rank", str(path), "--samples", "40", "-f", "csv"])
    assert ranked.exit_code == 0, ranked.output
    assert ranked.output.splitlines()[1].startswith("amber,")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("serve", "nothing.db"), "There is no campaign nothing.db."),
        (("status", TEXTS), "is no campaign."),
        (("create", "a.db", "-t", TEXTS, "--protocol", "dance"), "There is no protocol 'dance'."),
        (("create", "nowhere/a.db", "-t", TEXTS), "The folder of nowhere/a.db is not there."),
        (("create", "a.db", "-t", TEXTS, "--overlap", "0"), "overlap must be"),
        (
            ("create", "a.db", "-t", TEXTS, "--protocol", "da", "--assignment", "active"),
            "Systems are drawn for rankings",
        ),
        (("simulate", "nothing.db", "--url", "http://127.0.0.1:1"), "There is no file of links nothing.links.tsv."),
        (("status", "postgresql://nobody@127.0.0.1:1/x"), "cannot be opened"),
    ],
)
def test_what_is_wrong_is_told(
    words: tuple[str, ...], sentence: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == 2
    assert sentence in result.output
    assert list(tmp_path.iterdir()) == []
