"""Systems against each other: who is better, by how much, where, and is it luck?

compare     the verb: a test set in, a `Comparison` out
scores      scores, intervals, tests of every two systems, clusters; the numbers of `tercet score`
words       the words of all texts as numbers, which the rest counts
buckets     scores by length, document, facet, frequency and difficulty
checks      faults that need no metric to be seen; `surface` and `language` find them in the text
ngrams      n-grams won and lost, words said too often or too rarely
findings    all of this as sentences, the surest first; `answers` say who is better
marks       what the metrics counted in every segment, for pages; `fault_words` what the faults are made of
tracking    a run beside an earlier one, read from its JSON
"""
