"""A report in which every name is an attack or a burden."""

from __future__ import annotations

import numpy as np

from tercet.data.meta import Calibration, MetricTests, Scatter, TopCurve
from tercet.report.html import (
    CalibrationBlock,
    Cell,
    FoldBlock,
    MatrixBlock,
    Report,
    ScatterBlock,
    Section,
    TableBlock,
    TopCurveBlock,
)

NAMES = (
    "<script>window.hacked=1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "'; window.hacked=1; '",
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "]]></svg></style><b>",
    "$policy ${style} $$",
    "\\u003c\\",
    "abc\u202edef\u2066\u2069",
    "مترجم-آلي",
    "a\x00b\x07\ud800\u2028c",
    "x" * 1_000_000,
    "javascript:alert(1)",
    "&lt;b&gt; &amp;",
    "",
    "l" * 60 + " " + "m" * 60,
)


def report(names: tuple[str, ...] = NAMES) -> Report:
    """Every text of a page made of the names."""
    n = len(names)
    up = tuple(float(i) for i in range(n))
    nan = float("nan")
    p = np.where(np.tri(n, dtype=bool), 0.5, 0.004)
    np.fill_diagonal(p, nan)
    epsilon = np.linspace(0, 1, 20)
    table = TableBlock(
        names[0],
        (names[1], names[2], "score"),
        tuple((Cell(a, a), Cell(b, b, True, a), Cell("1", float(i))) for i, (a, b) in enumerate(_pairs(names))),
        frozenset({1}),
        names[:8],
        2,
    )
    scatters = tuple(
        Scatter(names[3], m, names, up, (*up[:-1], nan), (False,) * n, agreement=0.5, higher_is_better=i % 2 == 0)
        for i, m in enumerate(names)
    )
    curves = tuple(TopCurve("", names[4], m, (4, 5, 6), (0.1 * i, nan, 0.3)) for i, m in enumerate(names))
    blocks = (
        table,
        ScatterBlock(names[5], scatters),
        TopCurveBlock(names[6], curves, frozenset(names[:2])),
        MatrixBlock(names[7], MetricTests("", "system", names[0], names[1], names, p)),
        CalibrationBlock(names[8], tuple(Calibration("", m, epsilon, epsilon / 2, 1.0) for m in names)),
        FoldBlock(names[0], "\n".join(names[:11])),
    )
    sections = (*(Section(m, m, m, ()) for m in names[:-1]), Section(names[-1], names[-1], names[-1], blocks))
    return Report(names[0], names, sections, names[3], names[:11])


def _pairs(names: tuple[str, ...]) -> list[tuple[str, str]]:
    return list(zip(names, names[::-1], strict=True))


def plain() -> Report:
    """The same report with names that do no harm; long ones stay long, and none stays none."""
    return report(tuple(f"name{i:02d}".ljust(min(len(name), 200), "z")[: len(name)] for i, name in enumerate(NAMES)))
