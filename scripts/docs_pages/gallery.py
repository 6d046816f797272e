"""The gallery: every metric with its year, whose it is, what it looks at, what it needs, and how long it takes."""

from __future__ import annotations

import pathlib

from docs_pages.markdown import Pages, table
from tercet.metrics import METRICS

FIGURES = pathlib.Path(__file__).parents[2] / "benchmarks" / "gallery.tsv"


def pages() -> Pages:
    """The page."""
    return {"metrics/gallery.md": gallery_page}


def figures() -> tuple[str, dict[str, str]]:
    """The machine on which times were measured, and each metric's time beside chrF's."""
    first, *lines = FIGURES.read_text(encoding="utf-8").splitlines()
    return first.removeprefix("# "), {name: ratio for name, _, ratio in (line.split("\t") for line in lines)}


def gallery_page() -> str:
    """All metrics by year."""
    machine, ratios = figures()

    def row(name: str) -> list[str]:
        card = METRICS.load(name).card
        time = f"{ratios[name]}×" if name in ratios else "not measured"
        exact = "ours" if not card.group else "exact" if card.exact else "reconstruction"
        year = str(card.year or "")
        return [f"[`{name}`]({name}.md)", year, card.group, card.kind, card.resources, exact, time]

    names = sorted(METRICS, key=lambda name: (METRICS.load(name).card.year or 9999, name))
    return "\n\n".join(
        [
            "# Gallery",
            "Every metric, the oldest first. *Exact* ones give the numbers of a reference implementation; a "
            "*reconstruction* follows a description, as there is no program to compare with, and has options for what "
            "the description leaves open; *ours* has no other home. What a metric needs besides texts is the user's, "
            "or comes with an extra.",
            table(["metric", "year", "by", "looks at", "needs", "exactness", "time, chrF = 1"], map(row, names)),
            f"Times are those of one system of newstest2014 de-en, 3003 segments, on one thread ({machine}), by "
            "`python -m benchmarks.gallery`; a metric that does nothing without a file of the user's is not measured.",
        ]
    )
