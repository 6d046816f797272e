"""`tercet train beer`, `tercet train combine` and their like: how what was trained is shown."""

from __future__ import annotations

import dataclasses

from tercet.cli.command import Given, command
from tercet.cli.sacrebleu import several
from tercet.cli.shared import Delivery, Digits
from tercet.options.learning import Kind, TrainOptions

_EXAMPLES = {
    "beer": """\
For example:

  tercet train beer -t newstest.tsv -j rankings.csv --model beer.json
  tercet score out.txt -r ref.txt -m "beer(model=beer.json)"

tercet train beer --help explains every option.
""",
    "beer-1.1": """\
For example:

  tercet train beer-1.1 -t newstest.tsv -j rankings.csv --model beer11.json
  tercet score out.txt -r ref.txt -m "beer-1.1(model=beer11.json)"

tercet train beer-1.1 --help explains every option.
""",
    "combine": """\
For example:

  tercet train combine -m chrf++ -m ter -m meteor -t newstest.tsv -j rankings.csv --model ours.json
  tercet train combine -m bleu -m chrf -t texts.tsv -j da.csv --learner ridge --objective pearson --model ours.json
  tercet score out.txt -r ref.txt -m "combine(model=ours.json)"

tercet train combine --help explains every option.
""",
    "esim": """\
For example:

  tercet train esim -t newstest.tsv -j da.csv --model esim
  tercet train esim -t newstest.tsv -j da.csv --encoder FOLDER --model esim
  tercet score out.txt -r ref.txt -m "esim(model=esim)"

tercet train esim --help explains every option.
""",
    "neural": """\
For example:

  tercet train neural -t newstest.tsv -j rankings.csv --model english.json
  tercet train neural -m 'bertr(model=FOLDER)' -m chrf -t newstest.tsv -j rankings.csv --model ours.json
  tercet score out.txt -r ref.txt -m "neural(model=ours.json)"

tercet train neural --help explains every option.
""",
    "uow-lstm": """\
For example:

  tercet train uow-lstm -t newstest.tsv -j da.csv --parses trees.conllu --vectors english.vec --model uow.json
  tercet score out.txt -r ref.txt -m "uow-lstm(model=uow.json, parses=trees.conllu, vectors=english.vec)"

tercet train uow-lstm --help explains every option.
""",
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShownTraining(Delivery, Digits):
    """How what was trained is shown."""


def _trained(kind: Kind, given: Given, shown: ShownTraining) -> None:
    from tercet.cli.output import deliver, progress_bar
    from tercet.cli.shared import require_folder
    from tercet.learning.training import train
    from tercet.report.training import training_table

    require_folder(given.get("model"))
    with progress_bar() as progress:
        answer = train(kind, **given, progress=progress)
    table = training_table(answer, shown.digits)
    deliver(answer.as_records(), answer.signature, [table], shown, answer.notes)


@command(TrainOptions, ShownTraining, example=_EXAMPLES["beer"], spellings=several)
def beer_command(given: Given, shown: ShownTraining) -> None:
    """Learn the weights of BEER from judgements: a model file, checked on held-out segments."""
    _trained("beer", given, shown)


@command(TrainOptions, ShownTraining, example=_EXAMPLES["beer-1.1"], spellings=several)
def beer11_command(given: Given, shown: ShownTraining) -> None:
    """Learn the weights of BEER 1.1 from judgements: a model file, checked on held-out segments."""
    _trained("beer-1.1", given, shown)


@command(TrainOptions, ShownTraining, example=_EXAMPLES["combine"], spellings=several)
def combine_command(given: Given, shown: ShownTraining) -> None:
    """Learn a linear combination of metrics from judgements: a model file, checked on held-out segments."""
    _trained("combine", given, shown)


@command(TrainOptions, ShownTraining, example=_EXAMPLES["esim"], spellings=several)
def esim_command(given: Given, shown: ShownTraining) -> None:
    """Learn ESIM over a frozen encoder from people's scores of outputs: a folder, checked on held-out segments."""
    _trained("esim", given, shown)


@command(TrainOptions, ShownTraining, example=_EXAMPLES["neural"], spellings=several)
def neural_command(given: Given, shown: ShownTraining) -> None:
    """Learn a combination of metrics that read and metrics that count from judgements, checked on held-out segments."""
    _trained("neural", given, shown)


@command(TrainOptions, ShownTraining, example=_EXAMPLES["uow-lstm"], spellings=several)
def uow_lstm_command(given: Given, shown: ShownTraining) -> None:
    """Learn the Tree-LSTM of UoW-LSTM from people's scores of outputs: a model file, checked on held-out segments."""
    _trained("uow-lstm", given, shown)
