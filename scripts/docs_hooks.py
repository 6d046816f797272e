"""The pages that are made when the documentation is built, from the cards and signatures in the code.

    metrics/index.md         every metric in one table
    metrics/gallery.md       every metric by year, with what it needs and how long it takes
    metrics/NAME.md          the card of one metric, with a score really computed
    metrics/NAME-aliases.md  the aliases of one metric
    metrics/tokenizers.md    what every tokenizer does to a sentence in each of several scripts
    rankers/index.md         every ranker in one table
    rankers/NAME.md          the card of one ranker, with the demo campaign ranked by it
    measures/index.md        every measure in one table, and the golds that are comparisons
    measures/NAME.md         the card of one measure, with the demo's metrics measured by it
    images/NAME.svg          figures of the demo campaign
    reference/cli.md         every command and option, from the Typer app
    reference/python.md      every name of `tercet.__all__`

Nothing of this is committed: mkdocs calls `on_config` and `on_files`; the tests call `pages`. Each kind of page has its
module in docs_pages/, beside this file, where mkdocs looks for what a hook imports.
"""

from __future__ import annotations

import pathlib

from docs_pages import cards, commands, figures, gallery, measures, metrics, python, rankers, tokenizers
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTIONS = {"Metrics": metrics, "Rankers": rankers, "Measures": measures}  # of the navigation

__all__ = ["cards", "commands", "figures", "measures", "metrics", "on_config", "on_files", "pages", "rankers"]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages of metrics, rankers and measures to their sections; let pages include files of the repository."""
    config.mdx_configs.setdefault("pymdownx.snippets", {})["base_path"] = [str(ROOT)]
    for section in config.nav or []:
        for title, kind in SECTIONS.items():
            if isinstance(section, dict) and title in section:
                section[title] += [{each: path} for path, each in kind.titles().items()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages and figures."""
    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    for path, drawn in figures.figures().items():
        files.append(File.generated(config, path, content=drawn))
    return files


def pages() -> dict[str, str]:
    """Every generated page: its path under docs/ and its Markdown."""
    kinds = (metrics, gallery, tokenizers, rankers, measures, commands, python)
    return {path: text for kind in kinds for path, text in kind.pages().items()}
