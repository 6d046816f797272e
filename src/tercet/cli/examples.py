"""Examples as they are shown: a terminal that is too narrow for one gets it in lines that a shell takes for one."""

from __future__ import annotations

import re
import shutil
import sys

import click

CONTINUED = " \\"  # behind a line of a command that goes on
_REMARK = re.compile(r"(\s*\S.*?\S)\s{3,}(\S.*)")  # a command, and far behind it what it is for
# a word, or an option with its value; blanks in quotation marks are part of it
_WORD = re.compile(r'(?:--?[a-z][\w-]*\s(?=[^-\s\\]))?(?:"[^"]*"|[^\s"])+')


def show_examples(text: str, *, err: bool) -> None:
    """Print them, as wide as the terminal."""
    if (sys.stderr if err else sys.stdout).isatty():
        text = in_columns(text, shutil.get_terminal_size().columns)
    click.echo(text, nl=False, err=err)


def in_columns(text: str, width: int) -> str:
    """The examples in lines of at most so many columns, what they are for below them if it does not fit behind.

    >>> print(in_columns('  tercet score a.txt -m "bleu(order=2)"   one number', 34))
      tercet score a.txt \\
          -m "bleu(order=2)"
          one number
    """
    lines = text.split("\n")
    if max(map(len, lines)) <= width:
        return text
    return "\n".join(part for line in lines for part in _parts(line, width))


def _parts(line: str, width: int) -> list[str]:
    remark = _REMARK.fullmatch(line)
    if remark:
        return [*_parts(remark[1], width), f"      {remark[2]}"]
    is_remark = line.startswith(" " * 12)  # a line of its own, below a command that left no room for it
    if is_remark or len(line) <= width:
        return [f"      {line.strip()}" if is_remark else line]
    indent = " " * (len(line) - len(line.lstrip()))
    behind = CONTINUED if line.lstrip().startswith("tercet ") else ""
    parts = [indent]
    for word in _WORD.findall(line):
        if parts[-1].strip() and len(parts[-1]) + 1 + len(word) > width - len(behind):
            parts.append(indent + "    " * bool(behind))
        parts[-1] += (" " if parts[-1].strip() else "") + word
    return [*(part + behind for part in parts[:-1]), parts[-1]]
