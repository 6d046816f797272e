"""Numbers as text, the same in every table, sentence, page and figure.

    score            27.35     as many digits as the metric's scores have
    difference       +1.20     with its sign; what rounds to nothing has none: 0.00
    coefficient      .977      correlations, shares, kappas: no zero before the point; 1.000 from 1 on
    gain             +.012     a difference of two coefficients
    part             3, 0.8889 of a formula
    plain            0.85      a weight or another choice, as it was given
    percent          75 %
    seconds          2.4 s
    thousands        10 000
    interval         [26.10, 28.50]; [+0.003, +0.810] of a difference: no end is rounded to 0
    p_value, p_told  .031, p = .031; <.001, p < .001: never 0, and never rounded across a level of significance
    epsilon          0.01234   the difference up to which two scores are a tie
    counted          1 system, 1200 systems
    rank_range       2–4

What is not defined (NaN) is `n/a`; where no number was asked for stands `–`. A minus is `-`, so that it can be pasted;
pages and figures print it as `−` (`typeset`), LaTeX as `$-$`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence

UNDEFINED = "n/a"
ABSENT = "–"
REFERENCE_FREE = "†"  # after the name of a metric that looks at no reference
UNORDERED = "≀"  # before a figure that is higher than the one above, unlike the average
FEWER = "*"  # after a figure of a metric that was held against less of people's side than others
DIGITS = 3  # of a coefficient
ALPHA = 0.05
_MINUS = re.compile(r"(?<![\w.)])-(?=[.\d])")


def score(value: float | None, digits: int = 2) -> str:
    """A number with a fixed count of digits.

    >>> score(27.346), score(-0.001), score(float("nan")), score(None)
    ('27.35', '0.00', 'n/a', '–')
    """
    if value is None:
        return ABSENT
    return UNDEFINED if math.isnan(value) else f"{_rounded(value, digits):.{digits}f}"


def difference(value: float | None, digits: int = 2) -> str:
    """A number with its sign, none where it rounds to nothing.

    >>> difference(1.5), difference(-0.5, 1), difference(-0.004), difference(float("nan"))
    ('+1.50', '-0.5', '0.00', 'n/a')
    """
    return _signed(score(value, digits), value, digits)


def coefficient(value: float | None, digits: int = DIGITS, half_width: float | None = None) -> str:
    """A coefficient as papers print it, and its ± if there is one.

    >>> coefficient(0.977, half_width=0.009), coefficient(-0.5), coefficient(1.0), coefficient(float("nan"))
    ('.977 ± .009', '-.500', '1.000', 'n/a')
    """
    text = score(value, digits)
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    if half_width is None or math.isnan(half_width) or value is None or math.isnan(value):
        return text
    return f"{text} ± {coefficient(half_width, digits)}"


def bounded(
    value: float | None,
    low: float | None,
    high: float | None,
    digits: int = DIGITS,
    half_width: float | None = None,
) -> str:
    """A coefficient and its interval, if it has one: the ends, which seldom lie equally far from it, or its ± if given.

    >>> bounded(0.961, 0.519, 0.998), bounded(0.5, None, None), bounded(0.5, 0.375, 0.625, half_width=0.125)
    ('.961 [.519, .998]', '.500', '.500 ± .125')
    """
    text = coefficient(value, digits, half_width)
    if low is None or high is None or half_width is not None:
        return text
    return f"{text} [{coefficient(low, digits)}, {coefficient(high, digits)}]"


def mean_of_all(values: Sequence[float | None]) -> float | None:
    """The mean, if every value is known: as tables of papers average what belongs to their figures.

    >>> mean_of_all([0.25, 0.75]), mean_of_all([0.25, None]), mean_of_all([])
    (0.5, None, None)
    """
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(values) else None


def gain(value: float | None, digits: int = DIGITS) -> str:
    """A difference of two coefficients.

    >>> gain(0.0123), gain(-0.5), gain(0.00001)
    ('+.012', '-.500', '.000')
    """
    return _signed(coefficient(value, digits), value, digits)


def part(value: float) -> str:
    """A number inside a formula: counts are whole, all others have four digits.

    >>> part(3.0), part(8 / 9)
    ('3', '0.8889')
    """
    return score(value, 0 if value.is_integer() and abs(value) < 1e15 else 4)


def plain(value: float, digits: int = 6) -> str:
    """A number that was chosen, not measured: a weight, a level, a parameter.

    >>> plain(0.85), plain(2.0), plain(1 / 3, 3), plain(1_000_000)
    ('0.85', '2', '0.333', '1000000')
    """
    return str(value) if isinstance(value, int) else f"{value:.{digits}g}"


def percent(share: float) -> str:
    """A share in percent.

    >>> percent(0.8), percent(0.754)
    ('80 %', '75 %')
    """
    return f"{score(100 * share, 0)} %"


def seconds(value: float) -> str:
    """A time.

    >>> seconds(2.44)
    '2.4 s'
    """
    return f"{score(value, 1)} s"


def thousands(number: int) -> str:
    """A large number, which can be read.

    >>> thousands(1234567), thousands(12)
    ('1 234 567', '12')
    """
    return f"{number:,}".replace(",", " ")


def interval(low: float, high: float, digits: int = 2, *, signed: bool = False) -> str:
    """Two ends; `signed` where they are those of a difference: then both have more digits where one would round to 0.

    >>> interval(26.1, 28.5), interval(-0.5, 0.25, signed=True), interval(0.003, 0.81, signed=True)
    ('[26.10, 28.50]', '[-0.50, +0.25]', '[+0.003, +0.810]')
    """
    if not signed:
        return f"[{score(low, digits)}, {score(high, digits)}]"
    most = digits + 4
    kept = (d for d in range(digits, most) if all(end == 0 or _rounded(end, d) != 0 for end in (low, high)))
    places = next(kept, most)
    return f"[{difference(low, places)}, {difference(high, places)}]"


def p_value(p: float | None, levels: Collection[float] = (ALPHA,), digits: int = DIGITS) -> str:
    """A p-value in a cell: three digits, more where these would put it on the other side of a level.

    >>> p_value(0.0312), p_value(0.00002), p_value(0.04996), p_value(float("nan"))
    ('.031', '<.001', '.04996', 'n/a')
    """
    if p is None or math.isnan(p):
        return coefficient(p)
    if p < 10**-digits:
        return f"<{coefficient(10**-digits, digits)}"
    kept = (
        d for d in range(digits, digits + 4) if all(_side(round(p, d), alpha) == _side(p, alpha) for alpha in levels)
    )
    return coefficient(p, next(kept, digits + 4))


def p_told(p: float | None, levels: Collection[float] = (ALPHA,)) -> str:
    """A p-value in a sentence.

    >>> p_told(0.0312), p_told(0.00002), p_told(float("nan"))
    ('p = .031', 'p < .001', 'p is not defined')
    """
    if p is None or math.isnan(p):
        return "p is not defined"
    text = p_value(p, levels)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def level(alpha: float) -> str:
    """A level of significance.

    >>> level(0.05), level(0.001)
    ('.05', '.001')
    """
    return f"{alpha:g}".replace("0.", ".", 1)


def epsilon(value: float | None) -> str:
    """The largest difference of two scores that is a tie, in whatever unit they have.

    >>> epsilon(0.0123412), epsilon(12.0), epsilon(None)
    ('0.01234', '12', '–')
    """
    return ABSENT if value is None else f"{value:.4g}"


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "system"), counted(1200, "system")
    ('1 system', '1200 systems')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def rank_range(low: int, high: int) -> str:
    """Ranks from the best to the worst.

    >>> rank_range(2, 4), rank_range(1, 1)
    ('2–4', '1')
    """
    return str(low) if low == high else f"{low}–{high}"


def typeset(text: str) -> str:
    """Text with real minus signs before its numbers, for pages and figures; hyphens in names stay.

    >>> typeset("-0.5 [-.5, +1], en-de, WMT-14, p = .5"), typeset("-.25")
    ('−0.5 [−.5, +1], en-de, WMT-14, p = .5', '−.25')
    """
    return _MINUS.sub("−", text)


def _signed(text: str, value: float | None, digits: int) -> str:
    return f"+{text}" if value is not None and _rounded(value, digits) > 0 else text


def _rounded(value: float, digits: int) -> float:
    """As it is printed; no minus before a zero."""
    return float(f"{value:.{digits}f}") + 0.0


def _side(p: float, alpha: float) -> tuple[bool, bool]:
    return p < alpha, p <= alpha
