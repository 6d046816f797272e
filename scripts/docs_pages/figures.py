"""Figures of the demo campaign, and one of the made-up scores of a page."""

from __future__ import annotations

import functools
import pathlib
import re
import tempfile

import tercet
from tercet.plots import save, scatter, significance_matrix, top_n_curves
from tercet.plots.results import head_to_head_figure
from tercet.sample import campaign, judgements

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide" / "meta.md"
_SCORES = re.compile(r"^ *\$ cat > scores\.csv <<'END'\n(.+?)^ *> END$", re.MULTILINE | re.DOTALL)


@functools.cache
def figures() -> dict[str, bytes]:
    """Every generated figure: its path under docs/ and its SVG."""
    people = judgements("en-de")
    ranking = tercet.rank(people)
    table = tercet.head_to_head(people, order=tuple(r.system for r in ranking))
    chrf = tercet.meta(testset=campaign("en-de"), judgements=people, metrics="chrf")
    segments = tercet.meta(testset=campaign("en-de"), judgements=people, level="segment")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        save(ranking.plot(), folder / "rank-ranges.svg")
        save(head_to_head_figure(table, ranking.pair), folder / "head-to-head.svg")
        save(tercet.annotators(people).plot(), folder / "annotators.svg")
        save(scatter(chrf.scatters[0]), folder / "scatter.svg")
        save(significance_matrix(segments.tests[0]), folder / "significance.svg")
        save(top_n_curves(_shown_scores(folder / "scores.csv").curves), folder / "top-n.svg")
        return {f"images/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.svg"))}


def _shown_scores(path: pathlib.Path) -> tercet.MetaEvaluation:
    """The scores that the page shows."""
    shown = _SCORES.search(PAGE.read_text(encoding="utf-8"))
    if shown is None:
        raise ValueError(f"{PAGE} has no scores.csv")
    lines = (line.strip().removeprefix("> ") for line in shown[1].splitlines())
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tercet.meta(scores=path, lower=["edits"])
