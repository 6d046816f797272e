"""The features of the baseline against those of QuEst++ on 400 segments, and against slow definitions."""

from __future__ import annotations

import csv
import gzip
import pathlib
import re

import numpy as np
import pytest

from tercet.data import Texts
from tercet.errors import SpecError
from tercet.learning.ngrams import train_frequencies
from tercet.quality.features import FEATURES, Translations
from tercet.spec import option_docs, write

SYSTEMS = ("CMU.3461", "DCU-ICTCAS-Tsinghua-L.3444")


def cut(line: str) -> str:
    """Tokens as the golden values were made of."""
    return " ".join(re.findall(r"\w+|[^\w\s]", line))


@pytest.fixture(scope="module")
def texts(shared: pathlib.Path) -> dict[str, list[str]]:
    """Columns of the test set, tokenised."""
    with gzip.open(shared / "data/wmt14-news/newstest2014.de-en.tsv.gz", "rt", encoding="utf-8", newline="\n") as file:
        head, *rows = [line.rstrip("\n").split("\t") for line in file]
    return {name: [cut(row[head.index(name)]) for row in rows] for name in ("source", *SYSTEMS)}


def specs(lexicon: str, frequencies: str) -> dict[str, str]:
    """The features by their numbers in QuEst++."""
    quartiles = {"1046": (1, 1), "1049": (1, 4), "1050": (2, 1), "1053": (2, 4), "1054": (3, 1), "1057": (3, 4)}
    return {
        "1001": "tokens(side=source)",
        "1002": "tokens(side=target)",
        "1006": "token-length",
        "1015": "repetition",
        "1022": write("word-translations", {"table": lexicon, "words": "sources"}),
        "1036": write("word-translations", {"table": lexicon, "above": 0.01, "frequencies": frequencies}),
        **{
            number: write("frequency-quartile", {"frequencies": frequencies, "n": n, "quartile": q})
            for number, (n, q) in quartiles.items()
        },
        "1058": write("known-words", {"frequencies": frequencies}),
        "1074": "punctuation(side=source, form=program)",
        "1075": "punctuation(side=target, form=program)",
    }


@pytest.mark.parametrize("minimum", [0, 2])
def test_the_values_are_those_of_the_program(
    minimum: int, texts: dict[str, list[str]], shared: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    golden = shared / "golden/programs/quest17"
    corpus, table = tmp_path / "corpus.de", tmp_path / "corpus.freq"
    corpus.write_text("\n".join(texts["source"][300:1300]) + "\n", encoding="utf-8")
    training = train_frequencies([corpus], minimum=minimum)
    training.write(table)
    lines = (golden / f"cutoffs.minfreq{minimum}.txt").read_text().splitlines()
    cuts = [tuple(map(int, line.split()[1:])) for line in lines]
    assert list(training.quartiles) == cuts
    with gzip.open(golden / f"features.minfreq{minimum}.tsv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) == 400
    lexicon = tmp_path / "lex.tsv"
    with gzip.open(golden / "lex.tsv.gz", "rt", encoding="utf-8", newline="\n") as file:
        lexicon.write_text(file.read(), encoding="utf-8")
    sources = Texts.of(texts["source"][:200] * 2)
    targets = Texts.of([line for system in SYSTEMS for line in texts[system][:200]])
    pairs = Translations(sources, targets, tokenize="quest", threads=2)
    for number, spec in specs(str(lexicon), str(table)).items():
        wanted = np.array([float(row[f"f{number}"]) for row in rows])
        np.testing.assert_allclose(FEATURES.make(spec).values(pairs), wanted, rtol=1e-6, err_msg=number)


def test_empty_tokens_are_read_as_the_program_reads_them() -> None:
    pairs = Translations(Texts.of(["", " a  b "]), Texts.of(["x", "A a"]), tokenize="quest")
    assert FEATURES.make("tokens(side=source)").values(pairs).tolist() == [1, 3]
    assert FEATURES.make("token-length").values(pairs).tolist() == [0, pytest.approx(2 / 3)]
    assert FEATURES.make("repetition").values(pairs).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("line", "count", "program"),
    [
        ("", 0, 0),
        ("Hello .", 1, 0),
        ("What ? Oh ?", 2, 0),
        ("one , two", 1, 2),
        ("one , two ,", 2, 2),
        ("no !", 1, 1),
        ("no ! !", 2, 2),
        (",,", 2, 0),
        ("a : b ; c", 2, 4),
        ("¿ qué ? ¡ no !", 4, 5),
        ("نعم ، لا ؛ ماذا ؟", 3, 5),
    ],
)
def test_punctuation_is_counted_or_computed_as_the_program_does(line: str, count: int, program: int) -> None:
    pairs = Translations(Texts.of([line]), Texts.of([line]))
    assert FEATURES.make("punctuation").values(pairs).tolist() == [count]
    assert FEATURES.make("punctuation(form=program)").values(pairs).tolist() == [program]
    ratio = FEATURES.make("punctuation(side=target, form=ratio)").values(pairs)[0]
    assert 0 <= ratio <= 1


@pytest.mark.parametrize("name", list(FEATURES))
def test_a_feature_has_a_card_and_says_what_its_options_do(name: str) -> None:
    owner = FEATURES.load(name)
    assert owner.name == name
    assert owner.card.title
    assert owner.card.definition
    assert all(option_docs(owner).values())


@pytest.mark.parametrize("spec", ["tokens(unit=characters)", "consensus(metric=ter, form=best)", "metric(metric=lm)"])
def test_a_feature_survives_printing(spec: str) -> None:
    made = FEATURES.make(spec)
    assert FEATURES.make(str(made)) == made


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("metric(metric=chrf)", "one that needs no references"),
        ("lm-probability", "a file that is there"),
        ("word-translations(above=1)", "from 0 to below 1"),
        ("frequency-quartile(quartile=5)", "from 1 to 4"),
        ("metric(metric=qe)", "no model of quality estimation"),
    ],
)
def test_a_wrong_option_is_refused(spec: str, wrong: str) -> None:
    with pytest.raises(SpecError, match=wrong):
        FEATURES.make(spec)
