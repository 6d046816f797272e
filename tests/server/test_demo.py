"""The campaign that `tercet demo --serve` opens."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import click.testing
import pytest

import tercet
from tercet.cli.app import app
from tercet.options.campaigns import ServeOptions
from tercet.sample import judgements
from tests.server.client import Person, served


def test_the_demo_has_judgements_and_something_to_do(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ServeOptions] = []

    def run_server(options: ServeOptions, ready: Callable[[str], None]) -> None:
        asked.append(options)
        ready("http://127.0.0.1:8123")

    monkeypatch.setattr("tercet.server.serve.run_server", run_server)
    words = ["demo", "--serve", "-o", str(tmp_path), "--port", "8123"]
    told = [click.testing.CliRunner().invoke(app, words).output for _ in range(2)]
    assert ["password" in text for text in told] == [True, False]  # it is made once
    link = told[1].partition("http://127.0.0.1:8123")[2].split()[0]
    path = pathlib.Path(str(asked[0].campaign))
    with served(path) as client:
        assert Person(client, link).items()
    ours = [(r.system, r.cluster) for r in tercet.rank(path)]
    assert ours == [(r.system, r.cluster) for r in tercet.rank(judgements("en-de"))]
