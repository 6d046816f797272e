"""A metric and a tokenizer of another distribution are found, named, scored, and held to the same contract."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from tests.conftest import ROOT

MODULE = '''
"""A third party's metric and tokenizer."""

import dataclasses
import numpy as np
from tercet.metric import Card, Metric
from tercet.spec import option
from tercet.text.base import PythonTokenizer


@dataclasses.dataclass(frozen=True)
class Overlap(Metric):
    """Statistics: [distinct words in common, distinct reference words]."""

    fold: bool = option(False, "fold case")

    name = "x-overlap"
    card = Card("Overlap", "Share of reference words.", "nowhere", "0 to 1", "itself")

    def statistics(self, batch):
        rows = []
        for i, hyp in enumerate(batch.hypotheses):
            found = []
            for ref in batch.references[i]:
                ours, theirs = (set((t.casefold() if self.fold else t).split()) for t in (hyp, ref))
                found.append((len(ours & theirs) - len(ours - theirs), len(theirs)))
            rows.append(max(found, key=lambda row: row[0]))
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def score(self, stats):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(stats[..., 1] > 0, stats[..., 0] / stats[..., 1], 0)


@dataclasses.dataclass(frozen=True)
class Hyphens(PythonTokenizer):
    """Splits at hyphens and white space."""

    mark: str = option("-", "where to split")

    name = "x-hyphens"
    summary = "splits at hyphens"

    def split(self, text):
        return text.replace(self.mark, " ").split()
'''
ENTRY_POINTS = """
[tercet.metrics]
x-overlap = tercet_example_plugin:Overlap

[tercet.tokenizers]
x-hyphens = tercet_example_plugin:Hyphens
"""
PROGRAM = """
import json
from tercet.metrics import METRICS, metric
from tercet.text import TOKENIZERS, tokenizer
from tests.contract import metric_checks, tokenizer_checks

passed = []
for check in metric_checks.CHECKS:
    check(METRICS.make("x-overlap"))
    passed.append(check.__name__)
for check in tokenizer_checks.CHECKS:
    check(TOKENIZERS.make("x-hyphens"))
    passed.append(check.__name__)
print(json.dumps({
    "registered": ["x-overlap" in list(METRICS), "x-hyphens" in list(TOKENIZERS)],
    "spec": str(metric("x-overlap( fold = true )")),
    "scores": [metric("x-overlap").corpus(["a B"], ["a b"]), metric("x-overlap(fold=true)").corpus(["a B"], ["a b"])],
    "words": tokenizer("x-hyphens")("a-b c"),
    "bleu": metric("bleu(tokenize=x-hyphens, order=1)").corpus(["a-b"], ["a b"]),
    "checks": len(passed),
}))
"""


def install(folder: pathlib.Path) -> None:
    """What pip would leave behind."""
    (folder / "tercet_example_plugin.py").write_text(MODULE, encoding="utf-8")
    info = folder / "tercet_example_plugin-1.0.dist-info"
    info.mkdir()
    metadata = "Metadata-Version: 2.1\nName: tercet-example-plugin\nVersion: 1.0\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    (info / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")


def run(program: str, *paths: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """A program with these folders on its path."""
    path = os.pathsep.join([*map(str, paths), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)


def test_a_plugin_is_a_metric_like_any_other(tmp_path: pathlib.Path) -> None:
    install(tmp_path)
    done = run(PROGRAM, tmp_path, ROOT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["registered"] == [True, True]
    assert found["spec"] == "x-overlap(fold=true)"
    assert found["scores"] == [0.0, 1.0]
    assert found["words"] == ["a", "b", "c"]
    assert found["bleu"] == pytest.approx(100)
    assert found["checks"] > 15


def test_without_the_plugin_its_name_is_unknown() -> None:
    done = run("from tercet.metrics import metric; metric('x-overlap')", ROOT)
    assert done.returncode != 0
    assert "There is no metric called 'x-overlap'" in done.stderr
