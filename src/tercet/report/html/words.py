"""Explanations in words: texts with what was found of them, the formula, n-grams, and edits.

Nothing is told by colour alone: what is missed is underlined, edits carry signs. Words come from anywhere and pass
through `markup`; text that runs from right to left is laid out from right to left.
"""

from __future__ import annotations

from collections.abc import Sequence

from tercet import numbers
from tercet.data.explanation import Edit, Explanation, Ngram, NgramOrder, NgramTable, Side
from tercet.data.formulas import formula_rows
from tercet.data.marks import SIGNS, Mark, direction, marked_texts, shift_told
from tercet.numbers import counted
from tercet.report.html.blocks import ExplanationBlock
from tercet.report.html.markup import Html, element, joined, name, prose
from tercet.report.html.text import clipped

LISTED = 60  # n-grams of a kind and order
SHOWN = 3000  # words or edits of a text
EMPTY = "\u2002"  # in a box with nothing to say
LONGEST = 1000  # characters of a word; a Chinese sentence is one
_Numbers = dict[tuple[Side, int], int]  # of the shift that moved a word


def draw(block: ExplanationBlock) -> Html:
    """One part of an explanation under its caption."""
    drawn = {"texts": _texts, "formula": _formula, "ngrams": _ngrams, "edits": _edits}[block.part](block.explanation)
    caption = element("figcaption", prose(block.caption)) if block.caption else ""
    return element("figure", caption, drawn, class_=f"why {block.part}{' wide' if block.wide else ''}")


# -- texts ---------------------------------------------------------------------------------------------------


def _texts(explanation: Explanation) -> Html:
    rows = [
        element("dt", text.label) + element("dd", _marks(text.marks), dir=direction(m.text for m in text.marks))
        for text in marked_texts(explanation)
    ]
    return element("dl", *rows, class_="text") + _legend(explanation)


def _marks(marks: Sequence[Mark]) -> Html:
    if not marks:
        return element("span", "nothing", class_="nothing")
    parts = [joined("" if mark.glued or not i else " ", _mark(mark)) for i, mark in enumerate(marks[:SHOWN])]
    return joined(*parts, _rest(len(marks), SHOWN))


def _mark(mark: Mark) -> str:
    text = clipped(mark.text, LONGEST)
    return text if mark.level is None else element("span", text, class_=f"l{mark.level}", title=mark.kind or None)


def _legend(explanation: Explanation) -> Html:
    keys = [(0, "missed"), (4, "found")]
    if explanation.ngrams and explanation.ngrams[0].unit == "character":
        keys = [(0, "n-grams missed"), (1, ""), (2, ""), (3, ""), (4, "found")]
    elif explanation.ngrams:
        longest = min(4, max((order.order for order in explanation.ngrams[0].orders), default=1))
        keys = [(0, "missed"), *((n, f"in a {n}-gram") for n in range(1, longest + 1))]
    elif any(match.kind != "exact" for match in explanation.matches):
        keys = [(0, "missed"), (2, "related"), (4, "exact")]
    shown = [element("span", told or EMPTY, class_=f"l{level}") + " " for level, told in keys]
    return element("p", *shown, class_="legend")


def _rest(number_: int, limit: int) -> Html:
    if number_ <= limit:
        return Html()
    return " " + element("span", f"… and {number_ - limit} more", class_="nothing")


# -- formula -------------------------------------------------------------------------------------------------


def _formula(explanation: Explanation) -> Html:
    if explanation.formula is None:
        rows = [(0, title, numbers.part(value), "") for title, value in explanation.statistics]
    else:
        rows = [(r.depth, r.name, r.value, r.how) for r in formula_rows(explanation.formula, explanation.digits)]
    body = [
        element(
            "tr",
            element("th", title, scope="row", class_=f"d{min(depth, 4)}"),
            element("td", value, class_="n"),
            element("td", how),
        )
        for depth, title, value, how in rows
    ]
    return element("table", element("tbody", *body), class_="formula")


# -- n-grams -------------------------------------------------------------------------------------------------


def _ngrams(explanation: Explanation) -> Html:
    return joined(*(_order(order, table) for table in explanation.ngrams for order in table.orders if order.ngrams))


def _order(order: NgramOrder, table: NgramTable) -> Html:
    kinds = {
        "hit": [(n, n.matched) for n in order.ngrams if n.matched],
        "over": [(n, n.hypothesis - n.matched) for n in order.ngrams if n.hypothesis > n.matched],
        "gone": [(n, n.reference - n.matched) for n in order.ngrams if n.reference > n.matched],
    }
    titles = {"hit": "found", "over": "only in the hypothesis", "gone": "only in the reference"}
    lists = [
        joined(
            element("p", titles[kind], class_="kind"),
            element(
                "ul",
                *(_gram(ngram, count, kind) for ngram, count in grams[:LISTED]),
                class_=f"grams {kind}",
                dir=direction(table.hypothesis),
            ),
            _rest(len(grams), LISTED),
        )
        for kind, grams in kinds.items()
        if grams
    ]
    told = f"{order.matched} of {order.hypothesis} found, {order.reference} wanted"
    title = element("summary", f"{order.order}-grams of {table.unit}s ", element("small", told))
    return element("details", title, *lists, open=table.unit == "word" and order.order < 3)


def _gram(ngram: Ngram, count: int, kind: str) -> Html:
    told = f" ×{count}" if count > 1 else ""
    told += f" {numbers.score(ngram.weight)}" if ngram.weight is not None and kind != "over" else ""
    return element("li", name(ngram.text), element("small", told) if told else "")


# -- edits ---------------------------------------------------------------------------------------------------


def _edits(explanation: Explanation) -> Html:
    script = explanation.edits
    if script is None:
        return Html()
    moved = explanation.hypothesis if script.shifted == "hypothesis" else explanation.reference
    numbers: _Numbers = {(script.shifted, word): n for n, shift in enumerate(script.shifts, 1) for word in shift.words}
    shifts = [
        element("li", name(" ".join(moved[w] for w in shift.words)), " ", shift_told(shift)) for shift in script.shifts
    ]
    steps = [_step(edit, explanation, numbers) for edit in script.edits[:SHOWN]]
    counts = ", ".join(
        counted(n, "paraphrased word" if kind == "paraphrase" else kind)
        for kind, n in script.counts().items()
        if n and kind != "match"
    )
    title = element("p", f"Shifts of the {script.shifted}, by number:")
    way = direction([*explanation.hypothesis, *explanation.reference])
    return joined(
        title + element("ol", *shifts) if shifts else "",
        element("div", *steps, class_="steps", dir=way, role="list"),
        _rest(len(script.edits), SHOWN),
        element("p", f"Above the hypothesis, below the reference; {counts or 'no edits'}.", class_="told"),
    )


def _step(edit: Edit, explanation: Explanation, numbers: _Numbers) -> Html:
    ours: str = _edited(explanation.hypothesis, edit.hypothesis, numbers, "hypothesis")
    theirs: str = _edited(explanation.reference, edit.reference, numbers, "reference")
    if edit.kind == "jump":
        place = "the end" if edit.hypothesis is None else f"word {edit.hypothesis + 1}"
        ours, theirs = f"to {place}", ""
    sign = [
        element("span", SIGNS[edit.kind], aria_hidden="true"),
        element("span", edit.kind, class_="heard"),
    ]
    return element(
        "span",
        element("i", *(sign if edit.kind != "match" else [])),
        element("span", ours),
        element("span", theirs),
        role="listitem",
        class_=edit.kind,
    )


def _edited(words: Sequence[str], place: int | None, numbers: _Numbers, side: Side) -> str:
    if place is None:
        return EMPTY
    number_ = numbers.get((side, place))
    return name(words[place]) + (element("sup", number_) if number_ else "")
