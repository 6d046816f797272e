"""XML that is not trusted: expat without document types, entities or network, and errors that say where.

Input is hostile: a document type or an entity of its own is refused, nothing is fetched, and size is bounded.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from xml.parsers import expat

from tercet.errors import InputError
from tercet.formats import lines
from tercet.formats.lines import File

_NO_ENCODINGS = ("charmap", "raw-unicode-escape", "unicode-escape")  # bytes to letters for Python, but none of text


class Walker:
    """Walks through a file; its children say in `start`, `end` and `characters` what to make of it."""

    def __init__(self, path: File) -> None:
        self.path = path
        self.file = lines.shown(path)
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.XmlDeclHandler = self._declared
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse

    def walk(self) -> None:
        """Go through the whole file."""
        for piece in lines.bounded(self.path):
            self._feed(piece)
        self._feed(b"", last=True)

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        """Called where an element begins, with its attributes."""

    def end(self, tag: str) -> None:
        """Called where an element ends."""

    def characters(self, text: str) -> None:
        """Called with text between two tags, perhaps in pieces."""

    @property
    def line(self) -> int:
        """The line of the file that is being read."""
        return self.parser.CurrentLineNumber

    def fault(self, what: str, hint: str) -> InputError:
        """An error that names the file and the line."""
        return InputError(f"{self.file}, line {self.line}: {what}.", hint=hint)

    def _feed(self, piece: bytes, last: bool = False) -> None:
        try:
            self.parser.Parse(piece, last)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code) or "unknown error"
            raise InputError(
                f"{self.file}, line {error.lineno}, column {error.offset + 1}: not sound XML ({reason}).",
                hint="Repair it there; & and < in text are written &amp; and &lt;.",
            ) from None
        except (LookupError, ValueError) as error:  # what Python's codecs make of the encoding that is declared
            if isinstance(error, InputError):
                raise
            raise self._unread(str(error)) from None

    def _declared(self, _version: str, encoding: str | None, _standalone: int) -> None:
        """Refuse what Python has among its encodings, and is none."""
        if encoding is not None and codecs.lookup(encoding).name in _NO_ENCODINGS:
            raise self._unread(f"{encoding} is no encoding of text")

    def _unread(self, why: str) -> InputError:
        what = f"the encoding that it declares cannot be read ({why})"
        return self.fault(what, 'Convert it with iconv to UTF-8, and declare encoding="UTF-8".')

    def _refuse(self, *_: object) -> None:
        raise self.fault("it declares a document type or an entity, which is not allowed", "Delete the <!DOCTYPE ...>.")
