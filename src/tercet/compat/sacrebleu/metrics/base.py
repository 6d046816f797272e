"""What sacreBLEU's metrics share: two ways to score, and signatures.

`references` is a list of references, each a list of all segments: the other way round than elsewhere in Tercet.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from tercet.compat.sacrebleu.scores import NamedScore
from tercet.data import Array, Batch, References, Texts, total
from tercet.metric_base import Metric
from tercet.options.groups import worker_threads
from tercet.stats.resampling import bootstrap
from tercet.version import version

SACREBLEU = "2.6.0"  # whose numbers these are
S = TypeVar("S", bound=NamedScore)
Streams = Sequence[Sequence[str | None]]
LOG = logging.getLogger("sacrebleu")


class Signature:
    """What was chosen, as sacreBLEU writes it; the version names Tercet, too."""

    SHORT: ClassVar[dict[str, str]] = {
        "nrefs": "#", "bs": "bs", "ar": "ar", "seed": "rs", "test": "t", "lang": "l", "origlang": "o", "subset": "S",
        "case": "c", "eff": "e", "version": "v", "asian": "as", "norm": "nr", "punct": "pn",
    }  # fmt: skip

    def __init__(self, info: dict[str, Any], short: dict[str, str]) -> None:
        self.info = info
        self._short = {**self.SHORT, **short}

    def format(self, short: bool = False) -> str:
        """All that is known, `name:value`, the version last."""
        names = [name for name in self.info if name != "version"]
        values = {name: self.info[name] for name in (*names, "version")}
        spelt = {name: ("no", "yes")[value] if isinstance(value, bool) else value for name, value in values.items()}
        return "|".join(
            f"{self._short.get(name, name) if short else name}:{value}"
            for name, value in spelt.items()
            if value is not None
        )

    def update(self, key: str, value: Any) -> None:
        """Add or change one of them."""
        self.info[key] = value

    def __repr__(self) -> str:
        return self.format()


def seed_of_environment() -> tuple[int | None, str]:
    """The seed that the variable SACREBLEU_SEED names, and how it is written; none is another one each time."""
    written = os.environ.get("SACREBLEU_SEED", "12345").lower()
    return (None if written == "none" else int(written)), written


class Scorer(Generic[S]):
    """What the three metrics share."""

    metric: Metric
    short: ClassVar[dict[str, str]] = {}

    def __init__(self, references: Streams | None) -> None:
        self.num_refs: int | None = None
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._kept = None if references is None else self._transposed(references)

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> S:
        """The score of one sentence against one or several references."""
        self._require(isinstance(hypothesis, str), "hypothesis", "a string", hypothesis)
        self._require(_is_list(references), "references", "a sequence of strings", references)
        return self.from_statistics(self.statistics([hypothesis], [[reference] for reference in references])[0])

    def corpus_score(self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1) -> S:
        """The score of a corpus; None takes the references of the constructor. With resamples, mean and half width."""
        self._require(_is_list(hypotheses), "hypotheses", "a sequence of strings", hypotheses)
        lists = references is None or (_is_list(references) and all(map(_is_list, references)))
        self._require(lists, "references", "a sequence of sequences of strings", references)
        rows = self.statistics(hypotheses, references)
        score = self.from_statistics(total(rows))
        if n_bootstrap > 1:
            seed, self.seed = seed_of_environment()
            self.n_bootstrap = n_bootstrap
            drawn = bootstrap(rows[None], self.metric.score, n_bootstrap, np.random.default_rng(seed), compat=True)[0]
            score.estimate_ci([NamedScore(value) for value in drawn])
        return score

    def statistics(self, hypotheses: Sequence[str], references: Streams | None) -> Array:
        """A row of statistics a segment, (segments, k)."""
        kept = self._kept if references is None else self._transposed(references)
        if kept is None:
            raise RuntimeError("There are no references: give them here or to the constructor.")
        few, most = kept.counts
        self.num_refs = most if few == most else -1
        threads = worker_threads() if len(hypotheses) > 1 else 1
        return self.metric.checked_statistics(Batch(Texts.of(hypotheses, "hypothesis"), kept, threads=threads))

    def from_statistics(self, row: Array) -> S:
        """The score of summed statistics."""
        raise NotImplementedError

    def choices(self) -> dict[str, Any]:
        """What the signature says of the metric."""
        raise NotImplementedError

    def get_signature(self) -> Signature:
        """The signature of what was scored last."""
        if self.num_refs is None:
            raise ValueError("The number of references is not known before something is scored.")
        references = "var" if self.num_refs == -1 else self.num_refs
        drawn = {"bs": self.n_bootstrap, "ar": None, "seed": self.seed}
        named = dict.fromkeys(("test", "lang", "origlang", "subset"))
        made_by = {"version": f"{SACREBLEU}+tercet.{version()}"}
        return Signature({"nrefs": references, **drawn, **named, **self.choices(), **made_by}, self.short)

    def _transposed(self, references: Streams) -> References:
        return References.of(list(zip(*references, strict=True)))

    def _require(self, holds: bool, name: str, wanted: str, value: object) -> None:
        if not holds:
            raise TypeError(f"{type(self).__name__}: {name} must be {wanted}, not {type(value).__name__}.")


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)
