"""The reference of Python: every name of `tercet.__all__`."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any

import tercet
from docs_pages.markdown import Pages, code, fence

_GROUPS = {
    "Verbs": ("score", "rank", "agreement", "choose", "plan", "meta", "run", "list", "show", "demo"),
    "Metrics, tokenizers, rankers and measures": (
        *("metric", "Metric", "tokenizer", "ranker", "Ranker", "measure", "Measure"),
    ),
    "Test sets and scores": ("TestSet", "read_testset", "Statistics", "Scores"),
    "Human judgements": (
        *("Judgements", "read_judgements", "Ranking", "RankingsByMethod", "head_to_head", "propose_next"),
    ),
    "Judges": ("Agreement", "annotators", "Annotators", "annotator_page", "amounts", "Amounts"),
    "Metrics against people": (
        *("MetaEvaluation", "MetricScores", "read_scores", "write_scores", "Study", "read_study"),
    ),
    "Errors": ("TercetError", "SpecError", "InputError", "MissingExtraError"),
}


def pages() -> Pages:
    """The one page of Python."""
    return {"reference/python.md": python_page}


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
