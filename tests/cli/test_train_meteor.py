"""`tercet train function-words` and `tercet train paraphrases`."""

import pathlib

import tercet
from tests.cli.test_cli import invoke, run


def test_function_words_of_a_corpus(tmp_path: pathlib.Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The cat saw the dog\nthe dog ran\n")
    assert invoke("train", "function-words", corpus, "--threshold", "0.2") == (0, "the\ndog\n", "")
    words = tmp_path / "words"
    assert run("train", "function-words", corpus, "--threshold", "0.3", "-o", words) == (0, "", "")
    assert words.read_text() == "the\n"


def test_paraphrases_that_meteor_matches(tmp_path: pathlib.Path) -> None:
    table, common, found = (tmp_path / name for name in ("phrases", "common", "paraphrases.gz"))
    table.write_text(
        "maison ||| house ||| .8 .1 .7 .1\nmaison ||| home ||| .6 .1 .3 .1\nmaison ||| the ||| .6 .1 .9 .1\n"
    )
    common.write_text("the\n")
    status, out, err = invoke("train", "paraphrases", table, "--common", common, "-o", found)
    assert (status, out, err) == (0, "", f"tercet: 2 paraphrases in {found}\n")
    spec = f'meteor(language=other, task=universal, normalize=lower, function_words=none, paraphrases="{found}")'
    metric = tercet.metric(spec)
    assert metric.corpus(["a house"], ["a home"]) > metric.corpus(["a hut"], ["a home"])
    assert metric.corpus(["a the"], ["a home"]) == metric.corpus(["a hut"], ["a home"])


def test_what_is_wrong_is_said(tmp_path: pathlib.Path) -> None:
    table = tmp_path / "phrases"
    table.write_text("maison ||| house ||| .8\n")
    assert invoke("train", "paraphrases", table)[0] == 2
    status, _, err = invoke("train", "paraphrases", table, "-o", tmp_path / "found")
    assert status == 2
    assert "line 1" in err
    assert "|||" in err
    assert invoke("train", "function-words", table, "--threshold", "2")[0] == 2
    assert invoke("train", "function-words", tmp_path / "absent")[0] == 2
