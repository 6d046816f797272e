"""The verbs, sorted by job, and what every verb shares: errors, exit codes, output."""

from __future__ import annotations

import os
import sys

import typer

from tercet.cli.catalogue import list_command, show_command
from tercet.cli.demo import demo_command
from tercet.cli.score import score_command
from tercet.errors import TercetError

DONE, OUR_FAULT, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

_JOBS = """\
Tercet evaluates machine translation.

Is B better than A?        tercet score a.txt b.txt -r ref.txt --paired bootstrap
What is there?             tercet list            every metric and tokenizer
                           tercet show chrf       one of them: definition, paper, options
Show me                    tercet demo            the main job on a small campaign that ships with it

tercet VERB --help explains a verb; tercet --version names the version.
"""

app = typer.Typer(
    name="tercet",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tercet {version('tercet')}")
        raise typer.Exit(DONE)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """A workbench for machine-translation evaluation."""
    if context.invoked_subcommand is None:
        typer.echo(_JOBS, nl=False)


app.command("score", no_args_is_help=False)(score_command)
app.command("list")(list_command)
app.command("show")(show_command)
app.command("demo")(demo_command)


def main() -> None:
    """Run the command; library errors become one message on stderr and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    try:
        app()
    except TercetError as error:
        message = str(error)
        print(f"tercet: {message}", file=sys.stderr)  # noqa: T201
        raise SystemExit(BAD_INPUT) from None
    except BrokenPipeError:
        # the reader has gone, as with `| head`: nothing more to say, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(DONE) from None
    except KeyboardInterrupt:
        print("tercet: interrupted, nothing was written.", file=sys.stderr)  # noqa: T201
        raise SystemExit(INTERRUPTED) from None
    except Exception:
        print("tercet: a fault of ours; please report what follows.", file=sys.stderr)  # noqa: T201
        raise
