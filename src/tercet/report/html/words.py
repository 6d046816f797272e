"""Explanations in words: texts with what was found of them, the formula, n-grams, and edits.

Nothing is told by colour alone: what is missed is underlined, edits carry signs. Words come from anywhere and pass
through `text`; text that runs from right to left is laid out from right to left.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Sequence

from tercet.data.explanation import RELATED, Edit, Explanation, Ngram, NgramOrder, NgramTable, Side
from tercet.report.formulas import formula_rows, number
from tercet.report.html.blocks import ExplanationBlock
from tercet.report.html.text import attributes, clipped, counted, escape, name, prose
from tercet.report.marks import Mark, is_right_to_left, letter, marked_texts, shift_told

LISTED = 60  # n-grams of a kind and order
SHOWN = 3000  # words or edits of a text
LONGEST = 1000  # characters of a word; a Chinese sentence is one
_Numbers = dict[tuple[Side, int], int]  # of the shift that moved a word
SIGNS = {"match": "", "substitution": "~", "insertion": "+", "deletion": "−", "jump": "↷"} | {
    kind: letter(kind) for kind in RELATED
}


def draw(block: ExplanationBlock) -> str:
    """One part of an explanation under its caption."""
    drawn = {"texts": _texts, "formula": _formula, "ngrams": _ngrams, "edits": _edits}[block.part](block.explanation)
    kind = f"why {block.part}{' wide' if block.wide else ''}"
    caption = f"<figcaption>{prose(block.caption)}</figcaption>" if block.caption else ""
    return f'<figure class="{kind}">{caption}{drawn}</figure>'


def direction(words: Iterable[str]) -> str:
    """Which way a text runs: as its first letter does."""
    for word in words:
        for char in word:
            if unicodedata.bidirectional(char) in ("L", "R", "AL"):
                return "rtl" if is_right_to_left(char) else "ltr"
    return "ltr"


# -- texts ---------------------------------------------------------------------------------------------------


def _texts(explanation: Explanation) -> str:
    texts = marked_texts(explanation)
    rows = "".join(
        f'<dt>{escape(text.label)}</dt><dd dir="{direction(m.text for m in text.marks)}">{_marks(text.marks)}</dd>'
        for text in texts
    )
    return f'<dl class="text">{rows}</dl>{_legend(explanation)}'


def _marks(marks: Sequence[Mark]) -> str:
    shown = "".join(("" if mark.glued else " ") + _mark(mark) for mark in marks[:SHOWN])
    return shown.lstrip(" ") + _rest(len(marks), SHOWN) if marks else '<span class="nothing">nothing</span>'


def _mark(mark: Mark) -> str:
    text = html.escape(clipped(mark.text, LONGEST))
    if mark.level is None:
        return text
    return f"<span{attributes(class_=f'l{mark.level}', title=mark.kind or None)}>{text}</span>"


def _legend(explanation: Explanation) -> str:
    keys = [(0, "missed"), (4, "found")]
    if explanation.ngrams and explanation.ngrams[0].unit == "character":
        keys = [(0, "n-grams missed"), (1, ""), (2, ""), (3, ""), (4, "found")]
    elif explanation.ngrams:
        longest = min(4, max((each.order for each in explanation.ngrams[0].orders), default=1))
        keys = [(0, "missed"), *((n, f"in a {n}-gram") for n in range(1, longest + 1))]
    elif any(match.kind != "exact" for match in explanation.matches):
        keys = [(0, "missed"), (2, "related"), (4, "exact")]
    shown = "".join(f'<span class="l{level}">{told or "&ensp;"}</span> ' for level, told in keys)
    return f'<p class="legend">{shown}</p>'


def _rest(number_: int, limit: int) -> str:
    return f' <span class="nothing">… and {number_ - limit:,} more</span>' if number_ > limit else ""


# -- formula -------------------------------------------------------------------------------------------------


def _formula(explanation: Explanation) -> str:
    if explanation.formula is None:
        rows = [(0, title, number(value, 4), "") for title, value in explanation.statistics]
    else:
        rows = [(r.depth, r.name, r.value, r.how) for r in formula_rows(explanation.formula, explanation.digits)]
    body = "".join(
        f'<tr><th scope="row" class="d{min(depth, 4)}">{escape(title)}</th><td class="n">{value}</td>'
        f"<td>{escape(how)}</td></tr>"
        for depth, title, value, how in rows
    )
    return f'<table class="formula"><tbody>{body}</tbody></table>'


# -- n-grams -------------------------------------------------------------------------------------------------


def _ngrams(explanation: Explanation) -> str:
    return "".join(_order(each, table) for table in explanation.ngrams for each in table.orders if each.ngrams)


def _order(each: NgramOrder, table: NgramTable) -> str:
    kinds = {
        "hit": [(n, n.matched) for n in each.ngrams if n.matched],
        "over": [(n, n.hypothesis - n.matched) for n in each.ngrams if n.hypothesis > n.matched],
        "gone": [(n, n.reference - n.matched) for n in each.ngrams if n.reference > n.matched],
    }
    titles = {"hit": "found", "over": "only in the hypothesis", "gone": "only in the reference"}
    lists = "".join(
        f'<p class="kind">{titles[kind]}</p><ul class="grams {kind}" dir="{direction(table.hypothesis)}">'
        f"{''.join(_gram(ngram, count, kind) for ngram, count in found[:LISTED])}</ul>{_rest(len(found), LISTED)}"
        for kind, found in kinds.items()
        if found
    )
    told = f"{each.matched} of {each.hypothesis} found, {each.reference} wanted"
    return (
        f"<details{' open' if table.unit == 'word' and each.order < 3 else ''}><summary>{each.order}-grams of "
        f"{table.unit}s <small>{told}</small></summary>{lists}</details>"
    )


def _gram(ngram: Ngram, count: int, kind: str) -> str:
    told = f" ×{count}" if count > 1 else ""
    weight = f" {ngram.weight:.2f}" if ngram.weight is not None and kind != "over" else ""
    return f"<li>{name(ngram.text)}{f'<small>{told}{weight}</small>' if told or weight else ''}</li>"


# -- edits ---------------------------------------------------------------------------------------------------


def _edits(explanation: Explanation) -> str:
    script = explanation.edits
    if script is None:
        return ""
    moved = explanation.hypothesis if script.shifted == "hypothesis" else explanation.reference
    numbers: _Numbers = {(script.shifted, word): n for n, shift in enumerate(script.shifts, 1) for word in shift.words}
    shifts = "".join(
        f"<li>{name(' '.join(moved[w] for w in shift.words))} {shift_told(shift)}</li>" for shift in script.shifts
    )
    steps = "".join(_step(edit, explanation, numbers) for edit in script.edits[:SHOWN])
    counts = ", ".join(
        counted(n, "paraphrased word" if kind == "paraphrase" else kind)
        for kind, n in script.counts().items()
        if n and kind != "match"
    )
    shifted = f"<p>Shifts of the {script.shifted}, by number:</p><ol>{shifts}</ol>" if shifts else ""
    way = direction([*explanation.hypothesis, *explanation.reference])
    return (
        f'{shifted}<div class="steps" dir="{way}" role="list">{steps}</div>{_rest(len(script.edits), SHOWN)}'
        f'<p class="told">Above the hypothesis, below the reference; {counts or "no edits"}.</p>'
    )


def _step(edit: Edit, explanation: Explanation, numbers: _Numbers) -> str:
    ours = _edited(explanation.hypothesis, edit.hypothesis, numbers, "hypothesis")
    theirs = _edited(explanation.reference, edit.reference, numbers, "reference")
    if edit.kind == "jump":
        place = "the end" if edit.hypothesis is None else f"word {edit.hypothesis + 1}"
        ours, theirs = f"to {place}", ""
    sign = f'<span aria-hidden="true">{SIGNS[edit.kind]}</span><span class="heard">{edit.kind}</span>'
    label = f"<i>{sign if edit.kind != 'match' else ''}</i>"
    return f'<span role="listitem" class="{edit.kind}">{label}<span>{ours}</span><span>{theirs}</span></span>'


def _edited(words: Sequence[str], place: int | None, numbers: _Numbers, side: Side) -> str:
    if place is None:
        return "&ensp;"
    number_ = numbers.get((side, place))
    return name(words[place]) + (f"<sup>{number_}</sup>" if number_ else "")
