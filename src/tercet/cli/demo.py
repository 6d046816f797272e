"""`tercet demo`: from nothing to scored systems in one command."""

from __future__ import annotations

import dataclasses
import pathlib
import shutil
import sys

from tercet.cli.command import Given, command
from tercet.options import Options, setting
from tercet.options.studies import DemoOptions

SHOWN = 5  # files that are named, the report first


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownDemo(Options):
    """What only a shell can ask of the demo."""

    serve: bool = setting(False, "Instead: open the demo as a campaign to annotate, until it is stopped (Ctrl-C).")
    port: int = setting(8000, "Port that --serve listens at; 0 for any that is free.", least=0, most=65535)


@command(DemoOptions, ShownDemo)
def demo_command(given: Given, shown: ShownDemo) -> None:
    """Do the main job on a small campaign that ships with Tercet, and name what it wrote."""
    if shown.serve:
        _serve(given["output"], shown.port)
        return
    from tercet.cli.output import progress_bar, show_table, tell, tell_command
    from tercet.report import scores_table
    from tercet.report.rankings import ranking_table
    from tercet.sample import demo

    with progress_bar() as progress:
        done = demo(**given, progress=progress)
    output = given["output"]
    for pair, scores in done.scores.items():
        tell(f"\n{pair}, by metrics")
        show_table(dataclasses.replace(scores_table(scores), notes=()))
        tell(f"\n{pair}, by people")
        show_table(dataclasses.replace(ranking_table(done.rankings[pair]), notes=()))
    tell("\n" + "\n".join(done.legend))
    for (level, group), table in done.study.tables.items():
        tell(f"\nWhich metric agrees with people? {level.capitalize()} level, {group}")
        show_table(dataclasses.replace(table, notes=table.notes[:-1]))
    tell(f"\nWrote {len(done.files)} files into {output}, among them")
    for path in done.files[:SHOWN]:
        tell(f"  {path}")
    tell(f"Open {done.files[0]} in a browser.")
    program = "tercet" if shutil.which("tercet") else sys.argv[0]  # in a virtual environment that is not activated
    tell("\nNow try")
    tell_command(f"{program} score --testset {output}/en-de.tsv -m chrf++ --level document")
    tell_command(f"{program} rank {output}/en-de.rankings.csv --method expected-wins --head-to-head")
    tell_command(f"{program} meta -t {output}/en-de.tsv -j {output}/en-de.rankings.csv -m chrf -m bleu --level segment")
    tell_command(f"{program} run {output}/study.toml -o {output}    # the same report, with figures for a paper")


def _serve(output: pathlib.Path, port: int) -> None:
    """The demo as a campaign: made where it is not there yet, and served."""
    from tercet.campaigns.create import create_campaign, links_path
    from tercet.campaigns.exports import import_answers
    from tercet.cli.output import tell
    from tercet.options.campaigns import ServeOptions
    from tercet.sample import campaign, judgements
    from tercet.server.serve import run_server

    output.mkdir(parents=True, exist_ok=True)
    path = output / "demo.db"
    if not path.exists():
        made = create_campaign(path, testset=campaign("en-de"), pair="en-de", protocol="ranking", annotators=3)
        import_answers(path, judgements("en-de"))  # so that there is something to watch
        tell(f"Made {path}; {made.organiser}'s password, shown this once: {made.password}")
    links = [line.split("\t") for line in links_path(path).read_text(encoding="utf-8").splitlines()]

    def ready(url: str) -> None:
        for name, link in links:
            tell(f"{name}: {url}{link}")
        tell(f"Dashboard: {url}/dashboard")

    run_server(ServeOptions(path, port=port), ready)
