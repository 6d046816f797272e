"""Bracketed trees: phrases by their texts, and what is wrong with a file."""

import pathlib

import pytest

from tercet.errors import InputError
from tercet.formats import brackets
from tercet.formats.brackets import PhraseNode

TREE = "(S (NP (PRP She)) (VP (VBZ sings) (-LRB- -LRB-)))"


def written(folder: pathlib.Path, text: str, name: str = "a.mrg") -> pathlib.Path:
    """A file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_labels_leaves_and_text(tmp_path: pathlib.Path) -> None:
    spread = TREE.replace(" (VP", "\n  (VP")
    found = list(brackets.read(written(tmp_path, f"# text = She sings(\n( {spread} )\n\n{TREE} (X y)\n")))
    assert [tree.text for tree in found] == ["She sings(", "She sings (", "y"]
    assert [tree.line for tree in found] == [2, 5, 5]
    assert found[0].root == found[1].root
    assert found[0].root.label == "S"
    assert found[0].root.children[0] == PhraseNode("NP", (PhraseNode("PRP", (PhraseNode("She"),)),))
    assert found[0].root.children[1].children[1] == PhraseNode("(", (PhraseNode("("),))


def test_by_text_of_a_folder(tmp_path: pathlib.Path) -> None:
    written(tmp_path, "(S (X हिन्दी) (Y में))")
    written(tmp_path, "(S (X b))\n(S (X b))", "b.rst")
    written(tmp_path, "nothing", "readme.txt")
    assert list(brackets.parses(tmp_path)) == ["हिन्दी में", "b"]
    written(tmp_path, "(T (X b))", "c.ptb")
    with pytest.raises(InputError, match="'b' has another parse than before"):
        brackets.parses(tmp_path)


WRONG = {
    "outside": ("word (S a)", r"line 1: 'word' stands outside of brackets"),
    "empty": ("(S ())", "brackets with nothing in them"),
    "open": ("\n(S (X a)\n", r"line 2: a bracket that is never closed"),
    "too many closed": ("(S a))", "stands outside of brackets"),
    "deep": ("(" * 600, "more than 500 levels"),
    "wide": ("(S " + "a " * 60_000 + ")", "more than 50000 nodes"),
}


@pytest.mark.parametrize(("text", "complaint"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_line(tmp_path: pathlib.Path, text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        list(brackets.read(written(tmp_path, text)))
