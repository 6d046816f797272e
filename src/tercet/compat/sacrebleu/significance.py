"""sacreBLEU's paired tests, with its p-values; see the guide on significance for what is wrong with them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from tercet.compat.sacrebleu.metrics import Scorer, Signature, Streams, seed_of_environment
from tercet.data import Array, total
from tercet.options.groups import worker_threads
from tercet.stats.resampling import bootstrap, interval, paired_bootstrap, paired_randomization


@dataclasses.dataclass
class Result:
    """The score of a system, its p-value against the baseline, mean and half width of its resamples."""

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in dataclasses.asdict(self).items())


class PairedTest:
    """Every system against the first, by approximate randomisation (`ar`) or the paired bootstrap (`bs`)."""

    SAMPLES: ClassVar[dict[str, int]] = {"ar": 10_000, "bs": 1000}

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Scorer[Any]],
        references: Streams | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self.SAMPLES:
            raise ValueError(f"test_type must be one of {', '.join(self.SAMPLES)}, not {test_type!r}.")
        self.named_systems, self.references, self.test_type = named_systems, references, test_type
        self.n_samples = n_samples if n_samples > 0 else self.SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence or self.SAMPLES["bs"]
        self.n_jobs = n_jobs or worker_threads()
        self.metrics = dict(metrics)

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Signatures by metric, and columns: the names of the systems, and a `Result` of each with each metric."""
        signatures: dict[str, Signature] = {}
        columns: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        for metric in self.metrics.values():
            rows = np.stack([metric.statistics(texts, self.references) for _, texts in self.named_systems])
            name = metric.from_statistics(total(rows[0])).name
            columns[name] = self._results(metric, rows)
            signatures[name] = self._signature(metric)
        return signatures, columns

    def _results(self, metric: Scorer[Any], rows: Array) -> list[Result]:
        """A result a system; `rows` are (systems, segments, k)."""
        seed, _ = seed_of_environment()
        score, drawn = metric.metric.score, np.random.default_rng(seed)
        values = score(total(rows)).tolist()
        results = [Result(value) for value in values]
        if self.test_type == "ar":
            p_values = paired_randomization(
                rows[0], rows[1:], score, self.n_samples, drawn, threads=self.n_jobs, compat=True
            )
            for result, p in zip(results[1:], p_values.tolist(), strict=True):
                result.p_value = p
        samples = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
        if samples < 1:
            return results

        def resampled(of: Array, generator: np.random.Generator) -> Array:
            return bootstrap(of, score, samples, generator, threads=self.n_jobs, compat=True)

        base = resampled(rows[:1], np.random.default_rng(seed))
        for result, scores in zip(results, [*base, *resampled(rows[1:], drawn)], strict=True):
            spread = interval(scores)
            result.mean, result.ci = spread.mean, spread.half_width
            if self.test_type == "bs" and result is not results[0]:
                result.p_value, _ = paired_bootstrap(base[0], scores, result.score - values[0], compat=True)
        return results

    def _signature(self, metric: Scorer[Any]) -> Signature:
        signature = metric.get_signature()
        signature.update("seed", seed_of_environment()[1])
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        return signature
