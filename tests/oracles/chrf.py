"""Character n-gram F-score: counts against the best reference, as sacreBLEU or as chrF++.py."""

import string
from collections.abc import Sequence

from tests.oracles.ngrams import ngrams

EPSILON = 1e-16


def chrf(
    hyp: str,
    refs: Sequence[str],
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    eps_smoothing: bool,
    original: bool,
) -> list[float]:
    """[hypothesis count, reference count, matches] of each character order, then of each word order."""

    def score(row: list[float]) -> float:
        if original:
            return original_f(row, beta)
        return mean_of_f(row, beta) if eps_smoothing else f_of_means(row, beta)

    rows = [counts(hyp, ref, char_order, word_order, whitespace, original) for ref in refs]
    return max(rows, key=score)  # the first of the best


def counts(hyp: str, ref: str, char_order: int, word_order: int, whitespace: bool, original: bool) -> list[float]:
    """The counts against one reference."""
    row: list[float] = []
    for n in range(1, char_order + 1):
        row += triple(characters(hyp, whitespace, original), characters(ref, whitespace, original), n)
    for n in range(1, word_order + 1):
        row += triple(words(hyp), words(ref), n)
    return row


def triple(hyp: Sequence[str], ref: Sequence[str], n: int) -> list[float]:
    """Counts of one order; without a reference n-gram the hypothesis' own do not count either."""
    ours, theirs = ngrams(hyp, n), ngrams(ref, n)
    return [ours.total() if theirs else 0, theirs.total(), (ours & theirs).total()]


def characters(text: str, whitespace: bool, original: bool) -> str:
    """What counts as a character: sacreBLEU drops all white space, chrF++.py the ends' and the ASCII space."""
    if original:
        return text.strip().replace(" ", "")
    return text if whitespace else "".join(text.split())


def words(text: str) -> list[str]:
    """White space splits, and one punctuation mark comes off a word: the last character, or else the first."""
    out: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            out += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            out += [word[0], word[1:]]
        else:
            out.append(word)
    return out


def orders(row: list[float]) -> list[tuple[float, float, float]]:
    """The triples of a row."""
    return list(zip(row[0::3], row[1::3], row[2::3], strict=True))


def f(precision: float, recall: float, beta: float, nothing: float) -> float:
    """F, in which recall counts beta times."""
    denominator = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / denominator if denominator > 0 else nothing


def f_of_means(row: list[float], beta: float) -> float:
    """sacreBLEU: F of the means of precision and recall over the orders that both sides have."""
    both = [(matches / hyp, matches / ref) for hyp, ref, matches in orders(row) if hyp > 0 and ref > 0]
    if not both:
        return 0.0
    return 100 * f(sum(p for p, _ in both) / len(both), sum(r for _, r in both) / len(both), beta, 0.0)


def mean_of_f(row: list[float], beta: float) -> float:
    """sacreBLEU with eps_smoothing: the mean of the orders' F."""
    values = [
        f(matches / hyp if hyp else EPSILON, matches / ref if ref else EPSILON, beta, EPSILON)
        for hyp, ref, matches in orders(row)
    ]
    return 100 * sum(values) / len(values)


def original_f(row: list[float], beta: float) -> float:
    """chrF++.py: the sum of the orders' F, in which an order without a match is absent."""
    return sum(f(matches / hyp, matches / ref, beta, EPSILON) for hyp, ref, matches in orders(row) if matches)
