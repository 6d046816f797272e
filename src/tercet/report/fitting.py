"""Tables as wide as a terminal: words and intervals stay whole, whatever the width.

What is too wide is made narrower step by step, as far as it must: systems lose what all their names begin or end with,
cells break between their parts (a score, its interval, its p-value), as few columns as possible are called by letters
with a key below, and columns that still do not fit stand in further tables below.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import string
from collections.abc import Iterable, Sequence

from tercet.data.table import Table
from tercet.report.naming import short_names

GAP = 2  # columns between cells
TITLE = 2  # lines that a title may take
SHORT = 3  # a title that is no longer than this is not worth a letter
# an interval, what stands in brackets, a p-value with its sign, a number with its ±; otherwise a word
# what of a sentence stays on one line: an interval, words in quotation marks, a p-value or n with its sign, a unit
_TOGETHER = re.compile(r"\[[^\[\]]{1,40}\]|“[^“”]{1,24}”|\b[pn] [=<>≤≥] \S+|± \S+|\d %")
_PART = re.compile(r"\[[^\]]*\]|\([^()\s]*(?: [^()\s]+)*\)|p [=<>≤] \S+|±\s\S+|\S+")


def fitted(table: Table, width: int) -> list[Table]:
    """The table in so many columns of a terminal: cells are broken by "\\n", and there may be several of it."""
    if _natural(table) <= width:
        return [table]
    table = _with_short_names(table)
    if _natural(table) <= width:
        return [table]
    if _least(table) > width:
        coded = _coded(table, width)
        if _least(coded) < _least(table):
            table = coded
    return [_broken(part, width) for part in _side_by_side(table, width)]


def wrapped(text: str, width: int, hang: int = 0) -> list[str]:
    """A note in lines, all but the first set in by `hang`: signatures break before a |, sentences between words.

    Nothing is broken inside a word, an interval, a p-value or a short quotation.

    >>> wrapped("rank|method:da|seed:1", 12), wrapped("one two three", 8)
    (['rank', '|method:da', '|seed:1'], ['one two', 'three'])
    >>> wrapped("better by .12 [.05, .19], p = .03", 20, hang=2)
    ['better by .12', '  [.05, .19],', '  p = .03']
    """
    lines = [""]
    for piece in _facts(text, width) if is_signature(text) else _words(text):
        if lines[-1].strip() and _width(lines[-1] + piece.rstrip()) > width:
            lines.append(" " * hang)
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _words(text: str) -> list[str]:
    """A sentence in what stays together, with the blanks behind it."""
    joined = _TOGETHER.sub(lambda together: together[0].replace(" ", "\0"), text)
    return [piece.replace("\0", " ") for piece in re.findall(r"\S+\s*", joined)]


def _facts(signature: str, width: int) -> list[str]:
    """A signature in its facts; one that is longer than a line breaks between its words."""
    facts = re.split(r"(?=\|)|(?=\+\w+[=(])", signature)
    return [piece for fact in facts for piece in ([fact] if _width(fact) <= width else re.findall(r"\S+\s*", fact))]


def is_signature(text: str) -> bool:
    """Whether a note is a signature, or fingerprints of data, and no sentence."""
    return " " not in text.partition("|")[0] and ("|" in text or text.startswith("data:"))


def parts(cell: str) -> list[str]:
    """What of a cell stays together.

    >>> parts("58.34 [51.97, 63.96] p = .003*")
    ['58.34', '[51.97, 63.96]', 'p = .003*']
    """
    return _PART.findall(cell) or [""]


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _lines(table: Table) -> list[tuple[str, ...]]:
    return [*table.headers, *table.rows]


def _columns(table: Table) -> list[list[str]]:
    return [[line[c] for line in _lines(table)] for c in range(len(table.header))]


def _natural(table: Table) -> int:
    widths = [max(map(_width, column)) for column in _columns(table)]
    return sum(widths) + GAP * (len(widths) - 1)


def _least_widths(table: Table) -> list[int]:
    bodies = [max(_width(part) for cell in column for part in parts(cell)) for column in _columns(table)]
    return [max(_least_of_title(title), body) for title, body in zip(table.header, bodies, strict=True)]


def _least_of_title(title: str) -> int:
    """How wide a title is in two lines: one of more is hard to read."""
    widest = max(map(_width, parts(title)))
    return next((w for w in range(widest, _width(title)) if _folded(title, w).count("\n") < TITLE), _width(title))


def _least(table: Table) -> int:
    widths = _least_widths(table)
    return sum(widths) + GAP * (len(widths) - 1)


def _with_short_names(table: Table) -> Table:
    """Systems without what all their names begin or end with; a note says what that is."""
    titles = {*table.header[1:]}
    names = [row[0] for row in table.rows if table.header[0] == "system" or row[0] in titles]
    names = list(dict.fromkeys(names))
    short = dict(zip(names, short_names(names), strict=True))
    before, _, behind = names[0].partition(short[names[0]]) if names else ("", "", "")
    told = [f"begin with “{before}”"] * bool(before) + [f"end in “{behind}”"] * bool(behind)
    if not told:
        return table
    header = (table.header[0], *(short.get(title, title) for title in table.header[1:]))
    rows = tuple((short.get(row[0], row[0]), *row[1:]) for row in table.rows)
    notes = (f"All names {' and '.join(told)}, which is left out here.", *table.notes)
    return dataclasses.replace(table, header=header, rows=rows, notes=notes)


def _coded(table: Table, width: int) -> Table:
    """Letters in place of the titles of columns, of as few as it takes, with a key below."""
    titles = dict.fromkeys(title for title in table.header[1:] if _width(title) > SHORT)
    if set(titles) <= {row[0] for row in table.rows}:  # a matrix: all or none
        return _lettered(table, titles)
    saved = dict.fromkeys(titles, 0)
    for title, must, cells in zip(table.header, _least_widths(table), _columns(table), strict=True):
        if title in saved:
            body = max(_width(part) for cell in cells[len(table.headers) :] for part in parts(cell))
            saved[title] += must - body
    order = sorted(titles, key=lambda title: -saved[title])
    codings = (_lettered(table, [t for t in titles if t in order[: n + 1]]) for n in range(len(order)))
    return next((coded for coded in codings if _least(coded) <= width), _lettered(table, titles))


def _lettered(table: Table, titles: Iterable[str]) -> Table:
    """Letters in place of these titles, with a key below; rows of the same names have them, too."""
    letters = dict(zip(titles, _letters(), strict=False))
    header = (table.header[0], *(letters.get(title, title) for title in table.header[1:]))
    rows = tuple((f"{letters[row[0]]} {row[0]}" if row[0] in letters else row[0], *row[1:]) for row in table.rows)
    key = ", ".join(f"{letter} {title}" for title, letter in letters.items())
    named = {row[0] for row in table.rows}
    notes = (f"Columns: {key}.",) if not set(letters) <= named else ()
    return dataclasses.replace(table, header=header, rows=rows, notes=(*notes, *table.notes))


def _letters() -> itertools.chain[str]:
    alphabet = string.ascii_uppercase
    return itertools.chain(alphabet, map("".join, itertools.product(alphabet, repeat=2)))


def _side_by_side(table: Table, width: int) -> list[Table]:
    """As many tables as it takes, each with the first column, the notes below the last."""
    first, *widths = _least_widths(table)
    groups: list[list[int]] = [[]]
    room = width - first
    for c, wide in enumerate(widths, 1):
        if groups[-1] and room < wide + GAP:
            groups.append([])
            room = width - first
        groups[-1].append(c)
        room -= wide + GAP
    chosen = [[0, *columns] for columns in groups]
    return [_with_columns(table, columns, last=columns is chosen[-1]) for columns in chosen]


def _with_columns(table: Table, columns: Sequence[int], *, last: bool) -> Table:
    def cut(line: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(line[c] for c in columns)

    return Table(
        cut(table.header),
        tuple(map(cut, table.rows)),
        table.notes if last else (),
        frozenset((r, columns.index(c)) for r, c in table.best if c in columns),
        table.rules,
        cut(table.subheader) if table.subheader else (),
    )


def _broken(table: Table, width: int) -> Table:
    """Cells broken between their parts, each column no narrower than it must be."""
    columns = _columns(table)
    least = _least_widths(table)
    wanted = [max(map(_width, column)) for column in columns]
    room = width - GAP * (len(least) - 1)
    for cap in range(max(wanted), 0, -1):  # the same for all, so that columns of a kind look alike
        widths = [min(want, max(must, cap)) for want, must in zip(wanted, least, strict=True)]
        if sum(widths) <= room:
            break

    def fit(line: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_folded(cell, wide) for cell, wide in zip(line, widths, strict=True))

    return dataclasses.replace(
        table,
        header=fit(table.header),
        rows=tuple(map(fit, table.rows)),
        subheader=fit(table.subheader) if table.subheader else (),
    )


def _folded(cell: str, width: int) -> str:
    if _width(cell) <= width:
        return cell
    lines = [""]
    for part in parts(cell):
        longer = f"{lines[-1]} {part}" if lines[-1] else part
        if lines[-1] and _width(longer) > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)
