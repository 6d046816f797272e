"""Everything that is registered has its page, and every verb and option its mention."""

from __future__ import annotations

import dataclasses

import pytest
import typer

import tercet
from tercet.cli.app import app
from tercet.formats import FORMATS
from tercet.metrics import METRICS
from tercet.report import FORMATS as OUTPUTS
from tercet.spec import option_docs, options
from tercet.text import TOKENIZERS
from tests.conftest import ROOT
from tests.docs.hooks import HOOKS

PAGES: dict[str, str] = HOOKS.pages()


def written(name: str) -> str:
    """A page that is written by hand."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list(METRICS))
def test_a_metric_has_its_page(name: str) -> None:
    owner, page = METRICS.load(name), PAGES[f"metrics/{name}.md"]
    for fact in (owner.card.title, owner.card.definition, owner.card.paper, owner.card.scale, owner.card.reference):
        assert fact in page
    for difference in owner.card.differences:
        assert f"- {difference}" in page
    for option, sentence in option_docs(owner).items():
        assert f"| `{option}` |" in page
        assert sentence, f"{name} does not say what {option} does"
        assert sentence.replace("|", "\\|") in page
    assert f"[`{name}`]({name}.md)" in PAGES["metrics/index.md"]
    assert f"metrics/{name}.md" in HOOKS.metric_pages()


@pytest.mark.parametrize("alias", list(METRICS.aliases))
def test_an_alias_has_its_line(alias: str) -> None:
    assert f"[`{alias}`]" in PAGES["metrics/index.md"]
    assert any(f"| `{alias}` |" in page for path, page in PAGES.items() if path.endswith("-aliases.md"))


@pytest.mark.parametrize("name", list(TOKENIZERS))
def test_a_tokenizer_has_its_section(name: str) -> None:
    _, found, section = PAGES["metrics/tokenizers.md"].partition(f"\n## `{name}` ")
    assert found
    section = section.partition("\n## ")[0]
    for option in options(TOKENIZERS.load(name)):
        assert f"| `{option}` |" in section


@pytest.mark.parametrize("command", app.registered_commands, ids=lambda c: str(c.name))
def test_a_verb_has_its_section(command: typer.models.CommandInfo) -> None:
    group = typer.main.get_command(app)
    real = group.commands[str(command.name)]  # type: ignore[attr-defined]
    section = PAGES["reference/cli.md"].partition(f"\n## tercet {command.name}\n")[2].partition("\n## ")[0]
    assert section
    for parameter in real.params:
        assert parameter.help, f"{parameter.name} of {command.name} has no help"
        assert parameter.help in section
        if parameter.param_type_name == "option":
            assert ", ".join(f"`{name}`" for name in parameter.opts) in section
    assert hasattr(tercet, str(command.name)), "a verb is a function of the same name"


@pytest.mark.parametrize("name", tercet.__all__)
def test_a_public_name_has_its_section(name: str) -> None:
    page = PAGES["reference/python.md"]
    assert f"### `tercet.{name}`" in page or name == "__version__"
    thing = getattr(tercet, name)
    if name != "__version__":
        assert (thing.__doc__ or "").strip().partition("\n")[0] in page


def test_every_option_of_score_is_in_the_guide() -> None:
    guide = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "guide").glob("*.md"))
    score = HOOKS.commands()["score"]
    missing = [p.names[-1] for p in HOOKS.parameters(score) if p.is_option and p.names[-1] not in guide]
    short = {p.names[-1]: p.names[0] for p in HOOKS.parameters(score) if p.is_option}
    assert [name for name in missing if f"{short[name]} " not in guide or short[name] == name] == []


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_format_is_explained(name: str) -> None:
    assert f"`{name}`" in written("guide/formats.md")


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_format_is_explained(name: str) -> None:
    assert f"`{name}`" in written("guide/output.md")


def test_every_column_is_explained() -> None:
    page = written("guide/output.md")
    fields = [f.name for f in dataclasses.fields(tercet.data.Score)]
    assert [name for name in fields if f"| `{name}` |" not in page] == []


def test_the_spec_of_an_option_says_its_type_in_words() -> None:
    assert HOOKS.type_words(int | None) == "whole number or `none`"
    assert HOOKS.type_words(tuple[str, ...]) == "words joined by `+`"
