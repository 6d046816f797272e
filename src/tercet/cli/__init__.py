"""The command line: parse, call one public function, print. Heavy rooms are imported when a verb needs them."""

import contextlib
import os
import signal
from collections.abc import Iterator

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C while it is being loaded ends it as Ctrl-C does later."""
    try:
        with _left_at_once():
            from tercet.cli.app import main as run
        run()
    except KeyboardInterrupt:
        _leave()


@contextlib.contextmanager
def _left_at_once() -> Iterator[None]:
    """Ctrl-C ends the process where it is: raised while modules load, it may be lost or become another error."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # a shell may have it ignored
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    yield
    signal.signal(signal.SIGINT, before)


def _leave(*_: object) -> None:
    with contextlib.suppress(OSError):  # standard error may be closed or full
        os.write(2, b"tercet: interrupted, nothing was written.\n")
    os._exit(130)
