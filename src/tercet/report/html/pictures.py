"""Explanations as one picture each, an SVG file that needs nothing else: for slides and papers.

    matches      METEOR's X-ray: reference words down, hypothesis words across, two hypotheses beside each other
    edits        the hypothesis above the reference, a box an edit, blocks that were shifted under their numbers
    n-grams      the text on shades of how it was found, with a bar for each order under words
    otherwise    the numbers of the formula

Text stays text, shaped by whatever shows the file; widths are estimates with room to spare. Colours turn around where
the reader's system is dark.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Sequence

from tercet import numbers
from tercet.data.explanation import Edit, Explanation, Explanations, NgramTable
from tercet.report.formulas import formula_rows
from tercet.report.html.alignment import COLOURS, OTHER, is_drawable, is_mirrored
from tercet.report.html.axes import units
from tercet.report.html.markup import Html, element
from tercet.report.html.text import clipped
from tercet.report.html.words import SIGNS, direction
from tercet.report.marks import Mark, is_right_to_left, letter, marked_texts, shift_told

SIZE = 14.0  # of type
WIDTH = 760.0
MARGIN = 16.0
GAP = 5.0  # between boxes
PAD = 5.0  # inside them
CELL = 22.0  # of a matrix
BARS = 4  # orders with a bar of their own
WORDS = 400  # of a text that is drawn
WORD = 40  # characters of a word that are shown
_OTHER_SCRIPTS = "\u0900"  # from here on letters are wider than those of Latin

_LIGHT = {
    "paper": "#fdfdfc",
    "ink": "#1c1e21",
    "muted": "#5a6067",
    "cell": "#f1f1ee",
    "l0": "#fbe9ef",
    "miss": "#96163f",
    "l1": "#f0f6ea",
    "l2": "#d9edda",
    "l3": "#b5dfc0",
    "l4": "#8bcfa2",
    "bar": "#1a7446",
    "k0": "#1d5aa6",
    "k1": "#b3450b",
    "k2": "#1a7446",
    "k3": "#7a3fae",
    "k5": "#0b6b7c",
    "on": "#ffffff",
}
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


@dataclasses.dataclass
class _Drawing:
    """What is drawn so far, and how far down it reaches."""

    body: list[Html] = dataclasses.field(default_factory=list)
    bottom: float = 0.0
    right: float = WIDTH

    def text(
        self, x: float, y: float, text: str, fill: str = "ink", anchor: str = "start", *, bold: bool = False
    ) -> None:
        """Text at a place, whatever way it runs."""
        fill += " bold" if bold else ""
        self.body.append(element("text", clipped(text), x=units(x), y=units(y), class_=fill, text_anchor=anchor))

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A box of one colour."""
        sizes = {"x": units(x), "y": units(y), "width": units(width), "height": units(height)}
        self.body.append(element("rect", **sizes, rx=2, class_=fill))

    def heading(self, text: str) -> None:
        """A line of its own, in bold, with room before it."""
        self.bottom += SIZE + 10
        self.text(MARGIN, self.bottom, text, bold=True)
        self.bottom += 8

    def line(self, text: str, indent: float = 0) -> None:
        """A line of its own, muted."""
        self.bottom += SIZE + 2
        self.text(MARGIN + indent, self.bottom, text, "muted")
        self.bottom += 4


def picture(explanations: Explanations) -> str:
    """The explanations as one SVG file."""
    drawing = _Drawing()
    first = explanations.records[0]
    drawing.heading(first.metric)
    aligned = [explanation for explanation in explanations if is_drawable(explanation)]
    if aligned and first.edits is None:
        _draw_alignment(drawing, aligned)
    else:
        for explanation in explanations:
            _draw_one(drawing, explanation)
    width, height = units(drawing.right), units(drawing.bottom + MARGIN)
    drawn = element(
        "svg",
        element("style", _style()),
        element("rect", width="100%", height="100%", class_="paper"),
        *drawing.body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=clipped("; ".join(map(_scored, explanations)), 200),
    )
    return f"{drawn}\n"


def _style() -> str:
    """Every colour by name; those for dark paper behind the reader's wish."""
    fonts = "system-ui,Segoe UI,Roboto,Noto Sans,Liberation Sans,Arial,sans-serif"
    light = "".join(f".{name}{{fill:{colour}}}" for name, colour in _LIGHT.items())
    dark = "".join(f".{name}{{fill:{colour}}}" for name, colour in _DARK.items())
    text = f"text{{font:{units(SIZE)}px {fonts};unicode-bidi:plaintext}}.bold{{font-weight:600}}"
    return f"{text}{light}@media(prefers-color-scheme:dark){{{dark}}}"


def _scored(explanation: Explanation) -> str:
    text = numbers.score(explanation.score, explanation.digits)
    return f"{explanation.system}: {text}" if explanation.system else text


def _draw_one(drawing: _Drawing, explanation: Explanation) -> None:
    drawing.heading(_scored(explanation))
    if explanation.edits is not None:
        _draw_edits(drawing, explanation)
    elif explanation.ngrams:
        _draw_ngrams(drawing, explanation)
    else:
        _draw_formula(drawing, explanation)


def advance(text: str) -> float:
    """About how wide a text is.

    >>> advance("il") < advance("mw") < advance("中文")
    True
    """
    return SIZE * sum(map(_em, text))


def _em(char: str) -> float:
    kind = unicodedata.category(char)
    if kind in ("Mn", "Me", "Cf"):  # those of Indic scripts are boxes beside their letters where there is no font
        return 0.35 if char >= _OTHER_SCRIPTS and kind == "Mn" else 0.0
    if kind == "Mc":
        return 0.6
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    if char in "iljtfrI.,:;'|!()[]- ":
        return 0.4
    if char in "mwMW@%—…":
        return 0.95
    return 0.75 if char.isupper() or char >= _OTHER_SCRIPTS else 0.62


# -- rows of boxes -------------------------------------------------------------------------------------------


def _places(widths: Sequence[float], way: str) -> list[tuple[float, int]]:
    """Left edge and row of boxes that follow each other, from the right where the text does."""
    places: list[tuple[float, int]] = []
    x, row = MARGIN, 0
    for width in widths:
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, row = MARGIN, row + 1
        places.append((x if way == "ltr" else WIDTH - x - width, row))
        x += width + GAP
    return places


def _draw_edits(drawing: _Drawing, explanation: Explanation) -> None:
    script = explanation.edits
    if script is None:
        return
    moved = explanation.hypothesis if script.shifted == "hypothesis" else explanation.reference
    shift_of = {word: n for n, shift in enumerate(script.shifts, 1) for word in shift.words}
    for n, shift in enumerate(script.shifts, 1):
        drawing.line(f"{n}: {' '.join(moved[w] for w in shift.words)}, {shift_told(shift)}")
    steps = script.edits[:WORDS]
    pairs = [_pair(explanation, edit) for edit in steps]
    widths = [max(advance(word) for word in pair) + 14 for pair in pairs]
    top, height = drawing.bottom + 6, 62.0
    way = direction([*explanation.hypothesis, *explanation.reference])
    fills = {"match": "l2", "substitution": "l1", "insertion": "l0", "deletion": "l0", "jump": "cell"}
    for edit, pair, width, (x, row) in zip(steps, pairs, widths, _places(widths, way), strict=True):
        y = top + row * (height + GAP)
        drawing.box(x, y, width, height, fills.get(edit.kind, "l1"))
        ink = "miss" if edit.kind in ("insertion", "deletion", "substitution") else "ink"
        number_ = shift_of.get(edit.hypothesis if script.shifted == "hypothesis" else edit.reference)  # type: ignore[arg-type]
        signs = [SIGNS[edit.kind], "" if number_ is None else str(number_)]
        drawing.text(x + width / 2, y + 15, " ".join(filter(None, signs)), "muted", "middle")
        for line, word in enumerate(pair):
            drawing.text(x + width / 2, y + 34 + 20 * line, word, ink, "middle")
        drawing.bottom = y + height
    _tell_rest(drawing, len(script.edits), WORDS)


def _pair(explanation: Explanation, edit: Edit) -> tuple[str, str]:
    ours = "" if edit.hypothesis is None or edit.kind == "jump" else explanation.hypothesis[edit.hypothesis]
    theirs = "" if edit.reference is None else explanation.reference[edit.reference]
    return clipped(ours, WORD), clipped(theirs, WORD)


def _draw_ngrams(drawing: _Drawing, explanation: Explanation) -> None:
    table = explanation.ngrams[0]
    for n, text in enumerate(marked_texts(explanation)):
        drawing.line(text.label)
        words = _grouped(text.marks)
        covered = _covered(table, n - 1 if n else None) if table.unit == "word" else []
        _draw_words(drawing, words[:WORDS], covered)
        _tell_rest(drawing, len(words), WORDS)


def _grouped(marks: Sequence[Mark]) -> list[list[Mark]]:
    words: list[list[Mark]] = []
    for mark in marks:
        if mark.glued:
            words[-1].append(mark)
        else:
            words.append([mark])
    return words


def _covered(table: NgramTable, reference: int | None) -> list[list[bool]]:
    """For each order that has a bar, which words are part of an n-gram found."""
    rows = []
    for order, hits in zip(table.orders[:BARS], table.hits(reference), strict=False):
        words = [False] * (len(hits) + order.order - 1)
        for at, hit in enumerate(hits):
            words[at : at + order.order] = [old or hit for old in words[at : at + order.order]]
        rows.append(words)
    return rows


def _draw_words(drawing: _Drawing, words: Sequence[Sequence[Mark]], covered: Sequence[Sequence[bool]]) -> None:
    widths = [sum(advance(mark.text) for mark in word) + 2 * PAD for word in words]
    top, height = drawing.bottom, 24.0 + 5 * len(covered)
    way = direction(mark.text for word in words for mark in word)
    for i, (word, width, (x, row)) in enumerate(zip(words, widths, _places(widths, way), strict=True)):
        y = top + row * (height + GAP)
        _draw_word(drawing, word, x, y, width)
        for n, places in enumerate(covered):
            if i < len(places) and places[i]:
                drawing.box(x, y + 25 + 5 * n, width, 3, "bar")
        drawing.bottom = y + height


def _draw_word(drawing: _Drawing, word: Sequence[Mark], x: float, y: float, width: float) -> None:
    """A word, part by part; where letters join, as one word whose missed letters are of another ink."""
    if len(word) > 1 and any(map(_joins, (mark.text for mark in word))):
        drawing.box(x, y, width, 22, f"l{round(sum(mark.level or 0 for mark in word) / len(word))}")
        parts = [element("tspan", clipped(mark.text), class_="ink" if mark.level else "miss") for mark in word]
        drawing.body.append(element("text", *parts, x=units(x + width / 2), y=units(y + 16), text_anchor="middle"))
        return
    right = x + width
    for n, mark in enumerate(word):
        start = x if n == 0 else x + PAD
        end = right if n == len(word) - 1 else x + PAD + advance(mark.text)
        drawing.box(start, y, end - start, 22, "cell" if mark.level is None else f"l{mark.level}")
        ink = "miss" if mark.level == 0 else "ink"
        drawing.text(x + PAD + advance(mark.text) / 2, y + 16, mark.text, ink, "middle")
        x += advance(mark.text)


def _joins(text: str) -> bool:
    """Whether letters change with their neighbours: Arabic, Indic and other scripts with signs on letters."""
    return is_right_to_left(text) or any(unicodedata.category(char).startswith("M") for char in text)


def _tell_rest(drawing: _Drawing, number_: int, limit: int) -> None:
    if number_ > limit:
        drawing.line(f"… and {number_ - limit} more")


def _draw_formula(drawing: _Drawing, explanation: Explanation) -> None:
    if explanation.formula is None:
        for title, value in explanation.statistics:
            drawing.line(f"{title}: {numbers.part(value)}")
        return
    for row in formula_rows(explanation.formula, explanation.digits):
        drawing.line(f"{row.name} {row.value}{f' = {row.how}' if row.how else ''}", indent=14.0 * row.depth)


# -- the alignment -------------------------------------------------------------------------------------------


def _draw_alignment(drawing: _Drawing, aligned: Sequence[Explanation]) -> None:
    """Rows are those of the first reference; a hypothesis with another one comes below with its own.

    Where text runs from right to left, so does everything: names of rows at the right, then the columns.
    """
    first = aligned[0]
    shared = [explanation for explanation in aligned if explanation.reference == first.reference]
    names = [clipped(word, WORD) for word in first.reference]
    left = MARGIN + max(map(advance, names), default=0) + 10
    heads = max((advance(clipped(word, WORD)) for explanation in shared for word in explanation.hypothesis), default=0)
    drawing.bottom += 2 * SIZE
    top = drawing.bottom + heads + 20
    widths = [
        max(CELL * len(explanation.hypothesis), 1.1 * advance(_scored(explanation))) + 2 * CELL
        for explanation in shared
    ]
    drawing.right = max(drawing.right, left + sum(widths))
    side = _Side(drawing.right if is_mirrored(first) else None)
    for j, word in enumerate(names):
        side.text(drawing, left - 8, top + j * CELL + 16, word, before=True)
    x = left
    for explanation, width in zip(shared, widths, strict=True):
        side.text(drawing, x, drawing.bottom, _scored(explanation), bold=True)
        _draw_matrix(drawing, explanation, x, top, side)
        x += width
    drawing.bottom = top + CELL * len(names)
    kinds = dict.fromkeys(match.kind for explanation in shared for match in explanation.matches)
    drawing.line("; ".join(f"{letter(kind)} {kind}" for kind in kinds))
    others = [explanation for explanation in aligned if explanation.reference != first.reference]
    if others:
        _draw_alignment(drawing, others)


@dataclasses.dataclass(frozen=True)
class _Side:
    """From which side places are counted: from the left, or from the right edge that is given."""

    right: float | None

    def x(self, x: float, width: float = 0.0) -> float:
        """The left edge of what is so wide, and begins there."""
        return x if self.right is None else self.right - x - width

    def text(
        self, drawing: _Drawing, x: float, y: float, text: str, *, before: bool = False, bold: bool = False
    ) -> None:
        """Text that begins at a place, or ends `before` it."""
        anchor = "end" if before == (self.right is None) else "start"
        drawing.text(self.x(x), y, text, anchor=anchor, bold=bold)


def _draw_matrix(drawing: _Drawing, explanation: Explanation, left: float, top: float, side: _Side) -> None:
    for i, word in enumerate(explanation.hypothesis):
        x = side.x(left + i * CELL, CELL - 2)
        turned = f"translate({units(x + 16)} {units(top - 8)}) rotate(-90)"
        drawing.body.append(element("text", clipped(word, WORD), transform=turned, class_="ink"))
        for j, kind in enumerate(explanation.matrix()[i]):
            drawing.box(x, top + j * CELL, CELL - 2, CELL - 2, f"k{COLOURS.get(kind, OTHER)}" if kind else "cell")
            if kind:
                drawing.text(x + CELL / 2 - 1, top + j * CELL + 15, letter(kind), "on", "middle")
