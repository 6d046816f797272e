"""Text on its way into a page: names are hostile, so all of it passes here.

Characters that no page may hold, and those that reorder the text around them (the explicit bidirectional controls),
are shown as U+FFFD. Marks that only tell a direction (U+200E, U+200F, U+061C) stay: right-to-left names need them.
"""

from __future__ import annotations

import html
import math
import re

NAME_LIMIT = 100  # characters of a name that are shown
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_LONG_WORD = re.compile(rf"\S{{{NAME_LIMIT + 1},}}")


def clean(text: str) -> str:
    """Text without characters that a page cannot hold or that act on what stands around it.

    >>> clean("a\\u202eb\\r\\nc")
    'a\ufffdb\\nc'
    """
    return _UNFIT.sub("\ufffd", text.replace("\r\n", "\n"))


def escape(text: str) -> str:
    """Text for the inside of an element or a quoted attribute.

    >>> escape('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return html.escape(clean(text))


def clipped(name: str, limit: int = NAME_LIMIT) -> str:
    """A name as it is shown, cut where it is longer than anybody reads.

    >>> clipped("sacreBLEU", 6)
    'sacre…'
    """
    return clean(name if len(name) <= limit else name[: limit - 1] + "…")


def isolated(name: str, limit: int = NAME_LIMIT) -> str:
    """A name inside a plain sentence, between the marks (U+2068, U+2069) that do for text what <bdi> does for HTML."""
    return f"\u2068{clipped(name, limit)}\u2069"


def is_clipped(name: str) -> bool:
    """Whether a name is too long to be shown whole."""
    return len(name) > NAME_LIMIT


def name(text: str) -> str:
    """A name as HTML; <bdi> takes its direction from the name and keeps it from what stands around it.

    >>> name("a&b")
    '<bdi>a&amp;b</bdi>'
    """
    return f"<bdi>{html.escape(clipped(text))}</bdi>"


def prose(text: str) -> str:
    """A sentence as HTML; a word that is longer than any name shown is cut like a name."""
    return escape(_LONG_WORD.sub(lambda word: word[0][: NAME_LIMIT - 1] + "…", text))


def figure(value: float, digits: int = 3) -> str:
    """A coefficient or p-value as the papers print it: no leading zero, a real minus, `nan` where undefined.

    >>> figure(0.97749), figure(-0.05, 2), figure(1.0), figure(float("nan"))
    ('.977', '−.05', '1.000', 'nan')
    """
    if math.isnan(value):
        return "nan"
    text = f"{abs(value):.{digits}f}"
    return ("−" if value < 0 and float(text) else "") + (text.removeprefix("0") if digits else text)


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "system"), counted(0, "system")
    ('1 system', '0 systems')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def attributes(**values: str | int | float | None) -> str:
    """Attributes with a space before each; those that are None are left out, "class_" and "for_" lose their "_".

    >>> attributes(class_="a", tabindex=0, id=None, data_v="<")
    ' class="a" tabindex="0" data-v="&lt;"'
    """
    return "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in values.items()
        if value is not None
    )
