"""Scores as sacreBLEU gives them: the number, what it was made of, and its line of text."""

from __future__ import annotations

import dataclasses
import json
import statistics
from collections.abc import Sequence


@dataclasses.dataclass(repr=False)
class NamedScore:
    """A number with its name, and after a bootstrap the mean and half width of its resamples."""

    score: float

    def __post_init__(self) -> None:
        self._mean = self._ci = -1.0  # as long as nothing was drawn

    @property
    def name(self) -> str:
        """What the number is called."""
        raise NotImplementedError

    @property
    def _verbose(self) -> str:
        return ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """The score as a line, as a bare number, or as JSON."""
        number = f"{self.score:.{width}f}"
        facts: dict[str, object] = {"name": self.name, "score": float(number), "signature": signature}
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            spread = f"μ = {mean} ± {half}"
            number += f" ({spread})"
            facts |= {"confidence_mean": float(mean), "confidence_var": float(half), "confidence": spread}
        if score_only:
            return number
        if self._verbose:
            facts["verbose_score"] = self._verbose
        if is_json:
            facts |= dict(part.split(":", 1) for part in signature.split("|") if part)
            return json.dumps(facts, indent=1, ensure_ascii=False)
        return " ".join(filter(None, ("|".join(filter(None, (self.name, signature))), "=", number, self._verbose)))

    def estimate_ci(self, scores: Sequence[NamedScore]) -> None:
        """Mean and half width of the central 95 % of the scores of resamples."""
        ordered = sorted(resample.score for resample in scores)
        cut = len(ordered) // 40
        self._ci = 0.5 * (ordered[-cut - 1] - ordered[cut])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


@dataclasses.dataclass(repr=False)
class BLEUScore(NamedScore):
    """BLEU with its counts."""

    counts: list[float]  # whole, unless something was added to smooth them
    totals: list[float]
    precisions: list[float]
    bp: float
    sys_len: int
    ref_len: int

    name = "BLEU"

    @property
    def prec_str(self) -> str:
        """The precisions, as they are printed."""
        return "/".join(f"{precision:.1f}" for precision in self.precisions)

    @property
    def ratio(self) -> float:
        """Length of the system's text over that of the reference."""
        return self.sys_len / self.ref_len if self.ref_len else 0

    @property
    def _verbose(self) -> str:
        lengths = f"ratio = {self.ratio:.3f} hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d}"
        return f"{self.prec_str} (BP = {self.bp:.3f} {lengths})"


@dataclasses.dataclass(repr=False)
class CHRFScore(NamedScore):
    """chrF with its orders and beta."""

    char_order: int
    word_order: int
    beta: float

    @property
    def name(self) -> str:
        """chrF with its beta, and a + for each order of words."""
        return f"chrF{self.beta}" + "+" * self.word_order


@dataclasses.dataclass(repr=False)
class TERScore(NamedScore):
    """TER with its edits and the mean length of the references."""

    num_edits: int
    ref_length: float

    name = "TER"
