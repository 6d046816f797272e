"""Every answer that stands, with what was shown and by whom it was made: to be looked at, and to be published."""

from __future__ import annotations

from typing import Any

from tercet.campaigns.campaign import Campaign
from tercet.campaigns.judged import standing


def all_annotations(campaign: Campaign) -> list[dict[str, Any]]:
    """A record an answer, in the order of the segments: texts, systems, what was said, and how long it took."""
    names, passages = campaign.material.systems, campaign.material.passages
    records = []
    for annotator, event, item in standing(campaign):
        passage, shown = passages[item["passage"]], campaign.shown(str(event.item))
        records.append(
            {
                "segment": passage.name,
                "document": passage.document,
                "annotator": annotator.name,
                "kind": item["kind"],
                "source": passage.source,
                "reference": passage.reference,
                "outputs": [
                    {"systems": [names[s] for s in output["systems"]], "text": texts["text"]}
                    for output, texts in zip(item["outputs"], shown["outputs"], strict=True)
                ],
                "answer": event.body["answer"],
                "seconds": event.body.get("seconds"),
                "time": event.server_time,
                **{name: event.body[name] for name in ("edits", "keystrokes") if name in event.body},
            }
        )
    order = {passage.name: i for i, passage in enumerate(passages)}
    return sorted(records, key=lambda record: order[record["segment"]])
