"""Orders that few people use, beside sacreBLEU itself: its golden scores have none of them."""

import itertools
import pathlib

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

import tercet
from tests.parity.tables import read_table

MADE_UP = [
    ("abcab", "abdab"),
    ("abd", "abad"),
    ("a b c a b", "a b d a b"),
    ("a b d " * 8, "a b a d"),
    ("the cat sat on the mat and the cat sat", "the cat sat on the mat , and then the cat sat"),
    ("aaaaaaaaaaaa", "aaaaaaaaaaab"),
    ("x" * 5000, "x" * 4000 + "y"),
    (" ".join("abcdefgh"[i * i % 8] for i in range(200)), " ".join("abcdefgh"[i * i % 7] for i in range(190))),
    ("Съешь ещё этих мягких французских булок", "Съешь же ещё этих мягких французских булок, да выпей чаю"),
    ("敏捷的棕色狐狸跳过了懒狗。", "敏捷的棕色狐狸跳过懒狗。"),
    ("", "c b a"),
]


GOLDEN = [
    pytest.param(name, marks=pytest.mark.shared)
    for name in ("wmt14-news.de-en", "wmt14-news.en-hi", "wmt19-metrics.en-zh")
]


@pytest.fixture(params=["made-up", *GOLDEN])
def pairs(request: pytest.FixtureRequest) -> list[tuple[str, str]]:
    """Translations with a reference each: made up, and of the golden test sets."""
    if request.param == "made-up":
        return MADE_UP
    shared: pathlib.Path = request.getfixturevalue("shared")
    dataset, pair = request.param.split(".")
    rows = read_table(next((shared / "data" / dataset).glob(f"newstest*.{pair}.tsv.gz")))
    first = next(name for name in rows[0] if name not in ("segment", "source", "reference"))
    return [(row[first], row["reference"]) for row in rows[:120]]


@pytest.mark.parametrize(
    "orders", [*itertools.product((7, 8, 9, 10), (0, 1, 2, 3, 4)), (0, 1), (0, 2), (0, 5), (0, 8)], ids=str
)
def test_chrf_of_high_orders_and_of_words_alone(pairs: list[tuple[str, str]], orders: tuple[int, int]) -> None:
    peer = CHRF(char_order=orders[0], word_order=orders[1])
    ours = tercet.metric(f"chrf(char_order={orders[0]}, word_order={orders[1]})")
    hyps, refs = [hyp for hyp, _ in pairs], [ref for _, ref in pairs]
    wanted = [peer.sentence_score(hyp, [ref]).score for hyp, ref in pairs]
    np.testing.assert_allclose(ours.segments(hyps, refs), wanted, rtol=1e-12, atol=1e-12)
    assert ours.corpus(hyps, refs) == pytest.approx(peer.corpus_score(hyps, [refs]).score, rel=1e-12)


@pytest.mark.parametrize("order", [7, 8, 9, 10])
def test_bleu_of_high_orders(pairs: list[tuple[str, str]], order: int) -> None:
    peer = BLEU(max_ngram_order=order, effective_order=True)
    ours = tercet.metric(f"bleu(order={order}, effective_order=true)")
    hyps, refs = [hyp for hyp, _ in pairs], [ref for _, ref in pairs]
    wanted = [peer.sentence_score(hyp, [ref]).score for hyp, ref in pairs]
    np.testing.assert_allclose(ours.segments(hyps, refs), wanted, rtol=1e-12, atol=1e-12)
    corpus = BLEU(max_ngram_order=order).corpus_score(hyps, [refs]).score
    assert tercet.metric(f"bleu(order={order})").corpus(hyps, refs) == pytest.approx(corpus, rel=1e-12)
