"""Explanations laid out as boxes and words on one picture, for the page's painter and that of print.

    matches      METEOR's X-ray: reference words down, hypothesis words across, two hypotheses beside each other
    edits        the hypothesis above the reference, a box an edit, blocks that were shifted under their numbers
    n-grams      the text on shades of how it was found, with a bar for each order under words
    otherwise    the numbers of the formula

Nothing here knows how it is painted: lengths are in units, of which type measures 14; widths of words are estimates
with room to spare; colours have names.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Sequence

from tercet import numbers
from tercet.data.explanation import PICTURED, Edit, Explanation, Explanations, NgramTable
from tercet.data.formulas import formula_rows
from tercet.data.marks import SIGNS, Mark, direction, is_right_to_left, letter, marked_texts, shift_told
from tercet.escaping import clipped

SIZE = 14.0  # of type
WIDTH = 760.0
MARGIN = 16.0
GAP = 5.0  # between boxes
PAD = 5.0  # inside them
CELL = 22.0  # of a matrix
BARS = 4  # orders with a bar of their own
WORDS = 400  # of a text that is drawn
WORD = 40  # characters of a word that are shown
KINDS = {"exact": 2, "stem": 0, "synonym": 3, "paraphrase": 1}  # numbers of the colours of matches
OTHER = 5
SOFT = "the greener, the more similar"
_OTHER_SCRIPTS = "\u0900"  # from here on letters are wider than those of Latin

COLOURS = {
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
    "k2": "#8bcfa2",
    "k3": "#7a3fae",
    "k5": "#0b6b7c",
    "on": "#ffffff",
}


@dataclasses.dataclass(frozen=True)
class ColouredBox:
    """A box of one colour, by its name."""

    x: float
    y: float
    width: float
    height: float
    fill: str


@dataclasses.dataclass(frozen=True)
class PlacedText:
    """Words on one line, whatever way they run: parts with the names of their colours.

    `anchor` says which end, or the middle, stands at the place; text that is `turned` runs upwards.
    """

    x: float
    y: float
    parts: tuple[tuple[str, str], ...]
    anchor: str = "start"
    bold: bool = False
    turned: bool = False


@dataclasses.dataclass
class Picture:
    """What is drawn so far, and how far down and to the right it reaches."""

    shapes: list[ColouredBox | PlacedText] = dataclasses.field(default_factory=list)
    bottom: float = 0.0
    right: float = WIDTH
    told: str = ""  # for readers that do not see it

    @property
    def height(self) -> float:
        return self.bottom + MARGIN

    def text(
        self, x: float, y: float, text: str, fill: str = "ink", anchor: str = "start", *, bold: bool = False
    ) -> None:
        """Text at a place, whatever way it runs."""
        self.shapes.append(PlacedText(x, y, ((clipped(text), fill),), anchor, bold))

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A box of one colour."""
        self.shapes.append(ColouredBox(x, y, width, height, fill))

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


def explained(explanations: Explanations) -> Picture:
    """The explanations as one picture."""
    picture = Picture(told="; ".join(map(scored, explanations)))
    first = explanations.records[0]
    picture.heading(first.metric)
    aligned = [explanation for explanation in explanations if is_alignment(explanation)]
    if aligned and first.edits is None:
        _draw_alignment(picture, aligned)
    else:
        for explanation in explanations:
            _draw_one(picture, explanation)
    return picture


def is_alignment(explanation: Explanation) -> bool:
    """Whether there is an alignment, and not too much of it."""
    return bool(explanation.matches) and len(explanation.hypothesis) * len(explanation.reference) <= PICTURED


def is_mirrored(explanation: Explanation) -> bool:
    """Whether columns run from right to left, as the words do."""
    return direction([*explanation.hypothesis, *explanation.reference]) == "rtl"


def colour_of_kind(kind: str) -> str:
    """The name of the colour of a kind of match.

    >>> colour_of_kind("stem"), colour_of_kind("gapped")
    ('k0', 'k5')
    """
    return f"k{KINDS.get(kind, OTHER)}"


def scored(explanation: Explanation) -> str:
    """The score, behind the name of the system where there is one."""
    text = numbers.score(explanation.score, explanation.digits)
    return f"{explanation.system}: {text}" if explanation.system else text


def _draw_one(picture: Picture, explanation: Explanation) -> None:
    picture.heading(scored(explanation))
    if explanation.edits is not None:
        _draw_edits(picture, explanation)
    elif explanation.ngrams:
        _draw_ngrams(picture, explanation)
    else:
        _draw_formula(picture, explanation)


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


def _draw_edits(picture: Picture, explanation: Explanation) -> None:
    script = explanation.edits
    if script is None:
        return
    moved = explanation.hypothesis if script.shifted == "hypothesis" else explanation.reference
    shift_of = {word: n for n, shift in enumerate(script.shifts, 1) for word in shift.words}
    for n, shift in enumerate(script.shifts, 1):
        picture.line(f"{n}: {' '.join(moved[w] for w in shift.words)}, {shift_told(shift)}")
    steps = script.edits[:WORDS]
    pairs = [_pair(explanation, edit) for edit in steps]
    widths = [max(advance(word) for word in pair) + 14 for pair in pairs]
    top, height = picture.bottom + 6, 62.0
    way = direction([*explanation.hypothesis, *explanation.reference])
    fills = {"match": "l4", "substitution": "l1", "insertion": "l0", "deletion": "l0", "jump": "cell"}
    for edit, pair, width, (x, row) in zip(steps, pairs, widths, _places(widths, way), strict=True):
        y = top + row * (height + GAP)
        picture.box(x, y, width, height, fills.get(edit.kind, "l1"))
        ink = "miss" if edit.kind in ("insertion", "deletion", "substitution") else "ink"
        number_ = shift_of.get(edit.hypothesis if script.shifted == "hypothesis" else edit.reference)  # type: ignore[arg-type]
        signs = [SIGNS[edit.kind], "" if number_ is None else str(number_)]
        picture.text(x + width / 2, y + 15, " ".join(filter(None, signs)), "muted", "middle")
        for line, word in enumerate(pair):
            picture.text(x + width / 2, y + 34 + 20 * line, word, ink, "middle")
        picture.bottom = y + height
    _tell_rest(picture, len(script.edits), WORDS)


def _pair(explanation: Explanation, edit: Edit) -> tuple[str, str]:
    ours = "" if edit.hypothesis is None or edit.kind == "jump" else explanation.hypothesis[edit.hypothesis]
    theirs = "" if edit.reference is None else explanation.reference[edit.reference]
    return clipped(ours, WORD), clipped(theirs, WORD)


def _draw_ngrams(picture: Picture, explanation: Explanation) -> None:
    table = explanation.ngrams[0]
    for n, text in enumerate(marked_texts(explanation)):
        picture.line(text.label)
        words = _grouped(text.marks)
        covered = _covered(table, n - 1 if n else None) if table.unit == "word" else []
        _draw_words(picture, words[:WORDS], covered)
        _tell_rest(picture, len(words), WORDS)


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


def _draw_words(picture: Picture, words: Sequence[Sequence[Mark]], covered: Sequence[Sequence[bool]]) -> None:
    widths = [sum(advance(mark.text) for mark in word) + 2 * PAD for word in words]
    top, height = picture.bottom, 24.0 + 5 * len(covered)
    way = direction(mark.text for word in words for mark in word)
    for i, (word, width, (x, row)) in enumerate(zip(words, widths, _places(widths, way), strict=True)):
        y = top + row * (height + GAP)
        _draw_word(picture, word, x, y, width)
        for n, places in enumerate(covered):
            if i < len(places) and places[i]:
                picture.box(x, y + 25 + 5 * n, width, 3, "bar")
        picture.bottom = y + height


def _draw_word(picture: Picture, word: Sequence[Mark], x: float, y: float, width: float) -> None:
    """A word, part by part; where letters join, as one word whose missed letters are of another ink."""
    if len(word) > 1 and any(map(_joins, (mark.text for mark in word))):
        picture.box(x, y, width, 22, f"l{round(sum(mark.level or 0 for mark in word) / len(word))}")
        parts = tuple((clipped(mark.text), "ink" if mark.level else "miss") for mark in word)
        picture.shapes.append(PlacedText(x + width / 2, y + 16, parts, "middle"))
        return
    right = x + width
    for n, mark in enumerate(word):
        start = x if n == 0 else x + PAD
        end = right if n == len(word) - 1 else x + PAD + advance(mark.text)
        picture.box(start, y, end - start, 22, "cell" if mark.level is None else f"l{mark.level}")
        ink = "miss" if mark.level == 0 else "ink"
        picture.text(x + PAD + advance(mark.text) / 2, y + 16, mark.text, ink, "middle")
        x += advance(mark.text)


def _joins(text: str) -> bool:
    """Whether letters change with their neighbours: Arabic, Indic and other scripts with signs on letters."""
    return is_right_to_left(text) or any(unicodedata.category(char).startswith("M") for char in text)


def _tell_rest(picture: Picture, number_: int, limit: int) -> None:
    if number_ > limit:
        picture.line(f"… and {number_ - limit} more")


def _draw_formula(picture: Picture, explanation: Explanation) -> None:
    if explanation.formula is None:
        for title, value in explanation.statistics:
            picture.line(f"{title}: {numbers.part(value)}")
        return
    for row in formula_rows(explanation.formula, explanation.digits):
        picture.line(f"{row.name} {row.value}{f' = {row.how}' if row.how else ''}", indent=14.0 * row.depth)


# -- the alignment -------------------------------------------------------------------------------------------


def _draw_alignment(picture: Picture, aligned: Sequence[Explanation]) -> None:
    """Rows are those of the first reference; a hypothesis with another one comes below with its own.

    Where text runs from right to left, so does everything: names of rows at the right, then the columns.
    """
    first = aligned[0]
    shared = [explanation for explanation in aligned if explanation.reference == first.reference]
    names = [clipped(word, WORD) for word in first.reference]
    left = MARGIN + max(map(advance, names), default=0) + 10
    heads = max((advance(clipped(word, WORD)) for explanation in shared for word in explanation.hypothesis), default=0)
    picture.bottom += 2 * SIZE
    top = picture.bottom + heads + 20
    widths = [
        max(CELL * len(explanation.hypothesis), 1.1 * advance(scored(explanation))) + 2 * CELL for explanation in shared
    ]
    picture.right = max(picture.right, left + sum(widths))
    side = _Side(picture.right if is_mirrored(first) else None)
    for j, word in enumerate(names):
        side.text(picture, left - 8, top + j * CELL + 16, word, before=True)
    x = left
    for explanation, width in zip(shared, widths, strict=True):
        side.text(picture, x, picture.bottom, scored(explanation), bold=True)
        _draw_matrix(picture, explanation, x, top, side)
        x += width
    picture.bottom = top + CELL * len(names)
    kinds = dict.fromkeys(match.kind for explanation in shared for match in explanation.matches)
    told = [f"{letter(kind)} {kind}" for kind in kinds]
    picture.line("; ".join([*told, SOFT] if first.similarities else told))
    others = [explanation for explanation in aligned if explanation.reference != first.reference]
    if others:
        _draw_alignment(picture, others)


@dataclasses.dataclass(frozen=True)
class _Side:
    """From which side places are counted: from the left, or from the right edge that is given."""

    right: float | None

    def x(self, x: float, width: float = 0.0) -> float:
        """The left edge of what is so wide, and begins there."""
        return x if self.right is None else self.right - x - width

    def text(
        self, picture: Picture, x: float, y: float, text: str, *, before: bool = False, bold: bool = False
    ) -> None:
        """Text that begins at a place, or ends `before` it."""
        anchor = "end" if before == (self.right is None) else "start"
        picture.text(self.x(x), y, text, anchor=anchor, bold=bold)


def _draw_matrix(picture: Picture, explanation: Explanation, left: float, top: float, side: _Side) -> None:
    kinds, shades = explanation.matrix(), explanation.shades()
    for i, word in enumerate(explanation.hypothesis):
        x = side.x(left + i * CELL, CELL - 2)
        picture.shapes.append(PlacedText(x + 16, top - 8, ((clipped(word, WORD), "ink"),), turned=True))
        for j, kind in enumerate(kinds[i]):
            shade = f"l{shades[i][j]}" if shades and shades[i][j] else "cell"
            picture.box(x, top + j * CELL, CELL - 2, CELL - 2, colour_of_kind(kind) if kind and not shades else shade)
            if kind:
                ink = "ink" if kind == "exact" or shades else "on"
                picture.text(x + CELL / 2 - 1, top + j * CELL + 15, letter(kind), ink, "middle")
