"""The page of an explanation: one hypothesis, or two side by side."""

from __future__ import annotations

from tercet.data.explanation import Explanation, Explanations
from tercet.numbers import score
from tercet.plots.explained import is_alignment
from tercet.report.html.blocks import AlignmentBlock, ExplanationBlock, Part, Report, Section
from tercet.report.html.page import page

_PARTS: dict[Part, str] = {"texts": "Texts", "formula": "Formula", "edits": "Edits", "ngrams": "n-grams"}


def explanation_page(explanations: Explanations) -> str:
    """Explanations as one self-contained HTML file."""
    return page(explanation_report(explanations))


def explanation_report(explanations: Explanations) -> Report:
    """What the page is made of: a section for each part of the explanations."""
    sections = []
    for part, title in _PARTS.items():
        blocks = tuple(
            ExplanationBlock(e.system, e, part, len(explanations) == 1) for e in explanations if _has(e, part)
        )
        if blocks:
            sections.append(Section(title, part, blocks=blocks))
    aligned = tuple(explanation for explanation in explanations if is_alignment(explanation))
    if aligned:
        sections.append(Section("Alignment", "alignment", blocks=(AlignmentBlock("Words that match", aligned),)))
    notes = [f"{e.system}: {note}" if e.system else note for e in explanations for note in e.notes]
    return Report(
        title=f"Why this score? {explanations.records[0].metric}",
        summary=tuple(_answers(explanations)),
        sections=tuple(sections),
        signature=explanations.signature,
        notes=tuple(notes),
    )


def _has(explanation: Explanation, part: Part) -> bool:
    if part == "texts":
        return bool(explanation.hypothesis or explanation.reference or explanation.ngrams)
    return {"formula": True, "edits": explanation.edits is not None, "ngrams": bool(explanation.ngrams)}[part]


def _answers(explanations: Explanations) -> list[str]:
    """The scores in words, which segment it is, and what was translated."""
    scores = [(f"{e.system} scores " if e.system else "The score is ") + score(e.score, e.digits) for e in explanations]
    answers = [
        f"{told}; lower is better." if not explanations.records[0].higher_is_better else f"{told}." for told in scores
    ]
    known = {"Segment": explanations.segment, "Source": explanations.source}
    return [*answers, *(f"{what}: {text}" for what, text in known.items() if text)]
