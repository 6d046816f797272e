"""The verbs, sorted by job, and what every verb shares: errors, exit codes, output."""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

import typer

from tercet.cli.agreement import agreement_command
from tercet.cli.catalogue import list_command, show_command
from tercet.cli.compare import compare_command
from tercet.cli.demo import demo_command
from tercet.cli.explain import explain_command
from tercet.cli.meta import meta_command
from tercet.cli.rank import choose_command, plan_command, rank_command
from tercet.cli.retrieval import retrieval_command
from tercet.cli.run import run_command
from tercet.cli.score import score_command
from tercet.cli.train import train_app
from tercet.cli.tune import tune_command
from tercet.errors import TercetError

DONE, OUR_FAULT, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

_JOBS = """\
Tercet evaluates machine translation.

Is B better than A?        tercet score a.txt b.txt -r ref.txt --paired bootstrap
Where, and is it luck?     tercet compare a.txt b.txt -r ref.txt -s src.txt -o page.html
Why this score?            tercet explain ter --hyp "the cat sat" --ref "the black cat sat"
Which system do people prefer?
                           tercet rank rankings.csv         scores, rank ranges, clusters
                           tercet agreement rankings.csv    do the judges agree, and who is odd?
                           tercet choose rankings.csv       which way of ranking predicts best?
                           tercet plan --gap 0.05           how many judgements will it take?
Which metric to trust?     tercet meta -t texts.tsv -j rankings.csv -m bleu -m chrf
                           tercet run study.toml            a whole metrics task: tables, figures, report
Can a metric do better?    tercet tune chrf -t texts.tsv -j rankings.csv
                           tercet train combine -m chrf -m ter -t texts.tsv -j rankings.csv --model ours.json
What do translated queries find?
                           tercet retrieval a.run b.run qrels.txt --ceiling monolingual.run
What is there?             tercet list            every metric, ranker, measure, tokenizer and format
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


def _guarded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with library errors as one message on stderr and an exit code."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except TercetError as error:
            _say(str(error))
            raise SystemExit(BAD_INPUT) from None
        except BrokenPipeError:
            # the reader has gone, as with `| head`: nothing more to say, not even at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(DONE) from None
        except KeyboardInterrupt:
            _say("interrupted, nothing was written.")
            raise SystemExit(INTERRUPTED) from None
        except Exception:
            _say("a fault of ours; please report what follows.")
            raise

    return run


def _say(message: str) -> None:
    print(f"tercet: {message}", file=sys.stderr)  # noqa: T201


_VERBS: dict[str, Callable[..., None]] = {
    "score": score_command,
    "compare": compare_command,
    "explain": explain_command,
    "rank": rank_command,
    "agreement": agreement_command,
    "choose": choose_command,
    "plan": plan_command,
    "meta": meta_command,
    "tune": tune_command,
    "run": run_command,
    "retrieval": retrieval_command,
    "list": list_command,
    "show": show_command,
    "demo": demo_command,
}
for _verb, _command in _VERBS.items():
    app.command(_verb)(_guarded(_command))
app.add_typer(train_app(_guarded), name="train")


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    warnings.showwarning = lambda message, *_rest, **_more: _say(str(message))
    app()
