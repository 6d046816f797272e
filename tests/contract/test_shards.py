"""Every registered metric gives the same bytes in one run and from 1, 7 and 64 shards that are merged."""

from __future__ import annotations

import functools
import json
import pathlib
from typing import Any

import pytest

import tercet
from tercet import part_files
from tercet.counting import metric_choices
from tercet.data import TestSet, statistics
from tercet.errors import MissingExtraError
from tercet.metrics import METRICS
from tercet.report.tables import render_records
from tests.conftest import absent, everything_required
from tests.contract.metric_checks import OUTPUTS, REFERENCES, SCRIPTS, SEVERAL, corpus

HYPS = [*OUTPUTS, *SCRIPTS, "", OUTPUTS[0]]
REFS: list[Any] = [*SEVERAL, *(text[::2] or "x" for text in SCRIPTS), REFERENCES[1], ""]
DOCUMENTS = [f"doc{i * i % 5}" for i in range(len(HYPS))]  # that no block has alone
TEXTS = TestSet.of(
    {"one": HYPS, "two": HYPS[::-1]},
    REFS,
    sources=[text[: 2 * len(text) // 3] for text in HYPS],
    documents=DOCUMENTS,
)
QUESTIONS: dict[str, dict[str, Any]] = {
    "corpus": {},
    "documents": {"level": "document"},
    "segments": {"level": "segment"},
    "intervals and tests": {"ci": True, "paired": "bootstrap", "samples": 40},
    "documents exchanged": {"paired": "randomization", "trials": 40, "unit": "document"},
}


choices = functools.cache(metric_choices)  # files that options name stay as they are, and are looked at once


@functools.cache
def usable() -> tuple[str, ...]:
    """The metrics whose resources are here."""
    names = []
    for name in METRICS:
        try:
            corpus(METRICS.make(name), OUTPUTS, REFERENCES)
        except MissingExtraError as error:
            if everything_required():
                absent(f"{name} needs something that is not installed: {error}")
        else:
            names.append(name)
    assert {"nist", "yisi-0", "bleu", "ter"} <= set(names)
    return tuple(names)


def as_bytes(scores: tercet.Scores) -> str:
    """What a program gets."""
    return render_records(scores.as_records(), scores.signature, "json") + json.dumps(scores.notes)


@pytest.mark.parametrize("question", QUESTIONS)
def test_shards_give_the_bytes_of_one_run(
    question: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 2)  # nine blocks
    monkeypatch.setattr(part_files, "metric_choices", choices)
    options: dict[str, Any] = {"testset": TEXTS, "metrics": usable(), **QUESTIONS[question]}
    whole = as_bytes(tercet.score(**options))
    for shards in (1, 7, 64):
        parts = [tmp_path / f"{i}-{shards}.part" for i in range(1, shards + 1)]
        for i, part in enumerate(parts, 1):
            tercet.score_shard(**options, shard=f"{i}/{shards}", part=part)
        assert as_bytes(tercet.merge(parts[::-1])) == whole, shards
