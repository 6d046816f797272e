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
    reference/cli.md         every command and option, from the options of the verbs
    reference/python.md      every name of `tercet.__all__`

Nothing of this is committed: mkdocs calls `on_config` and `on_files`; the tests ask for `every.page`. Each kind of page
has its module in docs_pages/, beside this file, where mkdocs looks for what a hook imports.
"""

from __future__ import annotations

import pathlib
import re
from typing import Any

from docs_pages import cards, commands, every, figures, measures, metrics, rankers
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from tercet.version import VERSION

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTIONS = {"Metrics": metrics, "Rankers": rankers, "Measures": measures}  # of the navigation

__all__ = [
    "cards",
    "commands",
    "every",
    "figures",
    "measures",
    "metrics",
    "on_config",
    "on_files",
    "on_page_markdown",
    "on_post_page",
    "rankers",
]


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
    for path in every.makers():
        files.append(File.generated(config, path, content=every.page(path)))
    for path, drawn in figures.figures().items():
        files.append(File.generated(config, path, content=drawn))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Signatures of the release that is documented, whichever one the page was written with."""
    return re.sub(r"\b(tercet[:.])\d[\w.+]*", rf"\g<1>{VERSION.partition('.dev')[0]}", markdown)


# A part of the menu, which is called after a label that is empty where the part has a page of its own.
_PART = re.compile(
    r'aria-labelledby="(__nav_[0-9_]+)_label"([^>]*>\s*<label class="md-nav__title" for="\1">\s*<span[^>]*></span>\s*)'
    r"([^<]+?)(?=\s*</label>)"
)


def on_post_page(output: str, **_: Any) -> str:
    """Give every landmark a name of its own: parts of the menu, and tables of contents, there and beside the page."""
    label = 'aria-label="Table of contents"'
    first, mark, rest = _PART.sub(r'aria-label="\3"\2\3', output).partition(label)
    return first + mark + rest.replace(label, 'aria-label="On this page"')
