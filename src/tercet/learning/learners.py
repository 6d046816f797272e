"""Weights from examples, by scikit-learn.

    svm        the better of two outputs is told from the worse: a linear support vector machine on the difference of
               their features, with squared hinge loss (Joachims 2002; BEER)
    logistic   the same by logistic regression
    ridge      people's scores themselves, by least squares

What is learnt of a comparison the other way round is the same with the other sign, and there is no bias; so each
comparison is taken once, every other one turned round, at twice the strength.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from tercet.data import Array
from tercet.errors import InputError, extra
from tercet.learning.examples import Examples
from tercet.options.learning import Learner

STRENGTHS = tuple(2.0**power for power in range(-15, 6, 4))
_TOLERANCE = 1e-6
_ROUNDS = 20_000


class Weights(NamedTuple):
    """One weight a feature, after scaling, and what is added to their sum."""

    values: Array
    intercept: float


def _library() -> Any:
    for module in ("sklearn.linear_model", "sklearn.svm"):
        extra(module, "scikit-learn", "learn", "Training")
    return sys.modules["sklearn"]


def learn(learner: Learner, examples: Examples, shifts: Array, scales: Array, strength: float, seed: int) -> Weights:
    """The weights of features, scaled as said; `strength` is C, how much mistakes count against large weights."""
    library = _library()
    if learner == "ridge":
        if examples.scores is None:
            raise InputError("ridge learns scores, and there are none.", hint="Take svm or logistic.")
        model = library.linear_model.Ridge(alpha=1 / strength).fit((examples.rows - shifts) / scales, examples.scores)
        return Weights(model.coef_, float(model.intercept_))
    sides = np.where(np.arange(len(examples.better)) % 2, -1.0, 1.0)
    if len(sides) < 2:
        raise InputError("One comparison is not enough to learn from.", hint="Bring more judgements.")
    gaps = (examples.rows[examples.better] - examples.rows[examples.worse]) / scales * sides[:, None]
    if learner == "svm":
        model = library.svm.LinearSVC(
            C=2 * strength, fit_intercept=False, dual=False, tol=_TOLERANCE, max_iter=_ROUNDS, random_state=seed
        )
    else:
        model = library.linear_model.LogisticRegression(
            C=2 * strength, fit_intercept=False, tol=_TOLERANCE, max_iter=_ROUNDS
        )
    model.fit(gaps, sides, sample_weight=examples.times)
    return Weights(model.coef_[0], 0.0)
