"""The table of WMT14's medical task: three ways to look at a text, the same metrics (Bojar et al. 2014, section 5).

    original      the translation as it was submitted: BLEU
    truecased     after punctuation normalisation: BLEU, 1-TER, 1-PER, 1-CDER
    lowercased    after punctuation normalisation and lower-casing: the same four

Error rates are shown as 1 - rate, so that higher is better everywhere. A rate can exceed 1: the figure is then below 0,
and stays so.
"""

from __future__ import annotations

import dataclasses
import math

from tercet import numbers
from tercet.data import Score, Scores
from tercet.data.table import Table, highest
from tercet.errors import InputError
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.spec import Registry, Spec, option

_COLUMNS = ("BLEU", "1-TER", "1-PER", "1-CDER")
_DIGITS = 2


@dataclasses.dataclass(frozen=True)
class Medical(Spec):
    """The metrics of the table, and the table that their scores make."""

    language: str = option("en", "target language, for the tokens of TER, PER and CDER")
    unconstrained: tuple[str, ...] = option((), "systems trained on other data than the task's: a section of their own")
    online: tuple[str, ...] = option((), "systems that are shown for reference, without a score of the original text")

    name = "medical"
    summary = "the medical task's: original, normalised truecased and lowercased; BLEU, 1-TER, 1-PER, 1-CDER, with ±"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.metrics()  # which refuse a language that they do not take

    def metrics(self) -> tuple[Metric, ...]:
        """BLEU of the original, and the four metrics with and without case."""
        cased, lower = f"language={self.language}, normalize=punct", f"language={self.language}, normalize=punct, "
        specs = [
            "bleu",
            "bleu(normalize=punct)",
            *(f"{name}({cased})" for name in ("moses-ter", "per", "cder")),
            "bleu(normalize=punct, lowercase=true)",
            *(f"{name}({lower}lowercase=unicode)" for name in ("moses-ter", "per", "cder")),
        ]
        return tuple(METRICS.make(spec) for spec in specs)

    def table(self, scores: Scores) -> Table:
        """Constrained systems first, unconstrained ones, then those for reference; the best in bold."""
        metrics = self.metrics()
        rows: dict[str, dict[str, Score]] = {}
        for record in scores:
            rows.setdefault(record.system, {})[record.metric] = record
        sections = self._sections(list(rows))
        values = {
            name: [_value(row[str(m)].score, m) if str(m) in row else math.nan for m in metrics]
            for name, row in rows.items()
        }
        for name in self.online:
            values[name][0] = math.nan
        order = [name for section in sections for name in section]
        cells = tuple(
            (name, *(_figure(values[name][c], rows[name].get(str(m)), c > 0) for c, m in enumerate(metrics)))
            for name in order
        )
        ends = {sum(map(len, sections[: i + 1])) - 1 for i in range(len(sections))} - {len(order) - 1, -1}
        header = ("system", "original", "truecased", "", "", "", "lowercased", "", "", "")
        notes = (
            "truecased, lowercased: after punctuation normalisation. All × 100; error rates as 1 - rate, not clamped.",
            "± half of the 95 % bootstrap interval over segments.",
            *dict.fromkeys(r.signature for r in scores),
            *([scores.data] if scores.data else []),
        )
        best = self._best(order, values, sections)
        return Table(header, cells, notes, best, frozenset(ends), ("", "BLEU", *_COLUMNS, *_COLUMNS))

    def _sections(self, systems: list[str]) -> list[list[str]]:
        for option_, names in (("unconstrained", self.unconstrained), ("online", self.online)):
            for name in names:
                if name not in systems:
                    raise InputError(
                        f"medical: {option_} names {name!r}, which is no system.",
                        hint=f"There are {', '.join(systems)}.",
                    )
        others = {*self.unconstrained, *self.online}
        return [[s for s in systems if s not in others], list(self.unconstrained), list(self.online)]

    def _best(
        self, order: list[str], values: dict[str, list[float]], sections: list[list[str]]
    ) -> frozenset[tuple[int, int]]:
        """Of each column the best constrained system, and the best unconstrained one if it is higher."""
        best = set()
        for c in range(len(self.metrics())):
            above = -math.inf
            for section in sections[:2]:
                column = [values[name][c] for name in section]
                tops = highest(column, _DIGITS)
                if tops and round(column[tops[0]], _DIGITS) > above:
                    best |= {(order.index(section[i]), c + 1) for i in tops}
                    above = round(column[tops[0]], _DIGITS)
        return frozenset(best)


TABLES: Registry[Medical] = Registry(
    kind="table", group="tercet.tables", base=Medical, table={"medical": "tercet.medical:Medical"}
)


def _value(score: float, metric: Metric) -> float:
    return score if metric.higher_is_better else 100.0 - score


def _figure(value: float, score: Score | None, interval: bool) -> str:
    if math.isnan(value) or score is None:
        return ""
    text = numbers.score(value, _DIGITS)
    if interval and score.low is not None and score.high is not None:
        text += f" ± {numbers.score((score.high - score.low) / 2, _DIGITS)}"
    return text
