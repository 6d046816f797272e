"""The pages that are made when the documentation is built, from the cards and signatures in the code.

    metrics/index.md         every metric in one table
    metrics/NAME.md          the card of one metric, with a score really computed
    metrics/NAME-aliases.md  the aliases of one metric
    metrics/tokenizers.md    what every tokenizer does to a sentence in each of several scripts
    rankers/index.md         every ranker in one table
    rankers/NAME.md          the card of one ranker, with the demo campaign ranked by it
    images/NAME.svg          figures of the demo campaign
    reference/cli.md         every command and option, from the Typer app
    reference/python.md      every name of `tercet.__all__`

Nothing of this is committed: mkdocs calls `on_config` and `on_files`; the tests call `pages`.
"""

from __future__ import annotations

import dataclasses
import html
import inspect
import pathlib
import re
import tempfile
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import tercet
from tercet.cli.app import app
from tercet.data import Pairs
from tercet.errors import MissingExtraError
from tercet.metric import Card, Metric
from tercet.metrics import METRICS
from tercet.plots import draw_annotators, draw_head_to_head, draw_ranking
from tercet.ranking import RANKERS
from tercet.report import render, scores_table
from tercet.report.rankings import ranking_table
from tercet.sample import judgements
from tercet.spec import Spec, option_docs, options, read, show
from tercet.text import TOKENIZERS

ROOT = pathlib.Path(__file__).resolve().parent.parent

HYPOTHESES = ("The ferry leaves the small harbour at nine.", "Bring warm clothes, it is windy on deck.")
REFERENCES = (
    "The ferry leaves the little harbour at nine o'clock.",
    "Bring warm clothes: it gets windy on deck.",
)

SENTENCES = {
    "Latin": 'Dr. O\'Neill paid $3.50 ("cheap!") for well-made tea.',
    "Cyrillic": "«Поезд в 9:30?» — спросил он.",
    "Arabic": "وصل القطار في ٩:٣٠، أليس كذلك؟",
    "Devanagari": "ट्रेन 9.30 बजे आई।",
    "Chinese": "火车9:30到达,对吗？",
    "Japanese": "電車は9時半に着きました。",
    "Korean": "기차는 9시 반에 도착했어요.",
}

DEMO = {"da": "en-de.da.csv", "esa": "en-de.esa.csv", "mqm": "en-de.mqm.tsv"}  # what a ranker is shown on
RANKINGS = "en-de.rankings.csv"

_GROUPS = {
    "Verbs": ("score", "rank", "agreement", "choose", "plan", "list", "show", "demo"),
    "Metrics, tokenizers and rankers": ("metric", "Metric", "tokenizer", "ranker", "Ranker"),
    "Test sets and scores": ("TestSet", "read_testset", "Statistics", "Scores"),
    "Human judgements": ("Judgements", "read_judgements", "Ranking", "head_to_head", "propose_next"),
    "Judges": ("Agreement", "annotators", "Annotators", "annotator_page"),
    "Errors": ("TercetError", "SpecError", "InputError", "MissingExtraError"),
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages of metrics and rankers to their sections, and let pages include files of the repository."""
    config.mdx_configs.setdefault("pymdownx.snippets", {})["base_path"] = [str(ROOT)]
    for section in config.nav or []:
        for title, found in (("Metrics", metric_pages()), ("Rankers", ranker_pages())):
            if isinstance(section, dict) and title in section:
                section[title] += [{each: path} for path, each in found.items()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages and figures."""
    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    for path, drawn in figures().items():
        files.append(File.generated(config, path, content=drawn))
    return files


def pages() -> dict[str, str]:
    """Every generated page: its path under docs/ and its Markdown."""
    made = {
        "metrics/index.md": overview_page(),
        "metrics/tokenizers.md": tokenizers_page(),
        "rankers/index.md": rankers_page(),
        "reference/cli.md": cli_page(),
        "reference/python.md": python_page(),
    }
    made |= {f"metrics/{name}.md": metric_page(name) for name in METRICS}
    made |= {f"metrics/{name}-aliases.md": aliases_page(name, own) for name, own in alias_families().items()}
    made |= {f"rankers/{name}.md": ranker_page(name) for name in RANKERS}
    return made


def metric_pages() -> dict[str, str]:
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


# -- Markdown ----------------------------------------------------------------------------------------------


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a bar inside a cell is escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def fence(language: str, text: str) -> str:
    """A fenced block."""
    return f"```{language}\n{text.rstrip()}\n```"


def tabs(**blocks: str) -> str:
    """Content tabs, one a keyword; an underscore in its name is a space."""
    parts = []
    for title, block in blocks.items():
        body = "\n".join(f"    {line}".rstrip() for line in block.split("\n"))
        parts.append(f'=== "{title.replace("_", " ")}"\n\n{body}')
    return "\n\n".join(parts)


def code(text: str) -> str:
    """Text set as code."""
    return f"`{text}`"


# -- metrics -----------------------------------------------------------------------------------------------


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
        ["needs", ", ".join(sorted(owner.needs)) or "nothing but the translation"],
        ["reference implementation", card.reference],
        ["exactness", exact],
        ["paper", card.paper],
    ]
    families = alias_families()
    if name in families:
        own = ", ".join(map(code, families[name]))
        facts.append(["aliases", f"{own}: see [their page]({name}-aliases.md)"])
    return card_page(name, owner, card, facts, example(name))


def card_page(name: str, owner: type[Spec], card: Card, facts: Sequence[Sequence[str]], shown: str) -> str:
    """A card with its facts, options and example."""
    parts = [f"# {card.title}", card.definition, table(["name", code(name)], facts)]
    if card.differences:
        parts += ["## Known differences", "\n".join(f"- {text}" for text in card.differences)]
    parts += ["## Options", options_table(owner), "## Example", shown]
    return "\n\n".join(parts)


def aliases_page(name: str, aliases: Sequence[str]) -> str:
    """The aliases of one metric, with what each gives for the same two sentences."""
    title = METRICS.load(name).card.title

    def row(alias: str) -> list[str]:
        metric = METRICS.make(alias)
        return [code(alias), code(str(metric)), f"{metric.corpus(HYPOTHESES, REFERENCES):.{metric.digits}f}"]

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


def options_table(owner: type[Spec]) -> str:
    """Name, default, type and sentence of every option."""
    docs = option_docs(owner)
    defaults = {f.name: f.default for f in dataclasses.fields(typing.cast(Any, owner))}
    rows = [
        [code(name), code(show(defaults[name])), type_words(kind), docs[name]] for name, kind in options(owner).items()
    ]
    return table(["option", "default", "type", "what it does"], rows) if rows else "It has no options."


def type_words(kind: Any) -> str:
    """The type of an option in words."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(type_words(a) for a in args)
    if origin is typing.Literal:
        return ", ".join(code(show(a)) for a in args)
    if origin is tuple:
        return "words joined by `+`"
    known = {bool: "`true`, `false`", int: "whole number", float: "number", str: "text", type(None): "`none`"}
    return known.get(kind, getattr(kind, "__name__", str(kind)))


def example(spec: str) -> str:
    """The same score by command and in Python, computed now."""
    metric: Metric = METRICS.make(spec)
    scores = tercet.score({"hyp": HYPOTHESES}, REFERENCES, metrics=[spec])
    command = f"$ tercet score hyp.txt -r ref.txt -m {spec}\n{render(scores_table(scores), 'table')}"
    segments = metric.segments(HYPOTHESES, REFERENCES).round(metric.digits + 2).tolist()
    session = [
        ">>> import tercet",
        f">>> hypotheses = {list(HYPOTHESES)}",
        f">>> references = {list(REFERENCES)}",
        f'>>> metric = tercet.metric("{spec}")',
        ">>> metric.corpus(hypotheses, references)",
        repr(metric.corpus(HYPOTHESES, REFERENCES)),
        f">>> metric.segments(hypotheses, references).round({metric.digits + 2}).tolist()",
        repr(segments),
    ]
    files = [[code("hyp.txt"), "<br>".join(HYPOTHESES)], [code("ref.txt"), "<br>".join(REFERENCES)]]
    blocks = tabs(Command_line=fence("console", command), Python=fence("python", "\n".join(session)))
    return f"{table(['file', 'lines'], files)}\n\n{blocks}"


# -- rankers -----------------------------------------------------------------------------------------------


def ranker_pages() -> dict[str, str]:
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
        ["units of resampling", ", ".join(map(code, owner.units))],
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
    """The judgements that a ranker is shown on."""
    return judgements("en-de", name if name in DEMO else "rankings")


def figures() -> dict[str, bytes]:
    """Every generated figure: its path under docs/ and its SVG."""
    people = demo_judgements("rankings")
    ranking = tercet.rank(people)
    table = tercet.head_to_head(people, order=tuple(r.system for r in ranking))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        draw_ranking(ranking, folder / "rank-ranges.svg")
        draw_head_to_head(table, folder / "head-to-head.svg", ranking.pair)
        draw_annotators(tercet.annotators(people), tercet.agreement(people), folder / "annotators.svg")
        return {f"images/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())}


# -- tokenizers --------------------------------------------------------------------------------------------


def tokenizers_page() -> str:
    """Every tokenizer, and what it makes of a sentence in each script."""
    parts = [
        "# Tokenizers",
        "What each tokenizer does to these sentences, computed when this page was built. Choose one with the option "
        '`tokenize` of a metric, `-m "bleu(tokenize=intl)"`, or call it: `tercet.tokenizer("intl")(text)`.',
        table(["script", "sentence"], [[s, f'<span dir="auto">{t}</span>'] for s, t in SENTENCES.items()]),
    ]
    for name in TOKENIZERS:
        owner = TOKENIZERS.load(name)
        summary = owner.summary[0].upper() + owner.summary[1:]
        parts += [f"## {code(name)} {{ #{name} }}", f"{summary}.", tokens_table(name)]
        if options(owner):
            parts.append(options_table(owner))
    return "\n\n".join(parts)


def tokens_table(name: str) -> str:
    """The tokens of the sentences, each set apart."""
    tokenizer = TOKENIZERS.make(name)
    try:
        rows = [[script, marked(tokenizer(text))] for script, text in SENTENCES.items()]
    except MissingExtraError as error:
        return f"!!! note\n    Not shown here: {error}"
    return table(["script", "tokens"], rows)


def marked(tokens: Iterable[str]) -> str:
    """Tokens as code, in the direction of their script."""
    inner = " ".join(f"<code>{html.escape(token)}</code>" for token in tokens)
    return f'<span dir="auto">{inner}</span>'


# -- the command line --------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One argument or option of a command."""

    names: tuple[str, ...]
    kind: str
    default: str
    help: str
    is_option: bool


def commands() -> dict[str, Callable[..., Any]]:
    """The verbs and the functions behind them."""
    return {str(c.name): c.callback for c in app.registered_commands if c.callback is not None}


def parameters(command: Callable[..., Any]) -> list[Parameter]:
    """Arguments and options, read from the function's annotations."""
    hints = typing.get_type_hints(command, include_extras=True)
    found = []
    for name, parameter in inspect.signature(command).parameters.items():
        if hints[name] is typer.Context:
            continue
        kind, default = hints[name], parameter.default
        info = default
        if typing.get_origin(kind) is typing.Annotated:
            kind, info = typing.get_args(kind)[:2]
        else:
            default = info.default
        is_option = isinstance(info, typer.models.OptionInfo)
        # inside Annotated, Typer keeps the first name of an option where the default would be
        first = (info.default,) if isinstance(info.default, str) and info.default.startswith("-") else ()
        spelt = (*first, *(info.param_decls or ())) if is_option else (info.metavar or name.upper(),)
        names = tuple(each for both in spelt for each in both.split("/"))  # --yes/--no
        usual = names[-2] if default is True else "" if default is None or default is False else str(default)
        found.append(Parameter(names, value_words(kind), usual and code(usual), info.help or "", is_option))
    return found


def value_words(kind: Any) -> str:
    """What an option takes, in words."""
    origin, args = typing.get_origin(kind), [a for a in typing.get_args(kind) if a is not type(None)]
    if origin in (types.UnionType, typing.Union):
        return " or ".join(value_words(a) for a in args)
    if origin is typing.Literal:
        return " ".join(map(code, args))
    if origin is list:
        return f"{value_words(args[0])}, several times"
    known = {bool: "nothing", int: "number", float: "number", str: "text", pathlib.Path: "path"}
    return known.get(kind, str(kind))


def cli_page() -> str:
    """Every command with its arguments and options."""
    root = typing.cast(Any, app.registered_callback).callback
    parts = [
        "# Command line",
        "Every verb is also a function of the same name in Python: see [Python](python.md). "
        "`tercet` alone shows the verbs by job; `tercet VERB --help` explains one.",
        "## tercet",
        inspect.cleandoc(root.__doc__ or ""),
        parameters_table("Option", [p for p in parameters(root) if p.is_option]),
    ]
    for verb, function in commands().items():
        own = parameters(function)
        arguments = [p for p in own if not p.is_option]
        usage = " ".join(["tercet", verb, "[OPTIONS]", *(f"[{p.names[0]}]" for p in arguments)])
        parts += [f"## tercet {verb}", inspect.cleandoc(function.__doc__ or ""), fence("text", usage)]
        if arguments:
            parts.append(parameters_table("Argument", arguments))
        parts.append(parameters_table("Option", [p for p in own if p.is_option]))
    parts += ["`-h` and `--help` work everywhere."]
    return "\n\n".join(parts)


def parameters_table(title: str, found: Iterable[Parameter]) -> str:
    """The table of some parameters."""
    rows = [[", ".join(map(code, p.names)), p.kind, p.default, p.help] for p in found]
    return table([title, "takes", "default", "what it does"], rows)


# -- Python ------------------------------------------------------------------------------------------------


def python_page() -> str:
    """Every public name with signature and docstring."""
    listed = {name for names in _GROUPS.values() for name in names}
    others = tuple(n for n in tercet.__all__ if n not in listed and n != "__version__")
    parts = [
        "# Python",
        "What `import tercet` offers. A command does no more than parse, call one of these functions and print.",
    ]
    for title, names in {**_GROUPS, **({"Others": others} if others else {})}.items():
        parts.append(f"## {title}")
        for name in names:
            parts += documented(f"tercet.{name}", getattr(tercet, name), "###")
    return "\n\n".join(
        [*parts, "## Version", f"`tercet.__version__` is the version, a string: `{tercet.__version__}`."]
    )


def documented(name: str, thing: Any, mark: str) -> list[str]:
    """Heading, signature and docstring; of a class its public methods as well."""
    is_class = inspect.isclass(thing)
    parts = [f"{mark} `{name}`"]
    if not is_class or dataclasses.is_dataclass(thing):
        parts.append(fence("python", signature(name.removeprefix("tercet."), thing)))
    parts.append(prose(thing.__doc__ or ""))
    if is_class:
        for member, value in vars(thing).items():
            function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            if inspect.isfunction(function) and not member.startswith("_"):
                prefix = name.removeprefix("tercet.")
                parts += [f"{mark}# `{prefix}.{member}`", fence("python", signature(member, function))]
                parts.append(prose(function.__doc__ or ""))
    return parts


def signature(name: str, thing: Any) -> str:
    """A signature on one line, or one parameter a line where it is long."""
    found = inspect.signature(thing)
    pieces: list[str] = []
    for parameter in found.parameters.values():
        if parameter.name in ("self", "cls", "memo"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in pieces:
            pieces.append("*")
        pieces.append(str(parameter.replace(annotation=parameter.empty, default=parameter.empty)))
        if parameter.annotation is not parameter.empty:
            pieces[-1] += f": {annotation(parameter.annotation)}"
        if parameter.default is not parameter.empty:
            pieces[-1] += f" = {parameter.default!r}"
    given = found.return_annotation
    result = "" if given in (found.empty, None, "None") or inspect.isclass(thing) else f" -> {annotation(given)}"
    line = f"{name}({', '.join(pieces)}){result}"
    if len(line) <= 80:
        return line
    return f"{name}(\n" + "".join(f"    {piece},\n" for piece in pieces) + f"){result}"


def annotation(given: Any) -> str:
    """An annotation as it stands in the code."""
    return given if isinstance(given, str) else inspect.formatannotation(given)


def prose(docstring: str) -> str:
    """A docstring as Markdown: sections of parameters become lists, examples become blocks."""
    text = inspect.cleandoc(docstring)
    text = re.sub(r"^(Parameters|Returns|Raises)\n-+\n", r"**\1**\n\n", text, flags=re.MULTILINE)
    text = re.sub(r"^(\w[\w, ]*)\n((?: {4}\S.*\n?)+)", parameter_item, text, flags=re.MULTILINE)
    return re.sub(r"(?:^(?:>>>|\.\.\.) .*\n?(?:^(?!>>>|\.\.\.|\n).+\n?)*)+", example_block, text, flags=re.MULTILINE)


def parameter_item(found: re.Match[str]) -> str:
    """One entry of a section of parameters as a list item."""
    names = ", ".join(map(code, found[1].split(", ")))
    return f"- {names}: {' '.join(found[2].split())}\n"


def example_block(found: re.Match[str]) -> str:
    """The lines of a doctest as a block."""
    lines = re.sub(r"  # doctest: .*", "", found[0])
    return f"\n{fence('pycon', lines)}\n"
