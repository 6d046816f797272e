"""Write what the commands of the pages print now into the pages: `python -m tests.docs.rewrite [PAGE...]`.

Read the difference before you keep it. Output that is shortened by "..." stays as it is while it is right;
otherwise as many lines as before are shown at either end. Doctests are not rewritten.
"""

from __future__ import annotations

import os
import pathlib
import sys
import tempfile

from tests.docs.blocks import ELLIPSIS, NOT_RUN, Command, Session, blocks, commands, matches, pages


def rewritten(page: str, folder: pathlib.Path) -> str:
    """The page with the output of its commands."""
    session = Session(folder)
    lines = page.split("\n")
    moved = 0  # by how many lines earlier changes have shifted what follows
    for block in blocks(page):
        if block.language == "python":
            for problem in session.run(block):
                print(problem)  # noqa: T201
            continue
        for command in commands(block):
            if command.text.split()[0] in NOT_RUN:
                continue
            printed, _ = session.shell(command.text)
            fresh = [f"{block.indent}{line}" if line else "" for line in shortened(command, printed)]
            first = block.line - 1 + moved + command.start
            lines[first : first + len(command.shown)] = fresh
            moved += len(fresh) - len(command.shown)
    return "\n".join(lines)


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
    """Rewrite the pages named, or all."""
    for path in [pathlib.Path(name).resolve() for name in names] or pages():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            path.write_text(rewritten(path.read_text(encoding="utf-8"), pathlib.Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
