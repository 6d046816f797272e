"""The page of `qe predict`: a document by need, each segment with its interval, its suspicious words, and why."""

from __future__ import annotations

import math

from tercet import numbers
from tercet.data.marks import direction
from tercet.data.quality_answers import QualityPredictions, SegmentQuality
from tercet.report.html.blocks import Report, Section
from tercet.report.html.context import Context
from tercet.report.html.markup import Html, asset, element, joined, look
from tercet.report.html.page import framed

DIGITS = 3
MOST = 2000  # segments of a page: more is no page to read
MOST_WORDS = 400  # of a segment
WIDTH, EDGE = 200.0, 4.0


def quality_page(answer: QualityPredictions) -> str:
    """Predictions as one self-contained HTML file."""
    ordered = answer.by_need()
    shown = ordered[:MOST]
    context = Context()
    title = "By need"
    line = (
        "The number is the share of words that are likely to be wrong"
        if answer.coverage is None
        else f"The line is where the true label lies in {numbers.percent(answer.coverage)} of cases like these"
    )
    intro = f"Segments that need a person most come first. {line}{_marks(answer)}."
    section = Section(title, "needs", intro=intro)
    notes = list(answer.notes)
    if len(ordered) > MOST:
        notes.append(f"The {MOST} segments that need it most are shown, of {len(ordered)}.")
    report = Report(
        title="Which segments need a person?",
        summary=tuple(_summary(answer, ordered)),
        sections=(section,),
        signature=answer.signature,
        notes=tuple(notes),
    )
    low, high = _range(shown)
    worst = max(1, len(ordered) // 10, sum(bool(entry.outside) for entry in ordered))
    items = [_segment(entry, low, high, place < worst) for place, entry in enumerate(shown)]
    body = element("ol", *items, class_="needs")
    return framed(report, [context.anchor(section.id)], [body], context, look("quality.css"), asset("page.js"))


def _marks(answer: QualityPredictions) -> str:
    """What words and gaps are marked by, where a model of words has seen them."""
    words = "; underlined words look wrong" if any(entry.tagged for entry in answer.segments) else ""
    return words + (", and at ‸ something seems to be missing" if any(entry.gaps for entry in answer.segments) else "")


def _summary(answer: QualityPredictions, ordered: list[SegmentQuality]) -> list[str]:
    if not ordered:
        return ["There is no segment."]
    better = "Higher" if answer.higher else "Lower"
    first = ", ".join(str(entry.segment) for entry in ordered[:5])
    return [
        f"{len(ordered)} segments, {numbers.score(answer.mean, DIGITS)} on average. {better} is better.",
        f"Look at these first: {first}.",
    ]


def _range(shown: list[SegmentQuality]) -> tuple[float, float]:
    ends = [end for entry in shown for end in (entry.score, entry.low, entry.high) if math.isfinite(end)]
    return (min(ends), max(ends)) if ends and min(ends) < max(ends) else (0.0, 1.0)


def _segment(entry: SegmentQuality, low: float, high: float, most: bool) -> Html:
    head = element(
        "div",
        element("strong", numbers.score(entry.score, DIGITS)),
        *(() if math.isnan(entry.low) else (element("span", f"{_end(entry.low)} to {_end(entry.high)}"),)),
        element("span", f"segment {entry.segment}"),
        class_="score",
    )
    line = Html("") if math.isnan(entry.low) else _line(entry, low, high)
    texts = [
        element("p", entry.source[:20_000], class_="source", dir=direction(entry.source.split()[:50])),
        element("p", _marked(entry), class_="target", dir=direction(entry.target.split()[:50])),
    ]
    if entry.outside:
        texts.insert(0, element("p", element("strong", "Cannot be judged"), f": {entry.outside}."))
    told = entry.why(DIGITS)
    why = element("p", f"Moved by {told}.", class_="why") if told else Html("")
    return element("li", head, line, *texts, why, class_="most" if most else None)


def _end(value: float) -> str:
    return numbers.score(value, DIGITS) if math.isfinite(value) else "∞" if value > 0 else "−∞"


def _line(entry: SegmentQuality, low: float, high: float) -> Html:
    def place(value: float) -> float:
        share = (min(max(value, low), high) - low) / (high - low)
        return round(EDGE + share * (WIDTH - 2 * EDGE), 1)

    one, other, dot = place(entry.low), place(entry.high), place(entry.score)
    label = f"{_end(entry.score)}, between {_end(entry.low)} and {_end(entry.high)}"
    return element(
        "svg",
        element("line", x1=one, x2=other, y1=4, y2=4, class_="range"),
        element("circle", cx=dot, cy=4, r=3, class_="dot"),
        viewBox=f"0 0 {WIDTH:g} 8",
        role="img",
        aria_label=label,
        preserveAspectRatio="none",
    )


def _marked(entry: SegmentQuality) -> Html:
    """The translation, suspicious words in marks that carry how sure that is."""
    if not entry.tags:
        return joined(entry.target[:20_000])
    gaps = [_gap(tag, wrong) for tag, wrong in entry.gaps] or [()] * (len(entry.tags) + 1)
    parts: list[str] = [*gaps[0]]
    for i, (word, tag, wrong) in enumerate(entry.tags[:MOST_WORDS]):
        marked = (
            element("mark", word, title=f"{tag}, {numbers.percent(wrong)} likely to be wrong") if tag != "OK" else word
        )
        parts += [marked, " ", *gaps[i + 1]]
    return joined(*parts[:-1], *([" …"] if len(entry.tags) > MOST_WORDS else []))


def _gap(tag: str, wrong: float) -> tuple[str, ...]:
    """A mark where a word seems to be missing."""
    if tag == "OK":
        return ()
    told = f"something is missing here, {numbers.percent(wrong)} likely"
    return element("mark", "‸", title=told, class_="gap"), " "
