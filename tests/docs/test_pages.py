"""Every command and every Python block of the pages and the README is run, and prints what the page says."""

from __future__ import annotations

import importlib.resources
import pathlib
import shlex

import click.testing
import pytest

from tercet.cli.app import app
from tercet.sample import judgement_files
from tests.conftest import ROOT
from tests.docs.blocks import DEMO, Block, Session, blocks, commands, matches, pages
from tests.docs.conftest import PageAt
from tests.docs.hooks import HOOKS

WRITTEN = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in pages()}
GENERATED = [path for path in HOOKS.every.makers() if path.startswith(("metrics/", "rankers/", "measures/"))]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_page_does_what_it_says(
    name: str, kept: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session(tmp_path, kept)
    wrong = [problem for block in blocks(WRITTEN[name]) for problem in session.run(block)]
    assert not wrong, f"{name}\n" + "\n\n".join(wrong) + "\n\n`python -m tests.docs.rewrite` shows what is printed now."


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_example_is_what_the_command_prints(
    name: str, page_at: PageAt, kept: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"hyp": HOOKS.metrics.HYPOTHESES, "ref": HOOKS.metrics.REFERENCES, "src": HOOKS.metrics.SOURCES}
    for file, lines in ((f"{name}.txt", lines) for name, lines in texts.items()):
        pathlib.Path(file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if not name.startswith("metrics/"):
        pathlib.Path("demo").mkdir()
        for file in (f"{HOOKS.measures.PAIR}.tsv", *judgement_files()):  # as `tercet demo` leaves them behind
            text = (importlib.resources.files("tercet.sample") / file).read_text(encoding="utf-8")
            pathlib.Path("demo", file).write_text(text, encoding="utf-8")
    session = Session(tmp_path, kept)
    for block in blocks(page_at(name)):
        if block.language == "python":
            assert session.run(block) == []
            continue
        for command in commands(block):  # in this process, which has everything loaded already
            done = click.testing.CliRunner().invoke(app, shlex.split(command.text)[1:])
            assert done.exit_code == 0
            assert matches(command.shown, done.output.splitlines())


def test_the_demo_is_there_for_every_page(kept: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    (first, code), (second, _) = (Session(folder, kept).shell(DEMO) for folder in folders)
    assert code == 0
    assert first == second
    left = [sorted(path.relative_to(folder) for path in folder.rglob("*")) for folder in folders]
    assert left[0] == left[1]
    assert pathlib.Path("demo", "report.html") in left[0]


def test_blocks_are_found_in_tabs() -> None:
    page = 'a\n\n=== "Python"\n\n    ```python\n    x = 1\n    ```\n\n```console\n$ echo b\nb\n```\n'
    assert blocks(page) == [Block("python", "x = 1", 6, "    "), Block("console", "$ echo b\nb", 10, "")]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a"], ["a"], True),
        (["a"], ["a", "b"], False),
        (["a", "...", "d"], ["a", "b", "c", "d"], True),
        (["..."], [], True),
        (["a", "..."], ["b"], False),
        (["a.c"], ["abc"], False),
    ],
)
def test_output_is_compared_exactly(shown: list[str], printed: list[str], same: bool) -> None:
    assert matches(shown, printed) is same


def test_a_wrong_page_is_seen(kept: pathlib.Path, tmp_path: pathlib.Path) -> None:
    session = Session(tmp_path, kept)
    assert session.run(Block("console", "$ echo b\na", 1, ""))
    assert session.run(Block("console", "$ exit 3", 1, ""))
    assert session.run(Block("python", ">>> 1 + 1\n3", 1, ""))
    assert session.run(Block("console", "$ echo a \\\n> b\na b", 1, "")) == []
    assert session.run(Block("console", "$ cat <<'END'\n> a\n>\n> b\n> END\na\n\nb", 1, "")) == []
    with pytest.raises(ValueError, match="without a command"):
        commands(Block("console", "a", 1, ""))
