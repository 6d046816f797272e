"""The verbs, sorted by job, and what every verb shares: errors, exit codes, output."""

from __future__ import annotations

import _thread
import io
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import click

from tercet.cli.examples import show_examples
from tercet.cli.group import Verbs
from tercet.cli.mistakes import retold
from tercet.cli.output import Closed, forget_output, warn
from tercet.errors import TercetError

DONE, OUR_FAULT, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

_JOBS = """\
Tercet evaluates machine translation.

Is B better than A?
  tercet score a.txt b.txt -r ref.txt --paired bootstrap
  tercet merge *.part              one answer from shards of score --shard 3/64
Where, and is it luck?
  tercet compare a.txt b.txt -r ref.txt -s src.txt -o page.html
Why this score?
  tercet explain ter --hyp "the cat sat" --ref "the black cat sat"
  tercet parse a.txt ref.txt -o trees.conllu      trees for verta, sp, dp, red
Which system do people prefer?
  tercet rank rankings.csv         scores, rank ranges, clusters
  tercet agreement rankings.csv    do the judges agree, and who is odd?
  tercet choose rankings.csv       which way of ranking predicts best?
  tercet plan --gap 0.05           how many judgements will it take?
Collect judgements
  tercet campaign create news.db -t texts.tsv --protocol ranking --annotators 5
  tercet campaign serve news.db    send out links, watch the ranking settle
Which metric to trust?
  tercet meta -t texts.tsv -j rankings.csv -m bleu -m chrf
  tercet run study.toml            a whole metrics task: tables, figures, report
Can a metric do better?
  tercet tune chrf -t texts.tsv -j rankings.csv
  tercet train combine -m chrf -m ter -t texts.tsv -j ranks.csv --model my.json
Which need a person?
  tercet qe train -s src.txt -t mt.txt --labels hter.txt -o model
  tercet qe predict model -s new.src -t new.mt    a score, an interval, and why
  tercet qe decide model --risk 0.05              what can be published?
  tercet qe evaluate ours.tsv --gold hter.txt     how good are predictions?
What do translated queries find?
  tercet retrieval a.run b.run qrels.txt --ceiling monolingual.run
What is there?
  tercet list metrics    or all: rankers, measures, tokenizers, formats
  tercet show chrf       one of them: definition, paper, options
Show me
  tercet demo            the main job on a small campaign that ships with it

tercet VERB --help explains a verb; tercet --version names the version;
tercet --install-completion lets your shell complete verbs, options and names of
metrics.
"""

_VERBS = {
    "score": "tercet.cli.score:score_command",
    "merge": "tercet.cli.merge:merge_command",
    "compare": "tercet.cli.compare:compare_command",
    "explain": "tercet.cli.explain:explain_command",
    "parse": "tercet.cli.parse:parse_command",
    "rank": "tercet.cli.rank:rank_command",
    "agreement": "tercet.cli.agreement:agreement_command",
    "choose": "tercet.cli.rank:choose_command",
    "plan": "tercet.cli.rank:plan_command",
    "meta": "tercet.cli.meta:meta_command",
    "tune": "tercet.cli.tune:tune_command",
    "run": "tercet.cli.run:run_command",
    "retrieval": "tercet.cli.retrieval:retrieval_command",
    "list": "tercet.cli.catalogue:list_command",
    "show": "tercet.cli.catalogue:show_command",
    "demo": "tercet.cli.demo:demo_command",
    "train": "tercet.cli.train:train",
    "qe": "tercet.cli.qe:qe",
    "campaign": "tercet.cli.campaign:campaign",
}


def _unusable(error: OSError) -> int:
    """The exit code where the machine cannot do something: a full disk, no more files."""
    if not error.filename:
        forget_output()
    if isinstance(error, BrokenPipeError):
        return DONE  # the reader has gone, as with `| head`: nothing more to say, not even at exit
    what = f"{error.filename} cannot be used" if error.filename else "Standard output cannot be written"
    warn(f"{what}: {error.strerror or error}. Check that there is room where it goes.")
    return BAD_INPUT


_RESERVE = [bytearray(4 << 20)]  # let go when memory runs out, so that there is room for a sentence; never touched


def _out_of_memory() -> int:
    _RESERVE.clear()
    warn("memory ran out, nothing was written. Give it fewer texts, systems or metrics at once.")
    return BAD_INPUT


def _interrupted() -> int:
    warn("interrupted, nothing was written.")
    return INTERRUPTED


def _heard_later(unraisable: sys.UnraisableHookArgs) -> None:
    """Ctrl-C in a callback of Python's, where nothing can be raised, comes again where something can."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        import threading

        threading.Timer(0.01, _thread.interrupt_main).start()  # at once it would be raised, and lost, in here
    else:
        sys.__unraisablehook__(unraisable)


class _Tercet(Verbs):
    """The command itself: whatever happens becomes one message on stderr and an exit code."""

    def alone(self, **_: Any) -> None:
        """The verbs by job: what one asks for by `tercet` alone."""
        if click.get_current_context().invoked_subcommand is None:
            show_examples(self.contents, err=False)

    def main(self, args: Sequence[str] | None = None, *_: Any, **more: Any) -> Any:
        """Run the command that a shell named, and exit with its code."""
        words = list(sys.argv[1:] if args is None else args)
        self._main_shell_completion({}, "tercet", None)
        raise SystemExit(self._code(words))

    def _code(self, words: list[str]) -> int:
        try:
            with self.make_context("tercet", words) as context:
                self.invoke(context)
        except click.exceptions.Exit as done:  # of help and version
            return done.exit_code
        except click.UsageError as error:
            warn(str(retold(error)))
        except TercetError as error:
            warn(str(error))
        except OSError as error:
            return _unusable(error)
        except MemoryError:
            return _out_of_memory()
        except KeyboardInterrupt:
            return _interrupted()
        except Exception as error:
            if isinstance(error.__cause__, KeyboardInterrupt):  # Python makes another error of it where a class is made
                return _interrupted()
            warn("a fault of ours; please report what follows.")
            raise
        else:
            return DONE
        return BAD_INPUT


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tercet.version import version

        click.echo(f"tercet {version()}")
        context.exit(DONE)


def _completion(context: click.Context, option: click.Parameter, shell: str | None) -> None:
    if shell is not None:
        from tercet.cli.completion import installed, script

        click.echo(installed(shell) if option.name == "install_completion" else script(shell), nl=False)
        context.exit(DONE)


def _eager(flag: str, about: str, callback: Any, **more: Any) -> click.Option:
    """An option of `tercet` itself, which does its work at once."""
    return click.Option([flag], expose_value=False, is_eager=True, callback=callback, help=about, **more)


_SHELL: dict[str, Any] = {"is_flag": False, "flag_value": "", "metavar": "[SHELL]"}
app = _Tercet(
    "tercet",
    _VERBS,
    _JOBS,
    "A workbench for machine-translation evaluation.",
    params=[
        _eager("--version", "Show the version.", _version, is_flag=True),
        _eager(
            "--install-completion",
            "Let the shell complete verbs, options and names: bash, zsh or fish; yours otherwise.",
            _completion,
            **_SHELL,
        ),
        _eager("--show-completion", "Show the script of that instead.", _completion, **_SHELL),
    ],
)


def main() -> None:
    """Run the command line."""
    sys.stdout = sys.stdout or Closed()  # none of them, where a shell closed it
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    warnings.showwarning = lambda message, *_rest, **_more: warn(str(message))
    sys.unraisablehook = _heard_later
    app.main()
