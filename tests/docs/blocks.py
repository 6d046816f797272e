"""Pages as scripts: the fenced blocks of a Markdown page, run in order, in one folder.

    ```console    a line that begins with "$ " is a command, lines with "> " continue it (">" alone is an empty
                  line), what follows is all that it prints; a line "..." stands for any number of lines
    ```python     run in the page's namespace; a block that begins with >>> is a doctest; a block that begins
                  with "# not run", or that includes a file, is not run

Commands that build, install or fetch (`make`, `pip`, `git`) are shown, not run. Most pages begin with the demo, which
takes a while and always gives the same: it is run once, and copied for the others.
"""

from __future__ import annotations

import contextlib
import dataclasses
import doctest
import fcntl
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import traceback
import warnings
from typing import Any

import pytest

from tercet.cli import main
from tercet.version import VERSION, version
from tests.conftest import ROOT

ELLIPSIS = "..."
NOT_RUN = ("make", "pip", "git")
DEMO = "tercet demo -o demo"
RELEASE = VERSION.partition(".dev")[0]
_VERSION = re.compile(r"\btercet[:.]\d[\w.+]*")
_TRAINED = re.compile(r"\b((?:model|table)[\w:-]*:)[0-9a-f]{16,64}\b")
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
    wanted = map(unversioned, shown)
    pattern = "".join(r"(?:.*\n)*?" if line == ELLIPSIS else re.escape(line) + r"\n" for line in wanted)
    return re.fullmatch(pattern, "".join(f"{unversioned(line)}\n" for line in printed)) is not None


def unversioned(text: str) -> str:
    """Without the version that signatures end in: a page need not be written anew for a release, let alone a commit.

    A model that is trained on a page has the version in it, and so its digest has none of its own.

    >>> unversioned("rank|method:da|tercet:0.2.0.dev0+g1a2b3c4|data:judgements=9")
    'rank|method:da|tercet:VERSION|data:judgements=9'
    """
    return _TRAINED.sub(r"\1DIGEST", _VERSION.sub("tercet:VERSION", text))


def of_release(text: str) -> str:
    """With the release that this is, or is on the way to, in all signatures.

    >>> of_release("nrefs:1|tercet:0.0.9|data") == f"nrefs:1|tercet:{RELEASE}|data"
    True
    """
    return _VERSION.sub(lambda version: f"{version[0][:7]}{RELEASE}", text)


def environment(folder: pathlib.Path) -> dict[str, str]:
    """The variables that commands of pages see."""
    here = pathlib.Path(sys.executable).parent
    return {"PATH": f"{here}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8", "COLUMNS": "100"}


def shell(command: str, folder: pathlib.Path) -> tuple[list[str], int]:
    """What a command prints in a folder, and its exit code."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return _lines(done.stdout), done.returncode


def _lines(text: str) -> list[str]:
    """What was printed, with the release that a build is on the way to, as a page shows it."""
    lines = text.replace(version(), RELEASE).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def ours(command: str) -> tuple[str, str]:
    """A command that is ours, whose words a shell would only take apart, and what a shell does with what it prints.

    >>> ours('tercet score a.txt -m "chrf(beta=3)"'), ours("tercet list | head"), ours("tercet score *.txt")
    (('tercet score a.txt -m "chrf(beta=3)"', ''), ('tercet list ', '| head'), ('', 'tercet score *.txt'))
    """
    end = _first_sign(command)
    first, rest = command[:end], command[end:]
    fine = first.split()[:1] == ["tercet"] and not set("$`*?~{}#\\\n").intersection(first)
    return (first, rest) if fine and not rest.startswith(("<", "&", "(")) else ("", command)


def _first_sign(command: str) -> int:
    """Where the first of a shell's signs stands outside of quotes, or else the command ends."""
    quoted = ""
    for place, letter in enumerate(command):
        if quoted:
            quoted = "" if letter == quoted else quoted
        elif letter in "\"'":
            quoted = letter
        elif letter in "|&;<>()":
            return place - command[:place].endswith(" 2")  # 2> is one sign
    return len(command)


_QUIET = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)  # as Python is by default


def in_process(command: str, folder: pathlib.Path) -> tuple[list[str], int]:
    """The same as `shell` for a command that is ours, without the second that a new process takes to load."""
    first, rest = ours(command)
    printed, told = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(told if rest else printed),
        pytest.MonkeyPatch.context() as patched,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        for kind in _QUIET:
            warnings.simplefilter("ignore", kind)
        for name, value in environment(folder).items():
            patched.setenv(name, value)
        patched.setattr(sys, "argv", shlex.split(first))
        with pytest.raises(SystemExit) as done:
            main()
    code = int(done.value.code or 0)
    if not rest:
        return _lines(printed.getvalue()), code
    with tempfile.TemporaryDirectory() as kept:
        for name, text in (("out", printed), ("err", told)):
            pathlib.Path(kept, name).write_text(text.getvalue(), encoding="utf-8")
        return shell(f"{{ cat {kept}/out; cat {kept}/err >&2; (exit {code}); }} {rest}", folder)


def demo(kept: pathlib.Path) -> tuple[list[str], int]:
    """Leave the demo in a folder if no other process has; what it printed, and its exit code."""
    printed = kept / "printed.json"
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not printed.exists():
            printed.write_text(json.dumps(shell(DEMO, kept)), encoding="utf-8")
    lines, code = json.loads(printed.read_text(encoding="utf-8"))
    return lines, code


class Session:
    """One page's folder and namespace, and the folder in which the demo is kept for all pages."""

    def __init__(self, folder: pathlib.Path, kept: pathlib.Path) -> None:
        self.folder = folder
        self.kept = kept
        self.names: dict[str, Any] = {"__name__": "__page__"}

    def shell(self, command: str) -> tuple[list[str], int]:
        """What a command prints, and its exit code."""
        if command != DEMO:
            return (in_process if ours(command)[0] else shell)(command, self.folder)
        lines, code = demo(self.kept)
        shutil.copytree(self.kept / "demo", self.folder / "demo", dirs_exist_ok=True)
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


class _Checker(doctest.OutputChecker):
    """Holds what an example gives to what it says, whatever the version."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Whether they are the same."""
        return super().check_output(unversioned(want), unversioned(got), optionflags)


class _Runner(doctest.DocTestRunner):
    """Collects failures instead of printing them."""

    def __init__(self, verbose: bool, optionflags: int) -> None:
        super().__init__(checker=_Checker(), verbose=verbose, optionflags=optionflags)
        self.failures_: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        """Keep what an example gave."""
        self.failures_.append((example, got))

    def report_unexpected_exception(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> None:
        """An exception that is not expected is a failure, too."""
        self.failures_.append((example, "".join(traceback.format_exception_only(*exc_info[:2]))))
