"""Write the README's picture of a terminal: docs/images/score.svg.

    python scripts/make_picture.py

It runs what the picture shows, on the campaign that ships with Tercet. Fonts are the reader's own: the picture
asks no other host for any.
"""

import io
import pathlib
import re

from rich.console import Console
from rich.terminal_theme import MONOKAI

import tercet
from tercet.cli.output import print_table
from tercet.report import Table, scores_table
from tercet.sample import campaign

COMMAND = "tercet score --testset de-en.tsv -m bleu -m chrf++ -m ter --ci --paired bootstrap"
TARGET = pathlib.Path(__file__).resolve().parents[1] / "docs" / "images" / "score.svg"


def main() -> None:
    """Run the command, draw what it prints."""
    scores = tercet.score(testset=campaign("de-en"), metrics=["bleu", "chrf++", "ter"], ci=True, paired="bootstrap")
    table = scores_table(scores)
    console = Console(record=True, width=116, file=io.StringIO(), highlight=False, force_terminal=True)
    console.print(f"$ {COMMAND}", style="bold", markup=False)
    print_table(Table(table.header, table.rows, table.notes[:2], table.best), console)
    svg = console.export_svg(title="tercet score", theme=MONOKAI, unique_id="tercet")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("<!-- Generated with Rich https://www.textualize.io -->", "")
    svg = svg.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(re.sub(r"[ \t]+\n", "\n", svg), encoding="utf-8")


if __name__ == "__main__":
    main()
