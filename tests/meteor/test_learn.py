"""Function words and paraphrases from text: small examples worked out by hand."""

import pathlib

import pytest

from tercet.errors import InputError
from tercet.metrics.meteor import paraphrases
from tercet.metrics.meteor.learn import Paraphrase, train_function_words, train_paraphrases, write_paraphrases


def test_words_above_the_threshold(tmp_path: pathlib.Path) -> None:
    corpus, other = tmp_path / "corpus", tmp_path / "other"
    corpus.write_text("Der Hund und der Mann\nund die Frau\n\n" * 1000)
    assert train_function_words(corpus, threshold=0.24) == ("der", "und")
    assert train_function_words([corpus], threshold=0.25) == ()  # a quarter is not more than a quarter
    assert train_function_words([], threshold=0.1) == ()
    other.write_text("A a\n")
    assert train_function_words(str(other), 0.4, tokenize="none") == ("A", "a")
    assert train_function_words([other, other], 0.9) == ("a",)


@pytest.mark.parametrize("threshold", [0, 1, -0.1, float("nan")])
def test_a_threshold_that_is_none(threshold: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        train_function_words(["a"], threshold)


TABLE = """\
chat ||| cat ||| 0.5 0.1 0.8 0.1 ||| 0-0 ||| 1 1 1
chat ||| tom cat ||| 1.0 0.1 0.1 0.1
chat ||| kitty ||| 0.25 0.1 0.1 0.1
matou ||| kitty ||| 0.25 0.1 0.2 0.1
matou ||| cat ||| 0.4 0.1 0.5 0.1
matou ||| rare ||| 0.0005 0.1 0.0005 0.1
le ||| the ||| 0.9 0.1 0.9 0.1
le ||| a ||| 0.9 0.1 0.9 0.1
. ||| , ||| 0.9 0.1 0.9 0.1
. ||| ! ||| 0.9 0.1 0.9 0.1
"""


@pytest.fixture
def table(tmp_path: pathlib.Path) -> pathlib.Path:
    """A phrase table."""
    path = tmp_path / "phrases.txt"
    path.write_text(TABLE)
    return path


def test_pivoting(table: pathlib.Path) -> None:
    found = train_paraphrases(table, common=frozenset({"the", "a"}))
    assert [entry[1:] for entry in found] == [
        ("cat", "kitty"),
        ("kitty", "cat"),
        ("kitty", "tom cat"),
        ("tom cat", "kitty"),
    ]
    assert [entry.probability for entry in found] == pytest.approx(
        [0.5 * 0.1 + 0.4 * 0.2, 0.25 * 0.8 + 0.25 * 0.5, 0.25 * 0.1, 1.0 * 0.1]
    )


def test_what_is_left_out(table: pathlib.Path) -> None:
    with_common = {entry[1:] for entry in train_paraphrases(table)}
    assert {("the", "a"), ("a", "the")} <= with_common
    assert not any("," in pair or "!" in pair for pair in with_common)
    foreign = {entry[1:] for entry in train_paraphrases(table, common_foreign=frozenset({"le"}))}
    assert ("the", "a") not in foreign
    assert ("cat", "tom cat") not in foreign  # one contains the other
    assert {entry[1:] for entry in train_paraphrases(table, least=0.3)} >= {("kitty", "cat")}
    assert not {("cat", "kitty")} & {entry[1:] for entry in train_paraphrases(table, least=0.3)}
    seldom = {entry[1:] for entry in train_paraphrases(table, least=0, least_translation=0)}
    assert ("rare", "cat") in seldom


def test_what_is_written_is_read(table: pathlib.Path, tmp_path: pathlib.Path) -> None:
    found = train_paraphrases(table, common=frozenset({"the", "a"}))
    for name in ("out.txt", "out.gz"):
        write_paraphrases(tmp_path / name, found)
        loaded = paraphrases.load(tmp_path / name)
        assert len(loaded) == len(found)
        matches = loaded.pair(["a", "tom", "cat"], ["kitty"]).tolist()
        # As the table stands, then with the texts changed over.
        assert matches == [[0, 1, 2, 1], [0, 1, 1, 2], [0, 1, 1, 2], [0, 1, 2, 1]]
    write_paraphrases(tmp_path / "one.txt", [Paraphrase(0.25, "a b", "c")])
    assert (tmp_path / "one.txt").read_text() == "0.25\na b\nc\n"


@pytest.mark.parametrize(
    "line", ["x ||| y", "x ||| y ||| 0.1 0.2", "x ||| y ||| a 0.1 0.1", "x ||| y ||| 0.1 0.1 2", " ||| y ||| 1 1 1", ""]
)
def test_defects_are_told_with_their_line(line: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "phrases.txt"
    path.write_text(f"a ||| b ||| 0.1 0.1 0.1\n{line}\n")
    with pytest.raises(InputError, match=r"phrases\.txt, line 2: .* is no entry of a phrase table"):
        train_paraphrases(path)


def test_too_many_translations(table: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tercet.metrics.meteor.learn._MOST_PAIRS", 3)
    with pytest.raises(InputError, match="more than 3 likely translations"):
        train_paraphrases(table)
