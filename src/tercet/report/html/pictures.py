"""The picture of an explanation as an SVG file that needs nothing else: for slides and papers.

`plots.explained` says what stands where. Text stays text, shaped by whatever shows the file; colours turn around where
the reader's system is dark.
"""

from __future__ import annotations

from tercet.data.explanation import Explanations
from tercet.plots.explained import COLOURS, SIZE, ColouredBox, PlacedText, explained
from tercet.report.html.axes import units
from tercet.report.html.markup import Html, element
from tercet.report.html.text import clipped

_DARK = {
    "paper": "#16181b",
    "ink": "#e5e6e7",
    "muted": "#a3a9b0",
    "cell": "#202327",
    "l0": "#3b1d28",
    "miss": "#f7a6bd",
    "l1": "#232b1e",
    "l2": "#253c2a",
    "l3": "#2a5138",
    "l4": "#2f6846",
    "bar": "#74cf9b",
    "k0": "#86b6f2",
    "k1": "#f2a766",
    "k2": "#74cf9b",
    "k3": "#c6a0f3",
    "k5": "#62cbdb",
    "on": "#10161f",
}


def picture(explanations: Explanations) -> str:
    """The explanations as one SVG file."""
    layout = explained(explanations)
    width, height = units(layout.right), units(layout.height)
    drawn = element(
        "svg",
        element("style", _style()),
        element("rect", width="100%", height="100%", class_="paper"),
        *(_box(shape) if isinstance(shape, ColouredBox) else _text(shape) for shape in layout.shapes),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=clipped(layout.told, 200),
    )
    return f"{drawn}\n"


def _style() -> str:
    """Every colour by name; those for dark paper behind the reader's wish."""
    fonts = "system-ui,Segoe UI,Roboto,Noto Sans,Liberation Sans,Arial,sans-serif"
    light = "".join(f".{name}{{fill:{colour}}}" for name, colour in COLOURS.items())
    dark = "".join(f".{name}{{fill:{colour}}}" for name, colour in _DARK.items())
    text = f"text{{font:{units(SIZE)}px {fonts};unicode-bidi:plaintext}}.bold{{font-weight:600}}"
    return f"{text}{light}@media(prefers-color-scheme:dark){{{dark}}}"


def _box(box: ColouredBox) -> Html:
    sizes = {"x": units(box.x), "y": units(box.y), "width": units(box.width), "height": units(box.height)}
    return element("rect", **sizes, rx=2, class_=box.fill)


def _text(text: PlacedText) -> Html:
    """A part alone has its colour; where there are several, each is a span of one text, so that letters join."""
    (first, fill), *others = text.parts
    if text.turned:
        return element("text", first, transform=f"translate({units(text.x)} {units(text.y)}) rotate(-90)", class_=fill)
    place = {"x": units(text.x), "y": units(text.y)}
    if others:
        spans = [element("tspan", part, class_=colour) for part, colour in text.parts]
        return element("text", *spans, **place, text_anchor=text.anchor)
    return element("text", first, **place, class_=fill + (" bold" if text.bold else ""), text_anchor=text.anchor)
