"""Learners of quality: scikit-learn trains them, and what they have learnt is numbers, from which we predict.

fitted      what was learnt, as numbers and arrays, and predictions from it
training    grids of settings, and scikit-learn's models turned into numbers
selection   which learner, settings and features, by cross-validation grouped by source sentence
"""
