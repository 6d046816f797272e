"""Pages as scripts: the fenced blocks of a Markdown page, run in order, in one folder.

    ```console    a line that begins with "$ " is a command, lines with "> " continue it (">" alone is an empty
                  line), what follows is all that it prints; a line "..." stands for any number of lines
    ```python     run in the page's namespace; a block that begins with >>> is a doctest; a block that begins
                  with "# not run", or that includes a file, is not run

Commands that build, install or fetch (`make`, `pip`, `git`) are shown, not run. Most pages begin with the demo, which
takes a while and always gives the same: it is run once, and copied for the others.
"""

from __future__ import annotations

import atexit
import dataclasses
import doctest
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import traceback
from typing import Any

from tests.conftest import ROOT

ELLIPSIS = "..."
NOT_RUN = ("make", "pip", "git")
DEMO = "tercet demo -o demo"
_OPENING = re.compile(r"^( *)```(console|python)\s*$")


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text without indentation, and the line of the page it begins on."""

    language: str
    text: str
    line: int  # of the first line inside, from 1
    indent: str


@dataclasses.dataclass(frozen=True)
class Command:
    """A command and what it is said to print; `start` and `stop` are lines inside its block."""

    text: str
    shown: list[str]
    start: int  # of the first line of output
    stop: int


def pages() -> list[pathlib.Path]:
    """The pages that are written by hand."""
    return [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]


def blocks(page: str) -> list[Block]:
    """The console and Python blocks of a page."""
    lines = page.split("\n")
    found, i = [], 0
    while i < len(lines):
        opening = _OPENING.match(lines[i])
        if opening:
            start = i + 1
            i = next(n for n in range(start, len(lines)) if lines[n] == f"{opening[1]}```")
            text = textwrap.dedent("\n".join(lines[start:i]))
            found.append(Block(opening[2], text, start + 1, opening[1]))
        i += 1
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a console block. Lines that begin with "> " continue a command, as a shell prompts for them."""
    lines = block.text.split("\n")
    found, i = [], 0
    while i < len(lines):
        if not lines[i].startswith("$ "):
            raise ValueError(f"line {block.line + i} is output without a command")
        command = [lines[i].removeprefix("$ ")]
        i += 1
        while i < len(lines) and (lines[i].startswith("> ") or lines[i] == ">"):
            command.append(lines[i][2:])
            i += 1
        start = i
        while i < len(lines) and not lines[i].startswith("$ "):
            i += 1
        shown = lines[start:i]
        while shown and not shown[-1]:
            shown.pop()
        found.append(Command("\n".join(command), shown, start, start + len(shown)))
    return found


def matches(shown: list[str], printed: list[str]) -> bool:
    """Whether the output is as shown, where "..." stands for any lines.

    >>> matches(["a", "...", "d"], ["a", "b", "c", "d"]), matches(["a", "..."], ["b"])
    (True, False)
    """
    pattern = "".join(r"(?:.*\n)*?" if line == ELLIPSIS else re.escape(line) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def shell(command: str, folder: pathlib.Path) -> tuple[list[str], int]:
    """What a command prints in a folder, and its exit code."""
    here = pathlib.Path(sys.executable).parent
    environment = {
        "PATH": f"{here}:{os.environ['PATH']}",
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "100",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    lines = done.stdout.split("\n")
    return lines[:-1] if lines[-1] == "" else lines, done.returncode


@functools.cache
def demo() -> tuple[pathlib.Path, list[str], int]:
    """A folder with the demo in it, what it printed, and its exit code."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tercet-pages-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder, *shell(DEMO, folder)


class Session:
    """One page's folder and namespace."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__page__"}

    def shell(self, command: str) -> tuple[list[str], int]:
        """What a command prints, and its exit code."""
        if command != DEMO:
            return shell(command, self.folder)
        kept, lines, code = demo()
        shutil.copytree(kept / "demo", self.folder / "demo", dirs_exist_ok=True)
        return lines, code

    def run(self, block: Block) -> list[str]:
        """Run a block; what is not as the page says, as sentences."""
        return self._console(block) if block.language == "console" else self._python(block)

    def _console(self, block: Block) -> list[str]:
        wrong = []
        for command in commands(block):
            if command.text.split()[0] in NOT_RUN:
                continue
            printed, code = self.shell(command.text)
            if code != 0:
                wrong.append(f"line {block.line}: exit code {code} from `{command.text}`")
            if not matches(command.shown, printed):
                text = "\n".join(printed)
                wrong.append(f"line {block.line + command.start}: `{command.text}` prints\n{text}")
        return wrong

    def _python(self, block: Block) -> list[str]:
        return [
            f"line {block.line + example.lineno}: {example.source}says\n{example.want}and gives\n{got}"
            for example, got in self.failures(block)
        ]

    def failures(self, block: Block) -> list[tuple[doctest.Example, str]]:
        """Run a Python block; its examples that give something else than they say, with what they give."""
        if block.text.startswith("# not run") or "--8<--" in block.text:
            return []
        if not block.text.startswith(">>>"):
            exec(compile(block.text, f"line {block.line} of the page", "exec"), self.names)  # noqa: S102
            return []
        test = doctest.DocTestParser().get_doctest(block.text, {}, "page", None, block.line - 1)
        test.globs = self.names
        runner = _Runner(verbose=False, optionflags=doctest.ELLIPSIS)
        runner.run(test, clear_globs=False)
        return runner.failures_


class _Runner(doctest.DocTestRunner):
    """Collects failures instead of printing them."""

    def __init__(self, verbose: bool, optionflags: int) -> None:
        super().__init__(verbose=verbose, optionflags=optionflags)
        self.failures_: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        """Keep what an example gave."""
        self.failures_.append((example, got))

    def report_unexpected_exception(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        """An exception that is not expected is a failure, too."""
        self.failures_.append((example, "".join(traceback.format_exception_only(*exc_info[:2]))))
