"""Which kind of labels a file of quality estimation has: of sentences, words or spans, known by how it begins."""

from __future__ import annotations

import itertools

from tercet.errors import InputError
from tercet.formats import qe_sentences, qe_spans, qe_words
from tercet.formats.lines import File, is_stdin, shown
from tercet.formats.qe_rows import NumberedLines, is_number, read_numbered, without_preamble
from tercet.limits import is_whole
from tercet.options.quality import QualityLevel

_LOOKED_AT = 20  # lines in which an OK or BAD must stand
_HINT = "Name it: --level sentence, word or span."


def detect_level(path: File) -> QualityLevel:
    """The kind of labels in a file.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write("OK OK BAD\\nOK\\n")
    ...     file.flush()
    ...     detect_level(file.name)
    'word'
    """
    if is_stdin(path):
        raise InputError("What standard input holds is not known.", hint=_HINT)
    lines = without_preamble(read_numbered(path))
    level = _by_json(lines) or (_by_table(lines) if "\t" in lines.texts[0] else _by_words(lines))
    if level is None:
        raise InputError(
            f"{shown(path)}, which begins {lines.texts[0][:60]!r}, is no file of labels that is known.",
            hint=_HINT,
        )
    return level


def _by_json(lines: NumberedLines) -> QualityLevel | None:
    return "span" if lines.texts[0].lstrip().startswith(("[", "{")) else None


def _by_words(lines: NumberedLines) -> QualityLevel | None:
    first = lines.texts[0].strip()
    if is_number(first) or first.lower() in qe_sentences.HEADERS:
        return "sentence"
    words = itertools.chain.from_iterable(text.split() for text in lines.texts[:_LOOKED_AT])
    return "word" if any(qe_words.is_binary([word]) for word in words) else None


def _by_table(lines: NumberedLines) -> QualityLevel | None:
    cells = [cell.strip() for cell in lines.texts[0].split("\t")]
    if qe_spans.is_span_header(cells):
        return "span"
    if {cell.lower() for cell in cells} & qe_sentences.HEADERS:
        return "sentence"
    if len(cells) == 7:
        return "word" if cells[2].lower() in qe_words.SIDES else "span" if is_whole(cells[2]) else None
    if len(cells) == 4 and is_number(cells[3]):
        return "sentence"
    return "word" if len(cells) >= 4 and (is_whole(cells[1]) or is_whole(cells[2])) else None
