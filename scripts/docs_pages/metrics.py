"""The pages of metrics and of their aliases."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import tercet
from docs_pages.cards import card_page
from docs_pages.markdown import Pages, code, fence, table, tabs
from tercet.errors import MissingExtraError
from tercet.metric_base import Metric
from tercet.metrics import METRICS
from tercet.report import render, scores_table
from tercet.spec import options, read

HYPOTHESES = ("The ferry leaves the small harbour at nine.", "Bring warm clothes, it is windy on deck.")
REFERENCES = (
    "The ferry leaves the little harbour at nine o'clock.",
    "Bring warm clothes: it gets windy on deck.",
)
SOURCES = ("Die Fähre verlässt um neun den kleinen Hafen.", "Warme Kleidung mitbringen, an Deck ist es windig.")


def pages() -> Pages:
    """The pages of metrics, of their aliases, and of all together."""
    families = alias_families().items()
    single = {f"metrics/{name}.md": functools.partial(metric_page, name) for name in METRICS}
    aliases = {
        f"metrics/{name}-aliases.md": functools.partial(aliases_page, name, members) for name, members in families
    }
    return {"metrics/index.md": overview_page} | single | aliases


def titles() -> dict[str, str]:
    """Path and title of the pages of metrics, each followed by the page of its aliases."""
    families = alias_families()
    found = {}
    for name in METRICS:
        title = METRICS.load(name).card.title
        found[f"metrics/{name}.md"] = title
        if name in families:
            found[f"metrics/{name}-aliases.md"] = f"Aliases of {title}"
    return found


def alias_families() -> dict[str, list[str]]:
    """The aliases of each metric that has some."""
    families: dict[str, list[str]] = {}
    for alias, spec in METRICS.aliases.items():
        families.setdefault(read(spec)[0], []).append(alias)
    return families


def overview_page() -> str:
    """All metrics in one table."""

    def row(name: str) -> list[str]:
        owner = METRICS.load(name)
        card = owner.card
        better = "higher" if owner.higher_is_better else "lower"
        reference = card.reference if card.exact else "none: a reconstruction"
        return [f"[`{name}`]({name}.md)", card.title, card.scale, better, reference]

    aliases = [[f"[`{alias}`]({read(spec)[0]}-aliases.md)", code(spec)] for alias, spec in METRICS.aliases.items()]
    return "\n\n".join(
        [
            "# Metrics",
            "Every metric that Tercet knows, with the implementation whose numbers it gives. "
            "Each has a page with its definition, its options and an example; `tercet show NAME` says the same "
            "in the terminal. [Metrics and specs](../guide/specs.md) explains how to choose options.",
            table(["name", "title", "scale", "better", "reference implementation"], map(row, METRICS)),
            "## Aliases",
            "An alias is a second name for a metric with some options set. Results always show the full spec.",
            table(["alias", "means"], aliases),
            "Words are cut by [tokenizers](tokenizers.md), which are specs as well.",
        ]
    )


def metric_page(name: str) -> str:
    """The card of one metric as a page."""
    owner = METRICS.load(name)
    card = owner.card
    better = "higher" if owner.higher_is_better else "lower"
    exact = (
        "exact: the numbers of the reference implementation, to the precision that it computes in"
        if card.exact
        else "a reconstruction from the paper; there is no reference code to compare with"
    )
    facts = [
        ["scale", card.scale],
        ["better", better],
        ["needs", ", ".join(sorted(METRICS.make(name).needs)) or "nothing but the translation"],
        ["reference implementation", card.reference],
        ["exactness", exact],
        ["paper", card.paper],
    ]
    families = alias_families()
    if name in families:
        own = ", ".join(map(code, families[name]))
        facts.append(["aliases", f"{own}: see [their page]({name}-aliases.md)"])
    return card_page(name, owner, card, facts, example(name))


def aliases_page(name: str, aliases: Sequence[str]) -> str:
    """The aliases of one metric, with what each gives for the same two sentences."""
    title = METRICS.load(name).card.title

    def row(alias: str) -> list[str]:
        metric = METRICS.make(alias)
        try:
            score = f"{metric.corpus(HYPOTHESES, REFERENCES):.{metric.digits}f}"
        except MissingExtraError:
            score = "not computed here"
        return [code(alias), code(str(metric)), score]

    return "\n\n".join(
        [
            f"# Aliases of {title}",
            f"Short names for [`{name}`]({name}.md) with some of its options set. An alias takes further options "
            f"like any spec, `{aliases[-1]}({next(iter(options(METRICS.load(name))))}=...)`, and results show the "
            "full spec. The scores are those of the example below.",
            table(["alias", "means", "score"], map(row, aliases)),
            "## Example",
            example(aliases[-1]),
        ]
    )


def example(spec: str) -> str:
    """The same score by command and in Python, or what is missing to compute it."""
    try:
        return computed_example(spec)
    except MissingExtraError as error:
        return f"!!! note\n    Not shown here: {error}"


def computed_example(spec: str) -> str:
    """The same score by command and in Python, computed now."""
    metric: Metric = METRICS.make(spec)
    known = {"references": ("-r ref.txt", REFERENCES), "sources": ("-s src.txt", SOURCES)}
    needed = {name: given for name, given in known.items() if name in metric.needs}
    texts: dict[str, Any] = {name: list(lines) for name, (_, lines) in needed.items()}
    scores = tercet.score({"hyp": HYPOTHESES}, metrics=[spec], **texts)
    told = "".join(f" {argument}" for argument, _ in needed.values())
    command = f"$ tercet score hyp.txt{told} -m {spec}\n{render(scores_table(scores), 'table')}"
    segments = metric.segments(HYPOTHESES, **texts).round(metric.digits + 2).tolist()
    given = ", ".join(["hypotheses", *(name if name == "references" else f"{name}={name}" for name in needed)])
    session = [
        ">>> import tercet",
        f">>> hypotheses = {list(HYPOTHESES)}",
        *(f">>> {name} = {lines}" for name, lines in texts.items()),
        f'>>> metric = tercet.metric("{spec}")',
        f">>> metric.corpus({given})",
        repr(metric.corpus(HYPOTHESES, **texts)),
        f">>> metric.segments({given}).round({metric.digits + 2}).tolist()",
        repr(segments),
    ]
    files = [[code("hyp.txt"), "<br>".join(HYPOTHESES)]]
    files += [[code(argument.partition(" ")[2]), "<br>".join(lines)] for argument, lines in needed.values()]
    blocks = tabs(Command_line=fence("console", command), Python=fence("python", "\n".join(session)))
    return f"{table(['file', 'lines'], files)}\n\n{blocks}"
