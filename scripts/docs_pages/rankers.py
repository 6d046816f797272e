"""The pages of rankers."""

from __future__ import annotations

import functools
import importlib.resources

import tercet
from docs_pages.cards import card_page
from docs_pages.markdown import Pages, code, fence, table, tabs
from tercet.data import Pairs
from tercet.ranking import RANKERS
from tercet.report import render
from tercet.report.rankings import ranking_table

DEMO = {"da": "en-de.da.csv", "esa": "en-de.esa.csv", "mqm": "en-de.mqm.tsv"}  # what a ranker is shown on
RANKINGS = "en-de.rankings.csv"


def pages() -> Pages:
    """The page of every ranker, and that of all together."""
    return {"rankers/index.md": rankers_page} | {f"rankers/{n}.md": functools.partial(ranker_page, n) for n in RANKERS}


def titles() -> dict[str, str]:
    """Path and title of the pages of rankers."""
    return {f"rankers/{name}.md": RANKERS.load(name).card.title for name in RANKERS}


def takes(name: str) -> str:
    """What a ranker ranks, in a word."""
    return "rankings" if issubclass(RANKERS.load(name).takes, Pairs) else "assessments"


def rankers_page() -> str:
    """All rankers in one table."""

    def row(name: str) -> list[str]:
        card = RANKERS.load(name).card
        return [f"[`{name}`]({name}.md)", card.title, takes(name), card.scale, card.reference]

    return "\n\n".join(
        [
            "# Rankers",
            "Every ranker that Tercet knows: a way from human judgements to scores. Each has a page with its "
            "definition, its options and an example; `tercet show NAME` says the same in the terminal. "
            "[From judgements to clusters](../guide/ranking.md) says when to use which, and what ranks, ranges and "
            "clusters are, which are the same for all of them.",
            table(["name", "title", "ranks", "scale", "reference implementation"], map(row, RANKERS)),
        ]
    )


def ranker_page(name: str) -> str:
    """The card of one ranker as a page."""
    owner = RANKERS.load(name)
    card = owner.card
    facts = [
        ["ranks", takes(name)],
        ["scale", card.scale],
        ["units of resampling", ", ".join(map(code, RANKERS.make(name).units))],
        ["reference implementation", card.reference],
        ["paper", card.paper],
    ]
    return card_page(name, owner, card, facts, ranker_example(name))


def ranker_example(name: str) -> str:
    """The demo campaign ranked by command and in Python, now."""
    file = f"demo/{DEMO.get(name, RANKINGS)}"
    ranking = tercet.rank(demo_judgements(name), method=name)
    command = f"$ tercet rank {file} -m {name}\n{render(ranking_table(ranking), 'table')}"
    session = [
        ">>> import tercet",
        f'>>> ranking = tercet.rank("{file}", method="{name}")',
        f">>> [(r.system, round(r.score, {ranking.digits}), r.rank_low, r.rank_high) for r in ranking]",
        repr([(r.system, round(r.score, ranking.digits), r.rank_low, r.rank_high) for r in ranking]),
        ">>> ranking.clusters()",
        repr(ranking.clusters()),
    ]
    blocks = tabs(Command_line=fence("console", command), Python=fence("python", "\n".join(session)))
    return f"On the judgements that `tercet demo -o demo` leaves behind:\n\n{blocks}"


def demo_judgements(name: str) -> tercet.Judgements:
    """The judgements that a ranker is shown on, read as the command reads them."""
    with importlib.resources.as_file(importlib.resources.files("tercet.sample") / DEMO.get(name, RANKINGS)) as path:
        return tercet.read_judgements(path)
