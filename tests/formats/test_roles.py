"""Semantic roles in columns: what is read, and what is no such file."""

import pathlib

import pytest

from tercet.errors import InputError
from tercet.formats import roles
from tercet.formats.roles import Argument, Predicate

GOOD = """# text = She said cats sleep.
She   -     (A0*)  *
said  say   (V*)   *
cats  -     (A1*   (A0*A0)
sleep sleep *      (V*V)
.     -     *)     *

# - *
"""


def written(folder: pathlib.Path, text: str) -> pathlib.Path:
    """A file with this in it."""
    path = folder / "a.roles"
    path.write_text(text, encoding="utf-8")
    return path


def test_predicates_and_their_arguments(tmp_path: pathlib.Path) -> None:
    first, second = roles.read(written(tmp_path, GOOD.replace("# - *", "# -")))
    assert first.text == "She said cats sleep."
    assert first.words == ("She", "said", "cats", "sleep", ".")
    said = Predicate("say", (Argument("A0", 0, 1), Argument("V", 1, 2), Argument("A1", 2, 5)), 1)
    assert first.predicates == (said, Predicate("sleep", (Argument("A0", 2, 3), Argument("V", 3, 4)), 3))
    assert (second.text, second.words, second.predicates) == ("#", ("#",), ())
    assert list(roles.parses(tmp_path)) == ["She said cats sleep.", "#"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD, "line 8: 0 predicates and columns of arguments for 1"),
        ("a\n", "line 1: 1 columns"),
        ("a -\nb - *\n", "line 2: 3 columns"),
        ("a go (A0*\nb - *\n", "line 2: 'A0' is never closed"),
        ("a go *)\n", r"line 1: '\*\)' cannot stand here"),
        ("a go (A0*\nb - (A1*)\n", r"line 2: '\(A1\*\)' cannot stand here"),
        ("a go A0\n", "line 1: 'A0' cannot stand here"),
    ],
)
def test_what_is_no_such_file(tmp_path: pathlib.Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        list(roles.read(written(tmp_path, text)))


def test_long_sentences_are_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="a sentence of more than 10000 words"):
        list(roles.read(written(tmp_path, "a -\n" * 10_001)))
    row = " ".join(["(A0*)"] * 1001)
    with pytest.raises(InputError, match="more than 1000 predicates"):
        list(roles.read(written(tmp_path, f"a go {row}\n" * 1001)))
