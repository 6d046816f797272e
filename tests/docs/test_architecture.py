"""The walks of the architecture name each function once, in the order in which a verb calls them."""

import ast
import importlib.resources
import pathlib
import re
import sys
import types

import click.testing
import pytest

from tercet.cli.app import app
from tests.conftest import ROOT

PACKAGE = ROOT / "src" / "tercet"
STEP = re.compile(r"^([\w/]+\.py) +(\w+)  ", re.MULTILINE)


def walks() -> dict[str, list[tuple[str, str]]]:
    """The steps of each section that has some: module and function."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = {part.partition("\n")[0]: STEP.findall(part) for part in page.split("\n## ")}
    return {title: steps for title, steps in found.items() if steps}


def test_score_compare_and_meta_are_walked() -> None:
    assert [title.split("`")[1] for title in walks()] == ["score", "compare", "meta"]


def test_every_step_is_there_and_stands_once() -> None:
    for title, steps in walks().items():
        assert len(set(steps)) == len(steps) > 10, title
        for module, name in steps:
            tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
            there = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
            assert name in there, f"{title}: {module} has no {name}"


SAMPLE = importlib.resources.files("tercet.sample")
TEXTS, PEOPLE = ["-t", str(SAMPLE / "en-de.tsv")], ["--judgements", str(SAMPLE / "en-de.rankings.csv")]
FEW = ["--samples", "1000"]
BEFORE = {  # what is there before a verb is called: an earlier run, scores that were submitted
    "compare": ["compare", *TEXTS, *FEW, "-m", "bleu", "--format", "json", "-o", "earlier.json"],
    "meta": ["meta", *TEXTS, *PEOPLE, *FEW, "-m", "bleu", "--write-scores", "scores.tsv"],
}
CALLS = {
    "score": ["score", *TEXTS, *FEW, "-m", "bleu", "--ci", "--paired", "bootstrap"],
    "compare": ["compare", *TEXTS, *FEW, "-m", "bleu", "--baseline", "earlier.json", "--format", "html", "-o", "page"],
    "meta": ["meta", *TEXTS, *PEOPLE, *FEW, "-m", "chrf", "--scores", "scores.tsv", "--test", "judgements"],
}


def invoke(words: list[str]) -> None:
    result = click.testing.CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("verb", CALLS)
def test_data_meets_the_functions_in_that_order(
    verb: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if verb in BEFORE:
        invoke(BEFORE[verb])
    codes: dict[types.CodeType, None] = {}

    def note(frame: types.FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.setdefault(frame.f_code)

    sys.setprofile(note)
    try:
        invoke(CALLS[verb])
    finally:
        sys.setprofile(None)
    called: dict[tuple[str, str], int] = {}
    for code in codes:
        path = pathlib.PurePath(code.co_filename)
        if path.is_relative_to(PACKAGE):
            called.setdefault((path.relative_to(PACKAGE).as_posix(), code.co_qualname.partition(".")[0]), len(called))
    steps = next(steps for title, steps in walks().items() if f"`{verb}`" in title)
    # a dataclass that only holds what it is given has no line of its own that is called
    walked = [step for step in steps if not step[1].endswith("Options")]
    assert [step for step in walked if step not in called] == []
    assert walked == sorted(walked, key=called.__getitem__)
