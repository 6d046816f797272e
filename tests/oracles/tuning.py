"""What comparisons count at every point of a grid: each score, each comparison, one after the other, as fractions."""

from collections.abc import Sequence
from fractions import Fraction

Numbers = Sequence[Fraction]
Comparison = tuple[int, int, int, int]  # left, right, what a win of the left counts, and of the right


def score(precision: Fraction, recall: Fraction, penalty: Fraction, alpha: Fraction, gamma: Fraction) -> Fraction:
    """A harmonic mean with a penalty; 0 where nothing matches."""
    if precision == 0 or recall == 0:
        return Fraction(0)
    return (1 - gamma * penalty) / ((1 - alpha) / precision + alpha / recall)


def harmonic_grid(
    precision: Numbers,
    recall: Numbers,
    penalties: Sequence[Numbers],
    groups: Sequence[Sequence[Comparison]],
    alphas: Numbers,
    gammas: Numbers,
) -> list[list[list[list[int]]]]:
    """Sums of each group, by beta, alpha and gamma."""
    out: list[list[list[list[int]]]] = []
    for row in penalties:
        out.append([])
        for alpha in alphas:
            out[-1].append([])
            for gamma in gammas:
                scores = [score(p, r, f, alpha, gamma) for p, r, f in zip(precision, recall, row, strict=True)]
                sums = []
                for group in groups:
                    total = 0
                    for left, right, up, down in group:
                        total += up if scores[left] > scores[right] else down if scores[left] < scores[right] else 0
                    sums.append(total)
                out[-1][-1].append(sums)
    return out
