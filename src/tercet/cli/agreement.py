"""`tercet agreement`: how agreement, and the judges one by one, are shown."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

from tercet.cli.command import Given, apart, command
from tercet.cli.shared import Tables
from tercet.errors import InputError
from tercet.options import setting
from tercet.options.judging import AgreementOptions, Judged

if TYPE_CHECKING:
    from tercet.data import Agreement, Annotators, Judgements

_EXAMPLE = """\
For example:

  tercet agreement rankings.csv
  tercet agreement rankings.csv.gz --pair cs-en --compat
  tercet agreement da.csv --annotators -f csv -o judges.csv --figure judges.svg
  tercet agreement rankings.csv --annotator judge3
  tercet agreement rankings.csv --amounts

tercet agreement --help explains every option.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownAgreement(Tables):
    amounts: bool = setting(False, "Show how much was judged of each language pair instead.")
    annotators: bool = setting(False, "Show the judges one by one instead.")
    annotator: str | None = setting(None, "Show the page of this judge instead.")

    @property
    def places(self) -> int:
        """Digits after the point."""
        return 3 if self.digits is None else self.digits


@command(AgreementOptions, ShownAgreement, example=_EXAMPLE)
def agreement_command(given: Given, shown: ShownAgreement) -> None:
    """Say how far judges agree with each other and with themselves, and what each of them is like."""
    from tercet import inputs
    from tercet.cli.output import deliver, draw_answer
    from tercet.human.agreement import agreement
    from tercet.human.annotators import annotators
    from tercet.report.agreement import agreement_table, judges_table

    if shown.amounts:
        _amounts(given, shown)
        return
    asked = AgreementOptions(**given)
    one_by_one = shown.annotators or shown.annotator is not None
    if one_by_one and (asked.compat or asked.expand or asked.ci or asked.asked_for("on_skip") or not asked.references):
        raise InputError(
            "--compat, --expand, --ci, --on-skip and --no-references do not go with --annotators and --annotator: "
            "judges are compared in the strict way.",
            hint="Leave them out.",
        )
    data = inputs.judged(asked)
    answer: Agreement | Annotators
    if one_by_one:
        answer = judges = annotators(data, weights=asked.weights)
        table = judges_table(judges, shown.places)
    else:
        answer = agreed = agreement(data, **apart(given, Judged)[1])
        table = agreement_table(agreed, shown.places)
    draw = functools.partial(draw_answer, answer)
    if shown.annotator is not None:
        _page(data, shown.annotator, asked, shown)
    else:
        deliver(answer.as_records(), answer.signature, [table], shown, answer.notes, draw=draw)
    if shown.figure is not None:
        draw(shown.figure)


def _amounts(given: Given, shown: ShownAgreement) -> None:
    """How much was judged of each language pair."""
    from tercet.cli.output import deliver
    from tercet.human.amounts import amounts
    from tercet.report.rankings import amounts_table

    reading, _ = apart(given, Judged)
    others = AgreementOptions(**given) != AgreementOptions(**reading)
    if others or shown.annotators or shown.annotator is not None or shown.figure is not None or shown.picture:
        raise InputError(
            "--amounts counts judgements as they are; nothing goes with it but --pair and how the file is read.",
            hint="Leave out the other options.",
        )
    answer = amounts(**reading)
    table = amounts_table(answer, shown.digits)
    deliver(answer.as_records(), answer.signature, [table], shown, answer.notes)


def _page(data: Judgements, judge: str, asked: AgreementOptions, shown: ShownAgreement) -> None:
    """The page of one judge."""
    from tercet.cli.output import deliver, emit_paragraphs
    from tercet.human.annotators import annotator_page, page_signature
    from tercet.report.rankings import records_table

    page = [fact._asdict() for fact in annotator_page(data, judge, weights=asked.weights)]
    table = records_table(page, data.notes, shown.places)
    if shown.form == "table":
        rows = tuple(row for row in table.rows if row[1])
        emit_paragraphs(dataclasses.replace(table, rows=rows), shown.path)
    else:
        deliver(page, page_signature(data, judge, asked.weights), [table], shown, data.notes)
