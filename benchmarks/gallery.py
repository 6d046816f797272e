"""How long every metric takes, beside chrF: `python -m benchmarks.gallery` writes the figures of the docs' gallery.

One system of newstest2014 de-en, 3003 segments, one thread, tables and models loaded, the best of some runs. Metrics
that do nothing without a file of the user's are left out.
"""

from __future__ import annotations

import datetime
import platform
import sys
from functools import partial

import tercet
from benchmarks.rows import ROOT, SYSTEM, TEXTS, best_of, machine
from tercet.metrics import METRICS

FIGURES = ROOT / "benchmarks" / "gallery.tsv"
RUNS = 3
INSTALLED = "METEOR's files"  # the extra `meteor`


def seconds(name: str, hypotheses: list[str], references: list[str], sources: list[str]) -> float | None:
    """CPU-bound seconds of one corpus score, or none where the metric needs a file."""
    metric = tercet.metric(name)
    if metric.card.resources not in ("", INSTALLED):
        return None
    given = sources if "sources" in metric.needs else None
    metric.corpus(hypotheses[:10], references[:10], given and given[:10], threads=1)
    return best_of(RUNS, partial(metric.corpus, hypotheses, references, given, threads=1))[0]


def main() -> None:
    """Measure and write."""
    if not TEXTS.exists():
        sys.exit(f"The benchmark needs {TEXTS.relative_to(ROOT.parent)} beside the project.")
    testset = tercet.read_testset(TEXTS)
    if testset.references is None or testset.sources is None:
        sys.exit("The test set has no references or no sources.")
    hypotheses = list(testset.systems[SYSTEM])
    references = [testset.references[i][0] for i in range(len(testset))]
    found = {name: seconds(name, hypotheses, references, list(testset.sources)) for name in METRICS}
    chrf = found["chrf"]
    lines = [f"# {machine()}, Python {platform.python_version()}, {datetime.date.today().isoformat()}"]
    for name, each in found.items():
        if each is not None and chrf is not None:
            lines.append(f"{name}\t{each:.3f}\t{each / chrf:.2f}")
            print(lines[-1])
    FIGURES.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
