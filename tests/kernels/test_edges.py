"""What hypothesis would hardly think of: nothing at all, a great deal, and arrays that do not fit together."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tercet import kernels
from tercet.errors import InputError
from tercet.metrics import metric
from tercet.text import tokenizer
from tests.conftest import ROOT
from tests.kernels.cases import METRICS, RESAMPLING, TOKENIZERS, Case
from tests.kernels.packing import Ints, Lines, Tokens, offsets, pack_tokens, packed_words, unpack_tokens
from tests.kernels.strategies import Segment
from tests.kernels.test_oracles import METRIC_OPTIONS, OPTIONS, assert_equal, many_items
from tests.oracles import chrf, resample

LONG_WORD = "é" * 500_000  # 1 MB of UTF-8
MANY_WORDS = 100_000


def options_of(case: Case) -> dict[str, Any]:
    """Ordinary options of a kernel."""
    return {**OPTIONS, **METRIC_OPTIONS}.get(case.name, {})


@pytest.mark.parametrize("case", [*TOKENIZERS, *METRICS], ids=lambda case: case.name)
@pytest.mark.parametrize("threads", [1, 3])
def test_empty_batch(case: Case, threads: int) -> None:
    assert case.kernel([], threads, **options_of(case)) == []


@pytest.mark.parametrize("case", TOKENIZERS, ids=lambda case: case.name)
@pytest.mark.parametrize("text", ["", " ", "\t \n", "\xa0\u3000", "\x00", "\x1c"])
def test_empty_lines(case: Case, text: str) -> None:
    options = options_of(case)
    assert case.kernel([text, text], 1, **options) == case.oracle([text, text], **options)


@pytest.mark.parametrize("case", METRICS, ids=lambda case: case.name)
@pytest.mark.parametrize("hyp", ["", " ", "a b"])
@pytest.mark.parametrize("refs", [[""], [" "], ["", ""], ["a b"], ["", "a b"], ["a b", ""], ["a", "a b", ""]])
def test_empty_texts(case: Case, hyp: str, refs: list[str]) -> None:
    segments, options = [Segment(hyp, refs)], options_of(case)
    assert_equal(case, case.kernel(segments, 1, **options), case.oracle(segments, **options))


@pytest.mark.parametrize("case", RESAMPLING, ids=lambda case: case.name)
def test_no_samples(case: Case) -> None:
    kernel: Callable[..., Any] = getattr(kernels, case.name)
    dtype = np.int32 if case.name == "sampled_sums" else np.uint8
    assert kernel(np.zeros((0, 3), dtype), np.ones((3, 2)), 2).shape == (0, 2)
    assert kernel(np.zeros((2, 0), dtype), np.ones((0, 2)), 2).tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("case", RESAMPLING, ids=lambda case: case.name)
def test_more_rows_than_are_summed_at_once(case: Case) -> None:
    samples, rows = many_items(case)
    assert case.kernel((samples[:20], rows), 1) == case.oracle((samples[:20], rows))


@pytest.mark.parametrize("case", TOKENIZERS, ids=lambda case: case.name)
def test_word_of_a_megabyte(case: Case) -> None:
    found = case.kernel([f"a {LONG_WORD} b"], 1, **options_of(case))[0]
    lowered = case.name.startswith("lower")
    assert "".join(found).replace(" ", "") == f"a{LONG_WORD}b"
    assert len(found) == (len(f"a {LONG_WORD} b") if lowered else len(LONG_WORD) + 2 if case.name == "char" else 3)


def test_metrics_of_a_word_of_a_megabyte() -> None:
    words = packed_words([Segment(f"a {LONG_WORD}", [f"a {LONG_WORD}", f"{LONG_WORD[1:]} b"])])
    assert kernels.bleu(*words, 2, "closest", 1).tolist() == [[2, 2, 2, 1, 2, 1]]
    assert kernels.edits(*words, False, True, 1).tolist() == [[0, 2]]
    assert kernels.per(*words, 1).tolist() == [[2, 2, 2]]
    lines = kernels.pack([LONG_WORD]), kernels.pack([LONG_WORD]), offsets([1])
    n = len(LONG_WORD)
    wanted = [float(count) for order in range(6) for count in [n - order] * 3]
    assert kernels.chrf(*lines, 6, 0, 2.0, False, False, False, 1).tolist() == [wanted]


def test_segment_of_a_hundred_thousand_words() -> None:
    """Words 0 to n-1 against 1 to n: every word but one in common, in order, all different."""
    n = MANY_WORDS
    hyp, ref = [f"w{i}" for i in range(n)], [f"w{i + 1}" for i in range(n)]
    pair = pack_tokens([hyp]), pack_tokens([ref]), offsets([1])
    matches, totals = [n - k for k in range(1, 5)], [n - k for k in range(4)]
    assert kernels.bleu(*pair, 4, "closest", 2).tolist() == [[n, n, *matches, *totals]]
    assert kernels.per(*pair, 2).tolist() == [[n - 1, n, n]]
    table = kernels.InformationTable(2)
    table.add(pair[1])
    row = kernels.nist(*pair, table.weigh(pair[1], 2), 2)[0]
    np.testing.assert_allclose(row, [n, n, (n - 1) * np.log2(n), n, 0, n - 1])
    for text in (" ".join(hyp), "x. " * n):
        assert len(tokenizer("13a")(text)) == n * (2 if "." in text else 1)


@pytest.mark.thorough
@pytest.mark.parametrize("case", METRICS, ids=lambda case: case.name)
def test_many_segments(case: Case) -> None:
    """Segment for segment what a few give, long after every table has been used up and emptied."""
    few = [Segment("a b a", ["a b b", "b"]), Segment("", ["a"]), Segment("中 é a", ["é 中 a a"]), Segment("c", ["c"])]
    times = 17_000
    rows = case.kernel(few, 1, **options_of(case)) if case.name != "nist" else None
    many = case.kernel(few * times, 2, **options_of(case))
    assert np.array_equal(np.array(many), np.tile(rows or many[: len(few)], (times, 1)))


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("length", [1, 63, 64, 65, 128, 129, 192, 193, 257, 321, 385, 449, 511, 512, 513])
def test_characters_at_the_limits_of_places(order: int, length: int) -> None:
    """Places of n-grams are bits of words; where a word or the last of them is full, nothing changes."""
    ref = "".join("aab中é"[i * i * i % 7 % 5] for i in range(length))
    hyp = ref[length // 2 :] + "xaé" + ref[: length // 3] + "b" * 70
    assert_chrf_equals_oracle(hyp, ref, order, 0)
    assert_chrf_equals_oracle(" ".join(hyp), " ".join(ref), 1, order)


@pytest.mark.parametrize("case", METRICS, ids=lambda case: case.name)
@pytest.mark.parametrize("length", [63, 64, 65, 129])
def test_words_at_the_limits_of_places(case: Case, length: int) -> None:
    ref = [f"w{i * i % 11}" for i in range(length)]
    segments = [Segment(" ".join([*ref[9:], "x", *ref[:20], "w1"]), [" ".join(ref)])]
    assert_equal(case, case.kernel(segments, 1, **options_of(case)), case.oracle(segments, **options_of(case)))


LIMITS = {1: [2], 2: [64], 3: [4095, 4096, 4097], 6: [63, 64, 65], 9: [15, 16, 17], 18: [3, 4, 5], 36: [1, 2], 37: [1]}


@pytest.mark.parametrize(("order", "symbols"), [(order, n) for order, sizes in LIMITS.items() for n in sizes])
def test_characters_at_the_limits_of_packing(order: int, symbols: int) -> None:
    """n-grams are packed into a word where they fit; where they just fit and just not, nothing changes."""
    alphabet = [chr(0x4E00 + i) for i in range(symbols)]
    ref = "".join(alphabet[i * i % symbols] for i in range(600)) + "".join(alphabet)
    hyp = "".join(alphabet[i * i * 3 % symbols] for i in range(200)) + ref[100:250] + "xyz"
    assert_chrf_equals_oracle(hyp, ref, order, 0)


@pytest.mark.parametrize("length", [4094, 4095, 4096, 4097])
def test_long_texts_at_the_limits_of_packing(length: int) -> None:
    text = "a" * length
    assert_chrf_equals_oracle(text, text, 6, 0)
    assert_chrf_equals_oracle(text[:-5] + "bab" + text, text + "ab", 3, 0)
    assert_chrf_equals_oracle(" ".join(text), " ".join(text) + " b", 1, 2)


@pytest.mark.parametrize("order", [1, 3, 4, 5])
@pytest.mark.parametrize("words", [127, 128, 510, 511, 512, 513])
def test_words_at_the_limits_of_packing(order: int, words: int) -> None:
    ref = [f"w{i}" for i in range(words)] + [f"w{i * i % words}" for i in range(50)]
    hyp = ref[::-1] + ref[5:60] + ["other"] * 3 + ref[:3]
    assert_chrf_equals_oracle(" ".join(hyp), " ".join(ref), 1, order)


def assert_chrf_equals_oracle(hyp: str, ref: str, char_order: int, word_order: int) -> None:
    """The counts of one pair."""
    lines = kernels.pack([hyp]), kernels.pack([ref]), offsets([1])
    found = kernels.chrf(*lines, char_order, word_order, 2.0, False, False, False, 1).tolist()
    assert found == [chrf.counts(hyp, ref, char_order, word_order, False, False)]


DEADLY = [
    "chrf(char_order=0, word_order=0)",
    "nist(order=-1)",
    "bleu(order=1073741824)",
]
PROGRAM = """
import os, resource, sys
import numpy as np
from tercet import kernels
if "san.so" not in os.environ.get("LD_PRELOAD", ""):  # a sanitizer needs terabytes of addresses for itself
    resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
lines, one = kernels.pack(["a"]), np.array([0, 1])
words = (*lines, one)
if sys.argv[1].startswith("chrf"):
    kernels.chrf(lines, lines, one, 0, 0, 2.0, False, False, False, 1)
elif sys.argv[1].startswith("nist"):
    table = kernels.InformationTable(-1)
    table.add(words)
    kernels.nist(words, words, one, table.weigh(words, 1), 1)
else:
    kernels.bleu(words, words, one, 2**30, "closest", 1)
"""


@pytest.mark.parametrize("what", DEADLY)
def test_an_absurd_order_does_not_end_the_program(what: str) -> None:
    """It may be served or refused; in another process, because a fault would take this one along."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, what], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode >= 0, f"ended by signal {-done.returncode}"
    assert done.returncode == 0 or "ValueError" in done.stderr or "MemoryError" in done.stderr, done.stderr


def test_mean_length_of_moses_ter_is_cut_after_it_is_rounded() -> None:
    """23 words in 5 references: 4.6 words, whose hundredfold in binary is just below 460."""
    refs = [["a"] * 5] * 4 + [["a"] * 3]
    assert kernels.moses_ter(pack_tokens([["a"] * 5]), pack_tokens(refs), offsets([5]), 1).tolist() == [[0, 460]]


def test_long_edit_distances() -> None:
    """Five thousand words: the same shifted by one, in halves exchanged, and against nothing."""
    words = [f"w{i}" for i in range(5000)]
    halves = words[2500:] + words[:2500]
    refs = [words[1:], halves, []]
    packed = pack_tokens([words] * 3), pack_tokens(refs), offsets([1, 1, 1])
    assert kernels.edits(*packed, False, False, 2).tolist() == [[1, 4999], [5000, 5000], [5000, 0]]
    # A jump to the second half, one to the first, and one to the end, where the translation must be left.
    assert kernels.edits(*packed, True, False, 2).tolist() == [[1, 4999], [3, 5000], [1, 0]]


def test_text_and_packed_text_are_the_same() -> None:
    texts = ["", "a", "é\x00ß", "", "😀", " \n", "\U0010ffff"]
    data, ends = kernels.pack(texts)
    assert bytes(data) == "".join(texts).encode()
    assert ends.tolist() == offsets([len(text.encode()) for text in texts]).tolist()
    assert kernels.unpack((data, ends)) == texts


SURROGATES = ["\ud800", "a\udfff", "\udc80b", "\ude00\ud83d"]


@pytest.mark.parametrize("text", SURROGATES)
@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "wer", "nist", "mteval-bleu", "chrf-original"])
def test_metrics_refuse_lone_surrogates(name: str, text: str) -> None:
    for hyps, refs in ((["a", text], ["a", "a"]), (["a", "a"], ["a", text])):
        with pytest.raises(InputError, match="Text 2 holds a lone surrogate"):
            metric(name).corpus(hyps, refs)


@pytest.mark.parametrize("text", SURROGATES)
@pytest.mark.parametrize("name", ["13a", "intl", "moses", "char"])
def test_tokenizers_refuse_lone_surrogates(name: str, text: str) -> None:
    with pytest.raises(InputError, match="lone surrogate"):
        tokenizer(name)(text)


def ints(*values: int) -> Ints:
    """An array of offsets."""
    return np.array(values, dtype=np.int64)


BYTES = np.frombuffer(b"abcd", dtype=np.uint8)
BAD_OFFSETS = [
    ints(),
    ints(1, 4),
    ints(0, 5),
    ints(0, 3, 2),
    ints(0, -1),
    ints(-1, 2),
    ints(0, 2**62),
    ints(0, 4, 4, 3),
]
TAKE_LINES: list[Callable[[Lines], Any]] = [
    kernels.unpack,
    lambda lines: kernels.lower(lines, "python"),
    lambda lines: kernels.split_whitespace(lines, 1),
    lambda lines: kernels.split_spaces(lines, 1),
    lambda lines: kernels.tokenize_13a(lines, 1),
    lambda lines: kernels.tokenize_intl(lines, 1),
    lambda lines: kernels.tokenize_zh(lines, 1),
    lambda lines: kernels.tokenize_char(lines, 1),
    lambda lines: kernels.tokenize_tercom(lines, True, True, True, False, True, 1),
    lambda lines: kernels.tokenize_terp(lines, True, False, 1),
    lambda lines: kernels.tokenize_mteval(lines, True, False, False, 1),
    lambda lines: kernels.tokenize_moses(lines, "right", "", True, False, {}, 1),
    lambda lines: kernels.chrf(lines, kernels.pack(["a"]), ints(0, 1), 6, 0, 2.0, False, False, False, 1),
    lambda lines: kernels.chrf(kernels.pack(["a"]), lines, ints(0, 1), 6, 0, 2.0, False, False, False, 1),
    lambda lines: kernels.InformationTable(2).add((*lines, ints(0))),
]
TAKE_TOKENS: list[Callable[[Tokens, Tokens, Ints], Any]] = [
    lambda h, r, g: kernels.bleu(h, r, g, 4, "closest", 1),
    lambda h, r, g: kernels.edits(h, r, g, False, False, 1),
    lambda h, r, g: kernels.per(h, r, g, 1),
    lambda h, r, g: kernels.ter(h, r, g, 1),
    lambda h, r, g: kernels.moses_ter(h, r, g, 1),
    lambda h, r, g: kernels.nist(h, r, g, kernels.InformationTable(2).weigh(r, 1), 1),
]


@pytest.mark.parametrize("take", TAKE_LINES)
@pytest.mark.parametrize("bad", BAD_OFFSETS, ids=str)
def test_offsets_outside_the_text_are_refused(take: Callable[[Lines], Any], bad: Ints) -> None:
    with pytest.raises(ValueError, match="offsets must rise and end within the bytes"):
        take((BYTES, bad))


@pytest.mark.parametrize("take", TAKE_TOKENS)
@pytest.mark.parametrize("bad", BAD_OFFSETS, ids=str)
def test_rows_outside_the_words_are_refused(take: Callable[[Tokens, Tokens, Ints], Any], bad: Ints) -> None:
    fine = pack_tokens([["a", "b", "c", "d"]])
    for hyps, refs in (((*fine[:2], bad), fine), (fine, (*fine[:2], bad))):
        with pytest.raises(ValueError, match="rows must rise and end within the words"):
            take(hyps, refs, ints(0, 1))


@pytest.mark.parametrize("take", TAKE_TOKENS)
@pytest.mark.parametrize(
    "bad", [ints(), ints(0), ints(0, 2), ints(1, 1), ints(0, 1, 1), ints(0, -1), ints(-1, 1)], ids=str
)
def test_groups_outside_the_references_are_refused(take: Callable[[Tokens, Tokens, Ints], Any], bad: Ints) -> None:
    one = pack_tokens([["a"]])
    with pytest.raises(ValueError, match="group"):
        take(one, one, bad)


@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))))
def test_times_drawn(samples: list[list[int]]) -> None:
    drawn = kernels.times_drawn(np.array(samples, np.int64).reshape(len(samples), -1 if samples else 0))
    assert drawn.tolist() == [resample.times_drawn(sample) for sample in samples]


@pytest.mark.parametrize("bad", [[[0, 2]], [[-1, 0]]])
def test_draws_outside_the_rows_are_refused(bad: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="index"):
        kernels.times_drawn(np.array(bad, np.int64))


@pytest.mark.parametrize("bad", [[[0, -1]], [[0, 1, 1]], [[0]]])
def test_samples_of_another_length_or_below_zero_are_refused(bad: list[list[int]]) -> None:
    with pytest.raises(ValueError, match=r"sample|never"):
        kernels.sampled_sums(np.array(bad, np.int32), np.ones((2, 1)), 1)


def test_masks_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="mask"):
        kernels.masked_sums(np.ones((1, 3), np.uint8), np.ones((2, 1)), 1)


@pytest.mark.parametrize("order", [0, -1])
def test_orders_below_one_are_refused(order: int) -> None:
    words = packed_words([Segment("a", ["a"])])
    with pytest.raises(ValueError, match="order"):
        kernels.bleu(*words, order, "closest", 1)
    with pytest.raises(ValueError, match="order"):
        kernels.InformationTable(order)
    with pytest.raises(ValueError, match="order"):
        kernels.chrf(kernels.pack(["a"]), kernels.pack(["a"]), offsets([1]), -1, order, 2.0, False, False, False, 1)


def test_tokens_come_back_as_rows() -> None:
    rows = [["a", ""], [], ["é", "😀"]]
    assert unpack_tokens(pack_tokens(rows)) == rows


@pytest.mark.thorough
def test_a_hundred_thousand_words_in_every_metric() -> None:
    """One word dropped in the middle: one error, whatever counts it; the same text: none."""
    words = [f"w{i % 977}" for i in range(100_000)]
    ref = " ".join(words)
    hyp = " ".join(words[:50_000] + words[50_001:])
    for spec in ("ter", "wer(tokenize=none)", "per(tokenize=none)", "moses-ter(tokenize=none)"):
        assert metric(spec).corpus([hyp], [ref]) == pytest.approx(100 / 100_000), spec
        assert metric(spec).corpus([ref], [ref]) == 0, spec
    for spec in ("chrf", "chrf++", "chrf-original", "bleu", "mteval-bleu", "moses-bleu(tokenize=none)"):
        assert 0.999 < metric(spec).corpus([hyp], [ref]) / metric(spec).corpus([ref], [ref]) < 1, spec


def test_a_hundred_thousand_words_against_few() -> None:
    """CDER jumps once to where the long text has the short one, and once to its end."""
    hyp = " ".join(["x"] * 50_000 + ["a", "b", "c"] + ["x"] * 50_000)
    assert metric("cder(tokenize=none)").corpus([hyp], ["a b c"]) == pytest.approx(100 * 2 / 3)
    assert metric("wer(tokenize=none)").corpus([hyp], ["a b c"]) == pytest.approx(100 * 100_000 / 3)


@given(st.lists(st.sampled_from("abcd"), max_size=90), st.lists(st.sampled_from("abcd"), min_size=1, max_size=90))
def test_wer_is_the_distance_of_rapidfuzz(hyp: list[str], ref: list[str]) -> None:
    """A second opinion, by a library that many use."""
    (found,) = kernels.edits(pack_tokens([hyp]), pack_tokens([ref]), offsets([1]), False, False, 1).tolist()
    assert found == [Levenshtein.distance(hyp, ref), len(ref)]
