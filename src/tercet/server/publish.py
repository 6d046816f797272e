"""`publish_campaign`: a finished campaign as a folder that any web server can show: one page and the data behind it."""

from __future__ import annotations

import dataclasses
import itertools
import pathlib

from tercet.campaigns.annotations import all_annotations
from tercet.campaigns.campaign import Campaign
from tercet.campaigns.judged import judgements_of
from tercet.campaigns.log import Log
from tercet.campaigns.overview import overview
from tercet.errors import InputError
from tercet.escaping import json_text
from tercet.formats import lines, records
from tercet.options import verb
from tercet.options.campaigns import PublishOptions
from tercet.report.html.campaign import campaign_page
from tercet.report.tables import render_records

PAGE = "index.html"
FILES = {
    "judgements.jsonl": "judgements, as tercet rank reads them",
    "annotations.jsonl": "every answer with its texts, a record a line",
    "ranking.csv": "systems with scores, ranges of ranks and clusters",
    "agreement.csv": "agreement of the annotators",
    "annotators.csv": "what each annotator did",
    "overview.json": "all numbers of this page",
}


@verb(PublishOptions)
def publish_campaign(asked: PublishOptions) -> tuple[pathlib.Path, ...]:
    """Write a campaign as a page and its data into a folder; the files, the page first."""
    folder = pathlib.Path(asked.output)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file.", hint="Name a folder with -o.")
    with Campaign(Log(asked.campaign)) as campaign:
        view, entries, judged = overview(campaign), all_annotations(campaign), judgements_of(campaign)
    name = pathlib.Path(campaign.log.name).name  # no folders of the organiser's
    view["campaign"]["name"] = name
    tables = {
        "ranking.csv": view["ranking"]["records"],
        "agreement.csv": view["agreement"],
        "annotators.csv": view["annotators"],
    }
    files = {file: told for file, told in FILES.items() if file not in tables or tables[file]}
    folder.mkdir(parents=True, exist_ok=True)
    records.write(dataclasses.replace(judged, file=name), folder / "judgements.jsonl")
    lines.write(folder / "annotations.jsonl", (f"{json_text(e)}\n" for e in entries))
    lines.write(folder / "overview.json", [json_text(view, indent=1) + "\n"])
    for file, rows in tables.items():
        if rows:  # who did nothing has fewer columns
            columns = dict.fromkeys(itertools.chain.from_iterable(rows))
            whole = [{column: row.get(column) for column in columns} for row in rows]
            lines.write(folder / file, [render_records(whole, "", "csv")])
    lines.write(folder / PAGE, [campaign_page(view, entries, files)])
    return (folder / PAGE, *(folder / file for file in files))
