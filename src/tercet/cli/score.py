"""`tercet score`: how scores are shown."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import sys
from typing import TYPE_CHECKING, Any

from tercet.cli.command import Given, command
from tercet.cli.sacrebleu import translated
from tercet.cli.shared import Digits, Drawn, require_folder
from tercet.errors import InputError
from tercet.options import setting
from tercet.options.groups import BY_SUFFIX, PICTURES, name_systems, suffix_of
from tercet.options.scoring import ScoreOptions, Sharded

if TYPE_CHECKING:
    from tercet.data import Scores

_EXAMPLE = """\
For example:

  tercet score hyp.txt -r ref.txt
  tercet score base.txt new.txt -r ref.a.txt -r ref.b.txt -m bleu -m chrf++ --ci --paired bootstrap
  tercet score --testset campaign.tsv.gz -m "bleu(tokenize=intl)" -f json
  tercet score a.txt b.txt -r ref.txt --table "medical(language=cs)" -f latex
  cat hyp.txt | tercet score -r ref.txt -m bleu -b
  tercet score huge.txt -r ref.txt --shard 3/64 -o 3.part

tercet score --help explains every option.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ScoreTables(Drawn, Digits):
    """How scores are shown."""

    table: str | None = setting(None, "Metrics and layout of a table that a task published, with intervals: medical.")
    bare: bool = setting(False, "The numbers alone, a line a system.", "-b", "--score-only")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bare and suffix_of(self.path) not in ("", ".txt"):
            raise InputError(f"{self.output} is no file for bare numbers.", hint="Name it .txt, or leave out -b.")

    @property
    def layout(self) -> Any:
        """A table that a task published, if one is asked for."""
        if self.table is None:
            return None
        from tercet.medical import TABLES

        return TABLES.make(self.table)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownScores(Sharded, ScoreTables):
    """How scores are shown, or where a shard of them goes, which is not shown."""

    def __post_init__(self) -> None:
        if self.shard is None:
            super().__post_init__()
            return
        Sharded.checked(self.shard)
        require_folder(self.path)
        if self.path is None:
            raise InputError("A shard is written to a file.", hint=f"Name it: --shard {self.shard} -o PART.")
        if (suffix := suffix_of(self.path)) and suffix in (*BY_SUFFIX, *PICTURES):
            raise InputError(f"{self.path}: a shard is no {suffix} file.", hint="Name it, say, 3.part.")
        unused = [f for f, given in (("-f", self.style), ("-b", self.bare), ("--digits", self.digits)) if given]
        if unused:
            raise InputError(
                f"A shard shows nothing that {' and '.join(unused)} could be for.", hint="Give it to merge."
            )


@command(
    ScoreOptions, ShownScores, example=_EXAMPLE, spellings=translated, needs=("hypotheses", "testset", "references")
)
def score_command(given: Given, shown: ShownScores) -> None:
    """Score translations with automatic metrics, with intervals and paired tests."""
    from tercet.cli.output import progress_bar

    layout = shown.layout
    if layout is not None:
        if "metrics" in given:
            raise InputError(f"The table {layout} has metrics of its own.", hint="Leave out -m, or leave out --table.")
        given |= {"metrics": layout.metrics(), "ci": True}
    if "hypotheses" not in given and "testset" not in given:
        given |= {"hypotheses": _piped()}
    with progress_bar() as progress:
        if shown.shard is not None and shown.path is not None:
            from tercet.sharding import score_shard

            score_shard(**given, progress=progress, shard=shown.shard, part=shown.path)
            return
        from tercet.scoring import score

        scores = score(**given, progress=progress)
    show_scores(scores, shown)


def show_scores(scores: Scores, shown: ScoreTables) -> None:
    """Scores as they are asked for."""
    from tercet.cli.output import deliver, draw_answer, emit
    from tercet.report import bare_scores, scores_table

    if shown.bare:
        emit(bare_scores(scores, shown.digits), shown.path)
        return
    layout = shown.layout
    table = scores_table(scores, shown.digits) if layout is None else layout.table(scores)
    deliver(scores.as_records(), scores.signature, [table], shown, draw=functools.partial(draw_answer, scores))


def _piped() -> dict[str, pathlib.Path]:
    """The system whose translations come by a pipe."""
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("There are references and no translations.", hint="Name a file: tercet score HYP -r REF.")
    return name_systems(["-"])
