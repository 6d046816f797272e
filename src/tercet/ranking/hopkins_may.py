"""Hopkins and May (2013): every output has a hidden quality, drawn around the mean of its system.

The inference is that of the public code for WMT14, a stochastic fixed point: hidden qualities are drawn and pushed
no further than a judgement demands, and a system's mean becomes the mean of its qualities.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from tercet import kernels
from tercet.data import Array, Pairs
from tercet.metric_base import Card
from tercet.options import MOST
from tercet.options.judging import Unit
from tercet.ranking.base import PAIR_FIRST, UNITS, Fitted, PairRanker, Sampling
from tercet.spec import option

_AT_ONCE = 20  # runs between two reports of progress


@dataclasses.dataclass(frozen=True)
class HopkinsMay(PairRanker):
    """Means of hidden qualities."""

    name = "hopkins-may"
    card = Card(
        title="Hopkins and May",
        definition=(
            "q_k ~ N(mu_k, sigma_a^2) + N(0, sigma_obs^2); 1 is better if q_1 - q_2 > radius, 2 if q_2 - q_1 > radius, "
            "otherwise a tie. Every iteration takes one task a segment, pushes drawn qualities into agreement with it, "
            "and sets mu_k to the mean of k's qualities over segments; the score is the mean of mu_k after burn-in."
        ),
        paper="Hopkins and May (2013), Models of translation competitions; Bojar et al. (2014), Findings of WMT14",
        scale="differences of mu; higher is better",
        reference="wmt-trueskill, infer_HM",
        differences=(
            "The reference code never applies its burn-in and reports the last iteration only; compat=true does "
            "the same.",
        ),
    )

    iterations: int = option(200, "Iterations of the fixed point.")
    burn_in: int = option(50, "Iterations that are not averaged.")
    radius: float = option(0.5, "Qualities that lie no further apart tie.")
    sigma_0: float = option(1.0, "Deviation of the means at the start.")
    sigma_a: float = option(0.5, "Deviation of an output's quality around its system's mean.")
    sigma_obs: float = option(1.0, "Deviation of what a judge sees.")
    compat: bool = option(False, "Report the last iteration, as the reference code does.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require(1 <= self.iterations < MOST, "iterations", "1 or more")
        self.require(0 <= self.burn_in < self.iterations, "burn_in", "0 or more, and less than iterations")
        for name in ("radius", "sigma_0", "sigma_a", "sigma_obs"):
            self.require(0 <= getattr(self, name) <= 1e6, name, "0 or more, and at most 1e6")

    @property
    def units(self) -> tuple[Unit, ...]:
        """The reference code draws pairs."""
        return PAIR_FIRST if self.compat else UNITS

    def point(self, pairs: Pairs, seed: int, threads: int = 1) -> Array:
        """One run over all judgements."""
        scores: Array = self._runs(pairs, "none", 1, 0, seed, threads)[0]
        return scores

    def fit(self, data: Pairs, sampling: Sampling) -> Fitted:
        """One run over all judgements, and one over each resample."""
        sampled = [
            self._runs(data, sampling.unit, number, first, sampling.seed, sampling.threads)
            for first, number in sampling.chunks(_AT_ONCE)
        ]
        return Fitted(self.point(data, sampling.seed), np.concatenate(sampled))

    def _runs(self, pairs: Pairs, resample: str, runs: int, first: int, seed: int, threads: int) -> Array:
        return kernels.hopkins_may(
            pairs.left,
            pairs.right,
            pairs.outcome,
            pairs.task,
            pairs.segment,
            len(pairs.systems),
            self.iterations,
            self.burn_in,
            self.radius,
            self.sigma_0,
            self.sigma_a,
            self.sigma_obs,
            self.compat,
            resample,
            runs,
            first,
            seed,
            threads,
        )
