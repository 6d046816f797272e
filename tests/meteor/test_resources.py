"""METEOR's lists and synonyms: made-up files, the user's WordNet, and what is installed."""

import pathlib
import zipfile

import numpy as np
import pytest

from tercet.errors import InputError
from tercet.metrics.meteor import resources, synonyms
from tercet.text import meteor_files
from tests.meteor import files


def test_lists_of_a_folder(tmp_path: pathlib.Path) -> None:
    found = resources.find(str(files.folder(tmp_path)))
    assert found.function_words("en") == {"the", "of", ","}
    assert found.function_words("de") == {"der", "die"}
    assert found.function_words("hi") == found.function_words("other") == frozenset()


def test_function_words_by_language_by_file_or_none(tmp_path: pathlib.Path) -> None:
    made_up = str(files.folder(tmp_path))
    own = tmp_path / "own.txt"
    own.write_text("el\r\nla\n\nun día\n")
    assert resources.function_words("de", made_up) == {"der", "die"}
    assert resources.function_words(str(own), made_up) == {"el", "la", "un día"}
    assert resources.function_words(None, "not even looked at") == frozenset()
    with pytest.raises(InputError, match="There is no file"):
        resources.function_words("nowhere.txt", made_up)


def test_too_many_function_words(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own.txt"
    own.write_text("a\nb\nc\n")
    monkeypatch.setattr(resources, "_MOST_WORDS", 2)
    with pytest.raises(InputError, match="more than 2 words"):
        resources.function_words(str(own))


SYNSETS = {
    "dog": (1, 2),
    "dogs": (1, 2),  # s
    "foxes": (9,),  # xes: x
    "gas": (11,),
    "gases": (11,),  # ses: s
    "geese": (7,),  # by the list
    "gooses": (7,),
    "doggen": (1, 2),
    "doggo": (1, 2),  # two base forms
    "gass": (),  # ss is no ending
    "cats": (),
    "as": (),
    "": (),
}


@pytest.mark.parametrize("packed", [False, True])
def test_synsets_of_forms(packed: bool, tmp_path: pathlib.Path) -> None:
    place = files.jar(tmp_path / "some.jar") if packed else files.folder(tmp_path)
    found = resources.synonyms(None, str(place))
    assert {word: found.ids(word) for word in SYNSETS} == SYNSETS
    starts, numbers = found.batch(list(SYNSETS))
    assert starts.tolist() == [0, *np.cumsum([len(ids) for ids in SYNSETS.values()])]
    assert numbers.tolist() == [number for ids in SYNSETS.values() for number in ids]
    assert numbers.dtype == np.int32
    assert found.batch([])[0].tolist() == [0]


RULES = {
    "s": "",
    "ses": "s",
    "xes": "x",
    "zes": "z",
    "ches": "ch",
    "shes": "sh",
    "men": "man",
    "ies": "y",
    "ed": "e",
    "ing": "e",
    "er": "",
    "est": "",
}


@pytest.mark.parametrize(
    ("end", "base"), [*RULES.items(), *(("es", "e"), ("es", ""), ("ed", ""), ("ing", "")), ("er", "e"), ("est", "e")]
)
def test_rules_of_inflection(end: str, base: str) -> None:
    found = synonyms.Synonyms({f"bra{base}": "5"}, {})
    assert found.ids(f"bra{end}") == (5,)
    assert synonyms.Synonyms({f"bra{base}": "5"}, {f"bra{end}": ["other"]}).ids(f"bra{end}") == ()


@pytest.mark.parametrize("end", ["es", "ies", "ed", "ing", "er", "est"])
def test_the_first_rule_wins(end: str) -> None:
    first = {"es": "brae", "ies": "bray", "ed": "brae", "ing": "brae", "er": "bra", "est": "bra"}[end]
    found = synonyms.Synonyms({"bra": "1", "brae": "2", "bray": "3", "braie": "4"} | {first: "9"}, {})
    assert found.ids(f"bra{end}") == ((4,) if end == "ies" else (9,))


def test_a_word_has_its_own_synsets_and_those_of_its_base() -> None:
    found = synonyms.Synonyms({"lives": "3 1", "live": "2 3"}, {})
    assert found.ids("lives") == (1, 2, 3)


DEFECTS = {
    "odd": ({"english_synsets": "dog\n1\nhound\n"}, r"english\.synsets breaks off after line 3"),
    "words for numbers": (
        {"english_synsets": "dog\n1\nhound\n2 x\n"},
        r"english\.synsets, line 4 is no list of synsets",
    ),
    "long numbers": ({"english_synsets": "dog\n1234567890\n"}, r"english\.synsets, line 2 is no list of synsets"),
    "not UTF-8": ({"english_synsets": b"dog\n1\n\xe9t\xe9\n2\n"}, r"english\.synsets, line 3 is not UTF-8"),
    "odd exceptions": ({"english_exceptions": "goose\n"}, r"english\.exceptions breaks off after line 1"),
}


@pytest.mark.parametrize(("changed", "complaint"), DEFECTS.values(), ids=DEFECTS)
def test_defects_of_meteors_files(changed: dict[str, str | bytes], complaint: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=complaint):
        resources.synonyms(None, str(files.folder(tmp_path, **changed)))


def test_missing_damaged_and_gigantic_files(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = files.folder(tmp_path / "a")
    (made_up / "synonym" / "english.synsets").unlink()
    with pytest.raises(InputError, match=r"has no file synonym/english\.synsets"):
        resources.synonyms(None, str(made_up))
    jar = files.jar(tmp_path / "b.jar")
    with pytest.raises(InputError, match=r"has no file function/czech\.words"):
        resources.function_words("cs", str(jar))
    sound = jar.read_bytes()
    for name, data in {"cut": sound[:-30], "text": b"no jar", "bits": sound[:60] + b"\xff" * 20 + sound[80:]}.items():
        path = tmp_path / f"{name}.jar"
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"cannot be read"):
            resources.function_words("en", str(path))
    monkeypatch.setattr(meteor_files, "_LIMIT", 5)
    for place in (made_up, jar):
        with pytest.raises(InputError, match=r"english\.words is larger than"):
            resources.find(str(place)).function_words("en")


def test_a_bomb_in_a_jar(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "bomb.jar"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("function/english.words", b"a\n" * (40 << 20))
    with pytest.raises(InputError, match=r"english\.words is larger than 64 MiB"):
        resources.function_words("en", str(path))


# The user's WordNet

INDEX = {
    "noun": "  1 Some licence.\ndog n 2 1 @ 2 1 00000001 00000002  \nhound n 1 0 1 0 00000002  \nox n 1 0 1 0 7\n",
    "verb": "dog v 1 2 @ ~ 1 1 00000009  \n",
    "adj": "",
    "adv": "",
}
EXCEPTIONS = {"noun": "oxen ox\n", "verb": "", "adj": "better good well\n", "adv": ""}


def wordnet(folder: pathlib.Path, **index: str) -> pathlib.Path:
    """A WordNet of a few words."""
    folder.mkdir()
    for part in INDEX:
        (folder / f"index.{part}").write_text(index.get(part, INDEX[part]))
        (folder / f"{part}.exc").write_text(EXCEPTIONS[part])
    return folder


def test_a_wordnet_folder(tmp_path: pathlib.Path) -> None:
    found = resources.synonyms(str(wordnet(tmp_path / "wn")), "not even looked at")
    assert found.ids("dogs") == (1, 2, 9)
    assert found.ids("hound") == (2,)
    assert found.ids("oxen") == (7,)
    assert found.bases["better"] == ["good", "well"]


@pytest.mark.parametrize(
    "line", ["dog n", "dog n x 0 1 0 1", "dog n 3 0 1 0 1", "dog n 1 0 1 0 x", "dog n 0 0 0 0", "dog"]
)
def test_defects_of_wordnet(line: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"index\.verb, line 2: .* is no entry of WordNet's index"):
        resources.synonyms(str(wordnet(tmp_path / "wn", verb=f"go v 1 0 1 0 5\n{line}\n")))


def test_no_wordnet(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match=r"is no WordNet folder: index\.noun is not there.*wordnet-base"):
        resources.synonyms(str(tmp_path))


# What is installed


def test_the_installed_lists_and_synonyms() -> None:
    files.installed()
    found = resources.find()
    assert {"the", "of", "."} <= found.function_words("en")
    assert "der" in found.function_words("de")
    words = found.synonyms()
    assert len(words.synsets) == 147_306
    assert set(words.ids("cars")) & set(words.ids("automobile"))
    assert not set(words.ids("cars")) & set(words.ids("banana"))
    assert set(words.ids("went")) & set(words.ids("travel"))
