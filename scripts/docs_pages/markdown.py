"""Pieces of Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Pages = dict[str, Callable[[], str]]  # paths under docs/, and what makes the text of each


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
