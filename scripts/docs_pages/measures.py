"""The pages of measures, and of the golds that are comparisons."""

from __future__ import annotations

import functools
import importlib.resources

import tercet
from docs_pages.cards import card_page, options_table
from docs_pages.markdown import Pages, code, fence, table, tabs
from tercet.agreeing import MEASURES, Measure
from tercet.agreeing.gold import GOLDS
from tercet.options.agreeing import MetaLevel
from tercet.report import render
from tercet.report.meta import meta_table
from tercet.sample import PROTOCOLS

PAIR, METRICS = "en-de", ("bleu", "chrf", "ter")
SHOWN = {"kendall": "kendall(variant=wmt14)"}  # what the example of a measure asks for, if not for its name alone


def pages() -> Pages:
    """The page of every measure, and that of all together."""
    single = {f"measures/{name}.md": functools.partial(measure_page, name) for name in MEASURES}
    return {"measures/index.md": measures_page} | single


def titles() -> dict[str, str]:
    """Path and title of the pages of measures."""
    return {f"measures/{name}.md": MEASURES.load(name).card.title for name in MEASURES}


def takes(measure: Measure) -> str:
    """What a measure needs of people, in a word."""
    if measure.looks_at:
        return f"scores of {measure.looks_at}s"
    return "comparisons" if measure.takes == "pairs" else "scores"


def measures_page() -> str:
    """All measures in one table, and the golds after them."""

    def row(name: str) -> list[str]:
        card, made = MEASURES.load(name).card, MEASURES.make(name)
        needs = "scores; comparisons in the variants of WMT" if name == "kendall" else takes(made)
        return [f"[`{name}`]({name}.md)", card.title, ", ".join(made.levels), needs, card.scale, card.reference]

    parts = [
        "# Measures",
        "Every measure of agreement that Tercet knows: a way from the scores of a metric and what people said to one "
        "number. Each has a page with its definition, its options and an example; `tercet show NAME` says the same in "
        "the terminal. [Which metric to trust?](../guide/meta.md) says when to use which.",
        table(["name", "title", "levels", "needs of people", "scale", "reference implementation"], map(row, MEASURES)),
        "## Golds",
        "What a metric is held against is made of judgements. For measures of scores, any "
        "[ranker](../rankers/index.md) does that, `--gold trueskill`. Measures of comparisons take one of these; "
        "`tercet show NAME` explains it, too.",
    ]
    for name in GOLDS:
        card = GOLDS.load(name).card
        facts = [["title", card.title], ["reference", card.reference], ["paper", card.paper]]
        parts += [f"### {code(name)} {{ #{name} }}", card.definition, table(["name", code(name)], facts)]
        parts += [f"- {difference}" for difference in card.differences]
        parts.append(options_table(GOLDS.load(name)))
    return "\n\n".join(parts)


def measure_page(name: str) -> str:
    """The card of one measure as a page."""
    owner = MEASURES.load(name)
    card = owner.card
    facts = [
        ["levels", ", ".join(owner.levels)],
        ["scale", card.scale],
        ["n counts", owner.counts if name != "kendall" else "comparisons; scores for b and c"],
        ["reference implementation", card.reference],
        ["paper", card.paper],
    ]
    return card_page(name, owner, card, facts, measure_example(name))


def measure_example(name: str) -> str:
    """The demo's metrics measured by command and in Python, now."""
    spec = SHOWN.get(name, name)
    command, call = asked(spec)
    found = measured(spec)
    values = [(r.metric, round(r.value, 3), r.n) for r in found]
    session = [
        ">>> import tercet",
        f">>> found = tercet.meta({call})",
        ">>> [(r.metric, round(r.value, 3), r.n) for r in found]",
        repr(values),
    ]
    shown = f"$ {command}\n{render(meta_table(found), 'table')}"
    blocks = tabs(Command_line=fence("console", shown), Python=fence("python", "\n".join(session)))
    return f"On the campaign that `tercet demo -o demo` leaves behind:\n\n{blocks}"


def protocol(measure: Measure) -> str:
    """The demo's judgements that a measure is shown on: scores of segments need assessments."""
    return "da" if "system" not in measure.levels or measure.looks_at else "rankings"


def level(measure: Measure) -> MetaLevel:
    """The level that a measure is shown at."""
    return "system" if "system" in measure.levels and measure.takes == "scores" else "segment"


def asked(spec: str) -> tuple[str, str]:
    """The command of an example, and the arguments of the same call in Python."""
    made = MEASURES.make(spec)
    texts, people = f"demo/{PAIR}.tsv", f"demo/{PAIR}{PROTOCOLS[protocol(made)]}"
    quoted = f'"{spec}"' if "(" in spec else spec
    at = "" if level(made) == "system" else f" --level {level(made)}"
    called = "" if level(made) == "system" else f', level="{level(made)}"'
    return (
        f"tercet meta -t {texts} -j {people}{at} --measure {quoted}",
        f'testset="{texts}", judgements="{people}"{called}, measures="{spec}"',
    )


@functools.cache
def measured(spec: str) -> tercet.MetaEvaluation:
    """What the example gives."""
    made = MEASURES.make(spec)
    folder = importlib.resources.files("tercet.sample")
    people = f"{PAIR}{PROTOCOLS[protocol(made)]}"
    with (
        importlib.resources.as_file(folder / f"{PAIR}.tsv") as texts,
        importlib.resources.as_file(folder / people) as judged,
    ):
        return tercet.meta(testset=texts, judgements=judged, metrics=METRICS, level=level(made), measures=spec)
