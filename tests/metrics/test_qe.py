"""Metrics without references: lengths, word translations and language models, from texts and from files."""

import gzip
import math
import pathlib

import numpy as np
import pytest

import tercet
from tercet.errors import InputError, SpecError
from tercet.formats import models
from tercet.learning.ngrams import train_lm
from tercet.metrics import metric
from tercet.sample import write_quality
from tests.kernels.packing import pack_tokens
from tests.metrics.arpa_forms import FORMS, KENLM_OF_EXAMPLE, KENLM_OF_FORMS, OTHERS, TEXTS
from tests.oracles import kneser_ney

ARPA = """\\data\\
ngram 1=6
ngram 2=4
ngram 3=2

\\1-grams:
-1.2041200\t<unk>
-99\t<s>\t-0.3010300
-0.9030900\t</s>
-0.6020600\tthe\t-0.4771213
-0.8239087\tcat\t-0.1760913
-1.0969100\tsat\t-0.3979400

\\2-grams:
-0.1249387\t<s> the\t-0.2218487
-0.3979400\tthe cat\t-0.1549020
-0.5228787\tcat sat
-0.2218487\tsat </s>

\\3-grams:
-0.0457575\t<s> the cat
-0.2839967\tthe cat sat

\\end\\
"""
# what kenlm 0.3.0 gives for that file: whole sentences, and words alone
KENLM = {
    "the cat sat": (-0.6765415668487549, -1.2839967012405396),
    "the the dog": (-4.010300159454346, -3.3624825477600098),
    "": (-1.2041200399398804, 0.0),
    "sat cat the": (-4.778151512145996, -3.096909999847412),
    "cat cat": (-3.20412015914917, -1.8239086866378784),
}


@pytest.fixture
def model(tmp_path: pathlib.Path) -> pathlib.Path:
    """A small ARPA file."""
    path = tmp_path / "small.arpa"
    path.write_text(ARPA, encoding="utf-8")
    return path


def test_a_language_model_gives_the_sums_of_kenlm(model: pathlib.Path) -> None:
    texts = list(KENLM)
    whole, words = metric(f'lm(model="{model}")'), metric(f'lm(model="{model}", sentence=false)')
    assert whole.statistics(whole.batch(texts, None)).tolist() == [[KENLM[t][0], len(t.split()) + 1] for t in texts]
    assert words.statistics(words.batch(texts, None)).tolist() == [[KENLM[t][1], len(t.split())] for t in texts]
    perplexities = metric(f'lm-perplexity(model="{model}")').segments(texts)
    assert perplexities.tolist() == pytest.approx([10 ** (-KENLM[t][0] / (len(t.split()) + 1)) for t in texts])
    assert math.isnan(words.segments([""])[0])


@pytest.mark.parametrize("form", FORMS)
def test_files_of_other_programs_give_the_sums_of_kenlm(form: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "model.arpa"
    path.write_text(FORMS[form], encoding="utf-8", newline="")
    how = metric(f'lm(model="{path}")')
    assert how.statistics(how.batch(list(TEXTS), None))[:, 0].tolist() == list(KENLM_OF_FORMS[form])


def test_liberties_that_kenlm_does_not_take_move_nothing(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "model.arpa"
    path.write_text(OTHERS, encoding="utf-8", newline="")
    how = metric(f'lm(model="{path}")')
    scores = how.statistics(how.batch(list(TEXTS), None))[:, 0].tolist()
    written = (
        FORMS["strict"].replace("-0.5\t<s> the", "-0.5\t<s> the\t-0.1").replace("ngram 2=2", "ngram 2=2\nngram 3=0")
    )
    path.write_text(written.replace("\\end", "\\3-grams:\n\n\\end"), encoding="utf-8")
    assert metric(f'lm(model="{path}")').statistics(how.batch(list(TEXTS), None))[:, 0].tolist() == scores
    assert scores[3:] == [*KENLM_OF_FORMS["strict"][3:6], pytest.approx(KENLM_OF_FORMS["strict"][6] - 0.1)]


def test_the_query_equals_kenlm_on_a_trained_model(tmp_path: pathlib.Path) -> None:
    """Four words at most; what kenlm gave for the same ARPA file, to the last bit."""
    write_quality(tmp_path)
    train_lm([tmp_path / "train.pe"], order=4).write(tmp_path / "model.arpa")
    how = metric(f'lm(model="{tmp_path}/model.arpa")')
    texts = (tmp_path / "test.mt").read_text(encoding="utf-8").split("\n")[: len(KENLM_OF_EXAMPLE)]
    assert how.statistics(how.batch(texts, None))[:, 0].tolist() == list(KENLM_OF_EXAMPLE)


def test_perplexity_of_held_out_text_is_that_of_the_oracle_counted_as_srilm_does(tmp_path: pathlib.Path) -> None:
    """SRILM's ppl leaves out words that the model does not know, and counts the ends of sentences."""
    write_quality(tmp_path)
    known, new = (
        [line.split() for line in (tmp_path / name).read_text(encoding="utf-8").split("\n")[:n]]
        for name, n in (("train.pe", 60), ("test.pe", 12))
    )
    corpus = tmp_path / "corpus"
    corpus.write_text("".join(" ".join(words) + "\n" for words in known), encoding="utf-8")
    train_lm([corpus]).write(tmp_path / "model.arpa")
    steps = models.language_model(str(tmp_path / "model.arpa")).words(pack_tokens(new), True, 1)
    told = steps[:, 1] > 0
    perplexity = 10 ** (-steps[told, 0].sum() / told.sum())
    oracle = kneser_ney.Model(known, 3)
    logs = []
    for sentence in new:
        words = ["<s>", *(word if word in oracle.vocabulary else "<unk>" for word in sentence), "</s>"]
        for at in range(1, len(words)):
            if words[at] != "<unk>":
                logs.append(math.log10(oracle.probability(words[at], tuple(words[max(0, at - 2) : at]))))
    assert 0 < len(logs) < sum(len(sentence) + 1 for sentence in new)  # some words are unknown
    assert len(logs) == told.sum()
    assert perplexity == pytest.approx(10 ** (-sum(logs) / len(logs)), rel=1e-5)


def test_a_packed_model_and_case(model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    packed = tmp_path / "small.arpa.gz"
    packed.write_bytes(gzip.compress(model.read_bytes()))
    lower = metric(f'lm(model="{packed}", lowercase=true)')
    assert lower.corpus(["The Cat sat"]) == metric(f'lm(model="{model}")').corpus(["the cat sat"])


def test_a_model_that_changes_is_read_anew(model: pathlib.Path) -> None:
    how = metric(f'lm(model="{model}")')
    before = how.corpus(["the cat"])
    model.write_text(ARPA.replace("-0.0457575\t<s>", "-0.5\t<s>"), encoding="utf-8")
    assert how.corpus(["the cat"]) < before


def test_defects_are_named_with_file_and_line(model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    model.write_text(ARPA.replace("-0.5228787", "0.5"), encoding="utf-8")
    with pytest.raises(InputError, match=r"small\.arpa, line 17: the log10 probability is no number of 0 or less"):
        metric(f'lm(model="{model}")').corpus(["a"])
    model.write_text("the cat\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"small\.arpa is no ARPA file: there is no line"):
        metric(f'lm(model="{model}")').corpus(["a"])
    table = tmp_path / "table"
    table.write_text("# tercet ibm1|x\na\tb\t0.5\na\tc\n", encoding="utf-8")
    with pytest.raises(InputError, match="table, line 3: an entry is"):
        metric(f'ibm1(table="{table}")').corpus(["a"], sources=["a"])
    table.write_text("# tercet ibm1|x\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no entry"):
        metric(f'ibm1(table="{table}")').corpus(["a"], sources=["a"])
    for spec in ("ibm1(table=nowhere)", "lm(model=nowhere)", "ibm1(floor=0)", "length-ratio(expected=0)"):
        with pytest.raises(SpecError):
            metric(spec)


def test_ibm1_by_hand(tmp_path: pathlib.Path) -> None:
    table = tmp_path / "de-en"
    table.write_text("haus\thouse\t0.5\ndas\tthe\t0.25\n\tthe\t0.125\n", encoding="utf-8")
    spaced = tmp_path / "spaced"
    spaced.write_text("haus house 0.5\ndas the 0.25\nNULL the 0.125\n", encoding="utf-8")
    for path in (table, spaced):
        how = metric(f'ibm1(table="{path}", floor=0.001)')
        row = how.statistics(how.batch(["the House !"], None, ["Das Haus"]))[0]
        given = [(0.25 + 0.125 + 0.001) / 3, (0.5 + 0.002) / 3, 0.001]
        assert row[0] == pytest.approx(sum(map(math.log10, given)))
        assert row[1] == 3
        inverse = metric(f'ibm1(table="{path}", floor=0.001, direction=inverse)')
        assert inverse.corpus(["Das Haus"], sources=["the House !"]) == how.corpus(
            ["the House !"], sources=["Das Haus"]
        )


def test_words_translate_themselves_without_a_table() -> None:
    found = metric("ibm1").segments(["Berlin 1990", "x", "", "x"], sources=["in Berlin 1990 war", "y", "y", ""])
    assert found[0] == pytest.approx(math.log10((1 + 3e-7) / 4))
    assert found[1] == pytest.approx(-7)
    assert np.isnan(found[2])
    assert found[3] == pytest.approx(-7)


def test_length_ratios() -> None:
    hyps, sources = ["a b c", "a", ""], ["x y", "x y", "x"]
    assert metric("length-ratio").segments(hyps, sources=sources).tolist() == pytest.approx([200 / 3, 50, 0])
    assert metric("length-ratio").corpus(hyps, sources=sources) == pytest.approx(80)
    plain = metric("length-ratio(scale=plain, unit=characters)")
    assert plain.segments(["ab c", "a"], sources=["x", "x y"]).tolist() == [3, 0.5]
    logs = metric("length-ratio(scale=log, expected=1.5)").segments(hyps, sources=sources)
    assert logs[:2].tolist() == pytest.approx([0, -math.log(3)])
    assert np.isnan(logs[2])
    assert np.isnan(metric("length-ratio").segments(["a"], sources=[""])).all()


def test_a_test_set_without_references_is_scored() -> None:
    systems = {"A": ["a b", "c d e"], "B": ["a", "c"]}
    specs = ["length-ratio", "ibm1", "lm", "lm-perplexity"]
    scores = tercet.score(systems, sources=["x y", "c z w"], metrics=specs, ci=True, paired="bootstrap")
    assert len(list(scores)) == 8
    assert all(math.isfinite(record.score) for record in scores)
    with pytest.raises(InputError, match="bleu needs references"):
        tercet.score(systems, sources=["x y", "c z w"], metrics="bleu")
    with pytest.raises(InputError, match="ibm1 needs sources"):
        tercet.score(systems, metrics="ibm1")
    with pytest.raises(InputError, match="needs sources"):
        metric("ibm1").corpus(["a"])
