"""Language models of ARPA files against their oracle, and what is wrong with files."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tests.kernels.packing import pack_tokens
from tests.oracles import arpa as oracle

WORDS = ("<s>", "</s>", "a", "b", "c", "<unk>")
numbers = st.sampled_from([-0.1, -0.30103, -1.0, -1.2345678, -2.7, -99.0])
backoffs = st.sampled_from([0.0, -0.2, -0.477121, 0.15])
sentences = st.lists(st.sampled_from(["a", "b", "c", "d", "<unk>", "<s>", "é"]), max_size=8)


@st.composite
def models(draw: st.DrawFn) -> tuple[dict[tuple[str, ...], tuple[float, float]], int]:
    """Any back-off model in which every history is an n-gram; suffixes may be missing, as in pruned models."""
    order = draw(st.integers(1, 4))
    known = WORDS if draw(st.booleans()) else WORDS[:-1]
    grams: dict[tuple[str, ...], tuple[float, float]] = {(word,): (draw(numbers), draw(backoffs)) for word in known}
    for n in range(2, order + 1):
        histories = [words for words in grams if len(words) == n - 1 and words[-1] != "</s>"]
        for words in histories:
            for last in draw(st.lists(st.sampled_from(known[1:]), unique=True, max_size=3)):
                grams[(*words, last)] = (draw(numbers), draw(backoffs))
    return {k: (p, b if len(k) < order else 0.0) for k, (p, b) in grams.items()}, order


def loaded(text: str) -> kernels.ArpaModel:
    """The kernel's model."""
    model = kernels.ArpaModel()
    lines = text.split("\n")
    assert model.read(kernels.pack(lines)) == (len(lines), "")
    assert model.finish() == ""
    return model


@given(models(), st.lists(sentences, max_size=5), st.booleans(), st.integers(1, 3))
def test_scores_are_those_of_the_oracle(
    made: tuple[dict[tuple[str, ...], tuple[float, float]], int],
    texts: list[list[str]],
    whole: bool,
    threads: int,
) -> None:
    grams, order = made
    model = loaded(oracle.written(grams, order))
    assert model.order == order
    found = model.score(pack_tokens(texts), whole, threads)[:, 0].tolist()
    assert found == [oracle.score(text, grams, order, whole=whole) for text in texts]


GOOD = """\\data\\
ngram 1=4
ngram 2=1

\\1-grams:
-99\t<s>\t-0.3
-1.5\t</s>
-0.5\ta\t-0.25
-1\tb

\\2-grams:
-0.25 <s> a

\\end\\
anything"""


@pytest.mark.parametrize(
    ("old", "new", "line", "wrong"),
    [
        ("ngram 1=4", "ngram 2=4", 2, "orders must rise"),
        ("ngram 1=4", "n-gram 1=4", 2, "must be lines like"),
        ("ngram 1=4", "ngram 1=x", 2, "must be lines like"),
        ("ngram 1=4", "ngram 1=999999999999", 2, "beyond what is read"),
        ("ngram 1=4", "ngram 1=3", 9, "more n-grams than were announced"),
        ("ngram 1=4", "ngram 1=5", 11, "4 1-grams where 5"),
        ("ngram 2=1", "ngram 2=2", 14, "1 2-grams where 2"),
        ("\\1-grams:", "\\2-grams:", 5, "one after the other"),
        ("\\1-grams:", "\\x-grams:", 5, "no heading"),
        ("-0.25 <s> a", "-0.25 <s>", 12, "an entry is"),
        ("-0.25 <s> a", "-0.25 <s> a 0 0", 12, "an entry is"),
        ("-0.25 <s> a", "-0.25 <s> a -1", 12, "no back-off"),
        ("-0.25 <s> a", "0.25 <s> a", 12, "no number of 0 or less"),
        ("-0.25 <s> a", "nan <s> a", 12, "no number of 0 or less"),
        ("-0.25 <s> a", "-inf <s> a", 12, "no number of 0 or less"),
        ("-0.25 <s> a", "-0.25 x a", 12, "no n-gram of the order before"),
        ("-0.25 <s> a", "-0.25 <s> x", 12, "no unigram"),
        ("-0.5\ta\t-0.25", "-0.5\ta\tx", 8, "back-off is no number"),
        ("-1\tb", "-1\ta", 9, "there twice"),
    ],
)
def test_a_bad_line_is_named(old: str, new: str, line: int, wrong: str) -> None:
    read, found = kernels.ArpaModel().read(kernels.pack(GOOD.replace(old, new, 1).split("\n")))
    assert wrong in found
    assert read + 1 == line


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "\\data\\"),
        (GOOD.partition("\\end\\")[0], "\\end\\"),
        (GOOD.replace("<s>", "<S>"), "<s> and </s>"),
    ],
)
def test_what_is_missing_is_named(text: str, wrong: str) -> None:
    model = kernels.ArpaModel()
    assert model.read(kernels.pack(text.split("\n")))[1] == ""
    assert wrong in model.finish()


def test_an_order_may_not_be_missing() -> None:
    text = GOOD.partition("\\2-grams:")[0] + "\\end\\"
    assert "every order" in kernels.ArpaModel().read(kernels.pack(text.split("\n")))[1]


def test_the_hand_made_model() -> None:
    model = loaded(GOOD)
    texts = [["a"], [], ["b", "zzz"], ["a", "a"]]
    wanted = [-0.25 - 0.25 - 1.5, -0.3 - 1.5, -0.3 - 1 - 100 - 1.5, -0.25 - 0.75 - 1.75]
    assert model.score(pack_tokens(texts), True, 1)[:, 0].tolist() == pytest.approx(wanted, rel=1e-6)
    assert len(model) == 6


def test_long_texts_and_odd_words() -> None:
    model = loaded(GOOD)
    texts = [["a"] * 200_000, ["x" * 1_000_000], ["\0", "\u2028"]]
    for row in itertools.chain(model.score(pack_tokens(texts), True, 2)):
        assert row[0] < 0
