"""`tercet train`: one command for each thing that is trained. To add one, write its module and its line below."""

from __future__ import annotations

from tercet.cli.group import Verbs

_TRAIN = """\
What is to be trained?

  tercet train beer -t newstest.tsv -j rankings.csv --model beer.json       the weights of BEER
  tercet train beer-1.1 -t newstest.tsv -j rankings.csv --model beer11.json the weights of BEER 1.1
  tercet train combine -m chrf -m ter -t newstest.tsv -j rankings.csv --model ours.json
                                                                            a combination of metrics
  tercet train neural -t newstest.tsv -j rankings.csv --model ours.json     the same, with an encoder among them
  tercet train esim -t newstest.tsv -j da.csv --model esim                  a network over an encoder, for `esim`
  tercet train uow-lstm -t newstest.tsv -j da.csv --model uow.json          a Tree-LSTM over parses, for `uow-lstm`
  tercet train ibm1 corpus.de corpus.en -o de-en.ibm1.gz                    word translations, for `ibm1`
  tercet train lm corpus.en -o english.arpa.gz                              a language model, for `lm`
  tercet train frequencies corpus.de -o german.freq.gz                      how often n-grams occur, for `qe train`
  tercet train function-words corpus.hi -o hindi.words                      words that METEOR counts for less
  tercet train paraphrases phrase-table.gz -o hindi.gz                      phrases that METEOR may match

tercet train WHAT --help explains one.
"""


train = Verbs(
    "train",
    {
        "beer": "tercet.cli.train_metrics:beer_command",
        "beer-1.1": "tercet.cli.train_metrics:beer11_command",
        "combine": "tercet.cli.train_metrics:combine_command",
        "neural": "tercet.cli.train_metrics:neural_command",
        "esim": "tercet.cli.train_metrics:esim_command",
        "uow-lstm": "tercet.cli.train_metrics:uow_lstm_command",
        "ibm1": "tercet.cli.train_ibm1:ibm1_command",
        "lm": "tercet.cli.train_ngrams:lm_command",
        "frequencies": "tercet.cli.train_ngrams:frequencies_command",
        "function-words": "tercet.cli.train_meteor:words_command",
        "paraphrases": "tercet.cli.train_meteor:paraphrases_command",
    },
    _TRAIN,
    "Train what a metric is given by option: weights, a combination, a table of words.",
)
