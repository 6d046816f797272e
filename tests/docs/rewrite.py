"""Write what the commands of the pages print now into the pages: `python -m tests.docs.rewrite [PAGE...]`.

Read the difference before you keep it. Output that is shortened by "..." stays as it is while it is right;
otherwise as many lines as before are shown at either end.
"""

from __future__ import annotations

import os
import pathlib
import sys
import tempfile
from collections.abc import Iterable

from tests.docs.blocks import ELLIPSIS, NOT_RUN, Block, Command, Session, blocks, commands, matches, of_release, pages

Change = tuple[int, int, list[str]]  # a line of the block, how many lines are replaced, by what


def rewritten(page: str, session: Session) -> str:
    """The page with the output of its commands."""
    lines = page.split("\n")
    moved = 0  # by how many lines earlier changes have shifted what follows
    for block in blocks(page):
        run = console if block.language == "console" else python
        for start, n_lines, text in run(block, session):
            fresh = [f"{block.indent}{line}" if line else "" for line in text]
            first = block.line - 1 + moved + start
            lines[first : first + n_lines] = fresh
            moved += len(fresh) - n_lines
    return of_release("\n".join(lines))


def console(block: Block, session: Session) -> Iterable[Change]:
    """What the commands of a block print."""
    for command in commands(block):
        if command.text.split()[0] not in NOT_RUN:
            printed, _ = session.shell(command.text)
            yield command.start, len(command.shown), shortened(command, printed)


def python(block: Block, session: Session) -> Iterable[Change]:
    """What the examples of a block give where it is not what they say."""
    failed = session.failures(block)
    return [
        (example.lineno + example.source.count("\n"), example.want.count("\n"), got.splitlines())
        for example, got in failed
    ]


def shortened(command: Command, printed: list[str]) -> list[str]:
    """The output to show, cut as it was cut before."""
    if matches(command.shown, printed):
        return command.shown
    if ELLIPSIS not in command.shown:
        return printed
    head = command.shown.index(ELLIPSIS)
    tail = command.shown[::-1].index(ELLIPSIS)
    return [*printed[:head], ELLIPSIS, *(printed[-tail:] if tail else [])]


def main(names: list[str]) -> None:
    """Rewrite the pages named, or all under docs/; the README only if it is named."""
    chosen = [pathlib.Path(name).resolve() for name in names] or [p for p in pages() if p.name != "README.md"]
    with tempfile.TemporaryDirectory() as kept:
        for path in chosen:
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                before = path.read_text(encoding="utf-8")
                after = rewritten(before, Session(pathlib.Path(folder), pathlib.Path(kept)))
                if after != before:
                    path.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
