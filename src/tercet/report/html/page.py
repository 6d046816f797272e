"""One self-contained page of a metrics task: answers in words, tables one can sort, plots one can ask.

The page needs no network and no framework. Style, script and data stand in the file, and its content policy lets
nothing else run: style and script by their hashes, all else not at all. Names are hostile and pass through `text`.
What one reads is there without a script; the script only adds sorting, choosing, and values where one points.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.resources
import re
import string
from collections.abc import Collection, Sequence

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
from tercet.report.html.text import NAME_LIMIT, escape, is_clipped, prose


def page(report: Report) -> str:
    """A report as one HTML file; the same report gives the same text."""
    style, script = asset("page.css"), asset("page.js")
    if any(isinstance(b, ExplanationBlock | AlignmentBlock) for s in report.sections for b in s.blocks):
        style += asset("explained.css")
    context = Context()
    anchors = [context.anchor(section.id) for section in report.sections]
    bodies = [_blocks(section, context) for section in report.sections]
    return framed(report, anchors, bodies, context, style, script)


def framed(
    report: Report, anchors: Sequence[str], bodies: Sequence[str], context: Context, style: str, script: str
) -> str:
    """The page around sections whose blocks are drawn; `bodies` and `anchors` are one a section."""
    sections = [_section(s, a, b) for s, a, b in zip(report.sections, anchors, bodies, strict=True)]
    return string.Template(asset("page.html")).substitute(
        policy=_policy(style, script),
        title=prose(report.title),
        heading=prose(report.title),
        style=style,
        summary=_summary(report),
        navigation=_navigation(report, anchors),
        sections="\n".join(sections),
        closing=_closing(report),
        data=context.json(),
        script=script,
    )


def asset(name: str) -> str:
    """A file that goes into the page."""
    return (importlib.resources.files("tercet.report.html") / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, sent or run but our own style and script, known by their hashes."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _summary(report: Report) -> str:
    if not report.summary:
        return ""
    answers = "".join(f"<li>{prose(answer)}</li>" for answer in report.summary)
    return f'<section class="summary" aria-label="In short"><ul>{answers}</ul></section>'


def _navigation(report: Report, anchors: Sequence[str]) -> str:
    links = "".join(
        f'<li><a href="#{anchor}">{prose(section.title)}</a></li>'
        for section, anchor in zip(report.sections, anchors, strict=True)
    )
    return f'<nav aria-label="Sections"><ul>{links}</ul></nav>' if links else ""


def _blocks(section: Section, context: Context) -> str:
    systems = {name for b in section.blocks if isinstance(b, ScatterBlock) for s in b.scatters for name in s.systems}
    return "\n".join(_block(block, context, systems) for block in section.blocks)


def _section(section: Section, anchor: str, blocks: str) -> str:
    intro = f'<p class="intro">{prose(section.intro)}</p>' if section.intro else ""
    return (
        f'<section id="{anchor}" aria-labelledby="{anchor}-title"><h2 id="{anchor}-title">{prose(section.title)}</h2>'
        f'{intro}\n<div class="blocks">{blocks}</div></section>'
    )


def _block(block: Block, context: Context, systems: Collection[str]) -> str:
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
            return f"<details><summary>{prose(block.title)}</summary><pre>{escape(block.text)}</pre></details>"


def _closing(report: Report) -> str:
    """Notes, what was cut, and the signature."""
    names = {n for section in report.sections for block in section.blocks for n in block_names(block)}
    seen = [w for text in _sentences(report) for w in re.findall(r"\S+", text)]
    cut = len({w for w in (*names, *seen) if is_clipped(w)})
    notes = [*report.notes]
    if cut:
        notes.append(f"Names of more than {NAME_LIMIT} characters are cut short on this page: {cut} of them.")
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    parts = [f'<h2 id="notes">Notes</h2><ul class="notes">{listed}</ul>' if notes else ""]
    parts += [f'<p class="signature">{escape(report.signature)}</p>' if report.signature else ""]
    return "\n".join(filter(None, [*parts, "<p>Made by Tercet. This file needs no network and sends nothing.</p>"]))


def _sentences(report: Report) -> list[str]:
    """All that passes through `prose` with names in it."""
    return [
        report.title,
        *report.summary,
        *(text for s in report.sections for text in (s.title, s.intro)),
        *(b.title if isinstance(b, FoldBlock) else b.caption for s in report.sections for b in s.blocks),
    ]
