"""Every kernel beside its oracle: what it is given, how it is called, what it must give."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tercet import kernels
from tercet.text.moses import abbreviations
from tests.kernels import strategies
from tests.kernels.packing import packed_lines, packed_words, unpack_tokens
from tests.kernels.strategies import Segment
from tests.oracles import case, chrf, edits, moses, ngrams, resample, terp, tokenizers

FLAG = st.booleans()
# n-grams are packed into one number up to order 36, and from 7 on into less than seven bits a symbol
ORDERS = st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 18, 19, 36, 37])

Options = dict[str, Any]
Rows = list[list[float]]


@dataclasses.dataclass(frozen=True, repr=False)
class Case:
    """A kernel and its oracle, both from the same items and options; `threads` goes to the kernel alone."""

    name: str
    items: st.SearchStrategy[Any]
    options: st.SearchStrategy[Options]
    kernel: Callable[..., Any]  # (items, threads, **options)
    oracle: Callable[..., Any]  # (items, **options)
    exact: bool = True  # False: sums of logarithms, in another order

    def __repr__(self) -> str:
        return self.name  # hypothesis prints it


def tokenizer(name: str, kernel: Callable[..., Any], oracle: Callable[..., list[str]], **options: Any) -> Case:
    """A tokenizer: lines to rows of words."""
    return Case(
        name,
        st.lists(strategies.texts(), max_size=4),
        st.fixed_dictionaries(options),
        lambda lines, threads, **given: unpack_tokens(kernel(kernels.pack(lines), threads=threads, **given)),
        lambda lines, **given: [oracle(line, **given) for line in lines],
    )


def metric(name: str, kernel: Callable[..., Any], oracle: Callable[..., list[float]], **options: Any) -> Case:
    """A metric over words: segments to rows of numbers."""
    return Case(
        name,
        strategies.segments(),
        st.fixed_dictionaries(options),
        lambda segments, threads, **given: kernel(*packed_words(segments), threads=threads, **given).tolist(),
        lambda segments, **given: [oracle(s.hyp.split(), [r.split() for r in s.refs], **given) for s in segments],
    )


def lower(how: str) -> Case:
    """Lower-casing: lines to lines."""
    return Case(
        f"lower-{how}",
        st.lists(strategies.texts(), max_size=4),
        st.just({}),
        lambda lines, threads: kernels.unpack(kernels.lower(kernels.pack(lines), how)),
        lambda lines: [case.lower(line, how) for line in lines],
    )


def _moses_kernel(lines: Any, threads: int, language: str, **options: Any) -> Any:
    return kernels.tokenize_moses(lines, prefixes=abbreviations(language), threads=threads, **options)


def _moses_oracle(line: str, language: str, **options: Any) -> list[str]:
    return moses.moses(line, prefixes=abbreviations(language), **options)


def moses_case() -> Case:
    """The Moses tokenizer, on text whose letters were letters to Perl."""
    drawn = tokenizer(
        "moses",
        _moses_kernel,
        _moses_oracle,
        apostrophe=st.sampled_from(["right", "left", "glottal", "alone"]),
        word_internal=st.sampled_from(["", ":", "'", "·"]),
        escape=st.booleans(),
        aggressive=st.booleans(),
        language=st.sampled_from(["en", "de", "fi", "cs"]),
    )
    return dataclasses.replace(drawn, items=drawn.items.map(without_later_letters))


def without_later_letters(lines: list[str]) -> list[str]:
    """The lines without the characters that became letters after Unicode 14."""
    return ["".join(c for c in line if c not in strategies.later_letters()) for line in lines]


def _chrf_kernel(segments: Sequence[Segment], threads: int, **options: Any) -> Rows:
    rows: Rows = kernels.chrf(*packed_lines(segments), threads=threads, **options).tolist()
    return rows


def chrf_case(name: str, **options: Any) -> Case:
    """chrF: segments of text to rows of numbers."""
    beta = st.sampled_from([1.0, 2.0, 3.0])
    words = {"char_order": st.just(0), "word_order": ORDERS}
    both = {"char_order": ORDERS, "word_order": st.one_of(st.integers(0, 4), ORDERS)}
    orders = st.one_of(*(st.fixed_dictionaries({**some, "beta": beta, **options}) for some in (both, words)))
    return Case(
        name,
        strategies.segments(),
        orders,
        _chrf_kernel,
        lambda segments, **given: [chrf.chrf(s.hyp, s.refs, **given) for s in segments],
    )


def _nist_kernel(segments: Sequence[Segment], threads: int, order: int) -> Rows:
    hyps, refs, groups = packed_words(segments)
    table = kernels.InformationTable(order)
    table.add(refs)
    rows: Rows = kernels.nist(hyps, refs, groups, table.weigh(refs, threads), threads).tolist()
    return rows


def _nist_oracle(segments: Sequence[Segment], order: int) -> Rows:
    weights = ngrams.information([ref.split() for s in segments for ref in s.refs], order)
    return [ngrams.nist(s.hyp.split(), [r.split() for r in s.refs], weights, order) for s in segments]


NIST = Case(
    "nist",
    strategies.segments(),
    st.fixed_dictionaries({"order": ORDERS}),
    _nist_kernel,
    _nist_oracle,
    exact=False,
)


@st.composite
def tables(draw: st.DrawFn, choice: st.SearchStrategy[int]) -> tuple[list[list[int]], Rows]:
    """Samples or masks over a table of statistics; small whole numbers are summed in a way of their own."""
    n, k = draw(st.integers(1, 12)), draw(st.integers(1, 5))
    whole = st.one_of(st.integers(-50, 50), st.sampled_from([-32769, -32768, 32767, 32768])).map(float)
    number = draw(st.sampled_from([whole, st.one_of(whole, st.floats(-1e6, 1e6))]))
    rows = draw(st.lists(st.lists(number, min_size=k, max_size=k), min_size=n, max_size=n))
    samples = draw(st.lists(st.lists(choice, min_size=n, max_size=n), min_size=1, max_size=10))
    return samples, rows


def resampling(name: str, kernel: Any, oracle: Any, dtype: Any, choice: st.SearchStrategy[int]) -> Case:
    """Sums of rows, of samples or of masks."""
    return Case(
        name,
        tables(choice),
        st.just({}),
        lambda pair, threads: kernel(np.array(pair[0], dtype), np.array(pair[1]), threads).tolist(),
        lambda pair: [oracle(sample, pair[1]) for sample in pair[0]],
    )


TOKENIZERS = [
    tokenizer("none", kernels.split_whitespace, tokenizers.whitespace),
    tokenizer("spaces", kernels.split_spaces, tokenizers.spaces),
    tokenizer("char", kernels.tokenize_char, tokenizers.characters),
    tokenizer("13a", kernels.tokenize_13a, tokenizers.western_13a),
    tokenizer("intl", kernels.tokenize_intl, tokenizers.international),
    tokenizer("zh", kernels.tokenize_zh, tokenizers.chinese),
    tokenizer(
        "tercom",
        kernels.tokenize_tercom,
        tokenizers.tercom,
        normalized=FLAG,
        no_punct=FLAG,
        asian_support=FLAG,
        case_sensitive=FLAG,
        twice=FLAG,
    ),
    tokenizer("terp", kernels.tokenize_terp, terp.words, normalized=FLAG, case_sensitive=FLAG),
    tokenizer(
        "mteval",
        kernels.tokenize_mteval,
        tokenizers.mteval,
        international=FLAG,
        case_sensitive=FLAG,
        enclose_non_ascii=FLAG,
    ),
    moses_case(),
    *map(lower, ["python", "perl", "ascii"]),
]
METRICS = [
    metric(
        "bleu",
        lambda h, r, g, how, order, threads: kernels.bleu(h, r, g, order, how, threads),
        ngrams.bleu,
        order=ORDERS,
        how=st.sampled_from(["closest", "shortest", "average"]),
    ),
    chrf_case("chrf", whitespace=FLAG, eps_smoothing=FLAG, original=st.just(False)),
    chrf_case("chrf-original", whitespace=st.just(False), eps_smoothing=st.just(False), original=st.just(True)),
    NIST,
    metric("edits", kernels.edits, edits.edits, jumps=FLAG, best=FLAG),
    metric("per", kernels.per, edits.per),
    metric("ter", kernels.ter, edits.ter),
    metric("moses_ter", kernels.moses_ter, edits.moses_ter),
]
TIMES = st.one_of(st.integers(0, 3), st.sampled_from([32767, 32768, 10**9]))
RESAMPLING = [
    resampling("sampled_sums", kernels.sampled_sums, resample.weighted, np.int32, TIMES),
    resampling("masked_sums", kernels.masked_sums, resample.masked_sum, np.uint8, st.integers(0, 2)),
]
CASES = [*TOKENIZERS, *METRICS, *RESAMPLING]
