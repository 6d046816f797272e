"""Bradley-Terry: each system has a strength, and a difference of strengths is the log-odds of a win."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from tercet.data import Array
from tercet.errors import InputError
from tercet.metric_base import Card
from tercet.ranking.base import CountRanker
from tercet.spec import option

_STEPS = 100
_CLOSE = 1e-10
_FAR = 20.0  # a strength that runs away: odds of 5e8


@dataclasses.dataclass(frozen=True)
class BradleyTerry(CountRanker):
    """Maximum-likelihood strengths, by Newton's method over all resamples at once."""

    name = "bradley-terry"
    card = Card(
        title="Bradley-Terry",
        definition=(
            "P(i beats j) = 1 / (1 + exp(s_j - s_i)); s by maximum likelihood, mean 0. Every system also wins "
            "and loses `prior` times against an imagined system of strength 0, so that strengths stay finite."
        ),
        paper="Bradley and Terry (1952), Rank analysis of incomplete block designs; Hunter (2004), MM algorithms",
        scale="log-odds, 0 on average; higher is better",
        reference="none needed: the maximum of a stated likelihood, checked against scikit-learn and scipy",
    )

    ties: Literal["half", "drop"] = option("half", "A tie is half a win for both, or nothing.")
    prior: float = option(0.1, "Imagined wins and losses of every system against one of strength 0.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(self.prior >= 0, "prior", "0 or more")

    def score(self, wins: Array, ties: Array) -> Array:
        """Strengths of each system."""
        won = wins + ties / 2 if self.ties == "half" else wins
        games = won + np.swapaxes(won, -1, -2)
        total = won.sum(axis=-1)
        n = won.shape[-1]
        s: Array = np.zeros(total.shape)
        diagonal = np.arange(n)
        for _ in range(_STEPS):
            p = _logistic(s[..., :, None] - s[..., None, :])
            alone = _logistic(s)
            gradient = total - (games * p).sum(axis=-1) + self.prior * (1 - 2 * alone)
            curve = games * p * (1 - p)
            hessian = -curve
            curvature = curve.sum(axis=-1) + 2 * self.prior * alone * (1 - alone)
            hessian[..., diagonal, diagonal] = curvature
            if self.prior == 0:  # only differences are defined: hold the mean
                hessian = hessian + 1.0 / n
            try:
                step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
            except np.linalg.LinAlgError:
                raise self._undefined() from None
            # a full Newton step from far away may overshoot
            step = np.clip(step, -1.0, 1.0)
            # a small prior leaves the mean nearly open: it is held at 0, and only differences count
            step = step - step.mean(axis=-1, keepdims=True)
            s = s + step
            if np.abs(step).max(initial=0.0) < _CLOSE:
                return s
            if self.prior == 0 and np.abs(s).max() > _FAR:
                break
        raise self._undefined()

    def _undefined(self) -> InputError:
        return InputError(
            "Bradley-Terry strengths are not finite: some system won or lost all, or systems were never compared.",
            hint="Give it a prior, for example bradley-terry(prior=0.1).",
        )


def _logistic(x: Array) -> Array:
    return 0.5 * (1.0 + np.tanh(0.5 * x))
