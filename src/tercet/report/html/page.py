"""One self-contained page of a metrics task: answers in words, tables one can sort, plots one can ask.

The page needs no network and no framework. Style, script and data stand in the file, and its content policy lets
nothing else run: style and script by their hashes, all else not at all. Names are hostile and pass through `markup`.
What one reads is there without a script; the script only adds sorting, choosing, and values where one points.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection, Mapping, Sequence

from tercet.report.html import alignment, curves, scatter, tables, words
from tercet.report.html.blocks import (
    AlignmentBlock,
    Block,
    CalibrationBlock,
    ExplanationBlock,
    FoldBlock,
    MatrixBlock,
    Report,
    ScatterBlock,
    Section,
    TableBlock,
    TopCurveBlock,
    block_names,
)
from tercet.report.html.context import Context
from tercet.report.html.markup import Html, asset, element, filled, look, prose
from tercet.report.html.text import NAME_LIMIT, is_clipped

SKIPS = {"content": "Skip to the content"}  # for the keyboard


def page(report: Report) -> str:
    """A report as one HTML file; the same report gives the same text."""
    explained = any(isinstance(b, ExplanationBlock | AlignmentBlock) for s in report.sections for b in s.blocks)
    style = look("explained.css") if explained else look()
    context = Context(coloured={metric: i for i, metric in enumerate(report.metrics)})
    anchors = [context.anchor(section.id) for section in report.sections]
    bodies = [_blocks(section, context) for section in report.sections]
    return framed(report, anchors, bodies, context, style, asset("page.js"))


def framed(
    report: Report,
    anchors: Sequence[str],
    bodies: Sequence[Html],
    context: Context,
    style: Html,
    script: Html,
    skips: Mapping[str, str] = SKIPS,
) -> str:
    """The page around sections whose blocks are drawn; `bodies` and `anchors` are one a section."""
    text = filled(
        "page.html",
        report=report,
        sections=list(zip(report.sections, anchors, bodies, strict=True)),
        notes=_notes(report),
        policy=_policy(style, script),
        data=context.data(),
        style=style,
        script=script,
        skips=skips,
    )
    return str(text)


def _policy(style: Html, script: Html) -> Html:
    """Nothing is loaded, sent or run but our own style and script, known by their hashes."""
    return Html(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    ).format(_hash(style), _hash(script))


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _blocks(section: Section, context: Context) -> Html:
    systems = {name for b in section.blocks if isinstance(b, ScatterBlock) for s in b.scatters for name in s.systems}
    return Html("\n").join(_block(block, context, systems) for block in section.blocks)


def _block(block: Block, context: Context, systems: Collection[str]) -> Html:
    match block:
        case TableBlock():
            return tables.table(block, context, systems)
        case MatrixBlock():
            return tables.matrix(block, context)
        case ScatterBlock():
            return scatter.draw(block, context)
        case TopCurveBlock():
            return curves.draw_top(block, context)
        case CalibrationBlock():
            return curves.draw_calibration(block, context)
        case ExplanationBlock():
            return words.draw(block)
        case AlignmentBlock():
            return alignment.draw(block, context)
        case FoldBlock():
            return element("details", element("summary", prose(block.title)), element("pre", block.text))


def _notes(report: Report) -> list[str]:
    """What is to be noted at the end, and what was cut."""
    names = {n for section in report.sections for block in section.blocks for n in block_names(block)}
    seen = [w for text in _sentences(report) for w in re.findall(r"\S+", text)]
    cut = len({w for w in (*names, *seen) if is_clipped(w)})
    told = f"Names of more than {NAME_LIMIT} characters are cut short on this page: {cut} of them."
    return [*report.notes, *([told] if cut else [])]


def _sentences(report: Report) -> list[str]:
    """All that passes through `prose` with names in it."""
    return [
        report.title,
        *(answer.striptags() if isinstance(answer, Html) else answer for answer in report.summary),
        *(text for s in report.sections for text in (s.title, s.intro)),
        *(b.title if isinstance(b, FoldBlock) else b.caption for s in report.sections for b in s.blocks),
    ]
