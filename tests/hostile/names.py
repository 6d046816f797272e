"""Names that are more than names to some program that reads what we write."""

from __future__ import annotations

NAMES = {
    "line break": "a\n\\input{/etc/passwd}",
    "carriage return": "a\r\\write18{id}",
    "page breaks": "a\x0b\x0c\x1c\x85\u2028\u2029b",
    "latex": "\\def\\x{\\x}\\x $& % # _ { } ~ ^",
    "latex option": "[2cm]",
    "latex star": "*",
    "html": "<img src=x onerror=alert(1)>",
    "comment": "<!-- --><script>alert(1)</script>",
    "link": "[x](javascript:alert(1))",
    "definition": "[x]: javascript:alert(1)",
    "autolink": "<javascript:alert(1)>",
    "code": "``` `",
    "bar": "a | b |",
    "mention": "@everyone #1",
    "formula": "=cmd|' /C calc'!A0",
    "plus": "+1+cmd",
    "minus": "-2+3+cmd|' /C calc'!A0",
    "at": "@SUM(1+1)",
    "tab": "\t=1+1",
    "wide formula": "\uff1d1+1",
    "colours": "\x1b[31mred\x1b[0m",
    "title": "\x1b]0;owned\x07",
    "hyperlink": "\x1b]8;;http://example.org\x1b\\click\x1b]8;;\x1b\\",
    "c1": "\x9b31mred",
    "bell": "\x07\x08\x00\x7f",
    "bidi": "abc\u202edef\u2066ghi\u2069",
    "rich": "[bold red]x[/] [/nope]",
    "maths": "$\\frac{1}{",
    "quotes": "'\"\\",
}
HALF = "half \ud800 a character"  # Python can hold it, a file cannot
