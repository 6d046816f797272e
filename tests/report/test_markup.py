"""HTML is made in one module, and nothing gets into it unescaped, whether anybody remembers or not."""

from __future__ import annotations

import ast
import pathlib
import re

import pytest

import tercet.report.html.markup as markup
from tercet.report.html.markup import Html, element, filled, joined

FOLDER = pathlib.Path(markup.__file__).parent
ATTACK = "<img src=\"x\" onerror='hacked()'>&\u202e"
SAFE = "&lt;img src=&quot;x&quot; onerror=&#x27;hacked()&#x27;&gt;&amp;\ufffd"
TAG = re.compile("<(?=[A-Za-z/!]|$)")


def test_whatever_enters_is_escaped_and_cleaned() -> None:
    assert element("p", ATTACK) == f"<p>{SAFE}</p>"
    assert element("p", title=ATTACK) == f'<p title="{SAFE}"></p>'
    assert joined(ATTACK, element("b")) == f"{SAFE}<b></b>"
    assert Html("<p>{}</p>").format(ATTACK) == f"<p>{SAFE}</p>"
    assert element("b") + ATTACK == f"<b></b>{SAFE}"
    assert ATTACK + element("b") == f"{SAFE}<b></b>"
    assert f"<p>{SAFE} " in filled("about.html", facts=ATTACK, assumptions="", signatures="")


def trusting(path: pathlib.Path) -> list[str]:
    """Where text that is not written out becomes HTML, or HTML is made by hand."""
    places = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        by_hand = isinstance(node, ast.JoinedStr) and any(
            isinstance(part, ast.Constant) and TAG.search(str(part.value)) for part in node.values
        )
        trusted = (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).rpartition(".")[2] in ("Html", "Markup")
            and not all(isinstance(argument, ast.Constant) for argument in node.args)
        )
        if by_hand or trusted:
            places.append(ast.unparse(node))
    return places


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_only_one_module_makes_html_of_text(path: pathlib.Path) -> None:
    assert bool(trusting(path)) == (path.name == "markup.py")


def test_templates_trust_nothing() -> None:
    for path in FOLDER.glob("*.html"):
        assert "safe" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("source", ["Html(text)", "Html(f'{x}')", "markup.Html(a + b)", "Markup(x)", "f'<b>{x}</b>'"])
def test_trust_is_seen(source: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "page.py"
    path.write_text(f"{source}\nHtml()\nHtml('<br>')\n", encoding="utf-8")
    assert len(trusting(path)) == 1
