"""The page of a comparison: the answer first, then where the systems differ, then every segment, in one file.

systems          short names and colours of the systems, the same everywhere
compare_answer   scores, differences, who beats whom
compare_where    findings, parts of the test set, faults, n-grams, words
compare_data     what the browser of segments knows
compare_*.js     the browser of segments: marks, data, list, the opened segment, files, and what ties them together

All but the browser of segments can be read without a script.
"""

from __future__ import annotations

from tercet.data import Comparison
from tercet.numbers import counted
from tercet.report.html.blocks import Report, Section
from tercet.report.html.compare_answer import answer
from tercet.report.html.compare_data import looks_of, packed
from tercet.report.html.compare_where import outputs, where
from tercet.report.html.context import Context
from tercet.report.html.markup import Html, asset, filled, look
from tercet.report.html.page import framed

SCRIPTS = (
    "page.js",
    "compare_marks.js",
    "compare.js",
    "compare_list.js",
    "compare_segment.js",
    "compare_export.js",
    "compare_start.js",
)


def page(comparison: Comparison) -> str:
    """A comparison as one HTML file; the same comparison gives the same text."""
    context = Context()
    looks = looks_of(comparison)
    drawn = {
        "answer": answer(comparison, looks, context),
        "where": where(comparison, looks, context),
        "outputs": outputs(comparison, looks, context),
        "segments": filled("compare.html", data=packed(comparison)),
        "about": _about(comparison),
    }
    titles = {
        "answer": ("Answer", ""),
        "where": ("Where", "Parts of the test set, and what stands out."),
        "outputs": ("Outputs", "Faults, lengths, n-grams and words; figures lead to their segments."),
        "segments": ("Segments", ""),
        "about": ("How this was made", ""),
    }
    kept = [key for key, body in drawn.items() if body]
    report = Report(
        title=looks.plain(title(comparison)),
        summary=tuple(map(looks.sentence, comparison.answers)),
        sections=tuple(Section(titles[key][0], key, titles[key][1]) for key in kept),
        signature=comparison.signature,
        notes=comparison.notes,
    )
    script = Html("\n").join(map(asset, SCRIPTS))
    style = look("explained.css", "compare.css") + looks.sheet
    skips = {"content": "Skip to the content", "segments": "To the segments"}  # past hundreds of links
    return framed(report, kept, [drawn[key] for key in kept], context, style, script, skips)


def title(comparison: Comparison) -> str:
    """What is compared.

    Two systems are named, more are counted.
    """
    if len(comparison.systems) == 2:
        return f"{comparison.others[0]} against {comparison.baseline}"
    return f"{counted(len(comparison.others), 'system')} against {comparison.baseline}"


def _about(comparison: Comparison) -> Html:
    signatures = "\n".join(f"{m.title}: {m.signature}" for m in comparison.metrics)
    n, references = len(comparison.testset), comparison.testset.references
    counts = "no reference" if references is None else _range(references.counts)
    facts = f"{counted(n, 'segment')}, {counted(len(comparison.systems), 'system')}, {counts}."
    return filled("about.html", facts=facts, assumptions=comparison.assumptions, signatures=signatures)


def _range(counts: tuple[int, int]) -> str:
    low, high = counts
    return counted(low, "reference") if low == high else f"{low} to {high} references"
