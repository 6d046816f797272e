"""The alignment of two texts as a table: METEOR's X-ray (Denkowski and Lavie 2011), for every metric with matches.

Reference words stand down, hypothesis words across; two hypotheses share the reference. A cell holds the letter of the
module that matched, on its colour.
"""

from __future__ import annotations

from tercet.data.explanation import Explanation
from tercet.report.html.blocks import AlignmentBlock
from tercet.report.html.context import Context
from tercet.report.html.text import attributes, clipped, escape, name, prose
from tercet.report.html.words import direction
from tercet.report.marks import letter

CELLS = 40_000  # of a matrix that is drawn; a page of more is slow, and nobody reads it
COLOURS = {"exact": 2, "stem": 0, "synonym": 3, "paraphrase": 1}  # of page.css
OTHER = 5


def is_drawable(explanation: Explanation) -> bool:
    """Whether there is an alignment, and not too much of it."""
    return bool(explanation.matches) and len(explanation.hypothesis) * len(explanation.reference) <= CELLS


def is_mirrored(explanation: Explanation) -> bool:
    """Whether columns run from right to left, as the words do."""
    return direction([*explanation.hypothesis, *explanation.reference]) == "rtl"


def kinds(block: AlignmentBlock) -> list[str]:
    """The modules that matched something, exact first."""
    found = dict.fromkeys(match.kind for each in block.explanations for match in each.matches)
    return sorted(found, key=lambda kind: ([*COLOURS, kind]).index(kind))


def draw(block: AlignmentBlock, context: Context) -> str:
    """The table in a box that scrolls."""
    first, *others = block.explanations
    shared = all(each.reference == first.reference for each in others)
    if not shared:
        return "".join(draw(AlignmentBlock(f"{block.caption}, {e.system}", (e,)), context) for e in block.explanations)
    anchor = context.anchor("alignment")
    body = (
        f'<table class="xray"><caption id="{anchor}"><span>{prose(block.caption)}</span></caption>'
        f"<thead>{_names(block)}<tr><td></td>{_heads(block)}</tr></thead><tbody>{_rows(block)}</tbody></table>"
    )
    keys = "".join(
        f'<span class="key {_class(kind)}">{escape(letter(kind))} {escape(kind)}</span>' for kind in kinds(block)
    )
    way = "rtl" if is_mirrored(first) else None
    scroll = attributes(class_="scroll", dir=way, role="group", tabindex=0, aria_labelledby=anchor)
    return (
        f'<figure class="table"><div{scroll}>{body}</div>'
        f'<p class="told">Down the reference, across the hypothesis. <span class="keys">{keys}</span></p></figure>'
    )


def _class(kind: str) -> str:
    return f"k{COLOURS.get(kind, OTHER)}"


def _names(block: AlignmentBlock) -> str:
    """The names of the hypotheses, where there are two."""
    if len(block.explanations) < 2:
        return ""
    cells = "".join(
        f'<th scope="colgroup"{attributes(colspan=max(1, len(each.hypothesis)), class_="part" if n else None)}>'
        f"{name(each.system)}</th>"
        for n, each in enumerate(block.explanations)
    )
    return f"<tr><td></td>{cells}</tr>"


def _heads(block: AlignmentBlock) -> str:
    return "".join(
        f'<th scope="col"{attributes(class_="part" if n and not i else None)}><span>{name(word)}</span></th>'
        for n, each in enumerate(block.explanations)
        for i, word in enumerate(each.hypothesis or ("",))
    )


def _rows(block: AlignmentBlock) -> str:
    matrices = [each.matrix() or [[""] * len(each.reference)] for each in block.explanations]
    return "".join(
        f'<tr><th scope="row">{name(word)}</th>'
        + "".join(
            _cell(row[j], word, block.explanations[n].hypothesis[i : i + 1], bool(n and not i))
            for n, matrix in enumerate(matrices)
            for i, row in enumerate(matrix)
        )
        + "</tr>"
        for j, word in enumerate(block.explanations[0].reference)
    )


def _cell(kind: str, theirs: str, ours: tuple[str, ...], part: bool) -> str:
    if not kind:
        return '<td class="part"></td>' if part else "<td></td>"
    title = f"{kind}: {clipped(''.join(ours))} – {clipped(theirs)}"
    classes = f"{_class(kind)}{' part' if part else ''}"
    return f"<td{attributes(class_=classes, title=title)}>{escape(letter(kind))}</td>"
