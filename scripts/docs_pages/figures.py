"""Figures of the demo campaign, and one of the made-up scores of a page."""

from __future__ import annotations

import functools
import pathlib
import re
import tempfile

import tercet
from tercet.plots import (
    draw_annotators,
    draw_head_to_head,
    draw_ranking,
    draw_scatter,
    draw_significance,
    draw_top_n,
)
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
        draw_ranking(ranking, folder / "rank-ranges.svg")
        draw_head_to_head(table, folder / "head-to-head.svg", ranking.pair)
        draw_annotators(tercet.annotators(people), folder / "annotators.svg")
        draw_scatter(chrf.scatters[0], folder / "scatter.svg")
        draw_significance(segments.tests[0], folder / "significance.svg")
        draw_top_n(_shown_scores(folder / "scores.csv").curves, folder / "top-n.svg")
        return {f"images/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.svg"))}


def _shown_scores(path: pathlib.Path) -> tercet.MetaEvaluation:
    """The scores that the page shows."""
    shown = _SCORES.search(PAGE.read_text(encoding="utf-8"))
    if shown is None:
        raise ValueError(f"{PAGE} has no scores.csv")
    lines = (line.strip().removeprefix("> ") for line in shown[1].splitlines())
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tercet.meta(scores=path, lower=["edits"])
