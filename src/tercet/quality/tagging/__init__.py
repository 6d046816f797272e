"""Tags of words: which words of a translation are wrong?

features   what is seen of a word: its alignment, the language model, the lexicon, its context
gaps       what is seen of the gaps between words: is something missing?
chain      a linear chain of tags (CRF): weights as arrays, and the best row of tags by Viterbi
forest     a random forest of single words, with a threshold tuned for F1
model      `train_words`, and the folder that a model of words is
"""
