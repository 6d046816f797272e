"""`tercet compare`: how a comparison is shown, and when it fails a build."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tercet import numbers
from tercet.cli.command import Given, command
from tercet.cli.sacrebleu import several
from tercet.cli.shared import Drawn
from tercet.errors import InputError
from tercet.options import setting
from tercet.options.groups import DEFAULT_METRICS, Names
from tercet.options.scoring import CompareOptions

if TYPE_CHECKING:
    from tercet.data import Comparison

WORSE = 3  # exit status
_EXAMPLE = """\
For example:

  tercet compare base.txt new.txt -r ref.txt -s src.txt
  tercet compare base.txt new.txt -r ref.txt -s src.txt -o page.html
  tercet compare --testset campaign.tsv.gz --baseline mine -m bleu -m chrf -f markdown
  tercet compare new.txt -r ref.txt --baseline previous.json --fail-if-worse bleu -o now.json

tercet compare --help explains every option.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownComparison(Drawn):
    fail_if_worse: Names = setting((), "Metric: exit with 3 if a system is significantly worse; several.")


@command(CompareOptions, ShownComparison, example=_EXAMPLE, spellings=several, needs=("hypotheses", "testset"))
def compare_command(given: Given, shown: ShownComparison) -> None:
    """Compare systems: who is better, by how much, where, and is it luck?"""
    from tercet.cli.output import progress_bar, warn
    from tercet.comparing.compare import compare

    watched = _watched(shown.fail_if_worse, given.get("metrics", DEFAULT_METRICS))
    with progress_bar() as progress:
        comparison = compare(**given, progress=progress)
    _deliver(comparison, shown)
    worse = _worse(comparison, watched)
    if worse:
        warn(f"worse: {'; '.join(worse)}.")
        raise SystemExit(WORSE)


def _watched(names: Sequence[str], metrics: Sequence[str]) -> list[str]:
    """The metrics that must not fall, by their canonical names."""
    from tercet.metrics import METRICS

    known = [str(METRICS.make(m)) for m in metrics]
    wanted = [str(METRICS.make(name)) for name in names]
    for name in wanted:
        if name not in known:
            raise InputError(
                f"--fail-if-worse {name} is not among the metrics.", hint=f"Add -m {name}, or name {', '.join(known)}."
            )
    return wanted


def _worse(comparison: Comparison, metrics: list[str]) -> list[str]:
    """Systems that are significantly worse than their earlier run, or than the baseline."""
    pairs = [(t.system, t.earlier) for t in comparison.tracks] or [
        (name, comparison.baseline) for name in comparison.others
    ]
    tests = [comparison.difference(metric, *pair) for metric in metrics for pair in pairs]
    digits = {m.metric: m.digits for m in comparison.metrics}
    return [
        f"{d.system} than {d.baseline} by {d.metric} "
        f"({numbers.difference(d.difference, digits[d.metric])}, {numbers.p_told(d.p_value)})"
        for d in tests
        if d.verdict == "worse"
    ]


def _deliver(comparison: Comparison, shown: ShownComparison) -> None:
    from tercet.cli.output import deliver, draw_answer, emit, show_table, tell
    from tercet.escaping import clean, json_text
    from tercet.report import render
    from tercet.report.comparison import comparison_scores, markdown, terminal
    from tercet.report.scores import scores_table

    form, path = shown.form, shown.path
    if shown.picture and path is not None:
        draw_answer(comparison, path)
    elif form == "html":
        from tercet.comparing.marks import marked
        from tercet.report.html.compare import page

        emit(page(marked(comparison)), path)
    elif form == "json":
        emit(json_text(comparison.to_dict()) + "\n", path)
    elif form == "markdown":
        emit(markdown(comparison), path)
    elif form != "table":
        tables = [scores_table(comparison_scores(comparison))]
        deliver(comparison.as_records(), comparison.signature, tables, shown)
    elif path is not None:
        parts = (f"{clean(p)}\n" if isinstance(p, str) else render(p, "table") for p in terminal(comparison))
        emit("\n".join(parts), path)
    else:
        for i, part in enumerate(terminal(comparison)):
            emit("\n" if i else "", None)
            if isinstance(part, str):
                tell(part)
            else:
                show_table(part)
