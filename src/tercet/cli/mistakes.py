"""What the parser cannot read, in the sentences of everything else."""

from __future__ import annotations

import difflib

import click

from tercet.errors import InputError


def unknown_verb(word: str, verbs: list[str], path: str) -> InputError:
    """A verb that there is not."""
    near = difflib.get_close_matches(word, verbs, n=3)
    meant = f"Did you mean {' or '.join(near)}?" if near else f"{path} alone shows what there is."
    return InputError(f"{path} has no verb {word!r}.", hint=meant)


def retold(error: click.UsageError) -> InputError:
    """A word that the parser refused, as a sentence with what to do."""
    context = error.ctx
    path = context.command_path if context is not None else "tercet"
    explained = f"{path} -h lists its options."
    if isinstance(error, click.NoSuchOption):
        near = " or ".join(error.possibilities or ())
        return InputError(
            f"{path} has no option {error.option_name}.", hint=f"Did you mean {near}?" if near else explained
        )
    if isinstance(error, click.BadOptionUsage):
        option = error.option_name
        if "not take" in error.message:
            return InputError(f"{option} takes no value.", hint=f"Write {option} alone.")
        return InputError(f"Nothing stands behind {option}.", hint=f"{path} -h says what it takes.")
    return InputError(error.format_message().rstrip(".") + ".", hint=explained)
