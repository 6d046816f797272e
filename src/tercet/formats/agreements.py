"""Agreements of metrics with people as `tercet meta -o NAME.json` (or .jsonl) writes them, to be put beside others."""

from __future__ import annotations

from typing import Any

from tercet.data import MetricAgreement
from tercet.errors import InputError
from tercet.formats import cells, lines
from tercet.formats.lines import File
from tercet.formats.scores import is_score, json_records

_NAMES, _ENDS = ("metric", "level", "measure"), ("low", "high")
_MOST = 1 << 62  # systems, items or comparisons


def read_agreements(path: File) -> list[MetricAgreement]:
    """The records of a file: names, values, intervals and how much went in; the rest is not kept."""
    file = lines.shown(path)
    read = [_agreement(record, file, where, shown) for where, record, shown in json_records(lines.whole(path))]
    if not read:
        raise InputError(f"{file} has no records.", hint="Write it with tercet meta ... -o NAME.json.")
    return read


def _agreement(given: Any, file: str, where: str, shown: str) -> MetricAgreement:
    record: dict[str, Any] = given if isinstance(given, dict) else {}
    names, direction, n = [record.get(name) for name in _NAMES], record.get("direction", ""), record.get("n", 0)
    whole = isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= _MOST
    values = [record.get(name) for name in ("value", *_ENDS)]
    if not all(name and isinstance(name, str) for name in names) or not isinstance(direction, str) or not whole:
        raise _refused(file, where, shown)
    if "value" not in record or not all(map(is_score, values)):
        raise _refused(file, where, shown)
    metric, level, measure = map(str, names)
    value, low, high = (None if v is None else float(v) for v in values)
    return MetricAgreement(metric, level, measure, direction, float("nan") if value is None else value, low, high, n)


def _refused(file: str, where: str, shown: str) -> InputError:
    return InputError(
        f"{file}, {where}: {cells.shortened(shown, 80)!r} is no agreement of a metric.",
        hint="Write the file with tercet meta ... -o NAME.json.",
    )
