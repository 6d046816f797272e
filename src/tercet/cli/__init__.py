"""The command line: parse, call one public function, print. Heavy rooms are imported when a verb needs them."""

from tercet.cli.app import main

__all__ = ["main"]
