"""What an explanation promises, for any metric: its numbers are those of the score. A third party may run these."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence

import pytest

from tercet.data import EditScript, Explanation, Factor, NgramTable
from tercet.metric_base import Metric
from tests.contract.metric_checks import EMPTY_PAIRS, OUTPUTS, REFERENCES, SCRIPTS, SEVERAL, references_for, sources_for

Refs = str | Sequence[str | None]
CASES: list[tuple[str, Refs]] = [
    *zip(OUTPUTS, REFERENCES, strict=True),
    *zip(OUTPUTS, SEVERAL, strict=True),
    *zip(REFERENCES, REFERENCES, strict=True),
    *zip(SCRIPTS, SCRIPTS[1:] + SCRIPTS[:1], strict=True),
    *EMPTY_PAIRS,
]


def explained(metric: Metric, hyp: str, refs: Refs) -> Explanation:
    """One explanation, with what the metric needs; the checks of a metric look at the same ones."""
    return _explained(metric, hyp, refs if isinstance(refs, str) else tuple(refs))


@functools.lru_cache(len(CASES))
def _explained(metric: Metric, hyp: str, refs: Refs) -> Explanation:
    wanted = refs if "references" in metric.needs else None
    sources = sources_for(metric, [hyp])
    return metric.explain(hyp, wanted, None if sources is None else sources[0])


def check_score(metric: Metric) -> None:
    """The score is that of `segments`, to the bit, and so are the statistics."""
    for hyp, refs in CASES:
        found = explained(metric, hyp, refs)
        wanted = metric.segments([hyp], references_for(metric, [refs]), sources_for(metric, [hyp]))[0]
        assert found.score == pytest.approx(wanted, rel=0, abs=0, nan_ok=True), (hyp, refs)
        rows = metric.statistics(metric.batch([hyp], references_for(metric, [refs]), sources_for(metric, [hyp])))
        assert [value for _, value in found.statistics] == pytest.approx(rows[0].tolist(), rel=0, abs=0, nan_ok=True)
        assert found.metric == str(metric)
        assert len(dict(found.statistics)) == rows.shape[1], "two statistics have one name"


def check_formula(metric: Metric) -> None:
    """Every number of the formula follows from those below it, and the first is the score."""
    for hyp, refs in CASES:
        found = explained(metric, hyp, refs)
        if found.formula is not None:
            assert found.formula.value == pytest.approx(found.score, rel=0, abs=0, nan_ok=True)
            for _, factor in found.formula.walk():
                check_factor(factor)


def check_factor(factor: Factor) -> None:
    """A number that has parts by an operation is what the operation gives; one by a rule says which."""
    assert math.isfinite(factor.value)
    assert factor.computed() == pytest.approx(factor.value, rel=1e-6, abs=1e-9), factor
    if factor.operation == "given":
        assert factor.parts == ()
    else:
        assert factor.parts
    if factor.operation == "rule":
        assert factor.note


def check_words(metric: Metric) -> None:
    """Matches, edits and n-grams lie within the words, and add up."""
    for hyp, refs in CASES:
        found = explained(metric, hyp, refs)
        for match in found.matches:
            assert 0 <= match.hypothesis[0] < match.hypothesis[1] <= len(found.hypothesis)
            assert 0 <= match.reference[0] < match.reference[1] <= len(found.reference)
        assert sum(bool(kind) for row in found.matrix() for kind in row) >= len(found.matches)
        if found.edits is not None:
            check_edits(found, found.edits)
        for table in found.ngrams:
            check_table(table)


def check_edits(found: Explanation, script: EditScript) -> None:
    """There are as many edits as the statistics say: all together, or of each kind."""
    together = [(name, value) for name, value in found.statistics if name.startswith("edits")]
    for name, value in together:
        assert script.cost == value / (100 if "100" in name else 1)
    if not together:
        counts = {kind: n for kind, n in script.counts().items() if kind not in ("match", "jump")}
        told = {kind: [value for name, value in found.statistics if name.startswith(kind)] for kind in counts}
        assert told == {kind: [n] for kind, n in counts.items()}


def check_table(table: NgramTable) -> None:
    """n-grams are counted as often as they occur, and found no more often than that."""
    symbols = table.symbols(table.hypothesis)
    for each, hits in zip(table.orders, table.hits(), strict=True):
        assert each.hypothesis == max(0, len(symbols) - each.order + 1)
        assert each.matched == sum(hits)
        for ngram in each.ngrams:
            assert ngram.matched == min(ngram.hypothesis, ngram.reference)
    assert len(table.longest()) == len(table.shares()) == len(symbols)


def check_json(metric: Metric) -> None:
    """A record is JSON as it is, and says what the explanation says."""
    for hyp, refs in CASES:
        found = explained(metric, hyp, refs)
        record = json.loads(json.dumps(found.as_record(), allow_nan=False))
        assert record["metric"] == str(metric)
        assert record["score"] == (None if math.isnan(found.score) else found.score)
        assert len(record["statistics"]) == len(found.statistics)


CHECKS = [check_score, check_formula, check_words, check_json]
