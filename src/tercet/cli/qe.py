"""`tercet qe`: quality estimation, a command each. To add one, write its module and its line below."""

from __future__ import annotations

from tercet.cli.group import Verbs

_QE = """\
Which of these translations need a person?

  tercet qe labels hter -t mt.txt -p post-edited.txt -o hter.txt     true labels from post-edits or judgements
  tercet qe train -s src.txt -t mt.txt --labels hter.txt -o model    a model of your own texts
  tercet qe predict model -s new.src -t new.mt                       a score, an interval, and why
  tercet qe decide model --risk 0.05                                 what can be published, at which risk?
  tercet qe evaluate ours.tsv --gold hter.txt                        how good are predictions of quality?

tercet qe WHAT --help explains one.
"""


qe = Verbs(
    "qe",
    {
        "labels": "tercet.cli.qe_labels:labels_command",
        "train": "tercet.cli.qe_train:train_command",
        "predict": "tercet.cli.qe_train:predict_command",
        "decide": "tercet.cli.qe_train:decide_command",
        "evaluate": "tercet.cli.qe_evaluate:evaluate_command",
    },
    _QE,
    "Quality estimation: how good is a translation, without a reference?",
)
