"""Options of `run`, `demo`, `list` and `show`."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import TYPE_CHECKING, Literal, TypeAlias

from tercet.options import Options, about, setting
from tercet.options.groups import Engined, Heard, Workers, require_folder_name

Listed: TypeAlias = Literal[
    "metrics",
    "rankers",
    "measures",
    "golds",
    "features",
    "tokenizers",
    "parsers",
    "tables",
    "formats",
    "judgements",
    "scores",
]

if TYPE_CHECKING:
    from tercet.study import Study

    StudyGiven: TypeAlias = str | pathlib.Path | Study
else:  # what a shell gives
    StudyGiven = pathlib.Path


@dataclasses.dataclass(frozen=True)
class RunOptions(Workers, Engined):
    """What `run` takes."""

    study: StudyGiven = dataclasses.field(metadata=about("The study file.", argument="STUDY.toml"))
    output: pathlib.Path = setting(pathlib.Path("study"), "Folder to write to.", "-o", "--output")
    _: dataclasses.KW_ONLY
    cache: pathlib.Path | None = setting(None, "Folder of what is kept between runs; OUTPUT/cache if none.")
    allow_commands: bool = setting(
        False,
        "Let metrics of the study run programs that it names; only for a study whose author you trust.",
        "--allow-commands",
    )
    figures: bool = setting(True, "Draw figures (SVG and PDF).", "--figures/--no-figures")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_folder_name(self.output, "a study")


@dataclasses.dataclass(frozen=True)
class DemoOptions(Heard):
    """What `demo` takes."""

    output: pathlib.Path = setting(pathlib.Path("tercet-demo"), "Folder to write to.", "-o", "--output")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_folder_name(self.output, "the demo")


@dataclasses.dataclass(frozen=True)
class ListOptions(Options):
    """What `list` takes."""

    kind: Listed | None = setting(None, "Only these: metrics, for instance; everything otherwise.", argument="KIND")


@dataclasses.dataclass(frozen=True)
class ShowOptions(Options):
    """What `show` takes."""

    spec: str = dataclasses.field(
        metadata=about("A metric, a ranker or a tokenizer.", argument="SPEC", names="tercet.catalogue:names")
    )
