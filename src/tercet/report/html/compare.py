"""The page of a comparison: the answer first, then where the systems differ, then every segment, in one file.

compare_answer   scores, differences, who beats whom
compare_where    findings, parts of the test set, faults, n-grams, words
compare_data     what the browser of segments knows
compare_scripts  edits and shifts as the metrics counted them
compare_*.js     the browser of segments: marks, data, list, the opened segment, and what ties them together

All but the browser of segments can be read without a script.
"""

from __future__ import annotations

from tercet.data import Comparison
from tercet.report.html.blocks import Report, Section
from tercet.report.html.compare_answer import answer
from tercet.report.html.compare_data import packed
from tercet.report.html.compare_where import outputs, where
from tercet.report.html.context import Context
from tercet.report.html.page import asset, framed
from tercet.report.html.text import counted, escape

STYLES = ("page.css", "explained.css", "compare.css")
SKIP = '<a class="skip" href="#segments">To the segments</a>'  # past hundreds of links for the keyboard
SCRIPTS = ("page.js", "compare_marks.js", "compare.js", "compare_list.js", "compare_segment.js", "compare_start.js")


def page(comparison: Comparison) -> str:
    """A comparison as one HTML file; the same comparison gives the same text."""
    context = Context()
    drawn = {
        "answer": answer(comparison, context),
        "where": where(comparison, context),
        "outputs": outputs(comparison, context),
        "segments": asset("compare.html").replace("$data", packed(comparison)),
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
        title=title(comparison),
        summary=comparison.answers,
        sections=tuple(Section(titles[key][0], key, titles[key][1]) for key in kept),
        signature=comparison.signature,
        notes=comparison.notes,
    )
    style = "".join(map(asset, STYLES))
    script = "\n".join(map(asset, SCRIPTS))
    text = framed(report, kept, [drawn[key] for key in kept], context, style, script)
    return text.replace('<div class="page">', f'{SKIP}\n<div class="page">', 1)


def title(comparison: Comparison) -> str:
    """What is compared.

    Two systems are named, more are counted.
    """
    if len(comparison.systems) == 2:
        return f"{comparison.others[0]} against {comparison.baseline}"
    return f"{counted(len(comparison.others), 'system')} against {comparison.baseline}"


def _about(comparison: Comparison) -> str:
    signatures = "\n".join(f"{m.title}: {m.signature}" for m in comparison.metrics)
    n, references = len(comparison.testset), comparison.testset.references
    counts = "no reference" if references is None else _range(references.counts)
    facts = f"{counted(n, 'segment')}, {counted(len(comparison.systems), 'system')}, {counts}."
    return (
        f'<div class="wide"><p>{escape(facts)} {escape(comparison.assumptions)}</p>'
        "<p>Scores are those that <code>tercet score</code> prints. Edits and shifts of the systems that say how many "
        "are those that the metric counted. All other marks in the segments are drawn by this page, by the rules of "
        "each metric’s explanation, on words parted at spaces (TER) or as BLEU parts them (13a), where single "
        "characters of scripts without spaces are words, and without the shifts of TER; <code>tercet explain</code> "
        "shows what a metric saw, to the digit.</p></div>"
        f"<details><summary>Signatures</summary><pre>{escape(signatures)}</pre></details>"
    )


def _range(counts: tuple[int, int]) -> str:
    low, high = counts
    return counted(low, "reference") if low == high else f"{low} to {high} references"
