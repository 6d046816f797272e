"""How a campaign stands, as HTML: sections for the organiser's dashboard, and a page to be published.

Numbers and marks come from `tercet.campaigns.overview` and `tercet.campaigns.annotations`; nothing is computed here.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from tercet import numbers
from tercet.report.campaigns import WEIGHED
from tercet.report.html.blocks import Report, Section
from tercet.report.html.context import Context
from tercet.report.html.markup import Html, asset, filled, look
from tercet.report.html.page import framed

View = Mapping[str, Any]
KINDS = {
    "inter": "different annotators",
    "intra": "the same annotator, later",
    "alpha": "all annotators (α)",
    "alpha-pairs": "all annotators, by pairs (α)",
}
MOST_SHOWN = 3000  # answers in a published page; all of them are in its data


def style() -> str:
    """The style of both pages."""
    return str(look("campaign.css"))


def state(view: View) -> str:
    """Whether a campaign is open, in a word."""
    facts = view["campaign"]
    return "closed" if facts["closed"] else "paused" if facts["paused"] else "open"


def summary(view: View) -> tuple[str, ...]:
    """How it stands, in sentences."""
    facts, stop = view["campaign"], view["stop"]
    of = "" if facts["items"] is None else f" of {facts['items']}"
    there = sum(person["answers"] > 0 for person in view["annotators"])
    advice = "One can stop." if stop["settled"] else "Go on."
    return (
        f"{facts['answers']}{of} answers by {numbers.counted(there, 'annotator')}; the campaign is {state(view)}.",
        f"{stop['reason']} {advice}",
    )


def title(view: View) -> str:
    """The heading of the page."""
    facts = view["campaign"]
    return f"{facts['title']}, {facts['pair']}" if facts["pair"] else str(facts["title"])


def sections(view: View, actions: bool = False) -> list[tuple[Section, Html]]:
    """Sections with their bodies; with buttons to decide where the reader may."""
    ranking, undecided, agreement = view["ranking"]["records"], view["undecided"], view["agreement"]
    shown: list[tuple[Section, Html]] = []
    if ranking:
        shown.append((Section("Ranking", "ranking"), _part("ranking", ranking=ranking)))
    if view["wins"]:
        shown.append((Section("Expected wins", "wins", WEIGHED), _part("wins", wins=view["wins"])))
    if undecided:
        intro = "How many more judgements would separate two neighbours if what was seen so far goes on: an estimate."
        shown.append((Section("Undecided", "undecided", intro), _part("undecided", undecided=undecided)))
    people = view["annotators"]
    most = max((person["answers"] for person in people), default=0)
    values = {
        "annotators": people,
        "languages": view["languages"],
        "most": most,
        "agreeing": _told_of(people, "kappa", "intra_kappa"),
        "correlating": _told_of(people, "correlation"),
        "repeating": _told_of(people, "mean_difference"),
    }
    shown.append((Section("Annotators", "annotators"), _part("annotators", actions=actions, **values)))
    if agreement:
        repeating = _told_of(agreement, "mean_difference")
        part = _part("agreement", agreement=agreement, kinds=KINDS, repeating=repeating)
        shown.append((Section("Agreement", "agreement"), part))
    return shown


def _told_of(records: Sequence[View], *names: str) -> bool:
    """Whether one of the columns has a value."""
    return any(record.get(name) is not None for record in records for name in names)


def campaign_page(view: View, annotations: Sequence[View], files: Mapping[str, str]) -> str:
    """A finished campaign as one page beside its data; `files` are their names and what they hold."""
    shown = sections(view)
    some = annotations[:MOST_SHOWN]
    intro = f"{numbers.counted(len(annotations), 'answer')}, by segment. Open one to see what was said of each output."
    if len(some) < len(annotations):
        intro = f"The first {len(some)} of {len(annotations)} answers, by segment; the data have all of them."
    shown.append((Section("Annotations", "annotations", intro), _part("annotations", segments=_by_segment(some))))
    listed = [{"name": name, "told": told} for name, told in files.items()]
    shown.append((Section("Data", "files"), _part("files", files=listed)))
    made = Report(
        title(view),
        summary(view),
        tuple(section for section, _ in shown),
        view["ranking"]["signature"],
        tuple(view["notes"]),
    )
    context = Context()
    anchors = [context.anchor(section.id) for section, _ in shown]
    return framed(made, anchors, [body for _, body in shown], context, look("campaign.css"), asset("page.js"))


def _part(part: str, **values: Any) -> Html:
    return filled("campaign.html", part=part, **{"actions": False, **values})


def _by_segment(annotations: Sequence[View]) -> list[dict[str, Any]]:
    groups: dict[str, dict[str, Any]] = {}
    for entry in annotations:
        group = groups.setdefault(
            entry["segment"],
            {"name": entry["segment"], "source": entry["source"], "reference": entry["reference"], "answers": []},
        )
        answer = entry["answer"]
        group["answers"].append(
            {
                "annotator": entry["annotator"],
                "kind": entry["kind"],
                "seconds": entry["seconds"],
                "said": [_told(name, value) for name, value in answer.items() if name != "outputs"],
                "outputs": [
                    _output(output, (answer.get("outputs") or [{}] * len(entry["outputs"]))[i])
                    for i, output in enumerate(entry["outputs"])
                ],
            }
        )
    return list(groups.values())


def _told(name: str, value: Any) -> str:
    return f"{name} {numbers.plain(value)}" if isinstance(value, int | float) else f"{name}: {value}"


def _output(output: View, said: View) -> dict[str, Any]:
    spans = [span for value in said.values() if isinstance(value, list) for span in value]
    here = [span for span in spans if span["start"] is not None and span.get("side", "target") == "target"]
    elsewhere = [span for span in spans if span not in here]
    values = [_told(name, value) for name, value in said.items() if not isinstance(value, list)]
    values += [f"{_mark(span)} ({'source' if span.get('side') == 'source' else 'missing'})" for span in elsewhere]
    return {"systems": " + ".join(output["systems"]) or "–", "said": values, "pieces": _pieces(output["text"], here)}


def _mark(span: View) -> str:
    return str(span["severity"]) + (f", {span['category']}" if span.get("category") else "")


def _pieces(text: str, spans: Sequence[View]) -> list[dict[str, str]]:
    """The text cut at the ends of its spans; of spans over one another the later one is told."""
    ends = sorted({0, len(text), *(place for span in spans for place in (span["start"], span["end"]))})
    pieces = []
    for start, end in itertools.pairwise(ends):
        over = [span for span in spans if span["start"] < end and start < span["end"]]
        severity = str(over[-1]["severity"]) if over else ""
        pieces.append({"text": text[start:end], "severity": severity, "told": "; ".join(map(_mark, over))})
    return pieces
