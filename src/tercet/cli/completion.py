"""Completion in a shell: what Click generates, put where bash, zsh or fish look for it."""

from __future__ import annotations

import os
import pathlib

from tercet.errors import InputError

_VARIABLE = "_TERCET_COMPLETE"
_PLACES = {  # where a shell looks, and what its own file must say for that
    "bash": (".bash_completions/tercet.sh", ".bashrc", "source ~/.bash_completions/tercet.sh"),
    "zsh": (".zfunc/_tercet.zsh", ".zshrc", "autoload -Uz compinit && compinit && source ~/.zfunc/_tercet.zsh"),
    "fish": (".config/fish/completions/tercet.fish", "", ""),
}


def script(shell: str) -> str:
    """The script that a shell runs for completion."""
    from click.shell_completion import get_completion_class

    from tercet.cli.app import app

    maker = get_completion_class(_known(shell))
    if maker is None:
        raise InputError(f"Nothing is known of the shell {shell!r}.", hint=f"There are {', '.join(_PLACES)}.")
    return f"{maker(app, {}, 'tercet', _VARIABLE).source().strip()}\n"


def installed(shell: str) -> str:
    """Put it where the shell looks; a sentence on what was written."""
    shell = _known(shell)
    place, settings, line = _PLACES[shell]
    path = pathlib.Path.home() / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script(shell), encoding="utf-8")
    told = f"Wrote {path}"
    if settings:
        profile = pathlib.Path.home() / settings
        before = profile.read_bytes() if profile.exists() else b""
        if line.encode() not in before.splitlines():
            gap = "\n" if before and not before.endswith(b"\n") else ""
            with profile.open("ab") as file:  # whatever it holds stays, in whatever encoding, also on a full disk
                file.write(f"{gap}{line}\n".encode())
            told += f", and a line that reads it into {profile}"
    return f"{told}. It works in the next {shell} that you open.\n"


def _known(shell: str) -> str:
    """The shell that was named, or that this one is."""
    name = shell or pathlib.Path(os.environ.get("SHELL", "")).name
    if name not in _PLACES:
        raise InputError(
            f"Nothing is known of the shell {name!r}." if name else "Which shell is yours cannot be seen.",
            hint=f"Name one: tercet --install-completion {'|'.join(_PLACES)}.",
        )
    return name
