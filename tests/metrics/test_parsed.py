"""RED, DPMF and VERTa: pieces of trees against oracles, hand-made trees, and trees that are missing."""

import math
import pathlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tercet import kernels
from tercet.errors import InputError, SpecError
from tercet.formats.conllu import Tree, Word
from tercet.metrics import metric
from tercet.metrics.parsed import red
from tests.conftest import at_most
from tests.oracles import parsed as oracle

REFERENCE = "The old cat sat"
HYPOTHESIS = "the cat sleeps"


def sentence(text: str, words: list[tuple[str, str, str, int, str]]) -> str:
    """A sentence of CoNLL-U: form, lemma, part of speech, head, relation."""
    rows = [f"{i}\t{f}\t{m}\t{p}\t_\t_\t{h}\t{r}\t_\t_" for i, (f, m, p, h, r) in enumerate(words, 1)]
    return "\n".join([f"# text = {text}", *rows, "", ""])


@pytest.fixture
def trees(tmp_path: pathlib.Path) -> str:
    """Trees of a reference and of two hypotheses."""
    ref = [("The", "the", "DET", 3, "det"), ("old", "old", "ADJ", 3, "amod"), ("cat", "cat", "NOUN", 4, "nsubj")]
    hyp = [("the", "the", "DET", 2, "det"), ("cat", "cat", "NOUN", 3, "nsubj"), ("sleeps", "sleep", "VERB", 0, "root")]
    cats = [("cats", "cat", "NOUN", 2, "obj"), ("sat", "sit", "VERB", 0, "root")]
    path = tmp_path / "trees.conllu"
    text = sentence(REFERENCE, [*ref, ("sat", "sit", "VERB", 0, "root")]) + sentence(HYPOTHESIS, hyp)
    path.write_text(text + sentence("cats sat", cats), encoding="utf-8")
    return str(path)


def wordnet(folder: pathlib.Path, senses: dict[str, list[int]]) -> pathlib.Path:
    """A folder with WordNet's files, in which these adjectives have these synsets."""
    for part in ("noun", "verb", "adj", "adv"):
        (folder / f"{part}.exc").write_text("", encoding="utf-8")
        (folder / f"index.{part}").write_text("", encoding="utf-8")
    rows = [f"{w} a {len(ids)} 0 1 0 {' '.join(f'{i:08}' for i in ids)}  \n" for w, ids in senses.items()]
    (folder / "index.adj").write_text("".join(rows), encoding="utf-8")
    return folder


def tree_of(heads: list[int], words: list[str] | None = None) -> Tree:
    """A tree of nothing but heads."""
    named = words or [str(i) for i in range(len(heads))]
    return tuple(Word(word, word, "", "", head, "") for word, head in zip(named, heads, strict=True))


@st.composite
def forests(draw: st.DrawFn) -> list[int]:
    """Heads of any trees, crossing ones among them."""
    order = draw(st.permutations(range(draw(st.integers(0, 8)))))
    heads = [-1] * len(order)
    for at in range(1, len(order)):
        heads[order[at]] = draw(st.sampled_from([-1, *order[:at]]))
    return heads


@given(forests(), st.integers(1, 4))
def test_pieces_are_those_of_the_oracle(heads: list[int], n: int) -> None:
    assert list(red.fixed_floating(tree_of(heads), n)) == oracle.fixed_floating(heads, n)
    assert list(red.headword_chains(tree_of(heads), n)) == oracle.chains(heads, n)


@given(forests(), st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), min_size=8))
def test_a_chain_is_placed_as_well_as_it_can_be(heads: list[int], hyp: list[str], words: list[str]) -> None:
    for piece in oracle.chains(heads, 2)[:1]:
        found = red.chains_found([piece], words, hyp, True)
        assert found == pytest.approx(oracle.best_place(piece, [words[i] for i in piece], hyp))


def test_chains_are_found_as_often_as_they_are_there() -> None:
    assert red.chains_found([(0,), (1,), (2,)], ["a", "a", "a"], ["a", "b", "a"], True) == 2
    assert red.chains_found([(0, 1), (2, 3)], ["a", "b", "a", "b"], ["b", "a", "b", "x"], True) == 1
    assert red.chains_found([(0, 1)], ["a", "b"], ["a", "x", "x", "b"], True) == pytest.approx(math.exp(-2))
    assert red.chains_found([(0, 1)], ["a", "b"], ["a", "x", "x", "b"], False) == 1
    assert red.chains_found([(0, 1)], ["a", "b"], ["b", "a"], False) == 0
    assert red.runs_found([(0, 1), (2, 3)], ["a", "b", "a", "b"], ["a", "b", "b"]) == 1
    assert red.runs_found([], [], ["a"]) == 0


def test_red_by_hand(trees: str) -> None:
    how = metric(f'red(parses="{trees}")')
    names = how.statistic_names()
    row = dict(zip(names, how.statistics(how.batch([HYPOTHESIS], [REFERENCE]))[0].tolist(), strict=True))
    # the tree: the <- cat, old <- cat, cat <- sat; two of four words are there, and of three chains one, moved by one
    assert row["chains of 1 found"] == 2
    assert row["chains of 2 found"] == pytest.approx(math.exp(-1))
    assert (row["chains of 2 in the reference"], row["chains of 2 expected"]) == (3, 3 * 3 / 4)
    assert row["chains of 3 in the reference"] == 2
    # old cat sat: no; the old: floating; old cat: fixed; the old cat: fixed
    assert [row[f"structures of {n} in the reference"] for n in (2, 3)] == [2, 1]
    assert row["structures of 2 found"] == 0
    words = metric(f'red(parses="{trees}", precision=words)')
    assert words.statistics(words.batch([HYPOTHESIS], [REFERENCE]))[0][5] == 3
    only = metric(f'red(parses="{trees}", order=1)')
    assert only.corpus([HYPOTHESIS], [REFERENCE]) == pytest.approx(100 * 2 * (2 / 3 * 1 / 2) / (2 / 3 + 1 / 2))


def test_red_weighs_lengths(trees: str) -> None:
    """Words alone are pieces of one; chains of two weigh half of them."""
    hyp, ref = ["the cat sat"], [REFERENCE]
    words = metric(f'red(parses="{trees}", order=1)').segments(hyp, ref)[0]
    assert metric(f'red(parses="{trees}", lengths=1+0+0)').segments(hyp, ref)[0] == words
    half = metric(f'red(parses="{trees}", order=2, structures=0, lengths=1+0.5)')
    both = metric(f'red(parses="{trees}", order=2, structures=0)').segments(hyp, ref)[0]
    assert half.segments(hyp, ref)[0] == pytest.approx((words + 0.5 * (2 * both - words)) / 1.5)
    assert half.effective("lengths") == (1.0, 0.5)
    assert metric("red").effective("lengths") == (1.0, 1.0, 1.0)


def test_red_does_not_parse_hypotheses_unless_told(trees: str) -> None:
    assert metric(f'red(parses="{trees}")').corpus(["a cat sat ."], [REFERENCE]) > 0
    with pytest.raises(InputError, match=r"no tree of the text 'a cat sat \.'"):
        metric(f'red(parses="{trees}", hypotheses=parses)').corpus(["a cat sat ."], [REFERENCE])


def test_dpmf_is_syntax_times_words(trees: str) -> None:
    how = metric(f'dpmf(parses="{trees}")')
    row = how.statistics(how.batch([HYPOTHESIS], [REFERENCE]))[0]
    ref = (["the", "old", "cat", "sat"], ["DET", "ADJ", "NOUN", "VERB"], [2, 2, 3, -1])
    texts = (["the", "cat", "sleeps"], ["DET", "NOUN", "VERB"]), ref[:2]
    hypothesis, reference = (oracle.likeliest_tree(ref, text, 0.1) for text in texts)
    assert row.tolist() == pytest.approx([hypothesis, 3, reference, 4, 2], rel=1e-6)
    syntax = math.exp(hypothesis / 3 - reference / 4)
    assert how.corpus([HYPOTHESIS], [REFERENCE]) == pytest.approx(100 * syntax * 4 / 7, rel=1e-6)
    recall = metric(f'dpmf(parses="{trees}", alpha=0)')
    assert recall.corpus([HYPOTHESIS], [REFERENCE]) == pytest.approx(100 * syntax * 2 / 4, rel=1e-6)
    cased = metric(f'dpmf(parses="{trees}", lowercase=false)')
    assert cased.statistics(cased.batch([HYPOTHESIS], [REFERENCE]))[0, 4] == 1


def test_dpmf_does_not_look_at_trees_of_hypotheses(trees: str, tmp_path: pathlib.Path) -> None:
    """Other heads and relations in the hypothesis give the same score; in the reference they do not."""
    text = pathlib.Path(trees).read_text(encoding="utf-8")
    hung = text.replace("the\tthe\tDET\t_\t_\t2\tdet", "the\tthe\tDET\t_\t_\t3\tobj")
    moved = text.replace("The\tthe\tDET\t_\t_\t3\tdet", "The\tthe\tDET\t_\t_\t2\tdet")
    assert len({text, hung, moved}) == 3
    scores = []
    for i, version in enumerate((text, hung, moved)):
        path = tmp_path / f"{i}.conllu"
        path.write_text(version, encoding="utf-8")
        scores.append(metric(f'dpmf(parses="{path}")').corpus([HYPOTHESIS], [REFERENCE]))
    assert scores[0] == scores[1] != scores[2]


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("NV")), max_size=4),
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("NVX")), max_size=4),
    st.sampled_from([0.01, 0.1, 1.0, 10.0]),
    st.data(),
)
@at_most(40)
def test_the_model_of_a_tree(
    ref: list[tuple[str, str]], hyp: list[tuple[str, str]], penalty: float, data: st.DataObject
) -> None:
    places = [[h for h in range(-1, len(ref)) if h != i] for i in range(len(ref))]
    heads = [data.draw(st.sampled_from(others)) for others in places]
    given_heads, groups = np.array(heads, dtype=np.int32), np.array([0, 1])
    ours = kernels.tree_models(as_numbers(hyp), as_numbers(ref), given_heads, groups, penalty, 1)
    words, tags = columns(ref)
    texts = [columns(hyp), (words, tags)]
    slow = [oracle.likeliest_tree((words, tags, heads), text, penalty) for text in texts]
    np.testing.assert_allclose(ours, [slow], rtol=2e-6, atol=2e-6)
    again = kernels.tree_models(as_numbers(hyp), as_numbers(ref), given_heads, groups, penalty, 3)
    assert again.tolist() == ours.tolist()


def columns(rows: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Words, and their tags."""
    return [word for word, _ in rows], [tag for _, tag in rows]


def as_numbers(rows: list[tuple[str, str]]) -> tuple[Any, Any, Any]:
    """One text as the kernel takes it."""
    words, tags = (np.array([ord(x) for x in column], dtype=np.int32) for column in columns(rows))
    return words, tags, np.array([0, len(rows)])


def test_dpmf_takes_no_giant_segments() -> None:
    with pytest.raises(InputError, match="501 words: too many for DPMF, which takes 500"):
        metric("dpmf").corpus(["a"], [" ".join(["a"] * 501)])
    text = as_numbers([("a", "N")])
    with pytest.raises(ValueError, match="a head is another word of its text"):
        kernels.tree_models(text, text, np.zeros(1, np.int32), np.array([0, 1]), 0.1, 1)
    long = as_numbers([("a", "N")] * 1001)
    for texts in ((long, text, np.full(1, -1)), (text, long, np.full(1001, -1))):
        with pytest.raises(ValueError, match="a text has too many words"):
            kernels.tree_models(*texts[:2], texts[2].astype(np.int32), np.array([0, 1]), 0.1, 1)


def test_verta_by_hand(trees: str) -> None:
    how = metric(f'verta(parses="{trees}")')
    row = how.statistics(how.batch(["cats sat"], [REFERENCE]))[0]
    # words: sat, and cats by its lemma; classes likewise; dependencies: the root, and cat <- sit but for its relation
    assert row.tolist() == pytest.approx([1.8, 2, 4, 1.8, 2, 4, 1.7, 2, 4, 1, 1, 3])
    assert how.corpus(["cats sat"], [REFERENCE]) == pytest.approx(100 * (2 * 1.8 / 6 * 2 + 2 * 1.7 / 6) / 3)
    lexical = metric(f'verta(parses="{trees}", morphological=0, dependency=0, lemma=0)')
    assert lexical.corpus(["cats sat"], [REFERENCE]) == pytest.approx(100 * 2 * 1 / 6)


def test_verta_with_ngrams_and_synonyms(trees: str, tmp_path: pathlib.Path) -> None:
    """`cats sat` has the bigram of `cat sat`, since `cats` is matched with `cat`; of three words nothing."""
    grams = metric(f'verta(parses="{trees}", lexical=0, morphological=0, dependency=0, ngrams=1)')
    assert grams.segments(["cats sat"], [REFERENCE])[0] == pytest.approx(100 * 2 * 1 / 4)
    longer = metric(f'verta(parses="{trees}", lexical=0, morphological=0, dependency=0, ngrams=1, order=3)')
    assert longer.segments(["cats sat"], [REFERENCE])[0] == pytest.approx(100 * 2 * 1 / 6)
    assert math.isnan(metric("verta(lexical=0, morphological=0, dependency=0, ngrams=1)").segments(["a"], ["b"])[0])
    folder = wordnet(tmp_path, {"big": [1], "large": [1, 2], "huge": [2]})
    how = metric(f'verta(morphological=0, dependency=0, synonym=0.5, wordnet="{folder}")')
    assert how.segments(["big house", "huge large"], ["large house", "big huge"]).tolist() == pytest.approx([75, 75])
    assert how.explain("big house", "large house").score == pytest.approx(75)
    assert metric("verta(morphological=0, dependency=0)").segments(["big house"], ["large house"])[0] == 50
    for wrong in ("order=1", "synonym=2", "wordnet=nowhere", "resources=nowhere"):
        with pytest.raises(SpecError):
            metric(f"verta({wrong})")


@pytest.mark.parametrize("name", ["red", "dpmf", "verta"])
def test_the_same_text_has_everything(name: str, trees: str) -> None:
    for spec in (name, f'{name}(parses="{trees}")'):
        assert metric(spec).corpus([REFERENCE], [[HYPOTHESIS, REFERENCE]]) == pytest.approx(100)
        assert metric(spec).segments(["", HYPOTHESIS], [REFERENCE, [REFERENCE, ""]])[0] == 0
        assert math.isnan(metric(spec).corpus([""], [""]))


@pytest.mark.parametrize("name", ["red", "dpmf", "verta"])
def test_a_text_without_a_tree_is_named(name: str, trees: str) -> None:
    with pytest.raises(InputError, match=r"trees\.conllu has no tree of the text 'The dog sat'") as caught:
        metric(f'{name}(parses="{trees}")').corpus([HYPOTHESIS], ["The  dog sat"])
    assert "# text" in caught.value.hint
    with pytest.raises(SpecError, match="parses must be a file or folder that is there"):
        metric(f"{name}(parses=nowhere.conllu)")


@pytest.mark.parametrize("name", ["red", "verta"])
def test_long_texts_are_scored(name: str) -> None:
    long = " ".join(["a", "b"] * 2_000)
    assert metric(name).corpus([long], [long]) == pytest.approx(100)
    found = metric(name).corpus([" ".join(["a"] * 2_000)], [long])
    assert 0 <= found < 100


@pytest.mark.parametrize(
    "spec",
    [
        "red(chains=0, structures=0)",
        "red(order=0)",
        "red(lengths=1+1)",
        "red(lengths=0+0+0)",
        "red(chains=0, lengths=1+0+0)",
        "red(lengths=-1+1+1)",
        "verta(lemma=2)",
        "dpmf(alpha=2)",
        "dpmf(penalty=0)",
        "red(chains=0, order=1)",
    ],
)
def test_senseless_options_are_refused(spec: str) -> None:
    with pytest.raises(SpecError):
        metric(spec)
    assert np.isfinite(metric("verta(lexical=0, morphological=0)").corpus(["a"], ["a"]))


def test_red_matches_by_meteors_stages(trees: str) -> None:
    """`cats` of the hypothesis is read as `cat`, for what a stem counts; copies score as before."""
    plain = metric(f'red(parses="{trees}", order=1, precision=words)')
    stems = metric(f'red(parses="{trees}", order=1, precision=words, stages=exact+stem)')
    hyp = ["the cats sat"]
    assert plain.statistics(plain.batch(hyp, [REFERENCE]))[0, 0] == 2
    assert stems.statistics(stems.batch(hyp, [REFERENCE]))[0, 0] == pytest.approx(2.6)
    both = [one.segments([REFERENCE], [[REFERENCE, "cats sat"]])[0] for one in (plain, stems)]
    assert both == [100.0, 100.0]
    with pytest.raises(SpecError, match="without stem for the language cs"):
        metric("red(stages=exact+stem, language=cs)")
    with pytest.raises(SpecError, match="stages must be all different"):
        metric("red(stages=exact+exact)")


def test_function_words_count_less_on_both_sides(trees: str, tmp_path: pathlib.Path) -> None:
    """Of `The old cat sat` the first counts a fifth, and of pairs with it three fifths."""
    (tmp_path / "function").mkdir()
    (tmp_path / "function" / "english.words").write_text("the\n", encoding="utf-8")
    how = metric(f'red(parses="{trees}", order=2, function=0.2, resources="{tmp_path}")')
    row = how.statistics(how.batch([HYPOTHESIS], [REFERENCE]))[0]
    # words: the, cat of four; chains of two: the cat, one word nearer, of three; runs: none of `old cat`
    assert row[:3].tolist() == pytest.approx([1.2, 3.2, 2.2])
    assert row[3:6].tolist() == pytest.approx([0.6 * math.exp(-1), 2.6, 2.6 / 3.2 * 2.2])
    assert how.segments([REFERENCE], [REFERENCE])[0] == pytest.approx(100)
    with pytest.raises(SpecError, match="function must be from 0 to 1"):
        metric("red(function=2)")
    with pytest.raises(SpecError, match="resources must be a file or folder that is there"):
        metric("red(resources=nowhere)")


def test_runs_and_chains_count_what_their_words_are_worth() -> None:
    assert red.runs_found([(0, 1)], ["a", "b"], ["a", "b", "a", "b"], [1.0, 0.5, 1.0, 1.0]) == 1.0
    assert red.runs_found([(0, 1)], ["a", "b"], ["a", "b"], [1.0, 0.5]) == 0.75
    assert red.chains_found([(0, 1)], ["a", "b"], ["a", "b"], True, [0.5, 0.5]) == 0.5
