"""Names and texts of strangers on their way out: each is data to the program that reads what we write.

    clean         no character that a page cannot hold, or that acts on what stands around it
    clipped       the same, no longer than anybody reads
    one_line      the same in one line, for a cell, a label or a comment
    terminal      lines for people: nothing that moves the cursor, rings, or asks a terminal to answer
    markdown      no markup, no link, no mention of people
    latex         no command, no end of a cell, row or comment
    spreadsheet   no formula; a number stays a number; `from_spreadsheet` has the text again
    json_text     JSON whose bytes are as harmless as its values

Characters that no page may hold, and those that reorder the text around them (the explicit bidirectional controls),
are shown as U+FFFD. Marks that only tell a direction (U+200E, U+200F, U+061C) stay: right-to-left names need them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tercet.numbers import typeset

NAME_LIMIT = 100  # characters of a name that are shown
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_BYTE = re.compile("[\udc80-\udcff]")  # of a file's name that is no UTF-8, as Python holds it
_BREAK = re.compile("[\n\t]")
_MARKUP = re.compile(r"[\\`*\[\]#~]|(?<!\w)_|_(?!\w)|(?<=\w):(?=//)|(?<=\b[wW]{3})\.")  # bare addresses are links, too
_HTML = re.compile(r"[&<>]|(?<!\w)@(?=\w)")  # entities, tags, mentions; P@5 is none
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
_FORMULA = ("=", "@", "+", "-", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # wide ones count, too
_PLAIN = r"[+-]?[\d.,]*\d(?:[eE][+-]?\d+)?"
_NUMBER = re.compile(rf"{_PLAIN}%?(?: ?± ?{_PLAIN})?(?: ?[\[(]{_PLAIN}(?:, ?{_PLAIN})?[\])])?|-")  # with its interval
_LATEX = {
    "\\": r"\textbackslash{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "±": r"$\pm$",
    "–": "--",
    "−": "$-$",
    "⋆": r"$\star$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "≥": r"$\geq$",
    "≀": r"$\wr$",
    "\ufffd": "?",
}


def clean(text: str) -> str:
    """Text without characters that a page cannot hold or that act on what stands around it.

    >>> clean("a\\u202eb\\r\\nc")
    'a\ufffdb\\nc'
    """
    return _UNFIT.sub("\ufffd", text.replace("\r\n", "\n"))


def clipped(name: str, limit: int = NAME_LIMIT) -> str:
    """A name as it is shown, cut where it is longer than anybody reads.

    >>> clipped("sacreBLEU", 6)
    'sacre…'
    """
    return clean(name if len(name) <= limit else name[: limit - 1] + "…")


def one_line(text: str, instead: str = "\ufffd") -> str:
    """Clean text in which nothing breaks the line.

    >>> one_line("a\\nb"), one_line("a\\nb", " ")
    ('a\ufffdb', 'a b')
    """
    return _BREAK.sub(instead, clean(text))


def terminal(text: str) -> str:
    """Lines for a person; bytes of a file's name that are no UTF-8 are spelt.

    >>> print(terminal("caf\\udce9.txt \\x1b[31mred"))
    caf\\xe9.txt \ufffd[31mred
    """
    return clean(_BYTE.sub(lambda byte: f"\\x{ord(byte[0]) & 0xFF:02x}", text))


def markdown(text: str) -> str:
    """Text as text in a paragraph; in a cell of a table, `|` wants a backslash as well.

    >>> print(markdown("a_b <b> [x](javascript:y) @you https://a.org"))
    a_b &lt;b&gt; \\[x\\](javascript:y) &#64;you https\\://a.org
    """
    plain = clean(" ".join(text.split()))
    escaped = _MARKUP.sub(lambda mark: f"\\{mark[0]}", plain)
    return _HTML.sub(lambda char: _ENTITIES[char[0]], escaped)


def latex(text: str) -> str:
    """Text in a cell of a table; what opens a bracket there is no option of the line before.

    >>> print(latex("50 %\\n\\\\input{x}"), latex("[2cm]"))
    50 \\% \\textbackslash{}input\\{x\\} {[}2cm]
    """
    escaped = "".join(_LATEX.get(char, char) for char in typeset(one_line(text, " ")))
    return f"{{{escaped[0]}}}{escaped[1:]}" if escaped.startswith(("[", "*")) else escaped


def spreadsheet(text: str) -> str:
    """A cell that a spreadsheet shows as it is: what it would compute has an apostrophe before it, numbers have not.

    >>> [spreadsheet(text) for text in ("=1+1", "-0.5", "+.1 ± .2", "-1-1", "@x", "-x", "a=b", "'=x")]
    ["'=1+1", '-0.5', '+.1 ± .2', "'-1-1", "'@x", "'-x", 'a=b', "''=x"]
    """
    return f"'{text}" if _computes(text.lstrip("'")) else text


def from_spreadsheet(cell: str) -> str:
    """The text of a cell that `spreadsheet` made.

    >>> [from_spreadsheet(cell) for cell in ("'=1+1", "-0.5", "'tis", "''=x")]
    ['=1+1', '-0.5', "'tis", "'=x"]
    """
    return cell[1:] if cell.startswith("'") and _computes(cell.lstrip("'")) else cell


def _computes(text: str) -> bool:
    return text.startswith(_FORMULA) and not _NUMBER.fullmatch(text)


def json_text(value: Any, **how: Any) -> str:
    """A value as JSON in readable characters, those that act on what stands around them spelt.

    >>> print(json_text({"name": "é\\u202e\\x9b"}))
    {"name": "é\\u202e\\u009b"}
    """
    text = json.dumps(value, ensure_ascii=False, **how)
    return re.sub(r"[^\x00-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", _spelt, text)


def _spelt(char: re.Match[str]) -> str:
    return f"\\u{ord(char[0]):04x}"
