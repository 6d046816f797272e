"""The alignment of two texts as a table: METEOR's X-ray (Denkowski and Lavie 2011), for every metric with matches.

Reference words stand down, hypothesis words across; two hypotheses share the reference. A cell holds the letter of the
module that matched, on its colour; where a metric knows how similar words are, on the shade of that.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tercet import numbers
from tercet.data.explanation import Explanation, Span
from tercet.data.marks import letter
from tercet.plots.explained import KINDS, SOFT, colour_of_kind, is_mirrored
from tercet.report.html.blocks import AlignmentBlock
from tercet.report.html.context import Context
from tercet.report.html.markup import Html, element, joined, name, prose
from tercet.report.html.text import clipped

BESIDE = 30  # words of two hypotheses that stand beside each other
COLUMNS = 60  # of a grid, which fit on paper and in most windows
LONG = 18  # characters of a word that is cut above its column


def kinds(block: AlignmentBlock) -> list[str]:
    """The modules that matched something, exact first."""
    seen = dict.fromkeys(match.kind for explanation in block.explanations for match in explanation.matches)
    return sorted(seen, key=lambda kind: ([*KINDS, kind]).index(kind))


def draw(block: AlignmentBlock, context: Context) -> Html:
    """Grids in boxes that scroll: hypotheses of one reference beside each other if they are short, else one below the
    other; one that is longer than a line of the page, in pieces.
    """
    first, *others = block.explanations
    n_words = sum(len(explanation.hypothesis) for explanation in block.explanations)
    if others and (n_words > BESIDE or any(other.reference != first.reference for other in others)):
        return joined(
            *(draw(AlignmentBlock(f"{block.caption}, {e.system}", (e,)), context) for e in block.explanations)
        )
    if n_words <= COLUMNS or others:
        return _grid(block, block.caption, [(0, len(e.hypothesis)) for e in block.explanations], context)
    pieces = -(-n_words // COLUMNS)
    cuts = [round(n_words * piece / pieces) for piece in range(pieces + 1)]
    return joined(
        *(
            _grid(block, f"{block.caption}, words {start + 1} to {end} of {n_words}", [(start, end)], context)
            for start, end in itertools.pairwise(cuts)
        )
    )


def _grid(block: AlignmentBlock, caption: str, spans: Sequence[Span], context: Context) -> Html:
    """One table; `spans` are the words of each hypothesis that stand across."""
    anchor = context.anchor("alignment")
    body = element(
        "table",
        element("caption", element("span", prose(caption)), id=anchor),
        element("thead", _names(block), element("tr", element("td"), *_heads(block, spans))),
        element("tbody", *_rows(block, spans)),
        class_="xray",
    )
    keys = [element("span", f"{letter(kind)} {kind}", class_=f"key {_key_of(kind, block)}") for kind in kinds(block)]
    if _is_soft(block):
        keys += [element("span", f"from {numbers.plain(level / 5)}", class_=f"key l{level}") for level in range(1, 5)]
    way = "rtl" if is_mirrored(block.explanations[0]) else None
    told = "Down the reference, across the hypothesis" + (f"; {SOFT}. " if _is_soft(block) else ". ")
    return element(
        "figure",
        element("div", body, class_="scroll", dir=way, role="group", tabindex=0, aria_labelledby=anchor),
        element("p", told, element("span", *keys, class_="keys"), class_="told"),
        class_="table",
    )


def _is_soft(block: AlignmentBlock) -> bool:
    return any(explanation.similarities for explanation in block.explanations)


def _key_of(kind: str, block: AlignmentBlock) -> str:
    return "best" if _is_soft(block) else colour_of_kind(kind)


def _names(block: AlignmentBlock) -> Html:
    """The names of the hypotheses, where there are two."""
    if len(block.explanations) < 2:
        return Html()
    cells = [
        element(
            "th",
            name(explanation.system),
            scope="colgroup",
            colspan=max(1, len(explanation.hypothesis)),
            class_="part" if n else None,
        )
        for n, explanation in enumerate(block.explanations)
    ]
    return element("tr", element("td"), *cells)


def _heads(block: AlignmentBlock, spans: Sequence[Span]) -> list[Html]:
    return [
        element(
            "th",
            element("span", name(word)),
            scope="col",
            class_="part" if n and not i else None,
            title=clipped(word) if len(word) > LONG else None,
        )
        for n, (explanation, span) in enumerate(zip(block.explanations, spans, strict=True))
        for i, word in enumerate(explanation.hypothesis[slice(*span)] or ("",))
    ]


def _rows(block: AlignmentBlock, spans: Sequence[Span]) -> list[Html]:
    known = [(explanation, explanation.matrix(), explanation.shades()) for explanation in block.explanations]
    columns = [
        (explanation, matrix[i] if matrix else [], shades[i] if shades else [], i, bool(n and not i))
        for n, ((explanation, matrix, shades), (start, end)) in enumerate(zip(known, spans, strict=True))
        for i in range(start, max(end, start + 1))
    ]
    return [
        element("tr", element("th", name(word), scope="row"), *(_cell(*column, j) for column in columns))
        for j, word in enumerate(block.explanations[0].reference)
    ]


def _cell(explanation: Explanation, kinds_: Sequence[str], shades: Sequence[int], i: int, apart: bool, j: int) -> Html:
    """A word of the hypothesis and one of the reference; `apart` from those of another hypothesis before it."""
    kind, shade = kinds_[j] if kinds_ else "", shades[j] if shades else 0
    classes = [f"l{shade}"] if shade else []
    if kind:
        classes = [*classes, "best"] if shades else [colour_of_kind(kind)]
    title = None
    if kind or shade:
        pair = f"{clipped(explanation.hypothesis[i])} – {clipped(explanation.reference[j])}"
        title = (f"{kind}: " if kind else "") + pair
        title += f", {numbers.score(explanation.similarities[i][j])}" if shades else ""
    return element("td", letter(kind), class_=" ".join([*classes, *(["part"] if apart else [])]) or None, title=title)
