"""The page of an explanation: one hypothesis, or two side by side."""

from __future__ import annotations

from tercet.data.explanation import Explanation, Explanations
from tercet.report.formulas import number
from tercet.report.html.alignment import is_drawable
from tercet.report.html.blocks import AlignmentBlock, ExplanationBlock, Part, Report, Section
from tercet.report.html.page import page

_PARTS: dict[Part, str] = {"texts": "Texts", "formula": "Formula", "edits": "Edits", "ngrams": "n-grams"}


def explanation_page(found: Explanations) -> str:
    """Explanations as one self-contained HTML file."""
    return page(explanation_report(found))


def explanation_report(found: Explanations) -> Report:
    """What the page is made of: a section for each part of the explanations."""
    sections = []
    for part, title in _PARTS.items():
        blocks = tuple(ExplanationBlock(e.system, e, part, len(found) == 1) for e in found if _has(e, part))
        if blocks:
            sections.append(Section(title, part, blocks=blocks))
    aligned = tuple(each for each in found if is_drawable(each))
    if aligned:
        sections.append(Section("Alignment", "alignment", blocks=(AlignmentBlock("Words that match", aligned),)))
    notes = [f"{e.system}: {note}" if e.system else note for e in found for note in e.notes]
    return Report(
        title=f"Why this score? {found.records[0].metric}",
        summary=tuple(_answers(found)),
        sections=tuple(sections),
        signature=found.signature,
        notes=tuple(notes),
    )


def _has(each: Explanation, part: Part) -> bool:
    if part == "texts":
        return bool(each.hypothesis or each.reference or each.ngrams)
    return {"formula": True, "edits": each.edits is not None, "ngrams": bool(each.ngrams)}[part]


def _answers(found: Explanations) -> list[str]:
    """The scores, in words."""
    scores = [(f"{e.system} scores " if e.system else "The score is ") + number(e.score, e.digits) for e in found]
    return [f"{told}; lower is better." if not found.records[0].higher_is_better else f"{told}." for told in scores]
