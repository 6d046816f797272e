"""HTML that cannot be forgotten to be escaped: the only place where text becomes markup.

A page is made of `Html`, which only this module makes, and whatever is put into an `Html` and is none is cleaned and
escaped on the way, in elements and attributes as in the templates. Elsewhere, `Html` takes a literal or nothing:
`tests/report/test_markup.py` holds that.
"""

from __future__ import annotations

import html
import importlib.resources
import json
import re
from collections.abc import Mapping
from typing import Any

import jinja2
import markupsafe

from tercet import numbers
from tercet.escaping import clean
from tercet.report.html.text import NAME_LIMIT, clipped

_LONG_WORD = re.compile(rf"\S{{{NAME_LIMIT + 1},}}")
_UNCLOSED = frozenset({"input"})  # HTML knows no end of them
_SHAPES = frozenset({"circle", "ellipse", "path", "rect"})  # SVG closes them at once
_IN_JSON = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class Html(markupsafe.Markup):
    """Text that is HTML; what is joined, added or formatted into it is escaped, unless it is HTML as well.

    >>> Html("<i>{}</i>").format("a<b")
    Html('<i>a&lt;b</i>')
    """

    __slots__ = ()

    @classmethod
    def escape(cls, text: Any, /) -> Html:
        """Text for the inside of an element or a quoted attribute, without characters that no page may hold.

        >>> Html.escape('<b title="x">\\u202e')
        Html('&lt;b title=&quot;x&quot;&gt;\ufffd')
        """
        return cls(text) if hasattr(text, "__html__") else cls(html.escape(clean(str(text))))


def element(tag: str, /, *inside: str | int, **attributes: str | float | bool | None) -> Html:
    """An element around texts and elements; attributes that are None or False are left out.

    "class_" and "for_" lose their "_", every other "_" becomes "-".

    >>> element("a", "x<y", element("b", 1), class_="on", data_v="<", hidden=True, id=None)
    Html('<a class="on" data-v="&lt;" hidden>x&lt;y<b>1</b></a>')
    >>> element("path", d="M0 0")
    Html('<path d="M0 0"/>')
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{Html.escape(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in _UNCLOSED:
        return Html(f"<{tag}{given}>")
    if tag in _SHAPES:
        return Html(f"<{tag}{given}/>")
    return Html(f"<{tag}{given}>{joined(*inside)}</{tag}>")


def joined(*parts: str | int) -> Html:
    """Texts and elements one after the other."""
    return Html().join(map(Html.escape, parts))


def name(text: str) -> Html:
    """A name; <bdi> takes its direction from the name and keeps it from what stands around it.

    >>> name("a&b")
    Html('<bdi>a&amp;b</bdi>')
    """
    return element("bdi", clipped(text))


def prose(text: str) -> Html:
    """A sentence; a word that is longer than any name shown is cut like a name. What is HTML already stays as it is."""
    if isinstance(text, Html):
        return text
    return Html.escape(_LONG_WORD.sub(lambda word: word[0][: NAME_LIMIT - 1] + "…", text))


def told(text: str) -> Html:
    """A sentence whose names are clean already, and stand between marks (`text.isolated`) that must stay."""
    return Html(html.escape(text))


def asset(file: str) -> Html:
    """A file of this folder that goes into the page as it is."""
    return Html((importlib.resources.files("tercet.report.html") / file).read_text(encoding="utf-8"))


def look(*sheets: str) -> Html:
    """The style of a page: what all of them share, and sheets of its own."""
    return Html().join(map(asset, ("colours.css", "page.css", *sheets)))


def colour(number: int, light: str, dark: str) -> Html:
    """The rule of a further colour, from numbers of ours alone."""
    return Html(f".c{number} {{ --c: light-dark({light}, {dark}); }}\n")


def data(body: Mapping[str, Any]) -> Html:
    """JSON that cannot end the element it stands in, whatever the texts are."""
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Html("".join(_IN_JSON.get(char, char) for char in text) if set(_IN_JSON) & set(text) else text)


def filled(template: str, **values: object) -> Html:
    """A template of this folder with its values, each of which is escaped unless it is HTML."""
    return Html(_TEMPLATES.get_template(template).render(values))


_TEMPLATES = jinja2.Environment(
    autoescape=True,
    finalize=Html.escape,
    loader=jinja2.FunctionLoader(asset),
    trim_blocks=True,
    undefined=jinja2.StrictUndefined,
)
_TEMPLATES.filters["prose"] = prose
_TEMPLATES.filters["named"] = clipped
_TEMPLATES.filters["score"] = lambda value: numbers.score(value, numbers.DIGITS)
_TEMPLATES.filters["coefficient"] = numbers.coefficient
_TEMPLATES.filters["p"] = numbers.p_value
_TEMPLATES.filters["seconds"] = lambda value: numbers.score(value, 1)
_TEMPLATES.filters["ranks"] = lambda record: numbers.rank_range(record["rank_low"], record["rank_high"])
