"""YiSi without parses: n-grams beside the most similar ones of the other side."""

from collections.abc import Callable, Sequence

Words = Sequence[str]
Similarity = Callable[[str, str], float]
Weight = Callable[[str], float]


def shares(hyp: Words, ref: Words, order: int, similarity: Similarity, weight: Weight) -> tuple[float, float]:
    """Precision and recall."""
    if not hyp or not ref:
        return 0.0, 0.0
    n = min(order, len(hyp), len(ref))
    return side(hyp, ref, n, similarity, weight), side(ref, hyp, n, similarity, weight)


def side(ones: Words, others: Words, n: int, similarity: Similarity, weight: Weight) -> float:
    """The weighted mean similarity of the n-grams of one side with their best matches."""
    top = bottom = 0.0
    for i in range(len(ones) - n + 1):
        gram = ones[i : i + n]
        total = sum(map(weight, gram))
        best = max(
            sum(weight(a) * similarity(a, b) for a, b in zip(gram, others[j : j + n], strict=True)) / total
            for j in range(len(others) - n + 1)
        )
        top += total * best
        bottom += total
    return top / bottom


def common(one: bytes, other: bytes) -> int:
    """The length of the longest common string."""
    pieces = (one[i:j] for i in range(len(one)) for j in range(i + 1, len(one) + 1))
    return max((len(piece) for piece in pieces if piece in other), default=0)


def letters(one: str, other: str) -> float:
    """How much two words have in common."""
    a, b = one.encode(), other.encode()
    return 2 * common(a, b) / (len(a) + len(b))
