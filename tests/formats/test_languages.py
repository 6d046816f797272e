"""Languages by any name, and the choice of one pair among several."""

from __future__ import annotations

import numpy as np
import pytest

from tercet.errors import InputError
from tercet.formats.languages import PairChoice, language, pair, three_letters, wanted_pair


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("Czech", "cs"),
        ("ces", "cs"),
        ("cze", "cs"),
        ("CS", "cs"),
        (" fre ", "fr"),
        ("fra", "fr"),
        ("Romanian", "ro"),
        ("rum", "ro"),
        ("Chinese", "zh"),
        ("chi", "zh"),
        ("Haitian Creole", "ht"),
        ("liv", "liv"),
        ("Sakha", "sah"),
        ("TLH", "tlh"),
        ("zh_TW", "zh_tw"),
    ],
)
def test_a_language_by_any_name(written: str, code: str) -> None:
    assert language(written) == code


def test_three_letters() -> None:
    assert [three_letters(code) for code in ("cs", "de", "fr", "sah", "tlh")] == ["ces", "deu", "fra", "sah", "tlh"]


@pytest.mark.parametrize("written", ["Czech-English", "ces-eng", "cs-en", "CZE-en", ("Czech", "eng")])
def test_a_pair_by_any_name(written: str | tuple[str, str]) -> None:
    assert pair(written) == "cs-en"


@pytest.mark.parametrize("written", ["", "cs", "cs-", "-en", "cs-en-de", ("cs", "")])
def test_no_pair(written: str | tuple[str, str]) -> None:
    assert pair(written) == ""


def test_what_is_wanted_must_be_a_pair() -> None:
    assert wanted_pair("German-English") == "de-en"
    with pytest.raises(InputError, match=r"'German' is no language pair.*cs-en"):
        wanted_pair("German")


LINES = np.array([2, 3, 4, 5])
WRITTEN = ["cs-en", "ces-eng", "de-en", "Czech-English"]


def test_spellings_of_one_pair_are_one() -> None:
    choice = PairChoice("f", "ces-eng")
    assert choice.rows(WRITTEN, LINES).tolist() == [True, True, False, True]
    assert choice.result() == ("cs-en", ["Rows of other language pairs than cs-en, left out: 1."])


def test_row_by_row_is_the_same() -> None:
    choice = PairChoice("f", "de-en")
    assert [choice.row(w, int(n)) for w, n in zip(WRITTEN, LINES, strict=True)] == [False, False, True, False]
    assert choice.result() == ("de-en", ["Rows of other language pairs than de-en, left out: 3."])


def test_several_pairs_and_none_chosen() -> None:
    choice = PairChoice("f", None)
    choice.rows(WRITTEN, LINES)
    with pytest.raises(InputError, match=r"f, line 4: de-en after cs-en.*2 language pairs: cs-en, de-en.*--pair cs-en"):
        choice.result()


def test_a_pair_that_is_not_there() -> None:
    choice = PairChoice("f", "fr-en")
    choice.rows(WRITTEN, LINES)
    with pytest.raises(InputError, match=r"f has nothing of fr-en.*cs-en, de-en"):
        choice.result()


def test_a_cell_that_is_no_pair() -> None:
    with pytest.raises(InputError, match=r"f, line 3: 'csen' is no language pair"):
        PairChoice("f", None).rows(["cs-en", "csen"], np.array([2, 3]))
    with pytest.raises(InputError, match=r"f, line 2: '-en' is no language pair"):
        PairChoice("f", None).row(("", "en"), 2)


def test_a_file_that_does_not_say() -> None:
    assert PairChoice("f", None).result() == ("", [])
    assert PairChoice("f", "Czech-English").result() == ("cs-en", [])
