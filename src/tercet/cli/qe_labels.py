"""`tercet qe labels`: where true labels go, and as what."""

from __future__ import annotations

import dataclasses
from typing import Literal, TypeAlias, cast, get_args

from tercet.cli.command import Given, command
from tercet.cli.shared import Written
from tercet.errors import InputError
from tercet.options import setting
from tercet.options.groups import BY_SUFFIX, PICTURES, suffix_of
from tercet.options.quality import LabelsOptions

_EXAMPLE = """\
For example:

  tercet qe labels hter -t mt.txt -p post-edited.txt -o hter.txt
  tercet qe labels gap-tags -t mt.txt -p post-edited.txt --no-shifts -o train.tags
  tercet qe labels mqm -j mqm.tsv --system ours
  tercet qe labels hter -j post-editing.db --system ours

tercet qe labels --help explains every option.
"""


LabelForm: TypeAlias = Literal["lines", "json", "jsonl", "csv", "tsv"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownLabels(Written):
    """How labels are written."""

    style: LabelForm | None = setting(
        None,
        "Output format; lines: a label a segment, as other commands read them. Default: what the name of the output "
        "says, or lines.",
        "-f",
        "--format",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        suffix = suffix_of(self.path)
        if suffix in PICTURES or (self.form not in get_args(LabelForm)):
            raise InputError(
                f"{self.output}: labels are no {suffix} file.",
                hint="Name it .json, .jsonl, .csv or .tsv, or anything else for a label a line.",
            )

    @property
    def form(self) -> LabelForm:
        """The format that is asked for, or that the name of the output says."""
        said = BY_SUFFIX.get(suffix_of(self.path), "table")
        return self.style or cast(LabelForm, "lines" if said == "table" else said)  # what is none of them was refused


@command(LabelsOptions, ShownLabels, example=_EXAMPLE)
def labels_command(given: Given, shown: ShownLabels) -> None:
    """Make true labels of quality from post-edits, times or judgements."""
    from tercet.cli.output import emit, warn
    from tercet.quality.labels import qe_labels
    from tercet.report import render_records

    answer = qe_labels(**given)
    form = shown.form
    if form == "json" or form == "jsonl" or form == "csv" or form == "tsv":
        emit(render_records(answer.as_records(), answer.signature, form), shown.path)
    else:
        emit("".join(f"{line}\n" for line in answer.lines()), shown.path)
    for note in answer.notes:
        warn(note)
