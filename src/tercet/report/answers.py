"""Answers as tables, whichever they are: what Python and a notebook show of them."""

from __future__ import annotations

import base64
import functools

from tercet.data import (
    Agreement,
    Amounts,
    Annotators,
    Comparison,
    Explanation,
    Explanations,
    MetaEvaluation,
    QualityEvaluation,
    QualityLabels,
    Ranking,
    RankingsByMethod,
    Retrieval,
    Scores,
)
from tercet.data.answer import Answer
from tercet.data.catalogue import Catalogue
from tercet.data.formulas import formula_rows
from tercet.data.head_to_head import HeadToHead
from tercet.data.planning import Choice, Plan
from tercet.data.quality_answers import QualityDecision, QualityPredictions, TrainedQuality
from tercet.data.table import Table
from tercet.data.tuning import TrainedMetric, Tuning
from tercet.report.agreement import agreement_table, judges_table
from tercet.report.comparison import terminal
from tercet.report.explanations import explanation_lines, plain_text
from tercet.report.html.markup import Html, element
from tercet.report.html.pictures import picture
from tercet.report.meta import meta_table
from tercet.report.quality import quality_tables
from tercet.report.quality_training import decisions_table, predictions_table, training_tables
from tercet.report.rankings import (
    amounts_table,
    head_to_head_table,
    ranking_table,
    records_table,
    side_by_side_table,
)
from tercet.report.retrieval import retrieval_tables
from tercet.report.scores import scores_table
from tercet.report.tables import paragraphs, render
from tercet.report.training import training_table
from tercet.report.tuning import tuning_table

MOST = 60  # rows that are shown of a long table
COLUMNS = 80  # of sentences


@functools.singledispatch
def blocks(answer: Answer) -> list[str | Table]:
    """Sentences and tables of an answer, in the order in which one reads them."""
    return [records_table(answer.as_records())]


blocks.register(Scores, lambda answer: [scores_table(answer)])
blocks.register(Ranking, lambda answer: [ranking_table(answer)])
blocks.register(RankingsByMethod, lambda answer: [side_by_side_table(answer)])
blocks.register(Amounts, lambda answer: [amounts_table(answer)])
blocks.register(MetaEvaluation, lambda answer: [meta_table(answer)])
blocks.register(Retrieval, lambda answer: [*retrieval_tables(answer)])
blocks.register(Tuning, lambda answer: [tuning_table(answer)])
blocks.register(TrainedMetric, lambda answer: [training_table(answer)])
blocks.register(Comparison, terminal)
blocks.register(Explanations, lambda answer: [plain_text(explanation_lines(answer))])
blocks.register(Agreement, lambda answer: [agreement_table(answer)])
blocks.register(Annotators, lambda answer: [judges_table(answer)])
blocks.register(HeadToHead, lambda answer: [head_to_head_table(answer)])
blocks.register(QualityEvaluation, lambda answer: [*quality_tables(answer)])
blocks.register(QualityPredictions, lambda answer: [predictions_table(answer)])
blocks.register(QualityDecision, lambda answer: [decisions_table(answer)])
blocks.register(TrainedQuality, lambda answer: [*training_tables(answer)])


@blocks.register(Choice)
@blocks.register(QualityLabels)
def _noted(answer: Choice | QualityLabels) -> list[str | Table]:
    return [records_table(answer.as_records(), (*answer.notes, answer.signature))]


@blocks.register(Plan)
def _of_plan(answer: Plan) -> list[str | Table]:
    return [answer.answer, records_table(answer.as_records(), (*answer.notes, answer.signature), digits=2)]


@functools.singledispatch
def as_text(answer: Answer) -> str:
    """What Python prints of an answer."""
    parts = [block if isinstance(block, str) else render(_shortened(block), "table") for block in blocks(answer)]
    return "\n".join(part.rstrip("\n") for part in parts)


@as_text.register(Catalogue)
def _catalogued(answer: Catalogue) -> str:
    """As the terminal shows it: sentences, wrapped."""
    return paragraphs(_shortened(records_table(answer.as_records())), COLUMNS).rstrip("\n")


@functools.singledispatch
def as_html(answer: Answer) -> Html:
    """What a notebook shows of an answer."""
    return Html().join(_paragraph(b) if isinstance(b, str) else _table(_shortened(b)) for b in blocks(answer))


@as_html.register(Explanations)
def _explained(answer: Explanations) -> Html:
    """The picture, as an image so that its style stays inside, and the formula of each hypothesis."""
    packed = base64.b64encode(picture(answer).encode()).decode("ascii")
    shown = element("img", src=f"data:image/svg+xml;base64,{packed}", alt=plain_text(explanation_lines(answer)))
    tables = [_formula(explanation) for explanation in answer if explanation.formula is not None]
    return element("p", shown) + Html().join(tables)


def _formula(explanation: Explanation) -> Html:
    rows = () if explanation.formula is None else formula_rows(explanation.formula, explanation.digits)
    cells = tuple((row.name, row.value, row.how) for row in rows)
    return _table(Table((explanation.system or explanation.metric, "", ""), cells, explanation.notes))


def _shortened(table: Table) -> Table:
    """The first rows of a long table, and how many there are."""
    rest = len(table.rows) - MOST
    if rest <= 0:
        return table
    notes = (f"... and {rest} more rows: `.frame()` or `.as_records()` has all.", *table.notes)
    return Table(table.header, table.rows[:MOST], notes, table.best, table.rules, table.subheader)


def _paragraph(text: str) -> Html:
    return element("p", text) if text.strip() else Html()


def _table(table: Table) -> Html:
    heads = [element("tr", *(element("th", title) for title in line)) for line in table.headers]
    rows = [
        element(
            "tr", *(element("td", element("b", cell) if (r, c) in table.best else cell) for c, cell in enumerate(row))
        )
        for r, row in enumerate(table.rows)
    ]
    notes = [element("small", element("p", note)) for note in table.notes if note]
    return element("table", element("thead", *heads), element("tbody", *rows)) + Html().join(notes)
