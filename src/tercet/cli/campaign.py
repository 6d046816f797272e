"""`tercet campaign`: create, invite, serve, status, export, publish, import, backup, simulate."""

from __future__ import annotations

from tercet.cli.command import Given, command
from tercet.cli.group import Verbs
from tercet.cli.shared import Delivery, require_folder
from tercet.errors import InputError
from tercet.options import Options
from tercet.options.campaigns import (
    BackupOptions,
    CreateOptions,
    ExportOptions,
    ImportOptions,
    InviteOptions,
    PublishOptions,
    ServeOptions,
    SimulateOptions,
    StatusOptions,
)

_CAMPAIGN = """\
Collect judgements:

  tercet campaign create news.db --testset en-de.tsv --protocol ranking --annotators 5
  tercet campaign invite news.db --annotator Ann --viewer Eve   more people, also those who only look
  tercet campaign serve news.db --port 8000             send out the links that create wrote
  tercet campaign status news.db                        who has done how much, and what is decided
  tercet rank news.db                                   as agreement, meta and all that read judgements
  tercet campaign export news.db -o news.jsonl          or as WMT, Appraise and mt-metrics-eval have it
  tercet campaign publish news.db -o news               a page of the finished campaign, with its data
  tercet campaign backup news.db copy.db                while it is served
  tercet campaign import copy.db more.log.jsonl
  tercet campaign simulate news.db --url http://127.0.0.1:8000 --annotators 5 --seconds 10

tercet campaign VERB --help explains one.
"""
_CREATE = """\
For example:

  tercet campaign create news.db --testset en-de.tsv --protocol ranking --annotators 5
  tercet campaign create news.db -t en-de.tsv --protocol "da(basis=source)" --annotators 20 --overlap 2

tercet campaign create --help explains every option.
"""
_INVITE = """\
For example, while the campaign is not served (an organiser does it on the dashboard otherwise):

  tercet campaign invite news.db --annotator Ann --annotator Bob --quota 5
  tercet campaign invite news.db --viewer Eve --auditor Joe

tercet campaign invite --help explains every option.
"""


@command(CreateOptions, Options, example=_CREATE)
def create_command(given: Given, _: Options) -> None:
    """Make a campaign from a test set and a protocol."""
    from tercet.campaigns.create import create_campaign
    from tercet.cli.output import tell
    from tercet.numbers import counted

    made = create_campaign(**given)
    size = f"{counted(made.n_items, 'item')} in {made.n_batches} {'batch' if made.n_batches == 1 else 'batches'}"
    size = size if made.n_batches else "items are drawn as they are needed"
    tell(f"Made {made.campaign}: {size}, {counted(len(made.links), 'annotator')}.")
    if made.unseen:
        tell(f"No item shows {', '.join(made.unseen)}: raise --items to have every system judged.")
    tell(f"Links of the annotators: {made.links_file} (keep it to yourself; add them to the server's address).")
    tell(f"{made.organiser}'s password, shown this once: {made.password}")
    tell(f"Next: tercet campaign serve {made.campaign} --port 8000")


@command(InviteOptions, Options, example=_INVITE)
def invite_command(given: Given, _: Options) -> None:
    """Give people a link to annotate by, or a password for the dashboard."""
    from tercet.campaigns.create import invite_people
    from tercet.cli.output import tell

    invited = invite_people(**given)
    for name, link in invited.links.items():
        tell(f"{name}'s link: {link}")
    if invited.links:
        tell(f"Links are in {invited.links_file} (keep it to yourself; add them to the server's address).")
    for name, password in invited.passwords.items():
        tell(f"{name}'s password ({invited.roles[name]}), shown this once: {password}")


@command(ServeOptions, Options)
def serve_command(given: Given, _: Options) -> None:
    """Serve a campaign to annotators and organisers until it is stopped (Ctrl-C)."""
    from tercet.cli.output import tell
    from tercet.server.serve import run_server

    run_server(ServeOptions(**given), lambda url: tell(f"Serving at {url}/ (dashboard: {url}/dashboard)"))


@command(SimulateOptions, Delivery)
def simulate_command(given: Given, shown: Delivery) -> None:
    """Have robots annotate a campaign that is served."""
    from tercet.cli.output import deliver, warn
    from tercet.report.rankings import records_table
    from tercet.server.robots import simulate_campaign

    require_folder(given.get("receipts"))
    done = simulate_campaign(**given)
    if done.errors:
        warn(f"{done.errors} requests failed, the first so: {done.first_error}")
    if not done.answers and done.errors:
        raise InputError("No robot could answer.", hint="Is the campaign served at this address?")
    deliver([done.as_record()], "simulate", [records_table([done.as_record()], (), digits=1)], shown)


@command(StatusOptions, Delivery)
def status_command(given: Given, shown: Delivery) -> None:
    """Say how a campaign stands: who has done how much, the ranking, what is undecided."""
    from tercet.campaigns.status import campaign_status
    from tercet.cli.output import deliver
    from tercet.report.campaigns import status_tables

    answer = campaign_status(**given)
    deliver(answer["annotators"], "status", [*status_tables(answer)], shown, answer["notes"])


@command(ExportOptions, Options)
def export_command(given: Given, _: Options) -> None:
    """Write what a campaign holds to a file."""
    from tercet.campaigns.exports import export_campaign

    output = given.get("output")
    require_folder(None if output is None or str(output) == "-" else output)
    export_campaign(**given)


@command(PublishOptions, Options)
def publish_command(given: Given, _: Options) -> None:
    """Write a finished campaign as a page and its data, for any web server."""
    from tercet.cli.output import tell
    from tercet.server.publish import publish_campaign

    page, *data = publish_campaign(**given)
    tell(f"Wrote {page} and {len(data)} files of data beside it. Open it in a browser, or put the folder on a server.")


@command(ImportOptions, Options)
def import_command(given: Given, _: Options) -> None:
    """Take in the log of a campaign, or judgements of the same test set."""
    from tercet.campaigns.exports import import_answers
    from tercet.cli.output import tell

    tell(f"{import_answers(**given)} events are new.")


@command(BackupOptions, Options)
def backup_command(given: Given, _: Options) -> None:
    """Copy a whole campaign into one file, while it is served or not."""
    from tercet.campaigns.exports import backup_campaign
    from tercet.cli.output import tell

    require_folder(given["target"])
    backup_campaign(**given)
    tell(f"Copied to {given['target']}.")


campaign = Verbs(
    "campaign",
    {
        verb: f"tercet.cli.campaign:{verb}_command"
        for verb in ("create", "invite", "serve", "status", "export", "publish", "import", "backup", "simulate")
    },
    _CAMPAIGN,
    "Collect judgements: make a campaign, serve it to annotators, watch it, take its answers home.",
)
